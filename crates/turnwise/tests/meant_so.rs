//! Questions whose words could be taken for something else that the data has as well: an amount of a row's details for
//! their number, a value for a column, a date of other rows. Each through `turnwise ask`, with the answers worked out
//! in SQL here. Next: `meant` for words that nobody knows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A laundry: clients may belong to a chain, orders have lines, and each delivery brings crates back.
const LAUNDRY: &str = "
CREATE TABLE client (client_id INTEGER PRIMARY KEY, client_name TEXT, kind TEXT, opened_on DATE,
  parent_client_id INTEGER REFERENCES client);
CREATE TABLE wash (wash_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, wash_out DATE, due_on DATE,
  paid_on DATE, wash_number TEXT, wash_program TEXT);
CREATE TABLE wash_line (line_id INTEGER PRIMARY KEY, wash_id INTEGER REFERENCES wash, line_amount REAL, sponsor TEXT);
CREATE TABLE deliveries (delivery_id INTEGER PRIMARY KEY, wash_id INTEGER REFERENCES wash, delivered_on DATE,
  crates_returned INTEGER);
CREATE TABLE fees (fee_id INTEGER PRIMARY KEY, wash_id INTEGER REFERENCES wash, charged_on DATE, amount REAL,
  category TEXT);
INSERT INTO client VALUES (1, 'Harbour Hotels', 'chain', '2001-01-01', NULL), (2, 'Quay Inn', 'hotel', '2011-05-01', 1),
  (3, 'Pier House', 'hotel', '2012-06-01', 1), (4, 'Sole Diner', 'cat', '2009-07-01', NULL);
INSERT INTO wash VALUES (1, 2, '2023-01-05', '2023-01-10', '2023-01-12', 'W1', 'cold'),
  (2, 2, '2023-12-30', '2024-01-05', '2024-01-09', 'W2', 'cold'), (3, 3, '2024-02-01', '2024-02-08', '2024-02-07', 'W3', 'hot'),
  (4, 4, '2024-03-01', '2024-03-08', NULL, 'W4', 'hot'), (5, 2, '2024-04-01', '2024-04-08', '2024-04-10', 'W5', 'hot');
INSERT INTO wash_line VALUES (1, 1, 10, 'Suds'), (2, 2, 20, 'Suds'), (3, 3, 500, 'Froth'), (4, 4, 7, NULL), (5, 5, 5, 'Froth');
INSERT INTO deliveries VALUES (1, 1, '2023-01-06', 3), (2, 2, '2024-01-02', 5), (3, 3, '2024-02-02', 7);
INSERT INTO fees VALUES (1, 1, '2023-02-01', 12.5, 'repair'), (2, 3, '2024-02-09', 30, 'repair'),
  (3, 4, '2024-03-09', 8, 'lost');
";

fn laundry() -> Desk {
    Desk::of(LAUNDRY)
}

#[test]
fn an_amount_of_the_lines_is_no_number_of_the_rows_they_belong_to() {
    let desk = laundry();
    desk.check("top 1 client by total wash amount", "SELECT client_name, 500.0 FROM client WHERE client_id = 3");
    desk.check(
        "what share of the wash amount does each kind account for?",
        "SELECT kind, SUM(line_amount) / 542.0 FROM client JOIN wash USING (client_id) JOIN wash_line USING (wash_id) GROUP BY kind",
    );
}

#[test]
fn numbers_that_one_table_has_are_of_its_own_date() {
    let told = laundry().check("total crates returned per kind in 2024", "SELECT 'hotel', 12");
    laundry().assumes(&told, "deliveries.delivered_on");
}

#[test]
fn a_value_is_meant_before_a_column_that_means_the_same() {
    laundry().check("clients of kind cat", "SELECT 'Sole Diner'");
    laundry().check("how many cat clients are there?", "SELECT 1");
}

#[test]
fn rows_that_did_something_are_no_column_called_after_both() {
    laundry().check("which clients opened after 2010?", "SELECT client_name FROM client WHERE client_id IN (2, 3)");
}

#[test]
fn what_belongs_to_a_row_is_below_it() {
    let desk = laundry();
    desk.check("which clients belong to Harbour Hotels?", "SELECT 'Quay Inn' UNION SELECT 'Pier House'");
}

#[test]
fn how_often_counts_the_rows_it_is_true_of() {
    let desk = laundry();
    desk.check("clients that paid a wash after its due date more than once", "SELECT 'Quay Inn'");
    desk.check("clients that paid late at least 3 times", "SELECT 'Quay Inn'");
}

#[test]
fn rows_that_are_money_come_to_a_sum() {
    let told = laundry().check(
        "fees charged in 2023 versus 2024 by category",
        "SELECT 'repair', 12.5, 30.0 UNION SELECT 'lost', 0.0, 8.0",
    );
    laundry().assumes(&told, "are added up");
}

