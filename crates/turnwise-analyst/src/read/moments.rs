//! The dates that words speak of: "shipped", "shipping" and "shipment" of `shipped_date`, deadlines and what they are
//! the deadlines of, and the date a row begins with. Next: `later`, `lasting`.

use super::super::catalogue::{AxisPlace, Catalogue, ColumnPart};
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::source::ColumnKind;
use super::super::words;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Stems of dates by which something is to be done.
const DEADLINES: [&str; 10] =
    ["due", "required", "promised", "expected", "planned", "scheduled", "deadline", "estimated", "target", "agreed"];
/// Stems of dates at which it was done, in their verb's shortest form.
const DONE: [&str; 24] = [
    "ship", "deliver", "paid", "return", "complet", "clos", "finish", "resolv", "arriv", "actual", "don", "receiv",
    "settl", "submit", "fix", "end", "cancel", "depart", "leav", "terminat", "churn", "discharg", "clear", "answer",
];
/// Roots of dates that say when a row was changed.
const CHANGED: [&str; 7] = ["updat", "modif", "delet", "last", "expir", "chang", "valid"];
/// Ends of roots of a beginning and its end.
const TWINS: [(&str, &str); 14] = [
    ("in", "out"),
    ("start", "end"),
    ("start", "finish"),
    ("start", "stop"),
    ("begun", "end"),
    ("from", "to"),
    ("from", "until"),
    ("arriv", "depart"),
    ("admit", "discharg"),
    ("hir", "terminat"),
    ("hire", "terminat"),
    ("join", "leav"),
    ("open", "clos"),
    ("pickup", "dropoff"),
];
/// Stems that only say that it is a date.
const TIMES: [&str; 9] = ["date", "time", "at", "on", "day", "dt", "ts", "datetime", "timestamp"];
/// Forms of a verb that share too few letters.
const IRREGULAR: [(&str, &str); 14] = [
    ("payment", "paid"),
    ("pay", "paid"),
    ("payed", "paid"),
    ("sending", "sent"),
    ("send", "sent"),
    ("admission", "admit"),
    ("resolution", "resolv"),
    ("begin", "begun"),
    ("began", "begun"),
    ("beginning", "begun"),
    ("left", "leav"),
    ("bought", "purchas"),
    ("buy", "purchas"),
    ("fulfilment", "fulfil"),
];
/// Endings a verb and its nouns differ in, the longest first.
const ENDINGS: [&str; 17] = [
    "ations", "ments", "ation", "ings", "ment", "ures", "ure", "ing", "als", "ion", "ies", "al", "ed", "es", "y", "e",
    "s",
];
/// Letters a root has at least.
const ROOT_MIN: usize = 3;

/// What forms of one verb have in common: "ship" of "shipped", "shipping" and "shipment".
fn root(word: &str) -> String {
    let word = word.to_lowercase();
    if let Some((_, root)) = IRREGULAR.iter().find(|(form, _)| *form == word) {
        return (*root).to_owned();
    }
    let cut = ENDINGS.iter().find_map(|end| word.strip_suffix(end).filter(|rest| rest.len() >= ROOT_MIN));
    let mut letters: Vec<char> = cut.unwrap_or(&word).chars().collect();
    if let [.., one, other] = letters.as_slice()
        && one == other
        && !matches!(one, 's' | 'l')
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// What a column's name says beside that it is a date.
fn telling(catalogue: &Catalogue, column: ColumnId) -> Vec<&String> {
    let stems = &catalogue.column(column).stems;
    stems.iter().filter(|stem| !TIMES.contains(&stem.as_str())).collect()
}

/// Whether a phrase says that something is a time and nothing of which.
pub fn says_time(text: &str) -> bool {
    let words = words::split_name(text);
    !words.is_empty() && words.iter().all(|word| TIMES.contains(&word.as_str()))
}

pub fn is_date(catalogue: &Catalogue, column: ColumnId) -> bool {
    catalogue.column(column).kind == ColumnKind::Date
}

/// Whether it says when something was to be done.
pub fn is_deadline(catalogue: &Catalogue, column: ColumnId) -> bool {
    telling(catalogue, column).iter().any(|stem| DEADLINES.contains(&stem.as_str()))
}

/// Whether it says when something was done.
pub fn is_done(catalogue: &Catalogue, column: ColumnId) -> bool {
    !is_deadline(catalogue, column) && telling(catalogue, column).iter().any(|stem| DONE.contains(&root(stem).as_str()))
}

/// The dates of all tables.
pub fn all(catalogue: &Catalogue) -> impl Iterator<Item = ColumnId> + '_ {
    catalogue.tables().flat_map(|(table, entry)| {
        let dated = entry.columns.iter().enumerate().filter(|(_, column)| column.kind == ColumnKind::Date);
        dated.map(move |(column, _)| ColumnId { table, column })
    })
}

