//! Forks: a conversation copied up to some point, to go another way from there. A fork is a log of its own; what
//! happens in it never reaches the conversation it came from. Next: `session`.

use std::sync::Arc;

use turnwise_core::{Conversation, ConversationId, Event, InputKey, PersonId, Sequence};

use super::{DriverError, Session, Shared};
use crate::store::{Committed, Turn, TurnResult};

/// Stores the copy as one turn, so that it is there whole or not at all.
pub(super) async fn fork(
    shared: &Arc<Shared>,
    from: &Session,
    upto: Option<Sequence>,
    to: ConversationId,
    person: &PersonId,
) -> Result<(), DriverError> {
    let history = from.history().await?;
    let is_before = |at: Sequence| upto.is_none_or(|upto| at <= upto);
    let mut events: Vec<Event> =
        history.into_iter().filter(|recorded| is_before(recorded.sequence)).map(|recorded| recorded.event).collect();
    events.push(Event::MemberJoined { person: person.clone() });
    let mut state = Conversation::new(from.conversation().assistant().clone());
    for event in &events {
        state.apply(event)?;
    }
    if state.is_busy() {
        return Err(DriverError::ForkAtWork);
    }
    let last = state.sequence();
    // The same fork asked for again is there already; another one under the same id is not meant.
    let digest = Some(format!("{} {upto:?}", from.id()));
    let turn = Turn {
        conversation: to.clone(),
        expected: Sequence::new(0),
        snapshot: true,
        keys: vec![InputKey::new("fork")],
        result: TurnResult { receipt: None, first: Sequence::new(1), last, digest: digest.clone(), duplicate: false },
        reported: None,
        finished: Vec::new(),
        started: Vec::new(),
        owner: shared.owner.clone(),
        until: shared.until(),
        at: shared.now(),
        events,
        state: Arc::new(state),
    };
    match shared.store.commit(turn).await? {
        Committed::Stored => Ok(()),
        Committed::Duplicate(first) if first.digest == digest => Ok(()),
        Committed::Duplicate(_) => Err(DriverError::KeyReused),
        Committed::Conflict | Committed::Fenced => Err(DriverError::Contended { conversation: to, attempts: 1 }),
    }
}
