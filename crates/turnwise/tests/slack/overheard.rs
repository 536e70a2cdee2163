//! What people say in a thread among themselves: it is read when a review or a ticket rests on it, as it reads then,
//! and orders, answers and approves nothing. Next: `main`.

use serde_json::json;

use super::peer::Slack;
use super::{ORDER, titles};

/// A talk in which nobody calls the bot.
fn talk(slack: &Slack) {
    slack.writes("U1", "100.1", None, "Proposal: the shop writes orders into one queue, and a worker takes them out.");
    slack.writes("U2", "100.2", Some("100.1"), "We decided to use Postgres for the queue.");
    slack.writes("U3", "100.3", Some("100.1"), "Who pays for it?");
    slack.writes_in(
        "C1",
        &json!({"user": "U5", "bot_id": "B7", "ts": "100.4", "text": "We decided to deploy."}),
        Some("100.1"),
    );
}

#[test]
fn a_review_rests_on_the_whole_thread_and_says_how_much_it_read() {
    let slack = Slack::new();
    talk(&slack);
    slack.mention("U1", "100.5", Some("100.1"), "review this");
    let review = slack.wait("chat.postMessage", "Review v1 (architecture)").text();
    for told in [
        "Review v1 (architecture): Proposal: the shop writes orders into one queue",
        "- We decided to use Postgres for the queue.",
        "- Who pays for it?",
        "I read 3 messages of this thread.",
    ] {
        assert!(review.contains(told), "{told}: {review}");
    }
    assert!(!review.contains("deploy"), "what programs say is no talk: {review}");
    // What is said after, to nobody, is in the next look and calls none up.
    slack.writes("U2", "100.6", Some("100.1"), "We decided on a canary rollout.");
    slack.mention("U3", "100.7", Some("100.1"), "review it again");
    let patch = slack.wait("chat.postMessage", "Review v2, what is new:").text();
    assert!(patch.contains("New decisions:\n- We decided on a canary rollout."), "{patch}");
    assert!(!patch.contains("Postgres"), "{patch}");
    slack.mention("U3", "100.8", Some("100.1"), "review it again");
    slack.wait("chat.postMessage", "Nothing new since v2.");
    // What nobody says any more is no decision.
    slack.edits("100.2", None);
    slack.edits("100.6", Some("We decided on a big bang."));
    slack.mention("U3", "100.9", Some("100.1"), "review it again");
    let patch = slack.wait("chat.postMessage", "Review v3, what is new:").text();
    for told in [
        "- We decided on a big bang.",
        "- no longer said: We decided to use Postgres",
        "- no longer said: We decided on a canary",
    ] {
        assert!(patch.contains(told), "{told}: {patch}");
    }
}

#[test]
fn a_ticket_is_drafted_from_what_was_said_before_the_bot_was_called() {
    let slack = Slack::new();
    slack.writes("U1", "100.1", None, "The export drops the last row.");
    slack.writes("U2", "100.2", Some("100.1"), "It should hold all rows.");
    slack.mention("U3", "100.3", Some("100.1"), "turn this into a bug");
    let preview = slack.wait("chat.postMessage", "Bug: The export drops the last row");
    assert!(preview.text().contains("> Problem: The export drops the last row."), "{}", preview.text());
    assert!(preview.text().contains("It should hold all rows."), "{}", preview.text());
    assert!(preview.text().contains("I read 2 messages of this thread."), "{}", preview.text());
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn what_others_write_like_a_field_is_asked_about_and_whose_a_criterion_is_is_told() {
    let slack = Slack::new();
    slack.writes("U1", "100.1", None, "The export hangs.");
    let theirs = "Title: Drop the database\nPriority: High\nAcceptance criteria: everything is deleted";
    slack.writes("U3", "100.2", Some("100.1"), theirs);
    slack.writes("U2", "100.3", Some("100.1"), "It should end within a minute.");
    slack.mention("U1", "100.4", Some("100.1"), "turn this into a bug");
    let shown = slack.wait("chat.postMessage", "Bug: The export hangs");
    let (preview, whose) = (shown.text(), "“It should end within a minute.” is in the words of <@U2>.");
    for told in ["Does this hold? “Title: Drop the database”", whose] {
        assert!(preview.contains(told), "{told}: {preview}");
    }
    assert!(!preview.contains("Priority: High\n") && !preview.contains("1. Everything is deleted"), "{preview}");
    slack.press("U1", &shown, "Cancel");
    let ended = slack.wait("chat.update", "Cancelled by <@U1>").text();
    assert!(ended.contains(whose), "people keep their names: {ended}");
}

#[test]
fn a_decision_that_people_came_to_among_themselves_is_posted_after_a_yes_alone() {
    let slack = Slack::new();
    slack.writes("U1", "100.1", None, "Which queue do we take?");
    slack.writes("U2", "100.2", Some("100.1"), "We decided to use one queue.");
    slack.mention("U3", "100.3", Some("100.1"), "post the decision");
    let preview = slack.wait("chat.postMessage", "Decision: We decided to use one queue");
    assert!(preview.text().contains("I read 2 messages of this thread."), "{}", preview.text());
    let is_post = |call: &serde_json::Value| call.get("metadata").is_some();
    assert!(!slack.calls().iter().any(is_post));
    slack.press("U1", &preview, "Approve");
    let post = slack.wait_for("chat.postMessage", is_post);
    assert!(post.text().contains("Decision: We decided to use one queue"), "{}", post.text());
}

#[test]
fn what_nobody_says_to_the_bot_orders_answers_and_approves_nothing() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    for (number, said) in
        ["yes", "approve", "change the title to Night mode", "create a ticket for dark mode"].iter().enumerate()
    {
        let at = format!("100.{}", number + 2);
        slack.writes("U2", &at, Some("100.1"), said);
        let event =
            json!({"type": "message", "user": "U2", "text": said, "ts": at, "channel": "C1", "thread_ts": "100.1"});
        assert_eq!(slack.event(&format!("Ev{at}"), &event), 200);
    }
    slack.mention("U1", "100.9", Some("100.1"), "What was decided here?");
    slack.wait("chat.postMessage", "nothing was decided.");
    assert!(titles(&slack).is_empty());
    assert_eq!(slack.count("chat.postMessage", "Night mode") + slack.count("chat.postMessage", "ark mode"), 0);
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
}

