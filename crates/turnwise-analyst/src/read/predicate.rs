//! What is said to be true of a share of rows: "percentage of leave requests *that get rejected*", "what percentage of
//! the staff in each department *are women*". It is no test that the whole must pass as well: what stands before it
//! says of which rows the share is, and the groups say in which of them. Next: `slots`, `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Analysis, Filter, Measure, Mention, Thing};
use super::super::lexicon::Role;
use super::compose::Composer;
use super::qualify::{is_filler, table_of};
use super::slots::{Walker, Wanted};
use super::spot::Spotted;

/// Words that say of rows how they are.
const STATES: [&str; 17] = [
    "are", "is", "were", "was", "get", "gets", "got", "been", "be", "that", "which", "who", "ended", "end", "have",
    "has", "had",
];
/// Words beside them.
const BESIDE: [&str; 4] = ["up", "being", "ever", "actually"];

/// Marks the phrases that say what is true of the share of rows asked for.
pub fn mark(catalogue: &Catalogue, spans: &mut [Spotted]) {
    let Some(share) = spans.iter().position(is_share_of) else { return };
    // "Share of the survivors": rows may be called by what a yes/no column says of them.
    let flag = |span: &Spotted| span.is_name() && span.names.iter().any(|name| catalogue.is_flag(name.thing));
    let rows = |span: &Spotted| table_of(span).is_some() || is_value(span) || flag(span);
    let named = spans.iter().skip(share + 1).position(rows);
    let Some(rows) = named.map(|at| share + 1 + at) else { return };
    let done = table_of(&spans[rows]).is_some() && spans.get(rows + 1).is_some_and(is_done);
    let opening = if done { Some(rows + 1) } else { (rows + 1..spans.len()).find(|&at| opens(spans, at)) };
    let Some(first) = opening else { return };
    for span in spans.iter_mut().skip(first) {
        if matches!(span.role(), Some(Role::Group | Role::Each)) {
            break;
        }
        span.predicate = true;
        if span.pause {
            break;
        }
    }
}

/// "Percentage of" something, and not "in percent" of what is asked anyway.
fn is_share_of(span: &Spotted) -> bool {
    let said = span.text.to_lowercase();
    let shared = said.contains("percent") || said.contains("proportion") || said.contains("fraction");
    // How something is distributed is a matter of its groups.
    span.role() == Some(Role::Share) && !is_unit(span) && (shared || said.contains("share"))
}

fn is_unit(span: &Spotted) -> bool {
    let said = span.text.to_lowercase();
    said.starts_with("in ") || said.starts_with("as ")
}

fn is_value(span: &Spotted) -> bool {
    !span.values.is_empty() && span.signal.is_none()
}

/// "Percentage of leave requests rejected by type": a state right behind the rows is what is true of the share.
fn is_done(span: &Spotted) -> bool {
    is_value(span) && !span.quoted && span.text.ends_with("ed")
}

/// Whether what is true of them begins here.
fn opens(spans: &[Spotted], at: usize) -> bool {
    let span = &spans[at];
    let said = span.text.to_lowercase();
    let mut words = said.split(' ');
    let state = words.clone().any(|word| STATES.contains(&word))
        && words.all(|word| STATES.contains(&word) || BESIDE.contains(&word));
    let weak = is_filler(span) || matches!(span.role(), Some(Role::Who | Role::Wh | Role::With));
    (state && weak) || matches!(span.role(), Some(Role::With | Role::Without))
}

