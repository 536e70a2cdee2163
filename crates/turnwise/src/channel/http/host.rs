//! What the server asks of the process it runs in: which assistants there are, and the conversations. A trait, because
//! a channel knows the driver and nothing of assistants, profiles or data. Next: `routes`.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use turnwise_assistant::projects::Projects;
use turnwise_core::{AssistantName, Cell, ConversationId, FactName, MessageReading, PersonId, Phase, Sequence};
use utoipa::ToSchema;

use crate::driver::{Deleted, DriverError, Place, Session, Summary};
use crate::telemetry::Counts;

/// An assistant as a client sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AssistantView {
    /// Its name, by which conversations are begun.
    #[schema(value_type = String, example = "analyst")]
    pub name: AssistantName,
    /// Its name for people.
    pub title: String,
    /// What it knows and how it greets, one paragraph each.
    pub greeting: Vec<String>,
    /// The slash commands there are.
    pub commands: Vec<CommandView>,
    /// Things to say.
    pub examples: Vec<String>,
    /// Whether a run can be paused.
    pub pausable: bool,
}

/// An assistant the program has, whether or not it is served.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnownAssistant {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
}

/// A table that can be asked about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TableAtHandView {
    /// Its name.
    pub name: String,
    /// How many rows it had when it was read.
    pub rows: u64,
    /// Its columns, in order.
    pub columns: Vec<ColumnAtHandView>,
    /// Its first rows; a cell is null, a number or text.
    #[schema(value_type = Vec<Vec<serde_json::Value>>)]
    pub first: Vec<Vec<Cell>>,
}

/// A column of a table that can be asked about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ColumnAtHandView {
    /// Its name.
    pub name: String,
    /// `number`, `text`, `date` or `yes or no`.
    pub kind: &'static str,
}

/// What can be brought to ask about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TakesFiles {
    /// The assistant that reads it.
    pub assistant: String,
    /// The endings of the files it reads.
    pub endings: Vec<&'static str>,
    /// Bytes a file may have.
    pub bytes_max: usize,
    /// Files that may be brought together.
    pub files_max: usize,
}

/// Why a file was not kept.
#[derive(Debug)]
pub enum NotKept {
    /// It is called by no name of a file that can be read.
    Name,
    /// As many are there as may be.
    TooMany,
    /// There are no files under that id.
    Nothing,
    /// It cannot be read, for this reason.
    Unreadable(String),
    /// The disk did not take it.
    Disk(String),
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

    /// All assistants the program has, whether or not they are served.
    fn known(&self) -> Vec<KnownAssistant>;

    /// The tables `assistant` can be asked about; `None` when there is no such assistant here.
    async fn at_hand(&self, assistant: &AssistantName) -> Option<Vec<TableAtHandView>>;

    /// What a conversation can be asked about: tables, and questions that work on them.
    async fn at_hand_in(&self, session: &Session) -> (Vec<TableAtHandView>, Vec<String>);

    /// What can be brought to ask about; `None` where no assistant here reads files.
    fn takes_files(&self) -> Option<TakesFiles>;

    /// Keeps a file for a conversation that is yet to begin, beside those under the id `beside`. Gives the id and the
    /// names of all files under it.
    async fn keep_file(&self, name: &str, beside: Option<&str>, bytes: &[u8])
    -> Result<(String, Vec<String>), NotKept>;

    /// The projects that this assistant keeps for people; `None` where none is served that keeps any.
    fn projects(&self) -> Option<Arc<dyn Projects>>;

    /// A page of the conversations that can be opened here, latest activity first: those after the place `after`, and
    /// only those that `member` takes part in, if one is named.
    async fn conversations(&self, member: Option<&PersonId>, after: Option<Place>)
    -> Result<Vec<Summary>, DriverError>;

    /// The conversation `id`; `None` when there is none of that id that can be opened here.
    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError>;

    /// A new conversation with `assistant`, over the files that were brought under the id `data` where one is named;
    /// `None` when there is no such assistant or no such files. It is kept from its first input on. The same person
    /// with the same `key` gets the same conversation again.
    async fn begin(
        &self,
        assistant: &AssistantName,
        data: Option<&str>,
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
