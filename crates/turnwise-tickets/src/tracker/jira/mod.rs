//! Jira Cloud (REST version 3) as a tracker. Every ticket bears a label made of its operation, by which it is found
//! again. Jira's search lags behind what was created, so a ticket that is not found after a crash counts as not known
//! and the person is asked: two tickets are worse than a question. Next: `tracker::web` for the requests, `fields` for
//! what a project requires.

mod document;
mod fields;
mod wire;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use turnwise_core::text;

use self::fields::Meta;
pub use self::wire::{Account, Jira};
use super::web::{Method, broken};
use super::{Operation, Problem, Ticket, TicketKey, Tracker, TrackerError};
use crate::draft::{Draft, TicketKind};

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
}

#[derive(Debug, Deserialize)]
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

    async fn search(&self, jql: &str) -> Result<Vec<Ticket>, TrackerError> {
        let asked = json!({ "jql": jql, "fields": ["summary"], "maxResults": FOUND_MAX });
        let found: Found = self.web.call(Method::Look, "/rest/api/3/search/jql", Some(&asked)).await?;
        Ok(found.issues.into_iter().map(|issue| self.ticket(issue.key, &issue.fields.summary)).collect())
    }

    /// The ticket that bears the label of `operation`, as far as the search shows it already.
    async fn labelled(&self, operation: &Operation) -> Result<Option<Ticket>, TrackerError> {
        let jql = format!("project = \"{}\" AND labels = \"{}\"", self.project, label(operation));
        Ok(self.search(&jql).await?.into_iter().next())
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
        Meta::of(self, TicketKind::default()).await.map(drop)
    }

    async fn check(&self, items: &[Draft]) -> Result<Vec<Problem>, TrackerError> {
        let mut problems = Vec::new();
        for (item, draft) in items.iter().enumerate() {
            problems.extend(Meta::of(self, draft.kind).await?.problems(item, draft));
        }
        Ok(problems)
    }

    async fn similar(&self, draft: &Draft) -> Result<Vec<Ticket>, TrackerError> {
        // Words alone, so that nothing a person wrote is a part of the query's language.
        let words = text::words(&draft.title).into_iter().filter(|word| word.chars().all(char::is_alphanumeric));
        let words: Vec<String> = words.filter(|word| word.len() >= TELLING_LENGTH).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let jql = format!(
            "project = \"{}\" AND statusCategory != Done AND summary ~ \"{}\" ORDER BY updated DESC",
            self.project,
            words.join(" ")
        );
        self.search(&jql).await
    }

    async fn create(
        &self,
        draft: &Draft,
        epic: Option<&TicketKey>,
        operation: &Operation,
    ) -> Result<Ticket, TrackerError> {
        if let Some(known) = self.labelled(operation).await? {
            return Ok(known);
        }
        let meta = Meta::of(self, draft.kind).await?;
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
        let wanted = json!({ "fields": fields, "properties": properties });
        let created: Created = self.web.call(Method::Make, "/rest/api/3/issue", Some(&wanted)).await?;
        Ok(self.ticket(created.key, &draft.title))
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
        let found = self.labelled(operation).await?;
        let unsure = || {
            let label = label(operation);
            broken(&format!("Jira's search does not show a ticket with the label {label}, which may come late"))
        };
        found.map(Some).ok_or_else(unsure)
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
/// Tickets that a search gives.
const FOUND_MAX: usize = 10;
/// Shorter words say little about what a ticket is about.
const TELLING_LENGTH: usize = 3;
