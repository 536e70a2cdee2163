//! Comparisons with something that is no number: with the average ("longer than average") and with the other side of
//! a claim ("is revenue higher in 2024 than in 2023?"). And what "never" takes with it. Next: `tests_on_numbers`.

use super::super::form::{Aggregate, Candidate, Condition, Filter, Measure, Mention, Thing};
use super::super::lexicon::{Comparator, Concept, Role};
use super::super::words;
use super::mention::{concept_mention, is_measure};
use super::said::is;
use super::sets::Scope;
use super::slots::Walker;
use super::spot::Spotted;
use super::tests_on_numbers::{Target, property};

/// Words that begin a question to be answered by yes or no, or an order to prove something.
pub const CLAIMS: [&str; 24] = [
    "is it true that",
    "is it true",
    "is it correct that",
    "is it right that",
    "is",
    "are",
    "was",
    "were",
    "did",
    "does",
    "do",
    "has",
    "have",
    "had",
    "prove",
    "prove that",
    "verify",
    "verify that",
    "check",
    "check if",
    "check whether",
    "confirm that",
    "confirm",
    "check that",
];

/// Where "never" was said: what comes behind it belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Never {
    pub filters: usize,
    pub periods: usize,
    /// Of what, and how much else was said before: "not in any event".
    pub of: Option<Scope>,
}

