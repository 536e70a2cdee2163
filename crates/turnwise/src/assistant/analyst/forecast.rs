//! Continues a series: a straight line by least squares, with an additive season where two whole ones are known (months
//! of a year, quarters of a year). The interval is 1.96 residual standard deviations, which takes errors for normal and
//! grows with the distance from the data as for any fitted line. Next: `run`.

use jiff::ToSpan;
use jiff::civil::Date;
use turnwise_core::{Cell, Table};

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

/// Rows for `periods` steps after the end of `table`: the step's name, the value, its lower and upper bound.
pub fn continue_series(table: &Table, grain: Grain, periods: usize) -> Result<Calculated, String> {
    let values: Vec<f64> = table.rows.iter().filter_map(|row| row.last().and_then(Cell::as_number)).collect();
    if values.len() < POINTS_MIN {
        return Err(format!(
            "a forecast needs at least {POINTS_MIN} periods with numbers, and there are {}",
            values.len()
        ));
    }
    let line = fit(&values, season_length(grain));
    let last = table.rows.last().and_then(|row| date_of(row, grain)).ok_or("the last period has no date")?;
    let mut rows = Vec::new();
    for ahead in 1..=periods {
        let offset = i32::try_from(ahead).map_err(|_| "that is too far ahead".to_owned())?;
        let date = grain.start(last, offset).ok_or("that is beyond the calendar")?;
        let (value, width) = line.at(values.len() + ahead - 1);
        let mut row = labels(date, grain);
        row.extend([Cell::real(value), Cell::real(value - width), Cell::real(value + width)]);
        rows.push(row);
    }
    let mut columns: Vec<String> = table.columns.clone();
    columns.extend(["lower bound".to_owned(), "upper bound".to_owned()]);
    let method = if line.seasons.is_empty() { "a straight line" } else { "a straight line with seasons" };
    let note = format!("Fitted {method} to {} periods; bounds hold 95 % if errors stay as they were.", values.len());
    Ok(Calculated { table: Table::whole(columns, rows), notes: vec![note] })
}

fn season_length(grain: Grain) -> usize {
    match grain {
        Grain::Month => 12,
        Grain::Quarter => 4,
        Grain::Day | Grain::Weekday | Grain::Hour => 7,
        Grain::Week | Grain::Year => 1,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of periods are small")]
fn fit(values: &[f64], season: usize) -> Line {
    let points = values.len() as f64;
    let middle = (points - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / points;
    let spread: f64 = (0..values.len()).map(|at| (at as f64 - middle).powi(2)).sum();
    let slope =
        values.iter().enumerate().map(|(at, value)| (at as f64 - middle) * (value - mean)).sum::<f64>() / spread;
    let start = mean - slope * middle;
    let residual = |at: usize| values[at] - (start + slope * at as f64);
    let mut seasons = Vec::new();
    if season > 1 && values.len() >= 2 * season {
        for phase in 0..season {
            let own: Vec<f64> = (phase..values.len()).step_by(season).map(residual).collect();
            seasons.push(own.iter().sum::<f64>() / own.len() as f64);
        }
    }
    let left = |at: usize| residual(at) - seasons.get(at % season.max(1)).copied().unwrap_or(0.0);
    let freedom = (points - 2.0 - seasons.len().saturating_sub(1) as f64).max(1.0);
    let deviation = ((0..values.len()).map(|at| left(at).powi(2)).sum::<f64>() / freedom).sqrt();
    Line { start, slope, deviation, middle, spread, points, seasons }
}

impl Line {
    #[expect(clippy::cast_precision_loss, reason = "counts of periods are small")]
    fn at(&self, at: usize) -> (f64, f64) {
        let x = at as f64;
        let season = if self.seasons.is_empty() { 0.0 } else { self.seasons[at % self.seasons.len()] };
        let far = (1.0 + 1.0 / self.points + (x - self.middle).powi(2) / self.spread).sqrt();
        (self.start + self.slope * x + season, NORMAL_95 * self.deviation * far)
    }
}

fn date_of(row: &[Cell], grain: Grain) -> Option<Date> {
    let text = |at: usize| row.get(at).map(Cell::to_string);
    let year = || text(0)?.parse::<i16>().ok();
    match grain {
        Grain::Year => Date::new(year()?, 1, 1).ok(),
        Grain::Quarter => {
            Date::new(year()?, (text(1)?.parse::<i8>().ok()? - 1).checked_mul(3)?.checked_add(1)?, 1).ok()
        }
        Grain::Month => Date::new(year()?, text(1)?.parse().ok()?, 1).ok(),
        Grain::Day => text(0)?.parse().ok(),
        Grain::Week => {
            let written = text(0)?;
            let (year, week) = written.split_once("-W")?;
            let first = Date::new(year.parse().ok()?, 1, 4).ok()?;
            Grain::Week.start(first, week.parse::<i32>().ok()? - 1)
        }
        Grain::Weekday | Grain::Hour => None,
    }
}

fn labels(date: Date, grain: Grain) -> Vec<Cell> {
    let year = Cell::Text(format!("{:04}", date.year()));
    match grain {
        Grain::Year => vec![year],
        Grain::Quarter => vec![year, Cell::Integer(i64::from((date.month() - 1) / 3 + 1))],
        Grain::Month => vec![year, Cell::Text(format!("{:02}", date.month()))],
        Grain::Day | Grain::Weekday | Grain::Hour => vec![Cell::Text(date.to_string())],
        Grain::Week => {
            // The Thursday of a week decides the year the week belongs to.
            let thursday = date.checked_add(3.days()).unwrap_or(date);
            let week = (thursday.day_of_year() - 1) / 7 + 1;
            vec![Cell::Text(format!("{:04}-W{week:02}", thursday.year()))]
        }
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
        let ahead = continue_series(&table, Grain::Year, 2).unwrap().table;
        assert_eq!(ahead.rows[0][0], Cell::Text("2024".to_owned()));
        let values: Vec<f64> = ahead.rows.iter().filter_map(|row| row[1].as_number()).collect();
        assert!((values[0] - 22.0).abs() < 1e-9 && (values[1] - 24.0).abs() < 1e-9, "{values:?}");
    }

    #[test]
    fn too_few_periods_are_refused() {
        let rows = vec![vec![Cell::Text("2024".to_owned()), Cell::Integer(1)]];
        let table = Table::whole(vec!["year".to_owned(), "sales".to_owned()], rows);
        assert!(continue_series(&table, Grain::Year, 2).unwrap_err().contains("at least 4"));
    }
}
