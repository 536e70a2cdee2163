//! What a name in a question stands for. Names are those of the data, in whatever case; a column needs its table only
//! where several tables have one of that name. What two columns make is written as the plan writes it: `days from
//! loans.sent_on to loans.back_on`, `loans.back_on after loans.due_on`. Next: `bind`.

use super::super::catalogue::{Catalogue, Making, Unit};
use super::super::form::{ColumnId, Mention, TableId, Thing};
use super::super::source::ColumnKind;
use super::super::words;
use super::{Name, Problem};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Table(TableId),
    Column(ColumnId),
}

/// Names told where one is not known.
const NEAREST_MAX: usize = 4;
/// Between two dates of a row.
const UNITS: [Unit; 6] = [Unit::Minutes, Unit::Hours, Unit::Days, Unit::Weeks, Unit::Months, Unit::Years];
/// Between two columns, the first of which is the later one or the larger.
const BESIDE: [&str; 2] = [" after ", " above "];

/// Names of a catalogue.
pub struct Names<'a> {
    pub catalogue: &'a Catalogue,
}

impl Names<'_> {
    /// What `name` stands for.
    pub fn find(&self, name: &Name) -> Result<Named, Problem> {
        let text = name.0.trim();
        if let Some(made) = self.made(text) {
            return made.map(Named::Column);
        }
        let bare = text.trim_matches(['"', '`', '[', ']']);
        let same = |own: &str| own.eq_ignore_ascii_case(bare);
        if let Some((table, _)) = self.catalogue.tables().find(|(_, entry)| same(&entry.name)) {
            return Ok(Named::Table(table));
        }
        let all: Vec<ColumnId> = self.columns().collect();
        if let Some(column) = all.iter().find(|column| same(&self.catalogue.column_label(**column))) {
            return Ok(Named::Column(*column));
        }
        match all.iter().filter(|column| same(&self.catalogue.column(**column).name)).collect::<Vec<_>>().as_slice() {
            [] => Err(self.unknown(bare)),
            [only] => Ok(Named::Column(**only)),
            several => {
                let choices = several.iter().map(|column| self.catalogue.column_label(**column)).collect();
                Err(Problem::AmbiguousName { name: bare.to_owned(), choices })
            }
        }
    }

    /// The table of that name.
    pub fn table(&self, name: &Name) -> Result<TableId, Problem> {
        match self.find(name)? {
            Named::Table(table) => Ok(table),
            Named::Column(column) => {
                let nearest = vec![self.catalogue.table(column.table).name.clone()];
                Err(Problem::WrongThing { name: name.0.clone(), wanted: "table", nearest })
            }
        }
    }

    /// The column of that name.
    pub fn column(&self, name: &Name) -> Result<ColumnId, Problem> {
        match self.find(name)? {
            Named::Column(column) => Ok(column),
            Named::Table(table) => {
                let own = (0..self.catalogue.table(table).columns.len()).map(|column| ColumnId { table, column });
                let nearest = own.take(NEAREST_MAX).map(|column| self.catalogue.column_label(column)).collect();
                Err(Problem::WrongThing { name: name.0.clone(), wanted: "column", nearest })
            }
        }
    }

    /// As the form has it, with a word for people.
    pub fn mention(&self, named: Named) -> Mention {
        match named {
            Named::Table(table) => Mention::of(self.catalogue.plural(table), Thing::Table(table)),
            Named::Column(column) => {
                let noun = self.catalogue.column(column).noun();
                let words = if noun.is_empty() { self.catalogue.column_label(column) } else { noun };
                Mention::of(words, Thing::Column(column))
            }
        }
    }

    fn columns(&self) -> impl Iterator<Item = ColumnId> + '_ {
        self.catalogue
            .tables()
            .flat_map(|(table, entry)| (0..entry.columns.len()).map(move |column| ColumnId { table, column }))
    }

    /// What two columns make, where the name says so.
    fn made(&self, text: &str) -> Option<Result<ColumnId, Problem>> {
        for unit in UNITS {
            let rest = text.strip_prefix(unit.name()).and_then(|rest| rest.strip_prefix(" from "));
            if let Some((from, to)) = rest.and_then(|rest| rest.split_once(" to ")) {
                return Some(self.time_between(unit, from, to));
            }
        }
        let (first, second) = BESIDE.into_iter().find_map(|beside| text.split_once(beside))?;
        let both =
            self.column(&Name(first.to_owned())).and_then(|first| Ok((first, self.column(&Name(second.to_owned()))?)));
        Some(both.and_then(|(first, second)| self.later(first, second)))
    }

    fn time_between(&self, unit: Unit, from: &str, to: &str) -> Result<ColumnId, Problem> {
        let from = self.date(from)?;
        let to = self.date(to)?;
        self.catalogue.made(Making::Time(unit), from, to).ok_or_else(|| self.apart(from, to))
    }

    fn date(&self, name: &str) -> Result<ColumnId, Problem> {
        let column = self.column(&Name(name.to_owned()))?;
        if self.catalogue.column(column).kind == ColumnKind::Date {
            return Ok(column);
        }
        let name = self.catalogue.column_label(column);
        Err(Problem::WrongType { name, holds: "no dates", wanted: "an end of a time" })
    }

    /// The column that says whether the first is after the second, or above it.
    pub fn later(&self, first: ColumnId, second: ColumnId) -> Result<ColumnId, Problem> {
        let kind = |column| self.catalogue.column(column).kind;
        let making = match (kind(first), kind(second)) {
            (ColumnKind::Date, ColumnKind::Date) => Making::Later,
            (ColumnKind::Integer | ColumnKind::Real, ColumnKind::Integer | ColumnKind::Real) => Making::Above,
            _ => {
                let (one, other) = (self.catalogue.column_label(first), self.catalogue.column_label(second));
                return Err(Problem::Combination(format!("`{one}` and `{other}` are not both dates or both numbers")));
            }
        };
        self.catalogue.made(making, first, second).ok_or_else(|| self.apart(first, second))
    }

    fn apart(&self, first: ColumnId, second: ColumnId) -> Problem {
        Problem::NoPath { tables: [first, second].map(|column| self.catalogue.column_label(column)).to_vec() }
    }

    fn unknown(&self, name: &str) -> Problem {
        let (table, column) = name.rsplit_once('.').unwrap_or(("", name));
        let stems = words::split_name(column);
        let alike = |own: ColumnId| {
            let entry = self.catalogue.column(own);
            let in_table = self.catalogue.table(own.table).name.eq_ignore_ascii_case(table);
            let shared = entry.stems.iter().filter(|stem| stems.contains(stem)).count();
            let same = usize::from(entry.name.eq_ignore_ascii_case(column));
            (shared > 0).then_some((same * 2 + usize::from(in_table), shared))
        };
        let mut near: Vec<((usize, usize), String)> =
            self.columns().filter_map(|own| Some((alike(own)?, self.catalogue.column_label(own)))).collect();
        near.sort_by_key(|one| std::cmp::Reverse(one.0));
        let mut nearest: Vec<String> = near.into_iter().map(|(_, label)| label).take(NEAREST_MAX).collect();
        let names: Vec<String> = self.catalogue.tables().map(|(_, entry)| entry.name.clone()).collect();
        let all = names.iter().map(String::as_str);
        if let Some(close) = turnwise_intent::nearest(name, all).filter(|_| nearest.len() < NEAREST_MAX) {
            nearest.push(close.to_owned());
        }
        if nearest.is_empty() {
            let own = self.columns().filter(|own| self.catalogue.table(own.table).name.eq_ignore_ascii_case(table));
            nearest = own.map(|own| self.catalogue.column_label(own)).take(NEAREST_MAX).collect();
        }
        Problem::UnknownName { name: name.to_owned(), nearest }
    }
}
