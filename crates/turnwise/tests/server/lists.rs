//! Lists on a server that many use: nobody's conversation is hidden by those of others, and what waits in it can be
//! decided by its reference however much happened since. Next: `people`.

use std::collections::BTreeSet;
use std::process::Output;

use serde_json::{Value, json};

use crate::client::tokens;
use crate::client::{Client, Server, customers, told, turnwise};

/// Conversations of somebody else, all of them later.
const OTHERS: usize = 1_000;
/// Connections that begin them.
const AT_ONCE: usize = 8;

fn begin_many(ada: &Client, count: usize) {
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| (0..count / AT_ONCE).for_each(|_| drop(ada.begin())));
        }
    });
}

/// All pages of a person's list, each after the other.
fn pages(client: &Client) -> Vec<Vec<Value>> {
    let (mut pages, mut next) = (Vec::new(), Some("/v1/conversations".to_owned()));
    while let Some(path) = next {
        let reply = client.get(&path);
        pages.push(reply.expect(200).as_array().unwrap().clone());
        let link = reply.header("link");
        assert!(link.is_none_or(|link| link.ends_with("; rel=\"next\"")), "{link:?}");
        next = link.map(|link| link[1..link.find('>').unwrap()].to_owned());
    }
    pages
}

#[test]
fn one_conversation_among_a_thousand_of_others_is_listed_and_approved_by_its_reference() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let arguments = ["--tokens", file.to_str().unwrap(), "--requests-per-second", "10000"];
    let server = Server::start(state.path(), &arguments);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let id = ben.begin();
    let mut stream = ben.follow(&id, None);
    ben.say(&id, "how many customers are there?").expect(200);
    let reference = stream.question("approval");
    begin_many(&ada, OTHERS);

    let theirs = pages(&ben);
    assert_eq!(theirs.len(), 1);
    assert_eq!(theirs[0].iter().map(|one| one["id"].as_str().unwrap()).collect::<Vec<_>>(), [id.as_str()]);
    let of_ada = pages(&ada);
    let ids: BTreeSet<String> = of_ada.iter().flatten().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!((of_ada.iter().map(Vec::len).sum::<usize>(), ids.len()), (OTHERS, OTHERS), "each is listed once");
    assert!(of_ada.len() > 1 && !ids.contains(&id));
    ben.get("/v1/conversations?after=yesterday").problem(400, "bad_request");

    let run = |arguments: &[&str]| -> Output {
        turnwise(arguments).env("TURNWISE_STATE", state.path()).env("USER", "ben").output().unwrap()
    };
    let listed: Value = serde_json::from_slice(&run(&["pending", "--json"]).stdout).unwrap();
    assert_eq!(listed[0]["conversation"], json!(id), "{listed}");
    let short = listed[0]["id"].as_str().unwrap();
    assert!(told(&run(&["pending", "--conversation", &id])).contains(short), "{short}");
    let approved = run(&["approve", &reference, "--as", "ben"]);
    assert_eq!(approved.status.code(), Some(0), "{}", told(&approved));
    assert!(told(&approved).contains(&customers()), "{}", told(&approved));
    let again = run(&["approve", short, "--as", "ben"]);
    assert!(told(&again).contains("approved"), "what has ended is found by its short name, too: {}", told(&again));
}
