//! How far a "not" reaches, several numbers of two sides, and amounts that are all together: where one word decides
//! whether an answer is right or its opposite. Over a small trade made here.

use turnwise_analyst::Analyst;
use turnwise_core::Cell;

use crate::ask::{self, Asked};
use crate::made::{names, number, over_sql, rows};

const TRADE: &str = "
    PRAGMA foreign_keys = OFF;
    CREATE TABLE countries (country_id INTEGER PRIMARY KEY, country_name TEXT, population INTEGER);
    CREATE TABLE cities (city_id INTEGER PRIMARY KEY, city_name TEXT, country_id INTEGER REFERENCES countries(country_id),
        population INTEGER);
    CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, staff_name TEXT, hire_date TEXT, salary REAL,
        chief_id INTEGER REFERENCES staff(staff_id));
    CREATE TABLE clients (client_id INTEGER PRIMARY KEY, client_name TEXT, country TEXT);
    CREATE TABLE films (film_id INTEGER PRIMARY KEY, film_title TEXT, rating TEXT, rental_rate REAL, length INTEGER,
        msrp REAL, buy_price REAL);
    CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients(client_id),
        film_id INTEGER REFERENCES films(film_id), sold_on TEXT, amount REAL);
    CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, sale_id INTEGER REFERENCES sales(sale_id), invoice_date TEXT);
    INSERT INTO countries VALUES (1, 'Peru', 900), (2, 'Oman', 800);
    INSERT INTO cities VALUES (1, 'Lima', 1, 50), (2, 'Cusco', 1, 10), (3, 'Muscat', 2, 70);
    INSERT INTO staff VALUES (1, 'Ada', '2003-01-02', 9000, NULL), (2, 'Bob', '2005-03-04', 5000, 1),
        (3, 'Cid', '2007-05-06', 4000, 1), (4, 'Dot', '2008-07-08', 12000, 2);
    INSERT INTO clients VALUES (1, 'Alm', 'Norway'), (2, 'Birk', 'Sweden'), (3, 'Cole', 'Denmark'), (4, 'Dahl', 'Peru'),
        (5, 'Ek', 'Oman'), (6, 'Fox', 'Peru');
    INSERT INTO films VALUES (1, 'Dawn', 'G', 0.99, 100, 30, 10), (2, 'Noon', 'R', 2.99, 130, 20, 15),
        (3, 'Dusk', 'PG', 0.99, 90, 40, 12);
    INSERT INTO sales VALUES (1, 1, 1, '2024-01-02', 10), (2, 2, 1, '2024-01-03', 20), (3, 3, 2, '2024-02-04', 30),
        (4, 4, 2, '2024-02-05', 40), (5, 4, 3, '2024-03-06', 25), (6, 5, 3, '2024-03-07', 5);
    INSERT INTO invoices VALUES (1, 1, '2024-03-01'), (2, 2, '2024-03-01');
";

fn made() -> (tempfile::TempDir, Analyst) {
    over_sql(TRADE)
}

#[test]
fn a_not_reaches_over_its_list_and_no_further() {
    let (_folder, analyst) = made();
    for (question, wanted) in [
        ("number of clients excluding Norway, Sweden and Denmark", 3.0),
        ("how many clients are not in Norway, Sweden, Denmark or Oman?", 2.0),
        ("total amount excluding Norway, Sweden and Denmark", 70.0),
        ("how many films are not rated G?", 2.0),
        ("how many films are not rated R or PG?", 1.0),
        ("how many staff were not hired after 2005?", 2.0),
        ("how many staff were not hired before 2006?", 2.0),
    ] {
        assert_eq!(number(&analyst, question), Some(wanted), "{question}");
    }
    assert_eq!(names(&analyst, "staff without a chief"), ["Ada"]);
}

#[test]
fn amounts_said_with_in_are_all_together() {
    let (_folder, analyst) = made();
    assert_eq!(number(&analyst, "how many clients have more than 50 in sales?"), Some(1.0));
    assert_eq!(number(&analyst, "how many clients have more than 20 in total sales?"), Some(2.0));
}

#[test]
fn several_numbers_of_two_sides_have_a_row_each() {
    let (_folder, analyst) = made();
    let found = rows(&analyst, "compare Norway and Peru by number of sales and total amount");
    let found: Vec<Vec<String>> = found.iter().map(|row| row.iter().take(3).map(Cell::to_string).collect()).collect();
    assert_eq!(found, [["number of sales", "1", "2"], ["total amount", "10.00", "65.00"]]);
}

#[test]
fn rows_shown_with_others_are_shown_and_decide_nothing() {
    let (_folder, analyst) = made();
    let found = rows(&analyst, "top 2 cities by population with their country");
    let found: Vec<Vec<String>> = found.iter().map(|row| row.iter().map(Cell::to_string).collect()).collect();
    assert!(found[0].contains(&"Muscat".to_owned()) && found[0].contains(&"Oman".to_owned()), "{found:?}");
    assert!(found[0].contains(&"70".to_owned()), "{found:?}");
    assert_eq!(names(&analyst, "the most expensive film by msrp"), ["Dusk"]);
}

#[test]
fn rows_are_counted_by_their_own_time() {
    let (_folder, analyst) = made();
    assert_eq!(number(&analyst, "number of sales in January 2024"), Some(2.0));
    assert_eq!(number(&analyst, "how many sales were there in March 2024?"), Some(2.0));
}

#[test]
fn hours_are_not_tested_in_an_unknown_unit() {
    let (_folder, analyst) = made();
    match ask::run(&analyst, &ask::task("films that are longer than 2 hours")) {
        Asked::Refused { explanation } => assert!(explanation.contains("films.length"), "{explanation}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(names(&analyst, "films longer than 120 minutes"), ["Noon"]);
}

#[test]
fn a_share_of_those_who_are_so_is_one_of_them() {
    let (_folder, analyst) = over_sql(
        "CREATE TABLE passengers (passenger_id INTEGER PRIMARY KEY, full_name TEXT, survived INTEGER, sex TEXT);
         INSERT INTO passengers VALUES (1, 'Ann Lee', 1, 'female'), (2, 'Bea Ray', 1, 'female'), (3, 'Cid Fox', 1, 'male'),
            (4, 'Dan Poe', 1, 'male'), (5, 'Eve Dow', 0, 'female'), (6, 'Fay Kay', 0, 'female'), (7, 'Gus Orr', 0, 'male');",
    );
    let found = number(&analyst, "What share of the survivors were female?");
    assert_eq!(found, Some(50.0));
}

#[test]
fn a_text_that_lists_a_value_has_it() {
    let (_folder, analyst) = over_sql(
        "CREATE TABLE films (film_id INTEGER PRIMARY KEY, film_title TEXT, special_features TEXT);
         INSERT INTO films VALUES (1, 'Dawn', 'Trailers'), (2, 'Noon', 'Trailers,Deleted Scenes'),
            (3, 'Dusk', 'Commentaries,Trailers'), (4, 'Night', 'Commentaries'), (5, 'Noon again', 'Trailers,Deleted Scenes');",
    );
    assert_eq!(number(&analyst, "how many films have trailers?"), Some(4.0));
    assert_eq!(number(&analyst, "how many films have commentaries?"), Some(1.0));
}

#[test]
fn the_last_days_of_a_year_are_not_those_of_the_data() {
    let (_folder, analyst) = made();
    match ask::run(&analyst, &ask::task("total amount in the last 30 days of 2023")) {
        Asked::Refused { explanation } => assert!(explanation.contains("name the days"), "{explanation}"),
        other => panic!("{other:?}"),
    }
}
