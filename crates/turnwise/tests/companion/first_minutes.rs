//! What somebody says in the first ten minutes who has read nothing: praise, thanks, a yes to nothing, reminders, notes
//! by what they are about, a question in the middle of another. Next: `changing`.

use super::{Desk, FARM, holds, lacks};

/// What the engine says where a yes or no meets no question.
const NOTHING_WAITS: &str = "Nothing waits for a yes or a no";

#[test]
fn praise_and_thanks_are_acknowledged_and_taken_for_nothing_else() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for said in ["that's great", "Perfect!", "great, thanks", "good job", "sounds good", "I love it"] {
        let told = desk.last_reply(&["Remember that the deadline is March 15th.", said]);
        let told = told.lines().last().unwrap();
        assert!(told.starts_with("All right.") || told.starts_with("You are welcome."), "{said}: {told}");
        assert!(told.len() < 80, "{said}: {told}");
        lacks(told, &[NOTHING_WAITS, "note 2"]);
    }
    // Nobody is told that something was done for a yes to nothing.
    holds(&desk.talk(&["yes"]), &[NOTHING_WAITS]);
}

#[test]
fn small_talk_in_a_setup_is_no_answer_and_the_question_stays() {
    let told = Desk::new().talk(&[FARM[0], "yes", "thanks a lot", "good morning", "what was the question?", "maybe"]);
    assert_eq!(told.matches("Back to New project: What is the work?").count(), 5, "{told}");
    lacks(&told, &["I call it", NOTHING_WAITS, "Who will use it?"]);
}

#[test]
fn a_setup_that_passes_over_the_work_asks_for_it_at_last_and_is_ready_after() {
    let told = Desk::new().talk(&["new project: Garden", "skip", "skip", "skip", "skip", "skip", "no"]);
    holds(&told, &["One thing is still missing for Garden. What is the work?"]);
    lacks(&told, &["finalize it"]);
    let told = Desk::new().talk(&[
        "new project: Garden",
        "skip",
        "skip",
        "skip",
        "skip",
        "skip",
        "no",
        "beds for herbs",
        "finalize it",
    ]);
    holds(&told, &["The work: beds for herbs", "Garden is set up."]);
}

#[test]
fn a_question_and_a_reminder_begin_no_project() {
    let desk = Desk::new();
    let told = desk.talk(&["what's my project called?", "remind me to call Rosa tomorrow"]);
    holds(&told, &["You have no projects yet.", "so nothing was kept"]);
    desk.talk(&FARM);
    let told = desk.talk(&["remind me to call Rosa tomorrow", "TODO: order the pump", "what's my project called?"]);
    holds(&told, &["“call Rosa tomorrow”", "“TODO: order the pump”", "Your projects: FarmGuard."]);
}

#[test]
fn notes_are_named_by_number_by_range_and_by_what_they_are_about() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["we booked the band for 6pm", "Rosa cooks for 45 euros a head", "the tent is white"]);
    let told = desk.talk(&["how many notes do I have?", "show note 2", "note 3", "show note 9", "save notes 1-3"]);
    holds(
        &told,
        &[
            "FarmGuard has 3 notes; 3 of them waiting to be saved.",
            "#2: Rosa cooks for 45 euros a head",
            "#3: the tent is white",
            "FarmGuard has no note with that number.",
            "Saved in FarmGuard: notes 1, 2 and 3.",
        ],
    );
    let told = desk.talk(&["tell me about the tent", "how much is the head?", "anything about the band?"]);
    holds(&told, &["On “tent”", "On “band”", "#1: we booked the band for 6pm"]);
    let told = desk.talk(&["delete the note about the band", "delete the note about the moon", "show me my notes"]);
    holds(&told, &["Taken back in FarmGuard: note 1.", "I keep nothing about “the moon” in FarmGuard"]);
    lacks(told.rsplit("Your notes on FarmGuard").next().unwrap(), &["band"]);
    desk.talk(&["the band wants a stage", "the band wants light"]);
    let told = desk.talk(&["delete the note about the band", "show me my notes"]);
    holds(
        &told,
        &["Several notes on FarmGuard speak of “the band”", "#4: the band wants a stage", "#5: the band wants light"],
    );
    lacks(&told, &["Taken back"]);
}

