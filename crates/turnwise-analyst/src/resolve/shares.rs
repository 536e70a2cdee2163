//! The share of rows that pass some tests, in each group that was asked for: "cancellation rate by trainer", "what
//! percentage of the staff of each department are women". What it is a share of is said with the plan, because a share
//! of all and one of its own group look alike. Next: `assemble`, `flag`.

use super::assemble::Frame;
use super::weigh::Misfit;
use crate::form::{Filter, QueryForm};
use crate::query::Expression;
use crate::steps::about;

impl Frame<'_> {
    /// What is averaged for the share of rows that pass the filters.
    pub fn share_passing(&mut self, filters: &[Filter]) -> Result<Option<Expression>, Misfit> {
        let mut tests = Vec::new();
        for filter in filters {
            tests.extend(self.tests_of(filter)?);
        }
        let all = self.catalogue.plural(self.home_table);
        let groups = if self.form.dimensions.is_empty() { "" } else { " in each group" };
        let state = state(filters);
        self.assume(format!("Of all {all} asked about{groups}, the share “{state}”, in percent."));
        Ok((!tests.is_empty()).then_some(Expression::Passes(tests)))
    }
}

/// What rows are that pass: "cancelled", "without phone".
pub fn state(filters: &[Filter]) -> String {
    let said = filters.iter().map(|filter| {
        let form = QueryForm { filters: vec![filter.clone()], ..QueryForm::default() };
        let words = about(&form);
        words.trim_start().trim_start_matches("for ").to_lowercase()
    });
    said.collect::<Vec<_>>().join(" and ")
}
