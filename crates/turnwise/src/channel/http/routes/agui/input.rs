//! What a run is asked to do, as AG-UI has it. Only the last message is new, and only if it is the person's: what comes
//! before it is the client's picture of a talk that is kept here. Next: `taken`.

use std::collections::BTreeSet;

use axum::extract::{FromRequest, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use turnwise_core::{ConversationId, Seen, Sequence};
use utoipa::ToSchema;

use super::super::super::limits;
use super::super::super::problem::Problem;
use super::super::body;
use super::ids::{AgentMessageId, AgentRunId, InterruptId, ThreadId};
use crate::channel::wire::SeenView;
use crate::driver::Reference;

/// The input of a run, as AG-UI describes it. What is not described here may be sent and is not used.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAgentInput {
    /// The conversation: any name of your own, or the id of a conversation.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "thread-1")]
    pub thread_id: ThreadId,
    /// A new one for each run; the same one to send the same run again, which does nothing twice.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "run-1")]
    pub run_id: AgentRunId,
    /// The run that led to this one; told again at its start.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub parent_run_id: Option<AgentRunId>,
    /// The talk as the client has it. The last message is new if it is a `user` one that was not sent before.
    pub messages: Vec<InputMessage>,
    /// The state as the last snapshot gave it: it says what stood before the person.
    #[serde(default)]
    pub state: Option<Value>,
    /// The answer to the interrupt that the run before ended with.
    #[serde(default)]
    #[schema(max_items = 1)]
    pub resume: Option<Vec<ResumeEntry>>,
    /// Tools of the client; not used.
    #[serde(default)]
    pub tools: Option<Vec<Value>>,
    /// What the client knows besides; not used.
    #[serde(default)]
    pub context: Option<Vec<Value>>,
    /// What the application passes through; not used.
    #[serde(default)]
    pub forwarded_props: Option<Value>,
}

/// A message of the talk.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct InputMessage {
    /// Its id: the same one is the same message, in whichever run it is sent. That of a new one has at most 200
    /// characters.
    #[schema(value_type = String, example = "message-1")]
    pub id: AgentMessageId,
    /// Whose it is.
    pub role: MessageRole,
    /// A text, or parts of which those of type `text` are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Value>,
    /// What else there is, which a restated message keeps.
    #[serde(flatten)]
    #[schema(ignore)]
    pub rest: Map<String, Value>,
}

/// Whose a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageRole {
    /// Of whoever made the client.
    Developer,
    /// Of whoever made the client, to a model.
    System,
    /// Of the assistant.
    Assistant,
    /// Of the person.
    User,
    /// Of a tool.
    Tool,
    /// Of the client, about what goes on.
    Activity,
    /// Of a model, to itself.
    Reasoning,
}

/// An answer to an interrupt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumeEntry {
    /// The `id` of the interrupt.
    #[schema(value_type = String, example = "tw1.…")]
    pub interrupt_id: InterruptId,
    /// Whether it is answered, or dropped.
    pub status: ResumeStatus,
    /// The answer, as the `responseSchema` of the interrupt has it.
    #[serde(default)]
    pub payload: Option<Value>,
}

/// Whether an interrupt is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResumeStatus {
    /// It is, by `payload`.
    Resolved,
    /// It is not: what it asks about is dropped.
    Cancelled,
}

/// What the person says that was not said before, as far as the client knows.
pub(super) struct NewMessage<'a> {
    pub id: &'a AgentMessageId,
    pub text: String,
}

impl<S: Send + Sync> FromRequest<S> for RunAgentInput {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        body(request, state, limits::RUN_INPUT_BYTES_MAX).await
    }
}

impl RunAgentInput {
    /// Refuses what cannot be a run.
    pub(super) fn check(&self) -> Result<(), Problem> {
        for (name, id) in [("threadId", self.thread_id.as_str()), ("runId", self.run_id.as_str())] {
            check_id(name, id, &format!("/{name}"))?;
        }
        if self.resume.as_ref().is_some_and(|entries| entries.len() > 1) {
            let told = "one question is asked at a time, and `resume` has several answers";
            let hint = "answer the interrupt of the last RUN_FINISHED alone";
            return Err(Problem::unprocessable("several_answers", told, hint).at("/resume"));
        }
        let last = self.messages.len().saturating_sub(1);
        match self.new_message() {
            Some(new) if self.skipped_parts() == 0 && new.text.is_empty() => {
                let told = "the message says nothing";
                let hint = "send words in `content`, or leave the message out to see where the thread stands";
                Err(Problem::unprocessable("empty", told, hint).at(format!("/messages/{last}/content")))
            }
            Some(new) => check_id("id", new.id.as_str(), &format!("/messages/{last}/id")),
            None => Ok(()),
        }
    }

    /// The answer to the interrupt of the run before.
    pub(super) fn answer(&self) -> Option<&ResumeEntry> {
        self.resume.as_deref().and_then(<[_]>::first)
    }

