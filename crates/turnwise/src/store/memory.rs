//! The memory store: for tests and for sessions that shall leave nothing behind. It is also the semantics of
//! [`Store`] in their plainest form. Next: `sqlite`.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use turnwise_core::{
    AssistantName, Conversation, ConversationId, Effect, InputKey, PersonId, Phase, Sequence, Timestamp,
};

use super::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Fence, Held, Listing, Loaded, Owner, Position,
    Questions, Recorded, Reported, SigningKey, Store, StoreError, Summary, TakenUp, Turn, TurnResult, limits,
};

/// A store that lives as long as the process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    conversations: HashMap<ConversationId, Book>,
    /// For each conversation the number of events the store had taken in with its latest turn.
    position: u64,
    key: Option<SigningKey>,
    /// Each with how often it was taken up.
    deliveries: Vec<(Delivery, u32)>,
}

#[derive(Debug)]
struct Book {
    assistant: AssistantName,
    title: Option<String>,
    phase: Phase,
    active_at: Timestamp,
    members: Vec<PersonId>,
    questions: usize,
    position: u64,
    events: Vec<Recorded>,
    snapshot: Option<Arc<Conversation>>,
    results: HashMap<InputKey, (TurnResult, Timestamp)>,
    outbox: BTreeMap<Effect, Lease>,
}

fn summary((id, book): (&ConversationId, &Book)) -> Summary {
    Summary {
        id: id.clone(),
        assistant: book.assistant.clone(),
        title: book.title.clone(),
        phase: book.phase,
        active_at: book.active_at,
        members: book.members.clone(),
    }
}

#[derive(Clone, Debug)]
struct Lease {
    /// Absent once it was given back.
    owner: Option<Owner>,
    until: Timestamp,
    fence: Fence,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A panic while the lock was held can only come from a failed allocation; the books are whole at every await.
    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn commit(&self, turn: Turn) -> Result<Committed, StoreError> {
        let mut books = self.books();
        let position = books.position + turn.events.len() as u64;
        if let Some(refusal) = books.conversations.get(&turn.conversation).and_then(|book| book.refusal(&turn)) {
            return Ok(refusal);
        }
        if !books.conversations.contains_key(&turn.conversation) && turn.expected.number() != 0 {
            return Ok(Committed::Conflict);
        }
        books.position = position;
        let book = books.conversations.entry(turn.conversation.clone()).or_insert_with(|| Book::new(&turn));
        book.take_in(turn, position);
        Ok(Committed::Stored)
    }

    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError> {
        Ok(self.books().conversations.get(id).map(|book| {
            let snapshot = book.snapshot.as_deref().cloned();
            let after = snapshot.as_ref().map_or(0, |state| state.sequence().number());
            Loaded { snapshot, events: book.after(after).to_vec() }
        }))
    }

    async fn events_after(&self, id: &ConversationId, after: Sequence) -> Result<Vec<Recorded>, StoreError> {
        let books = self.books();
        let events = books.conversations.get(id).map_or(&[][..], |book| book.after(after.number()));
        Ok(events.iter().take(limits::EVENTS_PAGE).cloned().collect())
    }

    async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, StoreError> {
        let books = self.books();
        let fits = |(id, book): &(&ConversationId, &Book)| book.fits(id, wanted);
        let mut found: Vec<Summary> = books.conversations.iter().filter(fits).map(summary).collect();
        found.sort_by_key(|summary| std::cmp::Reverse(summary.place()));
        found.truncate(limits::LISTED_MAX);
        Ok(found)
    }

    async fn ids(&self, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        let books = self.books();
        let mut ids: Vec<ConversationId> =
            books.conversations.keys().filter(|id| after.is_none_or(|after| *id > after)).cloned().collect();
        ids.sort();
        ids.truncate(limits::IDS_PAGE);
        Ok(ids)
    }

