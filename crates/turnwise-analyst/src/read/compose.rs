//! Decides what kind of question the parts make: numbers by group, rows in an order, a count, a comparison. Loose names
//! find their place here: they are listed, shown, or decide between readings. Next: `resolve`.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{
    Aggregate, Candidate, Claim, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, RankBy, Ranking, TableId,
    Thing,
};
use super::super::lexicon::{Concept, Order, lexicon};
use super::super::period::Grain;
use super::super::source::ColumnKind;
use super::Read;
use super::again::average_of_own;
use super::dated;
use super::mention::{concept_mention, is_measure};
use super::rank::{flips, reverse};
use super::slots::{Asked, Ranked, Slots};
use super::totals::{all_together, ungrouped};
use super::within::{claimed, happened, listed_by_number, once, rank_within};

/// Puts the parts together.
pub fn compose(catalogue: &Catalogue, mut slots: Slots) -> Read {
    let mut read = Read { unknown: std::mem::take(&mut slots.unknown), manner: slots.manner, ..Read::default() };
    (read.of_them, read.flagged_rows) = (slots.flagged.of_them, slots.flagged.rows.take());
    let mut composer = Composer { catalogue, slots, form: QueryForm::default(), read: &mut read };
    composer.settle_twice();
    composer.settle_quotient();
    composer.settle_total_claim();
    composer.settle_correlation();
    composer.settle_predicate();
    composer.settle_flags();
    composer.settle_aggregate();
    composer.settle_deeds();
    composer.settle_verbs();
    composer.settle_counted();
    composer.settle_conditions();
    composer.settle_growing();
    composer.settle_additive();
    composer.settle_nested();
    composer.settle_ranking();
    composer.settle_outliers();
    composer.settle_asked();
    composer.settle_spent();
    composer.settle_shared();
    composer.settle_loose();
    composer.settle_parts_excluded();
    composer.settle_again();
    composer.doubt_ends();
    let form = composer.finish();
    read.form = form;
    read
}

pub struct Composer<'a> {
    pub catalogue: &'a Catalogue,
    pub slots: Slots,
    pub form: QueryForm,
    pub read: &'a mut Read,
}

