//! The store by itself: merging, superseding, order of eviction, pins, and snapshots of older versions.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use super::*;
use crate::{Confidence, FactKind, FactValue, NewFact, PlanId, SourceKind, Standing, Table};

fn fact(number: u64, name: &str, value: FactValue, kind: FactKind) -> Fact {
    Fact {
        id: FactId::new(number),
        body: NewFact {
            standing: Standing { kind, ..Standing::default() },
            ..NewFact::new(FactName::new(name), value, SourceKind::Person)
        },
        plan: PlanId::new(0),
        resolved_at: Timestamp::from_millis(0),
        recorded: Sequence::new(number),
        said_in: None,
        approved: None,
    }
}

fn means(number: u64, name: &str, about: &str, said: &str) -> Arc<Fact> {
    let mut fact = fact(number, name, FactValue::Text(said.to_owned()), FactKind::Constraint);
    fact.body.standing.about = Some(about.to_owned());
    Arc::new(fact)
}

fn value(number: u64, name: &str, confidence: f32) -> Arc<Fact> {
    let mut fact = fact(number, name, FactValue::Table(Table::default()), FactKind::Value);
    fact.body.confidence = Confidence::new(confidence);
    Arc::new(fact)
}

fn names(store: &FactStore, count: usize) -> Vec<String> {
    store.least(Scope::Session, count, &|_| false).iter().map(ToString::to_string).collect()
}

#[test]
fn the_same_statement_is_one_fact_under_its_first_name() {
    let mut store = FactStore::default();
    store.insert(means(1, "meaning_of_revenue", "revenue", "the gross revenue"), Sequence::new(1));
    let again = store.insert(means(2, "another_name", "Revenue", "Gross  revenue!"), Sequence::new(2));
    assert_eq!(again, Inserted::Merged(FactName::new("meaning_of_revenue")));
    assert_eq!(store.len(), 1);
    let held = store.get(&FactName::new("meaning_of_revenue")).unwrap();
    assert_eq!((held.id, held.recorded), (FactId::new(2), Sequence::new(1)));
    assert_eq!(store.superseded().count(), 0);
}

#[test]
fn another_statement_of_the_same_name_supersedes_and_is_remembered() {
    let mut store = FactStore::default();
    let first = means(1, "meaning_of_revenue", "revenue", "gross revenue");
    store.insert(Arc::clone(&first), Sequence::new(1));
    let mut found = fact(2, "revenue", FactValue::Table(Table::default()), FactKind::Value);
    found.body.derived_from = vec![FactName::new("meaning_of_revenue")];
    assert!(!store.is_outdated(&found));
    let second = store.insert(means(3, "meaning_of_revenue", "revenue", "net revenue"), Sequence::new(3));
    assert_eq!(second, Inserted::Replaced(Arc::clone(&first)));
    let past: Vec<_> = store.superseded().cloned().collect();
    assert_eq!(past, [Superseded { fact: first, superseded_by: FactId::new(3) }]);
    assert!(store.is_outdated(&found), "what rests on the first meaning must not be used again");
}

#[test]
fn what_rests_on_a_forgotten_statement_is_outdated_and_on_a_dropped_value_is_not() {
    let mut store = FactStore::default();
    store.insert(means(1, "meaning_of_eu", "EU", "Germany"), Sequence::new(1));
    store.insert(value(2, "orders", 1.0), Sequence::new(2));
    let mut found = fact(3, "sales", FactValue::Table(Table::default()), FactKind::Value);
    found.body.derived_from = vec![FactName::new("orders")];
    store.evict(&[FactName::new("orders")]);
    assert!(!store.is_outdated(&found));
    found.body.derived_from = vec![FactName::new("meaning_of_eu")];
    store.forget(&FactName::new("meaning_of_eu"));
    assert!(store.is_outdated(&found));
}

