//! The Slack surface as it is configured: the section `slack` of `turnwise.yaml` turns it on, and the two secrets come
//! from files or the environment. Next: `channel::slack`, `serve`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use turnwise_core::{AssistantName, ConversationId, InputKey, PersonId};

use super::config;
use super::house::House;
use crate::channel::slack::{CHANNEL, Secret, Settings, Threads};
use crate::driver::{Delivery, DriverError, LISTED_MAX, Listing, Session, TakenUp};
use crate::outgoing::Address;
use turnwise_assistant::{Failure, FailureKind, Opened};

/// The section as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Written {
    /// A file with the signing secret; without it the variable counts.
    signing_secret_file: Option<PathBuf>,
    /// A file with the bot token; without it the variable counts.
    bot_token_file: Option<PathBuf>,
    /// A file with the app-level token, by which a socket is opened; without it the variable counts, and without both
    /// Slack sends over HTTP.
    app_token_file: Option<PathBuf>,
    /// The slash command, without its slash.
    bot: Option<String>,
    /// The ids of the teams that are served; without one that of the bot token.
    teams: Vec<String>,
    /// The assistant that is spoken with there; without it the first that is served.
    assistant: Option<String>,
    /// Where Slack's methods are called, for those who stand a proxy in between.
    api: Option<String>,
}

/// How the surface is to be run, and with which of the assistants that are `served`; none where nobody set it up.
///
/// # Errors
/// When a secret is missing or cannot be read, or something else is wrong with it.
pub fn settings(served: &[Opened], state: Option<&Path>) -> Result<Option<(Settings, AssistantName)>, Failure> {
    let Some((written, folder)) = config::slack()? else { return Ok(None) };
    let names: Vec<&AssistantName> = served.iter().map(|served| served.assistant.name()).collect();
    let name = match &written.assistant {
        None => names.first().copied(),
        Some(wanted) => names.iter().copied().find(|name| name.as_str() == wanted),
    };
    let Some(name) = name.cloned() else {
        let served: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        let wanted = written.assistant.unwrap_or_default();
        return Err(wrong(format!("slack.assistant: “{wanted}” is not served here"))
            .hint(format!("served are: {}; --assistant NAME serves another", served.join(", "))));
    };
    Ok(Some((connected(written, &folder, state)?, name)))
}

/// The same for looking at it alone.
///
/// # Errors
/// As [`settings`].
pub fn examined() -> Result<Option<Settings>, Failure> {
    config::slack()?.map(|(written, folder)| connected(written, &folder, None)).transpose()
}

fn connected(written: Written, folder: &Path, state: Option<&Path>) -> Result<Settings, Failure> {
    let address = written.api.as_deref().unwrap_or(API);
    let api: Address = address.parse().map_err(|error| wrong(format!("slack.api: “{address}”: {error}")))?;
    if !api.is_encrypted() && !api.is_loopback() {
        return Err(
            wrong("slack.api: the bot token would be sent where others read along".to_owned()).hint("use https://")
        );
    }
    let app_token = given(folder, written.app_token_file.as_deref(), APP_TOKEN, "app_token_file")?;
    let signing = (written.signing_secret_file.as_deref(), "signing_secret_file");
    let signing = match app_token {
        // Nothing comes over HTTP, so nothing has to be signed.
        Some(_) => given(folder, signing.0, SIGNING, signing.1)?,
        None => Some(secret(folder, signing.0, SIGNING, signing.1)?),
    };
    Ok(Settings {
        signing,
        app_token,
        token: secret(folder, written.bot_token_file.as_deref(), TOKEN, "bot_token_file")?,
        api,
        bot: written.bot.unwrap_or_else(|| BOT.to_owned()),
        teams: written.teams,
        places: state.map(|state| state.join(PLACES)),
    })
}

/// The secret in the file, or in the environment, which has to be there.
fn secret(folder: &Path, file: Option<&Path>, variable: &str, key: &str) -> Result<Secret, Failure> {
    given(folder, file, variable, key)?.ok_or_else(|| {
        wrong(format!("slack is set up, and {variable} is not set"))
            .hint(format!("set {variable}, or name a file that holds it: slack: {{{key}: FILE}}"))
            .hint("the app's page at api.slack.com shows it")
    })
}

/// The secret in the file, or in the environment, where there is one.
fn given(folder: &Path, file: Option<&Path>, variable: &str, key: &str) -> Result<Option<Secret>, Failure> {
    let secret = match file {
        Some(file) => {
            let file = folder.join(file);
            let unreadable =
                |error: std::io::Error| wrong(format!("slack.{key}: {} cannot be read ({error})", file.display()));
            Secret::new(&std::fs::read_to_string(&file).map_err(unreadable)?)
        }
        None => Secret::new(&std::env::var(variable).unwrap_or_default()),
    };
    Ok(Some(secret).filter(|secret| !secret.is_empty()))
}

fn wrong(told: String) -> Failure {
    Failure::new(FailureKind::Usage, told)
}

/// The threads of one assistant of a house.
pub struct HouseThreads {
    house: Arc<House>,
    assistant: AssistantName,
}

impl HouseThreads {
    /// Those with `assistant`.
    pub fn new(house: Arc<House>, assistant: AssistantName) -> Self {
        Self { house, assistant }
    }
}

#[async_trait]
impl Threads for HouseThreads {
    async fn thread(&self, name: &str) -> Result<Session, DriverError> {
        self.house.thread(&self.assistant, name).await
    }

    async fn of(&self, person: &PersonId) -> Result<Vec<ConversationId>, DriverError> {
        let (store, mut all) = (self.house.driver().store(), Vec::new());
        let mut wanted = Listing { member: Some(person.clone()), ..Listing::default() };
        loop {
            let found = store.conversations(&wanted).await?;
            all.extend(found.iter().map(|one| one.id.clone()));
            let Some(last) = found.last().filter(|_| found.len() >= LISTED_MAX) else { return Ok(all) };
            wanted.after = Some(last.place());
        }
    }

    async fn keep(&self, delivery: Delivery) -> Result<(), DriverError> {
        Ok(self.house.driver().store().keep(delivery).await?)
    }

    async fn forget(&self, key: &InputKey) -> Result<(), DriverError> {
        Ok(self.house.driver().store().forget_delivery(CHANNEL, key).await?)
    }

    async fn take_up(&self) -> Result<TakenUp, DriverError> {
        Ok(self.house.driver().store().take_up(CHANNEL).await?)
    }
}

/// Where Slack is.
const API: &str = "https://slack.com/api";
/// The variables of the secrets.
const SIGNING: &str = "SLACK_SIGNING_SECRET";
const TOKEN: &str = "SLACK_BOT_TOKEN";
const APP_TOKEN: &str = "SLACK_APP_TOKEN";
/// The folder that says where conversations are held.
const PLACES: &str = "slack";
/// The slash command where nobody named it.
const BOT: &str = "turnwise";
