//! Continues a series: a straight line by least squares, with an additive season where two whole ones are known (months
//! of a year, quarters of a year). The interval is 1.96 residual standard deviations, which takes errors for normal and
//! grows with the distance from the data as for any fitted line. Next: `run`.

use jiff::civil::Date;
use turnwise_core::{Cell, Table};

use super::calendar::{Calendar, labels, position, start_of};
use super::compute::Calculated;
use super::period::Grain;

/// Fewest points a line is drawn through.
const POINTS_MIN: usize = 4;
/// Half the width of a 95 % interval of a normal distribution, in standard deviations.
const NORMAL_95: f64 = 1.96;

struct Line {
    start: f64,
    slope: f64,
    seasons: Vec<f64>,
    deviation: f64,
    middle: f64,
    spread: f64,
    points: f64,
}

/// A value with its place on the axis of time.
#[derive(Clone, Copy)]
struct Point {
    at: i64,
    value: f64,
}

/// Rows for `periods` steps after the end of `table`: the step's name, the value, its lower and upper bound. A period
/// without a value stays a hole in time, and one that is not whole is left out.
pub fn continue_series(
    table: &Table,
    grain: Grain,
    periods: usize,
    calendar: Option<&Calendar>,
) -> Result<Calculated, String> {
    let dated: Vec<(Date, &Vec<Cell>)> =
        table.rows.iter().filter_map(|row| Some((start_of(row, grain)?, row))).collect();
    let origin = dated.first().map_or(0, |(start, _)| position(*start, grain));
    let is_cut = |start: Date| calendar.is_some_and(|calendar| calendar.is_cut(start));
    let whole = dated.iter().filter(|(start, _)| !is_cut(*start));
    let points: Vec<Point> = whole
        .filter_map(|(start, row)| {
            Some(Point { at: position(*start, grain) - origin, value: row.last().and_then(Cell::as_number)? })
        })
        .collect();
    if points.len() < POINTS_MIN {
        let left_out = calendar.map(|calendar| calendar.told_cut(" and left out")).unwrap_or_default();
        let left_out: String = left_out.iter().map(|note| format!(". {}", note.trim_end_matches('.'))).collect();
        return Err(format!(
            "a forecast needs at least {POINTS_MIN} periods with numbers, and there are {}{left_out}",
            points.len()
        ));
    }
    let line = fit(&points, season_length(grain));
    let ended = dated.last().map(|(start, _)| *start).max(calendar.and_then(Calendar::last));
    let last = ended.ok_or("the last period has no date")?;
    let mut rows = Vec::new();
    for ahead in 1..=periods {
        let offset = i32::try_from(ahead).map_err(|_| "that is too far ahead".to_owned())?;
        let date = grain.start(last, offset).ok_or("that is beyond the calendar")?;
        let (value, width) = line.at(position(date, grain) - origin);
        let mut row = labels(date, grain);
        row.extend([Cell::real(value), Cell::real(value - width), Cell::real(value + width)]);
        rows.push(row);
    }
    let mut columns: Vec<String> = table.columns.clone();
    columns.extend(["lower bound".to_owned(), "upper bound".to_owned()]);
    let method = if line.seasons.is_empty() { "a straight line" } else { "a straight line with seasons" };
    let note = format!("Fitted {method} to {} periods; bounds hold 95 % if errors stay as they were.", points.len());
    let cut = calendar.map(|calendar| calendar.told_cut(" and left out of the fit")).unwrap_or_default();
    let notes = std::iter::once(note).chain(cut).collect();
    Ok(Calculated { table: Table::whole(columns, rows), notes })
}

