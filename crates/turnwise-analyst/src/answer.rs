//! Answers without work: from facts of the conversation, or from the catalogue. What only data can answer is handed
//! back for a plan, and what is not known is said to be unknown. Next: `overview`.

use std::collections::BTreeSet;

use turnwise_core::{
    Answer, AnswerOutcome, Cell, Fact, FactName, FactValue, Presentation, QueryKind, Question, limits,
};

use super::catalogue::{Catalogue, ColumnEntry, TableEntry};
use super::describe;
use super::draft;
use super::drawing;
use super::overview;
use super::read::{self, Spotted};
use super::source::Workbench;
use super::words;

/// Facts told in a summary.
const SUMMARY_FACTS_MAX: usize = 8;
/// Rows told in a sentence.
const ROWS_SAID_MAX: usize = 3;

/// Answers `question`.
pub fn answer(bench: &Workbench, catalogue: &Catalogue, question: &Question) -> AnswerOutcome {
    match question.kind {
        QueryKind::Provenance => provenance(question),
        QueryKind::Summary => summary(question),
        QueryKind::Chart => drawing::draw(question),
        QueryKind::Plan { aspect, step } => super::about_plan::answer(catalogue, question, aspect, step),
        QueryKind::Detail | QueryKind::Lookup | QueryKind::Plain | QueryKind::Definition | QueryKind::Remark => {
            looked_up(bench, catalogue, question)
        }
    }
}

fn known(text: String, table: Option<FactName>, presentation: Presentation) -> AnswerOutcome {
    AnswerOutcome::Known { answer: Answer { text, table, presentation } }
}

/// The result last found.
pub fn result(question: &Question) -> Option<&Fact> {
    let named = question.plan.as_ref().map(|plan| plan.draft().result.clone());
    let wanted = named.and_then(|name| question.facts.iter().rev().find(|fact| *fact.name() == name));
    wanted.or(question.facts.last()).map(AsRef::as_ref)
}

/// The chain of a result down to queries and sources.
fn provenance(question: &Question) -> AnswerOutcome {
    let target = question.target.as_deref().or(Some(&question.text));
    let named = target.and_then(|text| question.facts.iter().rev().find(|fact| text.contains(fact.name().as_str())));
    let Some(fact) = named.map(AsRef::as_ref).or_else(|| result(question)) else {
        let explanation =
            "Nothing has been found out in this conversation yet, so there is nothing to trace.".to_owned();
        return AnswerOutcome::Unknown { explanation };
    };
    let mut lines = Vec::new();
    trace(&mut lines, &mut BTreeSet::new(), question, fact, 0);
    known(lines.join("\n"), None, Presentation::Value)
}

fn trace(lines: &mut Vec<String>, seen: &mut BTreeSet<FactName>, question: &Question, fact: &Fact, depth: usize) {
    let indent = "  ".repeat(depth);
    lines.push(format!("{indent}{} = {} ({})", fact.name(), fact.in_short(60), fact.body.source));
    if !seen.insert(fact.name().clone()) || depth >= limits::PROVENANCE_DEPTH_MAX {
        return;
    }
    for line in fact.body.query.iter().flat_map(|query| query.lines()) {
        lines.push(format!("{indent}  | {line}"));
    }
    let stamps = if fact.body.derived_from.is_empty() { fact.body.stamps.as_slice() } else { &[] };
    for stamp in stamps {
        lines.push(format!("{indent}  from {} ({})", stamp.name, stamp.fingerprint));
    }
    for assumption in &fact.body.assumptions {
        lines.push(format!("{indent}  taken for granted: {assumption}"));
    }
    for input in &fact.body.derived_from {
        match question.facts.iter().rev().find(|other| other.name() == input) {
            Some(input) => trace(lines, seen, question, input, depth + 1),
            None => lines.push(format!("{indent}  {input} (no longer kept)")),
        }
    }
}

