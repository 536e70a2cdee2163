//! What data do not say about themselves: which column names the rows of a table and which table a column refers to,
//! where files declare no keys; and that a view only says again what its tables say. Each question through
//! `turnwise ask`. Next: `read_right`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "golden/mod.rs"]
mod golden;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Valleys under their names alone, twice: what they are, and their heights. Huts stand in them, trails cross several.
fn valleys() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("heights.csv", "valley_name,highest_meters\nInnach,3106\nLorn,2744\nMarwe,2981\nTosk,2102\n");
    write("valley.csv", "valley_name,area,people\nInnach,210,4200\nLorn,95,800\nMarwe,160,2900\nTosk,48,350\n");
    write("hut.csv", "hut_name,beds,valley_name\nLorn,40,Innach\nAlm Rast,22,Innach\nGrat,18,Marwe\nTosk,12,Tosk\n");
    write("trail.csv", "trail_name,crosses\nRidge,Innach\nRidge,Marwe\nRiver,Lorn\nRiver,Innach\nRiver,Tosk\n");
    folder
}

fn ask(folder: &Path, question: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["ask", "--ephemeral", "--approve", "all", "--json", "--data"]).arg(folder).arg(question);
    command.env("TURNWISE_STATE", folder.join("state")).stdin(Stdio::null());
    let told = command.output().unwrap().stdout;
    let told =
        serde_json::from_slice(&told).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&told)));
    golden::told("undeclared", &tables(folder), question, &told);
    told
}

/// The first line of every file.
fn tables(folder: &Path) -> String {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let first = |path| fs::read_to_string(path).ok()?.lines().next().map(str::to_owned);
    let mut lines: Vec<String> = files.filter(|path| path.is_file()).filter_map(first).collect();
    lines.sort();
    lines.join("\n")
}

#[track_caller]
fn rows(folder: &Path, question: &str) -> Value {
    let told = ask(folder, question);
    let rows = &told["table"]["rows"];
    assert!(rows.is_array(), "{question}: {}", told["answer"]);
    rows.clone()
}

/// A row called by its name has one value of each column: nothing has to be gathered.
#[test]
fn what_a_named_row_has_is_shown() {
    let valleys = valleys();
    assert_eq!(rows(valleys.path(), "what is the area of Innach"), json!([["Innach", 210]]));
    assert_eq!(rows(valleys.path(), "how many people live in Marwe"), json!([[2900]]));
    // A hut is called Lorn as well; only the valley has people.
    assert_eq!(rows(valleys.path(), "what are the people of Lorn"), json!([["Lorn", 800]]));
    // The beds of the hut, or of all huts in the valley: that is asked.
    let told = ask(valleys.path(), "how many beds does Lorn have");
    assert!(told["answer"].as_str().unwrap().contains("more than one thing"), "{}", told["answer"]);
}

/// Two tables have the name as their key: the one it is the name of is referred to, the other says more of its rows.
#[test]
fn a_name_leads_to_the_table_it_is_the_name_of() {
    let valleys = valleys();
    let counted = rows(valleys.path(), "how many huts does each valley have");
    assert_eq!(counted, json!([["Innach", 2], ["Marwe", 1], ["Tosk", 1]]));
    let both = rows(valleys.path(), "number of huts by valley with an area above 100");
    assert_eq!(both, json!([["Innach", 2], ["Marwe", 1]]));
    let crossed = rows(valleys.path(), "which valleys does the River cross");
    let names: Vec<&Value> = crossed.as_array().unwrap().iter().map(|row| &row[0]).collect();
    assert_eq!(names, [&json!("Innach"), &json!("Lorn"), &json!("Tosk")]);
}

/// A kiosk with its views: sums under other names, a part of the sales, and codes with what they mean.
fn kiosk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let database = rusqlite::Connection::open(folder.path().join("kiosk.sqlite")).unwrap();
    let script = "CREATE TABLE regions(region_id INTEGER PRIMARY KEY, region_description TEXT);
        CREATE TABLE kiosks(kiosk_id INTEGER PRIMARY KEY, kiosk_name TEXT, region_id INTEGER REFERENCES regions);
        CREATE TABLE sales(sale_id INTEGER PRIMARY KEY, kiosk_id INTEGER REFERENCES kiosks, sold_on TEXT, amount REAL);
        INSERT INTO regions VALUES (1, 'Harbour'), (2, 'Old Town');
        INSERT INTO kiosks VALUES (1, 'Pier', 1), (2, 'Mole', 1), (3, 'Gate', 2);
        INSERT INTO sales VALUES (1, 1, '2023-05-01', 10), (2, 1, '2024-05-01', 20), (3, 2, '2024-06-01', 40),
            (4, 3, '2024-07-01', 5);
        CREATE VIEW \"Sales by Kiosk\" AS SELECT kiosk_name, SUM(amount) AS amount FROM sales JOIN kiosks USING (kiosk_id)
            WHERE sold_on >= '2024' GROUP BY kiosk_name;
        CREATE VIEW weekend_visits AS SELECT kiosk_name, 7 AS visits FROM kiosks;";
    database.execute_batch(script).unwrap();
    folder
}

/// The tables answer, not the view that holds a part of them; the view is read where it is named as it is written.
#[test]
fn views_stand_aside_for_their_tables() {
    let kiosk = kiosk();
    let all = rows(kiosk.path(), "total amount of sales by kiosk");
    assert_eq!(all, json!([["Gate", 5.0], ["Mole", 40.0], ["Pier", 30.0]]));
    assert_eq!(rows(kiosk.path(), "total amount of Sales by Kiosk"), json!([[65.0]]));
    // Only the view knows visits.
    assert_eq!(rows(kiosk.path(), "total visits"), json!([[21]]));
}

/// A code with its meaning is called by what it means.
#[test]
fn a_code_is_called_by_its_description() {
    let kiosk = kiosk();
    assert_eq!(rows(kiosk.path(), "number of kiosks by region"), json!([["Harbour", 2], ["Old Town", 1]]));
}