#[test]
fn growth_takes_the_date_of_the_rows_that_are_counted() {
    let told = laundry().check("growth of washes from 2023 to 2024", "SELECT '2023', 2 UNION SELECT '2024', 3");
    laundry().assumes(&told, "Dated by wash_out");
}

#[test]
fn the_same_column_said_twice_groups_once() {
    let told = laundry().check(
        "who sponsors the wash lines, and how many wash lines has each sponsor got?",
        "SELECT sponsor, COUNT(*) FROM wash_line WHERE sponsor IS NOT NULL GROUP BY sponsor",
    );
    assert_eq!(told["table"]["columns"].as_array().unwrap().len(), 2, "{told}");
}

#[test]
fn no_sentence_is_dropped_that_may_belong_to_the_question() {
    let question = "How many washes has each client had? I need the client's name, its kind and how many washes.";
    let told = laundry().first_meant(question);
    assert_eq!(told["table"]["columns"], serde_json::json!(["client", "kind", "number of washes"]), "{told}");
}

#[test]
fn plain_words_are_no_slips_of_values() {
    let desk = Desk::of(
        "CREATE TABLE saws (id INTEGER PRIMARY KEY, name TEXT, maker TEXT); \
         INSERT INTO saws VALUES (1, 'A', 'Stihl'), (2, 'B', 'Husky');",
    );
    desk.refused("saws that are still", "still");
}

const FAIR: &str = "
CREATE TABLE towns (town_id INTEGER PRIMARY KEY, town TEXT);
CREATE TABLE gates (gate_id INTEGER PRIMARY KEY, gate_town TEXT);
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, guest_name TEXT, guest_town TEXT);
CREATE TABLE ticket_types (id INTEGER PRIMARY KEY, name TEXT, price REAL);
CREATE TABLE ticket_orders (id INTEGER PRIMARY KEY, ticket_type_id INTEGER REFERENCES ticket_types,
  guest_id INTEGER REFERENCES guests, gate_id INTEGER REFERENCES gates, ordered_on DATE, quantity INTEGER);
CREATE TABLE shifts (id INTEGER PRIMARY KEY, role TEXT, hours REAL, attended INTEGER);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests, paid_on DATE, amount REAL);
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, crew_name TEXT, started DATE, wage REAL);
INSERT INTO gates VALUES (1, 'York'), (2, 'Leeds');
INSERT INTO guests VALUES (1, 'Ada', 'York'), (2, 'Bo', 'Leeds'), (3, 'Cy', 'York');
INSERT INTO ticket_types VALUES (1, 'Saver', 20), (2, 'Week', 70);
INSERT INTO ticket_orders VALUES (1, 1, 1, 2, '2023-05-01', 4), (2, 2, 2, 1, '2023-06-01', 1), (3, 1, 3, 2, '2024-05-01', 2);
INSERT INTO shifts VALUES (1, 'bar', 4, 1), (2, 'bar', 6, 0), (3, 'gate', 5, 1), (4, 'bar', 2, 1);
INSERT INTO payments VALUES (1, 1, '2023-01-01', 10), (2, 2, '2023-02-01', 20), (3, 1, '2024-01-01', 40);
INSERT INTO crew VALUES (1, 'Di', '2019-01-01', 12), (2, 'Ed', '2021-01-01', 15);
";

#[test]
fn what_was_sold_is_added_up_and_no_count_of_its_kinds() {
    let desk = Desk::of(FAIR);
    desk.check("how many tickets were sold in 2023?", "SELECT 5");
    desk.check("number of tickets sold by guest", "SELECT 'Ada', 4 UNION SELECT 'Bo', 1 UNION SELECT 'Cy', 2");
}

#[test]
fn a_place_behind_rows_is_theirs() {
    Desk::of(FAIR).check("which guests from York have ordered a Saver ticket?", "SELECT 'Ada' UNION SELECT 'Cy'");
}

#[test]
fn rows_said_to_be_the_only_ones_are_no_group() {
    Desk::of(FAIR).check("hours by role, attended shifts only", "SELECT 'bar', 6 UNION SELECT 'gate', 5");
}

#[test]
fn who_is_there_the_longest_is_no_number() {
    Desk::of(FAIR).refused("who has been working for us the longest?", "told by a date");
}

#[test]
fn rows_counted_twice_are_counted_with_and_without_the_test() {
    let desk = laundry();
    let programs =
        "SELECT kind, COUNT(*), SUM(wash_program = 'hot') FROM client JOIN wash USING (client_id) GROUP BY kind";
    let told = desk.check("number of washes and number of hot washes by kind", programs);
    desk.assumes(&told, "“hot” is said of one of the numbers");
    let both = "SELECT kind, SUM(wash_program = 'cold'), SUM(wash_program = 'hot')
        FROM client JOIN wash USING (client_id) GROUP BY kind";
    desk.check("number of cold washes and number of hot washes by kind", both);
}
