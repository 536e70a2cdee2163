//! The team: one app may be installed in several workspaces, all signed with the same secret, and our token is good for
//! one of them. What comes from another is refused, because nothing could be answered there. Which one it is the
//! configuration says, or Slack, when it is asked whose token this is. Next: `receive`.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::inbox::NotKept;
use super::receive::Delivered;
use super::{BETWEEN_TRIES, Slack};

/// The teams that are served, once they are known.
#[derive(Debug, Default)]
pub(super) struct Teams(OnceLock<BTreeSet<String>>);

impl Teams {
    /// Those that were named; none are to be learned.
    pub(super) fn of(named: &[String]) -> Self {
        let teams = Self::default();
        if !named.is_empty() {
            // It was made just now, so nobody set it before.
            let _ = teams.0.set(named.iter().cloned().collect());
        }
        teams
    }

    /// Lets in what comes from a team that is served.
    pub(super) fn admit(&self, delivered: &Delivered) -> Result<(), NotKept> {
        let Some(team) = delivered.team() else { return Ok(()) };
        let served = self.0.get().ok_or(NotKept::TeamUnknown)?;
        if served.contains(team) {
            return Ok(());
        }
        let served: Vec<&str> = served.iter().map(String::as_str).collect();
        Err(NotKept::OtherTeam(team.to_owned(), served.join(", ")))
    }
}

impl Slack {
    /// Asks Slack whose token this is, unless that was said; where it does not answer, again and again beside
    /// everything else. Until then deliveries have to come again.
    pub(super) async fn learn_team(self: &Arc<Self>, closing: &CancellationToken) {
        if self.teams.0.get().is_some() {
            return;
        }
        let (slack, closing) = (Arc::clone(self), closing.clone());
        let learning = tokio::spawn(async move { closing.run_until_cancelled(slack.learned()).await });
        // What was sent while the server began need not come twice.
        let _ = tokio::time::timeout(LEARNED_WITHIN, learning).await;
    }

    async fn learned(self: Arc<Self>) {
        loop {
            let told = match self.who().await {
                Ok((answer, _)) => match answer["team_id"].as_str() {
                    Some(team) => {
                        let _ = self.teams.0.set([team.to_owned()].into());
                        return;
                    }
                    None => "auth.test names no team".to_owned(),
                },
                Err(error) => error.to_string(),
            };
            eprintln!("Which team of Slack this server serves cannot be seen: {told}. It is tried again.");
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
    }
}

/// How long the start waits for Slack to say it.
const LEARNED_WITHIN: Duration = Duration::from_secs(5);
