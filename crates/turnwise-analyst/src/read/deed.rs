//! Verbs that name a date: "joined" of `joined`, "left" of `left_on`, "born" of `birth_date`. Said of rows they tell
//! which of their dates is meant, and by themselves that there is one. Next: `place`, which gives them their part.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Found, TableId, Thing};
use super::super::lexicon::{Role, lexicon};
use super::super::period::Grain;
use super::super::source::ColumnKind;
use super::super::words::Word;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::slots::{Walker, Wanted};
use super::spot::Spotted;
use super::verbs::verb_names;

fn is_date(catalogue: &Catalogue, candidate: &Candidate) -> bool {
    match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date,
        Thing::Table(_) | Thing::Concept(_) => false,
    }
}

/// A verb that elsewhere says no more than that two things belong together names a date where the data has one.
pub fn name_date(catalogue: &Catalogue, own: &[Word], span: &mut Spotted) {
    let [word] = own else { return };
    if span.role() != Some(Role::Link) || span.is_name() {
        return;
    }
    let mut names = verb_names(catalogue, &word.folded).unwrap_or_default();
    names.retain(|candidate| is_date(catalogue, candidate));
    if !names.is_empty() {
        (span.names, span.signal, span.verb) = (names, None, true);
    }
}

/// Whether a phrase is the past of a verb and the whole name of a date.
pub fn is_past(catalogue: &Catalogue, span: &Spotted) -> bool {
    let text = span.text.to_lowercase();
    // "Signed up" is one verb.
    let (word, behind) = text.split_once(' ').unwrap_or((&text, ""));
    let whole = matches!(behind, "" | "up" | "in" | "out" | "off" | "on" | "down" | "back");
    let past = word.ends_with("ed") || !lexicon().nouns_of(word).is_empty();
    let best = span.names.iter().max_by_key(|candidate| candidate.score);
    past && whole && best.is_some_and(|best| is_date(catalogue, best))
}

/// Marks the verbs that are dates of the rows they are said of.
pub fn mark(catalogue: &Catalogue, spans: &mut [Spotted]) {
    mark_states(catalogue, spans);
    mark_passives(catalogue, spans);
    mark_own(catalogue, spans);
}

/// "Delivered parcels by service", "paid payments": right before the rows that have such a date, it says that they do.
fn mark_states(catalogue: &Catalogue, spans: &mut [Spotted]) {
    for at in 0..spans.len().saturating_sub(1) {
        let Some(table) = table_of(&spans[at + 1]) else { continue };
        let own = &spans[at];
        let before = at.checked_sub(1).and_then(|before| spans[before].role());
        let grouped = matches!(before, Some(Role::Group | Role::Each | Role::Not | Role::Without | Role::Sorted));
        let opens = !grouped && !own.negates && is_past(catalogue, own);
        let spent = own.role() == Some(Role::Spent) && is_no_name(own);
        // "Completed inspections" are those with such a date, whatever else has a state that is called so.
        let foreign = !own.values.is_empty()
            && own.signal.is_none()
            && own.names.is_empty()
            && own.text.to_lowercase().ends_with("ed")
            && !grouped
            && own.values.iter().all(|found| found.table() != Some(table));
        if own.quoted || own.pause || !(opens || spent || foreign) {
            continue;
        }
        let mut dates = moments::of_verb(catalogue, &own.text);
        dates.retain(|date| date.table == table && moments::is_done(catalogue, *date));
        let [date] = dates.as_slice() else { continue };
        let names = vec![Candidate { thing: Thing::Column(*date), score: 100 }];
        // A state that is called so says it better than a date.
        spans[at] = if own.values.is_empty() || foreign {
            Spotted { names, values: Vec::new(), signal: None, verb: true, ..own.clone() }
        } else {
            Spotted { names: Vec::new(), dates: names, signal: None, ..own.clone() }
        };
    }
}

/// "Paid" may be pay, where there are salaries: that is what it is about, and no name.
fn is_no_name(span: &Spotted) -> bool {
    span.names.iter().all(|name| matches!(name.thing, Thing::Concept(_)))
}

