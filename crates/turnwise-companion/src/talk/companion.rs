//! The companion as the engine asks it. The store waits for a disk, so each piece of work has a thread on which waiting
//! is fine. What was said and what was answered is recorded with every piece of work (CP-12). Next: `draft`, `answer`,
//! `run`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::projects::Projects;
use turnwise_assistant::{Assistant, Beside, Room, Unknown, profiled};
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, Heard, LookUp, Permit, PersonId, Policy,
    Question, ReadContext, Reader, RunId, StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::companion::{CONFIDENCE_THRESHOLD, GENERAL, INTENTS, RESPONSE_FAILED, intent};

use super::answer::Reply;
use super::desk::Desk;
use super::draft::{Drafted, plain};
use super::model::{Saying, Speaker, Spoken};
use super::place::Place;
use super::reader::{CREATE_PROJECT, CompanionReader};
use super::run::Outcome;
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
    speaker: Speaker,
    /// What a model heard in a message that turned out to be a task, until that task is drafted.
    heard: Arc<Mutex<Option<(String, &'static str)>>>,
    conversation: Option<ConversationId>,
}

impl Companion {
    pub(super) fn new(reader: IntentReader, store: Store, below: Option<PathBuf>, speaker: Speaker) -> Self {
        let profile = reader.profile();
        let name = AssistantName::new(profile.name.as_str());
        let examples = EXAMPLES.iter().map(|text| (*text).to_owned()).collect();
        let policy = Policy { examples, no_ends: true, ..profiled::policy(profile) };
        let reader = Arc::new(CompanionReader::new(reader, store.clone()));
        let policy = Arc::new(policy);
        Self { name, reader, policy, store, below, speaker, heard: Arc::default(), conversation: None }
    }

    /// Works where waiting is fine. A panic goes on to the engine, which tells the person.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> T {
        let companion = self.clone();
        let work = move || {
            let _waits = companion.store.attended();
            work(&companion)
        };
        match tokio::task::spawn_blocking(work).await {
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
        let is_here = self.below.is_none();
        Place { store: &self.store, conversation, person, now_ms: now_ms(), is_here, reader: Some(&self.reader) }
    }

    fn room(&self) -> Room {
        match (&self.below, &self.conversation) {
            (None, _) => Room::Anywhere,
            (Some(below), Some(conversation)) => Room::below(below, conversation),
            (Some(_), None) => Room::Closed,
        }
    }

    /// How a request was read: as the engine heard it, else by its words; and whether that leaves it open.
    fn intent_of(&self, heard: &Heard, said: &str) -> (String, bool) {
        let known = heard.intent.clone().filter(|label| intent(label).is_some());
        if known.as_ref().is_some_and(|label| label != GENERAL.label) {
            return (known.unwrap_or_default(), false);
        }
        let found = self.reader.classified(said, &ReadContext::default());
        let is_open = found.intent == GENERAL.label && found.confidence < CONFIDENCE_THRESHOLD;
        (known.unwrap_or(found.intent), is_open)
    }

    /// Whether a message was sent with what it means, which its words alone do not say (CP-02).
    fn is_given(&self, heard: &Heard, said: &str) -> bool {
        let words = || self.reader.classified(said, &ReadContext::default()).intent;
        heard.intent.as_ref().is_some_and(|label| intent(label).is_some() && *label != words())
    }

