//! How messages are read that nobody had tuned for: a count that may only rise, of a set whose first count is in
//! docs/benchmarks.md.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Of the messages, how many are read as wanted.
const FLOOR: usize = 135;

#[test]
fn as_many_messages_nobody_tuned_for_are_read_as_wanted() {
    let messages: Vec<(&str, &str)> = include_str!("blind.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .collect();
    let mut asked = String::new();
    for (_, text) in &messages {
        writeln!(asked, "{}", json!({"text": text})).unwrap();
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["classify", "--assistant", "tickets", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    let writing = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let told = program.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    let read: Vec<Value> =
        String::from_utf8_lossy(&told.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read.len(), messages.len());
    let is_right = |((wanted, _), read): &(&(&str, &str), &Value)| read["intent"] == *wanted;
    let right = messages.iter().zip(&read).filter(is_right).count();
    println!("{right} of {} read as wanted", messages.len());
    assert!(right >= FLOOR, "{right} of {} are read as wanted; it were {FLOOR}", messages.len());
}
