//! Jira Cloud (REST version 3) as a tracker. Every ticket bears a label made of its operation, by which it is found
//! again. Jira's search lags behind what was created, so a ticket that is not found after a crash is looked for a few
//! times, and then counts as not known and the person is asked: two tickets are worse than a question. Next:
//! `tracker::web` for the requests, `bulk` for creating, `fields` for what a project requires, `links`.

mod bulk;
mod document;
mod fields;
mod links;
mod values;
mod wire;

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use self::bulk::Wanted;
use self::fields::Meta;
pub use self::wire::{Account, Jira};
use super::likeness::{alike, telling};
use super::web::{Method, broken};
use super::{Act, Item, Operation, Problem, Ticket, TicketKey, Tracker, TrackerError};
use crate::draft::Draft;

/// What a search finds.
#[derive(Debug, Deserialize)]
struct Found {
    #[serde(default)]
    issues: Vec<Issue>,
}

#[derive(Debug, Deserialize)]
struct Issue {
    key: TicketKey,
    fields: Summary,
}

#[derive(Debug, Deserialize)]
struct Summary {
    #[serde(default)]
    summary: String,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Created {
    key: TicketKey,
}

#[derive(Debug, Deserialize)]
struct Comments {
    #[serde(default)]
    comments: Vec<Comment>,
}

#[derive(Debug, Deserialize)]
struct Comment {
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Debug, Deserialize)]
struct Property {
    key: String,
    value: Value,
}

impl Jira {
    fn ticket(&self, key: TicketKey, title: &str) -> Ticket {
        let place = format!("{}/browse/{key}", self.web.site());
        Ticket { key, title: title.to_owned(), place }
    }

    async fn search(&self, jql: &str, most: usize) -> Result<Vec<Issue>, TrackerError> {
        let asked = json!({ "jql": jql, "fields": ["summary", "labels"], "maxResults": most });
        let found: Found = self.web.call(Method::Look, "/rest/api/3/search/jql", Some(&asked)).await?;
        Ok(found.issues)
    }

    /// The tickets that bear the labels of `operations`, by label, as far as the search shows them already.
    async fn labelled(
        &self,
        operations: impl Iterator<Item = &Operation>,
    ) -> Result<BTreeMap<String, Ticket>, TrackerError> {
        let labels: Vec<String> = operations.map(label).collect();
        let quoted: Vec<String> = labels.iter().map(|label| format!("\"{label}\"")).collect();
        let jql = format!("project = \"{}\" AND labels in ({})", self.project, quoted.join(", "));
        let issues = self.search(&jql, labels.len()).await?;
        let by_label = |issue: Issue| {
            let label = issue.fields.labels.iter().find(|label| labels.contains(label))?.clone();
            Some((label, self.ticket(issue.key, &issue.fields.summary)))
        };
        Ok(issues.into_iter().filter_map(by_label).collect())
    }

    /// A ticket as Jira wants it told.
    fn issue(&self, wanted: &Wanted, meta: &Meta<'_>) -> Value {
        let Wanted { draft, epic, operation } = wanted;
        let mut fields = meta.filled(draft);
        fields.insert("project".to_owned(), json!({ "key": self.project }));
        fields.insert("issuetype".to_owned(), json!({ "id": meta.kind_id }));
        fields.insert("summary".to_owned(), json!(draft.title));
        fields.insert("description".to_owned(), document::of(&draft.body()));
        fields.insert("labels".to_owned(), json!([label(operation)]));
        if let Some(epic) = epic {
            fields.insert("parent".to_owned(), json!({ "key": epic.as_str() }));
        }
        let properties = json!([{ "key": PROPERTY, "value": { "id": operation.as_str() } }]);
        json!({ "fields": fields, "properties": properties })
    }

    /// Creates one.
    async fn make(&self, issue: &Value) -> Result<Created, TrackerError> {
        self.web.call(Method::Make, "/rest/api/3/issue", Some(issue)).await
    }

    async fn has_comment(&self, key: &TicketKey, operation: &Operation) -> Result<bool, TrackerError> {
        let path = format!("/rest/api/3/issue/{key}/comment?expand=properties&orderBy=-created&maxResults=100");
        let comments: Comments = self.web.call(Method::Look, &path, None).await?;
        let is_it = |property: &Property| property.key == PROPERTY && property.value["id"] == operation.as_str();
        Ok(comments.comments.iter().any(|comment| comment.properties.iter().any(is_it)))
    }

    async fn one(&self, key: &TicketKey) -> Result<Ticket, TrackerError> {
        let issue: Issue =
            self.web.call(Method::Look, &format!("/rest/api/3/issue/{key}?fields=summary"), None).await?;
        Ok(self.ticket(issue.key, &issue.fields.summary))
    }
}

#[async_trait]
impl Tracker for Jira {
    fn told(&self) -> String {
        format!("Jira project {} at {}", self.project, self.web.site())
    }

