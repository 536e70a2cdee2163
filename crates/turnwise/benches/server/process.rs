//! The servers that are measured, each in a process of its own: its memory can be told apart, and it shares no runtime
//! with the client. Next: `plain`.

use std::io::{BufRead, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Set in the process that is to be the plain server; names its file.
pub const PLAIN: &str = "TURNWISE_BENCH_PLAIN";

/// A server that runs until this is dropped.
pub struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// `turnwise serve` over a small table, with its conversations in `folder`.
    pub fn turnwise(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("people.csv"), "name,town,born\nAda,London,1815\nBen,Paris,1820\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(["serve", "--data", "people.csv", "--port", "0", "--requests-per-second", "1000000"]);
        command.env("TURNWISE_STATE", folder.join("state")).current_dir(folder);
        Self::start(&mut command)
    }

    /// A plain server whose rows are in `folder`.
    pub fn plain(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        Self::start(command.env(PLAIN, folder.join("plain.db")))
    }

    fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let before = said.len();
            assert!(lines.read_line(&mut said).unwrap() > 0, "the server ended: {said}");
            let found = said[before..].split_whitespace().find_map(|word| word.strip_prefix("http://"));
            if let Some(address) = found {
                break address.to_owned();
            }
        };
        // A pipe that nobody reads would fill up.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Self { child, address }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Resident bytes, as Linux tells them.
    pub fn resident(&self) -> u64 {
        let pages = std::fs::read_to_string(format!("/proc/{}/statm", self.child.id())).unwrap_or_default();
        pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// File handles this process may have, after asking for as many as it may get.
pub fn handles() -> u64 {
    turnwise::channel::handles::raised()
}
