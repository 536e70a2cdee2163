//! Yes/no columns: which they are, how they write yes and no, and what people call them. Databases write a yes as `Y`,
//! `J`, 1 or `true`, and a query that takes "there is a value" for it counts the noes as well. Next: `read/flag.rs` for
//! words that name one, `resolve/flag.rs` for the test.

use turnwise_core::{Cell, Table};

use super::values::ValueIndex;
use super::{Catalogue, ColumnPart, TableEntry, build};
use crate::form::{Candidate, ColumnId, Mention, TableId, Thing};
use crate::lexicon::lexicon;
use crate::source::{ColumnKind, EngineId, QueryError, Workbench};
use crate::words;

/// Rows looked at to tell how many say neither: bounds the time to open a large source.
const ROWS_SAMPLED_MAX: u64 = 500_000;
/// Different spellings of yes and no that one column may have.
const SPELLINGS_MAX: u64 = 8;
/// Rows from which on a column of nothing but 0 and 1 is a yes or no whatever it is called.
const ROWS_CERTAIN_MIN: u64 = 30;
/// What ways of saying yes and no go together.
const PAIRS: [(&str, &str); 11] = [
    ("y", "n"),
    ("yes", "no"),
    ("true", "false"),
    ("t", "f"),
    ("1", "0"),
    ("j", "n"),
    ("ja", "nein"),
    ("wahr", "falsch"),
    ("oui", "non"),
    ("tak", "nie"),
    ("on", "off"),
];
/// Stems before the name of what is or is not the case.
const BEFORE: [&str; 17] = [
    "is", "has", "was", "had", "are", "were", "have", "been", "did", "can", "ist", "hat", "war", "wurde", "flag",
    "bool", "b",
];
/// Stems behind it.
const BEHIND: [&str; 5] = ["flag", "yn", "ind", "indicator", "bool"];
/// Ends of words that say how something is.
const ENDS_OF_STATES: [&str; 6] = ["ed", "able", "ible", "iert", "ive", "ous"];

/// How a column says yes and no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// As a truth, which SQL tests by itself; else the values for yes and for no.
    pub written: Option<Written>,
    /// Rows that say neither.
    pub unsaid: u64,
    /// Rows looked at.
    pub rows: u64,
}

/// The values a column has for yes and for no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// 1 and 0.
    Number,
    /// As the data spells them.
    Text {
        /// For yes.
        yes: Vec<String>,
        /// For no.
        no: Vec<String>,
    },
}

impl Written {
    /// The values that say `value`.
    pub fn cells(&self, value: bool) -> Vec<Cell> {
        match self {
            Self::Number => vec![Cell::Integer(i64::from(value))],
            Self::Text { yes, no } => (if value { yes } else { no }).iter().cloned().map(Cell::Text).collect(),
        }
    }
}

/// Finds the yes/no columns of all tables.
pub fn find(bench: &Workbench, tables: &mut [TableEntry], values: &ValueIndex) -> Result<(), QueryError> {
    for (at, table) in tables.iter_mut().enumerate() {
        let looks: Vec<(usize, Option<Written>)> = (0..table.columns.len())
            .filter(|&column| table.columns[column].part == ColumnPart::Attribute)
            .filter_map(|column| Some((column, look(values, TableId(at), table, column)?)))
            .collect();
        if looks.is_empty() {
            continue;
        }
        let found = counted(bench, table, &looks)?;
        for (column, flag) in found {
            table.columns[column].flag = Some(flag);
        }
    }
    Ok(())
}

/// How a column may say yes and no, as far as its kind and its known values tell.
fn look(values: &ValueIndex, id: TableId, table: &TableEntry, column: usize) -> Option<Option<Written>> {
    let place = ColumnId { table: id, column };
    let entry = &table.columns[column];
    match entry.kind {
        ColumnKind::Boolean => Some(None),
        ColumnKind::Integer if !counts(&entry.stems, &entry.name) => Some(Some(Written::Number)),
        ColumnKind::Text if values.count(place).is_some_and(|count| (1..=SPELLINGS_MAX).contains(&count)) => {
            let spelt: Vec<&str> = values.of(place).collect();
            spellings(&spelt, is_marked(&entry.stems)).map(Some)
        }
        ColumnKind::Integer | ColumnKind::Real | ColumnKind::Text | ColumnKind::Date | ColumnKind::Blob => None,
    }
}

/// The spellings of yes and of no, where every value is one of them.
fn spellings(values: &[&str], marked: bool) -> Option<Written> {
    let folded: Vec<String> = values.iter().map(|value| words::fold(value.trim())).collect();
    let has = |word: &str| folded.iter().any(|value| value == word);
    let pairs: Vec<&(&str, &str)> =
        PAIRS.iter().filter(|(yes, no)| if marked { has(yes) || has(no) } else { has(yes) && has(no) }).collect();
    let of = |side: fn(&(&str, &str)) -> String| -> Vec<String> {
        let own = |at: &usize| pairs.iter().any(|pair| side(pair) == folded[*at]);
        (0..values.len()).filter(own).map(|at| values[at].to_owned()).collect()
    };
    let (yes, no) = (of(|pair| pair.0.to_owned()), of(|pair| pair.1.to_owned()));
    let all = yes.len() + no.len() == values.len();
    (all && !(yes.is_empty() && no.is_empty())).then_some(Written::Text { yes, no })
}

/// Whether a name begins or ends as those of yes/no columns do.
fn is_marked(stems: &[String]) -> bool {
    bare(stems).len() < stems.len()
}

