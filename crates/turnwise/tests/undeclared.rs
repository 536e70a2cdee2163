//! Files declare no keys: which column names the rows of a table, and which table a column refers to, is found from
//! names and values. Each question through `turnwise ask` over a folder of CSV files. Next: `read_right`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

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
    serde_json::from_slice(&told).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&told)))
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
