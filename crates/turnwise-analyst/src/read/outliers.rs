//! Which number "outliers" is about: one of groups ("outliers in revenue by month") or one of rows ("unusual order
//! totals"); and what running totals and shares are of. Next: `steps::outliers`, which plans how they are found.

use super::super::catalogue::Amount;
use super::super::form::{Aggregate, Analysis, Candidate, Dimension, Measure, Mention, Thing};
use super::super::lexicon::Concept;
use super::compose::Composer;
use super::mention::is_measure;
use super::slots::Asked;

impl Composer<'_> {
    /// A number without a word of how to gather it: money is added up in each group, anything else is averaged. Among
    /// rows each value stands for itself.
    pub fn settle_outliers(&mut self) {
        self.settle_shared_by();
        if !self.slots.measures.is_empty() || self.slots.aggregate.is_some() {
            return;
        }
        match self.slots.analysis {
            Analysis::Outliers => self.judged_by(),
            Analysis::Cumulative | Analysis::Share | Analysis::Growth => return self.settle_whole(),
            _ => return,
        }
        let number = self.slots.loose.iter().position(|(_, mention)| is_measure(self.catalogue, mention));
        if let Some(at) = number {
            let (_, of) = self.slots.loose.remove(at);
            let grouped = self.slots.asked.is_some() || !self.slots.dimensions.is_empty();
            let aggregate = if self.adds_up(&of) { Aggregate::Sum } else { Aggregate::Average };
            if grouped {
                let how = if aggregate == Aggregate::Sum { "added up" } else { "averaged" };
                self.form.notes.push(format!("“{}” is {how} in each group, as nothing else was said.", of.words));
            }
            self.slots.measures.push(Measure::new(aggregate, of));
        } else if self.slots.dimensions.is_empty() && self.slots.asked.is_none() {
            let text = "Outliers in which number? Name it, as in “outliers in the order totals” or “outliers in the \
                        number of orders by day”.";
            self.read.doubt.get_or_insert(text.to_owned());
        }
    }

    /// "Which products are outliers by price": the number that products have tells which of their rows are unusual; one
    /// that lies elsewhere is gathered for each of them.
    fn judged_by(&mut self) {
        let [Dimension::Thing(by)] = self.slots.dimensions.as_slice() else { return };
        let Some(Asked::Thing(judged)) = &self.slots.asked else { return };
        let Some(table) = judged.only_table() else { return };
        if by.table().is_some() || !is_measure(self.catalogue, by) {
            return;
        }
        let (mut by, judged) = (by.clone(), judged.clone());
        self.slots.dimensions.clear();
        let own = |candidate: &Candidate| matches!(candidate.thing, Thing::Column(column) if column.table == table);
        if by.best().as_ref().is_some_and(own) {
            by.candidates.retain(own);
            self.slots.asked = None;
            self.slots.context.push(judged);
        }
        self.slots.loose.push((0, by));
    }

    /// "Running total of the amount", "share of the amount": what is divided or added up is its sum.
    fn settle_whole(&mut self) {
        let adds = self.slots.analysis == Analysis::Cumulative;
        let number = self.slots.loose.iter().position(|(_, mention)| {
            is_measure(self.catalogue, mention) && mention.table().is_none() && (adds || self.adds_up(mention))
        });
        if let Some(at) = number {
            let (_, of) = self.slots.loose.remove(at);
            self.slots.measures.push(Measure::new(Aggregate::Sum, of));
        }
    }

    /// "Share of payments by amount": an amount of money makes no groups, it is what the share is one of.
    fn settle_shared_by(&mut self) {
        let of_rows = |measure: &Measure| measure.aggregate == Aggregate::Count && measure.of.table().is_some();
        let free = self.slots.analysis == Analysis::Share && self.slots.measures.iter().all(of_rows);
        let is_amount = |dimension: &Dimension| match dimension {
            Dimension::Thing(by) => by.table().is_none() && is_measure(self.catalogue, by) && self.adds_up(by),
            Dimension::Time(_) => false,
        };
        let Some(at) = self.slots.dimensions.iter().position(is_amount).filter(|_| free) else { return };
        if let Dimension::Thing(by) = self.slots.dimensions.remove(at) {
            self.form.context.extend(self.slots.measures.drain(..).map(|counted| counted.of));
            self.slots.loose.push((0, by));
        }
    }

    /// Whether a number is an amount of money or a quantity.
    fn adds_up(&self, of: &Mention) -> bool {
        let amounts = [Concept::Money, Concept::Quantity].map(|concept| self.catalogue.measures(concept));
        let is_own =
            |amount: &Amount| matches!(amount, Amount::Column(column) if of.columns().any(|own| own == *column));
        of.concept().is_some_and(|concept| matches!(concept, Concept::Money | Concept::Quantity))
            || amounts.into_iter().flatten().any(|source| is_own(&source.amount))
    }
}
