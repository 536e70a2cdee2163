//! Rates: "cancellation rate", "no-show rate", "return rate" are shares of rows. The word before "rate" is the root of
//! a value, of a date that some rows lack, of a yes/no column or of a table whose rows refer to those asked about;
//! where it is the root of nothing, or of more than one, that is said. Next: `predicate`, `flag` for yes/no columns
//! that are called by the very word.

use super::super::catalogue::{Catalogue, ColumnPart, bare};
use super::super::form::{Aggregate, Candidate, ColumnId, Filter, Found, Measure, Mention, TableId, Thing};
use super::super::source::ColumnKind;
use super::super::words;
use super::qualify::table_of;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

/// Different values up to which one of a column says how rows are.
const STATES_MAX: u64 = 30;
/// Columns up to which a table is a list of names for the values of another.
const LIST_COLUMNS_MAX: usize = 4;
/// Words before "rate" that may be one state: "no show".
const STATE_WORDS_MAX: usize = 3;
/// Letters two roots must share.
const ROOT_MIN: usize = 4;

/// A share of rows by the state its rate is called after.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// What the rows are that count.
    pub filter: Filter,
    /// The rows it is a share of.
    pub rows: Mention,
    /// What it could be instead.
    pub doubt: Option<String>,
}

/// One reading of the word before "rate".
struct State {
    filter: Filter,
    /// The tables it may be a share of the rows of.
    rows: Vec<TableId>,
    label: String,
}

/// Joins "cancellation rate" to one phrase wherever the data has such a state.
pub fn join(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let mut at = 1;
    while at < spans.len() {
        let is_rate = matches!(spans[at].text.to_lowercase().as_str(), "rate" | "rates" | "quota");
        if is_rate && spans[at].names.is_empty() && !is_flag(catalogue, &spans[at - 1]) {
            let longest = STATE_WORDS_MAX.min(at);
            let found = (1..=longest).rev().find_map(|length| Some((length, rated(catalogue, spans, at, length)?)));
            if let Some((length, rated)) = found {
                let text = spans[at - length..=at].iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
                let pause = spans[at].pause;
                let span = Spotted { text, rated: Some(Box::new(rated)), pause, ..Spotted::default() };
                spans.splice(at - length..=at, [span]);
                at -= length;
            }
        }
        at += 1;
    }
}

fn is_flag(catalogue: &Catalogue, span: &Spotted) -> bool {
    span.names.iter().any(|candidate| catalogue.is_flag(candidate.thing))
}

/// What the `length` phrases before the one at `at` are the state of.
fn rated(catalogue: &Catalogue, spans: &[Spotted], at: usize, length: usize) -> Option<Rated> {
    let own = spans.get(at - length..at)?;
    if own.iter().any(|span| span.period.is_some() || span.number.is_some()) {
        return None;
    }
    let text = own.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    let words: Vec<String> = words::split(&text).into_iter().map(|word| word.folded).collect();
    let others = spans.iter().enumerate().filter(|(other, _)| *other + length < at + 1 || *other > at);
    let named: Vec<TableId> = others.filter_map(|(_, span)| table_of(span)).collect();
    let mut states = states(catalogue, &words, &text);
    let near = |state: &State| state.rows.iter().any(|table| named.contains(table));
    if states.iter().any(near) {
        states.retain(near);
    }
    let labels: Vec<String> = states.iter().map(|state| state.label.clone()).collect();
    let State { filter, rows, .. } = states.into_iter().next()?;
    let told: Vec<TableId> = rows.iter().copied().filter(|table| named.contains(table)).collect();
    let rows = if told.is_empty() { rows } else { told };
    let doubt = match (labels.as_slice(), rows.as_slice()) {
        ([_], [_]) => None,
        ([_], several) => {
            let names: Vec<String> = several.iter().map(|table| catalogue.plural(*table)).collect();
            Some(format!("“{text} rate” of what? Say “{text} rate of {}”.", names.join("” or “… of ")))
        }
        (several, _) => {
            Some(format!("“{text}” may be {}: ask for the share of rows with one of them.", several.join(" or ")))
        }
    };
    let words = rows.first().map_or_else(String::new, |table| catalogue.plural(*table));
    let candidates = rows.iter().map(|table| Candidate { thing: Thing::Table(*table), score: 100 }).collect();
    Some(Rated { filter, rows: Mention { words, candidates }, doubt })
}

