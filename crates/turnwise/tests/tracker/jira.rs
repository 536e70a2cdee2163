//! Jira as the tracker of the ticket bot, through the real program, with a stand-in that keeps what it is given and can
//! be made to fail: what is required, what is created once, and what happens when an answer is lost.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::prism;
use crate::stand_in::{Answer, Asked, ORDER, say, serve, start};

/// What goes wrong with the next ticket that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It is created, and the answer never comes.
    AnswerLost,
    /// 429: nothing is done.
    Busy,
    /// 429, with when to come again.
    Later(&'static str),
    /// It is done, and nobody hears of it as long as they wait.
    Silent,
    /// 500: nothing is done, but who asked cannot know.
    Broken,
    /// 400 with what is wrong with a field.
    Refused,
    /// 403: the account may not create.
    Forbidden,
}

/// A project.
#[derive(Default)]
struct State {
    issues: Vec<Value>,
    comments: Vec<Value>,
    faults: VecDeque<Fault>,
    /// The same of searches.
    search_faults: VecDeque<Fault>,
    /// How often one was to be created.
    create_requests: usize,
    /// Whether the search does not show yet what was created.
    lags: bool,
    priority_required: bool,
}

/// Where projects are, one after the other.
pub struct Place {
    state: Arc<Mutex<State>>,
    pub site: String,
}

pub struct Jira {
    state: Arc<Mutex<State>>,
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let site = serve(&state, State::asked);
        Self { state, site }
    }
}

impl Jira {
    /// A new project at `place`, instead of the one before.
    pub fn at(place: &Place) -> Self {
        let (state, site) = (Arc::clone(&place.state), &place.site);
        *state.lock().unwrap() = State::default();
        let folder = tempfile::tempdir().unwrap();
        let jira = Self { state, folder };
        jira.configure(site, "");
        jira
    }

    /// Says in the configuration where the project is, and `more` of it.
    fn configure(&self, site: &str, more: &str) {
        let jira = format!("{{site: \"{site}/\", project: SHOP, user: ada@example.com{more}}}");
        let text = format!("assistants: {{tickets: {{jira: {jira}}}}}\n");
        std::fs::write(self.folder.path().join("turnwise.yaml"), text).unwrap();
    }

    /// One that is given up after a moment.
    fn impatient(place: &Place) -> Self {
        let jira = Self::at(place);
        jira.configure(&place.site, ", patience_ms: 500");
        jira
    }

    fn with(self, change: impl FnOnce(&mut State)) -> Self {
        change(&mut self.state.lock().unwrap());
        self
    }

    fn say(&self, which: &str, token: &str, lines: &[&str]) -> String {
        say(self.folder.path(), which, ("JIRA_API_TOKEN", token), lines)
    }

    fn talk(&self, lines: &[&str]) -> String {
        self.say("--new", "token", lines)
    }

    pub fn issues(&self) -> Vec<Value> {
        self.state.lock().unwrap().issues.clone()
    }

    /// What the issues are called, in the order of the alphabet.
    pub fn titles(&self) -> Vec<String> {
        let title = |issue: &Value| issue["fields"]["summary"].as_str().unwrap().to_owned();
        let mut titles: Vec<String> = self.issues().iter().map(title).collect();
        titles.sort();
        titles
    }

    /// Waits until there are so many.
    pub fn wait_for(&self, issues: usize) {
        while self.issues().len() < issues {
            std::thread::yield_now();
        }
    }
}

impl State {
    fn asked(&mut self, asked: &Asked<'_>) -> Answer {
        // printf 'ada@example.com:token' | base64
        match asked.head.contains("Basic YWRhQGV4YW1wbGUuY29tOnRva2Vu") {
            true => self.answer(asked.path, asked.body),
            false => Answer::Whole(401, json!({})),
        }
    }

