//! The ticket bot through the real program, with a folder as tracker: what is asked, what is shown, what exists
//! afterwards, and what does not.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod blind;
mod decisions;
mod killed;
mod knowledge;
mod odd;
mod orders;
mod partly;
mod reviews;
mod team;
mod worded;

use std::process::{Command, Stdio};

use serde_json::Value;

use team::{Team, holds, lacks};

const LOGIN: [&str; 2] =
    ["Create a ticket for login bug", "1. Users get a 500 after SSO. 2. Login with SSO lands on the dashboard."];

#[test]
fn a_ticket_is_asked_about_shown_whole_edited_and_created_after_a_yes() {
    let team = Team::new();
    let asked = team.talk(&LOGIN[..1]);
    holds(
        &asked,
        &["Before I show you the ticket, I need:", "1. What happens or is wanted", "2. How will we see that"],
    );
    let shown =
        team.talk(&[LOGIN[0], LOGIN[1], "add criterion: old sessions are dropped", "change the title to SSO login"]);
    holds(
        &shown,
        &[
            "Plan: \"Bug: SSO login\"",
            "Problem: Users get a 500 after SSO.",
            "1. Login with SSO lands on",
            "2. Old sessions are dropped",
        ],
    );
    assert!(team.tickets().is_empty(), "nothing exists before the yes");
    holds(&team.go_on(&["y"]), &["Created TASK-1: SSO login"]);
    let [ticket] = team.tickets().try_into().unwrap();
    assert_eq!(ticket["ticket"]["problem"], "Users get a 500 after SSO.");
    assert_eq!(ticket["ticket"]["lists"]["acceptance_criteria"][1], "Old sessions are dropped");
}

#[test]
fn thanks_to_the_room_create_nothing() {
    let team = Team::new();
    holds(&team.talk(&[LOGIN[0], LOGIN[1], "great, thanks everyone!"]), &["Run it? y/n"]);
    assert!(team.tickets().is_empty());
    holds(&team.go_on(&["y"]), &["Created TASK-1"]);
    let reviewed =
        team.talk(&[LOGIN[0], LOGIN[1], "Review this architecture: one queue for all", "Thanks, looks good"]);
    holds(&reviewed, &["Review v1"]);
    assert_eq!(team.tickets().len(), 1, "what ends a review is no yes to a ticket: {reviewed}");
}

#[test]
fn an_edit_leaves_every_ticket_whole_and_counted() {
    let team = Team::new();
    holds(&team.talk(&[LOGIN[0], LOGIN[1], "title:"]), &["would be without"]);
    holds(&team.go_on(&["problem:"]), &["would be without"]);
    let more =
        team.talk(&["Create an epic with 2 stories for auth", "sign in; sign out", "add story reset the password"]);
    holds(&more, &["You're about to create *4 items*. This includes 1 Epic and 3 linked stories."]);
    assert!(team.tickets().is_empty());
}

#[test]
fn a_no_creates_nothing() {
    let team = Team::new();
    holds(&team.talk(&[LOGIN[0], LOGIN[1], "n", "cancel"]), &["Plan: \"Bug: Login bug\""]);
    assert!(team.tickets().is_empty());
}

#[test]
fn what_stays_missing_is_asked_for_three_times_and_then_given_up() {
    let team = Team::new();
    let told = team.talk(&["create a ticket for dark mode", "2. ", "1. ", "2. "]);
    holds(
        &told,
        &["1. What happens or is wanted", "I asked three times and still miss: problem, acceptance criteria."],
    );
    assert_eq!(told.matches("Still missing:").count(), 2, "{told}");
    lacks(&told, &["Run it?"]);
}

#[test]
fn one_that_exists_is_linked_informed_or_passed_over() {
    let team = Team::new();
    team.talk(&[LOGIN[0], LOGIN[1], "y"]);
    let again = ["create a ticket for the login bug. It is back after the release. It should log in."];
    let asked = team.talk(&again);
    holds(
        &asked,
        &["There may be a ticket about this already: TASK-1: Login bug", "Link to this", "Add as info", "Create new"],
    );
    holds(&team.talk(&[again[0], "add as info", "y"]), &["Add what was said to TASK-1", "Added to TASK-1: Login bug"]);
    holds(&team.talk(&[again[0], "link to this", "y"]), &["Link this conversation to TASK-1", "Added to TASK-1"]);
    let comments = team.tickets()[0]["comments"].clone();
    holds(comments[0]["text"].as_str().unwrap(), &["It is back after the release."]);
    holds(comments[1]["text"].as_str().unwrap(), &["Discussed again"]);
    holds(&team.talk(&[again[0], "create new", "y"]), &["Created TASK-2"]);
    let more = team.talk(&[again[0], "show more"]);
    holds(&more, &["Show more (1)", "These may be about the same:", "Add as info to TASK-2"]);
    assert_eq!(team.tickets().len(), 2);
}

