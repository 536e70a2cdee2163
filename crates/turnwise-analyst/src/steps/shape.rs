//! The shape each kind of question gives a plan: one query; queries side by side and a comparison; a total, groups and
//! their shares; a series and its continuation; groups and the first few of them. Next: `compute` for what is
//! calculated.

use turnwise_core::{FactName, Presentation, limits};

use super::super::compute::{Calculation, TIES_MAX};
use super::super::form::{Aggregate, Analysis, Dimension, Filter, Found, QueryForm, RankBy, Ranking};
use super::super::lexicon::Order;
use super::super::period::{Grain, Period};
use super::super::query::{Gathered, OrderBy};
use super::super::read::{VALUES_JOINED, default_grain, weekdays_label};
use super::super::resolve::{self, Resolved, Trouble};
use super::Builder;
use super::tested::about;

/// Groups up to which a ranking takes all of them first: they serve the next question too.
const GROUPS_KEPT_MAX: usize = limits::FACT_ROWS_MAX / 2;

/// The steps of `form`, with its rows in the order of their names where that was asked for.
pub fn named(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let (fact, presentation) = shape(builder, form)?;
    let Some(order) = form.by_name else { return Ok((fact, presentation)) };
    let name = format!("{fact} by name");
    let fact = builder.compute(
        "Put the rows in the order of their names",
        &name,
        &Calculation::ByName { order },
        vec![fact],
    )?;
    Ok((fact, presentation))
}

/// Adds the steps of `form` and names the fact that answers it.
fn shape(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    if form.measures.is_empty() {
        return listed(builder, form);
    }
    match form.analysis {
        Analysis::Compare => compared(builder, form),
        Analysis::Share => super::share::shared(builder, form),
        Analysis::Explain => super::explain::explained(builder, form),
        Analysis::Trend => trend(builder, form),
        Analysis::Growth => growth(builder, form),
        Analysis::Forecast(periods) => super::ahead::forecast(builder, form, periods),
        Analysis::Outliers => super::outliers::outliers(builder, form),
        Analysis::Cumulative => super::cumulate::cumulated(builder, form),
        Analysis::Ratio => super::ratio::ratio(builder, form),
        Analysis::Plain => ranked(builder, form),
    }
}

fn listed(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let mut resolved = resolve::list(builder.catalogue, form)?;
    let about = about(form);
    let name = format!("{}{about}", resolved.label);
    let Some(Ranking { order, limit: Some(limit), by: RankBy::Property(_) }) = &form.ranking else {
        let fact = builder.query(&capital(&format!("list {name}")), &name, &resolved)?;
        return Ok((fact, Presentation::Table));
    };
    resolved.query.limit = Some(fetched(*limit));
    let column = resolved.query.columns.last().map_or_else(String::new, |output| output.label.clone());
    let end = if *order == Order::Descending { "highest" } else { "lowest" };
    let ordered = format!("{name} by {column}");
    let all = builder.query(&capital(&format!("order {name} by {column}, {end} first")), &ordered, &resolved)?;
    take(builder, &format!("{limit} {name} {end} {column}"), &column, *order, *limit, false, all)
}

/// Rows to fetch so that those that tie for the last place can be told; all that tie for the only place are shown.
fn fetched(limit: usize) -> usize {
    if limit == 1 { limits::FACT_ROWS_MAX } else { limit + TIES_MAX }
}

pub fn take(
    builder: &mut Builder<'_>,
    name: &str,
    column: &str,
    order: Order,
    limit: usize,
    named: bool,
    of: FactName,
) -> Result<(FactName, Presentation), Trouble> {
    let calculation = Calculation::Take { column: column.to_owned(), order, limit, named };
    let end = if order == Order::Descending { "highest" } else { "lowest" };
    let description = format!("Take the {limit} with the {end} {column}");
    let fact = builder.compute(&description, name, &calculation, vec![of])?;
    Ok((fact, if limit == 1 { Presentation::Table } else { Presentation::Bars }))
}

