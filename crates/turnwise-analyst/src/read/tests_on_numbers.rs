//! Numbers in a question: "over 20 dollars", "more than 5 albums", "between 1 and 3 minutes", "invoice 404". Whether a
//! number tests rows or groups depends on what it counts. Next: `compose`.

use super::super::form::{Aggregate, Condition, Dimension, Filter, Measure, Mention, Thing};
use super::super::lexicon::{Comparator, Concept, Role, Signal, Unit, lexicon};
use super::mention::{concept_mention, is_measure};
use super::qualify::table_of;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

/// A number with what was said right after it.
struct Amount {
    value: f64,
    unit: Option<Unit>,
    of: Option<Mention>,
}

impl Walker<'_> {
    /// "customers with one meter": elsewhere the word mostly says nothing.
    pub fn is_one_of(&self, span: &Spotted) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let with =
            before.is_some_and(|before| before.role() == Some(Role::With) || before.text.eq_ignore_ascii_case("have"));
        let table = |next: &Spotted| Mention { words: String::new(), candidates: next.names.clone() }.table().is_some();
        let named = self.spans.get(self.at + 1).is_some_and(|next| next.is_name() && !next.verb && table(next));
        span.text.eq_ignore_ascii_case("one") && with && named
    }

    /// A number that no comparison announced.
    pub fn take_number(&mut self, number: f64, span: &Spotted) {
        if self.reaches_ahead(number) {
            return;
        }
        let next = self.spans.get(self.at + 1);
        let next_role = next.and_then(Spotted::role);
        if let Some(Role::OrMore | Role::OrLess) = next_role {
            let comparator = if next_role == Some(Role::OrMore) { Comparator::AtLeast } else { Comparator::AtMost };
            let before = self.at;
            self.at += 1;
            let (unit, of) = self.after_number();
            return self.apply_at(before, comparator, None, &Amount { value: number, unit, of });
        }
        if self.years_old().is_some() {
            let comparator = if std::mem::take(&mut self.negated) { Comparator::Unequal } else { Comparator::Equal };
            let (unit, of) = self.after_number();
            return self.apply(comparator, None, &Amount { value: number, unit, of });
        }
        if matches!(next.and_then(|next| next.signal), Some(Signal::Superlative(..))) || is_limit_for(next_role) {
            self.number = Some(number);
            return;
        }
        // "which 3 airlines have the lowest delay" ranks them.
        // "5 destinations with the lowest delay" does so too.
        let first =
            self.spans.iter().take(self.at).all(|span| matches!(span.role(), Some(Role::Ignore | Role::Command)));
        let ranks = |span: &Spotted| is_limit_for(span.role()) || matches!(span.signal, Some(Signal::Superlative(..)));
        let limits = self.wanted == Wanted::Asked || (first && self.spans.iter().skip(self.at).any(ranks));
        if limits && next.is_some_and(Spotted::is_name) {
            self.number = Some(number);
            return;
        }
        let either = |span: &&Spotted| span.text.eq_ignore_ascii_case("either");
        let before = self.spans.iter().take(self.at).rev().find(|span| !either(span));
        let has = |span: &Spotted| {
            matches!(span.text.to_lowercase().as_str(), "have" | "has" | "had" | "get" | "gets" | "got")
        };
        // "Courses with 3 credits or 1 credit"
        let again = before.is_some_and(|span| matches!(span.role(), Some(Role::Or | Role::And)))
            && matches!(self.slots.filters.last(), Some(Filter::Number { comparator: Comparator::Equal, .. }));
        let with = again || before.is_some_and(|span| span.role() == Some(Role::With) || has(span));
        if with && next.is_some_and(Spotted::is_name) {
            let (unit, of) = self.after_number();
            return self.apply(Comparator::Equal, None, &Amount { value: number, unit, of });
        }
        match self.numbered() {
            Some(of) => {
                self.slots.filters.push(Filter::Number {
                    of,
                    comparator: Comparator::Equal,
                    value: number,
                    unit: None,
                });
            }
            None => self.slots.unknown.push(span.text.clone()),
        }
    }

    /// What a bare number right after a name says of it: the key of "invoice 404", the value of "price 0.99".
    fn numbered(&mut self) -> Option<Mention> {
        let (at, mention) = self.slots.loose.last()?.clone();
        let fillers = self.spans.iter().take(self.at).skip(at + 1).all(|span| span.role() == Some(Role::Ignore));
        // "Movies that get 3 stars" are not movie 3.
        let counts = self.at > at + 1 && self.spans.get(self.at + 1).is_some_and(Spotted::is_name);
        if !fillers || counts {
            return None;
        }
        if is_measure(self.catalogue, &mention) && mention.table().is_none() {
            self.slots.loose.pop();
            return Some(mention);
        }
        let table = mention.table()?;
        let column = self.catalogue.table(table).key?;
        let key = super::super::form::ColumnId { table, column };
        Some(Mention::of(format!("{} number", mention.words), Thing::Column(key)))
    }

    /// A comparison: reads its number and what follows.
    pub fn compare(&mut self, comparator: Comparator, concept: Option<Concept>) {
        let text = self.spans.get(self.at).map_or_else(String::new, |span| span.text.clone());
        let before = self.at;
        match self.next_number() {
            Some(value) => {
                if let Some(measure) = self.times() {
                    return self.slots.conditions.push(Condition { measure, comparator, value, average: false });
                }
                if concept.is_none() && self.is_some_such(comparator, value) {
                    return;
                }
                self.put_rows_before();
                let (unit, of) = self.after_number();
                self.apply_at(before, comparator, concept, &Amount { value, unit, of });
            }
            None if self.against_average(comparator, concept) || self.claims(comparator) => {}
            None if self.compares_named(comparator) => {}
            None => self.slots.unknown.push(text),
        }
    }

    /// "At least 4 cancelled orders" counts orders: they are put before what is said of them.
    fn put_rows_before(&mut self) {
        let such = |span: &&Spotted| {
            (!span.values.is_empty() || !span.tests.is_empty()) && span.number.is_none() && span.unit.is_none()
        };
        let said = self.spans.iter().skip(self.at + 1).take_while(such).count();
        let rows = self.at + 1 + said;
        let counted = self.spans.get(rows).is_some_and(|span| table_of(span).is_some());
        if said > 0 && counted {
            self.spans[self.at + 1..=rows].rotate_right(1);
        }
    }

    /// "Above age 46", "over a weight of 20": the number stands behind what is compared.
    fn compares_named(&mut self, comparator: Comparator) -> bool {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore));
        let skipped = self.spans.iter().skip(self.at + 1).take_while(small).count();
        let named = self.at + 1 + skipped;
        let Some(span) = self.spans.get(named).filter(|span| span.is_name()) else { return false };
        let of = Mention { words: span.text.clone(), candidates: span.names.clone() };
        let between = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore | Role::Of));
        let behind = named + 1 + self.spans.iter().skip(named + 1).take_while(between).count();
        let number = self.spans.get(behind).and_then(|span| span.number);
        let Some(value) = number.filter(|_| of.table().is_none() && is_measure(self.catalogue, &of)) else {
            return false;
        };
        self.at = behind;
        let (unit, _) = self.after_number();
        let unit = unit.map(|unit| unit.factor);
        self.slots.filters.push(Filter::Number { of, comparator, value, unit });
        true
    }

    /// How many phrases "years old" takes behind a number.
    fn years_old(&self) -> Option<usize> {
        let word = |by: usize| self.spans.get(self.at + by).map(|span| span.text.to_lowercase());
        let years = word(1).is_some_and(|word| matches!(word.as_str(), "year" | "years"));
        match (years, word(2)?.as_str(), word(3).as_deref()) {
            (true, "old", _) => Some(2),
            (true, "of", Some("age")) => Some(3),
            _ => None,
        }
    }

    /// What a comparison without a name is about: "larger than" a size, "students under 20" an age.
    fn compared_by(&self, before: usize) -> Option<Concept> {
        let said = self.spans.get(before)?.text.to_lowercase();
        let large = ["larger", "bigger", "smaller"].iter().any(|word| said.starts_with(word));
        if large && self.has_of_named(Concept::Size) {
            return Some(Concept::Size);
        }
        let bare = matches!(said.as_str(), "over" | "under" | "above" | "below");
        let beside = self.spans.iter().take(before).rev().find(|span| span.role() != Some(Role::Ignore))?;
        let table = table_of(beside).filter(|_| bare)?;
        let is_own = |concept: Concept| self.catalogue.measures(concept).iter().any(|source| source.table == table);
        (is_own(Concept::Age) && !is_own(Concept::Money) && !is_own(Concept::Price)).then_some(Concept::Age)
    }

    fn has_of_named(&self, concept: Concept) -> bool {
        let named = self.named_tables();
        self.catalogue.measures(concept).iter().any(|source| named.contains(&source.table))
    }

    /// "Shorter than average" of people is about their height: the property that the rows spoken of have.
    pub fn fitting(&self, concept: Concept) -> Concept {
        let others: &[Concept] = match concept {
            Concept::Length => &[Concept::Height, Concept::Distance],
            Concept::Height | Concept::Distance => &[Concept::Length],
            _ => &[],
        };
        if self.has_of_named(concept) {
            return concept;
        }
        others.iter().copied().find(|other| self.has_of_named(*other)).unwrap_or(concept)
    }

    /// "between 5 and 10 dollars".
    pub fn between(&mut self) {
        let before = self.at;
        let low = self.next_number();
        let joint = self.spans.get(self.at + 1);
        let to = joint.is_some_and(|joint| joint.text.eq_ignore_ascii_case("to"));
        let joined = to || joint.and_then(Spotted::role) == Some(Role::And);
        self.at += usize::from(low.is_some() && joined);
        let high = if joined { self.next_number() } else { None };
        let (Some(low), Some(high)) = (low, high) else {
            // "difference between Q3 and Q4" compares instead.
            self.slots.analysis = super::super::form::Analysis::Compare;
            self.at = before;
            return;
        };
        let (unit, of) = self.after_number();
        let target = self.target_before(before);
        for (comparator, value) in [(Comparator::AtLeast, low), (Comparator::AtMost, high)] {
            self.test(comparator, None, &Amount { value, unit, of: of.clone() }, target.clone());
        }
    }

    fn next_number(&mut self) -> Option<f64> {
        let fillers = self
            .spans
            .iter()
            .skip(self.at + 1)
            .take_while(|span| matches!(span.role(), Some(Role::Ignore | Role::Of)))
            .count();
        // "more than one meter": elsewhere the word mostly says nothing.
        let one =
            self.spans.iter().skip(self.at + 1).take(fillers).position(|span| span.text.eq_ignore_ascii_case("one"));
        if let Some(one) = one {
            self.at += 1 + one;
            return Some(1.0);
        }
        let number = self.spans.get(self.at + 1 + fillers)?.number?;
        self.at += 1 + fillers;
        Some(number)
    }

    /// The unit and the name right after a number.
    fn after_number(&mut self) -> (Option<Unit>, Option<Mention>) {
        if let Some(length) = self.years_old() {
            self.at += length;
            return (Some(Unit { concept: Concept::Age, factor: 1.0 }), None);
        }
        let unit = self.spans.get(self.at + 1).and_then(|span| span.unit);
        if unit.is_some() {
            self.at += 1;
            return (unit, self.after_unit());
        }
        if let Some(of) = self.amount_in() {
            return (None, Some(of));
        }
        let currency = self.spans.get(self.at).is_some_and(|span| span.currency);
        if currency {
            return (Some(Unit { concept: Concept::Money, factor: 1.0 }), None);
        }
        let distinct = usize::from(self.spans.get(self.at + 1).and_then(Spotted::role) == Some(Role::Distinct));
        let named = self.spans.get(self.at + 1 + distinct).filter(|span| span.is_name() && span.number.is_none());
        let of = named.map(|span| Mention { words: span.text.clone(), candidates: span.names.clone() });
        self.at += if of.is_some() { 1 + distinct } else { 0 };
        (None, of)
    }

    /// "180 minutes of air time": what the unit is of.
    fn after_unit(&mut self) -> Option<Mention> {
        let of = self.spans.get(self.at + 1).and_then(Spotted::role) == Some(Role::Of);
        self.doubt_sum_of_rows(of);
        let named = self.spans.get(self.at + 2).filter(|span| of && span.is_name() && span.number.is_none())?;
        let mention = Mention { words: named.text.clone(), candidates: named.names.clone() };
        let is_column = mention.table().is_none() && is_measure(self.catalogue, &mention);
        is_column.then(|| {
            self.at += 2;
            mention
        })
    }

    fn apply(&mut self, comparator: Comparator, concept: Option<Concept>, amount: &Amount) {
        self.apply_at(self.at, comparator, concept, amount);
    }

    fn apply_at(&mut self, before: usize, comparator: Comparator, concept: Option<Concept>, amount: &Amount) {
        let open = amount.of.is_none() && concept.is_none();
        if open && self.is_of_text(before, amount.value) {
            return;
        }
        let target = if open { self.target_before(before).or_else(|| self.same_number(before)) } else { None };
        let concept = match &target {
            None if open && amount.unit.is_none() => self.compared_by(before),
            _ => concept.map(|concept| self.fitting(concept)),
        };
        self.test(comparator, concept, amount, target);
    }

    /// "Over 900 or lower than 600": the second is of the number the first was of.
    fn same_number(&self, before: usize) -> Option<Target> {
        let joint = self.spans.iter().take(before).rev().find(|span| span.role() != Some(Role::Ignore))?;
        let joins = matches!(joint.role(), Some(Role::And | Role::Or));
        let number = self.spans.iter().take(before).rev().find(|span| span.role().is_none())?.number.is_some();
        match self.slots.filters.last() {
            Some(Filter::Number { of, .. }) if joins && number => Some(Target::Column(of.clone())),
            _ => None,
        }
    }

    /// The number named right before a comparison: "total over 20", "revenue above 100".
    pub fn target_before(&mut self, before: usize) -> Option<Target> {
        // "a delay of more than 60 minutes", "a price that is over 5".
        let between = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore | Role::Of | Role::With));
        let fillers = self.spans.iter().take(before).rev().take_while(between).count();
        let place = before.checked_sub(1 + fillers)?;
        let text = &self.spans.get(place)?.text;
        if let Some((at, mention)) = self.slots.loose.last()
            && *at == place
            && is_measure(self.catalogue, mention)
            && mention.table().is_none()
        {
            return self.slots.loose.pop().map(|(_, mention)| Target::Column(mention));
        }
        // "An inventory of below 3" counts what belongs to the rows asked about.
        let of = self.spans.iter().take(before).rev().take(fillers).any(|span| span.role() == Some(Role::Of));
        if let Some((at, mention)) = self.slots.loose.last().cloned().filter(|_| of && self.slots.loose.len() > 1)
            && at == place
            && mention.only_table().is_some()
        {
            self.slots.loose.pop();
            return Some(Target::Measure(Measure::new(Aggregate::Count, mention)));
        }
        let measured = self.slots.measures.last().filter(|measure| measure.of.words == *text)?;
        Some(Target::Measure(measured.clone()))
    }

    fn test(&mut self, comparator: Comparator, concept: Option<Concept>, amount: &Amount, target: Option<Target>) {
        let value = amount.value;
        let unit = amount.unit.map(|unit| unit.factor);
        if let (Some(of), Some(_)) = (amount.of.clone(), unit) {
            return self.slots.filters.push(Filter::Number { of, comparator, value, unit });
        }
        if let Some(of) = amount.of.clone() {
            return self.test_named(comparator, value, of);
        }
        match target {
            Some(Target::Measure(measure)) => {
                let value = self.in_unit_of(&measure.of, value, unit);
                self.slots.conditions.push(Condition { measure, comparator, value, average: false });
            }
            Some(Target::Column(of)) => self.slots.filters.push(Filter::Number { of, comparator, value, unit }),
            None => {
                // "longer than 2000 miles" is about a distance.
                let said = amount.unit.map(|unit| unit.concept);
                // "revenue by country over 100" is about the revenue of a country.
                if said.or(concept).is_none()
                    && let Some(measure) = self.measure_of_group()
                {
                    let condition = Condition { measure, comparator, value, average: false };
                    return self.slots.conditions.push(condition);
                }
                let concept = said.or(concept).unwrap_or(Concept::Money);
                if concept == Concept::Money && (self.slots.spent || self.slots.sold) {
                    let of = concept_mention("sales", Concept::Money);
                    let measure = Measure::new(Aggregate::Sum, of);
                    return self.slots.conditions.push(Condition { measure, comparator, value, average: false });
                }
                let of = property(concept);
                self.slots.filters.push(Filter::Number { of, comparator, value, unit });
            }
        }
    }

    /// The number of the groups named right before a comparison.
    fn measure_of_group(&self) -> Option<Measure> {
        let Some(Dimension::Thing(group)) = self.slots.dimensions.last() else { return None };
        let compared = |span: &&Spotted| span.text != group.words;
        let behind = self.spans.iter().take(self.at).rev().take_while(compared);
        let table = |span: &Spotted| Mention { words: String::new(), candidates: span.names.clone() }.table().is_some();
        let between = behind.clone().any(|span| span.is_name() && table(span));
        let own = self.slots.measures.last().filter(|_| !between && behind.count() < self.at)?;
        Some(own.clone())
    }

    /// The value in the unit of the column, where its name tells it: "average length over 5 minutes" in milliseconds.
    fn in_unit_of(&self, of: &Mention, value: f64, unit: Option<f64>) -> f64 {
        let stems = of.columns().next().map(|column| &self.catalogue.column(column).stems);
        let mut stems = stems.into_iter().flatten();
        let own = stems.find_map(|stem| lexicon().unit(lexicon().canonical(stem)));
        match (unit, own) {
            (Some(unit), Some(own)) => value * unit / own.factor,
            (None | Some(_), _) => value,
        }
    }

    /// "more than 5 albums" counts them; "more than 100 units" adds them up.
    fn test_named(&mut self, comparator: Comparator, value: f64, of: Mention) {
        // "borrowed more than 10 books": loans are counted, of books.
        if let Some(deed) = self.deed_done_to(&of) {
            self.slots.context.push(of);
            let measure = Measure::new(Aggregate::Count, deed);
            return self.slots.conditions.push(Condition { measure, comparator, value, average: false });
        }
        let counted = of.table().is_some() && of.concept().is_none();
        if !counted && !is_measure(self.catalogue, &of) {
            self.slots.unknown.push(of.words);
            return;
        }
        let aggregate = if counted { Aggregate::Count } else { Aggregate::Sum };
        let concept = of.concept().is_some();
        let summed = !counted && !concept && (self.is_used_by(&of) || self.is_totalled(&of));
        if summed {
            self.form_note(format!("“{}” is added up for each of those asked about.", of.words));
        }
        if counted || concept || summed {
            let measure = Measure::new(aggregate, of);
            self.slots.conditions.push(Condition { measure, comparator, value, average: false });
        } else {
            self.slots.filters.push(Filter::Number { of, comparator, value, unit: None });
        }
    }
}

impl Walker<'_> {
    fn form_note(&mut self, note: String) {
        self.slots.notes.push(note);
    }
}

/// What a comparison is about.
#[derive(Clone)]
pub enum Target {
    Column(Mention),
    Measure(Measure),
}

fn is_limit_for(role: Option<Role>) -> bool {
    matches!(
        role,
        Some(
            Role::Top
                | Role::Bottom
                | Role::Percentile
                | Role::Most
                | Role::Fewest
                | Role::BestSelling
                | Role::WorstSelling
                | Role::Popular
                | Role::Highest
                | Role::Lowest
        )
    )
}

/// A property by concept; an amount of money may be the total of a row or its price.
pub fn property(concept: Concept) -> Mention {
    let words = match concept {
        Concept::Money => "amount",
        Concept::Price => "price",
        Concept::Length => "length",
        Concept::Weight => "weight",
        Concept::Distance => "distance",
        Concept::Age => "age",
        Concept::Height => "height",
        Concept::Size => "size",
        Concept::Speed => "speed",
        _ => "value",
    };
    let mut mention = concept_mention(words, concept);
    if concept == Concept::Money {
        mention.candidates.extend(concept_mention(words, Concept::Price).candidates);
    }
    mention
}
