//! The classification cases written out of spec 1, as one test that prints each miss.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "tests read the shared cases and the CI variable")]

use std::path::Path;

use serde_json::Value;
use turnwise_core::{Act, MessageReading, Phase, ReadContext, Reader, Reply, Tier};
use turnwise_intent::{IntentReader, Label, principal};

fn phase_of(case: &Value) -> Phase {
    case["context"]["phase"].as_str().map_or(Phase::Idle, |name| serde_json::from_value(name.into()).unwrap())
}

fn context_of(case: &Value) -> ReadContext {
    let phase = phase_of(case);
    ReadContext { phase, has_plan: phase != Phase::Idle, ..ReadContext::default() }
}

/// `None` when the case holds, else what was read instead.
fn miss(reader: &IntentReader, case: &Value) -> Option<String> {
    let text = case["text"].as_str().unwrap();
    let context = context_of(case);
    let expect = &case["expect"];
    if let Some(decision) = expect["decision"].as_str() {
        let reply = reader.reply(text, &context);
        return (decision != "approve" || reply != Reply::Approve).then(|| format!("{reply:?}"));
    }
    let reading = reader.read(text, &context);
    let MessageReading::Understood { requests, segments } = &reading else { return Some(format!("{reading:?}")) };
    if let Some(expected) = expect["segments"].as_array() {
        let found: Vec<&str> = segments.iter().map(|segment| segment.segment.as_str()).collect();
        let expected: Vec<&str> = expected.iter().map(|segment| segment.as_str().unwrap()).collect();
        let one_task =
            requests.len() == 1 && requests[0].act == plan_new() && requests[0].target.as_deref() == Some("revenue");
        let acts: Vec<&str> = segments.iter().map(|segment| segment.intent.as_str()).collect();
        let right = found == expected && one_task && acts == ["plan_new", "control", "plan_new"];
        return (!right).then(|| format!("{segments:#?}"));
    }
    if expect["completed_steps_kept"].as_bool() == Some(true) {
        return (requests[0].act != Act::PlanContinue).then(|| format!("{requests:?}"));
    }
    let found = principal(requests).unwrap();
    let primary = expect["primary"].as_str().is_none_or(|primary| primary == found.intent);
    let sub = expect["sub"].as_str().is_none_or(|sub| Some(sub) == found.sub.as_deref());
    let fast = expect["fast_path"].as_bool() != Some(true) || found.tier == Tier::Slash;
    (!(primary && sub && fast)).then(|| format!("{:?}.{:?} {}", found.intent, found.sub, found.reason))
}

fn plan_new() -> Act {
    Act::PlanNew(turnwise_core::PlanKind::Plain)
}

#[test]
fn every_classification_case_of_spec_1_is_read_as_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/spec_cases.jsonl");
    let Ok(cases) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: {} is missing", path.display());
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{} is missing", path.display());
        return;
    };
    let reader = IntentReader::builtin("analyst").unwrap();
    let (mut checked, mut misses) = (0, Vec::new());
    for case in cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let of_spec_1 = case["source"].as_str().unwrap().starts_with("spec 1:");
        let kind = case["context"]["kind"].as_str().unwrap();
        let spoken = !case["text"].as_str().unwrap().is_empty() && !case["text"].as_str().unwrap().starts_with('<');
        if !of_spec_1 || !spoken || !["exemplar", "slash", "multi_intent", "dialogue"].contains(&kind) {
            continue;
        }
        checked += 1;
        misses.extend(miss(&reader, &case).map(|found| format!("{} -> {found}", case["text"])));
    }
    assert!(checked > 50, "only {checked} cases found in {}", path.display());
    assert!(misses.is_empty(), "{} of {checked} cases missed:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn labels_of_older_vocabularies_map_as_spec_1_says() {
    let reader = IntentReader::builtin("analyst").unwrap();
    let mapped = |old: &str| reader.profile().older_labels.get(old).map(Label::to_string);
    for (old, new) in [
        ("NEW_QUESTION", "plan_new"),
        ("CREATE_ARTIFACT", "plan_new"),
        ("COMPARE", "plan_new.compare"),
        ("PREDICT", "plan_new.predict"),
        ("STEER_PLAN", "plan_continue"),
        ("REDO", "plan_continue"),
        ("DRILL_DOWN", "query.detail"),
        ("CHALLENGE", "query.detail"),
        ("PROVENANCE", "query.provenance"),
        ("LOOKUP", "query.lookup"),
        ("MODE_SWITCH", "control.mode_switch"),
    ] {
        assert_eq!(mapped(old).as_deref(), Some(new), "{old}");
    }
}
