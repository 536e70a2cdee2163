//! Two people on one server, who use the same names for their files and try each other's: nothing crosses from one
//! conversation to another, a link gives what the run wrote or says why not, and nobody learns where things are kept.
//! Next: `people`.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, Server, pipe, sample, tokens, told, turnwise};

const REGIONS: &str = "customers by region";
const REVENUE: &str = "revenue by region";

/// A server with two people, and their conversations.
struct House {
    state: tempfile::TempDir,
    server: Server,
    tokens: Vec<String>,
}

impl House {
    fn open() -> Self {
        let state = tempfile::tempdir().unwrap();
        let file = state.path().join("people");
        let tokens = tokens(&file, &["ada", "ben"]);
        let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
        Self { state, server, tokens }
    }

    fn ada(&self) -> Client {
        self.server.with(&self.tokens[0])
    }

    fn ben(&self) -> Client {
        self.server.with(&self.tokens[1])
    }

    /// The folder with the files of a conversation.
    fn folder(&self, id: &str) -> std::path::PathBuf {
        self.state.path().join("files").join(id)
    }
}

fn list(client: &Client, id: &str) -> Value {
    client.get(&format!("/v1/conversations/{id}/artefacts")).expect(200)
}

fn file(client: &Client, id: &str, number: usize) -> String {
    let reply = client.get(&format!("/v1/conversations/{id}/artefacts/{number}"));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.text()
}

#[test]
fn the_same_name_in_two_conversations_is_two_files() {
    let house = House::open();
    let (ada, ben) = (house.ada(), house.ben());
    let (hers, his) = (ada.begin(), ben.begin());
    ada.run(&hers, &format!("{REGIONS} and save it as rep.csv"));
    let saved = file(&ada, &hers, 1);
    ben.run(&his, &format!("{REVENUE} and save it as rep.csv"));
    assert_eq!(file(&ada, &hers, 1), saved, "her link gives her rows");
    assert_ne!(file(&ben, &his, 1), saved);
    assert!(saved.lines().count() > 1 && file(&ben, &his, 1).lines().count() > 1);

    ada.run(&hers, &format!("{REGIONS} and append it to log.csv"));
    ben.run(&his, &format!("{REGIONS} and append it to log.csv"));
    assert_eq!(file(&ada, &hers, 2), saved, "each log has its rows once");
    assert_eq!(file(&ben, &his, 2), saved);
    // Her own second conversation is another one, too.
    let more = ada.begin();
    ada.run(&more, &format!("{REVENUE} and save it as rep.csv"));
    assert_eq!(file(&ada, &hers, 1), saved);
    // And what is saved anew under a name is what its link gives from then on.
    ada.run(&hers, &format!("{REVENUE} and save it as rep.csv"));
    assert_eq!(file(&ada, &hers, 1), file(&ada, &more, 1));
}

#[test]
fn without_tokens_conversations_have_their_files_apart_as_well() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let (one, other) = (ada.begin(), ada.begin());
    ada.run(&one, &format!("{REGIONS} and save it as rep.csv"));
    let saved = file(&ada, &one, 1);
    ada.run(&other, &format!("{REVENUE} and save it as rep.csv"));
    assert_eq!(file(&ada, &one, 1), saved);
    assert_ne!(file(&ada, &other, 1), saved);
    assert!(!state.path().join("rep.csv").exists(), "not where the server was started");
}