    /// The last message, where it is the person's and none that we restated.
    pub(super) fn new_message(&self) -> Option<NewMessage<'_>> {
        let last = self.messages.last().filter(|message| message.role == MessageRole::User)?;
        if last.id.is_heard() {
            return None;
        }
        let text = last.text();
        Some(NewMessage { id: &last.id, text: text.trim().to_owned() })
    }

    /// What was sent and is not used, by name.
    pub(super) fn unused(&self) -> Vec<&'static str> {
        let some = |name, sent: &Option<Vec<Value>>| sent.as_ref().filter(|sent| !sent.is_empty()).map(|_| name);
        let parts = (self.skipped_parts() > 0).then_some("content");
        let props = self.forwarded_props.as_ref().filter(|props| **props != json!({})).map(|_| "forwardedProps");
        [some("tools", &self.tools), some("context", &self.context), props, parts].into_iter().flatten().collect()
    }

    /// Parts of the last message that cannot be read: pictures, sound and documents.
    fn skipped_parts(&self) -> usize {
        let parts = self.messages.last().and_then(|last| last.content.as_ref()?.as_array());
        parts.map_or(0, |parts| parts.iter().filter(|part| text_of(part).is_none()).count())
    }

    /// What stood before the person, by the state the client sent back: a question and a plan that it does not name
    /// were not seen.
    pub(super) fn seen(&self, conversation: &ConversationId) -> Seen {
        let Some(state) = &self.state else { return Seen::default() };
        let asked = state["pending"].as_array().and_then(|open| open.last()?["reference"].as_str());
        let asked = asked.filter(|asked| asked.parse::<Reference>().is_ok_and(|asked| asked.is_of(conversation)));
        let is_in_view = matches!(state["phase"].as_str(), Some("awaiting_approval" | "executing" | "failed"));
        let plan = Some(&state["plan"]).filter(|_| is_in_view);
        let version = plan.and_then(|plan| u32::try_from(plan["version"].as_u64()?).ok());
        let plan = plan.filter(|_| version.is_some()).and_then(|plan| plan["id"].as_str());
        let seen = SeenView {
            reference: asked.map(str::to_owned),
            question: None,
            question_version: None,
            plan: plan.map(str::to_owned),
            plan_version: version.filter(|_| plan.is_some()),
        };
        seen.try_into().unwrap_or_default()
    }

    /// The last of our messages that the client has.
    pub(super) fn last_known(&self) -> Option<Sequence> {
        self.messages.iter().filter_map(|message| message.id.event()).max().map(Sequence::new)
    }

    /// The calls of tools that the client knows of.
    pub(super) fn calls(&self) -> BTreeSet<String> {
        let calls = |message: &InputMessage| {
            let calls = message.rest.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
            calls.filter_map(|call| call["id"].as_str().map(str::to_owned)).collect::<Vec<_>>()
        };
        self.messages.iter().flat_map(calls).collect()
    }

    /// Whether the client has these words of the person under an id of its own.
    pub(super) fn has_said(&self, text: &str) -> bool {
        self.messages.iter().any(|message| message.role == MessageRole::User && message.text().trim() == text.trim())
    }
}

impl InputMessage {
    /// What of it are words.
    fn text(&self) -> String {
        match self.content.as_ref() {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => parts.iter().filter_map(text_of).collect::<Vec<_>>().join("\n"),
            _ => String::new(),
        }
    }
}

fn check_id(name: &str, id: &str, pointer: &str) -> Result<(), Problem> {
    if !id.is_empty() && id.chars().count() <= limits::RUN_ID_CHARACTERS_MAX {
        return Ok(());
    }
    let told = format!("`{name}` has 1 to {} characters", limits::RUN_ID_CHARACTERS_MAX);
    Err(Problem::unprocessable("invalid", told, "a UUID makes a good one").at(pointer))
}

/// The text of a part that is one.
fn text_of(part: &Value) -> Option<&str> {
    part["text"].as_str().filter(|_| part["type"] == "text")
}

/// The talk as a client has it and, in it or behind it, what is `restated`: each where the client has it, and what it
/// does not have before the next that it has.
pub(super) fn with_restated(messages: &[InputMessage], restated: Vec<Value>) -> Vec<Value> {
    let is_restated = |message: &Value| restated.iter().any(|ours| ours["id"] == message["id"]);
    let (mut all, mut next) = (Vec::new(), 0);
    for message in messages.iter().map(|message| json!(message)) {
        let ahead = restated.iter().skip(next).position(|ours| ours["id"] == message["id"]);
        if let Some(ahead) = ahead {
            all.extend(restated[next..=next + ahead].iter().cloned());
            next += ahead + 1;
        } else if !is_restated(&message) {
            all.push(message);
        }
    }
    all.extend(restated.into_iter().skip(next));
    all
}
