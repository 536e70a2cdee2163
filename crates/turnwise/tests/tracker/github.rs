//! GitHub Issues as the tracker of the ticket bot, through the real program, with a stand-in that keeps what it is
//! given and can be made to fail: what is created once, what goes below an epic, and what happens when an answer is
//! lost.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::stand_in::{Asked, ORDER, say, serve};

/// What goes wrong with the next thing that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It is made, and the answer never comes.
    AnswerLost,
    /// 403 because too much was asked for: nothing is done.
    Busy,
    /// 422 with what is wrong with a field.
    Refused,
}

/// A repository.
#[derive(Default)]
struct State {
    issues: Vec<Value>,
    comments: Vec<Value>,
    /// The numbers of an epic and of an issue below it.
    below: Vec<(u64, u64)>,
    faults: VecDeque<Fault>,
    /// Comments that are made, and nobody hears of it.
    lost_comments: usize,
    archived: bool,
    /// What the token may do, where GitHub says it.
    roles: Option<Value>,
}

struct GitHub {
    state: Arc<Mutex<State>>,
    folder: TempDir,
}

impl GitHub {
    fn new() -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let api = serve(&state, State::asked);
        let github = Self { state, folder: tempfile::tempdir().unwrap() };
        github.configured(&format!("{{repository: team/shop, api: \"{api}/\"}}"));
        github
    }

    fn configured(&self, github: &str) {
        let config = format!("assistants: {{tickets: {{github: {github}}}}}\n");
        std::fs::write(self.folder.path().join("turnwise.yaml"), config).unwrap();
    }

    fn fails(&self, fault: Fault) {
        self.state.lock().unwrap().faults.push_back(fault);
    }

    fn say(&self, token: &str, lines: &[&str]) -> String {
        say(self.folder.path(), "--new", ("GITHUB_TOKEN", token), lines)
    }

    /// Goes on in the latest conversation.
    fn say_on(&self, lines: &[&str]) -> String {
        say(self.folder.path(), "--resume", ("GITHUB_TOKEN", "token"), lines)
    }

    fn talk(&self, lines: &[&str]) -> String {
        self.say("token", lines)
    }

    fn issues(&self) -> Vec<Value> {
        self.state.lock().unwrap().issues.clone()
    }
}

impl State {
    fn asked(&mut self, asked: &Asked<'_>) -> Option<(u16, Value)> {
        let head = asked.head.to_lowercase();
        assert!(head.contains("user-agent: turnwise"), "{head}");
        match head.contains("authorization: bearer token\r\n") {
            true => self.answer(asked.path, asked.body),
            false => Some((401, json!({"message": "Bad credentials"}))),
        }
    }

    /// Status and body; none where the connection breaks off.
    fn answer(&mut self, path: &str, body: &Value) -> Option<(u16, Value)> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        if path == "/search/issues" {
            return Some((200, json!({"items": self.found(query)})));
        }
        let below = path.strip_prefix("/repos/team/shop").unwrap();
        let parts: Vec<&str> = below.split('/').skip(1).collect();
        let number = |part: &str| part.parse::<u64>().unwrap();
        Some(match (parts.as_slice(), body.is_null()) {
            ([], _) => (200, json!({"has_issues": true, "archived": self.archived, "permissions": self.roles})),
            (["issues"], true) => (200, self.issues.iter().rev().cloned().collect()),
            (["issues", one], true) => (200, self.issues[usize::try_from(number(one)).unwrap() - 1].clone()),
            (["issues", epic, "sub_issues"], true) => {
                let is_below = |issue: &&Value| self.below.contains(&(number(epic), issue["number"].as_u64().unwrap()));
                (200, self.issues.iter().filter(is_below).cloned().collect())
            }
            (["issues", _, "comments"], true) => (200, Value::Array(self.comments.clone())),
            (made, false) => return self.make(made, body),
            other => panic!("nobody asks for that: {other:?}"),
        })
    }

    fn make(&mut self, made: &[&str], body: &Value) -> Option<(u16, Value)> {
        let fault = self.faults.pop_front();
        match fault {
            Some(Fault::Busy) => return Some((403, json!({"message": "You have exceeded a secondary rate limit"}))),
            Some(Fault::Refused) => {
                let errors = json!([{"resource": "Issue", "field": "title", "code": "missing_field"}]);
                return Some((422, json!({"message": "Validation Failed", "errors": errors})));
            }
            Some(Fault::AnswerLost) | None => {}
        }
        let answer = match made {
            ["issues"] => {
                let number = self.issues.len() + 1;
                let mut issue = body.clone();
                issue["number"] = json!(number);
                issue["id"] = json!(1_000 + number);
                issue["html_url"] = json!(format!("https://github.test/team/shop/issues/{number}"));
                self.issues.push(issue.clone());
                issue
            }
            ["issues", epic, "sub_issues"] => {
                let id = body["sub_issue_id"].as_u64().unwrap();
                self.below.push((epic.parse().unwrap(), id - 1_000));
                json!({"id": id})
            }
            ["issues", _, "comments"] => {
                self.comments.push(body.clone());
                if self.lost_comments > 0 {
                    self.lost_comments -= 1;
                    return None;
                }
                json!({"id": 1})
            }
            other => panic!("nobody makes that: {other:?}"),
        };
        (fault != Some(Fault::AnswerLost)).then_some((201, answer))
    }

    fn found(&self, query: &str) -> Vec<Value> {
        let words: Vec<&str> = query.strip_prefix("q=").unwrap().split('&').next().unwrap().split('+').collect();
        assert_eq!(&words[..4], ["repo:team/shop", "is:issue", "is:open", "in:title"]);
        let is_it = |issue: &&Value| {
            let title = issue["title"].as_str().unwrap().to_lowercase();
            words[4..].split(|word| *word == "OR").any(|all| all.iter().all(|word| title.contains(word)))
        };
        self.issues.iter().filter(is_it).cloned().collect()
    }
}