/// The numbers of a form: one query for those that share their rows, else one each, put together.
pub fn numbers(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    adjust: &dyn Fn(&mut Resolved),
) -> Result<(FactName, String), Trouble> {
    let mut merged: Vec<Resolved> = Vec::new();
    for measure in &form.measures {
        let resolved = resolve::measure(builder.catalogue, form, measure)?;
        match merged.iter_mut().find(|other| is_same_rows(other, &resolved)) {
            Some(other) => {
                other.query.gathered.extend(resolved.query.gathered);
                for assumption in resolved.assumptions {
                    if !other.assumptions.contains(&assumption) {
                        other.assumptions.push(assumption);
                    }
                }
                other.label = format!("{} and {}", other.label, resolved.label);
            }
            None => merged.push(resolved),
        }
    }
    conditions(builder, form, &mut merged)?;
    let about = format!("{}{}", grouped_by(form, &merged), about(form));
    let mut facts = Vec::new();
    let mut label = String::new();
    for resolved in &mut merged {
        adjust(resolved);
        let name = format!("{}{about}", resolved.label);
        if label.is_empty() {
            label.clone_from(&name);
        }
        facts.push(builder.query(&capital(&name), &name, resolved)?);
    }
    match facts.as_slice() {
        [single] => Ok((single.clone(), label)),
        _ => {
            let name = format!("{} together", label);
            let counts = form.measures.iter().all(|measure| measure.aggregate == Aggregate::Count);
            let together = if counts { Calculation::CombineCounts } else { Calculation::Combine };
            Ok((builder.compute("Put the numbers side by side", &name, &together, facts)?, name))
        }
    }
}

fn is_same_rows(one: &Resolved, other: &Resolved) -> bool {
    let (one, other) = (&one.query, &other.query);
    one.sources == other.sources
        && one.groups == other.groups
        && one.tests == other.tests
        && one.once_per == other.once_per
}

/// Whether two numbers are the same, whatever they are called.
fn is_one_number(one: &Gathered, other: &Gathered) -> bool {
    (one.aggregate, &one.of, &one.with) == (other.aggregate, &other.of, &other.with)
}

/// Tests on groups belong to the query that has their number.
fn conditions(builder: &Builder<'_>, form: &QueryForm, merged: &mut [Resolved]) -> Result<(), Trouble> {
    let apart = || {
        let text = "The numbers asked for come from different tables, so one cannot be a condition for the other.";
        Err(Trouble::Impossible(text.to_owned()))
    };
    let [single] = merged else { return if form.conditions.is_empty() { Ok(()) } else { apart() } };
    for condition in form.conditions.iter().filter(|condition| !condition.average) {
        let known = form.measures.iter().position(|measure| *measure == condition.measure);
        let at = match known {
            Some(at) => at,
            // A number that is only tested is gathered beside the others and not shown.
            None => {
                let tested = resolve::measure(builder.catalogue, form, &condition.measure)?;
                let Some(wanted) = tested.query.gathered.first().filter(|_| is_same_rows(single, &tested)) else {
                    return apart();
                };
                let gathered = &mut single.query.gathered;
                gathered.iter().position(|own| is_one_number(own, wanted)).unwrap_or_else(|| {
                    gathered.push(Gathered { label: String::new(), ..wanted.clone() });
                    gathered.len() - 1
                })
            }
        };
        single.query.having.push((at, condition.comparator, condition.value));
    }
    Ok(())
}

fn ranked(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let looked = if form.dimensions.is_empty() || form.count_groups || is_one_average(form) {
        Presentation::Value
    } else if form.dimensions.iter().any(is_course) {
        Presentation::Line
    } else {
        Presentation::Table
    };
    super::calendar::assume_cut(builder, form);
    let Some(Ranking { order, limit, .. }) = form.ranking.clone() else {
        let (fact, name) = numbers(builder, form, &|_| {})?;
        return super::against::averages(builder, form, fact, &name, looked);
    };
    if form.first_within {
        return super::against::first_within(builder, form, order, limit);
    }
    let few = is_small(builder, form);
    let (fact, name) = numbers(builder, form, &|resolved| {
        resolved.query.order = Some((OrderBy::Gathered(0), order));
        resolved.query.limit = limit.filter(|_| !few).map(fetched);
    })?;
    let Some(limit) = limit else { return Ok((fact, Presentation::Bars)) };
    let column = resolve::measure(builder.catalogue, form, &form.measures[0])?.label;
    let end = if order == Order::Descending { "top" } else { "bottom" };
    take(builder, &format!("{end} {limit} of {name}"), &column, order, limit, true, fact)
}