impl Composer<'_> {
    /// An aggregate whose column came before it ("the invoice total on average"), or that found none.
    fn settle_aggregate(&mut self) {
        let Some((aggregate, words)) = self.slots.aggregate.take() else { return };
        let also = std::mem::take(&mut self.slots.also);
        if let Some(measure) = self.slots.measures.last_mut() {
            measure.aggregate = aggregate;
            return;
        }
        let number = self.slots.loose.iter().position(|(_, mention)| is_measure(self.catalogue, mention));
        match number {
            Some(at) => {
                let (_, of) = self.slots.loose.remove(at);
                self.slots.measures.extend(also.into_iter().map(|other| Measure::new(other, of.clone())));
                self.slots.measures.push(Measure::new(aggregate, of));
            }
            // "the total per country" of what was asked before, or of nothing.
            None if aggregate == Aggregate::Sum => {
                self.slots.measures.push(Measure::new(aggregate, concept_mention(&words, Concept::Money)));
            }
            None if self.slots.counted.is_some() => {
                if let Some(of) = self.slots.counted.take() {
                    self.gather_counted(aggregate, also, of);
                }
            }
            None => self.read.doubt = Some(format!("“{words}” of what?")),
        }
    }

    /// "How many flights does a plane make on average" averages over planes.
    pub fn settle_group_of_average(&mut self, outer: Option<Aggregate>) {
        if outer.is_none() || !self.slots.dimensions.is_empty() {
            return;
        }
        match self.slots.loose.iter().position(|(_, mention)| mention.table().is_some()) {
            Some(at) => self.slots.dimensions.push(Dimension::Thing(self.slots.loose.remove(at).1)),
            None => {
                let text = "An average of how many, per what? Say it, as in “average number of orders per customer”.";
                self.read.doubt.get_or_insert(text.to_owned());
            }
        }
    }

    /// "how much did we sell", "who spent the most", "tracks sold".
    fn settle_verbs(&mut self) {
        self.settle_traded();
        let nothing = self.slots.measures.is_empty() && self.slots.counted.is_none();
        let sum = |words: &str, concept| Measure::new(Aggregate::Sum, concept_mention(words, concept));
        let ranked = self.slots.ranking.as_ref().is_some_and(|ranked| ranked.property.is_none() && ranked.by.is_none());
        let spent = self.slots.spent && (ranked || self.slots.how_much || self.slots.most_alone);
        let sold = self.slots.sold && (ranked || self.slots.most_alone);
        if nothing && self.slots.claim.is_some() && (self.slots.sold || self.slots.spent) {
            let note = "“More” is taken as more money, not as more pieces.";
            self.form.notes.push(note.to_owned());
            self.slots.measures.push(sum("sales", Concept::Money));
        } else if nothing && (self.slots.how_much || spent) {
            self.slots.measures.push(sum("sales", Concept::Money));
        } else if nothing && sold {
            self.slots.measures.push(sum("units sold", Concept::Quantity));
        }
        let most = self.slots.most_alone || self.slots.extreme.is_some();
        let done = self.slots.most_alone && (self.slots.deed.is_some() || self.slots.common.is_some());
        if (spent || sold || done) && most && self.slots.ranking.is_none() {
            self.slots.ranking = Some(Ranked {
                order: self.slots.extreme.take().unwrap_or(Order::Descending),
                limit: self.slots.most_limit.take(),
                property: None,
                words: "most".to_owned(),
                subject: None,
                by: None,
            });
        }
    }

    /// "genres with more than 100 tracks": the groups are what was asked, listed or counted.
    fn settle_conditions(&mut self) {
        if self.slots.conditions.is_empty() {
            return;
        }
        // "how many days had fewer than 700 flights"
        if let Some(grain) = self.slots.counted_time.take() {
            self.slots.dimensions.push(Dimension::Time(grain));
            self.form.count_groups = true;
        }
        let counted = self.slots.measures.iter().position(|measure| {
            measure.aggregate == Aggregate::Count && !self.slots.conditions.iter().any(|c| c.measure == *measure)
        });
        let named = |slots: &mut Slots| match slots.asked.take() {
            Some(Asked::Thing(mention)) => Some(mention),
            Some(Asked::Time(grain)) => {
                slots.dimensions.push(Dimension::Time(grain));
                None
            }
            None if slots.loose.is_empty() => None,
            None => Some(slots.loose.remove(0).1),
        };
        if let Some(at) = counted.filter(|_| self.slots.dimensions.is_empty()) {
            let measure = self.slots.measures.remove(at);
            self.slots.dimensions.push(Dimension::Thing(measure.of));
            self.form.count_groups = true;
        } else if self.slots.dimensions.is_empty() {
            let group = named(&mut self.slots);
            self.slots.dimensions.extend(group.map(Dimension::Thing));
        }
        self.note_few();
        for condition in &self.slots.conditions {
            if !self.slots.measures.contains(&condition.measure) {
                self.slots.measures.push(condition.measure.clone());
            }
        }
    }

    fn settle_ranking(&mut self) {
        if self.slots.ranking.is_none()
            && let Some(order) = self.slots.extreme
        {
            self.settle_extreme(order);
        }
        let Some(mut ranked) = self.slots.ranking.take() else { return };
        self.count_sorted(&ranked);
        let grouped = !self.slots.dimensions.is_empty() && !self.slots.measures.is_empty();
        let subject = if grouped && ranked.words == "sorted" {
            // "Amount per doctor, highest first" puts the doctors in order.
            ranked.subject.take()
        } else {
            let named = ranked.subject.take().or_else(|| self.slots.asked.take());
            named.or_else(|| self.first_loose()).or_else(|| self.somebody())
        };
        let single = ranked.words != "sorted" && ranked.limit.is_none();
        let plural = matches!(&subject, Some(Asked::Thing(mention)) if is_plural(mention));
        let limit = if single && !(plural && is_top(&ranked.words)) { Some(1) } else { ranked.limit };
        // "The most expensive by MSRP": what is said of the order holds before what is usual.
        let table = match &subject {
            Some(Asked::Thing(mention)) => mention.table(),
            Some(Asked::Time(_)) | None => None,
        };
        if ranked.by.as_ref().is_some_and(|by| table.is_some_and(|table| self.is_property(by, table))) {
            ranked.property = None;
        }
        if let Some((concept, words)) = ranked.property.clone() {
            return self.rank_by_property(&ranked, subject, limit.or(Some(10)), concept, &words);
        }
        if let Some(by) = ranked.by.take() {
            self.rank_by(by, subject.as_ref());
        }
        let limit = limit.or(if ranked.words == "sorted" { None } else { Some(10) });
        if single && limit == Some(10) {
            self.form.notes.push("Ten are shown, as no number was said.".to_owned());
        }
        self.rank_groups(&ranked, subject, limit);
    }

    /// "highest average price by genre" is a ranking when something is asked for, else an extreme value.
    fn settle_extreme(&mut self, order: Order) {
        let grouped = self.slots.asked.is_some();
        let extreme = match order {
            Order::Descending => Aggregate::Maximum,
            Order::Ascending => Aggregate::Minimum,
        };
        if self.slots.measures.is_empty() {
            let number = self.slots.loose.iter().position(|(_, mention)| is_measure(self.catalogue, mention));
            match number {
                Some(at) => {
                    let (_, of) = self.slots.loose.remove(at);
                    self.slots.measures.push(Measure::new(extreme, of));
                }
                None => {
                    let said = self.slots.extreme_said.as_deref().unwrap_or("most");
                    self.read.doubt = Some(format!("“{said}” of what? Name a number, as in “highest price”."));
                    return;
                }
            }
        }
        let sums = self.slots.sums && self.slots.measures.iter().any(|measure| measure.aggregate == Aggregate::Sum);
        if sums && !grouped && self.slots.dimensions.is_empty() {
            self.read.doubt =
                Some("The highest total of which groups? Name them, as in “highest total by country”.".to_owned());
            return;
        }
        if grouped || sums {
            let words = if grouped { "highest" } else { "sorted" };
            let words = words.to_owned();
            let limit = self.slots.most_limit.take();
            self.slots.ranking = Some(Ranked { order, limit, property: None, words, subject: None, by: None });
            return;
        }
        for measure in &mut self.slots.measures {
            if matches!(measure.aggregate, Aggregate::Maximum | Aggregate::Minimum | Aggregate::Sum) {
                measure.aggregate = extreme;
            }
        }
    }

    /// The people "who" can mean; the rest of the question decides between them.
    fn somebody(&self) -> Option<Asked> {
        let fits = |table: &TableId| {
            !self.slots.sells || self.catalogue.table(*table).stems.iter().any(|stem| lexicon().is_seller(stem))
        };
        let people =
            self.catalogue.people().filter(fits).map(|table| Candidate { thing: Thing::Table(table), score: 90 });
        let candidates: Vec<Candidate> = people.collect();
        (self.slots.who && !candidates.is_empty())
            .then(|| Asked::Thing(Mention { words: "who".to_owned(), candidates }))
    }

    fn first_loose(&mut self) -> Option<Asked> {
        let table = self.slots.loose.iter().position(|(_, mention)| mention.table().is_some());
        let at = table.or(if self.slots.loose.is_empty() { None } else { Some(0) })?;
        Some(Asked::Thing(self.slots.loose.remove(at).1))
    }

    /// "top 10 tracks by length" orders rows; "top 5 customers by sales" gathers first.
    fn rank_by(&mut self, by: Mention, subject: Option<&Asked>) {
        let table = match subject {
            Some(Asked::Thing(mention)) => mention.table(),
            Some(Asked::Time(_)) | None => None,
        };
        let own = table.is_some_and(|table| self.is_property(&by, table));
        if own && self.slots.measures.is_empty() {
            self.slots.property = Some(by);
        } else {
            self.slots.measures.push(Measure::new(Aggregate::Sum, by));
        }
    }

    fn is_property(&self, mention: &Mention, table: TableId) -> bool {
        mention.columns().any(|column| column.table == table)
            || mention.concept().is_some_and(|concept| {
                let own = |amount: &Amount| matches!(amount, Amount::Column(column) if column.table == table);
                self.catalogue.measures(concept).iter().any(|source| own(&source.amount))
            })
    }

    fn rank_by_property(
        &mut self,
        ranked: &Ranked,
        subject: Option<Asked>,
        limit: Option<usize>,
        concept: Concept,
        words: &str,
    ) {
        // "when did she last borrow a book" asks for a loan, and not for the book.
        let deed = self.slots.deed.clone().filter(|_| self.slots.when).map(Asked::Thing);
        if let (Some(_), Some(Asked::Thing(other))) = (&deed, &subject) {
            self.form.context.push(other.clone());
        }
        let Some(Asked::Thing(subject)) = deed.or(subject) else {
            let largest = self.catalogue.tables().max_by_key(|(_, table)| table.rows);
            let rows = largest.map_or_else(|| "rows".to_owned(), |(id, _)| self.catalogue.plural(id));
            self.read.doubt = Some(format!("“{words}” what? Name what is ranked, as in “{words} {rows}”."));
            return;
        };
        let Some(table) = subject.table() else {
            // "the largest country by customers" ranks groups.
            if self.slots.measures.is_empty() {
                self.read.unranked = Some(words.to_owned());
            }
            return self.rank_groups(ranked, Some(Asked::Thing(subject)), limit);
        };
        let mention = self.property_of(table, concept, words);
        if self.slots.when && concept == Concept::Date && self.slots.measures.is_empty() {
            return self.when_was(ranked.order, subject, mention);
        }
        match mention {
            Some(mention) if self.slots.measures.is_empty() => {
                let order = if flips(self.catalogue, concept, &mention) { reverse(ranked.order) } else { ranked.order };
                self.form.subject = Some(subject);
                self.form.ranking = Some(Ranking { order, limit, by: RankBy::Property(mention) });
            }
            _ => {
                self.measure_of_versions(table, concept, words);
                if self.slots.measures.is_empty() {
                    self.read.unranked = Some(words.to_owned());
                }
                self.rank_groups(ranked, Some(Asked::Thing(subject)), limit);
            }
        }
    }

    fn rank_groups(&mut self, ranked: &Ranked, subject: Option<Asked>, limit: Option<usize>) {
        if let Some(property) = self.slots.property.take()
            && let Some(Asked::Thing(subject)) = subject
        {
            self.form.subject = Some(subject);
            self.form.ranking = Some(Ranking { order: ranked.order, limit, by: RankBy::Property(property) });
            return;
        }
        // "which invoice has the highest total" asks for a row; nothing has to be gathered.
        if let Some(Asked::Thing(mention)) = &subject
            && let (Some(table), [measure]) = (mention.table(), self.slots.measures.as_slice())
            && self.slots.dimensions.is_empty()
            && matches!(measure.aggregate, Aggregate::Maximum | Aggregate::Minimum | Aggregate::Sum)
            && self.is_property(&measure.of, table)
        {
            let property = self.slots.measures.remove(0).of;
            self.form.subject = Some(mention.clone());
            self.form.ranking = Some(Ranking { order: ranked.order, limit, by: RankBy::Property(property) });
            return;
        }
        match subject {
            Some(Asked::Thing(mention)) => self.slots.dimensions.insert(0, Dimension::Thing(mention)),
            Some(Asked::Time(grain)) => self.slots.dimensions.insert(0, Dimension::Time(grain)),
            None if self.slots.dimensions.is_empty() && !self.slots.measures.is_empty() => {
                self.read.doubt =
                    Some(format!("“{}” of what? Name what is ranked, as in “top 5 customers”.", ranked.words));
            }
            None => {}
        }
        if self.slots.measures.is_empty() {
            self.read.unranked = Some(ranked.words.clone());
        }
        self.form.ranking = Some(Ranking { order: ranked.order, limit, by: RankBy::Measure });
    }

    fn settle_asked(&mut self) {
        let Some(asked) = self.slots.asked.take() else { return };
        match asked {
            Asked::Time(grain) => self.slots.dimensions.push(Dimension::Time(grain)),
            Asked::Thing(mention) if !self.slots.measures.is_empty() => {
                self.slots.dimensions.push(Dimension::Thing(mention));
            }
            Asked::Thing(mention) => self.slots.loose.insert(0, (0, mention)),
        }
    }

    fn finish(mut self) -> QueryForm {
        let slots = &mut self.slots;
        self.read.doubt = self.read.doubt.take().or_else(|| slots.doubt.take());
        if let Some(grain) = slots.counted_time {
            let text = format!("Counting {}s needs a test on each, as in “days with over 5 orders”.", grain.name());
            self.read.doubt.get_or_insert(text);
        }
        if let Some(words) = &slots.popular
            && slots.measures.is_empty()
        {
            self.read.unranked = Some(words.clone());
        }
        let mut form = std::mem::take(&mut self.form);
        form.notes.append(&mut slots.notes);
        form.measures = once(std::mem::take(&mut slots.measures));
        form.dimensions = std::mem::take(&mut slots.dimensions);
        form.dimensions.dedup();
        dated::of_one_date(self.catalogue, &mut form);
        form.filters = std::mem::take(&mut slots.filters);
        form.periods = std::mem::take(&mut slots.periods);
        if slots.sided {
            form.periods.dedup();
        }
        form.conditions = std::mem::take(&mut slots.conditions);
        form.context.append(&mut slots.context);
        let unclear = || super::property::unclear(self.catalogue, &form);
        if let Some(doubt) = dated::leaves_out_nothing(self.catalogue, &form).or_else(unclear) {
            self.read.doubt.get_or_insert(doubt);
        }
        if let Some(doubt) = doubtful(slots, &form) {
            self.read.doubt.get_or_insert(doubt.to_owned());
        }
        ungrouped(slots.analysis, &mut form);
        if slots.across {
            all_together(&mut form);
        }
        rank_within(slots.per, &mut form);
        listed_by_number(self.catalogue, &mut form);
        form.claim = match slots.claimed_total {
            Some((comparator, value)) => Some(Claim { comparator, of: None, value: Some(value) }),
            None => slots.claim.map(|comparator| Claim { comparator, of: claimed(&form), value: None }),
        };
        form.analysis = slots.analysis;
        (form.look, form.of_each) = (slots.look, slots.of_each);
        form.by_name = slots.by_name;
        form.drawn = slots.drawn;
        apart(&mut form);
        let times = std::mem::take(&mut slots.times);
        if let Some(doubt) = dated::settle(self.catalogue, times, &mut slots.timed, &mut form) {
            self.read.doubt.get_or_insert(doubt);
        }
        super::either::settle_times(slots.or_times, &mut form);
        average_of_own(self.catalogue, slots.per, &mut form);
        happened(self.catalogue, std::mem::take(&mut slots.timed), &mut form);
        self.settle_worth(&mut form);
        self.form = form;
        self.settle_links();
        self.form
    }
}

