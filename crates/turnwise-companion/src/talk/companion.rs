//! The companion as the engine asks it. The store waits for a disk, so each piece of work has a thread on which waiting
//! is fine. What was said and what was answered is recorded with every piece of work (CP-12). Next: `draft`, `answer`,
//! `run`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::{Assistant, Beside, Failure, Models, Room, Unknown, profiled};
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, Heard, LookUp, Permit, PersonId, Policy,
    Question, ReadContext, Reader, RunId, StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::companion::{INTENTS, intent};

use super::answer::Reply;
use super::draft::{Drafted, plain};
use super::place::Place;
use super::reader::CompanionReader;
use super::steps::{self, Arguments};
use crate::store::{NewTurn, ProjectId, Store, StoreError};
use crate::voice::VOICE;

/// The companion, in one conversation or in none yet.
#[derive(Clone)]
pub(super) struct Companion {
    name: AssistantName,
    reader: Arc<CompanionReader>,
    policy: Arc<Policy>,
    store: Store,
    below: Option<PathBuf>,
    models: Models,
    conversation: Option<ConversationId>,
}

impl Companion {
    pub(super) fn new(
        reader: IntentReader,
        store: Store,
        below: Option<PathBuf>,
        models: Models,
    ) -> Result<Self, Failure> {
        let profile = reader.profile();
        let name = AssistantName::new(profile.name.as_str());
        let examples = EXAMPLES.iter().map(|text| (*text).to_owned()).collect();
        let policy = Policy { examples, ..profiled::policy(profile) };
        let reader = Arc::new(CompanionReader::new(reader, store.clone()));
        Ok(Self { name, reader, policy: Arc::new(policy), store, below, models, conversation: None })
    }

