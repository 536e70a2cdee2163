//! What names in a query stand for: the tables it goes through, by their aliases, and how each is joined. Tables
//! are put together along known keys only; a join by anything else would be another question. Next: `select`.

use sqlparser::ast::{
    BinaryOperator, Expr, Ident, Join as Joined, JoinConstraint, JoinOperator, ObjectNamePart, TableFactor,
    TableWithJoins,
};

use super::super::super::catalogue::{Catalogue, ColumnPart, TableEntry};
use super::super::super::form::{ColumnId, TableId};
use super::super::filters::names;
use super::super::{Name, Problem};
use super::expression::{bare, columns};
use super::unread;

/// A table of a query.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What the query calls it, in small letters.
    pub alias: String,
    /// What it is.
    pub table: TableId,
    /// Whether rows without any of it stay.
    pub left: bool,
    /// The column that refers to its rows from another table of the query, where that one leads here.
    pub via: Option<ColumnId>,
    /// What its join tests beside the keys.
    pub on: Vec<Expr>,
}

/// The tables of a query.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// The data.
    pub catalogue: &'a Catalogue,
    /// In the order in which they are named.
    pub placed: Vec<Placed>,
    /// Which refer to which: the referring one first.
    links: Vec<(usize, usize)>,
    /// Those whose rows must not be there.
    gone: Vec<usize>,
}

/// A column of one of the tables of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which column.
    pub column: ColumnId,
    /// Of which of the tables.
    pub at: usize,
}

/// A way by keys to a table that a query forgot.
struct Way {
    /// How many keys lead there, and whether the query calls it otherwise: the least is the likeliest.
    far: (u32, bool),
    /// From which table of the query, and whether towards it.
    from: (usize, bool),
    table: TableId,
}

impl<'a> Scope<'a> {
    /// The tables of `from`.
    pub fn of(catalogue: &'a Catalogue, from: &[TableWithJoins]) -> Result<Self, Problem> {
        let mut scope = Self { catalogue, placed: Vec::new(), links: Vec::new(), gone: Vec::new() };
        for one in from {
            scope.place(&one.relation, false)?;
            for join in &one.joins {
                scope.join(join)?;
            }
        }
        Ok(scope)
    }

