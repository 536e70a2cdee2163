//! Keys, pastes and changes of size, read on a thread of their own. Reading a terminal blocks, and typing must
//! never wait for anything else. Next: `mod`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crossterm::event::{self, Event};
use tokio::sync::mpsc;

/// What the terminal reports; ends when dropped.
pub(super) struct Keys {
    events: mpsc::UnboundedReceiver<io::Result<Event>>,
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
                    Ok(true) => event::read(),
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

    /// The next report; `None` when the terminal cannot be read any more.
    pub(super) async fn next(&mut self) -> Option<io::Result<Event>> {
        self.events.recv().await
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// How often the thread looks whether it should end; keys are not delayed by it.
const LOOK_UP: Duration = Duration::from_millis(250);
