//! What knowing costs: `cargo bench -p turnwise-core --bench facts`. Look-up and eviction in a store of a million
//! facts, beside a look-up in a plain map of as many names in the same run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use turnwise_core::{
    Confidence, Fact, FactId, FactName, FactStore, FactValue, NewFact, PlanId, Scope, Sequence, SourceKind, Standing,
    Timestamp,
};

/// Facts held.
const FACTS: u64 = 1_000_000;
/// Look-ups and evictions measured.
const ROUNDS: u64 = 200_000;
/// Of which this many are timed together.
const BATCH: u64 = 1_000;

fn name(number: u64) -> FactName {
    FactName::new(format!("revenue_of_customer_{number:07}"))
}

/// The `round`th of a sequence that visits all numbers in no order.
fn pick(round: u64) -> u64 {
    round.wrapping_mul(0x9E37_79B9_7F4A_7C15) % FACTS
}

fn fact(number: u64) -> Arc<Fact> {
    Arc::new(Fact {
        id: FactId::new(number),
        body: NewFact {
            confidence: Confidence::new((pick(number) % 100) as f32 / 100.0),
            standing: Standing { scope: Scope::Project, ..Standing::default() },
            ..NewFact::new(name(number), FactValue::Text("42".to_owned()), SourceKind::Data)
        },
        plan: PlanId::new(1),
        resolved_at: Timestamp::from_millis(0),
        recorded: Sequence::new(number),
        said_in: None,
        approved: None,
    })
}

/// Nanoseconds a round, in the best of many batches: on a machine that does other work too, the rest measures that.
fn timed(mut work: impl FnMut(u64)) -> f64 {
    let batch = |from: u64| {
        let began = Instant::now();
        (from..from + BATCH).for_each(&mut work);
        began.elapsed().as_nanos() as f64 / BATCH as f64
    };
    (0..ROUNDS).step_by(usize::try_from(BATCH).unwrap()).map(batch).fold(f64::INFINITY, f64::min)
}

fn main() {
    let mut plain: BTreeMap<String, u64> = BTreeMap::new();
    let mut store = FactStore::default();
    for number in 0..FACTS {
        plain.insert(name(number).as_str().to_owned(), number);
        store.insert(fact(number), Sequence::new(number));
    }
    let names: Vec<FactName> = (0..ROUNDS).map(|round| name(pick(round))).collect();
    let baseline = timed(|round| {
        black_box(plain.get(names[round as usize].as_str()));
    });
    let looked_up = timed(|round| {
        black_box(store.get(&names[round as usize]));
    });
    // The first eviction makes the order; its cost is told by itself.
    let began = Instant::now();
    let first = store.least(Scope::Project, 1, &|_| false);
    store.evict(&first);
    let ordered = began.elapsed();
    let fresh: Vec<Arc<Fact>> = (0..ROUNDS).map(|round| fact(FACTS + round)).collect();
    let evicted = timed(|round| {
        let gone = store.least(Scope::Project, 1, &|_| false);
        store.evict(&gone);
        store.insert(Arc::clone(&fresh[round as usize]), Sequence::new(FACTS + round));
    });
    let touched = timed(|round| store.touch(&names[round as usize], Sequence::new(2 * FACTS + round)));
    println!("a plain map of {FACTS} names, a look-up   {baseline:8.0} ns");
    println!("fact store, a look-up                     {looked_up:8.0} ns  {:.2} ×", looked_up / baseline);
    println!("fact store, a fact in and the least out   {evicted:8.0} ns  {:.2} ×", evicted / baseline);
    println!("fact store, a use noted                   {touched:8.0} ns  {:.2} ×", touched / baseline);
    println!("fact store, the order made once           {:8.0} ms", ordered.as_secs_f64() * 1e3);
}