/// "Total fee and total prescription price": that the one is of prescriptions limits the other to nothing.
fn apart(form: &mut QueryForm) {
    let table_of = |measure: &Measure| {
        let first = measure.of.columns().next()?.table;
        let own = measure.of.table().is_none() && measure.of.columns().all(|column| column.table == first);
        own.then_some(first)
    };
    let tables: Vec<Option<TableId>> = form.measures.iter().map(table_of).collect();
    if tables.len() > 1 && tables.iter().any(|table| *table != tables[0]) {
        form.context.retain(|mention| mention.table().is_none_or(|table| !tables.contains(&Some(table))));
    }
}

/// Whether a column holds dates.
pub fn is_date(catalogue: &Catalogue, column: ColumnId) -> bool {
    catalogue.column(column).kind == ColumnKind::Date
}

/// What cannot be told from a whole question.
fn doubtful(slots: &Slots, form: &QueryForm) -> Option<&'static str> {
    let joins = super::VALUES_JOINED;
    let joined = |filter: &Filter| matches!(filter, Filter::Value { words, .. } if words.contains(joins));
    let both = form.filters.iter().any(joined);
    if slots.ratio && slots.per && form.ranking.is_some() && form.dimensions.len() > 1 {
        Some("A ranking by one number per another cannot be told from the first of each: say “in each …”.")
    } else if both && form.periods.len() > 1 && (slots.claim.is_some() || slots.sided) {
        Some("The two sides differ in time and in something else: compare them in one of both.")
    } else if slots.when {
        Some("Ask for a date by naming what it is the date of, as in “latest invoice”.")
    } else {
        None
    }
}

fn is_plural(mention: &Mention) -> bool {
    mention
        .words
        .split_whitespace()
        .last()
        .is_some_and(|last| super::super::words::singular(&last.to_lowercase()) != last.to_lowercase())
}

fn is_top(words: &str) -> bool {
    !matches!(words, "most" | "highest")
}

/// The grain a series is shown by when nobody says: months up to three years, quarters beyond.
pub fn default_grain(days: i64) -> Grain {
    if days <= 3 * 366 { Grain::Month } else { Grain::Quarter }
}
