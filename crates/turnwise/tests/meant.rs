//! A word nobody knows is asked about, with what it may mean here; the answer is held and used from there on. Each talk
//! goes through the program, and each number is worked out by SQL here. Next: `conversations/disambiguation`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use std::process::{Command, Stdio};

use desk::Desk;
use serde_json::Value;

/// A courier: what was sent for whom, and who drove it.
const COURIER: &str = "
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, company_name TEXT, city TEXT, opened_on TEXT);
CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, driver_name TEXT, monthly_salary REAL, depot TEXT);
CREATE TABLE shipments (shipment_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts,
  driver_id INTEGER REFERENCES drivers, carrier TEXT, weight_kg REAL, delivery_status TEXT, is_insured INTEGER,
  has_grt INTEGER, sent_on TEXT);
INSERT INTO accounts VALUES
  (1, 'Alder Ltd', 'Bonn', '2023-01-05'), (2, 'Birch AG', 'Kiel', '2023-06-10'), (3, 'Cedar Co', 'Bonn', '2024-02-01');
INSERT INTO drivers VALUES
  (1, 'Uma Frost', 3100, 'North'), (2, 'Vic Gale', 2800, 'South'), (3, 'Wim Hail', 2950, 'North');
INSERT INTO shipments VALUES
  (1, 1, 1, 'Swift', 2.5, 'delivered', 1, 1, '2024-01-10'), (2, 1, 2, 'Swift', 12.0, 'lost', 0, 0, '2024-01-20'),
  (3, 2, 1, 'Nord', 7.25, 'delivered', 1, 0, '2024-02-02'), (4, 3, 3, 'Nord', 30.5, 'on the way', 0, 1, '2024-02-11'),
  (5, 3, 2, 'Swift', 1.0, 'delivered', 1, 0, '2024-03-01'), (6, 1, 3, 'Nord', 18.0, 'lost', 0, 1, '2024-03-09');
";

fn courier() -> Desk {
    Desk::of(COURIER)
}

/// The choices of the question that is asked back, with the question.
#[track_caller]
fn asked(desk: &Desk, question: &str) -> (String, Vec<String>) {
    let told = desk.ask(question);
    assert_eq!(told["table"], Value::Null, "{question}: nothing may be answered before that is known: {told}");
    assert_eq!(told["plan"], Value::Null, "{question}: nothing may be planned before that is known: {told}");
    let asked = &told["pending"]["kind"]["clarification"];
    let choices = asked["choices"].as_array().unwrap_or_else(|| panic!("{question}: {}", told["answer"]));
    let labels = choices.iter().map(|choice| choice["label"].as_str().unwrap().to_owned()).collect();
    (asked["question"].as_str().unwrap().to_owned(), labels)
}

#[track_caller]
fn offers(desk: &Desk, question: &str, word: &str, wanted: &str) -> Vec<String> {
    let (said, choices) = asked(desk, question);
    let asks = format!("What does “{word}” mean here?");
    if said.contains("Perhaps") {
        assert!(said.starts_with(&format!("{asks} Perhaps {wanted}")), "{question}: {said}");
        let [yes, no] = choices.as_slice() else { panic!("{question}: {choices:?}") };
        assert_eq!((yes.starts_with(&format!("Yes: {wanted}")), no.as_str()), (true, "No, something else"));
        return vec![wanted.to_owned()];
    }
    assert_eq!(said, format!("{asks} If it is none of these, say it in your own words."), "{question}");
    assert!(choices.iter().any(|label| label.starts_with(wanted)), "{question}: no {wanted} in {choices:?}");
    assert!((2..=4).contains(&choices.len()), "{choices:?}");
    choices
}

/// Refused as ever, without any question about what a word means.
#[track_caller]
fn not_asked(desk: &Desk, question: &str) -> Value {
    let told = desk.ask(question);
    assert_eq!(told["table"], Value::Null, "{question}: {told}");
    let topic = told["pending"]["kind"]["clarification"]["topic"].as_str().unwrap_or_default();
    assert!(!topic.starts_with("meaning"), "{question}: {told}");
    told
}

