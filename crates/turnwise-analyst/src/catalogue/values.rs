//! Values found in text columns, so that "in Germany" and "AC/DC" are known for what they are. They are learned
//! once when data is opened, because every question looks through them. Next: `measures`.

use std::collections::{BTreeMap, BTreeSet};

use turnwise_core::Cell;

use super::{Display, TableEntry};
use crate::form::{ColumnId, Found, TableId, Thing};
use crate::source::{ColumnKind, QueryError, Workbench};
use crate::words;

/// Different values of one column that are remembered; a column with more is searched by condition only.
const VALUES_MAX: usize = 5_000;
/// Rows of one table looked at for values: bounds the time to open a large source.
const ROWS_SAMPLED_MAX: usize = 500_000;
/// Words of a value worth remembering; longer texts are prose.
pub const VALUE_WORDS_MAX: usize = 8;
/// Up to so many different values a column's words take part in spelling.
const SPELLING_VALUES_MAX: usize = 400;

/// A list with nothing in it, as it is written.
pub const EMPTY_LIST: &str = "[]";

/// Ends of company names that people leave out.
const LEGAL_FORMS: [&str; 12] = ["inc", "llc", "ltd", "gmbh", "ag", "corp", "co", "sa", "sarl", "ab", "plc", "bv"];

/// How columns that tell men from women are called.
const SEX_COLUMNS: [&str; 3] = ["sex", "gender", "geschlecht"];
/// How the data writes the one and the other, and how people say it.
const SEXES: [(&[&str], &[&str]); 2] = [
    (&["f", "female", "w", "woman", "weiblich"], &["female", "woman", "girl", "lady", "weiblich"]),
    (&["m", "male", "man", "mannlich"], &["male", "man", "boy", "mannlich"]),
];

/// Values by the stems of their words.
#[derive(Debug, Default)]
pub struct ValueIndex {
    places: BTreeMap<String, Vec<Found>>,
    counts: BTreeMap<ColumnId, u64>,
    vocabulary: BTreeSet<String>,
    /// Columns in which lists with nothing in them are written.
    empty_lists: BTreeSet<ColumnId>,
}

impl ValueIndex {
    /// Reads the values of all text columns.
    pub fn learn(bench: &Workbench, tables: &[TableEntry]) -> Result<Self, QueryError> {
        let mut index = Self::default();
        for (at, table) in tables.iter().enumerate() {
            index.learn_table(bench, TableId(at), table)?;
        }
        Ok(index)
    }

    fn learn_table(&mut self, bench: &Workbench, id: TableId, table: &TableEntry) -> Result<(), QueryError> {
        for (at, column) in table.columns.iter().enumerate() {
            if column.kind == ColumnKind::Text {
                let place = ColumnId { table: id, column: at };
                let values = distinct(bench, table, &table.dialect.quoted(&column.name))?;
                self.counts.insert(place, values.len() as u64);
                if values.iter().any(|value| value == EMPTY_LIST) {
                    self.empty_lists.insert(place);
                }
                self.enter(Thing::Column(place), &values);
                self.enter_sexes(Thing::Column(place), &column.stems, &values);
            }
        }
        if let Display::FullName { first, last } = table.display
            && let (Some(first), Some(last)) = (table.columns.get(first), table.columns.get(last))
        {
            let dialect = table.dialect;
            let full = format!("{} || ' ' || {}", dialect.quoted(&first.name), dialect.quoted(&last.name));
            self.enter(Thing::Table(id), &distinct(bench, table, &full)?);
        }
        Ok(())
    }

    fn enter(&mut self, place: Thing, values: &[String]) {
        if values.len() > VALUES_MAX {
            return;
        }
        for value in values {
            let stems: Vec<String> = words::split(value).into_iter().map(|word| word.stem).collect();
            if stems.is_empty() || stems.len() > VALUE_WORDS_MAX {
                continue;
            }
            if values.len() <= SPELLING_VALUES_MAX {
                self.vocabulary.extend(stems.iter().cloned());
            }
            // Nobody says "Inc." when naming a company.
            if let [name @ .., last] = stems.as_slice()
                && !name.is_empty()
                && LEGAL_FORMS.contains(&last.as_str())
            {
                self.remember(name.join(" "), place, value);
            }
            self.remember(stems.join(" "), place, value);
        }
    }

    /// "Female" of `sex`, however the data writes it.
    fn enter_sexes(&mut self, place: Thing, stems: &[String], values: &[String]) {
        if !stems.iter().any(|stem| SEX_COLUMNS.contains(&stem.as_str())) {
            return;
        }
        let own: BTreeSet<String> = values.iter().map(|value| words::fold(value.trim())).collect();
        for value in values {
            let folded = words::fold(value.trim());
            let same = SEXES.iter().filter(|(written, _)| written.contains(&folded.as_str()));
            for word in same.flat_map(|(written, said)| said.iter().chain(written.iter())) {
                let key = words::singular(word);
                if word.len() > 1 && !own.contains(&key) {
                    self.remember(key, place, value);
                }
            }
        }
    }

