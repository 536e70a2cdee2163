//! Questions that need tables of different kinds of sources: each is answered from its own, and what would need rows of
//! both is said to need both in one place.

use std::path::PathBuf;

use turnwise_analyst::Analyst;

use crate::ask::{self, Asked};
use crate::mysql_server;

fn outcome(analyst: &Analyst, question: &str) -> String {
    match ask::run(analyst, &ask::task(question)) {
        Asked::Answered { table, .. } => format!("{:?}", table.rows),
        Asked::Unclear { topic, choices } => format!("unclear: {topic}: {choices:?}"),
        Asked::Refused { explanation } => explanation,
        Asked::Failed { error } => format!("FAILED: {error}"),
    }
}

#[test]
fn a_question_over_two_sources_says_what_to_do() {
    let Some(server) = mysql_server::shared() else { return };
    let address = server.database(
        "across",
        "CREATE TABLE orders (id int PRIMARY KEY, region_id int, total int);
         INSERT INTO orders VALUES (1, 1, 5), (2, 2, 7), (3, 1, 3);",
    );
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("regions.csv");
    std::fs::write(&path, "id,name,manager\n1,North,Ann\n2,South,Bob\n").unwrap();
    let analyst = Analyst::open(&[address, path]).unwrap();
    // Each by itself, and numbers of both side by side.
    assert_eq!(outcome(&analyst, "sum of total by region"), "[[Integer(1), Integer(8)], [Integer(2), Integer(7)]]");
    assert_eq!(outcome(&analyst, "how many regions are there?"), "[[Integer(2)]]");
    let both = outcome(&analyst, "compare number of orders and number of regions");
    assert!(both.contains("Integer(2)") && both.contains("Integer(3)"), "{both}");
    // What needs rows of both at once.
    for question in ["sum of total by manager", "sum of total for Ann", "orders in North"] {
        let told = outcome(&analyst, question);
        assert!(told.contains("regions (a file)") && told.contains("orders (a MySQL database)"), "{question}: {told}");
        assert!(told.contains("export orders as CSV and name that file too"), "{question}: {told}");
    }
}
