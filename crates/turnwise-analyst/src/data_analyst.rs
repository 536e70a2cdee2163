//! The analyst as the engine meets it: its profile reads messages, its own code plans, answers and runs steps. Those
//! compute, so each runs on a thread where blocking is fine. Next: `analyst` for what it does.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, HeardAs, Hearing, LookUp, Permit, Policy,
    Question, Reader, StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;

use super::Analyst;
use super::documents::DocumentReader;
use super::question::{self, ModelReader};
use super::source::shown;
use super::telling;
use turnwise_assistant::{Assistant, Room, TableAtHand, TableNames, profiled};
use turnwise_model::Watching;

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
    /// Who reads where the grammar does not; nobody unless a model was named.
    model: Option<ModelReader>,
}

impl DataAnalyst {
    /// Puts both together. Help lists the profile's commands, and questions that work on this very data.
    #[must_use]
    pub fn new(reader: IntentReader, analyst: Analyst) -> Self {
        let profile = reader.profile();
        let policy = Policy {
            examples: analyst.overview().examples,
            query_words: vec!["sql".to_owned()],
            takes_likely: true,
            ..profiled::policy(profile)
        };
        let (name, analyst) = (AssistantName::new(profile.name.as_str()), Arc::new(analyst));
        prepare_names(&analyst);
        let reader = Arc::new(DocumentReader::new(reader, Arc::clone(&analyst)));
        let (policy, room) = (Arc::new(policy), Room::Anywhere);
        Self { name, reader, policy, analyst, sources: Vec::new(), root: None, room, model: None }
    }

    /// The same, with a folder below `root` for the files of each conversation: whoever asks may be far away from this
    /// machine, and others ask here as well.
    #[must_use]
    pub fn keeping_below(self, root: PathBuf) -> Self {
        Self { root: Some(root), room: Room::Closed, ..self }
    }

    /// The same, with a model that reads messages the grammar does not understand.
    #[must_use]
    pub fn read_by(self, model: Option<ModelReader>) -> Self {
        let hears = model.as_ref().is_some_and(ModelReader::hears);
        let policy = Arc::new(Policy { hears, ..Policy::clone(&self.policy) });
        Self { model, policy, ..self }
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

    /// Lets a model read what the grammar did not. Planning what it read looks at the data, so the whole of it runs
    /// where blocking is fine; whoever gives the draft up stops the model too.
    async fn draft_by(&self, model: ModelReader, task: Task, outcome: DraftOutcome) -> DraftOutcome {
        let cancelled = CancellationToken::new();
        let _until_given_up = cancelled.clone().drop_guard();
        let (here, watching) = (tokio::runtime::Handle::current(), Watching::here());
        let work = move |analyst: &Analyst, room: &Room| {
            here.block_on(watching.during(analyst.draft_by(&model, room, &task, outcome, &cancelled)))
        };
        self.compute(work).await
    }
}

/// What of a step's time is left when its words are given up.
const SPARE: Duration = Duration::from_secs(2);
/// Of so many tables the names are compared at need: that takes no time anybody notices.
const TABLES_AT_NEED: usize = 40;

/// Gets the names of many tables ready for words nobody knows, beside everything else, and no longer than there is an
/// analyst. Without a thread for it, the first such word waits for them.
fn prepare_names(analyst: &Arc<Analyst>) {
    let names = analyst.data.compared();
    if names.len() <= TABLES_AT_NEED {
        return;
    }
    let analyst = Arc::downgrade(analyst);
    let work = move || {
        for name in names {
            let Some(analyst) = analyst.upgrade() else { return };
            analyst.data.prepare(&name);
        }
    };
    drop(std::thread::Builder::new().name("linking".to_owned()).spawn(work));
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
        if self.root.is_none() && self.model.is_none() {
            return None;
        }
        let room = self.root.as_ref().map_or_else(|| self.room.clone(), |root| Room::below(root, conversation));
        let model = self.model.as_ref().map(ModelReader::of_conversation);
        Some(Arc::new(Self { room, model, ..self.clone() }))
    }

    fn sources(&self) -> Vec<String> {
        self.sources.clone()
    }

    async fn at_hand(&self) -> Vec<TableAtHand> {
        self.compute(|analyst, _| analyst.at_hand()).await
    }

    fn names(&self) -> Vec<TableNames> {
        self.analyst.names()
    }

    fn takes_files(&self) -> &'static [&'static str] {
        &["csv", "tsv", "xlsx", "parquet", "json", "jsonl", "ndjson", "sqlite", "db", "md", "txt", "html", "pdf"]
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        self.analyst.recognise(text)
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(super::steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        let asked = task.clone();
        let outcome = self.compute(move |analyst, room| analyst.draft_in(room, &task)).await;
        match &self.model {
            Some(model) if question::is_wanted(&asked, &outcome) => self.draft_by(model.clone(), asked, outcome).await,
            _ => outcome,
        }
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        let kind = question.kind;
        let outcome = self.compute(move |analyst, _| analyst.answer(&question)).await;
        match outcome {
            // What a message asks of the data may be read by a model, and that is a plan to be approved.
            AnswerOutcome::Unknown { .. } if self.model.is_some() && question::may_be_of_data(kind) => {
                AnswerOutcome::NeedsPlan
            }
            other => other,
        }
    }

    async fn hear(&self, hearing: Hearing) -> Option<HeardAs> {
        self.model.as_ref()?.hear(&hearing).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        let (concludes, token) = (work.concludes.clone(), cancelled.clone());
        // A result that is there must not be lost to whoever words it.
        let until = Instant::now() + Duration::from_secs(work.work.timeout_seconds.into()).saturating_sub(SPARE);
        let stop = move || token.is_cancelled();
        let outcome = self
            .compute(move |analyst, room| match analyst.has_effect(&work) {
                true => analyst.run_effect(room, &work, &permit, stop),
                false => analyst.run_step_in(room, &work, stop),
            })
            .await;
        match (&self.model, concludes, outcome) {
            (Some(model), Some(conclusion), StepOutcome::Done { facts, answer: Some(answer) }) => {
                let finished = facts.first().and_then(|fact| telling::Finished::of(&conclusion, fact, &answer));
                let answer = match finished {
                    Some(finished) => {
                        let within = until.saturating_duration_since(Instant::now());
                        model.tell(&finished, answer, within, &cancelled).await
                    }
                    None => answer,
                };
                StepOutcome::Done { facts, answer: Some(answer) }
            }
            (_, _, outcome) => outcome,
        }
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        self.compute(move |analyst, room| analyst.look_up(room, &work)).await
    }
}
