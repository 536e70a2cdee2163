//! The fact store: what is known, for every assistant (TK-19). A name stands for one fact at a time, and a newer one
//! supersedes it; the same statement said twice is one fact. The store holds and orders; what goes because of a limit
//! is decided in `decide::evict`, so that it is said. Next: `canonical` for what counts as the same, `stored` for
//! snapshots.

mod canonical;
mod chunks;
mod stored;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Confidence, Fact, FactId, FactName, Scope, Sequence, Timestamp, limits};

pub use canonical::CanonicalId;
use chunks::Chunks;

/// Facts by name. Look-up and eviction take logarithmic time, also with a million of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "stored::Stored", into = "stored::Current")]
pub struct FactStore {
    held: Chunks,
    superseded: VecDeque<Superseded>,
    // What follows is derived from `held`.
    counts: BTreeMap<Scope, usize>,
    statements: BTreeMap<(Scope, CanonicalId), FactName>,
    ending: BTreeSet<(Timestamp, FactName)>,
    /// What would go first, by scope. Made when a scope first drops something: most conversations never do, and a
    /// conversation is copied every turn.
    order: BTreeMap<Scope, BTreeSet<Worth>>,
}

/// A fact with what is noted about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Held {
    fact: Arc<Fact>,
    /// Whether the person asked for it to stay.
    pinned: bool,
    /// The last event that made use of it.
    used: Sequence,
}

/// A statement that another one took the place of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Superseded {
    /// What was stated.
    pub fact: Arc<Fact>,
    /// What is stated instead.
    pub superseded_by: FactId,
}

/// What became of a fact that was put in.
#[derive(Clone, Debug, PartialEq)]
pub enum Inserted {
    /// Nothing of that name was held.
    New,
    /// It was held already, under this name; the newer telling counts.
    Merged(FactName),
    /// It took the place of this one.
    Replaced(Arc<Fact>),
}

/// What a fact is worth keeping: the least is the first to go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    /// Confidences are never negative, so the order of their bits is their order.
    confidence: u32,
    used: Sequence,
    name: FactName,
}

impl Worth {
    fn of(held: &Held) -> Self {
        Self {
            confidence: held.fact.body.confidence.value().to_bits(),
            used: held.used,
            name: held.fact.name().clone(),
        }
    }
}

impl FactStore {
    /// The fact of this name.
    #[must_use]
    pub fn get(&self, name: &FactName) -> Option<&Arc<Fact>> {
        self.held.get(name).map(|held| &held.fact)
    }

    /// Whether there is a fact of this name.
    #[must_use]
    pub fn contains(&self, name: &FactName) -> bool {
        self.held.get(name).is_some()
    }

