//! The interval of a forecast: two of its series are the bounds of a third, so they are drawn as a band around it, not
//! as two more things that were measured. Next: `plot`.

use super::Series;

/// Whether a series of this name is a bound. The names are those that forecasts give their columns.
pub(super) fn is_bound(name: &str) -> bool {
    name == LOWER || name == UPPER
}

/// The places between the bounds, each with its lowest and highest value; none without both.
pub(super) fn between(series: &[Series]) -> Vec<(usize, f64, f64)> {
    let of = |name: &str| series.iter().find(|series| series.name == name).map(|series| &series.values);
    let (Some(lower), Some(upper)) = (of(LOWER), of(UPPER)) else { return Vec::new() };
    lower.iter().zip(upper).enumerate().filter_map(|(at, (low, high))| Some((at, (*low)?, (*high)?))).collect()
}

const LOWER: &str = "lower bound";
const UPPER: &str = "upper bound";
