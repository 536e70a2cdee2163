//! What a fresh user tried: orders that are none, projects that are named, corrections that name little, and a setup
//! that is looked at and opened again. Next: `main`.

use super::{Desk, approvals, holds, lacks};

/// A setup up to its summary.
const HARBOR: [&str; 7] = ["start a new project called Harbor", "a guide", "tourists", "skip", "skip", "skip", "skip"];

/// What is said to a desk that has this setup before it, and to nothing else.
fn at_the_summary(said: &[&str]) -> String {
    let desk = Desk::new();
    desk.talk(&[&HARBOR[..], said].concat())
}

#[test]
fn a_setup_is_finished_by_a_clear_yes_and_by_nothing_that_is_asked_or_forbidden() {
    let none = [
        "don't finalize it",
        "do not finalize yet",
        "the setup is wrong",
        "is the setup complete?",
        "how do I finalize?",
        "show me the setup",
    ];
    let told = at_the_summary(&none);
    lacks(&told, &["Harbor is set up."]);
    holds(&told, &["All right, that is left as it is."]);
    assert!(told.matches("The work: a guide\nWho uses it: tourists").count() >= 3, "{told}");
    for said in ["finalize it", "looks good", "yes", "I think we have everything, finalize", "ready to finalize"] {
        holds(&at_the_summary(&[said]), &["Harbor is set up."]);
    }
}

#[test]
fn an_order_about_a_whole_project_takes_the_one_that_is_named_and_no_other() {
    let desk = Desk::new();
    for _ in 0..2 {
        desk.talk(&["start a new project called Alpha", "a guide", "cancel"]);
    }
    let at = "switch to Alpha (2)";
    let told = desk.talk_with_plans(&[at, "delete the project Alpha", "no"]);
    holds(approvals(&told)[0], &["Delete Alpha for good"]);
    let told = desk.talk_with_plans(&[at, "delete the project Zebra", "leave the project Zebra", "list my projects"]);
    holds(&told, &["You have no project called Zebra", "Your projects: Alpha and Alpha (2)."]);
    assert_eq!(approvals(&told), Vec::<&str>::new(), "{told}");
    let told = desk.talk_with_plans(&[at, "delete the project", "no"]);
    holds(approvals(&told)[0], &["Delete Alpha (2) for good"]);
    let told = desk.talk(&[at, "rename Zebra to Yak", "rename Alpha to Beta", "rename the project to Gamma"]);
    holds(&told, &["You have no project called Zebra", "Alpha is called Beta now.", "is called Gamma now."]);
    holds(&desk.talk(&["list my projects"]), &["Your projects: Beta and Gamma."]);
    // “my” and “get” stand around a name, and may be in one.
    for name in ["My App", "Get Fit"] {
        desk.talk(&[&format!("start a new project called {name}"), "a guide", "cancel"]);
        let told = desk.talk_with_plans(&["switch to Beta", &format!("delete the project {name}"), "no"]);
        holds(approvals(&told)[0], &[&format!("Delete {name} for good")]);
    }
}

/// What the notes say in the end.
fn notes_after(said: &[&str]) -> String {
    let desk = Desk::new();
    desk.talk(&[&HARBOR[..], &["finalize it"]].concat());
    let told = desk.talk(said);
    format!("{}\n---\n{told}", desk.talk(&["show me my notes"]))
}

#[test]
fn a_correction_changes_what_was_told_last_and_only_the_part_that_is_meant() {
    let told = notes_after(&["The tax rate is 19 percent", "save", "How is it going?", "sorry, I am back at 5"]);
    holds(&told, &["#1: The tax rate is 19 percent"]);
    let told = notes_after(&[
        "The pump costs 240 euros",
        "The hose costs 30 euros",
        "actually the pump costs 260 euros",
        "no wait, 280",
    ]);
    holds(&told, &["#1: The pump costs 280 euros", "#2: The hose costs 30 euros"]);
    let told = notes_after(&["Rosa brings the flowers and Tom brings the stones", "no, Rosa brings the stones"]);
    holds(&told, &["#1: Rosa brings the stones and Tom brings the stones"]);
    let told = notes_after(&["Tom has 4 goats and Ann has 2 sheep", "no, Tom has 5 goats", "actually Ann has 6"]);
    holds(&told, &["#1: Tom has 5 goats and Ann has 6 sheep"]);
}

