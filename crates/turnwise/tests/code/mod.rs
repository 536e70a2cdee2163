//! A repository that the coder of the real program works in, committed, with a folder beside it for what the program
//! keeps.

#![allow(dead_code, reason = "each test file that shares this uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// What the coder is started with.
pub const CODER: [&str; 6] = ["chat", "--ephemeral", "--assistant", "coder", "--workspace", "shop"];

pub struct Repository {
    pub folder: TempDir,
}

impl Repository {
    /// With what `fill` puts into it.
    pub fn of(fill: impl FnOnce(&Path)) -> Self {
        let repository = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(repository.path()).unwrap();
        fill(&repository.path());
        repository.git(&["init", "-q"]);
        repository.git(&["add", "-Af"]);
        repository.git(&["commit", "-q", "-m", "first"]);
        repository
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    pub fn git(&self, words: &[&str]) -> String {
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        let done = Command::new("git").args(who).args(words).current_dir(self.path()).output().unwrap();
        assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    pub fn turnwise(&self, words: &[&str], said: &str) -> Output {
        self.turnwise_with(&std::env::var_os("PATH").unwrap_or_default(), words, said)
    }

    /// The same where programs are looked for in `path`.
    pub fn turnwise_with(&self, path: &std::ffi::OsStr, words: &[&str], said: &str) -> Output {
        let script = self.folder.path().join("said");
        std::fs::write(&script, said).unwrap();
        Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(words)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .env("PATH", path)
            .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
            .output()
            .unwrap()
    }

    /// All that is printed while `lines` are said one after the other.
    pub fn talk(&self, lines: &[&str]) -> String {
        self.talk_with(&[], lines)
    }

    /// The same with a model that does `turns`.
    pub fn talk_to_model(&self, turns: &[serde_json::Value], lines: &[&str]) -> String {
        let script = self.folder.path().join("turns.json");
        std::fs::write(&script, serde_json::Value::from(turns).to_string()).unwrap();
        self.talk_with(&["--model", &format!("scripted:{}", script.display()), "--model-sees", "rows"], lines)
    }

    pub fn talk_with(&self, more: &[&str], lines: &[&str]) -> String {
        let told = self.turnwise(&[&CODER, more].concat(), &(lines.join("\n") + "\n"));
        format!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr))
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }
}

/// A program that can be run.
#[cfg(unix)]
pub fn program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What a scripted model says: edits as file, search and replace.
pub fn edits(says: &str, edits: &[(&str, &str, &str)]) -> serde_json::Value {
    let edit = |edit: &(&str, &str, &str)| {
        let (file, search, replace) = edit;
        serde_json::json!({ "file": file, "search": search, "replace": replace })
    };
    let edits: Vec<serde_json::Value> = edits.iter().map(edit).collect();
    serde_json::json!({ "say": serde_json::json!({ "question": "", "says": says, "edits": edits }).to_string() })
}

#[track_caller]
pub fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}
