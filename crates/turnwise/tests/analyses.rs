//! Analyses beyond totals through `turnwise ask`: outliers, running totals, growth, shares, percentiles, correlation
//! and forecasts, each with its numbers computed here by other means. Next: `blind` for questions of every kind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]
#![allow(clippy::cast_precision_loss, reason = "small numbers")]

#[path = "golden/mod.rs"]
mod golden;

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A year of days with one wild day, one day without rows, and a value that is missing.
fn days() -> String {
    let mut text = "day,town,amount,visitors\n".to_owned();
    for day in 1..=28 {
        let amount = match day {
            17 => 500,
            other => 100 + other % 7,
        };
        let visitors = if day == 3 { String::new() } else { (2 * (100 + day % 7)).to_string() };
        for month in [1, 2] {
            if (month, day) != (2, 9) {
                let town = if day % 2 == 0 { "Bern" } else { "Chur" };
                text.push_str(&format!("2024-{month:02}-{day:02},{town},{amount},{visitors}\n"));
            }
        }
    }
    text
}

struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("takings.csv"), days()).unwrap();
        Self { folder }
    }

    fn run(&self, more: &[&str], question: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.current_dir(self.folder.path()).args(["ask", "--ephemeral", "--approve", "all"]).args(more);
        command.args(["--data", "takings.csv", question]).env("TURNWISE_STATE", self.folder.path().join("state"));
        command.stdin(Stdio::null()).output().unwrap()
    }

    fn ask(&self, question: &str) -> Value {
        let output = self.run(&["--json"], question);
        let told = String::from_utf8_lossy(&output.stdout);
        let told = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{question}: {error}: {told}"));
        golden::told("analyses", "takings", question, &told);
        told
    }
}

fn rows(told: &Value) -> Vec<Vec<Value>> {
    let rows = told["table"]["rows"].as_array().unwrap_or_else(|| panic!("no table: {}", told["answer"]));
    rows.iter().map(|row| row.as_array().unwrap().clone()).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// The part of sorted values below which `part` of them lie, between two where it falls there.
fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = part * (values.len() - 1) as f64;
    let low = values[place.floor() as usize];
    low + (values[place.ceil() as usize] - low) * place.fract()
}

#[test]
fn outliers_are_told_with_method_fences_and_count() {
    let desk = Desk::new();
    let told = desk.ask("which days have unusual amounts?");
    let mut amounts: Vec<f64> =
        days().lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    // The 29th to the 31st of January and the 9th of February have no rows: nothing was taken on them.
    amounts.extend([0.0; 4]);
    let (first, third) = (quantile(&mut amounts, 0.25), quantile(&mut amounts, 0.75));
    let (low, high) = (first - 1.5 * (third - first), third + 1.5 * (third - first));
    let found = rows(&told);
    let expected = [
        ("2024-01-17", 500.0),
        ("2024-01-29", 0.0),
        ("2024-01-30", 0.0),
        ("2024-01-31", 0.0),
        ("2024-02-09", 0.0),
        ("2024-02-17", 500.0),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (row, (day, amount)) in found.iter().zip(expected) {
        assert_eq!((row[0].as_str().unwrap(), number(&row[1])), (day, amount));
        assert!((number(&row[2]) - low).abs() < 1e-9 && (number(&row[3]) - high).abs() < 1e-9, "{row:?} {low} {high}");
    }
    let answer = told["answer"].as_str().unwrap();
    assert!(answer.contains("6 of 59 values lie outside") && answer.contains("2024-01-17 (500)"), "{answer}");
    let plan = told["plan"].to_string();
    assert!(plan.contains("Tukey's fences") && plan.contains("Take those beyond the fences"), "{plan}");
}

#[test]
fn outliers_among_rows_and_where_there_are_none() {
    let desk = Desk::new();
    let told = desk.ask("any anomalies in the amounts?");
    let found = rows(&told);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|row| row.contains(&json!(500))), "{found:?}");
    let told = desk.ask("outliers in the total amount by town");
    assert!(told["answer"].as_str().unwrap().contains("too few"), "{}", told["answer"]);
    let told = desk.ask("outliers in the number of visitors per day");
    assert!(told["answer"].as_str().unwrap().contains("without a value were left out"), "{}", told["answer"]);
}

