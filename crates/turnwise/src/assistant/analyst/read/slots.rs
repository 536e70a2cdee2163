//! Walks over the phrases once and gives each its part. Function words set what the next name is wanted for; a name that
//! nothing waits for is kept loose and placed when all is known. Next: `tests_on_numbers`, `compose`.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{
    Aggregate, Analysis, Candidate, Condition, Dimension, Filter, Found, Measure, Mention, TableId, Thing,
};
use super::super::lexicon::{Comparator, Concept, Order, Role, Signal};
use super::super::period::{Grain, Period};
use super::super::source::ColumnKind;
use super::Manner;
use super::spot::Spotted;
use turnwise_core::Presentation;

/// What the words come to, before it is decided what kind of question they are.
#[derive(Debug, Default)]
pub struct Slots {
    pub measures: Vec<Measure>,
    pub dimensions: Vec<Dimension>,
    pub filters: Vec<Filter>,
    pub periods: Vec<Period>,
    pub conditions: Vec<Condition>,
    /// What "which" or "what" asks for.
    pub asked: Option<Asked>,
    /// What "how many" asks for.
    pub counted: Option<Mention>,
    /// Whether different values are counted.
    pub distinct: bool,
    /// Names without a part, in order, with the position of their phrase.
    pub loose: Vec<(usize, Mention)>,
    pub context: Vec<Mention>,
    /// "top 5", "longest": which end, how many, and by which property.
    pub ranking: Option<Ranked>,
    /// "highest", "lowest" before a number.
    pub extreme: Option<Order>,
    /// An aggregate that still waits for what it gathers.
    pub aggregate: Option<(Aggregate, String)>,
    /// "average … per customer": the groups' values are gathered again.
    pub per: bool,
    pub analysis: Analysis,
    pub sold: bool,
    pub spent: bool,
    pub how_much: bool,
    pub popular: Option<String>,
    /// "who": people are asked for.
    pub who: bool,
    /// "the most" with no name after it.
    pub most_alone: bool,
    /// What rows are ordered by, found while the parts are put together.
    pub property: Option<Mention>,
    pub look: Option<Presentation>,
    pub unknown: Vec<String>,
    pub doubt: Option<String>,
    pub manner: Manner,
}

/// What a "which" asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    Thing(Mention),
    Time(Grain),
}

/// A ranking as said.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub order: Order,
    pub limit: Option<usize>,
    pub property: Option<(Concept, String)>,
    pub words: String,
    /// What is ranked, where it was said beside it.
    pub subject: Option<Asked>,
    /// By what, where it was said with "by".
    pub by: Option<Mention>,
}

/// What the next name is wanted for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    Nothing,
    Asked,
    Counted,
    Ranked,
    Group,
    Most(Order),
    Shared,
}

pub struct Walker<'a> {
    pub catalogue: &'a Catalogue,
    pub spans: Vec<Spotted>,
    pub at: usize,
    pub slots: Slots,
    pub wanted: Wanted,
    negated: bool,
    lacking: bool,
    joins_value: bool,
    pub number: Option<f64>,
}

/// Gives every phrase its part.
pub fn walk(catalogue: &Catalogue, spans: Vec<Spotted>) -> Slots {
    let mut walker = Walker {
        catalogue,
        spans,
        at: 0,
        slots: Slots::default(),
        wanted: Wanted::Nothing,
        negated: false,
        lacking: false,
        joins_value: false,
        number: None,
    };
    while walker.at < walker.spans.len() {
        let span = walker.spans[walker.at].clone();
        walker.take(&span);
        walker.at += 1;
    }
    if let Wanted::Most(order) = walker.wanted {
        walker.slots.most_alone = true;
        walker.slots.extreme.get_or_insert(order);
    }
    if let Some(number) = walker.number {
        walker.slots.unknown.push(format!("{number}"));
    }
    walker.slots
}

