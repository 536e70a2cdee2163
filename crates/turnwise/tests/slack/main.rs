//! The Slack surface through the real server, with a stand-in for Slack's own methods: what is believed, what is
//! posted, what a press does, and what it does the second time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod apart;
mod forms;
mod kept;
mod overheard;
#[allow(dead_code, reason = "shared with the tests of trackers")]
mod peer;
mod posts;
mod routing;
mod sdk;
mod socket;

use std::time::{SystemTime, UNIX_EPOCH};

use peer::{SIGNING, Slack, TOKEN};
use serde_json::json;

const ORDER: &str = "create a ticket for login bug. Users get a 500 after SSO. It should log in with SSO.";

fn has_buttons(call: &serde_json::Value) -> bool {
    call["blocks"].as_array().is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "actions"))
}

fn titles(slack: &Slack) -> Vec<String> {
    let folder = slack.folder().join("tickets");
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("TASK-"));
    names.sort();
    names
}

#[test]
fn only_what_is_signed_and_fresh_is_believed() {
    let slack = Slack::new();
    let body = json!({"type": "url_verification", "challenge": "c-1"}).to_string();
    let (status, said) = slack.send("/slack/events", "application/json", &body);
    assert_eq!((status, said.contains("\"challenge\":\"c-1\"")), (200, true), "{said}");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    for (at, secret) in [(now, "another secret"), (now - 301, SIGNING), (now + 330, SIGNING)] {
        for path in ["/slack/events", "/slack/interactivity", "/slack/commands"] {
            assert_eq!(slack.send_signed(path, "application/json", &body, at, secret).0, 401, "{path} {at} {secret}");
        }
    }
    let said = slack.end();
    assert!(said.contains("was refused") && !said.contains(SIGNING) && !said.contains(TOKEN), "{said}");
}

#[test]
fn a_mention_becomes_a_preview_in_its_thread_and_a_press_creates_the_ticket_once() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    assert_eq!((&preview.call["channel"], &preview.call["thread_ts"]), (&json!("C1"), &json!("100.1")));
    assert!(preview.text().contains("> Problem: Users get a 500 after SSO."), "{}", preview.text());
    let value = preview.button("Approve")["value"].as_str().unwrap().to_owned();
    assert!(value.starts_with("tw1.") && value.len() < 2_000, "{value}");
    assert!(titles(&slack).is_empty());
    slack.press("U2", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    let ended = slack.wait("chat.update", "Approved by <@U2>");
    assert_eq!(ended.call["ts"], preview.at);
    assert!(!ended.call.to_string().contains("\"actions\""), "the buttons are gone");
    slack.press("U2", &preview, "Approve");
    let told = slack.wait("chat.postEphemeral", "This action was already processed.");
    assert_eq!(told.call["user"], "U2");
    slack.press("U3", &preview, "Approve");
    assert_eq!(titles(&slack), ["TASK-1.json"]);
}

#[test]
fn one_message_is_taken_once_however_often_and_under_whatever_id_it_comes() {
    let slack = Slack::new();
    let said = json!({"type": "app_mention", "user": "U1", "text": format!("<@U0BOT> {ORDER}"), "ts": "100.1",
        "channel": "C1"});
    for id in ["Ev1", "Ev1", "Ev2"] {
        assert_eq!(slack.event(id, &said), 200);
    }
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(slack.count("chat.postMessage", "Bug: Login bug"), 1);
}

#[test]
fn a_press_on_an_older_preview_is_told_that_it_is_outdated_and_does_nothing() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let first = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U1", "100.2", Some("100.1"), "change the title to SSO login");
    let second = slack.wait_for("chat.update", |call| has_buttons(call) && call["text"] == "Bug: SSO login");
    assert_eq!(second.at, first.at, "the message stays the same");
    slack.wait("chat.postMessage", "The preview above is now version 2: Bug: SSO login.");
    assert_ne!(second.button("Approve")["value"], first.button("Approve")["value"]);
    slack.press("U1", &first, "Approve");
    let told = slack.wait("chat.postEphemeral", "This preview is outdated. Please use the current version.");
    assert!(told.text().contains("*Bug: SSO login* (version 2)"), "the current one is shown: {}", told.text());
    assert!(told.call.to_string().contains(&format!("/p{}|Decide on it here", first.at)), "{:#}", told.call);
    assert!(titles(&slack).is_empty());
    slack.press("U1", &second, "Cancel");
    slack.wait("chat.update", "Cancelled by <@U1>");
    slack.press("U1", &second, "Approve");
    slack.wait("chat.postEphemeral", "This action is no longer available. The workflow has moved on.");
    assert!(titles(&slack).is_empty());
}

