//! Messages of several clauses: each of them is answered, together or one beside the other, and one that finds no place
//! in the answer is asked about. Through `turnwise ask` over a small marina, with answers in SQL here. Next: `shown`
//! for what a single sentence wants shown.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;
use serde_json::Value;

const MARINA: &str = "
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, owner_name TEXT, town TEXT);
CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT, owner_id INTEGER REFERENCES owners,
  price_eur REAL, weight_kg INTEGER, launched_on DATE);
CREATE TABLE rentals (rental_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats, rented_on DATE, fee_eur REAL,
  state TEXT);
INSERT INTO owners VALUES (1, 'Ines Ott', 'Kappeln'), (2, 'Bo Lund', 'Arnis'), (3, 'Mia Falk', 'Kappeln');
INSERT INTO boats VALUES (11, 'Heron', 1, 42000, 3100, '2009-05-02'), (12, 'Tern', 2, 18500, 900, '2015-06-20'),
  (13, 'Gull', 1, 27000, 1400, '2018-04-11'), (14, 'Eider', 3, 9000, 4200, '2003-03-30');
INSERT INTO rentals VALUES (101, 11, '2024-05-01', 300, 'done'), (102, 11, '2024-06-01', 320, 'cancelled'),
  (103, 12, '2024-06-11', 150, 'done'), (104, 13, '2024-07-02', 210, 'done'), (105, 11, '2024-07-09', 340, 'cancelled');
";

fn marina() -> Desk {
    Desk::of(MARINA)
}

/// It is asked which part is wanted, and nothing was answered.
#[track_caller]
fn asks_about(desk: &Desk, question: &str, clause: &str) {
    let told = desk.ask(question);
    assert_eq!(told["table"], Value::Null, "{question}: {told}");
    let asked = told["pending"]["kind"]["clarification"]["question"].as_str().unwrap_or_default().to_owned();
    assert!(asked.contains(clause), "{question}: {told}");
}

/// One of the results has exactly the rows of `sql`.
#[track_caller]
fn has_step(desk: &Desk, told: &Value, sql: &str) {
    let wanted = desk.rows(sql);
    let facts = told["facts"].as_array().unwrap_or_else(|| panic!("{sql}: {told}"));
    let tables = facts.iter().filter_map(|fact| fact["body"]["value"]["table"]["rows"].as_array());
    let holds = |rows: &Vec<Value>, wanted: &Vec<Value>| {
        rows.iter().any(|row| wanted.iter().all(|value| row.as_array().unwrap().iter().any(|cell| alike(cell, value))))
    };
    let same = |rows: &Vec<Value>| rows.len() == wanted.len() && wanted.iter().all(|wanted| holds(rows, wanted));
    let found: Vec<&Vec<Value>> = tables.collect();
    assert!(found.iter().any(|rows| same(rows)), "{sql}: {wanted:?} not in {found:?}");
}

fn alike(cell: &Value, wanted: &Value) -> bool {
    match (cell.as_f64(), wanted.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() < 1e-6,
        _ => cell == wanted,
    }
}

#[track_caller]
fn answers_each(desk: &Desk, question: &str, answers: &[&str]) {
    let told = desk.ask(question);
    for sql in answers {
        has_step(desk, &told, sql);
    }
    let queries = told["plan"]["steps"].as_array().into_iter().flatten().filter(|step| step["tool"] == "query").count();
    assert_eq!(queries, answers.len(), "{question}: {told}");
}

#[test]
fn the_first_of_several_sentences_is_not_lost() {
    let desk = marina();
    let (rentals, prices) = (
        "SELECT b.boat_name, COUNT(*) FROM rentals r JOIN boats b USING (boat_id) GROUP BY 1",
        "SELECT o.owner_name, SUM(price_eur) FROM boats b JOIN owners o USING (owner_id) GROUP BY 1",
    );
    answers_each(&desk, "rentals per boat; total price per owner", &[rentals, prices]);
    answers_each(&desk, "rentals per boat. total price per owner", &[rentals, prices]);
    let year = "SELECT COUNT(*) FROM rentals WHERE rented_on LIKE '2024-06%'";
    let all = ["SELECT COUNT(*) FROM boats", year, "SELECT SUM(fee_eur) FROM rentals"];
    answers_each(&desk, "number of boats; number of rentals in June 2024; total fee", &all);
}

#[test]
fn the_tests_of_a_question_stay_with_it() {
    let desk = marina();
    let fees = "SELECT SUM(fee_eur) FROM rentals";
    let cancelled = "SELECT COUNT(*) FROM rentals WHERE state = 'cancelled'";
    answers_each(&desk, "total fee, and how many rentals were cancelled?", &[fees, cancelled]);
    let owners = "SELECT COUNT(*) FROM owners WHERE town = 'Kappeln'";
    answers_each(
        &desk,
        "number of boats, and how many owners are from Kappeln?",
        &["SELECT COUNT(*) FROM boats", owners],
    );
    let boats = "SELECT COUNT(*) FROM boats";
    let june = "SELECT COUNT(*) FROM rentals WHERE rented_on LIKE '2024-06%'";
    answers_each(&desk, "How many boats are there? And how many rentals were there in June 2024?", &[boats, june]);
    asks_about(&desk, "how many rentals were cancelled, and total fee", "total fee");
}