fn summary(question: &Question) -> AnswerOutcome {
    if question.facts.is_empty() {
        let explanation =
            "Nothing has been found out in this conversation yet: ask a question about the data first.".to_owned();
        return AnswerOutcome::Unknown { explanation };
    }
    let used: BTreeSet<&FactName> = question.facts.iter().flat_map(|fact| &fact.body.derived_from).collect();
    let findings = question.facts.iter().rev().filter(|fact| !used.contains(fact.name())).take(SUMMARY_FACTS_MAX);
    let lines: Vec<String> = findings.map(|fact| format!("{}: {}", readable(fact.name()), told(fact))).collect();
    known(lines.join("\n"), None, Presentation::Value)
}

fn readable(name: &FactName) -> String {
    name.as_str().replace('_', " ")
}

fn told(fact: &Fact) -> String {
    match &fact.body.value {
        FactValue::Table(table) if table.rows.len() > 1 || table.columns.len() > 1 => {
            let rows: Vec<String> = table.rows.iter().take(ROWS_SAID_MAX).map(|row| row_text(row)).collect();
            let more = table.total_rows.saturating_sub(rows.len() as u64);
            let more = if more > 0 { format!("; {more} more rows") } else { String::new() };
            format!("{}{more}", rows.join("; "))
        }
        FactValue::Table(_) | FactValue::Text(_) => fact.in_short(120),
    }
}

fn row_text(row: &[Cell]) -> String {
    row.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
}

fn looked_up(bench: &Workbench, catalogue: &Catalogue, question: &Question) -> AnswerOutcome {
    if let Some(text) = describe::described(bench, catalogue, &question.text) {
        return known(text, None, Presentation::Value);
    }
    if let Some(answer) = about_data(catalogue, &question.text) {
        return answer;
    }
    if let Some(answer) = from_rows(question) {
        return answer;
    }
    if asks_for_findings(&question.text) {
        return found(question);
    }
    let read = read::read(catalogue, &question.text);
    if !draft::is_empty(&read.form) || !read.form.filters.is_empty() {
        return AnswerOutcome::NeedsPlan;
    }
    if question.kind == QueryKind::Detail && !question.facts.is_empty() {
        return found(question);
    }
    let explanation = match draft::not_understood(&read) {
        Some(explanation) => explanation,
        None => "Neither the facts of this conversation nor the data say anything about that.".to_owned(),
    };
    AnswerOutcome::Unknown { explanation }
}

/// The result last found, once more.
fn found(question: &Question) -> AnswerOutcome {
    match result(question).filter(|fact| !fact.is_statement()) {
        Some(fact) => {
            let text = format!("{}: {}", readable(fact.name()), told(fact));
            known(text, Some(fact.name().clone()), Presentation::Table)
        }
        None => summary(question),
    }
}

/// "What did you find?", "so what was the result": what was found, and nothing of the data by name.
fn asks_for_findings(text: &str) -> bool {
    const FOUND: [&str; 8] = ["find", "found", "result", "results", "answer", "outcome", "conclusion", "findings"];
    const AROUND: [&str; 22] = [
        "what", "whats", "so", "did", "do", "have", "you", "we", "out", "was", "were", "is", "are", "the", "your",
        "then", "again", "just", "now", "and", "tell", "me",
    ];
    let words = turnwise_core::text::words(text);
    let known = |word: &String| FOUND.contains(&word.as_str()) || AROUND.contains(&word.as_str());
    words.iter().all(known) && words.iter().any(|word| FOUND.contains(&word.as_str()))
}

