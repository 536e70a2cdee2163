//! Statistics SQLite lacks: `median(x)`, `percentile(x, p)` with p from 0 to 100, `variance(x)`, `stddev(x)` (both of a
//! sample, n − 1) and `corr(x, y)` (Pearson). Missing values are left out, as SQL's own aggregates do; text among the
//! numbers is an error rather than a zero. Next: `workbench`.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, Result};

use super::workbench::REAL_OVERFLOW;

/// Makes the functions known to the connection.
pub fn register(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("median", 1, flags, Median)?;
    connection.create_aggregate_function("percentile", 2, flags, Percentile)?;
    connection.create_aggregate_function("variance", 1, flags, Spread::Variance)?;
    connection.create_aggregate_function("stddev", 1, flags, Spread::Deviation)?;
    connection.create_aggregate_function("corr", 2, flags, Correlation)
}

struct Median;

impl Aggregate<Vec<f64>, Option<f64>> for Median {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<f64>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, values: &mut Vec<f64>) -> Result<()> {
        values.extend(number(context, 0, "median")?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<Vec<f64>>) -> Result<Option<f64>> {
        held(values.and_then(|values| quantile(values, 0.5)))
    }
}

struct Percentile;

#[derive(Default)]
struct Ranked {
    values: Vec<f64>,
    percent: Option<f64>,
}

impl Aggregate<Ranked, Option<f64>> for Percentile {
    fn init(&self, _: &mut Context<'_>) -> Result<Ranked> {
        Ok(Ranked::default())
    }

    fn step(&self, context: &mut Context<'_>, ranked: &mut Ranked) -> Result<()> {
        let percent = number(context, 1, "percentile")?.filter(|percent| (0.0..=100.0).contains(percent));
        let Some(percent) = percent else {
            return Err(misuse("percentile needs a second value from 0 to 100"));
        };
        #[expect(clippy::float_cmp, reason = "the same constant on every row is the same bits")]
        if ranked.percent.is_some_and(|before| before != percent) {
            return Err(misuse("percentile needs the same second value on every row"));
        }
        ranked.percent = Some(percent);
        ranked.values.extend(number(context, 0, "percentile")?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, ranked: Option<Ranked>) -> Result<Option<f64>> {
        held(ranked.and_then(|ranked| quantile(ranked.values, ranked.percent? / 100.0)))
    }
}

enum Spread {
    Variance,
    Deviation,
}

/// Running mean and sum of squared distances (Welford's method): one pass, and no cancellation between large sums.
#[derive(Default)]
struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Aggregate<Moments, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Moments> {
        Ok(Moments::default())
    }

    fn step(&self, context: &mut Context<'_>, moments: &mut Moments) -> Result<()> {
        let name = match self {
            Self::Variance => "variance",
            Self::Deviation => "stddev",
        };
        if let Some(value) = number(context, 0, name)? {
            moments.count += 1.0;
            let distance = value - moments.mean;
            moments.mean += distance / moments.count;
            moments.squares += distance * (value - moments.mean);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, moments: Option<Moments>) -> Result<Option<f64>> {
        let variance =
            moments.filter(|moments| moments.count > 1.0).map(|moments| moments.squares / (moments.count - 1.0));
        held(match self {
            Self::Variance => variance,
            Self::Deviation => variance.map(f64::sqrt),
        })
    }
}

struct Correlation;

/// Welford's method for two variables.
#[derive(Default)]
struct Joint {
    count: f64,
    mean_x: f64,
    mean_y: f64,
    squares_x: f64,
    squares_y: f64,
    products: f64,
}

impl Aggregate<Joint, Option<f64>> for Correlation {
    fn init(&self, _: &mut Context<'_>) -> Result<Joint> {
        Ok(Joint::default())
    }

