//! Logs and snapshots of older versions: what was written once is read for ever. The fixture is a conversation as it
//! was stored before decisions said who made them and where.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use serde_json::Value;
use turnwise_core::{AssistantName, Choice, Conversation, Event, Phase, Resolution};

fn events() -> Vec<Event> {
    let lines = include_str!("fixtures/events_before_envelopes.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn folded() -> Conversation {
    let mut conversation = Conversation::new(AssistantName::new("analyst"));
    for event in events() {
        conversation.apply(&event).unwrap();
    }
    conversation
}

#[test]
fn a_log_of_before_envelopes_folds_to_its_open_plan() {
    let conversation = folded();
    assert_eq!(conversation.phase(), Phase::AwaitingApproval);
    let question = conversation.question().unwrap();
    assert_eq!((question.since, question.expires, question.approvers.len()), (None, None, 0));
    let ended = conversation.resolved(turnwise_core::PendingId::new(1)).unwrap();
    assert_eq!((ended.resolution, &ended.by), (Resolution::Changed, &None));
    assert_eq!(conversation.sources(), [""; 0]);
}

/// A choice that confirms a number said so in its value once.
#[test]
fn a_choice_that_confirmed_a_number_by_its_value_still_does() {
    let read = |text: &str| serde_json::from_str::<Choice>(text).unwrap();
    let older = read(r#"{"value": "confirm_quantity:6", "label": "Yes, create 6 items"}"#);
    assert_eq!(older.confirms, Some(6));
    assert_eq!(read(&serde_json::to_string(&older).unwrap()), older);
    let plain = read(r#"{"value": "cancel", "label": "Cancel"}"#);
    assert_eq!(serde_json::to_string(&plain).unwrap(), r#"{"value":"cancel","label":"Cancel"}"#);
}

/// An older snapshot has fewer fields, and its ended questions are pairs.
#[test]
fn a_snapshot_of_before_envelopes_is_read() {
    let conversation = folded();
    let mut snapshot = serde_json::to_value(&conversation).unwrap();
    let parts = snapshot.as_object_mut().unwrap();
    parts.remove("sources").unwrap();
    parts["task"].as_object_mut().unwrap().remove("before").unwrap();
    let ended = parts["resolved"].as_array_mut().unwrap();
    assert!(!ended.is_empty());
    for one in ended {
        *one = Value::Array(vec![one["pending"].take(), one["resolution"].take()]);
    }
    for receipt in parts["receipts"].as_array_mut().unwrap() {
        receipt.as_object_mut().unwrap().remove("by");
    }
    let read: Conversation = serde_json::from_value(snapshot).unwrap();
    assert_eq!(
        read.resolved(turnwise_core::PendingId::new(1)),
        conversation.resolved(turnwise_core::PendingId::new(1))
    );
    assert_eq!(read.pending(), conversation.pending());
    assert_eq!(read.sequence(), conversation.sequence());
}
