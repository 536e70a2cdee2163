//! Shares: a total, its parts, and each of them divided by it. What is the whole is decided here: the share of the
//! tickets tagged “billing” is one of all tickets, and not of those that have any tag. Next: `shape`, `compute`.

use turnwise_core::{FactName, Presentation};

use super::super::catalogue::AxisPlace;
use super::super::compute::Calculation;
use super::super::form::{
    Aggregate, Analysis, Dimension, Filter, Measure, Mention, QueryForm, Ranking, TableId, Thing,
};
use super::super::query::{Expression, Query, Test};
use super::super::resolve::{self, Resolved, Trouble};
use super::Builder;
use super::shape::{is_course, numbers, take};

pub fn shared(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let plain = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    let first: Vec<Measure> = form.measures.iter().take(1).cloned().collect();
    let plain = QueryForm { measures: first, ..plain };
    let whole = all_of(builder, form, &plain)?;
    if form.dimensions.is_empty() && form.filters.is_empty() && form.periods.is_empty() {
        return Err(Trouble::Impossible(
            "Share by what? Say how to divide it, as in “share of sales by country”.".to_owned(),
        ));
    }
    // Parts of different starting tables would not add up to the whole.
    let part_rows = resolve::measure(builder.catalogue, &plain, &plain.measures[0])?;
    let whole_rows = resolve::measure(builder.catalogue, &whole, &whole.measures[0])?;
    let grouped = !form.dimensions.is_empty() && !form.count_groups;
    let once = part_rows.query.once_per.is_some() && grouped;
    let own = if grouped || form.count_groups { None } else { whole_of_own(builder, &plain, &part_rows) };
    if once {
        builder
            .assume("A row that belongs to several groups counts in each, so the shares can add up to more than one.");
    }
    if grouped && !form.filters.is_empty() {
        builder.assume("Each share is one of all that pass the tests, over all groups, and not of its own group.");
    }
    let same = part_rows.query.sources.first() == whole_rows.query.sources.first();
    let (total, _) = if let Some(own) = own {
        numbers(builder, &own, &|_| {})?
    } else if same || once || form.count_groups {
        numbers(builder, &whole, &|_| {})?
    } else {
        let anchored = QueryForm { context: anchor(builder, &part_rows), ..whole };
        numbers(builder, &anchored, &|_| {})?
    };
    let (parts, name) = numbers(builder, &plain, &|_| {})?;
    let fact =
        builder.compute("Divide by the total", &format!("share of {name}"), &Calculation::Share, vec![total, parts])?;
    match &form.ranking {
        Some(Ranking { order, limit: Some(limit), .. }) => {
            take(builder, &format!("top {limit} share of {name}"), "share", *order, *limit, true, fact)
        }
        _ if !grouped => Ok((fact, Presentation::Value)),
        _ if form.dimensions.iter().any(is_course) => Ok((fact, Presentation::Bars)),
        _ => Ok((fact, Presentation::Stacked)),
    }
}

/// All that the parts are parts of, as far as the form alone tells.
fn all_of(builder: &mut Builder<'_>, form: &QueryForm, plain: &QueryForm) -> Result<QueryForm, Trouble> {
    if form.count_groups || !form.conditions.is_empty() {
        return all_groups(builder, plain);
    }
    // Without groups the share is that of the rows that pass, in all rows.
    Ok(if form.dimensions.is_empty() {
        QueryForm {
            filters: Vec::new(),
            periods: if form.filters.is_empty() { Vec::new() } else { form.periods.clone() },
            ..plain.clone()
        }
    } else {
        QueryForm { dimensions: Vec::new(), ..plain.clone() }
    })
}

/// All that might have passed the tests on groups, where one kind of them is counted.
fn all_groups(builder: &mut Builder<'_>, form: &QueryForm) -> Result<QueryForm, Trouble> {
    let [Dimension::Thing(of)] = form.dimensions.as_slice() else {
        let text = "Of several kinds of groups it cannot be told which of them the share is of: name one of them.";
        return Err(Trouble::Impossible(text.to_owned()));
    };
    if !form.count_groups {
        let text = "The share of what? Ask how many pass the test, or for the share of those that do.";
        return Err(Trouble::Impossible(text.to_owned()));
    }
    builder.assume(&format!("The share is one of all {}, whether they have any or not.", of.words.to_lowercase()));
    // What is said of them, and not of what they have, is said of all.
    let own = |filter: &Filter| match filter {
        Filter::Value { words, found, negated } => {
            let found: Vec<_> = found.iter().filter(|found| found.table() == of.table()).cloned().collect();
            let (words, negated) = (words.clone(), *negated);
            (!found.is_empty()).then_some(Filter::Value { words, found, negated })
        }
        _ => None,
    };
    let aggregate = if of.table().is_some() { Aggregate::Count } else { Aggregate::CountDistinct };
    Ok(QueryForm {
        measures: vec![Measure::new(aggregate, of.clone())],
        dimensions: Vec::new(),
        conditions: Vec::new(),
        filters: form.filters.iter().filter_map(own).collect(),
        periods: Vec::new(),
        context: Vec::new(),
        count_groups: false,
        ..form.clone()
    })
}

/// Naming the table the parts start from makes the total start there too.
fn anchor(builder: &Builder<'_>, parts: &Resolved) -> Vec<Mention> {
    let start = parts.query.sources.first().map(|source| source.table);
    start
        .map(|table| {
            let name = builder.catalogue.table(table).noun();
            Mention::of(name, Thing::Table(table))
        })
        .into_iter()
        .collect()
}

/// All rows of the table that the parts are rows of, with the time said where that is a time of their own; none where
/// no table holds what is counted once each.
fn whole_of_own(builder: &mut Builder<'_>, plain: &QueryForm, part: &Resolved) -> Option<QueryForm> {
    part.query.once_per.as_ref()?;
    let bare = QueryForm { filters: Vec::new(), periods: Vec::new(), context: Vec::new(), ..plain.clone() };
    let table = counted(builder, &bare)?;
    let named = Mention::of(builder.catalogue.table(table).noun(), Thing::Table(table));
    let all = QueryForm { context: vec![named], ..bare };
    counted(builder, &all).filter(|own| *own == table)?;
    // Without other tests the time is what makes them parts.
    if plain.periods.is_empty() || plain.filters.is_empty() {
        return Some(all);
    }
    let timed = QueryForm { periods: plain.periods.clone(), ..all.clone() };
    let dated = resolve::measure(builder.catalogue, &timed, &timed.measures[0]).ok();
    let is_own = |whole: &Resolved| whole.query.once_per.is_none() && time_of(&whole.query) == time_of(&part.query);
    if dated.is_some_and(|whole| is_own(&whole)) {
        return Some(timed);
    }
    let rows = builder.catalogue.plural(table);
    builder.assume(&format!("The share is one of all {rows}, whatever their time: the time said is not theirs."));
    Some(all)
}

/// The table that a form without tests counts, where it starts there.
fn counted(builder: &Builder<'_>, form: &QueryForm) -> Option<TableId> {
    let whole = resolve::measure(builder.catalogue, form, &form.measures[0]).ok()?;
    let first = whole.query.sources.first().map(|source| source.table);
    first.filter(|_| whole.query.once_per.is_none())
}

/// The dates that the time of a query is of, each with its table.
fn time_of(query: &Query) -> Vec<(TableId, &AxisPlace)> {
    let dates = query.tests.iter().filter_map(|test| match test {
        Test::Time { of: Expression::Date { source, place }, .. } => Some((query.sources.get(*source)?.table, place)),
        _ => None,
    });
    dates.collect()
}