/// The dates of a table.
pub fn of_table(catalogue: &Catalogue, table: TableId) -> Vec<ColumnId> {
    all(catalogue).filter(|date| date.table == table).collect()
}

/// The date that rows of a table begin with: not when they were to be done, nor when they were.
pub fn beginning(catalogue: &Catalogue, table: TableId) -> Option<ColumnId> {
    let axes = catalogue.table(table).axes.iter().filter(|axis| !axis.named_only);
    let dates = axes.filter_map(|axis| match axis.place {
        AxisPlace::Column(column) => Some(ColumnId { table, column }),
        AxisPlace::Parts { .. } => None,
    });
    let mut dates = dates.filter(|date| !is_deadline(catalogue, *date) && !is_of(catalogue, *date, &CHANGED));
    dates.find(|date| !is_done(catalogue, *date))
}

/// The dates at which what ended then may have begun: that of the row, else those of what it refers to.
pub fn beginnings(catalogue: &Catalogue, end: ColumnId) -> Vec<ColumnId> {
    let own = beginning(catalogue, end.table).filter(|date| *date != end);
    if let Some(own) = twin(catalogue, end).or(own) {
        return vec![own];
    }
    let columns = &catalogue.table(end.table).columns;
    let referred = columns.iter().filter_map(|column| match column.part {
        ColumnPart::Reference(join) => beginning(catalogue, catalogue.join(join).to),
        ColumnPart::Key | ColumnPart::Attribute => None,
    });
    referred.collect()
}

/// The date that is called as an end is, by the word for a beginning: `check_in` of `check_out`.
pub fn twin(catalogue: &Catalogue, end: ColumnId) -> Option<ColumnId> {
    let roots = |date: ColumnId| telling(catalogue, date).iter().map(|stem| root(stem)).collect::<Vec<String>>();
    let own = roots(end);
    let is_twin = |date: &ColumnId| {
        let other = roots(*date);
        let differ: Vec<(&String, &String)> = other.iter().zip(&own).filter(|(one, other)| one != other).collect();
        let known = |(one, other): &(&String, &String)| {
            TWINS.iter().any(|(begin, end)| one.ends_with(begin) && other.ends_with(end))
        };
        own.len() == other.len() && matches!(differ.as_slice(), [only] if known(only))
    };
    of_table(catalogue, end.table).into_iter().find(is_twin)
}

/// Whether a date's name has one of these roots.
pub fn is_of(catalogue: &Catalogue, date: ColumnId, roots: &[&str]) -> bool {
    let own = telling(catalogue, date);
    let together: String = own.iter().map(|stem| stem.as_str()).collect();
    own.iter().any(|stem| roots.contains(&root(stem).as_str())) || roots.contains(&together.as_str())
}

/// The date rows are dated by, whatever it says.
pub fn main(catalogue: &Catalogue, table: TableId) -> Option<ColumnId> {
    let axes = catalogue.table(table).axes.iter().filter(|axis| !axis.named_only);
    let mut dates = axes.filter_map(|axis| match axis.place {
        AxisPlace::Column(column) => Some(ColumnId { table, column }),
        AxisPlace::Parts { .. } => None,
    });
    dates.find(|date| !is_deadline(catalogue, *date))
}

/// Whether two words are forms of one verb.
pub fn is_form(one: &str, other: &str) -> bool {
    let (one, other) = (root(one), root(other));
    one.len() >= ROOT_MIN && one == other
}

/// The dates a verb, or its noun, is in the name of: "closing" of `closed_at`, "check in" of `checkin_date`.
pub fn of_verb(catalogue: &Catalogue, text: &str) -> Vec<ColumnId> {
    let said: Vec<String> =
        words::split_name(text).into_iter().filter(|word| !TIMES.contains(&word.as_str())).collect();
    let Some(first) = said.first() else { return Vec::new() };
    let whole = said.concat();
    let fits = |date: &ColumnId| {
        let own = telling(catalogue, *date);
        let together: String = own.iter().map(|stem| stem.as_str()).collect();
        let each = said.iter().all(|word| own.iter().any(|stem| is_form(word, stem)));
        let begins = own.first().is_some_and(|stem| is_form(first, stem));
        together == whole || (each && (begins || !is_deadline(catalogue, *date)))
    };
    let found: Vec<ColumnId> = all(catalogue).filter(fits).collect();
    // "Shipped" is the ship date, and not the date by which it was promised.
    let plain: Vec<ColumnId> = found.iter().copied().filter(|date| !is_deadline(catalogue, *date)).collect();
    if plain.is_empty() { found } else { plain }
}