    fn remember(&mut self, key: String, place: Thing, value: &str) {
        let list = self.places.entry(key).or_default();
        match list.iter_mut().find(|found| found.place == place) {
            Some(found) if found.values.iter().any(|own| own == value) => {}
            Some(found) => found.values.push(value.to_owned()),
            None => list.push(Found { place, values: vec![value.to_owned()], end: None, via: None }),
        }
    }

    /// Where a phrase of stems is a value.
    pub fn find(&self, stems: &[String]) -> &[Found] {
        self.places.get(&stems.join(" ")).map_or(&[], Vec::as_slice)
    }

    /// The values of several words of which one is `stem`, by where they are.
    pub fn holding(&self, stem: &str) -> BTreeMap<Thing, BTreeSet<String>> {
        let mut held: BTreeMap<Thing, BTreeSet<String>> = BTreeMap::new();
        let holds = |key: &str| key != stem && key.split(' ').any(|word| word == stem);
        for found in self.places.iter().filter(|(key, _)| holds(key)).flat_map(|(_, found)| found) {
            held.entry(found.place).or_default().extend(found.values.iter().cloned());
        }
        held
    }

    /// All places of each value.
    pub fn lists(&self) -> impl Iterator<Item = &[Found]> {
        self.places.values().map(Vec::as_slice)
    }

    /// The one name of rows that begins with these stems: "Los Angeles" for "Los Angeles Intl".
    pub fn beginning(&self, stems: &[String], is_name: impl Fn(Thing) -> bool) -> Option<Vec<Found>> {
        let start = format!("{} ", stems.join(" "));
        let after = self.places.range(start.clone()..).take_while(|(key, _)| key.starts_with(&start));
        let named = after.map(|(_, found)| found.iter().filter(|found| is_name(found.place)).cloned().collect());
        let mut named = named.filter(|found: &Vec<Found>| !found.is_empty());
        let first = named.next()?;
        named.all(|other| other.iter().all(|other| first.contains(other))).then_some(first)
    }

    /// Names of rows that begin with these stems, up to `most`; none when there are more.
    pub fn beginnings(&self, stems: &[String], most: usize, is_name: impl Fn(Thing) -> bool) -> Vec<String> {
        let start = format!("{} ", stems.join(" "));
        let after = self.places.range(start.clone()..).take_while(|(key, _)| key.starts_with(&start));
        let named = after.flat_map(|(_, found)| found).filter(|found| is_name(found.place));
        let names: BTreeSet<String> = named.flat_map(|found| found.values.iter().cloned()).collect();
        if names.len() > most { Vec::new() } else { names.into_iter().collect() }
    }

    /// The different values of a text column, as far as they were read.
    pub fn of(&self, column: ColumnId) -> impl Iterator<Item = &str> {
        self.spellings(column).collect::<BTreeSet<&str>>().into_iter()
    }

    /// The same as they come, one perhaps several times: whoever looks at a few need not wait for all.
    pub fn spellings(&self, column: ColumnId) -> impl Iterator<Item = &str> {
        let found = self.places.values().flatten().filter(move |found| found.place == Thing::Column(column));
        found.flat_map(|found| found.values.iter().map(String::as_str))
    }

    /// Whether a text column holds lists with nothing in them.
    pub fn has_empty_lists(&self, column: ColumnId) -> bool {
        self.empty_lists.contains(&column)
    }

    /// How many different values a text column has, as far as they were read.
    pub fn count(&self, column: ColumnId) -> Option<u64> {
        self.counts.get(&column).copied()
    }

    /// The stems that occur in values of columns with few values: for spelling.
    pub fn vocabulary(&self) -> impl Iterator<Item = &str> {
        self.vocabulary.iter().map(String::as_str)
    }
}

fn distinct(bench: &Workbench, table: &TableEntry, expression: &str) -> Result<Vec<String>, QueryError> {
    let (source, derived) = (&table.sample_name, table.dialect.derived());
    let sql = format!(
        "SELECT DISTINCT v FROM (SELECT {expression} AS v FROM {source}{derived} LIMIT {ROWS_SAMPLED_MAX}){derived} \
         WHERE v IS NOT NULL AND v <> '' LIMIT {}",
        VALUES_MAX + 1
    );
    let rows = super::build::query(bench, table, &sql, VALUES_MAX + 1)?.rows;
    Ok(rows.into_iter().filter_map(|row| row.into_iter().next()).filter_map(text_of).collect())
}

fn text_of(cell: Cell) -> Option<String> {
    match cell {
        Cell::Text(text) => Some(text),
        Cell::Integer(_) | Cell::Real(_) => Some(cell.to_string()),
        Cell::Null => None,
    }
}