#[test]
fn a_correction_that_only_names_what_holds_changes_the_note_it_follows() {
    for (told, corrects, holds_now) in [
        ("The budget is 300 euros", "correction: 350 euros", "The budget is 350 euros"),
        ("The door code is 4711", "it isn't 4711, it's 4712", "The door code is 4712"),
        ("We need 3 filters", "no wait, 4 filters", "We need 4 filters"),
        ("The market is on Monday", "not Monday but Sunday", "The market is on Sunday"),
        ("The cake is from Bart", "sorry, Bert", "The cake is from Bert"),
    ] {
        let told = notes_after(&[told, corrects]);
        holds(&told, &[&format!("#1: {holds_now}")]);
        lacks(&told, &["#2"]);
    }
    let told = notes_after(&["The market is on Monday", "sorry, Tuesday", "no, on Friday"]);
    holds(&told, &["#1: The market is on Friday"]);
}

#[test]
fn undo_opens_a_setup_again_before_it_takes_answers_back() {
    let desk = Desk::new();
    let told = desk.talk(&[&HARBOR[..], &["finalize it", "undo", "How's it going?", "looks good"]].concat());
    holds(&told, &["The setup of Harbor is open again. It reads:\nThe work: a guide\nWho uses it: tourists"]);
    assert_eq!(told.matches("Harbor is set up.").count(), 2, "{told}");
    let told =
        desk.talk(&["The gate is red", "can I undo?", "forget everything", "undo everything", "show me my notes"]);
    holds(&told, &["Yes: “undo” takes your last change back", "I do not take everything back", "#1: The gate is red"]);
}

#[test]
fn what_is_said_at_the_summary_changes_the_setup_and_looks_good_still_finishes_it() {
    for said in ["no, the audience is locals", "yes, the audience is locals"] {
        let told = at_the_summary(&[said, "show me my notes", "looks good"]);
        holds(&told, &["Who uses it: locals", "There are no notes on Harbor yet.", "Harbor is set up."]);
    }
    let told = at_the_summary(&["yes, but call it Harbour", "The gate is red", "looks good"]);
    holds(&told, &["Harbor is called Harbour now.", "note 1 of Harbour: “The gate is red”", "Harbour is set up."]);
}

#[test]
fn what_is_asked_for_during_a_setup_is_no_answer() {
    let told =
        Desk::new().talk(&["start a new project called Harbor", "go back", "a guide", "show me the setup", "go back"]);
    holds(
        &told,
        &[
            "There is no answer before this one.\nBack to Harbor: What is the work?",
            "What I have for Harbor so far:\nThe work: a guide\nBack to Harbor: Who will use it?",
            "I took back what you said for “The work” of Harbor.",
        ],
    );
}

#[test]
fn what_is_said_in_one_breath_is_kept() {
    let app = "an app for tracking expenses for my family with a budget of 500 euros";
    let told = Desk::new().talk(&[&format!("I want to build {app}, call it Purse"), "show me the setup"]);
    holds(&told, &["I call it Purse for now.", "The work: an app for tracking expenses for my family\n"]);
    holds(&told, &["Who uses it: my family\nWhat it keeps to: a budget of 500 euros"]);
    let told = Desk::new().talk(&[
        "start a new project called Harbor: a guide for kayak tours, for tourists, friendly voice",
        "show me the setup",
    ]);
    holds(&told, &["I call it Harbor for now.", "The work: a guide for kayak tours\nWho uses it: tourists\n"]);
    holds(&told, &["How it sounds: friendly\n"]);
    let told = Desk::new().talk(&["start a new project", "A school garden, call it Beet", "show me the setup"]);
    holds(&told, &["I call it Beet for now.", "The work: A school garden\n"]);
}

#[test]
fn the_setup_is_found_and_what_is_forbidden_is_left_alone() {
    let desk = Desk::new();
    desk.talk(&[&HARBOR[..3], &["plain", "the budget is 500 euros", "skip", "skip", "finalize it"]].concat());
    desk.talk(&["start a new project called Barn", "a barn", "cancel"]);
    for (asked, told) in [
        ("who uses it?", "tourists"),
        ("Who is it for?", "tourists"),
        ("how does it sound?", "plain"),
        ("what are the constraints?", "the budget is 500 euros"),
    ] {
        let said = desk.talk(&["switch to Harbor", asked]);
        holds(&said, &[told]);
        lacks(&said, &["I would rather not guess"]);
    }
    let told = desk.talk(&["switch to Barn", "remember for Harbor that the gate is red", "show me my notes"]);
    holds(&told, &["note 1 of Harbor: “the gate is red”"]);
    let told = desk.talk(&[
        "switch to Harbor",
        "do not save note 1",
        "don't delete note 1",
        "don't switch to Barn",
        "show me my notes",
        "Rita pays",
    ]);
    holds(&told, &["#1: the gate is red (waiting)", "To have it kept, say"]);
    lacks(&told, &["I cannot move notes", "We are on Barn now", "#2"]);
}
