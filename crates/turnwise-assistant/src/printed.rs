//! Printed: what a command prints while it runs, told to whoever looks on. It is told in pieces a few times a second,
//! whole letters only, and of a flood the end: who looks on wants to see that it goes on, and the answer has the rest.
//! Next: `command`.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use turnwise_model::{By, Live, Stage, Watching};

/// Runs a command of `typed` words by `run`, which is handed what stops it and what takes what it prints: that is told
/// to `watching` as it comes, also before a pause.
pub fn shown<T>(
    watching: &Watching,
    typed: &str,
    stop: &dyn Fn() -> bool,
    run: impl FnOnce(&dyn Fn() -> bool, &mut dyn FnMut(&[u8])) -> T,
) -> T {
    let printed = RefCell::new(Printed::new(watching, typed));
    // It is asked all the time, also while nothing is printed: what came before a pause is told in it.
    let stop = || {
        printed.borrow_mut().tell_when_due();
        stop()
    };
    run(&stop, &mut |piece| printed.borrow_mut().take(piece))
}

/// What one command prints.
struct Printed<'a> {
    watching: &'a Watching,
    typed: &'a str,
    /// What was not told so far.
    rest: Vec<u8>,
    told: Instant,
}

impl<'a> Printed<'a> {
    /// Of a command that begins now, as one would type it.
    fn new(watching: &'a Watching, typed: &'a str) -> Self {
        watching.tell(Live { by: By::Program(typed), text: "", stage: Stage::Asked });
        Self { watching, typed, rest: Vec::new(), told: Instant::now() }
    }

    /// Something was printed.
    fn take(&mut self, piece: &[u8]) {
        self.rest.extend_from_slice(piece);
        let surplus = self.rest.len().saturating_sub(REST_BYTES_MAX);
        self.rest.drain(..surplus);
        // Cut within a letter, the rest of it goes, too.
        let cut = if surplus > 0 { self.rest.iter().take_while(|byte| **byte & 0xC0 == 0x80).count() } else { 0 };
        self.rest.drain(..cut);
        self.tell_when_due();
    }

    /// Tells what was printed, unless something was told a moment ago.
    fn tell_when_due(&mut self) {
        let end = self.rest.len() - begun_letter(&self.rest);
        if end == 0 || self.told.elapsed() < PAUSE {
            return;
        }
        let text = String::from_utf8_lossy(&self.rest[..end]).into_owned();
        self.rest.drain(..end);
        self.told = Instant::now();
        self.watching.tell(Live { by: By::Program(self.typed), text: &text, stage: Stage::Writing });
    }
}

impl Drop for Printed<'_> {
    fn drop(&mut self) {
        self.watching.tell(Live { by: By::Program(self.typed), text: "", stage: Stage::Over });
    }
}

/// Bytes at the end of `bytes` that are the beginning of a letter.
fn begun_letter(bytes: &[u8]) -> usize {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.len() - error.valid_up_to(),
        _ => 0,
    }
}

/// Time between two tellings.
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes that wait to be told; of more the last.
const REST_BYTES_MAX: usize = 8 * 1024;
