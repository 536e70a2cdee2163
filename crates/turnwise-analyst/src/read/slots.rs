//! Walks over the phrases once and gives each its part. Function words set what the next name is wanted for; a name
//! that nothing waits for is kept loose and placed when all is known. Next: `tests_on_numbers`, `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{
    Aggregate, Analysis, ColumnId, Condition, Dimension, End, Filter, Measure, Mention, TableId, Thing,
};
use super::super::lexicon::{Comparator, Concept, Order, Role, Signal, lexicon};
use super::super::period::{Grain, Period};
use super::Manner;
use super::against::Never;
use super::dated::Dated;
use super::link::Link;
use super::rows::says_rows;
use super::sets::Both;
use super::spot::Spotted;
use turnwise_core::Presentation;

/// What the words come to, before it is decided what kind of question they are.
#[derive(Debug, Default)]
pub struct Slots {
    pub measures: Vec<Measure>,
    pub dimensions: Vec<Dimension>,
    pub filters: Vec<Filter>,
    pub periods: Vec<Period>,
    /// The same, each with the date it stands by.
    pub times: Vec<Dated>,
    pub conditions: Vec<Condition>,
    /// What "which" or "what" asks for.
    pub asked: Option<Asked>,
    /// What "how many" asks for.
    pub counted: Option<Mention>,
    /// How many tests were said before each "how many".
    pub counts: Vec<usize>,
    /// Whether rows were to be counted without saying of what: "number of rows by town".
    pub rows_counted: bool,
    /// The time "how many" asks for: "how many days had …".
    pub counted_time: Option<Grain>,
    /// Whether different values are counted.
    pub distinct: bool,
    /// Names without a part, in order, with the position of their phrase.
    pub loose: Vec<(usize, Mention)>,
    /// Tables named beside a number, joined to it by "and": "revenue and orders by region".
    pub beside: Vec<Mention>,
    pub context: Vec<Mention>,
    /// Verbs that say which date is meant: without a time they say that it happened.
    pub timed: Vec<Mention>,
    /// Rows whose end is wanted, where others are asked about.
    pub nested: Option<Mention>,
    /// "top 5", "longest": which end, how many, and by which property.
    pub ranking: Option<Ranked>,
    /// "highest", "lowest" before a number.
    pub extreme: Option<Order>,
    /// Whether both ends of one date were said.
    pub both_ends: bool,
    /// How many were asked for before "the most": "which 5 customers spent the most".
    pub most_limit: Option<usize>,
    /// The word it was said with.
    pub extreme_said: Option<String>,
    /// An aggregate that still waits for what it gathers.
    pub aggregate: Option<(Aggregate, String)>,
    /// The aggregate given out last, and the position of the phrase that took it.
    pub given: Option<(usize, Aggregate)>,
    /// A comparison with the other side of a claim.
    pub claim: Option<Comparator>,
    /// Whether a time was said of each of two values.
    pub sided: bool,
    /// Aggregates of the same number said before that one: "minimum and maximum".
    pub also: Vec<Aggregate>,
    /// Whether two numbers are correlated.
    pub correlates: bool,
    /// Verbs that only link what stands around them: "flights *operated by* Delta".
    pub links: Vec<Link>,
    /// Whether "total" was said.
    pub sums: bool,
    /// "average … per customer": the groups' values are gathered again.
    pub per: bool,
    /// Whether a number was said to be one per something: "revenue per order".
    pub ratio: bool,
    pub analysis: Analysis,
    pub sold: bool,
    pub spent: bool,
    pub how_much: bool,
    pub popular: Option<String>,
    /// What a verb speaks of: the loans of "borrowed".
    pub deed: Option<Mention>,
    /// Whether "more often" was said.
    pub often: bool,
    /// Whether somebody was said to do it: "did members borrow".
    pub done_by: bool,
    /// "most common", "most used": what occurs the most.
    pub common: Option<String>,
    /// Whether it was asked when something was.
    pub when: bool,
    /// Whether sums were said to be averaged: "average total fee per patient".
    pub inner_sum: bool,
    /// What was taken for granted while walking.
    pub notes: Vec<String>,
    /// Whether it was asked how long ago.
    pub ago: bool,
    /// Whether the question is a claim, and whether it speaks of a total.
    pub claims: bool,
    pub in_total: bool,
    /// Whether it is one of those asked about together, and not of any of them.
    pub claims_one: bool,
    /// A total that was claimed to be above or below a number.
    pub claimed_total: Option<(Comparator, f64)>,
    /// Two numbers of which one is divided by the other.
    pub quotient: Option<(Measure, Measure)>,
    /// What a number was said to be per, where it is grouped by.
    pub per_of: Option<Mention>,
    /// Whether "across" was said, which may group or mean all of them together.
    pub across: bool,
    /// Groups that "by" was said before.
    pub by_of: Vec<Mention>,
    /// Whether it was asked what each of those did or has: "did each trainer train".
    pub of_each: bool,
    /// Whether either of two times was asked about.
    pub or_times: bool,
    /// The table of the payments, where something was said to be paid.
    pub paid: Option<TableId>,
    /// Whether "per", or "for each", was said twice.
    pub twice_per: bool,
    /// Whether it was "per" that was said, and not "for each".
    pub per_said: bool,
    /// "who": people are asked for.
    pub who: bool,
    /// Whoever is asked for sells, rather than buys.
    pub sells: bool,
    /// Where rows stand that are shown with others.
    pub shown_rows: Vec<usize>,
    /// Where "and" stands.
    pub ands: Vec<usize>,
    /// "the most" with no name after it.
    pub most_alone: bool,
    /// What rows are ordered by, found while the parts are put together.
    pub property: Option<Mention>,
    pub look: Option<Presentation>,
    /// The order of names the rows are put in.
    pub by_name: Option<Order>,
    /// A chart is wanted, of whatever kind fits.
    pub drawn: bool,
    pub unknown: Vec<String>,
    pub doubt: Option<String>,
    pub manner: Manner,
    /// The filters that say what is true of the share of rows asked for: from one position to before another.
    pub predicate: Option<(usize, usize)>,
    /// How many verbs of dates stand before that.
    pub predicate_timed: usize,
    /// Parts of an amount that were left out.
    pub parts_excluded: Vec<Mention>,
    /// What was said by yes/no columns.
    pub flagged: super::flag::Flagged,
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
    More,
    Shared,
}

