//! Builds the catalogue from a workbench. Everything slow about the data happens here, once. Next: `names`.

use std::time::Duration;

use jiff::civil::Date;
use turnwise_core::{Cell, Table};

use super::{
    AxisPlace, Catalogue, ColumnEntry, ColumnPart, Display, NameIndex, TableEntry, TimeAxis, ValueIndex, keys,
    measures, paths,
};
use crate::form::{ColumnId, TableId};
use crate::lexicon::lexicon;
use crate::source::{ColumnKind, EngineId, QueryError, QueryLimits, SourceColumn, SourceTable, Workbench};
use crate::{sql, words};

/// Seconds one look at the data may take while the catalogue is built.
const LOOK_SECONDS_MAX: u64 = 30;

impl Catalogue {
    /// Looks at some of the tables of the workbench.
    ///
    /// # Errors
    /// When a table cannot be queried.
    pub fn build(bench: &Workbench, sources: &[SourceTable]) -> Result<Self, QueryError> {
        let mut tables: Vec<TableEntry> = sources.iter().map(entry).collect();
        super::spelled::spell_out(&mut tables);
        keys::find_keys(bench, sources, &mut tables)?;
        let mut joins = keys::find_joins(bench, sources, &mut tables)?;
        super::roles::single_out(&tables, &mut joins);
        for table in &mut tables {
            table.display = display(table);
            table.namesakes = namesakes(bench, table)?;
            table.axes = axes(bench, table)?;
            super::fractions::find(bench, table)?;
        }
        let keyed = joins.len();
        joins.extend(super::days::find(bench, &mut tables, &joins)?);
        let values = ValueIndex::learn(bench, &tables)?;
        for (at, table) in tables.iter_mut().enumerate() {
            for (number, column) in table.columns.iter_mut().enumerate() {
                column.distinct = values.count(ColumnId { table: TableId(at), column: number });
            }
        }
        super::flag::find(bench, &mut tables, &values)?;
        super::lasting::find(bench, &mut tables)?;
        let echoes = super::echoes::find(bench, &tables, &values)?;
        let discounts = discounts(bench, &tables)?;
        Ok(Self {
            reach: paths::reach(&tables, &joins),
            names: NameIndex::learn(&tables),
            measures: measures::learn(&tables, &joins[..keyed], &discounts),
            fingerprint: fingerprint(sources),
            tables,
            joins,
            echoes,
            values,
        })
    }
}

/// Runs a look at the data that nobody waits to stop.
pub fn query(bench: &Workbench, table: &TableEntry, sql: &str, rows_max: usize) -> Result<Table, QueryError> {
    let limits = QueryLimits { rows_max, timeout: Duration::from_secs(LOOK_SECONDS_MAX) };
    bench.look(std::slice::from_ref(&table.name), sql, limits)
}

fn entry(source: &SourceTable) -> TableEntry {
    TableEntry {
        name: source.name.clone(),
        sql_name: source.sql_name.clone(),
        stems: words::split_name(&source.name),
        columns: source.columns.iter().map(column).collect(),
        key: None,
        display: Display::Nothing,
        namesakes: false,
        axes: Vec::new(),
        rows: source.rows,
        engine: source.engine,
        dialect: source.dialect,
        sample_name: source.sample_name.clone().unwrap_or_else(|| source.sql_name.clone()),
        comments: source.comments.clone(),
        lasting: super::Lasting::default(),
    }
}

fn column(source: &SourceColumn) -> ColumnEntry {
    ColumnEntry {
        name: source.name.clone(),
        stems: words::split_name(&source.name),
        kind: source.kind,
        part: ColumnPart::Attribute,
        distinct: None,
        flag: None,
        fraction: false,
    }
}

fn fingerprint(sources: &[SourceTable]) -> String {
    let names = sources.iter().map(|table| {
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        format!("{}({})", table.name, columns.join(","))
    });
    names.collect::<Vec<_>>().join(";")
}