#[test]
fn an_epic_with_five_stories_is_six_items_confirmed_edited_one_by_one_and_linked() {
    let team = Team::new();
    let stories = "sign up - an address can be used once; log in; log out; reset password; change mail";
    let asked = team.talk(&["Create epic with 5 stories for auth"]);
    holds(
        &asked,
        &[
            "You're about to create *6 items*. This includes 1 Epic and 5 linked stories.",
            "Yes, create 6 items",
            "Cancel",
        ],
    );
    lacks(&asked, &["What are the 5 stories called?"]);
    let told = team.talk(&[
        "Create epic with 5 stories for auth",
        "Yes, create 6 items",
        stories,
        "story 2 title: Log in with SSO",
        "drop story 5",
        "y",
    ]);
    holds(
        &told,
        &[
            "What are the 5 stories called?",
            "Create the story “Log in with SSO” in “Auth”",
            "WARN from product",
            "Created 5 tickets:",
        ],
    );
    assert_eq!(team.titles(), ["Auth", "Sign up", "Log in with SSO", "Log out", "Reset password"]);
    let tickets = team.tickets();
    assert_eq!(tickets[0]["epic"], Value::Null);
    assert!(tickets[1..].iter().all(|story| story["epic"] == "TASK-1"), "{tickets:?}");
}

#[test]
fn three_items_are_not_asked_about_twice_and_a_cancelled_latch_creates_nothing() {
    let team = Team::new();
    lacks(&team.talk(&["create an epic with 2 stories for billing: invoices; refunds"]), &["You're about to create"]);
    holds(&team.talk(&["create an epic with 7 stories for billing", "cancel"]), &["*8 items*"]);
    assert!(team.tickets().is_empty());
}

