//! The Slack surface: threads and direct messages are conversations, with the same decisions and cards as everywhere.
//! What Slack sends is believed by its signature alone, kept before it is acknowledged, and told apart by its own
//! ids, so that what is delivered twice happens once. It comes over HTTP or over a socket that we open ourselves. Next:
//! `receive`, `inbox` and `socket` for what comes in, `follow` for what is posted, `blocks` for how cards look there,
//! `modal` for forms, `members` for who may decide, `team` for which workspace is served,
//! `places` for what an assistant may say to a channel, `talk` for what people say in a thread among themselves.

mod blocks;
mod command;
mod examine;
mod follow;
mod form;
mod inbox;
mod line;
mod members;
mod modal;
mod payload;
mod places;
mod post;
mod press;
mod receive;
mod secret;
mod signature;
mod socket;
mod talk;
mod team;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use turnwise_core::{ConversationId, InputKey, PersonId};

use crate::driver::{Delivery, DriverError, Session, TakenUp};
use crate::outgoing::Address;

pub use examine::examine;
pub use secret::Secret;

/// How the surface is to be run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// By which Slack signs what it sends over HTTP; without one nothing is taken in that way.
    pub signing: Option<Secret>,
    /// By which a socket is opened, over which Slack sends instead; without one none is.
    pub app_token: Option<Secret>,
    /// By which we are let in there.
    pub token: Secret,
    /// Where its methods are called.
    pub api: Address,
    /// The slash command, without its slash.
    pub bot: String,
    /// The teams that are served; without one that of the token.
    pub teams: Vec<String>,
    /// The folder that says where each conversation is held; without one that is known as long as the process lives.
    pub places: Option<PathBuf>,
}

/// The conversations behind threads, as the process around the surface keeps them.
#[async_trait]
pub trait Threads: Send + Sync + 'static {
    /// The conversation of a thread; the same name gives the same one, in every process.
    async fn thread(&self, name: &str) -> Result<Session, DriverError>;

    /// The conversations that `person` takes part in.
    async fn of(&self, person: &PersonId) -> Result<Vec<ConversationId>, DriverError>;

    /// Keeps what was delivered until it is taken in; durable when this returns.
    async fn keep(&self, delivery: Delivery) -> Result<(), DriverError>;

    /// Forgets a delivery that was taken in.
    async fn forget(&self, key: &InputKey) -> Result<(), DriverError>;

    /// What other processes kept and did not take in before they ended.
    async fn take_up(&self) -> Result<TakenUp, DriverError>;
}

/// The surface, with what all requests share.
pub struct Slack {
    settings: Settings,
    threads: Arc<dyn Threads>,
    /// The threads whose events are posted.
    followed: Mutex<BTreeSet<String>>,
    /// The thread in which each person last spoke in a channel of a team: slash commands do not say where they were
    /// typed.
    latest: Mutex<BTreeMap<(String, String, String), Place>>,
    /// Where the conversations are held that were spoken in since the start.
    places: Mutex<BTreeMap<ConversationId, Place>>,
    /// What was said and is not taken in yet.
    inbox: inbox::Inbox,
    /// Who was in the channels when it was last looked.
    seen: members::Seen,
    /// The teams that are served.
    teams: team::Teams,
    /// The slash commands that were typed lately.
    typed: command::Typed,
    /// Who we are there.
    me: talk::Me,
    /// Held by the one process that serves Slack from a folder.
    lock: OnceLock<File>,
}

/// The name under which what Slack delivers is kept.
pub const CHANNEL: &str = "slack";

/// Where a conversation is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    team: String,
    channel: String,
    /// The message its thread hangs on; a direct message may have none.
    thread: Option<String>,
}

impl Place {
    /// The name of its conversation.
    fn name(&self) -> String {
        format!("slack/{}/{}/{}", self.team, self.channel, self.thread.as_deref().unwrap_or("direct"))
    }

    /// Whether it is a conversation of two.
    fn is_direct(&self) -> bool {
        is_direct(&self.channel)
    }
}

/// Whether a channel is a conversation of two, as its id says.
fn is_direct(channel: &str) -> bool {
    channel.starts_with('D')
}

impl Slack {
    /// The surface over these threads. Nothing is sent yet.
    #[must_use]
    pub fn new(settings: Settings, threads: Arc<dyn Threads>) -> Arc<Self> {
        let (followed, latest, places) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (inbox, lock, teams) = (inbox::Inbox::default(), OnceLock::new(), team::Teams::of(&settings.teams));
        let (seen, me, typed) = (members::Seen::default(), talk::Me::default(), command::Typed::default());
        Arc::new(Self { settings, threads, followed, latest, places, inbox, seen, teams, typed, me, lock })
    }

    /// The routes that Slack calls, where it sends over HTTP. All of it may go to the first one.
    pub fn routes(self: &Arc<Self>) -> Router {
        Router::new()
            .route("/slack/events", post(receive::all))
            .route("/slack/interactivity", post(receive::all))
            .route("/slack/commands", post(receive::all))
            .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
            .with_state(Arc::clone(self))
    }
}

/// How long it is waited before what could not be stored, read or posted is tried again.
const BETWEEN_TRIES: Duration = Duration::from_secs(5);
/// Bytes of one request: a press comes with the whole message its button is in.
const BODY_BYTES_MAX: usize = 512 * 1024;
