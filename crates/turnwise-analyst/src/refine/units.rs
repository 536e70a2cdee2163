//! Units that a change asks for: "in percent", "in days", "in weeks". A unit is no group and no share of a total: what
//! is in it already is told, a time between two dates is counted in it, and anything else is refused. Next: `refine`.

use super::super::catalogue::{Catalogue, Made, Making, Unit};
use super::super::form::{Aggregate, Analysis, Candidate, ColumnId, Measure, Mention, QueryForm, Thing};
use super::super::words;

/// Words around a unit that say nothing else.
const SILENT: [&str; 27] = [
    "in",
    "as",
    "into",
    "to",
    "a",
    "an",
    "the",
    "please",
    "show",
    "it",
    "that",
    "them",
    "this",
    "those",
    "these",
    "now",
    "and",
    "but",
    "give",
    "me",
    "rather",
    "instead",
    "expressed",
    "put",
    "convert",
    "measured",
    "all",
];
const UNITS: [Unit; 6] = [Unit::Minutes, Unit::Hours, Unit::Days, Unit::Weeks, Unit::Months, Unit::Years];

/// `form` with its numbers in the unit that `change` names, where it names one and nothing else.
///
/// # Errors
/// They are in that unit already, or cannot be.
pub fn converted(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<Option<QueryForm>, String> {
    let Some(measure) = form.measures.first() else { return Ok(None) };
    let words = words::split(change);
    let leads = words.iter().any(|word| matches!(word.folded.as_str(), "in" | "as" | "into"));
    let kept: Vec<&str> = words.iter().map(|word| word.folded.as_str()).filter(|word| !SILENT.contains(word)).collect();
    match kept.as_slice() {
        [unit] if leads => match UNITS.into_iter().find(|own| own.name() == *unit) {
            Some(unit) => in_time(catalogue, form, measure, unit),
            None if is_percent(unit) => in_percent(catalogue, form),
            None => Ok(None),
        },
        [] if leads && change.contains('%') => in_percent(catalogue, form),
        _ => Ok(None),
    }
}

fn is_percent(word: &str) -> bool {
    matches!(word, "percent" | "percents" | "percentage" | "percentages" | "%")
}

fn in_percent(catalogue: &Catalogue, form: &QueryForm) -> Result<Option<QueryForm>, String> {
    let share = |measure: &Measure| matches!(measure.aggregate, Aggregate::Share(_));
    if form.analysis == Analysis::Share || form.measures.iter().all(share) {
        return Err("The numbers are in percent already.".to_owned());
    }
    no_total(catalogue, form).map_or(Ok(None), Err)
}

/// What `changed` has no one total of is not shown as shares, where `other`, the reading of the change, asks for them.
///
/// # Errors
/// Why there is no total.
pub fn check_share(catalogue: &Catalogue, changed: &QueryForm, other: &QueryForm) -> Result<(), String> {
    let asked = other.analysis == Analysis::Share;
    if let (true, [first, .., last]) = (asked, changed.measures.as_slice()) {
        return Err(format!(
            "Shares of which number? There are several, from “{}” to “{}”: ask for the shares of one of them.",
            first.of.words, last.of.words
        ));
    }
    no_total(catalogue, changed).filter(|_| asked).map_or(Ok(()), Err)
}

/// Why no shares of a total can be taken of the numbers of `form`.
fn no_total(catalogue: &Catalogue, form: &QueryForm) -> Option<String> {
    let adds = |measure: &Measure| {
        let total = matches!(measure.aggregate, Aggregate::Sum | Aggregate::Count | Aggregate::CountDistinct);
        let again = measure.over_groups.is_none_or(|again| again == Aggregate::Sum);
        total && again && !(measure.aggregate == Aggregate::Sum && is_fraction(catalogue, &measure.of))
    };
    let measure = form.measures.iter().find(|measure| !adds(measure))?;
    let words = &measure.of.words;
    let part = match is_fraction(catalogue, &measure.of) {
        true => " Its numbers are parts of one: 0.25 is 25 percent.",
        false => "",
    };
    Some(format!(
        "“{words}” is not added up here, so there is no total that percents of it could be taken of.{part} For a share \
         of a total ask for that, as in “share of the number of orders by country”."
    ))
}

fn is_fraction(catalogue: &Catalogue, of: &Mention) -> bool {
    of.columns().next().is_some() && of.columns().all(|column| catalogue.column(column).fraction)
}

fn in_time(
    catalogue: &Catalogue,
    form: &QueryForm,
    measure: &Measure,
    unit: Unit,
) -> Result<Option<QueryForm>, String> {
    let words = &measure.of.words;
    let Some(own) = measured_in(catalogue, &measure.of) else { return Ok(None) };
    if own == Some(unit) {
        return Err(format!("“{words}” is in {} already.", unit.name()));
    }
    let refused = || {
        let known = own.map_or("in a unit that is not known here".to_owned(), |own| format!("in {}", own.name()));
        format!("“{words}” is kept {known} and is not turned into {} here: nothing was changed.", unit.name())
    };
    let of = in_unit(catalogue, &measure.of, unit).filter(|_| form.measures.len() == 1).ok_or_else(refused)?;
    let mut changed = form.clone();
    if !changed.conditions.is_empty() {
        return Err(refused());
    }
    changed.measures[0].of = of;
    Ok(Some(changed))
}

/// The time between two dates, counted in another unit.
fn in_unit(catalogue: &Catalogue, of: &Mention, unit: Unit) -> Option<Mention> {
    let made = |candidate: &Candidate| {
        let Thing::Column(column) = candidate.thing else { return None };
        let Made { making: Making::Time(_), first, second } = Made::of(column.column)? else { return None };
        let thing = Thing::Column(catalogue.made(Making::Time(unit), first, second)?);
        Some(Candidate { thing, score: candidate.score })
    };
    let candidates: Vec<Candidate> = of.candidates.iter().map(made).collect::<Option<_>>()?;
    let said = of.words.split(' ').map(|word| match UNITS.iter().any(|unit| unit.name() == word.to_lowercase()) {
        true => unit.name(),
        false => word,
    });
    let words = said.collect::<Vec<_>>().join(" ");
    let words = if words.contains(unit.name()) { words } else { format!("{words} in {}", unit.name()) };
    Some(Mention { words, candidates })
}

/// What a length of time is counted in, where the number is one and that is known.
fn measured_in(catalogue: &Catalogue, of: &Mention) -> Option<Option<Unit>> {
    const LASTING: [&str; 6] = ["duration", "length", "time", "age", "delay", "stay"];
    let column: ColumnId = of.columns().next()?;
    if let Some(Made { making: Making::Time(unit), .. }) = Made::of(column.column) {
        return Some(Some(unit));
    }
    let stems = &catalogue.column(column).stems;
    let called = |unit: &Unit| {
        let name = unit.name().trim_end_matches('s');
        stems.iter().any(|stem| stem == name || (name.starts_with(stem.as_str()) && stem.len() == 3))
    };
    match UNITS.into_iter().find(called) {
        Some(unit) => Some(Some(unit)),
        None => stems.iter().any(|stem| LASTING.contains(&stem.as_str())).then_some(None),
    }
}
