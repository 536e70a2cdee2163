//! The house: what the server is told about the process it runs in. Channels know no assistants and no data, so the
//! command line, which does, answers for them. Next: `channel::http::Host`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use turnwise_core::{AssistantName, ConversationId, MessageReading, PersonId, Phase, ReadContext, Sequence};

use super::results::Results;
use crate::assistant::Assistant;
use crate::channel::http::{AssistantView, CommandView, Conclusions, Host, ProofForm};
use crate::driver::{Clock as _, Deleted, Driver, DriverError, Session, Summary, SystemClock};
use crate::proof::collect::{CollectError, Wanted, collect};
use crate::proof::{Form, write};
use crate::telemetry::Counts;

/// The conversations over this data, as the server gets them.
pub struct House {
    driver: Driver,
    assistant: Arc<dyn Assistant>,
    shown: Vec<AssistantView>,
    mark: String,
    results: Results,
    /// Conversations used last, the oldest first: they stay in memory for the next request.
    recent: Mutex<VecDeque<Session>>,
}

/// Conversations kept in memory beside those that are followed; each takes a few KiB.
const RECENT_MAX: usize = 256;

impl House {
    /// The house over `driver`, whose conversations bear the `mark` of the data and have their files in `results`.
    pub fn new(
        driver: Driver,
        assistant: Arc<dyn Assistant>,
        overview: Vec<String>,
        mark: String,
        results: Results,
    ) -> Self {
        let policy = assistant.policy();
        let command =
            |command: &turnwise_core::Command| CommandView { name: command.name.clone(), help: command.help.clone() };
        let shown = AssistantView {
            name: assistant.name().clone(),
            greeting: overview,
            commands: policy.commands.iter().map(command).collect(),
            examples: policy.examples.clone(),
            pausable: policy.pause_enabled,
        };
        Self { driver, assistant, shown: vec![shown], mark, results, recent: Mutex::default() }
    }

    /// Keeps a conversation in memory for the next request.
    fn keep(&self, session: Session) -> Session {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|other| other.id() != session.id());
        recent.push_back(session.clone());
        if recent.len() > RECENT_MAX {
            recent.pop_front();
        }
        session
    }

    /// An id that follows from who asks and their key, so that asking again finds the same conversation.
    fn id_for(&self, what: &str, person: &PersonId, key: &str) -> ConversationId {
        let seed = Sha256::digest(format!("{what}\n{person}\n{key}").as_bytes());
        let name = seed.iter().take(16).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        ConversationId::new(format!("{name}-{}", self.mark))
    }

    /// Whether a conversation is over the data that is served here.
    fn is_ours(&self, id: &ConversationId) -> bool {
        id.as_str().ends_with(&format!("-{}", self.mark))
    }

    /// The files of the conversations.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// What drives the conversations.
    pub fn driver(&self) -> &Driver {
        &self.driver
    }

    /// Ends the work under way without reporting it; the next start goes on with it.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn shutdown(&self) -> Result<(), DriverError> {
        self.driver.shutdown().await
    }

    fn is(&self, name: &AssistantName) -> bool {
        self.assistant.name() == name
    }
}

#[async_trait]
impl Host for House {
    fn assistants(&self) -> &[AssistantView] {
        &self.shown
    }

    async fn conversations(&self) -> Result<Vec<Summary>, DriverError> {
        let mut all = self.driver.conversations().await?;
        all.retain(|summary| self.is(&summary.assistant) && self.is_ours(&summary.id));
        Ok(all)
    }

    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError> {
        if !self.is_ours(id) {
            return Ok(None);
        }
        match self.driver.find(id, Arc::clone(&self.assistant)).await {
            Err(DriverError::OtherAssistant { .. }) => Ok(None),
            found => Ok(found?.map(|session| self.keep(session))),
        }
    }

    async fn begin(
        &self,
        assistant: &AssistantName,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError> {
        if !self.is(assistant) {
            return Ok(None);
        }
        let id = self.id_for("begin", person, key);
        self.driver.open(id, Arc::clone(&self.assistant)).await.map(Some)
    }

    async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        person: &PersonId,
        key: &str,
    ) -> Result<ConversationId, DriverError> {
        let id = self.id_for("fork", person, key);
        self.driver.fork(from, upto, id.clone(), person).await?;
        let history = from.history().await?;
        let known = history.iter().take_while(|recorded| upto.is_none_or(|upto| recorded.sequence <= upto)).count();
        let (results, source, fork) = (self.results.clone(), from.id().clone(), id.clone());
        let copying = tokio::task::spawn_blocking(move || results.copy(&source, &fork, &history[..known]));
        // The fork is there: where a file cannot be copied, its link says that it is gone, and nothing else is lost.
        if let Ok(Err(error)) = copying.await {
            eprintln!("The files of a fork could not all be copied: {error}");
        }
        Ok(id)
    }

    async fn proof(&self, session: &Session, of: &Conclusions, form: ProofForm) -> Result<Option<String>, DriverError> {
        let state = session.conversation();
        let now = SystemClock.now();
        let conversation = Summary {
            id: session.id().clone(),
            assistant: state.assistant().clone(),
            title: None,
            phase: state.phase(),
            active_at: now,
            members: Vec::new(),
        };
        let wanted = match of {
            Conclusions::Last => Wanted::Last,
            Conclusions::Named(names) => Wanted::Named(names.clone()),
            Conclusions::All => Wanted::All,
        };
        let form = match form {
            ProofForm::Json => Form::Json,
            ProofForm::Markdown => Form::Markdown,
            ProofForm::Html => Form::Html,
        };
        match collect(self.driver.store().as_ref(), &conversation, &wanted, now).await {
            Ok(proof) => Ok(Some(write(&proof, form))),
            Err(CollectError::Nothing(_) | CollectError::NoFact(..)) => Ok(None),
            Err(CollectError::Store(error)) => Err(error.into()),
        }
    }

    async fn delete(&self, id: &ConversationId) -> Result<Deleted, DriverError> {
        let deleted = self.driver.delete(id).await?;
        if deleted == Deleted::Gone {
            self.recent.lock().unwrap_or_else(PoisonError::into_inner).retain(|session| session.id() != id);
            let (results, gone) = (self.results.clone(), id.clone());
            if let Ok(Err(error)) = tokio::task::spawn_blocking(move || results.forget(&gone)).await {
                eprintln!("The files of a conversation that was deleted could not be removed: {error}");
            }
        }
        Ok(deleted)
    }

    fn file(&self, conversation: &ConversationId, name: &str) -> Option<PathBuf> {
        self.results.place(conversation, name)
    }

    fn read(&self, assistant: &AssistantName, text: &str, phase: Phase) -> Option<MessageReading> {
        let context = ReadContext { phase, ..ReadContext::default() };
        self.is(assistant).then(|| self.assistant.reader().read(text, &context))
    }

    fn spans(&self) -> Option<Counts> {
        self.driver.telemetry().counts()
    }

    fn trouble(&self) -> Option<String> {
        self.driver.trouble().borrow().as_ref().map(ToString::to_string)
    }
}
