//! Roles: what a column that refers to rows says they are to the row that has it. A `manager_id` leads to another row
//! of its own table, and `from_station` and `to_station` to the two ends of a trip. Next: `read/selves.rs`.

use super::{Catalogue, ColumnPart, Join, JoinId, TableEntry};
use crate::form::{ColumnId, TableId};

/// Stems that only say that a column refers to something.
const TECHNICAL: [&str; 6] = ["id", "key", "code", "no", "number", "cd"];

/// Letters a word has at least to be short for a table.
const SHORT_MIN: usize = 3;

/// Marks the joins that name one of the rows which belong to those that refer: of "departments.manager_id" and
/// "employees.department_id" the first is the manager, and the second says who is in a department.
pub fn single_out(tables: &[TableEntry], joins: &mut [Join]) {
    let in_a_role = |join: &Join| match join.from_columns.as_slice() {
        [column] => !words_of(tables, join, *column).is_empty(),
        _ => false,
    };
    let back = |one: &Join, other: &Join| other.from == one.to && other.to == one.from && other.from != other.to;
    let marks: Vec<bool> = joins
        .iter()
        .map(|join| in_a_role(join) && joins.iter().any(|other| back(join, other) && !in_a_role(other)))
        .collect();
    for (join, mark) in joins.iter_mut().zip(marks) {
        join.singles_out = mark;
    }
}

/// The words of a column's name beside those of the table and the key it refers to.
fn words_of<'a>(tables: &'a [TableEntry], join: &Join, column: usize) -> Vec<&'a str> {
    let to = &tables[join.to.0];
    let key = join.to_columns.first().map(|at| to.columns[*at].stems.as_slice()).unwrap_or_default();
    let own = tables[join.from.0].columns[column].stems.iter().map(String::as_str);
    // "doc" of the doctors.
    let shortens = |stem: &str| stem.len() >= SHORT_MIN && to.stems.iter().any(|other| other.starts_with(stem));
    let says = |stem: &&str| {
        !TECHNICAL.contains(stem) && !shortens(stem) && !to.stems.iter().chain(key).any(|other| other == stem)
    };
    own.filter(says).collect()
}

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
        words_of(&self.tables, join, column.column)
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
