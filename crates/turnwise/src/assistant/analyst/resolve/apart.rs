//! What is said when a question needs tables of different engines: queries run where the data is, so those cannot be
//! put together, and that is another trouble than a missing key. Next: `weigh`.

use super::Trouble;
use super::weigh::Misfit;
use crate::assistant::analyst::catalogue::Catalogue;
use crate::assistant::analyst::form::{TableId, Thing};
use crate::assistant::analyst::source::Dialect;

/// The failure to reach `words` from `start`, said as what it is if one of `things` is in another engine.
pub fn explained(
    catalogue: &Catalogue,
    start: TableId,
    words: &str,
    mut things: impl Iterator<Item = Thing>,
    misfit: Misfit,
) -> Misfit {
    let here = catalogue.table(start);
    let there = things.find_map(|thing| {
        let table = match thing {
            Thing::Table(table) => table,
            Thing::Column(column) => column.table,
            Thing::Concept(_) => return None,
        };
        Some(catalogue.table(table)).filter(|there| there.engine != here.engine)
    });
    let Some(there) = there else { return misfit };
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
