//! What is drawn for which rows, and that it is whole: every choice as text, every format parsed back.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use turnwise_core::{Cell, Existing, Ground, Presentation, Table};

use super::keep::How;
use super::{Chart, KeepError, Kind, Marks, NoChart, OTHER, Unit, chart, figure, keep, natural, picture, svg};

fn cell(text: &str) -> Cell {
    match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("-", _, _) => Cell::Null,
        (_, Ok(number), _) => Cell::Integer(number),
        (_, _, Ok(number)) => Cell::Real(number),
        _ => Cell::Text(text.replace('_', " ")),
    }
}

/// A table from lines of words: the first names the columns.
fn table(text: &str) -> Table {
    let mut lines = text.trim().lines().map(|line| line.split_whitespace());
    let columns = lines.next().unwrap().map(|name| name.replace('_', " ")).collect();
    Table::whole(columns, lines.map(|line| line.map(cell).collect()).collect())
}

const MONTHS: &str = "month revenue\n2024-01 1200\n2024-02 1350.6\n2024-03 -\n2024-04 1800";
const REGIONS: &str = "region profit\nEurope 120\nAsia -40\n- 7";
const SHARES: &str = "region revenue share\nEurope 60 0.6\nAsia 30 0.3\nAfrica 10 0.1";
const PAIRS: &str = "distance air_time\n100 30\n500 80\n2500 330";
const CROSSED: &str = "month carrier flights\n2013-01 UA 10\n2013-01 DL 8\n2013-02 UA 12\n2013-02 DL -";

fn many(rows: usize, column: &str) -> Table {
    let rows = (0..rows).map(|at| vec![Cell::Text(format!("place {at}")), Cell::Integer(i64::try_from(at).unwrap())]);
    Table::whole(vec!["place".to_owned(), column.to_owned()], rows.collect())
}

#[track_caller]
fn drawn(table: &Table, kind: Kind) -> Chart {
    let drawn = chart(table, kind, "A title").unwrap();
    for ground in [Ground::AsViewed, Ground::Light, Ground::Dark] {
        let text = svg::svg(&drawn, ground);
        assert!(text.contains("role=\"img\"") && text.ends_with("</svg>\n"));
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert_eq!(text.matches("<text").count(), text.matches("</text>").count());
    }
    let (bytes, missing) = picture::png(&drawn, Ground::Light).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 2_000);
    assert_eq!(missing, 0);
    drawn
}

fn labels(chart: &Chart) -> Vec<String> {
    match &chart.marks {
        Marks::Rows { labels, .. } => labels.clone(),
        Marks::Points(points) => points.iter().map(|point| point.label.clone()).collect(),
    }
}

fn series(chart: &Chart) -> Vec<(String, Vec<Option<f64>>)> {
    match &chart.marks {
        Marks::Rows { series, .. } => {
            series.iter().map(|series| (series.name.clone(), series.values.clone())).collect()
        }
        Marks::Points(_) => Vec::new(),
    }
}

#[test]
fn the_rows_decide_what_fits() {
    let check =
        |text: &str, planned: Presentation, kind: Kind| assert_eq!(natural(&table(text), planned), kind, "{text}");
    check(MONTHS, Presentation::Table, Kind::Line);
    check(REGIONS, Presentation::Table, Kind::Bars);
    check(REGIONS, Presentation::Line, Kind::Line);
    check(SHARES, Presentation::Stacked, Kind::Stacked);
    check(SHARES, Presentation::Table, Kind::Stacked);
    check(SHARES, Presentation::Bars, Kind::Bars);
    check("region revenue share\nEast 5 1.25\nWest -1 -0.25", Presentation::Stacked, Kind::Bars);
    check(PAIRS, Presentation::Table, Kind::Scatter);
    check(CROSSED, Presentation::Table, Kind::Line);
    check("month revenue\n2024-01 5", Presentation::Table, Kind::Bars);
    check("year flights\n2013 5\n2014 7", Presentation::Value, Kind::Line);
}

