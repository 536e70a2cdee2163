//! What was told is found by asking for it as people ask: of oneself, of the setup by its name, of documents; and what
//! only comes close is told as that. What is not done here is said, and what only sounds like an order is kept. Next:
//! `main`.

use serde_json::json;

use super::{Desk, FARM, holds, lacks, says};

#[test]
fn what_was_told_of_oneself_is_found_by_asking_for_it() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["I parked on level 10", "my name is Ada", "I'm allergic to bees", "I live in Kiel"]);
    for (asked, told) in [
        ("where did I park?", "I parked on level 10"),
        ("what level did I park on?", "I parked on level 10"),
        ("what's my name?", "my name is Ada"),
        ("what am I allergic to?", "I'm allergic to bees"),
        ("what have I told you about bees?", "I'm allergic to bees"),
        ("where is my home?", "I live in Kiel"),
        ("when is my birthday?", "You have not told me your birthday."),
    ] {
        holds(&desk.talk(&[asked]), &[told]);
    }
    holds(&desk.talk(&["My father wants the hull green"]), &["note 1 of FarmGuard"]);
    // Of one's own alone.
    lacks(&desk.talk_as("ben", &["where did I park?", "what's my name?"]), &["level 10", "Ada"]);
}

#[test]
fn the_setup_is_found_by_its_names_and_what_is_only_close_is_told_as_close() {
    let desk = Desk::new();
    desk.talk(&[&FARM[..3], &["friendly", "20,000 euros", "skip", "no", "finalize it"]].concat());
    for (asked, told) in [
        ("how should it sound?", "In the setup, How it sounds: friendly"),
        ("what have I told you about the budget?", "In the setup, What it keeps to: 20,000 euros"),
        ("What is the project about?", "In the setup, The work: FarmGuard: an app that watches irrigation"),
    ] {
        holds(&desk.talk(&[asked]), &[told]);
    }
    lacks(&desk.talk(&["what have I told you about the deadline?"]), &["20,000"]);
    let desk = Desk::new();
    desk.talk(&["start a new project called Harbor", "a boat", "cancel"]);
    let told = desk.talk(&["what have I told you about the hull?", "what have I told you so far?"]);
    holds(
        &told,
        &["Nothing in Harbor says “hull” in those words. The closest I have:\nIn the setup, The work: a boat"],
    );
    holds(&told, &["There are no notes on Harbor yet. What I have for Harbor so far:\nThe work: a boat"]);
    lacks(&told, &["Elsewhere I found"]);
}

#[test]
fn what_is_not_done_here_is_said_and_what_only_sounds_like_an_order_is_kept() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["The soil is clay."]);
    for (said, told) in [
        ("pin note 1", "I cannot pin notes."),
        ("merge notes 1 and 2", "I cannot merge notes."),
        ("translate note 1 into German", "I cannot translate notes."),
        ("archive the project", "I cannot archive projects."),
        ("rename the group Wood to Timber", "I cannot rename a group."),
        ("delete report.txt", "I cannot take a document out of a project."),
        ("delete note 1?", "Say it as an order"),
        ("That's wrong", "Then tell me what is right"),
        ("can I change the audience later?", "Yes, at any time"),
        ("version 1 of the report", "has no finished artefacts yet"),
        ("I need the report", "has no finished artefacts yet"),
    ] {
        let reply = desk.talk(&[said]);
        holds(&reply, &[told]);
        lacks(&reply, &["I kept that"]);
    }
    for said in [
        "The project is going well",
        "Invite list: 20 people",
        "Join the planks with epoxy",
        "We need to download the firmware before Friday",
        "I want the hull green",
        "Er is a town in the Netherlands",
    ] {
        holds(&desk.talk_with_plans(&[said]), &[&format!("of FarmGuard: “{said}”")]);
    }
    for (said, kept) in [
        ("Remember: uh, deadline is Friday, you know?", "“deadline is Friday”"),
        ("I mean, well, so like the mast is spruce", "“the mast is spruce”"),
        ("Could you remember that the tiller is ash?", "“the tiller is ash”"),
        ("remind me on Friday to call the yard", "I cannot remind you at a time"),
        ("set the crane date to May 1st", "“the crane date is May 1st”"),
    ] {
        holds(&desk.talk(&[said]), &["I kept that as note", kept]);
    }
    holds(&desk.talk(&["change the crane date to June 1st"]), &["now says: “the crane date is June 1st”"]);
    // What the setup says is changed there.
    holds(&desk.talk(&["change the budget to 500 euros"]), &["What it keeps to: the budget is 500 euros\n"]);
}

#[test]
fn a_model_that_says_what_was_not_found_or_done_is_not_heard() {
    let desk = Desk::new();
    desk.talk(&FARM);
    desk.talk(&["The keel is oak"]);
    let asks = ["What have I told you about the keel?"];
    let found = "On “keel”, in FarmGuard:\n#1: The keel is oak (waiting)";
    for wrong in [
        "Your note #77 says the mast is gold, as Anna told you on 3 March.",
        "The keel is balsa, says note #1.",
        "I deleted the project and saved note 1 for you.",
    ] {
        let reply = says(&json!({ "reply": wrong }));
        let told = desk.talk_with_model(&json!([reply, reply]), "rows", &asks);
        holds(&told, &[found]);
        lacks(&told, &[wrong]);
    }
    let (wrong, right) = (says(&json!({ "reply": "It is 12 feet." })), says(&json!({ "reply": "Oak, says #1." })));
    let told = desk.talk_with_model(&json!([wrong, right]), "rows", &asks);
    holds(&told, &["Oak, says #1."]);
    let of_itself = says(&json!({ "reply": "I am a neural network made by Meta, Mistral powered." }));
    lacks(&desk.talk_with_model(&json!([of_itself, of_itself]), "rows", &["who are you?"]), &["Meta", "Mistral"]);
}
