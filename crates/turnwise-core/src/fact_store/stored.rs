//! How a fact store is written into a snapshot. Before format 1 it was a plain map from names to facts; such snapshots
//! are read as if every fact had last been used when it was recorded. Next: `apply`.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{FactStore, Held, Superseded};
use crate::{Fact, FactName};

/// Counts up with every change of what is written.
const FORMAT: u32 = 1;

/// What is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Current {
    format: u32,
    held: Vec<Held>,
    superseded: VecDeque<Superseded>,
}

/// What is read.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Stored {
    Current(Current),
    Before(BTreeMap<FactName, Arc<Fact>>),
}

impl From<FactStore> for Current {
    fn from(store: FactStore) -> Self {
        Self { format: FORMAT, held: store.held.values().cloned().collect(), superseded: store.superseded }
    }
}

impl From<Stored> for FactStore {
    fn from(stored: Stored) -> Self {
        let mut store = Self::default();
        match stored {
            Stored::Current(current) => {
                store.superseded = current.superseded;
                current.held.into_iter().for_each(|held| store.add(held));
            }
            Stored::Before(facts) => {
                for fact in facts.into_values() {
                    let used = fact.recorded;
                    store.add(Held { fact, pinned: false, used });
                }
            }
        }
        store
    }
}
