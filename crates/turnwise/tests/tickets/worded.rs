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
fn a_noun_of_many_in_an_order_of_one_makes_one_ticket() {
    for (said, title) in [
        (
            "Create a ticket: the checkout loses items in the cart. Problem: after login the cart of a guest is thrown \
             away. Acceptance criteria: the cart of a guest is there after login; it holds all items",
            "The checkout loses items in the cart",
        ),
        (
            "We need a ticket for tasks that never end. Problem: tasks hang. Acceptance criteria: tasks end",
            "Tasks that never end",
        ),
        (
            "Create a bug for the 5 failing items in checkout. They fail at once. They should pass.",
            "The 5 failing items in checkout",
        ),
        ("Create a ticket for the tasks page. It is slow. It should load in 2 s.", "The tasks page"),
    ] {
        let team = Team::new();
        let told = team.talk(&[said, "y"]);
        lacks(&told, &["You're about to create", "What are the"]);
        assert_eq!(team.titles(), [title], "{told}");
    }
}

#[test]
fn each_of_several_tickets_is_asked_how_it_is_seen_to_be_done() {
    let team = Team::new();
    let told = team.talk(&["Create 2 tickets: login fails on mobile; export drops the last row", "y"]);
    holds(&told, &["how will we see that each is done?", "1. Login fails on mobile", "2. Export drops the last row"]);
    lacks(&told, &["Run it?"]);
    assert!(team.tickets().is_empty(), "{told}");
    let told = team.talk(&[
        "Create 2 tickets: login fails on mobile; export drops the last row. Priority: High.",
        "1. It logs in on a phone. 2. It holds all rows.",
        "y",
    ]);
    holds(&told, &["Created 2 tickets:"]);
    let of = |at: usize| team.tickets()[at]["ticket"].clone();
    assert_eq!(of(0)["lists"]["acceptance_criteria"], serde_json::json!(["It logs in on a phone."]));
    assert_eq!(of(1)["lists"]["acceptance_criteria"], serde_json::json!(["It holds all rows."]));
    assert_eq!(of(1)["problem"], "Export drops the last row.");
    assert_eq!(of(1)["more"], serde_json::json!({"priority": "High"}));
}

#[test]
fn fields_are_taken_from_the_order_and_by_the_form_that_is_taught() {
    let team = Team::with_project(r#"{"key": "SHOP", "required": {"squad": ["Red", "Blue"]}}"#);
    let order = "Create a ticket for the export. It hangs. It should end. Priority: High. Story points: 5. Squad: Red.";
    let told = team.talk(&[order, "y"]);
    lacks(&told, &["SHOP requires squad"]);
    let ticket = team.tickets()[0]["ticket"].clone();
    assert_eq!(ticket["problem"], "It hangs.", "{told}");
    assert_eq!(ticket["more"], serde_json::json!({"priority": "High", "squad": "Red", "story points": "5"}));
    let told = team.talk(&["Create a ticket for dark mode. It is bright. It should be dark.", "squad: blue", "y"]);
    holds(&told, &["Created SHOP-2"]);
    assert_eq!(team.tickets()[1]["ticket"]["more"]["squad"], "blue");
}

#[test]
fn a_short_first_message_is_what_a_ticket_is_about() {
    let team = Team::new();
    let told = team.talk(&["The export hangs.", "turn this into a bug", "It ends within a minute, always.", "y"]);
    assert_eq!(team.titles(), ["The export hangs"], "{told}");
}

#[test]
fn the_kind_is_changed_by_its_name() {
    let team = Team::new();
    let told = team.talk(&[LOGIN[0], LOGIN[1], "type: story", "y"]);
    holds(&told, &["Plan: \"Story: Login bug\""]);
    assert_eq!((&team.tickets()[0]["ticket"]["kind"], team.tickets().len()), (&serde_json::json!("story"), 1));
    holds(&Team::new().talk(&[LOGIN[0], LOGIN[1], "make it a task"]), &["Plan: \"Task: Login bug\""]);
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