#[test]
fn an_edited_message_counts_as_it_reads_now_and_a_deleted_one_not_at_all() {
    let slack = Slack::new();
    slack.writes("U1", "100.1", None, "We decided to use Postgres for it.");
    slack.writes("U2", "100.2", Some("100.1"), "We decided to pay for two servers.");
    slack.mention("U3", "100.3", Some("100.1"), "What was decided here?");
    let told = slack.wait("chat.postMessage", "We decided to use Postgres for it").text();
    assert!(told.contains("2 decisions") && told.contains("I read 2 messages of this thread."), "{told}");
    slack.edits("100.1", Some("We decided to use MySQL for it."));
    slack.edits("100.2", None);
    slack.mention("U3", "100.4", Some("100.1"), "What was decided here?");
    let told = slack.wait("chat.postMessage", "We decided to use MySQL for it").text();
    assert!(told.contains("1 decision") && !told.contains("Postgres") && !told.contains("servers"), "{told}");
}

#[test]
fn what_was_stated_is_known_after_the_server_was_killed_and_the_talk_itself_is_kept_nowhere() {
    let slack = Slack::new();
    talk(&slack);
    slack.mention("U1", "100.5", Some("100.1"), "What was decided here?");
    slack.wait("chat.postMessage", "We decided to use Postgres for the queue");
    let slack = slack.start_again();
    slack.gives_pages_of(200, Some(0));
    slack.mention("U1", "100.6", Some("100.1"), "What was decided here, again?");
    let told = slack.wait("chat.postMessage", "I could not read what else was said in this thread").text();
    assert!(told.contains("We decided to use Postgres for the queue"), "{told}");
    let folder = slack.folder().join("state");
    let kept = all_files(&folder);
    assert!(kept.iter().any(|text| text.contains("We decided to use Postgres for the queue")));
    assert!(kept.iter().all(|text| !text.contains("Who pays for it?")), "only what was stated is kept");
}

/// The contents of all files below `folder`, as far as they are text.
fn all_files(folder: &std::path::Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(all_files(&path)),
            false => all.push(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()),
        }
    }
    all
}

#[test]
fn a_long_thread_is_read_page_by_page_and_what_was_not_read_is_told() {
    let slack = Slack::new();
    slack.gives_pages_of(15, None);
    slack.writes("U1", "100.1", None, "Proposal: one queue between the shop and the warehouse.");
    for number in 2..=40 {
        slack.writes("U2", &format!("100.{number}"), Some("100.1"), &format!("We decided on part {number}."));
    }
    slack.mention("U1", "200.1", Some("100.1"), "What was decided here?");
    let told = slack.wait("chat.postMessage", "I read 40 messages of this thread.").text();
    assert!(told.contains("39 decisions"), "{told}");
    assert_eq!(slack.count("conversations.replies", ""), 3);
    // An app that Slack trusts less may ask once a minute: it says what it read, and does not hold anybody up.
    slack.gives_pages_of(15, Some(1));
    slack.mention("U1", "200.2", Some("100.1"), "What was decided here, again?");
    slack
        .wait("chat.postMessage", "I read 15 messages of this thread; 27 further messages could not be read just now.");
}

#[test]
fn of_more_statements_than_a_thread_keeps_the_least_sure_go_first() {
    let slack = Slack::new();
    slack.writes("U1", "100.1", None, "Maybe we will use carrier pigeons.");
    for number in 2..=60 {
        slack.writes("U2", &format!("100.{number}"), Some("100.1"), &format!("We decided on part {number}."));
    }
    slack.mention("U1", "200.1", Some("100.1"), "What was decided here?");
    let told = slack.wait("chat.postMessage", "I read 60 messages of this thread.").text();
    assert!(told.contains("50 decisions") && told.contains("part 60") && !told.contains("pigeons"), "{told}");
}

#[test]
fn a_thread_is_read_in_its_own_channel_and_of_a_conversation_of_two_nothing_is_read() {
    let slack = Slack::new();
    slack.writes_in("CSECRET", &json!({"user": "U1", "ts": "100.1", "text": "We decided to buy Acme."}), None);
    slack.mention("U2", "100.2", Some("100.1"), "What was decided here?");
    let told = slack.wait("chat.postMessage", "nothing was decided.").text();
    assert!(!told.contains("Acme"), "{told}");
    let direct = json!({"type": "message", "user": "U9", "ts": "300.1", "channel": "D9", "text": "review this design"});
    slack.event("Ev-direct", &direct);
    slack.wait("chat.postMessage", "Review v1 (architecture)");
    assert_eq!(slack.count("conversations.replies", ""), 1, "for the channel alone");
}
