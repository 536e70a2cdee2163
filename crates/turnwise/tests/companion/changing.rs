//! What is changed again: setups that are left, notes that are edited and grouped, undoing, names that two projects
//! share, folders of another project. Next: `main`.

use super::{Desk, FARM, approvals, holds, in_plain_words, lacks};

#[test]
fn a_setup_is_left_by_the_words_people_leave_things_with_and_taken_up_again() {
    for leaves in ["cancel", "never mind", "stop asking", "forget it", "quit", "I changed my mind"] {
        let told = Desk::new().talk(&["start a new project", leaves, "list my projects", "hmm"]);
        holds(&told, &["Then there is no new project. Nothing was kept.", "You have no projects yet."]);
        lacks(&told, &["Back to"]);
    }
    let desk = Desk::new();
    let told = desk.talk(&[FARM[0], FARM[1], "cancel that please", "How's the project going?", "The soil is clay."]);
    holds(
        &told,
        &[
            "We leave the setup of FarmGuard there. What you said so far is kept",
            "FarmGuard: no notes yet.\nIts setup is not finished yet.",
            "I kept that as note 1 of FarmGuard: “The soil is clay”.",
        ],
    );
    lacks(&told, &["Back to FarmGuard"]);
    let told = desk.talk(&["go on with the setup", "small farms", "cancel"]);
    holds(&told, &["Who will use it?", "How should it sound", "We leave the setup of FarmGuard there."]);
}

#[test]
fn a_setup_is_taken_up_again_from_another_project() {
    let desk = Desk::new();
    desk.talk(&FARM);
    holds(&desk.talk(&["go on with the setup"]), &["There is no project being set up."]);
    desk.talk(&["start a new project called Harbor", "cancel"]);
    let told = desk.talk(&["switch to FarmGuard", "go on with the setup", "a book about harbors"]);
    holds(&told, &["We are on Harbor now", "What is the work?", "Who will use it?"]);
    desk.talk(&["cancel", "start a new project called Meadow", "cancel", "switch to FarmGuard"]);
    let told = desk.talk(&["switch to FarmGuard", "go on with the setup", "Harbor"]);
    holds(&told, &["Which project", "We are on Harbor now", "Who will use it?"]);
}

#[test]
fn a_note_is_edited_as_a_whole_or_in_part_and_undo_goes_back_change_by_change() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&[
        "Remember that the deadline is March 15th.",
        "change note 1 to the deadline is April 2nd",
        "replace April with May in note 1",
        "save note 1",
        "take back note 1",
        "undo",
        "undo",
        "undo",
        "undo",
        "undo",
        "change note 7 to nothing at all",
        "change note 1",
    ]);
    holds(
        &told,
        &[
            "Note 1 of FarmGuard now says: “the deadline is April 2nd”.",
            "Note 1 of FarmGuard now says: “the deadline is May 2nd”.",
            "Saved in FarmGuard: note 1.",
            "Taken back in FarmGuard: note 1.",
            "As before in FarmGuard: note 1.",
            "Waiting again in FarmGuard: note 1.",
            "Note 1 of FarmGuard now says: “the deadline is March 15th”.",
            "FarmGuard has no note with that number.",
            "What should the note say?",
        ],
    );
    let undone = told.rfind("Taken back in FarmGuard: note 1.").unwrap();
    assert!(
        undone > told.find("now says: “the deadline is March 15th”").unwrap(),
        "the last undo takes it back:\n{told}"
    );
}

#[test]
fn an_answer_of_a_setup_is_undone_and_asked_again() {
    let told = Desk::new().talk(&[FARM[0], FARM[1], "large farms", "undo", "small farms", "How's it going?"]);
    holds(
        &told,
        &["I took back what you said for “Who uses it” of FarmGuard. Who will use it?", "How should it sound"],
    );
}