    fn answer(&mut self, path: &str, body: &Value) -> Answer {
        let path = path.strip_prefix("/rest/api/3/").unwrap();
        let (status, body) = match path.split('?').next().unwrap() {
            "issue/createmeta/SHOP/issuetypes" => {
                let kind = |(id, name): (usize, &str)| json!({"id": id.to_string(), "name": name});
                let kinds = ["Epic", "Story", "Bug", "Task"].into_iter().enumerate().map(kind);
                (200, json!({"issueTypes": kinds.collect::<Vec<_>>()}))
            }
            meta if meta.starts_with("issue/createmeta/SHOP/issuetypes/") => {
                let field = |id: &str, name: &str, kind: &str, required: bool| {
                    json!({"fieldId": id, "key": id, "name": name, "required": required, "hasDefaultValue": false,
                        "operations": ["set"], "schema": {"type": kind, "system": id}})
                };
                let mut priority = field("priority", "Priority", "priority", self.priority_required);
                priority["allowedValues"] = json!([{"id": "1", "name": "High"}, {"id": "2", "name": "Low"}]);
                let summary = field("summary", "Summary", "string", true);
                (200, json!({"fields": [summary, priority]}))
            }
            "search/jql" => match self.search_faults.pop_front() {
                Some(fault) => return fault.answer(),
                None => (200, json!({"issues": self.found(body["jql"].as_str().unwrap())})),
            },
            "issue" => return self.create(body),
            one if one.ends_with("/comment") && body.is_null() => (200, json!({"comments": self.comments})),
            one if one.ends_with("/comment") => {
                self.comments.push(body.clone());
                match self.faults.pop_front() {
                    Some(fault) => return fault.answer(),
                    None => (201, json!({"id": "1"})),
                }
            }
            one => {
                let key = one.strip_prefix("issue/").unwrap();
                (200, self.issues.iter().find(|issue| issue["key"] == key).unwrap().clone())
            }
        };
        Answer::Whole(status, body)
    }

    fn found(&self, jql: &str) -> Vec<Value> {
        let quoted: Vec<&str> = jql.split('"').skip(1).step_by(2).collect();
        assert_eq!(quoted[0], "SHOP");
        let is_it = |issue: &&Value| {
            let fields = &issue["fields"];
            match jql.contains("labels = ") {
                true => fields["labels"].as_array().unwrap().iter().any(|label| label == quoted[1]),
                false => {
                    let summary = fields["summary"].as_str().unwrap().to_lowercase();
                    quoted[1].split(' ').all(|word| summary.contains(word))
                }
            }
        };
        if self.lags { Vec::new() } else { self.issues.iter().filter(is_it).cloned().collect() }
    }

    fn create(&mut self, body: &Value) -> Answer {
        self.create_requests += 1;
        let fault = self.faults.pop_front();
        if let Some(fault) = fault.filter(|fault| !matches!(fault, Fault::AnswerLost | Fault::Silent)) {
            return fault.answer();
        }
        let key = format!("SHOP-{}", self.issues.len() + 1);
        let properties = body["properties"].as_array().unwrap().iter();
        let properties: Value = properties.map(|one| (one["key"].as_str().unwrap(), one["value"].clone())).collect();
        self.issues.push(json!({"key": key, "fields": body["fields"], "properties": properties}));
        fault.map_or_else(|| Answer::Whole(201, json!({"key": key})), Fault::answer)
    }
}

impl Fault {
    fn answer(self) -> Answer {
        match self {
            Self::AnswerLost => Answer::BrokenOff,
            Self::Silent => Answer::Silence,
            Self::Later(when) => Answer::Later(when.to_owned()),
            Self::Busy => Answer::Whole(429, json!({})),
            Self::Broken => Answer::Whole(500, json!({})),
            Self::Refused => Answer::Whole(400, json!({"errors": {"summary": "must not speak of bugs"}})),
            Self::Forbidden => Answer::Whole(403, json!({"errorMessages": ["You may not create issues here."]})),
        }
    }
}

#[track_caller]
fn holds(told: &str, all: &[&str]) {
    for one in all {
        assert!(told.contains(one), "“{one}” is missing:\n{told}");
    }
}

