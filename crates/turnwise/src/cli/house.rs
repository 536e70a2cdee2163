//! The house: what the server is told about the process it runs in. Channels know no assistants and no data, so the
//! command line, which does, answers for them. Next: `channel::http::Host`.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sha2::{Digest as _, Sha256};
use turnwise_core::{AssistantName, ConversationId, MessageReading, PersonId, Phase, ReadContext, Sequence};

use super::brought::{Brought, Opens};
use super::results::Results;
use crate::assistant::ALL;
use crate::channel::http::{
    AssistantView, ColumnAtHandView, CommandView, Conclusions, Host, KnownAssistant, NotKept, ProofForm,
    TableAtHandView, TakesFiles, limits,
};
use crate::driver::{Clock as _, Deleted, Driver, DriverError, Listing, Over, Place, Session, Summary, SystemClock};
use crate::proof::collect::{CollectError, Wanted, collect};
use crate::proof::{Form, write};
use crate::telemetry::Counts;
use turnwise_assistant::projects::Projects;
use turnwise_assistant::{Opened, TableAtHand};

/// The conversations with these assistants, as the server gets them.
pub struct House {
    driver: Driver,
    /// The one that is meant where none is named first.
    served: Vec<Opened>,
    /// How they are shown, in the same order.
    shown: Vec<AssistantView>,
    results: Results,
    brought: Option<Arc<Brought>>,
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
        Self { driver, served, shown, results, brought: None, recent: Mutex::default() }
    }

    /// The same, where people can bring files, which `opens` opens.
    #[must_use]
    pub fn taking_files(self, opens: Opens) -> Self {
        let reads = |served: &&Opened| !served.assistant.takes_files().is_empty();
        let brought = self.served.iter().find(reads).map(|served| {
            let root = self.results.root().join(BROUGHT);
            let endings = served.assistant.takes_files();
            Arc::new(Brought::new(root, served.assistant.name().clone(), endings, opens))
        });
        Self { brought, ..self }
    }

    /// Forgets files that were brought and never asked about.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn forget_unasked(&self) -> Result<(), DriverError> {
        let Some(brought) = &self.brought else { return Ok(()) };
        for over in brought.all() {
            self.forget_brought(brought, over).await?;
        }
        Ok(())
    }

    /// Forgets brought files that no conversation is over any more.
    async fn forget_brought(&self, brought: &Arc<Brought>, over: Over) -> Result<(), DriverError> {
        let mark = over.ending.trim_start_matches('-').to_owned();
        let listing = Listing { over: vec![over], ..Listing::default() };
        if self.driver.conversations(&listing).await?.is_empty() {
            let brought = Arc::clone(brought);
            let _ = tokio::task::spawn_blocking(move || brought.forget(&mark)).await;
        }
        Ok(())
    }

    /// The assistant over the files that were brought for a conversation, or under an id.
    async fn brought(&self, which: Which) -> Option<Opened> {
        let brought = Arc::clone(self.brought.as_ref()?);
        let opening = tokio::task::spawn_blocking(move || match which {
            Which::Conversation(id) => brought.of(&id),
            Which::Files(id) => brought.over(&id),
        });
        match opening.await.ok()?? {
            Ok(opened) => Some(opened),
            Err(failure) => {
                eprintln!("Files that were brought cannot be read any more: {failure}");
                None
            }
        }
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

/// Which brought files are meant.
enum Which {
    /// Those that this conversation is over.
    Conversation(ConversationId),
    /// Those under this id.
    Files(String),
}

/// The folder of files that were brought, beside those of conversations, whose names never begin so.
const BROUGHT: &str = ".brought";

/// An assistant as clients see it.
fn view(served: &Opened) -> AssistantView {
    let policy = served.assistant.policy();
    let command =
        |command: &turnwise_core::Command| CommandView { name: command.name.clone(), help: command.help.clone() };
    AssistantView {
        name: served.assistant.name().clone(),
        title: titled(served.assistant.name().as_str()),
        greeting: served.overview.clone(),
        commands: policy.commands.iter().map(command).collect(),
        examples: policy.examples.clone(),
        pausable: policy.flow.pause_enabled,
    }
}

/// A name as people write it.
fn titled(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn table_view(table: TableAtHand) -> TableAtHandView {
    let column = |column: turnwise_assistant::ColumnAtHand| ColumnAtHandView { name: column.name, kind: column.kind };
    let columns = table.columns.into_iter().map(column).collect();
    TableAtHandView { name: table.name, rows: table.rows, columns, first: table.first }
}

#[async_trait]
impl Host for House {
    fn assistants(&self) -> &[AssistantView] {
        &self.shown
    }

    fn known(&self) -> Vec<KnownAssistant> {
        ALL.iter().map(|kind| KnownAssistant { name: kind.name.to_owned(), title: titled(kind.name) }).collect()
    }

    async fn at_hand(&self, assistant: &AssistantName) -> Option<Vec<TableAtHandView>> {
        let assistant = Arc::clone(&self.named(assistant)?.assistant);
        Some(assistant.at_hand().await.into_iter().map(table_view).collect())
    }

    async fn at_hand_in(&self, session: &Session) -> (Vec<TableAtHandView>, Vec<String>) {
        let served =
            self.over(session.id()).find(|served| served.assistant.name() == session.conversation().assistant());
        let opened = match served {
            Some(served) => Some(served.clone()),
            None => self.brought(Which::Conversation(session.id().clone())).await,
        };
        let Some(opened) = opened else { return (Vec::new(), Vec::new()) };
        let tables = opened.assistant.at_hand().await.into_iter().map(table_view).collect();
        (tables, opened.assistant.policy().examples.clone())
    }

    fn takes_files(&self) -> Option<TakesFiles> {
        let brought = self.brought.as_ref()?;
        Some(TakesFiles {
            assistant: brought.reader().to_string(),
            endings: brought.endings().to_vec(),
            bytes_max: limits::UPLOAD_BYTES_MAX,
            files_max: limits::UPLOAD_FILES_MAX,
        })
    }

    async fn keep_file(
        &self,
        name: &str,
        beside: Option<&str>,
        bytes: &[u8],
    ) -> Result<(String, Vec<String>), NotKept> {
        let brought = Arc::clone(self.brought.as_ref().ok_or(NotKept::Nothing)?);
        let (name, beside, bytes) = (name.to_owned(), beside.map(str::to_owned), bytes.to_vec());
        let keeping = tokio::task::spawn_blocking(move || brought.keep(&name, beside.as_deref(), &bytes));
        keeping.await.map_err(|_| NotKept::Unreadable("reading the file broke down".to_owned()))?
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
            over: self.served.iter().map(over).chain(self.brought.iter().flat_map(|brought| brought.all())).collect(),
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
        if found.is_none()
            && let Some(opened) = self.brought(Which::Conversation(id.clone())).await
        {
            found = self.driver.find(id, opened.assistant).await?;
        }
        Ok(found.map(|session| self.keep(session)))
    }

    async fn begin(
        &self,
        assistant: &AssistantName,
        data: Option<&str>,
        person: &PersonId,
        key: &str,
    ) -> Result<Option<Session>, DriverError> {
        let opened = match data {
            None => self.named(assistant).cloned(),
            Some(data) => self.brought(Which::Files(data.to_owned())).await,
        };
        let Some(served) = opened.filter(|opened| opened.assistant.name() == assistant) else { return Ok(None) };
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
            let is_its = |over: &Over| id.as_str().ends_with(&over.ending);
            if let Some(brought) = &self.brought
                && let Some(over) = brought.all().into_iter().find(is_its)
            {
                self.forget_brought(brought, over).await?;
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
            section: turnwise_assistant::Section::default(),
            progress: turnwise_assistant::Progress::default(),
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
            let session = first.begin(&name, None, &ada, name.as_str()).await.unwrap().unwrap();
            session.say(&ada, "/status", Session::new_key()).await.unwrap();
            begun.push((session.id().clone(), name));
        }
        assert!(first.begin(&AssistantName::new("nobody"), None, &ada, "other").await.unwrap().is_none());
        let reused = first.begin(&AssistantName::new("coder"), None, &ada, "analyst").await;
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
