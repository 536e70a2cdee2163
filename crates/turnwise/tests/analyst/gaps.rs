//! Series with months that have no rows, and data that end within a month: what the program says, against numbers that
//! are worked out here month by month. Next: `desk`, which runs the program.

#![allow(clippy::cast_precision_loss, reason = "small numbers")]

use crate::desk::Desk;

/// Months from September 2023 to May 2025 without those of which there is nothing.
const EMPTY: [(i32, u32); 2] = [(2024, 3), (2024, 8)];

fn months() -> Vec<(i32, u32)> {
    (0..21).map(|at| (2023 + (8 + at) / 12, u32::try_from((8 + at) % 12 + 1).unwrap())).collect()
}

/// Two sales on each of the first 28 days of a month, of which there are fewer in May 2025; none in the empty ones.
fn sales(month: (i32, u32)) -> Vec<(String, u32)> {
    let days = if month == (2025, 5) { 12 } else { 28 };
    let at = months().iter().position(|one| *one == month).unwrap();
    let amount = |day: u32| 10 + u32::try_from(at).unwrap() + day % 3;
    let sold = |day: u32| [(day, amount(day)), (day, amount(day) + 4)];
    if EMPTY.contains(&month) {
        return Vec::new();
    }
    let all = (1..=days).flat_map(sold);
    all.map(|(day, amount)| (format!("{}-{:02}-{day:02}", month.0, month.1), amount)).collect()
}

fn desk() -> Desk {
    let mut text = "sold_on,amount,town\n".to_owned();
    for (at, (day, amount)) in months().into_iter().flat_map(sales).enumerate() {
        // Chur begins in 2025.
        let town = if day.starts_with("2025") && at % 4 == 0 { "Chur" } else { "Bern" };
        text.push_str(&format!("{day},{amount},{town}\n"));
    }
    Desk::with("sales.csv", &text)
}

fn totals() -> Vec<f64> {
    months().into_iter().map(|month| sales(month).iter().map(|(_, amount)| f64::from(*amount)).sum()).collect()
}

fn averages() -> Vec<Option<f64>> {
    let counts = months().into_iter().map(|month| sales(month).len());
    totals().into_iter().zip(counts).map(|(total, count)| (count > 0).then(|| total / count as f64)).collect()
}

/// The line of least squares through points, by the normal equations, at `x`.
fn line(points: &[(f64, f64)], x: f64) -> f64 {
    let n = points.len() as f64;
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (xs, ys) = (sum(&|point| point.0), sum(&|point| point.1));
    let (xx, xy) = (sum(&|point| point.0 * point.0), sum(&|point| point.0 * point.1));
    let slope = (n * xy - xs * ys) / (n * xx - xs * xs);
    (ys - slope * xs) / n + slope * x
}

fn close(one: Option<f64>, other: f64) -> bool {
    one.is_some_and(|one| (one - other).abs() < 1e-6 * other.abs().max(1.0))
}

const INCOMPLETE: &str = "2025-05 is incomplete";

#[test]
fn a_trend_of_a_total_has_0_in_months_without_rows() {
    let told = desk().ask("trend of the total amount by month");
    let expected: Vec<Option<f64>> = totals().into_iter().map(Some).collect();
    assert_eq!(told.column("total amount"), expected);
    assert!(told.answer().contains("Months without rows count as 0: 2024-03 and 2024-08."), "{}", told.answer());
    assert!(told.answer().contains("2025-05 is incomplete: the data ends on 2025-05-12."), "{}", told.answer());
    assert!(told.plan().contains("Months without rows count as 0."), "{}", told.plan());
}

#[test]
fn an_average_is_missing_where_there_are_no_rows() {
    let told = desk().ask("trend of the average amount by month");
    for (found, expected) in told.column("average amount").iter().zip(averages()) {
        assert!(found.is_none() == expected.is_none() && expected.is_none_or(|wanted| close(*found, wanted)));
    }
    assert!(told.answer().contains("have no value and are no 0: 2024-03 and 2024-08"), "{}", told.answer());
}

