//! Loading: who waits for data in a shell sees how far it is, on one line that goes away again. A chat on a terminal
//! shows the same in its own last line. Next: `turnwise_assistant::Progress`.

use std::io::{self, IsTerminal, Write as _};
use std::time::Duration;

use turnwise_assistant::Stage;

use crate::channel::draw::{cut, visible};

/// What `opening` comes to; meanwhile the terminal, if there is one, shows the `stage` it is at.
pub async fn shown<T>(stage: impl Fn() -> Option<Stage>, opening: impl Future<Output = T>) -> T {
    if !io::stderr().is_terminal() {
        return opening.await;
    }
    let mut opening = std::pin::pin!(opening);
    let mut beat = tokio::time::interval_at(tokio::time::Instant::now() + FELT, BEAT);
    let mut is_shown = false;
    loop {
        tokio::select! {
            biased;
            come = &mut opening => {
                if is_shown {
                    write("");
                }
                return come;
            }
            _ = beat.tick() => if let Some(stage) = stage() {
                is_shown = true;
                write(&stage.told());
            }
        }
    }
}

/// Puts `words` in place of what stands on the line.
fn write(words: &str) {
    let columns = crossterm::terminal::size().map_or(COLUMNS, |(columns, _)| usize::from(columns));
    // What cannot be written here is no reason to stop.
    let mut out = io::stderr().lock();
    let _ = write!(out, "\r\x1b[2K{}", cut(&visible(words), columns.saturating_sub(1)));
    let _ = out.flush();
}

/// What takes less is not felt.
const FELT: Duration = Duration::from_millis(400);
const BEAT: Duration = Duration::from_millis(150);
/// Of a terminal that does not say.
const COLUMNS: usize = 80;
