//! Which periods the series of a question has: from where it is asked about to where the data ends, in steps of its
//! grain. Where rows of a period may be missing for another reason than that there are none (a condition on groups, a
//! time left out), there is no calendar and nothing is put in. Next: `super::super::calendar`, which puts them in.

use jiff::ToSpan;
use jiff::civil::Date;

use super::super::calendar::{Calendar, Cut, Day};
use super::super::catalogue::{AxisPlace, Catalogue, plural};
use super::super::compute::Timing;
use super::super::form::{Aggregate, Dimension, Filter, Measure, QueryForm};
use super::super::period::{Grain, Period};
use super::super::query::{Expression, Query, Test};
use super::super::resolve;
use super::Builder;

/// Times the usual distance between two dates from which on a missing end is no accident: if rows come at random, one
/// in twenty such ends is one.
const UNUSUAL: f64 = 3.0;
/// Any day: how long a time is does not depend on where the data end.
const LONG_AGO: Date = Date::constant(2000, 6, 15);
/// Part of the days with rows from which on every day is expected to have some.
const DAILY: f64 = 0.9;

/// The dates a query is about.
struct Reach {
    /// The day of the first row.
    first: Date,
    /// The day after the last.
    end: Date,
    /// Usual days from one date to the next.
    distance: f64,
}

/// The periods of `form`, where it is a series in time whose periods without rows are known to be empty.
pub fn of(catalogue: &Catalogue, form: &QueryForm) -> Option<Calendar> {
    let mut grains = form.dimensions.iter().filter_map(|dimension| match dimension {
        Dimension::Time(grain) => Some(*grain),
        Dimension::Thing(_) => None,
    });
    let grain = grains.next().filter(|grain| *grain != Grain::Weekday && grains.next().is_none())?;
    let is_kept = |filter: &Filter| match filter {
        Filter::Outside { .. } | Filter::Either { .. } => false,
        Filter::Weekdays { .. } => grain != Grain::Day,
        _ => true,
    };
    let others = form.measures.iter().any(|measure| measure.over_groups.is_some());
    let narrowed = !form.conditions.is_empty() || form.first_within || form.count_groups || form.periods.len() > 1;
    if others || narrowed || !form.filters.iter().all(is_kept) {
        return None;
    }
    let resolved: Vec<resolve::Resolved> =
        form.measures.iter().map(|measure| resolve::measure(catalogue, form, measure).ok()).collect::<Option<_>>()?;
    let query = &resolved.first()?.query;
    let group = query.groups.iter().find(|group| group.time.is_some())?;
    let reach = reach(catalogue, query)?;
    let (from, until) = asked(query);
    let zero = form.measures.iter().zip(&resolved).filter(|(measure, _)| is_nothing_without_rows(measure));
    Some(Calendar {
        grain,
        times: group.outputs.iter().map(|output| output.label.clone()).collect(),
        labels: query.groups.iter().map(|group| group.outputs.len()).sum(),
        zero: zero.map(|(_, resolved)| resolved.label.clone()).collect(),
        from: from.map(|from| Day(from.max(reach.first))),
        until: Day(until.map_or(reach.end, |until| until.min(reach.end))),
        cut: cut(&reach, grain, from, until),
    })
}

/// The periods of the one series of `form`, said as what the plan takes for granted.
pub fn timing(builder: &mut Builder<'_>, form: &QueryForm, used: &str) -> Timing {
    let Some(calendar) = of(builder.catalogue, form) else { return Timing::default() };
    assume(builder, &calendar, form);
    let said = calendar.told_cut(used);
    Timing { calendars: vec![Some(calendar)], said }
}

/// What has to be said of one side of a comparison: of sides that are times, that is said of these as wholes already.
pub fn assume_of_side(builder: &mut Builder<'_>, timing: &mut Timing, calendar: Option<&Calendar>, form: &QueryForm) {
    let Some(calendar) = calendar else { return };
    let whole =
        Calendar { cut: if form.periods.len() > 1 { Vec::new() } else { calendar.cut.clone() }, ..calendar.clone() };
    assume(builder, &whole, form);
    let fresh: Vec<String> = whole.told_cut("").into_iter().filter(|said| !timing.said.contains(said)).collect();
    timing.said.extend(fresh);
}

