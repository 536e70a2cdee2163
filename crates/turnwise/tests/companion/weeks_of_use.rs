//! What people say once they use it: projects begun in one breath, corrections of what was just told, questions in
//! other words than the notes, things named by what they are about, goodbyes. Next: `first_minutes`.

use super::{Desk, FARM, holds, lacks};

#[test]
fn a_correction_changes_the_note_it_is_about_and_undo_brings_it_back() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let told = desk.talk(&[
        "the plumber comes Monday at 8",
        "he also found that the keel bolts are fine",
        "make that Tuesday at 8 for the plumber",
        "no wait, the keel bolts are not fine, two of them are corroded",
        "the tubs go on the left",
        "no, on the right",
        "undo",
        "how many notes do I have?",
        "show me my notes",
    ]);
    holds(
        &told,
        &[
            "Note 1 of FarmGuard now says: “the plumber comes Tuesday at 8”.",
            "Note 2 of FarmGuard now says: “the keel bolts are not fine, two of them are corroded”.",
            "Note 3 of FarmGuard now says: “the tubs go on the right”.",
            "FarmGuard has 3 notes",
            "#3: the tubs go on the left (waiting)",
        ],
    );
    // What corrects nothing that was told is kept as it is, without how it begins.
    let told = desk.talk(&["actually, the roof is flat", "actually, Wednesdays are fine too"]);
    holds(&told, &["note 4 of FarmGuard: “the roof is flat”", "note 5 of FarmGuard"]);
}

#[test]
fn a_project_is_begun_in_one_breath_and_not_twice() {
    let told = Desk::new().talk(&["start a project: Mill Street 12, a house that is renovated"]);
    holds(&told, &["I call it Mill Street 12 for now. Who will use it?"]);
    let told = Desk::new().talk(&["set up a project for the refit of the Albatross", "an old ketch, hull and rig"]);
    holds(&told, &["What is Refit of the Albatross?", "Who will use it?"]);
    let desk = Desk::new();
    let told = desk.talk(&[
        "I need to keep track of a yacht delivery",
        "yes please, new project",
        "It's called Heron, a delivery",
    ]);
    holds(&told, &["What is the work?", "I call it Heron for now. Who will use it?"]);
    holds(&desk.talk(&["list my projects"]), &["Your projects: Heron."]);
}

#[test]
fn a_setup_is_right_in_whatever_words_people_say_that() {
    for said in ["yep, that's right", "perfect, go ahead", "yes, all correct", "looks good to me", "that's exactly it"]
    {
        let mut lines = FARM[..7].to_vec();
        lines.push(said);
        holds(&Desk::new().talk(&lines), &["FarmGuard is set up."]);
    }
    let mut lines = FARM[..7].to_vec();
    lines.extend(["yes keep all that", "is it right?"]);
    lacks(&Desk::new().talk(&lines), &["FarmGuard is set up."]);
}

#[test]
fn questions_in_other_words_are_answered_with_what_is_closest_or_with_the_setup() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["the crane is only free on Tuesdays", "the stove is the old one"]);
    let told = desk.talk(&[
        "what days can we use the crane?",
        "is the stove staying?",
        "is there a budget?",
        "who are we doing this for?",
        "do I have any notes that aren't saved yet?",
        "I need the floor plan",
    ]);
    holds(
        &told,
        &[
            "The closest I have, in FarmGuard:\n#1: the crane is only free on Tuesdays (waiting)",
            "#2: the stove is the old one (waiting)",
            "In the setup, What it keeps to: the budget is 20,000 euros",
            "In the setup, Who uses it: small farms",
            "Waiting to be saved in FarmGuard:\n#2: the stove is the old one (waiting)",
            "FarmGuard has no finished artefacts yet.",
        ],
    );
    // What is asked of the work as a whole is still answered with how it stands.
    holds(&desk.talk(&["How's the project going?"]), &["FarmGuard: 2 notes."]);
}

#[test]
fn notes_are_saved_grouped_and_taken_back_by_pointing_at_them_and_goodbyes_are_returned() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["frames seven to nine are rotten", "the keel bolts are fine", "tomatoes need basil beside them"]);
    let told = desk.talk(&[
        "put the frames and the keel bolts together under Hull",
        "put the sails under Rig",
        "great, save all of that",
        "scratch that about the basil, slugs eat it",
        "forget the frames",
        "that's all for today, cheers",
    ]);
    holds(
        &told,
        &[
            "In the group “Hull” of FarmGuard now: notes 1 and 2.",
            "I found nothing about “the sails” among your notes on FarmGuard.",
            "Saved in FarmGuard: notes 1, 2 and 3.",
            "Taken back in FarmGuard: note 3.",
            "Taken back in FarmGuard: note 1.",
            "Until next time.",
        ],
    );
    lacks(&told, &["note 4"]);
}
