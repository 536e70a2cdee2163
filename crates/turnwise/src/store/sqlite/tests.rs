//! The SQLite store keeps the contract of stores, and says clearly what is wrong with a file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::sync::Arc;

use turnwise_core::PersonId;

use super::*;
use crate::store::Questions;
use crate::store::contract::{Pair, contract_tests};
use turnwise_assistant::{Failure, FailureKind};

/// Two stores on one file, as two processes have them.
fn open() -> Pair {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turnwise.db");
    let one = Arc::new(SqliteStore::open(&path).unwrap());
    let other = Arc::new(SqliteStore::open(&path).unwrap());
    Pair { one, other, _keep: Some(folder) }
}

contract_tests!(open);

fn refusal(path: &Path) -> Failure {
    SqliteStore::open(path).expect_err("the file must be refused").into()
}

#[test]
fn a_file_of_a_newer_version_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turnwise.db");
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", 7).unwrap();
    drop(connection);
    let before = std::fs::read(&path).unwrap();
    let failure = refusal(&path);
    assert_eq!(failure.kind(), FailureKind::Usage);
    let told = failure.to_string();
    assert!(told.contains("made by a newer Turnwise (format 7, this one knows 5)"), "{told}");
    assert!(told.contains("update turnwise, or use --db FILE"), "{told}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_database_of_another_program_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE orders (id INTEGER)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let told = refusal(&path).to_string();
    assert!(told.contains("shop.db is a database of another program"), "{told}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let text = "These are my notes, not a database. ".repeat(40);
    std::fs::write(&path, &text).unwrap();
    let told = refusal(&path).to_string();
    assert!(told.contains("notes.txt is not a Turnwise database, or is damaged"), "{told}");
    assert!(told.contains("use --db FILE"), "{told}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_missing_folder_and_a_folder_instead_of_a_file_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = refusal(&folder.path().join("nowhere/turnwise.db"));
    assert_eq!(missing.kind(), FailureKind::Operator);
    assert!(missing.to_string().contains("cannot open or create"), "{missing}");
    let not_a_file = refusal(folder.path());
    assert!(not_a_file.to_string().contains("cannot open or create"), "{not_a_file}");
}

#[tokio::test]
async fn a_full_disk_is_told_and_costs_nothing_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turnwise.db");
    let store = SqliteStore::open(&path).unwrap();
    let fill = |connection: &Connection| {
        let fact = "x".repeat(100_000);
        connection.execute(
            "INSERT INTO conversations (id, assistant, phase, sequence, active_at) VALUES (?1, '', '', 0, 0)",
            [fact],
        )?;
        Ok(())
    };
    store.write(fill).await.unwrap();
    // SQLite treats a file that may not grow like a disk that is full.
    let limit = |connection: &Connection| {
        let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
        Ok(())
    };
    store.write(limit).await.unwrap();
    let another = |connection: &Connection| {
        let fact = "y".repeat(100_000);
        connection.execute(
            "INSERT INTO conversations (id, assistant, phase, sequence, active_at) VALUES (?1, '', '', 0, 0)",
            [fact],
        )?;
        Ok(())
    };
    let told = Failure::from(store.write(another).await.unwrap_err()).to_string();
    assert!(told.contains("is full; what you said last was not kept"), "{told}");
    let count = |connection: &Connection| {
        Ok(connection.query_row("SELECT count(*) FROM conversations", [], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(store.read(count).await.unwrap(), 1);
    // The store goes on working for what fits.
    assert_eq!(store.position().await.unwrap(), Position::new(0));
    store.release(&Owner::new("anybody")).await.unwrap();
}

#[tokio::test]
async fn a_request_that_fails_does_not_undo_its_neighbours() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("turnwise.db")).unwrap();
    let insert = |id: &'static str| {
        move |connection: &Connection| {
            connection.execute(
                "INSERT INTO conversations (id, assistant, phase, sequence, active_at) VALUES (?1, 'a', 'idle', 0, 0)",
                [id],
            )?;
            Ok(())
        }
    };
    // The first request keeps the writer busy until the others wait, so that they share one transaction.
    let (enter, entered) = std::sync::mpsc::channel();
    let (leave, left) = std::sync::mpsc::channel::<()>();
    let hold = store.write(move |_| {
        enter.send(()).ok();
        left.recv().ok();
        Ok(())
    });
    let others = async {
        tokio::task::yield_now().await;
        entered.recv().unwrap();
        let (one, two, three) = tokio::join!(store.write(insert("a")), store.write(insert("a")), async {
            let last = store.write(insert("b"));
            leave.send(()).unwrap();
            last.await
        });
        assert!(one.is_ok() && three.is_ok());
        assert!(matches!(two, Err(StoreError::Io { .. })), "{two:?}");
    };
    let (held, ()) = tokio::join!(hold, others);
    held.unwrap();
    let count = |connection: &Connection| {
        Ok(connection.query_row("SELECT count(*) FROM conversations", [], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(store.read(count).await.unwrap(), 2);
}

#[tokio::test]
async fn a_damaged_log_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("turnwise.db")).unwrap();
    let damage = |connection: &Connection| {
        connection.execute_batch(
            "INSERT INTO conversations (number, id, assistant, phase, sequence, active_at)
             VALUES (1, 'c', 'a', 'idle', 1, 0);
             INSERT INTO events (conversation, sequence, body) VALUES (1, 1, '{\"event\":\"never_heard_of\"}');",
        )?;
        Ok(())
    };
    store.write(damage).await.unwrap();
    let told = store.load(&ConversationId::new("c")).await.unwrap_err().to_string();
    assert!(told.contains("the log of conversation c is damaged at event #1"), "{told}");
    assert!(told.contains("never_heard_of"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_new_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turnwise.db");
    drop(SqliteStore::open(&path).unwrap());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Lists are filtered by the store, so a file of before must be found through what was added since.
#[tokio::test]
async fn conversations_of_format_2_are_listed_with_their_people_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turnwise.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("migrations/0001_conversations.sql")).unwrap();
    connection.execute_batch(include_str!("migrations/0002_members.sql")).unwrap();
    connection
        .execute_batch(
            r#"INSERT INTO conversations (number, id, assistant, title, phase, active_at, sequence, members)
               VALUES (1, 'c', 'analyst', 'hello', 'idle', 10, 3, '[]');
               INSERT INTO events (conversation, sequence, body) VALUES
               (1, 1, '{"event":"message_received","person":"ben"}'),
               (1, 2, '{"event":"member_joined","person":"ada"}'),
               (1, 3, '{"event":"message_received","person":"ben"}');
               PRAGMA application_id = 0x5475726E;
               PRAGMA user_version = 2;"#,
        )
        .unwrap();
    drop(connection);
    let store = SqliteStore::open(&path).unwrap();
    let of = |person: &str| Listing { member: Some(PersonId::new(person)), ..Listing::default() };
    for person in ["ada", "ben"] {
        let found = store.conversations(&of(person)).await.unwrap();
        assert_eq!(found.len(), 1, "{person}");
        assert_eq!(found[0].members, ["ada", "ben"].map(PersonId::new));
    }
    assert_eq!(store.conversations(&of("zoe")).await.unwrap(), Vec::new());
    // Whether something waits in it is not known, so it is looked into.
    let asking = Listing { questions: Questions::Open, ..Listing::default() };
    assert_eq!(store.conversations(&asking).await.unwrap().len(), 1);
}

/// Processes that start at once make one new file together: none may take the half-made file for somebody else's.
#[test]
fn a_new_file_is_opened_by_many_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let path = folder.path().join(format!("{round}.db"));
        let begin = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            let open = || {
                begin.wait();
                SqliteStore::open(&path)
            };
            let opening: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            for one in opening {
                one.join().unwrap().unwrap_or_else(|error| panic!("round {round}: {error}"));
            }
        });
    }
}
