//! Averages over groups: "orders per customer". The groups that exist are averaged, whether they have rows or not, and
//! rows that belong to no group are no group of their own. Next: `assemble`.

use super::assemble::Frame;
use crate::assistant::analyst::catalogue::plural;
use crate::assistant::analyst::form::{Aggregate, Dimension, Measure, TableId};
use crate::assistant::analyst::query::{Expression, Group, Test};

impl Frame<'_> {
    /// Leaves rows without a group out of an average over groups. Gives the table whose rows the groups are, where all
    /// of them count.
    pub fn average_over(&mut self, measure: &Measure, groups: &[Group], tests: &mut Vec<Test>) -> Option<TableId> {
        measure.over_groups?;
        for group in groups {
            let told_by = group.keys.first().or(group.outputs.first().map(|output| &output.expression));
            tests.extend(told_by.map(|of| Test::Missing { of: of.clone(), negated: true }));
        }
        let [Dimension::Thing(mention)] = self.form.dimensions.as_slice() else { return None };
        let Some(Expression::Column { source, .. }) = groups.first().and_then(|group| group.keys.first()) else {
            self.assume(format!(
                "Only a {} that occurs is averaged over, and rows without one are left out.",
                mention.words
            ));
            return None;
        };
        let table = self.source_table(*source);
        let own = mention.only_table() == Some(table);
        let sums = matches!(measure.aggregate, Aggregate::Count | Aggregate::Sum);
        let plain = self.form.filters.is_empty() && self.form.periods.is_empty();
        let (entry, all) = (self.catalogue.table(table), self.catalogue.plural(table));
        if measure.over_groups == Some(Aggregate::Average) && sums && plain && own {
            let rows = entry.rows;
            self.assume(format!(
                "The average is over all {rows} {all}: those without count as 0, rows without one are left out."
            ));
            return Some(table);
        }
        let noun = plural(&mention.words.to_lowercase());
        let noun = if mention.words.to_lowercase().ends_with('s') { mention.words.to_lowercase() } else { noun };
        self.assume(format!("Only {noun} that occur in the rows asked about are averaged, not those without any."));
        None
    }
}
