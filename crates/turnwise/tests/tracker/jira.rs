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
    /// The same of requests for several tickets.
    bulk_faults: VecDeque<Fault>,
    /// Links that are made, and nobody hears of it.
    lost_links: usize,
    /// How often one was to be created.
    create_requests: usize,
    /// How many tickets each request was to create that was for several.
    bulks: Vec<usize>,
    /// Titles that are refused where they come among others, each once.
    refused: Vec<&'static str>,
    /// As many looks for a ticket by its label do not show it yet.
    lags: usize,
    looks: std::collections::BTreeMap<String, usize>,
    priority_required: bool,
    /// Fields on the screens besides, as Jira tells of them.
    more_fields: Vec<Value>,
    /// Permissions that the account lacks.
    lacking: Vec<&'static str>,
    /// Links: the kind, and the keys of both.
    links: Vec<(String, String, String)>,
    link_types: Option<Vec<&'static str>>,
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
    pub fn configure(&self, site: &str, more: &str) {
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

    /// What the doctor says.
    fn doctor(&self) -> String {
        let mut doctor = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"));
        doctor.args(["doctor", "--assistant", "tickets", "--port", "0"]).current_dir(self.folder.path());
        doctor.env("TURNWISE_STATE", self.folder.path().join("state")).env("JIRA_API_TOKEN", "token");
        let told = doctor.output().unwrap();
        format!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr))
    }

    pub fn issues(&self) -> Vec<Value> {
        self.state.lock().unwrap().issues.clone()
    }

    /// How many tickets each request was for that was for several.
    pub fn bulks(&self) -> Vec<usize> {
        self.state.lock().unwrap().bulks.clone()
    }

    /// What the issues are called, in the order of the alphabet.
    pub fn titles(&self) -> Vec<String> {
        let title = |issue: &Value| issue["fields"]["summary"].as_str().unwrap().to_owned();
        let mut titles: Vec<String> = self.issues().iter().map(title).collect();
        titles.sort();
        titles
    }

    /// Lets the first request for several fail, once the epic is there.
    fn fails_at_the_first_bulk(&self, fault: Fault) {
        self.state.lock().unwrap().bulk_faults.push_back(fault);
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
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let (status, body) = match path {
            "issue/createmeta/SHOP/issuetypes" => {
                let kind = |(id, name): (usize, &str)| json!({"id": id.to_string(), "name": name});
                let kinds = ["Epic", "Story", "Bug", "Task", "Sub-task"].into_iter().enumerate().map(kind);
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
                // A sub-task, the last of the kinds, has a parent always.
                let parent = field("parent", "Parent", "issuelink", meta.ends_with("/4"));
                let fields = [summary, priority, parent].into_iter().chain(self.more_fields.iter().cloned());
                (200, json!({"fields": fields.collect::<Vec<_>>()}))
            }
            "search/jql" => match self.search_faults.pop_front() {
                Some(fault) => return fault.answer(),
                None => (200, json!({"issues": self.found(body["jql"].as_str().unwrap())})),
            },
            "mypermissions" => (200, self.permissions(query)),
            "issueLinkType" => {
                let names = self.link_types.clone().unwrap_or_else(|| vec!["Blocks", "Relates"]);
                let kind = |(id, name): (usize, &&str)| json!({"id": id.to_string(), "name": name});
                (200, json!({"issueLinkTypes": names.iter().enumerate().map(kind).collect::<Vec<_>>()}))
            }
            "issueLink" => return self.link(body),
            "issue" => return self.create(body),
            "issue/bulk" => return self.create_several(body),
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
                let mut issue = self.issues.iter().find(|issue| issue["key"] == key).unwrap().clone();
                issue["fields"]["issuelinks"] = self.links_of(key);
                (200, issue)
            }
        };
        Answer::Whole(status, body)
    }

    fn found(&mut self, jql: &str) -> Vec<Value> {
        let quoted: Vec<&str> = jql.split('"').skip(1).step_by(2).collect();
        assert_eq!(quoted[0], "SHOP");
        let is_it = |issue: &&Value| {
            let fields = &issue["fields"];
            match jql.contains("labels in ") {
                true => quoted[1..].contains(&fields["labels"][0].as_str().unwrap()),
                false => {
                    let summary = fields["summary"].as_str().unwrap().to_lowercase();
                    let mut words = quoted[1..].iter();
                    match jql.contains("\" OR summary ~ \"") {
                        true => words.any(|word| summary.contains(word)),
                        false => words.flat_map(|words| words.split(' ')).all(|word| summary.contains(word)),
                    }
                }
            }
        };
        let found: Vec<Value> = self.issues.iter().filter(is_it).cloned().collect();
        let by_label = jql.contains("labels in ");
        found.into_iter().filter(|issue| !by_label || self.shows(issue)).collect()
    }

    /// Whether the search shows it yet; each look for it counts.
    fn shows(&mut self, issue: &Value) -> bool {
        let looks = self.looks.entry(issue["key"].as_str().unwrap().to_owned()).or_default();
        *looks += 1;
        *looks > self.lags
    }

    fn create(&mut self, body: &Value) -> Answer {
        self.create_requests += 1;
        let fault = self.faults.pop_front();
        if let Some(fault) = fault.filter(|fault| !matches!(fault, Fault::AnswerLost | Fault::Silent)) {
            return fault.answer();
        }
        let key = self.made(body);
        fault.map_or_else(|| Answer::Whole(201, json!({"key": key})), Fault::answer)
    }

    fn made(&mut self, body: &Value) -> String {
        let key = format!("SHOP-{}", self.issues.len() + 1);
        let properties = body["properties"].as_array().unwrap().iter();
        let properties: Value = properties.map(|one| (one["key"].as_str().unwrap(), one["value"].clone())).collect();
        self.issues.push(json!({"key": key, "fields": body["fields"], "properties": properties}));
        key
    }

    fn create_several(&mut self, body: &Value) -> Answer {
        let wanted = body["issueUpdates"].as_array().unwrap();
        self.bulks.push(wanted.len());
        let fault = self.bulk_faults.pop_front();
        if let Some(fault) = fault.filter(|fault| !matches!(fault, Fault::AnswerLost | Fault::Silent)) {
            return fault.answer();
        }
        let (mut issues, mut errors) = (Vec::new(), Vec::new());
        for (at, one) in wanted.iter().enumerate() {
            let title = one["fields"]["summary"].as_str().unwrap();
            match self.refused.iter().position(|refused| *refused == title) {
                Some(found) => {
                    self.refused.remove(found);
                    let told = json!({"errorMessages": [], "errors": {"summary": "must not speak of that"}});
                    errors.push(json!({"status": 400, "elementErrors": told, "failedElementNumber": at}));
                }
                None => issues.push(json!({"key": self.made(one)})),
            }
        }
        let status = if issues.is_empty() { 400 } else { 201 };
        fault.map_or_else(|| Answer::Whole(status, json!({"issues": issues, "errors": errors})), Fault::answer)
    }

    fn permissions(&self, query: &str) -> Value {
        let wanted = query.split('&').find_map(|part| part.strip_prefix("permissions=")).unwrap();
        assert!(query.contains("projectKey=SHOP"), "{query}");
        let keys: Vec<&str> = wanted.split("%2C").flat_map(|part| part.split(',')).collect();
        let of = |key: &&str| {
            let name = key.split('_').map(|word| word[..1].to_owned() + &word[1..].to_lowercase());
            let name = name.collect::<Vec<_>>().join(" ");
            let told = json!({"id": "1", "key": key, "name": name, "type": "PROJECT",
                "havePermission": !self.lacking.contains(key)});
            ((*key).to_owned(), told)
        };
        json!({"permissions": keys.iter().map(of).collect::<serde_json::Map<_, _>>()})
    }

    fn link(&mut self, body: &Value) -> Answer {
        let key = |side: &str| body[side]["key"].as_str().unwrap().to_owned();
        self.links.push((body["type"]["id"].as_str().unwrap().to_owned(), key("inwardIssue"), key("outwardIssue")));
        if self.lost_links > 0 {
            self.lost_links -= 1;
            return Answer::BrokenOff;
        }
        Answer::Whole(201, Value::Null)
    }

    fn links_of(&self, key: &str) -> Value {
        let of = |(kind, from, to): &(String, String, String)| {
            let kind = json!({"id": kind, "name": if kind == "1" { "Relates" } else { "Blocks" }});
            match (from == key, to == key) {
                (true, _) => Some(json!({"id": "7", "type": kind, "outwardIssue": {"key": to}})),
                (_, true) => Some(json!({"id": "7", "type": kind, "inwardIssue": {"key": from}})),
                _ => None,
            }
        };
        self.links.iter().filter_map(of).collect()
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
    stories_are_created_together_below_their_epic,
    of_several_that_are_created_together_the_refused_one_is_told_and_tried_again_alone,
    a_lost_answer_about_several_is_looked_up_and_makes_none_twice,
    what_the_search_shows_late_is_found_by_looking_again,
    a_new_ticket_is_linked_to_the_one_that_exists_once,
    fields_that_have_a_name_are_filled_by_their_type,
    a_permission_that_is_missing_is_told_before_anybody_approves,
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
    let told = jira.talk(&["create a ticket for the broken login bug page. It is back. It should log in."]);
    holds(&told, &["There may be a ticket about this already: SHOP-1: Login bug"]);
    let told = jira.talk(&["create a ticket for a login by mail. People forget passwords. It should send a mail."]);
    assert!(!told.contains("There may be a ticket"), "{told}");
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
        state.lags = usize::MAX;
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

const MANY: &str = "create an epic with 8 stories for billing: one; two; three; four; five; six; seven; eight";

fn stories_are_created_together_below_their_epic(place: &Place) {
    let jira = Jira::at(place);
    holds(&jira.talk(&[MANY, "yes", "y"]), &["Created 9 tickets:"]);
    let issues = jira.issues();
    assert_eq!(issues.len(), 9);
    assert!(issues[1..].iter().all(|story| story["fields"]["parent"]["key"] == "SHOP-1"), "{issues:?}");
    let of = |at: usize| issues[at]["properties"]["turnwise.operation"]["id"].as_str().unwrap().to_owned();
    let operations: std::collections::BTreeSet<String> = (0..9).map(of).collect();
    assert_eq!(operations.len(), 9, "each has an operation of its own");
    let state = jira.state.lock().unwrap();
    assert_eq!((state.bulks.as_slice(), state.create_requests), ([5, 2].as_slice(), 2), "the epic and the last alone");
}

fn of_several_that_are_created_together_the_refused_one_is_told_and_tried_again_alone(place: &Place) {
    let jira = Jira::at(place).with(|state| state.refused = vec!["Sign out"]);
    let told = jira.talk(&[EPIC, "yes", "y"]);
    holds(&told, &["Create the story “Sign out” in “Auth”", "Jira refuses it (400). summary: must not speak of that"]);
    holds(&told, &["Created so far: SHOP-1: Auth; ", "Not yet: Sign out; Change mail."]);
    assert_eq!(jira.titles(), ["Auth", "Reset password", "Sign in", "Sign up"], "{told}");
    let told = jira.say("--resume", "token", &["retry"]);
    holds(&told, &["Created 6 tickets:"]);
    assert_eq!(jira.titles(), TITLES);
    let state = jira.state.lock().unwrap();
    assert_eq!((state.bulks.as_slice(), state.create_requests), ([4].as_slice(), 3), "only the refused one came again");
    drop(state);
    let all = Jira::at(place).with(|state| state.refused = vec!["Sign up", "Sign in", "Sign out", "Reset password"]);
    holds(&all.talk(&[EPIC, "yes", "y"]), &["Jira refuses it (400). summary: must not speak of that"]);
    assert_eq!(all.titles(), ["Auth"]);
}

fn a_lost_answer_about_several_is_looked_up_and_makes_none_twice(place: &Place) {
    for fault in [Fault::AnswerLost, Fault::Busy, Fault::Later("0")] {
        let jira = Jira::at(place).with(|state| state.search_faults.push_back(Fault::Later("0")));
        jira.fails_at_the_first_bulk(fault);
        holds(&jira.talk(&[EPIC, "yes", "y"]), &["Created 6 tickets:"]);
        assert_eq!(jira.titles(), TITLES, "{fault:?}");
    }
    for (fault, told) in [(Fault::Broken, "Jira answered 500"), (Fault::Forbidden, "Jira does not permit that.")] {
        let jira = Jira::at(place);
        jira.fails_at_the_first_bulk(fault);
        let said = jira.talk(&[EPIC, "yes", "y"]);
        assert!(said.contains(told) || said.contains("does not show a ticket with the label"), "{said}");
        assert_eq!(jira.titles(), ["Auth"], "{said}");
    }
}

fn what_the_search_shows_late_is_found_by_looking_again(place: &Place) {
    let jira = Jira::at(place).with(|state| {
        state.faults.push_back(Fault::AnswerLost);
        state.lags = 2;
    });
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1: Login bug"]);
    assert_eq!(jira.issues().len(), 1);
}

fn a_new_ticket_is_linked_to_the_one_that_exists_once(place: &Place) {
    let jira = Jira::at(place);
    jira.talk(&[ORDER, "y"]);
    let told = jira.talk(&[ORDER, "create new, linked to SHOP-1"]);
    holds(&told, &["Create new, linked to SHOP-1", "Link it to SHOP-1", "Run it? y = yes"]);
    assert_eq!((jira.issues().len(), jira.state.lock().unwrap().links.len()), (1, 0), "nothing before the yes");
    // The answer about the link is lost: the ticket is created first.
    jira.state.lock().unwrap().faults.extend([Fault::Later("0"), Fault::Later("0")]);
    holds(&jira.say("--resume", "token", &["y"]), &["Created SHOP-2: Login bug, linked to SHOP-1."]);
    let linked = [("1".to_owned(), "SHOP-2".to_owned(), "SHOP-1".to_owned())];
    assert_eq!(jira.state.lock().unwrap().links, linked);
    let lost = Jira::at(place);
    lost.talk(&[ORDER, "y"]);
    lost.talk(&[ORDER, "create new, linked to SHOP-1"]);
    lost.state.lock().unwrap().lost_links = 1;
    holds(&lost.say("--resume", "token", &["y"]), &["Created SHOP-2: Login bug, linked to SHOP-1."]);
    assert_eq!(lost.state.lock().unwrap().links, linked, "the link whose answer was lost is not made twice");
    let none = Jira::at(place).with(|state| state.link_types = Some(vec!["Blocks", "Cloners"]));
    none.talk(&[ORDER, "y"]);
    let told = none.talk(&[ORDER, "create new, linked to SHOP-1"]);
    holds(&told, &["Jira has no link type “Relates”; it has Blocks and Cloners.", "jira.link_type in turnwise.yaml"]);
    none.configure(&place.site, ", link_type: blocks");
    holds(&none.talk(&[ORDER, "create new, linked to SHOP-1", "y"]), &["Created SHOP-2", "linked to SHOP-1."]);
    assert_eq!(none.state.lock().unwrap().links[0].0, "0");
}

/// A field on the screens, as Jira tells of it.
fn field(id: &str, name: &str, kind: &str, custom: &str) -> Value {
    json!({"fieldId": id, "key": id, "name": name, "required": false, "hasDefaultValue": false, "operations": ["set"],
        "schema": {"type": kind, "custom": custom, "customId": 7}})
}

const NAMED: &str = ", fields: {story points: customfield_10016, acceptance_criteria: customfield_10020, \
                     team: customfield_10001, sprint: customfield_10021}";

fn screens() -> Vec<Value> {
    let mut team = field("customfield_10001", "Squad", "option", "com.atlassian.jira.plugin:select");
    team["allowedValues"] = json!([{"id": "20", "value": "Red"}, {"id": "21", "value": "Blue"}]);
    vec![
        field("customfield_10016", "Story point estimate", "number", "com.atlassian.jira.plugin:float"),
        field("customfield_10020", "Definition of done", "string", "com.atlassian.jira.plugin:textarea"),
        field("customfield_10021", "Sprint", "array", "com.pyxis.greenhopper.jira:gh-sprint"),
        team,
    ]
}

fn fields_that_have_a_name_are_filled_by_their_type(place: &Place) {
    let jira = Jira::at(place).with(|state| state.more_fields = screens());
    jira.configure(&place.site, NAMED);
    let told = jira.talk(&[ORDER, "story points: 5", "team: blue", "sprint: 42", "y"]);
    holds(&told, &["story points: 5", "team: blue", "Created SHOP-1: Login bug"]);
    let fields = jira.issues()[0]["fields"].clone();
    assert_eq!(fields["customfield_10016"], 5.0);
    assert_eq!(fields["customfield_10001"], json!({"id": "21"}));
    assert_eq!(fields["customfield_10021"], 42);
    let done = &fields["customfield_10020"]["content"][0];
    assert_eq!(done["content"][0]["content"][0]["content"][0]["text"], "It should log in with SSO.");
    let asked = jira.talk(&[ORDER, "create new", "story points: many"]);
    holds(&asked, &["story points is a number, and “many” is none. What should it be?"]);
    let asked = jira.talk(&[ORDER, "create new", "team: green"]);
    holds(&asked, &["team cannot be “green”. What should it be?", "1 Red", "2 Blue"]);
    assert_eq!(jira.issues().len(), 1);
}

fn a_permission_that_is_missing_is_told_before_anybody_approves(place: &Place) {
    let jira = Jira::at(place).with(|state| state.lacking = vec!["CREATE_ISSUES"]);
    let told = jira.talk(&[ORDER]);
    let lacks = "The account ada@example.com lacks the permission “Create Issues” in Jira project SHOP.";
    holds(&told, &[lacks, "Nothing was created."]);
    assert!(!told.contains("Run it?"), "{told}");
    jira.state.lock().unwrap().lacking = vec!["ADD_COMMENTS", "LINK_ISSUES"];
    holds(&jira.talk(&[ORDER, "y"]), &["Created SHOP-1"]);
    for (answer, name) in [("add as info", "Add Comments"), ("create new, linked to SHOP-1", "Link Issues")] {
        let told = jira.talk(&[ORDER, answer]);
        holds(&told, &[&format!("lacks the permission “{name}” in Jira project SHOP"), "Nothing was created."]);
        assert!(!told.contains("Run it?"), "{told}");
    }
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
fn a_named_field_that_leads_nowhere_is_told_by_the_doctor_and_before_the_preview() {
    let place = Place::new();
    let jira = Jira::at(&place);
    jira.configure(&place.site, NAMED);
    let missing = "“story points” (customfield_10016) is not on the screen on which a Bug is created in SHOP.";
    let told = jira.talk(&[ORDER, "story points: 5"]);
    holds(&told, &[missing, "leave “story points” out of the bug. Nothing was created."]);
    let nowhere = "jira.fields: “acceptance criteria” is customfield_10020, which is on no screen on which tickets are \
                   created in SHOP.";
    holds(&jira.doctor(), &["✗ tracker", nowhere]);
    let with = |fields: Vec<Value>| jira.state.lock().unwrap().more_fields = fields;
    with(screens());
    holds(&jira.doctor(), &["✓ tracker: Tickets go to Jira project SHOP"]);
    let mut wrong = screens();
    wrong[1]["schema"] = json!({"type": "number"});
    with(wrong);
    let told = "“acceptance criteria” is a text, and customfield_10020 in Jira is of the type number.";
    holds(&jira.doctor(), &["✗ tracker", told]);
    holds(&jira.talk(&[ORDER]), &[told, "Nothing was created."]);
    let mut wrong = screens();
    wrong[0]["schema"] = json!({"type": "user"});
    with(wrong);
    holds(&jira.doctor(), &["“story points” (customfield_10016) is of the type user in Jira"]);
    assert!(jira.issues().is_empty());
}

#[test]
fn names_of_fields_that_cannot_be_said_or_lead_to_no_field_are_refused_at_the_start() {
    let place = Place::new();
    let jira = Jira::at(&place);
    for (fields, told) in [
        ("{\"the points of a story\": customfield_1}", "“the points of a story” cannot be said"),
        ("{points: \"Story points\"}", "“Story points” is no field of Jira; name its id"),
        ("{points: customfield_1, estimate: customfield_1}", "are the same field, customfield_1"),
    ] {
        jira.configure(&place.site, &format!(", fields: {fields}"));
        holds(&jira.talk(&[]), &[told, "{story points: customfield_10016}"]);
    }
    jira.configure(&place.site, ", fields: {tags: labels}");
    holds(&jira.talk(&[]), &["“tags” is labels, which is filled already"]);
}

#[test]
fn kinds_of_tickets_are_those_that_the_project_says_also_sub_tasks() {
    let place = Place::new();
    let jira = Jira::at(&place);
    jira.configure(&place.site, ", kinds: {epic: Story, story: Sub-task}");
    holds(&jira.talk(&["create an epic with 2 stories for billing: invoices; refunds", "y"]), &["Created 3 tickets:"]);
    let kinds: Vec<Value> = jira.issues().iter().map(|issue| issue["fields"]["issuetype"]["id"].clone()).collect();
    assert_eq!(kinds, ["1", "4", "4"]);
    assert_eq!(jira.issues()[2]["fields"]["parent"]["key"], "SHOP-1");
    // One that would be below none is told before the preview, and never asked for as a field.
    let story = "create a story for dunning. Invoices stay unpaid. Parent: SHOP-1. It should remind people.";
    let told = jira.talk(&[story]);
    let alone = "A Sub-task in Jira project SHOP is always below another ticket, and “Dunning” would be below none.";
    holds(&told, &[alone, "jira.kinds in turnwise.yaml", "Nothing was created."]);
    assert!(!told.contains("Run it?") && !told.contains("requires parent"), "{told}");
    assert_eq!(jira.issues().len(), 3);
    jira.configure(&place.site, ", kinds: {bug: Fehler}");
    let told =
        "has no “Fehler”; it has Epic, Story, Bug, Task, Sub-task. Say under jira.kinds in turnwise.yaml how a bug";
    holds(&jira.talk(&[ORDER]), &[told, "Nothing was created."]);
    holds(&jira.doctor(), &["✗ tracker", told]);
}

#[test]
fn the_doctor_says_which_permissions_the_account_lacks() {
    let jira = Jira::at(&Place::new()).with(|state| state.lacking = vec!["CREATE_ISSUES", "LINK_ISSUES"]);
    let told = "lacks the permission “Create Issues” and “Link Issues” in Jira project SHOP";
    holds(&jira.doctor(), &["✗ tracker: The account ada@example.com", told]);
    jira.state.lock().unwrap().lacking.clear();
    holds(&jira.doctor(), &["✓ tracker: Tickets go to Jira project SHOP"]);
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
    drop(state);
    let several = Jira::impatient(&place);
    several.fails_at_the_first_bulk(Fault::Silent);
    holds(&several.talk(&[EPIC, "yes", "y"]), &["Created 6 tickets:"]);
    assert_eq!((several.titles(), several.bulks()), (TITLES.map(str::to_owned).to_vec(), vec![4]));
}

#[test]
fn batches_are_requests_of_their_own() {
    let long = |name: &str| format!("{name} - {}", format!("people wait for the {name} ").repeat(110));
    let stories = ["one", "two", "three", "four", "five"].map(long).join("; ");
    let order = format!("create an epic with 5 stories for billing: {stories}");
    for (how, bulks) in [("create all at once", [4]), ("split into batches", [3])] {
        let jira = Jira::at(&Place::new());
        holds(&jira.talk(&[&order, "yes", how, "y"]), &["Created 6 tickets:"]);
        assert_eq!(jira.bulks(), bulks, "{how}");
    }
}

#[test]
fn a_comment_that_jira_would_refuse_for_its_length_is_shortened_at_a_sentence_and_says_so() {
    let jira = Jira::at(&Place::new());
    jira.talk(&[ORDER, "y"]);
    let long = format!("{ORDER} {}", "The log says nothing of it at all. ".repeat(1_200));
    holds(
        &jira.talk(&[&long, "add as info", "y"]),
        &["(Shortened; all of it: in a conversation of Turnwise.)", "Added to SHOP-1"],
    );
    let comment = jira.state.lock().unwrap().comments[0]["body"].to_string();
    assert!(comment.contains("The log says nothing of it at all.") && comment.len() > 30_000, "{}", comment.len());
}

/// Another process finds by its label what the killed one had made, whose answer never reached the log.
#[test]
fn a_process_killed_while_it_creates_leaves_each_ticket_once() {
    for made in [1, 3] {
        let jira = Jira::at(&Place::new());
        killed_with(&jira, made);
        let told = jira.say("--resume", "token", &["thanks"]);
        assert_eq!(jira.titles(), TITLES, "killed with {made}: {told}");
    }
}

/// The request for several was carried out, and the process ends while it waits for the answer; the search shows them
/// late, or never.
#[test]
fn a_process_killed_while_several_are_created_at_once_leaves_each_ticket_once() {
    for lags in [0, 1, 2] {
        let jira = Jira::at(&Place::new());
        jira.fails_at_the_first_bulk(Fault::Silent);
        killed_with(&jira, 5);
        jira.state.lock().unwrap().lags = lags;
        let told = jira.say("--resume", "token", &["thanks"]);
        assert_eq!(jira.titles(), TITLES, "the search is {lags} looks late: {told}");
        assert_eq!(jira.state.lock().unwrap().bulks, [4], "what was made at once is not sent again: {told}");
        holds(&told, &["Created 6 tickets:"]);
    }
    let jira = Jira::at(&Place::new());
    jira.fails_at_the_first_bulk(Fault::Silent);
    killed_with(&jira, 5);
    jira.state.lock().unwrap().lags = usize::MAX;
    let told = jira.say("--resume", "token", &["thanks"]);
    holds(&told, &["does not show a ticket with the label turnwise-"]);
    assert_eq!(jira.issues().len(), 5, "where nobody knows, nothing is made: {told}");
}

/// Ends the program as soon as so many tickets of an epic exist.
fn killed_with(jira: &Jira, made: usize) {
    let mut child = start(jira.folder.path(), ("JIRA_API_TOKEN", "token"), &[EPIC, "yes", "y"]);
    while jira.issues().len() < made && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
}

pub const EPIC: &str =
    "create an epic with 5 stories for auth: sign up; sign in; sign out; reset password; change mail";
pub const TITLES: [&str; 6] = ["Auth", "Change mail", "Reset password", "Sign in", "Sign out", "Sign up"];
