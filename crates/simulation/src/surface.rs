//! The surface: brings what people do to a process, waits for the word that it is taken in, and sends it again, there
//! or elsewhere, until that word comes. The word may be lost on its way, as channels lose it that deliver by request:
//! then what was taken in long ago comes once more, after what was said later. Next: `history`.

use std::sync::Arc;
use std::time::Duration;

use turnwise::driver::{DriverError, Session};
use turnwise::store::TurnResult;
use turnwise_core::InputKey;

use crate::people::Said;
use crate::process::Process;
use crate::world::World;
use crate::{Planted, Violation};

/// How a copy of an input travels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Under the key of the input.
    SameKey,
    /// Under a key of its own: only the content says that it is the same.
    OwnKey,
}

/// How a copy is known again.
struct Delivery {
    key: InputKey,
    content: Option<InputKey>,
}

impl Delivery {
    fn of(said: &Said, transport: Transport) -> Self {
        let key = match transport {
            Transport::SameKey => said.key.clone(),
            Transport::OwnKey => InputKey::new(format!("{}'", said.key)),
        };
        Self { key, content: Some(said.key.clone()) }
    }
}

/// What a careless surface sends when it sends again: something that nobody knows.
fn fresh(before: &Delivery) -> Delivery {
    Delivery { key: InputKey::new(format!("{}+", before.key)), content: None }
}

/// Delivers `said` after `delay`, first at `place`, until it is acknowledged.
pub(crate) async fn deliver(world: Arc<World>, said: Said, place: usize, delay: Duration, transport: Transport) {
    tokio::time::sleep(delay).await;
    let mut place = place;
    let mut delivery = Delivery::of(&said, transport);
    loop {
        if let Some((process, session)) = world.at(place).and_then(|it| Some((Arc::clone(&it), it.session()?))) {
            let done = attempt(&world, &said, &process, &session, &delivery).await;
            if done && !is_lost(&world, &said) {
                return;
            }
        }
        let chance = &world.delivery_chance;
        let wait = chance.weighted(&[(80, chance.between(50, 1_500)), (20, chance.between(1_500, RETRY_MS_MAX))]);
        tokio::time::sleep(Duration::from_millis(wait)).await;
        if world.planted == Some(Planted::ForgetDeliveryKey) {
            delivery = fresh(&delivery);
        }
        if chance.per_mille(300) {
            place = (place + 1) % world.places;
        }
    }
}

/// Whether the word that it is taken in does not arrive.
fn is_lost(world: &World, said: &Said) -> bool {
    let is_lost = world.has_faults() && world.delivery_chance.per_mille(LOST_PER_MILLE);
    if is_lost {
        world.watch.fault(|| format!("the answer to “{}” is lost", said.words));
    }
    is_lost
}

/// One try; true when there is nothing more to do.
async fn attempt(
    world: &Arc<World>,
    said: &Said,
    process: &Arc<Process>,
    session: &Session,
    delivery: &Delivery,
) -> bool {
    world.watch.note(|| format!("> “{}” ({}) to process {}", said.words, said.key, process.number));
    let result = tokio::select! {
        biased;
        () = process.died() => return false,
        result = submit(world, said, session, delivery) => result,
    };
    match result {
        Ok(result) => {
            let known = session.conversation().sequence();
            world.watch.acknowledged(process.number, said, result, known).await;
            true
        }
        // Nobody knows whether it was taken in: the same again, under the same key.
        Err(DriverError::Store(_) | DriverError::Contended { .. } | DriverError::ShutDown) => false,
        Err(error) => {
            world.watch.broken(Violation::Undecided { words: said.words.clone(), error: error.to_string() });
            true
        }
    }
}

async fn submit(world: &World, said: &Said, session: &Session, delivery: &Delivery) -> Result<TurnResult, DriverError> {
    let current = session.conversation().question().map(turnwise_core::Pending::reference);
    let body = match world.planted {
        Some(bug) => bug.hand_on(said.body.clone(), current),
        None => said.body.clone(),
    };
    session.submit(body, delivery.key.clone(), delivery.content.clone()).await
}

/// How often the word that something is taken in is lost.
const LOST_PER_MILLE: u64 = 80;

/// Milliseconds after which something is sent again at the latest: long after what was said meanwhile.
const RETRY_MS_MAX: u64 = 20_000;
