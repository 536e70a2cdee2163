//! The two YAML texts of a profile as they are written. They are kept apart from the checked profile, so that what
//! people type and what the reader uses may differ. Next: `check`, which turns them into a [`super::Profile`].

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::Deserialize;
use turnwise_core::selected::Behaviour;
use turnwise_core::{FlowSettings, Phase};

use super::ProfileError;
use super::listening::{Apart, ModeWords};
use crate::nearest::nearest;

pub(super) const ASSISTANT: &str = "assistant.yaml";
pub(super) const EXEMPLARS: &str = "exemplars.yaml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssistantFile {
    pub name: String,
    pub greeting: String,
    pub embedder: Option<String>,
    pub thresholds: ThresholdsFile,
    #[serde(default)]
    pub flow: FlowSettings,
    pub intents: BTreeMap<String, IntentFile>,
    #[serde(default)]
    pub commands: Vec<CommandFile>,
    #[serde(default)]
    pub lists: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub rules: Vec<RuleFile>,
    #[serde(default)]
    pub older_labels: BTreeMap<String, String>,
    pub fitted: Option<FittedFile>,
    #[serde(default)]
    pub approval: ApprovalFile,
    #[serde(default)]
    pub modes: ModeWords,
    #[serde(default)]
    pub apart: Apart,
}

/// What a fit wrote; see `calibration`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FittedFile {
    pub temperature: Option<f32>,
    #[serde(default)]
    pub sub_temperatures: BTreeMap<String, f32>,
    #[serde(default)]
    pub thresholds: BTreeMap<String, f32>,
    pub cost: f32,
    pub sub_cost: f32,
    pub seed: u64,
    pub data: String,
    pub exemplars: String,
    pub embedder: Option<String>,
    pub figures: FiguresFile,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FiguresFile {
    pub messages: usize,
    pub accuracy: f32,
    pub coverage: f32,
    pub accuracy_covered: f32,
    pub calibration_error: f32,
    pub reliability: Vec<BinFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BinFile {
    pub answers: usize,
    pub confidence: f32,
    pub accuracy: f32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApprovalFile {
    #[serde(default)]
    pub only: Vec<String>,
    pub expires_after_seconds: Option<NonZeroU32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThresholdsFile {
    pub primary: f32,
    pub sub: f32,
    #[serde(default)]
    pub overrides: BTreeMap<String, f32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntentFile {
    pub act: String,
    pub behaviour: Behaviour,
    pub offer: String,
    #[serde(default)]
    pub subs: BTreeMap<String, SubFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SubFile {
    pub act: String,
    pub offer: String,
    pub behaviour: Option<Behaviour>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandFile {
    pub name: String,
    #[serde(default)]
    pub also: Vec<String>,
    pub label: String,
    pub act: Option<String>,
    pub asks: Option<String>,
    pub says: Option<String>,
    pub help: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleFile {
    pub id: String,
    pub reason: String,
    pub label: String,
    pub act: Option<String>,
    #[serde(default)]
    pub phases: Vec<Phase>,
    #[serde(default)]
    pub form: Form,
    #[serde(default)]
    pub grounded: bool,
    #[serde(default)]
    pub refers_back: bool,
    #[serde(default)]
    pub leans: bool,
    #[serde(default)]
    pub takes_back: bool,
    #[serde(default)]
    pub remark: bool,
    #[serde(default)]
    pub when_unsure: bool,
    pub say: Vec<String>,
    #[serde(default)]
    pub unless: Vec<String>,
}

/// Which sentences a rule is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Orders and questions.
    #[default]
    Any,
    /// Only orders: "should we stop?" is not "stop".
    Order,
    /// Only questions.
    Question,
}

pub(super) fn parse_assistant(yaml: &str) -> Result<AssistantFile, ProfileError> {
    serde_saphyr::from_str(yaml).map_err(|error| explain(ASSISTANT, &error))
}

pub(super) fn parse_exemplars(yaml: &str) -> Result<BTreeMap<String, Vec<String>>, ProfileError> {
    serde_saphyr::from_str(yaml).map_err(|error| explain(EXEMPLARS, &error))
}

fn explain(file: &'static str, error: &serde_saphyr::Error) -> ProfileError {
    let error = error.without_snippet();
    if let serde_saphyr::Error::SerdeUnknownField { field, expected, location } = error {
        return ProfileError::UnknownKey {
            file,
            line: location.line(),
            key: field.clone(),
            nearest: nearest(field, expected.iter().copied()).map(str::to_owned),
        };
    }
    let location = error.location();
    ProfileError::Malformed {
        file,
        line: location.map_or(0, |at| at.line()),
        column: location.map_or(0, |at| at.column()),
        problem: error.to_string(),
    }
}