    fn join(&mut self, join: &Joined) -> Result<(), Problem> {
        let (constraint, left) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) | JoinOperator::CrossJoin(constraint) => {
                (constraint, false)
            }
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => (constraint, true),
            _ => return Err(unread(join, "only JOIN and LEFT JOIN are understood")),
        };
        self.place(&join.relation, left)?;
        match constraint {
            JoinConstraint::On(expr) => {
                for part in conjuncts(expr) {
                    if !self.linked(part)? {
                        let last = self.placed.len() - 1;
                        self.placed[last].on.push(part.clone());
                    }
                }
                Ok(())
            }
            JoinConstraint::Using(columns) => columns.iter().try_for_each(|column| self.using(&column.to_string())),
            // What a WHERE puts together is found there.
            JoinConstraint::None => Ok(()),
            JoinConstraint::Natural | JoinConstraint::UsingAlias(..) => Err(unread(join, "join tables by ON")),
        }
    }

    fn place(&mut self, relation: &TableFactor, left: bool) -> Result<(), Problem> {
        let TableFactor::Table { name, alias, .. } = relation else {
            return Err(unread(relation, "write one query over tables, without queries in its FROM"));
        };
        let last =
            name.0.last().and_then(ObjectNamePart::as_ident).map(|ident| ident.value.clone()).unwrap_or_default();
        let table = names(self.catalogue).table(&Name(last.clone()))?;
        let alias = alias.as_ref().map_or(last, |alias| alias.name.value.clone()).to_lowercase();
        self.placed.push(Placed { alias, table, left, via: None, on: Vec::new() });
        Ok(())
    }

    /// Whether `part` puts two tables together by their keys.
    pub fn linked(&mut self, part: &Expr) -> Result<bool, Problem> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = bare(part) else { return Ok(false) };
        let (Ok(one), Ok(other)) = (self.column(left), self.column(right)) else { return Ok(false) };
        if one.at == other.at {
            return Ok(false);
        }
        self.link(one, other, part).map(|()| true)
    }

    fn link(&mut self, one: Place, other: Place, part: &impl ToString) -> Result<(), Problem> {
        if one.column.table == other.column.table {
            return Err(unread(part, "a table is not put beside itself here"));
        }
        for (from, to) in [(one, other), (other, one)] {
            let known = self.catalogue.referrers(to.column.table).any(|join| {
                join.from == from.column.table
                    && join.from_columns.contains(&from.column.column)
                    && join.to_columns.contains(&to.column.column)
            });
            if known {
                self.links.push((from.at, to.at));
                self.placed[to.at].via = Some(from.column);
                return Ok(());
            }
        }
        let tables = [one, other].map(|place| self.catalogue.column_label(place.column)).to_vec();
        // Two that refer to the same rows are put together through them.
        let shared = |place: Place| match self.catalogue.column(place.column).part {
            ColumnPart::Reference(join) => Some(self.catalogue.join(join).to),
            ColumnPart::Key | ColumnPart::Attribute => None,
        };
        match (shared(one), shared(other)) {
            (Some(to), Some(same)) if to == same => Ok(()),
            _ => Err(Problem::NoPath { tables }),
        }
    }

    fn using(&mut self, column: &str) -> Result<(), Problem> {
        let last = self.placed.len() - 1;
        let own = |at: usize| {
            let entry = self.catalogue.table(self.placed[at].table);
            let found = entry.columns.iter().position(|own| own.name.eq_ignore_ascii_case(column))?;
            Some(Place { column: ColumnId { table: self.placed[at].table, column: found }, at })
        };
        let both = own(last).and_then(|new| Some((new, (0..last).rev().find_map(own)?)));
        let Some((new, old)) = both else {
            return Err(Problem::UnknownName { name: column.to_owned(), nearest: Vec::new() });
        };
        self.link(old, new, &column)
    }

    /// Places the tables of columns that are named and in no table of the query: small models forget joins, and where
    /// one table alone has such a column and keys lead there by one way, nothing else can be meant.
    pub fn complete(&mut self, exprs: &[&Expr], aliases: &[(String, Expr)]) {
        let mut named = Vec::new();
        exprs.iter().for_each(|expr| columns(expr, &mut named));
        for name in named {
            let Some(column) = name.last().map(|ident| ident.value.as_str()) else { continue };
            let is_alias = name.len() == 1 && aliases.iter().any(|(alias, _)| *alias == column.to_lowercase());
            if is_alias || !self.holding(column).is_empty() {
                continue;
            }
            let qualifier = name.iter().rev().nth(1).map(|ident| ident.value.as_str());
            if let Some((link, table)) = self.missing(column, qualifier) {
                let alias = self.catalogue.table(table).name.to_lowercase();
                let at = self.placed.len();
                // Rows of many that are only tested for what is missing are rows that are not there.
                let left = !link.1;
                self.placed.push(Placed { alias, table, left, via: None, on: Vec::new() });
                let link = if link.1 { (link.0, at) } else { (at, link.0) };
                self.links.push(link);
            }
        }
    }

    /// The one table with such a column that keys lead to: from which table of the query, whether towards it.
    fn missing(&self, column: &str, qualifier: Option<&str>) -> Option<((usize, bool), TableId)> {
        let has = |entry: &TableEntry| entry.columns.iter().any(|own| own.name.eq_ignore_ascii_case(column));
        let holding = self.catalogue.tables().filter(|(_, entry)| has(entry)).map(|(table, _)| table);
        let mut found: Vec<Way> = Vec::new();
        for table in holding {
            let is_named = qualifier.is_some_and(|name| self.catalogue.table(table).name.eq_ignore_ascii_case(name));
            for (at, placed) in self.placed.iter().enumerate() {
                let ways = [
                    (true, self.catalogue.paths(placed.table, table)),
                    (false, self.catalogue.paths(table, placed.table)),
                ];
                for (towards, paths) in ways {
                    if let [path] = paths {
                        let far = (self.catalogue.hops(path), !is_named);
                        found.push(Way { far, from: (at, towards), table });
                    }
                }
            }
        }
        found.sort_by_key(|way| way.far);
        let first = found.first()?;
        let same = found.iter().all(|other| other.far != first.far || other.table == first.table);
        same.then_some((first.from, first.table))
    }

    /// The column that `expr` names.
    pub fn column(&self, expr: &Expr) -> Result<Place, Problem> {
        match bare(expr) {
            Expr::Identifier(ident) => self.unqualified(ident),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [.., table, column] => self.qualified(table, column),
                _ => Err(unread(expr, "this names no column")),
            },
            _ => Err(unread(expr, "a column of a table is needed here")),
        }
    }

    fn qualified(&self, table: &Ident, column: &Ident) -> Result<Place, Problem> {
        let alias = table.value.to_lowercase();
        let at = self.placed.iter().position(|placed| placed.alias == alias);
        let at = at.or_else(|| {
            let called = |placed: &Placed| self.catalogue.table(placed.table).name.eq_ignore_ascii_case(&alias);
            self.placed.iter().position(called)
        });
        let name = format!("{}.{}", table.value, column.value);
        let Some(at) = at else { return Err(Problem::UnknownName { name, nearest: Vec::new() }) };
        if let Some(column) = self.own(at, &column.value) {
            return Ok(Place { column, at });
        }
        // Another table of the query has it: the alias was mistaken, which leaves one way to read it.
        let others: Vec<Place> = self.holding(&column.value);
        match others.as_slice() {
            [only] => Ok(*only),
            _ => {
                let label = format!("{}.{}", self.catalogue.table(self.placed[at].table).name, column.value);
                Err(match names(self.catalogue).find(&Name(label.clone())) {
                    Err(problem) => problem,
                    Ok(_) => Problem::UnknownName { name: label, nearest: Vec::new() },
                })
            }
        }
    }

    fn unqualified(&self, column: &Ident) -> Result<Place, Problem> {
        let found = self.holding(&column.value);
        match found.as_slice() {
            [] => Err(match names(self.catalogue).find(&Name(column.value.clone())) {
                Err(problem) => problem,
                Ok(_) => unread(column, "its table is not in the FROM of the query"),
            }),
            [first, ..] => Ok(*first),
        }
    }

    /// A column of a table of which all are shown: that which tells its rows apart.
    pub fn any(&self, at: usize) -> Place {
        let table = self.placed[at].table;
        let column = self.catalogue.table(table).key.unwrap_or_default();
        Place { column: ColumnId { table, column }, at }
    }

    /// Leaves a table of whose rows nothing is asked.
    pub fn leave(&mut self, at: usize) {
        self.links.retain(|(from, to)| *from != at && *to != at);
        self.gone.push(at);
    }

    /// Whether its rows must not be there.
    pub fn is_gone(&self, at: usize) -> bool {
        self.gone.contains(&at)
    }

    fn holding(&self, column: &str) -> Vec<Place> {
        let all = (0..self.placed.len()).filter(|at| !self.gone.contains(at));
        all.filter_map(|at| Some(Place { column: self.own(at, column)?, at })).collect()
    }

    fn own(&self, at: usize, column: &str) -> Option<ColumnId> {
        let table = self.placed[at].table;
        let entry = self.catalogue.table(table);
        let found = entry.columns.iter().position(|own| own.name.eq_ignore_ascii_case(column));
        found.map(|column| ColumnId { table, column })
    }

    /// The table whose rows the joined rows are: the one that leads to all others.
    pub fn root(&self) -> Option<usize> {
        let there = (0..self.placed.len()).filter(|at| !self.gone.contains(at));
        let mut roots = there.filter(|at| self.links.iter().all(|(_, to)| to != at));
        let first = roots.next();
        if roots.next().is_some() { None } else { first }
    }

    /// Whether each row of the table at `from` has at most one of that at `to`.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(at) = reached.get(next).copied() {
            let onward: Vec<usize> =
                self.links.iter().filter(|(own, to)| *own == at && !reached.contains(to)).map(|(_, to)| *to).collect();
            reached.extend(onward);
            next += 1;
        }
        reached.contains(&to)
    }

    /// The name of a column: that of the reference by which it is reached, where several lead to its table and it is
    /// what their rows are called by.
    pub fn name(&self, place: Place) -> Result<Name, Problem> {
        let label = |column| Name(self.catalogue.column_label(column));
        let Some(via) = self.placed[place.at].via else { return Ok(label(place.column)) };
        let several = self.catalogue.roles(via.table, place.column.table).len() > 1;
        if !several {
            return Ok(label(place.column));
        }
        let calls = self.catalogue.column(place.column).part == ColumnPart::Key
            || self.catalogue.table(place.column.table).is_name_part(place.column.column);
        if calls {
            return Ok(label(via));
        }
        Err(unread(&self.catalogue.column_label(place.column), "several keys lead to its table"))
    }
}

/// What is joined by AND.
pub fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Nested(inner) => conjuncts(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
            let mut all = conjuncts(left);
            all.extend(conjuncts(right));
            all
        }
        other => vec![other],
    }
}
