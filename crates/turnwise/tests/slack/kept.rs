//! What was said is kept before it is acknowledged, and read after: a server that is killed in between loses nothing,
//! the next one goes on posting where it ended, and a press counts after what was said before it. Next: `main`.

use super::peer::Slack;
use super::{ORDER, has_buttons, titles};

/// Threads that are begun before the server is killed: more than are read by then.
const THREADS: u32 = 40;

#[test]
fn what_was_acknowledged_is_answered_though_the_server_was_killed() {
    let slack = Slack::new();
    for number in 0..THREADS {
        let order = format!("create a ticket for login bug {number}. Users get a 500. It should log in.");
        slack.mention("U1", &format!("{number}.1"), None, &order);
    }
    let slack = slack.start_again();
    for number in 0..THREADS {
        let preview = slack.wait("chat.postMessage", &format!("*Bug: Login bug {number}*"));
        assert_eq!(preview.call["thread_ts"], format!("{number}.1"));
    }
    let last = slack.wait("chat.postMessage", "*Bug: Login bug 39*");
    slack.press("U1", &last, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(titles(&slack), ["TASK-1.json"]);
}

#[test]
fn what_a_killed_server_had_still_to_post_is_posted_by_the_next() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.holds("chat.update");
    slack.press("U2", &preview, "Approve");
    while titles(&slack).is_empty() {
        std::thread::yield_now();
    }
    let slack = slack.start_again();
    slack.lets_go();
    let ended = slack.wait("chat.update", "Approved by <@U2>");
    assert_eq!(ended.call["ts"], preview.at);
    assert!(!ended.call.to_string().contains("\"actions\""), "the buttons are gone");
    let created = slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(created.call["thread_ts"], "100.1");
    assert_eq!(slack.count("chat.postMessage", "Bug: Login bug"), 1, "what was posted is not posted again");
}

#[test]
fn a_preview_that_a_killed_server_was_changing_stays_the_message_it_was() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.holds("chat.update");
    slack.mention("U1", "100.2", Some("100.1"), "change the title to SSO login");
    slack.wait("chat.update", "Changed by <@U1>");
    let slack = slack.start_again();
    slack.lets_go();
    let second = slack.wait_for("chat.update", |call| has_buttons(call) && call["text"] == "Bug: SSO login");
    assert_eq!(second.at, preview.at);
    slack.press("U2", &second, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    let posted = slack.calls().into_iter().filter(|call| call.get("ts").is_none() && has_buttons(call)).count();
    assert_eq!(posted, 1, "no other message has buttons");
}

#[test]
fn a_press_that_was_decided_on_is_a_duplicate_for_the_next_server_too() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    let slack = slack.start_again();
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postEphemeral", "This action was already processed.");
    assert_eq!(titles(&slack), ["TASK-1.json"]);
}

#[test]
fn a_server_that_began_beside_another_takes_up_what_that_leaves() {
    let slack = Slack::new();
    let slack = slack.handed_over(|first| {
        for number in 0..THREADS {
            let order = format!("create a ticket for login bug {number}. Users get a 500. It should log in.");
            first.mention("U1", &format!("{number}.1"), None, &order);
        }
    });
    slack.hears("Another process serves Slack here");
    for number in 0..THREADS {
        slack.wait("chat.postMessage", &format!("*Bug: Login bug {number}*"));
    }
}

#[test]
fn a_press_counts_after_what_was_said_before_it() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let first = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U1", "100.2", Some("100.1"), "change the title to SSO login");
    slack.press("U1", &first, "Approve");
    slack.wait("chat.postEphemeral", "This ");
    slack.wait("chat.postMessage", "Bug: SSO login");
    assert!(titles(&slack).is_empty());
}