/// More text than anybody reads at once is asked about: all at once, in batches, or not at all.
#[test]
fn a_very_large_preview_is_created_at_once_in_batches_or_not_as_is_said() {
    let long = |thing: &str| format!("people wait for the {thing} ").repeat(190);
    let order = format!(
        "create an epic with 2 stories for billing: invoices - {}; refunds - {}",
        long("invoice"),
        long("refund")
    );
    let asks = ["characters of text, more than 10,000.", "Create all at once", "Split into batches", "Cancel"];
    let team = Team::new();
    holds(&team.talk(&[&order, "cancel"]), &asks);
    holds(&team.talk(&[&order, "whatever"]), &["“whatever” is none of the ways on."]);
    assert!(team.tickets().is_empty(), "nothing is created before it is said how");
    let told = team.talk(&[&order, "split into batches", "y"]);
    holds(&told, &["It is created in 2 batches, of 2 and 1 items.", "Created 3 tickets:"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds"]);
    let team = Team::new();
    let told = team.talk(&[&order, "create all at once", "y"]);
    lacks(&told, &["batches, of"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds"]);
}

#[test]
fn a_required_field_is_found_before_anything_exists() {
    let team = Team::with_project(r#"{"key": "SHOP", "required": {"priority": ["High", "Low"]}}"#);
    let told = team.talk(&[LOGIN[0], LOGIN[1]]);
    holds(&told, &["SHOP requires priority. What should it be?", "1 High", "2 Low"]);
    assert!(team.tickets().is_empty());
    holds(&team.talk(&[LOGIN[0], LOGIN[1], "high", "y"]), &["priority: High", "Created SHOP-1"]);
    // What the tracker began to require after the preview is found by the dry run of the plan.
    let other = Team::new();
    other.talk(&[LOGIN[0], LOGIN[1]]);
    std::fs::write(other.path().join("project.json"), r#"{"key": "SHOP", "required": {"team": []}}"#).unwrap();
    holds(&other.go_on(&["y"]), &["“Login bug”: SHOP requires team. Nothing was created."]);
    assert!(other.tickets().is_empty());
}

#[test]
fn a_secret_in_a_draft_blocks_it() {
    let team = Team::new();
    let told =
        team.talk(&["create a ticket for the token. ghp_0123456789abcdefABCDEF is refused. It should work in 2 s."]);
    holds(&told, &["BLOCK from security: “Ghp_0…” looks like a secret"]);
    lacks(&told, &["Run it?"]);
}

#[test]
fn what_may_mean_several_things_opens_the_gate_and_not_now_ends_it() {
    let team = Team::new();
    let told = team.talk(&["What do you think about microservices?", "Not now"]);
    holds(
        &told,
        &[
            "I'm not sure what you'd like me to do with: > _What do you think about microservices?_ What would you like?",
            "1 Review / Analyze",
            "2 Create Ticket",
            "3 Not now",
            "4 Remember for this thread",
            "Got it. Just @ me when you're ready.",
        ],
    );
    holds(&team.go_on(&["1"]), &["Got it. Just @ me when you're ready."]);
}

#[test]
fn the_choices_of_the_gate_do_what_they_say() {
    let team = Team::new();
    holds(&team.talk(&["What do you think about microservices?", "1"]), &["Review v1 (architecture)"]);
    let ticket = team.talk(&["What do you think about microservices?", "2"]);
    holds(&ticket, &["Before I show you the ticket, I need:"]);
}

#[test]
fn a_remembered_review_answers_until_two_idle_hours_or_forgetting() {
    let team = Team::new();
    let told = team.talk(&["any thoughts on the queue?", "Remember: Review", "any thoughts on the cache?"]);
    holds(
        &told,
        &[
            "Got it. I'll default to *Review / Analyze* for this thread. You can use `/turnwise forget` to clear this.",
            "any thoughts on the cache?",
        ],
    );
    holds(&told, &["Review v1 (architecture)"]);
    team.wait_hours(2);
    holds(&team.go_on(&["any thoughts on the cache?"]), &["I'm not sure what you'd like me to do with"]);
    let button = ["any thoughts on the queue?", "4", "1", "/turnwise forget", "any thoughts on the cache?"];
    let told = team.talk(&button);
    holds(
        &told,
        &["What should I take such messages for in this thread?", "I'll default to *Review / Analyze*", "Forgotten:"],
    );
    assert_eq!(told.matches("I'm not sure what").count(), 2, "{told}");
}

#[test]
fn what_is_remembered_ends_where_a_review_is_left_for_a_ticket_and_that_is_told() {
    let team = Team::new();
    let asks = "any thoughts on the queue?";
    let gate = "I'm not sure what you'd like me to do with";
    let told = team.talk(&["Remember: Review", asks, LOGIN[0], LOGIN[1], "y", "any thoughts on the cache?"]);
    holds(&told, &["Review v1 (architecture)", "This thread defaults to *Review / Analyze* no longer.", gate]);
    // A thread that has no review leaves none: what is remembered holds.
    let told = team.talk(&["Remember: Review", "create a ticket for a. It is bad. It should be good.", "y", asks]);
    holds(&told, &["Created TASK-2", "Review v1 (architecture)"]);
    lacks(&told, &[gate, "no longer"]);
}

#[test]
fn a_review_is_full_then_a_patch_then_frozen_and_what_follows_is_no_continuation() {
    let team = Team::new();
    let told = team.talk(&[
        "Review this architecture. We will use Postgres behind an API.",
        "We decided on a canary rollout. Who is on call?",
        "Show full architecture",
        "Thanks, looks good",
        "Now create a ticket for something unrelated",
    ]);
    holds(
        &told,
        &[
            "Review v1 (architecture)",
            "- It may fail unseen: nothing measures it. (architecture)",
            "Review v2, what is new:\nNew decisions:\n- We decided on a canary rollout.\nNew open questions:\n- Who is on call?\nChanges since v1:",
            "Review v2 is complete.",
            "Before I show you the ticket, I need:",
        ],
    );
    lacks(&told, &["Review v3"]);
    lacks(&team.go_on(&["cancel", "We decided on blue-green deployment instead."]), &["Review v3"]);
}

#[test]
fn a_review_asked_for_again_tells_what_is_new_and_the_same_at_once_is_not_made_twice() {
    let team = Team::new();
    let first = "Review this architecture. We will use Postgres behind an API.";
    let told = team.talk(&[first, first, "review again", "thanks", "It might break old clients.", "review it again"]);
    holds(
        &told,
        &[
            "Review v1 (architecture)",
            "That was reviewed a moment ago; it is at v1.",
            "Nothing new since v1.",
            "Review v1 is complete.",
            "Review v2, what is new:\nNew risks:\n- It might break old clients.",
        ],
    );
    assert_eq!(told.matches("Review v1 (architecture)").count(), 1, "{told}");
}

#[test]
fn an_order_of_a_review_is_one_and_reads_the_personas_it_names() {
    let told = Team::new().talk(&["Review the security of this design. Callers use OAuth tokens."]);
    holds(&told, &["(architecture, security)", "- One customer may reach the data of another. (security)"]);
    lacks(&told, &["Callers are not authenticated", "I'm not sure"]);
}

#[test]
fn a_review_for_the_product_asks_what_it_is_for() {
    let told = Team::new().talk(&["Review this from the product side. We will sell gift cards."]);
    holds(&told, &["Review v1 (product)", "(product)"]);
    lacks(&told, &["(architecture)", "(security)", "I'm not sure"]);
}

#[test]
fn each_way_to_say_that_a_review_is_done_freezes_it_and_nothing_continues_it() {
    for done in ["thanks", "ok", "got it", "looks good"] {
        let team = Team::new();
        let told = team.talk(&["Review this architecture. We will use Postgres behind an API.", done]);
        holds(&told, &["Review v1 (architecture)", "Review v1 is complete."]);
        // What would have been a new decision of an open review is talk, or asked about.
        lacks(&team.go_on(&["We decided on a canary rollout. Who is on call?"]), &["Review v2"]);
        holds(&team.go_on(&["cancel", "create a ticket from the review"]), &["Before I show you the ticket, I need:"]);
    }
}

#[test]
fn a_review_that_nobody_spoke_of_for_its_lifetime_is_continued_by_nothing() {
    let team = Team::new();
    let continued = "We decided on a canary rollout. Who is on call?";
    team.talk(&["Review this architecture. We will use Postgres behind an API."]);
    team.wait_hours(1);
    holds(&team.go_on(&[continued]), &["Review v2, what is new:"]);
    let team = Team::new();
    team.talk(&["Review this architecture. We will use Postgres behind an API."]);
    team.wait_hours(25);
    lacks(&team.go_on(&[continued]), &["Review v2"]);
}

#[test]
fn a_process_that_is_killed_on_the_way_leaves_no_ticket_out_and_makes_none_twice() {
    const STORIES: usize = 60;
    let team = Team::new();
    let names: Vec<String> = (1..=STORIES).map(|number| format!("part {number}")).collect();
    let order = format!("create an epic with {STORIES} stories for auth");
    let script = team.folder.path().join("said");
    std::fs::write(&script, format!("{order}\nyes\n{}\ny\n", names.join("; "))).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["chat", "--assistant", "tickets", "--data", "tickets", "--new"])
        .current_dir(team.folder.path())
        .env("TURNWISE_STATE", team.folder.path().join("state"))
        .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let made = |number: usize| team.path().join(format!("TASK-{number}.json")).exists();
    while !made(5) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!made(STORIES + 1), "it was killed too late to show anything");
    // Another process takes the run up where it was, looks the lost step up, and goes on.
    let told = team.go_on(&["thanks"]);
    holds(&told, &["Created 61 tickets:"]);
    let mut titles = team.titles();
    titles.sort();
    titles.dedup();
    assert_eq!((titles.len(), team.tickets().len()), (STORIES + 1, STORIES + 1), "{told}");
}

#[test]
fn a_double_yes_creates_one_ticket() {
    let team = Team::new();
    let told = team.talk(&[LOGIN[0], LOGIN[1], "y", "y"]);
    holds(&told, &["Created TASK-1"]);
    assert_eq!(team.tickets().len(), 1);
}

#[test]
fn what_was_said_before_fills_a_ticket_that_points_to_it_and_a_review_is_handed_over() {
    let team = Team::new();
    let told = team.talk(&[
        "The export drops the last row of every sheet.",
        "It must hold all rows of the sheet.",
        "turn this into a bug",
    ]);
    holds(&told, &["Bug: The export drops the last row of every sheet", "1. It must hold all rows of the sheet."]);
    let told = team.talk(&[
        "Review this architecture. We will use Postgres behind an API.",
        "thanks, looks good",
        "create a ticket from the review",
        "The API answers in 200 ms.",
    ]);
    holds(&told, &["Proposed solution: We will use Postgres behind an API.", "1. The API answers in 200 ms."]);
}

#[test]
fn tickets_go_beside_the_conversations_where_no_folder_is_named_and_wrong_settings_are_told() {
    let team = Team::new();
    let told = team.turnwise(&["chat", "--new", "--assistant", "tickets"], &(LOGIN.join("\n") + "\ny\n"));
    holds(&String::from_utf8_lossy(&told.stdout), &["turnwise.d/tickets/tickets/TASK-1.json"]);
    let told = team.turnwise(&["chat", "--ephemeral", "--assistant", "tickets"], "");
    assert!(!told.status.success());
    holds(&String::from_utf8_lossy(&told.stderr), &["no place for tickets was named", "--data FOLDER"]);
    std::fs::write(team.folder.path().join("turnwise.yaml"), "assistants: {tickets: {foldr: x}}\n").unwrap();
    let told = team.turnwise(&["chat", "--assistant", "tickets"], "");
    holds(&String::from_utf8_lossy(&told.stderr), &["turnwise.yaml, line 1: there is no setting `foldr`"]);
    std::fs::remove_file(team.folder.path().join("turnwise.yaml")).unwrap();
    std::fs::write(team.path().join("project.json"), r#"{"kee": "SHOP"}"#).unwrap();
    let told = team.turnwise(&["chat", "--assistant", "tickets", "--data", "tickets"], "");
    holds(&String::from_utf8_lossy(&told.stderr), &["unknown field `kee`"]);
}
