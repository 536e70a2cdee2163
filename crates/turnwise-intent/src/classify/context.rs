//! What a surface knows around a message: the conversation's phase, what runs, what is open in the editor, what stands
//! in the thread. Keys are accepted as written here and in the camel case of the specs; an unknown key is an error
//! that names the nearest, because a misspelt one must never be a fact that silently does not count.
//! Next: the `behaviour` modules, which read it.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error};
use turnwise_core::selected::{Behaviour, Scope};
use turnwise_core::{Mode, Phase, ReadContext};

use super::loose::Loose;
use crate::nearest::nearest;

/// The surroundings of one message. Everything is optional: nothing known is the start of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// Where the conversation stands.
    pub phase: Phase,
    /// Its mode.
    pub mode: Mode,
    /// Whether a plan is active.
    pub plan: bool,
    /// Whether a result was given before.
    pub result: bool,
    /// Words that name things the assistant knows.
    pub grounding: Vec<String>,
    /// What the log says about the latest run.
    pub run: Option<RunState>,
    /// What the log says about the latest review of the thread.
    pub review: Option<ReviewState>,
    /// The file open in the editor.
    pub last_open_editor: Vec<String>,
    /// The files, or the name, of the diff applied last.
    pub last_applied_diff: Vec<String>,
    /// The plan, diff or checkpoint proposed last.
    pub last_artifact_proposed: Vec<String>,
    /// How often this request was asked about already.
    pub clarification_attempts: u32,
    /// The behaviour a person chose by a control.
    pub chosen: Option<Behaviour>,
    /// The scope a person stated.
    pub scope: Option<Scope>,
    /// Files the request is known to concern.
    pub files: Option<usize>,
    /// Whether the conversation is one that may turn into work (FL-07); absent when nobody said.
    pub conversation: Option<bool>,
    /// The intent a thread remembers (TK-08).
    pub thread_default: Option<String>,
    /// Hours without a message in the thread.
    pub idle_hours: f64,
    /// The step of the ticket workflow.
    pub workflow_step: Option<String>,
    /// The open action of the thread.
    pub pending_action: Option<String>,
    /// An intent that is given, so that nothing has to be classified (CP-02).
    pub intent_hint: Option<String>,
    /// Names of finished documents.
    pub artifacts: Vec<String>,
    /// Whether a finished document exists.
    pub artifact_exists: Option<bool>,
    /// Whether the conversation belongs to a project.
    pub project: Option<bool>,
}

/// A run, by what the log says (BH-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Steps are running.
    Executing,
    /// Waits at a step boundary.
    Paused,
    /// Waits for a person's decision.
    AwaitingDecision,
    /// Over, whatever its outcome.
    Ended,
}

/// A review of a thread (TK-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewState {
    /// Goes on with each message about it.
    Active,
    /// Completed; its result stays for hand-over.
    Frozen,
}

/// A context that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// A key that means nothing.
    #[error("unknown key `{key}` in the context{}", nearest.as_deref().map_or_else(String::new, |name| format!("; did you mean `{name}`?")))]
    UnknownKey {
        /// As written.
        key: String,
        /// The nearest key there is.
        nearest: Option<String>,
    },
    /// A value that says nothing the key could mean.
    #[error("`{key}` in the context is {found}; it has to be {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// What is there.
        found: String,
        /// What could be.
        expected: String,
    },
}

/// Every key, for suggestions. Those of the last line describe a test case and are not looked at.
const KEYS: &[&str] = &[
    "phase",
    "mode",
    "plan",
    "result",
    "grounding",
    "run",
    "active_run",
    "review",
    "review_state",
    "after",
    "last_open_editor",
    "last_applied_diff",
    "last_artifact_proposed",
    "available",
    "clarification_attempts",
    "behaviour",
    "behavior",
    "scope",
    "files",
    "conversation",
    "executing",
    "thread_default",
    "idle_hours",
    "workflow_step",
    "pending_action",
    "intent_hint",
    "artifacts",
    "artifact_exists",
    "project",
    "notes",
    "kind",
    "level",
    "number",
    "turn",
];

const RUN_STATES: &[(&str, RunState)] = &[
    ("executing", RunState::Executing),
    ("running", RunState::Executing),
    ("active", RunState::Executing),
    ("paused", RunState::Paused),
    ("awaiting_decision", RunState::AwaitingDecision),
    ("awaiting_approval", RunState::AwaitingDecision),
    ("waiting", RunState::AwaitingDecision),
    ("none", RunState::Ended),
    ("completed", RunState::Ended),
    ("done", RunState::Ended),
    ("finished", RunState::Ended),
    ("succeeded", RunState::Ended),
    ("failed", RunState::Ended),
    ("aborted", RunState::Ended),
    ("cancelled", RunState::Ended),
    ("stopped", RunState::Ended),
    ("stopped_by_user", RunState::Ended),
];

