//! What the analyst understands: messages that are no exemplars, and messages that must not be taken for commands.
//!
//! `data/analyst_readings.jsonl` holds a text with its phase and the words known to the assistant, and either the label
//! it has to be read as or, under `not`, one it must never be read as.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::LazyLock;

use serde_json::Value;
use turnwise_core::{Act, Control, MessageReading, Mode, Phase, PlanKind, ReadContext, Reader, Reading, Tier};
use turnwise_intent::{IntentReader, log_line, principal};

static READER: LazyLock<IntentReader> = LazyLock::new(|| IntentReader::builtin("analyst").unwrap());

fn at(phase: Phase) -> ReadContext {
    ReadContext { phase, has_plan: phase != Phase::Idle, ..ReadContext::default() }
}

fn requests(text: &str, context: &ReadContext) -> Vec<Reading> {
    match READER.read(text, context) {
        MessageReading::Understood { requests, .. } => requests,
        other => panic!("{text:?} was read as {other:?}"),
    }
}

fn label_of(reading: &Reading) -> String {
    reading.sub.as_ref().map_or_else(|| reading.intent.clone(), |sub| format!("{}.{sub}", reading.intent))
}

fn read_case(case: &Value) -> Option<Reading> {
    let phase: Phase = serde_json::from_value(case["phase"].clone()).unwrap();
    let grounding = serde_json::from_value(case["known"].clone()).unwrap();
    let context = ReadContext { has_result: true, grounding, ..at(phase) };
    match READER.read(case["text"].as_str().unwrap(), &context) {
        MessageReading::Understood { requests, .. } => principal(&requests).cloned(),
        MessageReading::Unsure { .. }
        | MessageReading::UnknownCommand { .. }
        | MessageReading::Bare { .. }
        | MessageReading::Empty => None,
    }
}

fn cases() -> Vec<Value> {
    include_str!("data/analyst_readings.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn messages_are_read_as_they_are_meant() {
    let meant = cases().into_iter().filter(|case| case["label"].is_string());
    let (mut all, mut missed) = (0, Vec::new());
    for case in meant {
        all += 1;
        let found = read_case(&case);
        if found.as_ref().map(label_of).as_deref() != case["label"].as_str() {
            let found = found.map_or_else(|| "unsure".to_owned(), |reading| log_line(&reading) + &reading.reason);
            missed.push(format!("{:?} is {}: {found}", case["text"], case["label"]));
        }
    }
    assert!(missed.is_empty(), "{} of {all} misread:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn likeness_to_a_command_is_no_command() {
    let wrong: Vec<String> = cases()
        .into_iter()
        .filter_map(|case| {
            let label = label_of(&read_case(&case)?);
            let not = case["not"].as_str()?;
            (label == not || label.starts_with(&format!("{not}.")))
                .then(|| format!("{:?} read as {label}", case["text"]))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_slip_of_the_tongue_takes_back_what_stands_before_it() {
    let found = requests("analyze sales. wait, I got that wrong. analyze revenue instead.", &at(Phase::Idle));
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].act, found[0].target.as_deref()), (&Act::PlanNew(PlanKind::Plain), Some("revenue")));
}

#[test]
fn taking_back_ones_words_does_not_stop_the_run() {
    let found = requests("also include Canada. no, scratch that.", &at(Phase::Executing));
    assert!(found.iter().all(|reading| reading.act != Act::Control(Control::Cancel)), "{found:?}");
}

#[test]
fn cancelling_what_runs_and_asking_for_something_new_does_both_in_order() {
    let context = ReadContext { grounding: vec!["revenue".to_owned()], ..at(Phase::Executing) };
    let acts: Vec<Act> =
        requests("cancel that. show me revenue by region", &context).into_iter().map(|r| r.act).collect();
    assert_eq!(acts, [Act::Control(Control::Cancel), Act::PlanNew(PlanKind::Plain)]);
}

#[test]
fn a_refinement_behind_a_task_belongs_to_it() {
    let found = requests("Analyze sales by region. Only include Q4.", &at(Phase::Idle));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].segment, "Analyze sales by region. Only include Q4");
}

