//! A time that something takes, put in the place of the words that said it: what gathers it, what it is held against,
//! and where nothing was said how to gather it, that. Next: `lasting`, which finds the words; `catalogue/made.rs`.

use super::super::catalogue::{Catalogue, Making, Unit};
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::lexicon::{Concept, Order, Role, Signal};
use super::lasting::{is_aggregate, is_gathering, said_unit};
use super::moments;
use super::said::signal;
use super::spot::Spotted;

/// Stems of dates at which what lasts for hours rather than days is over.
const ENDS: [&str; 7] = ["end", "finish", "stop", "to", "until", "dropoff", "out"];

/// What came of the words for a time.
#[derive(Debug, Default)]
pub struct Told {
    /// What was taken for granted.
    pub notes: Vec<String>,
    /// What cannot be told.
    pub doubt: Option<String>,
}

/// A time that was said.
#[derive(Debug, Default)]
pub struct Taken {
    /// Its first phrase.
    pub from: usize,
    /// Its last.
    pub to: usize,
    /// The dates it may begin with, where that was said.
    pub first: Option<Vec<ColumnId>>,
    /// The dates it may end with.
    pub second: Vec<ColumnId>,
    /// What it is counted in, where that was said beside it.
    pub unit: Option<Unit>,
    /// What it is called.
    pub words: String,
    /// Phrases between its own that have parts of their own.
    pub kept: Vec<Spotted>,
    /// What it is held against.
    pub bound: Option<(Spotted, f64)>,
    /// Which end of it is asked for.
    pub order: Option<Order>,
    /// Whether it was only asked how long it takes.
    pub asked: bool,
}

impl Taken {
    /// Puts it in its place.
    pub fn put(self, catalogue: &Catalogue, spans: &mut Vec<Spotted>, unit: Option<Unit>, told: &mut Told) {
        let tables = moments::tables(spans);
        let mut counted = unit.unwrap_or(Unit::Days);
        let mut names = moments::near(catalogue, &tables, &self.made(catalogue, counted));
        if unit.is_none() && has_clock(catalogue, &names) && self.is_short(catalogue) {
            counted = Unit::Hours;
            names = moments::near(catalogue, &tables, &self.made(catalogue, counted));
            told.notes.push("Time is counted in hours: say “in minutes” or “in days” for those.".to_owned());
        }
        let Some(first) = names.first().copied() else { return };
        if matches!(counted, Unit::Hours | Unit::Minutes) && !has_clock(catalogue, &names) {
            let label = label(catalogue, first);
            told.doubt =
                Some(format!("The dates hold no hours, so there are no {}: ask for days. ({label})", counted.name()));
        }
        let words = if self.words.contains(counted.name()) {
            self.words.clone()
        } else {
            format!("{} in {}", self.words, counted.name())
        };
        let mut own = self.before(spans, &tables, first, told);
        let last = &spans[self.to];
        let (pause, bracket, ends) = (last.pause, last.bracket, last.ends);
        own.push(Spotted { text: words, names, pause, bracket, ends, ..Spotted::default() });
        if let Some((comparator, number)) = self.bound {
            let (_, test) = comparator_of(&comparator);
            own.push(Spotted { signal: Some(Signal::Role(test)), names: Vec::new(), ..comparator });
            own.push(Spotted { text: number.to_string(), number: Some(number), pause, ends, ..Spotted::default() });
        }
        own.extend(self.kept);
        let from = match self.from.checked_sub(1).map(|before| (before, spans[before].signal)) {
            // "The longest time to close" is the highest.
            Some((before, Some(Signal::Superlative(order, Concept::Length)))) => {
                own.insert(0, signal(extreme(order), &spans[before].text));
                before
            }
            _ => self.from,
        };
        spans.splice(from..=self.to, own);
        if let Some(at) = said_unit(spans).filter(|_| unit.is_some()) {
            spans.drain(at..at + 2);
        }
    }

    /// Whether it is the time from a start to an end, as of a trip, and not one until something was done.
    fn is_short(&self, catalogue: &Catalogue) -> bool {
        self.second.iter().all(|end| moments::is_of(catalogue, *end, &ENDS) && moments::twin(catalogue, *end).is_some())
    }

    /// What stands before its name: which end, and how it is gathered.
    fn before(&self, spans: &[Spotted], tables: &[TableId], name: Candidate, told: &mut Told) -> Vec<Spotted> {
        let mut own = Vec::new();
        if self.bound.is_some() {
            own.push(signal(Role::With, "with"));
        }
        if let Some(order) = self.order {
            own.push(signal(extreme(order), "highest"));
            let of_them = matches!(name.thing, Thing::Column(column) if tables.contains(&column.table));
            if !of_them {
                own.push(signal(Role::Average, "average"));
                told.notes.push("The average is compared, as one of them has several.".to_owned());
            }
        }
        let gathered = spans.iter().any(is_gathering) || self.kept.iter().any(is_aggregate);
        if self.asked && !gathered {
            own.push(signal(Role::Average, "average"));
            told.notes.push("The average is taken, as it was not said how to gather it.".to_owned());
        }
        own
    }

    /// What its dates make, with whether they are of one row.
    fn made(&self, catalogue: &Catalogue, unit: Unit) -> Vec<(ColumnId, bool)> {
        let mut made = Vec::new();
        for end in &self.second {
            let begins = self.first.clone().unwrap_or_else(|| moments::beginnings(catalogue, *end));
            for begin in begins {
                let column = catalogue.made(Making::Time(unit), begin, *end);
                made.extend(column.map(|column| (column, begin.table == end.table)));
            }
        }
        made
    }
}

fn has_clock(catalogue: &Catalogue, names: &[Candidate]) -> bool {
    use super::super::catalogue::Made;
    names.iter().any(|candidate| match candidate.thing {
        Thing::Column(column) => Made::of(column.column)
            .is_some_and(|made| catalogue.has_clock(made.first) && catalogue.has_clock(made.second)),
        Thing::Table(_) | Thing::Concept(_) => false,
    })
}

fn label(catalogue: &Catalogue, candidate: Candidate) -> String {
    match candidate.thing {
        Thing::Column(column) => catalogue.column_label(column),
        Thing::Table(_) | Thing::Concept(_) => String::new(),
    }
}

fn comparator_of(span: &Spotted) -> (&str, Role) {
    use super::super::lexicon::Comparator;
    let role = match span.signal {
        Some(Signal::Role(role)) => role,
        Some(Signal::Comparative(Comparator::Under, _)) => Role::Under,
        _ => Role::Over,
    };
    (&span.text, role)
}

fn extreme(order: Order) -> Role {
    match order {
        Order::Descending => Role::Highest,
        Order::Ascending => Role::Lowest,
    }
}
