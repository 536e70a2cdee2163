//! Verbs of a role: who *manages* a department is its `manager_id`, and not somebody who is in it. Taken for words that
//! only link, such verbs would give everybody in the department, or everybody there is. Next: `acted`, for what rows of
//! their own stand for.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, Filter, Found, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::super::words;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;
use super::valued::kept;

/// Endings of a role that is called by its verb: "manager", "supervisor".
const AGENTS: [&str; 2] = ["er", "or"];
/// Forms that share too little with the role.
const IRREGULAR: [(&str, &str); 4] = [("led", "lead"), ("taught", "teach"), ("ran", "runn"), ("wrote", "writ")];
/// Letters a verb has at least.
const VERB_MIN: usize = 3;
/// Phrases between a verb and the rows it is said of.
const BETWEEN_MAX: usize = 4;

/// A verb with the rows it is said of.
struct Said {
    from: usize,
    end: usize,
    column: ColumnId,
    /// The rows that are called by the role.
    people: TableId,
    negated: bool,
    value: Option<(String, Vec<Found>)>,
}

/// Puts a test in the place of "manages the Shipping department".
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    suffered(catalogue, spans);
    let Some(said) = (0..spans.len()).find_map(|at| found(catalogue, spans, at)) else { return };
    let text = spans[said.from..said.end].iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    let pause = spans[said.end - 1].pause;
    let note = format!("“{text}” is told by {}.", catalogue.column_label(said.column));
    let test = test_of(catalogue, &said);
    let span = Spotted { text, tests: vec![test], note: Some(note), pause, ..Spotted::default() };
    spans.splice(said.from..said.end, [span]);
    let named = spans.iter().take(said.from).any(|span| table_of(span) == Some(said.people));
    if let (false, Some(first)) = (named, spans.first_mut()) {
        let names = vec![Candidate { thing: Thing::Table(said.people), score: 100 }];
        *first = Spotted { text: catalogue.plural(said.people), names, ..Spotted::default() };
    }
}

/// "Orders shipped by Federal Shipping": by whom is said, and not that there is a date of it.
pub fn rewrite_done_by(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let said = |at: &usize| {
        let by = spans.get(at + 1).is_some_and(|next| next.text.eq_ignore_ascii_case("by"));
        let whom = spans.iter().skip(at + 2).find(|span| !is_filler(span));
        *at > 0 && by && whom.is_some_and(is_value) && super::deed::is_past(catalogue, &spans[*at])
    };
    let Some(at) = (0..spans.len()).find(said) else { return };
    let text = format!("{} {}", spans[at].text, spans[at + 1].text);
    spans.splice(at..at + 2, [super::said::signal(Role::Link, &text)]);
}

/// "Departments managed by Ada": of the departments it is their manager, although others are managed as well.
fn suffered(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let found = (1..spans.len()).find_map(|at| {
        let text = spans[at].text.to_lowercase();
        let (verb, by) = text.split_once(' ').unwrap_or((&text, ""));
        let next = if by == "by" { at + 1 } else { at + 2 };
        let said = by == "by" || (by.is_empty() && spans.get(at + 1)?.text.eq_ignore_ascii_case("by"));
        let rows = spans[..at].iter().rev().find(|span| !is_filler(span)).and_then(table_of)?;
        let name = Candidate { thing: Thing::Column(role_of(catalogue, rows, verb).filter(|_| said)?), score: 100 };
        let value = spans.get(next).filter(|value| is_value(value))?;
        let values = kept(catalogue, &Spotted { names: vec![name], ..Spotted::default() }, value);
        (!values.is_empty()).then_some((at, next, values))
    });
    if let Some((from, at, values)) = found {
        spans[at] = Spotted { values, ..spans[at].clone() };
        spans.drain(from..at);
    }
}

fn test_of(catalogue: &Catalogue, said: &Said) -> Filter {
    let column = Candidate { thing: Thing::Column(said.column), score: 100 };
    let rows = Candidate { thing: Thing::Table(said.column.table), score: 100 };
    let of = Some(Mention { words: catalogue.plural(said.column.table), candidates: vec![rows, column] });
    let value = said.value.clone();
    let filters: Vec<Filter> =
        value.into_iter().map(|(words, found)| Filter::Value { words, found, negated: false }).collect();
    match (said.negated, filters.is_empty()) {
        (false, _) => Filter::Some { of, filters, periods: Vec::new() },
        (true, false) => Filter::Never { of, filters, periods: Vec::new() },
        (true, true) => {
            let words = catalogue.column(said.column).noun();
            Filter::Lacks { of: Mention { words, candidates: vec![column] } }
        }
    }
}

