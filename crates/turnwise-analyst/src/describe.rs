//! Questions about the data rather than of it: "what does dep_delay mean?", "what is in planes?", "how many rows are
//! there?". They are answered at once, from the catalogue and a short look at the column, because nobody should have to
//! approve a plan to learn what a word stands for. Next: `answer`, which asks here first.

use std::time::Duration;

use turnwise_core::Cell;

use super::catalogue::{AxisPlace, Catalogue, ColumnPart, Display, TableEntry};
use super::form::{ColumnId, TableId, Thing};
use super::lexicon::lexicon;
use super::source::{ColumnKind, Dialect, QueryLimits, Workbench};
use super::words::{self, Word};

/// Seconds a look at one column may take before the answer does without its figures.
const LOOK_SECONDS_MAX: u64 = 5;
/// Values shown as examples.
const EXAMPLES_MAX: usize = 5;
/// Columns of the same name that are described; more are only named.
const COLUMNS_MAX: usize = 3;
/// Fit a name must have to be what was asked about.
const FIT_MIN: u32 = 75;

/// Words that say nothing about what is asked about.
const FILLERS: [&str; 26] = [
    "the",
    "a",
    "an",
    "column",
    "columns",
    "field",
    "fields",
    "attribute",
    "table",
    "tables",
    "file",
    "dataset",
    "data",
    "please",
    "exactly",
    "actually",
    "here",
    "our",
    "your",
    "value",
    "values",
    "is",
    "are",
    "called",
    "named",
    "kind",
];
/// Words for a row.
const ROWS: [&str; 4] = ["row", "record", "entry", "line"];
/// Words that may stand around a question for the number of rows.
const AROUND_ROWS: [&str; 22] = [
    "how", "many", "row", "record", "entry", "line", "are", "is", "there", "in", "the", "does", "do", "of", "have",
    "has", "we", "table", "file", "data", "it", "total",
];

/// What `text` asks about the data itself, answered; none when it asks something else.
pub fn described(bench: &Workbench, catalogue: &Catalogue, text: &str) -> Option<String> {
    let words = words::split(text);
    if let Some(rows) = rows(catalogue, &words) {
        return Some(rows);
    }
    let subject = subject(&words)?;
    let (table, subject) = within(catalogue, subject);
    let named = named(catalogue, &subject.own, table);
    let loose = subject.loose && !is_spelt_out(catalogue, &subject.own, &named);
    if named.is_empty() || loose {
        return None;
    }
    let told = named.iter().take(COLUMNS_MAX).map(|thing| match thing {
        Thing::Table(table) => about_table(catalogue, *table),
        Thing::Column(column) => about_column(bench, catalogue, *column),
        Thing::Concept(_) => String::new(),
    });
    let mut told: Vec<String> = told.collect();
    if named.len() > COLUMNS_MAX {
        let rest: Vec<String> = named.iter().skip(COLUMNS_MAX).filter_map(|thing| label(catalogue, *thing)).collect();
        told.push(format!("The name also fits {}.", rest.join(", ")));
    }
    Some(told.join("\n"))
}

/// What a text asks about, in its own words.
struct Subject {
    own: Vec<Word>,
    /// Whether the words around may ask for something else as well ("what is …").
    loose: bool,
}

/// "how many rows are there", "how many records does flights have".
fn rows(catalogue: &Catalogue, words: &[Word]) -> Option<String> {
    let [how, many, rest @ ..] = words else { return None };
    let counts = how.folded == "how" && many.folded == "many";
    if !counts || !rest.first().is_some_and(|word| ROWS.contains(&word.stem.as_str())) {
        return None;
    }
    let is_row_table = |word: &Word| catalogue.tables().any(|(_, table)| table.stems.contains(&word.stem));
    if rest.first().is_some_and(is_row_table) {
        return None;
    }
    let named: Vec<&Word> = rest.iter().filter(|word| !AROUND_ROWS.contains(&word.folded.as_str())).collect();
    let named: Vec<&Word> = named.into_iter().filter(|word| !ROWS.contains(&word.stem.as_str())).collect();
    let told = |table: &TableEntry| format!("{} has {} rows.", table.name, table.rows);
    if named.is_empty() {
        return Some(catalogue.tables().map(|(_, table)| told(table)).collect::<Vec<_>>().join(" "));
    }
    let stems: Vec<String> = named.iter().map(|word| word.stem.clone()).collect();
    let found = catalogue.names().find(&stems);
    let mut tables = found.iter().filter_map(|candidate| match candidate.thing {
        Thing::Table(table) if candidate.score >= FIT_MIN => Some(table),
        Thing::Table(_) | Thing::Column(_) | Thing::Concept(_) => None,
    });
    let first = tables.next()?;
    tables.next().is_none().then(|| told(catalogue.table(first)))
}