/// An average over the groups is one number; within other groups it is one for each of those.
fn is_one_average(form: &QueryForm) -> bool {
    form.dimensions.len() < 2 && form.measures.iter().any(|measure| measure.over_groups.is_some())
}

pub fn is_course(dimension: &Dimension) -> bool {
    matches!(dimension, Dimension::Time(grain) if !matches!(grain, Grain::Weekday | Grain::Hour))
}

/// Whether all groups are few enough to be kept as a fact.
fn is_small(builder: &Builder<'_>, form: &QueryForm) -> bool {
    let groups = form.dimensions.iter().map(|dimension| match dimension {
        Dimension::Time(Grain::Day | Grain::Week) => GROUPS_KEPT_MAX + 1,
        Dimension::Time(_) => 12,
        Dimension::Thing(mention) => {
            let best = mention.best().map(|candidate| candidate.thing);
            let rows = match best {
                Some(super::super::form::Thing::Table(table)) => Some(builder.catalogue.table(table).rows),
                Some(super::super::form::Thing::Column(column)) => {
                    let entry = builder.catalogue.column(column);
                    entry.distinct.or(Some(builder.catalogue.table(column.table).rows))
                }
                Some(super::super::form::Thing::Concept(_)) | None => None,
            };
            rows.and_then(|rows| usize::try_from(rows).ok()).unwrap_or(usize::MAX)
        }
    });
    groups.fold(1usize, usize::saturating_mul) <= GROUPS_KEPT_MAX
}

fn compared(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let form = &super::calendar::without_own_grain(form);
    let sides = sides(form);
    if sides.len() < 2 {
        let plain = QueryForm { analysis: Analysis::Plain, ..form.clone() };
        if form.dimensions.is_empty() && form.measures.len() < 2 {
            return Err(Trouble::Impossible(
                "Compare what with what? Name two times or two values, as in “compare sales in 2023 and 2024”."
                    .to_owned(),
            ));
        }
        return ranked(builder, &plain);
    }
    let mut timing = super::calendar::of_times(builder, form);
    let mut facts = Vec::new();
    let mut labels = Vec::new();
    for (label, side) in sides {
        let calendar = super::calendar::of(builder.catalogue, &QueryForm { ranking: None, ..side.clone() });
        super::calendar::assume_of_side(builder, &mut timing, calendar.as_ref(), form);
        timing.calendars.push(calendar);
        let (fact, _) = numbers(builder, &QueryForm { ranking: None, ..side }, &|_| {})?;
        facts.push(fact);
        labels.push(label);
    }
    let zero = form.measures.iter().all(super::calendar::is_nothing_without_rows);
    let numbers = form.measures.len();
    let calculation = Calculation::Compare { sides: labels.clone(), missing_is_zero: zero, numbers };
    let name = format!("{} compared {}", form.measures[0].of.words, labels.join(" and "));
    if timing.calendars.iter().all(Option::is_none) {
        timing.calendars.clear();
    }
    let description = format!("Compare {}", labels.join(" with "));
    let fact = builder.compute_over(&description, &name, &calculation, facts, &timing)?;
    let single = form.dimensions.is_empty() && numbers < 2;
    Ok((fact, if single { Presentation::Value } else { Presentation::Table }))
}

/// The sides of a comparison, each a form of its own.
fn sides(form: &QueryForm) -> Vec<(String, QueryForm)> {
    let plain = QueryForm { analysis: Analysis::Plain, ..form.clone() };
    if form.periods.len() > 1 {
        let with = |period: &Period| QueryForm { periods: vec![period.clone()], ..plain.clone() };
        return form.periods.iter().map(|period| (period.label(), with(period))).collect();
    }
    for (at, filter) in form.filters.iter().enumerate() {
        if let Filter::Weekdays { days, negated: false } = filter
            && days.len() > 1
        {
            let with = |day: &i8| {
                let mut own = plain.clone();
                own.filters[at] = Filter::Weekdays { days: vec![*day], negated: false };
                (weekdays_label(&[*day]), own)
            };
            return days.iter().map(with).collect();
        }
        if let Filter::Value { words, found, negated: false } = filter
            && words.contains(VALUES_JOINED)
        {
            let sides: Vec<&str> = words.split(VALUES_JOINED).collect();
            let with = |side: &&str| {
                let mut own = plain.clone();
                own.filters[at] = Filter::Value { words: (*side).to_owned(), found: only(found, side), negated: false };
                ((*side).to_owned(), own)
            };
            return sides.iter().map(with).collect();
        }
    }
    Vec::new()
}

