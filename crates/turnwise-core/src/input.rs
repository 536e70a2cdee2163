//! Inputs: what the world tells us. A person's messages and actions, and reports from our own work. Next: `decide`.

use serde::{Deserialize, Serialize};

use crate::{
    AnswerOutcome, Control, DecisionRef, DraftOutcome, HeardAs, InputKey, LookUp, Mode, ModelCall, Origin, PendingId,
    PersonId, RequestId, RunId, StepId, StepOutcome, Verdict,
};

/// One thing the world tells us.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// What makes two deliveries the same. The driver answers a second one with the first one's result.
    pub key: InputKey,
    /// A second key, where one content can arrive under several transport keys.
    pub content_key: Option<InputKey>,
    /// Where it came from, and what its sender saw; empty for our own work.
    #[serde(default)]
    pub origin: Origin,
    /// What it says.
    pub body: InputBody,
}

/// What an input says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "there is one per turn, and it is moved a few times")]
pub enum InputBody {
    /// A person wrote something.
    Message {
        /// Who.
        person: PersonId,
        /// What.
        text: String,
        /// Words of it that name things the assistant knows; found by the assistant before the turn.
        grounding: Vec<String>,
    },
    /// A person decided on an open question through a control.
    Decide {
        /// Who.
        person: PersonId,
        /// On what.
        reference: DecisionRef,
        /// How.
        verdict: Verdict,
    },
    /// A person pressed stop (Ctrl+C, a button): equal to saying "stop" (CF-28).
    Stop {
        /// Who.
        person: PersonId,
    },
    /// A person takes part from now on; opens a conversation that is new. Whether they may is the surface's to check.
    Join {
        /// Who.
        person: PersonId,
    },
    /// A person takes part no longer. Whether it is theirs to say is the surface's to check.
    Leave {
        /// Who.
        person: PersonId,
    },
    /// A person calls the conversation otherwise.
    Rename {
        /// Who.
        person: PersonId,
        /// What it is called from now on.
        title: String,
    },
    /// A person pressed a control of a surface: equal to typing its command.
    Press {
        /// Who.
        person: PersonId,
        /// Which.
        control: Control,
        /// What stands after the command, `drop` for a queue.
        words: Option<String>,
    },
    /// A surface was started with a mode.
    SetMode {
        /// Who.
        person: PersonId,
        /// The mode.
        mode: Mode,
    },
    /// Our own work reports.
    Report(Report),
}

impl InputBody {
    /// What the person wrote, where it holds words of theirs.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Message { text, .. } => Some(text),
            Self::Decide { verdict, .. } => verdict.words(),
            Self::Press { words, .. } => words.as_deref(),
            Self::Rename { title, .. } => Some(title),
            Self::Stop { .. } | Self::Join { .. } | Self::Leave { .. } | Self::SetMode { .. } | Self::Report(_) => None,
        }
    }
}

/// What our own work reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum Report {
    /// Drafting ended.
    Drafted {
        /// The request it belongs to.
        request: RequestId,
        /// What came of it.
        outcome: DraftOutcome,
    },
    /// Answering ended.
    Answered {
        /// The request it belongs to.
        request: RequestId,
        /// What came of it.
        outcome: AnswerOutcome,
    },
    /// An attempt at a step ended.
    StepEnded {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
        /// What came of it.
        outcome: StepOutcome,
    },
    /// The process that performed an attempt died, or lost its claim: how far it got is not known.
    StepLost {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
    },
    /// A tool was asked whether an attempt had its effect.
    LookedUp {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
        /// What it found.
        found: LookUp,
    },
    /// A waiting time is over.
    Woke {
        /// The run.
        run: RunId,
        /// The step whose next attempt is due.
        step: StepId,
        /// The attempt that failed before.
        attempt: u32,
    },
    /// The time to answer a question is over.
    TimedOut {
        /// The question.
        pending: PendingId,
    },
    /// A model was asked which reading of a message is meant.
    Heard {
        /// The question to the person that stood meanwhile.
        pending: PendingId,
        /// What it is sure of; nothing where it is not, or did not answer.
        heard: Option<HeardAs>,
    },
    /// A language model was asked; how it ended is in the call.
    ModelAsked {
        /// The call.
        call: ModelCall,
    },
    /// A process took this conversation up again: whatever should be happening and is not, starts.
    Recovered,
}