/// All that a word is the state of.
fn states(catalogue: &Catalogue, said: &[String], text: &str) -> Vec<State> {
    let mut found = of_values(catalogue, said, text);
    if !found.is_empty() {
        return found;
    }
    let [word] = said else { return found };
    found.extend(of_columns(catalogue, word));
    if found.is_empty() {
        found.extend(of_tables(catalogue, word));
    }
    found
}

/// Values that are called so, or of which the word is another form.
fn of_values(catalogue: &Catalogue, said: &[String], text: &str) -> Vec<State> {
    let mut found: Vec<State> = Vec::new();
    for (table, entry) in catalogue.tables() {
        for (at, column) in entry.columns.iter().enumerate() {
            let place = ColumnId { table, column: at };
            let few = catalogue.values().count(place).is_some_and(|count| count <= STATES_MAX);
            if column.kind != ColumnKind::Text || column.part != ColumnPart::Attribute || !few || column.flag.is_some()
            {
                continue;
            }
            let rows = rows_of(catalogue, place);
            for value in catalogue.values().of(place).filter(|value| is_called(value, said)) {
                let place = Found { place: Thing::Column(place), values: vec![value.to_owned()], end: None, via: None };
                let words = value.to_owned();
                let filter = Filter::Value { words, found: vec![place], negated: false };
                let label = format!("“{value}” of {}", catalogue.column_label(ColumnId { table, column: at }));
                found.push(State { filter, rows: rows.clone(), label });
            }
        }
    }
    let exact =
        |state: &State| matches!(&state.filter, Filter::Value { words, .. } if words.eq_ignore_ascii_case(text));
    if found.iter().any(exact) {
        found.retain(exact);
    }
    found
}

fn is_called(value: &str, said: &[String]) -> bool {
    let own: Vec<String> = words::split(&value.replace('_', " ")).into_iter().map(|word| word.folded).collect();
    match (own.as_slice(), said) {
        ([value], [word]) => value == word || is_one_root(value, word),
        (own, said) => own == said || own.concat() == said.concat(),
    }
}

/// The rows that have a value: those that refer to it, where its table only lists what values there are.
fn rows_of(catalogue: &Catalogue, place: ColumnId) -> Vec<TableId> {
    let entry = catalogue.table(place.table);
    let names = catalogue.values().count(place) == Some(entry.rows);
    let list = names && entry.columns.len() <= LIST_COLUMNS_MAX && entry.rows <= STATES_MAX;
    let mut referring: Vec<TableId> = catalogue.referrers(place.table).map(|join| join.from).collect();
    referring.dedup();
    if list && !referring.is_empty() { referring } else { vec![place.table] }
}

/// Yes/no columns of another form of the word, and dates that some rows lack.
fn of_columns(catalogue: &Catalogue, word: &str) -> Vec<State> {
    let mut found = Vec::new();
    for (table, entry) in catalogue.tables() {
        for (at, column) in entry.columns.iter().enumerate() {
            let of = ColumnId { table, column: at };
            let stems = match (column.flag.is_some(), column.kind) {
                (true, _) => bare(&column.stems),
                (false, ColumnKind::Date) if entry.lasting.open.contains(&at) => without_time(&column.stems),
                (false, _) => continue,
            };
            let [stem] = stems else { continue };
            if stem != word && !is_one_root(stem, word) {
                continue;
            }
            let mention = Mention::of(column.noun(), Thing::Column(of));
            let filter = if column.flag.is_some() {
                Filter::Flag { of: mention, value: true }
            } else {
                Filter::Missing { of: mention, negated: true, unwritten: true }
            };
            found.push(State { filter, rows: vec![table], label: catalogue.column_label(of) });
        }
    }
    found
}

