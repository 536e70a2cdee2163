//! Tests on related rows: "never bought Jazz", "with both a cat and a dog", "not in any event of that kind". They are
//! made by the keys another query finds, so that they neither repeat rows nor leave any out. What is said of the
//! related rows is tested there; what only the rows themselves have is tested on them. Next: `never`, `tested`.

use super::JOIN;
use super::assemble::{Frame, NO_KEY};
use super::home::way_home;
use super::never::impossible;
use super::weigh::Misfit;
use crate::catalogue::{Amount, Path};
use crate::form::{ColumnId, Filter, Found, Mention, QueryForm, TableId, Thing};
use crate::period::Period;
use crate::query::{Expression, Output, Query, Test};

/// What is said of related rows.
pub struct Related<'a> {
    /// The table they are in, where it was named.
    pub of: Option<&'a Mention>,
    /// What they must be like.
    pub filters: &'a [Filter],
    /// When.
    pub periods: &'a [Period],
    /// Whether there must be none.
    pub negated: bool,
}

/// The query that finds the keys, from one starting table.
struct Way {
    cost: u32,
    start: TableId,
    query: Query,
    assumptions: Vec<String>,
    /// What is said of the rows asked about.
    own: Vec<Filter>,
}

impl Frame<'_> {
    /// The tests that rows are related to some row like that, or to none.
    pub fn related(&mut self, said: &Related<'_>) -> Result<Vec<Test>, Misfit> {
        let (home, key) = self.asked_by()?;
        let plural = self.catalogue.plural(home);
        let mut best: Option<Way> = None;
        let mut trouble: Option<Misfit> = None;
        for (start, over) in self.related_starts(home, said.of) {
            match self.way(said, start, over, ColumnId { table: home, column: key }) {
                Ok(Some(way)) if best.as_ref().is_none_or(|best| way.cost < best.cost) => best = Some(way),
                Ok(_) => {}
                Err(misfit) if trouble.as_ref().is_none_or(|before| misfit.cost < before.cost) => {
                    trouble = Some(misfit);
                }
                Err(_) => {}
            }
        }
        let Some(way) = best else {
            if !said.negated && said.of.is_none() && said.periods.is_empty() {
                return self.own_tests(said.filters, home);
            }
            let words = said.of.map_or("that", |mention| mention.words.as_str());
            let unlinked = || impossible(NO_KEY, format!("No key links “{words}” with {plural}."));
            return Err(trouble.unwrap_or_else(unlinked));
        };
        // "Do not earn a salary above 10000" denies the number, and not the rows that a verb may stand for.
        if said.negated && way.own.iter().any(|filter| matches!(filter, Filter::Number { .. })) {
            let text = format!(
                "What is denied is a number of the {plural} themselves: say it by the opposite, as in “at most” for “not \
                 above”."
            );
            return Err(impossible(0, text));
        }
        // Where a word names rows as well as values of a column, what they lack is said of the rows.
        let valued = self.scope.is_some_and(|(column, source)| {
            source != 0 || self.catalogue.table(column.table).key != Some(column.column)
        });
        self.cost += way.cost + if valued { JOIN } else { 0 };
        way.assumptions.into_iter().for_each(|sentence| self.assume(sentence));
        let table = self.catalogue.table(way.start).name.clone();
        let asked =
            self.scope.map_or(plural, |(column, _)| format!("values of {}", self.catalogue.column_label(column)));
        self.assume(if said.negated {
            format!("“never” means {asked} that no such row of {table} belongs to.")
        } else {
            format!("It is enough that one such row of {table} belongs to them, whatever others do.")
        });
        let source = self.scope.map_or_else(|| self.home_source(), |(_, source)| source);
        let of = Expression::Column { source, column: key };
        let mut tests = vec![Test::Among { of, query: Box::new(way.query), negated: said.negated }];
        for filter in &way.own {
            tests.extend(self.tests_of(filter)?);
        }
        Ok(tests)
    }

    /// Tests that only the rows asked about can pass.
    fn own_tests(&mut self, filters: &[Filter], home: TableId) -> Result<Vec<Test>, Misfit> {
        let mut tests = Vec::new();
        for filter in filters {
            tests.extend(self.tests_of(filter)?);
        }
        if tests.is_empty() {
            let plural = self.catalogue.plural(home);
            return Err(impossible(NO_KEY, format!("Nothing is said of what belongs to the {plural}.")));
        }
        Ok(tests)
    }

    /// The table and the column by which those asked about are known: the key of rows, or the column whose values they
    /// are.
    fn asked_by(&self) -> Result<(TableId, usize), Misfit> {
        if let Some((column, _)) = self.scope {
            return Ok((column.table, column.column));
        }
        let home = self.home_table;
        let unkeyed = || {
            let plural = self.catalogue.plural(home);
            impossible(NO_KEY, format!("{plural} have no key, so what they lack cannot be told."))
        };
        Ok((home, self.catalogue.table(home).key.ok_or_else(unkeyed)?))
    }

    /// The tables whose rows may be the related ones; with a table that such rows have to lead to, where what was named
    /// is linked by others only.
    fn related_starts(&self, home: TableId, of: Option<&Mention>) -> Vec<(TableId, Option<TableId>)> {
        let scoped = self.scope.is_some();
        let fits = |start: &TableId| *start != home || scoped;
        let all: Vec<TableId> = self.catalogue.reaching(home).filter(fits).collect();
        let Some(of) = of else { return all.into_iter().map(|start| (start, None)).collect() };
        let named = of.candidates.iter().filter_map(|candidate| match candidate.thing {
            Thing::Table(table) => Some(table),
            Thing::Column(_) | Thing::Concept(_) => None,
        });
        let named: Vec<TableId> = named.collect();
        let direct: Vec<_> = all.iter().filter(|start| named.contains(start)).map(|start| (*start, None)).collect();
        if !direct.is_empty() {
            return direct;
        }
        let over = |start: &TableId| {
            let table = named.iter().find(|table| !self.catalogue.paths(*start, **table).is_empty());
            table.map(|table| (*start, Some(*table)))
        };
        all.iter().filter_map(over).collect()
    }

    /// The query from `start`; none where nothing would be said of its rows.
    fn way(
        &self,
        said: &Related<'_>,
        start: TableId,
        over: Option<TableId>,
        asked: ColumnId,
    ) -> Result<Option<Way>, Misfit> {
        let (theirs, own) = self.divided(said.filters, start, asked.table);
        let nothing = theirs.is_empty() && said.periods.is_empty() && over.is_none();
        if nothing && (said.of.is_none() || start == asked.table) {
            return Ok(None);
        }
        let form = QueryForm {
            filters: theirs,
            periods: said.periods.to_vec(),
            answers: self.form.answers.clone(),
            dated: self.form.dated.clone(),
            // Of the rows that were named the day they were done on comes before that of what they belong to.
            context: self.form.context.iter().chain(said.of).cloned().collect(),
            ..QueryForm::default()
        };
        let mut frame = Frame::new(self.catalogue, &form, start, start);
        let home = way_home(self.catalogue, &form, start, asked.table)?;
        let source = frame.source(&home);
        let expression = Expression::Column { source, column: asked.column };
        let mut joins = self.catalogue.hops(&home);
        let mut tests = frame.tests()?;
        if let Some(table) = over {
            let way = way_home(self.catalogue, &form, start, table)?;
            joins += self.catalogue.hops(&way);
            tests.extend(frame.leads_to(&way, table));
        }
        let cost = frame.cost + JOIN * joins;
        let assumptions = std::mem::take(&mut frame.assumptions);
        let columns = vec![Output { label: "key".to_owned(), expression }];
        let query = Query { columns, tests, sources: frame.into_sources(), ..Query::default() };
        Ok(Some(Way { cost, start, query, assumptions, own }))
    }

    /// That a way leads to a row.
    fn leads_to(&mut self, way: &Path, table: TableId) -> Option<Test> {
        let column = self.catalogue.table(table).key?;
        let source = self.source(way);
        Some(Test::Missing { of: Expression::Column { source, column }, negated: true })
    }

    /// The filters on rows of `start`, and those that only speak of the rows asked about.
    fn divided(&self, filters: &[Filter], start: TableId, home: TableId) -> (Vec<Filter>, Vec<Filter>) {
        let near = |table: TableId| self.is_before(start, home, table);
        let (mut theirs, mut own) = (Vec::new(), Vec::new());
        for filter in filters {
            match filter {
                Filter::Value { words, found, negated } => {
                    let place = |found: &&Found| found.via.map(|via| via.table).or(found.table());
                    let kept: Vec<Found> =
                        found.iter().filter(|found| place(found).is_some_and(near)).cloned().collect();
                    if kept.is_empty() && self.reaches_any(home, found.iter().filter_map(|found| found.table())) {
                        own.push(filter.clone());
                    } else {
                        let found = if kept.is_empty() { found.clone() } else { kept };
                        theirs.push(Filter::Value { words: words.clone(), found, negated: *negated });
                    }
                }
                Filter::Number { of, .. }
                | Filter::Missing { of, .. }
                | Filter::Flag { of, .. }
                | Filter::End { of, .. }
                | Filter::Average { of, .. } => {
                    let tables = self.tables_of(of);
                    let is_own =
                        !tables.iter().any(|table| near(*table)) && self.reaches_any(home, tables.iter().copied());
                    if is_own { own.push(filter.clone()) } else { theirs.push(filter.clone()) }
                }
                other => theirs.push(other.clone()),
            }
        }
        (theirs, own)
    }

    /// Whether `table` is reached from `start` without coming by the rows asked about.
    fn is_before(&self, start: TableId, home: TableId, table: TableId) -> bool {
        if self.scope.is_some() && start == home {
            return !self.catalogue.paths(start, table).is_empty();
        }
        let passes = |path: &Path| path.0.iter().any(|join| self.catalogue.join(*join).to == home);
        table != home && self.catalogue.paths(start, table).iter().any(|path| !passes(path))
    }

    fn reaches_any(&self, home: TableId, mut tables: impl Iterator<Item = TableId>) -> bool {
        tables.any(|table| !self.catalogue.paths(home, table).is_empty())
    }

    fn tables_of(&self, mention: &Mention) -> Vec<TableId> {
        let tables = mention.candidates.iter().flat_map(|candidate| match candidate.thing {
            Thing::Table(table) => vec![table],
            Thing::Column(column) => vec![column.table],
            Thing::Concept(concept) => {
                let columns = self.catalogue.measures(concept).iter().filter_map(|source| match source.amount {
                    Amount::Column(column) => Some(column.table),
                    Amount::Product { .. } | Amount::Difference { .. } => None,
                });
                columns.collect()
            }
        });
        tables.collect()
    }
}