#[test]
fn a_course_keeps_its_gap() {
    let found = drawn(&table(MONTHS), Kind::Line);
    assert_eq!(labels(&found), ["2024-01", "2024-02", "2024-03", "2024-04"]);
    assert_eq!(series(&found), [(String::new(), vec![Some(1200.0), Some(1350.6), None, Some(1800.0)])]);
    assert_eq!((found.along.title.as_str(), found.figures.title.as_str()), ("month", "revenue"));
    assert_eq!(found.notes, ["1 row has no value."]);
    let text = svg::svg(&found, Ground::AsViewed);
    assert!(text.contains("<title>2024-02: 1,351</title>") && !text.contains("2024-03: "), "{text}");
    assert!(text.contains("prefers-color-scheme: dark"));
    assert!(!svg::svg(&found, Ground::Dark).contains("prefers-color-scheme"));
    assert!(text.contains("Highest 1,800 (2024-04), lowest 1,200 (2024-01)."), "for whoever cannot see it: {text}");
}

#[test]
fn bars_go_both_ways_and_say_where_a_name_is_missing() {
    let found = drawn(&table(REGIONS), Kind::Bars);
    assert_eq!(labels(&found), ["Europe", "Asia", "(no value)"]);
    assert!(svg::svg(&found, Ground::Light).contains("<title>Asia: −40</title>"));
}

#[test]
fn shares_are_parts_of_one_bar_in_per_cent() {
    let found = drawn(&table(SHARES), Kind::Stacked);
    assert_eq!(series(&found)[1], ("Asia".to_owned(), vec![Some(0.3)]));
    assert_eq!(found.figures.unit, Unit::Percent);
    assert!(svg::svg(&found, Ground::Light).contains("<title>Asia: 30 %</title>"));
    assert_eq!(chart(&table(REGIONS), Kind::Stacked, ""), Err(NoChart::Negative));
}

#[test]
fn two_figures_make_a_plane() {
    let found = drawn(&table(PAIRS), Kind::Scatter);
    assert_eq!((found.along.title.as_str(), found.figures.title.as_str()), ("distance", "air time"));
    assert_eq!(labels(&found).len(), 3);
    assert_eq!(chart(&table(REGIONS), Kind::Scatter, ""), Err(NoChart::OneFigure));
}

#[test]
fn a_time_and_a_name_make_a_line_for_each_name() {
    let found = drawn(&table(CROSSED), Kind::Line);
    assert_eq!(labels(&found), ["2013-01", "2013-02"]);
    assert_eq!(series(&found)[1], ("DL".to_owned(), vec![Some(8.0), None]));
    drawn(&table(CROSSED), Kind::Bars);
    drawn(&table(CROSSED), Kind::Stacked);
}

#[test]
fn year_and_month_in_two_columns_are_one_label() {
    let found = drawn(&table("year month n\n2013 1 5\n2013 2 7"), Kind::Line);
    assert_eq!(labels(&found), ["2013-1", "2013-2"]);
    assert_eq!(found.along.title, "year, month");
}

#[test]
fn of_many_the_largest_are_shown_and_the_others_told() {
    let found = drawn(&many(134, "number of flights"), Kind::Bars);
    assert_eq!((labels(&found).len(), labels(&found).last().map(String::as_str)), (21, Some(OTHER)));
    let rest: f64 = (0..114).map(f64::from).sum();
    assert_eq!(series(&found)[0].1.last(), Some(&Some(rest)));
    assert_eq!(found.notes, ["The 20 largest of 134 are shown; “other” is the sum of the remaining 114."]);
    let found = drawn(&many(134, "average delay"), Kind::Bars);
    assert_eq!(labels(&found).len(), 20, "averages do not add up");
    assert_eq!(found.notes, ["The 20 largest of 134 are shown."]);
    let found = drawn(&many(30, "total seats"), Kind::Stacked);
    assert_eq!(series(&found).len(), 8);
    assert_eq!(found.notes, ["“other” is the sum of the 23 smallest parts."]);
}