fn display(table: &TableEntry) -> Display {
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        table.columns.iter().position(|column| column.kind == ColumnKind::Text && wanted(&column.stems))
    };
    let named = |name: &str| {
        let name: Vec<String> = words::split_name(name);
        find(&|stems| stems == name)
            .or_else(|| find(&|stems| stems.strip_prefix(table.stems.as_slice()).is_some_and(|rest| rest == name)))
            .or_else(|| find(&|stems| stems.ends_with(&name) && stems.iter().any(|stem| table.stems.contains(stem))))
    };
    let mut names = lexicon().display_names().iter();
    if let Some(found) = names.by_ref().take(2).find_map(|name| named(name)) {
        return Display::Column(found);
    }
    // A region is called by `regions.region`.
    if let Some(own) = find(&|stems| stems == table.stems.as_slice()) {
        return Display::Column(own);
    }
    let person = |words: &[&str]| find(&|stems| words.iter().any(|word| stems.join(" ").ends_with(word)));
    if let (Some(first), Some(last)) = (
        person(&["first name", "firstname", "given name", "fname", "forename", "personal name"]),
        person(&["last name", "lastname", "surname", "family name", "lname"]),
    ) {
        return Display::FullName { first, last };
    }
    // A company's name names the supplier as well.
    let any_name = find(&|stems| stems.len() > 1 && stems.last().is_some_and(|last| last == "name"));
    // `bname` of the banks.
    let own: String = table.stems.concat();
    let together = find(&|stems| match stems {
        [single] => single.strip_suffix("name").is_some_and(|start| !start.is_empty() && own.starts_with(start)),
        _ => false,
    });
    let any_name = together.or(any_name);
    // Short lists often have only a code and what it means: `RegionDescription`.
    let meaning = find(&|stems| {
        let rest = stems.strip_prefix(table.stems.as_slice()).unwrap_or(stems);
        matches!(rest, [only] if is_meaning(only)) && (rest.len() < stems.len() || table.columns.len() <= SHORT_LIST)
    });
    names.find_map(|name| named(name)).or(any_name).or(meaning).map_or(Display::Nothing, Display::Column)
}

/// Columns up to which a table is a list of codes and what they mean.
const SHORT_LIST: usize = 4;

fn is_meaning(stem: &str) -> bool {
    matches!(stem, "description" | "desc" | "label" | "text")
}

/// Whether two rows are called the same.
fn namesakes(bench: &Workbench, table: &TableEntry) -> Result<bool, QueryError> {
    let column = |at: usize| table.dialect.quoted(&table.columns[at].name);
    let name = match table.display {
        Display::Column(at) => column(at),
        Display::FullName { first, last } => format!("{} || ' ' || {}", column(first), column(last)),
        Display::Nothing => return Ok(false),
    };
    let differ = format!("COUNT({name}) <> COUNT(DISTINCT {name})");
    let sql = format!("SELECT CASE WHEN {differ} THEN 1 ELSE 0 END FROM {}{}", table.sql_name, table.dialect.derived());
    Ok(query(bench, table, &sql, 1)?.scalar() == Some(&Cell::Integer(1)))
}

fn axes(bench: &Workbench, table: &TableEntry) -> Result<Vec<TimeAxis>, QueryError> {
    let mut places: Vec<AxisPlace> = Vec::new();
    places.extend(parts(table));
    let mut dated: Vec<usize> =
        (0..table.columns.len()).filter(|&at| table.columns[at].kind == ColumnKind::Date).collect();
    dated.sort_by_key(|&at| lexicon().date_rank(&table.columns[at].stems));
    places.extend(dated.into_iter().map(AxisPlace::Column));
    let (named, usual): (Vec<AxisPlace>, Vec<AxisPlace>) =
        places.into_iter().partition(|place| is_named_only(table, place));
    let mut named = named;
    let written = super::years::find(bench, table)?.into_iter();
    let written = written.map(|year| AxisPlace::Parts { year, month: None, day: None });
    let written = written.filter(|place| !usual.iter().any(|other| shares_year(other, place)));
    for place in lone_years(table, &usual).into_iter().chain(written) {
        if !named.contains(&place) {
            named.push(place);
        }
    }
    // Years written as texts are the time of their rows as years written as numbers are.
    let alone = usual.is_empty() && !named.iter().any(|place| matches!(place, AxisPlace::Column(_)));
    let usual: Vec<AxisPlace> = match named.iter().position(|place| alone && is_plain_year(table, place)) {
        Some(at) => vec![named.remove(at)],
        None => usual,
    };
    let usual = usual.into_iter().map(|place| (place, false));
    usual
        .chain(named.into_iter().map(|place| (place, true)))
        .map(|(place, named)| axis(bench, table, place, named))
        .collect()
}

/// When people were born and things made says nothing about when their rows happened.
fn is_named_only(table: &TableEntry, place: &AxisPlace) -> bool {
    let column = match place {
        AxisPlace::Column(at) | AxisPlace::Parts { year: at, month: None, .. } => *at,
        AxisPlace::Parts { .. } => return false,
    };
    table.columns[column].stems.iter().any(|stem| lexicon().is_origin(stem))
}

/// Whether a column is called the year and nothing else, or the year of its own table.
fn is_plain_year(table: &TableEntry, place: &AxisPlace) -> bool {
    let AxisPlace::Parts { year, month: None, .. } = place else { return false };
    let stems = table.columns[*year].stems.as_slice();
    stems.split_last().is_some_and(|(last, own)| last == "year" && (own.is_empty() || table.stems.ends_with(own)))
}