    async fn quiet_since(&self, before: Timestamp) -> Result<Vec<Summary>, StoreError> {
        let books = self.books();
        let is_quiet = |(_, book): &(&ConversationId, &Book)| book.active_at < before && book.phase == Phase::Idle;
        let mut quiet: Vec<(&ConversationId, &Book)> = books.conversations.iter().filter(is_quiet).collect();
        quiet.sort_by_key(|(_, book)| (book.active_at, book.position));
        Ok(quiet.into_iter().take(limits::LISTED_MAX).map(summary).collect())
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        let mut books = self.books();
        let book = books.conversations.get_mut(&claim.conversation).filter(|book| book.last() == claim.expected);
        Ok(book.map_or(Claimed::Conflict, |book| Claimed::Granted(book.grant(&claim))))
    }

    async fn abandoned(&self, now: Timestamp, after: Option<&ConversationId>) -> Result<Vec<Abandoned>, StoreError> {
        let books = self.books();
        let mut found: Vec<Abandoned> = Vec::new();
        for (id, book) in books.conversations.iter().filter(|(id, _)| after.is_none_or(|after| *id > after)) {
            let free = book.outbox.iter().filter(|(_, lease)| lease.owner.is_none() || lease.until <= now);
            found.extend(free.map(|(effect, lease)| Abandoned {
                conversation: id.clone(),
                effect: *effect,
                fence: lease.fence,
            }));
        }
        found.sort_by(|a, b| a.conversation.cmp(&b.conversation));
        found.truncate(limits::ABANDONED_PAGE);
        Ok(found)
    }

    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError> {
        let mut held = Vec::new();
        for (conversation, book) in &mut self.books().conversations {
            for (effect, lease) in book.outbox.iter_mut().filter(|(_, lease)| lease.owner.as_ref() == Some(owner)) {
                lease.until = until;
                held.push(Held { conversation: conversation.clone(), effect: *effect, fence: lease.fence });
            }
        }
        Ok(held)
    }

    async fn release(&self, owner: &Owner) -> Result<(), StoreError> {
        let mut books = self.books();
        let leases = books.conversations.values_mut().flat_map(|book| book.outbox.values_mut());
        for lease in leases.filter(|lease| lease.owner.as_ref() == Some(owner)) {
            lease.owner = None;
        }
        Ok(())
    }

    async fn delete(&self, id: &ConversationId, now: Timestamp) -> Result<Deleted, StoreError> {
        let mut books = self.books();
        let Some(book) = books.conversations.get(id) else { return Ok(Deleted::NotThere) };
        if book.outbox.values().any(|lease| lease.owner.is_some() && lease.until > now) {
            return Ok(Deleted::Busy);
        }
        books.conversations.remove(id);
        Ok(Deleted::Gone)
    }

    async fn missing(&self, mut ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        let books = self.books();
        ids.retain(|id| !books.conversations.contains_key(id));
        Ok(ids)
    }

    async fn changes(&self, after: Position) -> Result<Changes, StoreError> {
        let books = self.books();
        let grown = books.conversations.iter().filter(|(_, book)| book.position > after.number());
        let grown = grown.map(|(id, book)| (id.clone(), book.last())).collect();
        Ok(Changes { upto: Position::new(books.position), grown })
    }

    async fn position(&self) -> Result<Position, StoreError> {
        Ok(Position::new(self.books().position))
    }

    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError> {
        let mut books = self.books();
        let is_same = |kept: &Delivery| kept.channel == delivery.channel && kept.key == delivery.key;
        if !books.deliveries.iter().any(|(kept, _)| is_same(kept)) {
            books.deliveries.push((delivery, 0));
        }
        Ok(())
    }

    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError> {
        self.books().deliveries.retain(|(kept, _)| kept.channel != channel || kept.key != *key);
        Ok(())
    }

    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError> {
        let mut taken = TakenUp::default();
        for (delivery, times) in self.books().deliveries.iter_mut().filter(|(kept, _)| kept.channel == channel) {
            if *times >= limits::TAKEN_UP_MAX {
                taken.given_up.push(delivery.clone());
                continue;
            }
            *times += 1;
            taken.deliveries.push(delivery.clone());
        }
        Ok(taken)
    }

    async fn signing_key(&self) -> Result<SigningKey, StoreError> {
        let mut books = self.books();
        let key = match books.key.take() {
            Some(key) => key,
            None => SigningKey::random()?,
        };
        Ok(books.key.insert(key).clone())
    }
}

