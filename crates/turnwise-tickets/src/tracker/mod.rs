//! Trackers: where tickets are created. One trait for all, so that what is shown and asked is the same whatever tracker
//! stands behind it. Everything that changes something takes an [`Operation`], by which it is found again: asked twice
//! for the same operation, a tracker has one ticket. Next: `files`, `jira`, `github`.

pub mod files;
pub mod github;
pub mod jira;
mod likeness;
mod patience;
mod web;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

pub(crate) use self::patience::patiently;
pub(crate) use self::web::PATIENCE;
use crate::draft::Draft;

/// The key of a ticket, as people write it: `SHOP-12`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TicketKey(String);

/// The piece of work something was done by: the same for every attempt at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Operation(String);

/// A ticket that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Its key.
    pub key: TicketKey,
    /// Its title.
    pub title: String,
    /// Where people find it.
    pub place: String,
}

/// Something that is to be created.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// As it would be created.
    pub draft: &'a Draft,
    /// Whether it goes below an epic.
    pub is_below: bool,
}

/// Something a tracker would refuse about one of the items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which item, from 0.
    pub item: usize,
    /// The field it is about, by the tracker's name.
    pub field: String,
    /// What is wrong with it.
    pub told: String,
    /// The values it may have; empty where any is good.
    pub allowed: Vec<String>,
}

/// Something that an account may do or not, besides creating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Write to a ticket.
    Comment,
    /// Link two tickets.
    Link,
}

/// Why a tracker did not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TrackerError {
    /// It refuses what was sent; sending it again would not help.
    #[error("{0}")]
    Refused(String),
    /// It is busy or down; later it may work. Nothing was done.
    #[error("{0}")]
    Busy(String),
    /// It says when it is to be asked again. Nothing was done.
    #[error("{told}")]
    Wait {
        /// What it said.
        told: String,
        /// How long that is.
        wait: Duration,
    },
    /// It is to be asked again at a time longer away than anybody waits here. Nothing was done.
    #[error("{0}")]
    Later(String),
    /// Whoever waited for it was stopped. Nothing was done.
    #[error("Stopped while the tracker was waited for.")]
    Stopped,
    /// The answer was lost: it may have been done or not.
    #[error("{0}")]
    Lost(String),
    /// Whoever runs this has to mend something: an address, a permission, a disk.
    #[error("{0}")]
    Unusable(String),
}

/// Where tickets are created.
#[async_trait]
pub trait Tracker: Send + Sync + 'static {
    /// How people call it: “the folder tickets”, “Jira project SHOP”.
    fn told(&self) -> String;

    /// Whether it lets us in and has a place for tickets; nothing is created.
    async fn look(&self) -> Result<(), TrackerError>;

    /// What it would refuse of `items`, found without creating anything; whether the account may create is a part of
    /// it.
    async fn check(&self, items: &[Item<'_>]) -> Result<Vec<Problem>, TrackerError>;

    /// Tickets that may be about the same, the nearest first.
    async fn similar(&self, draft: &Draft) -> Result<Vec<Ticket>, TrackerError>;

    /// Creates a ticket below `epic`, if there is one; a second time for the same operation gives the first ticket.
    async fn create(
        &self,
        draft: &Draft,
        epic: Option<&TicketKey>,
        operation: &Operation,
    ) -> Result<Ticket, TrackerError>;

    /// Adds a comment to a ticket; a second time for the same operation adds none.
    async fn comment(&self, key: &TicketKey, text: &str, operation: &Operation) -> Result<Ticket, TrackerError>;

    /// Links a ticket to another one; a second time for the same two makes no second link.
    async fn link(&self, from: &TicketKey, to: &TicketKey, operation: &Operation) -> Result<(), TrackerError>;

    /// Whether the account may do that, before anybody approves it.
    async fn may(&self, act: Act) -> Result<(), TrackerError>;

    /// How many tickets it creates by one request, where they come at the same time.
    fn together_max(&self) -> usize {
        1
    }

    /// The fields besides those of every ticket that who runs this gave a name.
    fn fields(&self) -> Vec<String> {
        Vec::new()
    }

    /// How long the description of a ticket may be.
    fn description_characters_max(&self) -> usize;

    /// How long a comment may be.
    fn comment_characters_max(&self) -> usize;

    /// The ticket that an operation created or wrote to, if it did.
    async fn made_by(&self, operation: &Operation, on: Option<&TicketKey>) -> Result<Option<Ticket>, TrackerError>;
}

impl TicketKey {
    /// A key as the tracker gave it.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TicketKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Operation {
    /// The work of this name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.key, self.title)
    }
}
