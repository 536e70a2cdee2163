//! The same rows counted twice, once with a test: "number of orders and number of cancelled orders by city". The test
//! is that of the number it was said with; were it put on the rows, one of the two numbers would be lost. Next:
//! `counted`.

use super::super::form::{Aggregate, Analysis, Filter, Measure};
use super::compose::Composer;

impl Composer<'_> {
    /// Gives each of two counts of the same rows the tests that were said with it.
    pub fn settle_twice(&mut self) {
        // "Compare the number of outages in Harbour with that in Old Town": two sides of one count.
        let two_sides = self.slots.analysis == Analysis::Compare;
        let (Some(counted), &[first, second]) = (&self.slots.counted, self.slots.counts.as_slice()) else { return };
        let Some(table) = counted.table().filter(|_| !self.slots.sold && !two_sides) else { return };
        let same = |measure: &Measure| measure.aggregate == Aggregate::Count && measure.of.table() == Some(table);
        let Some(at) = self.slots.measures.iter().position(same) else { return };
        let flagged = self.slots.flagged.is_said();
        let own = self.slots.filters.split_off(second.min(self.slots.filters.len()));
        let before = self.slots.filters.split_off(first.min(self.slots.filters.len()));
        if flagged || own.len() > 1 || before.len() > 1 || (own.is_empty() && before.is_empty()) {
            self.slots.filters.extend(before.into_iter().chain(own));
            let text = format!(
                "“{0}” are counted twice, and which number each test is of is not clear: ask for one number after the other.",
                counted.words
            );
            self.read.doubt.get_or_insert(text);
            return;
        }
        let second = Measure { holds: own, ..Measure::new(Aggregate::Count, counted.clone()) };
        self.slots.counted = None;
        for tests in [&second.holds, &before] {
            self.form.notes.extend(tests.iter().filter_map(only_one));
        }
        self.slots.measures[at].holds = before;
        self.slots.measures.push(second);
    }
}

/// What is said of a test that only one of the numbers has.
fn only_one(test: &Filter) -> Option<String> {
    match test {
        Filter::Value { words, .. } => Some(format!("“{words}” is said of one of the numbers, and not of the other.")),
        _ => None,
    }
}