/// The words asked about, where the ones around them ask for a meaning or a content.
fn subject(words: &[Word]) -> Option<Subject> {
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let own = |from: usize, until: usize| {
        let own = words.get(from..until).unwrap_or_default().iter();
        own.filter(|word| !FILLERS.contains(&word.folded.as_str())).cloned().collect::<Vec<Word>>()
    };
    let end = folded.len();
    let said_kind = folded.iter().any(|word| matches!(*word, "column" | "field" | "table" | "file" | "attribute"));
    let found = match folded.as_slice() {
        ["what", "do" | "does" | "did", .., "mean" | "contain" | "hold" | "represent" | "include" | "measure"] => {
            (2, end - 1, false)
        }
        ["what", "do" | "does", .., "stand", "for"] => (2, end - 2, false),
        ["what", "is" | "are", "in" | "inside", ..] => (3, end, false),
        ["what", "is" | "are", "the", "meaning" | "definition", "of", ..] => (5, end, false),
        ["what", "in" | "inside", ..] => (2, end, false),
        ["what", "is", "meant", "by" | "with", ..] => (4, end, false),
        ["describe" | "define" | "explain", ..] => (1, end, false),
        ["meaning" | "definition", "of", ..] => (2, end, false),
        ["tell", "me", "about", ..] | ["tell", "us", "about", ..] => (3, end, !said_kind),
        ["what", "is" | "are", ..] => (2, end, !said_kind),
        _ => return None,
    };
    let own = own(found.0, found.1);
    (!own.is_empty()).then_some(Subject { own, loose: found.2 })
}

/// "dep_delay in flights", "the price of products": the table the column is in.
fn within(catalogue: &Catalogue, subject: Subject) -> (Option<TableId>, Subject) {
    let at = subject.own.iter().rposition(|word| matches!(word.folded.as_str(), "in" | "of" | "from" | "for"));
    let Some((column, owner)) = at.and_then(|at| Some((subject.own.get(..at)?, subject.own.get(at + 1..)?))) else {
        return (None, subject);
    };
    let table = tables(catalogue, owner).first().copied();
    match table {
        Some(table) if !column.is_empty() => (Some(table), Subject { own: column.to_vec(), loose: subject.loose }),
        _ => (None, subject),
    }
}

fn stems(words: &[Word]) -> Vec<String> {
    words.iter().map(|word| word.stem.clone()).collect()
}

fn tables(catalogue: &Catalogue, words: &[Word]) -> Vec<TableId> {
    let found = catalogue.names().find(&stems(words)).into_iter();
    let table = |thing: Thing| match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(_) | Thing::Concept(_) => None,
    };
    found.filter(|candidate| candidate.score >= FIT_MIN).filter_map(|candidate| table(candidate.thing)).collect()
}

/// What the words name best: a table before the columns that refer to it.
fn named(catalogue: &Catalogue, words: &[Word], table: Option<TableId>) -> Vec<Thing> {
    let mut found = catalogue.names().find(&stems(words));
    found.retain(|candidate| candidate.score >= FIT_MIN);
    if let Some(table) = table {
        found.retain(|candidate| matches!(candidate.thing, Thing::Column(column) if column.table == table));
    }
    let best = found.iter().map(|candidate| candidate.score).max().unwrap_or_default();
    found.retain(|candidate| candidate.score == best);
    if let Some(table) = found.iter().find(|candidate| matches!(candidate.thing, Thing::Table(_))) {
        return vec![table.thing];
    }
    found.into_iter().map(|candidate| candidate.thing).collect()
}

/// "what is dep_delay" can only ask for its meaning; "what is the average delay" asks for a number.
fn is_spelt_out(catalogue: &Catalogue, words: &[Word], named: &[Thing]) -> bool {
    let typed: String = words.iter().map(|word| word.folded.as_str()).collect();
    named.iter().any(|thing| match thing {
        Thing::Table(table) => words::fold(&catalogue.table(*table).name) == typed,
        Thing::Column(column) => {
            let name = words::fold(&catalogue.column(*column).name);
            name.contains('_') && name.chars().filter(|c| c.is_alphanumeric()).eq(typed.chars())
        }
        Thing::Concept(_) => false,
    })
}

fn label(catalogue: &Catalogue, thing: Thing) -> Option<String> {
    match thing {
        Thing::Table(table) => Some(catalogue.table(table).name.clone()),
        Thing::Column(column) => Some(catalogue.column_label(column)),
        Thing::Concept(_) => None,
    }
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "whole numbers",
        ColumnKind::Real => "numbers",
        ColumnKind::Text => "text",
        ColumnKind::Date => "dates",
        ColumnKind::Boolean => "yes or no",
        ColumnKind::Blob => "bytes",
    }
}

