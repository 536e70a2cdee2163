//! The events of AG-UI that are sent, each as one frame of a stream: they are the protocol's own, so that its clients
//! need to know nothing of ours. Next: `stream`, which says when.

use hyper::body::Bytes;
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use super::super::super::view::StateView;
use super::ids::{AgentMessageId, AgentRunId, ThreadId, ToolCallId};
use super::interrupt::Interrupt;

/// A frame of the stream.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the stream; `AgentEvent` writes it")]
pub struct AgentEventFrame {
    /// One event of AG-UI as JSON: `RUN_STARTED`, `STATE_SNAPSHOT` (a `StateView`), `MESSAGES_SNAPSHOT`,
    /// `TEXT_MESSAGE_START`, `TEXT_MESSAGE_CONTENT`, `TEXT_MESSAGE_END`, `STEP_STARTED`, `TOOL_CALL_START`,
    /// `TOOL_CALL_ARGS`, `TOOL_CALL_END`, `TOOL_CALL_RESULT`, `STEP_FINISHED`, `CUSTOM`, and at the end `RUN_FINISHED`
    /// or `RUN_ERROR`.
    pub data: String,
}

/// An event.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase")]
pub(super) enum AgentEvent {
    RunStarted {
        thread_id: ThreadId,
        run_id: AgentRunId,
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_run_id: Option<AgentRunId>,
        protocol_version: &'static str,
    },
    StateSnapshot {
        snapshot: Box<StateView>,
    },
    MessagesSnapshot {
        messages: Vec<Value>,
    },
    TextMessageStart {
        message_id: AgentMessageId,
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    TextMessageContent {
        message_id: AgentMessageId,
        delta: String,
    },
    TextMessageEnd {
        message_id: AgentMessageId,
    },
    ToolCallStart {
        tool_call_id: ToolCallId,
        tool_call_name: String,
    },
    ToolCallArgs {
        tool_call_id: ToolCallId,
        delta: String,
    },
    ToolCallEnd {
        tool_call_id: ToolCallId,
    },
    ToolCallResult {
        message_id: AgentMessageId,
        tool_call_id: ToolCallId,
        content: String,
        role: &'static str,
    },
    StepStarted {
        step_name: String,
    },
    StepFinished {
        step_name: String,
    },
    Custom {
        name: &'static str,
        value: Value,
    },
    RunFinished {
        thread_id: ThreadId,
        run_id: AgentRunId,
        outcome: RunOutcome,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Value>,
    },
    RunError {
        message: String,
        code: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Value>,
    },
}

/// Something that was said.
#[derive(Debug, Serialize)]
pub(super) struct SaidMessage {
    pub id: AgentMessageId,
    pub role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(rename = "content", serialize_with = "as_content")]
    parts: SaidParts,
}

/// The parts of a message, none of them empty: a text, a table, what it rests on.
#[derive(Debug)]
struct SaidParts(Vec<String>);

fn as_content<S: Serializer>(parts: &SaidParts, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&parts.0.join(BETWEEN_PARTS))
}

/// How a run ended that did not fail.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum RunOutcome {
    Success,
    Cancelled,
    Interrupt { interrupts: Vec<Interrupt> },
}

impl SaidMessage {
    /// What was said in these parts; none where they say nothing.
    pub(super) fn of_parts(
        id: AgentMessageId,
        role: &'static str,
        parts: impl IntoIterator<Item = String>,
    ) -> Option<Self> {
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then_some(Self { id, role, name: None, parts: SaidParts(parts) })
    }

    /// The same, said by `name`.
    pub(super) fn by(self, name: String) -> Self {
        Self { name: Some(name), ..self }
    }

    /// All that was said.
    pub(super) fn content(&self) -> String {
        self.parts.0.join(BETWEEN_PARTS)
    }

    /// As a client is told of it when it is said: one delta for each of its parts.
    pub(super) fn events(self) -> Vec<AgentEvent> {
        let Self { id, role, name, parts } = self;
        let part = |(at, part): (usize, String)| {
            let delta = if at == 0 { part } else { format!("{BETWEEN_PARTS}{part}") };
            AgentEvent::TextMessageContent { message_id: id.clone(), delta }
        };
        std::iter::once(AgentEvent::TextMessageStart { message_id: id.clone(), role, name })
            .chain(parts.0.into_iter().enumerate().map(part))
            .chain([AgentEvent::TextMessageEnd { message_id: id.clone() }])
            .collect()
    }
}

impl AgentEvent {
    /// The event as it goes over the wire. JSON has no line ends of its own.
    pub(super) fn frame(&self) -> Bytes {
        // Views are plain values and can always be written.
        let json = serde_json::to_string(self).unwrap_or_default();
        Bytes::from(format!("data: {json}\n\n"))
    }
}

/// What stands between the parts of a message.
const BETWEEN_PARTS: &str = "\n\n";
/// The version of the protocol that is spoken.
pub(super) const PROTOCOL_VERSION: &str = "1.0";
/// What the event that says what was not used is called.
pub(super) const UNUSED: &str = "turnwise.unused";
/// What the event is called that tells what a model is writing, or a program prints.
pub(super) const WRITING: &str = "turnwise.writing";
