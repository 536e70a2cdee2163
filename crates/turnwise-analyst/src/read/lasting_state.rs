//! States that only a date tells: "current employees" are those without an end, "former members" those with one, "still
//! customers", "already left". A yes/no column or a value that says it comes first. "Currently" beside numbers that are
//! held version after version takes the current ones. Next: `place`, `resolve/current.rs`.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{Candidate, ColumnId, Filter, Mention, TableId, Thing, Versions};
use super::super::lexicon::{Role, Signal};
use super::super::source::ColumnKind;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Words before rows that have not ended, and before those that have.
const CURRENT: [&str; 5] = ["current", "active", "present", "existing", "ongoing"];
const FORMER: [&str; 4] = ["former", "ex", "departed", "onetime"];
/// Words for the time at which the data was taken.
const NOW: [&str; 13] = [
    "currently",
    "now",
    "right now",
    "just now",
    "at the moment",
    "at present",
    "presently",
    "as of now",
    "nowadays",
    "these days",
    "today",
    "as of today",
    "at this moment",
];
/// What rows are that have not ended, behind "still" and "no longer".
const LASTING: [&str; 13] = [
    "active",
    "employed",
    "here",
    "around",
    "open",
    "running",
    "live",
    "listed",
    "us",
    "members",
    "customers",
    "clients",
    "subscribed",
];
/// Verbs of an end, whatever the data calls it.
const ENDED: [&str; 5] = ["left", "quit", "departed", "gone", "resigned"];
/// Words that say that something ever was.
const EVER: [&str; 6] = ["ever", "all time", "historical", "historically", "over time", "so far"];
/// Phrases between such a word and the rows it is said of: "current Engineering staff".
const BETWEEN_MAX: usize = 2;

/// What was said of how things are now.
#[derive(Debug, Default)]
pub struct Said {
    pub versions: Versions,
    pub doubt: Option<String>,
}