const REVIEW_STATES: &[(&str, Option<ReviewState>)] = &[
    ("active", Some(ReviewState::Active)),
    ("open", Some(ReviewState::Active)),
    ("review", Some(ReviewState::Active)),
    ("review_active", Some(ReviewState::Active)),
    ("frozen", Some(ReviewState::Frozen)),
    ("review_frozen", Some(ReviewState::Frozen)),
    ("none", None),
    ("edit", None),
];

const PHASES: &[(&str, Phase)] = &[
    ("idle", Phase::Idle),
    ("planning", Phase::Planning),
    ("awaiting_approval", Phase::AwaitingApproval),
    ("executing", Phase::Executing),
    ("failed", Phase::Failed),
];

const MODES: &[(&str, Mode)] = &[("proof", Mode::Proof), ("exploratory", Mode::Exploratory)];

const BEHAVIOURS: &[(&str, Behaviour)] = &[
    ("answer", Behaviour::Answer),
    ("clarify", Behaviour::Clarify),
    ("quick_action", Behaviour::QuickAction),
    ("plan", Behaviour::Plan),
    ("continue_run", Behaviour::ContinueRun),
];

const SCOPES: &[(&str, Scope)] =
    &[("trivial", Scope::Trivial), ("small", Scope::Small), ("medium", Scope::Medium), ("large", Scope::Large)];

impl Context {
    /// Whether a run executes, is paused or waits for a decision (BH-13).
    #[must_use]
    pub fn has_active_run(&self) -> bool {
        let by_run = self.run.is_some_and(|run| run != RunState::Ended);
        by_run || (self.run.is_none() && matches!(self.phase, Phase::Executing | Phase::Failed))
    }

    /// Whether a plan waits for a person's decision.
    #[must_use]
    pub fn awaits_approval(&self) -> bool {
        self.phase == Phase::AwaitingApproval
    }

    /// What the reader may know of it.
    #[must_use]
    pub fn for_reading(&self) -> ReadContext {
        ReadContext {
            phase: self.phase,
            mode: self.mode,
            has_plan: self.plan || self.phase != Phase::Idle,
            has_result: self.result,
            grounding: self.grounding.clone(),
            ..ReadContext::default()
        }
    }

    fn set(&mut self, key: &str, value: &Loose) -> Result<(), ContextError> {
        match key {
            "phase" => self.phase = one_of(key, value, PHASES)?.unwrap_or_default(),
            "mode" => self.mode = one_of(key, value, MODES)?.unwrap_or_default(),
            "plan" => self.plan = value.is_there(),
            "result" => self.result = value.is_there(),
            "grounding" => self.grounding = value.names(),
            "run" | "active_run" | "executing" => self.run = run(key, value)?,
            "review" | "review_state" | "after" => self.review = review(key, value)?,
            "last_open_editor" => self.last_open_editor = named(key, value),
            "last_applied_diff" => self.last_applied_diff = named(key, value),
            "last_artifact_proposed" => self.last_artifact_proposed = named(key, value),
            "available" => return self.set_available(value),
            "clarification_attempts" => self.clarification_attempts = number(key, value)? as u32,
            "behaviour" | "behavior" => self.chosen = one_of(key, value, BEHAVIOURS)?,
            "scope" => self.scope = one_of(key, value, SCOPES)?,
            "files" => self.files = files(key, value)?,
            "conversation" => self.conversation = Some(value.is_there()),
            "thread_default" => self.thread_default = value.state().map(str::to_lowercase),
            "idle_hours" => self.idle_hours = number(key, value)?,
            "workflow_step" => self.workflow_step = value.state().map(str::to_owned),
            "pending_action" => self.pending_action = value.state().map(str::to_owned),
            "intent_hint" => self.intent_hint = value.state().map(str::to_owned),
            "artifacts" => self.artifacts = value.names(),
            "artifact_exists" => self.artifact_exists = Some(value.is_there()),
            "project" => self.project = Some(value.is_there()),
            // How many notes there are changes no reading; the other four name a test case.
            "notes" | "kind" | "level" | "number" | "turn" => {}
            unknown => {
                let nearest = nearest(unknown, KEYS.iter().copied()).map(str::to_owned);
                return Err(ContextError::UnknownKey { key: unknown.to_owned(), nearest });
            }
        }
        Ok(())
    }