#[test]
fn little_is_drawn_and_nothing_is_told() {
    drawn(&table("flights\n5"), Kind::Bars);
    drawn(&table("month flights\n2024-01 5"), Kind::Line);
    drawn(&table("a b\n3 4"), Kind::Scatter);
    drawn(&table("place seats\nhere 0"), Kind::Stacked);
    drawn(&table("place seats\nhere 5\nthere 5"), Kind::Line);
    assert_eq!(chart(&table("place seats"), Kind::Bars, ""), Err(NoChart::Empty));
    assert_eq!(chart(&table("place kind\na b"), Kind::Bars, ""), Err(NoChart::NoFigures));
    assert_eq!(chart(&table("place seats\na -"), Kind::Line, ""), Err(NoChart::NoFigures));
}

#[test]
fn values_of_any_kind_are_text_and_no_markup() {
    let wild = Cell::Text(
        "<script>&\"\u{7}\u{202e}a very long label that goes on and on and on and on, without end".to_owned(),
    );
    let rows = vec![vec![wild, Cell::Real(1e18)], vec![Cell::Text("売上".to_owned()), Cell::Real(-1e-9)]];
    let wild = Table::whole(vec!["name".to_owned(), "x".to_owned()], rows);
    let found = chart(&wild, Kind::Bars, "<&>").unwrap();
    let text = svg::svg(&found, Ground::AsViewed);
    assert!(!text.contains("<script") && text.contains("&lt;script&gt;") && text.contains("売上"), "{text}");
    assert!(!text.contains(['\u{7}', '\u{202e}']));
    assert!(picture::png(&found, Ground::Dark).unwrap().1 >= 2, "the font has no Chinese, and that is counted");
}

#[test]
fn rows_that_were_not_kept_are_told() {
    let mut cut = table(MONTHS);
    cut.total_rows = 9;
    assert!(drawn(&cut, Kind::Line).notes.contains(&"Drawn from the first 4 of 9 rows.".to_owned()));
}

#[test]
fn figures_are_written_as_people_read_them() {
    let check = |value: f64, unit: Unit, told: &str| assert_eq!(figure(value, unit), told);
    check(1_234_567.0, Unit::Plain, "1,234,567");
    check(-1234.5, Unit::Plain, "−1,234");
    check(12.345, Unit::Plain, "12.35");
    check(0.012_34, Unit::Plain, "0.0123");
    check(0.0, Unit::Plain, "0");
    check(0.000_001_2, Unit::Plain, "0.0000012");
    check(0.000_001_2, Unit::Percent, "0.00012 %");
    check(2e-12, Unit::Plain, "2.000e-12");
    check(0.4567, Unit::Percent, "45.7 %");
    check(1e18, Unit::Plain, "1.000e18");
}

#[test]
fn a_file_that_holds_something_else_is_never_lost_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sales.svg");
    let (one, other) = (drawn(&table(MONTHS), Kind::Line), drawn(&table(REGIONS), Kind::Bars));
    let write = |chart: &Chart, existing| keep(chart, &file, existing, Ground::AsViewed);
    assert_eq!(write(&one, Existing::Stays).unwrap().how, How::Written);
    assert_eq!(write(&one, Existing::Stays).unwrap().how, How::There);
    let before = std::fs::read(&file).unwrap();
    assert!(matches!(write(&other, Existing::Stays), Err(KeepError::Exists { .. })));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(write(&other, Existing::Replaced).unwrap().how, How::Replaced);
    assert_ne!(std::fs::read(&file).unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    let wrong = keep(&one, &folder.path().join("sales.pdf"), Existing::Stays, Ground::AsViewed);
    assert!(matches!(wrong, Err(KeepError::Ending { .. })));
    let nowhere = keep(&one, &folder.path().join("no/such/sales.svg"), Existing::Stays, Ground::AsViewed);
    assert!(matches!(nowhere, Err(KeepError::Writing { .. })));
}