fn one_number(desk: &Desk, sql: &str) -> String {
    desk.rows(sql)[0][0].to_string()
}

#[test]
fn a_word_for_rows_is_asked_about_with_the_tables_it_may_mean() {
    let desk = courier();
    let choices = offers(&desk, "how many parcels are there", "parcels", "shipments (table shipments)");
    assert!(choices.first().is_none_or(|first| first.starts_with("shipments")), "the likeliest first: {choices:?}");
    offers(&desk, "the heaviest parcel: carrier and weight", "parcel", "shipments");
    offers(&desk, "average pay of truckers", "truckers", "drivers");
    // However alike, and however alone: it is asked.
    offers(&desk, "which customers sent more than one shipment", "customers", "accounts");
}

#[test]
fn a_word_for_how_rows_are_is_asked_about_with_values_and_yes_no_columns() {
    let desk = courier();
    offers(&desk, "vanished shipments by carrier", "vanished", "lost (shipments.delivery_status)");
    // What is near enough is taken, and said.
    let told = desk.check("how many insurance shipments", "SELECT COUNT(*) FROM shipments WHERE is_insured");
    desk.assumes(&told, "insurance: insured, which is nearest in meaning here.");
}

#[test]
fn the_answer_is_used_said_held_and_forgotten() {
    let desk = courier();
    let count = one_number(&desk, "SELECT COUNT(*) FROM shipments");
    let told = desk.talk(&["how many parcels are there", "shipments", "y", "/facts", "total weight of parcels", "y"]);
    assert!(told.contains("Assumes: parcels = shipments (you said so on message 2)."), "{told}");
    assert!(told.contains(&format!("Number of shipments: {count}.")), "{told}");
    assert!(told.contains("meaning_of_parcel = shipments (told by you"), "{told}");
    let weight = one_number(&desk, "SELECT SUM(weight_kg) FROM shipments");
    assert!(told.contains(&weight), "{weight} is missing in {told}");
    assert_eq!(told.matches("What does “parcels” mean here?").count(), 1, "asked once: {told}");
    let proof = desk.talk(&["how many parcels are there", "shipments", "y", "how did you get that?"]);
    assert!(proof.contains("meaning_of_parcel = shipments (told by you in message 2"), "{proof}");
    // The plan at hand loses its meaning with the fact, so it is asked about again.
    let again = desk.talk(&["how many parcels are there", "shipments", "/facts forget meaning_of_parcel"]);
    assert_eq!(again.matches("What does “parcels” mean here?").count(), 2, "{again}");
}

#[test]
fn an_answer_in_own_words_is_understood_or_asked_again() {
    let desk = courier();
    let count = one_number(&desk, "SELECT COUNT(*) FROM shipments WHERE weight_kg > 10");
    let told = desk.talk(&["how many parcels are there", "shipments over 10 kg", "y"]);
    assert!(told.contains("parcels = shipments over 10 kg (you said so on message 2)"), "{told}");
    assert!(told.contains(&format!(": {count}.")), "{count}: {told}");
    let told = desk.talk(&["how many parcels are there", "the blorps", "2 or 3", "/facts"]);
    assert!(
        told.contains("“blorps” does not stand for anything in this data. What does “parcels” mean here?"),
        "{told}"
    );
    assert!(!told.contains("meaning_of_parcel"), "what was not understood is not held: {told}");
    let told = desk.talk(&["how many parcels are there", "cancel", "/facts"]);
    assert!(!told.contains("meaning_of_parcel") && !told.contains("Plan:"), "{told}");
}

#[test]
fn of_two_words_each_is_asked_about() {
    let desk = courier();
    let told = desk.talk(&["number of parcels by customer", "shipments", "accounts", "y"]);
    assert!(told.contains("What does “parcels” mean here?"), "{told}");
    assert!(told.contains("What does “customer” mean here?"), "what rows are is never taken unasked: {told}");
    for row in desk.rows(
        "SELECT company_name || ' ' || COUNT(*) FROM shipments JOIN accounts USING (account_id) GROUP BY company_name",
    ) {
        let (name, count) = row[0].as_str().unwrap().rsplit_once(' ').unwrap();
        let line = told.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {told}"));
        assert!(line.trim_end().ends_with(count), "{line}");
    }
}

