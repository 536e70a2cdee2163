//! Turnwise in an editor, by the Agent Client Protocol over standard input and output. A session of the editor is a
//! conversation; what it shows follows from events alone, whoever caused them, and what waits for a yes is asked with a
//! request for permission that carries our signed reference and nothing else. Next: `requests` for what an editor asks,
//! `thread` for one session, `prompt` for a message and what comes of it, `shown` for events as updates.

mod prompt;
mod requests;
mod said;
mod shown;
mod thread;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use turnwise_acp::{Incoming, Peer};
use turnwise_assistant::Failure;
use turnwise_core::{Command, ConversationId, PersonId, Timestamp};

use crate::driver::Session;
use thread::Thread;

/// What the process around it answers: channels know no assistants and no store.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// A conversation over `folder`: the one of this id, or a new one.
    ///
    /// # Errors
    /// When there is none, or the folder cannot be worked in.
    async fn conversation(&self, folder: &Path, id: Option<&str>) -> Result<Held, Failure>;

    /// Conversations that were held, the latest first: those over `folder`, or all.
    ///
    /// # Errors
    /// Whatever the store says.
    async fn conversations(&self, folder: Option<&Path>) -> Result<Vec<Kept>, Failure>;

    /// Forgets a conversation.
    ///
    /// # Errors
    /// When something of it runs, and whatever the store says.
    async fn delete(&self, id: &str) -> Result<(), Failure>;
}

/// A conversation as the editor gets it.
pub struct Held {
    /// The conversation.
    pub session: Session,
    /// What was noticed while it was opened.
    pub noticed: Option<String>,
    /// What can be typed.
    pub commands: Vec<Command>,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its id.
    pub id: ConversationId,
    /// The folder it is over.
    pub folder: PathBuf,
    /// Its first message, cut short.
    pub title: Option<String>,
    /// Its last turn.
    pub active_at: Timestamp,
}

/// The agent that an editor speaks with.
struct Agent<H> {
    host: Arc<H>,
    peer: Peer,
    person: PersonId,
    threads: Mutex<BTreeMap<String, Arc<Thread>>>,
}

/// Serves an editor until it closes standard input.
///
/// # Errors
/// None at present: what an editor says wrongly is told to it.
pub async fn serve<H: Host>(host: Arc<H>, person: PersonId) -> Result<(), Failure> {
    let (peer, mut incoming) = Peer::over(std::io::stdin(), std::io::stdout());
    let agent = Arc::new(Agent { host, peer: peer.clone(), person, threads: Mutex::default() });
    while let Some(incoming) = incoming.recv().await {
        match incoming {
            Incoming::Request(asked) => Arc::clone(&agent).asked(asked),
            Incoming::Notification { method, params } => agent.told(&method, &params),
        }
    }
    // Whoever closed the pipe may still read what was said before.
    peer.flush();
    Ok(())
}

impl<H> Agent<H> {
    fn threads(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Thread>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What people call this surface.
const SURFACE: &str = "editor";