#[track_caller]
fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}

#[test]
fn an_issue_is_created_with_its_text_and_a_mark_that_nobody_sees() {
    let github = GitHub::new();
    let told = github.talk(&[ORDER, "y"]);
    holds(&told, &["Tickets go to GitHub issues of team/shop.", "Created #1: Login bug", "team/shop/issues/1"]);
    let [issue] = github.issues().try_into().unwrap();
    assert_eq!(issue["labels"], json!(["bug"]));
    holds(issue["body"].as_str().unwrap(), &["Problem: Users get a 500 after SSO.", "<!-- turnwise: "]);
}

#[test]
fn stories_are_sub_issues_of_their_epic_also_after_a_lost_answer() {
    let github = GitHub::new();
    let order = "create an epic with 2 stories for billing: invoices; refunds";
    holds(&github.talk(&[order, "y"]), &["Created 3 tickets:"]);
    assert_eq!(github.state.lock().unwrap().below, [(1, 2), (1, 3)]);
    let github = GitHub::new();
    github.fails(Fault::AnswerLost);
    holds(&github.talk(&[order, "y"]), &["Created 3 tickets:"]);
    let state = github.state.lock().unwrap();
    assert_eq!((state.issues.len(), state.below.as_slice()), (3, [(1, 2), (1, 3)].as_slice()));
}

#[test]
fn one_that_may_be_the_same_gets_a_comment_once_though_its_answer_was_lost() {
    let github = GitHub::new();
    github.talk(&[ORDER, "y"]);
    github.fails(Fault::AnswerLost);
    let told = github.talk(&[ORDER, "add as info", "y"]);
    holds(&told, &["There may be a ticket about this already: #1: Login bug", "Added to #1"]);
    let state = github.state.lock().unwrap();
    assert_eq!((state.issues.len(), state.comments.len()), (1, 1));
}

#[test]
fn a_busy_github_is_asked_again_and_what_it_refuses_is_told() {
    let github = GitHub::new();
    github.fails(Fault::Busy);
    holds(&github.talk(&[ORDER, "y"]), &["Created #1"]);
    let github = GitHub::new();
    github.fails(Fault::Refused);
    holds(&github.talk(&[ORDER, "y"]), &["GitHub refuses it (422). Validation Failed title: missing_field"]);
    let github = GitHub::new();
    github.state.lock().unwrap().archived = true;
    holds(&github.talk(&[ORDER]), &["team/shop takes no issues. Nothing was created."]);
    assert!(github.issues().is_empty());
}

#[test]
fn a_new_issue_mentions_the_one_that_exists_once() {
    let github = GitHub::new();
    github.talk(&[ORDER, "y"]);
    let told = github.talk(&[ORDER, "create new, linked to #1"]);
    holds(&told, &["Create new, linked to #1", "Link it to #1"]);
    assert!(github.state.lock().unwrap().comments.is_empty());
    github.state.lock().unwrap().lost_comments = 1;
    let told = github.say_on(&["y"]);
    holds(&told, &["Created #2: Login bug, linked to #1."]);
    let state = github.state.lock().unwrap();
    let [comment] = state.comments.as_slice() else { panic!("{:?}", state.comments) };
    holds(comment["body"].as_str().unwrap(), &["Related to #1", "<!-- turnwise: "]);
}

#[test]
fn a_token_that_may_not_label_is_told_before_the_preview_because_github_would_drop_the_label() {
    let github = GitHub::new();
    github.state.lock().unwrap().roles = Some(json!({"pull": true, "triage": false, "push": false, "admin": false}));
    let told = github.talk(&[ORDER]);
    holds(&told, &["GitHub does not let this token label issues of team/shop", "“triage”", "Nothing was created."]);
    assert!(!told.contains("Run it?"), "{told}");
    github.state.lock().unwrap().roles = Some(json!({"pull": true, "triage": true, "push": false, "admin": false}));
    holds(&github.talk(&[ORDER, "y"]), &["Created #1"]);
    // Of an app GitHub tells no role.
    let app = GitHub::new();
    app.state.lock().unwrap().roles = Some(json!({"pull": false, "triage": false, "push": false, "admin": false}));
    holds(&app.talk(&[ORDER, "y"]), &["Created #1"]);
}

#[test]
fn a_wrong_token_or_place_says_what_to_mend_and_prints_no_token() {
    let github = GitHub::new();
    let told = github.say("secret-of-the-test", &[ORDER]);
    holds(&told, &["GitHub does not let us in"]);
    assert!(!told.contains("secret-of-the-test"));
    holds(&github.say("", &[]), &["GITHUB_TOKEN is not set", "github.com/settings/tokens"]);
    github.configured("{repository: shop}");
    holds(&github.talk(&[]), &["“shop” is no repository; write owner/name"]);
}
