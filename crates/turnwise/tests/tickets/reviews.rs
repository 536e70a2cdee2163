//! Reviews: what is looked at is what was proposed, wherever that stands. Next: `main`.

use super::team::{Team, holds, lacks};

#[test]
fn what_stands_behind_the_order_is_reviewed() {
    let team = Team::new();
    let told = team.talk(&["Review this proposal: we decided to use Kafka for orders"]);
    holds(&told, &["Decisions:\n", "- we decided to use Kafka for orders"]);
    let told = team.talk(&["Risk: tokens can be stolen", "1"]);
    holds(&told, &["Review v1", "Risks:\n", "- Risk: tokens can be stolen"]);
    let told = team.talk(&["Review our decision to use Kafka"]);
    lacks(&told, &["Decisions:"]);
}

#[test]
fn an_order_of_a_ticket_is_no_proposal_and_one_that_only_points_is_no_subject() {
    let team = Team::new();
    let told = team.talk(&[
        "We will keep all sessions in one database behind the gateway.",
        "create a ticket for logout. Logout hangs for everyone on all of the tablets. It should end the session.",
        "n",
        "review this design",
        "review it from a security point of view",
    ]);
    holds(&told, &["Review v1 (architecture): We will keep all sessions", "Review v1 (security): We will keep all"]);
}

#[test]
fn what_was_decided_is_told_however_it_is_asked() {
    let team = Team::new();
    for asked in ["what did we decide?", "what did we agree on?", "which decisions are there?"] {
        let told = team.talk(&["Review this. We decided to use Kafka.", asked]);
        holds(&told, &["We decided to use Kafka", "Decisions:"]);
        lacks(&told, &["I'm not sure what you'd like me to do"]);
    }
}

#[test]
fn plain_words_are_decisions_risks_and_loads_and_questions_are_none() {
    let team = Team::new();
    let told = team
        .talk(&["Review this: the team settled on Kafka. I worry about data loss. We expect 4000 orders a second. \
                            Could tokens be stolen?"]);
    holds(&told, &["Decisions:", "- the team settled on Kafka.", "- I worry about data loss.", "- load"]);
    lacks(&told, &["No load is named"]);
    assert_eq!(told.matches("Could tokens be stolen?").count(), 2, "in the order, and as a question: {told}");
}
