//! The coder as the engine asks it. What it does reads files and runs programs, so each piece of work has a thread on
//! which waiting is fine. Next: `draft`, `answer`, `run`.

use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::{Assistant, Models, profiled};
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, LookUp, Permit, Policy, Question, Reader,
    StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::coder::files_in;
use turnwise_model::Watching;

use super::draft::{Drafted, Unwritten, Writer};
use super::reader::CoderReader;
use super::{answer, draft, run, steps};
use crate::model::{self, Shown};
use crate::options::Options;
use crate::workspace::Workspace;

/// The coder over one workspace.
#[derive(Clone)]
pub(super) struct Coder {
    name: AssistantName,
    reader: Arc<CoderReader>,
    policy: Arc<Policy>,
    workspace: Arc<Workspace>,
    models: Models,
    options: Arc<Options>,
    conversation: Option<ConversationId>,
}

impl Coder {
    pub(super) fn new(reader: IntentReader, workspace: Workspace, models: Models, options: Options) -> Self {
        let profile = reader.profile();
        let name = AssistantName::new(profile.name.as_str());
        let policy = Policy {
            examples: EXAMPLES.iter().map(|text| (*text).to_owned()).collect(),
            query_words: vec!["diff".to_owned()],
            proposes_fixes: model::is_there(&models) || options.worker.is_some(),
            ..profiled::policy(profile)
        };
        let workspace = Arc::new(workspace);
        let reader = Arc::new(CoderReader::new(reader, Arc::clone(&workspace)));
        Self {
            name,
            reader,
            policy: Arc::new(policy),
            workspace,
            models,
            options: Arc::new(options),
            conversation: None,
        }
    }

    /// Works where waiting is fine. A panic goes on to the engine, which tells the person.
    async fn work<T: Send + 'static>(&self, work: impl FnOnce(&Self) -> T + Send + 'static) -> T {
        let coder = self.clone();
        match tokio::task::spawn_blocking(move || work(&coder)).await {
            Ok(done) => done,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // Blocking work is cancelled only when the runtime ends, and then nobody waits for it.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// Who writes what no rule knows.
    fn writer(&self) -> Writer {
        match (&self.options.worker, model::is_there(&self.models)) {
            (_, true) => Writer::Model,
            (Some(worker), false) => Writer::Worker(worker.clone()),
            (None, false) => Writer::Nobody,
        }
    }

    /// Has a model write what no rule knows, and makes a plan of it like of any other edits.
    async fn written(&self, task: &Arc<Task>, unwritten: Unwritten) -> DraftOutcome {
        let (workspace, problem) = (Arc::clone(&self.workspace), unwritten.problem.clone());
        let (named, around) = (unwritten.settled.files.clone(), task.heard.around.clone());
        let words =
            [Some(problem.clone()), task.failure.clone()].into_iter().flatten().chain(task.changes.iter().cloned());
        let words = words.collect::<Vec<_>>().join(" ");
        let shown = self.work(move |_| Shown::of(&workspace, &words, &named, &around)).await;
        let written = model::write(&self.models, &self.workspace, &problem, task, &shown).await;
        self.work(move |coder| draft::of_model(&coder.workspace, unwritten, written)).await
    }

    fn conversation(&self) -> &str {
        self.conversation.as_ref().map_or("", ConversationId::as_str)
    }
}

/// Things to say, for help.
const EXAMPLES: [&str; 4] = [
    "where is NAME defined",
    "rename NAME to NEW_NAME",
    "replace \"old text\" with \"new text\" in FILE",
    "run the tests",
];

#[async_trait]
impl Assistant for Coder {
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
        let models = self.models.of_conversation();
        Some(Arc::new(Self { conversation: Some(conversation.clone()), models, ..self.clone() }))
    }

    fn sources(&self) -> Vec<String> {
        vec![self.workspace.root().display().to_string()]
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        files_in(text).into_iter().take(RECOGNISED_MAX).collect()
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        let task = Arc::new(task);
        let asked = Arc::clone(&task);
        let by = self.writer();
        match self.work(move |coder| draft::draft(&coder.workspace, &coder.reader, &asked, by)).await {
            Drafted::Done(outcome) => outcome,
            Drafted::Unwritten(unwritten) => self.written(&task, unwritten).await,
        }
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.work(move |coder| answer::answer(&coder.workspace, &question)).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        if work.work.tool.as_str() == steps::WORK {
            return run::work(&self.workspace, &self.options, &work, &permit, &cancelled).await;
        }
        let stop = move || cancelled.is_cancelled();
        let watching = Watching::here();
        self.work(move |coder| run::run(&coder.workspace, coder.conversation(), &work, &permit, &stop, &watching)).await
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        self.work(move |coder| run::look_up(&coder.workspace, coder.conversation(), &work)).await
    }
}

/// Names of one message that are told to the reader.
const RECOGNISED_MAX: usize = 8;
