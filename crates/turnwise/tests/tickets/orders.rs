//! What an order says: all of it is taken, whatever is open when it is said, and a side question costs nothing.
//! Next: `worded`.

use serde_json::Value;

use super::LOGIN;
use super::team::{Team, holds, lacks};

/// The ticket that comes of `lines`, which end with a yes.
fn ticket(lines: &[&str]) -> Value {
    let team = Team::new();
    let told = team.talk(&[lines, &["y"]].concat());
    let mut tickets = team.tickets();
    assert_eq!(tickets.len(), 1, "{lines:?}: {told}");
    tickets.remove(0)["ticket"].take()
}

#[test]
fn an_order_of_several_sentences_is_one_of_its_own_whatever_is_asked() {
    let order = "create a ticket for logout. Logout hangs. It should end the session.";
    let team = Team::new();
    let told = team.talk(&["create a ticket for the export", order, "y"]);
    holds(&told, &["This takes the place of “create a ticket for the export”", "Created TASK-1: Logout"]);
    let [ticket] = team.tickets().try_into().unwrap();
    assert_eq!(ticket["ticket"]["problem"], "Logout hangs.");
    let told = team.talk(&["create an epic with 5 stories for auth", order]);
    lacks(&told, &["neither a yes nor another number"]);
    let told = team.talk(&["create a ticket for the export", "Review our login design. It keeps tokens for a year."]);
    holds(&told, &["Review v1", "Still open: Before I show you the ticket"]);
    // What only begins like one answers.
    let told = team.talk(&[LOGIN[0], "Log files grow. Each of them should be rotated."]);
    holds(&told, &["Problem: Log files grow."]);
}

#[test]
fn a_side_question_leaves_the_draft_and_its_question() {
    for aside in ["why?", "what is the weather", "how long does that take?", "what does that mean?"] {
        let team = Team::new();
        let told = team.talk(&[LOGIN[0], aside, LOGIN[1], "y"]);
        holds(&told, &["Still open: Before I show you the ticket", "Created TASK-1: Login bug"]);
    }
    let told = ticket(&[LOGIN[0], "Users get a 500. It should log in. Does it hit tablets?"]);
    assert_eq!(told["lists"]["open_questions"][0], "Does it hit tablets?");
}

#[test]
fn what_stands_behind_the_noun_is_kept_and_what_names_a_field_sets_it() {
    let body = "They get a 500. They should land on the dashboard.";
    for (order, title) in [
        ("Create a bug in checkout for Swiss customers.", "Bug in checkout for Swiss customers"),
        ("Create a bug ticket the export hangs for everyone on Windows.", "The export hangs for everyone on Windows"),
        ("Create a ticket for Bob: fix the refund job.", "Bob: fix the refund job"),
        ("Open a story as a clerk I want to see all bills.", "As a clerk I want to see all bills"),
        ("Please file a defect at the gate of the car park.", "Defect at the gate of the car park"),
    ] {
        assert_eq!(ticket(&[&format!("{order} {body}")])["title"], title, "{order}");
    }
    for (order, title, priority, assignee) in [
        ("Create a bug assigned to Ann, priority high, for the broken search.", "The broken search", "high", "Ann"),
        ("Create a high priority bug for the broken search.", "The broken search", "high", ""),
        ("File an urgent bug: search is broken.", "Search is broken", "urgent", ""),
        (
            "Open a task for the broken search, assigned to Jo Li, with low priority.",
            "The broken search",
            "low",
            "Jo Li",
        ),
    ] {
        let made = ticket(&[&format!("{order} {body}")]);
        assert_eq!(made["title"], title, "{order}");
        assert_eq!(made["more"]["priority"], priority, "{order}");
        assert_eq!(made["more"]["assignee"].as_str().unwrap_or_default(), assignee, "{order}");
    }
}