    async fn look(&self) -> Result<(), TrackerError> {
        self.permitted(&[links::CREATE, links::COMMENT, links::LINK]).await?;
        fields::look(self).await?;
        self.may_do(Act::Link).await
    }

    async fn check(&self, items: &[Item<'_>]) -> Result<Vec<Problem>, TrackerError> {
        self.permitted(&[links::CREATE]).await?;
        let metas = fields::metas(self, items.iter().map(|item| item.draft)).await?;
        let mut problems = Vec::new();
        for (at, item) in items.iter().enumerate() {
            let of_item = metas.get(&item.draft.kind).map(|meta| meta.problems(at, *item));
            problems.extend(of_item.transpose()?.unwrap_or_default());
        }
        Ok(problems)
    }

    async fn similar(&self, draft: &Draft) -> Result<Vec<Ticket>, TrackerError> {
        // Words alone, so that nothing a person wrote is a part of the query's language.
        let words = telling(&draft.title).into_iter().filter(|word| word.chars().all(char::is_alphanumeric));
        // One word is enough to find it; how near it is, its title tells.
        let words: Vec<String> = words.take(WORDS_MAX).map(|word| format!("summary ~ \"{word}\"")).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let jql = format!(
            "project = \"{}\" AND statusCategory != Done AND ({}) ORDER BY updated DESC",
            self.project,
            words.join(" OR ")
        );
        let found = self.search(&jql, FOUND_MAX).await?;
        Ok(alike(&draft.title, found.into_iter().map(|issue| self.ticket(issue.key, &issue.fields.summary))))
    }

    async fn create(
        &self,
        draft: &Draft,
        epic: Option<&TicketKey>,
        operation: &Operation,
    ) -> Result<Ticket, TrackerError> {
        let (epic, operation) = (epic.cloned(), operation.clone());
        self.create_gathered(Wanted { draft: draft.clone(), epic, operation }).await
    }

    async fn comment(&self, key: &TicketKey, text: &str, operation: &Operation) -> Result<Ticket, TrackerError> {
        let ticket = self.one(key).await?;
        if !self.has_comment(key, operation).await? {
            let properties = json!([{ "key": PROPERTY, "value": { "id": operation.as_str() } }]);
            let wanted = json!({ "body": document::of(text), "properties": properties });
            let path = format!("/rest/api/3/issue/{key}/comment");
            let _: Value = self.web.call(Method::Make, &path, Some(&wanted)).await?;
        }
        Ok(ticket)
    }

    async fn link(&self, from: &TicketKey, to: &TicketKey, _: &Operation) -> Result<(), TrackerError> {
        self.link_once(from, to).await
    }

    async fn may(&self, act: Act) -> Result<(), TrackerError> {
        self.may_do(act).await
    }

    fn together_max(&self) -> usize {
        bulk::TOGETHER_MAX
    }

    fn fields(&self) -> Vec<String> {
        self.fields.keys().cloned().collect()
    }

    fn description_characters_max(&self) -> usize {
        TEXT_CHARACTERS_MAX
    }

    fn comment_characters_max(&self) -> usize {
        TEXT_CHARACTERS_MAX
    }

    async fn made_by(&self, operation: &Operation, on: Option<&TicketKey>) -> Result<Option<Ticket>, TrackerError> {
        if let Some(key) = on {
            return Ok(if self.has_comment(key, operation).await? { Some(self.one(key).await?) } else { None });
        }
        for wait in LOOKS_AGAIN {
            if let Some(found) = self.labelled(std::iter::once(operation)).await?.into_values().next() {
                return Ok(Some(found));
            }
            tokio::time::sleep(wait).await;
        }
        let label = label(operation);
        Err(broken(&format!("Jira's search does not show a ticket with the label {label} yet")))
    }
}

/// The label of an operation: short, and with nothing in it that a label may not have.
fn label(operation: &Operation) -> String {
    let digest = Sha256::digest(operation.as_str().as_bytes());
    digest.iter().take(LABEL_BYTES).fold("turnwise-".to_owned(), |label, byte| format!("{label}{byte:02x}"))
}

/// The property that holds the operation of a ticket or comment.
const PROPERTY: &str = "turnwise.operation";
/// Bytes of a digest that name an operation.
const LABEL_BYTES: usize = 8;
/// Characters that Jira takes in a text, unless who runs it says otherwise.
const TEXT_CHARACTERS_MAX: usize = 32_767;
/// How long after each look for what may have been created it is looked again; the search is late by seconds at most.
const LOOKS_AGAIN: [Duration; 3] = [Duration::from_millis(500), Duration::from_millis(1_500), Duration::ZERO];
/// Tickets that a search gives.
const FOUND_MAX: usize = 50;
/// Words of a title that are looked for.
const WORDS_MAX: usize = 12;