fn season_length(grain: Grain) -> i64 {
    match grain {
        Grain::Month => 12,
        Grain::Quarter => 4,
        Grain::Day | Grain::Weekday | Grain::Hour => 7,
        Grain::Week | Grain::Year => 1,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of periods are small")]
fn fit(values: &[Point], season: i64) -> Line {
    let points = values.len() as f64;
    let middle = values.iter().map(|point| point.at as f64).sum::<f64>() / points;
    let mean = values.iter().map(|point| point.value).sum::<f64>() / points;
    let spread: f64 = values.iter().map(|point| (point.at as f64 - middle).powi(2)).sum();
    let slope = values.iter().map(|point| (point.at as f64 - middle) * (point.value - mean)).sum::<f64>() / spread;
    let start = mean - slope * middle;
    let residual = |point: &Point| point.value - (start + slope * point.at as f64);
    let mut seasons = Vec::new();
    if season > 1 && points >= 2.0 * season as f64 {
        for phase in 0..season {
            let own: Vec<f64> = values.iter().filter(|point| point.at % season == phase).map(residual).collect();
            seasons.push(own.iter().sum::<f64>() / own.len() as f64);
        }
        // A phase that was never seen has no season.
        if seasons.iter().any(|season| season.is_nan()) {
            seasons.clear();
        }
    }
    let left = |point: &Point| residual(point) - season_of(&seasons, point.at);
    let freedom = (points - 2.0 - seasons.len().saturating_sub(1) as f64).max(1.0);
    let deviation = (values.iter().map(|point| left(point).powi(2)).sum::<f64>() / freedom).sqrt();
    Line { start, slope, deviation, middle, spread, points, seasons }
}

fn season_of(seasons: &[f64], at: i64) -> f64 {
    let phase = i64::try_from(seasons.len()).ok().filter(|length| *length > 0).map(|length| at.rem_euclid(length));
    phase.and_then(|phase| usize::try_from(phase).ok()).and_then(|phase| seasons.get(phase)).copied().unwrap_or(0.0)
}

impl Line {
    #[expect(clippy::cast_precision_loss, reason = "counts of periods are small")]
    fn at(&self, at: i64) -> (f64, f64) {
        let x = at as f64;
        let season = season_of(&self.seasons, at);
        let far = (1.0 + 1.0 / self.points + (x - self.middle).powi(2) / self.spread).sqrt();
        (self.start + self.slope * x + season, NORMAL_95 * self.deviation * far)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_straight_line_is_continued_exactly() {
        let rows = (0..6i64).map(|at| vec![Cell::Text(format!("{}", 2018 + at)), Cell::Integer(10 + 2 * at)]).collect();
        let table = Table::whole(vec!["year".to_owned(), "sales".to_owned()], rows);
        let ahead = continue_series(&table, Grain::Year, 2, None).unwrap().table;
        assert_eq!(ahead.rows[0][0], Cell::Text("2024".to_owned()));
        let values: Vec<f64> = ahead.rows.iter().filter_map(|row| row[1].as_number()).collect();
        assert!((values[0] - 22.0).abs() < 1e-9 && (values[1] - 24.0).abs() < 1e-9, "{values:?}");
    }

    #[test]
    fn a_hole_in_time_stays_one() {
        // 10, 12, (14), 16, 18: on the line without the year that is missing.
        let row = |at: i64| vec![Cell::Text(format!("{}", 2018 + at)), Cell::Integer(10 + 2 * at)];
        let rows = [0, 1, 3, 4].map(row).to_vec();
        let table = Table::whole(vec!["year".to_owned(), "sales".to_owned()], rows);
        let ahead = continue_series(&table, Grain::Year, 1, None).unwrap().table;
        assert!((ahead.rows[0][1].as_number().unwrap() - 20.0).abs() < 1e-9, "{ahead:?}");
    }

    #[test]
    fn too_few_periods_are_refused() {
        let rows = vec![vec![Cell::Text("2024".to_owned()), Cell::Integer(1)]];
        let table = Table::whole(vec!["year".to_owned(), "sales".to_owned()], rows);
        assert!(continue_series(&table, Grain::Year, 2, None).unwrap_err().contains("at least 4"));
    }
}
