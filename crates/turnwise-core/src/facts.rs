//! The facts a conversation holds, by name. A turn looks ahead on a copy of the conversation, and a run of thousands of
//! steps resolves thousands of facts, so a copy must not cost what the whole does: the facts lie in sorted chunks that
//! copies share, and a change copies the one chunk it falls into. Next: `chunked`, which does the same for a run's steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Fact, FactName};

/// Facts by name, in order of name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<FactName, Arc<Fact>>", into = "BTreeMap<FactName, Arc<Fact>>")]
pub struct Facts {
    /// Never empty chunks, each sorted, one after the other.
    chunks: Vec<Arc<Vec<Arc<Fact>>>>,
    len: usize,
}

impl Facts {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The fact named `name`.
    #[must_use]
    pub fn get(&self, name: &FactName) -> Option<&Arc<Fact>> {
        let chunk = self.chunks.get(self.chunk_of(name))?;
        let at = chunk.binary_search_by(|fact| fact.name().cmp(name)).ok()?;
        chunk.get(at)
    }

    /// All facts, in order of name.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Arc<Fact>> + Clone {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// All names, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &FactName> + Clone {
        self.values().map(|fact| fact.name())
    }

    /// All names with their facts, in order of name.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&FactName, &Arc<Fact>)> + Clone {
        self.values().map(|fact| (fact.name(), fact))
    }

    /// Puts `fact` in, in place of an earlier one of its name.
    pub(crate) fn insert(&mut self, fact: Arc<Fact>) {
        let at = self.chunk_of(fact.name());
        let Some(chunk) = self.chunks.get_mut(at) else {
            self.chunks.push(Arc::new(vec![fact]));
            self.len = 1;
            return;
        };
        let chunk = Arc::make_mut(chunk);
        match chunk.binary_search_by(|other| other.name().cmp(fact.name())) {
            Ok(place) => chunk[place] = fact,
            Err(place) => {
                chunk.insert(place, fact);
                self.len += 1;
            }
        }
        if chunk.len() > CHUNK_MAX {
            let upper = chunk.split_off(CHUNK_MAX / 2);
            self.chunks.insert(at + 1, Arc::new(upper));
        }
    }

    /// Takes the fact named `name` out.
    pub(crate) fn remove(&mut self, name: &FactName) {
        let at = self.chunk_of(name);
        let Some(chunk) = self.chunks.get_mut(at) else { return };
        let Ok(place) = chunk.binary_search_by(|fact| fact.name().cmp(name)) else { return };
        Arc::make_mut(chunk).remove(place);
        self.len -= 1;
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
    }

    /// The chunk in which `name` is, or would be.
    fn chunk_of(&self, name: &FactName) -> usize {
        let begins = |chunk: &Arc<Vec<Arc<Fact>>>| chunk.first().is_some_and(|first| first.name() <= name);
        self.chunks.partition_point(begins).saturating_sub(1)
    }
}

/// Where the chunks are cut says nothing about what is held.
impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.values().eq(other.values())
    }
}

impl From<BTreeMap<FactName, Arc<Fact>>> for Facts {
    fn from(facts: BTreeMap<FactName, Arc<Fact>>) -> Self {
        let mut held = Self::default();
        facts.into_values().for_each(|fact| held.insert(fact));
        held
    }
}

impl From<Facts> for BTreeMap<FactName, Arc<Fact>> {
    fn from(facts: Facts) -> Self {
        facts.iter().map(|(name, fact)| (name.clone(), Arc::clone(fact))).collect()
    }
}

/// Facts in a chunk: about the square root of the most a run resolves, so that neither the chunks of a copy nor the
/// facts of a changed chunk are many.
const CHUNK_MAX: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, FactId, FactValue, NewFact, PlanId, Sequence, SourceKind, Timestamp};

    fn fact(number: u64) -> Arc<Fact> {
        // Names in an order of their own, so that insertions fall everywhere.
        let name = FactName::new(format!("fact_{}", number.wrapping_mul(2_654_435_761) % 100_003));
        let body = NewFact {
            name,
            value: FactValue::Text(number.to_string()),
            source: SourceKind::Data,
            confidence: Confidence::CERTAIN,
            derived_from: Vec::new(),
            query: None,
            stamps: Vec::new(),
            assumptions: Vec::new(),
        };
        let (id, plan, recorded) = (FactId::new(number), PlanId::new(1), Sequence::new(number));
        Arc::new(Fact { id, body, plan, resolved_at: Timestamp::default(), recorded })
    }

    #[test]
    fn it_holds_what_a_plain_map_holds() {
        let (mut facts, mut plain) = (Facts::default(), BTreeMap::new());
        for number in 0..3_000 {
            let fact = fact(number);
            plain.insert(fact.name().clone(), Arc::clone(&fact));
            facts.insert(fact);
            if number % 3 == 0 {
                let gone = self::fact(number / 2);
                plain.remove(gone.name());
                facts.remove(gone.name());
            }
        }
        assert!(facts.chunks.len() > 8 && facts.chunks.iter().all(|chunk| !chunk.is_empty()));
        assert_eq!(facts.len(), plain.len());
        assert!(facts.iter().eq(plain.iter()));
        assert!(plain.iter().all(|(name, fact)| facts.get(name) == Some(fact)));
        assert_eq!(facts.get(&FactName::new("nobody")), None);
        assert_eq!(facts, Facts::from(plain));
    }

    #[test]
    fn a_copy_shares_what_is_not_changed() {
        let mut facts = Facts::default();
        (0..1_000).for_each(|number| facts.insert(fact(number)));
        let before = facts.clone();
        facts.insert(fact(5_000));
        let shared = before.chunks.iter().filter(|old| facts.chunks.iter().any(|new| Arc::ptr_eq(old, new))).count();
        assert_eq!(shared, before.chunks.len() - 1);
        assert_eq!(before.len(), 1_000);
    }
}