/// The verb at `at`, with what it is said of.
fn found(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Said> {
    let verb = spans.get(at).filter(|span| !span.quoted && !span.text.contains(' ') && !span.pause)?;
    let before: Vec<&Spotted> = spans.iter().take(at).collect();
    let who =
        before.first().is_some_and(|first| first.role() == Some(Role::Who) || first.text.eq_ignore_ascii_case("who"));
    let of_whom = |people: TableId| {
        let named = before.iter().any(|span| table_of(span) == Some(people));
        // "Who manages …?" names nobody yet.
        named || (who && before.iter().all(|span| table_of(span).is_none() && span.values.is_empty()))
    };
    let (mut negated, mut value, mut rows) = (false, None, None);
    let mut next = at + 1;
    while let Some(span) = spans.get(next).filter(|_| next <= at + BETWEEN_MAX && rows.is_none()) {
        match span.role() {
            _ if is_value(span) && value.is_none() => value = Some(span),
            Some(Role::Without) => negated = true,
            _ if table_of(span).is_some() => rows = table_of(span),
            _ if is_filler(span) => {}
            _ => return None,
        }
        next += 1;
    }
    let rows = rows?;
    if let (None, Some(behind)) = (value, spans.get(next).filter(|span| is_value(span))) {
        (value, next) = (Some(behind), next + 1);
    }
    let ends = spans.get(next).is_none_or(|next| {
        matches!(next.role(), Some(Role::And | Role::Or | Role::Group | Role::Each | Role::Sorted | Role::Who))
    });
    let column = role_of(catalogue, rows, &verb.text.to_lowercase())?;
    let people = catalogue.role_join(column).map(|join| catalogue.join(join).to)?;
    let ends = ends || spans[next - 1].pause;
    let value = match value {
        Some(span) => Some((span.text.clone(), own(span, rows)?)),
        None => None,
    };
    let denied = before.iter().rposition(|span| !is_filler(span));
    let denied = denied.filter(|at| spans[*at].role() == Some(Role::Not));
    let negated = negated || denied.is_some();
    (ends && of_whom(people)).then(|| Said { from: denied.unwrap_or(at), end: next, column, people, negated, value })
}

fn is_value(span: &Spotted) -> bool {
    // "IT", in capitals, is the department.
    let capitals = span.text.len() > 1 && !span.text.chars().any(char::is_lowercase);
    !span.values.is_empty() && (span.signal.is_none() || capitals) && !span.is_name()
}

/// The values that rows of the table have themselves.
fn own(span: &Spotted, rows: TableId) -> Option<Vec<Found>> {
    let own: Vec<Found> =
        span.values.iter().filter(|found| found.table() == Some(rows) && found.via.is_none()).cloned().collect();
    (!own.is_empty()).then_some(own)
}

/// The column of `rows` that says who does to them what the verb says.
fn role_of(catalogue: &Catalogue, rows: TableId, verb: &str) -> Option<ColumnId> {
    let columns = (0..catalogue.table(rows).columns.len()).map(|column| ColumnId { table: rows, column });
    let mut found = columns.filter(|column| {
        let other = catalogue.role_join(*column).is_some_and(|join| catalogue.join(join).to != rows);
        other && catalogue.role_words(*column).iter().any(|role| is_verb_of(verb, role))
    });
    let column = found.next()?;
    found.next().is_none().then_some(column)
}

/// Whether a verb is what somebody in a role does: "manages" of a manager, "heads" of a head.
fn is_verb_of(verb: &str, role: &str) -> bool {
    let verb = IRREGULAR.iter().find(|(form, _)| *form == verb).map_or(verb, |(_, root)| root);
    let agent = AGENTS.iter().find_map(|ending| role.strip_suffix(ending));
    let roots = agent.into_iter().flat_map(|root| [root.to_owned(), format!("{root}e")]).chain([role.to_owned()]);
    let said = words::verb_roots(verb);
    roots.filter(|root| root.len() >= VERB_MIN).any(|root| said.contains(&root))
}