/// The dates a phrase names.
pub fn named(catalogue: &Catalogue, span: &Spotted) -> Vec<ColumnId> {
    if span.period.is_some() || table_of(span).is_some() {
        return Vec::new();
    }
    let best = span.names.iter().map(|candidate| candidate.score).max().unwrap_or_default();
    let best = span.names.iter().filter(|candidate| candidate.score == best);
    let columns = best.filter_map(|candidate| match candidate.thing {
        Thing::Column(column) if is_date(catalogue, column) => Some(column),
        Thing::Column(_) | Thing::Table(_) | Thing::Concept(_) => None,
    });
    columns.collect()
}

/// The dates a phrase names, or is the verb of.
pub fn said(catalogue: &Catalogue, span: &Spotted) -> Vec<ColumnId> {
    let named = named(catalogue, span);
    if !named.is_empty() || table_of(span).is_some() || span.number.is_some() || span.period.is_some() {
        return named;
    }
    of_verb(catalogue, &span.text)
}

/// The tables named.
pub fn tables(spans: &[Spotted]) -> Vec<TableId> {
    spans.iter().filter_map(table_of).collect()
}

/// What is made of two columns, each as a candidate: of the rows spoken of, or else of rows that have to do with them,
/// and rather of two columns of the same row.
pub fn near(catalogue: &Catalogue, named: &[TableId], made: &[(ColumnId, bool)]) -> Vec<Candidate> {
    let linked = |one: TableId, other: TableId| {
        !catalogue.paths(one, other).is_empty() || !catalogue.paths(other, one).is_empty()
    };
    let own: Vec<&(ColumnId, bool)> = made.iter().filter(|(column, _)| named.contains(&column.table)).collect();
    let far = || made.iter().filter(|(column, _)| named.iter().all(|table| linked(column.table, *table)));
    let mut kept: Vec<&(ColumnId, bool)> = if own.is_empty() { far().collect() } else { own };
    if kept.iter().any(|(_, same)| *same) {
        kept.retain(|(_, same)| *same);
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for (column, _) in kept {
        let candidate = Candidate { thing: Thing::Column(*column), score: 100 };
        if !candidates.contains(&candidate) {
            candidates.push(candidate);
        }
    }
    candidates
}

/// The position of the last phrase before `at` that says something, and of the next behind it.
pub fn before(spans: &[Spotted], at: usize) -> Option<usize> {
    spans.iter().take(at).rposition(|span| !is_filler(span))
}

pub fn behind(spans: &[Spotted], at: usize) -> Option<usize> {
    let skipped = spans.iter().skip(at + 1).take_while(|span| is_filler(span)).count();
    Some(at + 1 + skipped).filter(|at| *at < spans.len())
}

/// Puts one name in the place of some phrases.
pub fn put(spans: &mut Vec<Spotted>, from: usize, to: usize, names: Vec<Candidate>, negates: bool) {
    let own = &spans[from..=to];
    let text = own.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    let last = &own[own.len() - 1];
    let (pause, bracket, ends) = (last.pause, last.bracket, last.ends);
    let span = Spotted { text, names, negates, pause, bracket, ends, ..Spotted::default() };
    spans.splice(from..=to, [span]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_verb_are_told_from_other_words() {
        for (one, other) in [
            ("ship", "shipped"),
            ("shipping", "shipment"),
            ("close", "closed"),
            ("closing", "closure"),
            ("deliver", "delivery"),
            ("resolution", "resolved"),
            ("payment", "paid"),
            ("arrive", "arrival"),
            ("complete", "completion"),
            ("booking", "booked"),
            ("return", "returned"),
        ] {
            assert!(is_form(one, other), "{one} {other}: {} {}", root(one), root(other));
        }
        for (one, other) in [("ship", "shop"), ("order", "border"), ("due", "done"), ("paid", "packed")] {
            assert!(!is_form(one, other), "{one} {other}");
        }
    }
}
