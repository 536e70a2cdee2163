//! Keys, pastes and changes of size, read on a thread of their own, with all that came at once together. Reading a
//! terminal blocks, and typing must never wait for anything else. Next: `burst`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossterm::event::{self, Event};
use tokio::sync::mpsc;

/// What the terminal reports; ends when dropped.
pub(super) struct Keys {
    events: mpsc::UnboundedReceiver<io::Result<Vec<Event>>>,
    ended: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
}

impl Keys {
    /// Begins to read.
    pub(super) fn read() -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let ended = Arc::new(AtomicBool::new(false));
        let reader_ended = Arc::clone(&ended);
        let reader = std::thread::spawn(move || {
            while !reader_ended.load(Ordering::Relaxed) {
                let next = match event::poll(LOOK_UP) {
                    Ok(false) => continue,
                    Ok(true) => at_once(),
                    Err(error) => Err(error),
                };
                let fails = next.is_err();
                if sender.send(next).is_err() || fails {
                    return;
                }
            }
        });
        Self { events, ended, reader: Some(reader) }
    }

    /// Ends reading, and waits until it has ended: whoever reads the terminal next gets every key.
    pub(super) async fn end(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            // It ends by itself; a panic in it was reported where it happened.
            let _ = tokio::task::spawn_blocking(move || reader.join()).await;
        }
    }

    /// The next reports, all that came at once; `None` when the terminal cannot be read any more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Vec<Event>>> {
        self.events.recv().await
    }
}

/// What is there, and whatever follows without a gap that fingers would leave.
fn at_once() -> io::Result<Vec<Event>> {
    let mut events = vec![event::read()?];
    while events.len() < BURST_MAX && event::poll(GAP)? {
        events.push(event::read()?);
    }
    Ok(events)
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// How often the thread looks whether it should end; keys are not delayed by it.
const LOOK_UP: Duration = Duration::from_millis(250);

/// Shortest time between two keys that are pressed one after the other; nobody types five hundred a second.
const GAP: Duration = Duration::from_millis(2);

/// Most reports taken together, so that a long paste is shown while it comes.
const BURST_MAX: usize = 4_096;
