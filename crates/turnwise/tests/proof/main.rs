//! Proofs and definitions through the real binary: a conversation is held, its proof exported, and checked by
//! somebody who has the file and the data and nothing else.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests fail by panicking")]

mod definitions;
mod schema;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder of state and data of one test.
pub struct Desk {
    pub folder: TempDir,
}

#[allow(clippy::new_without_default, reason = "a fresh folder each time is no default")]
impl Desk {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into the folder `data`, which is made.
    pub fn data(&self, name: &str, content: &str) -> &Self {
        std::fs::create_dir_all(self.path("data")).unwrap();
        std::fs::write(self.path("data").join(name), content).unwrap();
        self
    }

    /// Runs the binary in this folder, with its state there and `input` on standard input.
    pub fn run(&self, arguments: &[&str], input: &str) -> Said {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.path("state"))
            .env("USER", "ada")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that fails before it reads closes the pipe; what it says is what is tested.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Said::of(&child.wait_with_output().unwrap())
    }

    /// Talks over the folder `data`, line by line.
    pub fn chat(&self, lines: &[&str]) -> Said {
        let mut input = lines.join("\n");
        input.push('\n');
        self.run(&["chat", "--data", "data"], &input)
    }
}

/// What a command came to.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self { code: output.status.code().unwrap(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Fails unless the command ended with `code`.
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self
    }

    /// Fails unless `part` was said.
    pub fn says(self, part: &str) -> Self {
        assert!(
            self.out.contains(part) || self.err.contains(part),
            "“{part}” is missing in:\n{}{}",
            self.out,
            self.err
        );
        self
    }

    /// Fails if `part` was said.
    pub fn never_says(self, part: &str) -> Self {
        assert!(!self.out.contains(part) && !self.err.contains(part), "“{part}” stands in:\n{}{}", self.out, self.err);
        self
    }
}

/// A test file of the shared data; without it the test says that it is skipped, and fails where all data must be there.
pub fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    eprintln!("SKIPPED: {} is missing, so nothing was tested", path.display());
    None
}