    /// Works where waiting is fine. A panic goes on to the engine, which tells the person.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> T {
        let companion = self.clone();
        match tokio::task::spawn_blocking(move || work(&companion)).await {
            Ok(done) => done,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Blocking work is cancelled only when the runtime ends, and then nobody waits for it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Where something is said by `person`.
    fn place<'a>(&'a self, nowhere: &'a ConversationId, person: Option<&PersonId>) -> Place<'a> {
        let conversation = self.conversation.as_ref().unwrap_or(nowhere);
        let person = person.cloned().unwrap_or_else(|| PersonId::new(""));
        Place { store: &self.store, conversation, person, now_ms: now_ms() }
    }

    fn room(&self) -> Room {
        match (&self.below, &self.conversation) {
            (None, _) => Room::Anywhere,
            (Some(below), Some(conversation)) => Room::below(below, conversation),
            (Some(_), None) => Room::Closed,
        }
    }

    /// How a request was read: as the engine heard it, else by its words.
    fn intent_of(&self, heard: &Heard, said: &str) -> String {
        let known = heard.intent.clone().filter(|label| intent(label).is_some());
        known.unwrap_or_else(|| self.reader.classified(said, &ReadContext::default()).intent)
    }

    fn drafted(&self, task: &Task) -> DraftOutcome {
        let nowhere = ConversationId::new("");
        let place = self.place(&nowhere, task.heard.person.as_ref());
        let said = task.problem.as_str();
        let intent = self.intent_of(&task.heard, said);
        let drafted = match place.draft(said, &intent, &task.answers) {
            Ok(drafted) => drafted,
            Err(error) => Drafted::Said(trouble(&error), None),
        };
        if let Drafted::Said(reply, project) = &drafted {
            record(&place, &task.heard, project.as_ref(), said, reply, &intent);
        }
        drafted.outcome(said, &intent)
    }

    fn answered(&self, question: &Question) -> AnswerOutcome {
        let nowhere = ConversationId::new("");
        let place = self.place(&nowhere, question.heard.person.as_ref());
        let said = question.text.as_str();
        let intent = self.intent_of(&question.heard, said);
        let (reply, project) = match place.answer(said, &intent, &[]) {
            Ok(Reply::Said(reply, project)) => (reply, project),
            // Asking back which project is meant is part of drafting.
            Ok(Reply::Which(_)) => return AnswerOutcome::NeedsPlan,
            Err(error) => (trouble(&error), None),
        };
        record(&place, &question.heard, project.as_ref(), said, &reply, &intent);
        AnswerOutcome::Known { answer: plain(reply) }
    }

    fn ran(&self, work: &StepTask, permit: &Permit) -> StepOutcome {
        let nowhere = ConversationId::new("");
        let place = self.place(&nowhere, work.by.as_ref());
        let outcome = place.run(work, permit, &self.room());
        if let StepOutcome::Done { answer: Some(answer), .. } = &outcome {
            let arguments = Arguments(&work.work.arguments);
            let project = arguments.project();
            let operation = place.operation(work);
            let turn = NewTurn {
                key: operation.key(),
                project: Some(&project).filter(|project| !project.as_str().is_empty()),
                said: arguments.text(steps::SAID),
                reply: &answer.text,
                intent: arguments.text(steps::INTENT),
            };
            kept(place.store.record(&place.person, place.now_ms, turn));
        }
        outcome
    }
}

/// Keeps what was said and answered.
fn record(place: &Place<'_>, heard: &Heard, project: Option<&ProjectId>, said: &str, reply: &str, intent: &str) {
    let Some(message) = heard.message else { return };
    let key = format!("{}/{message}", place.conversation);
    kept(place.store.record(&place.person, place.now_ms, NewTurn { key: &key, project, said, reply, intent }));
}

/// An account that could not be kept does not take the reply away from who waits for it.
fn kept(recorded: Result<(), StoreError>) {
    if let Err(error) = recorded {
        eprintln!("a turn could not be recorded: {error}");
    }
}

fn trouble(error: &StoreError) -> String {
    match error {
        StoreError::NotFound => VOICE.not_found.plain(),
        _ => VOICE.failed.with(&[("reason", &error.to_string())]),
    }
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Things to say, for help.
const EXAMPLES: [&str; 5] = [
    "start a new project",
    "remember that the deadline is March 15th",
    "what have I told you about the deadline?",
    "how is the project going?",
    "save my notes",
];

#[async_trait]
impl Assistant for Companion {
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
        let reader = Arc::new(self.reader.of_conversation(conversation));
        let models = self.models.of_conversation();
        Some(Arc::new(Self { conversation: Some(conversation.clone()), reader, models, ..self.clone() }))
    }

    fn recognise(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.work(move |companion| companion.drafted(&task)).await
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.work(move |companion| companion.answered(&question)).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, _: CancellationToken) -> StepOutcome {
        self.work(move |companion| companion.ran(&work, &permit)).await
    }

    fn goes_along(&self) -> bool {
        true
    }

    async fn check(&self, person: &PersonId, project: Option<&str>, label: Option<&str>) -> Result<(), Unknown> {
        if let Some(label) = label.filter(|label| intent(label).is_none()) {
            let nearest = turnwise_intent::nearest(label, INTENTS.iter().map(|intent| intent.label));
            return Err(Unknown::Intent(nearest.map(str::to_owned)));
        }
        let (person, Some(project)) = (person.clone(), project.map(ProjectId::new)) else { return Ok(()) };
        let found = self.work(move |companion| companion.store.project(&person, &project)).await;
        found.map(drop).map_err(|_| Unknown::Project)
    }

    async fn beside(&self, person: &PersonId, runs: &[RunId]) -> Beside {
        let (person, runs) = (person.clone(), runs.to_vec());
        let found = self.work(move |companion| {
            let nowhere = ConversationId::new("");
            companion.place(&nowhere, Some(&person)).beside(&runs)
        });
        // The reply stands by itself: where what is beside it cannot be read, the next one has it.
        found.await.unwrap_or_default()
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        LookUp::CannotTell { reason: format!("`{}` left no word of whether it was done", work.work.tool) }
    }
}
