//! The ticket bot as the engine asks it: what a conversation needs is kept together in a desk, so that no work reaches
//! the thread of another. Next: `plan`, `answer`, `run`.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::RwLock;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::{Assistant, profiled};
use turnwise_core::{
    AnswerOutcome, AssistantName, ConversationId, DraftOutcome, EffectClass, LookUp, Permit, Policy, Question, Reader,
    StepOutcome, StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;

use super::reader::ThreadReader;
use super::{answer, plan, run, steps};
use crate::context::Contexts;
use crate::decision::Board;
use crate::thread::{Handle, Making, Threads, now};
use crate::tracker::Tracker;

/// The bot over one tracker.
#[derive(Clone)]
pub(super) struct Bot {
    name: AssistantName,
    policy: Arc<Policy>,
    intents: Arc<IntentReader>,
    threads: Threads,
    desk: Desk,
    source: Option<String>,
}

/// What the work of one conversation is done with.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) tracker: Arc<dyn Tracker>,
    pub(super) reader: Arc<ThreadReader>,
    pub(super) thread: Option<Handle>,
    /// What was stated in threads, for epics and in channels.
    pub(super) contexts: Contexts,
    /// Where decisions are posted.
    pub(super) board: Board,
    /// How it is addressed by commands.
    pub(super) bot: Arc<str>,
    /// Held for reading while a ticket is created and noted: whoever waits to write knows of all of them.
    pub(super) creating: Arc<RwLock<()>>,
    conversation: ConversationId,
}

/// What a bot keeps, and where it posts.
pub(super) struct Keeps {
    pub(super) threads: Threads,
    pub(super) contexts: Contexts,
    pub(super) board: Board,
}

/// How the bot and its tracker are called.
pub(super) struct Named {
    /// By commands.
    pub(super) bot: String,
    /// Where the tracker is, as the command line would name it again.
    pub(super) source: Option<String>,
}

impl Desk {
    /// The conversation's id, as text.
    pub(super) fn conversation(&self) -> &str {
        self.conversation.as_str()
    }

    /// A preview follows: what the thread defaulted to while it was about a review ends, and that is told.
    fn leave_review(&self) -> Option<String> {
        let thread = self.thread.as_ref()?;
        let is_over = thread.read().is_ok_and(|mut thread| thread.leave_review(now()).is_some());
        let was = if is_over { thread.change(|thread| thread.leave_review(now())) } else { Ok(None) };
        match was {
            Ok(was) => was.map(|was| format!("This thread defaults to *{}* no longer.", was.label())),
            Err(error) => Some(format!("What this thread remembers cannot be kept: {error}.")),
        }
    }

    /// What an earlier preview created before it failed, told with the next one, which leaves it as it is.
    fn left_half_way(&self) -> Option<String> {
        let thread = self.thread.as_ref()?;
        let making = thread.read().ok()?.making;
        if making == Making::default() {
            return None;
        }
        match thread.change(|thread| std::mem::take(&mut thread.making)) {
            Ok(Making { made, .. }) if made.is_empty() => None,
            Ok(Making { made, .. }) => Some(format!("Created before, and left as they are: {}.", made.join("; "))),
            Err(error) => Some(format!("What this thread remembers cannot be kept: {error}.")),
        }
    }

    /// The same as an id.
    pub(super) fn id(&self) -> &ConversationId {
        &self.conversation
    }
}

impl Bot {
    pub(super) fn new(reader: IntentReader, tracker: Arc<dyn Tracker>, keeps: Keeps, named: Named) -> Self {
        let profile = reader.profile();
        let name = AssistantName::new(profile.name.as_str());
        let policy = Policy {
            examples: EXAMPLES.iter().map(|text| (*text).to_owned()).collect(),
            asks_whoever_ordered: true,
            ..profiled::policy(profile)
        };
        let intents = Arc::new(reader);
        let reader = Arc::new(ThreadReader::new(Arc::clone(&intents), None));
        let Keeps { threads, contexts, board } = keeps;
        let (bot, conversation) = (named.bot.into(), ConversationId::new(""));
        let creating = Arc::default();
        let desk = Desk { tracker, reader, thread: None, contexts, board, bot, creating, conversation };
        Self { name, policy: Arc::new(policy), intents, threads, desk, source: named.source }
    }
}

/// Things to say, for help.
const EXAMPLES: [&str; 5] = [
    "create a ticket for the login bug",
    "create an epic with 3 stories for sign-up",
    "review this architecture",
    "post the decision: we use one queue",
    "forget the default of this thread",
];

#[async_trait]
impl Assistant for Bot {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        self.desk.reader.as_ref()
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn of_conversation(&self, conversation: &ConversationId) -> Option<Arc<dyn Assistant>> {
        let thread = self.threads.of(conversation);
        let reader = Arc::new(ThreadReader::new(Arc::clone(&self.intents), Some(thread.clone())));
        let (thread, creating, conversation) = (Some(thread), Arc::default(), conversation.clone());
        let desk = Desk { reader, thread, creating, conversation, ..self.desk.clone() };
        Some(Arc::new(Self { desk, ..self.clone() }))
    }

    fn sources(&self) -> Vec<String> {
        self.source.iter().cloned().collect()
    }

    /// Nothing is named that has to be looked up: what a message is about stands in it.
    fn recognise(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn effect_of(&self, tool: &ToolName) -> Option<EffectClass> {
        Some(steps::effect_of(tool.as_str()))
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        match plan::draft(&self.desk, &task).await {
            DraftOutcome::Ready { mut plan, learned } if task.previous.is_none() => {
                plan.assumptions.extend(self.desk.leave_review());
                plan.assumptions.extend(self.desk.left_half_way());
                DraftOutcome::Ready { plan, learned }
            }
            other => other,
        }
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        answer::answer(&self.desk, &question).await
    }

    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        run::run(&self.desk, &work, &permit, &cancelled).await
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        run::look_up(&self.desk, &work).await
    }
}