#[test]
fn remarks_do_not_swallow_a_request() {
    let found = requests("Thanks, that's great! Now compare Q3 and Q4.", &at(Phase::Idle));
    assert_eq!(found.iter().map(label_of).collect::<Vec<_>>(), ["plan_new.compare"]);
}

#[test]
fn a_switch_of_mode_and_a_task_are_both_carried_out() {
    let acts: Vec<Act> = requests("switch to proof mode. analyze revenue by year", &at(Phase::Idle))
        .into_iter()
        .map(|r| r.act)
        .collect();
    assert_eq!(acts, [Act::Control(Control::SwitchMode(Mode::Proof)), Act::PlanNew(PlanKind::Plain)]);
}

#[test]
fn the_mode_to_switch_to_is_the_one_named() {
    for (text, mode) in [
        ("switch to proof mode", Mode::Proof),
        ("use auditable mode", Mode::Proof),
        ("/proof", Mode::Proof),
        ("let's be more exploratory", Mode::Exploratory),
        ("turn off proof mode", Mode::Exploratory),
        ("/explore", Mode::Exploratory),
    ] {
        assert_eq!(requests(text, &at(Phase::Idle))[0].act, Act::Control(Control::SwitchMode(mode)), "{text}");
    }
    let unnamed = READER.read("switch to another mode please", &at(Phase::Idle));
    assert!(matches!(&unnamed, MessageReading::Unsure { options } if options.len() == 2), "{unnamed:?}");
}

#[test]
fn stop_means_cancel_while_something_runs_and_leave_at_idle() {
    for phase in [Phase::Planning, Phase::AwaitingApproval, Phase::Executing, Phase::Failed] {
        assert_eq!(requests("stop", &at(phase))[0].act, Act::Control(Control::Cancel), "{phase}");
    }
    assert_eq!(requests("stop", &at(Phase::Idle))[0].act, Act::Control(Control::Exit));
}

#[test]
fn targets_are_the_words_the_request_is_about() {
    for (text, target) in [
        ("explain more about the north region", "the north region"),
        ("analyze revenue by region", "revenue by region"),
        ("wait, only include Q4", "Q4"),
        ("narrow it down to Europe", "Europe"),
        ("what did we find for Germany?", "Germany"),
        ("compare Q3 and Q4", "Q3 and Q4"),
        ("/redo with Q4", "with Q4"),
    ] {
        assert_eq!(requests(text, &at(Phase::Idle))[0].target.as_deref(), Some(target), "{text}");
    }
}

#[test]
fn an_unknown_command_names_the_nearest() {
    let read = |text| READER.read(text, &at(Phase::Idle));
    let unknown = |command: &str, nearest: Option<&str>| MessageReading::UnknownCommand {
        command: command.to_owned(),
        nearest: nearest.map(str::to_owned),
    };
    assert_eq!(read("/prof"), unknown("/prof", Some("/proof")));
    assert_eq!(read("/xyzzy please"), unknown("/xyzzy", None));
    assert_eq!(read("/"), unknown("/", Some("/?")));
}

#[test]
fn what_no_rule_decides_is_explained_by_its_nearest_exemplars() {
    let found = requests("would you dig up the reasons for late parcels, split by carrier", &at(Phase::Idle));
    let reading = &found[0];
    assert_eq!(reading.tier, Tier::Exemplar);
    assert_eq!(reading.nearest.len(), 3);
    assert!(reading.nearest.is_sorted_by(|a, b| a.score >= b.score));
    let line = log_line(reading);
    let expected = format!("matched primary={} at {:.2}", reading.intent, reading.confidence.value());
    assert!(line.starts_with(&expected), "{line}");
    assert!(line.contains("tier=exemplar") && line.contains("margin=") && line.contains("nearest \""), "{line}");
}

#[test]
fn what_means_nothing_here_is_asked_about_with_options() {
    for text in ["my dog is cute", "order me a pizza", "asdf ghjkl"] {
        let reading = READER.read(text, &at(Phase::Idle));
        assert!(matches!(&reading, MessageReading::Unsure { options } if options.len() > 1), "{text}: {reading:?}");
    }
}
