//! The house: what the server is told about the process it runs in. Channels know no assistants and no data, so the
//! command line, which does, answers for them. Next: `channel::http::Host`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use turnwise_core::{AssistantName, ConversationId, MessageReading, PersonId, Phase, ReadContext, Sequence};

use super::results::Results;
use crate::channel::http::{AssistantView, CommandView, Conclusions, Host, ProofForm};
use crate::driver::{Clock as _, Deleted, Driver, DriverError, Listing, Over, Place, Session, Summary, SystemClock};
use crate::proof::collect::{CollectError, Wanted, collect};
use crate::proof::{Form, write};
use crate::telemetry::Counts;
use turnwise_assistant::Opened;
use turnwise_assistant::projects::Projects;

/// The conversations with these assistants, as the server gets them.
pub struct House {
    driver: Driver,
    /// The one that is meant where none is named first.
    served: Vec<Opened>,
    /// How they are shown, in the same order.
    shown: Vec<AssistantView>,
    results: Results,
    /// Conversations used last, the oldest first: they stay in memory for the next request.
    recent: Mutex<VecDeque<Session>>,
}

/// Conversations kept in memory beside those that are followed; each takes a few KiB.
const RECENT_MAX: usize = 256;

impl House {
    /// The house over `driver`, in which these assistants are served, whose conversations have their files in
    /// `results`.
    pub fn new(driver: Driver, served: Vec<Opened>, results: Results) -> Self {
        let shown = served.iter().map(view).collect();
        Self { driver, served, shown, results, recent: Mutex::default() }
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
    fn id_for(mark: &str, what: &str, person: &PersonId, key: &str) -> ConversationId {
        let seed = Sha256::digest(format!("{what}\n{person}\n{key}").as_bytes());
        let name = seed.iter().take(16).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        ConversationId::new(format!("{name}-{mark}"))
    }

    /// The conversation with `assistant` that a thread of this name elsewhere is, for whoever speaks there.
    ///
    /// # Errors
    /// As [`Driver::open`].
    pub async fn thread(&self, assistant: &AssistantName, name: &str) -> Result<Session, DriverError> {
        let served = self.named(assistant).ok_or(DriverError::Gone)?;
        let id = Self::id_for(&served.mark, "thread", &PersonId::new(""), name);
        let session = self.driver.open(id, Arc::clone(&served.assistant)).await?;
        Ok(self.keep(session))
    }

    /// The assistants a conversation of this id can be with: those over what it is over.
    fn over<'a>(&'a self, id: &'a ConversationId) -> impl Iterator<Item = &'a Opened> {
        self.served.iter().filter(move |served| served.is_over(id))
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

    fn named(&self, name: &AssistantName) -> Option<&Opened> {
        self.served.iter().find(|served| served.assistant.name() == name)
    }
}

/// An assistant as clients see it.
fn view(served: &Opened) -> AssistantView {
    let policy = served.assistant.policy();
    let command =
        |command: &turnwise_core::Command| CommandView { name: command.name.clone(), help: command.help.clone() };
    AssistantView {
        name: served.assistant.name().clone(),
        greeting: served.overview.clone(),
        commands: policy.commands.iter().map(command).collect(),
        examples: policy.examples.clone(),
        pausable: policy.pause_enabled,
    }
}

#[async_trait]
impl Host for House {
    fn assistants(&self) -> &[AssistantView] {
        &self.shown
    }

    fn going_along(&self) -> Option<&AssistantName> {
        self.served.iter().map(|served| &served.assistant).find(|assistant| assistant.goes_along()).map(|it| it.name())
    }

    fn projects(&self) -> Option<Arc<dyn Projects>> {
        self.served.iter().find_map(|served| served.assistant.projects())
    }

    async fn conversations(
        &self,
        member: Option<&PersonId>,
        after: Option<Place>,
    ) -> Result<Vec<Summary>, DriverError> {
        let over =
            |served: &Opened| Over { assistant: served.assistant.name().clone(), ending: format!("-{}", served.mark) };
        let wanted = Listing {
            over: self.served.iter().map(over).collect(),
            member: member.cloned(),
            after,
            ..Listing::default()
        };
        self.driver.conversations(&wanted).await
    }

    async fn open(&self, id: &ConversationId) -> Result<Option<Session>, DriverError> {
        let mut found = None;
        for served in self.over(id) {
            match self.driver.find(id, Arc::clone(&served.assistant)).await {
                Err(DriverError::OtherAssistant { .. }) => {}
                session => {
                    found = session?;
                    break;
                }
            }
        }
        Ok(found.map(|session| self.keep(session)))
    }

    async fn begin(
        &self,
        assistant: &AssistantName,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError> {
        let Some(served) = self.named(assistant) else { return Ok(None) };
        let id = Self::id_for(&served.mark, "begin", person, key);
        match self.driver.open(id, Arc::clone(&served.assistant)).await {
            // The same key began a conversation with another assistant before.
            Err(DriverError::OtherAssistant { .. }) => Err(DriverError::KeyReused),
            opened => opened.map(Some),
        }
    }

    async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        person: &PersonId,
        key: &str,
    ) -> Result<ConversationId, DriverError> {
        // A fork is over what its original is over.
        let mark = from.id().as_str().rsplit_once('-').map_or("", |(_, mark)| mark);
        let id = Self::id_for(mark, "fork", person, key);
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
        self.named(assistant).map(|served| served.assistant.reader().read(text, &context))
    }

    fn spans(&self) -> Option<Counts> {
        self.driver.telemetry().counts()
    }

    fn trouble(&self) -> Option<String> {
        self.driver.trouble().borrow().as_ref().map(ToString::to_string)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::path::PathBuf;

    use turnwise_intent::IntentReader;

    use super::*;
    use crate::assistant::ALL;
    use crate::store::MemoryStore;
    use turnwise_assistant::{Models, Settings};

    /// The first assistant there is, by the profile of this name.
    fn opened(profile: &str, data: &[PathBuf]) -> Opened {
        let reader = IntentReader::builtin(profile).unwrap();
        (ALL[0].open)(Settings {
            reader,
            data: data.to_vec(),
            below: None,
            models: Models::default(),
            state: None,
            outlets: turnwise_assistant::Outlets::default(),
            options: serde_json::Value::Null,
        })
        .unwrap()
    }

    #[tokio::test]
    async fn several_assistants_are_served_each_with_its_own_conversations() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("people.csv");
        std::fs::write(&table, "name,town\nAda,London\n").unwrap();
        let data = [table];
        let store = Arc::new(MemoryStore::new());
        let house = |profiles: [&str; 2]| {
            let driver = Driver::new(store.clone(), Arc::new(SystemClock));
            let results = Results::at(folder.path().join("files"));
            House::new(driver, profiles.map(|profile| opened(profile, &data)).into(), results)
        };
        let ada = PersonId::new("ada");
        let first = house(["analyst", "coder"]);
        let names: Vec<&str> = first.assistants().iter().map(|shown| shown.name.as_str()).collect();
        assert_eq!(names, ["analyst", "coder"]);
        let mut begun = Vec::new();
        for name in ["analyst", "coder"].map(AssistantName::new) {
            let session = first.begin(&name, &ada, name.as_str()).await.unwrap().unwrap();
            session.say(&ada, "/status", Session::new_key()).await.unwrap();
            begun.push((session.id().clone(), name));
        }
        assert!(first.begin(&AssistantName::new("nobody"), &ada, "other").await.unwrap().is_none());
        let reused = first.begin(&AssistantName::new("coder"), &ada, "analyst").await;
        assert!(matches!(reused, Err(DriverError::KeyReused)), "a key means one thing");
        // Another process, in which the other one comes first, finds both with whom they were begun.
        let second = house(["coder", "analyst"]);
        assert_eq!(second.conversations(None, None).await.unwrap().len(), 2);
        for (id, name) in begun {
            let session = second.open(&id).await.unwrap().unwrap();
            assert_eq!(session.conversation().assistant(), &name);
        }
    }
}
