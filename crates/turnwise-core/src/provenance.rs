//! The chain of a fact down to its queries and sources (CF-31). It is drawn from the facts alone, so that what is
//! shown is what was recorded and nothing is worded anew. Next: `card`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Fact, FactName, FactStore, Sequence, SourceStamp, limits};

/// A fact in a chain, with what it was derived from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvenanceNode {
    /// The fact's name.
    pub name: FactName,
    /// Its value in short, and where it came from; absent when the fact is no longer held.
    pub summary: Option<String>,
    /// The exact query or calculation.
    pub query: Option<String>,
    /// What was read.
    pub stamps: Vec<SourceStamp>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What it was derived from.
    pub inputs: Vec<ProvenanceNode>,
}

/// The chain of `name` among `facts`: each fact with the statements that held when it was found, whatever took their
/// place since.
#[must_use]
pub fn chain(name: &FactName, facts: &FactStore) -> ProvenanceNode {
    descend(name, facts.get(name), facts, limits::PROVENANCE_DEPTH_MAX)
}

/// The fact `name` as one that was found in a run approved at `then` used it.
fn used<'a>(name: &FactName, facts: &'a FactStore, then: Sequence) -> Option<&'a Arc<Fact>> {
    let held = facts.get(name);
    if held.is_some_and(|held| !held.is_statement() || held.recorded <= then) {
        return held;
    }
    let mut former = facts.superseded().rev().map(|past| &past.fact);
    former.find(|past| past.name() == name && past.recorded <= then)
}

fn descend(name: &FactName, found: Option<&Arc<Fact>>, facts: &FactStore, depth: usize) -> ProvenanceNode {
    let Some(fact) = found else {
        return ProvenanceNode {
            name: name.clone(),
            summary: None,
            query: None,
            stamps: Vec::new(),
            assumptions: Vec::new(),
            inputs: Vec::new(),
        };
    };
    let inputs = if depth == 0 {
        Vec::new()
    } else {
        {
            let then = fact.approved.unwrap_or(fact.recorded);
            let inputs = fact.body.derived_from.iter();
            inputs.map(|input| descend(input, used(input, facts, then), facts, depth - 1)).collect()
        }
    };
    ProvenanceNode {
        name: name.clone(),
        summary: Some(summary(fact)),
        query: fact.body.query.clone(),
        stamps: fact.body.stamps.clone(),
        assumptions: fact.body.assumptions.clone(),
        inputs,
    }
}

/// The value in short, and where, when and by how many rows it was had.
fn summary(fact: &Fact) -> String {
    let mut origin = fact.body.source.to_string();
    if let Some(message) = fact.said_in {
        origin.push_str(&format!(" in message {}", message.number()));
    }
    // A table says its rows as its value in short.
    let is_single = matches!(&fact.body.value, crate::FactValue::Table(table) if table.scalar().is_some());
    if is_single {
        origin.push_str(", 1 row");
    }
    format!("{} ({origin}, {})", fact.in_short(60), fact.resolved_at.utc())
}
