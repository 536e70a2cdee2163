//! The same questions on every engine at hand: planned, run, and compared row by row with what the engine in the
//! process finds. Numbers may differ by one part in a million, because servers keep amounts as exact numbers and the
//! engine in the process as binary ones; everything else has to be the same, in the same order.

use std::path::PathBuf;

use turnwise_analyst::Analyst;
use turnwise_analyst::source::{Dialect, Workbench};
use turnwise_core::{Cell, PlanKind, Table, Task};

use crate::ask::{self, Asked};
use crate::{load, mysql_server, server};

/// How far two numbers may be apart, as a part of the larger.
const APART_MAX: f64 = 1e-6;

/// Questions about the shop: every way to gather, group, test, order and calculate.
const SHOP: [&str; 34] = [
    "how many customers are there?",
    "revenue by region",
    "revenue by month in 2023",
    "revenue by quarter",
    "revenue by year",
    "revenue by weekday",
    "revenue by week in 2024",
    "top 5 customers by revenue",
    "bottom 3 products by revenue",
    "average order revenue by region",
    "median revenue by category",
    "90th percentile of revenue by region",
    "standard deviation of revenue by region",
    "correlation between quantity and revenue",
    "correlation between quantity and revenue by category",
    "share of revenue by category",
    "compare revenue in 2023 and 2024",
    "revenue trend by quarter",
    "revenue growth by year",
    "number of orders by channel",
    "how many orders have no channel?",
    "how many different cities do customers come from?",
    "number of customers by segment",
    "customers in Lisbon",
    "number of orders by customer segment and region",
    "regions with more than 500 orders",
    "largest order by revenue",
    "units sold by product",
    "revenue since July 2024",
    "customers with more than 20 orders",
    "which customers have no orders?",
    "list the products by price",
    "average revenue per customer",
    "how many orders were over 500?",
];

/// Questions about the record shop: joins over several tables, names in two columns, rows that may count only once.
const CHINOOK: [&str; 27] = [
    "Revenue by genre",
    "Top 5 artists by revenue",
    "Number of tracks by media type",
    "Customers in Germany",
    "Compare revenue in 2023 and 2024",
    "Number of customers per support rep",
    "Albums by Led Zeppelin",
    "Artists with more than 5 albums",
    "Which year had the highest revenue?",
    "How many different countries do our customers come from?",
    "How many tracks have no composer?",
    "What is the median invoice total?",
    "Sales trend by month in 2025",
    "How many tracks are longer than 5 minutes?",
    "Share of tracks by media type",
    "Customers who spent more than 45 dollars in total",
    "Average invoice total by year",
    "How many Jazz tracks were sold?",
    "How many tracks are in the playlist Grunge?",
    "How many tracks were never sold?",
    "Top 3 composers by number of tracks",
    "Which employee was hired first?",
    "Number of playlists by genre",
    "standard deviation of invoice total by country",
    "average number of days between birth and hire of employees",
    "median number of years between birth and hire of employees by city",
    "How many employees were hired after the birth date?",
];

fn task(question: &str) -> Task {
    let kind = if question.contains("forecast") { PlanKind::Predict } else { PlanKind::Plain };
    Task { kind, ..ask::task(question) }
}

/// What became of a question, in a form that can be compared.
fn outcome(analyst: &Analyst, question: &str) -> Result<Table, String> {
    match ask::run(analyst, &task(question)) {
        Asked::Answered { table, .. } => Ok(table),
        Asked::Unclear { topic, choices } => Err(format!("unclear: {topic}: {choices:?}")),
        Asked::Refused { explanation } => Err(format!("refused: {explanation}")),
        Asked::Failed { error } => Err(format!("FAILED: {error}")),
    }
}

fn same_cell(one: &Cell, other: &Cell) -> bool {
    match (one.as_number(), other.as_number()) {
        (Some(one), Some(other)) => (one - other).abs() <= APART_MAX * one.abs().max(other.abs()),
        _ => one == other,
    }
}

fn same(one: &Table, other: &Table) -> bool {
    let same_row = |(one, other): (&Vec<Cell>, &Vec<Cell>)| {
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_cell(one, other))
    };
    one.columns == other.columns
        && one.total_rows == other.total_rows
        && one.rows.len() == other.rows.len()
        && one.rows.iter().zip(&other.rows).all(same_row)
}

/// Asks both, and gives how many were answered; the engine in the process says what is right.
fn compare(name: &str, questions: &[String], here: &Analyst, there: &Analyst) -> usize {
    let (mut wrong, mut answered) = (Vec::new(), 0);
    for question in questions {
        match (outcome(here, question), outcome(there, question)) {
            (Ok(here), Ok(there)) if same(&here, &there) => answered += 1,
            (Err(here), Err(there)) if here == there && !here.starts_with("FAILED") => {}
            (here, there) => wrong.push(format!("{question}\n   here: {here:?}\n  there: {there:?}")),
        }
    }
    println!("{name}: {answered} of {} answered, {} differently", questions.len(), wrong.len());
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
    answered
}

