//! Replies written before what reads them was tuned, in eight scenes: how many of those that consent are taken for it,
//! and that none of the others is.
//!
//! `data/replies_blind.txt` says how a line is written. Whoever tunes the reading of replies counts these and does not
//! read them; a new set is written when this one has been read too often.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use turnwise_core::{Asked, Phase, ReadContext, Reader, Reply, Stakes};
use turnwise_intent::IntentReader;

/// Of the replies that consent, as many in a hundred are taken for it at least, and as many with those asked back.
const CONSENT_MIN: usize = 60;
const CONSENT_OR_ASKED_MIN: usize = 85;

/// A reply with what it answers.
struct Case {
    asked: &'static str,
    consents: bool,
    text: &'static str,
}

fn cases() -> Vec<Case> {
    let mut asked = "";
    let mut cases = Vec::new();
    for line in include_str!("data/replies_blind.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.split_once("] ") {
            Some((_, question)) if line.starts_with('[') => asked = question,
            Some(_) | None => {
                let (letter, text) = line.split_once(' ').unwrap();
                cases.push(Case { asked, consents: letter == "y", text });
            }
        }
    }
    cases
}

/// Read as an answer to a plan of one step on which this hangs, described by the words of the question.
fn read(reader: &IntentReader, case: &Case, stakes: Stakes) -> Reply {
    let asked = Asked { stakes, words: case.asked.to_owned() };
    let context = ReadContext { phase: Phase::AwaitingApproval, has_plan: true, asked, ..ReadContext::default() };
    reader.reply(case.text, &context)
}

fn is_consent(reply: &Reply) -> bool {
    matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. })
}

#[test]
fn consent_written_blind_is_taken_and_nothing_else_is() {
    let reader = IntentReader::builtin("coder").unwrap();
    let replied = |case: Case| {
        let reply = read(&reader, &case, Stakes::Acts);
        (case, reply)
    };
    let read: Vec<(Case, Reply)> = cases().into_iter().map(replied).collect();
    let falsely: Vec<&str> =
        read.iter().filter(|(case, reply)| !case.consents && is_consent(reply)).map(|(case, _)| case.text).collect();
    assert_eq!(falsely, Vec::<&str>::new());
    let consents: Vec<&Reply> = read.iter().filter(|(case, _)| case.consents).map(|(_, reply)| reply).collect();
    let taken = consents.iter().filter(|reply| is_consent(reply)).count();
    let asked = consents.iter().filter(|reply| ***reply == Reply::Likely).count();
    assert!(read.len() >= 600 && consents.len() * 4 >= read.len(), "{} of {}", consents.len(), read.len());
    assert!(taken * 100 >= consents.len() * CONSENT_MIN, "{taken} of {}", consents.len());
    assert!(
        (taken + asked) * 100 >= consents.len() * CONSENT_OR_ASKED_MIN,
        "{taken} and {asked} of {}",
        consents.len()
    );
}

#[test]
fn a_plan_that_only_looks_takes_less_for_a_yes_than_one_that_acts_and_never_more() {
    let reader = IntentReader::builtin("coder").unwrap();
    let mut only_to_look = 0;
    for case in cases().into_iter().filter(|case| case.consents) {
        let (looks, acts) = (read(&reader, &case, Stakes::Looks), read(&reader, &case, Stakes::Acts));
        assert!(is_consent(&looks) || !is_consent(&acts), "{}: {looks:?} to look, {acts:?} to act", case.text);
        only_to_look += usize::from(is_consent(&looks) && !is_consent(&acts));
    }
    assert!(only_to_look > 0, "what hangs on the plan makes no difference");
}
