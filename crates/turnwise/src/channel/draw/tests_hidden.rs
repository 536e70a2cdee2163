//! What is approved has to be what is read: characters that nobody sees are shown by name, wherever text comes from.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use turnwise_core::{
    Card, Choice, DecisionRef, EffectClass, FactName, PendingId, Plan, PlanCard, PlanDraft, PlanId, Step, StepId,
    StepLine, StepState, ToolName,
};

use super::{Look, Paint, paint, said, visible};

fn drawn(words: &str, shown: Option<&Card>) -> String {
    let lines: Vec<String> = said(words, shown, Look::pipe()).iter().map(|line| paint(line, Paint::Plain)).collect();
    lines.join("\n")
}

fn step(number: u32, description: &str, file: &str) -> Step {
    Step {
        arguments: BTreeMap::from([("file".to_owned(), file.to_owned())]),
        produces: vec![FactName::new(format!("fact_{number}"))],
        effect: EffectClass::OnceOnly,
        ..Step::new(StepId::new(number), description, ToolName::new("append_to_file"))
    }
}

fn plan() -> Card {
    let draft = PlanDraft {
        title: "rm\u{2060} -rf".to_owned(),
        assumptions: vec!["so\u{ad}ft".to_owned()],
        ..PlanDraft::new(
            "p",
            vec![
                step(1, "Append to \u{202e}vsc.gol", "/tmp/log\u{200b}.csv"),
                step(2, "Run it\u{2066}", "a\u{e0041}b"),
            ],
            FactName::new("fact_2"),
        )
    };
    let plan = Plan::check(PlanId::new(1), 1, draft, &BTreeSet::new()).unwrap();
    Card::Plan(PlanCard { plan: Arc::new(plan), reference: Some(reference()), changes: Vec::new(), reused: Vec::new() })
}

fn reference() -> DecisionRef {
    DecisionRef { pending: PendingId::new(1), ui_version: 1 }
}

#[test]
fn invisible_unicode_in_command_made_visible() {
    let text = drawn("", Some(&plan()));
    let names = ["rm‹U+2060› -rf", "‹U+202E›vsc.gol", "log‹U+200B›.csv", "it‹U+2066›", "a‹U+E0041›b", "so‹U+00AD›ft"];
    for name in names {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert_eq!(text.lines().map(visible).collect::<Vec<_>>().join("\n"), text, "nothing hidden is left");
    let choices = vec![Choice::new("a", "pay\u{200d}pal")];
    let question = Card::Question { reference: reference(), choices };
    assert!(drawn("which\u{feff}?", Some(&question)).contains("which‹U+FEFF›?"));
    assert!(drawn("", Some(&question)).contains("pay‹U+200D›pal"));
    let steps = vec![StepLine { step: StepId::new(1), description: "a\u{200f}b".into(), state: StepState::Done }];
    assert!(drawn("", Some(&Card::Steps { steps, ways: Vec::new() })).contains("a‹U+200F›b"));
}
