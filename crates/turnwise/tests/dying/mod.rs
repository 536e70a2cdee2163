//! A chat of the real program that is killed (SIGKILL) at a moment that a seed or what it printed decides.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Far more than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A number from a seed (SplitMix64), so that a failing run can be played again.
pub fn chance(seed: u64, below: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % below
}

/// A chat in a pipe that may be killed.
pub struct Chat {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    /// What it printed and is still to be looked at.
    pub seen: String,
}

impl Chat {
    /// `turnwise chat` with these options, in `folder` and with its state there.
    pub fn start(folder: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .arg("chat")
            .args(options)
            .current_dir(folder)
            .env("TURNWISE_STATE", folder.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read) = out.read(&mut buffer) {
                if read == 0 || sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, seen: String::new() }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits until the output holds one of `wanted`, and says which.
    pub fn until(&mut self, wanted: &[&str]) -> usize {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = wanted.iter().position(|wanted| self.seen.contains(wanted)) {
                return at;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "none of {wanted:?} in:\n{}", self.seen);
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("it ended without {wanted:?}:\n{}", self.seen),
            }
        }
    }

    /// Kills it after `wait`, or as soon as it has told of `steps` finished steps.
    pub fn kill_within(mut self, wait: Duration, steps: usize) {
        let deadline = Instant::now() + wait;
        while self.seen.matches('✓').count() < steps {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes its input and gives all that it printed and nobody looked at.
    pub fn end(mut self) -> String {
        drop(self.input.take());
        self.child.wait().unwrap();
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        self.seen
    }
}
