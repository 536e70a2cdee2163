//! Creations that end half-way and go on changed: what exists is neither made twice nor taken for something else. Next:
//! `main`.

use std::path::PathBuf;

use super::team::{Team, holds, lacks};

const ORDER: &str = "create an epic with 3 stories for billing: invoices; refunds; dunning";

/// A team whose tracker cannot write the ticket of this number, and what has to go for it to write again.
fn stuck_at(number: usize) -> (Team, PathBuf) {
    let team = Team::new();
    let in_the_way = team.path().join(format!(".TASK-{number}.part"));
    std::fs::create_dir(&in_the_way).unwrap();
    let told = team.talk(&[ORDER, "yes", "y"]);
    lacks(&told, &["Created 4 tickets"]);
    let titles = ["Billing", "Invoices", "Refunds", "Dunning"];
    let made: Vec<String> = (1..number).map(|at| format!("TASK-{at}: {}", titles[at - 1])).collect();
    let open = titles[number - 1..].join("; ");
    holds(&told, &[&format!("Created so far: {}. Not yet: {open}.", made.join("; "))]);
    assert_eq!(team.tickets().len(), number - 1, "{told}");
    (team, in_the_way)
}

#[test]
fn a_story_is_not_taken_for_done_because_another_stood_in_its_place() {
    let (team, in_the_way) = stuck_at(3);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["drop story 1", "y"]);
    holds(&told, &["TASK-2: Invoices exists already and stays as it is.", "Created 3 tickets:"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds", "Dunning"], "{told}");
    assert!(team.tickets()[1..].iter().all(|story| story["epic"] == "TASK-1"), "{told}");
}

#[test]
fn what_remains_is_told_and_one_that_is_linked_keeps_its_link() {
    let (team, in_the_way) = stuck_at(3);
    holds(&team.go_on(&["what is left?"]), &["steps 1, 2 and 3 are done; steps 4 and 5 are not."]);
    std::fs::remove_dir(in_the_way).unwrap();
    holds(&team.go_on(&["retry"]), &["Created 4 tickets:"]);
    let told =
        team.talk(&["create a ticket for refunds. People wait. It should take a day.", "create new, linked to TASK-3"]);
    holds(&told, &["There may be a ticket about this already: TASK-3: Refunds", "Link it to TASK-3"]);
    assert_eq!(team.tickets().len(), 4);
    holds(&team.go_on(&["y"]), &["Created TASK-5: Refunds, linked to TASK-3."]);
    // Nothing is half-way then, so the next preview has nothing to tell of it.
    let next = team.go_on(&["create a ticket for dark mode. People work at night. It should be dark."]);
    holds(&next, &["Task: Dark mode"]);
    lacks(&next, &["Created before"]);
    assert_eq!(team.tickets()[4]["links"], serde_json::json!(["TASK-3"]));
}

#[test]
fn a_new_order_after_a_failure_tells_what_is_there_already() {
    let (team, in_the_way) = stuck_at(3);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["create a ticket for dark mode. People work at night. It should be dark.", "1"]);
    holds(&told, &["Created before, and left as they are: TASK-1: Billing; TASK-2: Invoices."]);
}

#[test]
fn a_story_that_is_renamed_before_it_exists_is_created_under_its_new_name() {
    let (team, in_the_way) = stuck_at(3);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["story 2 title: Money back", "y"]);
    holds(&told, &["Created 4 tickets:"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Money back", "Dunning"], "{told}");
}

#[test]
fn what_exists_cannot_be_changed_by_a_preview_and_is_not_made_twice() {
    let (team, in_the_way) = stuck_at(3);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["story 1 title: Bills"]);
    holds(&told, &["TASK-2: Invoices exists already, so it can only be changed in the tracker."]);
    assert_eq!(team.titles(), ["Billing", "Invoices"], "{told}");
}

#[test]
fn where_all_that_is_left_exists_nothing_is_created_again() {
    let (team, in_the_way) = stuck_at(4);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["drop story 3"]);
    holds(&told, &["Nothing is left to create. These exist:", "TASK-1: Billing", "TASK-3: Refunds"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds"], "{told}");
}

#[test]
fn a_retry_creates_what_is_left_and_two_stories_of_one_name_are_two() {
    let (team, in_the_way) = stuck_at(3);
    std::fs::remove_dir(in_the_way).unwrap();
    let told = team.go_on(&["retry"]);
    holds(&told, &["Created 4 tickets:"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds", "Dunning"], "{told}");
    let team = Team::new();
    let told = team.talk(&["create an epic with 2 stories for auth: log in; log in", "y"]);
    holds(&told, &["“Log in” is there twice", "Created 3 tickets:"]);
    assert_eq!(team.titles(), ["Auth", "Log in", "Log in"]);
}
