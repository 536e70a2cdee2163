//! Forms in Slack: what they ask, what is taken from them once, and what is told in them. Next: `main`.

use serde_json::json;

use super::peer::Slack;
use super::{ORDER, has_buttons, titles};

#[test]
fn each_question_has_a_field_and_the_form_answers_all_of_them() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "create a ticket for login bug");
    let asked = slack.wait("chat.postMessage", "Before I show you the ticket, I need:");
    let view = slack.opens("U1", &asked, "Answer…");
    let labels: Vec<&str> =
        view["blocks"].as_array().unwrap().iter().map(|block| block["label"]["text"].as_str().unwrap()).collect();
    assert_eq!(labels.len(), 2);
    assert!(
        labels[0].starts_with("What happens or is wanted") && labels[1].starts_with("How will we see"),
        "{labels:?}"
    );
    assert!(view["private_metadata"].as_str().unwrap().len() < 3_000);
    let empty = slack.fills_in("U1", "V1", &view, &["Users get a 500 after SSO.", " "]);
    assert!(empty.contains("\"errors\"") && empty.contains("field-2"), "{empty}");
    assert_eq!(slack.fills_in("U1", "V1", &view, &["Users get a 500 after SSO.", "It should log in."]), "");
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    assert!(preview.text().contains("> Problem: Users get a 500 after SSO."), "{}", preview.text());
    // The same form a second time does nothing and says so.
    let again = slack.fills_in("U1", "V1", &view, &["Users get a 500 after SSO.", "It should log in."]);
    assert!(again.contains("already processed"), "{again}");
    assert_eq!(slack.count("chat.postMessage", "Bug: Login bug"), 1);
}

#[test]
fn a_story_is_edited_in_a_form_that_holds_its_text_and_an_older_form_is_outdated() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "create an epic with 2 stories for auth: sign up; log in");
    let preview = slack.wait("chat.postMessage", "Auth and 2 more");
    let view = slack.opens("U2", &preview, "Edit “Log in”…");
    let filled = view["blocks"][0]["element"]["initial_value"].as_str().unwrap();
    assert_eq!(filled, "Story: Log in\nProblem: Part of “Auth”.");
    let changed = format!("{}\nAcceptance criteria:\n  1. One click", filled.replace("Log in", "Log in with SSO"));
    assert_eq!(slack.fills_in("U2", "V1", &view, &[&changed]), "");
    let is_second = |call: &serde_json::Value| has_buttons(call) && call.to_string().contains("“Log in with SSO”");
    let second = slack.wait_for("chat.update", is_second);
    assert_eq!(second.at, preview.at);
    assert!(second.text().contains("1. One click"), "{}", second.text());
    let late = slack.fills_in("U3", "V2", &view, &["Story: Something else\nProblem: x"]);
    assert!(late.contains("This preview is outdated. Please use the current version."), "{late}");
    slack.press("U1", &second, "Approve");
    slack.wait("chat.postMessage", "Created 3 tickets");
    assert_eq!(titles(&slack).len(), 3);
}

#[test]
fn another_number_is_said_in_a_form_of_the_quantity_question() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "Create epic with 5 stories for auth");
    let asked = slack.wait("chat.postMessage", "You're about to create *6 items*.");
    let view = slack.opens("U1", &asked, "Something else…");
    assert_eq!(slack.fills_in("U1", "V1", &view, &["only 2"]), "");
    slack.wait("chat.postMessage", "What are the 2 stories called?");
}

#[test]
fn a_bare_number_said_to_the_quantity_question_is_how_many_and_no_button() {
    let slack = Slack::new();
    for (at, said) in (1..).zip(["2", "two", "just 2"]) {
        let thread = format!("{at}00.1");
        slack.mention("U1", &thread, None, "Create epic with 5 stories for auth");
        let is_here = |call: &serde_json::Value, words: &str| {
            call["thread_ts"] == thread.as_str() && call["text"].as_str().is_some_and(|text| text.contains(words))
        };
        let asked = slack.wait_for("chat.postMessage", |call| is_here(call, "You're about to create *6 items*."));
        asked.button("Cancel");
        slack.mention("U1", &format!("{at}00.2"), Some(&thread), said);
        slack.wait_for("chat.postMessage", |call| is_here(call, "What are the 2 stories called?"));
    }
    slack.mention("U1", "900.1", None, "Create epic with 5 stories for auth");
    let is_last = |call: &serde_json::Value| call["thread_ts"] == "900.1";
    let asked = slack.wait_for("chat.postMessage", is_last);
    slack.mention("U1", "900.2", Some("900.1"), "8");
    slack.wait("chat.postMessage", "You're about to create *9 items*.");
    slack.press("U1", &asked, "Cancel");
    slack.wait("chat.postEphemeral", "This action was already processed.");
}

#[test]
fn what_is_asked_of_whoever_ordered_is_answered_by_them_or_through_the_form_and_by_nobody_else() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "create a ticket for login bug");
    let asked = slack.wait("chat.postMessage", "Before I show you the ticket, I need:");
    slack.mention("U2", "100.2", Some("100.1"), "1. The night shift is dark. 2. It should be bright.");
    slack.wait("chat.postMessage", "That is asked of <@U1>, so what you say is noted and not taken as the answer.");
    assert_eq!(slack.count("chat.postMessage", "Bug: Login bug"), 0);
    // A form is anybody's who opens it.
    let view = slack.opens("U3", &asked, "Answer…");
    assert_eq!(slack.fills_in("U3", "V1", &view, &["Users get a 500 after SSO.", "It should log in."]), "");
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    assert!(preview.text().contains("Users get a 500") && !preview.text().contains("night"), "{}", preview.text());
}

#[test]
fn whoever_ordered_answers_in_words_though_another_spoke_between() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, "create a ticket for login bug");
    slack.wait("chat.postMessage", "Before I show you the ticket, I need:");
    slack.writes("U2", "100.2", Some("100.1"), "1. It is dark. 2. It should be bright.");
    slack.mention("U3", "100.3", Some("100.1"), "2");
    slack.wait("chat.postMessage", "That is asked of <@U1>");
    slack.mention("U1", "100.4", Some("100.1"), "1. Users get a 500 after SSO. 2. It should log in.");
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    assert!(preview.text().contains("Users get a 500") && !preview.text().contains("dark"), "{}", preview.text());
}

#[test]
fn a_form_of_another_workspace_or_none_of_ours_does_nothing() {
    let slack = Slack::new();
    slack.mention("U1", "100.1", None, ORDER);
    let preview = slack.wait("chat.postMessage", "Bug: Login bug");
    let mut view = slack.opens("U1", &preview, "Edit…");
    let kept = view["private_metadata"].as_str().unwrap().replace("\"team\":\"T1\"", "\"team\":\"T2\"");
    view["private_metadata"] = json!(kept);
    for kept in [view["private_metadata"].clone(), json!("made up"), json!("")] {
        view["private_metadata"] = kept;
        let told = slack.fills_in("U1", "V9", &view, &["Bug: Other\nProblem: x"]);
        assert!(told.contains("This action is no longer available."), "{told}");
    }
    assert_eq!(slack.count("chat.postMessage", "Other"), 0);
}
