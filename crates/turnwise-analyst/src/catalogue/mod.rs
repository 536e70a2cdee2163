//! The catalogue: what the data holds, in terms a planner can use. Tables with key and displayed name, columns with
//! what they are for, joins along keys, time axes, the words that name all of these, and values found in text columns.
//!
//! It is built once from the workbench (`build`), with keys that files do not declare found from the data (`keys`), and
//! then only read. Next: `names` for words, `paths` for joins, `measures` for what can be summed.

mod aliases;
mod build;
mod days;
mod echoes;
mod flag;
mod fractions;
mod keys;
mod lasting;
mod made;
mod measures;
mod names;
mod paths;
mod roles;
mod spelled;
mod values;
mod years;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::form::{ColumnId, TableId, Thing};
use super::lexicon::{Concept, lexicon};
use super::source::{ColumnKind, Comments, Dialect, EngineId};

pub use flag::{Flag, Written, bare};
pub use lasting::Lasting;
pub use made::{Made, Making, Unit};
pub use measures::{Amount, MeasureSource};
pub use names::NameIndex;
pub use paths::{JoinId, Path};
pub use values::{EMPTY_LIST, ValueIndex};

/// Everything known about the data.
#[derive(Debug)]
pub struct Catalogue {
    tables: Vec<TableEntry>,
    joins: Vec<Join>,
    reach: Vec<BTreeMap<TableId, Vec<Path>>>,
    names: NameIndex,
    values: ValueIndex,
    echoes: BTreeSet<ColumnId>,
    measures: BTreeMap<Concept, Vec<MeasureSource>>,
    fingerprint: String,
}

/// A table as the planner sees it.
#[derive(Clone, Debug)]
pub struct TableEntry {
    /// Its name in the source.
    pub name: String,
    /// How SQL names it.
    pub sql_name: String,
    /// The stems of its name.
    pub stems: Vec<String>,
    /// Its columns.
    pub columns: Vec<ColumnEntry>,
    /// The column that tells its rows apart, if one does.
    pub key: Option<usize>,
    /// What its rows are called by.
    pub display: Display,
    /// Whether several of its rows are called the same, so that a name does not say which is meant.
    pub namesakes: bool,
    /// Its times, the likeliest first.
    pub axes: Vec<TimeAxis>,
    /// Rows.
    pub rows: u64,
    /// The engine that has it.
    pub engine: EngineId,
    /// What that engine speaks.
    pub dialect: Dialect,
    /// How SQL names the rows its values are learned from.
    pub sample_name: String,
    /// What its makers say about it.
    pub comments: Comments,
    /// How long its rows last.
    pub lasting: Lasting,
}

/// A column as the planner sees it.
#[derive(Clone, Debug)]
pub struct ColumnEntry {
    /// Its name in the source.
    pub name: String,
    /// The stems of its name.
    pub stems: Vec<String>,
    /// What it holds.
    pub kind: ColumnKind,
    /// What it is for.
    pub part: ColumnPart,
    /// Different values, where they were counted.
    pub distinct: Option<u64>,
    /// How it says yes and no, if that is all it says.
    pub flag: Option<Flag>,
    /// Whether it holds nothing but numbers from 0 to 1.
    pub fraction: bool,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnPart {
    /// It tells rows apart.
    Key,
    /// It refers to rows of another table.
    Reference(JoinId),
    /// It describes the row.
    Attribute,
}

/// What rows of a table are called by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Display {
    /// One column.
    Column(usize),
    /// First and last name, shown as one.
    FullName {
        /// The first name's column.
        first: usize,
        /// The last name's column.
        last: usize,
    },
    /// Nothing names them.
    Nothing,
}

/// A time rows happened at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeAxis {
    /// Where it is written.
    pub place: AxisPlace,
    /// What people call it.
    pub label: String,
    /// The first and last date in the data; none when all values are missing.
    pub range: Option<(Date, Date)>,
    /// Whether it holds the time of day and not only the day.
    pub clock: bool,
    /// How many rows have none, where that is known: a server's table may be too large to be looked through.
    pub missing: Option<u64>,
    /// Whether rows only belong to it where it is named: a birthday is not when a customer was one.
    pub named_only: bool,
}

/// How a time is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AxisPlace {
    /// In a date column.
    Column(usize),
    /// As numbers in columns of their own.
    Parts {
        /// The year's column.
        year: usize,
        /// The month's.
        month: Option<usize>,
        /// The day's.
        day: Option<usize>,
    },
}