#[test]
fn the_least_sure_go_first_then_the_longest_unused_and_pinned_ones_stay() {
    let mut store = FactStore::default();
    for (number, name, confidence) in [(1, "a", 1.0), (2, "b", 0.4), (3, "c", 1.0), (4, "d", 0.9)] {
        store.insert(value(number, name, confidence), Sequence::new(number));
    }
    assert_eq!(names(&store, 4), ["b", "d", "a", "c"]);
    store.touch(&FactName::new("a"), Sequence::new(9));
    assert_eq!(names(&store, 4), ["b", "d", "c", "a"]);
    store.pin(&FactName::new("b"), true);
    assert_eq!(names(&store, 4), ["d", "c", "a"]);
    store.evict(&[FactName::new("d")]);
    // From here on the order is kept up and must say the same.
    assert_eq!(names(&store, 4), ["c", "a"]);
    store.touch(&FactName::new("c"), Sequence::new(10));
    store.insert(value(11, "e", 0.1), Sequence::new(11));
    store.pin(&FactName::new("b"), false);
    assert_eq!(names(&store, 9), ["e", "b", "a", "c"]);
    assert_eq!(store.count(Scope::Session), 4);
}

#[test]
fn a_fact_ends_with_its_time() {
    let mut store = FactStore::default();
    let mut lasting = fact(1, "parking", FactValue::Text("level 10".to_owned()), FactKind::Note);
    lasting.body.standing.valid_to = Some(Timestamp::from_millis(100));
    store.insert(Arc::new(lasting), Sequence::new(1));
    assert_eq!(store.ended(Timestamp::from_millis(99)).count(), 0);
    assert_eq!(store.ended(Timestamp::from_millis(100)).count(), 1);
}

#[test]
fn dependants_are_found_through_others() {
    let mut store = FactStore::default();
    store.insert(value(1, "a", 1.0), Sequence::new(1));
    for (number, name, input) in [(2, "b", "a"), (3, "c", "b")] {
        let mut fact = fact(number, name, FactValue::Table(Table::default()), FactKind::Value);
        fact.body.derived_from = vec![FactName::new(input)];
        store.insert(Arc::new(fact), Sequence::new(number));
    }
    assert_eq!(store.dependants(&FactName::new("a")), [FactName::new("b"), FactName::new("c")]);
    assert!(store.dependants(&FactName::new("c")).is_empty());
}

#[test]
fn a_store_comes_back_as_it_was_written() {
    let mut store = FactStore::default();
    store.insert(means(1, "meaning_of_revenue", "revenue", "gross revenue"), Sequence::new(1));
    store.insert(means(2, "meaning_of_revenue", "revenue", "net revenue"), Sequence::new(2));
    store.insert(value(3, "found", 0.5), Sequence::new(3));
    store.pin(&FactName::new("found"), true);
    let written = serde_json::to_string(&store).unwrap();
    let read: FactStore = serde_json::from_str(&written).unwrap();
    assert_eq!(read, store);
    assert_eq!(read.count(Scope::Session), 2);
    assert!(read.is_pinned(&FactName::new("found")));
}

/// As version 0.1.0 wrote it before facts had kinds, scopes and pins.
#[test]
fn a_map_of_facts_as_older_snapshots_have_it_is_read() {
    let older = r#"{"sales": {
        "id": 4, "plan": 1, "resolved_at": 1700000000000, "recorded": 12,
        "body": {
            "name": "sales", "value": {"table": {"columns": ["sales"], "rows": [[2.5]], "total_rows": 1}},
            "source": "data", "confidence": 1.0, "derived_from": [], "query": "SELECT 1", "stamps": [],
            "assumptions": []
        }
    }}"#;
    let store: FactStore = serde_json::from_str(older).unwrap();
    let fact = store.get(&FactName::new("sales")).unwrap();
    assert_eq!((fact.kind(), fact.scope(), fact.said_in), (FactKind::Value, Scope::Session, None));
    assert_eq!(store.used(fact.name()), Some(Sequence::new(12)));
}
