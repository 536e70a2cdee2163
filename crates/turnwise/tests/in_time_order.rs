//! Two times set against each other: the change is that from the earlier to the later, in whatever order they were
//! said, for every comparison and every "why". Through `turnwise ask`, with the numbers counted here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// 40 flights in January, 30 in February, 12 in December of the year before and 35 in April.
fn flights() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut rows = String::from("flight_id,flew_on,carrier\n");
    let mut id = 0;
    for (month, count) in [("2012-12", 12), ("2013-01", 40), ("2013-02", 30), ("2013-04", 35)] {
        for at in 0..count {
            id += 1;
            rows.push_str(&format!("{id},{month}-{:02},{}\n", at % 28 + 1, ["UA", "AA", "DL"][at % 3]));
        }
    }
    std::fs::write(folder.path().join("flights.csv"), rows).unwrap();
    folder
}

fn ask(folder: &Path, question: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["ask", "--ephemeral", "--approve", "all", "--json", "--data"]).arg(folder.join("flights.csv"));
    command.arg(question).env("TURNWISE_STATE", folder.join("state")).stdin(Stdio::null());
    let told = command.output().unwrap().stdout;
    let told: serde_json::Value =
        serde_json::from_slice(&told).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&told)));
    told["answer"].as_str().unwrap().to_owned()
}

#[track_caller]
fn says(folder: &Path, question: &str, wanted: &str) {
    let said = ask(folder, question);
    assert!(said.starts_with(wanted), "{question}: {said}\nwanted: {wanted}");
}

#[test]
fn why_is_asked_of_the_change_to_the_later_time() {
    let folder = flights();
    for question in [
        "why did the number of flights drop in february compared to january?",
        "why did the number of flights drop from january to february?",
        "why did the number of flights drop in february 2013 compared to january 2013?",
    ] {
        let said = ask(folder.path(), question);
        let year = if question.contains("2013") { " 2013" } else { "" };
        let wanted = format!("Flights fell from 40 in January{year} to 30 in February{year} (-10). By carrier: ");
        assert!(said.starts_with(&wanted), "{question}: {said}");
    }
    says(
        folder.path(),
        "why did the number of flights rise in february compared to january?",
        "It did not: flights fell from 40 in January to 30 in February (-10).",
    );
}

#[test]
fn a_month_without_a_year_is_ordered_as_the_data_have_it() {
    let folder = flights();
    // The data end in April 2013, so the latest December lies before the latest January.
    says(
        folder.path(),
        "why did the number of flights rise in january compared to december?",
        "Flights rose from 12 in December to 40 in January (+28).",
    );
    says(
        folder.path(),
        "compare the number of flights in january and december",
        "December: 12; January: 40; January against December: difference +28, 233.3 %.",
    );
}

#[test]
fn a_comparison_tells_the_later_time_against_the_earlier() {
    let folder = flights();
    let told = "January: 40; February: 30; February against January: difference -10, -25.0 %.";
    for question in [
        "compare the number of flights in february and january",
        "compare the number of flights in january and february",
    ] {
        says(folder.path(), question, told);
    }
    says(
        folder.path(),
        "which carrier grew the most in number of flights from april 2013 to february 2013?",
        "AA grew the most: from 10 in February 2013 to 12 in April 2013 (+2",
    );
}

#[test]
fn a_claim_is_about_the_time_it_names_wherever_that_stands() {
    let folder = flights();
    for (question, holds) in [
        ("were there more flights in february than in january?", "No. "),
        ("were there more flights in january than in february?", "Yes. "),
        ("were there fewer flights in february than in january 2013?", "Yes. "),
        ("were there fewer flights in january than in february 2013?", "No. "),
    ] {
        says(folder.path(), question, holds);
    }
}

/// Without the large data the small ones above are all there is to go by, which is said.
#[test]
fn the_flights_of_new_york_fell_from_january_to_february() {
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/flights/flights.csv.zip");
    if !packed.exists() {
        eprintln!("SKIPPED: {} is not here, so the flights of New York were not asked about", packed.display());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let rows = unpacked(&packed);
    let count = |month: &str| rows.lines().filter(|row| row.starts_with(month)).count();
    let (january, february) = (count("2013,1,"), count("2013,2,"));
    std::fs::write(folder.path().join("flights.csv"), &rows).unwrap();
    let less = january - february;
    let figure = |count: usize| format!("{},{:03}", count / 1_000, count % 1_000);
    let (january, february) = (figure(january), figure(february));
    says(
        folder.path(),
        "why did the number of flights drop in february compared to january?",
        &format!("Flights fell from {january} in January to {february} in February (-{less})."),
    );
}

fn unpacked(packed: &PathBuf) -> String {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(packed).unwrap()).unwrap();
    let mut text = String::new();
    archive.by_name("flights.csv").unwrap().read_to_string(&mut text).unwrap();
    text
}