/// One number says how two go together; its picture is that of the rows.
#[test]
fn a_correlation_is_drawn_as_the_points_it_is_of() {
    let desk = Desk::new();
    let output = desk.run(&["--chart", "together.svg"], "correlation between amount and visitors");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = std::fs::read_to_string(desk.folder.path().join("together.svg")).unwrap();
    let both = days().lines().skip(1).filter(|line| !line.ends_with(',')).count();
    assert_eq!(drawn.matches("<circle").count(), both, "{drawn}");
    assert!(drawn.contains("visitors") && drawn.contains("Correlation between amount and visitors"), "{drawn}");
}

#[test]
fn shares_are_parts_of_a_whole_unless_bars_are_asked_for() {
    let desk = Desk::new();
    for (asked, ends) in
        [("share of the amount by town", "100 %"), ("share of the amount by town as a bar chart", "60 %")]
    {
        let output = desk.run(&["--chart", "shares.svg", "--replace"], asked);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let drawn = std::fs::read_to_string(desk.folder.path().join("shares.svg")).unwrap();
        assert!(drawn.contains(&format!(">{ends}<")), "{asked}: {drawn}");
    }
}

#[test]
fn outliers_are_drawn() {
    let desk = Desk::new();
    let output = desk.run(&["--chart", "odd.svg"], "which days have unusual amounts?");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = std::fs::read_to_string(desk.folder.path().join("odd.svg")).unwrap();
    assert!(drawn.contains("2024-01-17") && drawn.contains("<svg"), "{drawn}");
}

#[test]
fn running_totals_add_up_to_the_whole() {
    let desk = Desk::new();
    let whole = number(&rows(&desk.ask("total amount"))[0][0]);
    let running = rows(&desk.ask("running total of the amount by day"));
    // From the first of January to the 28th of February, the days without rows with them.
    assert_eq!(running.len(), 31 + 28);
    assert!((number(&running[58][2]) - whole).abs() < 1e-9, "{:?}", running[58]);
    let each = rows(&desk.ask("cumulative amount by town and month"));
    let last: f64 = each.iter().filter(|row| row[2] == json!("02")).map(|row| number(&row[4])).sum();
    assert!((last - whole).abs() < 1e-9, "each town has a running total of its own: {each:?}");
    let told = desk.ask("running total of the average amount by day");
    assert!(told["answer"].as_str().unwrap().contains("averages and the like have no running total"), "{told}");
}

#[test]
fn percentiles_correlation_shares_and_weekdays_are_as_computed_here() {
    let desk = Desk::new();
    let text = days();
    let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let mut amounts: Vec<f64> = lines.iter().map(|row| row[2].parse().unwrap()).collect();
    let told = number(&rows(&desk.ask("95th percentile of the amount"))[0][0]);
    assert!((told - quantile(&mut amounts, 0.95)).abs() < 1e-9, "{told}");

    let pairs: Vec<(f64, f64)> =
        lines.iter().filter_map(|row| Some((row[2].parse().ok()?, row[3].parse().ok()?))).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (mx, my) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|(x, y)| of(x - mx, y - my)).sum::<f64>();
    let expected = sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    let told = number(&rows(&desk.ask("correlation between amount and visitors"))[0][0]);
    assert!((told - expected).abs() < 1e-6, "{told} {expected}");

    let shares = rows(&desk.ask("share of the amount by town"));
    assert!((shares.iter().map(|row| number(row.last().unwrap())).sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");

    // 2024-01-01 was a Monday.
    let monday = |row: &Vec<&str>| {
        (row[0] < "2024-02" && matches!(&row[0][8..], "01" | "08" | "15" | "22"))
            || matches!(row[0], "2024-02-05" | "2024-02-12" | "2024-02-19" | "2024-02-26")
    };
    let expected: f64 = lines.iter().filter(|row| monday(row)).map(|row| row[2].parse::<f64>().unwrap()).sum();
    let told = number(&rows(&desk.ask("total amount on Mondays"))[0][0]);
    assert!((told - expected).abs() < 1e-9, "{told} {expected}");
}

#[test]
fn a_forecast_says_method_interval_and_what_it_takes_for_granted() {
    let desk = Desk::new();
    let told = desk.ask("forecast the total amount for the next 5 days");
    let found = rows(&told);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(
        found.iter().all(|row| number(&row[2]) < number(&row[1]) && number(&row[1]) < number(&row[3])),
        "{found:?}"
    );
    let said = format!("{} {}", told["answer"], told["plan"]);
    for part in ["Fitted a straight line", "95 %", "Nothing outside the data"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}