/// A row of a result whose name is said in the question.
fn from_rows(question: &Question) -> Option<AnswerOutcome> {
    let text = format!(" {} ", stems(&question.text));
    for fact in question.facts.iter().rev() {
        let FactValue::Table(table) = &fact.body.value else { continue };
        if table.columns.len() < 2 {
            continue;
        }
        let row = table.rows.iter().find(|row| match row.first() {
            Some(Cell::Text(name)) => !stems(name).is_empty() && text.contains(&format!(" {} ", stems(name))),
            _ => false,
        });
        // The question must also be about the number, not only about the name.
        let about = table
            .columns
            .last()
            .is_some_and(|column| column.split(' ').any(|word| text.contains(&format!(" {} ", stems(word)))));
        if let (Some(row), true) = (row, about) {
            let said = format!("{} (from {})", row_text(row), readable(fact.name()));
            return Some(known(said, None, Presentation::Value));
        }
    }
    None
}

fn stems(text: &str) -> String {
    words::split(text).into_iter().map(|word| word.stem).collect::<Vec<_>>().join(" ")
}

/// What the makers of a table say about a thing, behind it.
fn in_brackets(comment: Option<&String>) -> String {
    comment.map_or_else(String::new, |comment| format!(" ({comment})"))
}

/// Which columns a table has, at most `most` of them.
fn columns_of(table: &TableEntry, most: usize) -> String {
    let comments = &table.comments;
    let column = |column: &ColumnEntry| format!("{}{}", column.name, in_brackets(comments.columns.get(&column.name)));
    let mut columns: Vec<String> = table.columns.iter().take(most).map(column).collect();
    if let Some(more) = table.columns.len().checked_sub(most).filter(|more| *more > 0) {
        columns.push(format!("{more} more"));
    }
    format!("{}{} has {}.", table.name, in_brackets(comments.table.as_ref()), columns.join(", "))
}

/// The same of all tables, as far as that can be read.
fn columns_of_all(catalogue: &Catalogue) -> AnswerOutcome {
    let count = catalogue.tables().count();
    let most = if count == 1 { usize::MAX } else { COLUMNS_TOLD_MAX };
    let mut told: Vec<String> =
        catalogue.tables().take(TABLES_TOLD_MAX).map(|(_, table)| columns_of(table, most)).collect();
    if count > TABLES_TOLD_MAX {
        told.push(format!("There are {} more tables; name one for its columns.", count - TABLES_TOLD_MAX));
    }
    known(told.join("\n"), None, Presentation::Value)
}

/// "what tables are there", "which columns does invoice have", "what can I ask".
fn about_data(catalogue: &Catalogue, text: &str) -> Option<AnswerOutcome> {
    let stems: Vec<String> = words::split(text).into_iter().map(|word| word.stem).collect();
    let says = |word: &str| stems.iter().any(|stem| stem == word);
    let own_table = |word: &str| catalogue.tables().any(|(_, table)| table.stems.iter().any(|stem| stem == word));
    if says("column") && !own_table("column") {
        let spans = read::spot(catalogue, text).spans;
        let table = spans.iter().filter(|span| Spotted::is_name(span)).find_map(|span| {
            span.names.iter().find_map(|candidate| match candidate.thing {
                super::form::Thing::Table(table) => Some(table),
                super::form::Thing::Column(_) | super::form::Thing::Concept(_) => None,
            })
        });
        return match table {
            Some(table) => Some(known(columns_of(catalogue.table(table), usize::MAX), None, Presentation::Value)),
            // Where a column is named, it is asked for what is in it.
            None if spans.iter().any(Spotted::is_name) => None,
            None => Some(columns_of_all(catalogue)),
        };
    }
    let asks =
        (says("table") && !own_table("table")) || (says("data") && (says("have") || says("what")) && stems.len() < 8);
    if !asks {
        return None;
    }
    let lines = catalogue.tables().map(|(_, table)| format!("{} ({} rows)", table.name, table.rows));
    let examples = overview::examples(catalogue).join("”, “");
    let list: Vec<String> = lines.collect();
    Some(known(
        format!("The data holds {}. You can ask for example “{examples}”.", list.join(", ")),
        None,
        Presentation::Value,
    ))
}

/// Tables whose columns are told at once.
const TABLES_TOLD_MAX: usize = 12;
/// Columns of each of several tables.
const COLUMNS_TOLD_MAX: usize = 16;
