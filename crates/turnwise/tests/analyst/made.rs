//! Data made by a test, and the short ways to ask about it: rows, names and numbers of an answer, and talks whose last
//! answer is held against SQL. Next: `ask`.

use rusqlite::Connection;
use tempfile::TempDir;
use turnwise_analyst::Analyst;
use turnwise_core::Cell;

use crate::ask::{self, Asked};
use crate::own::expected;

/// An analyst over CSV files, each with its name and text; they are there as long as the folder is.
pub fn over_files(files: &[(&str, &str)]) -> (TempDir, Analyst) {
    let folder = tempfile::tempdir().unwrap();
    let write = |(name, text): &(&str, &str)| {
        let path = folder.path().join(format!("{name}.csv"));
        std::fs::write(&path, text).unwrap();
        path
    };
    let paths: Vec<_> = files.iter().map(write).collect();
    let analyst = Analyst::open(&paths).unwrap();
    (folder, analyst)
}

/// An analyst over a database that `sql` makes.
pub fn over_sql(sql: &str) -> (TempDir, Analyst) {
    let (folder, analyst, _) = opened(sql);
    (folder, analyst)
}

fn opened(sql: &str) -> (TempDir, Analyst, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.sqlite");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(sql).unwrap();
    let analyst = Analyst::open(&[path]).unwrap();
    (folder, analyst, connection)
}

/// The rows of the answer.
pub fn rows(analyst: &Analyst, question: &str) -> Vec<Vec<Cell>> {
    match ask::run(analyst, &ask::task(question)) {
        Asked::Answered { table, .. } => table.rows,
        other => panic!("{question}: {other:?}"),
    }
}

/// All rows of the answer as text.
pub fn told(analyst: &Analyst, question: &str) -> Vec<Vec<String>> {
    rows(analyst, question).iter().map(|row| row.iter().map(Cell::to_string).collect()).collect()
}

/// The first column, as text.
pub fn names(analyst: &Analyst, question: &str) -> Vec<String> {
    told(analyst, question).into_iter().map(|row| row.into_iter().next().unwrap_or_default()).collect()
}

/// The first number of the first row.
pub fn number(analyst: &Analyst, question: &str) -> Option<f64> {
    rows(analyst, question).first().and_then(|row| row.iter().find_map(Cell::as_number))
}

/// Every number of the first row.
pub fn numbers(analyst: &Analyst, question: &str) -> Vec<f64> {
    rows(analyst, question).first().unwrap().iter().filter_map(Cell::as_number).collect()
}

/// Why a question is refused.
pub fn refused(analyst: &Analyst, question: &str) -> String {
    match ask::run(analyst, &ask::task(question)) {
        Asked::Refused { explanation } => explanation,
        other => panic!("{question}: {other:?}"),
    }
}

/// Panics when the question is answered.
pub fn not_answered(analyst: &Analyst, question: &str) {
    if let Asked::Answered { answer, .. } = ask::run(analyst, &ask::task(question)) {
        panic!("{question}: {answer:?}");
    }
}

/// Talks about a database that `made` makes, each with the SQL of the last right answer.
pub fn check_talks(made: &str, talks: &[(&[&str], &str)]) {
    let (_folder, analyst, connection) = opened(made);
    hold(&analyst, &connection, talks);
}

/// Why the last message of a talk is refused.
pub fn talk_refused(made: &str, texts: &[&str]) -> String {
    let (_folder, analyst) = over_sql(made);
    match ask::talked(&analyst, texts) {
        Asked::Refused { explanation } => explanation,
        other => panic!("{texts:?} was answered: {other:?}"),
    }
}

/// Holds the last answer of each talk against its SQL; one that begins with `=` must come in the same order.
pub fn hold(analyst: &Analyst, connection: &Connection, talks: &[(&[&str], &str)]) {
    let mut wrong = Vec::new();
    for (texts, sql) in talks {
        let rows = expected(connection, sql.trim_start_matches('='));
        match ask::talked(analyst, texts) {
            Asked::Answered { table, .. } if ask::holds(&table, &rows, sql.starts_with('=')) => {}
            Asked::Answered { table, plan, .. } => {
                wrong.push(format!("{texts:?}\n wanted {rows:?}\n found {:?}\n{:?}", table.rows, plan.assumptions));
            }
            other => wrong.push(format!("{texts:?}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
