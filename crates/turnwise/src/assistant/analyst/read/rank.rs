//! Orders and their ends: "top 5", "10 longest", "best selling", "highest".
//! They are noted while walking, because what is ranked may come before or after. Next: `compose`, which finds what is
//! ranked.

use super::super::form::{Aggregate, Mention};
use super::super::lexicon::{Concept, Order, Role};
use super::mention::{concept_mention, is_measure};
use super::slots::{Asked, Ranked, Walker, Wanted};
use super::spot::Spotted;

impl Walker<'_> {
    pub fn extreme(&mut self, order: Order) {
        self.keep_other_aggregate();
        if !self.slots.also.is_empty() {
            let (aggregate, words) = match order {
                Order::Descending => (Aggregate::Maximum, "highest"),
                Order::Ascending => (Aggregate::Minimum, "lowest"),
            };
            self.slots.aggregate = Some((aggregate, words.to_owned()));
            return;
        }
        self.rank_row();
        self.slots.extreme_said = self.spans.get(self.at).map(|span| span.text.clone());
        self.slots.extreme = Some(order);
        if let Some(limit) = self.whole_number() {
            self.rank_as(order, Some(limit), None, "highest");
        }
    }

    /// "the flight with the longest delay" asks for the flight.
    fn rank_row(&mut self) {
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        if before.and_then(Spotted::role) != Some(Role::With) || self.slots.asked.is_some() {
            return;
        }
        if self.slots.loose.last().is_some_and(|(_, mention)| mention.table().is_some()) {
            self.slots.asked = self.slots.loose.pop().map(|(_, mention)| Asked::Thing(mention));
        }
    }

    /// Whether a number of the data follows: "the longest distance" is the highest one.
    pub fn is_number_next(&self) -> bool {
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        next.filter(|next| next.is_name()).is_some_and(|next| {
            let mention = Mention { words: next.text.clone(), candidates: next.names.clone() };
            mention.table().is_none() && is_measure(self.catalogue, &mention)
        })
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
        if self.is_number_next() {
            return self.extreme(order);
        }
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

    pub fn percentile(&mut self, span: &Spotted) {
        match self.number.take() {
            Some(percent) if (0.0..=100.0).contains(&percent) => self.gather(Aggregate::Percentile(percent), span),
            _ => self.slots.doubt = Some("A percentile needs its number first, as in “95th percentile”.".to_owned()),
        }
    }
}
