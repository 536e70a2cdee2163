//! What is said of related rows as a whole: "not in any event", "without a race in that class", "both A and B",
//! "neither A nor B". What follows belongs to the related rows until the next part begins. Next: `against`, which
//! closes what "never" takes with it; `resolve::related`.

use super::super::form::{Dimension, Filter, Found, Mention, TableId, Thing};
use super::super::lexicon::{Role, Signal};
use super::super::period::Period;
use super::super::words;
use super::VALUES_JOINED;
use super::mention::is_measure;
use super::slots::{Asked, Walker};
use super::spot::Spotted;

/// What was said before rows of another table were said to be lacking.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    table: TableId,
    at: usize,
    conditions: usize,
    measures: usize,
    ranked: bool,
}

/// Where "both" was said, and where the second of the two begins.
#[derive(Clone, Copy, Debug)]
pub struct Both {
    at: usize,
    filters: usize,
    periods: usize,
    second: Option<(usize, usize)>,
}

impl Walker<'_> {
    /// The table asked about, as far as was said before a place.
    pub fn home_before(&self, place: usize) -> Option<TableId> {
        let asked = match (&self.slots.asked, self.slots.ranking.as_ref().and_then(|ranked| ranked.subject.as_ref())) {
            (Some(Asked::Thing(mention)), _) | (None, Some(Asked::Thing(mention))) => Some(mention),
            _ => None,
        };
        let loose = self.slots.loose.iter().filter(|(at, _)| *at < place).map(|(_, mention)| mention);
        let grouped = self.slots.dimensions.iter().filter_map(|dimension| match dimension {
            Dimension::Thing(mention) => Some(mention),
            Dimension::Time(_) => None,
        });
        let all: Vec<&Mention> = asked.into_iter().chain(&self.slots.counted).chain(loose).chain(grouped).collect();
        let column = |mention: &&Mention| mention.columns().next().map(|column| column.table);
        all.iter().find_map(|mention| mention.table()).or_else(|| all.iter().find_map(column))
    }

    /// Whether values of a column are asked about, and no rows.
    fn is_valued_before(&self, place: usize) -> bool {
        let asked = match &self.slots.asked {
            Some(Asked::Thing(mention)) => Some(mention),
            _ => None,
        };
        let loose = self.slots.loose.iter().filter(|(at, _)| *at < place).map(|(_, mention)| mention);
        asked.into_iter().chain(&self.slots.counted).chain(loose).all(|mention| mention.table().is_none())
    }

    /// Whether rows of the two tables can belong together, by the keys of one of them or of a third.
    fn are_linked(&self, one: TableId, other: TableId) -> bool {
        self.catalogue.reaching(one).any(|start| !self.catalogue.paths(start, other).is_empty())
            || !self.catalogue.paths(one, other).is_empty()
    }

    /// "Not in any event with …", "without a race in …": there is no such row, whatever follows is said of it. False
    /// where the table is the one asked about, or nothing links them.
    pub fn lacks_table(&mut self, mention: &Mention) -> bool {
        let (Some(home), Some(table)) = (self.home_before(self.at), mention.table()) else { return false };
        if (home == table && !self.is_valued_before(self.at)) || !self.are_linked(home, table) {
            return false;
        }
        if self.never.is_none() {
            let scope = Scope {
                table,
                at: self.at,
                conditions: self.slots.conditions.len(),
                measures: self.slots.measures.len(),
                ranked: self.slots.ranking.is_some() || self.slots.extreme.is_some(),
            };
            let (filters, periods) = (self.slots.filters.len(), self.slots.periods.len());
            self.never = Some(super::against::Never { filters, periods, of: Some(scope) });
        }
        self.slots.filters.push(Filter::Lacks { of: mention.clone() });
        true
    }

    /// "Without unpaid fines": there is no fine that was not paid.
    pub fn lacks_open(&mut self, mention: &Mention) -> bool {
        let (Some(date), Some(home)) = (mention.columns().next(), self.home_before(self.at)) else { return false };
        let named = self.spans.get(self.at + 1).and_then(super::qualify::table_of) == Some(date.table);
        if !self.lacking || home == date.table || !named {
            return false;
        }
        (self.negated, self.lacking) = (false, false);
        let of = Some(Mention::of(self.catalogue.plural(date.table), Thing::Table(date.table)));
        let filters = vec![Filter::Missing { of: mention.clone(), negated: false, unwritten: false }];
        self.slots.filters.push(Filter::Never { of, filters, periods: Vec::new() });
        self.at += 1;
        true
    }

    /// "Not returned": some row has no such date. "Never returned", of books whose loans have a date of it: none of
    /// them has one.
    pub fn lack_date(&mut self, mention: &Mention) {
        let never = std::mem::take(&mut self.lacking);
        self.negated = false;
        let table = mention.columns().next().map(|column| column.table);
        let elsewhere = self.home_before(self.at).is_some_and(|home| Some(home) != table);
        self.slots.filters.push(if never && elsewhere {
            Filter::Lacks { of: mention.clone() }
        } else {
            Filter::Missing { of: mention.clone(), negated: false, unwritten: false }
        });
    }

    /// "No trip in 2024", where a column of the trips is called so: there is no such row in that time.
    pub fn lacks_dated(&mut self, mention: &Mention) -> bool {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::In | Role::Ignore));
        let next = self.spans.iter().skip(self.at + 1).find(|span| !small(span));
        let best = mention.best().map(|best| best.thing);
        let (true, Some(Thing::Column(column))) = (next.is_some_and(|next| next.period.is_some()), best) else {
            return false;
        };
        let (stems, of_table) = (&self.catalogue.column(column).stems, &self.catalogue.table(column.table).stems);
        let named = stems.iter().all(|stem| of_table.iter().any(|own| own.starts_with(stem.as_str())));
        if !named || self.home_before(self.at) == Some(column.table) {
            return false;
        }
        self.lacks_table(&Mention::of(self.catalogue.plural(column.table), Thing::Table(column.table)))
    }

    /// "Without a total over 20": there is no row with such a number.
    pub fn lacks_compared(&mut self, mention: &Mention) -> bool {
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        let compared = next.is_some_and(|next| {
            matches!(next.signal, Some(Signal::Comparative(..)))
                || matches!(next.role(), Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost | Role::Between))
        });
        let rows = mention.columns().next().map(|column| column.table).filter(|_| mention.table().is_none());
        let Some(table) = rows.filter(|_| compared && is_measure(self.catalogue, mention)) else { return false };
        if self.home_before(self.at) == Some(table) {
            return false;
        }
        self.lacks_table(&Mention::of(self.catalogue.plural(table), Thing::Table(table)))
    }

    /// "And" begins another part, unless it joins two values of the same; "nor" denies that part as well.
    pub fn joins(&mut self, span: &Spotted) {
        let next = self.spans.iter().skip(self.at + 1).find(|span| span.role() != Some(Role::Ignore));
        let same = next.is_some_and(|next| {
            (!next.values.is_empty() && next.signal.is_none()) || next.number.is_some() || next.period.is_some()
        });
        if span.text.eq_ignore_ascii_case("and") {
            self.slots.ands.push(self.at);
        }
        let nor = span.text.eq_ignore_ascii_case("nor");
        let scoped = self.never.is_some_and(|never| never.of.is_some());
        if scoped && (nor || (span.role() == Some(Role::And) && !same)) {
            self.close_never();
        }
        self.negated |= nor;
        if let Some(both) = self.both.as_mut().filter(|both| both.second.is_none() && span.role() == Some(Role::And)) {
            both.second = Some((self.at, self.slots.filters.len()));
        }
    }

    /// What was said within the scope has to be a test on the related rows: an order or a count there is more.
    pub fn check_scope(&mut self, scope: &Scope) {
        let ranked = self.slots.ranking.is_some() || self.slots.extreme.is_some();
        let counts = self.slots.conditions.len() > scope.conditions || self.slots.measures.len() > scope.measures;
        let table = scope.table;
        let mut strange = None;
        self.slots.loose.retain(|(at, mention)| {
            let inside = *at > scope.at;
            let known = mention.table().is_some_and(|other| !self.catalogue.paths(table, other).is_empty());
            if inside && !known {
                strange.get_or_insert(mention.words.clone());
            }
            !inside || !known
        });
        if counts || (ranked && !scope.ranked) || strange.is_some() {
            let plural = self.catalogue.plural(table);
            let text = format!(
                "What is said of the {plural} that there are none of is more than a test on each: ask for those {plural} \
                 first."
            );
            self.slots.doubt.get_or_insert(text);
        }
    }

    /// "Both A and B".
    pub fn both(&mut self) {
        let (filters, periods) = (self.slots.filters.len(), self.slots.periods.len());
        self.both.get_or_insert(Both { at: self.at, filters, periods, second: None });
    }

    /// Two tests that two different rows may pass, where "both" was said.
    pub fn close_both(&mut self) {
        let Some(both) = self.both.take() else { return };
        let Some((middle, second)) = both.second else { return self.slots.unknown.push("both".to_owned()) };
        let mut first = self.slots.filters.split_off(both.filters.min(self.slots.filters.len()));
        let periods = self.slots.periods.split_off(both.periods.min(self.slots.periods.len()));
        let mut other = first.split_off(second.saturating_sub(both.filters).min(first.len()));
        let mut tables = [None, None];
        let (home, valued) = (self.home_before(both.at), self.is_valued_before(both.at));
        let twice =
            self.slots.loose.iter().filter(|(at, mention)| *at > both.at && mention.table().is_none()).count() > 1;
        self.slots.loose.retain(|(at, mention)| {
            // "Authors with … and authors with …", where the author is a column: the rows that hold them.
            let rows = mention.columns().next().filter(|_| twice).map(|column| column.table);
            let table = mention.table().or(rows).filter(|table| *at > both.at && (valued || Some(*table) != home));
            if let Some(table) = table {
                let of = Mention::of(mention.words.clone(), Thing::Table(table));
                tables[usize::from(*at > middle)].get_or_insert(of);
            }
            table.is_none()
        });
        let [one, two] = tables;
        if first.is_empty() && other.is_empty() && self.in_both_times(&both, one.as_ref(), &periods) {
            return;
        }
        if first.is_empty() != other.is_empty() || (first.len() == 1 && other.is_empty()) {
            let all = if first.is_empty() { &mut other } else { &mut first };
            let of = one.or(two);
            if let Some((left, right)) = halves(all) {
                let some = |own: Filter| {
                    let filters = std::iter::once(own).chain(all.iter().cloned()).collect();
                    Filter::Some { of: of.clone(), filters, periods: periods.clone() }
                };
                let both = [some(left), some(right)];
                return self.slots.filters.extend(both);
            }
            self.slots.filters.append(all);
            self.slots.periods.extend(periods);
            return self.slots.unknown.push("both".to_owned());
        }
        if first.is_empty() && one.is_none() && two.is_none() {
            // "both the name and the price", "both the highest and the lowest".
            self.slots.periods.extend(periods);
            return;
        }
        for (of, filters) in [(one, first), (two, other)] {
            self.slots.filters.push(Filter::Some { of, filters, periods: periods.clone() });
        }
    }
}

