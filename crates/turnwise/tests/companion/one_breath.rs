//! Projects begun by plain words alone, with all that is said of them in one breath; and setups in which what is named
//! goes where it belongs, whatever was asked. Next: `found`.

use super::{Desk, holds, lacks};

#[test]
fn what_is_needed_or_planned_begins_no_project_where_there_is_one() {
    let desk = Desk::new();
    desk.talk(&["start a new project called Harbor", "a boat", "cancel"]);
    let told = desk.talk_with_plans(&[
        "I need a new sail",
        "We are planning to build a new ramp",
        "We need a new project manager",
        "We need 3 litres of varnish",
        "list my projects",
    ]);
    let kept = ["I need a new sail", "We are planning to build a new ramp", "We need a new project manager"];
    for (at, text) in kept.iter().chain(&["We need 3 litres of varnish"]).enumerate() {
        holds(&told, &[&format!("note {} of Harbor: “{text}”", at + 1)]);
    }
    holds(&told, &["Your projects: Harbor."]);
    // What is in doubt is asked.
    let told = desk.talk_with_plans(&["Can you help me plan the launch party?", "no", "list my projects"]);
    holds(&told, &["Begin a new project", "I am not sure that you want a project for that", "Your projects: Harbor."]);
    let told = desk.talk_with_plans(&["I want to build a handbook for new hires", "yes", "list my projects"]);
    holds(&told, &["I call it Handbook for new hires for now.", "Handbook for new hires and Harbor."]);
    lacks(&Desk::new().talk(&["Hello, can you help me?"]), &["What is the work?"]);
}

#[test]
fn a_project_begun_in_one_breath_has_all_that_was_said_and_is_asked_for_the_rest() {
    for (said, kept, asked) in [
        (
            "I want to start a new project about a mobile app for bakers who want to plan their week; the goal is to \
             cut waste by half",
            "I call it Mobile app for bakers for now. I put down:\nThe work: a mobile app for bakers who want to plan \
             their week\nWho uses it: bakers who want to plan their week\nWhat counts as success: to cut waste by half",
            "How should it sound",
        ),
        (
            "New project: FarmGuard. Audience: small farmers. Tone: plain. Deadline March 15th.",
            "Who uses it: small farmers\nHow it sounds: plain\nWhat it keeps to: Deadline March 15th",
            "What is FarmGuard?",
        ),
        (
            "start a project: Garden, allotment for beginners. The goal is 20 kg of tomatoes. The budget is 300 euros \
             and the tone is friendly.",
            "How it sounds: friendly\nWhat it keeps to: The budget is 300 euros\nWhat counts as success: 20 kg of",
            "Is there anything else",
        ),
        (
            "create a project named \"Zeta\" for school teachers. The goal is calm lessons",
            "Who uses it: school teachers\nWhat counts as success: calm lessons",
            "What is Zeta?",
        ),
        ("Let's create a project to organise my sister's wedding", "Organise my sister's wedding for now", "Who will"),
    ] {
        let told = Desk::new().talk_with_plans(&[said]);
        holds(&told, &[kept, asked]);
    }
    // With another project open it is no note of that one.
    let desk = Desk::new();
    desk.talk(&["start a new project called Harbor", "a boat", "cancel"]);
    let told = desk.talk(&[
        "I'd like to begin a project called Meadow. It's a field guide, due on June 1st.",
        "list my projects",
        "switch to Harbor",
        "show me my notes",
    ]);
    holds(&told, &["The work: a field guide\nWhat it keeps to: due on June 1st", "Your projects: Harbor and Meadow."]);
    holds(&told, &["There are no notes on Harbor yet."]);
}

#[test]
fn what_an_answer_names_goes_where_it_belongs_and_the_question_stays() {
    let told = Desk::new().talk(&[
        "start a new project called Zeta",
        "a tool",
        "the budget is 500 euros",
        "The deadline is March 15th",
        "add a specification Soil: three types",
        "teachers",
        "cancel",
        "The tone should be serious",
        "show me the setup",
    ]);
    holds(
        &told,
        &[
            "What it keeps to: the budget is 500 euros\nWho will use it?",
            "What it keeps to: the budget is 500 euros; The deadline is March 15th\nWho will use it?",
            "The specification “Soil” of Zeta is written, version 1.",
            "How it sounds: serious",
            "The work: a tool\nWho uses it: teachers\nHow it sounds: serious\nWhat it keeps to: the budget",
        ],
    );
    let told = Desk::new().talk(&[
        "start a new project",
        "It's called Harbor. It is a boat guide for kayakers, in a friendly tone, due on June 1st, and success is 500 \
         downloads.",
        "no",
    ]);
    holds(&told, &["Who uses it: kayakers\nHow it sounds: friendly\nWhat it keeps to: due on June 1st", "finalize it"]);
    lacks(&told, &["Who will use it?", "How should it sound"]);
}