/// "churned" of `churned_on`.
fn without_time(stems: &[String]) -> &[String] {
    match stems {
        [rest @ .., last] if !rest.is_empty() && matches!(last.as_str(), "on" | "at" | "date" | "time") => rest,
        all => all,
    }
}

/// "Return rate" of what returns refer to.
fn of_tables(catalogue: &Catalogue, word: &str) -> Vec<State> {
    let mut found = Vec::new();
    for (table, entry) in catalogue.tables() {
        let Some(last) = entry.stems.last().filter(|last| *last == word || is_one_root(last, word)) else { continue };
        let others = catalogue.tables().map(|(other, _)| other);
        let rows: Vec<TableId> =
            others.filter(|other| catalogue.referrers(*other).any(|join| join.from == table)).collect();
        let of = Some(Mention::of(last.clone(), Thing::Table(table)));
        let filter = Filter::Some { of, filters: Vec::new(), periods: Vec::new() };
        if !rows.is_empty() {
            found.push(State { filter, rows, label: catalogue.plural(table) });
        }
    }
    found
}

/// Whether a noun and a state are forms of one word: "cancellation" and "cancelled", "approval" and "approved".
fn is_one_root(one: &str, other: &str) -> bool {
    let (one, other) = (root(one), root(other));
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (short, long) =
        (one.chars().count().min(other.chars().count()), one.chars().count().max(other.chars().count()));
    let near = one == other || (shared + 1 >= short && shared > ROOT_MIN);
    shared >= ROOT_MIN && near && long - short <= 1
}

/// The beginning that all forms of a word share.
fn root(word: &str) -> String {
    let endings = [
        "ations", "ation", "itions", "ition", "ions", "ion", "ments", "ment", "ances", "ance", "ences", "ence", "als",
        "al", "ings", "ing", "ures", "ure", "ies", "ied", "ed", "es", "s", "y", "e", "d",
    ];
    let cut = endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= ROOT_MIN));
    let mut letters: Vec<char> = cut.unwrap_or(word).chars().collect();
    if let [.., one, other] = letters.as_slice()
        && one == other
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

impl Walker<'_> {
    /// Takes a rate: the share of rows that are so, in each group.
    pub fn take_rated(&mut self, rated: &Rated) {
        self.joins_value = false;
        // The share of all rows of a group is what the average over them comes to.
        let averages = self.slots.aggregate.as_ref().is_none_or(|(aggregate, _)| *aggregate == Aggregate::Average);
        let ranked = self.slots.ranking.is_some();
        if !averages || self.negated || self.lacking || (self.wanted == Wanted::Group && !ranked) {
            self.slots.unknown.push("rate".to_owned());
            return;
        }
        self.slots.aggregate = None;
        if let Some(doubt) = &rated.doubt {
            self.slots.doubt.get_or_insert(doubt.clone());
        }
        self.wanted = Wanted::Nothing;
        let measure = Measure::new(Aggregate::Share(true), rated.rows.clone());
        self.slots.measures.push(Measure { holds: vec![rated.filter.clone()], ..measure });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_and_its_state_have_one_root() {
        for (noun, state) in [
            ("cancellation", "cancelled"),
            ("cancellation", "canceled"),
            ("approval", "approved"),
            ("rejection", "rejected"),
            ("completion", "completed"),
            ("churn", "churned"),
            ("return", "returns"),
            ("delivery", "delivered"),
            ("conversion", "converted"),
            ("resolution", "resolved"),
            ("attendance", "attended"),
        ] {
            assert!(is_one_root(noun, state), "{noun} {state}");
        }
        for (noun, other) in [
            ("complaint", "completed"),
            ("return", "retired"),
            ("interest", "internal"),
            ("heart", "heard"),
            ("pay", "paid"),
        ] {
            assert!(!is_one_root(noun, other), "{noun} {other}");
        }
    }
}
