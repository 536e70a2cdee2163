//! What a person says and decides, as it goes to a server: one form for the program that sends it and the server that
//! reads it, so that the two cannot differ. Next: `http::routes`, which reads it, and `remote`, which sends it.

use serde::{Deserialize, Serialize};
use turnwise_core::patch::Patch;
use turnwise_core::{Seen, SelectedLines, Surroundings, Verdict};
use utoipa::ToSchema;

/// A message of a person.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The words, or a slash command.
    #[schema(example = "revenue by region", min_length = 1)]
    pub text: String,
    /// What stood before the person when they said it. Words that would decide on something else by now are refused,
    /// and it is said what changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenView>,
    /// What lies open before the person, where the surface is an editor or beside one: “this” and “it” may mean it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<AroundView>,
}

/// What lies open before a person.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AroundView {
    /// Files, by their path in the workspace; the one in front first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["src/main.rs"]))]
    pub files: Vec<String>,
    /// The lines that are selected in one of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectionView>,
}

/// Lines of a file that are selected.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectionView {
    /// The file.
    pub file: String,
    /// From 1.
    #[schema(minimum = 1)]
    pub first_line: u32,
    /// The last of them.
    #[schema(minimum = 1)]
    pub last_line: u32,
}

/// What stood before a person.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenView {
    /// The reference of the question that plain words would have answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The question itself, in place of its reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "q1")]
    pub question: Option<String>,
    /// The version of that question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_version: Option<u32>,
    /// The plan that waited, ran or had failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "plan-1")]
    pub plan: Option<String>,
    /// The version of that plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_version: Option<u32>,
}

/// A person's answer to an open question.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The reference of the question as it was shown.
    #[schema(example = "tw1.…")]
    pub reference: String,
    /// The answer.
    pub verdict: VerdictView,
}

/// The ways to answer; which of them fit depends on the question.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum VerdictView {
    /// Yes, to an approval or confirmation.
    Approve {
        /// A remark that is kept with an approval and changes nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// No, to an approval or confirmation.
    Reject {
        /// Why; kept with the rejection of a plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Plan again with this change.
    Change {
        /// In the person's words.
        change: String,
    },
    /// Other structure or words for the plan that waits, as its text was edited; a new version then waits in turn.
    Edit {
        /// The text of `GET …/plan/text`, edited.
        text: String,
    },
    /// Change the plan's structure by these changes, which wait as its next version.
    Patch {
        /// What the person's editor made of the plan, such as `{"rename": "Sales"}`, `{"drop": [2]}` or `"no_chart"`.
        #[schema(value_type = Vec<serde_json::Value>, min_items = 1)]
        patches: Vec<Patch>,
    },
    /// Drop it.
    Cancel,
    /// The choice with this number, from 1.
    Choose {
        /// From 1, in the order shown.
        #[schema(minimum = 1)]
        number: usize,
    },
    /// An answer in words.
    Say {
        /// The words.
        text: String,
    },
    /// Go on after a pause.
    Resume,
    /// Run the failed plan again.
    Retry,
    /// Plan again, with the failure as context.
    Replan,
    /// Give the failed run up.
    Abandon,
}

impl From<AroundView> for Surroundings {
    fn from(around: AroundView) -> Self {
        let selection = around.selection.map(|it| SelectedLines {
            file: it.file,
            first_line: it.first_line,
            last_line: it.last_line,
        });
        Self { files: around.files, selection }
    }
}

impl From<Seen> for SeenView {
    fn from(seen: Seen) -> Self {
        Self {
            reference: None,
            question: seen.question.map(|question| question.pending.to_string()),
            question_version: seen.question.map(|question| question.ui_version),
            plan: seen.plan.map(|plan| plan.plan.to_string()),
            plan_version: seen.plan.map(|plan| plan.version),
        }
    }
}

impl From<Verdict> for VerdictView {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Approve => Self::Approve { note: None },
            Verdict::ApproveNoting { note } => Self::Approve { note: Some(note) },
            Verdict::Reject => Self::Reject { reason: None },
            Verdict::RejectBecause { reason } => Self::Reject { reason: Some(reason) },
            Verdict::Change { change } => Self::Change { change },
            Verdict::Edit { patches } => Self::Patch { patches },
            Verdict::Cancel => Self::Cancel,
            Verdict::Choose { number } => Self::Choose { number },
            Verdict::Say { text } => Self::Say { text },
            Verdict::Resume => Self::Resume,
            Verdict::Retry => Self::Retry,
            Verdict::Replan => Self::Replan,
            Verdict::Abandon => Self::Abandon,
        }
    }
}