#[test]
fn a_button_of_one_thread_decides_nothing_in_another() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let mut preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U1", "200.1", None, "create a ticket for dark mode. People work at night. It should be dark.");
    slack.wait("chat.postMessage", "Task: Dark mode");
    preview.call["thread_ts"] = json!("200.1");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postEphemeral", "This action is no longer available.");
    assert!(titles(&slack).is_empty());
}

#[test]
fn the_gate_is_pressed_and_not_now_ends_it() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "What do you think about microservices?");
    let gate = slack.wait("chat.postMessage", "I'm not sure what you'd like me to do with:");
    gate.button("Review / Analyze");
    gate.button("Create Ticket");
    gate.button("Remember for this thread");
    slack.press("U1", &gate, "Not now");
    slack.wait("chat.postMessage", "Got it. Just @ me when you're ready.");
}

#[test]
fn slash_commands_begin_threads_and_forget_means_the_latest_one() {
    let slack = Slack::new();
    assert!(slack.command("U1", "t-1", "help").contains("*/turnwise ticket*"));
    assert_eq!(slack.command("U1", "t-2", "review this design of the queue"), "");
    let root = slack.wait("chat.postMessage", "/turnwise review this design of the queue");
    let review = slack.wait("chat.postMessage", "Review v1 (architecture)");
    assert_eq!(review.call["thread_ts"], root.at);
    slack.command("U1", "t-3", "forget");
    assert_eq!(slack.wait("chat.postMessage", "This thread has no default.").call["thread_ts"], root.at);
    slack.command("U9", "t-4", "forget");
    assert_eq!(slack.wait("chat.postEphemeral", "You have not spoken to me").call["user"], "U9");
}

#[test]
fn a_command_that_is_delivered_twice_begins_one_thread_and_one_that_cannot_is_answered() {
    let slack = Slack::new();
    assert_eq!(slack.command("U1", "t-1", "review this design of the queue"), "");
    slack.wait("chat.postMessage", "Review v1 (architecture)");
    assert_eq!(slack.command("U1", "t-1", "review this design of the queue"), "");
    slack.closes_channel("C1");
    let told = slack.command("U1", "t-2", "review this design of the cache");
    assert!(told.contains("I cannot write in this channel") && told.contains("/invite @turnwise"), "{told}");
    assert_eq!(slack.count("chat.postMessage", "design of the queue"), 2, "the command and its review, once");
}

#[test]
fn a_direct_message_is_answered_and_our_own_messages_are_not() {
    let slack = Slack::new();
    let direct = |text: &str, at: &str| {
        let mut event = json!({"type": "message", "channel_type": "im", "user": "U1", "ts": at, "channel": "D1"});
        event["text"] = json!(text);
        event
    };
    let mut own = direct("any thoughts on the queue?", "99.1");
    own["bot_id"] = json!("B1");
    slack.event("Ev0", &own);
    slack.event("Ev1", &direct("any thoughts on the cache?", "100.1"));
    let gate = slack.wait("chat.postMessage", "> _any thoughts on the cache?_".replace('>', "&gt;").as_str());
    assert_eq!((&gate.call["channel"], gate.call.get("thread_ts")), (&json!("D1"), None));
    assert_eq!(slack.count("chat.postMessage", "queue"), 0);
}

#[test]
fn patience_is_had_where_slack_asks_for_it_and_nothing_is_longer_than_it_takes() {
    let slack = Slack::new();
    slack.is_busy_for(2);
    let long = "The export is wrong in a way that takes long to say. ".repeat(150);
    slack.mention("U1", "100.1", None, &format!("create a ticket for the export. {long} It should hold all rows."));
    slack.wait("chat.postMessage", "Task: The export");
    for call in slack.calls() {
        let blocks = call["blocks"].as_array().cloned().unwrap_or_default();
        assert!(blocks.len() <= 50, "{}", blocks.len());
        for text in blocks.iter().filter_map(|block| block["text"]["text"].as_str()) {
            assert!(text.chars().count() <= 3_000);
        }
    }
}

#[test]
fn a_preview_is_decided_on_after_the_server_was_killed() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    let slack = slack.start_again();
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(titles(&slack), ["TASK-1.json"]);
}
