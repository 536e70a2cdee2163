//! The cases of the specification that speak of phases, status lines and failure choices, read from the shared file.
//! Without the file, as on a user's machine, the test says so; with `CI=true` a missing file fails.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::PathBuf;

use serde_json::Value;
use turnwise_core::{Phase, StatusLine, Trigger, status, transition};

fn cases(kind: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/spec_cases.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs {}", path.display());
        println!("SKIPPED: {} is not there", path.display());
        return Vec::new();
    };
    let all = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_kind: Vec<Value> = all.filter(|case| case["context"]["kind"] == kind).collect();
    assert!(!of_kind.is_empty(), "no case of kind {kind}: the file has changed its words");
    of_kind
}

fn named<T: serde::de::DeserializeOwned>(name: &Value) -> T {
    serde_json::from_value(name.clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn phases_move_as_specified() {
    for case in cases("phase_transition") {
        let from: Phase = named(&case["context"]["phase"]);
        let trigger: Trigger = match case["context"]["trigger"].as_str().unwrap() {
            "fail" => Trigger::Fail,
            _ => named(&case["context"]["trigger"]),
        };
        let to: Phase = named(&case["expect"]["phase"]);
        assert_eq!(transition(from, trigger), Ok(to), "{case}");
    }
}

#[test]
fn status_lines_read_as_specified() {
    for case in cases("status_line") {
        let context = &case["context"];
        let phase: Phase = named(&context["phase"]);
        let text = |key: &str| context[key].as_str().unwrap_or_default().to_owned();
        let number = |key: &str| u32::try_from(context[key].as_u64().unwrap_or_default()).unwrap();
        let subject = match phase {
            Phase::Idle => None,
            Phase::Planning => Some(status::planning(&text("plan"))),
            Phase::AwaitingApproval => Some(status::awaiting(&text("plan"), number("steps") as usize)),
            Phase::Executing => Some(status::executing(number("step"), number("of") as usize, &text("desc"))),
            Phase::Failed => Some(status::failed(number("step"), &text("error"))),
        };
        let queued = number("queued") as usize;
        let line = StatusLine::assemble(named(&context["mode"]), phase, true, subject, queued);
        assert_eq!(line.text(0), case["expect"]["status_line"].as_str().unwrap(), "{case}");
    }
}
