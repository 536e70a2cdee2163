//! The cases that must work, in a whole workspace: local-slack signs and delivers as Slack does, over HTTP and over a
//! socket, and shows what the bot posts. It is installed by npm; where it cannot be had, that is said, and with CI=true
//! it is a failure.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod local;
#[path = "../node/mod.rs"]
mod node;
mod relay;

use local::{CHANNEL, Delivery, Workspace, installed};

/// The workspace, unless local-slack cannot be had.
fn workspace(delivery: Delivery) -> Option<Workspace> {
    match installed() {
        Ok(program) => Some(Workspace::new(&program, delivery)),
        Err(missing) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "the workspace cannot be tested: {missing}");
            println!("skipped: {missing}");
            None
        }
    }
}

#[test]
fn what_must_work_works_where_slack_sends_over_http() {
    if let Some(workspace) = workspace(Delivery::Events) {
        all(workspace);
    }
}

#[test]
fn what_must_work_works_where_slack_sends_over_a_socket() {
    if let Some(workspace) = workspace(Delivery::Socket) {
        all(workspace);
    }
}

fn all(mut workspace: Workspace) {
    a_review_is_frozen_and_continues_nothing(&workspace);
    a_ticket_is_created_once(&workspace);
    the_gate_asks_and_not_now_ends_it(&workspace);
    what_is_remembered_answers_for_two_hours(&workspace);
    an_epic_is_confirmed_and_previewed(&workspace);
    an_older_preview_is_outdated(&workspace);
    a_decision_goes_to_the_channel(&workspace);
    a_command_begins_a_thread(&workspace);
    a_missing_field_is_found_before_anything_exists(&mut workspace);
}

fn a_review_is_frozen_and_continues_nothing(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "Review this architecture. We will use Postgres behind an API.");
    workspace.wait(&thread, "Review v1 (architecture)");
    workspace.mention("U02BOB", Some(&thread), "Thanks, looks good");
    workspace.wait(&thread, "Review v1 is complete.");
    workspace.mention("U01ADA", Some(&thread), "Now create a ticket for something unrelated");
    workspace.wait(&thread, "Before I show you the ticket, I need:");
    assert!(workspace.find(&thread, "Review v2").is_none());
}

fn a_ticket_is_created_once(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "Create a ticket for login bug");
    workspace.wait(&thread, "Before I show you the ticket, I need:");
    workspace.mention("U01ADA", Some(&thread), "1. Users get a 500 after SSO. 2. It should log in with SSO.");
    let preview = workspace.wait(&thread, "Bug: Login bug");
    let before = workspace.tickets();
    workspace.press("U02BOB", &preview, "Approve");
    workspace.wait(&thread, "Created TASK-");
    workspace.press("U02BOB", &preview, "Approve");
    workspace.whispered("This action was already processed.");
    assert_eq!(workspace.tickets(), before + 1);
}

fn the_gate_asks_and_not_now_ends_it(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "What do you think about microservices?");
    let gate = workspace.wait(&thread, "I'm not sure what you'd like me to do with:");
    workspace.press("U01ADA", &gate, "Not now");
    workspace.wait(&thread, "Got it. Just @ me when you're ready.");
}

fn what_is_remembered_answers_for_two_hours(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "any thoughts on the queue?");
    workspace.wait(&thread, "I'm not sure what you'd like me to do with:");
    workspace.mention("U01ADA", Some(&thread), "Remember: Review");
    workspace.wait(&thread, "I'll default to *Review / Analyze* for this thread.");
    workspace.mention("U02BOB", Some(&thread), "any thoughts on the cache?");
    workspace.wait(&thread, "Review v1 (architecture)");
    workspace.wait_hours(2);
    workspace.mention("U02BOB", Some(&thread), "any thoughts on the index?");
    workspace.wait(&thread, "any thoughts on the index?_");
}

fn an_epic_is_confirmed_and_previewed(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "Create epic with 5 stories for auth");
    let asked = workspace.wait(&thread, "You're about to create *6 items*. This includes 1 Epic and 5 linked stories.");
    workspace.press("U01ADA", &asked, "Yes, create 6 items");
    workspace.wait(&thread, "What are the 5 stories called?");
    workspace.mention("U01ADA", Some(&thread), "sign up; sign in; sign out; reset password; change mail");
    let preview = workspace.wait(&thread, "Auth and 5 more");
    let before = workspace.tickets();
    workspace.press("U01ADA", &preview, "Approve");
    workspace.wait(&thread, "Created 6 tickets");
    assert_eq!(workspace.tickets(), before + 6);
}

fn an_older_preview_is_outdated(workspace: &Workspace) {
    let order = "create a ticket for the export. It drops rows. All rows should be there.";
    let thread = workspace.mention("U01ADA", None, order);
    let first = workspace.wait(&thread, "Create the task “The export”");
    workspace.mention("U02BOB", Some(&thread), "change the title to CSV export");
    let second = workspace.wait(&thread, "Create the task “CSV export”");
    let before = workspace.tickets();
    workspace.press("U01ADA", &first, "Approve");
    workspace.whispered("This preview is outdated. Please use the current version.");
    assert_eq!(workspace.tickets(), before);
    workspace.press("U01ADA", &second, "Cancel");
    workspace.wait(&thread, "Cancelled by <@U01ADA>");
    workspace.press("U01ADA", &second, "Approve");
    workspace.whispered("This action is no longer available. The workflow has moved on.");
}

fn a_decision_goes_to_the_channel(workspace: &Workspace) {
    let thread = workspace.mention("U01ADA", None, "post the decision: we keep one durable queue");
    let preview = workspace.wait(&thread, "Decision: We keep one durable queue");
    workspace.press("U02BOB", &preview, "Approve");
    workspace.wait(&thread, "Posted the decision: ");
    let messages = workspace.get(&format!("messages/{CHANNEL}"));
    let is_post = |message: &&serde_json::Value| {
        message["thread_ts"].is_null()
            && message["text"].as_str().is_some_and(|text| text.starts_with("Decision: We keep one durable queue"))
    };
    assert_eq!(messages["messages"].as_array().unwrap().iter().filter(is_post).count(), 1, "{messages:#}");
}

fn a_command_begins_a_thread(workspace: &Workspace) {
    workspace.command("U01ADA", "review this design of the mail queue");
    let root = workspace.wait_for_root("/turnwise review this design of the mail queue");
    workspace.wait(&root, "Review v1 (architecture)");
}

/// What the tracker begins to require after the preview is found by the dry run of the plan.
fn a_missing_field_is_found_before_anything_exists(workspace: &mut Workspace) {
    let order = "create a ticket for the search. It finds nothing. It should find what is there.";
    let thread = workspace.mention("U01ADA", None, order);
    let preview = workspace.wait(&thread, "Create the task “The search”");
    let before = workspace.tickets();
    let project = workspace.folder.path().join("tickets/project.json");
    std::fs::write(project, r#"{"key": "TASK", "required": {"team": []}}"#).unwrap();
    workspace.start_again();
    workspace.press("U02BOB", &preview, "Approve");
    workspace.wait(&thread, "“The search”: TASK requires team. Nothing was created.");
    assert_eq!(workspace.tickets(), before);
}
