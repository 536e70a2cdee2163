//! The world of one history: the store, two places in which processes live and die, chance and time. Next: `history`,
//! which lets people act in it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use turnwise::store::{MemoryStore, Store};
use turnwise_core::{ApprovalMode, AssistantName, ConversationId, Flow, Policy};

use crate::Planted;
use crate::chance::Chance;
use crate::planted::Careless;
use crate::process::Process;
use crate::watch::Watch;

/// The one conversation of a history.
pub(crate) const CONVERSATION: &str = "simulated";

/// Most places in which a process may live: two drivers over one store.
const PLACES_MAX: usize = 2;

pub(crate) struct World {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) watch: Watch,
    pub(crate) begun: Instant,
    pub(crate) name: AssistantName,
    pub(crate) policy: Policy,
    pub(crate) planted: Option<Planted>,
    pub(crate) store_chance: Chance,
    pub(crate) delivery_chance: Chance,
    pub(crate) tool_chance: Chance,
    life_chance: Chance,
    /// The weight of a call that goes well, against those that do not.
    pub(crate) calm: u64,
    faults: AtomicBool,
    drafts: AtomicU64,
    lives: AtomicUsize,
    /// In how many places processes live. Alone, a process must manage what another one would otherwise cover up.
    pub(crate) places: usize,
    living: Mutex<[Option<Arc<Process>>; PLACES_MAX]>,
}

impl World {
    pub(crate) fn new(seed: u64, planted: Option<Planted>) -> Arc<Self> {
        let memory = Arc::new(MemoryStore::new());
        let store: Arc<dyn Store> = match planted {
            Some(bug) => Arc::new(Careless::new(Arc::clone(&memory), bug)),
            None => memory.clone(),
        };
        let chance = Chance::new(seed, "world");
        let (name, policy) = (AssistantName::new("simulated"), policy(&chance));
        Arc::new(Self {
            store,
            watch: Watch::new(memory, ConversationId::new(CONVERSATION), name.clone(), policy.clone()),
            begun: Instant::now(),
            name,
            policy,
            planted,
            store_chance: Chance::new(seed, "store"),
            delivery_chance: Chance::new(seed, "delivery"),
            tool_chance: Chance::new(seed, "tools"),
            life_chance: Chance::new(seed, "life"),
            calm: chance.weighted(&[(30, 600), (40, 2_500), (30, 20_000)]),
            faults: AtomicBool::new(true),
            drafts: AtomicU64::new(0),
            lives: AtomicUsize::new(0),
            places: chance.weighted(&[(20, 1), (80, PLACES_MAX)]),
            living: Mutex::default(),
        })
    }

    /// Whether things go wrong; towards the end of a history they do not any more.
    pub(crate) fn has_faults(&self) -> bool {
        self.faults.load(Ordering::Relaxed)
    }

    pub(crate) fn end_faults(&self) {
        self.faults.store(false, Ordering::Relaxed);
    }

    pub(crate) fn next_draft(&self) -> u64 {
        self.drafts.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The process that lives at `place`, if one does.
    pub(crate) fn at(&self, place: usize) -> Option<Arc<Process>> {
        self.living().get(place).and_then(Clone::clone)
    }

    fn living(&self) -> MutexGuard<'_, [Option<Arc<Process>>; PLACES_MAX]> {
        self.living.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, place: usize, process: Option<Arc<Process>>) {
        if let Some(at) = self.living().get_mut(place) {
            *at = process;
        }
    }

    /// Lets one process after the other live at `place`.
    pub(crate) async fn keep(self: Arc<Self>, place: usize) {
        loop {
            let process = Process::new(self.lives.fetch_add(1, Ordering::Relaxed) + 1);
            self.watch.note(|| format!("  + process {} starts in place {place}", process.number));
            self.live(place, &process).await;
            process.die();
            self.settle(place, None);
            let rest = if self.has_faults() { self.life_chance.below(9_000) } else { 10 };
            tokio::time::sleep(Duration::from_millis(rest)).await;
        }
    }

    /// One life, up to its end by crash or in order.
    async fn live(self: &Arc<Self>, place: usize, process: &Arc<Process>) {
        let driver = tokio::select! {
            biased;
            () = process.died() => return,
            started = process.start(self) => match started {
                Ok(driver) => driver,
                Err(error) => {
                    self.watch.note(|| format!("  - process {} cannot start: {error}", process.number));
                    return;
                }
            },
        };
        self.settle(place, Some(Arc::clone(process)));
        let until = Duration::from_millis(self.life_chance.between(5_000, 90_000));
        tokio::select! {
            biased;
            () = process.died() => return,
            () = tokio::time::sleep(until) => {}
        }
        if !self.has_faults() {
            process.died().await;
            return;
        }
        self.watch.fault(|| format!("process {} is shut down in order", process.number));
        tokio::select! {
            biased;
            () = process.died() => {}
            _ = driver.shutdown() => {}
        }
    }

    /// Nothing of this history lives on; without this, processes and sessions would hold each other for ever.
    pub(crate) fn end(&self) {
        for place in self.living().iter_mut() {
            if let Some(process) = place.take() {
                process.die();
            }
        }
    }
}

fn policy(chance: &Chance) -> Policy {
    Policy {
        flow: Flow {
            approval_mode: chance.weighted(&[
                (70, ApprovalMode::None),
                (10, ApprovalMode::BeforeStep),
                (10, ApprovalMode::AfterStep),
                (10, ApprovalMode::Both),
            ]),
            pause_enabled: chance.per_mille(900),
            auto_approve_simple: chance.per_mille(200),
            satisfaction: chance.per_mille(500),
            conversational: chance.per_mille(100),
            allow_execution_transition: chance.per_mille(900),
            ..Flow::default()
        },
        no_ends: chance.per_mille(200),
        ..Policy::default()
    }
}
