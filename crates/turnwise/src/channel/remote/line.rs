//! The line to a server: whether it stands, what its person is told of that, and when something is tried again. What
//! is sent has a key, so trying again never does anything twice. Next: `calls`.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::calls::Refused;
use turnwise_assistant::{Failure, FailureKind};

/// What the line carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Events, to here.
    Events,
    /// What the person does, from here.
    Acts,
}

/// The line to a server.
#[derive(Debug)]
pub(super) struct Line {
    notices: mpsc::UnboundedSender<String>,
    /// After how long a cut line is given up; never, where a person can see it and leave.
    patience: Option<Duration>,
    broken: Mutex<Broken>,
}

#[derive(Debug, Default)]
struct Broken {
    events: bool,
    acts: bool,
    since: Option<Instant>,
}

impl Line {
    pub(super) fn new(notices: mpsc::UnboundedSender<String>, patience: Option<Duration>) -> Self {
        Self { notices, patience, broken: Mutex::default() }
    }

    pub(super) fn is_cut(&self) -> bool {
        self.broken().since.is_some()
    }

    /// `half` does not get through. Its person is told once.
    ///
    /// # Errors
    /// When it has been so for longer than anyone shall wait.
    pub(super) fn breaks(&self, half: Half, why: &str) -> Result<(), Failure> {
        let mut broken = self.broken();
        *broken.of(half) = true;
        let now = Instant::now();
        let since = *broken.since.get_or_insert_with(|| {
            // Whoever left reads nothing any more.
            let _ = self.notices.send(format!("{}. Trying again; nothing is lost or done twice.", sentence(why)));
            now
        });
        match self.patience.filter(|patience| now.duration_since(since) > *patience) {
            Some(patience) => {
                let told = format!("given up after {} s: {why}", patience.as_secs());
                Err(Failure::new(FailureKind::Peer, told).hint("--resume takes the conversation up again"))
            }
            None => Ok(()),
        }
    }

    /// `half` gets through.
    pub(super) fn stands(&self, half: Half) {
        let mut broken = self.broken();
        *broken.of(half) = false;
        if !broken.events && !broken.acts && broken.since.take().is_some() {
            let _ = self.notices.send("Connected again.".to_owned());
        }
    }

    /// Trying again until something succeeds or cannot.
    pub(super) fn trying(&self, half: Half) -> Trying<'_> {
        Trying { line: self, half, tries: 0 }
    }

    fn broken(&self) -> std::sync::MutexGuard<'_, Broken> {
        self.broken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that is tried until it succeeds or cannot.
pub(super) struct Trying<'a> {
    line: &'a Line,
    half: Half,
    tries: u32,
}

impl Trying<'_> {
    /// What came of a try; nothing when it is time for the next.
    pub(super) async fn came<T>(&mut self, tried: Result<T, Refused>) -> Option<Result<T, Refused>> {
        let Err(Refused::Later { told, after }) = tried else {
            self.line.stands(self.half);
            return Some(tried);
        };
        if let Err(failure) = self.line.breaks(self.half, &told) {
            return Some(Err(Refused::Failure(failure)));
        }
        tokio::time::sleep(after.max(pause(self.tries, dice()))).await;
        self.tries += 1;
        None
    }
}

impl Broken {
    fn of(&mut self, half: Half) -> &mut bool {
        match half {
            Half::Events => &mut self.events,
            Half::Acts => &mut self.acts,
        }
    }
}

/// Words as the beginning of a sentence; an address stays as it is.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !words.starts_with("http") => first.to_uppercase().chain(letters).collect(),
        Some(_) | None => words.to_owned(),
    }
}

/// How long to wait before trying again for the `tries`th time: doubled each time, and cut by up to a half at random,
/// so that those who lost a server together do not all come back at once.
pub(super) fn pause(tries: u32, dice: u8) -> Duration {
    let whole = PAUSE_FIRST.saturating_mul(1 << tries.min(10)).min(PAUSE_MAX);
    whole - whole / 2 * u32::from(dice) / 255
}

/// A number from 0 to 255; without chance always the same, which only makes coming back less even.
pub(super) fn dice() -> u8 {
    let mut byte = [0];
    let _ = getrandom::fill(&mut byte);
    byte[0]
}

/// The first pause, which a server that is only restarted outlasts by little.
const PAUSE_FIRST: Duration = Duration::from_millis(100);
/// The longest pause: whoever mends a server sees its people back soon.
const PAUSE_MAX: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::pause;

    #[test]
    fn pauses_grow_up_to_a_limit_and_are_spread() {
        let milliseconds: Vec<u128> = [0, 1, 3, 6, 40].iter().map(|tries| pause(*tries, 0).as_millis()).collect();
        assert_eq!(milliseconds, [100, 200, 800, 5_000, 5_000]);
        assert_eq!(pause(40, 255), Duration::from_millis(2_500));
    }
}