#[test]
fn every_way_to_a_file_of_another_is_refused_in_the_same_words() {
    let house = House::open();
    let (ada, ben) = (house.ada(), house.ben());
    let (hers, his) = (ada.begin(), ben.begin());
    ada.run(&hers, &format!("{REGIONS} and save it as rep.csv"));
    ben.run(&his, &format!("{REGIONS} and save it as own.csv"));
    let kept = house.folder(&hers).join("rep.csv");
    let before = std::fs::read(&kept).unwrap();
    let folder = house.folder(&hers);
    let folder = folder.to_str().unwrap();
    std::os::unix::fs::symlink(&kept, house.folder(&his).join("link.csv")).unwrap();
    std::os::unix::fs::symlink(house.folder(&hers).join("none.csv"), house.folder(&his).join("nowhere.csv")).unwrap();
    let names = [
        format!("../{hers}/rep.csv"),
        format!("../{hers}/none.csv"),
        format!("{folder}/rep.csv"),
        format!("{folder}/none.csv"),
        "../../etc/passwd.csv".to_owned(),
        "sub/rep.csv".to_owned(),
        "~/rep.csv".to_owned(),
        "link.csv".to_owned(),
        "nowhere.csv".to_owned(),
    ];
    for name in &names {
        for manner in ["save it as", "append it to"] {
            let said = ben.told(&his, &format!("{REVENUE} and {manner} \"{name}\""));
            let expected = format!(
                "“{name}” cannot be used here: files are kept with this conversation. Name a file without a folder, as \
                 in “report.csv”."
            );
            assert_eq!(said, expected);
        }
    }
    assert_eq!(std::fs::read(&kept).unwrap(), before);
    assert_eq!(std::fs::read_dir(house.folder(&hers)).unwrap().count(), 1);
    assert!(!house.state.path().join("rep.csv").exists() && !house.state.path().join("files/rep.csv").exists());
}

#[test]
fn what_waits_and_what_was_found_by_one_is_nothing_to_the_other() {
    let house = House::open();
    let (ada, ben) = (house.ada(), house.ben());
    let (hers, his) = (ada.begin(), ben.begin());
    ada.run(&hers, &format!("{REGIONS} and save it as rep.csv"));
    let facts = ada.get(&format!("/v1/conversations/{hers}/facts")).expect(200);
    let name = facts.as_array().unwrap().iter().find(|fact| fact["table"].is_object()).unwrap()["name"].clone();
    let name = name.as_str().unwrap();
    let mut stream = ada.follow(&hers, None);
    ada.say(&hers, &format!("{REVENUE} and save it as rep2.csv")).expect(200);
    let reference = stream.question("approval");
    let below = [
        String::new(),
        "/artefacts".to_owned(),
        "/artefacts/1".to_owned(),
        "/facts".to_owned(),
        format!("/facts/{name}"),
        format!("/facts/{name}/csv"),
        format!("/facts/{name}/chart"),
        "/proof?all=true".to_owned(),
        "/pending".to_owned(),
        "/plan/text".to_owned(),
        "/events".to_owned(),
        "/log".to_owned(),
        "/export".to_owned(),
        "/why".to_owned(),
        "/queue".to_owned(),
    ];
    let missing = ben.get("/v1/conversations/no-such-conversation").text();
    for rest in &below {
        assert_eq!(ada.get(&format!("/v1/conversations/{hers}{rest}")).status, 200, "{rest}");
        let reply = ben.get(&format!("/v1/conversations/{hers}{rest}"));
        assert_eq!((reply.status, reply.text()), (404, missing.clone()), "{rest}");
        // What is hers is not in his own conversation either.
        let own = ben.get(&format!("/v1/conversations/{his}{rest}"));
        assert!(!own.text().contains("rep.csv") && !own.text().contains(&hers), "{rest}: {}", own.text());
    }
    for verdict in [json!({"is": "approve"}), json!({"is": "change", "change": "save it as mine.csv"})] {
        ben.decide(&hers, &reference, &verdict).problem(404, "not_found");
        ben.decide(&his, &reference, &verdict).problem(403, "forged");
    }
    assert!(!house.folder(&hers).join("rep2.csv").exists() && !house.folder(&his).exists());
    ada.decide(&hers, &reference, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| (sent.kind == "state" && sent.data["phase"] == "idle").then_some(()));
    assert_eq!(list(&ada, &hers)[1]["name"], "rep2.csv");
}

