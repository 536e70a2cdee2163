//! The program itself over files made for a test: one question by `turnwise ask`, or a whole conversation by
//! `turnwise chat` in a pipe. Next: `gaps` and `chains`, which use it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::golden;

/// A folder with data, and where the program keeps its state.
pub struct Desk {
    pub folder: tempfile::TempDir,
    pub data: String,
}

impl Desk {
    /// A folder with one file.
    pub fn with(name: &str, text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        Self { folder, data: name.to_owned() }
    }

    /// The names of the data's columns.
    fn header(&self) -> String {
        let text = std::fs::read_to_string(self.folder.path().join(&self.data)).unwrap_or_default();
        text.lines().next().unwrap_or_default().to_owned()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.current_dir(self.folder.path()).args(arguments);
        command.env("TURNWISE_STATE", self.folder.path().join("state"));
        command
    }

    pub fn run(&self, arguments: &[&str], said: &str) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    /// What one question comes to.
    pub fn ask(&self, question: &str) -> Told {
        let all = ["ask", "--ephemeral", "--approve", "all", "--json", "--data", &self.data, question];
        let output = self.run(&all, "");
        let told = String::from_utf8_lossy(&output.stdout);
        let told = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{question}: {error}: {told}"));
        golden::told("analyst", &self.header(), question, &told);
        Told(told)
    }

    /// All that is printed while `lines` are said one after the other.
    pub fn talk(&self, lines: &[&str]) -> String {
        let said = format!("{}\n", lines.join("\n"));
        // Each talk is a conversation of its own, kept so that its plans can be looked at.
        let kept = tempfile::tempdir().unwrap();
        let database = kept.path().join("talk.db");
        let all = ["chat", "--new", "--db", database.to_str().unwrap(), "--preset", "simple", "--data", &self.data];
        let output = self.run(&all, &said);
        golden::talked("analyst", &self.header(), lines, &database);
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

/// The JSON of an answer.
pub struct Told(pub Value);

impl Told {
    pub fn answer(&self) -> &str {
        self.0["answer"].as_str().unwrap_or_default()
    }

    pub fn plan(&self) -> String {
        self.0["plan"].to_string()
    }

    pub fn rows(&self) -> Vec<Vec<Value>> {
        let rows = self.0["table"]["rows"].as_array().unwrap_or_else(|| panic!("no table: {}", self.0));
        rows.iter().map(|row| row.as_array().unwrap().clone()).collect()
    }

    /// The numbers of a column, missing ones as none.
    pub fn column(&self, name: &str) -> Vec<Option<f64>> {
        let columns = self.0["table"]["columns"].as_array().unwrap();
        let at = columns.iter().position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no {name} in {columns:?}"));
        self.rows().iter().map(|row| row[at].as_f64()).collect()
    }
}
