//! Selection: what a message makes the system do, settled before anything is done, as a value that is kept in the log
//! (BH-04, BH-11). An assistant that selects says so through its reader; the keys are those that consumers of the log
//! already read, which is why the behaviour is spelt `behavior` there. Next: `decide::selected`, which emits it.

use serde::{Deserialize, Serialize};

use crate::Confidence;

/// What was selected for a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Selected {
    /// What the system does.
    #[serde(rename = "behavior")]
    pub behaviour: Behaviour,
    /// What the request rests on.
    pub context_source: Source,
    /// How sure the rules are.
    pub confidence: Confidence,
    /// One readable sentence.
    pub reasoning: String,
    /// How much it concerns; absent for questions and runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detected_scope: Option<Scope>,
    /// The files it names or refers to.
    pub referenced_files: Vec<String>,
}

/// What the system does with a message, whatever the assistant (BH-01). Profiles write it in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Behaviour {
    /// Answers; nothing changes.
    #[serde(alias = "answer")]
    Answer,
    /// Asks back.
    #[serde(alias = "clarify")]
    Clarify,
    /// Proposes one small change.
    #[serde(alias = "quick_action")]
    QuickAction,
    /// Makes or changes a plan.
    #[serde(alias = "plan")]
    Plan,
    /// Goes on with a run.
    #[serde(alias = "continue_run")]
    ContinueRun,
    /// Carries out a command of the session.
    #[serde(alias = "command")]
    Command,
}

/// The mode a behaviour leads to (BH-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DerivedMode {
    /// Nothing is executed.
    Answer,
    /// A plan is made and waits for approval.
    Plan,
    /// Something may be executed, after approval.
    Mission,
}

/// How much a request concerns (BH-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// A typo, a rename, an import, a format, a comment.
    Trivial,
    /// One to three files with a clear intent.
    Small,
    /// Four to ten files, some dependencies.
    Medium,
    /// More, across domains, or from nothing.
    Large,
}

/// What a request rests on (BH-04).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Source {
    /// On its own words.
    Fresh,
    /// On what was done or proposed before.
    FollowUp {
        /// The files of the earlier task.
        files: Vec<String>,
        /// What the earlier task left: an applied diff or a proposal.
        previous_task: ReferenceKind,
    },
    /// On something that is pointed at ("this file").
    ExplicitReference {
        /// The files pointed at.
        files: Vec<String>,
    },
}

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// The diff applied last.
    LastAppliedDiff,
    /// The file open in the editor.
    LastOpenEditor,
    /// The plan, diff or checkpoint proposed last.
    LastArtifactProposed,
}

impl Behaviour {
    /// The code as the log and the specs write it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Answer => "ANSWER",
            Self::Clarify => "CLARIFY",
            Self::QuickAction => "QUICK_ACTION",
            Self::Plan => "PLAN",
            Self::ContinueRun => "CONTINUE_RUN",
            Self::Command => "COMMAND",
        }
    }
}

impl DerivedMode {
    /// The mode that follows from `behaviour`.
    #[must_use]
    pub fn of(behaviour: Behaviour) -> Self {
        match behaviour {
            Behaviour::Answer | Behaviour::Clarify | Behaviour::Command => Self::Answer,
            Behaviour::QuickAction | Behaviour::ContinueRun => Self::Mission,
            Behaviour::Plan => Self::Plan,
        }
    }

    /// The code as the log writes it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Answer => "ANSWER",
            Self::Plan => "PLAN",
            Self::Mission => "MISSION",
        }
    }
}

impl Scope {
    /// Files up to which a change is small.
    pub const SMALL_FILES_MAX: usize = 3;
    /// Files up to which a change is medium.
    pub const MEDIUM_FILES_MAX: usize = 10;

    /// The scope of a change of so many files.
    #[must_use]
    pub fn of_files(count: usize) -> Self {
        if count <= Self::SMALL_FILES_MAX {
            Self::Small
        } else if count <= Self::MEDIUM_FILES_MAX {
            Self::Medium
        } else {
            Self::Large
        }
    }

    /// What is done about a change of this scope (BH-02, step 4).
    #[must_use]
    pub fn behaviour(self) -> Behaviour {
        match self {
            Self::Trivial | Self::Small => Behaviour::QuickAction,
            Self::Medium | Self::Large => Behaviour::Plan,
        }
    }

    /// The name in reasons and events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trivial => "trivial",
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
        }
    }
}

impl ReferenceKind {
    /// The name in events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LastAppliedDiff => "last_applied_diff",
            Self::LastOpenEditor => "last_open_editor",
            Self::LastArtifactProposed => "last_artifact_proposed",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;
    use crate::{Event, MessageId};

    /// Consumers of the log read these keys: they stay.
    #[test]
    fn the_events_of_a_selection_are_spelt_as_they_always_were() {
        let selected = Selected {
            behaviour: Behaviour::QuickAction,
            context_source: Source::Fresh,
            confidence: Confidence::CERTAIN,
            reasoning: "Scope: small".to_owned(),
            detected_scope: Some(Scope::Small),
            referenced_files: vec!["src/index.ts".to_owned()],
        };
        let message = MessageId::new(1);
        for (event, json) in [
            (
                Event::IntentReceived { message, selected },
                r#"{"event":"intent_received","message":1,"behavior":"QUICK_ACTION","context_source":{"type":"fresh"},"confidence":1.0,"reasoning":"Scope: small","detected_scope":"small","referenced_files":["src/index.ts"]}"#,
            ),
            (
                Event::ModeSet { message, mode: DerivedMode::of(Behaviour::QuickAction) },
                r#"{"event":"mode_set","message":1,"mode":"MISSION"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&event).unwrap(), json);
            assert_eq!(serde_json::from_str::<Event>(json).unwrap(), event);
        }
    }
}
