//! What puts two things together: verbs that only link, and the correlation of two numbers. Neither is
//! a part of the question by itself, so both are settled when all names are known. Next: `compose`.

use super::super::form::{Aggregate, Measure, Mention};
use super::compose::Composer;
use super::slots::is_measure;

impl Composer<'_> {
    /// "correlation between distance and air time".
    pub fn settle_correlation(&mut self) {
        if !self.slots.correlates {
            return;
        }
        let is_number = |(_, mention): &(usize, Mention)| is_measure(self.catalogue, mention);
        let (numbers, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.slots.loose).into_iter().partition(is_number);
        self.slots.loose = rest;
        let summed = std::mem::take(&mut self.slots.measures).into_iter().map(|measure| measure.of);
        let numbers: Vec<Mention> = summed.chain(numbers.into_iter().map(|(_, mention)| mention)).collect();
        match numbers.as_slice() {
            [one, other] => {
                let measure = Measure::new(Aggregate::Correlation, one.clone());
                self.slots.measures.push(Measure { with: Some(other.clone()), ..measure });
            }
            _ => {
                let text =
                    "A correlation is between two numbers: name both, as in “correlation of price and quantity”.";
                self.read.doubt = Some(text.to_owned());
            }
        }
    }

    /// Verbs that only link are understood where there is something to link; alone they might mean anything.
    pub fn settle_links(&mut self) {
        let links = std::mem::take(&mut self.slots.links);
        if links.is_empty() {
            return;
        }
        let form = &self.form;
        let named = form.measures.len()
            + form.dimensions.len()
            + form.context.len()
            + form.attributes.len()
            + usize::from(form.subject.is_some());
        if named < 2 && form.filters.is_empty() {
            self.read.unknown.extend(links);
            return;
        }
        for verb in links {
            let note = format!("“{verb}” is taken to say only that what stands around it belongs together.");
            self.form.notes.push(note);
        }
    }
}
