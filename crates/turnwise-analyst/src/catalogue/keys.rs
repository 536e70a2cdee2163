//! Keys and references, declared or found. Files declare none: then a column that is named after another table's key,
//! or whose texts are almost all found in one, is taken as a reference once the data bears it out. Next: `build`.

use std::collections::BTreeSet;

use turnwise_core::Cell;

use super::build::query;
use super::{ColumnPart, Join, JoinId, TableEntry};
use crate::form::TableId;
use crate::lexicon::lexicon;
use crate::source::{ColumnKind, Dialect, EngineId, QueryError, SourceColumn, SourceTable, Workbench};

/// Share of a column's values that must be found in the key it is named after; dirty data may lack some.
const NAMED_FOUND_MIN: f64 = 0.75;
/// Share that must be found when the name says nothing.
const UNNAMED_FOUND_MIN: f64 = 0.95;
/// Different values compared.
const VALUES_COMPARED_MAX: usize = 2_000;
/// Rows of a server's table up to which keys it does not declare are looked for.
const REMOTE_ROWS_SCANNED_MAX: u64 = 200_000;
/// Rows up to which the same is done in files that are read in place: nobody declares any key there.
const IN_PLACE_ROWS_SCANNED_MAX: u64 = 5_000_000;
/// Tables up to which references are also looked for by value alone: the pairs to try grow with the square.
const TABLES_BY_VALUE_MAX: usize = 40;

/// Finds the key of each table that declares none.
pub fn find_keys(bench: &Workbench, sources: &[SourceTable], tables: &mut [TableEntry]) -> Result<(), QueryError> {
    for (source, table) in sources.iter().zip(tables) {
        let declared: Vec<usize> = positions(source, |column| column.primary_key);
        table.key = match declared.as_slice() {
            [single] => Some(*single),
            [] => find_key(bench, table)?,
            _ => None,
        };
        if let Some(column) = table.key.and_then(|key| table.columns.get_mut(key)) {
            column.part = ColumnPart::Key;
        }
    }
    Ok(())
}

fn positions(source: &SourceTable, wanted: impl Fn(&SourceColumn) -> bool) -> Vec<usize> {
    source.columns.iter().enumerate().filter(|(_, column)| wanted(column)).map(|(at, _)| at).collect()
}