fn shop() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    turnwise::sample::generate(folder.path(), turnwise::sample::SEED).unwrap();
    let paths = vec![folder.path().to_owned()];
    (folder, paths)
}

/// The questions of the shared file and ours.
fn chinook() -> Option<(PathBuf, Vec<String>)> {
    let database = ask::data("chinook/chinook.sqlite")?;
    let file = std::fs::read_to_string(ask::data("chinook/questions.jsonl")?).unwrap();
    let of_line = |line: &str| -> String {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["question"].as_str().unwrap().to_owned()
    };
    Some((database, file.lines().map(of_line).chain(CHINOOK.map(str::to_owned)).collect()))
}

/// Where the same data is asked about: every engine at hand. Each opens what `paths` hold under `name`.
fn engines(name: &str, paths: &[PathBuf]) -> Vec<(&'static str, Analyst)> {
    let mut all = Vec::new();
    if let Some(server) = server::shared() {
        let address = server.database(name, &load::script(paths, load::Timed::Timestamp));
        all.push(("PostgreSQL", Analyst::open(&[address]).unwrap()));
    }
    if let Some(server) = mysql_server::shared() {
        let address = server.database(name, &load::script(paths, load::Timed::Datetime));
        all.push(("MySQL", Analyst::open(&[address]).unwrap()));
    }
    let is_file = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|extension| extension == "csv");
    if cfg!(feature = "duckdb") && paths.iter().all(is_file) {
        let bench = Workbench::open_with(paths, 0).unwrap();
        assert!(bench.tables().iter().all(|table| table.dialect == Dialect::Duckdb), "{:?}", bench.notes());
        all.push(("DuckDB", Analyst::with_workbench(bench).unwrap()));
    }
    all
}

/// Asks every engine the same; at least so many questions have to be answered, or the comparison says too little.
#[track_caller]
fn check(name: &str, paths: &[PathBuf], questions: &[String], answered_min: usize) {
    let here = Analyst::open(paths).unwrap();
    for (engine, there) in engines(name, paths) {
        let answered = compare(&format!("{name} on {engine}"), questions, &here, &there);
        assert!(answered >= answered_min, "only {answered} questions were answered on {engine}");
    }
}

#[test]
fn every_engine_finds_the_same_in_the_sample_shop() {
    let (_folder, paths) = shop();
    check("shop", &paths, &SHOP.map(str::to_owned), 28);
}

#[test]
fn every_engine_finds_the_same_in_chinook() {
    let Some((database, questions)) = chinook() else { return };
    check("chinook", &[database], &questions, 50);
}

/// Letters of all kinds, quotes, values that differ in case or accent only, gaps, days at the turn of years, times,
/// truths, negative amounts and ties.
const ODD_SALES: &str = "id,place,seller,sold_at,amount,quantity,urgent,note
1,Köln,O'Hara,2020-12-31 23:59:59,10.5,1,true,50% off
2,köln,O'Hara,2021-01-01 00:00:00,10.5,2,false,
3,Koln,\"Dwayne \"\"The Rock\"\"\",2021-01-03 12:30:00,-4.25,3,true,a_b
4,東京,Ünal,2021-01-04 08:00:00,100,4,,back\\slash
5,東京,Ünal,2024-12-30 00:00:01,0,5,false,a%b
6,,O'Hara,2024-12-31 10:00:00,33.333333,,true,
7,São Paulo,,2025-01-01 10:00:00,7,7,false,axb
8,São Paulo,Ünal,,8,8,true,50 percent
9,Köln,O'Hara,2024-02-29 09:00:00,10.5,9,false,
10,AC/DC; DROP TABLE,Ünal,2023-07-15 23:00:00,1000000.01,10,true,-- comment
";

const ODD: [&str; 33] = [
    "total amount by place",
    "number of sales by place",
    "total amount by seller",
    "total amount by seller and place",
    "average amount and total quantity by place",
    "number of sales in Köln",
    "number of sales in köln",
    "total amount for O'Hara",
    "sales by Ünal",
    "total amount in 東京",
    "total amount in São Paulo",
    "sales where note contains 50%",
    "sales where note contains a_b",
    "sales where place is AC/DC; DROP TABLE",
    "number of sales by year",
    "number of sales by week",
    "number of sales by weekday",
    "number of sales by quarter in 2024",
    "total amount by month",
    "total amount by day",
    "total amount since 2024",
    "total amount before 2021",
    "total amount in January 2021",
    "how many different places are there?",
    "how many sales have no place?",
    "how many sales have no quantity?",
    "number of urgent sales",
    "median amount by seller",
    "median amount",
    "25th percentile of amount by seller",
    "correlation between amount and quantity",
    "correlation between amount and quantity by seller",
    "top 3 places by total amount",
];

#[test]
fn every_engine_finds_the_same_in_odd_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sales.csv");
    std::fs::write(&path, ODD_SALES).unwrap();
    check("odd", &[path], &ODD.map(str::to_owned), 24);
}
