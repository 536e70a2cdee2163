//! Results of more rows than a fact keeps. Whatever is said, drawn or proved of them is true of all rows, or says of
//! how many it is true: each sentence is put beside what SQL finds here, without the program. Next: `data`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod data;

use data::{Sales, days, shops, shops_by_day};

/// One more than a fact keeps, several times as many, and as many as there are in a year of a large airport.
const SIZES: [usize; 2] = [1_001, 4_000];

#[test]
fn the_highest_and_the_lowest_are_those_of_all_groups() {
    for size in SIZES {
        let shops = shops(size);
        let (most, least) = (shops.end("shop", "DESC"), shops.end("shop", "ASC"));
        let said = format!("{size} rows. Total amount: highest for {most}, lowest for {least}.");
        shops.says("total amount by shop", &said);
        let days = days(size);
        let (most, least) = (days.end("sold_on", "DESC"), days.end("sold_on", "ASC"));
        let said = format!("{size} rows. Total amount: highest for {most}, lowest for {least}.");
        days.says("total amount by day", &said);
    }
}

#[test]
fn the_largest_share_is_that_of_all_groups() {
    for size in SIZES {
        let shops = shops(size);
        let name = shops.one("SELECT shop FROM sales GROUP BY shop ORDER BY SUM(amount) DESC LIMIT 1");
        let share = "100.0 * SUM(amount) / (SELECT SUM(amount) FROM sales)";
        let part = shops.one(&format!(
            "SELECT printf('%.1f %%', {share}) FROM sales GROUP BY shop ORDER BY SUM(amount) DESC LIMIT 1"
        ));
        shops.says("share of amount by shop", &format!("{size} rows. The largest share has {name}: {part}."));
    }
}

#[test]
fn a_running_total_and_the_last_growth_are_those_of_the_last_day() {
    for size in SIZES {
        let days = days(size);
        let last = days.one("SELECT MAX(sold_on) FROM sales");
        let total = days.one("SELECT SUM(amount) FROM sales");
        days.says("running total of amount by day", &format!("{size} rows. Up to {last}: {total}."));
        let change = days.one(
            "SELECT printf('%+d', now.amount - before.amount) FROM sales now, sales before
             WHERE now.sold_on = (SELECT MAX(sold_on) FROM sales) AND before.sold_on = date(now.sold_on, '-1 day')",
        );
        days.says("growth of amount by day", &format!("{size} rows. The last, {last}: {change} ("));
    }
}

#[test]
fn a_trend_goes_from_the_first_day_to_the_last() {
    for size in SIZES {
        let days = days(size);
        let ends = days.one(
            "SELECT printf('From %d in %s to %d in %s', first.amount, first.sold_on, last.amount, last.sold_on)
             FROM sales first, sales last WHERE first.sold_on = (SELECT MIN(sold_on) FROM sales)
             AND last.sold_on = (SELECT MAX(sold_on) FROM sales)",
        );
        days.says("trend of total amount by day", &ends);
        let (most, least) = ("ORDER BY amount DESC LIMIT 1", "ORDER BY amount, sold_on LIMIT 1");
        let named = |end: &str| days.one(&format!("SELECT printf('%s (%d)', sold_on, amount) FROM sales {end}"));
        let said = format!("highest in {}, lowest in {}.", named(most), named(least));
        days.says("trend of total amount by day", &said);
    }
}

#[test]
fn a_ranking_and_what_is_above_the_average_are_of_all_groups() {
    for size in SIZES {
        let shops = shops(size);
        let first: Vec<String> =
            (0..3).map(|at| shops.one(&format!("{} DESC, shop LIMIT 1 OFFSET {at}", shops.ranking()))).collect();
        let said = format!("By total amount, highest first: {}.", first.join(", "));
        shops.says("top 3 shops by total amount", &said);
        let above = shops.one(
            "WITH one AS (SELECT SUM(amount) AS total FROM sales GROUP BY shop)
             SELECT COUNT(*) FROM one WHERE total > (SELECT AVG(total) FROM one)",
        );
        shops.says("total amount by shop with total amount above average", &format!("{above} rows."));
    }
}

#[test]
fn what_grew_the_most_is_looked_for_among_all_groups() {
    for size in SIZES {
        let shops = shops(size);
        let year = |year: u16| format!("SUM(CASE WHEN sold_on LIKE '{year}%' THEN amount ELSE 0 END)");
        let (one, other) = (year(2015), year(2016));
        let grew = shops.one(&format!(
            "SELECT printf('%s grew the most: from %d in 2015 to %d in 2016 (%+d', shop, {one}, {other}, {other} - {one})
             FROM sales GROUP BY shop ORDER BY {other} - {one} DESC LIMIT 1"
        ));
        shops.says("which shop grew the most in total amount from 2015 to 2016?", &grew);
        shops.says("compare total amount by shop in 2016 and 2015", &format!("{size} rows side by side."));
    }
}

