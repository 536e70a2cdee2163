//! Roles: what a column that refers to rows says they are to the row that has it. A `manager_id` leads to another row
//! of its own table, and `from_station` and `to_station` to the two ends of a trip. Next: `read/selves.rs`.

use super::{Catalogue, ColumnPart, Join, JoinId};
use crate::assistant::analyst::form::{ColumnId, TableId};

/// Stems that only say that a column refers to something.
const TECHNICAL: [&str; 6] = ["id", "key", "code", "no", "number", "cd"];

/// Letters a word has at least to be short for a table.
const SHORT_MIN: usize = 3;

impl Catalogue {
    /// The columns that refer to another row of their own table.
    pub fn of_themselves(&self) -> impl Iterator<Item = ColumnId> + '_ {
        self.tables().flat_map(move |(table, entry)| {
            let columns = (0..entry.columns.len()).map(move |column| ColumnId { table, column });
            columns.filter(|column| self.is_of_itself(*column))
        })
    }

    /// Whether a column refers to another row of its own table.
    pub fn is_of_itself(&self, column: ColumnId) -> bool {
        self.role_join(column).is_some_and(|join| self.join(join).to == column.table)
    }

    /// The join that a column is by itself.
    pub fn role_join(&self, column: ColumnId) -> Option<JoinId> {
        if super::Made::of(column.column).is_some() {
            return None;
        }
        match self.column(column).part {
            ColumnPart::Reference(join) if self.join(join).from_columns == [column.column] => Some(join),
            ColumnPart::Reference(_) | ColumnPart::Key | ColumnPart::Attribute => None,
        }
    }

    /// The columns of `from` that refer to rows of `to`.
    pub fn roles(&self, from: TableId, to: TableId) -> Vec<ColumnId> {
        let columns = (0..self.table(from).columns.len()).map(|column| ColumnId { table: from, column });
        columns.filter(|column| self.role_join(*column).is_some_and(|join| self.join(join).to == to)).collect()
    }

    /// The words of a column's name that say what the row it refers to is: "from" of `from_station_id`.
    pub fn role_words(&self, column: ColumnId) -> Vec<&str> {
        let Some(join) = self.role_join(column).map(|join| self.join(join)) else { return Vec::new() };
        let to = self.table(join.to);
        let key = join.to_columns.first().map(|at| to.columns[*at].stems.as_slice()).unwrap_or_default();
        let own = self.column(column).stems.iter().map(String::as_str);
        // "doc" of the doctors.
        let shortens = |stem: &str| stem.len() >= SHORT_MIN && to.stems.iter().any(|other| other.starts_with(stem));
        let says = |stem: &&str| {
            !TECHNICAL.contains(stem) && !shortens(stem) && !to.stems.iter().chain(key).any(|other| other == stem)
        };
        own.filter(says).collect()
    }

    /// Where rows of `of` are versions of those of `what`: the pairs of columns from these to those, and the end that
    /// the current one lacks.
    pub fn current_of(&self, of: TableId, what: TableId) -> Option<(Vec<(usize, usize)>, usize)> {
        let lasting = &self.table(of).lasting;
        let column = ColumnId { table: of, column: lasting.versions_of? };
        let join: &Join = self.role_join(column).map(|join| self.join(join)).filter(|join| join.to == what)?;
        Some((vec![(*join.to_columns.first()?, column.column)], lasting.versions?))
    }
}