/// Each flow is a test of its own, and goes through Prism as well.
macro_rules! flows {
    ($($flow:ident,)*) => {
        mod directly {
            $(#[test]
            fn $flow() {
                super::$flow(&super::Place::new());
            })*
        }

        const FLOWS: &[(&str, fn(&Place))] = &[$((stringify!($flow), $flow),)*];
    };
}

flows! {
    a_ticket_is_created_with_a_document_a_label_and_its_operation,
    an_epic_is_the_parent_of_its_stories,
    what_the_project_requires_is_asked_before_anything_exists_and_sent_as_jira_knows_it,
    one_that_may_be_the_same_is_offered_and_gets_a_comment_once,
    a_lost_answer_is_looked_up_and_makes_no_second_ticket,
    where_the_search_lags_the_person_is_asked_and_nothing_is_made_twice,
    a_busy_jira_is_asked_again_and_a_broken_one_may_have_done_it,
    what_jira_refuses_is_told_with_its_field_and_a_wrong_token_says_what_to_mend,
    what_an_account_may_not_do_is_told_and_once_it_may_one_ticket_is_made,
    an_answer_to_an_offer_that_is_gone_creates_nothing,
    a_jira_that_says_when_to_come_again_is_asked_again_then_and_one_that_says_too_late_is_told,
}

#[test]
fn every_flow_keeps_to_the_description_that_atlassian_gives() {
    let place = Place::new();
    let prism = match prism::before(&place.site) {
        Ok(prism) => prism,
        Err(missing) => {
            assert_ne!(
                std::env::var("CI").as_deref(),
                Ok("true"),
                "Jira's description cannot be held against: {missing}"
            );
            println!("skipped: {missing}");
            return;
        }
    };
    let place = Place { site: prism.site.clone(), ..place };
    for (name, flow) in FLOWS {
        println!("{name}");
        flow(&place);
    }
}

fn a_ticket_is_created_with_a_document_a_label_and_its_operation(place: &Place) {
    let jira = Jira::at(place);
    let told = jira.talk(&[ORDER, "y"]);
    holds(&told, &["Tickets go to Jira project SHOP", "Created SHOP-1: Login bug", "/browse/SHOP-1"]);
    let [issue] = jira.issues().try_into().unwrap();
    assert_eq!(issue["fields"]["issuetype"]["id"], "2");
    let content = &issue["fields"]["description"]["content"];
    assert_eq!(content[0]["content"][0]["text"], "Problem: Users get a 500 after SSO.");
    assert_eq!(content[2]["type"], "orderedList");
    assert!(issue["fields"]["labels"][0].as_str().unwrap().starts_with("turnwise-"));
    assert!(issue["properties"]["turnwise.operation"]["id"].is_string());
}

fn an_epic_is_the_parent_of_its_stories(place: &Place) {
    let jira = Jira::at(place);
    let told = jira.talk(&["create an epic with 2 stories for billing: invoices; refunds", "y"]);
    holds(&told, &["Created 3 tickets:"]);
    let issues = jira.issues();
    assert_eq!(issues.len(), 3);
    assert!(issues[1..].iter().all(|story| story["fields"]["parent"]["key"] == "SHOP-1"), "{issues:?}");
}

fn what_the_project_requires_is_asked_before_anything_exists_and_sent_as_jira_knows_it(place: &Place) {
    let jira = Jira::at(place).with(|state| state.priority_required = true);
    holds(&jira.talk(&[ORDER]), &["SHOP requires priority. What should it be?", "1 High", "2 Low"]);
    assert!(jira.issues().is_empty());
    holds(&jira.talk(&[ORDER, "low", "y"]), &["Created SHOP-1"]);
    assert_eq!(jira.issues()[0]["fields"]["priority"]["id"], "2");
}

fn one_that_may_be_the_same_is_offered_and_gets_a_comment_once(place: &Place) {
    let jira = Jira::at(place);
    jira.talk(&[ORDER, "y"]);
    let told = jira.talk(&[ORDER, "add as info", "y"]);
    holds(&told, &["There may be a ticket about this already: SHOP-1: Login bug", "Added to SHOP-1"]);
    let state = jira.state.lock().unwrap();
    assert_eq!((state.issues.len(), state.comments.len()), (1, 1));
    assert_eq!(state.comments[0]["properties"][0]["key"], "turnwise.operation");
}

