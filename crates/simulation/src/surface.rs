//! The surface: brings what people do to a process, waits for the word that it is taken in, and sends it again, there
//! or elsewhere, until that word comes. Next: `history`.

use std::sync::Arc;
use std::time::Duration;

use turnwise::driver::{DriverError, Session};
use turnwise::store::TurnResult;
use turnwise_core::InputKey;

use crate::Violation;
use crate::people::Said;
use crate::process::Process;
use crate::world::World;

/// How a copy of an input travels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Under the key of the input.
    SameKey,
    /// Under a key of its own: only the content says that it is the same.
    OwnKey,
}

/// Delivers `said` after `delay`, first at `place`, until it is acknowledged.
pub(crate) async fn deliver(world: Arc<World>, said: Said, place: usize, delay: Duration, transport: Transport) {
    tokio::time::sleep(delay).await;
    let mut place = place;
    loop {
        if let Some((process, session)) = world.at(place).and_then(|it| Some((Arc::clone(&it), it.session()?))) {
            let done = attempt(&world, &said, &process, &session, transport).await;
            if done {
                return;
            }
        }
        let chance = &world.store_chance;
        tokio::time::sleep(Duration::from_millis(chance.between(50, 1_500))).await;
        if chance.per_mille(300) {
            place = (place + 1) % world.places;
        }
    }
}

/// One try; true when there is nothing more to do.
async fn attempt(
    world: &Arc<World>,
    said: &Said,
    process: &Arc<Process>,
    session: &Session,
    transport: Transport,
) -> bool {
    world.watch.note(|| format!("> “{}” ({}) to process {}", said.words, said.key, process.number));
    let result = tokio::select! {
        biased;
        () = process.died() => return false,
        result = submit(world, said, session, transport) => result,
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

async fn submit(
    world: &World,
    said: &Said,
    session: &Session,
    transport: Transport,
) -> Result<TurnResult, DriverError> {
    let current = session.conversation().question().map(turnwise_core::Pending::reference);
    let body = match world.planted {
        Some(bug) => bug.hand_on(said.body.clone(), current),
        None => said.body.clone(),
    };
    let key = match transport {
        Transport::SameKey => said.key.clone(),
        Transport::OwnKey => InputKey::new(format!("{}'", said.key)),
    };
    session.submit(body, key, Some(said.key.clone())).await
}
