//! Orders and their ends: "top 5", "10 longest", "best selling", "highest". Next: `compose`, which finds what is ranked.

use super::super::form::Aggregate;
use super::super::lexicon::{Concept, Order};
use super::slots::{Ranked, Walker, Wanted, concept_mention};

impl Walker<'_> {
    pub fn extreme(&mut self, order: Order) {
        self.slots.extreme = Some(order);
        if let Some(limit) = self.whole_number() {
            self.rank_as(order, Some(limit), None, "highest");
        }
    }

    /// A number said before, as a count.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole, positive and small"
    )]
    pub fn whole_number(&mut self) -> Option<usize> {
        let number = self.number.filter(|number| number.fract() == 0.0 && (1.0..=100_000.0).contains(number))?;
        self.number = None;
        Some(number as usize)
    }

    pub fn rank(&mut self, order: Order, words: &str) {
        let before = self.whole_number();
        let after = self.spans.get(self.at + 1).and_then(|next| next.number);
        let limit = before.or_else(|| {
            self.number = after;
            let limit = self.whole_number();
            self.at += usize::from(limit.is_some());
            limit
        });
        self.rank_as(order, limit, None, words);
        self.wanted = Wanted::Ranked;
    }

    pub fn rank_as(&mut self, order: Order, limit: Option<usize>, property: Option<(Concept, String)>, words: &str) {
        let before = self.slots.ranking.take();
        self.slots.ranking = Some(Ranked {
            order,
            limit: limit.or(before.as_ref().and_then(|ranked| ranked.limit)),
            property,
            words: words.to_owned(),
            subject: before.and_then(|ranked| ranked.subject),
            by: None,
        });
    }

    pub fn take_superlative(&mut self, order: Order, concept: Concept, words: &str) {
        let before = self.whole_number();
        let limit = before.or_else(|| {
            self.number = self.spans.get(self.at + 1).and_then(|next| next.number);
            let limit = self.whole_number();
            self.at += usize::from(limit.is_some());
            limit
        });
        self.rank_as(order, limit, Some((concept, words.to_owned())), words);
        if self.slots.asked.is_none() {
            self.wanted = Wanted::Ranked;
        }
    }

    pub fn popular(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.slots.popular = Some(words.to_owned());
        self.wanted = Wanted::Ranked;
    }

    pub fn best_selling(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.measure(Aggregate::Sum, concept_mention("units sold", Concept::Quantity));
        self.wanted = Wanted::Ranked;
    }
}
