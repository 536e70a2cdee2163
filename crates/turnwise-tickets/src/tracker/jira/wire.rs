//! A project of Jira, and who we are there. Apart from the requests, because only here is a token of an account held.
//! Next: `mod`, `tracker::web` for the requests.

use std::fmt;
use std::time::Duration;

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
}

/// A project of Jira.
#[derive(Clone, Debug)]
pub struct Jira {
    pub(super) project: String,
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
    /// When the address is none that a token may be sent to.
    pub fn open(account: Account) -> Result<Self, TrackerError> {
        let Account { site, project, user, token, patience } = account;
        Ok(Self { project, web: Web::open("Jira", &site, Login::Account { user, token }, patience)? })
    }
}
