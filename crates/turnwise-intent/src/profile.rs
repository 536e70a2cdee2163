//! A profile: what one assistant's messages can mean, as data.
//!
//! `assistant.yaml` holds intents, thresholds, commands, word lists and rules; `exemplars.yaml` holds example messages
//! by label. Both come in as text, because reading files is the shell's work. Whatever is unknown in them is an error
//! with its line and the nearest valid name: a misspelt key must never be a setting that silently does nothing.
//! Next: `rules` for how rules are applied, `fitted` for what is learned from exemplars.

mod calibration;
mod check;
pub mod edit;
mod file;
mod flow;
mod listening;

use std::collections::BTreeMap;

use turnwise_core::Phase;
use turnwise_core::selected::Behaviour;

pub use self::calibration::{Calibration, FitFigures, ThresholdOrigin, rounded};
pub use self::file::Form;
pub use self::listening::{Apart, ModeSigns, ModeWords};
use crate::act::ActName;
use crate::pattern::Pattern;
pub use turnwise_core::{Flow, Preset, Routing};

/// A checked profile. Parse one with [`Profile::parse`]; the built-in ones are in [`crate::builtin`].
#[derive(Clone, Debug)]
pub struct Profile {
    /// The assistant's name, for example `analyst`.
    pub name: String,
    /// Said when a conversation begins.
    pub greeting: String,
    /// When a reading is sure enough to act on.
    pub thresholds: Thresholds,
    /// How it goes about its work.
    pub flow: Flow,
    /// What was fitted to a person's labelled messages, if anything was.
    pub fitted: Option<Calibration>,
    /// The folder or name of the embedding model to read with; none is the one compiled in. The shell finds it.
    pub embedder: Option<String>,
    /// Every label, `primary` and `primary.sub`, in order of name.
    pub labels: BTreeMap<Label, Meaning>,
    /// The `/commands`.
    pub commands: Vec<Command>,
    /// The rules, first match wins.
    pub rules: Vec<Rule>,
    /// Labels of older vocabularies and what they are called here (CF-06), for importing logs and exemplars.
    pub older_labels: BTreeMap<String, Label>,
    /// Who approves plans, and how long they can be approved.
    pub approval: Approval,
    /// By which words a task chooses a mode.
    pub modes: ModeWords,
    /// What is said to an open question and is no answer to it.
    pub apart: Apart,
    /// Example messages, in order of label, then as written.
    pub exemplars: Vec<Exemplar>,
}

/// Who approves plans, and how long they can be approved. By default anyone, for as long as it takes (CF-17).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approval {
    /// These people alone; empty for anyone.
    pub only: Vec<String>,
    /// From when on a plan nobody decided on counts as expired.
    pub expires_after_seconds: Option<u32>,
}

/// A profile's name for a meaning: an intent, or a sub-intent within one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The intent.
    pub primary: String,
    /// The finer label within it.
    pub sub: Option<String>,
}

/// What a label leads to.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The engine's act.
    pub act: ActName,
    /// What the system does with it.
    pub behaviour: Behaviour,
    /// How the reading is offered to a person who has to choose ("Start a new analysis").
    pub offer: String,
}

/// Calibrated probabilities from which on a reading is acted on (CF-09).
#[derive(Clone, Debug, PartialEq)]
pub struct Thresholds {
    /// For the intent.
    pub primary: f32,
    /// For the sub-intent within it.
    pub sub: f32,
    /// Stricter or looser values for single labels.
    pub overrides: BTreeMap<Label, f32>,
}

/// A `/command` of the profile.
#[derive(Clone, Debug)]
pub struct Command {
    /// With its slash.
    pub name: String,
    /// Other names for the same.
    pub also: Vec<String>,
    /// The label it stands for.
    pub label: Label,
    /// The act, where it differs from the label's ("/proof" is one of two mode switches).
    pub act: ActName,
    /// What is asked when nothing stands behind a command that means nothing by itself.
    pub asks: Option<String>,
    /// The words it stands for, before what stands behind it.
    pub says: Option<String>,
    /// The line `/help` prints.
    pub help: String,
}

/// A rule on words.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its stable name, shown in explanations.
    pub name: String,
    /// Why it holds, as the end of a sentence ("it asks for …").
    pub reason: String,
    /// What it reads.
    pub label: Label,
    /// The act, where it differs from the label's.
    pub act: ActName,
    /// The phases it holds in; empty means any.
    pub phases: Vec<Phase>,
    /// Whether orders, questions or both may match.
    pub form: Form,
    /// Whether the message has to name things the assistant knows.
    pub grounded: bool,
    /// Whether there has to be an earlier plan or result to refer to.
    pub refers_back: bool,
    /// Whether the message has to lean on what came before, as a pronoun does that nothing before it stands for.
    pub leans: bool,
    /// Whether it takes back what was said before it in the message.
    pub takes_back: bool,
    /// Whether nothing is asked for: beside a request it is not acted on.
    pub remark: bool,
    /// Whether it only speaks when the trained head is unsure.
    pub when_unsure: bool,
    /// Any of these has to match.
    pub say: Vec<Pattern>,
    /// None of these may match.
    pub unless: Vec<Pattern>,
}