    /// The facts in the order of their names.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Arc<Fact>> + Clone {
        self.held.values().map(|held| &held.fact)
    }

    /// Their names, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &FactName> + Clone {
        self.values().map(|fact| fact.name())
    }

    /// Names and facts.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&FactName, &Arc<Fact>)> + Clone {
        self.values().map(|fact| (fact.name(), fact))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.len() == 0
    }

    /// How many reach this far.
    #[must_use]
    pub fn count(&self, scope: Scope) -> usize {
        self.counts.get(&scope).copied().unwrap_or_default()
    }

    /// Whether the person asked for it to stay.
    #[must_use]
    pub fn is_pinned(&self, name: &FactName) -> bool {
        self.held.get(name).is_some_and(|held| held.pinned)
    }

    /// The last event that made use of it.
    #[must_use]
    pub fn used(&self, name: &FactName) -> Option<Sequence> {
        self.held.get(name).map(|held| held.used)
    }

    /// The statements that were replaced, oldest first.
    pub fn superseded(&self) -> impl DoubleEndedIterator<Item = &Superseded> {
        self.superseded.iter()
    }

    /// The held statement that says the same as `fact`, in the same scope.
    #[must_use]
    pub fn same_statement(&self, fact: &Fact) -> Option<&Arc<Fact>> {
        let name = self.statements.get(&(fact.scope(), CanonicalId::of(fact)?))?;
        self.get(name)
    }

    /// The facts that were derived from `name`, directly or through others.
    #[must_use]
    pub fn dependants(&self, name: &FactName) -> Vec<FactName> {
        let mut found: BTreeSet<FactName> = BTreeSet::new();
        let mut open = vec![name.clone()];
        while let Some(input) = open.pop() {
            let direct = self.values().filter(|fact| fact.body.derived_from.contains(&input));
            for fact in direct {
                if fact.name() != name && found.insert(fact.name().clone()) {
                    open.push(fact.name().clone());
                }
            }
        }
        found.into_iter().collect()
    }

    /// Whether `fact` rests on a statement that was replaced or forgotten since: it must not be used again.
    #[must_use]
    pub fn is_outdated(&self, fact: &Fact) -> bool {
        self.rests_on_the_past(fact, limits::PROVENANCE_DEPTH_MAX)
    }

    fn rests_on_the_past(&self, fact: &Fact, depth: usize) -> bool {
        fact.body.derived_from.iter().any(|name| match self.get(name) {
            Some(input) if input.is_statement() => input.recorded > fact.as_of(),
            Some(input) => depth > 0 && self.rests_on_the_past(input, depth - 1),
            // Values are dropped for room and stay true; a statement that is gone was taken back.
            None => self.superseded.iter().any(|past| past.fact.name() == name),
        })
    }

    /// Holds `fact`, last used by event `used`. The same statement is updated and not held twice; another fact of the
    /// same name is superseded.
    pub fn insert(&mut self, fact: Arc<Fact>, used: Sequence) -> Inserted {
        if let Some(known) = self.same_statement(&fact).cloned() {
            let merged = merged(&known, &fact);
            let pinned = self.remove(known.name()).is_some_and(|held| held.pinned);
            self.add(Held { fact: Arc::new(merged), pinned, used });
            return Inserted::Merged(known.name().clone());
        }
        let before = self.remove(fact.name());
        let pinned = before.as_ref().is_some_and(|held| held.pinned);
        let superseded_by = fact.id;
        self.add(Held { fact, pinned, used });
        match before {
            None => Inserted::New,
            Some(before) => {
                if before.fact.is_statement() {
                    self.remember(Superseded { fact: Arc::clone(&before.fact), superseded_by });
                }
                Inserted::Replaced(before.fact)
            }
        }
    }

    fn remember(&mut self, past: Superseded) {
        self.superseded.push_back(past);
        while self.superseded.len() > limits::FACTS_SUPERSEDED_MAX {
            self.superseded.pop_front();
        }
    }

    /// Keeps it whatever the limits say, or no longer.
    pub fn pin(&mut self, name: &FactName, pinned: bool) {
        if let Some(held) = self.remove(name) {
            self.add(Held { pinned, ..held });
        }
    }

    /// Notes that event `used` made use of it.
    pub fn touch(&mut self, name: &FactName, used: Sequence) {
        let Some(held) = self.held.held_mut(name) else { return };
        let order = self.order.get_mut(&held.fact.scope()).filter(|_| !held.pinned);
        if let Some(order) = order {
            order.remove(&Worth::of(held));
            held.used = used;
            order.insert(Worth::of(held));
        } else {
            held.used = used;
        }
    }

    /// Takes a fact back because the person asked for it. What was stated is remembered as being no longer so.
    pub fn forget(&mut self, name: &FactName) {
        if let Some(held) = self.remove(name).filter(|held| held.fact.is_statement()) {
            let superseded_by = held.fact.id;
            self.remember(Superseded { fact: held.fact, superseded_by });
        }
    }

    /// Drops facts for room. From here on the order of what goes next is kept up, so that each further one is found in
    /// logarithmic time.
    pub fn evict(&mut self, names: &[FactName]) {
        let mut scopes = BTreeSet::new();
        for name in names {
            scopes.extend(self.remove(name).map(|held| held.fact.scope()));
        }
        for scope in scopes {
            if !self.order.contains_key(&scope) {
                let order = self.loose(scope).map(Worth::of).collect();
                self.order.insert(scope, order);
            }
        }
    }

    /// The `count` facts of `scope` that are worth least: lowest confidence first, then the longest unused. Pinned ones
    /// and those that `stays` names are passed over.
    pub fn least(&self, scope: Scope, count: usize, stays: &dyn Fn(&Fact) -> bool) -> Vec<FactName> {
        let may_go = |name: &FactName| self.get(name).is_some_and(|fact| !stays(fact));
        match self.order.get(&scope) {
            Some(order) => {
                order.iter().map(|worth| &worth.name).filter(|name| may_go(name)).take(count).cloned().collect()
            }
            None => {
                let mut all: Vec<Worth> = self.loose(scope).filter(|held| !stays(&held.fact)).map(Worth::of).collect();
                all.sort_unstable();
                all.into_iter().map(|worth| worth.name).take(count).collect()
            }
        }
    }

    /// The facts whose time is over at `now`.
    pub fn ended(&self, now: Timestamp) -> impl Iterator<Item = &FactName> {
        self.ending.iter().take_while(move |(end, _)| *end <= now).map(|(_, name)| name)
    }

    fn loose(&self, scope: Scope) -> impl Iterator<Item = &Held> {
        self.held.values().filter(move |held| !held.pinned && held.fact.scope() == scope)
    }

    fn add(&mut self, held: Held) {
        let (name, scope) = (held.fact.name().clone(), held.fact.scope());
        *self.counts.entry(scope).or_default() += 1;
        if let Some(canonical) = CanonicalId::of(&held.fact) {
            self.statements.insert((scope, canonical), name.clone());
        }
        if let Some(end) = held.fact.body.standing.valid_to {
            self.ending.insert((end, name.clone()));
        }
        if let Some(order) = self.order.get_mut(&scope).filter(|_| !held.pinned) {
            order.insert(Worth::of(&held));
        }
        self.held.insert(held);
    }

    fn remove(&mut self, name: &FactName) -> Option<Held> {
        let held = self.held.remove(name)?;
        let scope = held.fact.scope();
        if let Some(count) = self.counts.get_mut(&scope) {
            *count = count.saturating_sub(1);
        }
        if let Some(canonical) = CanonicalId::of(&held.fact) {
            self.statements.remove(&(scope, canonical));
        }
        if let Some(end) = held.fact.body.standing.valid_to {
            self.ending.remove(&(end, name.clone()));
        }
        if let Some(order) = self.order.get_mut(&scope) {
            order.remove(&Worth::of(&held));
        }
        Some(held)
    }
}