fn a_lost_answer_is_looked_up_and_makes_no_second_ticket(place: &Place) {
    let jira = Jira::at(place).with(|state| state.faults.push_back(Fault::AnswerLost));
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    assert_eq!(jira.issues().len(), 1);
}

fn where_the_search_lags_the_person_is_asked_and_nothing_is_made_twice(place: &Place) {
    let jira = Jira::at(place).with(|state| {
        state.faults.push_back(Fault::AnswerLost);
        state.lags = true;
    });
    let told = jira.talk(&[ORDER, "y"]);
    holds(&told, &["does not show a ticket with the label turnwise-"]);
    assert_eq!(jira.issues().len(), 1);
}

fn a_busy_jira_is_asked_again_and_a_broken_one_may_have_done_it(place: &Place) {
    let busy = Jira::at(place).with(|state| state.faults.push_back(Fault::Busy));
    holds(&busy.talk(&[ORDER, "y"]), &["Created SHOP-1"]);
    let broken = Jira::at(place).with(|state| state.faults.push_back(Fault::Broken));
    holds(&broken.talk(&[ORDER, "y"]), &["does not show a ticket with the label turnwise-"]);
    assert!(broken.issues().is_empty());
}

fn what_jira_refuses_is_told_with_its_field_and_a_wrong_token_says_what_to_mend(place: &Place) {
    let jira = Jira::at(place).with(|state| state.faults.push_back(Fault::Refused));
    holds(&jira.talk(&[ORDER, "y"]), &["Jira refuses it (400). summary: must not speak of bugs"]);
    let told = jira.say("--new", "secret-of-the-test", &[ORDER]);
    holds(&told, &["does not let us in: user and token are not those of an account"]);
    assert!(!told.contains("secret-of-the-test"));
    holds(&jira.say("--new", "", &[]), &["JIRA_API_TOKEN is not set", "id.atlassian.com"]);
    assert!(jira.issues().is_empty());
}

fn what_an_account_may_not_do_is_told_and_once_it_may_one_ticket_is_made(place: &Place) {
    let jira = Jira::at(place).with(|state| state.faults.push_back(Fault::Forbidden));
    holds(&jira.talk(&[ORDER, "y"]), &["Jira does not permit that. You may not create issues here."]);
    assert!(jira.issues().is_empty());
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    assert_eq!(jira.issues().len(), 1);
}

fn an_answer_to_an_offer_that_is_gone_creates_nothing(place: &Place) {
    for answer in ["add as info", "Link to this", "show more", "create new", "add as info to SHOP-1", "leave it out"] {
        let jira = Jira::at(place).with(|state| state.search_faults.push_back(Fault::Broken));
        let told = jira.talk(&[ORDER, answer, "y"]);
        holds(&told, &["Jira answered 500", "Nothing was created.", "Nothing I asked waits for that answer."]);
        assert!(jira.issues().is_empty(), "{answer}: {told}");
    }
}

fn a_jira_that_says_when_to_come_again_is_asked_again_then_and_one_that_says_too_late_is_told(place: &Place) {
    let jira = Jira::at(place).with(|state| {
        state.search_faults.extend([Fault::Later("0"), Fault::Later("Sun, 06 Nov 1994 08:49:37 GMT")]);
        state.faults.push_back(Fault::Later("1"));
    });
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    let late = Jira::at(place).with(|state| state.search_faults.push_back(Fault::Later("3600")));
    let told = "Jira asks for patience: it may be asked again in 3600 seconds, and that is not waited for.";
    holds(&late.talk(&[ORDER]), &[told, "Nothing was created."]);
    let late = Jira::at(place).with(|state| state.faults.push_back(Fault::Later("3600")));
    holds(&late.talk(&[ORDER, "y"]), &[told, "Nothing was done."]);
    let state = late.state.lock().unwrap();
    assert_eq!((state.create_requests, state.issues.len()), (1, 0), "it is left alone");
}