/// An example message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exemplar {
    /// What was said.
    pub text: String,
    /// What it means.
    pub label: Label,
}

/// A profile that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// A key that means nothing.
    #[error("{file}, line {line}: unknown key `{key}`{}", hint(nearest.as_deref()))]
    UnknownKey {
        /// Which of the two texts.
        file: &'static str,
        /// One-based.
        line: u64,
        /// As written.
        key: String,
        /// The nearest key there is.
        nearest: Option<String>,
    },
    /// Not YAML, or a value of the wrong kind.
    #[error("{file}, line {line}, column {column}: {problem}")]
    Malformed {
        /// Which of the two texts.
        file: &'static str,
        /// One-based; 0 when unknown.
        line: u64,
        /// One-based; 0 when unknown.
        column: u64,
        /// What is wrong.
        problem: String,
    },
    /// A label or act that does not exist.
    #[error("{file}, line {line}: there is no {kind} `{name}`{}", hint(nearest.as_deref()))]
    UnknownName {
        /// Which of the two texts.
        file: &'static str,
        /// One-based; 0 when unknown.
        line: u64,
        /// "label", "act" …
        kind: &'static str,
        /// As written.
        name: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
    /// A pattern that cannot be compiled.
    #[error("assistant.yaml, rule `{rule}`: {problem}")]
    Pattern {
        /// The rule's id.
        rule: String,
        /// What is wrong.
        problem: String,
    },
    /// A value outside its range.
    #[error("assistant.yaml: `{key}` is {value}, it has to lie between 0 and 1")]
    OutOfRange {
        /// The setting.
        key: String,
        /// As written.
        value: String,
    },
    /// Something that must be there once is missing or doubled.
    #[error("{file}: {problem}")]
    Inconsistent {
        /// Which of the two texts.
        file: &'static str,
        /// What is wrong and what to do.
        problem: String,
    },
}

impl Label {
    /// An intent without a finer label.
    #[must_use]
    pub fn primary(name: &str) -> Self {
        Self { primary: name.to_owned(), sub: None }
    }

    /// Reads `primary` or `primary.sub`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.split_once('.') {
            Some((primary, sub)) => Self { primary: primary.to_owned(), sub: Some(sub.to_owned()) },
            None => Self::primary(text),
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.primary)?;
        self.sub.as_ref().map_or(Ok(()), |sub| write!(out, ".{sub}"))
    }
}

impl Profile {
    /// Parses and checks both texts.
    ///
    /// # Errors
    /// [`ProfileError`] with the line and, for unknown names, the nearest valid one.
    pub fn parse(assistant_yaml: &str, exemplars_yaml: &str) -> Result<Self, ProfileError> {
        let assistant = file::parse_assistant(assistant_yaml)?;
        let exemplars = file::parse_exemplars(exemplars_yaml)?;
        check::profile(assistant, assistant_yaml, exemplars, exemplars_yaml)
    }

    /// The threshold a reading of `label` has to reach: the one written for it, else the fitted one, else the default,
    /// as the routing shifts it.
    #[must_use]
    pub fn threshold(&self, label: &Label) -> f32 {
        self.threshold_under(label, None)
    }

    /// The same where a conversation settled its routing for itself.
    #[must_use]
    pub fn threshold_under(&self, label: &Label, routing: Option<Routing>) -> f32 {
        let default = if label.sub.is_some() { self.thresholds.sub } else { self.thresholds.primary };
        let fitted = || self.fitted.as_ref()?.thresholds.get(label).copied();
        let written = self.thresholds.overrides.get(label).copied();
        let usual = written.or_else(fitted).unwrap_or(default);
        flow::shifted(routing.unwrap_or(self.flow.routing), usual, written.is_some())
    }

    /// Where [`Profile::threshold`] comes from.
    #[must_use]
    pub fn threshold_origin(&self, label: &Label) -> ThresholdOrigin {
        match (self.thresholds.overrides.contains_key(label), &self.fitted) {
            (true, _) => ThresholdOrigin::Written,
            (false, Some(fitted)) if fitted.thresholds.contains_key(label) => ThresholdOrigin::Fitted,
            (false, _) => ThresholdOrigin::Default,
        }
    }

    /// Whether `intent` means nothing without a finer label: none of its exemplars goes without one.
    #[must_use]
    pub fn needs_sub(&self, intent: &str) -> bool {
        let own = || self.exemplars.iter().filter(|exemplar| exemplar.label.primary == intent);
        own().next().is_some() && own().all(|exemplar| exemplar.label.sub.is_some())
    }

    /// The intents, in order of name.
    pub fn primaries(&self) -> impl Iterator<Item = &Label> {
        self.labels.keys().filter(|label| label.sub.is_none())
    }

    /// The finer labels within `primary`, in order of name.
    pub fn subs<'a>(&'a self, primary: &'a str) -> impl Iterator<Item = &'a Label> {
        self.labels.keys().filter(move |label| label.primary == primary && label.sub.is_some())
    }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
