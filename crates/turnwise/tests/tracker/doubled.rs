//! What is said or pressed more than once makes each ticket once: decisions that arrive together, a click while the
//! tickets are being created, an event that Slack sends again. Through the real server, with Jira's stand-in. Next:
//! `jira`.

use serde_json::{Value, json};

use crate::client::{Client, Reply, Stream, key};
use crate::jira::{EPIC, Jira, Place, TITLES};
use crate::peer::Slack;

/// A team on Slack whose tickets go to Jira.
fn team() -> (Jira, Slack) {
    let place = Place::new();
    let jira = Jira::at(&place);
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("jira-token");
    std::fs::write(&token, "token").unwrap();
    let project = json!({"site": place.site, "project": "SHOP", "user": "ada@example.com", "token_file": token});
    let slack = Slack::configured(folder, &format!("assistants: {{tickets: {{jira: {project}}}}}\n"));
    (jira, slack)
}

/// A conversation whose preview of an epic waits, the reference of that, and what comes from there on.
fn previewed(ada: &Client) -> (String, String, Stream) {
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, EPIC).expect(200);
    stream.question("clarification");
    ada.say(&id, "yes").expect(200);
    let reference = stream.question("approval");
    (id, reference, stream)
}

fn approve(ada: &Client, id: &str, reference: &str, key: &str) -> Reply {
    let body = json!({"reference": reference, "verdict": {"is": "approve"}});
    ada.input("POST", &format!("/v1/conversations/{id}/decisions"), &body, key)
}

/// Waits until all of it has run.
fn rests(stream: &mut Stream) {
    stream.until(|sent| (sent.kind == "state" && sent.data["phase"] == "idle").then_some(()));
}

fn approvals(ada: &Client, id: &str) -> usize {
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let is_one = |event: &&Value| event["event"] == "approved";
    let events = export["events"].as_array().unwrap();
    events.iter().filter(is_one).count()
}

#[test]
fn approvals_that_arrive_together_create_each_ticket_once() {
    for is_same_key in [true, false] {
        let (jira, slack) = team();
        let ada = Client { address: slack.address(), token: None, cookie: None };
        let (id, reference, mut stream) = previewed(&ada);
        let same = key();
        let keys: Vec<String> = (0..6).map(|_| if is_same_key { same.clone() } else { key() }).collect();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let (ada, id, reference) = (&ada, &id, &reference);
            let pressed: Vec<_> =
                keys.iter().map(|key| scope.spawn(move || approve(ada, id, reference, key).status)).collect();
            pressed.into_iter().map(|pressed| pressed.join().unwrap()).collect()
        });
        assert!(statuses.contains(&200), "{statuses:?}");
        rests(&mut stream);
        assert_eq!(jira.titles(), TITLES, "the same key: {is_same_key}, {statuses:?}");
        assert_eq!(approvals(&ada, &id), 1);
    }
}

#[test]
fn an_approval_while_the_tickets_are_created_creates_nothing_more() {
    let (jira, slack) = team();
    let ada = Client { address: slack.address(), token: None, cookie: None };
    let (id, reference, mut stream) = previewed(&ada);
    approve(&ada, &id, &reference, &key()).expect(200);
    jira.wait_for(1);
    let again = approve(&ada, &id, &reference, &key());
    assert!(again.text().contains("already approved"), "{}", again.text());
    ada.say(&id, "yes").expect(200);
    rests(&mut stream);
    assert_eq!(jira.titles(), TITLES);
}

#[test]
fn an_event_that_comes_again_under_its_id_or_another_and_a_double_click_create_each_ticket_once() {
    let (jira, slack) = team();
    let said = |text: &str, at: &str| {
        let text = format!("<@U0BOT> {text}");
        json!({"type": "app_mention", "user": "U1", "text": text, "ts": at, "thread_ts": "100.1", "channel": "C1"})
    };
    for (id, at, words) in [("Ev1", "100.1", EPIC), ("Ev2", "100.2", "yes")] {
        let event = said(words, at);
        for id in [id.to_owned(), id.to_owned(), format!("{id}again")] {
            assert_eq!(slack.event(&id, &event), 200);
        }
        slack.wait(
            "chat.postMessage",
            if at == "100.1" { "You're about to create *6 items*" } else { "Auth and 5 more" },
        );
    }
    let preview = slack.wait("chat.postMessage", "Auth and 5 more");
    std::thread::scope(|scope| {
        for user in ["U1", "U1", "U2"] {
            let (slack, preview) = (&slack, &preview);
            scope.spawn(move || slack.press(user, preview, "Approve"));
        }
    });
    slack.wait("chat.postMessage", "Created 6 tickets");
    slack.press("U1", &preview, "Approve");
    slack.wait("chat.postEphemeral", "This action was already processed.");
    assert_eq!(jira.titles(), TITLES);
    assert_eq!(jira.bulks(), [4], "the stories were created by one request, once");
    assert_eq!(slack.count("chat.postMessage", "Auth and 5 more"), 1);
    assert_eq!(slack.count("chat.postMessage", "Created 6 tickets"), 1);
}

#[test]
fn stories_below_a_line_that_announces_them_are_those_lines_alone() {
    let (jira, slack) = team();
    let ada = Client { address: slack.address(), token: None, cookie: None };
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "create an epic with 2 stories for billing").expect(200);
    stream.question("clarification");
    ada.say(&id, "The stories are:\n- invoices\n- refunds").expect(200);
    let reference = stream.question("approval");
    approve(&ada, &id, &reference, &key()).expect(200);
    jira.wait_for(3);
    assert_eq!(jira.titles(), ["Billing", "Invoices", "Refunds"]);
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "create an epic with 2 stories for search. The stories are:\nindexing\nranking").expect(200);
    let reference = stream.question("approval");
    approve(&ada, &id, &reference, &key()).expect(200);
    jira.wait_for(6);
    assert_eq!(jira.titles(), ["Billing", "Indexing", "Invoices", "Ranking", "Refunds", "Search"]);
}
