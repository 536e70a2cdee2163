//! What a question wants shown, apart from what it asks about: columns by name, keys as they are, a sentence of its
//! own, pairs of rows, orders. Each through `turnwise ask` over a small database of a choir, with answers in SQL here.
//! Next: `read_right` for what a question means.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;
use serde_json::Value;

const CHOIR: &str = "
CREATE TABLE voices (voice_code TEXT PRIMARY KEY, voice_name TEXT);
CREATE TABLE singers (singer_id INTEGER PRIMARY KEY, fname TEXT, lname TEXT, voice_code TEXT REFERENCES voices, fee_eur REAL);
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, hall_name TEXT, town TEXT, seat_count INTEGER);
CREATE TABLE concerts (concert_id INTEGER PRIMARY KEY, title TEXT, hall_id INTEGER REFERENCES halls, length_min INTEGER);
CREATE TABLE appearances (concert_id INTEGER REFERENCES concerts, singer_id INTEGER REFERENCES singers, encores INTEGER);
INSERT INTO voices VALUES ('S1', 'soprano'), ('A1', 'alto'), ('T1', 'tenor');
INSERT INTO singers VALUES (11, 'Odile', 'Brandt', 'S1', 310), (12, 'Piet', 'Aalders', 'T1', 120),
  (13, 'Rosa', 'Celik', 'A1', 450), (14, 'Odile', 'Dorn', 'S1', 90);
INSERT INTO halls VALUES (1, 'Old Mill', 'Leer', 240), (2, 'Glass Court', 'Emden', 700), (3, 'Barn', 'Leer', 80);
INSERT INTO concerts VALUES (21, 'Winter Light', 1, 70), (22, 'Salt', 1, 95), (23, 'Tide', 2, 60), (24, 'Salt', 1, 85);
INSERT INTO appearances VALUES (21, 11, 1), (21, 12, 0), (22, 11, 2), (23, 13, 0), (24, 11, 1), (24, 14, 0);
";

fn choir() -> Desk {
    Desk::of(CHOIR)
}

/// The rows begin with just these values, in this order.
#[track_caller]
fn shows(desk: &Desk, question: &str, sql: &str) {
    let told = desk.ask(question);
    let wanted = desk.rows(sql);
    let found = told["table"]["rows"].as_array().unwrap_or_else(|| panic!("{question}: {}", told["answer"]));
    let width = wanted.first().map_or(0, Vec::len);
    let found: Vec<Vec<Value>> =
        found.iter().map(|row| row.as_array().unwrap().iter().take(width).cloned().collect()).collect();
    assert_eq!(found, wanted, "{question}: {}", told["plan"]["steps"]);
}

#[test]
fn columns_asked_for_are_the_columns_shown() {
    let desk = choir();
    shows(&desk, "Return the ids of all singers.", "SELECT singer_id FROM singers ORDER BY 1");
    shows(
        &desk,
        "What are the first and last names of the singers?",
        "SELECT fname, lname FROM singers ORDER BY singer_id",
    );
    shows(&desk, "Please show the full names of singers", "SELECT fname, lname FROM singers ORDER BY singer_id");
    shows(
        &desk,
        "Give the last name and voice code of each singer",
        "SELECT lname, voice_code FROM singers ORDER BY singer_id",
    );
    let paid = "SELECT fname, fee_eur FROM singers WHERE fee_eur > 200 ORDER BY singer_id";
    shows(&desk, "Find the first names and fees of singers with a fee over 200", paid);
    shows(&desk, "Show all information about the halls", "SELECT * FROM halls ORDER BY hall_id");
    shows(&desk, "What are the different towns of the halls?", "SELECT DISTINCT town FROM halls ORDER BY 1");
}

#[test]
fn a_sentence_of_its_own_says_what_to_show_of_the_one_before() {
    let desk = choir();
    shows(&desk, "Which hall has the most concerts? Give me its town and id.", "SELECT 'Leer', 1");
    shows(&desk, "Which concert is the longest? Show the id and the title.", "SELECT 22, 'Salt'");
    let costly = "SELECT lname FROM singers WHERE fee_eur > 200 ORDER BY singer_id";
    shows(&desk, "Which singers have a fee over 200? List their last names.", costly);
    desk.refused("Which hall has the most concerts? Give me its zodiac.", "“Give me its zodiac” could not");
    desk.refused("Which hall has the most concerts? Give me its fee.", "each hall may have several");
}

#[test]
fn what_belongs_to_rows_in_several_is_listed_with_each() {
    let desk = choir();
    let pairs = "SELECT DISTINCT hall_name, title FROM concerts JOIN halls USING (hall_id) ORDER BY 1, 2";
    shows(&desk, "Show the names and concert titles of the halls", pairs);
    let counts = "SELECT hall_name, COUNT(*) FROM concerts JOIN halls USING (hall_id) GROUP BY hall_id ORDER BY 1";
    shows(&desk, "Show the names of halls along with the number of concerts of each hall", counts);
}

/// What something is of the rows named before is shown with each, and each way of gathering that was said is taken.
#[test]
fn nothing_that_was_listed_is_left_out() {
    let choir = choir();
    let held = "SELECT title, hall_name FROM concerts JOIN halls USING (hall_id) GROUP BY concert_id";
    for question in ["list concerts and their halls", "titles of concerts and their halls"] {
        shows(&choir, question, held);
    }
    shows(
        &choir,
        "average, minimum and maximum length of concerts",
        "SELECT AVG(length_min), MIN(length_min), MAX(length_min) FROM concerts",
    );
    shows(
        &choir,
        "what is the minimum, maximum, and average length of concerts",
        "SELECT MIN(length_min), MAX(length_min), AVG(length_min) FROM concerts",
    );
    shows(&choir, "average fee across singers", "SELECT AVG(fee_eur) FROM singers");
}

#[test]
fn an_order_is_by_what_was_said() {
    let desk = choir();
    shows(&desk, "List the last names of singers in alphabetical order", "SELECT lname FROM singers ORDER BY 1");
    shows(
        &desk,
        "List the titles of concerts in descending order of length",
        "SELECT title FROM concerts ORDER BY length_min DESC",
    );
    let twice = "SELECT title, concert_id FROM concerts ORDER BY title, length_min DESC";
    shows(&desk, "Show the title and id of concerts sorted by title and length in descending order", twice);
    desk.refused("List the last names of singers sorted by shoe size", "“shoe” does not stand");
}
