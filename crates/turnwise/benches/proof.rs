//! What checking a proof costs: `cargo bench -p turnwise --bench proof`. Per fact, beside one hash of the same
//! bytes in the same run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::hint::black_box;
use std::time::Instant;

use turnwise::proof::check::read;
use turnwise::proof::document::{Head, InputLink, Proof, ProvenFact, Version};
use turnwise::proof::{Form, write};
use turnwise_assistant::digest;
use turnwise_core::{
    AssistantName, Cell, Confidence, ConversationId, FactKind, FactName, FactValue, Mode, Scope, SourceKind, Table,
};

/// Facts of the proof.
const PROVEN: usize = 2_000;

fn name(number: usize) -> FactName {
    FactName::new(format!("revenue_of_customer_{number:07}"))
}

/// Nanoseconds a fact, in the best of several rounds.
fn timed(mut work: impl FnMut()) -> f64 {
    let round = |_| {
        let began = Instant::now();
        work();
        began.elapsed().as_nanos() as f64 / PROVEN as f64
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}

fn proven(number: usize) -> ProvenFact {
    let rows = (0..20).map(|row| vec![Cell::Text(format!("customer {row}")), Cell::Real(row as f64 * 1.5)]).collect();
    let table = Table::whole(vec!["customer".to_owned(), "revenue".to_owned()], rows);
    let input = number.checked_sub(1).map(|before| InputLink { name: name(before), hash: None });
    ProvenFact {
        name: name(number),
        kind: FactKind::Value,
        scope: Scope::Session,
        source: SourceKind::Data,
        confidence: Confidence::CERTAIN,
        resolved_at: "2026-11-22 08:31:02 UTC".to_owned(),
        about: None,
        said_in_message: None,
        answer: None,
        row_count: Some(20),
        digest: Some(digest::of(&table)),
        value: FactValue::Table(table),
        query: Some("SELECT customer, SUM(revenue) FROM orders GROUP BY 1".to_owned()),
        work: None,
        inputs: input.into_iter().collect(),
        sources: Vec::new(),
        assumptions: Vec::new(),
        approval: None,
    }
}

fn main() {
    let version = || Version { name: "turnwise".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    let head = Head {
        program: version(),
        engine: version(),
        conversation: ConversationId::new("bench"),
        assistant: AssistantName::new("analyst"),
        mode: Mode::Proof,
        exported_at: "2026-11-22 08:31:02 UTC".to_owned(),
        conclusions: vec![name(PROVEN - 1)],
    };
    let proof = Proof::link(head, (0..PROVEN).map(proven).collect());
    for (form, called) in [(Form::Json, "JSON"), (Form::Markdown, "Markdown"), (Form::Html, "HTML")] {
        let content = write(&proof, form).into_bytes();
        let baseline = timed(|| {
            black_box(digest::of_bytes(&content));
        });
        let checked = timed(|| {
            read(&content).unwrap();
        });
        let size = content.len() / PROVEN;
        println!(
            "verification per fact, {called:9} {:8.1} µs  {:.1} × one hash of its {size} bytes",
            checked / 1e3,
            checked / baseline
        );
    }
}
