//! Numbers that a change only names beside numbers that are shown: "and profit?", "the profit instead", "in total
//! amount". Such a number is gathered as the ones before are and is no group; where its sum means nothing it is asked
//! how to gather it. Next: `swapped` for the numbers of other rows.

use super::super::catalogue::{Amount, Catalogue};
use super::super::form::{Aggregate, Analysis, ColumnId, Dimension, Measure, Mention, QueryForm};
use super::super::lexicon::{Concept, lexicon};
use super::super::read::{self, Read};
use super::super::words;

/// Properties whose values say nothing when they are added up.
const NO_TOTAL: [Concept; 7] = [
    Concept::Price,
    Concept::Age,
    Concept::Rating,
    Concept::Temperature,
    Concept::Speed,
    Concept::Height,
    Concept::Delay,
];
/// Words in the name of a column after which a sum means nothing.
const AGAINST: [&str; 24] = [
    "per",
    "rate",
    "ratio",
    "price",
    "average",
    "avg",
    "mean",
    "percent",
    "pct",
    "percentage",
    "share",
    "level",
    "grade",
    "rank",
    "score",
    "index",
    "limit",
    "max",
    "min",
    "balance",
    "floor",
    "latitude",
    "longitude",
    "code",
];
/// Words that say that what follows is grouped by.
const GROUPING: [&str; 9] = ["by", "per", "each", "every", "split", "group", "grouped", "across", "against"];

/// Gathers what `read`, the reading of `change`, only names of the numbers of rows; whether they stand beside the one
/// that is there.
///
/// # Errors
/// How it is to be gathered is open.
pub fn settle(catalogue: &Catalogue, form: &QueryForm, read: &mut Read, change: &str) -> Result<bool, String> {
    let Some(first) = form.measures.first() else { return Ok(false) };
    let Some(words) = read.ungathered.take() else { return Ok(false) };
    let numbers = take_numbers(catalogue, &mut read.form, &words, change);
    if numbers.is_empty() {
        return Ok(false);
    }
    let total = words::split(change).iter().any(|word| matches!(word.folded.as_str(), "total" | "sum"));
    for of in numbers {
        let aggregate = match total {
            true => Aggregate::Sum,
            false => gathered_as(catalogue, first, &of).ok_or_else(|| open(&of.words))?,
        };
        let how = if aggregate == Aggregate::Sum { "added up" } else { "gathered as the number before" };
        read.form.notes.push(format!("“{}” is {how}, as nothing else was said.", of.words));
        read.form.measures.push(Measure::new(aggregate, of));
    }
    // "And profit?" wants it beside the number that is there; what is related to others stands alone.
    let said = words::split(change);
    let opens = said.first().is_some_and(|word| matches!(word.folded.as_str(), "and" | "plus" | "with"));
    Ok(opens && form.analysis == Analysis::Plain && !read.manner.instead)
}

fn open(words: &str) -> String {
    format!(
        "What is wanted of “{words}”: its total, its average, or an extreme? Say it with that, as in “the average \
         {words}”, or “by {words}” to group by it."
    )
}

/// The numbers that were only named, out of the groups they were taken for.
fn take_numbers(catalogue: &Catalogue, other: &mut QueryForm, words: &str, change: &str) -> Vec<Mention> {
    let said = words::split(change);
    let groups = said.iter().any(|word| GROUPING.contains(&word.folded.as_str()));
    let mut dropped = !other.attributes.iter().any(|shown| shown.words == words);
    let mut numbers = Vec::new();
    for dimension in std::mem::take(&mut other.dimensions) {
        match dimension {
            Dimension::Thing(mention) if read::is_measure(catalogue, &mention) => {
                let meant = mention.words == words;
                dropped &= !meant;
                // A year is a time, and what "by" was said of is a group.
                let group = (groups && !meant)
                    || mention.columns().any(|column| catalogue.is_year(column))
                    || catalogue.is_flag_mention(&mention);
                match group {
                    true => other.dimensions.push(Dimension::Thing(mention)),
                    false => numbers.push(mention),
                }
            }
            dimension => other.dimensions.push(dimension),
        }
    }
    // Beside a group or another number that was said with it, it found no part and must not be lost.
    if dropped {
        numbers.extend(read::named(catalogue, words).filter(|mention| read::is_measure(catalogue, mention)));
    }
    numbers
}

/// How `of` is gathered beside `first`: added up beside sums and counts, where its sum means something.
fn gathered_as(catalogue: &Catalogue, first: &Measure, of: &Mention) -> Option<Aggregate> {
    if first.over_groups.is_some() {
        return None;
    }
    match first.aggregate {
        Aggregate::Average | Aggregate::Median | Aggregate::Minimum | Aggregate::Maximum => Some(first.aggregate),
        Aggregate::Sum | Aggregate::Count | Aggregate::CountDistinct => adds(catalogue, of).then_some(Aggregate::Sum),
        Aggregate::AverageEach
        | Aggregate::Range
        | Aggregate::Deviation
        | Aggregate::Percentile(_)
        | Aggregate::Correlation
        | Aggregate::Share(_) => None,
    }
}

/// Whether the sum of a number means something.
fn adds(catalogue: &Catalogue, of: &Mention) -> bool {
    if read::is_additive(catalogue, of) {
        return true;
    }
    if let Some(concept) = of.concept() {
        return matches!(concept, Concept::Money | Concept::Quantity);
    }
    let property = |column: ColumnId| {
        let mut sources = NO_TOTAL.iter().flat_map(|concept| catalogue.measures(*concept));
        sources.any(|source| source.amount == Amount::Column(column))
    };
    let money = |column: ColumnId| {
        catalogue.measures(Concept::Money).iter().any(|source| source.amount == Amount::Column(column))
    };
    let against = |column: ColumnId| {
        let entry = catalogue.column(column);
        let stems = &entry.stems;
        entry.fraction
            || lexicon().is_zero_some(stems)
            || stems.iter().any(|stem| AGAINST.contains(&lexicon().canonical(stem)) || AGAINST.contains(&stem.as_str()))
    };
    let mut columns = of.columns().peekable();
    columns.peek().is_some() && columns.all(|column| !against(column) && (money(column) || !property(column)))
}
