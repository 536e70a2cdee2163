//! Which rows others refer to, by one column or rather by another: both are told by the keys that one pass over the
//! referring table finds, so that large files without an index are read once. Next: `sql`.

use super::Writer;
use super::lasting::Lasting as _;
use crate::form::TableId;

impl Writer<'_> {
    /// Two values by which rows are joined, or the days of two dates. The date of a row for each day has no hour.
    pub(super) fn pair(&self, from: String, to: String, by_day: bool) -> String {
        if by_day { self.dialect.same_day(&from, &to) } else { format!("{from} = {to}") }
    }

    /// Whether some row of a table refers to a column by one of its own.
    pub(super) fn referred(&self, source: usize, own: usize, (table, theirs): (TableId, usize)) -> String {
        let other = self.catalogue.table(table);
        let (own, theirs) = (self.column(source, own), self.quoted(&other.columns[theirs].name));
        let (name, derived) = (&other.sql_name, self.dialect.derived());
        format!("({own} IN (SELECT {theirs} FROM {name}{derived} WHERE {theirs} IS NOT NULL))")
    }

    /// Whether more rows of a table refer to a column by the first of two of their own.
    pub(super) fn referred_more(
        &self,
        source: usize,
        own: usize,
        table: TableId,
        (more, less): (usize, usize),
    ) -> String {
        let other = self.catalogue.table(table);
        let derived = self.dialect.derived();
        let by = |column: usize, sign: &str| {
            let column = self.quoted(&other.columns[column].name);
            format!("SELECT {column} AS k, {sign}1 AS n FROM {}{derived} WHERE {column} IS NOT NULL", other.sql_name)
        };
        let (own, more, less) = (self.column(source, own), by(more, ""), by(less, "-"));
        format!("({own} IN (SELECT k FROM ({more}\nUNION ALL {less}) AS both_ways GROUP BY k HAVING SUM(n) > 0))")
    }
}