/// What has to be said of the times of `form` as a whole.
pub fn of_times(builder: &mut Builder<'_>, form: &QueryForm) -> Timing {
    let said = incomplete(builder.catalogue, form);
    for sentence in &said {
        builder.assume(sentence);
    }
    Timing { calendars: Vec::new(), said }
}

/// Two months compared by month are one row: each side has one, and they are no other month of each other.
pub fn without_own_grain(form: &QueryForm) -> QueryForm {
    let is_one = |period: &Period, grain: Grain| {
        let span = period.span(LONG_AGO).and_then(|span| Some((span.from?, span.until?)));
        span.is_some_and(|(from, until)| grain.start(from, 1).is_some_and(|next| until <= next))
    };
    let mut form = form.clone();
    let periods = std::mem::take(&mut form.periods);
    if periods.len() > 1 {
        form.dimensions.retain(|dimension| match dimension {
            Dimension::Time(Grain::Weekday | Grain::Hour) | Dimension::Thing(_) => true,
            Dimension::Time(grain) => !periods.iter().all(|period| is_one(period, *grain)),
        });
    }
    QueryForm { periods, ..form }
}

/// Says which periods of what is shown as it is are not whole.
pub fn assume_cut(builder: &mut Builder<'_>, form: &QueryForm) {
    let cut = of(builder.catalogue, form).map_or_else(Vec::new, |calendar| calendar.told_cut(""));
    let said = if cut.is_empty() { incomplete(builder.catalogue, form) } else { cut };
    for sentence in said {
        builder.assume(&sentence);
    }
}

/// What is 0 and not missing where there are no rows.
pub fn is_nothing_without_rows(measure: &Measure) -> bool {
    matches!(measure.aggregate, Aggregate::Count | Aggregate::CountDistinct | Aggregate::Sum)
}

/// What a plan takes for granted about the periods of `calendar`.
fn assume(builder: &mut Builder<'_>, calendar: &Calendar, form: &QueryForm) {
    let periods = super::capital(&plural(calendar.grain.name()));
    let (zero, all) = (calendar.zero.len(), form.measures.len());
    let sentence = match zero {
        0 => format!("{periods} without rows have no value, and are no 0."),
        zero if zero == all => format!("{periods} without rows count as 0."),
        _ => format!("{periods} without rows count as 0 for totals and counts, and have no value for the rest."),
    };
    builder.assume(&sentence);
    for sentence in calendar.told_cut("") {
        builder.assume(&sentence);
    }
}

/// What has to be said of a question about one time or several, as a whole, where the data do not cover them.
fn incomplete(catalogue: &Catalogue, form: &QueryForm) -> Vec<String> {
    let of_one = |period| {
        let one = QueryForm { periods: vec![period], ..form.clone() };
        let query = resolve::measure(catalogue, &one, one.measures.first()?).ok()?.query;
        let (reach, (from, until)) = (reach(catalogue, &query)?, asked(&query));
        let (label, last) = (one.periods[0].label(), reach.end.yesterday().ok()?);
        let (starts_in, ends_in) = (from? < reach.end, until? > reach.first);
        let (ends, begins) = (reach.misses(reach.end, until?), reach.misses(from?, reach.first));
        match (starts_in && ends_in, ends, begins) {
            (true, true, _) => Some(format!("“{label}” is incomplete: the data ends on {last}.")),
            (true, _, true) => Some(format!("“{label}” is incomplete: the data begins on {}.", reach.first)),
            _ => None,
        }
    };
    form.periods.iter().cloned().filter_map(of_one).collect()
}

impl Reach {
    /// Whether the days from `from` to `until` are more than happen to be without rows.
    fn misses(&self, from: Date, until: Date) -> bool {
        let days = f64::from((until - from).get_days());
        days > 0.0 && days > UNUSUAL * self.distance
    }
}

