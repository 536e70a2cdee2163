//! The dates that the queries of a form are about, found in the queries themselves: so whatever a question asks, what
//! is looked at is what will be run. Next: `count`.

use crate::catalogue::{AxisPlace, Catalogue};
use crate::form::{Analysis, ColumnId, Dimension, Filter, QueryForm};
use crate::period::Grain;
use crate::query::{Expression, Query, Test};
use crate::resolve::{self, Resolved, Trouble};

/// A date that rows are dated by, in the query that asks for them.
pub struct Dating {
    /// The date.
    pub date: ColumnId,
    /// The other dates its rows may be dated by, the likeliest by their names first.
    pub others: Vec<usize>,
    /// Where in the query its table stands.
    pub source: usize,
    /// The rows asked for: sources and tests, and nothing of what is made of them.
    pub rows: Query,
    /// Whether these are the rows of all times asked about, and not of the first of several.
    pub is_all: bool,
    /// Whether rows without the date are left out, and not shown as a group of their own.
    pub leaves_out: bool,
}

/// Whether `form` has anything to do with time.
pub fn may_be_timed(form: &QueryForm) -> bool {
    let time = |dimension: &Dimension| matches!(dimension, Dimension::Time(_));
    let timed = |filter: &Filter| match filter {
        Filter::Weekdays { .. } | Filter::Outside { .. } | Filter::During { .. } | Filter::Either { .. } => true,
        Filter::Never { periods, .. } | Filter::Some { periods, .. } => !periods.is_empty(),
        Filter::Among { .. } => true,
        _ => false,
    };
    !form.periods.is_empty()
        || form.dimensions.iter().any(time)
        || form.filters.iter().any(timed)
        || form.measures.iter().any(|measure| measure.holds.iter().any(timed))
        || is_course(form)
}

/// Whether a form is shown over time though it does not say in which steps.
fn is_course(form: &QueryForm) -> bool {
    matches!(form.analysis, Analysis::Trend | Analysis::Growth | Analysis::Forecast(_) | Analysis::Cumulative)
}

/// The dates of `form`, each once.
///
/// # Errors
/// Why there is no query for it.
pub fn of(catalogue: &Catalogue, form: &QueryForm) -> Result<Vec<Dating>, Trouble> {
    let mut form = form.clone();
    let is_all = form.periods.len() < 2;
    form.periods.truncate(1);
    let time = |dimension: &Dimension| matches!(dimension, Dimension::Time(_));
    if is_course(&form) && !form.dimensions.iter().any(time) {
        form.dimensions.push(Dimension::Time(Grain::Month));
    }
    let resolved: Vec<Resolved> = if form.measures.is_empty() {
        vec![resolve::list(catalogue, &form)?]
    } else {
        form.measures.iter().map(|measure| resolve::measure(catalogue, &form, measure)).collect::<Result<_, _>>()?
    };
    let mut found: Vec<Dating> = Vec::new();
    for resolved in &resolved {
        gather(catalogue, &resolved.query, &mut found);
    }
    // What is tested by a date of its own is no time of the rows.
    let named: Vec<ColumnId> = form.filters.iter().flat_map(dates_of).collect();
    found.retain(|dating| !named.contains(&dating.date));
    for dating in &mut found {
        dating.is_all = is_all;
        dating.leaves_out |= is_course(&form);
    }
    Ok(found)
}

fn dates_of(filter: &Filter) -> Vec<ColumnId> {
    match filter {
        Filter::Dated { of, .. } => of.columns().collect(),
        _ => Vec::new(),
    }
}

fn gather(catalogue: &Catalogue, query: &Query, found: &mut Vec<Dating>) {
    let grouped = query.groups.iter().flat_map(|group| &group.outputs).filter_map(|output| dated(&output.expression));
    let tested = query.tests.iter().flat_map(places);
    let places: Vec<(usize, usize)> = grouped.chain(tested).collect();
    for (source, column) in places {
        let Some(table) = query.sources.get(source).map(|source| source.table) else { continue };
        let date = ColumnId { table, column };
        if found.iter().any(|other| other.date == date) {
            continue;
        }
        let rows = Query { sources: query.sources.clone(), tests: query.tests.clone(), ..Query::default() };
        let leaves_out = rows.tests.iter().any(|test| is_about(test, source, date));
        found.push(Dating { date, others: others(catalogue, date), source, rows, is_all: true, leaves_out });
    }
    for test in &query.tests {
        if let Test::Among { query, .. } = test {
            gather(catalogue, query, found);
        }
    }
}

/// The place of a date that an expression is, or is a part of.
fn dated(expression: &Expression) -> Option<(usize, usize)> {
    match expression {
        Expression::Date { source, place: AxisPlace::Column(column) } => Some((*source, *column)),
        Expression::Part { of, .. } => dated(of),
        _ => None,
    }
}

/// The places of the dates that a test is about.
fn places(test: &Test) -> Vec<(usize, usize)> {
    match test {
        Test::Time { of, .. } | Test::In { of, .. } => dated(of).into_iter().collect(),
        Test::Any(sides) => sides.iter().flatten().flat_map(places).collect(),
        _ => Vec::new(),
    }
}

/// Whether a test is about this date of a source.
pub fn is_about(test: &Test, source: usize, date: ColumnId) -> bool {
    places(test).contains(&(source, date.column))
}

/// The other dates that rows with `date` may be dated by.
pub fn others(catalogue: &Catalogue, date: ColumnId) -> Vec<usize> {
    let axes = catalogue.table(date.table).axes.iter().filter(|axis| !axis.named_only && axis.range.is_some());
    let columns = axes.filter_map(|axis| match axis.place {
        AxisPlace::Column(column) => Some(column),
        AxisPlace::Parts { .. } => None,
    });
    columns.filter(|column| *column != date.column).collect()
}