impl Walker<'_> {
    fn take(&mut self, span: &Spotted) {
        if span.is_unknown() {
            self.slots.unknown.push(span.text.clone());
        } else if let Some(period) = &span.period {
            self.slots.periods.push(period.clone());
            self.joins_value = false;
        } else if let Some(number) = span.number {
            self.take_number(number, span);
        } else if self.is_place(span) {
            self.place(span);
        } else if !span.values.is_empty() && span.signal.is_none() {
            self.take_value(&span.text, &span.values);
        } else {
            match span.signal {
                Some(Signal::Role(role)) => self.take_role(role, span),
                Some(Signal::Superlative(order, concept)) => self.take_superlative(order, concept, &span.text),
                Some(Signal::Comparative(comparator, concept)) => self.compare(comparator, Some(concept)),
                None => self.slots.unknown.push(span.text.clone()),
            }
        }
    }

    /// A name takes its part as a name, unless it is also a function word that fits better where it stands.
    fn is_place(&self, span: &Spotted) -> bool {
        let gathers = self.slots.aggregate.is_some() || self.slots.extreme.is_some() || self.wanted == Wanted::Group;
        let follows_name = self.spans.get(self.at + 1).is_some_and(|next| next.is_name() || next.role() == Some(Role::Sum));
        match span.role() {
            None => !span.names.is_empty() && !matches!(span.signal, Some(Signal::Superlative(..))),
            // "average total", "by total"; but "highest total sales".
            Some(Role::Sum) => !span.names.is_empty() && gathers && !follows_name,
            Some(role) if Grain::of(role).is_some() => false,
            Some(
                Role::Ignore | Role::Of | Role::In | Role::And | Role::Or | Role::Not | Role::With | Role::Group | Role::Each,
            ) => false,
            Some(Role::Command | Role::Wh | Role::Who) => span.is_name() && self.at > 0,
            Some(_) => span.is_name() && !matches!(span.role(), Some(Role::Count | Role::Top | Role::Last)),
        }
    }

    fn take_role(&mut self, role: Role, span: &Spotted) {
        use Role::{
            After, And, Ascending, Average, Before, Between, Bottom, ChartBars, ChartLine, ChartTable, Compare, Count,
            Descending, Deviation, Each, Exactly, Fewest, Forecast, Group, Growth, Highest, HowMuch, Lowest, Median,
            Most, Not, Or, Percentile, Share, Sorted, Sum, Top, Trend, Versus, When, Wh, Without,
        };
        if !matches!(role, And | Or | Role::Ignore | Role::Versus) {
            self.joins_value = false;
        }
        match role {
            Count => self.wanted = Wanted::Counted,
            Sum => self.gather(Aggregate::Sum, span),
            Average => self.gather(Aggregate::Average, span),
            Median => self.gather(Aggregate::Median, span),
            Deviation => self.gather(Aggregate::Deviation, span),
            Percentile => self.percentile(span),
            Highest => self.extreme(Order::Descending),
            Lowest => self.extreme(Order::Ascending),
            Most => self.wanted = Wanted::Most(Order::Descending),
            Fewest => self.wanted = Wanted::Most(Order::Ascending),
            Top => self.rank(Order::Descending, &span.text),
            Bottom => self.rank(Order::Ascending, &span.text),
            Group => self.wanted = Wanted::Group,
            Each => self.each(),
            Role::Distinct => self.slots.distinct = true,
            Wh => self.wh(),
            Role::Who => self.slots.who = true,
            When => self.slots.doubt = Some("Ask for a date by naming what it is the date of, as in “latest invoice”.".to_owned()),
            HowMuch => self.slots.how_much = true,
            Compare | Versus => self.slots.analysis = Analysis::Compare,
            Share => {
                self.slots.analysis = Analysis::Share;
                self.wanted = Wanted::Shared;
            }
            Trend => self.slots.analysis = Analysis::Trend,
            Growth => self.slots.analysis = Analysis::Growth,
            Forecast => self.slots.analysis = Analysis::Forecast(0),
            Not => self.negated = true,
            Without => self.lacking = true,
            And | Or => {}
            Role::Over => self.compare(Comparator::Over, None),
            Role::AtLeast => self.compare(Comparator::AtLeast, None),
            Role::Under => self.compare(Comparator::Under, None),
            Role::AtMost => self.compare(Comparator::AtMost, None),
            Exactly => self.compare(Comparator::Equal, None),
            Between => self.between(),
            Role::Starts | Role::Contains => self.text_filter(role == Role::Starts),
            Sorted => self.sorted(),
            Descending | Ascending => self.direction(if role == Descending { Order::Descending } else { Order::Ascending }),
            ChartLine => self.slots.look = Some(Presentation::Line),
            ChartBars => self.slots.look = Some(Presentation::Bars),
            ChartTable => self.slots.look = Some(Presentation::Table),
            After | Before | Role::Since | Role::Until => self.slots.unknown.push(span.text.clone()),
            other => self.take_small_role(other, span),
        }
    }

    /// Words that set a flag, or nothing.
    fn take_small_role(&mut self, role: Role, span: &Spotted) {
        match role {
            Role::Sold => self.slots.sold = true,
            Role::Spent => self.slots.spent = true,
            Role::Popular => self.popular(Order::Descending, &span.text),
            Role::BestSelling => self.best_selling(Order::Descending, &span.text),
            Role::WorstSelling => self.best_selling(Order::Ascending, &span.text),
            Role::Only => self.slots.manner.only = true,
            Role::Also => self.slots.manner.also = true,
            Role::Instead => self.slots.manner.instead = true,
            Role::InsteadOf => self.skip_replaced(),
            Role::Remove => self.slots.manner.remove = true,
            Role::FilterWord => self.slots.manner.filters = true,
            Role::StepWord => self.slots.manner.step = true,
            Role::In | Role::With => {
                if self.wanted == Wanted::Group {
                    self.wanted = Wanted::Nothing;
                }
            }
            // "the last invoice"
            Role::Last if self.spans.get(self.at + 1).is_some_and(Spotted::is_name) => {
                self.take_superlative(Order::Descending, Concept::Date, &span.text);
            }
            Role::Last | Role::Next | Role::This | Role::Half | Role::OrMore | Role::OrLess => {
                self.slots.unknown.push(span.text.clone());
            }
            other => {
                if let Some(grain) = Grain::of(other) {
                    self.take_grain(grain, other);
                }
            }
        }
    }

    /// "by month instead of quarter": what is replaced needs no part.
    fn skip_replaced(&mut self) {
        self.slots.manner.instead = true;
        self.at += 1;
    }

    fn gather(&mut self, aggregate: Aggregate, span: &Spotted) {
        if self.wanted == Wanted::Counted || (aggregate == Aggregate::Sum && self.slots.aggregate.is_some()) {
            return;
        }
        self.slots.aggregate = Some((aggregate, span.text.clone()));
        if self.wanted == Wanted::Asked {
            self.wanted = Wanted::Nothing;
        }
    }

    fn percentile(&mut self, span: &Spotted) {
        match self.number.take() {
            Some(percent) if (0.0..=100.0).contains(&percent) => self.gather(Aggregate::Percentile(percent), span),
            _ => self.slots.doubt = Some("A percentile needs its number first, as in “95th percentile”.".to_owned()),
        }
    }

    fn extreme(&mut self, order: Order) {
        self.slots.extreme = Some(order);
        if let Some(limit) = self.whole_number() {
            self.rank_as(order, Some(limit), None, "highest");
        }
    }

    /// A number said before, as a count.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole, positive and small")]
    fn whole_number(&mut self) -> Option<usize> {
        let number = self.number.filter(|number| number.fract() == 0.0 && (1.0..=100_000.0).contains(number))?;
        self.number = None;
        Some(number as usize)
    }

    fn rank(&mut self, order: Order, words: &str) {
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

    fn rank_as(&mut self, order: Order, limit: Option<usize>, property: Option<(Concept, String)>, words: &str) {
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

    fn take_superlative(&mut self, order: Order, concept: Concept, words: &str) {
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

    fn popular(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.slots.popular = Some(words.to_owned());
        self.wanted = Wanted::Ranked;
    }

    fn best_selling(&mut self, order: Order, words: &str) {
        let limit = self.whole_number();
        self.rank_as(order, limit, None, words);
        self.measure(Aggregate::Sum, concept_mention("units sold", Concept::Quantity));
        self.wanted = Wanted::Ranked;
    }

    fn each(&mut self) {
        self.wanted = Wanted::Group;
        self.slots.per = true;
    }

    fn wh(&mut self) {
        if self.slots.asked.is_none() && self.slots.counted.is_none() {
            self.wanted = Wanted::Asked;
        }
    }

    fn sorted(&mut self) {
        if self.slots.ranking.is_none() {
            self.rank_as(Order::Ascending, None, None, "sorted");
        }
        self.wanted = Wanted::Group;
    }

    fn direction(&mut self, order: Order) {
        if let Some(ranked) = &mut self.slots.ranking {
            ranked.order = order;
        }
    }

    fn take_grain(&mut self, grain: Grain, role: Role) {
        let adverb = matches!(
            role,
            Role::GrainDay | Role::GrainWeek | Role::GrainMonth | Role::GrainQuarter | Role::GrainYear
        );
        match self.wanted {
            Wanted::Asked => {
                self.slots.asked = Some(Asked::Time(grain));
                self.wanted = Wanted::Nothing;
            }
            Wanted::Ranked => {
                if let Some(ranked) = &mut self.slots.ranking {
                    ranked.subject = Some(Asked::Time(grain));
                }
                self.wanted = Wanted::Nothing;
            }
            Wanted::Counted => {
                self.slots.doubt = Some(format!("Counting {}s is not something this can do.", grain.name()));
            }
            _ => {
                if adverb && self.slots.aggregate.is_some() && self.slots.measures.is_empty() {
                    self.slots.per = true;
                }
                if !self.slots.dimensions.contains(&Dimension::Time(grain)) {
                    self.slots.dimensions.push(Dimension::Time(grain));
                }
            }
        }
    }

    /// Gives a name the part that is waiting.
    fn place(&mut self, span: &Spotted) {
        self.joins_value = false;
        let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
        if std::mem::take(&mut self.lacking) {
            return self.place_lacking(mention);
        }
        if self.negated {
            self.negated = false;
            match flag_column(self.catalogue, &mention) {
                Some(_) => self.slots.filters.push(Filter::Flag { of: mention, value: false }),
                None => self.slots.unknown.push(format!("not {}", mention.words)),
            }
            return;
        }
        if self.wanted != Wanted::Asked && self.wanted != Wanted::Group && flag_column(self.catalogue, &mention).is_some() {
            self.slots.filters.push(Filter::Flag { of: mention, value: true });
            return;
        }
        match self.wanted {
            Wanted::Group => self.place_group(mention),
            Wanted::Most(order) => self.place_most(order, mention),
            Wanted::Counted => {
                self.wanted = Wanted::Nothing;
                self.place_counted(mention);
            }
            Wanted::Ranked => {
                self.wanted = Wanted::Nothing;
                self.place_ranked(mention);
            }
            Wanted::Asked => {
                self.wanted = Wanted::Nothing;
                self.place_asked(mention);
            }
            Wanted::Shared => {
                self.wanted = Wanted::Nothing;
                if mention.table().is_some() { self.slots.counted = Some(mention) } else { self.place_free(mention) }
            }
            Wanted::Nothing => self.place_free(mention),
        }
    }

    fn place_lacking(&mut self, mention: Mention) {
        self.slots.filters.push(if mention.table().is_some() {
            Filter::Lacks { of: mention }
        } else {
            Filter::Missing { of: mention, negated: false }
        });
    }

    fn place_group(&mut self, mention: Mention) {
        let ranked_by = self.slots.ranking.as_ref().is_some_and(|ranked| ranked.by.is_none());
        let subject = self.slots.ranking.as_ref().and_then(|ranked| ranked.subject.as_ref());
        let named = matches!(subject, Some(Asked::Thing(subject)) if subject.table() != mention.table());
        // "top 3 genres by tracks" counts them.
        if ranked_by && named && mention.table().is_some() && mention.concept().is_none() && self.slots.measures.is_empty() {
            self.wanted = Wanted::Nothing;
            return self.measure(Aggregate::Count, mention);
        }
        let number = is_measure(self.catalogue, &mention);
        if ranked_by && number {
            if self.slots.measures.is_empty() && self.slots.aggregate.is_none() {
                if let Some(ranked) = &mut self.slots.ranking {
                    ranked.by = Some(mention);
                }
            } else {
                self.place_free(mention);
            }
            self.wanted = Wanted::Nothing;
        } else if self.slots.aggregate.is_some() && self.slots.measures.is_empty() && number {
            self.place_free(mention);
        } else {
            self.slots.dimensions.push(Dimension::Thing(mention));
        }
    }

    fn place_most(&mut self, order: Order, mention: Mention) {
        self.wanted = Wanted::Nothing;
        let aggregate = if mention.concept().is_none() && mention.table().is_some() { Aggregate::Count } else { Aggregate::Sum };
        if aggregate == Aggregate::Sum && !is_measure(self.catalogue, &mention) {
            self.measure(Aggregate::CountDistinct, mention);
        } else {
            self.measure(aggregate, mention);
        }
        let limit = self.whole_number();
        self.rank_as(order, limit, None, "most");
    }

    fn place_counted(&mut self, mention: Mention) {
        let quantity = mention.concept() == Some(Concept::Quantity) && mention.table().is_none();
        if quantity {
            self.measure(Aggregate::Sum, mention);
        } else if self.slots.counted.is_none() {
            self.slots.counted = Some(mention);
        } else {
            self.slots.loose.push((self.at, mention));
        }
    }

    fn place_ranked(&mut self, mention: Mention) {
        if is_pure_measure(&mention) {
            return self.place_free(mention);
        }
        if let Some(ranked) = &mut self.slots.ranking {
            ranked.subject = Some(Asked::Thing(mention));
        }
    }

    fn place_asked(&mut self, mention: Mention) {
        if is_pure_measure(&mention) || (is_measure(self.catalogue, &mention) && mention.table().is_none()) {
            self.place_free(mention);
        } else {
            self.slots.asked = Some(Asked::Thing(mention));
        }
    }

    /// A name nothing waits for: a measure if it is one, else loose.
    fn place_free(&mut self, mention: Mention) {
        if let Some((aggregate, _)) = self.slots.aggregate.take() {
            return self.gathered(aggregate, mention);
        }
        let concept = mention.concept().is_some_and(|concept| matches!(concept, Concept::Money | Concept::Quantity));
        if concept && (mention.table().is_none() || !self.is_listed()) {
            return self.measure(Aggregate::Sum, mention);
        }
        if self.slots.extreme.is_some() && is_measure(self.catalogue, &mention) && mention.table().is_none() {
            return self.measure(Aggregate::Maximum, mention);
        }
        self.slots.loose.push((self.at, mention));
    }

    /// Whether the text asks to list what it names ("list sales over 20").
    fn is_listed(&self) -> bool {
        let first = self.spans.first().and_then(Spotted::role);
        let compared = self.spans.get(self.at + 1).and_then(Spotted::role);
        matches!(first, Some(Role::Command)) && matches!(compared, Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost))
    }

    fn gathered(&mut self, aggregate: Aggregate, mention: Mention) {
        let table = mention.table().filter(|_| mention.concept().is_none());
        match (aggregate, table) {
            // "total customers" counts them, "total payments" adds them up.
            (Aggregate::Sum, Some(table)) if !super::super::resolve::is_money_table(self.catalogue, table) => {
                self.slots.counted = Some(mention);
            }
            _ => self.measure(aggregate, mention),
        }
    }

    pub fn measure(&mut self, aggregate: Aggregate, of: Mention) {
        let measure = Measure { aggregate, of, over_groups: None };
        if !self.slots.measures.contains(&measure) {
            self.slots.measures.push(measure);
        }
    }

    /// A value joins the one before it where both may be of one column ("Canada and Germany").
    pub fn take_value(&mut self, words: &str, found: &[Found]) {
        if self.wanted == Wanted::Group || self.wanted == Wanted::Asked {
            self.wanted = Wanted::Nothing;
        }
        let negated = self.negated;
        if self.joins_value
            && let Some(Filter::Value { words: before, found: places, negated: same }) = self.slots.filters.last_mut()
            && *same == negated
        {
            let shared: Vec<Found> = places.iter().filter_map(|place| merged(place, found)).collect();
            if !shared.is_empty() {
                *places = shared;
                *before = format!("{before}, {words}");
                return;
            }
        }
        self.negated = false;
        self.joins_value = true;
        let known = self.slots.filters.iter().any(|filter| matches!(filter, Filter::Value { words: same, .. } if same == words));
        if !known {
            self.slots.filters.push(Filter::Value { words: words.to_owned(), found: found.to_vec(), negated });
        }
        // "not in Canada or Germany": the next value is meant as well.
        self.negated = negated && self.next_joins();
    }

    fn next_joins(&self) -> bool {
        self.spans.get(self.at + 1).is_some_and(|next| matches!(next.role(), Some(Role::And | Role::Or)))
    }

    fn text_filter(&mut self, start: bool) {
        let Some(next) = self.spans.get(self.at + 1).filter(|next| next.quoted || next.is_unknown() || !next.values.is_empty())
        else {
            self.slots.doubt = Some("Put the text to look for in quotation marks.".to_owned());
            return;
        };
        let text = next.text.clone();
        self.slots.filters.push(Filter::Text { text, start });
        self.at += 1;
    }
}

fn merged(place: &Found, others: &[Found]) -> Option<Found> {
    let other = others.iter().find(|other| other.place == place.place)?;
    let values = place.values.iter().chain(&other.values).cloned().collect();
    Some(Found { place: place.place, values })
}

/// A mention of a concept by itself.
pub fn concept_mention(words: &str, concept: Concept) -> Mention {
    Mention { words: words.to_owned(), candidates: vec![Candidate { thing: Thing::Concept(concept), score: 85 }] }
}

/// Whether a mention can be gathered: a concept of amounts, or a column of numbers.
pub fn is_measure(catalogue: &Catalogue, mention: &Mention) -> bool {
    let concept = mention.concept().is_some_and(|concept| !matches!(concept, Concept::Date | Concept::Age));
    let best = mention.best();
    let number = best.is_some_and(|best| match best.thing {
        Thing::Column(column) => catalogue.column(column).is_number(),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    (concept && mention.table().is_none()) || number
}

/// Whether a mention is money or a quantity and nothing else as well.
fn is_pure_measure(mention: &Mention) -> bool {
    let amount = mention.concept().is_some_and(|concept| matches!(concept, Concept::Money | Concept::Quantity));
    amount && mention.table().is_none()
}

/// The true-or-false column a mention names.
fn flag_column(catalogue: &Catalogue, mention: &Mention) -> Option<TableId> {
    match mention.best()?.thing {
        Thing::Column(column) => {
            let entry = catalogue.column(column);
            let flag = entry.kind == ColumnKind::Boolean && entry.part == ColumnPart::Attribute;
            flag.then_some(column.table)
        }
        Thing::Table(_) | Thing::Concept(_) => None,
    }
}
