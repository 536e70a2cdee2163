//! Words with a small part: comparisons, verbs, manners, how it is shown and by what time it is grouped. They are apart
//! from `slots` because there are many of them and each does one thing. Next: `slots`, `deeds`.

use super::super::form::{Analysis, Dimension, Filter, Mention};
use super::super::lexicon::{Comparator, Concept, Order, Role};
use super::super::period::{Grain, Period};
use super::link::Link;
use super::mention::is_measure;
use super::slots::{Asked, Walker, Wanted};
use super::spot::Spotted;
use turnwise_core::Presentation;

impl Walker<'_> {
    /// Words that compare, set a flag, or do nothing.
    pub fn take_small_role(&mut self, role: Role, span: &Spotted) {
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
            Role::Starts | Role::Contains | Role::Ends => self.text_filter(role == Role::Starts, role == Role::Ends),
            Role::Sorted => self.sorted(),
            Role::Alphabetical => self.slots.by_name = Some(Order::Ascending),
            Role::AlphabeticalReverse => self.slots.by_name = Some(Order::Descending),
            Role::Bought | Role::Sold if self.lacking && !self.is_value_ahead() => self.lack_sales(&span.text),
            Role::Bought | Role::Sold if self.never.is_some() => self.never_sales = self.sales(&span.text),
            Role::Common => self.common(Order::Descending, &span.text),
            Role::Rare => self.common(Order::Ascending, &span.text),
            Role::Often => {
                self.slots.often = true;
                if span.text.to_lowercase().starts_with("more ") {
                    self.claims(Comparator::Over);
                }
            }
            Role::Link | Role::Command if self.lacking && self.lack_deed(span) => {}
            Role::Link if self.dates_another(span) => self.slots.unknown.push(span.text.clone()),
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
            Role::Spent => {
                self.asks_amount();
                self.spend(span);
                self.pays(span);
            }
            Role::Popular => self.popular(Order::Descending, &span.text),
            Role::BestSelling => self.best_selling(Order::Descending, &span.text),
            Role::WorstSelling => self.best_selling(Order::Ascending, &span.text),
            Role::Last => self.take_last(span),
            other => self.take_manner(other, span),
        }
    }

    /// "the last invoice", and when something was last done.
    fn take_last(&mut self, span: &Spotted) {
        let next = self.spans.get(self.at + 1);
        if self.slots.when && next.is_some_and(|next| self.deed_of(next).is_some()) {
            self.rank_as(Order::Descending, None, Some((Concept::Date, span.text.clone())), &span.text);
        } else if next.is_some_and(Spotted::is_name) {
            self.take_superlative(Order::Descending, Concept::Date, &span.text);
        } else {
            self.slots.unknown.push(span.text.clone());
        }
    }

    /// Words that say how it is meant, how it is shown, or by what it is grouped.
    fn take_manner(&mut self, role: Role, span: &Spotted) {
        match role {
            Role::Chart => self.slots.drawn = true,
            Role::Only => self.slots.manner.only = true,
            Role::Also => self.slots.manner.also = true,
            Role::Instead => self.slots.manner.instead = true,
            Role::InsteadOf => self.skip_replaced(),
            Role::Remove => self.slots.manner.remove = true,
            Role::FilterWord => self.slots.manner.filters = true,
            Role::StepWord => self.slots.manner.step = true,
            Role::In if span.text.to_lowercase().starts_with("across all") => self.skip_all(),
            Role::In | Role::With => {
                if self.wanted == Wanted::Group {
                    self.wanted = Wanted::Nothing;
                }
            }
            Role::Next | Role::This | Role::Half | Role::OrMore | Role::OrLess => {
                self.slots.unknown.push(span.text.clone());
            }
            other => match (Grain::of(other), look(other)) {
                (Some(grain), _) => self.take_grain(grain, other),
                (None, Some(look)) => self.slots.look = Some(look),
                (None, None) => {}
            },
        }
    }

    /// "the highest enrolment across all schools" is one number, whatever the schools are.
    fn skip_all(&mut self) {
        self.wanted = Wanted::Nothing;
        let Some(next) = self.spans.get(self.at + 1).filter(|next| next.is_name() && !next.singular) else { return };
        let mention = Mention { words: next.text.clone(), candidates: next.names.clone() };
        if mention.table().is_some() {
            self.slots.context.push(mention);
        }
        self.at += 1;
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

    pub fn each(&mut self) {
        // "by revenue per order" may rank by a ratio; "track per genre" and "in each country" cannot.
        let before = self.spans.iter().take(self.at).rev().find(|span| span.role() != Some(Role::Ignore));
        let number = before.is_some_and(|span| {
            let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
            !span.names.is_empty() && mention.table().is_none() && is_measure(self.catalogue, &mention)
        });
        let per = self.spans.get(self.at).is_some_and(|span| span.text.eq_ignore_ascii_case("per"));
        self.slots.ratio |= number && per;
        let said = |at: usize, words: &[&str]| self.spans.get(at).is_some_and(|span| super::said::is(span, words));
        let does = self.at.checked_sub(1).is_some_and(|at| said(at, &["do", "does", "did", "has", "have", "had"]));
        self.slots.of_each |= does && said(self.at, &["each", "every"]);
        self.wanted = Wanted::Group;
        self.says_per(per);
    }

    pub fn wh(&mut self) {
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

    pub fn direction(&mut self, order: Order) {
        match &mut self.slots.ranking {
            Some(ranked) => ranked.order = order,
            // "revenue by country, highest first"
            None => self.rank_as(order, None, None, "sorted"),
        }
        // "in descending order of age": what is said behind it is what is ordered by.
        if self.spans.get(self.at + 1).is_some_and(|next| next.role() == Some(Role::Of)) {
            self.at += 1;
            self.wanted = Wanted::Group;
        }
    }

    fn take_grain(&mut self, grain: Grain, role: Role) {
        // "For all years before 2009" limits, and groups by nothing.
        let open = |period: &Period| matches!(period, Period::Before(_) | Period::After(_) | Period::Since(_));
        let limited = self.spans.get(self.at + 1).and_then(|next| next.period.as_ref()).is_some_and(open);
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let all = before.is_some_and(|before| matches!(before.text.to_lowercase().as_str(), "all" | "the" | "all the"));
        if limited && all && !matches!(self.wanted, Wanted::Group | Wanted::Asked | Wanted::Counted) {
            return;
        }
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
                // "by month of meters installed in 2022": those are no group.
                if self
                    .spans
                    .get(self.at + 1)
                    .is_some_and(|next| matches!(next.role(), Some(Role::Of | Role::In | Role::With)))
                {
                    self.wanted = Wanted::Nothing;
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
