//! Patience with a tracker that says when to come again: it is asked again then, a few times, and after that the person
//! is told. Waiting ends with whoever waits: a step that was stopped makes nothing afterwards. Next: `web` for how long
//! is too long.

use tokio_util::sync::CancellationToken;

use super::TrackerError;

/// What `ask` comes to, asked again whenever the tracker says when.
///
/// # Errors
/// What the last asking came to, or that it was stopped.
pub(crate) async fn patiently<T, Asked>(stopped: &CancellationToken, ask: impl Fn() -> Asked) -> Result<T, TrackerError>
where
    Asked: Future<Output = Result<T, TrackerError>>,
{
    for _ in 0..WAITS_MAX {
        let wait = match ask().await {
            Err(TrackerError::Wait { wait, .. }) => wait,
            ended => return ended,
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = stopped.cancelled() => return Err(TrackerError::Stopped),
        }
    }
    match ask().await {
        Err(TrackerError::Wait { told, .. }) => {
            Err(TrackerError::Later(format!("{told} It was asked {} times.", WAITS_MAX + 1)))
        }
        ended => ended,
    }
}

/// How often it is waited: who is still busy then is so for long.
const WAITS_MAX: u32 = 3;
