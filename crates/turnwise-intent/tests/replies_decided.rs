//! What replies to a waiting plan come to when they are decided on: a yes runs it, and nothing else does, whether it is
//! a change in words, a question about the plan, or neither.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use serde_json::Value;
use turnwise_core::patch::Wish;
use turnwise_core::{
    AssistantName, Conversation, Decision, DraftOutcome, EffectClass, FactName, Input, InputBody, InputKey, Origin,
    PersonId, Phase, PlanDraft, Policy, Report, RequestId, Step, StepId, Timestamp, ToolName, decide,
};
use turnwise_intent::IntentReader;

fn step(number: u32, description: &str, after: &[u32], effect: EffectClass) -> Step {
    Step {
        needs: after.iter().map(|number| FactName::new(format!("f{number}"))).collect(),
        produces: vec![FactName::new(format!("f{number}"))],
        after: after.iter().map(|number| StepId::new(*number)).collect(),
        effect,
        ..Step::new(
            StepId::new(number),
            description,
            ToolName::new(if effect == EffectClass::Pure { "query" } else { "save_file" }),
        )
    }
}

fn plan() -> PlanDraft {
    let steps = vec![
        step(1, "Revenue 2009", &[], EffectClass::Pure),
        step(2, "Revenue 2010", &[], EffectClass::Pure),
        step(3, "Compare 2009 with 2010", &[1, 2], EffectClass::Pure),
        step(4, "Save the rows as “out.csv”", &[3], EffectClass::Idempotent),
    ];
    PlanDraft {
        assumptions: vec!["“revenue” is Invoice.Total.".into()],
        ..PlanDraft::new("revenue", steps, FactName::new("f4"))
    }
}

fn turn(state: &Conversation, reader: &IntentReader, body: InputBody) -> Decision {
    let key = InputKey::new(format!("k{}", state.sequence().number()));
    let input = Input { key, content_key: None, origin: Origin::default(), body };
    let policy = Policy { query_words: vec!["sql".to_owned()], ..Policy::default() };
    decide(state, &input, &policy, reader, Timestamp::from_millis(0))
}

fn message(text: &str, grounding: &[&str]) -> InputBody {
    let grounding = grounding.iter().map(|word| (*word).to_owned()).collect();
    InputBody::Message { person: PersonId::new("ada"), text: text.to_owned(), grounding }
}

/// A conversation in which the plan waits.
fn waiting(reader: &IntentReader) -> Conversation {
    let asked = turn(
        &Conversation::new(AssistantName::new("analyst")),
        reader,
        message("compare revenue in 2009 and 2010", &["revenue"]),
    );
    let outcome = DraftOutcome::Ready { plan: plan(), learned: Vec::new() };
    let report = Report::Drafted { request: RequestId::new(1), outcome };
    let state = turn(&asked.state, reader, InputBody::Report(report)).state;
    assert_eq!(state.phase(), Phase::AwaitingApproval);
    state
}

fn phase_after(text: &str) -> (Phase, u32, usize) {
    let reader = IntentReader::builtin("analyst").unwrap();
    let after = turn(&waiting(&reader), &reader, message(text, &[])).state;
    (after.phase(), after.plan().unwrap().version(), after.queue().len())
}

#[test]
fn of_all_replies_only_a_yes_runs_the_plan_and_every_yes_still_does() {
    let reader = IntentReader::builtin("analyst").unwrap();
    let state = waiting(&reader);
    let mut wrong = Vec::new();
    for line in include_str!("data/replies.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (text, expected) = (case["text"].as_str().unwrap(), case["expect"].as_str().unwrap());
        let is_yes = expected.starts_with("approve");
        let runs = turn(&state, &reader, message(text, &[])).state.phase() == Phase::Executing;
        if runs && !is_yes {
            wrong.push(format!("{text:?} is {expected} and ran the plan"));
        }
        if expected == "approve" && Wish::read(text, &plan()).is_some() {
            wrong.push(format!("{text:?} is a yes and was read as a change"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn changes_in_words_make_a_version_that_waits() {
    for text in [
        "drop the last step",
        "approve step 1",
        "yes, but not step 4",
        "approve steps 1 and 2 only",
        "yes, everything except step 4",
        "looks good, drop step 4 and run it",
        "swap steps 1 and 2",
        "go with steps one and two",
    ] {
        assert_eq!(phase_after(text), (Phase::AwaitingApproval, 2, 0), "{text}");
    }
}

#[test]
fn questions_about_the_plan_leave_it_as_it_is_and_queue_nothing() {
    for text in [
        "sounds good but is it expensive?",
        "which file will it write?",
        "what will it change?",
        "what did you assume?",
        "why step 2?",
        "yes? what would that do exactly?",
        "ok, show me the sql",
        "what happens if I say no?",
        "what happens if I say yes?",
        "what about the queue?",
        "is it safe?",
        "can I undo it?",
        "ok, but where does it get saved?",
        "should I approve step 1?",
    ] {
        assert_eq!(phase_after(text), (Phase::AwaitingApproval, 1, 0), "{text}");
    }
}
