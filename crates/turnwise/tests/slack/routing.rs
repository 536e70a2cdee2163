//! How messages are routed in a thread: the gate, what is remembered and how it ends, what wins over what.
//! Next: `main`.

use serde_json::{Value, json};

use super::peer::Slack;
use super::{ORDER, titles};

const GATE: &str = "I'm not sure what you'd like me to do with:";

/// What was posted to the thread `root` and holds `words`, once it is.
fn told_in(slack: &Slack, root: &str, words: &str) -> super::peer::Posted {
    let is_it = |call: &Value| call["thread_ts"] == root && call.to_string().contains(words);
    slack.wait_for("chat.postMessage", is_it)
}

#[test]
fn what_is_remembered_by_the_gate_answers_until_its_button_forgets_it() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "any thoughts on the queue?");
    let gate = slack.wait("chat.postMessage", GATE);
    slack.press("U1", &gate, "Remember for this thread");
    let which = slack.wait("chat.postMessage", "What should I take such messages for in this thread?");
    slack.press("U1", &which, "Create Ticket");
    let kept = slack.wait("chat.postMessage", "I'll default to *Create Ticket* for this thread.");
    slack.mention("U2", "100.2", Some("100.1"), "any thoughts on the cache?");
    slack.wait("chat.postMessage", "Before I show you the ticket, I need:");
    slack.mention("U2", "100.3", Some("100.1"), "cancel");
    slack.press("U2", &kept, "Forget this default");
    slack.wait("chat.postMessage", "Forgotten: this thread does not default to *Create Ticket* any more.");
    slack.press("U2", &kept, "Forget this default");
    slack.wait("chat.postEphemeral", "This action was already processed.");
    slack.mention("U2", "100.4", Some("100.1"), "any thoughts on the index?");
    slack.wait("chat.postMessage", "any thoughts on the index?_");
}

#[test]
fn a_default_ends_where_a_review_is_left_for_a_ticket() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "Remember: Review");
    slack.wait("chat.postMessage", "I'll default to *Review / Analyze* for this thread.");
    slack.mention("U1", "100.2", Some("100.1"), "any thoughts on the queue?");
    slack.wait("chat.postMessage", "Review v1 (architecture)");
    slack.mention("U1", "100.3", Some("100.1"), ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    assert!(preview.text().contains("This thread defaults to *Review / Analyze* no longer."), "{}", preview.text());
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    slack.mention("U1", "100.4", Some("100.1"), "any thoughts on the cache?");
    slack.wait("chat.postMessage", GATE);
}

#[test]
fn a_default_of_one_thread_holds_in_no_other() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "Remember: Review");
    slack.wait("chat.postMessage", "I'll default to *Review / Analyze* for this thread.");
    slack.mention("U1", "200.1", None, "any thoughts on the queue?");
    told_in(&slack, "200.1", GATE);
}

#[test]
fn a_button_wins_over_what_is_open_and_is_never_read_as_words() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U1", "100.2", Some("100.1"), "Remember: Ticket");
    slack.wait("chat.postMessage", "I'll default to *Create Ticket* for this thread.");
    slack.press("U1", &preview, "Reject");
    slack.wait("chat.update", "Rejected by <@U1>");
    assert!(titles(&slack).is_empty());
    assert_eq!(slack.count("chat.postMessage", "Before I show you"), 0, "no ticket of the press");
}

