//! "What share of the population lives in Asia": a share of a number is one of its total, where a total of it says
//! anything. Of ages and rates it does not, and how they are gathered is asked as ever. Next: `loose`, `predicate`.

use super::super::form::{Aggregate, Analysis, Measure, Thing};
use super::super::lexicon::lexicon;
use super::compose::Composer;
use super::mention::is_measure;

/// Numbers whose total says nothing, beside those that the lexicon knows as such.
const NO_TOTAL: [&str; 9] =
    ["rate", "ratio", "percent", "percentage", "share", "average", "price", "number", "expectancy"];

impl Composer<'_> {
    /// Adds up the one number that a share was asked of.
    pub fn settle_shared(&mut self) {
        let said = !self.slots.filters.is_empty() || !self.slots.dimensions.is_empty();
        let free = self.slots.measures.is_empty() && self.slots.asked.is_none() && self.slots.counted.is_none();
        if self.slots.analysis != Analysis::Share || !said || !free {
            return;
        }
        let [(_, mention)] = self.slots.loose.as_slice() else { return };
        let adds_up = mention.columns().next().is_some()
            && mention.columns().all(|column| {
                let stems = &self.catalogue.column(column).stems;
                let none = stems.iter().any(|stem| NO_TOTAL.contains(&stem.as_str()));
                !none && !self.catalogue.column(column).fraction && !lexicon().is_zero_some(stems)
            });
        let named =
            mention.table().is_some() || mention.candidates.iter().any(|one| matches!(one.thing, Thing::Table(_)));
        if adds_up && !named && is_measure(self.catalogue, mention) {
            let (_, of) = self.slots.loose.remove(0);
            self.form.notes.push(format!("“{}” is added up, as a share of it was asked for.", of.words));
            self.slots.measures.push(Measure::new(Aggregate::Sum, of));
        }
    }
}