#[test]
fn notes_are_grouped_found_by_their_group_and_taken_out_again() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&[
        "The deadline is March 15th.",
        "The soil is clay.",
        "The review is on March 20th.",
        "group notes 1 and 3 as Dates",
        "show my groups",
        "show me the notes in Dates",
        "take note 3 out of its group",
        "show me the notes in Dates",
        "drop the group Dates",
        "show my groups",
        "undo",
        "group notes 8 and 9 as Nothing",
        "show my groups",
    ]);
    holds(
        &told,
        &[
            "In the group “Dates” of FarmGuard now: notes 1 and 3.",
            "The groups of FarmGuard:\nDates: notes 1 and 3",
            "In the group “Dates” of FarmGuard:\n#3: The review is on March 20th (waiting)\n#1: The deadline is March 15th",
            "In no group of FarmGuard any more: note 3.",
            "The group “Dates” of FarmGuard is gone; its notes stay.",
            "FarmGuard has no groups yet",
            "FarmGuard has no note with that number.",
        ],
    );
    lacks(&told, &["Nothing: "]);
}

#[test]
fn two_projects_of_one_name_are_told_apart_and_asked_about() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&["start a new project called FarmGuard", "list my projects"]);
    holds(
        &told,
        &[
            "You have another project FarmGuard, so I call this one FarmGuard (2).",
            "Your projects: FarmGuard and FarmGuard (2).",
        ],
    );
    let told = desk.talk(&["Remember that in FarmGuard the soil is clay."]);
    holds(&told, &["Which project is this about?", "FarmGuard (2)"]);
    lacks(&told, &["I kept that"]);
    let told = desk.talk(&["switch to FarmGuard (2)", "Remember that the soil is loam.", "show me my notes"]);
    holds(&told, &["We are on FarmGuard (2) now", "note 1 of FarmGuard (2): “the soil is loam”"]);
    let told = desk.talk(&["Remember that the soil is clay.", "FarmGuard", "show me my notes"]);
    holds(
        &told,
        &["I kept that as note 1 of FarmGuard: “the soil is clay”", "Your notes on FarmGuard:\n#1: the soil is clay"],
    );
    let told = desk.talk(&["switch to FarmGuard (2)", "rename the project to Meadow", "list my projects", "undo"]);
    holds(
        &told,
        &[
            "FarmGuard (2) is called Meadow now.",
            "Your projects: FarmGuard and Meadow.",
            "It is called FarmGuard (2) again.",
        ],
    );
}

#[test]
fn a_folder_of_another_project_is_left_alone_and_headings_in_notes_stay_notes() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["The title is “# Soil ## Clay”."]);
    desk.talk_with_plans(&["export the project to ./out/guard", "y"]);
    let before = std::fs::read_to_string(desk.path().join("out/guard/project.md")).unwrap();
    desk.talk(&["start a new project called Harbor", "A book about harbors", "cancel"]);
    let told = desk.talk_with_plans(&["switch to Harbor", "export the project to ./out/guard", "y"]);
    holds(&told, &["another project, FarmGuard, is in that folder; name a new one"]);
    assert_eq!(std::fs::read_to_string(desk.path().join("out/guard/project.md")).unwrap(), before);
    // Its own folder is written over.
    let told = desk.talk_with_plans(&["switch to FarmGuard", "export the project to ./out/guard", "y"]);
    holds(&told, &["FarmGuard is written to ./out/guard: 1 note."]);
    let told = desk.talk(&["import project ./out/guard", "show me my notes"]);
    holds(&told, &["FarmGuard (2) is here now: 1 note.", "#1: The title is “# Soil ## Clay”"]);
}

#[test]
fn what_takes_a_yes_says_what_it_means_and_names_nothing_of_the_engine() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for (said, means) in [
        ("invite ben to the project", "ben has to agree to join, too."),
        ("leave the project", "That cannot be undone."),
        ("export the project to ./out/guard", "under the same names is written over."),
    ] {
        let told = desk.talk_with_plans(&[said, "no"]);
        let [asked] = approvals(&told).try_into().unwrap();
        holds(asked, &[means]);
        in_plain_words(asked);
    }
}

