//! How profiles name the engine's acts: `query.detail`, `plan_new`, `control.cancel` …
//!
//! Core's `Act` is closed; a profile may have any labels it likes, each leading to one of these names. Next: `profile`.

use turnwise_core::{Act, Control, Mode, PlanKind, QueryKind};

use crate::words::Words;

/// An act as a profile can state it. Switching the mode is the one act that is only complete with a word of the
/// message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActName {
    /// Complete by itself.
    Fixed(Act),
    /// `control.mode_switch`: the mode is named by the message.
    SwitchMode,
}

const NAMES: &[(&str, Act)] = &[
    ("query", Act::Query(QueryKind::Plain)),
    ("query.detail", Act::Query(QueryKind::Detail)),
    ("query.provenance", Act::Query(QueryKind::Provenance)),
    ("query.summary", Act::Query(QueryKind::Summary)),
    ("query.lookup", Act::Query(QueryKind::Lookup)),
    ("query.chart", Act::Query(QueryKind::Chart)),
    ("query.remark", Act::Query(QueryKind::Remark)),
    ("query.definition", Act::Query(QueryKind::Definition)),
    ("plan_new", Act::PlanNew(PlanKind::Plain)),
    ("plan_new.compare", Act::PlanNew(PlanKind::Compare)),
    ("plan_new.predict", Act::PlanNew(PlanKind::Predict)),
    ("plan_continue", Act::PlanContinue),
    ("control.proof_mode", Act::Control(Control::SwitchMode(Mode::Proof))),
    ("control.explore_mode", Act::Control(Control::SwitchMode(Mode::Exploratory))),
    ("control.reset", Act::Control(Control::Reset)),
    ("control.redo", Act::Control(Control::Redo)),
    ("control.help", Act::Control(Control::Help)),
    ("control.status", Act::Control(Control::Status)),
    ("control.facts", Act::Control(Control::Facts)),
    ("control.plan", Act::Control(Control::ShowPlan)),
    ("control.exit", Act::Control(Control::Exit)),
    ("control.cancel", Act::Control(Control::Cancel)),
    ("control.replan", Act::Control(Control::Replan)),
    ("control.why", Act::Control(Control::Why)),
    ("control.pause", Act::Control(Control::Pause)),
    ("control.resume", Act::Control(Control::Resume)),
    ("control.queue", Act::Control(Control::Queue)),
    ("control.receipts", Act::Control(Control::Receipts)),
    ("control.edit", Act::Control(Control::Edit)),
    ("control.run_reads", Act::Control(Control::RunReads)),
    ("control.ask_first", Act::Control(Control::AskFirst)),
    ("control.flow", Act::Control(Control::Flow)),
];

const SWITCH_MODE: &str = "control.mode_switch";

impl ActName {
    /// The act called `name`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if name == SWITCH_MODE {
            return Some(Self::SwitchMode);
        }
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, act)| Self::Fixed(act.clone()))
    }

    /// Every name there is, for suggestions.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name).chain([SWITCH_MODE])
    }
}

/// Whether a command for `act` only says how the text behind it is meant; that text is then all that was said.
#[must_use]
pub fn takes_text(act: &Act) -> bool {
    match act {
        Act::Query(QueryKind::Chart) | Act::Control(_) => false,
        Act::Query(_) | Act::PlanNew(_) | Act::PlanContinue => true,
    }
}

/// The mode that `words` name, when they name exactly one.
#[must_use]
pub fn named_mode(words: &Words) -> Option<Mode> {
    const PROOF: &[&str] = &[
        "proof",
        "proofs",
        "prove",
        "proven",
        "provable",
        "audit",
        "auditable",
        "audited",
        "auditing",
        "rigorous",
        "rigor",
        "rigour",
        "verified",
        "verifiable",
        "traceable",
        "strict",
        "compliance",
        "formal",
    ];
    const EXPLORATORY: &[&str] =
        &["explore", "exploratory", "exploration", "exploring", "explorative", "loose", "looser", "informal", "casual"];
    match (words.has_any(PROOF), words.has_any(EXPLORATORY)) {
        (true, false) => Some(Mode::Proof),
        (false, true) => Some(Mode::Exploratory),
        (true, true) | (false, false) => None,
    }
}