/// A way from many rows of one table to one row of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The referring table.
    pub from: TableId,
    /// Its columns.
    pub from_columns: Vec<usize>,
    /// The table referred to.
    pub to: TableId,
    /// Its columns.
    pub to_columns: Vec<usize>,
    /// Whether every value that refers is known to be found there.
    pub whole: bool,
    /// Whether no key links the two, but the day of a date with a row that there is one of for each day.
    pub by_day: bool,
    /// Whether it names one of the rows that belong to those that refer by themselves: the manager of a department,
    /// while employees are in departments.
    pub singles_out: bool,
}

impl Catalogue {
    /// The tables with their ids.
    pub fn tables(&self) -> impl Iterator<Item = (TableId, &TableEntry)> {
        self.tables.iter().enumerate().map(|(at, table)| (TableId(at), table))
    }

    /// A table. Ids come from this catalogue, or from a form whose fingerprint was checked.
    pub fn table(&self, id: TableId) -> &TableEntry {
        &self.tables[id.0]
    }

    /// A column.
    pub fn column(&self, id: ColumnId) -> &ColumnEntry {
        match Made::of(id.column) {
            Some(made) => made.entry(),
            None => &self.tables[id.table.0].columns[id.column],
        }
    }

    /// A join.
    pub fn join(&self, id: JoinId) -> &Join {
        &self.joins[id.0]
    }

    /// The words that name tables and columns.
    pub fn names(&self) -> &NameIndex {
        &self.names
    }

    /// The values found in text columns.
    pub fn values(&self) -> &ValueIndex {
        &self.values
    }

    /// Beside a column of numbers, the one with what they are called: `Product Name` of `Product ID`.
    pub fn called_by(&self, id: ColumnId) -> Option<ColumnId> {
        let table = self.table(id.table);
        let (last, own) = table.columns[id.column].stems.split_last()?;
        if last != "id" || own.is_empty() || table.columns[id.column].part != ColumnPart::Attribute {
            return None;
        }
        let named = |stems: &[String]| stems.split_last().is_some_and(|(last, rest)| last == "name" && rest == own);
        let column = table.columns.iter().position(|column| named(&column.stems))?;
        Some(ColumnId { table: id.table, column })
    }

    /// Whether a place is that of the names that rows of a table are called by.
    pub fn names_rows(&self, place: Thing, table: TableId) -> bool {
        match (place, &self.table(table).display) {
            (Thing::Table(own), _) => own == table,
            (Thing::Column(column), Display::Column(at)) => column.table == table && column.column == *at,
            (Thing::Column(_) | Thing::Concept(_), _) => false,
        }
    }

    /// Whether a column says once more what its rows are called, wherever it holds a name of theirs at all.
    pub fn is_echo(&self, id: ColumnId) -> bool {
        self.echoes.contains(&id)
    }

    /// What holds a concept, best first.
    pub fn measures(&self, concept: Concept) -> &[MeasureSource] {
        self.measures.get(&concept).map_or(&[], Vec::as_slice)
    }

    /// The last date of the data, by which times without a year are told.
    pub fn last_date(&self) -> Option<Date> {
        let axis = |table: &&TableEntry| table.axes.iter().any(|axis| !axis.named_only);
        let busiest = self.tables.iter().filter(axis).max_by_key(|table| table.rows)?;
        busiest.axes.iter().find(|axis| !axis.named_only)?.range.map(|(_, last)| last)
    }

    /// The first and the last date of anything in the data.
    pub fn dates(&self) -> Option<(Date, Date)> {
        let axes = self.tables.iter().flat_map(|table| &table.axes).filter(|axis| !axis.named_only);
        axes.filter_map(|axis| axis.range).reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Whether a column holds years by themselves.
    pub fn is_year(&self, id: ColumnId) -> bool {
        self.table(id.table).axes.iter().any(|axis| match axis.place {
            AxisPlace::Parts { year, month: None, .. } => year == id.column,
            AxisPlace::Parts { .. } | AxisPlace::Column(_) => false,
        })
    }

    /// Changes when tables or columns do: positions in a form are only good for the same fingerprint.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// `Table.Column`, as shown to people.
    pub fn column_label(&self, id: ColumnId) -> String {
        if let Some(made) = Made::of(id.column) {
            return made.label(self);
        }
        format!("{}.{}", self.table(id.table).name, self.column(id).name)
    }

    /// The joins from many to one that lead directly to `table`.
    pub fn referrers(&self, table: TableId) -> impl Iterator<Item = &Join> {
        self.joins.iter().filter(move |join| join.to == table && join.from != table && !join.by_day)
    }

    /// The tables whose rows are people.
    pub fn people(&self) -> impl Iterator<Item = TableId> + '_ {
        let person = |table: &TableEntry| {
            let named = table.stems.iter().any(|stem| lexicon().is_person(stem));
            named || matches!(table.display, Display::FullName { .. })
        };
        self.tables().filter(move |(_, table)| person(table)).map(|(id, _)| id)
    }

