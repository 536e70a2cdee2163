//! GitHub Issues as a tracker. Every issue bears a mark of its operation in its text, where nobody sees it; the list of
//! issues shows what was created at once, so what a crash left is found by it. Stories are sub-issues of their epic.
//! Next: `web` for the requests.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use super::likeness::{alike, telling};
use super::web::{Login, Method, Web, broken};
use super::{Act, Item, Operation, Problem, Ticket, TicketKey, Tracker, TrackerError};
use crate::draft::Draft;

/// Where the issues are, and who we are there.
#[derive(Clone)]
pub struct Account {
    /// Where its methods are called, without a slash at the end.
    pub api: String,
    /// The repository: `owner/name`.
    pub repository: String,
    /// The token.
    pub token: String,
    /// How long an answer is waited for.
    pub patience: Duration,
}

/// The issues of a repository.
#[derive(Clone, Debug)]
pub struct GitHub {
    repository: String,
    web: Web,
}

#[derive(Debug, Deserialize)]
struct Issue {
    id: u64,
    number: u64,
    title: String,
    #[serde(default)]
    html_url: String,
    /// Empty where there is none.
    body: Option<String>,
    /// Set where it is a change of the code and no issue.
    pull_request: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Found {
    items: Vec<Issue>,
}

#[derive(Debug, Deserialize)]
struct Comment {
    body: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Repository {
    has_issues: bool,
    #[serde(default)]
    archived: bool,
    /// What whoever holds the token may do there, where GitHub says it.
    permissions: Option<BTreeMap<String, bool>>,
}

impl fmt::Debug for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Account").field("repository", &self.repository).finish_non_exhaustive()
    }
}

impl GitHub {
    /// The issues of a repository. Nothing is sent yet.
    ///
    /// # Errors
    /// When the repository is none, or the address is none that a token may be sent to.
    pub fn open(account: Account) -> Result<Self, TrackerError> {
        let Account { api, repository, token, patience } = account;
        let is_name = |part: &str| {
            let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
            !part.is_empty() && part.chars().all(is_plain) && !part.starts_with('.')
        };
        if !repository.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name)) {
            return Err(TrackerError::Unusable(format!("“{repository}” is no repository; write owner/name.")));
        }
        Ok(Self { repository, web: Web::open("GitHub", &api, Login::Token(token), patience)? })
    }

    fn path(&self, below: &str) -> String {
        format!("/repos/{}{below}", self.repository)
    }

    async fn one(&self, key: &TicketKey) -> Result<Issue, TrackerError> {
        self.web.call(Method::Look, &self.path(&format!("/issues/{}", number(key)?)), None).await
    }

    /// The issue that bears the mark of `operation`, among the latest ones.
    async fn marked(&self, operation: &Operation) -> Result<Option<Issue>, TrackerError> {
        let mark = mark(operation);
        for page in 1..=PAGES_MAX {
            let below = format!("/issues?state=all&sort=created&direction=desc&per_page={PAGE}&page={page}");
            let issues: Vec<Issue> = self.web.call(Method::Look, &self.path(&below), None).await?;
            let is_last = issues.len() < PAGE;
            let is_it = |issue: &Issue| issue.body.as_deref().is_some_and(|body| body.contains(&mark));
            if let Some(found) = issues.into_iter().find(is_it) {
                return Ok(Some(found));
            }
            if is_last {
                return Ok(None);
            }
        }
        Err(broken(&format!("the latest {} issues of GitHub do not show it, and there are more", PAGE * PAGES_MAX)))
    }

    async fn has_comment(&self, key: &TicketKey, operation: &Operation) -> Result<bool, TrackerError> {
        let mark = mark(operation);
        for page in 1..=PAGES_MAX {
            let below = format!("/issues/{}/comments?per_page={PAGE}&page={page}", number(key)?);
            let comments: Vec<Comment> = self.web.call(Method::Look, &self.path(&below), None).await?;
            if comments.iter().any(|comment| comment.body.as_deref().is_some_and(|body| body.contains(&mark))) {
                return Ok(true);
            }
            if comments.len() < PAGE {
                return Ok(false);
            }
        }
        Err(broken("there are more comments than are looked at"))
    }

    /// Puts an issue below its epic, unless it is there.
    async fn put_below(&self, issue: &Issue, epic: &TicketKey) -> Result<(), TrackerError> {
        let below = self.path(&format!("/issues/{}/sub_issues", number(epic)?));
        let known: Vec<Issue> = self.web.call(Method::Look, &format!("{below}?per_page={PAGE}"), None).await?;
        if known.iter().any(|known| known.id == issue.id) {
            return Ok(());
        }
        let wanted = json!({ "sub_issue_id": issue.id });
        let _: Value = self.web.call(Method::Make, &below, Some(&wanted)).await?;
        Ok(())
    }
}

impl From<Issue> for Ticket {
    fn from(issue: Issue) -> Self {
        Self { key: TicketKey::new(format!("#{}", issue.number)), title: issue.title, place: issue.html_url }
    }
}

#[async_trait]
impl Tracker for GitHub {
    fn told(&self) -> String {
        format!("GitHub issues of {}", self.repository)
    }