impl Book {
    fn new(turn: &Turn) -> Self {
        Self {
            assistant: turn.state.assistant().clone(),
            title: None,
            phase: Phase::Idle,
            active_at: turn.at,
            members: Vec::new(),
            questions: 0,
            position: 0,
            events: Vec::new(),
            snapshot: None,
            results: HashMap::new(),
            outbox: BTreeMap::new(),
        }
    }

    /// Whether it belongs into a list.
    fn fits(&self, id: &ConversationId, wanted: &Listing) -> bool {
        let Listing { id: only, beginning, over, member, questions, after } = wanted;
        only.as_ref().is_none_or(|only| only == id)
            && beginning.as_ref().is_none_or(|beginning| id.as_str().starts_with(beginning))
            && (over.is_empty()
                || over.iter().any(|over| over.assistant == self.assistant && id.as_str().ends_with(&over.ending)))
            && member.as_ref().is_none_or(|member| self.members.contains(member))
            && (*questions == Questions::Any || self.questions > 0)
            && after.as_ref().is_none_or(|after| (self.active_at, id) < (after.active_at, &after.id))
    }

    fn last(&self) -> Sequence {
        Sequence::new(self.events.len() as u64)
    }

    fn after(&self, sequence: u64) -> &[Recorded] {
        let from = usize::try_from(sequence).unwrap_or(usize::MAX).min(self.events.len());
        &self.events[from..]
    }

    /// Why the turn is not stored, if it is not. Seen before comes first: a second delivery gets the first result even
    /// when the conversation has long moved on.
    fn refusal(&self, turn: &Turn) -> Option<Committed> {
        if let Some((result, _)) = turn.keys.iter().find_map(|key| self.results.get(key)) {
            return Some(Committed::Duplicate(result.clone().repeated()));
        }
        if self.last() != turn.expected {
            return Some(Committed::Conflict);
        }
        let reported = turn.reported?;
        let lease = self.outbox.get(&reported.effect)?;
        let is_ours = lease.owner.as_ref() == Some(&turn.owner) && lease.fence == reported.fence;
        (!is_ours).then_some(Committed::Fenced)
    }

    fn take_in(&mut self, turn: Turn, position: u64) {
        self.title = turn.renamed().or_else(|| self.title.take()).or_else(|| turn.title());
        self.phase = turn.state.phase();
        self.active_at = turn.at;
        self.members = turn.state.members().iter().cloned().collect();
        self.questions = turn.state.pending().len();
        self.position = position;
        self.events.extend(turn.recorded());
        if turn.snapshot {
            self.snapshot = Some(Arc::clone(&turn.state));
        }
        for key in turn.keys {
            self.results.insert(key, (turn.result.clone(), turn.at));
        }
        for effect in &turn.finished {
            self.outbox.remove(effect);
        }
        let lease = Lease { owner: Some(turn.owner), until: turn.until, fence: Fence::FIRST };
        self.outbox.extend(turn.started.into_iter().map(|effect| (effect, lease.clone())));
    }

    fn grant(&mut self, claim: &Claim) -> Vec<Reported> {
        let mut granted = Vec::new();
        for effect in &claim.effects {
            let held = self.outbox.get(effect);
            // A claimant asks for its own work only when it does not perform it: it may have it again.
            let is_free = held.is_none_or(|lease| {
                let owner = lease.owner.as_ref();
                owner.is_none_or(|owner| *owner == claim.owner) || lease.until <= claim.now
            });
            if is_free {
                let fence = held.map_or(Fence::FIRST, |lease| Fence::new(lease.fence.number() + 1));
                let lease = Lease { owner: Some(claim.owner.clone()), until: claim.until, fence };
                self.outbox.insert(*effect, lease);
                granted.push(Reported { effect: *effect, fence });
            }
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::contract::{Pair, contract_tests};

    fn open() -> Pair {
        let store = Arc::new(MemoryStore::new());
        Pair { one: store.clone(), other: store, _keep: None }
    }

    contract_tests!(open);
}
