//! Lines from a pipe against an assistant whose work ends when the test says so.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    Answer, AnswerOutcome, AssistantName, Conversation, ConversationId, DraftOutcome, FactName, FactValue, NewFact,
    Permit, PersonId, Phase, PlanDraft, Policy, Presentation, Question, Reader, SourceKind, Step, StepId, StepOutcome,
    StepTask, Task, ToolName,
};
use turnwise_intent::IntentReader;

use super::{Incoming, run};
use crate::channel::Opened;
use crate::channel::ending::Ending;
use crate::channel::link::{Local, Notices};
use crate::channel::shelf::{Kept, Shelf, Stands};
use crate::channel::vocabulary::Vocabulary;
use crate::driver::{Driver, Session, SystemClock};
use crate::store::MemoryStore;
use turnwise_assistant::{Assistant, Failure};

/// Plans one step, which ends when a permit of `gate` is free.
struct Gated {
    name: AssistantName,
    reader: IntentReader,
    policy: Policy,
    gate: Semaphore,
}

#[async_trait]
impl Assistant for Gated {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        &self.reader
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn recognise(&self, _text: &str) -> Vec<String> {
        vec!["sales".to_owned()]
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        let step = Step {
            produces: vec![FactName::new("count")],
            ..Step::new(StepId::new(1), "Count", ToolName::new("count"))
        };
        DraftOutcome::Ready {
            plan: PlanDraft { kind: task.kind, ..PlanDraft::new(task.problem, vec![step], FactName::new("count")) },
            learned: Vec::new(),
        }
    }

    async fn answer(&self, _question: Question) -> AnswerOutcome {
        AnswerOutcome::Unknown { explanation: "That is not known.".to_owned() }
    }

    async fn run_step(&self, _work: StepTask, _permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        tokio::select! {
            () = cancelled.cancelled() => return StepOutcome::Cancelled,
            opened = self.gate.acquire() => opened.unwrap().forget(),
        }
        let fact = NewFact {
            query: Some("COUNT".to_owned()),
            ..NewFact::new(FactName::new("count"), FactValue::Text("42".to_owned()), SourceKind::Data)
        };
        let answer = Answer { text: "There are 42.".to_owned(), table: None, presentation: Presentation::Value };
        StepOutcome::Done { facts: vec![fact], answer: Some(answer) }
    }
}

struct Pipe {
    driver: Driver,
    assistant: Arc<Gated>,
    session: Session,
    lines: mpsc::Sender<std::io::Result<Incoming>>,
    incoming: mpsc::Receiver<std::io::Result<Incoming>>,
}

impl Pipe {
    /// A pipe to an assistant that may finish `steps` steps.
    async fn new(steps: usize) -> Self {
        let driver = Driver::new(Arc::new(MemoryStore::default()), Arc::new(SystemClock));
        let assistant = Arc::new(Gated {
            name: AssistantName::new("analyst"),
            reader: IntentReader::builtin("analyst").unwrap(),
            policy: Policy::default(),
            gate: Semaphore::new(steps),
        });
        let session = driver.open(Driver::new_conversation_id(), assistant.clone()).await.unwrap();
        let (lines, incoming) = mpsc::channel(16);
        Self { driver, assistant, session, lines, incoming }
    }

    /// Writes a line now.
    async fn write(&self, text: &str) {
        self.lines.send(Ok(Incoming { text: text.to_owned(), is_whole: true, arrived: Instant::now() })).await.unwrap();
    }

    /// Holds the chat while `other` happens at the other end; what was written, and how it ended.
    async fn held(self, other: impl AsyncFnOnce(Writer)) -> (String, Ending) {
        let (sender, notices) = Notices::channel();
        Notices::of_driver(sender, self.driver.trouble());
        let opened = Opened {
            link: Arc::new(Local::new(self.session.clone(), PersonId::new("ada"))),
            greeting: Vec::new(),
            notices,
            vocabulary: Vocabulary::default(),
        };
        let mut out = Vec::new();
        let writer = Writer { lines: self.lines, session: self.session, assistant: self.assistant };
        let both = async { tokio::join!(run(opened, &NoShelf, self.incoming, &mut out), other(writer)).0 };
        let ending = tokio::time::timeout(PATIENCE, both).await.unwrap().unwrap();
        (String::from_utf8(out).unwrap(), ending)
    }
}

/// Nothing is kept beside the conversation at hand.
struct NoShelf;

#[async_trait]
impl Shelf for NoShelf {
    async fn kept(&self) -> Result<Vec<Kept>, Failure> {
        Ok(Vec::new())
    }

    async fn open(&self, _: &ConversationId) -> Result<Opened, Failure> {
        Err(Failure::new(turnwise_assistant::FailureKind::Usage, "there is none"))
    }
}

/// The other end of the pipe.
struct Writer {
    lines: mpsc::Sender<std::io::Result<Incoming>>,
    session: Session,
    assistant: Arc<Gated>,
}

impl Writer {
    async fn write(&self, text: &str) {
        self.lines.send(Ok(Incoming { text: text.to_owned(), is_whole: true, arrived: Instant::now() })).await.unwrap();
    }

    async fn until(&self, is_so: impl Fn(&Conversation) -> bool) {
        self.session.state().wait_for(|state| is_so(state)).await.unwrap();
    }
}

#[tokio::test]
async fn a_script_is_taken_in_line_by_line_as_its_work_settles() {
    let pipe = Pipe::new(1).await;
    for line in ["total sales by year", "y", "how did you get that"] {
        pipe.write(line).await;
    }
    let (said, ending) = pipe.held(async |writer| drop(writer)).await;
    let answer = said.find("There are 42.").unwrap();
    let proof = said.find("This is how count was found").unwrap();
    assert!(answer < proof, "{said}");
    assert_eq!(ending, Ending::Done);
}

#[tokio::test]
async fn a_line_that_comes_while_work_runs_is_taken_at_once() {
    let (said, ending) = Pipe::new(0)
        .await
        .held(async |writer| {
            writer.write("total sales by year").await;
            writer.until(|state| state.phase() == Phase::AwaitingApproval).await;
            writer.write("y").await;
            writer.until(|state| state.phase() == Phase::Executing).await;
            writer.write("stop").await;
        })
        .await;
    assert!(said.contains("○ 1 Count (cancelled)"), "{said}");
    assert_eq!(ending, Ending::Cancelled);
}

#[tokio::test]
async fn the_end_of_input_waits_for_work_that_runs() {
    let pipe = Pipe::new(0).await;
    pipe.write("total sales by year").await;
    pipe.write("y").await;
    let (said, ending) = pipe
        .held(async |writer| {
            let Writer { lines, session, assistant } = writer;
            drop(lines);
            session.state().wait_for(|state| state.phase() == Phase::Executing).await.unwrap();
            assert_eq!(Stands::of(&session.conversation(), &PersonId::new("ada")), Stands::Works);
            assistant.gate.add_permits(1);
        })
        .await;
    assert!(said.contains("There are 42."), "{said}");
    assert_eq!(ending, Ending::Done);
}

#[tokio::test]
async fn the_end_of_input_is_no_answer_to_an_open_question() {
    let pipe = Pipe::new(1).await;
    pipe.write("total sales by year").await;
    let session = pipe.session.clone();
    let (said, ending) = pipe.held(async |writer| drop(writer)).await;
    assert!(!said.contains('✓'), "{said}");
    assert_eq!(ending, Ending::NeedsApproval);
    assert_eq!(session.conversation().phase(), Phase::AwaitingApproval);
}

/// Far more than any of this takes; reached only when a line is never taken.
const PATIENCE: Duration = Duration::from_secs(60);
