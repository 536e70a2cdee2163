//! Decisions through the real program: what is previewed, edited, posted once, and never without a yes. Next: `main`.

use super::team::{Team, holds, lacks};

fn posted(team: &Team) -> String {
    std::fs::read_to_string(team.path().join("decisions.md")).unwrap_or_default()
}

#[test]
fn a_decision_is_previewed_edited_and_posted_with_its_tickets() {
    let team = Team::new();
    let told = team.talk(&[
        "create a ticket for the queue. Jobs get lost. No job should get lost.",
        "y",
        "post the decision: we use one queue because two get out of step",
        "decision: we use one durable queue",
        "add SHOP-7",
        "drop SHOP-7",
    ]);
    holds(
        &told,
        &["Plan: \"Decision: We use one queue\"", "Why: Two get out of step", "Related: TASK-1, SHOP-7", "Run it? y"],
    );
    assert_eq!(posted(&team), "", "nothing is posted before the yes");
    let told = team.go_on(&["y"]);
    holds(&told, &["Posted the decision: tickets/decisions.md"]);
    let posted = posted(&team);
    holds(
        &posted,
        &[
            "Decision: We use one durable queue  \nWhy: Two get out of step  \nRelated: TASK-1  \nDiscussed in: conversation ",
        ],
    );
    assert_eq!(posted.matches("Decision:").count(), 1);
}

#[test]
fn what_the_thread_decided_is_offered_and_a_no_posts_nothing() {
    let team = Team::new();
    let talk = ["We decided on a canary rollout.", "We will use Postgres.", "post the decision"];
    let told = team.talk(&talk);
    holds(&told, &["Which decision is to be posted?", "We decided on a canary rollout", "We will use Postgres"]);
    let told = team.talk(&[talk[0], talk[1], talk[2], "we will use Postgres", "n", "cancel"]);
    holds(&told, &["Plan: \"Decision: We will use Postgres\""]);
    assert_eq!(posted(&team), "");
    holds(&team.talk(&["post the decision"]), &["What was decided, in one sentence?"]);
    holds(&team.go_on(&["we go with blue-green deployment", "y"]), &["Decision: We go with blue-green deployment"]);
    assert_eq!(posted(&team).matches("Decision:").count(), 1);
}

#[test]
fn a_decision_of_a_review_is_approved_by_its_number() {
    let team = Team::new();
    let review = "Review this architecture. We will use Postgres behind an API.";
    let told = team.talk(&[review, "We decided on a canary rollout.", "approve decision 2", "y"]);
    holds(&told, &["Decision: We decided on a canary rollout", "Posted the decision:"]);
    holds(&team.talk(&[review, "approve decision 9"]), &["There is no decision 9; the review has 1 decision."]);
}

#[test]
fn what_is_no_change_of_a_decision_changes_nothing_and_says_what_would() {
    let team = Team::new();
    let told = team.talk(&["post the decision: we use one queue", "priority: high"]);
    holds(&told, &["“priority: high” is no change of a decision", "“why: …”"]);
    lacks(&told, &["version 2"]);
}

#[test]
fn a_decision_that_no_channel_takes_whole_is_shortened_at_a_sentence_and_says_so_or_is_refused() {
    let team = Team::new();
    let why = "Two queues get out of step. ".repeat(2_000);
    let told = team.talk(&[&format!("post the decision: we use one queue because {why}"), "y"]);
    holds(&told, &["Posted the decision"]);
    let post = posted(&team);
    holds(
        &post,
        &["Decision: We use one queue", "get out of step. (shortened; all of it is where this was discussed)"],
    );
    assert!((39_000..=40_100).contains(&post.chars().count()), "{}", post.chars().count());
    let told = team.talk(&[&format!("post the decision: we use {}", "x".repeat(50_000))]);
    holds(&told, &["A post takes at most 40,000 characters", "Nothing was posted; say it shorter."]);
}