    async fn look(&self) -> Result<(), TrackerError> {
        let repository: Repository = self.web.call(Method::Look, &self.path(""), None).await?;
        if !repository.has_issues || repository.archived {
            return Err(TrackerError::Unusable(format!("{} takes no issues.", self.repository)));
        }
        // Who may only read still creates issues, but GitHub drops their labels and says nothing of it. For the token
        // of an app it tells no role at all, not even that it reads.
        let may = |role: &str| repository.permissions.as_ref().is_some_and(|may| may.get(role) == Some(&true));
        if may(READING) && !TRIAGING.iter().any(|role| may(role)) {
            return Err(TrackerError::Unusable(format!(
                "GitHub does not let this token label issues of {0} or put them below an epic. Give its account the \
                 role “triage” in {0}, and the token read and write access to its issues.",
                self.repository
            )));
        }
        Ok(())
    }

    async fn check(&self, _: &[Item<'_>]) -> Result<Vec<Problem>, TrackerError> {
        self.look().await.map(|()| Vec::new())
    }

    async fn similar(&self, draft: &Draft) -> Result<Vec<Ticket>, TrackerError> {
        // Words alone, so that nothing a person wrote is a part of the query's language.
        let words = telling(&draft.title).into_iter().filter(|word| word.chars().all(|l| l.is_ascii_alphanumeric()));
        // One word is enough to find it; how near it is, its title tells.
        let words: Vec<String> = words.take(WORDS_MAX).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let query = format!("repo:{}+is:issue+is:open+in:title+{}", self.repository, words.join("+OR+"));
        let found: Found =
            self.web.call(Method::Look, &format!("/search/issues?q={query}&per_page={FOUND_MAX}"), None).await?;
        let found = found.items.into_iter().filter(|issue| issue.pull_request.is_none()).map(Ticket::from);
        Ok(alike(&draft.title, found))
    }

    async fn create(
        &self,
        draft: &Draft,
        epic: Option<&TicketKey>,
        operation: &Operation,
    ) -> Result<Ticket, TrackerError> {
        let issue = match self.marked(operation).await? {
            Some(known) => known,
            None => {
                let body = format!("{}\n{}", draft.body(), mark(operation));
                let wanted =
                    json!({ "title": draft.title, "body": body, "labels": [draft.kind.label().to_lowercase()] });
                self.web.call(Method::Make, &self.path("/issues"), Some(&wanted)).await?
            }
        };
        if let Some(epic) = epic {
            self.put_below(&issue, epic).await?;
        }
        Ok(issue.into())
    }

    async fn comment(&self, key: &TicketKey, text: &str, operation: &Operation) -> Result<Ticket, TrackerError> {
        let issue = self.one(key).await?;
        if !self.has_comment(key, operation).await? {
            let wanted = json!({ "body": format!("{text}\n{}", mark(operation)) });
            let path = self.path(&format!("/issues/{}/comments", number(key)?));
            let _: Value = self.web.call(Method::Make, &path, Some(&wanted)).await?;
        }
        Ok(issue.into())
    }

    /// GitHub has no links between issues; a mention in a comment shows at both of them.
    async fn link(&self, from: &TicketKey, to: &TicketKey, operation: &Operation) -> Result<(), TrackerError> {
        self.comment(from, &format!("Related to {to}"), operation).await.map(drop)
    }

    /// Who may open an issue may write to one.
    async fn may(&self, _: Act) -> Result<(), TrackerError> {
        Ok(())
    }

    fn description_characters_max(&self) -> usize {
        // The mark of the operation is a part of it.
        TEXT_CHARACTERS_MAX - MARK_CHARACTERS_MAX
    }

    fn comment_characters_max(&self) -> usize {
        self.description_characters_max()
    }

    /// An issue that was created and not yet put below its epic is half done: it is done again, which finds it and does
    /// the rest.
    async fn made_by(&self, operation: &Operation, on: Option<&TicketKey>) -> Result<Option<Ticket>, TrackerError> {
        if let Some(key) = on {
            return Ok(if self.has_comment(key, operation).await? { Some(self.one(key).await?.into()) } else { None });
        }
        Ok(None)
    }
}

/// The number of an issue.
fn number(key: &TicketKey) -> Result<u64, TrackerError> {
    let number = key.as_str().strip_prefix('#').and_then(|number| number.parse().ok());
    number.ok_or_else(|| TrackerError::Refused(format!("“{key}” is no issue of GitHub.")))
}

/// By which an issue or comment is found again; GitHub shows it to nobody.
fn mark(operation: &Operation) -> String {
    format!("<!-- turnwise: {} -->", operation.as_str())
}

/// The role that may only read, and has no more than that where it is the only one.
const READING: &str = "pull";
/// Roles that may label issues and put them below others.
const TRIAGING: [&str; 4] = ["triage", "push", "maintain", "admin"];
/// Issues on a page, and how many pages are looked at.
const PAGE: usize = 100;
const PAGES_MAX: usize = 5;
/// Characters that GitHub takes in a text, and how many of them the mark of an operation has at most.
const TEXT_CHARACTERS_MAX: usize = 65_536;
const MARK_CHARACTERS_MAX: usize = 500;
/// Issues that a search gives.
const FOUND_MAX: usize = 50;
/// Words of a title that are looked for: GitHub takes five ORs.
const WORDS_MAX: usize = 6;
