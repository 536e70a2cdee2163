//! "Or" between tests: of two values of one column it means one filter, of anything else that one of both holds. Where
//! the words do not say what is joined by it, that is asked, because "and" for "or" is a wrong answer that looks right.
//! Next: `slots`.

use super::super::form::{Analysis, Filter, QueryForm};
use super::super::lexicon::Role;
use super::super::period::Period;
use super::slots::Walker;
use super::spot::Spotted;

/// How many tests of each kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    filters: usize,
    periods: usize,
    conditions: usize,
}

/// Something that was said, as far as "or" may join it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trail {
    /// Filters, from one position to before another.
    Filters(usize, usize),
    /// A time.
    Period(usize),
    /// A test on groups.
    Condition,
    /// The name of rows.
    Rows,
    And,
    Or,
}

fn is_test(said: &Trail) -> bool {
    matches!(said, Trail::Filters(..) | Trail::Period(_) | Trail::Condition)
}

impl Walker<'_> {
    /// What there is before a phrase is taken.
    pub fn said_so_far(&self) -> Said {
        let slots = &self.slots;
        Said { filters: slots.filters.len(), periods: slots.periods.len(), conditions: slots.conditions.len() }
    }

    /// Notes what a phrase came to.
    pub fn follow(&mut self, before: Said, span: &Spotted) {
        let now = self.said_so_far();
        if now.filters > before.filters {
            self.trail.push(Trail::Filters(before.filters, now.filters));
        } else if now.periods > before.periods {
            self.trail.push(Trail::Period(before.periods));
        } else if now.conditions > before.conditions {
            self.trail.push(Trail::Condition);
        } else if span.is_name() {
            self.trail.push(Trail::Rows);
        }
        match span.role() {
            Some(Role::And) => self.trail.push(Trail::And),
            Some(Role::Or) if span.text.eq_ignore_ascii_case("nor") => self.trail.push(Trail::And),
            Some(Role::Or) => self.trail.push(Trail::Or),
            _ => {}
        }
    }

    /// What was said from a place on is one test by now. An "or" within it is asked about.
    pub fn gather_trail(&mut self, filters: usize, periods: usize) {
        let inside = |said: &Trail| match said {
            Trail::Filters(from, _) => *from >= filters,
            Trail::Period(at) => *at >= periods,
            _ => false,
        };
        let Some(first) = self.trail.iter().position(inside) else { return };
        let last = self.trail.iter().rposition(inside).unwrap_or(first);
        let one = (self.slots.filters.len() > filters).then_some(Trail::Filters(filters, self.slots.filters.len()));
        let gathered: Vec<Trail> = self.trail.splice(first..=last, one).collect();
        if gathered.contains(&Trail::Or) {
            let text = "What “or” stands between is not clear behind “not” and “never”: ask for one of both.";
            self.slots.doubt.get_or_insert(text.to_owned());
        }
    }

    /// A value joined the one before it: the "or" between them is used up.
    pub fn joined_by_or(&mut self) {
        if matches!(self.trail.last(), Some(Trail::Or | Trail::And)) {
            self.trail.pop();
        }
    }

    /// "In either Rome or Oslo": the word says what "or" says.
    pub fn says_either(&self, span: &Spotted) -> bool {
        let either = matches!(span.text.to_lowercase().as_str(), "either" | "entweder");
        either && self.spans.iter().skip(self.at + 1).any(|span| span.role() == Some(Role::Or))
    }

    /// Makes one test of those that "or" joins.
    pub fn settle_either(&mut self) {
        let trail = std::mem::take(&mut self.trail);
        let Some(at) = trail.iter().position(|said| *said == Trail::Or) else { return };
        let (left, right) = (&trail[..at], &trail[at + 1..]);
        if !left.iter().any(is_test) || !right.iter().any(is_test) || self.is_side_by_side(&trail) {
            return;
        }
        match self.sides(left, right) {
            Some(sides) => self.join_sides(sides),
            None => {
                let text = "What “or” stands between is not clear here: ask for one of both, or say the rest first, as \
                            in “customers of Rome who are over 40 or pay by card”.";
                self.slots.doubt.get_or_insert(text.to_owned());
            }
        }
    }

    /// Times that are set side by side, as before: "revenue in 2023 or 2024".
    fn is_side_by_side(&self, trail: &[Trail]) -> bool {
        let open = |period: &Period| {
            matches!(period, Period::Since(_) | Period::After(_) | Period::Before(_) | Period::Until(_))
        };
        let only = trail.iter().all(|said| !matches!(said, Trail::Filters(..) | Trail::Condition));
        let compared = self.slots.analysis != Analysis::Plain || self.slots.claim.is_some();
        let gathered =
            self.slots.counted.is_some() || !self.slots.measures.is_empty() || self.slots.aggregate.is_some();
        only && (compared || (gathered && !self.slots.periods.iter().any(open)))
    }

    /// The sides that every "or" stands between; none where that cannot be told.
    fn sides(&self, left: &[Trail], right: &[Trail]) -> Option<Vec<Vec<Trail>>> {
        if self.never.is_some() || left.contains(&Trail::Condition) || right.contains(&Trail::Condition) {
            return None;
        }
        if let Some(sides) = self.alike(left, right) {
            return Some(sides);
        }
        let last = left.iter().rposition(is_test)?;
        // "Female students of 20 or from Rome": what stands before the rows is said of all of them.
        let other = left.iter().take(last).rposition(is_test);
        let between = other.map_or(&left[..0], |other| &left[other + 1..last]);
        let beside = other.is_some() && (between.contains(&Trail::And) || !between.contains(&Trail::Rows));
        let mut sides = vec![vec![left[last]]];
        let mut open = true;
        for said in right {
            match said {
                Trail::Or => open = true,
                Trail::And | Trail::Rows => {}
                test if open => {
                    sides.push(vec![*test]);
                    open = false;
                }
                _ => return None,
            }
        }
        (!beside).then_some(sides)
    }

    /// "In Fall 2009 or in Spring 2010": the same two things are said of both sides.
    fn alike(&self, left: &[Trail], right: &[Trail]) -> Option<Vec<Vec<Trail>>> {
        let tests = |trail: &[Trail]| trail.iter().copied().filter(is_test).collect::<Vec<Trail>>();
        let (one, other) = (tests(left), tests(right));
        let kinds = |trail: &[Trail]| trail.iter().map(|said| self.kind_of(said)).collect::<Vec<u8>>();
        let same = one.len() == 2 && kinds(&one) == kinds(&other) && !right.contains(&Trail::Or);
        same.then(|| vec![one, other])
    }

    /// What sort of test it is, to be compared with another.
    fn kind_of(&self, said: &Trail) -> u8 {
        match said {
            Trail::Period(_) => 0,
            Trail::Filters(from, _) => match self.slots.filters.get(*from) {
                Some(Filter::Value { .. }) => 1,
                Some(Filter::Number { .. }) => 2,
                Some(Filter::Text { .. }) => 3,
                _ => 4,
            },
            Trail::Condition | Trail::Rows | Trail::And | Trail::Or => 5,
        }
    }

    fn join_sides(&mut self, sides: Vec<Vec<Trail>>) {
        let mut tests: Vec<Vec<Filter>> = sides.iter().map(|_| Vec::new()).collect();
        let (mut filters, mut periods) = (Vec::new(), Vec::new());
        for (side, said) in sides.iter().enumerate().flat_map(|(at, side)| side.iter().map(move |said| (at, said))) {
            match said {
                Trail::Filters(from, to) => {
                    tests[side].extend(self.slots.filters.get(*from..*to).unwrap_or_default().iter().cloned());
                    filters.extend(*from..*to);
                }
                Trail::Period(at) => {
                    let period = self.slots.periods.get(*at).cloned();
                    tests[side].extend(period.map(|period| Filter::During { period }));
                    periods.push(*at);
                }
                Trail::Condition | Trail::Rows | Trail::And | Trail::Or => {}
            }
        }
        // From behind, so that positions stay what they are.
        periods.sort_unstable();
        for at in periods.into_iter().rev() {
            self.slots.periods.remove(at);
            if at < self.slots.times.len() {
                let time = self.slots.times.remove(at);
                self.slots.context.extend(time.of);
            }
        }
        filters.sort_unstable();
        for at in filters.into_iter().rev() {
            self.slots.filters.remove(at);
        }
        self.slots.filters.push(Filter::Either { sides: tests });
    }

    /// Tests that were read with the name of their column.
    pub fn take_tests(&mut self, span: &Spotted) {
        use super::slots::Wanted;
        if matches!(self.wanted, Wanted::Group | Wanted::Asked) && !span.is_name() {
            self.wanted = Wanted::Nothing;
        }
        self.joins_value = false;
        let denied = std::mem::take(&mut self.negated) | std::mem::take(&mut self.lacking);
        for test in &span.tests {
            let test = if denied { denial(test) } else { Some(test.clone()) };
            match test {
                Some(test) if self.slots.filters.contains(&test) => {}
                Some(test) => self.slots.filters.push(test),
                None => self.slots.unknown.push(format!("not {}", span.text)),
            }
        }
    }
}

/// The test that a row passes where it does not pass this one.
fn denial(test: &Filter) -> Option<Filter> {
    use super::super::lexicon::Comparator;
    match test.clone() {
        Filter::Value { words, found, negated } => Some(Filter::Value { words, found, negated: !negated }),
        Filter::Number { of, comparator: Comparator::Equal, value, unit } => {
            Some(Filter::Number { of, comparator: Comparator::Unequal, value, unit })
        }
        Filter::Text { of, text, start, end, negated } => {
            Some(Filter::Text { of, text, start, end, negated: !negated })
        }
        _ => None,
    }
}

/// Several times are compared. "In 2023 or 2024" is all that lies in one of them, and no comparison.
pub fn settle_times(either: bool, form: &mut QueryForm) {
    if form.analysis != Analysis::Plain || form.periods.len() < 2 {
        return;
    }
    if !either || form.claim.is_some() {
        form.analysis = Analysis::Compare;
        return;
    }
    let labels: Vec<String> = form.periods.iter().map(Period::label).collect();
    form.notes.push(format!("All of {} is in it, together.", labels.join(" and ")));
    let sides = std::mem::take(&mut form.periods).into_iter().map(|period| vec![Filter::During { period }]).collect();
    form.filters.push(Filter::Either { sides });
}
