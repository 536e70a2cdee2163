//! What people say in more words than it takes, and what speaks back to nothing: each means what the plain question
//! does, checked against SQL. What would turn a word into another one stays refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod desk;

use desk::Desk;

/// A hire shop, with a table whose name is shortened, states, and a date for each thing done.
fn shop() -> Desk {
    Desk::of(
        "CREATE TABLE eq (eq_id INTEGER PRIMARY KEY, eq_name TEXT, kind TEXT, state TEXT, price REAL, weight_kg REAL, bought_on TEXT);
         INSERT INTO eq VALUES (1, 'Bolt Cutter', 'Hand Tool', 'ready', 40, 4, '2022-01-05'),
           (2, 'Plate Press', 'Machine', 'sold', 900, 80, '2022-03-05'), (3, 'Mixer', 'Machine', 'scrapped', 350, 60, '2022-04-05'),
           (4, 'Hammer', 'Hand Tool', 'ready', 15, 1, '2023-01-05'), (5, 'Crane', 'Machine', 'ready', 5200, 900, '2023-06-05');
         CREATE TABLE agt (agt_id INTEGER PRIMARY KEY, full_name TEXT, salary REAL, boss_id INTEGER REFERENCES agt(agt_id), hired_on TEXT);
         INSERT INTO agt VALUES (1, 'Ann Berg', 4000, NULL, '2020-01-01'), (2, 'Ben Cole', 4500, 1, '2021-01-01'),
           (3, 'Cai Dorn', 3000, 1, '2022-01-01');
         CREATE TABLE checks (id INTEGER PRIMARY KEY, eq_id INTEGER REFERENCES eq(eq_id), agt_id INTEGER REFERENCES agt(agt_id),
           outcome TEXT, done_on TEXT, minutes INTEGER);
         INSERT INTO checks VALUES (1, 1, 1, 'Fail', '2023-02-01', 20), (2, 2, 2, 'Pass', '2023-03-01', 30),
           (3, 3, 2, 'Fail', '2024-02-01', 10), (4, 1, 3, 'Pass', '2024-03-01', 25), (5, 5, 3, 'Pass', '2024-04-01', 50);
         CREATE TABLE bills (id INTEGER PRIMARY KEY, agt_id INTEGER REFERENCES agt(agt_id), amount REAL, sent_on TEXT, paid_on TEXT);
         INSERT INTO bills VALUES (1, 1, 100, '2023-01-01', '2023-02-01'), (2, 2, 250, '2023-03-01', NULL), (3, 2, 70, '2024-01-01', NULL);",
    )
}

#[test]
fn what_says_nothing_is_passed_over() {
    let shop = shop();
    for question in [
        "How many checks do we have on file?",
        "How many checks are on our books right now?",
        "How many checks do we already have?",
    ] {
        shop.check(question, "SELECT COUNT(*) FROM checks");
    }
    shop.check("How many pieces of equipment ended up scrapped?", "SELECT COUNT(*) FROM eq WHERE state = 'scrapped'");
}

#[test]
fn a_file_that_the_data_has_is_no_idiom() {
    let archive = Desk::of(
        "CREATE TABLE files (id INTEGER PRIMARY KEY, title TEXT);
         INSERT INTO files VALUES (1, 'Plan'), (2, 'Map');
         CREATE TABLE notes (id INTEGER PRIMARY KEY, file_id INTEGER REFERENCES files(id), body TEXT);
         INSERT INTO notes VALUES (1, 1, 'a'), (2, 1, 'b'), (3, NULL, 'c');",
    );
    let told = archive.ask("How many notes on file Plan?");
    assert_eq!(told["table"]["rows"][0][0], serde_json::json!(2), "{told}");
}

#[test]
fn an_order_is_said_in_many_ways() {
    let shop = shop();
    let told = shop.check("Equipment and its price, dearest first", "SELECT eq_name, price FROM eq");
    assert_eq!(told["table"]["rows"][0][0], "Crane");
    let told =
        shop.check("number of checks by outcome, from big to small", "SELECT outcome, COUNT(*) FROM checks GROUP BY 1");
    assert_eq!(told["table"]["rows"][0][0], "Pass");
}

#[test]
fn how_much_something_grew_is_a_comparison_of_what_is_named() {
    let shop = shop();
    for question in [
        "By how many percent did checks grow from 2023 to 2024?",
        "By what percent did the number of checks grow or shrink from 2023 to 2024?",
        "By how much did checks grow from 2023 to 2024?",
    ] {
        shop.check(question, "SELECT 2, 3, 0.5");
    }
}

#[test]
fn what_is_left_aside_or_does_not_count_is_left_out() {
    let shop = shop();
    shop.check(
        "How many equipment by kind, leave scrapped equipment aside",
        "SELECT kind, COUNT(*) FROM eq WHERE state <> 'scrapped' GROUP BY 1",
    );
}

#[test]
fn a_state_is_told_by_its_verb_and_beside_another_one() {
    let shop = shop();
    shop.check("How many checks failed?", "SELECT COUNT(*) FROM checks WHERE outcome = 'Fail'");
    shop.check(
        "How many equipment have we sold or scrapped?",
        "SELECT COUNT(*) FROM eq WHERE state IN ('sold', 'scrapped')",
    );
}

#[test]
fn a_kind_in_the_plural_stands_for_its_rows() {
    let shop = shop();
    let told = shop.check("Show me the two heaviest machines", "SELECT eq_name FROM eq WHERE eq_id IN (2, 5)");
    shop.assumes(&told, "machines");
}

#[test]
fn what_has_not_been_paid_has_no_day_of_it() {
    let shop = shop();
    shop.check("How many bills have not been paid?", "SELECT COUNT(*) FROM bills WHERE paid_on IS NULL");
    shop.check("How many bills havent been payed yet?", "SELECT COUNT(*) FROM bills WHERE paid_on IS NULL");
}

#[test]
fn whose_own_it_is_stands_in_the_question() {
    let shop = shop();
    shop.check("Who earns more than their own boss?", "SELECT 'Ben Cole'");
    shop.refused("What are their names?", "was found before");
}

#[test]
fn no_word_is_read_as_one_that_denies() {
    let shop = Desk::of(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, mins INTEGER, day TEXT);
         INSERT INTO jobs VALUES (1, 10, '2024-01-05'), (2, 20, '2024-06-05');",
    );
    shop.refused("How many minutes per agent in the first quarter of 2024?", "agent");
}

#[test]
fn money_of_several_rows_is_no_amount_of_one() {
    let shop = shop();
    shop.refused("Which agents have more than 200 dollars of unpaid bills?", "sum over several");
}
