//! Small words that say how the next name or time is meant: "known", "more", "when", "excluding"; and what is left
//! open when the words are over. Next: `place` for names, `compose` for what they come to.

use super::super::catalogue::TableEntry;
use super::super::form::{Aggregate, Candidate, Dimension, Filter, Found, Mention, Thing};
use super::super::lexicon::{Comparator, Role};
use super::super::period::{Grain, Period};
use super::super::words;
use super::mention::is_measure;
use super::slots::{Walker, Wanted};
use super::spot::Spotted;
use crate::form::Analysis;

impl Walker<'_> {
    /// "When" asks for a time only where it opens the question; later it says on what condition.
    pub fn when(&mut self, said: &str) {
        let before = self.spans.iter().take(self.at);
        if before.clone().any(|span| span.is_name() || span.role() == Some(Role::Count)) {
            return;
        }
        self.slots.when = true;
        self.slots.ago = said.to_lowercase().starts_with("how");
    }

    /// "Which had more orders, A or B": a comparison whose sides are said elsewhere.
    pub fn more(&mut self) {
        // "Enrollment is greater 18000"
        if self.spans.get(self.at + 1).is_some_and(|next| next.number.is_some() && next.period.is_none()) {
            let said = self.spans.get(self.at).map_or_else(String::new, |span| span.text.to_lowercase());
            let less = matches!(said.as_str(), "fewer" | "lower");
            let named = self.spans.get(self.at + 2).is_some_and(Spotted::is_name);
            if !named && said != "more" {
                return self.compare(if less { Comparator::Under } else { Comparator::Over }, None);
            }
        }
        let sides = self.spans.iter().filter(|span| span.period.is_some() || !span.values.is_empty()).count();
        if sides < 2 || self.slots.counted.is_some() {
            let said = self.spans.get(self.at).map_or_else(String::new, |span| span.text.clone());
            return self.slots.unknown.push(said);
        }
        let said = self.spans.get(self.at).map_or_else(String::new, |span| span.text.to_lowercase());
        let ahead = self.spans.iter().skip(self.at + 1).any(|span| span.text.eq_ignore_ascii_case("than"));
        if self.slots.claims && ahead {
            let less = matches!(said.as_str(), "fewer" | "lower");
            self.slots.claim = Some(if less { Comparator::Under } else { Comparator::Over });
        }
        self.slots.analysis = Analysis::Compare;
        self.wanted = Wanted::More;
    }

    /// "More flights" are counted, "more revenue" is added up.
    pub fn place_more(&mut self, mention: Mention) {
        self.wanted = Wanted::Nothing;
        if let Some(deed) = self.deed_done_to(&mention) {
            self.slots.context.push(mention);
            return self.measure(Aggregate::Count, deed);
        }
        let counted = mention.concept().is_none() && mention.table().is_some();
        let aggregate = match (counted, is_measure(self.catalogue, &mention)) {
            (true, _) => Aggregate::Count,
            (false, true) => Aggregate::Sum,
            (false, false) => Aggregate::CountDistinct,
        };
        self.measure(aggregate, mention);
    }

    /// "Cancelled in 2023" is the state, and the date it was reached on. Before a time the date says it all: what was
    /// approved in May may have been shipped since.
    pub fn take_dates(&mut self, span: &Spotted) {
        let [date, ..] = span.dates.as_slice() else { return };
        self.slots.context.push(Mention { words: span.text.clone(), candidates: span.dates.clone() });
        let small = |next: &&Spotted| matches!(next.role(), Some(Role::In | Role::Ignore));
        let next = self.spans.iter().skip(self.at + 1).find(|next| !small(next));
        let timed = span.dates.len() == 1 && next.is_some_and(|next| next.period.is_some());
        let state = self.slots.filters.last().is_some_and(|filter| is_state(filter, &span.values));
        if let (Thing::Column(column), true) = (date.thing, timed && state && self.never.is_none()) {
            self.slots.filters.pop();
            let date = self.catalogue.column_label(column);
            self.slots.notes.push(format!("“{}” is told by {date}, whatever became of the rows later.", span.text));
        }
    }

    /// "Sold by genre", "made by supplier": the verb's "by" groups, where a name follows and no one's own.
    pub fn groups_too(&self, role: Role, span: &Spotted) -> bool {
        let by = span.text.to_lowercase().ends_with(" by");
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        // "Made by planes with 300 seats" says which, "sold by genre" groups.
        let named = next.is_some_and(|next| next.is_name() && next.singular && next.values.is_empty());
        // "No weight recorded by species"
        let written = role == Role::Link && span.text.eq_ignore_ascii_case("recorded by");
        let plain = matches!(role, Role::Ignore | Role::Sold | Role::Bought);
        by && named && self.never.is_none() && !self.lacking && (plain || written)
    }

    /// "Never visited", of what the data calls visits. True where there is such a table.
    pub fn lack_deed(&mut self, span: &Spotted) -> bool {
        let verb = span.text.to_lowercase();
        let roots = ["", "ed", "d", "s"].iter().filter_map(|ending| verb.strip_suffix(ending));
        let roots: Vec<String> = roots.map(words::singular).collect();
        let named = |table: &TableEntry| table.stems.last().is_some_and(|stem| roots.contains(stem));
        let tables = self.catalogue.tables().filter(|(_, table)| named(table));
        let mut candidates: Vec<Candidate> =
            tables.map(|(table, _)| Candidate { thing: Thing::Table(table), score: 90 }).collect();
        if candidates.is_empty() {
            candidates = super::verbs::deeds(self.catalogue, &verb).unwrap_or_default();
        }
        let last = !self.spans.iter().skip(self.at + 1).any(|span| span.is_name() || !span.values.is_empty());
        if candidates.is_empty() || !last {
            return false;
        }
        self.lacking = false;
        self.slots.filters.push(Filter::Lacks { of: Mention { words: span.text.clone(), candidates } });
        true
    }

    /// A verb between "not" and a time is what was not done then: no test on the time of the rows asked about says
    /// that, where they are what others belong to.
    fn doubt_denied_deed(&mut self, period: &Period) {
        let denied = (0..self.at).rev().find(|at| self.spans[*at].role() == Some(Role::Not));
        let (Some(denied), Some(home)) = (denied, self.home_before(self.at)) else { return };
        let verbal = |span: &Spotted| {
            matches!(span.role(), Some(Role::Bought | Role::Sold | Role::Spent | Role::Link | Role::Command))
                && span.names.is_empty()
                && span.dates.is_empty()
        };
        let between = self.spans.get(denied + 1..self.at).unwrap_or_default();
        if !between.iter().any(verbal) || super::acted::dated(self.catalogue, home).next().is_none() {
            return;
        }
        let words: Vec<&str> = self.spans[denied..self.at].iter().map(|span| span.text.as_str()).collect();
        let (plural, words) = (self.catalogue.plural(home), words.join(" "));
        let text = format!(
            "I cannot tell which {plural} “{words} {}” leaves out: say it with the rows that there are none of, as in \
             “{plural} without … in …”.",
            period.label()
        );
        self.slots.doubt.get_or_insert(text);
    }

    /// A time, or one that is left out.
    pub fn take_period(&mut self, period: &Period) {
        self.joins_value = false;
        self.doubt_part_of_time();
        if !self.negated {
            self.note_time(period);
            let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.spans.get(at));
            let or = before(1).is_some_and(|span| span.role() == Some(Role::Or));
            self.slots.or_times |= or && before(2).is_some_and(|span| span.period.is_some());
            return self.slots.periods.push(period.clone());
        }
        self.doubt_denied_deed(period);
        self.slots.filters.push(Filter::Outside { period: period.clone() });
        self.negated = self.joins_next();
    }

    /// "The last 30 days of 2004": days before the end of the data are none of that year, and a year is no other side.
    fn doubt_part_of_time(&mut self) {
        let before = |back: usize| self.at.checked_sub(back).and_then(|at| self.spans.get(at));
        let of = before(1).is_some_and(|span| matches!(span.role(), Some(Role::Of | Role::In)));
        let few = before(2).filter(|span| of && span.period.as_ref().is_some_and(Period::is_relative));
        if let (Some(few), Some(whole)) = (few, self.spans.get(self.at)) {
            let text = format!(
                "“{}” is told from the end of the data, and not from that of “{}”: name the days, as in “from 2024-12-02 to \
                 2024-12-31”.",
                few.text, whole.text
            );
            self.slots.doubt.get_or_insert(text);
        }
    }

    /// "forecast revenue for 3 months": as many ahead.
    pub fn reaches_ahead(&mut self, number: f64) -> bool {
        let grain = self.spans.get(self.at + 1).and_then(Spotted::role).and_then(Grain::of);
        let whole = number.fract() == 0.0 && (1.0..=400.0).contains(&number);
        let forecast = matches!(self.slots.analysis, Analysis::Forecast(_));
        let Some(grain) = grain.filter(|grain| forecast && whole && !matches!(grain, Grain::Weekday | Grain::Hour))
        else {
            return false;
        };
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and small")]
        let count = number as i32;
        self.slots.periods.push(Period::NextFew { grain, count });
        self.at += 1;
        true
    }

    /// Whether "and" or "or" follows, so that what is said of this one is said of the next one as well.
    pub fn joins_next(&self) -> bool {
        let next = self.spans.get(self.at + 1).and_then(Spotted::role);
        let after = self.spans.get(self.at + 2);
        let same = after.is_some_and(|span| span.period.is_some() || !span.weekdays.is_empty());
        same && matches!(next, Some(Role::And | Role::Or))
    }

    /// "by engine type" of a table with a column of each name: one of them is meant, or both.
    pub fn doubt_two_as_one(&mut self, mention: &Mention) {
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let Some(before) = before.filter(|span| span.is_name() && !span.pause && span.signal.is_none()) else { return };
        let Some(Dimension::Thing(other)) = self.slots.dimensions.last() else { return };
        let table = |mention: &Mention| mention.columns().next().map(|column| column.table);
        let plain = |mention: &Mention| mention.table().is_none() && mention.concept().is_none();
        if before.text == other.words && plain(mention) && plain(other) && table(mention) == table(other) {
            let (one, two) = (&other.words, &mention.words);
            let text = format!("“{one} {two}” can be “{one}” or “{two}”: name one of them, or both with “and”.");
            self.slots.doubt.get_or_insert(text);
        }
    }

    /// What still waits for a name when the words are over.
    pub fn settle_open(&mut self) {
        if self.known {
            self.slots.unknown.push("known".to_owned());
        }
        match self.wanted {
            // "planes with 100 seats, count"
            Wanted::Counted if self.slots.counted.is_none() && !self.slots.rows_counted => {
                let at = self.slots.loose.iter().position(|(_, mention)| mention.table().is_some());
                match at {
                    Some(at) => self.slots.counted = Some(self.slots.loose.remove(at).1),
                    None if self.slots.measures.is_empty() && self.slots.counted_time.is_none() => {
                        let why = "Count what? Name it, as in “number of orders”.";
                        self.slots.doubt.get_or_insert(why.to_owned());
                    }
                    None => {}
                }
            }
            Wanted::More if self.slots.measures.is_empty() && self.slots.aggregate.is_none() => {
                self.slots.unknown.push("more".to_owned());
            }
            _ => {}
        }
    }
}

/// Whether a filter is for these values and no others.
fn is_state(filter: &Filter, values: &[Found]) -> bool {
    matches!(filter, Filter::Value { found, negated: false, .. } if found.as_slice() == values)
}