/// Years by themselves that are no time of the rows unless they are named: a model year beside a date of sale.
fn lone_years(table: &TableEntry, usual: &[AxisPlace]) -> Vec<AxisPlace> {
    let is_year = |at: &usize| {
        let column = &table.columns[*at];
        column.is_number()
            && column.kind == ColumnKind::Integer
            && column.stems.last().is_some_and(|last| last == "year")
    };
    let years = (0..table.columns.len()).filter(is_year);
    let places = years.map(|year| AxisPlace::Parts { year, month: None, day: None });
    places.filter(|place| !usual.contains(place) && !usual.iter().any(|other| shares_year(other, place))).collect()
}

fn shares_year(one: &AxisPlace, other: &AxisPlace) -> bool {
    let year = |place: &AxisPlace| match place {
        AxisPlace::Parts { year, .. } => Some(*year),
        AxisPlace::Column(_) => None,
    };
    year(one).is_some() && year(one) == year(other)
}

/// Year, month and day in columns of their own come first: they are local time where a time stamp may not be.
fn parts(table: &TableEntry) -> Option<AxisPlace> {
    let number = |name: &str| {
        table.columns.iter().position(|column| {
            column.kind == ColumnKind::Integer && column.stems.last().is_some_and(|last| last == name)
        })
    };
    let year = number("year")?;
    let month = number("month");
    let dated = table.columns.iter().any(|column| column.kind == ColumnKind::Date);
    // A lone year beside real dates (a model year, a year of birth) is an attribute.
    if month.is_none() && dated {
        return None;
    }
    Some(AxisPlace::Parts { year, month, day: month.and_then(|_| number("day")) })
}

fn axis(bench: &Workbench, table: &TableEntry, place: AxisPlace, named_only: bool) -> Result<TimeAxis, QueryError> {
    let label = match &place {
        AxisPlace::Column(at) => table.columns[*at].name.clone(),
        AxisPlace::Parts { year, month, day } => {
            let columns = [Some(*year), *month, *day];
            let names: Vec<&str> = columns.iter().flatten().map(|&at| table.columns[at].name.as_str()).collect();
            names.join(", ")
        }
    };
    let expression = sql::axis_expression(table, &place, None);
    let derived = table.dialect.derived();
    let hour = sql::hour_of(table, &place);
    let sql = format!(
        "SELECT MIN({expression}), MAX({expression}), MIN({hour}), MAX({hour}), COUNT(*), COUNT({expression}) FROM \
         {}{derived}",
        table.sql_name
    );
    let found = match query(bench, table, &sql, 1) {
        // A server's table may be too large to be looked through; then its times are what a question says.
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Table::default(),
        found => found?,
    };
    // One hour for all is what days by themselves have.
    let clock = match found.rows.first().map(Vec::as_slice) {
        Some([_, _, first, last, ..]) => first != last,
        _ => matches!(place, AxisPlace::Column(_)),
    };
    let missing = match found.rows.first().map(Vec::as_slice) {
        Some([.., Cell::Integer(rows), Cell::Integer(dated)]) => u64::try_from(rows - dated).ok(),
        _ => None,
    };
    let dates: Vec<Date> = found.rows.first().into_iter().flatten().take(2).filter_map(date_of).collect();
    let range = match dates.as_slice() {
        [first, last] => Some((*first, *last)),
        _ => None,
    };
    Ok(TimeAxis { place, label, range, clock, missing, named_only })
}

fn date_of(cell: &Cell) -> Option<Date> {
    match cell {
        Cell::Text(text) => text.get(..10)?.parse().ok(),
        Cell::Null | Cell::Integer(_) | Cell::Real(_) => None,
    }
}

/// Columns named after a discount whose values are fractions: only those can be multiplied with.
fn discounts(bench: &Workbench, tables: &[TableEntry]) -> Result<Vec<ColumnId>, QueryError> {
    let mut found = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        for (number, column) in table.columns.iter().enumerate() {
            if !column.is_number() || !column.stems.iter().any(|stem| stem == "discount") {
                continue;
            }
            let name = table.dialect.quoted(&column.name);
            let test = table.dialect.truth(&format!("MIN({name}) >= 0 AND MAX({name}) < 1"));
            let sql = format!("SELECT {test} FROM {}{}", table.sample_name, table.dialect.derived());
            if query(bench, table, &sql, 1)?.scalar() == Some(&Cell::Integer(1)) {
                found.push(ColumnId { table: TableId(at), column: number });
            }
        }
    }
    Ok(found)
}