/// The merge rule: the newer telling counts, under the name it is known by, and said twice it is not less sure.
fn merged(known: &Fact, told: &Fact) -> Fact {
    let mut merged = told.clone();
    merged.body.name = known.name().clone();
    merged.body.confidence = surer(known.body.confidence, told.body.confidence);
    // What was concluded from it stays good: it says what it said before.
    merged.recorded = known.recorded;
    merged
}

fn surer(one: Confidence, other: Confidence) -> Confidence {
    if one >= other { one } else { other }
}

/// The order of eviction is an aid and no part of what is known.
impl PartialEq for FactStore {
    fn eq(&self, other: &Self) -> bool {
        self.held == other.held && self.superseded == other.superseded
    }
}

/// How many facts of a scope are kept.
#[must_use]
pub fn facts_max(scope: Scope) -> usize {
    match scope {
        Scope::Step => limits::FACTS_STEP_MAX,
        Scope::Session => limits::FACTS_SESSION_MAX,
        Scope::Thread => limits::FACTS_THREAD_MAX,
        Scope::Epic => limits::FACTS_EPIC_MAX,
        Scope::Channel => limits::FACTS_CHANNEL_MAX,
        Scope::Project => limits::FACTS_PROJECT_MAX,
        Scope::Person => limits::FACTS_PERSON_MAX,
    }
}

#[cfg(test)]
mod tests;
