//! Orders and their ends: "top 5", "10 longest", "best selling", "highest".
//! They are noted while walking, because what is ranked may come before or after. Next: `compose`, which finds what is
//! ranked.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Dimension, Measure, Mention, Thing};
use super::super::lexicon::{Concept, Order, Role};
use super::compose::is_date;
use super::mention::{concept_mention, is_measure};
use super::qualify::table_of;
use super::slots::{Asked, Ranked, Walker, Wanted};
use super::spot::Spotted;

impl Walker<'_> {
    /// The lowest of each is what the lowest of all is found by.
    pub fn end_of_each(&self) -> Aggregate {
        if self.slots.extreme == Some(Order::Ascending) { Aggregate::Minimum } else { Aggregate::Maximum }
    }

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
        if self.is_table_next() {
            let words = self.spans.get(self.at).map_or_else(String::new, |span| span.text.to_lowercase());
            let limit = self.whole_number();
            self.rank_as(order, limit, Some((Concept::Height, words.clone())), &words);
            if self.slots.asked.is_none() {
                self.wanted = Wanted::Ranked;
            }
            return;
        }
        if self.own_extreme(order) {
            return;
        }
        self.rank_row();
        self.slots.extreme_said = self.spans.get(self.at).map(|span| span.text.clone());
        self.slots.extreme = Some(order);
        if let Some(limit) = self.whole_number() {
            self.rank_as(order, Some(limit), None, "highest");
        }
    }

    /// "The highest price, lowest cost and lowest weight": each end is of its own number. True where it is no first.
    fn own_extreme(&mut self, order: Order) -> bool {
        let last = self.slots.measures.last().map(|measure| measure.aggregate);
        if self.slots.asked.is_some() || !matches!(last, Some(Aggregate::Maximum | Aggregate::Minimum)) {
            return false;
        }
        let end = |order: Order| match order {
            Order::Descending => (Aggregate::Maximum, "highest"),
            Order::Ascending => (Aggregate::Minimum, "lowest"),
        };
        if let Some(first) = self.slots.extreme.take() {
            for measure in self.slots.measures.iter_mut().filter(|measure| measure.aggregate == Aggregate::Maximum) {
                measure.aggregate = end(first).0;
            }
        }
        let (aggregate, words) = end(order);
        self.slots.aggregate = Some((aggregate, words.to_owned()));
        true
    }

    /// "the flight with the longest delay" asks for the flight, and so does "the one that has it".
    fn rank_row(&mut self) {
        let mut before = self.spans.iter().take(self.at).rev();
        let has = |span: &&Spotted| {
            span.role() == Some(Role::With)
                || matches!(span.text.to_lowercase().as_str(), "has" | "have" | "had" | "got" | "gets" | "with")
        };
        let has = before.find(|span| has(span) || span.role() != Some(Role::Ignore)).is_some_and(|span| has(&span));
        if !has {
            return;
        }
        if let Some((_, last)) = self.slots.loose.last().cloned() {
            self.note_nested(&last);
        }
        if self.slots.asked.is_some() {
            return;
        }
        let is_ranked = |mention: &Mention| mention.table().is_some() || !is_measure(self.catalogue, mention);
        if self.slots.loose.last().is_some_and(|(_, mention)| is_ranked(mention)) {
            self.slots.asked = self.slots.loose.pop().map(|(_, mention)| Asked::Thing(mention));
        } else if let (Some(Dimension::Time(grain)), true) =
            (self.slots.dimensions.last(), self.wanted == Wanted::Nothing)
        {
            // "the month with the highest average"
            self.slots.asked = Some(Asked::Time(*grain));
            self.slots.dimensions.pop();
        }
    }

    fn is_name_next(&self) -> bool {
        self.spans.get(self.at + 1).is_some_and(Spotted::is_name)
    }

    /// "The highest mountain" is high by itself: rows follow, and no number of theirs.
    fn is_table_next(&self) -> bool {
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        let last = self.spans.iter().skip(self.at + 2).all(|span| !span.is_name());
        next.filter(|next| next.is_name() && last && next.signal.is_none()).is_some_and(|next| {
            let mention = Mention { words: next.text.clone(), candidates: next.names.clone() };
            mention
                .table()
                .is_some_and(|table| self.catalogue.measures(Concept::Height).iter().any(|one| one.table == table))
                && mention.concept().is_none()
        })
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

    /// "Which 5 customers spent the most": the number before those asked for.
    pub fn limit_of_most(&mut self) -> Option<usize> {
        let ranks = self.slots.ranking.is_none() && matches!(self.slots.asked, Some(Asked::Thing(_)));
        if ranks { self.whole_number() } else { None }
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
        if concept == Concept::Date && self.take_date_of_each(order) {
            return;
        }
        // "average distance by airline, longest first"
        let next = self.spans.get(self.at + 1);
        if next.is_some_and(|next| next.text.eq_ignore_ascii_case("first")) && !self.slots.dimensions.is_empty() {
            self.at += 1;
            return self.rank_as(order, None, None, "sorted");
        }
        let before = self.whole_number();
        let limit = before.or_else(|| {
            self.number = self.spans.get(self.at + 1).and_then(|next| next.number);
            let limit = self.whole_number();
            self.at += usize::from(limit.is_some());
            limit
        });
        self.note_other_end(order, concept, limit);
        self.rank_as(order, limit, Some((concept, words.to_owned())), words);
        if self.slots.asked.is_none() {
            self.wanted = Wanted::Ranked;
        }
    }

    /// "The latest payment date for each plan": no row is wanted, but the end of a date within each group.
    fn take_date_of_each(&mut self, order: Order) -> bool {
        let Some(next) = self.spans.get(self.at + 1).filter(|next| next.is_name() && table_of(next).is_none()) else {
            return false;
        };
        let of = Mention { words: next.text.clone(), candidates: next.names.clone() };
        let best = of.best().map(|best| best.thing);
        let date = matches!(best, Some(Thing::Column(column)) if is_date(self.catalogue, column));
        let grouped =
            self.spans.get(self.at + 2).is_some_and(|each| matches!(each.role(), Some(Role::Each | Role::Group)));
        if !date || !grouped {
            return false;
        }
        self.at += 1;
        let aggregate = if order == Order::Descending { Aggregate::Maximum } else { Aggregate::Minimum };
        self.slots.measures.push(Measure::new(aggregate, of));
        true
    }

    pub fn popular(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.slots.popular = Some(words.to_owned());
        self.wanted = Wanted::Ranked;
    }

    /// "the most common diagnosis".
    pub fn common(&mut self, order: Order, words: &str) {
        let linked = |at: usize| {
            let mut between = self.spans.iter().take(self.at).skip(at + 1);
            between.any(|span| matches!(span.role(), Some(Role::Link | Role::Who | Role::With)))
        };
        let listed = self.slots.loose.iter().find(|(at, mention)| mention.table().is_some() && linked(*at));
        if let Some((_, listed)) = listed.filter(|_| self.is_name_next()) {
            let text = format!(
                "Which “{}” belong to what is {words} takes two questions: ask for what is {words} first.",
                listed.words
            );
            self.slots.doubt.get_or_insert(text);
        }
        let limit = self.whole_number();
        self.rank_as(order, limit, None, "most");
        self.slots.common = Some(words.to_owned());
        self.wanted = Wanted::Ranked;
    }

    pub fn best_selling(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.measure(Aggregate::Sum, concept_mention("units sold", Concept::Quantity));
        self.wanted = Wanted::Ranked;
    }

    pub fn gather(&mut self, aggregate: Aggregate, span: &Spotted) {
        let outer = self.slots.aggregate.as_ref().map(|(outer, _)| *outer);
        if aggregate == Aggregate::Sum && matches!(outer, Some(Aggregate::Average | Aggregate::Median)) {
            self.slots.inner_sum = true;
        }
        let listed = self.is_listed_aggregate();
        if self.wanted == Wanted::Counted || (aggregate == Aggregate::Sum && self.slots.aggregate.is_some() && !listed)
        {
            return;
        }
        self.keep_other_aggregate();
        // "median and 90th percentile": what was said before the number in between is wanted as well.
        if let Some((other, _)) = self.slots.aggregate.take()
            && other != aggregate
        {
            self.slots.also.push(other);
        }
        self.slots.sums |= aggregate == Aggregate::Sum;
        self.slots.aggregate = Some((aggregate, span.text.clone()));
        // "for each department whose average salary is over 10": the number is none of the groups.
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at)).and_then(Spotted::role);
        let grouped = self.wanted == Wanted::Group && !matches!(before, Some(Role::Group | Role::Each));
        if self.wanted == Wanted::Asked || (grouped && !self.slots.dimensions.is_empty()) {
            self.wanted = Wanted::Nothing;
        }
    }

    /// Whether it is one of several ways of gathering: "minimum and maximum", "average, minimum and total".
    fn is_listed_aggregate(&self) -> bool {
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        // A comma joins them as "and" does.
        let gathers = |span: &Spotted| {
            let role = span.role();
            let aggregate =
                matches!(role, Some(Role::Average | Role::Median | Role::Highest | Role::Lowest | Role::Sum));
            aggregate && span.pause
        };
        before.is_some_and(|before| before.role() == Some(Role::And) || gathers(before))
    }

    /// "minimum and maximum temperature": the one said first is wanted as well.
    pub fn keep_other_aggregate(&mut self) {
        if !self.is_listed_aggregate() || !self.slots.measures.is_empty() {
            return;
        }
        let extreme = self.slots.extreme.take().map(|order| match order {
            Order::Descending => Aggregate::Maximum,
            Order::Ascending => Aggregate::Minimum,
        });
        let gathered = self.slots.aggregate.take().map(|(aggregate, _)| aggregate);
        self.slots.also.extend(extreme.or(gathered));
    }

    pub fn percentile(&mut self, span: &Spotted) {
        match self.number.take() {
            Some(percent) if (0.0..=100.0).contains(&percent) => self.gather(Aggregate::Percentile(percent), span),
            _ => self.slots.doubt = Some("A percentile needs its number first, as in “95th percentile”.".to_owned()),
        }
    }
}

/// The other way round.
pub fn reverse(order: Order) -> Order {
    match order {
        Order::Ascending => Order::Descending,
        Order::Descending => Order::Ascending,
    }
}

/// The oldest has the earliest date of birth.
pub fn flips(catalogue: &Catalogue, concept: Concept, mention: &Mention) -> bool {
    let year = |column| catalogue.column(column).stems.last().is_some_and(|last| last == "year");
    concept == Concept::Age && mention.columns().next().is_some_and(|column| is_date(catalogue, column) || year(column))
}
