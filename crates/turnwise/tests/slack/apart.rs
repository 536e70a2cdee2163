//! What is kept apart: teams that happen to have channels and people of one id, channels that others cannot see, and
//! people who are not in a channel. Next: `main`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::peer::Slack;
use super::{ORDER, titles};

/// A channel of the same id in two teams.
const HERE: (&str, &str) = ("T1", "C1");
const THERE: (&str, &str) = ("T2", "C1");

#[test]
fn one_thread_id_in_two_teams_is_two_conversations() {
    let slack = Slack::of_two_teams();
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
    let slack = Slack::of_two_teams();
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
    let slack = Slack::of_two_teams();
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

#[test]
fn whoever_is_not_seen_among_the_first_of_a_crowded_channel_is_told_so() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.is_crowded();
    let crowded = |user: &'static str| {
        move |call: &Value| {
            call["user"] == user && call["text"].as_str().is_some_and(|told| told.contains("more people than"))
        }
    };
    slack.mention("U9", "100.2", Some("100.1"), "change the title to Night mode");
    slack.wait_for("chat.postEphemeral", crowded("U9"));
    slack.hears("A channel of Slack has more people than");
    slack.press("U8", &preview, "Approve");
    slack.wait_for("chat.postEphemeral", crowded("U8"));
    assert!(titles(&slack).is_empty());
    // Who is among them goes on as ever.
    slack.mention("U2", "100.3", Some("100.1"), "change the title to Login fails");
    slack.wait("chat.postMessage", "Bug: Login fails");
    assert_eq!(slack.count("chat.postMessage", "Night mode"), 0);
}

#[test]
fn in_a_conversation_of_two_nobody_is_looked_up() {
    let slack = Slack::new();
    let said = json!({"type": "message", "user": "U9", "ts": "100.1", "channel": "D9", "text": ORDER});
    assert_eq!(slack.event("Ev-direct", &said), 200);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    slack.press("U9", &preview, "Approve");
    slack.wait("chat.postMessage", "Created TASK-1");
    assert_eq!(slack.count("conversations.members", ""), 0);
}

fn leaving(user: &str) -> Value {
    json!({"type": "member_left_channel", "user": user, "channel": "C1"})
}

#[test]
fn what_somebody_said_before_they_left_and_comes_late_does_not_let_them_in_again() {
    let (slack, [left]) = Slack::with_tokens(["U1"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.wait("chat.postMessage", "Bug: Login bug");
    slack.leaves("U1");
    assert_eq!(slack.event("Ev-left", &leaving("U1")), 200);
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]");
    slack.mention("U1", "100.2", Some("100.1"), "change the title to Night mode");
    // In a thread everything is taken in in order, so what was late is behind us by then.
    slack.mention("U2", "100.3", Some("100.1"), "change the title to Login fails");
    slack.wait("chat.postMessage", "Bug: Login fails");
    assert_eq!(slack.count("chat.postMessage", "Night mode"), 0);
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]", "they are not let in again");
    slack.comes_back("U1");
    slack.mention("U1", "100.4", Some("100.1"), "change the title to SSO fails");
    slack.wait("chat.postMessage", "Bug: SSO fails");
    assert!(slack.api("/v1/conversations", &left).1.contains("ogin bug"), "who came back takes part again");
}

