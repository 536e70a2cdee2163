//! Walks over the phrases once and gives each its part. Function words set what the next name is wanted for; a name
//! that nothing waits for is kept loose and placed when all is known. Next: `tests_on_numbers`, `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Analysis, Condition, Dimension, End, Filter, Measure, Mention};
use super::super::lexicon::{Comparator, Concept, Order, Role, Signal, lexicon};
use super::super::period::{Grain, Period};
use super::Manner;
use super::against::Never;
use super::link::Link;
use super::mention::is_measure;
use super::rows::says_rows;
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
    /// "top 5", "longest": which end, how many, and by which property.
    pub ranking: Option<Ranked>,
    /// "highest", "lowest" before a number.
    pub extreme: Option<Order>,
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
    /// "who": people are asked for.
    pub who: bool,
    /// Whoever is asked for sells, rather than buys.
    pub sells: bool,
    /// "the most" with no name after it.
    pub most_alone: bool,
    /// What rows are ordered by, found while the parts are put together.
    pub property: Option<Mention>,
    pub look: Option<Presentation>,
    /// A chart is wanted, of whatever kind fits.
    pub drawn: bool,
    pub unknown: Vec<String>,
    pub doubt: Option<String>,
    pub manner: Manner,
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
    /// What was never sold or bought, behind it.
    pub never_sales: Option<Mention>,
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
        known: false,
        joins_value: false,
        valued: None,
        end: None,
        number: None,
        claiming: false,
        never: None,
        never_sales: None,
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
    walker.close_never();
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
        if span.is_unknown() {
            if !self.take_rate(span) {
                self.slots.unknown.push(span.text.clone());
            }
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
            self.take_value(&span.text, &span.values);
            self.take_dates(span);
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
        let follows_name =
            self.spans.get(self.at + 1).is_some_and(|next| next.is_name() || next.role() == Some(Role::Sum));
        match span.role() {
            None => !span.names.is_empty() && !matches!(span.signal, Some(Signal::Superlative(..))),
            // "average total", "by total"; but "highest total sales".
            // "by a", where a column is called so.
            Some(Role::Ignore) if self.wanted == Wanted::Group && self.at + 1 == self.spans.len() => span.is_name(),
            Some(Role::Sum) => !span.names.is_empty() && gathers && !follows_name,
            // "planes without a year"
            Some(role) if Grain::of(role).is_some() => self.lacking && !span.names.is_empty(),
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
            Role::Ignore | Role::Sold | Role::Bought if self.groups_too(role, span) => {
                self.slots.sold |= role != Role::Ignore;
                self.wanted = Wanted::Group;
            }
            Role::Ignore if self.wanted == Wanted::Counted && says_rows(span) => self.count_rows(),
            Count if says_rows(span) => self.count_rows(),
            // "planes per number of engines" groups by the number.
            Count if self.wanted == Wanted::Group && self.is_number_next() => {}
            Count => self.count_next(),
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
            Group if self.follows_verb() => {}
            Group => self.wanted = Wanted::Group,
            Each => self.each(),
            Role::Distinct => self.slots.distinct = true,
            Wh => self.wh(),
            Role::Who => self.slots.who = true,
            When => self.when(),
            HowMuch => self.slots.how_much = true,
            Compare | Versus => self.slots.analysis = Analysis::Compare,
            Share => {
                self.slots.analysis = Analysis::Share;
                self.wanted = Wanted::Shared;
            }
            Trend => self.slots.analysis = Analysis::Trend,
            Growth => self.grow(&span.text),
            Forecast => self.slots.analysis = Analysis::Forecast(0),
            Not => self.negated = true,
            Without => self.without(&span.text),
            And | Or => {}
            Descending => self.direction(Order::Descending),
            Ascending => self.direction(Order::Ascending),
            After | Before | Role::Since | Role::Until => self.slots.unknown.push(span.text.clone()),
            other => self.take_small_role(other, span),
        }
    }

    /// What follows "never" belongs to it, whatever it is.
    fn without(&mut self, said: &str) {
        self.lacking = true;
        if said.eq_ignore_ascii_case("never") {
            let (filters, periods) = (self.slots.filters.len(), self.slots.periods.len());
            self.never.get_or_insert(Never { filters, periods });
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

    /// Words that compare, set a flag, or do nothing.
    fn take_small_role(&mut self, role: Role, span: &Spotted) {
        match role {
            Role::Over => self.compare(Comparator::Over, None),
            Role::AtLeast => self.compare(Comparator::AtLeast, None),
            Role::Under => self.compare(Comparator::Under, None),
            Role::AtMost => self.compare(Comparator::AtMost, None),
            Role::Exactly => self.compare(Comparator::Equal, None),
            Role::Outlier => self.slots.analysis = Analysis::Outliers,
            Role::Cumulative => self.slots.analysis = Analysis::Cumulative,
            Role::Known => self.known = true,
            Role::More => self.more(),
            Role::Between => self.between(),
            Role::Starts | Role::Contains => self.text_filter(role == Role::Starts),
            Role::Sorted => self.sorted(),
            Role::Bought | Role::Sold if self.lacking && !self.is_value_ahead() => self.lack_sales(&span.text),
            Role::Bought | Role::Sold if self.never.is_some() => self.never_sales = self.sales(&span.text),
            Role::Link if self.lacking && self.lack_deed(span) => {}
            Role::Link => {
                let link = Link { verb: span.text.clone(), to: self.linked() };
                self.slots.links.push(link);
            }
            Role::Correlation => self.slots.correlates = true,
            Role::Bought => self.slots.sold = true,
            Role::Sold => {
                self.slots.sold = true;
                self.slots.sells = true;
            }
            Role::Spent => self.spend(span),
            Role::Chart => self.slots.drawn = true,
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
            other => match (Grain::of(other), look(other)) {
                (Some(grain), _) => self.take_grain(grain, other),
                (None, Some(look)) => self.slots.look = Some(look),
                (None, None) => {}
            },
        }
    }

    /// "never bought Jazz" is about Jazz, not about buying at all.
    fn is_value_ahead(&self) -> bool {
        self.spans.iter().skip(self.at + 1).any(|span| !span.values.is_empty() && span.signal.is_none())
    }

    /// "never sold": no row of what holds sales refers to them.
    fn lack_sales(&mut self, words: &str) {
        let Some(of) = self.sales(words) else {
            self.slots.unknown.push(words.to_owned());
            return;
        };
        self.lacking = false;
        self.slots.filters.push(Filter::Lacks { of });
    }

    /// "by month instead of quarter": what is replaced needs no part.
    fn skip_replaced(&mut self) {
        self.slots.manner.instead = true;
        self.at += 1;
    }

    fn each(&mut self) {
        // "by revenue per order" may rank by a ratio; "track per genre" and "in each country" cannot.
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        let number = before.is_some_and(|span| {
            let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
            !span.names.is_empty() && mention.table().is_none() && is_measure(self.catalogue, &mention)
        });
        let per = self.spans.get(self.at).is_some_and(|span| span.text.eq_ignore_ascii_case("per"));
        self.slots.ratio |= number && per;
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
        match &mut self.slots.ranking {
            Some(ranked) => ranked.order = order,
            // "revenue by country, highest first"
            None => self.rank_as(order, None, None, "sorted"),
        }
    }

    fn take_grain(&mut self, grain: Grain, role: Role) {
        let adverb =
            matches!(role, Role::GrainDay | Role::GrainWeek | Role::GrainMonth | Role::GrainQuarter | Role::GrainYear);
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
                self.slots.counted_time = Some(grain);
                self.wanted = Wanted::Nothing;
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
}

/// How the person wants to look at the result.
fn look(role: Role) -> Option<Presentation> {
    match role {
        Role::ChartLine => Some(Presentation::Line),
        Role::ChartBars => Some(Presentation::Bars),
        Role::ChartStacked => Some(Presentation::Stacked),
        Role::ChartScatter => Some(Presentation::Scatter),
        Role::ChartTable => Some(Presentation::Table),
        _ => None,
    }
}
