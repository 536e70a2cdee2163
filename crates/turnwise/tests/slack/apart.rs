//! What is kept apart: teams that happen to have channels and people of one id, channels that others cannot see, and
//! people who are not in a channel. Next: `main`.

use serde_json::{Value, json};

use super::peer::Slack;
use super::{ORDER, titles};

/// A channel of the same id in two teams.
const HERE: (&str, &str) = ("T1", "C1");
const THERE: (&str, &str) = ("T2", "C1");

#[test]
fn one_thread_id_in_two_teams_is_two_conversations() {
    let slack = Slack::new();
    slack.mention_in(HERE, "U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention_in(
        THERE,
        "U1",
        "100.1",
        None,
        "create a ticket for dark mode. People work at night. It should be dark.",
    );
    slack.wait("chat.postMessage", "Task: Dark mode");
    slack.press_in("T2", "U1", &preview, "Approve");
    slack.wait("chat.postEphemeral", "This action is no longer available.");
    assert!(titles(&slack).is_empty());
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn what_is_remembered_and_spoken_in_one_team_says_nothing_in_another() {
    let slack = Slack::new();
    slack.mention_in(HERE, "U1", "100.1", None, "any thoughts on the queue?");
    slack.wait("chat.postMessage", "any thoughts on the queue?_");
    slack.mention_in(HERE, "U1", "100.2", Some("100.1"), "Remember: Review");
    slack.wait("chat.postMessage", "I'll default to *Review / Analyze* for this thread.");
    slack.command_in("T2", "U1", "t-1", "forget");
    slack.wait("chat.postEphemeral", "You have not spoken to me");
    slack.mention_in(THERE, "U1", "100.3", Some("100.1"), "any thoughts on the cache?");
    slack.wait("chat.postMessage", "any thoughts on the cache?_");
    slack.mention_in(HERE, "U1", "100.4", Some("100.1"), "any thoughts on the index?");
    slack.wait("chat.postMessage", "Review v1 (architecture)");
}

/// What is told in a new thread at `place` about what was decided there.
fn told_in(slack: &Slack, place: (&str, &str), at: &str) -> String {
    slack.mention_in(place, "U1", at, None, "What was decided here?");
    let is_answer = |call: &Value| call["thread_ts"] == at && call["channel"] == place.1;
    slack.wait_for("chat.postMessage", is_answer).text()
}

#[test]
fn what_a_channel_decided_is_told_there_and_in_no_other_channel_or_team() {
    let slack = Slack::new();
    let secret = ("T1", "CSECRET");
    slack.mention_in(secret, "U1", "100.1", None, "post the decision: we buy Acme");
    let preview = slack.wait("chat.postMessage", "Decision: We buy Acme");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Posted the decision: ");
    let there = told_in(&slack, secret, "200.1");
    assert!(there.contains("Acme"), "{there}");
    for (place, at) in [(HERE, "300.1"), (("T2", "CSECRET"), "400.1")] {
        let told = told_in(&slack, place, at);
        assert!(!told.contains("Acme"), "{place:?}: {told}");
    }
}

#[test]
fn what_a_channel_stated_about_an_epic_is_in_no_draft_of_another_channel() {
    let slack = Slack::new();
    let secret = ("T1", "CSECRET");
    slack.mention_in(secret, "U1", "100.1", None, "We decided to buy Acme.");
    slack.mention_in(secret, "U1", "100.2", Some("100.1"), "create an epic with 1 story for the merger: plan");
    let preview = slack.wait("chat.postMessage", "Epic:");
    slack.press_in("T1", "U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created 2 tickets");
    let story = "create a story for the banner in epic TASK-1. People want it. It should be red.";
    slack.mention_in(HERE, "U2", "200.1", None, story);
    let elsewhere = slack.wait_for("chat.postMessage", |call| call["thread_ts"] == "200.1").text();
    assert!(elsewhere.contains("anner") && !elsewhere.contains("Acme"), "{elsewhere}");
    slack.mention_in(secret, "U1", "300.1", None, story);
    let here = slack.wait_for("chat.postMessage", |call| call["thread_ts"] == "300.1").text();
    assert!(here.contains("Acme"), "{here}");
}

#[test]
fn who_is_not_in_the_channel_presses_nothing_and_sees_no_form() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    let view = slack.opens("U3", &preview, "Edit…");
    slack.leaves("U3");
    let told = slack.fills_in("U3", "V1", &view, &["Bug: Other\nProblem: x"]);
    assert!(told.contains("You are not in this channel"), "{told}");
    for (user, label) in [("U3", "Approve"), ("U9", "Approve"), ("U8", "Edit…")] {
        slack.press(user, &preview, label);
        let told =
            |call: &Value| call["user"] == user && call["text"].as_str().is_some_and(|told| told.contains("not in"));
        slack.wait_for("chat.postEphemeral", told);
    }
    assert_eq!(slack.count("chat.postMessage", "Other"), 0);
    assert!(titles(&slack).is_empty());
    slack.press("U2", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn who_was_never_in_a_thread_finds_nothing_of_it_over_the_api() {
    let (slack, [inside, outside]) = Slack::with_tokens(["U1", "U9"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.wait("chat.postMessage", "Bug: Login bug");
    let (status, listed) = slack.api("/v1/conversations", &inside);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!((status, listed.as_array().unwrap().len()), (200, 1));
    assert_eq!(slack.api("/v1/conversations", &outside), (200, "[]".to_owned()));
    for path in ["", "/events", "/export", "/log", "/messages"] {
        let (status, told) = slack.api(&format!("/v1/conversations/{id}{path}"), &outside);
        assert!((400..500).contains(&status) && !told.contains("ogin bug"), "{path}: {status} {told}");
    }
    let (status, found) = slack.api("/v1/search?q=login", &outside);
    assert!(status == 200 && !found.contains("ogin bug"), "{status} {found}");
    assert_eq!(slack.api(&format!("/v1/conversations/{id}"), &inside).0, 200);
}

#[test]
fn who_left_the_channel_reads_nothing_of_it_any_more() {
    let (slack, [left, stays]) = Slack::with_tokens(["U1", "U2"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U2", "100.2", Some("100.1"), "change the title to SSO login");
    slack.wait("chat.postMessage", "Bug: SSO login");
    slack.mention_in(
        ("T1", "C2"),
        "U1",
        "200.1",
        None,
        "create a ticket for dark mode. People work at night. It should be dark.",
    );
    slack.wait("chat.postMessage", "Dark mode");
    let listed = |token: &str| -> Vec<Value> {
        let (status, listed) = slack.api("/v1/conversations", token);
        assert_eq!(status, 200);
        serde_json::from_str(&listed).unwrap()
    };
    let id = listed(&stays)[0]["id"].as_str().unwrap().to_owned();
    assert_eq!((listed(&left).len(), slack.api(&format!("/v1/conversations/{id}"), &left).0), (2, 200));
    let leaving = json!({"type": "member_left_channel", "user": "U1", "channel": "C1"});
    for _ in 0..2 {
        assert_eq!(slack.event("Ev-left", &leaving), 200);
    }
    assert_eq!(listed(&left).len(), 1, "the other channel is still theirs");
    for path in ["", "/events", "/export", "/log"] {
        assert_eq!(slack.api(&format!("/v1/conversations/{id}{path}"), &left).0, 404, "{path}");
    }
    assert_eq!(slack.api("/v1/search?q=login", &left).1.matches("SSO").count(), 0);
    assert_eq!((listed(&stays).len(), slack.api(&format!("/v1/conversations/{id}"), &stays).0), (1, 200));
}

#[test]
fn while_slack_does_not_say_who_is_in_a_channel_nothing_is_decided() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.loses("conversations.members");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postEphemeral", "Slack does not say whether you are in this channel");
    assert!(titles(&slack).is_empty());
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}
