//! The facts a conversation holds, by name. A turn looks ahead on a copy of the conversation, and a run of thousands of
//! steps resolves thousands of facts, so a copy must not cost what the whole does: the facts lie in sorted chunks, and
//! those in groups, which copies share, and a change copies the one chunk and the one group it falls into. Next:
//! `chunked`, which does the same for a run's steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Fact, FactName};

/// Facts by name, in order of name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<FactName, Arc<Fact>>", into = "BTreeMap<FactName, Arc<Fact>>")]
pub struct Facts {
    groups: Arc<Vec<Arc<Group>>>,
    len: usize,
}

/// Chunks, sorted, one after the other; never without one.
#[derive(Clone, Debug, Default)]
struct Group(Vec<Arc<Chunk>>);

/// Facts in order of name; never without one.
#[derive(Clone, Debug, Default)]
struct Chunk(Vec<Arc<Fact>>);

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
        let group = self.groups.get(place(&self.groups, |group| group.first() <= Some(name)))?;
        let chunk = group.0.get(place(&group.0, |chunk| chunk.first() <= Some(name)))?;
        let at = chunk.0.binary_search_by(|fact| fact.name().cmp(name)).ok()?;
        chunk.0.get(at)
    }

    /// All facts, in order of name.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Arc<Fact>> + Clone {
        self.groups.iter().flat_map(|group| group.0.iter()).flat_map(|chunk| chunk.0.iter())
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
        let groups = Arc::make_mut(&mut self.groups);
        let at = place(groups, |group| group.first() <= Some(fact.name()));
        if groups.is_empty() {
            groups.push(Arc::default());
        }
        let group = Arc::make_mut(&mut groups[at]);
        let (is_new, upper) = group.insert(fact);
        self.len += usize::from(is_new);
        if let Some(upper) = upper {
            groups.insert(at + 1, Arc::new(upper));
        }
    }

    /// Takes the fact named `name` out.
    pub(crate) fn remove(&mut self, name: &FactName) {
        if self.get(name).is_none() {
            return;
        }
        let groups = Arc::make_mut(&mut self.groups);
        let at = place(groups, |group| group.first() <= Some(name));
        let chunks = &mut Arc::make_mut(&mut groups[at]).0;
        let inner = place(chunks, |chunk| chunk.first() <= Some(name));
        let chunk = &mut Arc::make_mut(&mut chunks[inner]).0;
        chunk.retain(|fact| fact.name() != name);
        self.len -= 1;
        if chunk.is_empty() {
            chunks.remove(inner);
        }
        if chunks.is_empty() {
            groups.remove(at);
        }
    }
}

impl Group {
    fn first(&self) -> Option<&FactName> {
        self.0.first()?.first()
    }

    /// Puts a fact in: whether its name is new here, and the upper half where that made the group too large.
    fn insert(&mut self, fact: Arc<Fact>) -> (bool, Option<Self>) {
        if self.0.is_empty() {
            self.0.push(Arc::default());
        }
        let at = place(&self.0, |chunk| chunk.first() <= Some(fact.name()));
        let chunk = &mut Arc::make_mut(&mut self.0[at]).0;
        let is_new = match chunk.binary_search_by(|other| other.name().cmp(fact.name())) {
            Ok(found) => {
                chunk[found] = fact;
                false
            }
            Err(between) => {
                chunk.insert(between, fact);
                true
            }
        };
        if chunk.len() > PARTS_MAX {
            let upper = chunk.split_off(PARTS_MAX / 2);
            self.0.insert(at + 1, Arc::new(Chunk(upper)));
        }
        let is_large = self.0.len() > PARTS_MAX;
        (is_new, is_large.then(|| Self(self.0.split_off(PARTS_MAX / 2))))
    }
}

impl Chunk {
    fn first(&self) -> Option<&FactName> {
        self.0.first().map(|fact| fact.name())
    }
}

/// The part in which something is, or would be: the last that begins before it, else the first.
fn place<T>(parts: &[T], begins_before: impl Fn(&T) -> bool) -> usize {
    parts.partition_point(begins_before).saturating_sub(1)
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

/// Facts in a chunk, and chunks in a group: about the third root of the most a run resolves, so that on no level many
/// are touched.
const PARTS_MAX: usize = 32;

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
        assert!(facts.groups.len() > 3, "it was split on both levels");
        let is_whole = |group: &Arc<Group>| !group.0.is_empty() && group.0.iter().all(|chunk| !chunk.0.is_empty());
        assert!(facts.groups.iter().all(is_whole));
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
        let chunks = |facts: &Facts| facts.groups.iter().flat_map(|group| group.0.clone()).collect::<Vec<_>>();
        let (old, new) = (chunks(&before), chunks(&facts));
        let shared = old.iter().filter(|old| new.iter().any(|new| Arc::ptr_eq(old, new))).count();
        assert_eq!(shared, old.len() - 1);
        assert_eq!(before.len(), 1_000);
    }
}
