//! What is said when a question needs tables of different engines: queries run where the data is, so those cannot be
//! put together, and that is another trouble than a missing key. Next: `weigh`.

use super::Trouble;
use super::weigh::Misfit;
use crate::catalogue::Catalogue;
use crate::form::{TableId, Thing};
use crate::source::Dialect;

/// The failure to reach `words` from `start`, said as what it is if one of `things` is in another engine.
pub fn explained(
    catalogue: &Catalogue,
    start: TableId,
    words: &str,
    things: impl Iterator<Item = Thing>,
    misfit: Misfit,
) -> Misfit {
    let here = catalogue.table(start);
    let all: Vec<TableId> = things.filter_map(table_of).collect();
    let there = all.iter().find_map(|table| Some(catalogue.table(*table)).filter(|there| there.engine != here.engine));
    let Some(there) = there else {
        return Misfit { trouble: through(catalogue, start, words, &all, misfit.trouble), ..misfit };
    };
    let text = format!(
        "“{words}” is found in {} ({}), but the rest of the question in {} ({}): a query runs where its tables are, so \
         both have to be in one place. Put {} where {} is, or export {} as CSV and name that file too; then ask again.",
        there.name,
        place(there.dialect),
        here.name,
        place(here.dialect),
        there.name,
        here.name,
        if there.dialect == Dialect::Sqlite { &here.name } else { &there.name },
    );
    Misfit { trouble: Trouble::Impossible(text), ..misfit }
}

fn place(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "a file",
        Dialect::Postgres => "a PostgreSQL database",
        Dialect::Mysql => "a MySQL database",
        Dialect::Duckdb => "a large file",
    }
}

fn table_of(thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(column) => Some(column.table),
        Thing::Concept(_) => None,
    }
}

/// That there are keys, where there are: rows that meet only in a third table cannot be told to belong together, and
/// that is another matter than having nothing to do with each other.
fn through(catalogue: &Catalogue, start: TableId, words: &str, tables: &[TableId], trouble: Trouble) -> Trouble {
    let (Trouble::Impossible(_), Some(wanted)) = (&trouble, tables.first()) else { return trouble };
    let length = |from: TableId, to: TableId| catalogue.paths(from, to).first().map(|path| path.0.len());
    let bridges = catalogue.reaching(*wanted).flat_map(|bridge| {
        let ends = catalogue.tables().map(|(end, _)| end);
        ends.filter_map(move |end| Some((length(start, end)? + length(bridge, end)?, bridge, end)))
    });
    let bridges = bridges.filter(|(_, bridge, end)| *bridge != start && *end != *wanted);
    let Some((_, bridge, end)) = bridges.min_by_key(|(long, bridge, _)| (*long, *bridge != *wanted)) else {
        return trouble;
    };
    let plural = |table: TableId| catalogue.plural(table);
    let (here, there, ends) = (plural(start), plural(bridge), plural(end));
    let advice = format!("Ask for each by {} instead.", catalogue.table(end).noun());
    Trouble::Impossible(if bridge == *wanted {
        format!(
            "“{words}” and the rest of the question meet only in the {ends}: {here} and {there} both belong to them, \
             but not to each other, so nothing says which go together. {advice}"
        )
    } else {
        format!(
            "“{words}” is linked with the {here} only over the {there}, of which each {} may have several: rows would \
             be counted more than once. {advice}",
            catalogue.table(end).noun()
        )
    })
}
