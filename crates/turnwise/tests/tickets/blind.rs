//! How messages are read that nobody had tuned for: a count that may only rise, of two sets; the first counts are in
//! docs/benchmarks.md.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[test]
fn as_many_messages_nobody_tuned_for_are_read_as_wanted() {
    hold(include_str!("blind.txt"), 143);
}

#[test]
fn as_many_of_the_second_set_are_read_as_wanted() {
    hold(include_str!("blind2.txt"), 102);
}

/// At least `floor` of the messages in `set` are read as wanted.
#[track_caller]
fn hold(set: &str, floor: usize) {
    let messages: Vec<(&str, &str)> = set
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
    assert!(right >= floor, "{right} of {} are read as wanted; it were {floor}", messages.len());
}