#[test]
fn an_action_that_is_no_way_on_of_what_is_asked_does_nothing_and_says_so() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let mut preview = slack.wait("chat.postMessage", "Bug: Login bug");
    let rows = preview.call["blocks"].as_array_mut().unwrap();
    let row = rows.iter_mut().find(|block| block["type"] == "actions").unwrap();
    let value = row["elements"][0]["value"].clone();
    for (number, action) in ["choose:1:x", "resume:x", "retry:x", "made up", ""].into_iter().enumerate() {
        let label = format!("{number}");
        let made = json!({"type": "button", "action_id": action, "value": value, "text": {"text": label}});
        row["elements"].as_array_mut().unwrap().push(made);
    }
    for number in 0..5 {
        slack.press("U1", &preview, &number.to_string());
    }
    slack.waits_for("chat.postEphemeral", "This action is no longer available. The workflow has moved on.", 5);
    assert!(titles(&slack).is_empty());
    assert_eq!(slack.count("chat.postMessage", ""), 1, "nothing but the preview");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn an_edited_or_deleted_direct_message_orders_nothing_again_and_one_with_a_file_does() {
    let slack = Slack::new();
    let edited = json!({"type": "message", "subtype": "message_changed", "channel": "D1", "ts": "100.2",
        "message": {"type": "message", "user": "U1", "text": ORDER, "ts": "100.1"}});
    let deleted = json!({"type": "message", "subtype": "message_deleted", "channel": "D1", "ts": "100.3",
        "deleted_ts": "100.1", "previous_message": {"user": "U1", "text": ORDER}});
    assert_eq!([slack.event("Ev1", &edited), slack.event("Ev2", &deleted)], [200, 200]);
    let with_file = json!({"type": "message", "subtype": "file_share", "channel": "D1", "ts": "100.4", "user": "U1",
        "text": "create a ticket for dark mode. People work at night. It should be dark."});
    slack.event("Ev3", &with_file);
    slack.wait("chat.postMessage", "Task: Dark mode");
    assert_eq!(slack.count("chat.postMessage", "Login bug"), 0);
}

#[test]
fn with_an_open_review_a_new_order_is_one_and_thanks_end_the_review() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "Review this architecture. We will use Postgres behind an API.");
    slack.wait("chat.postMessage", "Review v1 (architecture)");
    slack.mention("U2", "100.2", Some("100.1"), "Thanks, looks good");
    slack.wait("chat.postMessage", "Review v1 is complete.");
    slack.mention("U2", "100.3", Some("100.1"), "Now create a ticket for something unrelated");
    slack.wait("chat.postMessage", "Before I show you the ticket, I need:");
    assert_eq!(slack.count("chat.postMessage", "Review v2"), 0);
}

#[test]
fn a_change_that_is_not_understood_leaves_the_preview_with_its_buttons() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.mention("U2", "100.2", Some("100.1"), "add 7 to item 12");
    let again = slack.wait_for("chat.update", |call| call.to_string().contains("\"actions\""));
    assert_eq!(again.at, preview.at, "the message stays the same");
    slack.press("U1", &again, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn an_order_of_somebody_else_is_one_while_another_is_asked() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "create a ticket for the export");
    slack.wait("chat.postMessage", "Before I show you the ticket");
    slack.mention("U2", "100.2", Some("100.1"), "create a ticket for logout. Logout hangs. It should end the session.");
    slack.wait("chat.postMessage", "Task: Logout");
    assert_eq!(slack.count("chat.postMessage", "That is asked of"), 0);
}

#[test]
fn a_command_decides_what_is_done_whatever_its_words_sound_like() {
    let slack = Slack::new();
    slack.command("U1", "t-1", "discuss we should create a ticket for the login");
    slack.wait("chat.postMessage", "I create or review nothing unless you ask for it.");
    slack.command("U1", "t-2", "review create a ticket for login, then deploy it");
    slack.wait("chat.postMessage", "Review v1");
    assert_eq!(slack.count("chat.postMessage", "Before I show you"), 0);
}

#[test]
fn a_review_has_buttons_for_the_whole_of_it_and_for_its_decision() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "Review this architecture. We decided on Postgres behind an API.");
    let review = slack.wait("chat.postMessage", "Review v1 (architecture)");
    slack.mention("U2", "100.2", Some("100.1"), "We decided on a canary rollout.");
    let patch = slack.wait("chat.postMessage", "Review v2, what is new:");
    slack.press("U3", &patch, "Show full review");
    slack.wait("chat.postMessage", "Review v2 (architecture)");
    slack.press("U2", &review, "Approve decision 1");
    slack.wait("chat.postMessage", "We decided on Postgres behind an API");
    slack.press("U2", &review, "Approve decision 1");
    slack.wait("chat.postEphemeral", "This action was already processed.");
}