/// Puts the tests of states into the phrases of the rows they are said of.
pub fn join(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Said {
    let mut reader = Reader { catalogue, spans, said: Said::default() };
    let mut at = 0;
    while at < reader.spans.len() {
        let text = reader.spans[at].text.to_lowercase();
        let is = |list: &[&str]| list.contains(&text.as_str());
        let taken = if is(&EVER) {
            reader.said.versions = Versions::All;
            false
        } else if is(&CURRENT) || is(&FORMER) {
            reader.before_rows(at, is(&FORMER))
        } else if is(&["still"]) {
            reader.still(at)
        } else if is(&["already"]) {
            reader.already(at)
        } else if is(&ENDED) {
            reader.ended(at);
            false
        } else if is(&["leaver", "leavers"]) {
            reader.leavers(at);
            false
        } else {
            is(&NOW) && reader.now(at)
        };
        at += usize::from(!taken);
    }
    reader.said
}

struct Reader<'a, 'b> {
    catalogue: &'a Catalogue,
    spans: &'b mut Vec<Spotted>,
    said: Said,
}

impl Reader<'_, '_> {
    /// "Current employees", "former Sales staff". True where the word at `at` was taken away.
    fn before_rows(&mut self, at: usize, former: bool) -> bool {
        if !former && self.spans.get(at + 1).is_some_and(|next| self.is_versioned(next)) {
            self.said.versions = Versions::Current;
            return self.drop(at);
        }
        let ahead = self.spans.iter().enumerate().skip(at + 1).take(BETWEEN_MAX + 1);
        let mut rows = ahead.filter_map(|(place, span)| Some((place, table_of(span)?)));
        let Some((place, table)) = rows.next() else { return false };
        let plain = |span: &Spotted| span.role().is_none() || is_filler(span);
        if !self.spans[at + 1..place].iter().all(plain) || self.says_itself(at, table) {
            return false;
        }
        let Some(test) = self.test(table, former) else { return false };
        let word = self.spans[at].text.clone();
        self.put(place, test, &word);
        self.drop(at)
    }

    /// Whether the word is a value or a yes/no column of those rows anyway.
    fn says_itself(&self, at: usize, table: TableId) -> bool {
        let span = &self.spans[at];
        let flag = span.names.iter().any(|candidate| {
            matches!(candidate.thing, Thing::Column(column) if column.table == table)
                && self.catalogue.is_flag(candidate.thing)
        });
        flag || span.values.iter().any(|found| found.table() == Some(table)) || !span.tests.is_empty()
    }

    /// "Accounts that are still customers", "still pending".
    fn still(&mut self, at: usize) -> bool {
        let small = |span: &Spotted| is_filler(span) || span.text.eq_ignore_ascii_case("with");
        let Some(next) = (at + 1..self.spans.len()).find(|&next| !small(&self.spans[next])) else { return false };
        let span = &self.spans[next];
        let said = !span.values.is_empty()
            || !span.tests.is_empty()
            || span.names.iter().any(|candidate| self.catalogue.is_flag(candidate.thing));
        let denied = matches!(span.role(), Some(Role::Without | Role::Not));
        let table = self.rows_before(at);
        // "Who still have orders" says something of the orders.
        let has = self.spans[at + 1..next].iter().any(|span| span.text.to_lowercase().starts_with("ha"));
        let own = table.is_some() && table_of(span) == table;
        let lasts = !has && (own || LASTING.contains(&span.text.to_lowercase().as_str()));
        if let (true, Some(table)) = (lasts && !denied, table)
            && !self.says_itself(next, table)
            && let Some(test) = self.test(table, false)
        {
            let text = self.spans[at..=next].iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
            let note = Some(self.note(&text, &test));
            let (pause, predicate) = (self.spans[next].pause, self.spans[next].predicate);
            let span = Spotted { text, tests: vec![test], note, pause, predicate, ..Spotted::default() };
            self.spans.splice(at..=next, [span]);
            return false;
        }
        // How things are is what the data says: "still pending" is pending.
        if said || denied { self.drop(at) } else { false }
    }

    /// "Already left", "already paid": what is so, is so already.
    fn already(&mut self, at: usize) -> bool {
        let Some(span) = self.spans.iter().skip(at + 1).find(|span| !is_filler(span)) else { return false };
        let flag = span.names.iter().any(|candidate| self.catalogue.is_flag(candidate.thing));
        let ended = ENDED.contains(&span.text.to_lowercase().as_str());
        let said = flag || span.verb || ended || !span.values.is_empty();
        said && self.drop(at)
    }

    /// "Members who have left", "who already quit in 2023": the date that says so is meant.
    fn ended(&mut self, at: usize) {
        let before = at.checked_sub(1).map(|before| self.spans[before].text.to_lowercase());
        let said_of = ["have", "has", "had", "who", "that", "which", "who have", "that have", "not", "never"];
        let told = before.as_ref().is_some_and(|before| {
            said_of.contains(&before.as_str()) || before.ends_with(" have") || before.ends_with(" has")
        });
        let ends = self.spans.get(at + 1).is_none_or(|next| {
            let joins = matches!(next.role(), Some(Role::And | Role::Or | Role::Group | Role::Each | Role::In));
            joins || next.period.is_some()
        });
        // "How many employees left in 2024": those who are left have no time.
        let rows_left = self.spans[at].text.eq_ignore_ascii_case("left")
            && at.checked_sub(1).is_some_and(|before| table_of(&self.spans[before]).is_some())
            && self.spans.get(at + 1).is_some_and(|next| next.period.is_some() || next.role() == Some(Role::In));
        if !(told || rows_left) || !(ends || self.spans[at].pause) {
            return;
        }
        let Some(table) = self.rows_before(at) else { return };
        let own = |candidate: &Candidate| matches!(candidate.thing, Thing::Column(column) if column.table == table);
        if self.spans[at].names.iter().any(own) {
            return;
        }
        let Some(end) = self.end(table) else { return };
        // Another time, of another verb, must not be taken for that of this one.
        let timed = self.spans.get(at + 1).is_some_and(|next| next.period.is_some() || next.role() == Some(Role::In));
        let negated = matches!(before.as_deref(), Some("not" | "never"));
        if let (false, false, Some(test)) = (timed, negated, self.test(table, true)) {
            let (text, pause, predicate) =
                (self.spans[at].text.clone(), self.spans[at].pause, self.spans[at].predicate);
            let note = Some(self.note(&text, &test));
            self.spans[at] = Spotted { text, tests: vec![test], note, pause, predicate, ..Spotted::default() };
            return;
        }
        let names = vec![Candidate { thing: Thing::Column(end), score: 100 }];
        let note = format!("“{}” is told by {}.", self.spans[at].text, self.catalogue.column_label(end));
        let old = &self.spans[at];
        let span = Spotted { names, verb: true, signal: None, note: Some(note), values: Vec::new(), ..old.clone() };
        self.spans[at] = span;
    }

    /// "Leavers" are the people who left.
    fn leavers(&mut self, at: usize) {
        let people = self.catalogue.people().filter(|table| self.catalogue.table(*table).lasting.ends.len() == 1);
        let tables: Vec<TableId> = people.collect();
        let [table] = tables.as_slice() else { return };
        if let Some(test) = self.test(*table, true) {
            self.spans[at].names = vec![Candidate { thing: Thing::Table(*table), score: 100 }];
            self.put(at, test, "leavers");
        }
    }

    /// "Currently" and the like: of versions the current ones, of rows that end those that did not.
    fn now(&mut self, at: usize) -> bool {
        if self.spans.iter().any(|span| self.is_versioned(span)) {
            self.said.versions = Versions::Current;
            return self.drop(at);
        }
        let today = self.spans[at].period.is_some();
        let rows = self.spans.iter().enumerate().find_map(|(place, span)| {
            let table = table_of(span)?;
            (!self.catalogue.table(table).lasting.ends.is_empty()).then_some((place, table))
        });
        let Some((place, table)) = rows.filter(|(_, table)| !today && !self.is_said_of(*table)) else { return false };
        let Some(test) = self.test(table, false) else { return false };
        let word = self.spans[at].text.clone();
        self.put(place, test, &word);
        // What they hold now is meant as well, where that is held version after version.
        self.said.versions = Versions::Current;
        self.drop(at)
    }

    /// Whether a value, a yes/no column or a test already says how these rows are.
    fn is_said_of(&self, table: TableId) -> bool {
        self.spans.iter().any(|span| {
            let own = |column: ColumnId| {
                let state = |stem: &String| matches!(stem.as_str(), "status" | "state" | "stage" | "phase");
                column.table == table && self.catalogue.column(column).stems.iter().any(state)
            };
            let value = span.values.iter().any(|found| matches!(found.place, Thing::Column(column) if own(column)));
            let flag = span.names.iter().any(|candidate| {
                let here = matches!(candidate.thing, Thing::Column(column) if column.table == table);
                here && self.catalogue.is_flag(candidate.thing)
            });
            let done = span.verb
                && span
                    .names
                    .iter()
                    .any(|candidate| matches!(candidate.thing, Thing::Column(column) if column.table == table));
            value || flag || done || span.tests.iter().any(|test| matches!(test, Filter::Missing { .. }))
        })
    }

    /// Whether a phrase names a number that is held version after version.
    fn is_versioned(&self, span: &Spotted) -> bool {
        let versions = |table: TableId| self.catalogue.table(table).lasting.versions.is_some();
        let of_concept = |concept| {
            let sources = self.catalogue.measures(concept);
            sources.first().is_some_and(|source| versions(source.table))
        };
        let best = span.names.iter().map(|candidate| candidate.score).max().unwrap_or_default();
        let named =
            span.names.iter().filter(|candidate| candidate.score + 10 >= best).any(|candidate| match candidate.thing {
                Thing::Column(column) => {
                    let entry = self.catalogue.column(column);
                    let own = entry.kind != ColumnKind::Date && entry.part == ColumnPart::Attribute;
                    own && versions(column.table)
                }
                Thing::Table(table) => versions(table),
                Thing::Concept(concept) => of_concept(concept),
            });
        let signal = match span.signal {
            Some(Signal::Superlative(_, concept) | Signal::Comparative(_, concept)) => of_concept(concept),
            Some(Signal::Role(_)) | None => false,
        };
        named || signal
    }

    /// The rows spoken of before a place.
    fn rows_before(&self, at: usize) -> Option<TableId> {
        self.spans.iter().take(at).rev().find_map(|span| {
            let own = span.names.iter().filter_map(|candidate| match candidate.thing {
                Thing::Table(table) => Some(table),
                Thing::Column(column) => Some(column.table),
                Thing::Concept(_) => None,
            });
            let of_table = table_of(span).into_iter().chain(own);
            of_table.into_iter().find(|table| !self.catalogue.table(*table).lasting.ends.is_empty())
        })
    }

    /// The date that ends rows of a table; of several none is taken silently.
    fn end(&mut self, table: TableId) -> Option<ColumnId> {
        let ends = &self.catalogue.table(table).lasting.ends;
        match ends.as_slice() {
            [] => None,
            [only] => Some(ColumnId { table, column: *only }),
            several => {
                let label = |column: &usize| self.catalogue.column_label(ColumnId { table, column: *column });
                let labels: Vec<String> = several.iter().map(label).collect();
                let text = format!("Which date says whether it has ended: {}? Say “without …”.", labels.join(" or "));
                self.said.doubt.get_or_insert(text);
                None
            }
        }
    }

    fn test(&mut self, table: TableId, ended: bool) -> Option<Filter> {
        let end = self.end(table)?;
        let of = Mention::of(self.catalogue.column(end).noun(), Thing::Column(end));
        Some(Filter::Missing { of, negated: ended, unwritten: true })
    }

    fn put(&mut self, place: usize, test: Filter, word: &str) {
        let text = format!("{word} {}", self.spans[place].text);
        self.spans[place].note = Some(self.note(&text, &test));
        self.spans[place].tests.push(test);
    }

    fn note(&self, text: &str, test: &Filter) -> String {
        let Filter::Missing { of, negated, .. } = test else { return String::new() };
        let label = of.columns().next().map_or_else(String::new, |column| self.catalogue.column_label(column));
        format!("“{text}” are those with{} {label}.", if *negated { "" } else { "out" })
    }

    /// Takes a word away; a pause behind it stays.
    fn drop(&mut self, at: usize) -> bool {
        let gone = self.spans.remove(at);
        if let Some(before) = at.checked_sub(1).and_then(|before| self.spans.get_mut(before)) {
            before.pause |= gone.pause;
        }
        true
    }
}
