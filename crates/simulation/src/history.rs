//! One history: people act while processes live, fail and die; then everything calms down and must come to rest. Next:
//! `watch` for what is checked on the way.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use turnwise_core::Conversation;

use crate::people::{People, Said};
use crate::surface::{Transport, deliver};
use crate::watch::Tally;
use crate::world::World;
use crate::{Planted, Violation};

/// Whether the transcript of a history is kept. Without it a history is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transcript {
    /// Every input, event, fault and deed.
    Kept,
    /// None.
    None,
}

/// What a history came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The first invariant that did not hold, if one did not.
    pub violation: Option<Violation>,
    /// What happened, line by line, if it was kept.
    pub transcript: Vec<String>,
    /// How much happened.
    pub tally: Tally,
}

/// Plays the history of `seed`, with a bug in it if one is `planted`. The same arguments give the same outcome.
///
/// # Panics
/// When the operating system gives no resources for a runtime.
#[must_use]
pub fn play(seed: u64, planted: Option<Planted>, transcript: Transcript) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    #[expect(clippy::expect_used, reason = "a runtime of one thread without I/O asks the system for nothing")]
    let runtime = runtime.expect("BUG: a runtime of one thread can always be made");
    runtime.block_on(history(seed, planted, transcript))
}

async fn history(seed: u64, planted: Option<Planted>, transcript: Transcript) -> Outcome {
    let world = World::new(seed, planted);
    if transcript == Transcript::Kept {
        world.watch.record();
    }
    let mut keepers = JoinSet::new();
    for place in 0..world.places {
        keepers.spawn(Arc::clone(&world).keep(place));
    }
    let mut people = People::new(seed);
    let mut deliveries = JoinSet::new();
    for _ in 0..people.chance().between(3, MOVES_MAX) {
        pause(&people).await;
        if world.watch.violation().is_some() {
            break;
        }
        act(&world, &mut people, &mut deliveries);
    }
    world.end_faults();
    rest(&world, deliveries).await;
    if world.watch.violation().is_none() {
        world.watch.close(people.count());
    }
    world.end();
    Outcome {
        violation: world.watch.violation(),
        tally: world.watch.tally(),
        transcript: world.watch.take_transcript(),
    }
}

/// Someone does something at one of the places, and it travels: late, twice, after what was said later, at the other
/// place too.
fn act(world: &Arc<World>, people: &mut People, deliveries: &mut JoinSet<()>) {
    let place = usize::try_from(people.chance().below(world.places as u64)).unwrap_or(0);
    let said: Said = people.act(&view(world, place));
    let chance = people.chance();
    let late =
        Duration::from_millis(chance.weighted(&[(80, 0), (17, chance.below(600)), (3, chance.below(LATE_MS_MAX))]));
    deliveries.spawn(deliver(Arc::clone(world), said.clone(), place, late, Transport::SameKey));
    if chance.per_mille(COPIES_PER_MILLE) {
        let place = usize::try_from(chance.below(world.places as u64)).unwrap_or(0);
        let later = Duration::from_millis(chance.weighted(&[(40, 0), (60, chance.below(5_000))]));
        let transport = chance.weighted(&[(70, Transport::SameKey), (30, Transport::OwnKey)]);
        deliveries.spawn(deliver(Arc::clone(world), said, place, late + later, transport));
    }
}

/// What is on the screen at `place`; while no process lives there, an empty one.
fn view(world: &World, place: usize) -> Conversation {
    let session = world.at(place).and_then(|process| process.session());
    session.map_or_else(|| Conversation::new(world.name.clone()), |it| Conversation::clone(&it.conversation()))
}

async fn pause(people: &People) {
    let chance = people.chance();
    let milliseconds =
        chance.weighted(&[(15, 0), (50, chance.below(800)), (30, chance.below(5_000)), (5, chance.below(20_000))]);
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}

/// Without further faults everything said is acknowledged, all work ends, and every process sees what the log says.
async fn rest(world: &Arc<World>, mut deliveries: JoinSet<()>) {
    let limit = Duration::from_millis(REST_MS_MAX);
    let delivered = async { while deliveries.join_next().await.is_some() {} };
    if tokio::time::timeout(limit, delivered).await.is_err() {
        world.watch.broken(Violation::Stuck("something said is never acknowledged".to_owned()));
    }
    let begun = world.watch.now_ms();
    while world.watch.violation().is_none() {
        let Some(restless) = restless(world).await else { return };
        if world.watch.now_ms() - begun > REST_MS_MAX {
            world.watch.broken(restless);
        }
        tokio::time::sleep(Duration::from_millis(REST_LOOK_MS)).await;
    }
}

/// What is not at rest yet.
async fn restless(world: &World) -> Option<Violation> {
    world.watch.look().await;
    let state = world.watch.state();
    if let Some(effect) = state.outstanding().first() {
        return Some(Violation::Stuck(format!("{effect:?} is outstanding and nobody brings its outcome")));
    }
    for place in 0..world.places {
        let process = world.at(place);
        let Some((process, session)) = process.and_then(|it| Some((it.number, it.session()?))) else {
            return Some(Violation::Stuck(format!("no process comes up at place {place}")));
        };
        if *session.conversation() != state {
            return Some(Violation::Diverged { process, at: session.conversation().sequence() });
        }
    }
    None
}

/// Most things said and done in one history. Faults between few moves show more than many moves: histories are cheap.
const MOVES_MAX: u64 = 24;

/// Milliseconds that an input is under way at most.
const LATE_MS_MAX: u64 = 10_000;

/// How often an input travels twice.
const COPIES_PER_MILLE: u64 = 180;

/// Milliseconds of virtual time after which a history has to be at rest: longer than a draft may take, several times.
const REST_MS_MAX: u64 = 600_000;

/// Milliseconds between two looks whether it is.
const REST_LOOK_MS: u64 = 500;