    /// The same, with a model's ear where the words leave it open.
    async fn heard(&self, heard: &Heard, said: &str) -> String {
        let (owned, words) = (heard.clone(), said.to_owned());
        let (intent, is_open, summary) = self
            .work(move |companion| {
                let (intent, is_open) = companion.intent_of(&owned, &words);
                let nowhere = ConversationId::new("");
                let place = companion.place(&nowhere, owned.person.as_ref());
                // Where the projects cannot be read, what is done with the message tells it.
                let meant = match companion.is_given(&owned, &words) {
                    true => intent.clone(),
                    false => place.meant(&words, &intent).map(str::to_owned).unwrap_or_else(|_| intent.clone()),
                };
                let is_open = is_open && meant == intent && companion.speaker.hears(owned.person.as_ref());
                let intent = meant;
                let summary = is_open.then(|| place.summary());
                (intent, is_open, summary.and_then(Result::ok).unwrap_or_default())
            })
            .await;
        if !is_open {
            return intent;
        }
        let before = self.heard.lock().unwrap_or_else(PoisonError::into_inner).take();
        match before {
            Some((message, label)) if message == said => label.to_owned(),
            Some(_) | None => self.speaker.hear(said, heard, &summary).await.to_owned(),
        }
    }

    /// The reply in a model's words where one speaks and says what holds; the very words of CP-04 where it fails to.
    async fn voiced(&self, heard: &Heard, intent: &str, said: &str, result: &str) -> Option<String> {
        let (person, words, label) = (heard.person.clone(), said.to_owned(), intent.to_owned());
        let around = self.work(move |companion| {
            if !companion.speaker.speaks(&label, person.as_ref()) {
                return Ok(None);
            }
            let nowhere = ConversationId::new("");
            let place = companion.place(&nowhere, person.as_ref());
            let context = place.context(&words, companion.speaker.sees())?;
            Ok::<_, StoreError>(Some((context, place.with_open_question(String::new())?)))
        });
        let (context, open) = match around.await {
            Ok(around) => around?,
            // The model is asked all the same, and told nothing of what could not be read.
            Err(_) => (String::new(), String::new()),
        };
        // The offline reply to small talk is one of many that could be made, and nothing that was found.
        let result = if intent == GENERAL.label { "" } else { result };
        let saying = Saying { intent, message: said, context: &context, result };
        match self.speaker.say(&saying, heard).await {
            Spoken::Said(reply) => Some(format!("{reply}{open}")),
            Spoken::Unfounded => None,
            Spoken::Failed => Some(RESPONSE_FAILED.to_owned()),
        }
    }

    async fn drafted(&self, task: Task) -> DraftOutcome {
        let said = task.problem.as_str();
        let intent = self.heard(&task.heard, said).await;
        let (owned, label) = (task.clone(), intent.clone());
        let drafted = self.work(move |companion| {
            let nowhere = ConversationId::new("");
            let place = companion.place(&nowhere, owned.heard.person.as_ref());
            let drafted = match label == CREATE_PROJECT && companion.is_given(&owned.heard, &owned.problem) {
                true => Ok(place.begin_as_given(&owned.problem)),
                false => place.draft(&owned.problem, &label, &owned.answers),
            };
            drafted.unwrap_or_else(|error| Drafted::Said(trouble(&error), None))
        });
        let drafted = match drafted.await {
            Drafted::Said(reply, project) => {
                let reply = self.voiced(&task.heard, &intent, said, &reply).await.unwrap_or(reply);
                Drafted::Said(reply, project)
            }
            Drafted::Change(mut change) => match self.voiced(&task.heard, &intent, said, "").await {
                // Nothing is changed where the reply to it cannot be made (CP-04).
                Some(failed) if failed == RESPONSE_FAILED => Drafted::Said(failed, None),
                remark => {
                    change.arguments.extend(remark.map(|remark| (steps::REMARK, remark)));
                    Drafted::Change(change)
                }
            },
            asks @ Drafted::Which(_) => asks,
        };
        let told = match &drafted {
            Drafted::Said(reply, project) => Some((reply.clone(), project.clone())),
            // Whatever they decide, this was said and asked.
            Drafted::Change(change) if change.is_asked_about() => Some((change.question(), change.project())),
            Drafted::Change(_) | Drafted::Which(_) => None,
        };
        if let Some((reply, project)) = told {
            self.recorded(&task.heard, said, (reply, project, intent.clone())).await;
        }
        drafted.outcome(said, &intent)
    }