pub struct Walker<'a> {
    pub catalogue: &'a Catalogue,
    pub spans: Vec<Spotted>,
    pub at: usize,
    pub slots: Slots,
    pub wanted: Wanted,
    pub negated: bool,
    pub lacking: bool,
    /// Whether it lacks only what is not written down.
    pub unwritten: bool,
    /// Whether the next group is what a number is per.
    pub per_next: bool,
    /// Whether it was said with "per".
    pub per_word: bool,
    /// Whether "by" was said before it.
    pub by_next: bool,
    /// Whether the next name must have a value: "a known speed".
    pub known: bool,
    pub joins_value: bool,
    /// Where the last value stands.
    pub valued: Option<usize>,
    /// Which end of a relation the next value is.
    pub end: Option<End>,
    pub number: Option<f64>,
    /// Whether the next value is the other side of a claim.
    pub claiming: bool,
    /// Where "never" was said.
    pub never: Option<Never>,
    /// Where "both" was said.
    pub both: Option<Both>,
    /// What was never sold or bought, behind it.
    pub never_sales: Option<Mention>,
    /// Where an amount stands that is all together: "more than 40 in sales".
    pub amount_at: Option<usize>,
    /// Tests in the order in which they were said, with the words that join them.
    pub trail: Vec<super::either::Trail>,
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
        unwritten: false,
        per_next: false,
        per_word: false,
        by_next: false,
        known: false,
        joins_value: false,
        valued: None,
        end: None,
        number: None,
        claiming: false,
        never: None,
        both: None,
        never_sales: None,
        amount_at: None,
        trail: Vec::new(),
    };
    walker.note_claim();
    while walker.at < walker.spans.len() {
        let span = walker.spans[walker.at].clone();
        let before = walker.said_so_far();
        walker.note_predicate(&span);
        walker.take(&span);
        walker.follow(before, &span);
        walker.at += 1;
    }
    if let Wanted::Most(order) = walker.wanted {
        walker.slots.most_alone = true;
        walker.slots.extreme.get_or_insert(order);
        walker.slots.most_limit = walker.limit_of_most();
    }
    walker.close_never();
    walker.settle_either();
    walker.close_both();
    walker.close();
    if let Some(number) = walker.number {
        walker.slots.unknown.push(format!("{number}"));
    }
    walker.slots
}

