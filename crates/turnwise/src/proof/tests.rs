//! Proofs by themselves: what is written is read back, and one changed byte anywhere is found.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;

use turnwise_core::{
    AssistantName, Cell, Confidence, ConversationId, FactKind, FactName, FactValue, Mode, PersonId, Scope, SourceKind,
    SourceStamp, Table, ToolName,
};

use super::check::{Edited, check_chain, read};
use super::document::{Approval, Head, InputLink, Proof, ProvenFact, Version, Work};
use super::rerun::{Rerun, Verdict, Wanted, rerun};
use super::{Form, seal, write};

const FORMS: [Form; 3] = [Form::Json, Form::Markdown, Form::Html];
/// What would break out of a page if it were not escaped.
const NASTY: &str = "</script><script>alert(1)</script> | `code` <!-- x --> \u{1b}[2J & \"q\" ```";

fn fact(name: &str, value: FactValue, inputs: &[&str]) -> ProvenFact {
    ProvenFact {
        name: FactName::new(name),
        kind: FactKind::Value,
        scope: Scope::Session,
        source: if inputs.is_empty() { SourceKind::Data } else { SourceKind::Derived },
        confidence: Confidence::new(0.9),
        resolved_at: "2026-11-22 08:31:02 UTC".to_owned(),
        about: None,
        said_in_message: None,
        answer: Some(NASTY.to_owned()),
        row_count: match &value {
            FactValue::Table(table) => Some(table.total_rows),
            FactValue::Text(_) => None,
        },
        digest: match &value {
            FactValue::Table(table) => Some(turnwise_assistant::digest::of(table)),
            FactValue::Text(_) => None,
        },
        value,
        query: Some(shown_query()),
        work: Some(Work {
            tool: ToolName::new("query"),
            arguments: BTreeMap::from([("sql".to_owned(), "SELECT 1".to_owned())]),
            needs: inputs.iter().map(|input| FactName::new(*input)).collect(),
        }),
        inputs: inputs.iter().map(|input| InputLink { name: FactName::new(*input), hash: None }).collect(),
        sources: vec![SourceStamp { name: "orders.csv".to_owned(), fingerprint: "sha256:00".to_owned() }],
        assumptions: vec![NASTY.to_owned()],
        approval: Some(Approval {
            person: PersonId::new("ada"),
            plan: NASTY.to_owned(),
            plan_version: 1,
            assumptions: vec!["revenue = orders.total".to_owned()],
            message: Some(2),
        }),
    }
}

fn shown_query() -> String {
    format!("SELECT '{NASTY}'\nFROM orders")
}

fn rows(numbers: &[f64]) -> Table {
    let named = |(at, number): (usize, &f64)| vec![Cell::Text(format!("{NASTY} {at}")), Cell::Real(*number)];
    let rows = numbers.iter().enumerate().map(named).collect();
    Table::whole(vec!["name".to_owned(), "amount".to_owned()], rows)
}

fn proof() -> Proof {
    let version = |name: &str| Version { name: name.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    let head = Head {
        program: version("turnwise"),
        engine: version("sqlite"),
        conversation: ConversationId::new("c-1"),
        assistant: AssistantName::new("analyst"),
        mode: Mode::Proof,
        exported_at: "2026-11-22 09:00:00 UTC".to_owned(),
        conclusions: vec![FactName::new("top")],
    };
    let all = fact("by_name", FactValue::Table(rows(&[2.5, 1e300, 0.1])), &[]);
    let top = fact("top", FactValue::Table(rows(&[1e300])), &["by_name"]);
    Proof::link(head, vec![all, top])
}

#[test]
fn a_proof_is_read_back_from_each_form() {
    for form in FORMS {
        let written = write(&proof(), form);
        assert_eq!(read(written.as_bytes()), Ok((proof(), form)));
    }
}

/// Every byte of all three forms, each with its lowest bit turned over and some with all bits.
#[test]
fn proof_export_edit_detected() {
    for form in FORMS {
        let mut content = write(&proof(), form).into_bytes();
        for at in 0..content.len() {
            for flip in if at % 16 == 0 { vec![1, 0xff] } else { vec![1] } {
                content[at] ^= flip;
                assert!(read(&content).is_err(), "{form:?}: a changed byte {at} goes unseen");
                content[at] ^= flip;
            }
        }
        assert!(read(&content).is_ok());
    }
}

#[test]
fn bytes_added_or_cut_off_anywhere_are_found() {
    for form in FORMS {
        let content = write(&proof(), form).into_bytes();
        for at in (0..=content.len()).step_by(37).chain([content.len()]) {
            let mut longer = content.clone();
            longer.insert(at, b' ');
            assert!(read(&longer).is_err(), "{form:?}: a byte added at {at} goes unseen");
            if at < content.len() {
                assert!(read(&content[..at]).is_err(), "{form:?}: cut off at {at} goes unseen");
            }
        }
    }
}

/// Whoever edits and seals again has to forge the whole chain too.
#[test]
fn an_edit_that_was_sealed_again_breaks_the_chain() {
    let mut edited = proof();
    edited.chain[0].fact.value = FactValue::Table(rows(&[2.5, 1e300, 0.2]));
    let sealed = write(&edited, Form::Json);
    assert!(matches!(read(sealed.as_bytes()), Err(Edited::Chain(why)) if why.contains("by_name")));
    let mut swapped = proof();
    swapped.chain[1].fact.inputs[0].hash = Some("sha256:0".to_owned());
    assert!(check_chain(&swapped).is_err());
    let mut shorter = proof();
    shorter.chain.remove(0);
    assert!(check_chain(&shorter).is_err());
}

#[test]
fn a_page_that_shows_something_else_than_its_proof_is_found_even_when_sealed_again() {
    for form in [Form::Html, Form::Markdown] {
        let written = write(&proof(), form);
        let content = seal::open(&written).unwrap().replacen("2.50", "3.50", 1);
        assert_ne!(content, seal::open(&written).unwrap());
        assert_eq!(read(seal::comment(content).as_bytes()), Err(Edited::Page), "{form:?}");
    }
}

#[test]
fn nothing_of_the_data_can_become_markup() {
    let page = write(&proof(), Form::Html);
    assert_eq!(page.matches("<script").count(), 1, "the proof inside and no other script");
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains('\u{1b}'));
    assert!(page.contains("default-src 'none'"));
    let markdown = write(&proof(), Form::Markdown);
    // Queries stand in fences that are longer than any run of backticks in them.
    let outside: Vec<&str> = markdown.split("\n````\n").step_by(2).collect();
    assert!(outside.len() > 1);
    assert!(!outside.concat().contains("<script"), "{markdown}");
}

