//! What steering costs: `cargo bench -p turnwise --bench run_control`. How fast a stop is acknowledged while steps run,
//! approvals that run, each step of a large plan, a message that is queued; all durable, and all beside plain inserts
//! of the same bytes in the same run. Next: `durable_turn`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]

mod plain;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use plain::{Plain, compare};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use turnwise::driver::{Driver, Session, SystemClock};
use turnwise::store::SqliteStore;
use turnwise_assistant::Assistant;
use turnwise_core::{
    Act, AnswerOutcome, AssistantName, ConversationId, DraftOutcome, FactName, FactValue, MessageReading, NewFact,
    Permit, PersonId, Phase, PlanDraft, PlanKind, Policy, Question, ReadContext, Reader, Reading, Reply, Sequence,
    SourceKind, Step, StepId, StepOutcome, StepTask, Table, Task, Tier, ToolName,
};

/// Stops, queued messages and approvals measured.
const ROUNDS: usize = 200;
/// Steps that run when a stop comes.
const RUNNING: u32 = 5;
const CONCURRENT: usize = 64;

/// Its plans have as many steps as the message says; steps of "held" plans run until they are stopped.
struct Counted {
    name: AssistantName,
    policy: Policy,
}

#[async_trait]
impl Assistant for Counted {
    fn name(&self) -> &AssistantName {
        &self.name
    }
    fn reader(&self) -> &dyn Reader {
        &Plans
    }
    fn policy(&self) -> &Policy {
        &self.policy
    }
    fn recognise(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
    async fn draft(&self, task: Task) -> DraftOutcome {
        let (count, held) = task.problem.split_once(' ').unwrap();
        DraftOutcome::Ready { plan: plan(count.parse().unwrap(), held), learned: Vec::new() }
    }
    async fn answer(&self, _: Question) -> AnswerOutcome {
        AnswerOutcome::NeedsPlan
    }
    async fn run_step(&self, task: StepTask, _: Permit, cancelled: CancellationToken) -> StepOutcome {
        if task.work.description == "held" {
            cancelled.cancelled().await;
            return StepOutcome::Cancelled;
        }
        let fact = |name: &FactName| NewFact::new(name.clone(), FactValue::Table(Table::default()), SourceKind::Data);
        StepOutcome::Done { facts: task.work.produces.iter().map(fact).collect(), answer: None }
    }
}

struct Plans;

impl Reader for Plans {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let reading = Reading::certain(text, "any", Act::PlanNew(PlanKind::Plain), Tier::Rule, "");
        MessageReading::single(reading)
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        if text.starts_with('y') { Reply::Approve } else { Reply::Other }
    }
}

/// `count` independent steps; in plans that are not held, a last one waits for the one before it.
fn plan(count: u32, kind: &str) -> PlanDraft {
    let step = |number: u32| Step {
        produces: vec![FactName::new(format!("fact_{number}"))],
        after: if number == count && number > 1 { vec![StepId::new(number - 1)] } else { Vec::new() },
        timeout_seconds: 600,
        ..Step::new(StepId::new(number), kind, ToolName::new("query"))
    };
    PlanDraft::new(kind, (1..=count).map(step).collect(), FactName::new(format!("fact_{count}")))
}

struct Bench {
    driver: Driver,
    assistant: Arc<Counted>,
    plain: Plain,
}

impl Bench {
    fn in_folder(folder: &Path, name: &str) -> Self {
        let store = Arc::new(SqliteStore::open(&folder.join(format!("{name}.db"))).unwrap());
        let assistant = Arc::new(Counted { name: AssistantName::new("counted"), policy: Policy::default() });
        let plain = Plain::open(&folder.join(format!("{name}-plain.db")));
        Self { driver: Driver::new(store, Arc::new(SystemClock)), assistant, plain }
    }

    async fn open(&self, id: &str) -> Session {
        self.driver.open(ConversationId::new(id), self.assistant.clone()).await.unwrap()
    }

    /// The time of one plain insert of `bytes`.
    fn insert(&self, bytes: &str) -> Duration {
        let start = Instant::now();
        self.plain.insert(bytes);
        start.elapsed()
    }
}

async fn say(session: &Session, text: &str) {
    session.say(&PersonId::new("ada"), text, Session::new_key()).await.unwrap();
}

async fn phase(session: &Session, wanted: Phase) {
    session.state().wait_for(|state| state.phase() == wanted && !state.is_busy()).await.unwrap();
}

/// What the events after `before` are as bytes.
async fn bytes_after(session: &Session, before: Sequence) -> String {
    let history = session.history().await.unwrap();
    let new = history.iter().filter(|recorded| recorded.sequence > before);
    new.map(|recorded| serde_json::to_string(&recorded.event).unwrap()).collect()
}

async fn begin(session: &Session, plan: &str) {
    say(session, plan).await;
    phase(session, Phase::AwaitingApproval).await;
}

