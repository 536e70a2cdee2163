//! "Who works in the Leer office?": people are asked for, and the office says which. What is named behind "in" is not
//! what is listed, where rows of people belong to it. Next: `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Mention, Thing};
use super::super::lexicon::Role;
use super::Read;
use super::qualify::table_of;
use super::spot::Spotted;

/// Whether "who" opens the text and what is named first stands behind "in".
pub fn is_asked_by_place(spans: &[Spotted]) -> bool {
    let opens = spans.first().is_some_and(|span| span.role() == Some(Role::Who));
    let named = spans.iter().position(|span| table_of(span).is_some() || !span.values.is_empty());
    let placed = |named: usize| spans.iter().take(named).any(|span| span.role() == Some(Role::In));
    opens && named.is_some_and(placed)
}

/// Lists the people that belong to the rows that would be listed.
pub fn list_people(catalogue: &Catalogue, read: &mut Read) {
    let form = &mut read.form;
    let plain = form.measures.is_empty() && form.dimensions.is_empty() && form.ranking.is_none();
    let Some(place) = form.subject.as_ref().and_then(Mention::only_table).filter(|_| plain) else { return };
    if catalogue.people().any(|people| people == place) {
        return;
    }
    let belongs = |people: &super::super::form::TableId| !catalogue.paths(*people, place).is_empty();
    let people = catalogue.people().filter(belongs).map(|table| Candidate { thing: Thing::Table(table), score: 90 });
    let candidates: Vec<Candidate> = people.collect();
    if !candidates.is_empty() {
        form.context.extend(form.subject.take());
        form.subject = Some(Mention { words: "who".to_owned(), candidates });
    }
}