/// Whether a column of this name holds how many or how much, which may happen to be 0 and 1 only.
fn counts(stems: &[String], name: &str) -> bool {
    if is_marked(stems) {
        return false;
    }
    let plural = words::fold(name).split(|c: char| !c.is_alphanumeric()).next_back().is_some_and(|last| {
        last.len() > 3 && words::singular(last) != last && stems.last().is_some_and(|stem| stem != last)
    });
    let amount = |stem: &String| {
        lexicon().concept(stem).is_some()
            || lexicon().unit(stem).is_some()
            || matches!(stem.as_str(), "count" | "number" | "num" | "nr" | "id" | "code" | "rank" | "level" | "index")
            || matches!(stem.as_str(), "year" | "month" | "day" | "hour" | "minute" | "position" | "point" | "goal")
    };
    plural || stems.iter().any(amount)
}

/// Counts the rows that say neither, and lets go of numbers that are others than 0 and 1.
fn counted(
    bench: &Workbench,
    table: &TableEntry,
    looks: &[(usize, Option<Written>)],
) -> Result<Vec<(usize, Flag)>, QueryError> {
    let quoted = |column: usize| table.dialect.quoted(&table.columns[column].name);
    let mut wanted = vec!["COUNT(*)".to_owned()];
    for (column, written) in looks {
        let name = quoted(*column);
        wanted.push(match written {
            Some(Written::Text { .. }) => format!("COUNT(NULLIF({name}, ''))"),
            Some(Written::Number) | None => format!("COUNT({name})"),
        });
        if *written == Some(Written::Number) {
            wanted.push(format!("MIN({name})"));
            wanted.push(format!("MAX({name})"));
        }
    }
    let columns: Vec<String> = looks.iter().map(|(column, _)| quoted(*column)).collect();
    let (columns, derived) = (columns.join(", "), table.dialect.derived());
    let rows = format!("SELECT {columns} FROM {}{derived} LIMIT {ROWS_SAMPLED_MAX}", table.sample_name);
    let sql = format!("SELECT {} FROM ({rows}){derived}", wanted.join(", "));
    let found = match build::query(bench, table, &sql, 1) {
        // A server's table may be too large to be looked through; then nothing is known of its numbers.
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Table::default(),
        found => found?,
    };
    let Some(row) = found.rows.first() else { return Ok(Vec::new()) };
    let mut cells = row.iter().map(whole);
    let rows = cells.next().flatten().unwrap_or_default();
    let mut flags = Vec::new();
    for (column, written) in looks {
        let said = cells.next().flatten().unwrap_or_default();
        if *written == Some(Written::Number) {
            let ends = (cells.next().flatten(), cells.next().flatten());
            let named = is_state(&table.columns[*column].stems);
            if ends != (Some(0), Some(1)) || !(named || rows >= ROWS_CERTAIN_MIN) {
                continue;
            }
        }
        flags.push((*column, Flag { written: written.clone(), unsaid: rows.saturating_sub(said), rows }));
    }
    Ok(flags)
}

fn whole(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(number) => u64::try_from(*number).ok(),
        Cell::Text(text) => text.parse().ok(),
        Cell::Null | Cell::Real(_) => None,
    }
}

/// Whether a name says by itself that it is or is not the case.
fn is_state(stems: &[String]) -> bool {
    let ends = |stem: &String| ENDS_OF_STATES.iter().any(|end| stem.len() > end.len() + 2 && stem.ends_with(end));
    is_marked(stems) || stems.last().is_some_and(|last| ends(last) || lexicon().is_state(last))
}

/// What is or is not the case: the name without "is", "has" and the like.
pub fn bare(stems: &[String]) -> &[String] {
    let is = |stem: &String, list: &[&str]| list.contains(&stem.as_str());
    match stems {
        [first, rest @ ..] if !rest.is_empty() && is(first, &BEFORE) => rest,
        [rest @ .., last] if !rest.is_empty() && is(last, &BEHIND) => rest,
        all => all,
    }
}

impl Catalogue {
    /// The yes/no columns with their flags.
    pub fn flags(&self) -> impl Iterator<Item = (ColumnId, &Flag)> {
        self.tables().flat_map(|(table, entry)| {
            let columns = entry.columns.iter().enumerate();
            columns.filter_map(move |(column, entry)| Some((ColumnId { table, column }, entry.flag.as_ref()?)))
        })
    }

    /// Whether a mention may be of a yes/no column.
    pub fn is_flag_mention(&self, mention: &Mention) -> bool {
        mention.columns().any(|column| self.column(column).flag.is_some())
    }

    /// Whether a thing is a yes/no column.
    pub fn is_flag(&self, thing: Thing) -> bool {
        matches!(thing, Thing::Column(column) if self.column(column).flag.is_some())
    }

    /// The readings of a mention that are yes/no columns, where none of the others fits better.
    pub fn flag_readings(&self, mention: &Mention) -> Option<Mention> {
        let flags: Vec<Candidate> =
            mention.candidates.iter().copied().filter(|candidate| self.is_flag(candidate.thing)).collect();
        let best = flags.iter().map(|candidate| candidate.score).max()?;
        let other = mention.candidates.iter().filter(|candidate| !self.is_flag(candidate.thing));
        let beaten = other.map(|candidate| candidate.score).max().is_some_and(|other| other > best);
        (!beaten).then(|| Mention { words: mention.words.clone(), candidates: flags })
    }
}
