//! What a thread stated, through the real program: noted once, kept over restarts, told, and used in drafts. Next:
//! `main`.

use super::team::{Team, holds, lacks};

const STATED: &str = "We decided to keep the old export. It must not take more than an hour. We assume that SSO stays.";

#[test]
fn what_was_stated_is_told_once_with_who_said_it_and_how_sure_it_is() {
    let team = Team::new();
    team.talk(&[STATED, "we decided to keep the old export", "maybe we will use a queue"]);
    let told = team.go_on(&["what was decided?"]);
    holds(
        &told,
        &[
            "2 decisions, 1 constraint, 1 assumption.",
            "- We decided to keep the old export (",
            "90 %)",
            "- maybe we will use a queue (",
            "60 %)",
            "Constraints:\n- It must not take more than an hour",
        ],
    );
    let listed = told.rsplit("Decisions:").next().unwrap_or_default();
    assert_eq!(listed.to_lowercase().matches("keep the old export").count(), 1, "{told}");
    lacks(&team.talk(&["what was decided?"]), &["old export"]);
}

#[test]
fn a_ticket_made_of_the_talk_has_what_was_stated_however_long_ago() {
    let team = Team::new();
    team.talk(&[STATED]);
    let chat: Vec<String> = (0..12).map(|number| format!("the build number {number} is green again today")).collect();
    let chat: Vec<&str> = chat.iter().map(String::as_str).collect();
    team.go_on(&chat);
    let told = team.go_on(&["turn this into a ticket", "1. All rows are there."]);
    holds(
        &told,
        &[
            "Proposed solution: We decided to keep the old export.",
            "Constraints:\n      1. It must not take more than an hour",
            "Does this hold? We assume that SSO stays",
        ],
    );
}

#[test]
fn an_epic_keeps_what_its_thread_stated_for_tickets_of_other_threads() {
    let team = Team::new();
    team.talk(&[STATED, "create an epic with 1 story for exports: csv", "y"]);
    let told = team.talk(&["create a story for xlsx in epic TASK-1. People want xlsx. It should open in a sheet."]);
    holds(&told, &["Proposed solution: We decided to keep the old export.", "It must not take more than an hour"]);
    let other = team.talk(&["create a story for pdf. People want pdf. It should open anywhere."]);
    lacks(&other, &["old export"]);
}

#[test]
fn what_was_posted_to_the_channel_is_shown_beside_a_draft_about_the_same() {
    let team = Team::new();
    team.talk(&["post the decision: we keep the nightly export format", "y"]);
    let told =
        team.talk(&["create a ticket for the export format. The nightly export drops rows. All rows should be there."]);
    holds(&told, &["Stated in this channel by", "We keep the nightly export format."]);
    lacks(&team.talk(&["create a ticket for dark mode. People work at night. It should be dark."]), &["Stated in"]);
}