#[test]
fn outliers_are_judged_by_the_quartiles_of_all_groups() {
    for size in SIZES {
        let days = days(size);
        let (first, third) = (days.quantile(0.25), days.quantile(0.75));
        let (low, high) = (first - 1.5 * (third - first), third + 1.5 * (third - first));
        let outside = format!("FROM sales WHERE amount < {low} OR amount > {high}");
        let count = days.one(&format!("SELECT COUNT(*) {outside}"));
        let name = days.one(&format!("SELECT printf('%s (%d)', sold_on, amount) {outside}"));
        for question in ["outliers in amount by day", "outliers in amount"] {
            let said = days.ask(question);
            assert!(said.contains(&format!("{count} of {size} values lie outside {low:.2} to {high:.2}.")), "{said}");
        }
        days.says("outliers in amount by day", &format!("Outliers: {name}."));
    }
}

#[test]
fn more_outliers_than_are_looked_at_are_said_to_be_at_least_as_many() {
    let many = Sales::of((0..4_000).map(|at| (format!("shop {at:06}"), 0, if at % 6 == 0 { 90_000 + at } else { at })));
    many.says("outliers in amount", " and at least 495 more. At least 500 of 4000 values lie outside");
}

#[test]
fn a_list_and_a_forecast_know_of_all_rows() {
    for size in SIZES {
        let days = days(size);
        days.says("show sale_id and amount", &format!("{size} rows."));
        days.says("forecast total amount by day for the next 3 days", &format!("to {size} periods"));
    }
}

#[test]
fn a_result_of_hundreds_of_thousands_of_rows_is_told_as_a_whole() {
    let both = shops_by_day();
    let size = both.one("SELECT COUNT(*) FROM sales");
    let named = |order: &str| {
        both.one(&format!(
            "SELECT printf('%s %s (%d)', shop, sold_on, amount) FROM sales ORDER BY amount {order} LIMIT 1"
        ))
    };
    let (most, least) = (named("DESC"), named("ASC"));
    let told = both.talk(&["total amount by shop and day", "y", "share of amount by shop and day", "y"]);
    let said = format!("{size} rows. Total amount: highest for {most}, lowest for {least}.");
    assert!(told.contains(&said), "{said}\n{}", first_lines(&told));
    let share = both.one(
        "SELECT printf('The largest share has %s %s: %.4f %%.', shop, sold_on,
         100.0 * amount / (SELECT SUM(amount) FROM sales)) FROM sales ORDER BY amount DESC LIMIT 1",
    );
    assert!(told.contains(&format!("{size} rows. {share}")), "{share}\n{}", first_lines(&told));
}

#[test]
fn what_follows_a_long_result_is_worked_out_from_all_of_it() {
    let shops = shops(4_000);
    let first = shops.one(&format!("{} DESC LIMIT 1", shops.ranking()));
    let told =
        shops.talk(&["total amount by shop", "y", "how did you get that?", "top 3 of them by total amount", "y"]);
    assert!(told.contains("total_amount_by_shop = 4000 rows × 2 columns"), "{}", first_lines(&told));
    assert!(told.contains(&format!("By total amount, highest first: {first}, ")), "{}", first_lines(&told));
    let told = shops.talk(&["total amount by shop", "y", "the last one", "now as a chart"]);
    assert!(told.contains("Of the 4000 rows of the last result the first 1000 are kept"), "{}", first_lines(&told));
    assert!(told.contains("as a bar chart:") && told.contains("… 3000 more rows"), "{}", first_lines(&told));
}

#[test]
fn a_drawing_says_of_how_many_rows_it_is() {
    let days = days(4_000);
    let (file, out) = (days.folder.path().join("drawn.svg"), days.folder.path().join("out"));
    let more = ["--chart", file.to_str().unwrap()];
    std::fs::write(&out, days.run("ask", &more, &["running total of amount by day"], "")).unwrap();
    let drawn = std::fs::read_to_string(&file).unwrap();
    assert!(drawn.contains("first 1000 of 4000 rows"), "{drawn}");
    let shown = std::fs::read_to_string(&out).unwrap();
    assert!(shown.contains("(the first 1000 of 4000 rows)"), "{shown}");
}

#[test]
fn a_proof_of_a_long_result_is_found_again_and_tells_another_one() {
    for question in ["running total of amount by day", "growth of amount by day"] {
        let days = days(4_000);
        let told = days.prove(question);
        assert_eq!(told.matches(": same").count(), 2, "{told}");
        // A row far behind those that were kept.
        days.change("UPDATE sales SET amount = amount + 1 WHERE sale_id = 3000");
        let told = days.verify();
        assert_eq!(told.matches(": changed\n    rows beyond those that were kept").count(), 2, "{told}");
    }
}

fn first_lines(told: &str) -> String {
    let lines = told.lines().filter(|line| !line.trim_start().starts_with("shop ") && !line.starts_with("20"));
    lines.take(120).collect::<Vec<_>>().join("\n")
}
