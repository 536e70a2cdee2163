//! How a large CSV file is read: the engine's guess at its types, tried on every row. What is no number to us (a postal
//! code with a zero in front, an account of twenty digits) stays a text, and so do dates that could be read in two
//! ways, as in a file that is loaded. Next: `describe`.

use std::path::Path;

use duckdb::{Connection, Error};

use super::super::super::SourceError;
use super::super::super::names::quoted;
use super::describe::{Reading, broken, columns};
use super::text;

/// Words that stand for a missing value.
const MISSING: &str = "nullstr = ['', 'NA', 'N/A', '#N/A', 'NULL', 'NaN', 'na', 'n/a', 'null', 'nan']";

/// Looks at the file.
pub fn read(connection: &Connection, path: &Path) -> Result<Reading, SourceError> {
    let file = text(&path.to_string_lossy());
    let guessed = columns(connection, path, &format!("read_csv({file}, {MISSING})"))?;
    let damaged = |error: Error| broken(path, &error);
    let sniffed = Sniffed::of(connection, &file).map_err(damaged)?;
    let misfits = guessed.iter().map(|(name, kind)| sniffed.misfits(name, kind));
    let tried: Vec<String> = misfits.chain(guessed.iter().map(|(name, kind)| sniffed.undecided(name, kind))).collect();
    let raw = format!("read_csv({file}, {MISSING}, all_varchar = true, {})", sniffed.options());
    let sql = format!("SELECT COUNT(*), {} FROM {raw}", tried.join(", "));
    let counts = connection
        .query_row(&sql, [], |row| (0..=guessed.len() * 2).map(|at| row.get(at)).collect::<Result<Vec<u64>, Error>>());
    let counts = counts.map_err(damaged)?;
    let mut notes = Vec::new();
    let mut kinds = Vec::new();
    let (misfits, undecided) = counts[1..].split_at(guessed.len());
    for (((name, kind), misfits), undecided) in guessed.into_iter().zip(misfits).zip(undecided) {
        if *misfits > 0 {
            let others = turnwise_core::text::count(usize::try_from(*misfits).unwrap_or(usize::MAX), "value");
            notes.push(format!("The column {name} holds {others} that do not fit the others, so all of it is text."));
        } else if *undecided > 0 {
            notes.push(format!(
                "The dates in {name} could be day/month or month/day, so they are kept as text; write them as \
                 2024-03-01 to use them as dates."
            ));
        }
        kinds.push((name, if misfits + undecided > 0 { "VARCHAR".to_owned() } else { kind }));
    }
    let typed: Vec<String> = kinds.iter().map(|(name, kind)| format!("{}: '{kind}'", text(name))).collect();
    let types = format!("types = {{{}}}", typed.join(", "));
    let from = format!("read_csv({file}, {MISSING}, {types}, {})", sniffed.options());
    Ok(Reading { from, columns: kinds, rows: counts[0], notes })
}

/// What the engine found out about how the file is written.
struct Sniffed {
    header: bool,
    delimiter: String,
    date: Option<String>,
    timestamp: Option<String>,
}

impl Sniffed {
    fn of(connection: &Connection, file: &str) -> Result<Self, Error> {
        let sql = format!("SELECT HasHeader, Delimiter, DateFormat, TimestampFormat FROM sniff_csv({file}, {MISSING})");
        connection.query_row(&sql, [], |row| {
            Ok(Self { header: row.get(0)?, delimiter: row.get(1)?, date: row.get(2)?, timestamp: row.get(3)? })
        })
    }

    fn options(&self) -> String {
        let mut options = format!("header = {}, delim = {}", self.header, text(&self.delimiter));
        for (name, format) in [("dateformat", &self.date), ("timestampformat", &self.timestamp)] {
            if let Some(format) = format.as_ref().filter(|format| !format.is_empty()) {
                options.push_str(&format!(", {name} = {}", text(format)));
            }
        }
        options
    }

    /// Counts the values of a column that its type does not do justice to.
    fn misfits(&self, name: &str, kind: &str) -> String {
        let name = quoted(name);
        let counted = |test: &str| format!("COUNT(*) FILTER ({name} IS NOT NULL AND ({test}))");
        match kind {
            "VARCHAR" => "0".to_owned(),
            "BIGINT" | "DOUBLE" | "INTEGER" | "HUGEINT" => counted(&format!(
                "TRY_CAST({name} AS {kind}) IS NULL OR regexp_matches(trim({name}), '^([+]|-?0[0-9]|-?[0-9]{{19,}}$)')"
            )),
            "DATE" => counted(&misread(&name, kind, self.date.as_deref())),
            "TIMESTAMP" => counted(&misread(&name, kind, self.timestamp.as_deref())),
            _ => counted(&format!("TRY_CAST({name} AS {kind}) IS NULL")),
        }
    }

    /// How many dates there are, if all of them could also be read with day and month the other way round: then a
    /// guess would move sales between months.
    fn undecided(&self, name: &str, kind: &str) -> String {
        let format = match kind {
            "DATE" => self.date.as_deref(),
            "TIMESTAMP" => self.timestamp.as_deref(),
            _ => None,
        };
        let name = quoted(name);
        format.and_then(turned).map_or_else(
            || "0".to_owned(),
            |other| {
                let read = format!("COUNT(try_strptime({name}, {}))", text(&other));
                format!("CASE WHEN COUNT({name}) = {read} THEN COUNT({name}) ELSE 0 END")
            },
        )
    }
}

/// A test for what is no date in this form.
fn misread(name: &str, kind: &str, format: Option<&str>) -> String {
    match format.filter(|format| !format.is_empty()) {
        Some(format) => format!("try_strptime({name}, {}) IS NULL", text(format)),
        None => format!("TRY_CAST({name} AS {kind}) IS NULL"),
    }
}

/// The same form with day and month the other way round, where one of them comes first.
fn turned(format: &str) -> Option<String> {
    match format.get(..2) {
        Some("%d") => Some(format.replacen("%m", "%d", 1).replacen("%d", "%m", 1)),
        Some("%m") => Some(format.replacen("%d", "%m", 1).replacen("%m", "%d", 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_and_month_change_places() {
        assert_eq!(turned("%d/%m/%Y"), Some("%m/%d/%Y".to_owned()));
        assert_eq!(turned("%m-%d-%Y %H:%M:%S"), Some("%d-%m-%Y %H:%M:%S".to_owned()));
        assert_eq!(turned("%Y-%m-%d"), None);
    }
}
