//! The ids of AG-UI, each of a type of its own, because a run that is taken for a thread does the wrong thing in the
//! wrong place. The first three are made by the client. Next: `input`.

use std::fmt;

use serde::{Deserialize, Serialize};
use turnwise_core::{RunId, Sequence, StepId};

macro_rules! agui_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }
    };
}

agui_id! {
    /// What a client calls a conversation.
    ThreadId
}
agui_id! {
    /// What a client calls one request and its answer.
    AgentRunId
}
agui_id! {
    /// What a message is called, by the client or by us.
    AgentMessageId
}
agui_id! {
    /// What a question is called: our signed reference, as it came back.
    InterruptId
}

agui_id! {
    /// What the call of a step's tool is called: the same however often it is told.
    ToolCallId
}

impl ToolCallId {
    /// That of an attempt at a step.
    pub(super) fn of(run: RunId, step: StepId, attempt: u32) -> Self {
        Self(format!("{run}/{}/{attempt}", step.number()))
    }
}

impl AgentMessageId {
    /// That of what came of a call.
    pub(super) fn result(call: &ToolCallId) -> Self {
        Self(format!("{call}/result"))
    }

    /// That of what the assistant said, by the event.
    pub(super) fn said(at: Sequence) -> Self {
        Self(format!("{SAID}{}", at.number()))
    }

    /// That of what a person said or did elsewhere, by the event.
    pub(super) fn heard(at: Sequence) -> Self {
        Self(format!("{HEARD}{}", at.number()))
    }

    /// Whether we called a person's message so.
    pub(super) fn is_heard(&self) -> bool {
        self.number_behind(HEARD).is_some()
    }

    /// The event of a message that we called so.
    pub(super) fn event(&self) -> Option<u64> {
        self.number_behind(SAID).or_else(|| self.number_behind(HEARD))
    }

    fn number_behind(&self, prefix: &str) -> Option<u64> {
        self.0.strip_prefix(prefix)?.parse().ok()
    }
}

const SAID: &str = "said-";
const HEARD: &str = "heard-";