fn only(found: &[Found], side: &str) -> Vec<Found> {
    let stems = |text: &str| super::super::words::split(text).into_iter().map(|word| word.stem).collect::<Vec<_>>();
    let wanted = stems(side);
    let keep = |found: &Found| Found {
        values: found.values.iter().filter(|value| stems(value) == wanted).cloned().collect(),
        ..found.clone()
    };
    found.iter().map(keep).filter(|found| !found.values.is_empty()).collect()
}

/// The form as a series, by the grain said or the one that suits the data.
pub fn series(builder: &mut Builder<'_>, form: &QueryForm) -> Result<QueryForm, Trouble> {
    let mut series = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    if series.dimensions.iter().any(is_course) {
        return Ok(series);
    }
    series.dimensions.insert(0, Dimension::Time(Grain::Year));
    let probe = resolve::measure(builder.catalogue, &series, &series.measures[0])?;
    let days = days_covered(builder, &probe);
    // Growth over several years is growth from year to year; anything finer has to be said.
    let grain = if form.analysis == Analysis::Growth && days_asked(form).unwrap_or(days) >= TWO_YEARS {
        Grain::Year
    } else {
        default_grain(days)
    };
    series.dimensions[0] = Dimension::Time(grain);
    // Where years alone are written there is nothing finer.
    let finer = resolve::measure(builder.catalogue, &series, &series.measures[0]).is_ok();
    let grain = if finer { grain } else { Grain::Year };
    series.dimensions[0] = Dimension::Time(grain);
    builder.assume(&format!("The course is shown by {}, as no other step was said.", grain.name()));
    Ok(series)
}

/// Days of the one span a form asks about, where it can be told without the data.
fn days_asked(form: &QueryForm) -> Option<i64> {
    let [period] = form.periods.as_slice() else { return None };
    let span = period.span(jiff::civil::Date::MAX)?;
    Some(i64::from((span.until? - span.from?).get_days()))
}

/// Days between the first and the last date of the axis a query groups by.
fn days_covered(builder: &Builder<'_>, resolved: &Resolved) -> i64 {
    let tables = resolved.query.sources.iter().map(|source| builder.catalogue.table(source.table));
    let ranges = tables.flat_map(|table| table.axes.iter().find(|axis| !axis.named_only)).filter_map(|axis| axis.range);
    ranges.map(|(first, last)| i64::from((last - first).get_days())).max().unwrap_or_default()
}

fn trend(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let series = series(builder, form)?;
    let (fact, name) = numbers(builder, &series, &|_| {})?;
    let timing = super::calendar::timing(builder, &series, "");
    if timing.calendars.is_empty() {
        return Ok((fact, Presentation::Line));
    }
    let description = "Put in the times without rows";
    let fact =
        builder.compute_over(description, &format!("course of {name}"), &Calculation::Course, vec![fact], &timing)?;
    Ok((fact, Presentation::Line))
}

fn growth(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    if let Some(ranking) = form.ranking.as_ref().filter(|_| !form.dimensions.is_empty()) {
        return super::growing::grown_most(builder, form, ranking);
    }
    if form.periods.len() > 1 {
        return compared(builder, form);
    }
    let series = series(builder, form)?;
    let (fact, name) = numbers(builder, &series, &|_| {})?;
    let timing = super::calendar::timing(builder, &series, "");
    let fact = builder.compute_over(
        "Relate each period to the one before",
        &format!("growth of {name}"),
        &Calculation::Growth,
        vec![fact],
        &timing,
    )?;
    Ok((fact, Presentation::Line))
}

fn grouped_by(form: &QueryForm, merged: &[Resolved]) -> String {
    let groups = merged.first().map(|resolved| resolved.query.groups.as_slice()).unwrap_or_default();
    let names = form.dimensions.iter().zip(groups).filter_map(|(dimension, group)| match dimension {
        Dimension::Time(grain) => Some(grain.name().to_owned()),
        Dimension::Thing(_) => group.outputs.last().map(|output| output.label.clone()),
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() { String::new() } else { format!(" by {}", names.join(" and ")) }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Days from which on a span holds two years to compare.
const TWO_YEARS: i64 = 2 * 365;