impl Walker<'_> {
    /// "Per department who are full time": what is said of the rows is no other group.
    pub fn end_groups(&mut self, span: &Spotted) {
        let of_rows = |span: &Spotted| {
            span.role() == Some(Role::Who)
                || matches!(span.text.to_lowercase().as_str(), "that" | "which" | "who are" | "that are" | "which are")
        };
        let state = span.names.iter().any(|candidate| self.catalogue.is_flag(candidate.thing));
        let mut before = self
            .spans
            .iter()
            .take(self.at)
            .rev()
            .take_while(|before| before.role() == Some(Role::Who) || is_filler(before));
        if self.wanted == Wanted::Group && !self.slots.dimensions.is_empty() && state && before.any(of_rows) {
            self.wanted = Wanted::Nothing;
        }
    }

    /// "Share of" what follows, unless it only says how a number is shown.
    pub fn share(&mut self, span: &Spotted) {
        if !self.is_unit_of_share(span) {
            self.slots.analysis = Analysis::Share;
            self.wanted = Wanted::Shared;
        }
    }

    /// Whether "in percent" only says how a number is shown that is one of another kind: a growth or a difference is no
    /// share of a total, and a rate is in percent anyway.
    fn is_unit_of_share(&self, span: &Spotted) -> bool {
        let rated = self.slots.measures.iter().any(|measure| matches!(measure.aggregate, Aggregate::Share(_)));
        let ahead = self.spans.iter().any(|span| {
            span.rated.is_some() || matches!(span.role(), Some(Role::Growth | Role::Compare | Role::Versus))
        });
        is_unit(span) && (rated || ahead || self.slots.analysis != Analysis::Plain)
    }

    /// Notes which filters say what is true of a share of rows.
    pub fn note_predicate(&mut self, span: &Spotted) {
        let now = self.slots.filters.len();
        match (&mut self.slots.predicate, span.predicate) {
            (None, true) => {
                self.slots.predicate = Some((now, usize::MAX));
                self.slots.predicate_timed = self.slots.timed.len();
            }
            (Some((_, until)), false) => *until = (*until).min(now),
            (None, false) | (Some(_), true) => {}
        }
    }
}

impl Composer<'_> {
    /// The share of the rows that are left, in each of their groups, of which it is true. Without groups and tests on
    /// the whole, a part of all rows is the same.
    pub fn settle_predicate(&mut self) {
        self.settle_dated_predicate();
        let Some((from, until)) = self.slots.predicate.take() else { return };
        let slots = &self.slots;
        let until = until.min(slots.filters.len());
        let said = slots.filters.get(from..until).unwrap_or_default();
        let one_flag = matches!(said, [Filter::Flag { .. }]);
        let free = slots.measures.is_empty() && slots.aggregate.is_none() && slots.conditions.is_empty();
        let grouped = !slots.dimensions.is_empty() || slots.asked.is_some() || slots.ranking.is_some();
        let limited = slots.filters.len() > said.len();
        let shared = slots.analysis == Analysis::Share && free && (grouped || limited);
        if said.is_empty() || one_flag || !shared {
            return;
        }
        if slots.filters.iter().any(|filter| matches!(filter, Filter::Either { .. })) {
            let text = "A share of rows with “or” between what they are: ask for one of both at a time.";
            self.read.doubt.get_or_insert(text.to_owned());
            return;
        }
        let table = slots.loose.iter().position(|(_, mention)| mention.table().is_some());
        let counted = self.slots.counted.take().or_else(|| table.map(|at| self.slots.loose.remove(at).1));
        let Some(counted) = counted.or_else(|| self.rows_flagged()) else { return };
        let holds = self.slots.filters.drain(from..until).collect();
        self.share_of_rows(counted, holds);
    }

    /// "That are retired", where only a date tells: those that have it.
    fn settle_dated_predicate(&mut self) {
        let slots = &mut self.slots;
        let Some((_, until)) = slots.predicate.filter(|_| slots.periods.is_empty()) else { return };
        let until = until.min(slots.filters.len());
        let of_share = slots.analysis == Analysis::Share && slots.measures.is_empty();
        let from = slots.predicate_timed.min(slots.timed.len());
        let timed: Vec<Mention> = if of_share { slots.timed.drain(from..).collect() } else { Vec::new() };
        slots.context.retain(|mention| !timed.contains(mention));
        let dated = timed.into_iter().map(|of| Filter::Missing { of, negated: true, unwritten: true });
        let before = slots.filters.len();
        slots.filters.splice(until..until, dated);
        let until = until + slots.filters.len() - before;
        slots.predicate = slots.predicate.map(|(from, _)| (from, until));
    }

    /// The rows that a yes/no column says something of.
    fn rows_flagged(&self) -> Option<Mention> {
        let of = self.slots.filters.iter().find_map(|filter| match filter {
            Filter::Flag { of, .. } => of.columns().next(),
            _ => None,
        });
        of.map(|column| Mention::of(self.catalogue.plural(column.table), Thing::Table(column.table)))
    }

    /// Asks for the share of rows that pass.
    fn share_of_rows(&mut self, rows: Mention, holds: Vec<Filter>) {
        self.slots.analysis = Analysis::Plain;
        self.slots.measures.push(Measure { holds, ..Measure::new(Aggregate::Share(true), rows) });
    }
}
