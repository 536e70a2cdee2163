//! The plan of a forecast: the series, and its continuation. How far ahead is said in many ways, and settled here so
//! that the method knows only steps. Next: `super::super::forecast` for the method.

use turnwise_core::{FactName, Presentation};

use super::super::catalogue::plural;
use super::super::compute::{Calculation, Timing};
use super::super::form::{Analysis, Dimension, QueryForm};
use super::super::period::{Grain, Period};
use super::super::resolve::Trouble;
use super::Builder;
use super::shape::numbers;

/// Periods a forecast covers when nobody says.
const FORECAST_DEFAULT: usize = 3;

/// Adds the steps that continue the series of `form`.
pub fn forecast(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    periods: usize,
) -> Result<(FactName, Presentation), Trouble> {
    let (ahead, mut form) = horizon(form);
    let said = form.dimensions.iter().find_map(|dimension| match dimension {
        Dimension::Time(grain) => Some(*grain),
        Dimension::Thing(_) => None,
    });
    if form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Thing(_))) {
        return Err(Trouble::Impossible(
            "A forecast is made of one series: leave out the groups, or ask for one of them.".to_owned(),
        ));
    }
    let (grain, count) = match (ahead, said) {
        (Some((Grain::Year, count)), None) => (Grain::Month, count * 12),
        (Some((grain, count)), None) => (grain, count),
        (Some((ahead, count)), Some(grain)) => (grain, count * per(ahead, grain)),
        (None, Some(grain)) => (grain, FORECAST_DEFAULT),
        (None, None) => (Grain::Month, if periods == 0 { FORECAST_DEFAULT } else { periods }),
    };
    form.dimensions = vec![Dimension::Time(grain)];
    let series = QueryForm { analysis: Analysis::Plain, ranking: None, ..form };
    let (fact, name) = numbers(builder, &series, &|_| {})?;
    builder.assume(
        "The forecast continues the straight line through the past and its seasons, where at least two are known.",
    );
    builder.assume("Nothing outside the data is known to the forecast.");
    let timing = Timing { said: Vec::new(), ..super::calendar::timing(builder, &series, "") };
    let calculation = Calculation::Forecast { grain, periods: count };
    let plural = plural(grain.name());
    let fact = builder.compute_over(
        &format!("Continue it by {count} {plural}"),
        &format!("forecast of {name}"),
        &calculation,
        vec![fact],
        &timing,
    )?;
    Ok((fact, Presentation::Line))
}

/// The time ahead that was asked for, and the form without it.
fn horizon(form: &QueryForm) -> (Option<(Grain, usize)>, QueryForm) {
    let mut rest = form.clone();
    let mut ahead = None;
    rest.periods.retain(|period| {
        let found = match period {
            Period::Relative { grain, offset } if *offset > 0 => Some((*grain, usize::try_from(*offset).unwrap_or(1))),
            Period::NextFew { grain, count } => Some((*grain, usize::try_from(*count).unwrap_or(1))),
            _ => None,
        };
        ahead = ahead.or(found);
        found.is_none()
    });
    (ahead, rest)
}

/// How many of the smaller grain are in the larger.
fn per(larger: Grain, smaller: Grain) -> usize {
    let days = |grain: Grain| match grain {
        Grain::Day | Grain::Weekday | Grain::Hour => 1,
        Grain::Week => 7,
        Grain::Month => 30,
        Grain::Quarter => 91,
        Grain::Year => 365,
    };
    (days(larger) / days(smaller)).max(1)
}
