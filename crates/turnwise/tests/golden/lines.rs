//! The files of golden lines, one a suite: looked up, compared, and written where `UPDATE=1` says so. Several processes
//! may write at once, so a file is locked while it is read and written. Next: `mod`.

use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// What was asked of which data, and what it came to.
pub struct Line {
    pub data: String,
    pub asked: Value,
    pub came: Value,
}

impl Line {
    /// What it is found by.
    fn key(&self) -> String {
        let text =
            |part| self.asked.get(part).filter(|value| !is_empty(value)).map(|value| in_order(value).to_string());
        let asked = ASKED.map(|part| text(part).unwrap_or_default());
        format!("{} {}", self.data, asked.join(" "))
    }

    fn written(&self) -> String {
        let mut line = json!({ "data": self.data });
        for (name, value) in [&self.asked, &self.came].into_iter().filter_map(Value::as_object).flatten() {
            if !is_empty(value) {
                line[name] = value.clone();
            }
        }
        in_order(&line).to_string()
    }
}

/// The same with the keys of objects in the order of the alphabet, in which lines are written.
fn in_order(value: &Value) -> Value {
    match value {
        Value::Object(parts) => {
            let parts: BTreeMap<&String, Value> = parts.iter().map(|(name, part)| (name, in_order(part))).collect();
            Value::Object(parts.into_iter().map(|(name, part)| (name.clone(), part)).collect())
        }
        Value::Array(all) => Value::Array(all.iter().map(in_order).collect()),
        plain => plain.clone(),
    }
}

/// The parts of a line that say what was asked; those that are not there or empty are left out of it.
const ASKED: [&str; 5] = ["question", "changes", "answers", "talk", "plan"];

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Array(all) if all.is_empty())
}

/// What was read of each suite's file.
static READ: Mutex<BTreeMap<String, BTreeMap<String, String>>> = Mutex::new(BTreeMap::new());

/// Holds a reading against its line.
#[track_caller]
pub fn check(suite: &str, line: &Line) {
    let (key, now) = (line.key(), line.written());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let known = read.entry(suite.to_owned()).or_insert_with(|| lines(&text(suite)));
    if known.get(&key) == Some(&now) {
        return;
    }
    if std::env::var_os("UPDATE").is_some() {
        *known = updated(suite, key, now);
        return;
    }
    let before = known.get(&key).cloned();
    drop(read);
    let before = before.unwrap_or_else(|| "nothing: it is new".to_owned());
    panic!(
        "a reading differs from its golden line in tests/golden/forms/{suite}.jsonl\nwas {before}\nis  {now}\n\
         If that is meant, run the suite again with UPDATE=1 and look at the difference."
    );
}

fn path(suite: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/forms").join(format!("{suite}.jsonl"))
}

fn text(suite: &str) -> String {
    match std::fs::read_to_string(path(suite)) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.unwrap(),
    }
}

fn lines(text: &str) -> BTreeMap<String, String> {
    text.lines().map(|line| (key_of(line), line.to_owned())).collect()
}

fn key_of(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let data = value["data"].as_str().unwrap_or_default().to_owned();
    Line { data, asked: value, came: Value::Null }.key()
}

/// The lines with one more, on the disk as well.
fn updated(suite: &str, key: String, now: String) -> BTreeMap<String, String> {
    let mut file =
        std::fs::File::options().create(true).truncate(false).read(true).write(true).open(path(suite)).unwrap();
    file.lock().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    let mut all = lines(&text);
    all.insert(key, now);
    let whole: String = all.values().map(|line| format!("{line}\n")).collect();
    file.rewind().unwrap();
    file.set_len(0).unwrap();
    file.write_all(whole.as_bytes()).unwrap();
    all
}