/// "Invoices that have not been paid": the date of it, where the rows named before have one.
fn mark_passives(catalogue: &Catalogue, spans: &mut [Spotted]) {
    for at in 1..spans.len() {
        let own = &spans[at];
        let paid = own.role() == Some(Role::Spent) && is_no_name(own) && own.text.eq_ignore_ascii_case("paid");
        let being = |span: &Spotted| {
            matches!(
                span.text.to_lowercase().as_str(),
                "been" | "have been" | "has been" | "were" | "was" | "are" | "is"
            )
        };
        let denied = |span: &Spotted| span.role() == Some(Role::Not);
        let passive = being(&spans[at - 1]) || (denied(&spans[at - 1]) && at > 1);
        // "Customers who have not paid" pay; what is paid is not who.
        let who = spans[..at].iter().any(|span| span.text.to_lowercase().split(' ').any(|word| word == "who"));
        if !paid || !passive || who {
            continue;
        }
        let Some(table) = spans[..at].iter().rev().find_map(table_of) else { continue };
        let mut dates = moments::of_verb(catalogue, &own.text);
        dates.retain(|date| date.table == table && moments::is_done(catalogue, *date));
        if let [date] = dates.as_slice() {
            let names = vec![Candidate { thing: Thing::Column(*date), score: 100 }];
            spans[at] = Spotted { names, signal: None, verb: true, ..own.clone() };
        }
    }
}

/// "Members who joined in 2023 and cancelled in 2025": where the rows named before have a date of it, it is no value of
/// others.
fn mark_own(catalogue: &Catalogue, spans: &mut [Spotted]) {
    for at in 1..spans.len() {
        let own = &spans[at];
        let value = !own.values.is_empty() && own.names.is_empty() && own.signal.is_none() && !own.quoted;
        let Some(table) = spans[..at].iter().find_map(table_of).filter(|_| value && own.text.ends_with("ed")) else {
            continue;
        };
        let others = own.values.iter().all(|found| found.table() != Some(table));
        let timed = spans.get(at + 1).is_some_and(|next| next.role() == Some(Role::In) || next.period.is_some());
        let mut dates = moments::of_verb(catalogue, &own.text);
        dates.retain(|date| date.table == table);
        if let ([date], true) = (dates.as_slice(), others && timed) {
            let names = vec![Candidate { thing: Thing::Column(*date), score: 100 }];
            spans[at] = Spotted { names, values: Vec::new(), verb: true, ..own.clone() };
        }
    }
}

/// The dates of the same tables that a value is the verb of.
pub fn dates_of(catalogue: &Catalogue, word: &Word, values: &[Found]) -> Vec<Candidate> {
    if values.is_empty() {
        return Vec::new();
    }
    let tables: Vec<Option<TableId>> = values.iter().map(Found::table).collect();
    let mut names = verb_names(catalogue, &word.folded).unwrap_or_default();
    // "Delivered" of `order_delivered_customer_date`.
    let within = moments::of_verb(catalogue, &word.folded).into_iter();
    let done = within.filter(|date| moments::is_done(catalogue, *date));
    names.extend(done.map(|date| Candidate { thing: Thing::Column(date), score: 100 }));
    names.sort_by_key(|candidate| (candidate.thing, std::cmp::Reverse(candidate.score)));
    names.dedup_by_key(|candidate| candidate.thing);
    names.retain(|candidate| match candidate.thing {
        Thing::Column(column) => {
            catalogue.column(column).kind == ColumnKind::Date && tables.contains(&Some(column.table))
        }
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    names
}

impl Walker<'_> {
    /// Whether what stands here is the verb, and not the column called so: "members who joined", not "by joined".
    pub fn is_deed(&self, span: &Spotted) -> bool {
        let next = self.spans.get(self.at + 1).and_then(Spotted::role);
        if self.wanted == Wanted::Group && next.and_then(Grain::of).is_none() {
            return false;
        }
        if span.verb {
            return true;
        }
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let said_of = before.is_some_and(|before| {
            let small = is_filler(before) && !matches!(before.text.to_lowercase().as_str(), "the" | "a" | "an");
            let denied = matches!(before.role(), Some(Role::Who | Role::Not | Role::Without | Role::Group));
            small || denied || table_of(before).is_some() || before.period.is_some()
        });
        said_of && is_past(self.catalogue, span)
    }
}
