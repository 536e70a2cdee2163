//! A team that talks with the ticket bot through the real program, with a folder as its tracker. Next: `main`.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of tickets, and one beside it for what the program keeps.
pub struct Team {
    pub folder: TempDir,
}

impl Team {
    pub fn new() -> Self {
        let team = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(team.path()).unwrap();
        team
    }

    pub fn with_project(project: &str) -> Self {
        let team = Self::new();
        std::fs::write(team.path().join("project.json"), project).unwrap();
        team
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("tickets")
    }

    pub fn turnwise(&self, words: &[&str], said: &str) -> Output {
        let script = self.folder.path().join("said");
        std::fs::write(&script, said).unwrap();
        Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(words)
            .current_dir(self.folder.path())
            .env("TURNWISE_STATE", self.folder.path().join("state"))
            .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
            .output()
            .unwrap()
    }

    /// All that is printed while `lines` are said one after the other, in a conversation of its own.
    pub fn talk(&self, lines: &[&str]) -> String {
        self.say(&["--new"], lines)
    }

    /// The same in the latest conversation.
    pub fn go_on(&self, lines: &[&str]) -> String {
        self.say(&["--resume"], lines)
    }

    pub fn say(&self, which: &[&str], lines: &[&str]) -> String {
        let words = [&["chat", "--assistant", "tickets", "--data", "tickets"], which].concat();
        let told = self.turnwise(&words, &(lines.join("\n") + "\n"));
        format!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr))
    }

    /// The tickets there are, in the order of their numbers.
    pub fn tickets(&self) -> Vec<Value> {
        let files = std::fs::read_dir(self.path()).unwrap().map(|entry| entry.unwrap().path());
        let is_ticket =
            |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json") && !path.ends_with("project.json");
        let read = |path: PathBuf| serde_json::from_str::<Value>(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut tickets: Vec<Value> = files.filter(is_ticket).map(read).collect();
        let number =
            |ticket: &Value| ticket["key"].as_str().unwrap().rsplit_once('-').unwrap().1.parse::<u64>().unwrap();
        tickets.sort_by_key(number);
        tickets
    }

    pub fn titles(&self) -> Vec<String> {
        self.tickets().iter().map(|ticket| ticket["ticket"]["title"].as_str().unwrap().to_owned()).collect()
    }

    /// Lets the threads be as if nobody had been there for so many hours.
    pub fn wait_hours(&self, hours: u64) {
        let threads = self.folder.path().join("state/turnwise.d/tickets/threads");
        for entry in std::fs::read_dir(threads).unwrap() {
            let path = entry.unwrap().path();
            let mut thread: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            thread["active_at"] = (thread["active_at"].as_u64().unwrap() - hours * 3_600_000).into();
            std::fs::write(path, thread.to_string()).unwrap();
        }
    }
}

#[track_caller]
pub fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}

#[track_caller]
pub fn lacks(told: &str, all: &[&str]) {
    for one in all {
        assert!(!told.contains(one), "“{one}” is there:\n{told}");
    }
}