fn find_key(bench: &Workbench, table: &TableEntry) -> Result<Option<usize>, QueryError> {
    let named = (0..table.columns.len()).filter(|&at| is_key_name(table, at));
    let first = table.columns.first().filter(|column| matches!(column.kind, ColumnKind::Integer | ColumnKind::Text));
    let mut tried = BTreeSet::new();
    for at in named.chain(first.map(|_| 0)) {
        if tried.insert(at) && is_unique(bench, table, at)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// `id`, or the table's own name before it.
fn is_key_name(table: &TableEntry, at: usize) -> bool {
    let stems = &table.columns[at].stems;
    match stems.as_slice() {
        [only] => only == "id" || only == "key" || table.stems.last().is_some_and(|last| *only == format!("{last}id")),
        [rest @ .., _] => numbers_rows(stems) && table.stems.ends_with(rest),
        [] => false,
    }
}

/// Whether a column is called as what tells rows apart: `line_no`, `order_id`.
pub fn numbers_rows(stems: &[String]) -> bool {
    stems.last().is_some_and(|last| matches!(last.as_str(), "id" | "key" | "code" | "no" | "number"))
}

fn is_unique(bench: &Workbench, table: &TableEntry, at: usize) -> Result<bool, QueryError> {
    if is_remote_and_large(table) {
        return Ok(false);
    }
    let column = table.dialect.quoted(&table.columns[at].name);
    let test = table.dialect.truth(&format!("COUNT(*) = COUNT(DISTINCT {column}) AND COUNT(*) > 0"));
    let sql = format!("SELECT {test} FROM {}{}", table.sql_name, table.dialect.derived());
    Ok(query(bench, table, &sql, 1)?.scalar() == Some(&Cell::Integer(1)))
}

/// Finds the references between tables.
pub fn find_joins(
    bench: &Workbench,
    sources: &[SourceTable],
    tables: &mut [TableEntry],
) -> Result<Vec<Join>, QueryError> {
    let mut joins = declared(sources, tables);
    let by_value = tables.len() <= TABLES_BY_VALUE_MAX;
    for from in 0..tables.len() {
        if knows_its_references(sources, &sources[from]) {
            continue;
        }
        // A file that declares some references may leave out others, which then only a name tells.
        let (declares, by_value) =
            (!sources[from].foreign_keys.is_empty(), by_value && sources[from].foreign_keys.is_empty());
        let known: Vec<usize> =
            joins.iter().filter(|join| join.from.0 == from).flat_map(|join| join.from_columns.clone()).collect();
        for at in (0..tables[from].columns.len()).filter(|at| !known.contains(at)) {
            // The key of rows that refer elsewhere is their own.
            if declares && tables[from].key == Some(at) {
                continue;
            }
            if let Some((to, whole)) = find_target(bench, tables, from, at, by_value)? {
                let key = tables[to].key.unwrap_or_default();
                joins.push(Join {
                    from: TableId(from),
                    from_columns: vec![at],
                    to: TableId(to),
                    to_columns: vec![key],
                    whole,
                    by_day: false,
                    singles_out: false,
                });
            }
        }
    }
    for (number, join) in joins.iter().enumerate() {
        if let [single] = join.from_columns.as_slice()
            && let Some(column) = tables[join.from.0].columns.get_mut(*single)
            && column.part == ColumnPart::Attribute
        {
            column.part = ColumnPart::Reference(JoinId(number));
        }
    }
    Ok(joins)
}

fn declared(sources: &[SourceTable], tables: &[TableEntry]) -> Vec<Join> {
    let column = |table: usize, name: &String| {
        tables[table].columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    };
    let all =
        sources.iter().enumerate().flat_map(|(from, source)| source.foreign_keys.iter().map(move |key| (from, key)));
    let joins = all.filter_map(|(from, key)| {
        let to = tables.iter().position(|table| table.name.eq_ignore_ascii_case(&key.table))?;
        let from_columns: Vec<usize> = key.columns.iter().filter_map(|name| column(from, name)).collect();
        let mut to_columns: Vec<usize> = key.referred.iter().filter_map(|name| column(to, name)).collect();
        if to_columns.is_empty() {
            to_columns.extend(tables[to].key);
        }
        (!from_columns.is_empty() && from_columns.len() == to_columns.len()).then_some(Join {
            from: TableId(from),
            from_columns,
            to: TableId(to),
            to_columns,
            whole: true,
            by_day: false,
            singles_out: false,
        })
    });
    joins.collect()
}

fn find_target(
    bench: &Workbench,
    tables: &[TableEntry],
    from: usize,
    at: usize,
    by_value: bool,
) -> Result<Option<(usize, bool)>, QueryError> {
    let column = &tables[from].columns[at];
    if !matches!(column.kind, ColumnKind::Integer | ColumnKind::Text) {
        return Ok(None);
    }
    let is_key = tables[from].key == Some(at);
    // Of several tables with such a key, the one the column is named after owns it: `state_name` is of `state`.
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|&to| !is_owned_by(&column.stems, &tables[to]));
    for to in order {
        let Some(key) = tables[to].key else { continue };
        if tables[to].columns[key].kind != column.kind || tables[to].engine != tables[from].engine {
            continue;
        }
        let owned = is_owned_by(&column.stems, &tables[to]) && to != from;
        // A key refers to nothing, unless it is the name of somebody else's: then the table says more of the same rows.
        if is_key && (!owned || is_owned_by(&column.stems, &tables[from])) {
            continue;
        }
        let named = is_named_after(&column.stems, &tables[to], key) && (to != from || column.stems.len() > 1);
        let text = column.kind == ColumnKind::Text && by_value && to != from;
        let wanted = if named {
            NAMED_FOUND_MIN
        } else if text {
            UNNAMED_FOUND_MIN
        } else {
            continue;
        };
        let found = share_found(bench, &tables[from], at, &tables[to], key)?;
        if found >= wanted {
            return Ok(Some((to, found >= 1.0)));
        }
    }
    Ok(None)
}

/// Whether a column begins with the name of the table, as `state_name` with that of `state`.
fn is_owned_by(stems: &[String], table: &TableEntry) -> bool {
    !table.stems.is_empty() && stems.starts_with(&table.stems)
}

/// `customer_id`, `billing_customer_id` or `customer` for a key of `customers`; or the key's own telling name.
fn is_named_after(stems: &[String], table: &TableEntry, key: usize) -> bool {
    let canonical =
        |stems: &[String]| -> Vec<String> { stems.iter().map(|stem| lexicon().canonical(stem).to_owned()).collect() };
    let key_stems = &table.columns[key].stems;
    let telling = key_stems.len() > 1 || !matches!(key_stems.first().map(String::as_str), Some("id" | "key" | "code"));
    if telling && stems.ends_with(key_stems) {
        return true;
    }
    let column = canonical(stems);
    let trimmed: &[String] = match column.as_slice() {
        [rest @ .., _] if numbers_rows(&column) => rest,
        all => all,
    };
    let owner = canonical(&table.stems);
    let head = owner.last().map(std::slice::from_ref).unwrap_or_default();
    let technical = matches!(owner.first().map(String::as_str), Some("dim" | "tbl"));
    !trimmed.is_empty()
        && (trimmed.ends_with(&owner) || (technical && trimmed.ends_with(head)) || is_manager(trimmed, &owner))
}

/// A manager is an employee, whatever the table of employees is called by its synonyms.
fn is_manager(column: &[String], owner: &[String]) -> bool {
    column.last().is_some_and(|last| last == "manager") && owner.last().is_some_and(|last| last == "employee")
}

/// A server's table, or a file read in place, that nobody wants to wait for.
fn is_remote_and_large(table: &TableEntry) -> bool {
    let most = if table.dialect == Dialect::Duckdb { IN_PLACE_ROWS_SCANNED_MAX } else { REMOTE_ROWS_SCANNED_MAX };
    table.engine != EngineId::default() && table.rows > most
}

/// Looking references up takes the first few values of one table; only the other one is read whole.
fn is_reachable(from: &TableEntry, to: &TableEntry) -> bool {
    let is_in_place = from.dialect == Dialect::Duckdb;
    (is_in_place || !is_remote_and_large(from)) && !is_remote_and_large(to)
}

/// A server on which any table declares references is taken at its word for all of them.
fn knows_its_references(sources: &[SourceTable], of: &SourceTable) -> bool {
    let declares = |source: &SourceTable| source.engine == of.engine && !source.foreign_keys.is_empty();
    of.engine != EngineId::default() && sources.iter().any(declares)
}

fn share_found(
    bench: &Workbench,
    from: &TableEntry,
    at: usize,
    to: &TableEntry,
    key: usize,
) -> Result<f64, QueryError> {
    if !is_reachable(from, to) {
        return Ok(0.0);
    }
    let dialect = from.dialect;
    let (column, key) = (dialect.quoted(&from.columns[at].name), dialect.quoted(&to.columns[key].name));
    let found = dialect.count_where(&format!("EXISTS (SELECT 1 FROM {} AS k WHERE k.{key} = d.v)", to.sql_name));
    let derived = dialect.derived();
    let sql = format!(
        "SELECT COUNT(*), {found} FROM (SELECT DISTINCT {column} AS v FROM {}{derived} WHERE {column} IS NOT NULL \
         LIMIT {VALUES_COMPARED_MAX}) AS d",
        from.sql_name
    );
    let table = query(bench, from, &sql, 1)?;
    let numbers: Vec<f64> = table.rows.first().into_iter().flatten().filter_map(Cell::as_number).collect();
    Ok(match numbers.as_slice() {
        // One value found says nothing about what a column is for.
        [all, found] if *all >= 2.0 => found / all,
        _ => 0.0,
    })
}