#[test]
fn groups_and_extremes_stay_with_their_number() {
    let desk = marina();
    let state = "SELECT state, COUNT(*) FROM rentals GROUP BY state";
    let price = "SELECT o.owner_name, AVG(price_eur) FROM boats b JOIN owners o USING (owner_id) GROUP BY 1";
    answers_each(&desk, "average price per owner and number of rentals per state", &[price, state]);
    let both = ["SELECT 'Ines Ott', 2", "SELECT 'Heron', 3"];
    answers_each(&desk, "which owner has the most boats, and which boat has the most rentals?", &both);
}

#[test]
fn what_is_one_question_stays_one() {
    let desk = marina();
    let june = "SELECT COUNT(*), SUM(fee_eur) FROM rentals WHERE rented_on LIKE '2024-06%'";
    desk.check("number of rentals and total fee in June 2024", june);
    let state = "SELECT state, COUNT(*), SUM(fee_eur) FROM rentals GROUP BY state";
    desk.check("number of rentals and total fee per state", state);
}

#[test]
fn what_is_asked_of_the_row_found_stands_beside_it() {
    let desk = marina();
    desk.check("What is the most expensive boat, and who owns it?", "SELECT 'Heron', 'Ines Ott', 42000.0");
    desk.check("Which boat is the heaviest and what does it cost?", "SELECT 'Eider', 4200, 9000.0");
    desk.check("What is the heaviest boat, and when was it launched?", "SELECT 'Eider', '2003-03-30'");
    desk.check("Which owner has the most boats, and what town are they from?", "SELECT 'Ines Ott', 'Kappeln', 2");
    desk.check("Which boat has the highest price, and what is its weight?", "SELECT 'Heron', 3100");
}

#[test]
fn a_number_asked_of_the_same_rows_stands_beside_the_first() {
    let desk = marina();
    let value = "SELECT COUNT(*), SUM(fee_eur) FROM rentals WHERE state = 'cancelled'";
    desk.check("how many rentals were cancelled and what is their total value", value);
    let share = "SELECT SUM(state = 'cancelled'), 100.0 * AVG(state = 'cancelled') FROM rentals";
    desk.check("How many rentals were cancelled, and what share of all rentals is that?", share);
    let some = "SELECT COUNT(*), SUM(state = 'cancelled') FROM rentals";
    desk.check("How many rentals are there, and how many of them are cancelled?", some);
}

#[test]
fn what_is_shown_anyway_is_not_asked_about() {
    let desk = marina();
    desk.check("Which town has the most owners, and how many are there?", "SELECT 'Kappeln', 2");
    desk.check("What is the newest boat, and when was it launched?", "SELECT 'Gull', '2018-04-11'");
}

#[test]
fn a_clause_that_finds_no_place_is_never_left_out_unsaid() {
    let desk = marina();
    desk.refused("Which boat is the heaviest, and where was it rented?", "Not all of that can be put together");
    desk.refused("What is the most expensive boat, and who rented it?", "Not all of that can be put together");
}

#[test]
fn two_sentences_that_ask_are_both_answered() {
    let desk = marina();
    let counts = "SELECT (SELECT COUNT(*) FROM boats), (SELECT COUNT(*) FROM owners)";
    desk.check("How many boats are there? And how many owners?", counts);
    let told = desk.ask("Which town has the most owners? How many rentals were cancelled?");
    let steps = told["plan"]["steps"].to_string();
    has_step(&desk, &told, "SELECT 'Kappeln', 2");
    has_step(&desk, &told, "SELECT COUNT(*) FROM rentals WHERE state = 'cancelled'");
    assert!(!steps.contains("JOIN"), "each question is of its own rows: {steps}");
    let results = told["results"].as_array().unwrap_or_else(|| panic!("no results: {told}"));
    assert_eq!(results.len(), 2, "{told}");
    for result in results {
        let answer = result["answer"].as_str().unwrap();
        assert!(told["answer"].as_str().unwrap().contains(answer), "{answer}: {told}");
    }
}

#[test]
fn what_to_show_may_follow_in_a_list() {
    let desk = marina();
    let fees = "SELECT state, COUNT(*), AVG(fee_eur) FROM rentals GROUP BY state";
    desk.check("number of rentals by state: count and average fee", fees);
}

#[test]
fn a_sentence_of_what_to_show_is_no_question_of_its_own() {
    let desk = marina();
    let told = desk.check(
        "Which boat has the highest average fee? Return the boat name and the average fee.",
        "SELECT b.boat_name, AVG(fee_eur) FROM rentals r JOIN boats b USING (boat_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    );
    assert_eq!(told["table"]["rows"].as_array().map(Vec::len), Some(1), "{told}");
}

#[test]
fn a_long_list_of_numbers_is_read_without_trying_all_its_parts() {
    let desk = marina();
    let list = (0..30).map(|_| "total fees").collect::<Vec<_>>().join(", and ");
    let told = desk.ask(&format!("number of boats, and {list}"));
    assert!(told["answer"].as_str().is_some_and(|answer| !answer.is_empty()), "{told}");
}
