//! What Jira has besides tickets: links between two of them, and what the account may do. Both are asked before anybody
//! approves, because an approval that cannot be carried out helps nobody. Next: `mod`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use turnwise_core::text;

use super::Jira;
use crate::tracker::web::Method;
use crate::tracker::{Act, TicketKey, TrackerError};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Types {
    issue_link_types: Vec<LinkType>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct LinkType {
    id: String,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Linked {
    fields: Links,
}

#[derive(Debug, Deserialize)]
struct Links {
    #[serde(default)]
    issuelinks: Vec<Link>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    #[serde(rename = "type")]
    kind: LinkType,
    inward_issue: Option<Other>,
    outward_issue: Option<Other>,
}

#[derive(Debug, Deserialize)]
struct Other {
    key: TicketKey,
}

#[derive(Debug, Deserialize)]
struct Permissions {
    permissions: BTreeMap<String, Permission>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Permission {
    #[serde(default)]
    name: String,
    #[serde(default)]
    have_permission: bool,
}

impl Jira {
    /// The kind of link that is made, as the server knows it.
    async fn link_type(&self) -> Result<LinkType, TrackerError> {
        let types: Types = self.web.call(Method::Look, "/rest/api/3/issueLinkType", None).await?;
        let types = types.issue_link_types;
        let named = types.iter().find(|known| known.name.eq_ignore_ascii_case(&self.link_type));
        named.cloned().ok_or_else(|| {
            let names: Vec<String> = types.into_iter().map(|known| known.name).collect();
            TrackerError::Unusable(format!(
                "Jira has no link type “{}”; it has {}. Name one of them as jira.link_type in turnwise.yaml.",
                self.link_type,
                text::listed(&names)
            ))
        })
    }

    /// Links `from` to `to`, unless it is.
    pub(super) async fn link_once(&self, from: &TicketKey, to: &TicketKey) -> Result<(), TrackerError> {
        let kind = self.link_type().await?;
        let path = format!("/rest/api/3/issue/{from}?fields=issuelinks");
        let linked: Linked = self.web.call(Method::Look, &path, None).await?;
        let is_there = |link: &Link| {
            let other = [&link.inward_issue, &link.outward_issue].into_iter().flatten().any(|other| other.key == *to);
            link.kind == kind && other
        };
        if linked.fields.issuelinks.iter().any(is_there) {
            return Ok(());
        }
        let wanted = json!({
            "type": { "id": kind.id },
            "inwardIssue": { "key": from.as_str() },
            "outwardIssue": { "key": to.as_str() },
        });
        let _: Value = self.web.call(Method::Make, "/rest/api/3/issueLink", Some(&wanted)).await?;
        Ok(())
    }

    /// Whether the account may do that, and there is a kind of link for it.
    pub(super) async fn may_do(&self, act: Act) -> Result<(), TrackerError> {
        match act {
            Act::Comment => self.permitted(&[COMMENT]).await,
            Act::Link => {
                self.permitted(&[LINK]).await?;
                self.link_type().await.map(drop)
            }
        }
    }

    /// Whether the account has these permissions in the project; those that it lacks are told by the names that whoever
    /// grants them sees.
    pub(super) async fn permitted(&self, wanted: &[&str]) -> Result<(), TrackerError> {
        let path = format!("/rest/api/3/mypermissions?projectKey={}&permissions={}", self.project, wanted.join("%2C"));
        let Permissions { permissions } = self.web.call(Method::Look, &path, None).await?;
        let lacks = |key: &&&str| permissions.get(**key).is_none_or(|permission| !permission.have_permission);
        let name = |key: &&str| {
            let name = permissions.get(*key).map(|known| known.name.as_str()).filter(|name| !name.is_empty());
            name.map_or_else(|| (*key).to_owned(), |name| format!("“{name}”"))
        };
        let lacking: Vec<String> = wanted.iter().filter(lacks).map(name).collect();
        if lacking.is_empty() {
            return Ok(());
        }
        Err(TrackerError::Unusable(format!(
            "The account {} lacks the permission {} in Jira project {}. Whoever administers the project can grant it.",
            self.user,
            text::listed(&lacking),
            self.project
        )))
    }
}

/// What the bot does needs these.
pub(super) const CREATE: &str = "CREATE_ISSUES";
pub(super) const COMMENT: &str = "ADD_COMMENTS";
pub(super) const LINK: &str = "LINK_ISSUES";