#[test]
fn approving_a_draft_approves_nothing_else() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for said in ["approve the draft", "The draft looks good, approve it.", "yes, the specification is approved"] {
        let told = desk.talk_with_plans(&["export the project to ./out/guard", said]);
        lacks(&told, &["is written to"]);
        assert!(!desk.path().join("out").exists(), "{said}:\n{told}");
    }
    let told = desk.talk_with_plans(&["export the project to ./out/guard", "yes, do it"]);
    holds(&told, &["FarmGuard is written to ./out/guard"]);
}

#[test]
fn on_a_machine_that_several_share_resuming_goes_on_with_ones_own_talk() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["Remember that the deadline is March 15th."]);
    let told = desk.resumed_as("ben", None);
    lacks(&told, &["March", "FarmGuard"]);
    holds(&told, &["there is no conversation"]);
    let told = desk.resumed_as("ada", None);
    holds(&told, &["Going on with conversation"]);
    let id = told.split("conversation ").nth(1).and_then(|rest| rest.split(';').next()).unwrap().to_owned();
    let told = desk.resumed_as("ben", Some(&id));
    lacks(&told, &["March", "FarmGuard"]);
    holds(&told, &["there is no conversation"]);
}

#[test]
fn help_speaks_of_what_can_be_done_here() {
    let told = Desk::new().talk_with_plans(&["/help"]);
    holds(
        &told,
        &["/note", "/undo", "/groups", "/files", "/members", "change note 1 to", "group notes 1 and 2", "invite ben"],
    );
}

#[test]
fn what_is_meant_is_found_by_other_words_and_by_what_documents_say() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["The pump costs 400 euros each month.", "The gate is painted green."]);
    let told = desk.talk(&["what have I told you about how expensive the pump is?", "what did I say about penguins?"]);
    holds(&told, &["#1: The pump costs 400 euros each month", "I found nothing about “penguins”"]);
    let told = desk.talk(&[
        "what have I told you about the budget?",
        "add a specification Soil: three types of loam",
        "what did I say about loam?",
    ]);
    holds(
        &told,
        &[
            "No note of FarmGuard speaks of “budget”. Elsewhere I found:\nIn the setup, What it keeps to: the budget is \
             20,000 euros",
            "The specification “Soil” of FarmGuard is written, version 1.",
            "In the specification “Soil”: three types of loam",
        ],
    );
    // A part of the setup is found by what it is called, and what is told there and in documents by what it means.
    let told = desk.talk(&[
        "what have I told you about the audience?",
        "add a specification Power: solar panels feed the controllers",
        "what have I told you about electricity from the sun?",
        "what have I told you about people who grow crops?",
    ]);
    holds(
        &told,
        &[
            "No note of FarmGuard speaks of “audience”. Elsewhere I found:\nIn the setup, Who uses it:",
            "The closest I have:\nIn the specification “Power”: solar panels feed the controllers",
            "says “people grow crops” in those words. The closest I have:\nIn the setup, Who uses it:",
        ],
    );
}

#[test]
fn what_is_said_after_a_no_is_a_request_of_its_own_and_brings_nothing_back() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk_with_plans(&["leave the project", "no", "list my projects", "yes", "list my projects"]);
    holds(&told, &["All right, nothing was done.", "Nothing waits for a yes or a no right now."]);
    lacks(&told, &["What should be different", "is deleted"]);
    assert_eq!(told.matches("Your projects: FarmGuard.").count(), 2, "{told}");
}

#[test]
fn a_name_given_at_the_beginning_is_the_name() {
    for begun in ["new project FarmGuard", "create a project called FarmGuard", "start the project “FarmGuard”"] {
        assert_eq!(Desk::new().last_reply(&["hmm", begun]), "What is FarmGuard? Tell me in a sentence or two.");
    }
}
