//! Words as they are meant: talk is no edit, a name is taken as it is written, and who wants no ticket gets no draft.
//! Next: `main`.

use super::LOGIN;
use super::team::{Team, holds, lacks};

#[test]
fn talk_at_a_preview_becomes_no_field_of_the_ticket() {
    for said in ["Bob: looks fine to me", "yes to what Ann said", "set it to high", "Ann: what do you think?"] {
        let team = Team::new();
        team.talk(&[LOGIN[0], LOGIN[1], said, "priority: low", "y"]);
        for ticket in team.tickets() {
            let more = ticket["ticket"]["more"].as_object().unwrap();
            assert!(more.keys().all(|field| field == "priority"), "{said}: {ticket}");
        }
    }
    let team = Team::new();
    let told = team.talk(&[LOGIN[0], LOGIN[1], "Bob: looks fine to me", "labels: sso", "assignee: ann", "y"]);
    lacks(&told, &["bob: looks"]);
    holds(&told, &["labels: sso", "assignee: ann", "Created TASK-1"]);
}

#[test]
fn a_field_that_the_tracker_wants_is_set_by_its_name() {
    let team = Team::with_project(r#"{"key": "SHOP", "required": {"squad": []}}"#);
    let told = team.talk(&[LOGIN[0], LOGIN[1], "Blue", "squad: Red", "y"]);
    holds(&told, &["SHOP requires squad. What should it be?", "squad: Blue", "squad: Red", "Created SHOP-1"]);
    assert_eq!(team.tickets()[0]["ticket"]["more"], serde_json::json!({"squad": "Red"}));
}

#[test]
fn an_edit_takes_its_value_whole_and_goes_where_it_says() {
    let team = Team::new();
    team.talk(&[
        LOGIN[0],
        LOGIN[1],
        "title: Step 2 of the wizard crashes",
        "add criterion: item 2 in the list is greyed out",
        "y",
    ]);
    let ticket = team.tickets()[0]["ticket"].clone();
    assert_eq!(ticket["title"], "Step 2 of the wizard crashes");
    assert_eq!(ticket["lists"]["acceptance_criteria"][1], "Item 2 in the list is greyed out");
    let team = Team::new();
    team.talk(&[
        "create an epic with 2 stories for auth: sign up; reset",
        "problem of story 2: people forget passwords",
        "criterion of story 1: holds 100 items",
        "y",
    ]);
    let tickets = team.tickets();
    assert_eq!(tickets[2]["ticket"]["problem"], "People forget passwords.");
    assert_eq!(tickets[2]["ticket"]["title"], "Reset");
    assert_eq!(tickets[1]["ticket"]["lists"]["acceptance_criteria"][0], "Holds 100 items");
}

#[test]
fn stories_are_named_as_they_are_written() {
    let team = Team::new();
    team.talk(&["create an epic with 2 stories for errors: 2FA login; 404 page", "y"]);
    assert_eq!(team.titles(), ["Errors", "2FA login", "404 page"]);
    let team = Team::new();
    team.talk(&["create an epic with 2 stories for auth", "login: SSO works; logout: all devices", "y"]);
    assert_eq!(team.titles(), ["Auth", "Login: SSO works", "Logout: all devices"]);
}

#[test]
fn who_wants_no_ticket_gets_no_draft() {
    for said in [
        "I don't think we need a ticket for the login bug.",
        "Nobody needs a ticket for the login bug.",
        "create a ticket for the login bug, but not yet",
        "Please hold off creating a ticket for the login bug",
        "Create a ticket? No. Review the login flow.",
    ] {
        let told = Team::new().talk(&[said]);
        lacks(&told, &["Before I show you the ticket", "Run it?"]);
    }
    holds(&Team::new().talk(&["Create a ticket? No. Review the login flow."]), &["Review v1 ("]);
    for said in [
        "I don't see any error in the task list. Create a bug for it.",
        "I don't think the search works and we need a ticket for it",
    ] {
        lacks(&Team::new().talk(&[said]), &["I create or review nothing"]);
    }
}

#[test]
fn what_the_bot_recommends_works() {
    let review = "Review this architecture. We will use Postgres behind an API.";
    let told = Team::new().talk(&[review, review, "show full review"]);
    holds(&told, &["“show full review” the whole."]);
    assert_eq!(told.matches("Review v1 (architecture)").count(), 2, "{told}");
    for (said, title) in [
        ("/turnwise ticket the login of the shop", "Plan: \"Task: The login of the shop\""),
        ("/ticket the login of the shop", "Plan: \"Task: The login of the shop\""),
    ] {
        holds(&Team::new().talk(&[said, "1. Users get a 500. 2. It lets people in."]), &[title]);
    }
    let told = Team::new().talk(&["/ticket login bug. Users get 500. It should log in."]);
    holds(&told, &["Plan: \"Bug: Login bug\"", "Problem: Users get 500.", "1. It should log in."]);
}

#[test]
fn what_a_patch_has_no_room_for_is_told_by_the_next() {
    let many: Vec<String> = (1..=15).map(|number| format!("We decided on part {number} of it.")).collect();
    let team = Team::new();
    let told = team.talk(&["Review this architecture: one queue for all", &many.join(" ")]);
    holds(&told, &["part 12 of it.", "And 3 more: the next patch tells them, “show full review” all there is."]);
    lacks(&told, &["- We decided on part 13 of it."]);
    let told = team.go_on(&["We decided on a canary rollout."]);
    holds(
        &told,
        &["- We decided on part 13 of it.", "- We decided on part 15 of it.", "- We decided on a canary rollout."],
    );
}

#[test]
fn what_the_whole_review_told_is_not_told_again_by_the_next_patch() {
    let many: Vec<String> = (1..=15).map(|number| format!("We decided on part {number} of it.")).collect();
    let team = Team::new();
    team.talk(&["Review this architecture: one queue for all", &many.join(" ")]);
    holds(&team.go_on(&["show full review"]), &["- We decided on part 13 of it."]);
    let told = team.go_on(&["We decided on a canary rollout."]);
    holds(&told, &["what is new:\nNew decisions:\n- We decided on a canary rollout."]);
}