    fn set_available(&mut self, value: &Loose) -> Result<(), ContextError> {
        for name in value.names() {
            self.set(&name, &Loose::Flag(true))?;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Context {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = BTreeMap::<String, Loose>::deserialize(deserializer)?;
        let mut context = Self::default();
        for (key, value) in &entries {
            context.set(&snake_case(key), value).map_err(D::Error::custom)?;
        }
        Ok(context)
    }
}

fn snake_case(key: &str) -> String {
    let mut snake = String::with_capacity(key.len() + 4);
    for ch in key.chars() {
        if ch.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(ch.to_ascii_lowercase());
    }
    snake
}

fn bad(key: &str, value: &Loose, expected: impl Into<String>) -> ContextError {
    let found = match value {
        Loose::Nothing => "nothing".to_owned(),
        Loose::Flag(flag) => flag.to_string(),
        Loose::Number(number) => number.to_string(),
        Loose::Text(text) => format!("`{text}`"),
        Loose::List(_) => "a list".to_owned(),
        Loose::Object(_) => "an object without a status".to_owned(),
    };
    ContextError::BadValue { key: key.to_owned(), found, expected: expected.into() }
}

fn one_of<T: Copy>(key: &str, value: &Loose, table: &[(&str, T)]) -> Result<Option<T>, ContextError> {
    if *value == Loose::Nothing {
        return Ok(None);
    }
    let found = value.state().map(str::to_lowercase);
    let entry = table.iter().find(|(name, _)| found.as_deref() == Some(name));
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    entry.map(|(_, value)| Some(*value)).ok_or_else(|| bad(key, value, format!("one of {}", names())))
}

fn run(key: &str, value: &Loose) -> Result<Option<RunState>, ContextError> {
    if let Loose::Flag(runs) = value {
        return Ok(Some(if *runs { RunState::Executing } else { RunState::Ended }));
    }
    one_of(key, value, RUN_STATES)
}

fn review(key: &str, value: &Loose) -> Result<Option<ReviewState>, ContextError> {
    if let Loose::Flag(is_open) = value {
        return Ok(is_open.then_some(ReviewState::Active));
    }
    one_of(key, value, REVIEW_STATES).map(Option::flatten)
}

/// Names of a thing that is there; one that is only said to be there is called by its key.
fn named(key: &str, value: &Loose) -> Vec<String> {
    let names = value.names();
    if names.is_empty() && value.is_there() {
        return vec![key.to_owned()];
    }
    names
}

fn number(key: &str, value: &Loose) -> Result<f64, ContextError> {
    if let Loose::Number(number) = value
        && *number >= 0.0
    {
        return Ok(*number);
    }
    Err(bad(key, value, "a number from 0 on"))
}

fn files(key: &str, value: &Loose) -> Result<Option<usize>, ContextError> {
    if let Loose::List(list) = value {
        return Ok(Some(list.len()));
    }
    number(key, value).map(|count| Some(count as usize))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_are_read_and_a_misspelt_key_names_the_nearest() {
        let context: Context = serde_json::from_str(
            r#"{"lastOpenEditor": "a.rs", "clarificationAttempts": 1, "run": {"status": "paused"}}"#,
        )
        .unwrap();
        assert_eq!(context.last_open_editor, ["a.rs"]);
        assert_eq!(context.clarification_attempts, 1);
        assert!(context.has_active_run());
        let error = serde_json::from_str::<Context>(r#"{"phse": "idle"}"#).unwrap_err().to_string();
        assert!(error.contains("did you mean `phase`"), "{error}");
    }

    #[test]
    fn a_value_that_says_nothing_is_refused_with_what_could_be() {
        let error = serde_json::from_str::<Context>(r#"{"run": "flying"}"#).unwrap_err().to_string();
        assert!(error.contains("`flying`") && error.contains("paused"), "{error}");
        let error = serde_json::from_str::<Context>(r#"{"idle_hours": "two"}"#).unwrap_err().to_string();
        assert!(error.contains("a number from 0 on"), "{error}");
    }

    #[test]
    fn a_run_that_ended_is_not_active_whatever_its_outcome() {
        for state in ["completed", "failed", "aborted"] {
            let context: Context = serde_json::from_str(&format!(r#"{{"run": "{state}"}}"#)).unwrap();
            assert!(!context.has_active_run(), "{state}");
        }
    }
}
