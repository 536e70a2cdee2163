//! A scripted assistant and reader. The words of a message say what happens: `plan NAME…` asks for a plan with one step
//! per name, each after the one before; a name's first letter says what the step does (see [`Peer::run_step`]).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    Act, Answer, AnswerOutcome, AssistantName, Control, DraftOutcome, EffectClass, FactName, FactValue, LookUp,
    MessageReading, NewFact, Permit, PlanDraft, PlanKind, Policy, Presentation, QueryKind, Question, ReadContext,
    Reader, Reading, Reply, SourceKind, Step, StepId, StepOutcome, StepTask, Task, Tier, ToolName,
};

use turnwise_assistant::Assistant;

/// The assistant. What it was asked is counted in `asked`, by words such as `run a#1`.
pub(super) struct Peer {
    pub(super) asked: Mutex<Vec<String>>,
    /// How much of the held work has begun.
    pub(super) begun: watch::Sender<usize>,
    /// Permits let held work go on.
    pub(super) gate: Arc<Semaphore>,
    pub(super) name: AssistantName,
    pub(super) policy: Policy,
}

impl Default for Peer {
    fn default() -> Self {
        Self {
            asked: Mutex::default(),
            begun: watch::Sender::new(0),
            gate: Arc::new(Semaphore::new(0)),
            name: AssistantName::new("peer"),
            policy: Policy { backoff_ms: 1, ..Policy::default() },
        }
    }
}

impl Peer {
    fn note(&self, what: String) {
        self.asked.lock().unwrap().push(what);
    }

    pub(super) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Waits until `count` pieces of held work have begun.
    pub(super) async fn held(&self, count: usize) {
        self.begun.subscribe().wait_for(|begun| *begun >= count).await.unwrap();
    }

    async fn hold(&self) {
        self.begun.send_modify(|begun| *begun += 1);
        self.gate.acquire().await.unwrap().forget();
    }
}

#[async_trait]
impl Assistant for Peer {
    fn name(&self) -> &AssistantName {
        &self.name
    }

    fn reader(&self) -> &dyn Reader {
        &ByFirstWord
    }

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn recognise(&self, text: &str) -> Vec<String> {
        text.split_whitespace().filter(|word| *word == "customers").map(str::to_owned).collect()
    }

    async fn draft(&self, task: Task) -> DraftOutcome {
        self.note(format!("draft {}", task.problem));
        let mut words = task.problem.split_whitespace().skip(1).peekable();
        match words.peek().copied() {
            Some("panics") => panic!("no plan for you"),
            Some("held") => {
                self.hold().await;
                DraftOutcome::Ready { plan: plan(&task.problem, &["a"]), learned: Vec::new() }
            }
            Some("never") => std::future::pending().await,
            _ => DraftOutcome::Ready { plan: plan(&task.problem, &words.collect::<Vec<_>>()), learned: Vec::new() },
        }
    }

    async fn answer(&self, question: Question) -> AnswerOutcome {
        self.note(format!("answer {}", question.text));
        if question.text.contains("held") {
            self.hold().await;
        }
        let answer = Answer { text: "42".to_owned(), table: None, presentation: Presentation::Value };
        AnswerOutcome::Known { answer }
    }

    /// `h…` is held until the gate lets it go on, and says when it is cancelled; `p…` panics; `s…` says nothing for
    /// ever; `t…` fails the first time in a way that passes; `o…` is once-only and held; all others are done at once.
    async fn run_step(&self, work: StepTask, permit: Permit, cancelled: CancellationToken) -> StepOutcome {
        assert_eq!((permit.run(), permit.step(), permit.attempt()), (work.run, work.step, work.attempt));
        let name = work.work.description.clone();
        self.note(format!("run {name}#{}", work.attempt));
        match name.chars().next() {
            Some('h' | 'o') => tokio::select! {
                biased;
                () = cancelled.cancelled() => {
                    self.note(format!("cancelled {name}"));
                    StepOutcome::Cancelled
                }
                () = self.hold() => done(&work),
            },
            Some('p') => panic!("the tool exploded"),
            Some('s') => std::future::pending().await,
            Some('t') if work.attempt == 1 => StepOutcome::Transient { error: "the line was busy".to_owned() },
            Some(_) | None => done(&work),
        }
    }

    async fn look_up(&self, work: StepTask) -> LookUp {
        self.note(format!("look up {}#{}", work.work.description, work.attempt));
        match done(&work) {
            StepOutcome::Done { facts, answer } => LookUp::Happened { facts, answer },
            _ => LookUp::DidNotHappen,
        }
    }
}

fn done(work: &StepTask) -> StepOutcome {
    let fact =
        |name: &FactName| NewFact::new(name.clone(), FactValue::Text(format!("value of {name}")), SourceKind::Data);
    StepOutcome::Done { facts: work.work.produces.iter().map(fact).collect(), answer: None }
}

fn plan(problem: &str, names: &[&str]) -> PlanDraft {
    let step = |(number, name): (u32, &&str)| Step {
        id: StepId::new(number),
        description: (*name).to_owned(),
        tool: ToolName::new("query"),
        arguments: BTreeMap::new(),
        needs: Vec::new(),
        produces: vec![FactName::new(format!("{name}_{number}"))],
        after: if number == 1 || name.ends_with('!') { Vec::new() } else { vec![StepId::new(number - 1)] },
        effect: if name.starts_with('o') { EffectClass::OnceOnly } else { EffectClass::Pure },
        retries: 1,
        timeout_seconds: 30,
    };
    let last = names.last().map_or("none", |name| name);
    PlanDraft::new(problem, (1..).zip(names).map(step).collect(), FactName::new(format!("{last}_{}", names.len())))
}

struct ByFirstWord;

impl Reader for ByFirstWord {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let act = match text.split_whitespace().next() {
            Some("stop") => Act::Control(Control::Cancel),
            Some("plan") => Act::PlanNew(PlanKind::Plain),
            Some("panic") => panic!("a reader that breaks down"),
            Some(_) => Act::Query(QueryKind::Plain),
            None => return MessageReading::Empty,
        };
        let reading = Reading::certain(text, "scripted", act, Tier::Rule, "its first word");
        MessageReading::single(reading)
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        match text {
            "yes" => Reply::Approve,
            "no" => Reply::Reject,
            "stop" => Reply::Cancel,
            _ => Reply::Other,
        }
    }
}