#[test]
fn a_note_is_saved_and_taken_back_by_what_it_is_about_and_no_other_with_it() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["the keel bolts have to be replaced", "the mast is fine", "varnish needs three coats"]);
    let told = desk.talk(&["save the one about the keel", "save the note about the sails", "delete the mast note"]);
    holds(
        &told,
        &["Saved in FarmGuard: note 1.", "I found nothing about “the sails”", "Taken back in FarmGuard: note 2."],
    );
    let told = desk.talk(&["show my notes", "save the waiting notes"]);
    holds(&told, &["#1: the keel bolts", "#3: varnish needs three coats (waiting)", "Saved in FarmGuard: note 3."]);
}

#[test]
fn all_waiting_notes_about_one_thing_are_saved_however_many_there_are() {
    let desk = Desk::new();
    desk.talk(&FARM);
    let mut told: Vec<String> = (1..=12).map(|row| format!("the wet tents of row {row} have to be dried")).collect();
    told.push("varnish needs three coats".to_owned());
    desk.talk(&told.iter().map(String::as_str).collect::<Vec<_>>());
    desk.talk(&["save the notes about the wet tents"]);
    holds(&desk.talk(&["save the waiting notes"]), &["Saved in FarmGuard: note 13."]);
}

#[test]
fn a_number_in_what_notes_are_about_is_no_number_of_a_note() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["we rent 2 tents", "the band plays at six", "Rosa cooks for 45 euros a head"]);
    let told = desk.talk(&["what did I note about the 45 euros?", "show me the notes about the 2 tents"]);
    holds(&told, &["On “45 euros”, in FarmGuard:\n#3: Rosa", "On “2 tents”, in FarmGuard:\n#1: we rent 2 tents"]);
    lacks(&told, &["#2"]);
    let told = desk.talk(&["show me notes 1 to 2", "what is in note 3 exactly?"]);
    holds(&told, &["#1: we rent 2 tents", "#2: the band plays at six", "#3: Rosa cooks"]);
    holds(&desk.talk(&["delete the note about the 2 tents"]), &["Taken back in FarmGuard: note 1."]);
    holds(&desk.talk(&["delete the note about the 3 tents"]), &["I keep nothing about “the 3 tents” in FarmGuard"]);
    holds(&desk.talk(&["delete the note with number 3"]), &["Taken back in FarmGuard: note 3."]);
}

#[test]
fn what_somebody_told_of_themselves_is_forgotten_when_they_say_so_and_can_be_had_back() {
    let desk = Desk::new();
    let told = desk.talk(&["I'm allergic to bees", "forget that I'm allergic to bees", "what do you know about me?"]);
    holds(&told, &["I forgot that about you: “I'm allergic to bees”.", "You have not told me anything about yourself"]);
    holds(
        &desk.talk(&["undo", "what do you know about me?"]),
        &["What you told me about yourself:\nI'm allergic to bees"],
    );
    let told = desk.talk_as("ben", &["what do you know about me?"]);
    lacks(&told, &["bees"]);
    // Each undo takes back the change before, also where others told of themselves in between.
    desk.talk(&["I'm allergic to nuts", "forget that I'm allergic to nuts"]);
    desk.talk_as("ben", &["I'm allergic to milk"]);
    let told = desk.talk(&["undo", "undo", "undo", "undo"]);
    let (nuts, bees) =
        ("I forgot that about you: “I'm allergic to nuts”.", "I forgot that about you: “I'm allergic to bees”.");
    holds(&told, &["I keep that about you again: “I'm allergic to nuts”.", nuts, bees, "There is nothing"]);
    assert!(told.find(nuts) < told.find(bees), "{told}");
    holds(&desk.talk_as("ben", &["what do you know about me?"]), &["I'm allergic to milk"]);
}

