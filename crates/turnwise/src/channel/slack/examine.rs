//! Examining: whether Slack lets us in, and whether the app may do all that it has to. Nothing is posted. Next: `post`.

use std::sync::Arc;

use super::post::PostError;
use super::{Settings, Slack, Threads};
use crate::driver::{Delivery, DriverError, Session, TakenUp};

use async_trait::async_trait;
use turnwise_core::{ConversationId, InputKey, PersonId};

/// What Slack says of our token: who we are there.
///
/// # Errors
/// Why we cannot work there, with what to mend.
pub async fn examine(settings: Settings) -> Result<String, String> {
    let has_socket = settings.app_token.is_some();
    let slack = Slack::new(settings, Arc::new(NoThreads));
    let (answer, scopes) = slack.who().await.map_err(|error| told(&error))?;
    let named = |key: &str| answer[key].as_str().unwrap_or("?").to_owned();
    let who = format!("{} in {}", named("user"), named("team"));
    let scopes = scopes.ok_or_else(|| format!("{who}: Slack does not say which scopes the token has"))?;
    let has: Vec<&str> = scopes.split(',').map(str::trim).collect();
    let missing: Vec<&str> = SCOPES.into_iter().filter(|scope| !has.contains(scope)).collect();
    if !missing.is_empty() {
        return Err(format!(
            "{who}: the token lacks {}; add them under OAuth & Permissions and install the app again",
            missing.join(", ")
        ));
    }
    if has_socket {
        slack.socket_address().await.map_err(|error| format!("{who}, but no socket can be opened: {error}"))?;
    }
    let by = if has_socket { "over a socket" } else { "over HTTP" };
    Ok(format!("{who}, all {} scopes are there, Slack sends {by}", SCOPES.len()))
}

fn told(error: &PostError) -> String {
    match error {
        PostError::Refused(_, why) => format!("Slack does not let us in ({why}); the app's page shows the bot token"),
        other => other.to_string(),
    }
}

/// Nobody speaks while we only look.
struct NoThreads;

#[async_trait]
impl Threads for NoThreads {
    async fn thread(&self, _: &str) -> Result<Session, DriverError> {
        Err(DriverError::Gone)
    }

    async fn of(&self, _: &PersonId) -> Result<Vec<ConversationId>, DriverError> {
        Err(DriverError::Gone)
    }

    async fn keep(&self, _: Delivery) -> Result<(), DriverError> {
        Err(DriverError::Gone)
    }

    async fn forget(&self, _: &InputKey) -> Result<(), DriverError> {
        Err(DriverError::Gone)
    }

    async fn take_up(&self) -> Result<TakenUp, DriverError> {
        Err(DriverError::Gone)
    }
}

/// What the app has to be allowed, as the manifest asks for it.
const SCOPES: [&str; 10] = [
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "users:read",
];
