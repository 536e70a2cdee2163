//! What lasts from one date to another: which date ends a row's time, and which tables hold one thing as it was over
//! time, row after row. Rows without an end are the current ones, and a number taken over all versions of a thing says
//! nothing of it. Next: `read/lasting.rs` for words, `resolve/current.rs` for numbers.

use turnwise_core::{Cell, Table};

use super::{ColumnPart, TableEntry, build};
use crate::source::{ColumnKind, Dialect, EngineId, QueryError, Workbench};

/// Beginnings of words that say that something ended.
const ENDS: [&str; 17] = [
    "terminat",
    "ended",
    "end",
    "left",
    "leav",
    "exit",
    "resign",
    "churn",
    "cancel",
    "clos",
    "retir",
    "expired",
    "discontinu",
    "deactivat",
    "dismiss",
    "quit",
    "withdr",
];
/// Words for the end of a time that began beside it.
const UNTIL: [&str; 4] = ["to", "until", "till", "thru"];
/// Words for its beginning.
const FROM: [&str; 8] = ["from", "start", "started", "since", "begin", "began", "effective", "valid"];

/// What is known of how long the rows of a table last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasting {
    /// Dates that some rows lack.
    pub open: Vec<usize>,
    /// Those of them that end something.
    pub ends: Vec<usize>,
    /// The end, where rows are versions of what one of their columns refers to, of which one at most has no end.
    pub versions: Option<usize>,
    /// The column that refers to what they are versions of.
    pub versions_of: Option<usize>,
}

/// Looks through the dates of all tables.
pub fn find(bench: &Workbench, tables: &mut [TableEntry]) -> Result<(), QueryError> {
    for table in tables {
        let dates: Vec<usize> =
            (0..table.columns.len()).filter(|&at| table.columns[at].kind == ColumnKind::Date).collect();
        if dates.is_empty() {
            continue;
        }
        let open = open(bench, table, &dates)?;
        let ends = open.iter().copied().filter(|&at| is_end(table, at)).collect();
        table.lasting = Lasting { open, ends, ..Lasting::default() };
        (table.lasting.versions, table.lasting.versions_of) = versions(bench, table)?.unzip();
    }
    Ok(())
}

/// The dates that some rows have and others lack.
fn open(bench: &Workbench, table: &TableEntry, dates: &[usize]) -> Result<Vec<usize>, QueryError> {
    let counts = dates.iter().map(|&at| {
        let name = table.dialect.quoted(&table.columns[at].name);
        format!("COUNT({})", written(table, &name))
    });
    let counts: Vec<String> = std::iter::once("COUNT(*)".to_owned()).chain(counts).collect();
    let derived = table.dialect.derived();
    let found = looked(bench, table, &format!("SELECT {} FROM {}{derived}", counts.join(", "), table.sql_name))?;
    let Some([Cell::Integer(rows), counts @ ..]) = found.rows.first().map(Vec::as_slice) else {
        return Ok(Vec::new());
    };
    let lacks = |cell: &Cell| matches!(cell, Cell::Integer(count) if *count > 0 && count < rows);
    Ok(dates.iter().zip(counts).filter(|(_, count)| lacks(count)).map(|(at, _)| *at).collect())
}

/// A date as it is, or none where nothing is written: files have empty texts for that.
fn written(table: &TableEntry, name: &str) -> String {
    if table.dialect == Dialect::Sqlite { format!("NULLIF({name}, '')") } else { name.to_owned() }
}

/// A server's table may be too large to be looked through; then nothing is known of how long its rows last.
fn looked(bench: &Workbench, table: &TableEntry, sql: &str) -> Result<Table, QueryError> {
    match build::query(bench, table, sql, 1) {
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Ok(Table::default()),
        found => found,
    }
}

fn is_end(table: &TableEntry, at: usize) -> bool {
    let stems = &table.columns[at].stems;
    let ends = |stem: &String| match stem.as_str() {
        // A trip ends; an endorsement does not.
        "end" | "ended" => true,
        stem => ENDS.iter().any(|end| *end != "end" && stem.starts_with(end)),
    };
    stems.iter().any(ends)
        || (stems.iter().any(|stem| UNTIL.contains(&stem.as_str())) && beginning(table, at).is_some())
}

/// The date from which on a row lasts, beside the one that ends it.
fn beginning(table: &TableEntry, end: usize) -> Option<usize> {
    let begins = |stem: &String| FROM.contains(&stem.as_str());
    (0..table.columns.len()).find(|&at| {
        let column = &table.columns[at];
        at != end && column.kind == ColumnKind::Date && column.stems.iter().any(begins)
    })
}

/// The end of versions and what they are of: rows without a key of their own that refer to something, of which one at
/// most is without end.
fn versions(bench: &Workbench, table: &TableEntry) -> Result<Option<(usize, usize)>, QueryError> {
    let [end] = table.lasting.ends.as_slice() else { return Ok(None) };
    let history = table.stems.iter().any(|stem| stem.starts_with("histor") || stem == "version");
    if beginning(table, *end).is_none() || (table.key.is_some() && !history) {
        return Ok(None);
    }
    let quoted = |at: usize| table.dialect.quoted(&table.columns[at].name);
    let end_of = written(table, &quoted(*end));
    for at in 0..table.columns.len() {
        if !matches!(table.columns[at].part, ColumnPart::Reference(_)) {
            continue;
        }
        let of = quoted(at);
        let open = format!("CASE WHEN {end_of} IS NULL THEN {of} END");
        let (name, derived) = (&table.sql_name, table.dialect.derived());
        let sql = format!(
            "SELECT COUNT({of}), COUNT(DISTINCT {of}), COUNT({open}), COUNT(DISTINCT {open}) FROM {name}{derived}"
        );
        let found = looked(bench, table, &sql)?;
        if let Some([Cell::Integer(rows), Cell::Integer(things), Cell::Integer(open), Cell::Integer(current)]) =
            found.rows.first().map(Vec::as_slice)
            && rows > things
            && open == current
        {
            return Ok(Some((*end, at)));
        }
    }
    Ok(None)
}