#[test]
fn a_note_goes_to_the_project_it_is_told_for_and_is_found_from_another() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["new project: Kitchen", "cancel"]);
    let told = desk.talk(&["switch to FarmGuard", "in Kitchen, note that the oven is broken", "switch to FarmGuard"]);
    holds(&told, &["I kept that as note 1 of Kitchen: “the oven is broken”."]);
    let told = desk.talk(&["switch to FarmGuard", "what have I told you about the oven?"]);
    holds(&told, &["But there is something in Kitchen:\n#1: the oven is broken"]);
    // Who turns to a project whose setup was left is told of it, and not asked at once.
    let told = desk.talk(&["switch to Kitchen", "The sink is new.", "go on with the setup"]);
    holds(&told, &["“go on with the setup” takes it up", "note 2 of Kitchen: “The sink is new”", "What is the work?"]);
}

#[test]
fn praise_is_no_yes_to_what_cannot_be_undone() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for praise in ["that's great", "nice one", "I love it"] {
        let told = desk.talk_with_plans(&["delete the project", praise]);
        lacks(&told, &["is deleted"]);
    }
    holds(&desk.talk(&["list my projects"]), &["Your projects: FarmGuard."]);
    holds(&desk.talk_with_plans(&["delete the project", "that's great", "yes"]), &["FarmGuard is deleted"]);
}

#[test]
fn a_setup_that_was_summed_up_is_completed_by_plain_words_and_one_that_was_not_is_not() {
    for right in ["looks good", "yes", "that's right"] {
        let told = Desk::new().talk(&[&FARM[..7], &[right]].concat());
        holds(&told, &["FarmGuard is set up."]);
    }
    lacks(&Desk::new().talk(&[&FARM[..7], &["that's great"]].concat()), &["is set up"]);
    lacks(&Desk::new().talk(&[&FARM[..4], &["looks good"]].concat()), &["is set up", "Also:"]);
    // What is said to something else says nothing of the setup; what shows it again is confirmed again.
    let kept = [&FARM[..7], &["Remember that the soil is clay.", "perfect"]].concat();
    let told = Desk::new().talk(&kept);
    lacks(&told, &["is set up"]);
    holds(&told, &["note 1 of FarmGuard", "All right."]);
    let shown = [&kept[..], &["the audience is gardeners", "perfect"]].concat();
    holds(&Desk::new().talk(&shown), &["FarmGuard is set up."]);
    lacks(&Desk::new().talk(&[&FARM[..7], &["what do you know about me?", "all right"]].concat()), &["is set up"]);
}

#[test]
fn whoever_asks_how_this_is_used_is_told_what_to_say() {
    let desk = Desk::new();
    desk.talk(&FARM);
    for said in ["how do I invite someone?", "what can I say?"] {
        holds(&desk.talk(&[said]), &["“remember that …”", "“invite ben to the project”"]);
    }
}

#[test]
fn how_files_come_in_is_told() {
    let desk = Desk::new();
    desk.talk(&FARM);
    holds(
        &desk.talk(&["how do I add a document?"]),
        &["Files come in on the page of the project", "add a specification"],
    );
}

/// What a project holds answers a question in its words, however like a question about progress it is worded.
#[test]
fn a_question_about_what_was_told_is_not_answered_with_a_count() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["Remember that the budget is 4,000 pounds.", "Remember that Rosa is going to sail the boat over."]);
    for (said, told) in [
        ("what's the budget again?", "4,000 pounds"),
        ("who's going to sail it?", "Rosa is going to sail"),
        ("what is the current budget?", "4,000 pounds"),
    ] {
        holds(&desk.last_reply(&[said]), &[told]);
    }
    for said in ["how is it going?", "how are things going so far?", "what's the status?"] {
        lacks(&desk.last_reply(&[said]), &["4,000 pounds"]);
    }
}