fn about_table(catalogue: &Catalogue, id: TableId) -> String {
    let table = catalogue.table(id);
    let columns: Vec<String> =
        table.columns.iter().map(|column| format!("{} ({})", column.name, kind_name(column.kind))).collect();
    let mut told =
        format!("{} has {} rows and {} columns: {}.", table.name, table.rows, columns.len(), columns.join(", "));
    if let Some(key) = table.key {
        told.push_str(&format!(" {} tells its rows apart.", table.columns[key].name));
    }
    if let Display::Column(name) = table.display {
        told.push_str(&format!(" A {} is called by its {}.", table.noun(), table.columns[name].name));
    }
    for axis in &table.axes {
        let yearly = matches!(axis.place, AxisPlace::Parts { month: None, .. });
        if let (Some((first, last)), true) = (axis.range, yearly) {
            told.push_str(&format!(" {} runs from {} to {}.", axis.label, first.year(), last.year()));
        } else if let Some((first, last)) = axis.range {
            told.push_str(&format!(" {} runs from {first} to {last}.", axis.label));
        }
    }
    let mut referring: Vec<String> = catalogue
        .referrers(id)
        .map(|join| {
            let from = catalogue.table(join.from);
            let by: Vec<&str> = join.from_columns.iter().map(|&at| from.columns[at].name.as_str()).collect();
            format!("{}.{}", from.name, by.join(", "))
        })
        .collect();
    referring.dedup();
    if !referring.is_empty() {
        told.push_str(&format!(" Referred to by {}.", referring.join(" and ")));
    }
    told
}

fn about_column(bench: &Workbench, catalogue: &Catalogue, id: ColumnId) -> String {
    let column = catalogue.column(id);
    let mut told = format!("{} holds {}", catalogue.column_label(id), kind_name(column.kind));
    let spelt: Vec<&str> = column.stems.iter().map(|stem| lexicon().canonical(stem)).collect();
    if spelt.iter().zip(&column.stems).any(|(spelt, stem)| spelt != stem) {
        told.push_str(&format!("; by its name the {}", spelt.join(" ")));
    }
    match column.part {
        ColumnPart::Key => told.push_str("; it tells the rows apart"),
        ColumnPart::Reference(join) => {
            let to = catalogue.join(join).to;
            told.push_str(&format!("; it refers to {}", catalogue.table(to).name));
        }
        ColumnPart::Attribute => {}
    }
    told.push('.');
    match figures(bench, catalogue, id) {
        Some(figures) => told.push_str(&figures),
        None => told.push_str(" Its values could not be looked at in a few seconds."),
    }
    match catalogue.table(id.table).comments.columns.get(&column.name) {
        Some(comment) => told.push_str(&format!(" The database says of it: {comment}.")),
        None => told.push_str(" The data holds no description of it beyond that."),
    }
    told
}

/// Range, gaps and examples of a column.
fn figures(bench: &Workbench, catalogue: &Catalogue, id: ColumnId) -> Option<String> {
    let (table, column) = (catalogue.table(id.table), catalogue.column(id));
    let (source, name) = (format!("{}{}", table.sql_name, table.dialect.derived()), table.dialect.quoted(&column.name));
    let ordered = column.kind != ColumnKind::Blob;
    // True and false have no order on servers.
    let ranged = ordered && (column.kind != ColumnKind::Boolean || table.dialect == Dialect::Sqlite);
    let range = if ranged { format!("MIN({name}), MAX({name})") } else { "NULL, NULL".to_owned() };
    let found = look(bench, table, &format!("SELECT COUNT(*), COUNT({name}), {range} FROM {source}"), 1)?;
    let [Cell::Integer(all), Cell::Integer(filled), low, high] = found.first()?.as_slice() else { return None };
    let mut told = String::new();
    if column.kind != ColumnKind::Text && *filled > 0 && ranged {
        told.push_str(&format!(" From {low} to {high}."));
    }
    let missing = all - filled;
    told.push_str(&match missing {
        0 => " No row lacks it.".to_owned(),
        _ if *filled == 0 => format!(" All {all} rows lack it."),
        _ => format!(" {missing} of {all} rows lack it."),
    });
    if !ordered {
        return Some(told);
    }
    let sql = format!(
        "SELECT {name}, COUNT(*) FROM {source} WHERE {name} IS NOT NULL GROUP BY {name} \
         ORDER BY COUNT(*) DESC, {name} LIMIT {EXAMPLES_MAX}"
    );
    let examples: Vec<String> = look(bench, table, &sql, EXAMPLES_MAX)?
        .iter()
        .filter_map(|row| Some(format!("{} ({}×)", row.first()?, row.get(1)?)))
        .collect();
    if !examples.is_empty() {
        told.push_str(&format!(" Most frequent: {}.", examples.join(", ")));
    }
    Some(told)
}

fn look(bench: &Workbench, table: &TableEntry, sql: &str, rows_max: usize) -> Option<Vec<Vec<Cell>>> {
    let limits = QueryLimits { rows_max, timeout: Duration::from_secs(LOOK_SECONDS_MAX) };
    bench.query_over(std::slice::from_ref(&table.name), sql, &[], limits, || false).ok().map(|table| table.rows)
}