impl Walker<'_> {
    /// A word that waits for another to the end was not understood, and must not be lost.
    fn close(&mut self) {
        self.settle_rows();
        self.settle_open();
        if self.lacking
            || self.negated && !matches!(self.slots.filters.last(), Some(Filter::Value { negated: true, .. }))
        {
            self.slots.unknown.push("not".to_owned());
        }
        if self.wanted == Wanted::Group && self.slots.dimensions.is_empty() && self.slots.filters.is_empty() {
            self.slots.doubt.get_or_insert("“by” what? Name what to group by, as in “by country”.".to_owned());
        }
    }

    fn take(&mut self, span: &Spotted) {
        self.negated |= span.denied;
        self.slots.notes.extend(span.note.clone());
        if let Some(rated) = &span.rated {
            self.take_rated(rated);
        } else if !span.tests.is_empty() {
            self.take_tests(span);
            if span.is_name() {
                self.place(&Spotted { tests: Vec::new(), ..span.clone() });
            }
        } else if span.is_unknown() {
            if !self.take_rate(span) && !self.says_either(span) && !self.says_time(span) {
                self.slots.unknown.push(span.text.clone());
            }
        } else if self.is_one_of(span) {
            self.take_number(1.0, span);
        } else if let Some(period) = &span.period {
            self.take_period(period);
        } else if !span.weekdays.is_empty() {
            self.take_weekdays(&span.weekdays);
        } else if let Some(number) = span.number {
            self.take_number(number, span);
        } else if self.is_place(span) || self.says_flag(span) {
            self.place(span);
        } else if (!span.values.is_empty() && span.signal.is_none())
            || self.is_letter_value(span)
            || self.says_value(span)
        {
            self.ask_for_such(span);
            self.take_value(&span.text, &span.values);
            self.take_dates(span);
        } else {
            match span.signal {
                Some(Signal::Role(_)) if self.dates_deed(span) => {}
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
        let follows_name =
            self.spans.get(self.at + 1).is_some_and(|next| next.is_name() || next.role() == Some(Role::Sum));
        match span.role() {
            None => !span.names.is_empty() && !matches!(span.signal, Some(Signal::Superlative(..))),
            // "average total", "by total"; but "highest total sales".
            // "by a", where a column is called so.
            Some(Role::Ignore) if self.wanted == Wanted::Group && self.at + 1 == self.spans.len() => span.is_name(),
            // "How many results", of a table called so.
            Some(Role::Ignore) if self.wanted == Wanted::Counted && !says_rows(span) => {
                span.is_name() && super::qualify::table_of(span).is_some()
            }
            Some(Role::Sum) => !span.names.is_empty() && gathers && !follows_name,
            Some(Role::Without) => false,
            // "departures by hour", where a column is called so.
            Some(Role::Hour) => !span.names.is_empty(),
            // "planes without a year"
            // "total days of leave", where a column says how many
            Some(role) if Grain::of(role).is_some() => {
                let gathers = self.slots.aggregate.is_some() && self.wanted != Wanted::Group;
                let number = gathers && self.names_number(span);
                (self.lacking && !span.names.is_empty()) || number
            }
            Some(
                Role::Ignore
                | Role::Of
                | Role::In
                | Role::And
                | Role::Or
                | Role::Not
                | Role::With
                | Role::Group
                | Role::Each,
            ) => false,
            Some(Role::Command | Role::Wh | Role::Who) => span.is_name() && self.at > 0,
            Some(_) => span.is_name() && !matches!(span.role(), Some(Role::Count | Role::Top | Role::Last)),
        }
    }

    fn names_number(&self, span: &Spotted) -> bool {
        let number = |column: ColumnId| self.catalogue.column(column).is_number();
        span.names.iter().any(|one| matches!(one.thing, Thing::Column(column) if number(column)))
    }

    fn group_next(&mut self, span: &Spotted) {
        (self.wanted, self.by_next) = (Wanted::Group, true);
        self.slots.across |= span.text.eq_ignore_ascii_case("across");
    }

    fn take_role(&mut self, role: Role, span: &Spotted) {
        use Role::{
            After, And, Ascending, Average, Before, Bottom, Compare, Count, Descending, Deviation, Each, Fewest,
            Forecast, Group, Growth, Highest, HowMuch, Lowest, Median, Most, Not, Or, Percentile, Share, Sum, Top,
            Trend, Versus, Wh, When, Without,
        };
        if !matches!(role, And | Or | Role::Ignore | Versus) {
            self.joins_value = false;
        }
        if let Some(end) = lexicon().end_said(&span.text.to_lowercase()) {
            self.end = Some(end);
        } else if !matches!(role, Role::Ignore | Role::Link | Role::In) {
            self.end = None;
        }
        match role {
            Role::Ignore | Role::Sold | Role::Bought | Role::Link if self.groups_too(role, span) => {
                self.slots.sold |= matches!(role, Role::Sold | Role::Bought);
                self.wanted = Wanted::Group;
            }
            Role::Ignore if self.wanted == Wanted::Counted && says_rows(span) => self.count_rows(),
            Count if says_rows(span) => self.count_rows(),
            // "planes per number of engines" groups by it, "the most number of orders" counts them anyway.
            Count if self.is_count_of_number() => {}
            Count => self.count_next(),
            Sum | Average | Median | Role::Range | Deviation | Percentile | Highest | Lowest => {
                self.take_aggregate(role, span);
            }
            Most if self.most_done(Order::Descending) => {}
            Fewest if self.most_done(Order::Ascending) => {}
            Most => self.wanted = Wanted::Most(Order::Descending),
            Fewest => self.wanted = Wanted::Most(Order::Ascending),
            Top => self.rank(Order::Descending, &span.text),
            Bottom => self.rank(Order::Ascending, &span.text),
            Group if self.follows_verb() || self.is_of_all() => {}
            Group => self.group_next(span),
            Each if self.per_number() => {}
            Each => self.each(),
            Role::Distinct => self.slots.distinct = true,
            Wh => self.wh(),
            Role::Who => self.slots.who = true,
            When => self.when(&span.text),
            Role::Divided => self.divided(),
            Role::Ratio => self.ratio(),
            HowMuch => self.slots.how_much = true,
            Compare | Versus => self.slots.analysis = Analysis::Compare,
            Share => self.share(span),
            Trend => self.slots.analysis = Analysis::Trend,
            Growth => self.grow(&span.text),
            Forecast => self.slots.analysis = Analysis::Forecast(0),
            Not => self.deny(span),
            Without => self.without(&span.text),
            And | Or => self.joins(span),
            Role::Both => self.both(),
            Descending => self.direction(Order::Descending),
            Ascending => self.direction(Order::Ascending),
            After | Before | Role::Since | Role::Until => self.slots.unknown.push(span.text.clone()),
            other => self.take_small_role(other, span),
        }
    }

    fn take_aggregate(&mut self, role: Role, span: &Spotted) {
        match role {
            Role::Sum => self.gather(Aggregate::Sum, span),
            Role::Average => self.gather(Aggregate::Average, span),
            Role::Median => self.gather(Aggregate::Median, span),
            Role::Range => self.gather(Aggregate::Range, span),
            Role::Deviation => self.gather(Aggregate::Deviation, span),
            Role::Percentile => self.percentile(span),
            Role::Highest => self.extreme(Order::Descending),
            _ => self.extreme(Order::Ascending),
        }
    }

    /// Whether "number of" says no more than the words around it.
    fn is_count_of_number(&self) -> bool {
        matches!(self.wanted, Wanted::Most(_)) || (self.wanted == Wanted::Group && self.is_number_next())
    }

    /// What follows "never" belongs to it, whatever it is.
    fn without(&mut self, said: &str) {
        self.lacking = true;
        self.unwritten = ["missing", "unknown"].iter().any(|word| said.to_lowercase().ends_with(word));
        if said.eq_ignore_ascii_case("never") {
            let (filters, periods) = (self.slots.filters.len(), self.slots.periods.len());
            self.never.get_or_insert(Never { filters, periods, of: None });
        }
    }

    /// "Year over year" says the step as well.
    fn grow(&mut self, said: &str) {
        self.slots.analysis = Analysis::Growth;
        let said = said.to_lowercase();
        let steps =
            [(["year", "yoy"], Grain::Year), (["quarter", "qoq"], Grain::Quarter), (["month", "mom"], Grain::Month)];
        let step = steps.into_iter().find(|(words, _)| words.iter().any(|word| said.starts_with(word)));
        if let Some((_, grain)) = step {
            self.slots.dimensions.push(Dimension::Time(grain));
        }
    }
}

impl Slots {
    /// Whether a phrase names a date as a verb would: "hired before 2015", where the column is called `hired`.
    pub fn is_date_said(&self, catalogue: &Catalogue, span: &Spotted) -> bool {
        let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
        mention.table().is_none() && super::dated::is_time(catalogue, &mention)
    }
}