/// The dates of the axis that a query groups by or tests.
fn reach(catalogue: &Catalogue, query: &Query) -> Option<Reach> {
    let (source, place) = date(query)?;
    let table = catalogue.table(query.sources.get(source)?.table);
    let axis = table.axes.iter().find(|axis| axis.place == *place)?;
    let (first, last) = axis.range?;
    // A date told by its year and month alone stands for all of them.
    let end = match &axis.place {
        AxisPlace::Parts { month: None, .. } => Grain::Year.start(last, 1)?,
        AxisPlace::Parts { day: None, .. } => Grain::Month.start(last, 1)?,
        AxisPlace::Parts { .. } | AxisPlace::Column(_) => last.tomorrow().ok()?,
    };
    let counted = match &axis.place {
        AxisPlace::Column(at) => table.columns[*at].distinct,
        AxisPlace::Parts { .. } => None,
    };
    let days = f64::from((end - first).get_days());
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    let dates = counted.unwrap_or(table.rows).min(table.rows) as f64;
    let distance = if dates >= DAILY * days { 0.0 } else { days / dates.max(1.0) };
    Some(Reach { first, end, distance })
}

/// The date that a query groups by, or else tests: its source and where that has it.
fn date(query: &Query) -> Option<(usize, &AxisPlace)> {
    let grouped = query.groups.iter().filter(|group| group.time.is_some()).flat_map(|group| &group.outputs);
    let tested = query.tests.iter().filter_map(|test| match test {
        Test::Time { of, .. } => Some(of),
        _ => None,
    });
    grouped.map(|output| &output.expression).chain(tested).find_map(|expression| match expression {
        Expression::Date { source, place } => Some((*source, place)),
        Expression::Part { of, .. } => match of.as_ref() {
            Expression::Date { source, place } => Some((*source, place)),
            _ => None,
        },
        _ => None,
    })
}

/// The day a time begins on, of the date that the numbers of `form` have; none where it has no beginning.
pub fn begins(catalogue: &Catalogue, form: &QueryForm, period: &Period) -> Option<Date> {
    let one = QueryForm { periods: vec![period.clone()], ..form.clone() };
    let measured = one.measures.first().and_then(|measure| resolve::measure(catalogue, &one, measure).ok());
    match measured {
        Some(resolved) => asked(&resolved.query).0,
        None => period.span(catalogue.last_date()?)?.from,
    }
}

/// The time asked about, as the query tests it.
fn asked(query: &Query) -> (Option<Date>, Option<Date>) {
    let parsed = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
    let tested = query.tests.iter().find_map(|test| match test {
        Test::Time { from, until, outside: false, .. } => Some((parsed(from), parsed(until))),
        _ => None,
    });
    tested.unwrap_or_default()
}

/// The periods at either end that the data, or the time asked about, do not cover whole.
fn cut(reach: &Reach, grain: Grain, from: Option<Date>, until: Option<Date>) -> Vec<Cut> {
    let mut cut = Vec::new();
    let (begin, end) = (from.unwrap_or(reach.first), until.unwrap_or(reach.end));
    let first = grain.start(begin.max(reach.first), 0);
    if let Some(start) = first {
        if begin > reach.first && start < begin {
            cut.push(Cut { start: Day(start), why: format!("the time asked about begins on {begin}") });
        } else if begin <= reach.first && reach.misses(start, reach.first) {
            cut.push(Cut { start: Day(start), why: format!("the data begins on {}", reach.first) });
        }
    }
    let last = end.min(reach.end).yesterday().ok();
    if let Some((start, next)) = last.and_then(|last| Some((grain.start(last, 0)?, grain.start(last, 1)?))) {
        let why = if end < reach.end && end < next {
            Some(format!("the time asked about ends on {}", end.checked_sub(1.day()).unwrap_or(end)))
        } else if end >= reach.end && reach.misses(reach.end, next) {
            Some(format!("the data ends on {}", reach.end.checked_sub(1.day()).unwrap_or(reach.end)))
        } else {
            None
        };
        if let Some(why) = why {
            cut.push(Cut { start: Day(start), why });
        }
    }
    cut
}
