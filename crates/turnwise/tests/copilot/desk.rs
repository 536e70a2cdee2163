//! A working folder, and the real program over it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A working folder `desk`, and beside it what the program keeps.
pub struct Desk {
    pub folder: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(desk.path()).unwrap();
        desk
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("desk")
    }

    pub fn put(&self, name: &str, content: &str) {
        let place = self.path().join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, content).unwrap();
    }

    /// Settings, as a turnwise.yaml beside the working folder.
    pub fn configure(&self, settings: &str) {
        std::fs::write(self.folder.path().join("turnwise.yaml"), settings).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    pub fn turnwise(&self, words: &[&str], said: &str) -> Output {
        self.with_editor("true", words, said)
    }

    /// The same, where whatever is edited has `edit` made to it.
    pub fn edit(&self, edit: &str, lines: &[&str]) -> String {
        let words = ["chat", "--ephemeral", "--assistant", "copilot", "--workspace", "desk"];
        told(&self.with_editor(&format!("sed -i '{edit}'"), &words, &(lines.join("\n") + "\n")))
    }

    fn with_editor(&self, editor: &str, words: &[&str], said: &str) -> Output {
        let script = self.folder.path().join("said");
        std::fs::write(&script, said).unwrap();
        Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(words)
            .env("VISUAL", editor)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
            .output()
            .unwrap()
    }

    /// All that is printed while `lines` are said one after the other.
    pub fn talk(&self, lines: &[&str]) -> String {
        self.talk_with(&[], lines)
    }

    /// The same, with options.
    pub fn talk_with(&self, options: &[&str], lines: &[&str]) -> String {
        let mut words = vec!["chat", "--ephemeral", "--assistant", "copilot", "--workspace", "desk"];
        words.extend(options);
        told(&self.turnwise(&words, &(lines.join("\n") + "\n")))
    }
}

/// Both outputs together.
pub fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Fails where one of `all` is missing.
pub fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}