#[test]
fn the_first_thing_said_after_leaving_is_not_taken_in_though_nothing_told_of_the_leaving() {
    let (slack, [left]) = Slack::with_tokens(["U1"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.wait("chat.postMessage", "Bug: Login bug");
    slack.leaves("U1");
    slack.leaves("U3");
    // One who took part, and one who never did: neither is in the channel, and no event says so.
    slack.mention("U1", "100.2", Some("100.1"), "change the title to Night mode");
    slack.mention("U3", "100.3", Some("100.1"), "change the title to Day mode");
    slack.mention("U3", "150.1", None, "create a ticket for Dark mode. People work at night. It should be dark.");
    slack.mention("U2", "100.4", Some("100.1"), "change the title to Login fails");
    slack.wait("chat.postMessage", "Bug: Login fails");
    slack.mention("U2", "150.2", Some("150.1"), "create a ticket for the banner. It is red. It should be green.");
    slack.wait("chat.postMessage", "anner");
    for said in ["Night mode", "Day mode", "Dark mode"] {
        assert_eq!(slack.count("chat.postMessage", said), 0, "{said}");
    }
    let told = slack.api("/v1/conversations", &left).1;
    assert!(!told.contains("anner"), "{told}");
}

#[test]
fn who_left_the_workspace_is_in_none_of_its_channels_and_comes_back_by_being_in_one() {
    let (slack, [left, stays]) = Slack::with_tokens(["U1", "U2"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.mention_in(
        ("T1", "C2"),
        "U1",
        "200.1",
        None,
        "create a ticket for dark mode. It is too bright. It should be dark.",
    );
    slack.wait("chat.postMessage", "Bug: Login bug");
    slack.wait("chat.postMessage", "ark mode");
    slack.mention("U2", "100.2", Some("100.1"), "change the title to SSO login");
    slack.wait("chat.postMessage", "Bug: SSO login");
    let changed =
        |deleted: bool| json!({"type": "user_change", "user": {"id": "U1", "deleted": deleted, "name": "ada"}});
    // Another picture or name is no leaving.
    assert_eq!(slack.event("Ev-name", &changed(false)), 200);
    assert_eq!(slack.api("/v1/conversations", &left).1.matches("\"id\"").count(), 2);
    slack.leaves("U1");
    assert_eq!(slack.event("Ev-gone", &changed(true)), 200);
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]");
    slack.mention("U1", "100.3", Some("100.1"), "change the title to Night mode");
    slack.mention("U2", "100.4", Some("100.1"), "change the title to Login fails");
    slack.wait("chat.postMessage", "Bug: Login fails");
    assert_eq!(slack.count("chat.postMessage", "Night mode"), 0);
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]");
    assert!(slack.api("/v1/conversations", &stays).1.contains("\"id\""));
    slack.comes_back("U1");
    slack.mention("U1", "100.5", Some("100.1"), "change the title to SSO fails");
    slack.wait("chat.postMessage", "Bug: SSO fails");
    assert_ne!(slack.api("/v1/conversations", &left).1, "[]");
}

#[test]
fn while_slack_does_not_say_whether_somebody_came_back_what_they_say_is_not_taken_in() {
    let (slack, [left]) = Slack::with_tokens(["U1"]);
    slack.mention("U1", "100.1", None, ORDER);
    slack.wait("chat.postMessage", "Bug: Login bug");
    assert_eq!(slack.event("Ev-left", &leaving("U1")), 200);
    slack.loses("conversations.members");
    slack.mention("U1", "100.2", Some("100.1"), "change the title to SSO login");
    slack.wait("chat.postEphemeral", "Slack does not say whether you are in this channel");
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]");
}

#[test]
fn leaving_a_channel_in_which_people_go_on_talking_waits_only_for_what_was_said_before() {
    let (slack, [left]) = Slack::with_tokens(["U1"]);
    // Reading takes longer than sending from so many at once: there is no moment in which nothing waits.
    let long = "Any thoughts on the queue between the shop and the warehouse? ".repeat(40);
    let mention = |number: u32| slack.mention("U2", &format!("{number}.1"), None, &long);
    slack.mention("U1", "100.1", None, ORDER);
    (200..220).for_each(mention);
    let (begun, talks_on) = (Instant::now(), AtomicBool::new(true));
    let goes_on = || talks_on.load(Ordering::Relaxed) && begun.elapsed() < TALKED_FOR;
    std::thread::scope(|scope| {
        for talker in 1..=TALKERS {
            scope.spawn(move || (talker * 10_000..).take_while(|_| goes_on()).for_each(mention));
        }
        assert_eq!(slack.event("Ev-left", &leaving("U1")), 200);
        talks_on.store(false, Ordering::Relaxed);
    });
    assert!(begun.elapsed() < TALKED_FOR, "it waited until nobody said anything any more");
    assert_eq!(slack.api("/v1/conversations", &left).1, "[]");
}

/// Far longer than it takes to read what was said before.
const TALKED_FOR: Duration = Duration::from_secs(40);
const TALKERS: u32 = 8;

#[test]
fn another_team_than_that_of_the_token_is_refused_and_told_so() {
    let slack = Slack::new();
    slack.mention_in(HERE, "U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    let event = json!({"type": "app_mention", "user": "U1", "text": "<@U0BOT> hello", "ts": "1.1", "channel": "C1"});
    assert_eq!(slack.event_of("T2", "Ev1", &event), 403);
    slack.hears("it is of the team T2, and this server serves T1");
    assert!(slack.command_in("T2", "U1", "t-1", "ticket dark mode").contains("speaks with another Slack workspace"));
    assert_eq!(slack.press_of("T2", "U1", &preview, "Approve"), 403);
    assert!(titles(&slack).is_empty());
    assert_eq!(slack.count("chat.postMessage", ""), 1, "nothing was posted but the preview");
}

#[test]
fn until_slack_says_which_team_is_served_everything_has_to_come_again() {
    let slack = Slack::new();
    slack.holds("auth.test");
    let slack = slack.start_again();
    let event = json!({"type": "app_mention", "user": "U1", "text": format!("<@U0BOT> {ORDER}"), "ts": "1.1",
        "channel": "C1"});
    assert_eq!(slack.event("Ev1", &event), 503);
    slack.lets_go();
    while slack.event("Ev1", &event) == 503 {
        std::thread::yield_now();
    }
    slack.wait("chat.postMessage", "Bug: Login bug");
}
