//! Rows whose number is wanted in the place of that of other rows: "what about payments instead" of invoiced amounts.
//! Money gives way to money and a count to a count; groups, ranking and tests stay. Rows that what is counted belongs
//! to are what to show it by, as ever: "customers instead". Next: `refine`.

use super::super::catalogue::{Amount, Catalogue, MeasureSource};
use super::super::form::{Aggregate, Measure, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::{Concept, lexicon};
use super::super::read::Manner;
use super::super::words;

/// Puts the number of the rows that `other`, the reading of `change`, names in the place of the number of `form`.
///
/// # Errors
/// The rows have no such number.
pub fn settle(
    catalogue: &Catalogue,
    form: &mut QueryForm,
    other: &mut QueryForm,
    manner: Manner,
    change: &str,
) -> Result<(), String> {
    let said: Vec<String> = words::split(change).into_iter().map(|word| word.folded).collect();
    let asks = matches!(said.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), ["what" | "how", "about", ..]);
    let bare = other.measures.is_empty() && other.dimensions.is_empty() && other.ranking.is_none();
    let grouping = said.iter().any(|word| matches!(word.as_str(), "by" | "per" | "each" | "every" | "for"));
    if !(asks || manner.instead) || !bare || grouping || manner.also || !other.filters.is_empty() {
        return Ok(());
    }
    let (Some(subject), [measure]) = (&other.subject, form.measures.as_slice()) else { return Ok(()) };
    let Some(table) = subject.only_table().or(subject.table()) else { return Ok(()) };
    let Some(own) = measured(catalogue, measure, table) else { return Ok(()) };
    let counts = matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct);
    if own != table && !catalogue.paths(own, table).is_empty() {
        // An order of the lines that are counted may be one to count as well as one to show them by.
        let deal = catalogue.table(table).stems.iter().any(|stem| lexicon().is_trade(stem));
        let rows = catalogue.plural(table);
        return if deal && !form.dimensions.is_empty() {
            let noun = catalogue.table(table).noun();
            Err(format!(
                "Are the {rows} to be counted, or the numbers shown by {noun}? Say “number of {rows} instead” \
                         or “by {noun} instead”."
            ))
        } else {
            Ok(())
        };
    }
    if own == table {
        return match counts {
            true => Err(format!("“{}” are counted already.", subject.words)),
            false => Err(format!("The numbers are those of {} already: say what should be different.", subject.words)),
        };
    }
    let swapped = match counts {
        true => Measure::new(Aggregate::Count, subject.clone()),
        false => {
            let of = money_of(catalogue, measure, table).ok_or_else(|| open(measure, subject))?;
            Measure { of, ..measure.clone() }
        }
    };
    if measure.over_groups.is_some() || measure.with.is_some() || !measure.holds.is_empty() {
        return Err(open(measure, subject));
    }
    let (before, rows) = (measure.of.words.clone(), catalogue.plural(table));
    let after = if counts { format!("The number of {rows}") } else { format!("“{}” of {rows}", swapped.of.words) };
    let leads = format!("“{before}” ");
    form.notes.retain(|note| !note.starts_with(&leads));
    form.notes.push(format!("{after} stands in the place of that of “{before}”."));
    form.context.retain(|mention| mention.table() != Some(own));
    form.conditions.retain(|condition| condition.measure != form.measures[0]);
    form.measures = vec![swapped];
    other.subject = None;
    Ok(())
}

fn open(measure: &Measure, subject: &Mention) -> String {
    format!(
        "What of “{}” is to stand in the place of “{}” is open: name the number that is wanted, as in “the number of {} \
         instead”.",
        subject.words, measure.of.words, subject.words
    )
}

/// The table whose rows a number is gathered from; of a concept the best one beside `other`.
fn measured(catalogue: &Catalogue, measure: &Measure, other: TableId) -> Option<TableId> {
    if let Some(concept) = measure.of.concept() {
        let sources = catalogue.measures(concept);
        let others = sources.iter().find(|source| source.table != other);
        return others.or_else(|| sources.first()).map(|source| source.table);
    }
    measure.of.table().or_else(|| measure.of.columns().next().map(|column| column.table))
}

/// The one amount of money that rows have, where money is asked about.
fn money_of(catalogue: &Catalogue, measure: &Measure, table: TableId) -> Option<Mention> {
    let money = catalogue.measures(Concept::Money);
    let is_money = |source: &MeasureSource| match source.amount {
        Amount::Column(column) => measure.of.columns().any(|own| own == column),
        Amount::Product { .. } | Amount::Difference { .. } => false,
    };
    if measure.of.concept() != Some(Concept::Money) && !money.iter().any(is_money) {
        return None;
    }
    let mut own = money.iter().filter(|source| source.table == table);
    let best = own.next()?;
    if own.next().is_some_and(|next| next.score == best.score) {
        return None;
    }
    match best.amount {
        Amount::Column(column) => Some(Mention::of(catalogue.column(column).noun(), Thing::Column(column))),
        Amount::Product { .. } | Amount::Difference { .. } => None,
    }
}