#[test]
fn no_surface_says_where_files_are_kept() {
    let house = House::open();
    let ada = house.ada();
    let id = ada.begin();
    ada.run(&id, &format!("{REGIONS} and save it as rep.csv"));
    ada.run(&id, &format!("{REGIONS} and append it to log.csv"));
    let mut stream = ada.follow(&id, None);
    ada.say(&id, &format!("{REVENUE} and save it as rep.csv")).expect(200);
    stream.question("approval");
    let (place, data) = (house.state.path().to_str().unwrap(), sample().to_str().unwrap());
    let below = ["", "/artefacts", "/facts", "/pending", "/plan/text", "/events", "/log", "/export", "/proof?all=true"];
    for rest in below.into_iter().chain(["/proof?all=true&form=html", "/proof?all=true&form=markdown"]) {
        let reply = ada.get(&format!("/v1/conversations/{id}{rest}"));
        assert_eq!(reply.status, 200, "{rest}: {}", reply.text());
        for place in [place, data] {
            assert!(!reply.text().contains(place), "{rest} tells of {place}: {}", reply.text());
        }
    }
    let export = ada.get(&format!("/v1/conversations/{id}/export")).text();
    assert!(export.contains("saved as “rep.csv”") && export.contains("appended to “log.csv”"), "{export}");
    let token = [("TURNWISE_TOKEN", house.tokens[0].as_str())];
    let url = format!("http://{}", house.server.address);
    let chat = pipe(&url, &["--new"], &token, &format!("{REGIONS} and save it as rep.csv\ny\n"));
    assert!(told(&chat).contains("Save the rows as “rep.csv”"), "{}", told(&chat));
    assert!(!told(&chat).contains(place), "{}", told(&chat));
}

#[test]
fn a_link_gives_what_the_run_wrote_or_says_why_not() {
    let mut house = House::open();
    let ada = house.ada();
    let id = ada.begin();
    ada.run(&id, &format!("{REGIONS} and save it as rep.csv"));
    let kept = house.folder(&id).join("rep.csv");
    let bytes = std::fs::read(&kept).unwrap();
    assert_eq!(list(&ada, &id)[0]["state"], "kept");
    let link = format!("/v1/conversations/{id}/artefacts/1");
    for other in [b"mine\n".to_vec(), [bytes.as_slice(), b"more\n"].concat(), bytes[1..].to_vec()] {
        std::fs::write(&kept, other).unwrap();
        let refused = ada.get(&link).problem(409, "file_changed");
        assert_eq!(refused["detail"], "“rep.csv” holds something else by now than what this run wrote");
        assert_eq!((&list(&ada, &id)[0]["state"], &list(&ada, &id)[0]["bytes"]), (&json!("changed"), &Value::Null));
    }
    std::fs::write(&kept, &bytes).unwrap();
    assert_eq!(ada.get(&link).body, bytes);
    std::fs::remove_file(&kept).unwrap();
    ada.get(&link).problem(410, "file_gone");
    assert_eq!(list(&ada, &id)[0]["state"], "gone");
    std::fs::write(&kept, &bytes).unwrap();
    // A log of before says nothing of what was written.
    assert_eq!(house.server.end(), Some(0));
    forget_digests(&house.state.path().join("turnwise.db"));
    let people = house.state.path().join("people");
    house.server = Server::start(house.state.path(), &["--tokens", people.to_str().unwrap()]);
    let ada = house.ada();
    let refused = ada.get(&link).problem(410, "file_unrecorded");
    assert!(refused["hint"].as_str().unwrap().contains("save it anew"), "{refused}");
    assert_eq!(list(&ada, &id)[0]["state"], "unrecorded");
}

/// Takes out of the log what was recorded of files.
fn forget_digests(db: &Path) {
    let kept = rusqlite::Connection::open(db).unwrap();
    let rows: Vec<(i64, String)> = {
        let mut all = kept.prepare("SELECT position, body FROM events WHERE body LIKE '%\"written\"%'").unwrap();
        let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert!(!rows.is_empty(), "what was written is recorded");
    for (row, event) in rows {
        let mut event: Value = serde_json::from_str(&event).unwrap();
        without_written(&mut event);
        let changed = rusqlite::params![event.to_string(), row];
        assert_eq!(kept.execute("UPDATE events SET body = ?1 WHERE position = ?2", changed).unwrap(), 1);
    }
}

fn without_written(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("written");
            members.values_mut().for_each(without_written);
        }
        Value::Array(items) => items.iter_mut().for_each(without_written),
        _ => {}
    }
}