    /// The name of its rows in the plural, for people: "invoice lines".
    pub fn plural(&self, table: TableId) -> String {
        plural(&self.table(table).noun())
    }
}

impl TableEntry {
    /// Whether rows are called by that column, or by it and another one.
    pub fn is_name_part(&self, column: usize) -> bool {
        match self.display {
            Display::Column(own) => own == column,
            Display::FullName { first, last } => first == column || last == column,
            Display::Nothing => false,
        }
    }

    /// The name of one of its rows, for people: "invoice line", "sales order".
    pub fn noun(&self) -> String {
        let written: Vec<&str> = self.name.split(|sign: char| !sign.is_alphanumeric()).collect();
        match (self.stems.split_last(), written.split_last()) {
            (Some((last, rest)), Some((_, before))) if before.len() == rest.len() && !before.is_empty() => {
                let before = before.join(" ").to_lowercase();
                format!("{before} {}", spell(std::slice::from_ref(last)))
            }
            _ => spell(&self.stems),
        }
    }
}

impl ColumnEntry {
    /// Its name for people: "billing country".
    pub fn noun(&self) -> String {
        let stems: Vec<String> = match self.stems.as_slice() {
            [rest @ .., last] if last == "id" && !rest.is_empty() => rest.to_vec(),
            all => all.to_vec(),
        };
        spell(&stems)
    }

    /// Whether it can be calculated with.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, ColumnKind::Integer | ColumnKind::Real) && self.part == ColumnPart::Attribute
    }

    /// Whether it is called an id: a number that nothing is calculated with, even where it refers to nothing.
    pub fn is_id(&self) -> bool {
        self.stems.last().is_some_and(|last| last == "id")
    }
}

/// Stems of words that end in "ie" were made to end in "y"; for people that is undone where English knows the word.
fn spell(stems: &[String]) -> String {
    stems.iter().map(|stem| if stem == "movy" { "movie" } else { stem.as_str() }).collect::<Vec<_>>().join(" ")
}

/// Nouns that are the same for one and for several, or are not counted at all.
const SAME: [&str; 25] = [
    "staff",
    "series",
    "species",
    "data",
    "news",
    "many",
    "info",
    "information",
    "equipment",
    "media",
    "money",
    "music",
    "sheep",
    "fish",
    "feedback",
    "software",
    "hardware",
    "stuff",
    "metadata",
    "personnel",
    "traffic",
    "weather",
    "aircraft",
    "people",
    "children",
];

/// An English plural; of what is no English word, the name itself.
pub fn plural(noun: &str) -> String {
    let last = noun.rsplit(' ').next().unwrap_or(noun);
    let vowel_before_y = ["ay", "ey", "oy", "uy"].iter().any(|end| noun.ends_with(end));
    let consonant_before_y = noun.ends_with('y') && !vowel_before_y;
    let is_man = last.ends_with("man") && !["human", "german", "roman", "talisman"].contains(&last);
    match last {
        "person" => format!("{}people", noun.strip_suffix("person").unwrap_or_default()),
        "child" => format!("{noun}ren"),
        // What has no other form, and what is no word at all: an abbreviation, or a name with a number.
        _ if SAME.contains(&last) || last.chars().count() < 3 || !last.chars().all(char::is_alphabetic) => {
            noun.to_owned()
        }
        _ if last.len() > 3 && last.ends_with("is") => format!("{}es", noun.strip_suffix("is").unwrap_or(noun)),
        _ if is_man => format!("{}en", noun.strip_suffix("an").unwrap_or(noun)),
        _ if consonant_before_y => format!("{}ies", noun.strip_suffix('y').unwrap_or(noun)),
        _ if ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn plurals_are_english_and_names_that_are_no_words_stay_as_they_are() {
        for (noun, expected) in [
            ("order", "orders"),
            ("country", "countries"),
            ("day", "days"),
            ("buy", "buys"),
            ("box", "boxes"),
            ("analysis", "analyses"),
            ("status", "statuses"),
            ("salesman", "salesmen"),
            ("human", "humans"),
            ("sales person", "sales people"),
            ("child", "children"),
            ("news", "news"),
            ("weather series", "weather series"),
            ("s", "s"),
            ("qa", "qa"),
            ("t1", "t1"),
            ("many", "many"),
        ] {
            assert_eq!(plural(noun), expected);
        }
    }
}
