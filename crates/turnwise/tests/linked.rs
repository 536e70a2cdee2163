//! Words that name nothing in the data, linked by their meaning to what does: taken and said on the plan where that is
//! likely enough, asked about with what leads to a plan where it is less, refused by name where nothing is meant. Each
//! question goes through the program, over tables of its own. Next: `meant`, where the program asks.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;
use serde_json::Value;

const COUNTRY: &str = "
CREATE TABLE states (state_code TEXT PRIMARY KEY, state_name TEXT, population INTEGER, area_km2 REAL);
INSERT INTO states VALUES ('CA', 'California', 39000000, 423970), ('TX', 'Texas', 29000000, 695662),
  ('OH', 'Ohio', 11800000, 116098), ('UT', 'Utah', 3200000, 219882);
";

const PRACTICE: &str = "
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, doctor TEXT, visited_on TEXT, wait_minutes INTEGER, fee REAL);
INSERT INTO visits VALUES (1, 'Adams', '2024-01-03', 12, 40), (2, 'Adams', '2024-02-03', 22, 45),
  (3, 'Baker', '2024-02-05', 35, 60), (4, 'Baker', '2024-03-05', 5, 60), (5, 'Baker', '2024-03-09', 18, 80);
";

const WEATHER: &str = "
CREATE TABLE readings (reading_id INTEGER PRIMARY KEY, taken_on TEXT, place TEXT, temperature REAL, humidity REAL);
INSERT INTO readings VALUES (1, '2024-07-01', 'Quay', 31.5, 40), (2, '2024-07-02', 'Quay', 28.0, 55),
  (3, '2024-07-01', 'Hill', 33.0, 38), (4, '2024-07-02', 'Hill', 19.0, 70);
";

/// What is asked back, with the choices.
#[track_caller]
fn asked(desk: &Desk, question: &str) -> (String, Vec<String>) {
    let told = desk.ask(question);
    assert_eq!(told["table"], Value::Null, "{question}: {told}");
    let asked = &told["pending"]["kind"]["clarification"];
    let choices = asked["choices"].as_array().unwrap_or_else(|| panic!("{question}: {told}"));
    let labels = choices.iter().map(|choice| choice["label"].as_str().unwrap().to_owned()).collect();
    (asked["question"].as_str().unwrap().to_owned(), labels)
}

#[test]
fn people_who_live_somewhere_are_asked_about_with_the_population() {
    let desk = Desk::of(COUNTRY);
    for question in ["how many people live in california", "total people in california"] {
        let (said, choices) = asked(&desk, question);
        assert!(said.starts_with("What does “people” mean here?"), "{said}");
        let offered = format!("{said} {choices:?}");
        assert!(offered.contains("population (states.population)"), "{question}: {offered}");
    }
    let told = desk.talk(&["how many people live in california", "population", "y"]);
    assert!(told.contains("39,000,000"), "{told}");
}

#[test]
fn a_unit_behind_a_number_is_the_column_measured_in_it() {
    let desk = Desk::of(WEATHER);
    let told =
        desk.check("how many readings were above 30 degrees", "SELECT COUNT(*) FROM readings WHERE temperature > 30");
    desk.assumes(&told, "degrees: temperature, which is nearest in meaning here.");
}

#[test]
fn the_busiest_is_asked_about_with_rows_and_numbers() {
    let desk = Desk::of(PRACTICE);
    let (_, choices) = asked(&desk, "which doctor is the busiest");
    assert!(choices.contains(&"number of visits".to_owned()), "{choices:?}");
}

#[test]
fn what_is_linked_is_no_fact_and_is_linked_again_in_a_follow_up() {
    let desk = Desk::of(WEATHER);
    let told = desk.talk(&["how many readings were above 30 degrees", "y", "/facts", "only Quay", "y"]);
    assert!(told.contains("degrees: temperature, which is nearest in meaning here."), "{told}");
    assert!(!told.contains("meaning_of_"), "nobody said what it means: {told}");
    assert!(told.contains("Number of readings: 2.") && told.contains("Number of readings: 1."), "{told}");
}

#[test]
fn what_was_said_goes_before_what_is_near() {
    let desk = Desk::of(COUNTRY);
    let told = desk.talk(&["by people I mean area", "total people in california", "y"]);
    assert!(!told.contains("nearest in meaning"), "{told}");
    assert!(told.contains("423,970"), "{told}");
}

#[test]
fn what_names_nothing_by_any_meaning_is_refused_by_name() {
    let desk = Desk::of(PRACTICE);
    for (question, word) in
        [("visits that were reliable", "reliable"), ("number of lawnmowers by doctor", "lawnmowers")]
    {
        let told = desk.ask(question);
        assert_eq!(told["table"], Value::Null, "{question}: {told}");
        assert!(told["answer"].as_str().unwrap().contains(&format!("“{word}”")), "{question}: {told}");
    }
}
