//! A place for the tests of the learning loop: a state folder, a small profile of its own, and a table to talk about.

#![allow(dead_code, reason = "each test file that shares this uses a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Few exemplars, far from each other.
pub const EXEMPLARS: &str = "\
# Mine, and to stay as it is.
query:
  - what did you find
  - explain the results
  - what does that number mean
  - why is it so high
  - tell me more about that
  - how was it in the end

plan_new:
  - show me revenue by region
  - count the orders per month
  - list the top customers by sales   # the best ones
  - compare sales of this year and last year
  - how many orders were there in March
  - average price by product
plan_continue:
  - only the north
  - by month instead
  - leave out the returns
  - include the year before too
  - sort it the other way round
control.cancel:
  - call the whole thing off
  - stop the run
  - stop everything
  - abort the run
  - cancel that
  - halt the execution
control.help:
  - which commands are there
  - what can this do for me
  - how do I use this program
  - show me the manual
control.status:
  - how far along is it
  - where does the run stand
  - show me the status of the run
  - is it finished yet
# what means nothing
none:
  - dolor sit amet
  - my dog is brown
  - qwertz uiop
";

pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// With the small profile.
    pub fn new() -> Self {
        let bench = Self::without_profile();
        std::fs::create_dir_all(bench.profile()).unwrap();
        std::fs::write(bench.profile().join("exemplars.yaml"), EXEMPLARS).unwrap();
        bench
    }

    /// With nothing of one's own.
    pub fn without_profile() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        let table = "region,year,revenue\nnorth,2023,10\nnorth,2024,20\nsouth,2023,30\nsouth,2024,40\n";
        std::fs::write(bench.state().join("sales.csv"), table).unwrap();
        bench
    }

    pub fn state(&self) -> &Path {
        self.folder.path()
    }

    /// The folder of the analyst's own files.
    pub fn profile(&self) -> PathBuf {
        self.state().join("assistants").join("analyst")
    }

    pub fn exemplars(&self) -> String {
        std::fs::read_to_string(self.profile().join("exemplars.yaml")).unwrap()
    }

    /// A file with this text; its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.state().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_with_profiles(&self.state().join("assistants"), arguments)
    }

    pub fn run_with_profiles(&self, profiles: &Path, arguments: &[&str]) -> Output {
        self.command(profiles, arguments).stdin(Stdio::null()).output().unwrap()
    }

    fn command(&self, profiles: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).env("TURNWISE_STATE", self.state()).env("TURNWISE_ASSISTANTS", profiles);
        // Embedding models of whoever runs the tests are none of theirs.
        command.env("TURNWISE_MODELS", self.state().join("models")).env("HF_HUB_CACHE", self.state().join("hub"));
        command
    }

    /// What a new chat over the table says to `input`.
    pub fn chat(&self, input: &str) -> String {
        let table = self.state().join("sales.csv");
        let arguments = ["chat", "--new", "--data", table.to_str().unwrap()];
        let mut child = self
            .command(&self.state().join("assistants"), &arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that succeeds says.
    pub fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (said, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}{errors}");
        said
    }

    pub fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.ok(arguments)).unwrap()
    }

    /// A command that ends with wrong usage and this message.
    pub fn refused(&self, arguments: &[&str], message: &str) {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.lines().any(|line| line.starts_with(&format!("error: {message}"))), "{said}");
    }

    /// Number and label of the proposal with these words.
    pub fn proposal(&self, text: &str) -> (String, String) {
        let listed = self.json(&["exemplars", "review", "--json"]);
        let found = listed["proposals"].as_array().unwrap().iter().find(|one| one["text"] == text);
        let found = found.unwrap_or_else(|| panic!("\"{text}\" is not proposed: {listed:#}"));
        (found["number"].to_string(), found["label"].as_str().unwrap().to_owned())
    }

    /// The number under which the question about these unclear words offers a reading of `intent`.
    pub fn choice(&self, text: &str, intent: &str) -> usize {
        let line = serde_json::json!({"text": text}).to_string();
        let mut child = self
            .command(&self.state().join("assistants"), &["classify", "--jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        let options = read["clarification"]["options"].as_array().unwrap_or_else(|| panic!("{read:#}"));
        let offer = turnwise_intent::builtin::analyst();
        let is_wanted = |label: &Value| {
            offer.labels.iter().any(|(known, meaning)| known.primary == intent && meaning.offer == *label)
        };
        options.iter().position(|option| is_wanted(&option["label"])).unwrap_or_else(|| panic!("{read:#}")) + 1
    }
}