impl Walker<'_> {
    /// "Halls with concerts in both 2014 and 2015" have one in each of the two, which one row need not do.
    fn in_both_times(&mut self, both: &Both, named: Option<&Mention>, periods: &[Period]) -> bool {
        let home = self.home_before(both.at);
        let rows = |(at, mention): &(usize, Mention)| {
            *at < both.at && mention.only_table().is_some_and(|table| Some(table) != home)
        };
        let alone = named.is_none() && self.slots.measures.is_empty() && self.slots.conditions.is_empty();
        let ([one, two], Some(home), true) = (periods, home, alone) else { return false };
        let Some(last) = self.slots.loose.iter().rposition(rows) else { return false };
        let table = self.slots.loose[last].1.only_table();
        if self.slots.loose.iter().filter(|loose| rows(loose)).count() != 1
            || !table.is_some_and(|table| self.are_linked(home, table))
        {
            return false;
        }
        let (_, of) = self.slots.loose.remove(last);
        for period in [one, two] {
            let (of, periods) = (Some(of.clone()), vec![period.clone()]);
            self.slots.filters.push(Filter::Some { of, filters: Vec::new(), periods });
        }
        true
    }
}

/// The two tests that a filter of two joined values comes to; it is taken out of `all`.
fn halves(all: &mut Vec<Filter>) -> Option<(Filter, Filter)> {
    let is_two = |filter: &Filter| match filter {
        Filter::Value { words, negated, .. } => !negated && words.split(VALUES_JOINED).count() == 2,
        _ => false,
    };
    let at = all.iter().position(is_two)?;
    let Filter::Value { words, found, .. } = all.remove(at) else { return None };
    let (left, right) = words.split_once(VALUES_JOINED)?;
    let one = |side: &str| Filter::Value { words: side.to_owned(), found: only(&found, side), negated: false };
    Some((one(left), one(right)))
}

/// Where `side` alone was found.
fn only(found: &[Found], side: &str) -> Vec<Found> {
    let stems = |text: &str| words::split(text).into_iter().map(|word| word.stem).collect::<Vec<_>>();
    let wanted = stems(side);
    let keep = |found: &Found| Found {
        values: found.values.iter().filter(|value| stems(value) == wanted).cloned().collect(),
        ..found.clone()
    };
    found
        .iter()
        .map(keep)
        .filter(|found| !found.values.is_empty() && !matches!(found.place, Thing::Concept(_)))
        .collect()
}
