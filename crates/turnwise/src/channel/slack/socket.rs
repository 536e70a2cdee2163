//! Socket Mode: Slack sends over a WebSocket that we open, so that no address of ours has to be reachable. There is one
//! line, and beside it for a moment those that Slack asked us to leave. A line that breaks is opened anew, and what was
//! not acknowledged comes again. Next: `line` for one of them, `receive` for what becomes of a delivery.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::Slack;
use super::line::{Line, Served, SocketError};
use super::post::PostError;

impl Slack {
    /// Takes in what Slack sends over sockets until `closing`.
    pub async fn listen(self: Arc<Self>, closing: CancellationToken) {
        let _ = closing.run_until_cancelled(self.lines()).await;
    }

    /// Holds one line after the other. Those that are being left end with it.
    async fn lines(self: Arc<Self>) {
        let (mut leaving, mut failures) = (JoinSet::new(), Failures::default());
        let mut stands = CancellationToken::new();
        loop {
            let served = match self.opened().await {
                Ok(line) => {
                    stands.cancel();
                    let begun = Instant::now();
                    let served = line.serve(&self).await;
                    failures.served(begun.elapsed());
                    served
                }
                Err(error) => {
                    failures.refused();
                    Served::Over(error)
                }
            };
            let wait = match served {
                Served::Leaving(line) => {
                    stands = CancellationToken::new();
                    leaving.spawn(line.leave(Arc::clone(&self), stands.clone()));
                    while leaving.len() > LEAVING_MAX {
                        leaving.join_next().await;
                    }
                    failures.wait()
                }
                Served::Over(error) => {
                    let wait = if is_lasting(&error) { LASTING_WAIT } else { failures.wait() };
                    let when = if wait.is_zero() { "at once".to_owned() } else { format!("in {wait:?}") };
                    eprintln!("Slack's socket: {error}. It is opened again {when}.");
                    wait
                }
            };
            sleep(wait).await;
        }
    }

    async fn opened(&self) -> Result<Line, SocketError> {
        Line::open(&self.socket_address().await?).await
    }
}

/// Lines in a row that were of no use.
#[derive(Debug, Default)]
struct Failures {
    count: u32,
    /// Whether the latest line had been greeted.
    was_greeted: bool,
}

impl Failures {
    /// A line that was greeted ended after `held`.
    fn served(&mut self, held: Duration) {
        // Slack renews lines after minutes. One that is greeted and ended at once, again and again, is no use either.
        self.count = if held >= STEADY { 0 } else { self.count + 1 };
        self.was_greeted = true;
    }

    /// No line could be had.
    fn refused(&mut self) {
        self.count += 1;
        self.was_greeted = false;
    }

    /// How long to wait for the next line: not at all behind the first that was greeted.
    fn wait(&self) -> Duration {
        let doublings = if self.was_greeted { self.count.checked_sub(2) } else { self.count.checked_sub(1) };
        let wait = |doublings: u32| BACKOFF_FIRST.saturating_mul(1 << doublings.min(BACKOFF_DOUBLINGS));
        doublings.map_or(Duration::ZERO, wait)
    }
}

/// Whether only a person can mend it.
fn is_lasting(error: &SocketError) -> bool {
    let is_refusal =
        matches!(error, SocketError::Refused(PostError::Refused(_, why)) if LASTING.contains(&why.as_str()));
    is_refusal || matches!(error, SocketError::Off)
}

/// Why Slack lets nobody in who tries again.
const LASTING: [&str; 5] =
    ["not_authed", "invalid_auth", "account_inactive", "user_removed_from_team", "team_disabled"];
/// The wait for a person to mend something.
const LASTING_WAIT: Duration = Duration::from_secs(5 * 60);
/// The first wait before a line is opened again, and how often it doubles.
const BACKOFF_FIRST: Duration = Duration::from_millis(250);
const BACKOFF_DOUBLINGS: u32 = 7;
/// How long a line is held that was of use.
const STEADY: Duration = Duration::from_secs(10);
/// Lines that may be left at once: Slack allows ten in all.
const LEAVING_MAX: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_no_use_are_waited_for_ever_longer_and_a_steady_one_begins_anew() {
        let mut failures = Failures::default();
        let mut waits = |end: fn(&mut Failures)| {
            end(&mut failures);
            failures.wait().as_millis()
        };
        assert_eq!([waits(Failures::refused), waits(Failures::refused), waits(Failures::refused)], [250, 500, 1_000]);
        assert_eq!(waits(|failures| failures.served(STEADY)), 0);
        let ended_at_once: fn(&mut Failures) = |failures| failures.served(Duration::ZERO);
        assert_eq!([waits(ended_at_once), waits(ended_at_once), waits(ended_at_once)], [0, 250, 500]);
        for _ in 0..40 {
            waits(Failures::refused);
        }
        assert_eq!(waits(Failures::refused), 32_000);
    }
}
