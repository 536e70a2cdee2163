//! What an assistant is: the trait that the engine asks, how one is registered ([`Kind`]), and what several of them
//! share. An assistant's crate knows this one, core and the reader, and nothing of the engine or of a surface.
//!
//! Start at [`Assistant`]; the list of all assistants stands in the binary, `turnwise::assistant::ALL`.

mod at_hand;
mod beside;
pub mod comma;
pub mod command;
pub mod digest;
mod failure;
pub mod hearing;
mod kind;
pub mod leash;
mod models;
mod outlet;
pub mod place;
pub mod printed;
pub mod profiled;
mod progress;
pub mod projects;
mod room;
mod section;

use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, HeardAs, Hearing, LookUp, Permit,
    PersonId, Policy, Question, Reader, RunId, StepOutcome, StepTask, Task, ToolName,
};

pub use at_hand::{ColumnAtHand, TableAtHand, TableNames};
pub use beside::{Beside, Changed, Setup, Suggestion, Unknown};
pub use failure::{Failure, FailureKind, nearest_of};
pub use hearing::Hearer;
pub use kind::{Kind, Opened, Reopened, Reruns, RowsWanted, Settings};
pub use models::Models;
pub use outlet::{Around, Outlet, OutletError, Outlets, Remark, RemarkId, Talk};
pub use progress::{Progress, Stage};
pub use room::{Room, quoted};
pub use section::{Finding, Looking, Section, misread};

/// What the engine asks of an assistant. A panic in here ends the one piece of work it happens in, never the
/// conversation.
#[async_trait]
pub trait Assistant: Send + Sync + 'static {
    /// Its name; a conversation belongs to one assistant for good.
    fn name(&self) -> &AssistantName;

    /// Reads messages by its profile.
    fn reader(&self) -> &dyn Reader;

    /// What its profile and the operator settle for the engine.
    fn policy(&self) -> &Policy;

    /// The same assistant for the work of one conversation, where it keeps something apart for each: the driver asks it
    /// when it takes a conversation up, so that no work of one can reach what is kept for another.
    fn of_conversation(&self, conversation: &ConversationId) -> Option<Arc<dyn Assistant>> {
        let _ = conversation;
        None
    }

    /// What it reads, in its own words: how the command line would name it again. Kept with a conversation, so that
    /// another process can take it up; nothing secret may be in it.
    fn sources(&self) -> Vec<String> {
        Vec::new()
    }

    /// The words of `text` that name things it knows. Asked before each message is decided, on the way of the message,
    /// so it must be quick (a look-up, no query).
    fn recognise(&self, text: &str) -> Vec<String>;

    /// What `tool` may do to the world, whatever a draft says of it: the graver of the two counts. An assistant whose
    /// drafts do not come from its own code alone says it here, so that no draft can pass an effect off as harmless.
    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        let _ = tool;
        None
    }

    /// Drafts a plan, without effects. Given up by dropping the future when the request is overtaken.
    async fn draft(&self, task: Task) -> DraftOutcome;

    /// Answers a question, without effects. Given up by dropping the future when the question is closed.
    async fn answer(&self, question: Question) -> AnswerOutcome;

    /// Which of the likely readings of a message a model is sure of; asked only where the policy says that it hears.
    /// Given up by dropping the future when the person says it first.
    async fn hear(&self, hearing: Hearing) -> Option<HeardAs> {
        let _ = hearing;
        None
    }

    /// Runs one attempt at a step. Without a [`Permit`] it cannot be called, and only an approval in the log makes one.
    ///
    /// `cancelled` fires when the person stopped the run, the time of the step is over or the process shuts down. The
    /// future is first polled under the conversation's lock, so that no stop can slip in between the permit and the
    /// first instruction; long computing therefore belongs behind an await (`spawn_blocking`). A tool with an effect
    /// that cannot be taken back looks at `cancelled` as the last thing before it.
    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome;

    /// Whether an attempt at a once-only step whose process died had its effect, found without effects. A tool that
    /// cannot tell leaves it as it is: the person is asked.
    async fn look_up(&self, work: StepTask) -> LookUp {
        LookUp::CannotTell { reason: format!("`{}` keeps no record of what it did", work.work.tool) }
    }

    /// The tables it can be asked about, with their first rows; none where it works on something else.
    async fn at_hand(&self) -> Vec<TableAtHand> {
        Vec::new()
    }

    /// What all the tables it can be asked about are called, for completing what is being typed: a look-up, no query.
    fn names(&self) -> Vec<TableNames> {
        Vec::new()
    }

    /// The endings of the files a conversation with it can be over that a person brings; none where it reads none.
    fn takes_files(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether it is at the side of one person, in one conversation that goes on: only then are the two below asked.
    fn goes_along(&self) -> bool {
        false
    }

    /// Whether there is what a request of `person` names.
    ///
    /// # Errors
    /// The first of it that there is not.
    async fn check(&self, person: &PersonId, project: Option<&str>, intent: Option<&str>) -> Result<(), Unknown> {
        let _ = (person, project, intent);
        Ok(())
    }

    /// The projects it keeps for people, where it keeps any.
    fn projects(&self) -> Option<Arc<dyn projects::Projects>> {
        None
    }

    /// What is told `person` beside a reply for which `runs` were made.
    async fn beside(&self, person: &PersonId, runs: &[RunId]) -> Beside {
        let _ = (person, runs);
        Beside::default()
    }
}
