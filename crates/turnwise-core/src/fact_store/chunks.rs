//! Held facts in order of name, in chunks that copies share. A turn looks ahead on a copy of the conversation,
//! and a run of thousands of steps resolves thousands of facts, so a copy must not cost what the whole does: a
//! change copies the one chunk it falls into. Next: `crate::chunked`, which does the same for a run's steps.

use std::sync::Arc;

use super::Held;
use crate::FactName;

/// Facts by name, in order of name.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    /// Never empty chunks, each sorted, one after the other.
    chunks: Vec<Arc<Vec<Held>>>,
    len: usize,
}

impl Chunks {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, name: &FactName) -> Option<&Held> {
        let chunk = self.chunks.get(self.chunk_of(name))?;
        let at = chunk.binary_search_by(|held| held.fact.name().cmp(name)).ok()?;
        chunk.get(at)
    }

    pub(super) fn held_mut(&mut self, name: &FactName) -> Option<&mut Held> {
        let at = self.chunk_of(name);
        let chunk = self.chunks.get_mut(at)?;
        let place = chunk.binary_search_by(|held| held.fact.name().cmp(name)).ok()?;
        Arc::make_mut(chunk).get_mut(place)
    }

    /// All of them, in order of name.
    pub(super) fn values(&self) -> impl DoubleEndedIterator<Item = &Held> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Puts one in, in place of an earlier one of its name.
    pub(super) fn insert(&mut self, held: Held) {
        let at = self.chunk_of(held.fact.name());
        let Some(chunk) = self.chunks.get_mut(at) else {
            self.chunks.push(Arc::new(vec![held]));
            self.len = 1;
            return;
        };
        let chunk = Arc::make_mut(chunk);
        match chunk.binary_search_by(|other| other.fact.name().cmp(held.fact.name())) {
            Ok(place) => chunk[place] = held,
            Err(place) => {
                chunk.insert(place, held);
                self.len += 1;
            }
        }
        if chunk.len() > CHUNK_MAX {
            let upper = chunk.split_off(CHUNK_MAX / 2);
            self.chunks.insert(at + 1, Arc::new(upper));
        }
    }

    /// Takes the one named `name` out.
    pub(super) fn remove(&mut self, name: &FactName) -> Option<Held> {
        let at = self.chunk_of(name);
        let chunk = self.chunks.get_mut(at)?;
        let place = chunk.binary_search_by(|held| held.fact.name().cmp(name)).ok()?;
        let held = Arc::make_mut(chunk).remove(place);
        self.len -= 1;
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
        Some(held)
    }

    /// The chunk in which `name` is, or would be.
    fn chunk_of(&self, name: &FactName) -> usize {
        let begins = |chunk: &Arc<Vec<Held>>| chunk.first().is_some_and(|first| first.fact.name() <= name);
        self.chunks.partition_point(begins).saturating_sub(1)
    }
}

/// Where the chunks are cut says nothing about what is held.
impl PartialEq for Chunks {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.values().eq(other.values())
    }
}

/// Facts in a chunk: about the square root of the most a run resolves, so that neither the chunks of a copy nor the
/// facts of a changed chunk are many.
const CHUNK_MAX: usize = 128;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Fact, FactId, FactValue, NewFact, PlanId, Sequence, SourceKind, Timestamp};

    fn held(number: u64) -> Held {
        // Names in an order of their own, so that insertions fall everywhere.
        let body = NewFact::new(
            FactName::new(format!("fact_{}", number.wrapping_mul(2_654_435_761) % 100_003)),
            FactValue::Text(number.to_string()),
            SourceKind::Data,
        );
        let (id, plan, recorded, resolved_at) =
            (FactId::new(number), PlanId::new(1), Sequence::new(number), Timestamp::default());
        let fact = Arc::new(Fact { id, body, plan, resolved_at, recorded, said_in: None, approved: None });
        Held { fact, pinned: false, used: recorded }
    }

    #[test]
    fn it_holds_what_a_plain_map_holds() {
        let (mut facts, mut plain) = (Chunks::default(), BTreeMap::new());
        for number in 0..3_000 {
            let held = held(number);
            plain.insert(held.fact.name().clone(), held.clone());
            facts.insert(held);
            if number % 3 == 0 {
                let gone = self::held(number / 2);
                assert_eq!(facts.remove(gone.fact.name()), plain.remove(gone.fact.name()));
            }
        }
        assert!(facts.chunks.len() > 8 && facts.chunks.iter().all(|chunk| !chunk.is_empty()));
        assert_eq!(facts.len(), plain.len());
        assert!(facts.values().eq(plain.values()));
        assert!(plain.iter().all(|(name, held)| facts.get(name) == Some(held)));
        assert_eq!(facts.get(&FactName::new("nobody")), None);
    }

    #[test]
    fn a_copy_shares_what_is_not_changed() {
        let mut facts = Chunks::default();
        (0..1_000).for_each(|number| facts.insert(held(number)));
        let before = facts.clone();
        facts.insert(held(5_000));
        let shared = before.chunks.iter().filter(|old| facts.chunks.iter().any(|new| Arc::ptr_eq(old, new))).count();
        assert_eq!(shared, before.chunks.len() - 1);
        assert_eq!(before.len(), 1_000);
    }
}
