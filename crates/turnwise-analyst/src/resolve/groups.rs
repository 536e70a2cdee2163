//! Averages over groups: "orders per customer". The groups that exist are averaged, whether they have rows or not, and
//! rows that belong to no group are no group of their own; nor do they pass for one where groups are tested or counted.
//! Next: `assemble`.

use super::Resolved;
use super::assemble::Frame;
use crate::catalogue::{AxisPlace, Join, plural};
use crate::form::{Aggregate, Dimension, Measure, QueryForm, TableId};
use crate::query::{Expression, Group, Output, Query, Source, Test};

impl Frame<'_> {
    /// Leaves rows without a group out of an average over groups. Gives the table whose rows the groups are, where all
    /// of them count.
    pub fn average_over(
        &mut self,
        measure: &Measure,
        groups: &mut [Group],
        tests: &mut Vec<Test>,
    ) -> Option<Box<Query>> {
        if measure.over_groups.is_none() {
            self.leave_nobody(groups, tests);
            return None;
        }
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
            return Some(Box::new(all_rows(table)));
        }
        if measure.over_groups == Some(Aggregate::Average) && sums && own && self.catalogue.is_calendar(table) {
            return self.all_days(table).map(Box::new);
        }
        let noun = plural(&mention.words.to_lowercase());
        let noun = if mention.words.to_lowercase().ends_with('s') { mention.words.to_lowercase() } else { noun };
        self.assume(format!("Only {noun} that occur in the rows asked about are averaged, not those without any."));
        None
    }

    /// Rows that belong to no group are no group that could pass a test or be counted.
    fn leave_nobody(&mut self, groups: &mut [Group], tests: &mut Vec<Test>) {
        let [Dimension::Thing(_), ..] = self.form.dimensions.as_slice() else { return };
        if self.form.conditions.is_empty() && !self.form.count_groups {
            if self.form.of_each {
                self.leave_unowned(groups, tests);
            }
            return;
        }
        // What is shown of a row that is not there is what refers to it, where that is all that would be shown.
        let by_key = |group: &Group| group.outputs.iter().all(|output| group.keys.contains(&output.expression));
        if self.form.count_groups || groups.iter().all(by_key) {
            self.by_reference(groups);
        }
        if let Some(group) = groups.first() {
            let told_by = group.keys.first().or(group.outputs.first().map(|output| &output.expression));
            tests.extend(told_by.map(|of| Test::Missing { of: of.clone(), negated: true }));
        }
    }

    /// Of what each did, what nobody did is left out.
    fn leave_unowned(&mut self, groups: &[Group], tests: &mut Vec<Test>) {
        let Some(Dimension::Thing(mention)) = self.form.dimensions.first() else { return };
        let words = mention.words.to_lowercase();
        for group in groups.iter().take(1) {
            let told_by = group.keys.first().or(group.outputs.first().map(|output| &output.expression));
            tests.extend(told_by.map(|of| Test::Missing { of: of.clone(), negated: true }));
        }
        self.assume(format!("Rows without a {words} are left out, as it was asked what each {words} has."));
    }

    /// The days that pass what is said of days, as far as there are rows of what is counted: those on which nothing
    /// happened count as 0.
    fn all_days(&mut self, table: TableId) -> Option<Query> {
        let form = QueryForm { periods: self.form.periods.clone(), ..QueryForm::default() };
        let mut all = Frame::new(self.catalogue, &form, table, table);
        let mut tests = all.tests().ok()?;
        for filter in &self.form.filters {
            // What is said of anything else leaves no day out.
            let form = QueryForm { filters: vec![filter.clone()], ..QueryForm::default() };
            tests.extend(Frame::new(self.catalogue, &form, table, table).tests().unwrap_or_default());
        }
        tests.extend(self.days_with_rows(table));
        let resolved = Resolved {
            query: Query { tests, ..all_rows(table) },
            assumptions: Vec::new(),
            label: String::new(),
            cost: 0,
        };
        let (days, rows) = (self.catalogue.table(table).name.clone(), self.catalogue.plural(self.start));
        self.assume(format!("Of the days in {days} those without {rows} count as 0."));
        Some(super::lasting::written_out(self.catalogue, resolved).query)
    }

    /// Between the first and the last day that has rows of what is counted.
    fn days_with_rows(&self, table: TableId) -> Option<Test> {
        let range = |table: TableId| {
            let axes = &self.catalogue.table(table).axes;
            axes.iter().find(|axis| !axis.named_only && matches!(axis.place, AxisPlace::Column(_)))
        };
        let ((first, last), day) = (range(self.start)?.range?, range(table)?);
        let of = Expression::Date { source: 0, place: day.place.clone() };
        let (from, until) = (Some(first.to_string()), Some(last.tomorrow().ok()?.to_string()));
        Some(Test::Time { of, from, until, outside: false })
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
            "Not every {name} of {of} is among the {to}: each that occurs there counts, known or not."
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

/// All rows of a table.
fn all_rows(table: TableId) -> Query {
    let first = Source { table, joined: None, current: None, by_day: false };
    Query { sources: vec![first], ..Query::default() }
}