#[test]
fn files_go_with_their_conversation_and_a_fork_has_its_own() {
    let house = House::open();
    let ada = house.ada();
    let id = ada.begin();
    ada.run(&id, &format!("{REGIONS} and save it as rep.csv"));
    let saved = file(&ada, &id, 1);
    let fork = ada.post(&format!("/v1/conversations/{id}/fork"), &json!({})).expect(201)["id"].clone();
    let fork = fork.as_str().unwrap();
    assert_eq!(file(&ada, fork, 1), saved);
    ada.run(fork, &format!("{REVENUE} and save it as rep.csv"));
    assert_eq!(file(&ada, &id, 1), saved, "what a fork writes is its own");
    assert_eq!(ada.send("DELETE", &format!("/v1/conversations/{id}"), &[], None).status, 204);
    assert!(!house.folder(&id).exists());
    assert_ne!(file(&ada, fork, 1), saved);
}

#[test]
fn files_of_conversations_that_are_not_kept_go_with_the_server() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    let id = ada.begin();
    ada.run(&id, &format!("{REGIONS} and save it as rep.csv"));
    assert!(file(&ada, &id, 1).lines().count() > 1);
    assert_eq!(server.end(), Some(0));
    assert_eq!(std::fs::read_dir(state.path().join("files")).unwrap().count(), 0);
}

#[test]
fn a_plan_of_the_server_is_not_written_where_somebody_stands() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, &format!("{REGIONS} and save it as rep.csv")).expect(200);
    let reference = stream.question("approval");
    assert_eq!(server.end(), Some(0));
    let mut approve = turnwise(&["approve", &reference]);
    approve.env("TURNWISE_STATE", state.path()).env("USER", "ada").current_dir(state.path());
    let told = told(&approve.output().unwrap());
    assert!(told.contains("“rep.csv” is kept by the server this was planned on"), "{told}");
    assert!(!state.path().join("rep.csv").exists());
}

#[test]
fn rows_leave_the_server_so_that_no_spreadsheet_runs_them() {
    let state = tempfile::tempdir().unwrap();
    let gadgets = state.path().join("gadgets.csv");
    std::fs::write(&gadgets, "label,pieces\n=cmd|' /C calc'!A0,-7\n+1+1,2\n@SUM(A1),3\nplain,4\n-5,6\n").unwrap();
    let server = Server::start(state.path(), &["--data", gadgets.to_str().unwrap()]);
    let ada = server.anyone();
    let id = ada.begin();
    ada.run(&id, "total pieces by label and save it as out.csv");
    let saved = file(&ada, &id, 1);
    for line in ["'=cmd|' /C calc'!A0,-7", "'+1+1,2", "'@SUM(A1),3", "plain,4", "-5,6"] {
        assert!(saved.lines().any(|known| known == line), "{line} is not in:\n{saved}");
    }
    let facts = ada.get(&format!("/v1/conversations/{id}/facts")).expect(200);
    let name = facts.as_array().unwrap().iter().find(|fact| fact["table"].is_object()).unwrap()["name"].clone();
    let rows = format!("/v1/conversations/{id}/facts/{}/csv", name.as_str().unwrap());
    let taken = ada.get(&rows);
    assert_eq!(taken.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(taken.text(), format!("\u{feff}{saved}"), "one hand writes both");
    let sorted = ada.get(&format!("{rows}?sort=2&descending=true")).text();
    let figures: Vec<&str> = sorted.lines().skip(1).filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(figures, ["6", "4", "3", "2", "-7"], "{sorted}");
    ada.get(&format!("{rows}?sort=9")).problem(422, "no_such_column");
}
