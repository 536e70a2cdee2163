//! Another date of the same rows, said by its verb: "shipped in 2024" after orders in 2024, "and issued?" after fines
//! paid in 2024. From then on the times are those of that date, and this is said. Next: `refine`.

use super::super::catalogue::Catalogue;
use super::super::dating;
use super::super::form::{Analysis, ColumnId, Dimension, Mention, QueryForm, TableId, Thing};
use super::super::read;
use super::super::source::ColumnKind;
use super::super::words;

/// Words around a verb that say nothing else.
const SILENT: [&str; 20] = [
    "and", "what", "how", "about", "the", "those", "ones", "that", "were", "was", "are", "is", "instead", "rather",
    "now", "then", "but", "for", "which", "when",
];

/// `form` with its times by the date that the one verb of `change` names, where they are by another date of these rows.
pub fn by_verb(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Option<QueryForm> {
    let words = words::split(change);
    let kept: Vec<&words::Word> = words.iter().filter(|word| !SILENT.contains(&word.folded.as_str())).collect();
    let [verb] = kept.as_slice() else { return None };
    let timed = !form.periods.is_empty()
        || form.analysis == Analysis::Trend
        || form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
    if !timed || verb.quoted || !verb.folded.ends_with('d') && !verb.folded.ends_with('n') {
        return None;
    }
    let own: Vec<TableId> = form.context.iter().filter_map(|mention| dated(catalogue, mention)).collect();
    let mut dates = read::dates_of_verb(catalogue, &verb.folded);
    dates.retain(|date| own.contains(&date.table));
    let [date] = dates.as_slice() else { return None };
    let mut changed = form.clone();
    put(catalogue, &mut changed, &Mention::of(verb.raw.clone(), Thing::Column(*date)));
    (changed.context != form.context).then_some(changed)
}

/// `form` with its rows dated by the date that `change` names, from now on. A verb by itself only says it of this
/// question.
pub fn by_name(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Option<QueryForm> {
    match by_verb(catalogue, form, change) {
        Some(_) => None,
        None => dating::put_in(catalogue, form, change),
    }
}

/// Puts the date that the times of `other` stand by in the place of the one that those of `form` stood by.
pub fn by_time(catalogue: &Catalogue, form: &mut QueryForm, other: &QueryForm) {
    if other.periods.is_empty() {
        return;
    }
    let Some(date) = other.context.iter().find(|mention| dated(catalogue, mention).is_some()) else { return };
    put(catalogue, form, date);
}

fn put(catalogue: &Catalogue, form: &mut QueryForm, date: &Mention) {
    form.context.retain(|mention| dated(catalogue, mention).is_none());
    form.context.push(date.clone());
    let note =
        |column: ColumnId| format!("“{}”: the time is now that of {}.", date.words, catalogue.column_label(column));
    form.notes.extend(date.columns().next().map(note));
}

/// The table of a date that is named.
fn dated(catalogue: &Catalogue, mention: &Mention) -> Option<TableId> {
    let is_date = |column: &ColumnId| catalogue.column(*column).kind == ColumnKind::Date;
    mention.columns().find(is_date).filter(|_| mention.table().is_none()).map(|column| column.table)
}