#[test]
fn a_word_in_a_follow_up_that_is_like_nothing_is_refused_and_the_result_stays() {
    let desk = courier();
    let told =
        desk.talk(&["number of shipments by carrier", "y", "only the misplaced ones", "only the lost ones", "y"]);
    assert!(told.contains("“misplaced” does not stand for anything in this data"), "{told}");
    let after = &told[told.find("only the lost ones").unwrap()..];
    for row in desk.rows("SELECT carrier, COUNT(*) FROM shipments WHERE delivery_status = 'lost' GROUP BY carrier") {
        let name = row[0].as_str().unwrap();
        let line = after.lines().rfind(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name}: {told}"));
        assert!(line.trim_end().ends_with(&row[1].to_string()), "{line}");
    }
}

#[test]
fn another_question_meanwhile_leaves_the_word_open() {
    let desk = courier();
    let told = desk.talk(&["how many parcels are there", "average pay of truckers by depot for the year", "/status"]);
    assert!(told.contains("What does “parcels” mean here?"), "{told}");
    // A new question takes the place of the first; its own word is asked about, or it is refused: never both answered.
    assert!(!told.contains("Number of shipments:"), "{told}");
    let told = desk.talk(&["how many parcels are there", "what tables are there?", "shipments", "y"]);
    assert!(told.contains("Still open: What does “parcels” mean here?"), "{told}");
    assert!(told.contains(&format!("Number of shipments: {}.", one_number(&desk, "SELECT COUNT(*) FROM shipments"))));
}

#[test]
fn what_is_like_nothing_here_is_refused_with_questions_about_the_rest() {
    let desk = courier();
    for question in [
        // Like nothing in the data.
        "number of zorgs by carrier",
        // Small words are not asked about.
        "shipments albeit by carrier",
        // A name that is not found is nobody here, and no word with a meaning.
        "number of shipments by carrier for Quentin Blorp",
        // Four words are another question.
        "number of zorgs by blips per frub and quonk",
    ] {
        not_asked(&desk, question);
    }
    let told = desk.talk(&["number of zorgs by carrier"]);
    assert!(told.contains("“zorgs” does not stand for anything in this data"), "{told}");
    let suggested = &told[told.find("“zorgs” does not").unwrap()..];
    assert!(suggested.contains("“number of shipments by carrier”"), "about what was understood: {told}");
    assert!(!suggested.contains("sales"), "nothing is sold here: {told}");
    assert!(told.contains("could be asked instead"), "{told}");
    for line in told.lines().filter(|line| line.contains("could be asked instead")) {
        let question = line.split(['“', '”']).nth(1).unwrap();
        assert_ne!(desk.ask(question)["table"], Value::Null, "{question} is suggested and cannot be answered");
    }
}

#[test]
fn strange_words_do_no_harm() {
    let desk = courier();
    let long = format!("how many {}s are there by carrier", "x".repeat(5_000));
    not_asked(&desk, &long);
    for question in [
        "how many parcels'; DROP TABLE shipments; -- are there",
        "how many <b>parcels</b> are there",
        "how many {{parcels}} are there",
        "how many \u{202e}parcels are there",
    ] {
        let told = desk.ask(question);
        assert_eq!(told["table"], Value::Null, "{question}: {told}");
        let topic = &told["pending"]["kind"]["clarification"]["topic"];
        assert!(topic.is_null() || topic == "meaning: parcels", "only letters are asked about: {told}");
    }
    assert_eq!(one_number(&desk, "SELECT COUNT(*) FROM shipments"), "6");
}

/// Nobody is there to be asked: the question stands with its choices, and the exit code says that it waits.
#[test]
fn asked_once_it_stands_with_its_choices() {
    let desk = courier();
    let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["ask", "--ephemeral", "--approve", "all", "--data"])
        .arg(desk.file())
        .arg("how many parcels are there")
        .env("TURNWISE_STATE", desk.state())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("Perhaps shipments (table shipments): say it in your own words."), "{told}");
    assert_eq!(output.status.code(), Some(4), "{told}");
}
