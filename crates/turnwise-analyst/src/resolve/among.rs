//! Tests on the rows of an earlier result: by the values that tell them apart, or by a query with the tests they had
//! then. Next: `assemble`, and `refer` for what makes these tests.

use super::assemble::{Frame, NO_KEY};
use super::weigh::{Misfit, Use};
use super::{JOIN, Trouble};
use crate::form::{Among, ColumnId, Mention, QueryForm, TableId, Thing};
use crate::query::{Expression, Output, Query, Test};

fn impossible(text: String) -> Misfit {
    Misfit { cost: NO_KEY, trouble: Trouble::Impossible(text) }
}

impl Frame<'_> {
    /// The rows belong to those of an earlier result.
    pub fn among(&mut self, table: TableId, words: &str, rows: &Among, negated: bool) -> Result<Test, Misfit> {
        let reading = self.weigh_home(&Mention::of(words, Thing::Table(table)), Use::Group)?;
        let source = self.source(&reading.path);
        match rows {
            Among::Named { column: ColumnId { column, .. }, values } => {
                let of = Expression::Column { source, column: *column };
                Ok(Test::In { of, values: values.clone(), negated })
            }
            Among::Tested(form) => {
                let (key, query) = self.tested(table, words, form)?;
                let of = Expression::Column { source, column: key };
                Ok(Test::Among { of, query: Box::new(query), negated })
            }
        }
    }

    /// The keys of the rows of `table` that pass the tests of `form`.
    fn tested(&mut self, table: TableId, words: &str, form: &QueryForm) -> Result<(usize, Query), Misfit> {
        let Some(key) = self.catalogue.table(table).key else {
            return Err(impossible(format!("What tells {words} apart is not known, so they cannot be found again.")));
        };
        let mut best: Option<(u32, Query, Vec<String>)> = None;
        let mut trouble = None;
        let below = self.catalogue.reaching(table).filter(|start| *start != table);
        for start in std::iter::once(table).chain(below) {
            let mut frame = Frame::new(self.catalogue, form, start, table);
            let joins = self.catalogue.paths(start, table).first().map_or(0, |path| self.catalogue.hops(path));
            match frame.tests() {
                Ok(tests) => {
                    let source = frame.home_source();
                    let expression = Expression::Column { source, column: key };
                    let columns = vec![Output { label: "key".to_owned(), expression }];
                    let cost = frame.cost + JOIN * joins;
                    let assumptions = std::mem::take(&mut frame.assumptions);
                    let query = Query { columns, tests, sources: frame.into_sources(), ..Query::default() };
                    if best.as_ref().is_none_or(|(before, ..)| cost < *before) {
                        best = Some((cost, query, assumptions));
                    }
                }
                Err(misfit) => trouble = trouble.or(Some(misfit)),
            }
        }
        let Some((cost, query, assumptions)) = best else {
            return Err(trouble.unwrap_or_else(|| impossible(format!("The tests of {words} cannot be made again."))));
        };
        self.cost += cost;
        assumptions.into_iter().for_each(|sentence| self.assume(sentence));
        Ok((key, query))
    }
}