#[test]
fn the_bounds_of_a_forecast_are_a_band_around_it() {
    let forecast = "month revenue lower_bound upper_bound\n2025-01 10 8 12\n2025-02 11 8 14";
    let bands = |text: &str| svg::svg(&drawn(&table(text), Kind::Line), Ground::Light).matches("<polygon").count();
    assert_eq!(bands(forecast), 1);
    assert_eq!(bands("month revenue lower_bound\n2025-01 10 8\n2025-02 11 8"), 0, "one bound is no band");
    assert_eq!(bands("month revenue cost\n2025-01 10 8\n2025-02 11 8"), 0, "two measures are none");
}

#[test]
fn shares_are_parts_of_a_whole_unless_another_look_is_asked_for() {
    let check = |text: &str, planned, kind| assert_eq!(super::answering(&table(text), planned), kind, "{text}");
    check(SHARES, Presentation::Bars, Kind::Bars);
    check(SHARES, Presentation::Table, Kind::Stacked);
    check(SHARES, Presentation::Line, Kind::Line);
    check(REGIONS, Presentation::Table, Kind::Bars);
    check(MONTHS, Presentation::Scatter, Kind::Scatter);
}

#[test]
fn what_one_axis_cannot_carry_is_said() {
    let found = drawn(&table("month units revenue\n2024-01 5 900\n2024-02 6 1200"), Kind::Line);
    assert_eq!(found.notes, ["Not drawn, because an axis of its own is needed: revenue."]);
    let close = drawn(&table("month cost revenue\n2024-01 500 900\n2024-02 600 1200"), Kind::Line);
    assert_eq!((series(&close).len(), close.notes.len()), (2, 0));
}

#[test]
fn times_without_rows_are_said() {
    let gaps = "month revenue\n2024-01 1\n2024-02 2\n2024-03 3\n2024-07 4\n2024-08 5\n2024-12 6";
    let told = "Times without rows have no room on the axis: after 2024-03 comes 2024-07, and there is another gap.";
    assert_eq!(drawn(&table(gaps), Kind::Line).notes, [told]);
    assert!(drawn(&table("month revenue\n2023-12 1\n2024-01 2"), Kind::Line).notes.is_empty());
    let days = "day revenue\n2024-02-28 1\n2024-02-29 2\n2024-03-04 2";
    assert!(drawn(&table(days), Kind::Line).notes[0].contains("after 2024-02-29 comes 2024-03-04."));
}

#[test]
fn a_change_is_drawn_by_its_parts_without_the_whole() {
    let why = "by value 2024-04 2024-05 difference share_of_the_change\n(all) - 30 22 -8 1\nregion North 20 11 -9 1.1\n\
               region South 10 11 1 -0.1";
    let rows = table(why);
    assert_eq!(natural(&rows, Presentation::Table), Kind::Bars);
    let found = drawn(&rows, Kind::Bars);
    assert_eq!(labels(&found), ["North (region)", "South (region)"]);
    assert_eq!(series(&found)[0].1, [Some(-9.0), Some(1.0)]);
    assert!(found.notes[0].contains("from 2024-04 to 2024-05; the whole, -8, is not drawn"), "{:?}", found.notes);
}

#[test]
fn the_figures_of_a_forecast_and_of_two_measures_have_a_title() {
    let forecast = drawn(&table("month revenue lower_bound upper_bound\n2025-01 10 8 12\n2025-02 11 8 14"), Kind::Line);
    assert_eq!(forecast.figures.title, "revenue");
    let sides = drawn(&table("region April May\nNorth 10 8\nSouth 11 9"), Kind::Bars);
    assert!(svg::svg(&sides, Ground::Light).contains("April, May by region"));
}
