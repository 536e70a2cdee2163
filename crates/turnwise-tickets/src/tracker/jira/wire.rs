//! A project of Jira, and who we are there. Apart from the requests, because only here is a token of an account held.
//! Next: `mod`, `tracker::web` for the requests.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::bulk::Gathering;
use super::fields::OURS;
use crate::draft::TicketKind;
use crate::tracker::TrackerError;
use crate::tracker::web::{Login, Web};

/// Where Jira is, and who we are there.
#[derive(Clone)]
pub struct Account {
    /// Its address, without a slash at the end.
    pub site: String,
    /// The key of the project.
    pub project: String,
    /// The address of the account.
    pub user: String,
    /// Its token.
    pub token: String,
    /// How long an answer is waited for.
    pub patience: Duration,
    /// Fields that have a name here, each with the one of Jira that it is.
    pub fields: BTreeMap<String, String>,
    /// How the project calls kinds of tickets, where not as we do.
    pub kinds: BTreeMap<TicketKind, String>,
    /// How the link is called between a ticket and one that exists.
    pub link_type: String,
}

/// A project of Jira.
#[derive(Clone, Debug)]
pub struct Jira {
    pub(super) project: String,
    pub(super) user: String,
    pub(super) fields: BTreeMap<String, String>,
    pub(super) kinds: BTreeMap<TicketKind, String>,
    pub(super) link_type: String,
    pub(super) gathering: Gathering,
    pub(super) web: Web,
}

impl fmt::Debug for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Account").field("site", &self.site).field("project", &self.project).finish_non_exhaustive()
    }
}

impl Jira {
    /// The project of `account`. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address is none that a token may be sent to, or a name stands for a field that is filled anyway.
    pub fn open(account: Account) -> Result<Self, TrackerError> {
        let Account { site, project, user, token, patience, fields, kinds, link_type } = account;
        if let Some((name, id)) = fields.iter().find(|(_, id)| OURS.contains(&id.as_str())) {
            let told = format!("jira.fields: “{name}” is {id}, which is filled already; take it out of turnwise.yaml.");
            return Err(TrackerError::Unusable(told));
        }
        let web = Web::open("Jira", &site, Login::Account { user: user.clone(), token }, patience)?;
        Ok(Self { project, user, fields, kinds, link_type, gathering: Gathering::default(), web })
    }
}
