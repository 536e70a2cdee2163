//! Odd answers and orders: what is none of the ways on creates nothing, drops nothing and is asked again. Next: `main`.

use super::LOGIN;
use super::team::{Team, holds, lacks};

#[test]
fn more_items_than_anybody_reads_are_refused_and_not_cut() {
    let team = Team::new();
    let told = team.talk(&["create an epic with 500 stories for auth: a; b; c; d; e; f"]);
    holds(&told, &["That would be 501 items, and at most 200 are created at once. Nothing was created."]);
    lacks(&told, &["Run it?"]);
}

#[test]
fn another_count_than_was_named_is_asked_about() {
    let team = Team::new();
    let told = team.talk(&["create an epic with 2 stories for auth: a thing; b thing; c thing", "1", "cancel"]);
    holds(&told, &["You asked for 2 stories and named 3.", "Go on with 3", "You're about to create *4 items*"]);
    let told = team.talk(&["create an epic with 3 stories for auth: sign up; log in", "yes", "1"]);
    holds(&told, &["You asked for 3 stories and named 2.", "Plan: \"Auth and 2 more\""]);
}

#[test]
fn the_count_is_confirmed_in_plain_words_alone_and_may_be_another() {
    let order = "create an epic with 5 stories for auth";
    let told = Team::new().talk(&[order, "banana"]);
    holds(&told, &["“banana” is neither a yes nor another number. You're about to create *6 items*."]);
    lacks(&told, &["What are the"]);
    holds(&Team::new().talk(&[order, "only 2"]), &["What are the 2 stories called?"]);
    holds(&Team::new().talk(&[order, "7"]), &["You're about to create *8 items*."]);
    holds(&Team::new().talk(&[order, "banana", "pear"]), &["I asked 2 times and am still not sure"]);
}

#[test]
fn an_odd_answer_about_a_duplicate_creates_nothing() {
    let team = Team::new();
    team.talk(&[LOGIN[0], LOGIN[1], "y"]);
    let told = team.talk(&[LOGIN[0], LOGIN[1], "banana"]);
    holds(&told, &["“banana” is none of the ways on. There may be a ticket about this already"]);
    lacks(&told, &["Run it?"]);
    assert_eq!(team.tickets().len(), 1);
}

#[test]
fn a_value_that_a_field_cannot_have_is_asked_for_again() {
    let team = Team::with_project(r#"{"key": "SHOP", "required": {"priority": ["High", "Low"]}}"#);
    let told = team.talk(&[LOGIN[0], LOGIN[1], "purple", "low", "y"]);
    holds(&told, &["priority cannot be “purple”.", "priority: Low", "Created SHOP-1"]);
    // An edit that makes it wrong again is asked about, too, and a cancelled one leaves the preview as it was.
    let told = team.talk(&[
        "create a ticket for dark mode. People work at night. It should be dark.",
        "high",
        "priority: red",
        "cancel",
        "title: Night mode",
        "y",
    ]);
    holds(&told, &["priority cannot be “red”.", "Created SHOP-2: Night mode"]);
    assert_eq!(team.tickets()[1]["ticket"]["more"]["priority"], "High");
}

#[test]
fn each_of_several_is_looked_for_and_left_out_or_made_anew() {
    let team = Team::new();
    team.talk(&["create a ticket for log in. People log in. It should log in.", "y"]);
    let order = "create an epic with 2 stories for auth: sign up; log in";
    let asked = team.talk(&[order]);
    holds(
        &asked,
        &["Some of these may exist already:\n- “Log in”: TASK-1: Log in", "Leave it out", "Create all as new"],
    );
    let told = team.talk(&[order, "leave it out", "y"]);
    holds(&told, &["Left out: “Log in”, which may be TASK-1: Log in.", "Created 2 tickets:"]);
    assert_eq!(team.titles(), ["Log in", "Auth", "Sign up"]);
    // The epic is there by now, and takes a story more.
    let told = team.talk(&["create an epic with 1 story for auth: forget password", "1", "y"]);
    holds(&told, &["There may be an epic for this already: TASK-2: Auth", "in TASK-2"]);
    assert_eq!(team.tickets()[3]["epic"], "TASK-2");
}

#[test]
fn an_order_during_a_form_is_a_new_request_and_no_answer() {
    let team = Team::new();
    let told = team.talk(&[LOGIN[0], "I need a ticket for the checkout page"]);
    holds(&told, &["This takes the place of “Create a ticket for login bug”"]);
    // What only speaks of tickets answers.
    let told = team.talk(&[LOGIN[0], "1. Log files grow. 2. Log every failed task."]);
    holds(&told, &["Plan: \"Bug: Login bug\"", "1. Log every failed task."]);
}

#[test]
fn a_default_can_be_remembered_while_a_preview_waits_and_does_not_edit_it() {
    let team = Team::new();
    let told = team.talk(&[LOGIN[0], LOGIN[1], "Remember: Review", "y"]);
    holds(&told, &["I'll default to *Review / Analyze* for this thread.", "Created TASK-1"]);
    assert_eq!(team.tickets()[0]["ticket"]["more"], serde_json::json!({}));
}

#[test]
fn not_to_create_it_ends_a_form_and_rejects_a_preview_whole() {
    let team = Team::new();
    holds(&team.talk(&[LOGIN[0], "don't create it"]), &["Dropped. Nothing was executed."]);
    let told = team.talk(&[LOGIN[0], LOGIN[1], "don't create it"]);
    holds(&told, &["All right, nothing was done."]);
    lacks(&told, &["(1 step"]);
    assert!(team.tickets().is_empty());
}

#[test]
fn a_step_that_is_dropped_takes_its_ticket_with_it() {
    let team = Team::new();
    let order = "create an epic with 2 stories for auth: sign up; log in";
    let told = team.talk(&[order, "drop step 3", "add story log out", "y"]);
    holds(&told, &["Created 3 tickets:"]);
    assert_eq!(team.titles(), ["Auth", "Log in", "Log out"]);
    // The same words a second time are a second change.
    let told = team.talk(&[
        "create an epic with 3 stories for billing: invoices; refunds; dunning",
        "yes",
        "drop item 2",
        "drop item 2",
        "y",
    ]);
    holds(&told, &["Created 2 tickets:"]);
    assert_eq!(team.titles()[3..], ["Billing", "Dunning"]);
}