#[test]
fn another_format_is_named() {
    let mut other = proof();
    other.format = "turnwise-proof/9".to_owned();
    assert_eq!(read(write(&other, Form::Json).as_bytes()), Err(Edited::Format("turnwise-proof/9".to_owned())));
}

/// Gives the same rows for every query, over sources that are what it is told.
struct Data {
    rows: Table,
    fingerprint: Option<&'static str>,
}

impl Rerun for Data {
    fn stamp(&self, source: &str) -> Option<SourceStamp> {
        Some(SourceStamp { name: source.to_owned(), fingerprint: self.fingerprint?.to_owned() })
    }

    fn rerun(&self, _: &Work, inputs: &[&Table], _: Wanted) -> Result<(Table, String), String> {
        let mut rows = inputs.first().map_or_else(|| self.rows.clone(), |input| (*input).clone());
        if !inputs.is_empty() {
            rows.rows.truncate(1);
            rows.total_rows = 1;
        }
        Ok((rows.clone(), turnwise_assistant::digest::of(&rows)))
    }

    fn told(&self, _: &Work) -> String {
        shown_query()
    }
}

fn verdicts(numbers: &[f64], fingerprint: Option<&'static str>) -> Vec<Verdict> {
    let before = fact("all", FactValue::Table(rows(&[1.0, 2.0])), &[]);
    let first = fact("first", FactValue::Table(rows(&[1.0])), &["all"]);
    let head = Head { conclusions: vec![FactName::new("first")], ..proof().head };
    let proof = Proof::link(head, vec![before, first]);
    rerun(&proof, &Data { rows: rows(numbers), fingerprint }).into_iter().map(|(_, verdict)| verdict).collect()
}

#[test]
fn what_is_found_again_is_the_same() {
    assert_eq!(verdicts(&[1.0, 2.0], Some("sha256:00")), [Verdict::Same(vec![]), Verdict::Same(vec![])]);
    let changed = vec!["orders.csv".to_owned()];
    assert_eq!(verdicts(&[1.0, 2.0], Some("sha256:11")), [Verdict::Same(changed.clone()), Verdict::Same(changed)]);
}

#[test]
fn a_last_digit_of_another_engine_is_no_change_and_a_cent_is() {
    assert!(verdicts(&[1.0, 2.000_000_000_000_000_4], Some("sha256:00")).iter().all(Verdict::is_good));
    let now = verdicts(&[1.0, 2.01], Some("sha256:00"));
    let [Verdict::Changed(lines, _), Verdict::Same(_)] = now.as_slice() else { unreachable!("{now:?}") };
    assert_eq!(lines.len(), 1);
    assert!(lines[0].ends_with("amount: 2 → 2.01"), "{lines:?}");
}

/// Whoever edits a text can seal the file again; rows that are found do not vouch for it.
#[test]
fn a_query_or_a_count_shown_that_is_not_what_was_found_is_told() {
    let told = |edit: fn(&mut ProvenFact)| {
        let mut all = fact("all", FactValue::Table(rows(&[1.0, 2.0])), &[]);
        edit(&mut all);
        let data = Data { rows: rows(&[1.0, 2.0]), fingerprint: Some("sha256:00") };
        match rerun(&Proof::link(proof().head, vec![all]), &data).remove(0).1 {
            Verdict::Changed(lines, _) => lines.join("\n"),
            other => unreachable!("{other:?}"),
        }
    };
    let query = told(|fact| fact.query = Some("SELECT SUM(profit) FROM orders".to_owned()));
    assert!(query.contains("shown is SELECT SUM(profit) FROM orders\nto be run is SELECT '"), "{query}");
    assert!(told(|fact| fact.row_count = Some(4000)).contains("shows 4000 rows, and holds a result of 2"));
    let rows_kept = told(|fact| {
        if let FactValue::Table(table) = &mut fact.value {
            table.rows[0][1] = Cell::Real(9.0);
        }
    });
    assert!(rows_kept.ends_with("amount: 9 → 1"), "the digest of other rows does not vouch for these: {rows_kept}");
}

#[test]
fn a_row_more_changes_the_count_and_is_named() {
    let now = verdicts(&[1.0, 2.0, 3.0], Some("sha256:00"));
    let Some(Verdict::Changed(lines, _)) = now.first() else { unreachable!("{now:?}") };
    assert_eq!(lines[0], "rows: 2 → 3");
    assert!(lines[1].contains("new (3)"), "{lines:?}");
}

#[test]
fn without_its_source_nothing_is_said_to_be_the_same() {
    let missing = Verdict::SourceMissing(vec!["orders.csv".to_owned()]);
    assert_eq!(verdicts(&[1.0, 2.0], None), [missing.clone(), missing]);
}