    fn step(&self, context: &mut Context<'_>, joint: &mut Joint) -> Result<()> {
        let (Some(x), Some(y)) = (number(context, 0, "corr")?, number(context, 1, "corr")?) else {
            return Ok(());
        };
        joint.count += 1.0;
        let (distance_x, distance_y) = (x - joint.mean_x, y - joint.mean_y);
        joint.mean_x += distance_x / joint.count;
        joint.mean_y += distance_y / joint.count;
        joint.squares_x += distance_x * (x - joint.mean_x);
        joint.squares_y += distance_y * (y - joint.mean_y);
        joint.products += distance_x * (y - joint.mean_y);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, joint: Option<Joint>) -> Result<Option<f64>> {
        let Some(joint) = joint else { return Ok(None) };
        let scale = (joint.squares_x * joint.squares_y).sqrt();
        held(Some(scale))?;
        // A constant column correlates with nothing: no value rather than a division by zero.
        Ok((scale > 0.0).then(|| (joint.products / scale).clamp(-1.0, 1.0)))
    }
}

/// The argument as a number, or nothing where it is null.
fn number(context: &Context<'_>, index: usize, function: &str) -> Result<Option<f64>> {
    match context.get_raw(index) {
        ValueRef::Null => Ok(None),
        #[expect(clippy::cast_precision_loss, reason = "statistics are computed in floating point")]
        ValueRef::Integer(value) => Ok(Some(value as f64)),
        ValueRef::Real(value) => Ok(Some(value)),
        ValueRef::Text(text) => {
            let shown: String = String::from_utf8_lossy(text).chars().take(40).collect();
            Err(misuse(&format!("{function} needs numbers, and there is the text '{shown}'")))
        }
        ValueRef::Blob(_) => Err(misuse(&format!("{function} needs numbers, and there are bytes"))),
    }
}

/// The value below which the share lies, between two values by linear interpolation (type 7 of Hyndman and Fan, 1996,
/// the usual default of statistics packages).
fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    #[expect(clippy::cast_precision_loss, reason = "an index this large cannot be held in memory")]
    let position = share * (values.len() - 1) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the last index")]
    let below = position.floor() as usize;
    let above = (below + 1).min(values.len() - 1);
    let part = position - position.floor();
    Some(values[below] + (values[above] - values[below]) * part)
}

/// The value, unless it is beyond any real number: the engine would make no value of what is not a number.
fn held(value: Option<f64>) -> Result<Option<f64>> {
    match value {
        Some(value) if !value.is_finite() => Err(misuse(REAL_OVERFLOW)),
        _ => Ok(value),
    }
}

fn misuse(message: &str) -> Error {
    Error::UserFunctionError(message.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn value(values: &str, expression: &str) -> Result<Option<f64>> {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        connection
            .query_row(&format!("WITH t(x, y) AS (VALUES {values}) SELECT {expression} FROM t"), [], |row| row.get(0))
    }

    #[track_caller]
    fn check(values: &str, expression: &str, expected: Option<f64>) {
        let found = value(values, expression).unwrap();
        match (found, expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-12, "{expression}: {found}"),
            _ => assert_eq!(found, expected, "{expression} over {values}"),
        }
    }

    #[test]
    fn medians_and_percentiles_interpolate() {
        check("(1, 0), (4, 0), (2, 0), (3, 0)", "median(x)", Some(2.5));
        check("(5, 0), (1, 0), (3, 0)", "median(x)", Some(3.0));
        check("(1, 0), (2, 0), (3, 0), (4, 0)", "percentile(x, 25)", Some(1.75));
        check("(1, 0), (2, 0), (3, 0), (4, 0)", "percentile(x, 100)", Some(4.0));
    }

    #[test]
    fn spreads_are_of_a_sample() {
        // The textbook example 2 4 4 4 5 5 7 9: squared distances sum to 32.
        let values = "(2, 0), (4, 0), (4, 0), (4, 0), (5, 0), (5, 0), (7, 0), (9, 0)";
        check(values, "variance(x)", Some(32.0 / 7.0));
        check(values, "stddev(x)", Some((32.0_f64 / 7.0).sqrt()));
        check("(1, 0)", "stddev(x)", None);
    }

    #[test]
    fn a_large_common_part_does_not_blur_the_variance() {
        check("(1e9, 0), (1e9 + 1, 0), (1e9 + 2, 0)", "variance(x)", Some(1.0));
    }

    #[test]
    fn correlations() {
        check("(1, 2), (2, 4), (3, 6)", "corr(x, y)", Some(1.0));
        check("(1, 6), (2, 4), (3, 2)", "corr(x, y)", Some(-1.0));
        check("(1, 5), (2, 5)", "corr(x, y)", None);
        check("(1, 1), (2, NULL), (3, 2), (4, 2)", "corr(x, y)", Some(0.944_911_182_523_068));
    }

    #[test]
    fn missing_values_are_left_out_and_nothing_gives_nothing() {
        check("(1, 0), (NULL, 0), (3, 0)", "median(x)", Some(2.0));
        check("(NULL, 0)", "median(x)", None);
        check("(1, 0)", "median(x) FILTER (WHERE x > 5)", None);
    }

    #[test]
    fn what_is_beyond_any_real_number_is_an_error_and_not_nothing() {
        for expression in ["variance(x)", "stddev(x)", "corr(x, y)"] {
            let error = value("(1e308, 1e308), (-1e308, 1), (1, 5)", expression).unwrap_err();
            assert!(error.to_string().contains("larger than the largest real number"), "{expression}: {error}");
        }
    }

    #[test]
    fn text_is_an_error_that_shows_it() {
        let error = value("(1, 0), ('many', 0)", "median(x)").unwrap_err();
        assert!(error.to_string().contains("median needs numbers, and there is the text 'many'"), "{error}");
        let error = value("(1, 0)", "percentile(x, 101)").unwrap_err();
        assert!(error.to_string().contains("from 0 to 100"), "{error}");
    }
}