#[test]
fn a_jira_that_never_stops_asking_for_patience_is_told() {
    let jira = Jira::at(&Place::new()).with(|state| state.search_faults.extend([Fault::Later("0"); 4]));
    holds(&jira.talk(&[ORDER]), &["Jira asks for patience. It was asked 4 times. Nothing was created."]);
}

#[test]
fn a_description_that_is_longer_than_jira_takes_is_refused_before_anything_exists() {
    let jira = Jira::at(&Place::new());
    let long = "Users get a 500 after SSO and nobody can work. ".repeat(720);
    let order = format!("create a ticket for login bug. {long}It should log in with SSO.");
    let told = jira.talk(&[&order, "y"]);
    holds(
        &told,
        &["The description of “", "and Jira project SHOP at ", "takes at most 32,767.", "Nothing was created."],
    );
    let state = jira.state.lock().unwrap();
    assert_eq!((state.create_requests, state.issues.len()), (0, 0));
    drop(state);
    let shorter = order.replacen("Users get a 500 after SSO and nobody can work. ", "", 100);
    holds(&jira.talk(&[&shorter, "1", "y"]), &["Created SHOP-1"]);
}

#[test]
fn a_slow_look_is_made_twice_and_then_told() {
    let place = Place::new();
    let slow = Jira::impatient(&place).with(|state| state.search_faults.push_back(Fault::Silent));
    holds(&slow.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    let silent = Jira::impatient(&place).with(|state| state.search_faults.extend([Fault::Silent; 2]));
    holds(&silent.talk(&[ORDER]), &["Jira does not answer. Nothing was created."]);
    let mended = Jira::at(&place);
    mended.configure(&place.site, ", patience_ms: 0");
    holds(&mended.talk(&[]), &["turnwise.yaml: ", "invalid value: integer `0`", "at line 1"]);
}

#[test]
fn what_was_made_too_slowly_is_looked_up_and_not_made_again() {
    let place = Place::new();
    let jira = Jira::impatient(&place).with(|state| state.faults.push_back(Fault::Silent));
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    jira.state.lock().unwrap().faults.push_back(Fault::Silent);
    holds(&jira.talk(&[ORDER, "add as info", "y"]), &["Added to SHOP-1"]);
    let state = jira.state.lock().unwrap();
    assert_eq!((state.create_requests, state.issues.len(), state.comments.len()), (1, 1, 1));
}

#[test]
fn a_comment_that_jira_would_refuse_for_its_length_is_shortened_at_a_sentence_and_says_so() {
    let jira = Jira::at(&Place::new());
    jira.talk(&[ORDER, "y"]);
    let long = format!("{ORDER} {}", "The log says nothing of it at all. ".repeat(1_200));
    holds(&jira.talk(&[&long, "add as info", "y"]), &["(Shortened; all of it is in conversation ", "Added to SHOP-1"]);
    let comment = jira.state.lock().unwrap().comments[0]["body"].to_string();
    assert!(comment.contains("The log says nothing of it at all.") && comment.len() > 30_000, "{}", comment.len());
}

/// Another process finds by its label what the killed one had made, whose answer never reached the log.
#[test]
fn a_process_killed_while_it_creates_leaves_each_ticket_once() {
    for made in [1, 3] {
        let jira = Jira::at(&Place::new());
        let mut child = start(jira.folder.path(), ("JIRA_API_TOKEN", "token"), &[EPIC, "yes", "y"]);
        while jira.issues().len() < made && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        let told = jira.say("--resume", "token", &["thanks"]);
        assert_eq!(jira.titles(), TITLES, "killed with {made}: {told}");
    }
}

pub const EPIC: &str =
    "create an epic with 5 stories for auth: sign up; sign in; sign out; reset password; change mail";
pub const TITLES: [&str; 6] = ["Auth", "Change mail", "Reset password", "Sign in", "Sign out", "Sign up"];