impl Walker<'_> {
    /// "Never sold an item", of sales that are the items of orders: one of them is what was never done.
    pub fn says_what_was_never_done(&mut self, mention: &Mention) -> bool {
        let article = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let article = article.is_some_and(|span| is(span, &["a", "an", "any", "single"]));
        let table_of = |thing: Thing| match thing {
            Thing::Table(table) => Some(table),
            Thing::Column(column) => Some(column.table),
            Thing::Concept(_) => None,
        };
        let mut tables = mention.candidates.iter().map(|one| table_of(one.thing));
        let Some(table) = tables.next().flatten().filter(|table| tables.all(|other| other == Some(*table))) else {
            return false;
        };
        let Some(Filter::Lacks { of }) = self.slots.filters.last_mut() else { return false };
        let lacked = of.candidates.iter().any(|one| one.thing == Thing::Table(table));
        if self.never.is_some() && article && lacked {
            *of = Mention::of(of.words.clone(), Thing::Table(table));
            return true;
        }
        false
    }

    /// "than average", "the average payment": true when the comparison was with an average.
    pub fn against_average(&mut self, comparator: Comparator, concept: Option<Concept>) -> bool {
        let filler = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore | Role::Of));
        let skipped = self.spans.iter().skip(self.at + 1).take_while(filler).count();
        let at = self.at + 1 + skipped;
        if self.spans.get(at).and_then(Spotted::role) != Some(Role::Average) {
            return false;
        }
        let before = self.at;
        self.at = at;
        let counted = self.spans.get(at + 1).and_then(Spotted::role) == Some(Role::Count);
        self.at += usize::from(counted);
        let named = self
            .spans
            .get(self.at + 1)
            .filter(|span| span.is_name())
            .map(|span| Mention { words: span.text.clone(), candidates: span.names.clone() });
        self.at += usize::from(named.is_some());
        self.doubt_average_of_some(named.as_ref(), concept);
        let of_groups = |measure: Measure| Condition { measure, comparator, value: 0.0, average: true };
        if let Some(named) = named.clone().filter(|_| counted) {
            self.slots.conditions.push(of_groups(Measure::new(Aggregate::Count, named)));
            return true;
        }
        if self.slots.spent || self.slots.sold {
            let of = concept_mention("sales", Concept::Money);
            self.slots.conditions.push(of_groups(Measure::new(Aggregate::Sum, of)));
            return true;
        }
        let own = named.filter(|named| named.table().is_none() && is_measure(self.catalogue, named));
        match (self.target_before(before), own, concept) {
            (Some(Target::Measure(measure)), ..) => self.slots.conditions.push(of_groups(measure)),
            (Some(Target::Column(of)), ..) | (None, Some(of), _) => {
                self.slots.filters.push(Filter::Average { of, comparator });
            }
            (None, None, concept) => {
                let of = property(concept.map_or(Concept::Money, |concept| self.fitting(concept)));
                self.slots.filters.push(Filter::Average { of, comparator });
            }
        }
        true
    }

    /// "Above the average pay of clerks in Leer" is an average of those alone, and "older than the average weight"
    /// holds two things against each other: neither is told here.
    fn doubt_average_of_some(&mut self, named: Option<&Mention>, concept: Option<Concept>) {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::Ignore | Role::Of)) || is(span, &["all"]);
        let skipped = self.spans.iter().skip(self.at + 1).take_while(small).count();
        let (home, rows) = (self.home_before(self.at), self.at + 1 + skipped);
        let same = |span: &Spotted| super::qualify::table_of(span).is_some_and(|table| Some(table) == home);
        let of = self.spans.get(self.at + 1).is_some_and(|of| of.role() == Some(Role::Of));
        // "The age of actors" is one name by now.
        let joined = named.is_some_and(|named| {
            let first = named.words.split(' ').next().map(|first| words::singular(&words::fold(first)));
            let stems = home.map(|home| &self.catalogue.table(home).stems);
            named.words.contains(' ') && first.zip(stems).is_some_and(|(first, stems)| stems.last() == Some(&first))
        });
        let last = match (joined, of && self.spans.get(rows).is_some_and(same)) {
            (_, true) => rows,
            (true, false) => self.at,
            (false, false) => self.spans.len(),
        };
        let narrows = self.spans.get(last + 1).is_some_and(|next| {
            !next.values.is_empty() || matches!(next.role(), Some(Role::In | Role::With | Role::Who))
        });
        if narrows && !self.spans[last].pause {
            let text = "An average of some of the rows alone is not told beside them: ask for that average first.";
            self.slots.doubt.get_or_insert(text.to_owned());
        }
        let aged = |named: &Mention| {
            named.columns().any(|column| {
                let stems = &self.catalogue.column(column).stems;
                !self.catalogue.column(column).is_number() || stems.iter().any(|stem| stem == "age" || stem == "year")
            })
        };
        let number = named.filter(|named| named.table().is_none() && named.columns().next().is_some());
        if let Some(named) = number.filter(|named| concept == Some(Concept::Age) && !aged(named)) {
            let text = format!("Who is older is not told by “{}”: say which number is above its average.", named.words);
            self.slots.doubt.get_or_insert(text);
        }
    }

    /// "higher than in Canada": true when it is a claim about two sides.
    pub fn claims(&mut self, comparator: Comparator) -> bool {
        let opened = self.spans.first().is_some_and(|first| CLAIMS.contains(&first.text.to_lowercase().as_str()));
        let ahead = self.spans.iter().skip(self.at + 1);
        let other =
            ahead.clone().any(|span| span.period.is_some() || (!span.values.is_empty() && span.signal.is_none()));
        if !opened
            || !other
            || self.slots.claim.is_some()
            || !matches!(comparator, Comparator::Over | Comparator::Under)
        {
            return false;
        }
        self.slots.claim = Some(comparator);
        self.slots.analysis = super::super::form::Analysis::Compare;
        self.claiming = true;
        true
    }

    /// What sells or buys, behind "never": the rows that are called so ("ordered" of the orders), then those that hold
    /// how many. A payment is no sale where there are others.
    pub fn sales(&self, words: &str) -> Option<Mention> {
        let holding = |concept: Concept| {
            let tables = self.catalogue.measures(concept).iter().map(|source| source.table);
            tables.map(|table| Candidate { thing: Thing::Table(table), score: 90 })
        };
        let called = super::verbs::deeds(self.catalogue, &words.to_lowercase()).unwrap_or_default();
        let mut candidates: Vec<Candidate> = called.into_iter().chain(holding(Concept::Quantity)).collect();
        if candidates.is_empty() {
            candidates.extend(holding(Concept::Money));
        }
        (!candidates.is_empty()).then(|| Mention { words: words.to_owned(), candidates })
    }

    /// Whether a mention is a number that rows of other tables have than the one asked about.
    fn is_number_elsewhere(&self, of: &Mention) -> bool {
        let home = self.rows_asked_about();
        let number = of.table().is_none() && is_measure(self.catalogue, of);
        number && home.is_some() && !of.columns().any(|column| Some(column.table) == home)
    }

    /// Whether a number is one of the rows asked about.
    fn is_own_number(&self, of: &Mention) -> bool {
        let home = self.home_before(self.at);
        let best = of.best().map(|best| best.thing);
        matches!(best, Some(Thing::Column(column)) if Some(column.table) == home)
    }

    /// Whether the rows asked about say themselves which of the named ones they belong to, and these do not refer back.
    fn is_own_reference(&self, of: &Mention) -> bool {
        let (Some(home), Some(table)) = (self.home_before(self.at), of.table()) else { return false };
        let plain = |from, to| {
            let joins = self.catalogue.referrers(to).filter(move |join| join.from == from);
            joins.filter(|join| !join.singles_out).count()
        };
        plain(home, table) == 1 && plain(table, home) == 0
    }

    /// Gathers what was said behind "never" into one test.
    pub fn close_never(&mut self) {
        let Some(never) = self.never else { return };
        self.gather_never();
        self.gather_trail(never.filters, never.periods);
    }

    fn gather_never(&mut self) {
        let Some(never) = self.never.take() else { return };
        if let Some(scope) = &never.of {
            self.check_scope(scope);
        }
        let filters = self.slots.filters.split_off(never.filters.min(self.slots.filters.len()));
        let periods = self.slots.periods.split_off(never.periods.min(self.slots.periods.len()));
        self.slots.sold = false;
        self.slots.spent = false;
        if filters.is_empty() && periods.is_empty() {
            return;
        }
        (self.lacking, self.negated) = (false, false);
        let mut of = self.never_sales.take();
        let mut inner = Vec::new();
        for filter in filters {
            match filter {
                Filter::Lacks { of: other } => of = Some(other),
                // "never paid a fine": no row with one.
                Filter::Missing { of, .. } if self.is_number_elsewhere(&of) => {
                    inner.push(Filter::Missing { of, negated: true, unwritten: false });
                }
                // "never a destination": no row refers to them by that column.
                Filter::Missing { .. } if periods.is_empty() => self.slots.filters.push(filter),
                Filter::Value { words, found, .. } => inner.push(Filter::Value { words, found, negated: false }),
                other => inner.push(other),
            }
        }
        if of.is_none() && inner.is_empty() && periods.is_empty() {
            return;
        }
        if let ([Filter::Number { of, comparator, value, unit }], true, true) =
            (inner.as_slice(), periods.is_empty(), never.of.is_none())
            && self.is_own_number(of)
        {
            // "Do not earn a salary above 10000": theirs is no higher, and nothing below them is asked about.
            let (of, comparator) = (of.clone(), comparator.opposite());
            let other = Filter::Number { of, comparator, value: *value, unit: *unit };
            return self.slots.filters.push(other);
        }
        let mut periods = periods;
        if inner.is_empty() && of.as_ref().is_some_and(|of| self.is_own_reference(of)) {
            // "Employees without a department hired in 2006": the time is that of the employees.
            self.slots.periods.append(&mut periods);
        }
        self.slots.filters.push(match of {
            Some(of) if inner.is_empty() && periods.is_empty() => Filter::Lacks { of },
            of => Filter::Never { of, filters: inner, periods },
        });
    }
}