#[test]
fn a_title_that_is_named_is_the_title_and_a_reason_is_the_problem() {
    let made = ticket(&["Create a bug called \"Export broken\" because the export button does nothing in Safari. \
                        Done when a file comes."]);
    assert_eq!(made["title"], "Export broken");
    assert_eq!(made["problem"], "The export button does nothing in Safari.");
    assert_eq!(made["lists"]["acceptance_criteria"][0], "Done when a file comes.");
    for order in [
        "Create a story called Login with Google.",
        "Create a story titled “Login with Google”.",
        "Create a story with the title Login with Google.",
        "Create a story \"Login with Google\":",
    ] {
        let made = ticket(&[&format!("{order} Problem: people forget passwords. It should take one click.")]);
        assert_eq!(
            (&made["title"], &made["problem"]),
            (&"Login with Google".into(), &"People forget passwords.".into())
        );
    }
    let made = ticket(&["Could you open a bug because the export hangs?", "Done when a file comes."]);
    assert_eq!((&made["title"], &made["problem"]), (&"The export hangs".into(), &"The export hangs.".into()));
    let made = ticket(&["Create a bug: \"Log in\" button is dead. It does nothing. It should log in."]);
    assert_eq!(made["title"], "\"Log in\" button is dead");
    let team = Team::new();
    team.talk(&["Create an epic \"Billing\" with 2 stories: invoices - sent monthly; refunds - paid in a day", "y"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds"]);
    let team = Team::new();
    team.talk(&["Create an epic called Billing anew with 2 stories: invoices - sent; refunds - paid", "y"]);
    assert_eq!(team.titles(), ["Billing anew", "Invoices", "Refunds"]);
}

#[test]
fn several_without_an_epic_are_counted_from_the_first() {
    let order = "create 3 stories: alpha - works; beta - works; gamma - works";
    let team = Team::new();
    team.talk(&[order, "story 1 title: AA", "story 3: priority: high", "task 2 title: BB", "drop story 1", "y"]);
    assert_eq!(team.titles(), ["BB", "Gamma"]);
    assert_eq!(team.tickets()[1]["ticket"]["more"]["priority"], "high");
    let team = Team::new();
    team.talk(&[order, "ticket 3 title: CC", "item 1: drop", "y"]);
    assert_eq!(team.titles(), ["Beta", "CC"]);
}

#[test]
fn a_command_says_what_is_wanted_whatever_its_words_sound_like() {
    let team = Team::new();
    let told = team.talk(&["/discuss we should create a ticket for the login"]);
    holds(&told, &["I create or review nothing unless you ask for it."]);
    lacks(&told, &["Before I show you"]);
    let told = team.talk(&["/review create a ticket for login, then deploy it"]);
    holds(&told, &["Review v1"]);
    lacks(&told, &["Before I show you"]);
    let told = team.talk(&[LOGIN[0], "/review we keep tokens for a year", LOGIN[1]]);
    holds(&told, &["Review v1", "Plan: \"Bug: Login bug\""]);
}

#[test]
fn names_are_listed_with_an_and_and_without_a_colon() {
    let team = Team::new();
    let told = team.talk(&[
        "create 3 stories for the onboarding wizard: welcome screen, import contacts and invite team",
        "Each is shown once.",
        "y",
    ]);
    lacks(&told, &["named 2"]);
    assert_eq!(team.titles(), ["Welcome screen", "Import contacts", "Invite team"]);
    let team = Team::new();
    team.talk(&["Create two bugs: login fails on Firefox and logout hangs in Safari", "Both work there.", "y"]);
    assert_eq!(team.titles(), ["Login fails on Firefox", "Logout hangs in Safari"]);
    let told = team.talk(&["create 3 bugs: a; b"]);
    holds(&told, &["You asked for 3 bugs and named 2."]);
    let team = Team::new();
    team.talk(&["create an epic for billing with stories invoices, refunds and dunning", "yes", "y"]);
    assert_eq!(team.titles(), ["Billing", "Invoices", "Refunds", "Dunning"]);
}

#[test]
fn two_orders_of_one_sentence_are_two_tickets_of_their_kinds() {
    let team = Team::new();
    team.talk(&["Create a bug for login and a story for logout", "1. It logs in. 2. It logs out.", "y"]);
    let made: Vec<(String, String)> = team
        .tickets()
        .iter()
        .map(|made| (made["ticket"]["kind"].to_string(), made["ticket"]["title"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(made, [("\"bug\"".to_owned(), "Login".to_owned()), ("\"story\"".to_owned(), "Logout".to_owned())]);
}

#[test]
fn what_is_labelled_goes_where_its_label_says() {
    let made =
        ticket(&["Create a ticket. Priority: high. Team: Payments. Problem: invoices break. Acceptance: CSV and \
                        JSON work. Out of scope: PDF."]);
    assert_eq!((&made["title"], &made["more"]["priority"]), (&"Invoices break".into(), &"high".into()));
    assert_eq!(made["problem"], "Team: Payments. Invoices break.");
    assert_eq!(made["lists"]["acceptance_criteria"][0], "CSV and JSON work.");
    assert_eq!(made["lists"]["constraints"][0], "PDF.");
}

#[test]
fn what_answers_nothing_is_asked_again_and_what_orders_nothing_drafts_nothing() {
    let team = Team::new();
    let told = team.talk(&[
        "create a ticket for dark mode",
        "1. I do not know. 2. No idea.",
        "People work at night.",
        "It is dark.",
        "y",
    ]);
    holds(&told, &["Still missing:", "Created TASK-1"]);
    assert_eq!(team.tickets()[0]["ticket"]["problem"], "People work at night.");
    let told = team.talk(&["can you create tickets?", "Happy birthday Anna!", "Let's brainstorm about offline mode"]);
    lacks(&told, &["Before I show you", "What are the", "I'm not sure what you'd like me to do"]);
    holds(&team.talk(&["Have a critical look at how we do retries"]), &["Review v1"]);
    holds(&team.talk(&["undo that"]), &["I take nothing back"]);
    assert_eq!(team.tickets().len(), 1);
}

#[test]
fn what_is_dropped_and_what_is_ordered_behind_it_are_both_done() {
    let team = Team::new();
    let order = "Drop that. Review our login design: we keep tokens for a year.";
    let told = team.talk(&[LOGIN[0], order, "y"]);
    holds(&told, &["Dropped. Nothing was executed.", "Review v1"]);
    let told = team.talk(&[LOGIN[0], LOGIN[1], order, "y"]);
    holds(&told, &["Review v1", "Nothing waits for a yes or a no"]);
    let told = team.talk(&[LOGIN[0], LOGIN[1], "No. Create a ticket for logout. Logout hangs. It should end.", "y"]);
    holds(&told, &["Created TASK-1: Logout"]);
    assert_eq!(team.titles(), ["Logout"]);
}
