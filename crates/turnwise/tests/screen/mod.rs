//! The real binary in a pseudo-terminal, with a terminal emulator as the eye. Nothing sleeps: each step waits until the
//! screen shows what it should, and fails with the screen when it does not in time. Next: `terminal`, `server::remote`.

#![allow(dead_code, reason = "each suite uses a part of it")]

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tempfile::TempDir;

/// Far more than a step needs on a busy machine; reached only when something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    pub writer: Box<dyn Write + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub output: Receiver<Vec<u8>>,
    pub emulator: vt100::Parser,
    /// What came, to know whether a frame is being drawn.
    pub raw: Vec<u8>,
    pub state: TempDir,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// The program with `arguments` in a window of this size, once its prompt stands.
    pub fn start(columns: u16, rows: u16, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut terminal = Self::begin(columns, rows, arguments, variables);
        terminal.until("the prompt", |screen| screen.contains("[EXPLORE] idle"));
        terminal
    }

    /// The same before it has shown anything; afterwards the shell tells its exit code and the terminal's settings.
    pub fn begin(columns: u16, rows: u16, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let pair = native_pty_system().openpty(size(columns, rows)).unwrap();
        let state = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new("sh");
        // The shell survives what is sent to the whole group, to tell what the chat left behind.
        let script = "trap '' TERM; echo before; \"$0\" \"$@\"; echo \"code $?\"; stty -a; echo over";
        command.args(["-c", script, env!("CARGO_BIN_EXE_turnwise")]);
        command.args(arguments);
        command.env("TURNWISE_STATE", state.path());
        command.env("TERM", "xterm-256color");
        command.env("USER", "ada");
        for (name, value) in variables {
            command.env(name, value);
        }
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read) = reader.read(&mut buffer) {
                if read == 0 || sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let emulator = vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 1_000);
        let writer = pair.master.take_writer().unwrap();
        Self { master: pair.master, writer, child, output, emulator, raw: Vec::new(), state }
    }

    pub fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Answers an open question as fingers do: Enter by itself, when the words are there.
    pub fn answer(&mut self, words: &str) {
        self.send(words);
        let typed = format!("› {words}");
        // The same words may stand further up already; a long line goes on below.
        let is_there = |line: &str| !line.is_empty() && typed.ends_with(line);
        self.wait("the answer in the input line", |terminal| is_there(terminal.cursor_line().trim_start()));
        self.send("\r");
        // What comes with the Enter in one burst would be a paste.
        self.wait("the line taken", |terminal| terminal.cursor_line() != typed);
    }

    pub fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    /// Waits until the screen is as wanted.
    pub fn until(&mut self, what: &str, is_shown: impl Fn(&str) -> bool) {
        self.wait(what, |terminal| is_shown(&terminal.screen()));
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while self.is_mid_frame() || !is_so(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => {
                    self.emulator.process(&bytes);
                    self.raw.extend(bytes);
                }
                Err(error) => panic!("{what} was not shown ({error}); the screen is:\n{}", self.screen()),
            }
        }
    }

    /// Whether a synchronized update has begun and not ended; the screen is then half old, half new.
    pub fn is_mid_frame(&self) -> bool {
        let last = |mark: &[u8]| self.raw.windows(mark.len()).rposition(|window| window == mark);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }

    /// The line with the cursor.
    pub fn cursor_line(&self) -> String {
        let (row, _) = self.emulator.screen().cursor_position();
        let columns = self.emulator.screen().size().1;
        self.emulator.screen().rows(0, columns.into()).nth(usize::from(row)).unwrap().trim_end().to_owned()
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.emulator.screen_mut().set_size(rows.try_into().unwrap(), columns.try_into().unwrap());
        self.master.resize(size(columns, rows)).unwrap();
    }

    /// The chat has ended with `code`, and the terminal is as it was.
    pub fn check_left(&mut self, code: u8) {
        self.until("the end", |screen| screen.lines().any(|line| line.trim_end() == "over"));
        let screen = self.screen();
        assert!(screen.contains(&format!("code {code}\n")), "{screen}");
        for setting in [" icanon", " echo ", " isig"] {
            assert!(screen.replace('\n', " ").contains(setting), "{setting} is off:\n{screen}");
        }
        assert!(!self.emulator.screen().bracketed_paste());
        assert!(!self.emulator.screen().hide_cursor());
        assert!(!screen.contains("[EXPLORE]"), "the status line was left behind:\n{screen}");
        assert!(self.child.wait().unwrap().success());
    }
}
