//! A value behind the name of where it is looked for: "country Germany", "album Big Ones", "town A", "admitted by Ada
//! Byron". A value may be spelt as a function word ("state OR", "grade A"); the name before it tells. Next: `qualify`.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{Candidate, ColumnId, Found, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::qualify::is_filler;
use super::slots::Walker;
use super::spot::Spotted;

/// The value that follows the name at `at`, looked for only where the name says.
pub fn name_then_value(
    catalogue: &Catalogue,
    spans: &[Spotted],
    at: usize,
) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = &spans[at];
    if !first.is_name() || !first.singular {
        return placed_in(catalogue, spans, at);
    }
    let direct = spans.get(at + 1)?;
    let fillers = spans.iter().skip(at + 1).take_while(|span| is_filler(span)).count();
    let (length, value) = if is_spelt_like_a_word(spans, at + 1) && !kept(catalogue, first, direct).is_empty() {
        (2, direct)
    } else {
        (2 + fillers, spans.get(at + 1 + fillers)?)
    };
    // "with status sales", where there is a number called sales: what is said to be with something is a value.
    let said_so = at.checked_sub(1).and_then(|at| spans.get(at)).and_then(Spotted::role);
    let said_so = matches!(said_so, Some(Role::With | Role::Only | Role::Not)) && value.signal.is_none();
    if value.values.is_empty() || (value.is_name() && !said_so) || (value.signal.is_some() && length != 2) {
        return placed_in(catalogue, spans, at);
    }
    if value.signal.is_some() && !is_spelt_like_a_word(spans, at + 1) {
        return None;
    }
    let values = kept(catalogue, first, value);
    let (text, quoted, pause) = (value.text.clone(), value.quoted, value.pause);
    // "the album Ten" is no number, and "state OR" joins nothing.
    (!values.is_empty()).then(|| (length, Spotted { text, values, quoted, pause, ..Spotted::default() }, None))
}

/// "With headquarters in Rome", "whose hometowns are either Rome or Oslo": the column that the value is found in stands
/// right before it, and says no more.
fn placed_in(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = &spans[at];
    if !first.is_name() || first.pause || super::qualify::table_of(first).is_some() {
        return None;
    }
    let before = at.checked_sub(1).and_then(|at| spans.get(at));
    let said = before.is_some_and(|before| {
        before.role() == Some(Role::With)
            || matches!(before.text.to_lowercase().as_str(), "have" | "has" | "had" | "whose" | "their" | "its" | "the")
    });
    let small =
        |span: &&Spotted| is_filler(span) || span.role() == Some(Role::In) || span.text.eq_ignore_ascii_case("either");
    let skipped = spans.iter().skip(at + 1).take_while(small).count();
    let value = spans.get(at + 1 + skipped)?;
    if !said || skipped == 0 || value.values.is_empty() || value.is_name() || value.signal.is_some() {
        return None;
    }
    let asked = before.is_some_and(|before| before.text.eq_ignore_ascii_case("the"))
        && !spans.iter().take(at).any(|span| span.role() == Some(Role::With));
    let mut values = kept(catalogue, first, value);
    if values.is_empty() {
        values = within_referred(catalogue, first, value);
    }
    let (text, quoted, pause) = (value.text.clone(), value.quoted, value.pause);
    let span = Spotted { text, values, quoted, pause, ..Spotted::default() };
    (!span.values.is_empty() && !asked).then_some((2 + skipped, span, None))
}

/// "Whose home address is in Rome": of all the addresses the one that the column leads to, whatever says Rome there.
fn within_referred(catalogue: &Catalogue, name: &Spotted, value: &Spotted) -> Vec<Found> {
    let columns = name.names.iter().filter_map(|candidate| match candidate.thing {
        Thing::Column(column) => Some((column, refers_to(catalogue, column)?)),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let [(column, to)] = columns.collect::<Vec<_>>()[..] else { return Vec::new() };
    let own = value.values.iter().filter(|found| found.table() == Some(to));
    own.map(|found| Found { via: Some(column), ..found.clone() }).collect()
}

/// Whether what stands there is a function word and a value, and typed as a value would be: in capitals, or with
/// nothing behind it that the word could belong to.
fn is_spelt_like_a_word(spans: &[Spotted], at: usize) -> bool {
    let Some(span) = spans.get(at).filter(|span| span.signal.is_some() && !span.values.is_empty()) else {
        return false;
    };
    let capitals = span.text.chars().any(char::is_uppercase) && span.text == span.text.to_uppercase();
    let last = spans.get(at + 1).is_none_or(|next| !next.is_name() && next.signal.is_some());
    capitals || span.pause || spans.len() == at + 1 || (last && span.text.chars().count() == 1)
}

/// The values that stand where the name says.
pub fn kept(catalogue: &Catalogue, name: &Spotted, value: &Spotted) -> Vec<Found> {
    // "Staff Jon" is one of the staff, whatever columns refer to them as well.
    let mut names: Vec<&Candidate> = name.names.iter().collect();
    names.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    let fits = |found: &Found| {
        names.iter().find_map(|candidate| match (candidate.thing, found.place) {
            (Thing::Table(table), _) => {
                (found.table() == Some(table) && catalogue.names_rows(found.place, table)).then(|| found.clone())
            }
            (Thing::Column(column), place) if candidate.thing != place => {
                let to = refers_to(catalogue, column)?;
                let named = found.table() == Some(to) && catalogue.names_rows(place, to);
                named.then(|| Found { via: Some(column), ..found.clone() })
            }
            (own, place) => (own == place).then(|| found.clone()),
        })
    };
    value.values.iter().filter_map(fits).collect()
}

fn refers_to(catalogue: &Catalogue, column: ColumnId) -> Option<TableId> {
    match catalogue.column(column).part {
        ColumnPart::Reference(join) => Some(catalogue.join(join).to),
        ColumnPart::Key | ColumnPart::Attribute => None,
    }
}

impl Walker<'_> {
    /// "grade B or A", "number of A grades": nobody writes the article in capitals in the middle of a sentence.
    pub fn is_letter_value(&self, span: &Spotted) -> bool {
        let letter = span.role() == Some(Role::Ignore) && span.text.chars().count() == 1;
        let capital = span.text.chars().all(char::is_uppercase);
        let before = self.at.checked_sub(1).and_then(|at| self.spans.get(at));
        let joins = before.and_then(Spotted::role);
        let joined = self.joins_value && matches!(joins, Some(Role::And | Role::Or));
        let shouted = self.spans.iter().all(|span| span.text == span.text.to_uppercase());
        let inside = span.text != "I" && !shouted && before.is_some_and(|before| !before.pause);
        letter && capital && (joined || inside) && !span.values.is_empty()
    }
}
