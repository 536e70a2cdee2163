//! What the server asks of the process it runs in: which assistants there are, and the conversations. A trait, because
//! a channel knows the driver and nothing of assistants, profiles or data. Next: `routes`.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use turnwise_assistant::projects::Projects;
use turnwise_core::{AssistantName, ConversationId, FactName, MessageReading, PersonId, Phase, Sequence};
use utoipa::ToSchema;

use crate::driver::{Deleted, DriverError, Place, Session, Summary};
use crate::telemetry::Counts;

/// An assistant as a client sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AssistantView {
    /// Its name, by which conversations are begun.
    #[schema(value_type = String, example = "analyst")]
    pub name: AssistantName,
    /// What it knows and how it greets, one paragraph each.
    pub greeting: Vec<String>,
    /// The slash commands there are.
    pub commands: Vec<CommandView>,
    /// Things to say.
    pub examples: Vec<String>,
    /// Whether a run can be paused.
    pub pausable: bool,
}

/// A slash command.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CommandView {
    /// With its slash.
    pub name: String,
    /// What it does.
    pub help: String,
}

/// What is to be proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusions {
    /// The last one.
    Last,
    /// These facts.
    Named(Vec<FactName>),
    /// Everything that was found.
    All,
}

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofForm {
    /// For machines.
    Json,
    /// For reading anywhere.
    Markdown,
    /// One page with the derivation drawn.
    Html,
}

/// The process around the server.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// The assistants conversations can be held with.
    fn assistants(&self) -> &[AssistantView];

    /// The assistant at the side of one person, with which a conversation goes on and on; `None` where none is served.
    fn going_along(&self) -> Option<&AssistantName>;

    /// The projects that this assistant keeps for people; `None` where none is served that keeps any.
    fn projects(&self) -> Option<Arc<dyn Projects>>;

    /// A page of the conversations that can be opened here, latest activity first: those after the place `after`, and
    /// only those that `member` takes part in, if one is named.
    async fn conversations(&self, member: Option<&PersonId>, after: Option<Place>)
    -> Result<Vec<Summary>, DriverError>;

    /// The conversation `id`; `None` when there is none of that id that can be opened here.
    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError>;

    /// A new conversation with `assistant`; `None` when there is no such assistant. It is kept from its first input on.
    /// The same person with the same `key` gets the same conversation again.
    async fn begin(
        &self,
        assistant: &AssistantName,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError>;

    /// Copies a conversation up to `upto` into a new one in which `person` takes part. The same person with the same
    /// `key` gets the same copy again.
    async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        person: &PersonId,
        key: &str,
    ) -> Result<ConversationId, DriverError>;

    /// The proof of conclusions of a conversation, as the text of a file; `None` when there is nothing of that to
    /// prove.
    async fn proof(&self, session: &Session, of: &Conclusions, form: ProofForm) -> Result<Option<String>, DriverError>;

    /// Forgets a conversation for good.
    async fn delete(&self, id: &ConversationId) -> Result<Deleted, DriverError>;

    /// Where the file is that a plan of `conversation` calls `name`; `None` for what can be none of its files.
    fn file(&self, conversation: &ConversationId, name: &str) -> Option<PathBuf>;

    /// How `text` would be read in `phase`; `None` when there is no such assistant.
    fn read(&self, assistant: &AssistantName, text: &str, phase: Phase) -> Option<MessageReading>;

    /// How many spans were sent and lost, where spans are recorded.
    fn spans(&self) -> Option<Counts>;

    /// What keeps the server from working, if anything does.
    fn trouble(&self) -> Option<String>;
}
