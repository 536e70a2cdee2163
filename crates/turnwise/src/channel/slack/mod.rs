//! The Slack surface: threads and direct messages are conversations, with the same decisions and cards as everywhere.
//! What Slack sends is believed by its signature alone, stored before it is acknowledged, and told apart by its own
//! ids, so that what is delivered twice happens once. Next: `receive` for what comes in, `follow` for what is posted,
//! `blocks` for how cards look there.

mod blocks;
mod command;
mod follow;
mod form;
mod payload;
mod post;
mod press;
mod receive;
mod secret;
mod signature;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::post;

use crate::driver::{DriverError, Session};
use crate::outgoing::Address;

pub use secret::Secret;

/// How the surface is to be run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// By which Slack signs what it sends.
    pub signing: Secret,
    /// By which we are let in there.
    pub token: Secret,
    /// Where its methods are called.
    pub api: Address,
    /// The slash command, without its slash.
    pub bot: String,
}

/// The conversations behind threads, as the process around the surface keeps them.
#[async_trait]
pub trait Threads: Send + Sync + 'static {
    /// The conversation of a thread; the same name gives the same one, in every process.
    async fn thread(&self, name: &str) -> Result<Session, DriverError>;
}

/// What all requests share.
struct Slack {
    settings: Settings,
    threads: Arc<dyn Threads>,
    /// The threads whose events are posted.
    followed: Mutex<BTreeMap<String, follow::Followed>>,
    /// The thread in which each person last spoke in a channel: slash commands do not say where they were typed.
    latest: Mutex<BTreeMap<(String, String), Place>>,
}

/// Where a conversation is held.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

/// The routes that Slack calls.
pub fn routes(settings: Settings, threads: Arc<dyn Threads>) -> Router {
    let slack = Arc::new(Slack { settings, threads, followed: Mutex::default(), latest: Mutex::default() });
    Router::new()
        .route("/slack/events", post(receive::events))
        .route("/slack/interactivity", post(receive::interactivity))
        .route("/slack/commands", post(receive::commands))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(slack)
}

/// Bytes of one request: a press comes with the whole message its button is in.
const BODY_BYTES_MAX: usize = 512 * 1024;