    async fn answered(&self, question: Question) -> AnswerOutcome {
        let said = question.text.as_str();
        let intent = self.heard(&question.heard, said).await;
        if self.reader.changes(&intent) {
            // A model heard what the words left open: it is drafted like any other.
            let label = turnwise_intent::behaviour::companion::intent(&intent).map_or(GENERAL.label, |it| it.label);
            *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Some((said.to_owned(), label));
            return AnswerOutcome::NeedsPlan;
        }
        let (owned, label) = (question.clone(), intent.clone());
        let reply = self.work(move |companion| {
            let nowhere = ConversationId::new("");
            companion.place(&nowhere, owned.heard.person.as_ref()).answer(&owned.text, &label, &[])
        });
        let (reply, project) = match reply.await {
            Ok(Reply::Said(reply, project)) => (reply, project),
            // Asking back which project is meant is part of drafting.
            Ok(Reply::Which(_)) => return AnswerOutcome::NeedsPlan,
            Err(error) => (trouble(&error), None),
        };
        let reply = self.voiced(&question.heard, &intent, said, &reply).await.unwrap_or(reply);
        self.recorded(&question.heard, said, (reply.clone(), project, intent)).await;
        AnswerOutcome::Known { answer: plain(reply) }
    }

    /// Keeps what was said, and the reply with its project and how the message was read.
    async fn recorded(&self, heard: &Heard, said: &str, turn: (String, Option<ProjectId>, String)) {
        let (heard, said) = (heard.clone(), said.to_owned());
        self.work(move |companion| {
            let Some(message) = heard.message else { return };
            let nowhere = ConversationId::new("");
            let place = companion.place(&nowhere, heard.person.as_ref());
            let key = format!("{}/{message}", place.conversation);
            let (reply, project, intent) = &turn;
            let turn = NewTurn { key: &key, project: project.as_ref(), said: Some(&said), reply, intent };
            kept(place.store.record(&place.person, place.now_ms, turn));
        })
        .await;
    }

    fn ran(&self, work: &StepTask, permit: &Permit) -> StepOutcome {
        let nowhere = ConversationId::new("");
        let place = self.place(&nowhere, work.by.as_ref());
        let outcome = place.run(work, permit, &self.room());
        if let StepOutcome::Done { answer: Some(answer), .. } = &outcome {
            let arguments = Arguments(&work.work.arguments);
            let operation = place.operation(work);
            let outcome = place.store.outcome::<Outcome>(&place.person, &operation);
            let project = outcome.ok().flatten().and_then(|outcome| outcome.project);
            let turn = NewTurn {
                key: operation.key(),
                project: project.as_ref(),
                said: (!steps::is_asked_about(&work.work.tool)).then(|| arguments.text(steps::SAID)),
                reply: &answer.text,
                intent: arguments.text(steps::INTENT),
            };
            kept(place.store.record(&place.person, place.now_ms, turn));
        }
        outcome
    }
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

pub(super) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Things to say, for help.
const EXAMPLES: [&str; 11] = [
    "start a new project",
    "remember that the deadline is March 15th",
    "what have I told you about the deadline?",
    "how is the project going?",
    "save my notes",
    "change note 1 to the deadline is April 2nd",
    "group notes 1 and 2 as Budget",
    "show me the report",
    "undo",
    "invite ben to the project",
    "export the project",
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
        let (speaker, heard) = (self.speaker.of_conversation(), Arc::default());
        let conversation = Some(conversation.clone());
        Some(Arc::new(Self { conversation, reader, speaker, heard, ..self.clone() }))
    }

    fn recognise(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.drafted(task).await
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.answered(question).await
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

    fn projects(&self) -> Option<Arc<dyn Projects>> {
        Some(Arc::new(Desk::new(self.store.clone(), self.speaker.clone())))
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
