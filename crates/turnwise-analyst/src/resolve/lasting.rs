//! Writes out columns that two others make: the days between two dates of a row, whether one is after the other. Behind
//! them stand the two columns, also those of a row that is referred to, and the plan says what rows without one of them
//! come to. Next: `sql/lasting.rs`.

use super::Resolved;
use crate::catalogue::{Catalogue, Made, Making, Path, Unit};
use crate::form::ColumnId;
use crate::query::{Expression, OrderBy, Query, Source, Test};

/// The query with each made column written out.
pub fn written_out(catalogue: &Catalogue, mut resolved: Resolved) -> Resolved {
    let mut said = Vec::new();
    write_out(catalogue, &mut resolved.query, &mut said);
    for sentence in said {
        if !resolved.assumptions.contains(&sentence) {
            resolved.assumptions.push(sentence);
        }
    }
    resolved
}

fn write_out(catalogue: &Catalogue, query: &mut Query, said: &mut Vec<String>) {
    let mut sources = std::mem::take(&mut query.sources);
    let mut writer = Writer { catalogue, sources: &mut sources, said };
    for test in &mut query.tests {
        writer.test(test);
    }
    for group in &mut query.groups {
        group.outputs.iter_mut().for_each(|output| writer.expression(&mut output.expression));
        group.keys.iter_mut().for_each(|key| writer.expression(key));
    }
    for gathered in &mut query.gathered {
        gathered.of.iter_mut().chain(&mut gathered.with).for_each(|of| writer.expression(of));
    }
    query.columns.iter_mut().for_each(|output| writer.expression(&mut output.expression));
    if let Some((OrderBy::Value(of), _)) = &mut query.order {
        writer.expression(of);
    }
    query.then.iter_mut().for_each(|(of, _)| writer.expression(of));
    query.sources = sources;
}

struct Writer<'a> {
    catalogue: &'a Catalogue,
    sources: &'a mut Vec<Source>,
    said: &'a mut Vec<String>,
}

impl Writer<'_> {
    fn test(&mut self, test: &mut Test) {
        match test {
            Test::In { of, .. }
            | Test::Number { of, .. }
            | Test::Time { of, .. }
            | Test::Missing { of, .. }
            | Test::Nothing { of, .. }
            | Test::Against { of, .. }
            | Test::Flag { of, .. }
            | Test::Text { of, .. } => self.expression(of),
            Test::Among { of, query, .. } => {
                self.expression(of);
                write_out(self.catalogue, query, self.said);
            }
            Test::Any(sides) => sides.iter_mut().flatten().for_each(|test| self.test(test)),
            Test::Lacks { .. } => {}
        }
    }

    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::Column { source, column } => {
                if let Some(made) = Made::of(*column) {
                    *expression = self.made(*source, made);
                }
            }
            Expression::Holds { of, .. } | Expression::Complement(of) | Expression::Part { of, .. } => {
                self.expression(of);
            }
            Expression::Passes(tests) => tests.iter_mut().for_each(|test| self.test(test)),
            Expression::Product(parts) | Expression::Difference(parts) => {
                parts.iter_mut().for_each(|part| self.expression(part));
            }
            Expression::FullName { .. }
            | Expression::Date { .. }
            | Expression::Lasting { .. }
            | Expression::Later { .. }
            | Expression::Above { .. }
            | Expression::Referred { .. }
            | Expression::MoreReferring { .. }
            | Expression::Positive(_)
            | Expression::Same { .. } => {}
        }
    }

    fn made(&mut self, source: usize, made: Made) -> Expression {
        if made.making.is_of_two_rows() {
            return super::theirs::written_out(self.catalogue, self.sources, self.said, source, made);
        }
        if made.making == Making::Referred {
            return super::theirs::referred(self.catalogue, self.said, source, made.first);
        }
        if made.making == Making::MoreReferring {
            return super::theirs::referred_more(self.catalogue, self.said, source, made);
        }
        if made.making == Making::Positive {
            let label = self.catalogue.column_label(made.first);
            self.said.push(format!("{label} of 0 counts as none; rows without it as neither."));
            return Expression::Positive(Box::new(Expression::Column { source, column: made.first.column }));
        }
        let (first, second) = (self.end(source, made.first), self.end(source, made.second));
        let clock = self.catalogue.has_clock(made.first) && self.catalogue.has_clock(made.second);
        let (one, other) = (self.catalogue.column_label(made.first), self.catalogue.column_label(made.second));
        let (first, second) = (Box::new(first), Box::new(second));
        match made.making {
            Making::Time(unit) => {
                self.said.push(format!(
                    "The {} are counted from {one} to {other}; rows without one of the two are left out.",
                    unit.name()
                ));
                if !clock && unit != Unit::Days {
                    self.said.push("They are counted from day to day, as one of the two has no hours.".to_owned());
                }
                if matches!(unit, Unit::Months | Unit::Years) {
                    self.said.push("A year is taken as 365.25 days, a month as a twelfth of it.".to_owned());
                }
                Expression::Lasting { from: first, until: second, unit, clock }
            }
            Making::Later => {
                self.said.push(format!("A row without {one} or {other} is neither the one nor the other."));
                Expression::Later { of: first, than: second, clock }
            }
            Making::Above | Making::AtLeast => {
                self.said.push(format!("A row without {one} or {other} does not count as either."));
                Expression::Above { of: first, than: second, same: made.making == Making::AtLeast }
            }
            Making::Same
            | Making::OverTheirs
            | Making::UnderTheirs
            | Making::SameTheirs
            | Making::Referred
            | Making::MoreReferring
            | Making::Positive => {
                self.said.push(format!("A row without {one} or {other} is neither the one nor the other."));
                Expression::Same { of: first, with: second }
            }
        }
    }

    /// One of the two columns; joined where it is one of a row referred to.
    fn end(&mut self, source: usize, end: ColumnId) -> Expression {
        let own = self.sources[source].table;
        let path = self.catalogue.only_path(own, end.table).cloned().unwrap_or_default();
        let source = followed(self.catalogue, self.sources, source, &path);
        Expression::Column { source, column: end.column }
    }
}

/// The source at the end of a way from another one; joined where it was not yet.
pub fn followed(catalogue: &Catalogue, sources: &mut Vec<Source>, from: usize, path: &Path) -> usize {
    path.0.iter().fold(from, |at, id| {
        let join = catalogue.join(*id);
        let pairs = join.from_columns.iter().copied().zip(join.to_columns.iter().copied()).collect();
        joined(sources, Source { table: join.to, joined: Some((at, pairs)), current: None, by_day: join.by_day })
    })
}

/// The position of a source, which is one of those there are or a new one.
pub fn joined(sources: &mut Vec<Source>, wanted: Source) -> usize {
    sources.iter().position(|known| *known == wanted).unwrap_or_else(|| {
        sources.push(wanted);
        sources.len() - 1
    })
}
