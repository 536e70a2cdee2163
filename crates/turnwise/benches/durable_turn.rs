//! What durability costs: `cargo bench -p turnwise --bench durable_turn`. Every durable figure stands beside a plain
//! insert of the same bytes into SQLite with the same durability in the same run, so that machines can be compared by
//! the ratio.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]

mod plain;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use plain::{Plain, compare};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use turnwise::driver::{Driver, Session, SystemClock};
use turnwise::store::{MemoryStore, SqliteStore, Store};
use turnwise_assistant::Assistant;
use turnwise_core::{
    Act, AnswerOutcome, AssistantName, Control, ConversationId, DraftOutcome, FactName, FactValue, MessageReading,
    NewFact, Permit, PersonId, Phase, PlanDraft, PlanKind, Policy, Question, ReadContext, Reader, Reading, Reply,
    SourceKind, Step, StepId, StepOutcome, StepTask, Table, Task, Tier, ToolName,
};

const TURNS: usize = 500;
const CONCURRENT: usize = 64;
const IDLE: usize = 10_000;

/// Does nothing and takes no time, so that only the engine is measured.
struct Instantly {
    name: AssistantName,
    policy: Policy,
}

#[async_trait]
impl Assistant for Instantly {
    fn name(&self) -> &AssistantName {
        &self.name
    }
    fn reader(&self) -> &dyn Reader {
        &ByLetter
    }
    fn policy(&self) -> &Policy {
        &self.policy
    }
    fn recognise(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
    async fn draft(&self, task: Task) -> DraftOutcome {
        DraftOutcome::Ready { plan: plan(&task.problem), learned: Vec::new() }
    }
    async fn answer(&self, _: Question) -> AnswerOutcome {
        AnswerOutcome::NeedsPlan
    }
    async fn run_step(&self, _: StepTask, _: Permit, _: CancellationToken) -> StepOutcome {
        let fact = NewFact::new(FactName::new("rows"), FactValue::Table(Table::default()), SourceKind::Data);
        StepOutcome::Done { facts: vec![fact], answer: None }
    }
}

struct ByLetter;

impl Reader for ByLetter {
    fn read(&self, text: &str, _: &ReadContext) -> MessageReading {
        let act = if text.starts_with('s') { Act::Control(Control::Status) } else { Act::PlanNew(PlanKind::Plain) };
        let reading = Reading::certain(text, "any", act, Tier::Rule, "");
        MessageReading::single(reading)
    }

    fn reply(&self, text: &str, _: &ReadContext) -> Reply {
        if text.starts_with('y') { Reply::Approve } else { Reply::Other }
    }
}

fn plan(problem: &str) -> PlanDraft {
    let step = Step {
        produces: vec![FactName::new("rows")],
        ..Step::new(StepId::new(1), "query orders", ToolName::new("query"))
    };
    PlanDraft::new(problem, vec![step], FactName::new("rows"))
}

struct Bench {
    store: Arc<dyn Store>,
    driver: Driver,
    assistant: Arc<Instantly>,
}

impl Bench {
    fn over(store: Arc<dyn Store>) -> Self {
        let assistant = Arc::new(Instantly { name: AssistantName::new("instantly"), policy: Policy::default() });
        Self { driver: Driver::new(store.clone(), Arc::new(SystemClock)), store, assistant }
    }

    fn on_disk(folder: &Path, name: &str) -> Self {
        Self::over(Arc::new(SqliteStore::open(&folder.join(name)).unwrap()))
    }

    async fn open(&self, id: &str) -> Session {
        self.driver.open(ConversationId::new(id), self.assistant.clone()).await.unwrap()
    }
}

async fn say(session: &Session, text: &str) {
    session.say(&PersonId::new("ada"), text, Session::new_key()).await.unwrap();
}

async fn phase(session: &Session, wanted: Phase) {
    session.state().wait_for(|state| state.phase() == wanted && !state.is_busy()).await.unwrap();
}

async fn bytes_of_last_turn(session: &Session, before: u64) -> String {
    let turn: Vec<String> = session
        .history()
        .await
        .unwrap()
        .iter()
        .filter(|recorded| recorded.sequence.number() > before)
        .map(|recorded| serde_json::to_string(&recorded.event).unwrap())
        .collect();
    turn.concat()
}

async fn durable_turn(folder: &Path) {
    let bench = Bench::on_disk(folder, "turns.db");
    let session = bench.open("c").await;
    say(&session, "status").await;
    let before = session.conversation().sequence().number();
    say(&session, "status").await;
    let bytes = bytes_of_last_turn(&session, before).await;
    let plain = Plain::open(&folder.join("plain.db"));
    let (mut times, mut baseline) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let start = Instant::now();
        say(&session, "status").await;
        times.push(start.elapsed());
        let start = Instant::now();
        plain.insert(&bytes);
        baseline.push(start.elapsed());
    }
    compare(&format!("one durable turn ({} bytes)", bytes.len()), &mut times, &mut baseline);
    let (mut to_card, mut to_done) = (Vec::new(), Vec::new());
    for _ in 0..TURNS / 5 {
        let start = Instant::now();
        say(&session, "plan").await;
        phase(&session, Phase::AwaitingApproval).await;
        to_card.push(start.elapsed());
        let start = Instant::now();
        say(&session, "yes").await;
        phase(&session, Phase::Idle).await;
        to_done.push(start.elapsed());
    }
    compare("message in to plan card out (2 turns)", &mut to_card, &mut baseline);
    compare("approve to done, one step (2 turns)", &mut to_done, &mut baseline);
    bench.driver.shutdown().await.unwrap();
}

