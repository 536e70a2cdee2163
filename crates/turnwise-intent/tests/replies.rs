//! Replies to an open plan: what is consent, and above all what is not.
//!
//! `data/replies.jsonl` holds one reply a line with what it has to be read as; `never` means anything but consent.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use serde_json::Value;
use turnwise_core::{Phase, ReadContext, Reader, Reply};
use turnwise_intent::IntentReader;

fn cases() -> Vec<(String, String)> {
    include_str!("data/replies.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|case| (case["text"].as_str().unwrap().to_owned(), case["expect"].as_str().unwrap().to_owned()))
        .collect()
}

fn read(text: &str) -> Reply {
    static READER: LazyLock<IntentReader> = LazyLock::new(|| IntentReader::builtin("analyst").unwrap());
    let context = ReadContext { phase: Phase::AwaitingApproval, has_plan: true, ..ReadContext::default() };
    READER.reply(text, &context)
}

fn name_of(reply: &Reply) -> &'static str {
    match reply {
        Reply::Approve => "approve",
        Reply::ApproveWithNote { .. } => "approve_with_note",
        Reply::Change { .. } => "change",
        Reply::Reject => "reject",
        Reply::Cancel => "cancel",
        Reply::Question => "question",
        Reply::Hold => "hold",
        Reply::Likely => "likely",
        Reply::Other => "other",
    }
}

fn is_consent(name: &str) -> bool {
    name == "approve" || name == "approve_with_note"
}

#[test]
fn nothing_but_a_yes_to_this_question_is_consent() {
    let wrong: Vec<String> = cases()
        .into_iter()
        .filter(|(text, expected)| !is_consent(expected) && is_consent(name_of(&read(text))))
        .map(|(text, expected)| format!("{text:?} is {expected}"))
        .collect();
    assert!(wrong.is_empty(), "false approvals:\n{}", wrong.join("\n"));
}

#[test]
fn plain_approvals_are_recognised() {
    let (mut all, mut missed) = (0, Vec::new());
    for (text, expected) in cases().into_iter().filter(|(_, expected)| expected == "approve") {
        all += 1;
        let found = name_of(&read(&text));
        if found != expected {
            missed.push(format!("{text:?} read as {found}"));
        }
    }
    assert!(missed.len() * 20 < all, "recall of {all} plain approvals is not above 95 %:\n{}", missed.join("\n"));
}

#[test]
fn every_reply_is_read_as_written() {
    let misread: Vec<String> = cases()
        .into_iter()
        .map(|(text, expected)| (read(&text), text, expected))
        .filter(|(reply, _, expected)| expected != "never" && name_of(reply) != expected)
        .map(|(reply, text, expected)| format!("{text:?} is {expected}, read as {reply:?}"))
        .collect();
    assert!(misread.is_empty(), "{} of {}:\n{}", misread.len(), cases().len(), misread.join("\n"));
}

#[test]
fn a_change_carries_the_words_of_the_change_and_a_note_those_of_the_note() {
    assert_eq!(read("Yes, but only Q4"), Reply::Change { change: "only Q4".to_owned() });
    assert_eq!(read("no, use 2024"), Reply::Change { change: "use 2024".to_owned() });
    assert_eq!(read("yes, and please be quick"), Reply::ApproveWithNote { note: "please be quick".to_owned() });
}

#[test]
fn there_are_enough_replies_to_trust_the_counts() {
    let cases = cases();
    assert!(cases.len() >= 300, "{}", cases.len());
    assert!(cases.iter().filter(|(_, expected)| expected == "approve").count() >= 100);
}