#[test]
fn a_forecast_leaves_out_the_month_that_is_not_whole_and_counts_those_without_rows() {
    let told = desk().ask("forecast the total amount for the next 2 months");
    let points: Vec<(f64, f64)> = totals().into_iter().take(20).enumerate().map(|(x, y)| (x as f64, y)).collect();
    let found = told.column("total amount");
    assert!(close(found[0], line(&points, 21.0)) && close(found[1], line(&points, 22.0)), "{found:?}");
    assert_eq!((told.rows()[0][0].as_str(), told.rows()[0][1].as_str()), (Some("2025"), Some("06")));
    assert!(told.answer().contains("2025-05 is incomplete and left out of the fit"), "{}", told.answer());

    let told = desk().ask("forecast the average amount by month");
    let known = averages().into_iter().take(20).enumerate().filter_map(|(x, y)| Some((x as f64, y?)));
    let known: Vec<(f64, f64)> = known.collect();
    assert_eq!(known.len(), 18);
    assert!(close(told.column("average amount")[0], line(&known, 21.0)), "{:?}", told.column("average amount"));
}

#[test]
fn growth_falls_to_0_and_a_running_total_stands_still() {
    let (desk, totals) = (desk(), totals());
    let told = desk.ask("growth of the total amount by month");
    let differences = told.column("difference");
    assert_eq!(differences.len(), 21);
    for at in 1..21 {
        assert!(close(differences[at], totals[at] - totals[at - 1]), "{at}: {differences:?}");
    }
    // 2024-04 comes after nothing: there is a difference and no rate.
    assert_eq!(told.column("change")[7], None);
    assert!(told.answer().contains(INCOMPLETE), "{}", told.answer());

    let running = desk.ask("running total of the amount by month").column("running total");
    let mut sum = 0.0;
    for (at, total) in totals.iter().enumerate() {
        sum += total;
        assert!(close(running[at], sum), "{at}: {running:?}");
    }
}

#[test]
fn a_group_has_its_own_first_month_and_all_later_ones() {
    let told = desk().ask("running total of the amount by month and town");
    let chur = told.rows().iter().filter(|row| row.contains(&serde_json::json!("Chur"))).count();
    let bern = told.rows().iter().filter(|row| row.contains(&serde_json::json!("Bern"))).count();
    assert_eq!((bern, chur), (21, 5));
}

#[test]
fn a_month_without_rows_is_an_outlier_and_one_that_is_not_whole_is_none() {
    let told = desk().ask("outliers in the number of sales by month");
    let found: Vec<String> =
        told.rows().iter().map(|row| format!("{} {} {}", row[0], row[1], row[2]).replace('"', "")).collect();
    assert_eq!(found, ["2024 03 0", "2024 08 0"]);
    assert!(told.answer().contains("2025-05 is incomplete and left out"), "{}", told.answer());
}

#[test]
fn what_lies_behind_the_end_of_the_data_is_no_0_in_a_comparison() {
    let told = desk().ask("compare the total amount in 2024 and 2025 by month");
    let totals = totals();
    let (first, second) = (told.column("2024"), told.column("2025"));
    assert_eq!(first.len(), 12);
    for month in 0..12 {
        assert!(close(first[month], totals[month + 4]), "{month}: {first:?}");
        let wanted = totals.get(month + 16);
        assert_eq!(second[month].is_some(), wanted.is_some(), "{second:?}");
        assert!(wanted.is_none_or(|wanted| close(second[month], *wanted)), "{second:?}");
    }
    assert!(told.answer().contains("“2025” is incomplete: the data ends on 2025-05-12."), "{}", told.answer());
    let told = desk().ask("compare the total amount in 2024 and 2025");
    assert!(told.answer().contains("“2025” is incomplete"), "{}", told.answer());
}

#[test]
fn rows_as_they_are_say_which_months_have_none() {
    let told = desk().ask("total amount by month");
    assert_eq!(told.rows().len(), 19);
    assert!(told.answer().contains("No rows in 2024-03 and 2024-08."), "{}", told.answer());
    assert!(told.plan().contains("2025-05 is incomplete: the data ends on 2025-05-12."), "{}", told.plan());
    // A time left out on purpose is not called empty.
    let told = desk().ask("trend of the total amount by month excluding January 2024");
    assert!(!told.answer().contains("count as 0"), "{}", told.answer());
}