/// From the stop to its acknowledgement, while steps run.
async fn stop(folder: &Path) {
    let bench = Bench::in_folder(folder, "stop");
    let session = bench.open("c").await;
    let (mut times, mut baseline) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        begin(&session, "9 held").await;
        say(&session, "yes").await;
        let runs =
            |state: &Arc<turnwise_core::Conversation>| state.run().is_some_and(|run| run.running() == RUNNING as usize);
        session.state().wait_for(runs).await.unwrap();
        let before = session.conversation().sequence();
        let start = Instant::now();
        session.stop(&PersonId::new("ada"), Session::new_key()).await.unwrap();
        times.push(start.elapsed());
        baseline.push(bench.insert(&bytes_after(&session, before).await));
    }
    compare(&format!("stop to its acknowledgement, {RUNNING} steps running"), &mut times, &mut baseline);
    bench.driver.shutdown().await.unwrap();
}

/// A message that is queued behind a run, each taking the place of the one before.
async fn queued(folder: &Path) {
    let bench = Bench::in_folder(folder, "queued");
    let session = bench.open("c").await;
    begin(&session, "9 held").await;
    say(&session, "yes").await;
    let (mut times, mut baseline) = (Vec::new(), Vec::new());
    for number in 0..ROUNDS {
        let before = session.conversation().sequence();
        let start = Instant::now();
        say(&session, &format!("1 later {number}")).await;
        times.push(start.elapsed());
        baseline.push(bench.insert(&bytes_after(&session, before).await));
    }
    compare("a queued message", &mut times, &mut baseline);
    bench.driver.shutdown().await.unwrap();
}

/// Approvals that run one step to its end (two durable turns each), over many conversations at once, per second.
async fn approvals(folder: &Path, conversations: usize) {
    let bench = Bench::in_folder(folder, &format!("approvals-{conversations}"));
    let each = (ROUNDS * 2 / conversations).max(5);
    let mut waiting = Vec::new();
    let (mut spent, mut bytes) = (Duration::ZERO, String::new());
    for number in 0..conversations {
        waiting.push(bench.open(&format!("c{number}")).await);
    }
    for _ in 0..each {
        let mut planned = JoinSet::new();
        for session in waiting.clone() {
            planned.spawn(async move { begin(&session, "1 short").await });
        }
        planned.join_all().await;
        let before = waiting[0].conversation().sequence();
        let start = Instant::now();
        let mut running = JoinSet::new();
        for session in waiting.clone() {
            running.spawn(async move {
                say(&session, "yes").await;
                phase(&session, Phase::Idle).await;
            });
        }
        running.join_all().await;
        spent += start.elapsed();
        if bytes.is_empty() {
            bytes = bytes_after(&waiting[0], before).await;
        }
    }
    let turns = u32::try_from(each * conversations * 2).unwrap();
    let half = &bytes[..bytes.len() / 2];
    let base = (0..ROUNDS).map(|_| bench.insert(half)).sum::<Duration>() / u32::try_from(ROUNDS).unwrap();
    let own = spent / turns;
    let per_second = f64::from(turns) / spent.as_secs_f64();
    let ratio = own.as_secs_f64() / base.as_secs_f64();
    println!(
        "| approve and run, a turn, {conversations} at once ({per_second:.0} turns/s) | {own:.0?} | {base:.0?} | {ratio:.2} |"
    );
}

/// What a step costs beside its own work, in plans of different size.
async fn steps(folder: &Path, count: u32) {
    let bench = Bench::in_folder(folder, &format!("steps-{count}"));
    let session = bench.open("c").await;
    begin(&session, &format!("{count} short")).await;
    say(&session, "yes").await;
    let start = Instant::now();
    phase(&session, Phase::Idle).await;
    let own = start.elapsed() / count;
    let history = session.history().await.unwrap();
    let ended: Vec<String> =
        history.iter().rev().take(40).map(|recorded| serde_json::to_string(&recorded.event).unwrap()).collect();
    // Two events a step: it completed, and the next one started.
    let bytes = ended.concat();
    let share = &bytes[..bytes.floor_char_boundary(bytes.len() / 20)];
    let base = (0..ROUNDS).map(|_| bench.insert(share)).sum::<Duration>() / u32::try_from(ROUNDS).unwrap();
    let ratio = own.as_secs_f64() / base.as_secs_f64();
    println!("| a step of a plan of {count}, {RUNNING} at once | {own:.0?} | {base:.0?} | {ratio:.2} |");
    bench.driver.shutdown().await.unwrap();
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    println!("| what | Turnwise | plain SQLite insert | ratio |");
    println!("|---|---|---|---|");
    stop(folder.path()).await;
    queued(folder.path()).await;
    approvals(folder.path(), 1).await;
    approvals(folder.path(), CONCURRENT).await;
    for count in [10, 1_000, 10_000] {
        steps(folder.path(), count).await;
    }
}
