//! Follow-ups that say the opposite, only narrow, or ask for the other end: they stand in the place of what they deny,
//! add no groups, and keep what was tested before. Next: `pieces`, `leaning`.

use rusqlite::Connection;
use turnwise_analyst::Analyst;

use crate::ask::{self, Asked};
use crate::made::{check_talks, talk_refused};

const MADE: &str = "
CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO teams VALUES (1,'Legal'),(2,'IT'),(3,'Design');
CREATE TABLE workers (id INTEGER PRIMARY KEY, name TEXT, team_id INTEGER REFERENCES teams(id), commission REAL);
INSERT INTO workers VALUES (1,'Ada',1,0.1),(2,'Bo',1,NULL),(3,'Cy',1,0.2),(4,'Di',2,NULL),(5,'Ed',2,NULL);
CREATE TABLE clients (id INTEGER PRIMARY KEY, name TEXT, country TEXT, credit REAL);
INSERT INTO clients VALUES (1,'Acme','Spain',10),(2,'Brio','Spain',20),(3,'Coda','France',40),(4,'Duo','Norway',90);
CREATE TABLE orders (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients(id), ordered DATE, status TEXT,
  price REAL, freight REAL);
INSERT INTO orders VALUES (1,1,'2023-01-05','shipped',5,1),(2,1,'2024-01-06','shipped',50,2),
 (3,2,'2024-02-07','cancelled',20,3),(4,3,'2024-02-08','shipped',70,4),(5,3,'2024-02-09','shipped',7,5),
 (6,4,'2024-03-10','shipped',1,6),(7,2,'2023-03-10','cancelled',300,7);
";

#[test]
fn the_opposite_stands_in_the_place_of_what_it_denies() {
    check_talks(
        MADE,
        &[
            (
                &["how many clients are in Spain?", "and not in Spain?"],
                "SELECT COUNT(*) FROM clients WHERE country <> 'Spain'",
            ),
            (
                &["how many clients are not in Spain?", "and in Spain?"],
                "SELECT COUNT(*) FROM clients WHERE country = 'Spain'",
            ),
            (
                &["how many orders were shipped?", "and not shipped?"],
                "SELECT COUNT(*) FROM orders WHERE status <> 'shipped'",
            ),
            (
                &["how many orders in 2024?", "and not in 2024?"],
                "SELECT COUNT(*) FROM orders WHERE ordered NOT LIKE '2024%'",
            ),
            (
                &["how many workers have no commission?", "and with a commission?"],
                "SELECT COUNT(*) FROM workers WHERE commission > 0",
            ),
        ],
    );
}

#[test]
fn what_narrows_is_no_group() {
    check_talks(
        MADE,
        &[
            (
                &["number of orders by month in 2024", "for Spain clients"],
                "SELECT '2024', substr(ordered, 6, 2), COUNT(*) FROM orders JOIN clients c ON c.id = client_id
             WHERE ordered LIKE '2024%' AND country = 'Spain' GROUP BY 2",
            ),
            (
                &["total price by country", "without cancelled orders"],
                "SELECT country, SUM(price) FROM orders JOIN clients c ON c.id = client_id
             WHERE status <> 'cancelled' GROUP BY 1",
            ),
        ],
    );
    let said = talk_refused(MADE, &["total price by country", "including freight"]);
    assert!(said.contains("what is added up"), "{said}");
}

#[test]
fn a_value_in_capitals_is_no_pronoun() {
    check_talks(
        MADE,
        &[(
            &["how many workers are in Legal?", "and in IT?"],
            "SELECT COUNT(*) FROM workers JOIN teams t ON t.id = team_id WHERE t.name = 'IT'",
        )],
    );
}

#[test]
fn groups_stay_tested_by_the_number_that_was_said() {
    check_talks(
        MADE,
        &[
            (
                &["number of orders by country", "only more than 1", "and the average price?"],
                "SELECT country, AVG(price) FROM orders JOIN clients c ON c.id = client_id
             GROUP BY 1 HAVING COUNT(*) > 1",
            ),
            (
                &["average credit by country", "only countries with at least 2 clients"],
                "SELECT country, AVG(credit) FROM clients GROUP BY 1 HAVING COUNT(*) >= 2",
            ),
        ],
    );
}

#[test]
fn a_number_that_is_only_tested_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.db");
    Connection::open(&path).unwrap().execute_batch(MADE).unwrap();
    let texts = ["average credit by country", "only countries with at least 2 clients"];
    let Asked::Answered { table, answer, .. } = ask::talked(&Analyst::open(&[path]).unwrap(), &texts) else {
        panic!("it is not answered");
    };
    assert_eq!(table.columns.len(), 2, "{table:?} {}", answer.text);
}

#[test]
fn the_other_end_goes_by_the_same_number() {
    check_talks(
        MADE,
        &[(
            &["which 2 clients have the highest total price?", "and the lowest?"],
            "SELECT c.name, SUM(price) FROM orders JOIN clients c ON c.id = client_id GROUP BY c.id ORDER BY 2 LIMIT 2",
        )],
    );
}

#[test]
fn a_comparison_is_not_cut_without_a_word() {
    let said = talk_refused(MADE, &["total price by country in 2023", "compare with 2024", "top 2 only"]);
    assert!(said.contains("side by side"), "{said}");
}
