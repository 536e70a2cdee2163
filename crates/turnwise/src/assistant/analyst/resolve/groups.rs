//! Averages over groups: "orders per customer". The groups that exist are averaged, whether they have rows or not, and
//! rows that belong to no group are no group of their own. Next: `assemble`.

use super::assemble::Frame;
use crate::assistant::analyst::catalogue::{Join, plural};
use crate::assistant::analyst::form::{Aggregate, Dimension, Measure, TableId};
use crate::assistant::analyst::query::{Expression, Group, Output, Test};

impl Frame<'_> {
    /// Leaves rows without a group out of an average over groups. Gives the table whose rows the groups are, where all
    /// of them count.
    pub fn average_over(&mut self, measure: &Measure, groups: &mut [Group], tests: &mut Vec<Test>) -> Option<TableId> {
        measure.over_groups?;
        let referring = self.by_reference(groups);
        for group in groups.iter().take(1) {
            let told_by = group.keys.first().or(group.outputs.first().map(|output| &output.expression));
            tests.extend(told_by.map(|of| Test::Missing { of: of.clone(), negated: true }));
        }
        if referring {
            return None;
        }
        if let [Dimension::Thing(mention), _, ..] = self.form.dimensions.as_slice() {
            let words = mention.words.to_lowercase();
            self.assume(format!("Within each group, each “{words}” that occurs there is averaged over, and no other."));
            return None;
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

    /// Where some rows refer to rows that are not there, each value that refers is a group: the flights of a plane that
    /// the planes lack are flights of a plane. True where the groups were made so.
    fn by_reference(&mut self, groups: &mut [Group]) -> bool {
        let [group] = groups else { return false };
        let Some(Expression::Column { source, column }) = group.keys.first() else { return false };
        let Some((left, from)) = self.referring_column(*source, *column) else { return false };
        let (of, to) = (self.source_table(left), self.source_table(*source));
        let lacks = |join: &Join| join.from == of && join.to == to && join.from_columns == [from] && !join.whole;
        if !self.catalogue.referrers(to).any(lacks) {
            return false;
        }
        let name = self.catalogue.table(of).columns[from].name.clone();
        let (of, to) = (self.catalogue.table(of).name.clone(), self.catalogue.plural(to));
        self.assume(format!(
            "Not every {name} of {of} is among the {to}: each that occurs there is averaged over, known or not."
        ));
        let expression = Expression::Column { source: left, column: from };
        *group = Group {
            outputs: vec![Output { label: name, expression: expression.clone() }],
            keys: vec![expression],
            time: None,
        };
        true
    }
}
