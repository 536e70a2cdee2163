//! Questions over the sample shop, a library and a billing database, written with their SQL before they were asked.
//! Both databases are made by code: a library with authors in common and namesakes, and billing with headers, lines,
//! tags and two tables of facts. Next: `main` for how a question is judged.

use parquet::file::reader::FileReader as _;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::record::Field;
use rusqlite::Connection;
use rusqlite::types::Value;
use turnwise_analyst::Analyst;

use crate::{expect, expect_but, load, questions, score};

fn made_by(script: &str) -> (tempfile::TempDir, Analyst, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("data.sqlite");
    let oracle = Connection::open(&database).unwrap();
    oracle.execute_batch(script).unwrap();
    let analyst = Analyst::open(&[database]).unwrap();
    (folder, analyst, oracle)
}

#[test]
fn questions_over_a_library() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/library.sql"));
    expect(&score("library", &questions("fresh/library.jsonl"), &analyst, &oracle), LIBRARY_MIN);
}

#[test]
fn questions_over_subscriptions_and_billing() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/billing.sql"));
    expect(&score("billing", &questions("fresh/billing.jsonl"), &analyst, &oracle), BILLING_MIN);
}

/// Codes for keys, values of one letter, and two keys to the staff.
#[test]
fn questions_over_a_hospital() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/hospital.sql"));
    expect(&score("hospital", &questions("fresh/hospital.jsonl"), &analyst, &oracle), HOSPITAL_MIN);
}

/// Units in the names of columns, copies between loans and books, fines of 0 and missing ones.
#[test]
fn questions_over_a_lending_library() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/lending.sql"));
    expect(&score("lending", &questions("fresh/lending.jsonl"), &analyst, &oracle), LENDING_MIN);
}

/// Names in camelCase, keys told by names alone, dates of customers, of meters and of what is read.
#[test]
fn questions_over_an_energy_supplier() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/energy.sql"));
    expect(&score("energy", &questions("fresh/energy.jsonl"), &analyst, &oracle), ENERGY_MIN);
}

/// Keys called otherwise, a link table of what was prescribed, fees and minutes with their unit behind.
#[test]
fn questions_over_a_group_practice() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/practice.sql"));
    let score = score("practice", &questions("fresh/practice.jsonl"), &analyst, &oracle);
    expect(&score, PRACTICE_MIN);
}

/// Measurements of several kinds in one column, and devices that have none.
#[test]
fn questions_over_sensors() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/sensors.sql"));
    expect(&score("sensors", &questions("fresh/sensors.jsonl"), &analyst, &oracle), SENSORS_MIN);
}

/// Grades by letter, and matches with two keys to the teams.
#[test]
fn questions_over_a_school_with_a_league() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/league.sql"));
    expect(&score("league", &questions("fresh/league.jsonl"), &analyst, &oracle), LEAGUE_MIN);
}

/// What related rows are and are not: no concert, both instruments, one but not the other; verbs between two tables.
#[test]
fn questions_over_an_orchestra() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/orchestra.sql"));
    expect(&score("orchestra", &questions("fresh/orchestra.jsonl"), &analyst, &oracle), ORCHESTRA_MIN);
}

/// What members did not do in a time, or stopped; keys told by names alone.
#[test]
fn questions_over_a_chain_of_gyms() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/gymchain.sql"));
    let score = score("gymchain", &questions("fresh/gymchain.jsonl"), &analyst, &oracle);
    expect_but(&score, GYMCHAIN_MIN, &GYMCHAIN_WRONG);
}

/// Trains with two ends, freight with several dates, engines that did not run.
#[test]
fn questions_over_a_freight_railway() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/railfreight.sql"));
    let score = score("railfreight", &questions("fresh/railfreight.jsonl"), &analyst, &oracle);
    expect_but(&score, RAILFREIGHT_MIN, &RAILFREIGHT_WRONG);
}

/// Owners by way of their pets, and appointments with four dates.
#[test]
fn questions_over_a_veterinary_practice() {
    let (_folder, analyst, oracle) = made_by(include_str!("questions/fresh/vetclinic.sql"));
    let score = score("vetclinic", &questions("fresh/vetclinic.jsonl"), &analyst, &oracle);
    expect_but(&score, VETCLINIC_MIN, &VETCLINIC_WRONG);
}

#[test]
fn questions_over_the_sample_shop() {
    let folder = tempfile::tempdir().unwrap();
    let paths = turnwise::sample::generate(folder.path(), turnwise::sample::SEED).unwrap();
    let analyst = Analyst::open(&paths).unwrap();
    let (tables, orders): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| path.extension().is_some_and(|extension| extension == "csv"));
    let oracle = load(&tables);
    load_orders(&oracle, &orders[0]);
    expect(&score("shop", &questions("fresh/shop.jsonl"), &analyst, &oracle), SHOP_MIN);
}

/// Reads the orders by the file format's own reader, not by the analyst's.
fn load_orders(oracle: &Connection, path: &std::path::Path) {
    let reader = SerializedFileReader::try_from(path).unwrap();
    let mut made = false;
    for row in reader.get_row_iter(None).unwrap().map(Result::unwrap) {
        let columns: Vec<(&String, &Field)> = row.get_column_iter().collect();
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        if !made {
            oracle.execute_batch(&format!("CREATE TABLE orders ({}); BEGIN", names.join(", "))).unwrap();
            made = true;
        }
        let marks = vec!["?"; names.len()].join(", ");
        let mut insert = oracle.prepare_cached(&format!("INSERT INTO orders VALUES ({marks})")).unwrap();
        insert.execute(rusqlite::params_from_iter(columns.iter().map(|(_, field)| value(field)))).unwrap();
    }
    oracle.execute_batch("COMMIT").unwrap();
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Int(number) => Value::Integer(i64::from(*number)),
        Field::Long(number) => Value::Integer(*number),
        Field::Double(number) => Value::Real(*number),
        Field::Str(text) => Value::Text(text.clone()),
        Field::Date(days) => {
            let epoch = jiff::civil::Date::constant(1970, 1, 1);
            Value::Text((epoch + jiff::Span::new().days(*days)).to_string())
        }
        other => panic!("the sample has no such value: {other:?}"),
    }
}

/// Of 28, 27 and 26. They only rise.
const LIBRARY_MIN: usize = 25;
const BILLING_MIN: usize = 21;
const SHOP_MIN: usize = 23;
/// Of 20 each and a few added since: 9, 14 and 14 were right when they were first asked, and four answers were wrong.
const HOSPITAL_MIN: usize = 20;
const SENSORS_MIN: usize = 17;
const LEAGUE_MIN: usize = 20;
const ORCHESTRA_MIN: usize = 24;
/// Of 62, 46 and 39: 20, 18 and 15 were right when they were first asked, and 24 answers were wrong.
const LENDING_MIN: usize = 60;
const ENERGY_MIN: usize = 42;
const PRACTICE_MIN: usize = 34;
/// Of 19 each, which were written before they were asked.
const GYMCHAIN_MIN: usize = 7;
const RAILFREIGHT_MIN: usize = 11;
const VETCLINIC_MIN: usize = 11;
/// Answered wrongly as yet.
const GYMCHAIN_WRONG: [&str; 1] = ["why were fewer classes attended in December 2023 than in November 2023"];
const RAILFREIGHT_WRONG: [&str; 1] = ["why did delivered tonnes fall in feb 2024 vs jan 2024"];
const VETCLINIC_WRONG: [&str; 2] = [
    "How many appointments booked in January 2024 were for February 2024?",
    "how many different owners came in during 2024",
];