/// Turns per second over `conversations` at once, against plain inserts one after the other.
async fn throughput(folder: &Path, conversations: usize) {
    let bench = Bench::on_disk(folder, &format!("many-{conversations}.db"));
    let plain = Plain::open(&folder.join(format!("plain-{conversations}.db")));
    let mut sessions = Vec::new();
    for number in 0..conversations {
        sessions.push(bench.open(&format!("c{number}")).await);
    }
    let each = (TURNS * 4 / conversations).max(10);
    let start = Instant::now();
    let mut speakers = JoinSet::new();
    for session in sessions {
        speakers.spawn(async move {
            for _ in 0..each {
                say(&session, "status").await;
            }
        });
    }
    speakers.join_all().await;
    let per_turn = start.elapsed() / u32::try_from(each * conversations).unwrap();
    let start = Instant::now();
    for _ in 0..TURNS {
        plain.insert(&"x".repeat(700));
    }
    let base = start.elapsed() / u32::try_from(TURNS).unwrap();
    let ratio = per_turn.as_secs_f64() / base.as_secs_f64();
    println!("| per turn, {conversations} conversations at once | {per_turn:.0?} | {base:.0?} | {ratio:.2} |");
    bench.driver.shutdown().await.unwrap();
}

async fn replay(folder: &Path) {
    let bench = Bench::on_disk(folder, "turns.db");
    let id = ConversationId::new("c");
    let (mut events, mut after) = (Vec::new(), turnwise_core::Sequence::new(0));
    let start = Instant::now();
    loop {
        let page = bench.store.events_after(&id, after).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.sequence;
        events.extend(page);
    }
    let count = u32::try_from(events.len()).unwrap();
    let read = start.elapsed() / count;
    let start = Instant::now();
    let whole = turnwise::store::Loaded { snapshot: None, events };
    let folded = whole.fold(&id, &bench.assistant.name).unwrap();
    println!("| replay per event: read and decode ({count} events) | {read:.2?} | | |");
    println!("| replay per event: fold | {:.2?} | | |", start.elapsed() / count);
    let start = Instant::now();
    let opened = bench.open("c").await;
    println!("| opening that conversation, with its snapshot | {:.0?} | | |", start.elapsed());
    assert_eq!(opened.conversation().facts().len(), folded.facts().len());
}

/// Resident bytes of this process.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or_default() * 4096
}

async fn idle(folder: &Path) {
    let bench = Bench::on_disk(folder, "idle.db");
    let mut sessions = Vec::with_capacity(IDLE);
    // The first conversation brings up whatever is there only once.
    let first = bench.open("first").await;
    say(&first, "status").await;
    let before = resident();
    let mut opening = JoinSet::new();
    let bench = Arc::new(bench);
    for number in 0..IDLE {
        let bench = bench.clone();
        opening.spawn(async move {
            let session = bench.open(&format!("c{number}")).await;
            say(&session, "status").await;
            session
        });
        if opening.len() >= CONCURRENT {
            sessions.extend(opening.join_next().await.map(Result::unwrap));
        }
    }
    sessions.extend(opening.join_all().await);
    let each = resident().saturating_sub(before) / IDLE as u64;
    let written = serde_json::to_string(first.conversation().as_ref()).unwrap().len();
    println!("| resident bytes per idle conversation ({IDLE} open) | {each} | | |");
    println!("| the same conversation written down, bytes | {written} | | |");
    assert_eq!(sessions.len(), IDLE);
}

async fn in_memory() {
    let bench = Bench::over(Arc::new(MemoryStore::new()));
    let session = bench.open("c").await;
    let start = Instant::now();
    for _ in 0..TURNS {
        say(&session, "status").await;
    }
    println!("| one turn on the memory store | {:.0?} | | |", start.elapsed() / u32::try_from(TURNS).unwrap());
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    println!("| what | Turnwise | plain SQLite insert | ratio |");
    println!("|---|---|---|---|");
    durable_turn(folder.path()).await;
    throughput(folder.path(), 1).await;
    throughput(folder.path(), CONCURRENT).await;
    replay(folder.path()).await;
    in_memory().await;
    idle(folder.path()).await;
}
