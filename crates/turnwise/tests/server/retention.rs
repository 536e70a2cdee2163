//! `turnwise serve --keep-days` through the real binary, by option, variable and file: old conversations at rest are
//! gone before the first request is answered, and the server says so. The clock is not moved; what is kept is made
//! older. Next: `people`.

use std::path::Path;

use crate::client::{Client, Server};

const QUESTION: &str = "how many customers are there?";

/// A conversation that has come to rest.
fn at_rest(ada: &Client) -> String {
    let id = ada.begin();
    ada.say(&id, "/status").expect(200);
    id
}

/// One whose plan waits.
fn waiting(ada: &Client) -> String {
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, QUESTION).expect(200);
    stream.question("approval");
    id
}

/// Makes the last turn of a conversation so many days older.
fn age(state: &Path, id: &str, days: i64) {
    let kept = rusqlite::Connection::open(state.join("turnwise.db")).unwrap();
    let aged = "UPDATE conversations SET active_at = active_at - ?2 * 86400000 WHERE id = ?1";
    assert_eq!(kept.execute(aged, rusqlite::params![id, days]).unwrap(), 1);
}

#[test]
fn a_server_that_keeps_for_days_forgets_what_is_old_and_at_rest_and_nothing_else() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let (older, old, recent, waits) = (at_rest(&ada), at_rest(&ada), at_rest(&ada), waiting(&ada));
    for id in [&older, &recent] {
        ada.run(id, "customers by region and save it as rep.csv");
    }
    let has_files = |id: &str| state.path().join("files").join(id).exists();
    assert!(has_files(&older) && has_files(&recent));
    assert_eq!(server.end(), Some(0));
    for (id, days) in [(&older, 60), (&old, 40), (&recent, 20), (&waits, 60)] {
        age(state.path(), id, days);
    }
    let is_there = |ada: &Client, id: &str| match ada.get(&format!("/v1/conversations/{id}")).status {
        200 => true,
        404 => false,
        other => panic!("{other}"),
    };
    let there = |ada: &Client| [&older, &old, &recent, &waits].map(|id| is_there(ada, id));

    let mut server = Server::start(state.path(), &[]);
    assert_eq!(there(&server.anyone()), [true; 4], "without the setting everything stays");
    assert_eq!(server.end(), Some(0));
    assert!(!server.said().contains("forgotten"), "{}", server.said());

    let mut server = Server::start(state.path(), &["--keep-days", "90"]);
    assert_eq!(there(&server.anyone()), [true; 4], "nothing is as old as that");
    assert_eq!(server.end(), Some(0));
    assert!(!server.said().contains("forgotten"), "{}", server.said());

    let mut server = Server::start_with(state.path(), &[], &[("TURNWISE_KEEP_DAYS", "50")]);
    assert_eq!(there(&server.anyone()), [false, true, true, true]);
    assert!(!has_files(&older) && has_files(&recent), "files go with their conversation");
    let said = server.said();
    assert!(said.contains("1 conversation without a turn for 50 days: forgotten."), "{said}");
    assert_eq!(server.end(), Some(0));

    std::fs::write(state.path().join("turnwise.yaml"), "keep_days: 30\n").unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    assert_eq!(there(&ada), [false, false, true, true], "what waits for a decision stays, however old");
    assert!(server.said().contains("1 conversation without a turn for 30 days: forgotten."), "{}", server.said());
    ada.get(&format!("/v1/conversations/{old}/export")).problem(404, "not_found");
    let pending = ada.get(&format!("/v1/conversations/{waits}/pending")).expect(200);
    ada.decide(&waits, pending[0]["reference"].as_str().unwrap(), &serde_json::json!({"is": "approve"})).expect(200);
    ada.follow(&waits, None).result();
}
