//! The analyst as the engine meets it: its profile reads messages, its own code plans, answers and runs steps. Those
//! compute, so each runs on a thread where blocking is fine. Next: `analyst` for what it does.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, LookUp, Permit, Policy, Question, Reader,
    StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;

use super::Analyst;
use super::documents::DocumentReader;
use super::source::shown;
use turnwise_assistant::{Assistant, Room, profiled};

/// The analyst with its reader.
#[derive(Clone)]
pub struct DataAnalyst {
    name: AssistantName,
    reader: Arc<DocumentReader>,
    policy: Arc<Policy>,
    analyst: Arc<Analyst>,
    sources: Vec<String>,
    /// The folder below which each conversation has its files; without one, people write where they say.
    root: Option<PathBuf>,
    room: Room,
}

impl DataAnalyst {
    /// Puts both together. Help lists the profile's commands, and questions that work on this very data.
    #[must_use]
    pub fn new(reader: IntentReader, analyst: Analyst) -> Self {
        let profile = reader.profile();
        let policy = Policy {
            examples: analyst.overview().examples,
            query_words: vec!["sql".to_owned()],
            ..profiled::policy(profile)
        };
        let (name, analyst) = (AssistantName::new(profile.name.as_str()), Arc::new(analyst));
        let reader = Arc::new(DocumentReader::new(reader, Arc::clone(&analyst)));
        let (policy, room) = (Arc::new(policy), Room::Anywhere);
        Self { name, reader, policy, analyst, sources: Vec::new(), root: None, room }
    }

    /// The same, with a folder below `root` for the files of each conversation: whoever asks may be far away from this
    /// machine, and others ask here as well.
    #[must_use]
    pub fn keeping_below(self, root: PathBuf) -> Self {
        Self { root: Some(root), room: Room::Closed, ..self }
    }

    /// Says from which files, folders and servers its data was read.
    #[must_use]
    pub fn over(mut self, paths: &[PathBuf]) -> Self {
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| shown(path));
        self.sources = paths.iter().map(|path| whole(path).display().to_string()).collect();
        self
    }

    /// Computes where blocking is fine. A panic goes on to the driver, which tells the person.
    async fn compute<T: Send + 'static>(&self, work: impl FnOnce(&Analyst, &Room) -> T + Send + 'static) -> T {
        let (analyst, room) = (Arc::clone(&self.analyst), self.room.clone());
        match tokio::task::spawn_blocking(move || work(&analyst, &room)).await {
            Ok(done) => done,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Blocking work is cancelled only when the runtime ends, and then nobody waits for it.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

#[async_trait]
impl Assistant for DataAnalyst {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        self.reader.as_ref()
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn of_conversation(&self, conversation: &ConversationId) -> Option<Arc<dyn Assistant>> {
        let room = Room::below(self.root.as_ref()?, conversation);
        Some(Arc::new(Self { room, ..self.clone() }))
    }

    fn sources(&self) -> Vec<String> {
        self.sources.clone()
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        self.analyst.recognise(text)
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(super::steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.compute(move |analyst, room| analyst.draft_in(room, &task)).await
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.compute(move |analyst, _| analyst.answer(&question)).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        let stop = move || cancelled.is_cancelled();
        self.compute(move |analyst, room| match analyst.has_effect(&work) {
            true => analyst.run_effect(room, &work, &permit, stop),
            false => analyst.run_step_in(room, &work, stop),
        })
        .await
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        self.compute(move |analyst, room| analyst.look_up(room, &work)).await
    }
}
