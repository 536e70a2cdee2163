//! Those who follow: event streams over plain sockets, because ten thousand of them must cost the client little.
//! Next: `client`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore, mpsc};
use tokio::task::JoinSet;

use crate::client::{Place, Target};

/// Streams opened at once.
const OPENED_AT_ONCE: usize = 64;
/// Bytes that are kept of what was read before, so that a mark at the edge of two reads is found.
const EDGE: usize = 16;
/// Far more than any delivery takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// Silence after which nothing more of a reply is on its way.
const QUIET: Duration = Duration::from_millis(3);

/// An event stream.
pub struct Stream {
    line: TcpStream,
    buffer: Vec<u8>,
}

impl Stream {
    /// Follows what happens at `place` from now on.
    pub async fn open(target: &Target, place: &Place) -> Self {
        let mut line = TcpStream::connect(&target.address).await.unwrap();
        line.set_nodelay(true).unwrap();
        let request = format!(
            "GET {}?after=1 HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n\r\n",
            place.events, target.address
        );
        line.write_all(request.as_bytes()).await.unwrap();
        let mut stream = Self { line, buffer: Vec::new() };
        // Where the conversation stands is the first thing told; a stream that told it is open.
        stream.until("event: state").await;
        stream
    }

    /// Reads until `wanted` comes.
    pub async fn until(&mut self, wanted: &str) {
        while !self.buffer.windows(wanted.len()).any(|part| part == wanted.as_bytes()) {
            assert!(self.read().await > 0, "the stream ended before {wanted} came");
        }
        self.buffer.clear();
    }

    /// Reads away what still comes.
    pub async fn quiet(&mut self) {
        while tokio::time::timeout(QUIET, self.read()).await.is_ok_and(|read| read > 0) {}
        self.buffer.clear();
    }

    async fn read(&mut self) -> usize {
        self.line.read_buf(&mut self.buffer).await.unwrap()
    }

    /// The number of the next mark.
    async fn mark(&mut self) -> Option<usize> {
        loop {
            let found = self.buffer.windows(9).position(|part| part.starts_with(b"mark-"));
            if let Some(at) = found {
                let number = std::str::from_utf8(&self.buffer[at + 5..at + 9]).ok()?.parse().ok();
                self.buffer.drain(..at + 9);
                return number;
            }
            let kept = self.buffer.len().saturating_sub(EDGE);
            self.buffer.drain(..kept);
            if self.line.read_buf(&mut self.buffer).await.ok()? == 0 {
                return None;
            }
        }
    }
}

/// Many who follow, until this is dropped.
pub struct Subscribers {
    _following: JoinSet<()>,
    heard: Mutex<mpsc::UnboundedReceiver<(usize, Instant)>>,
}

impl Subscribers {
    /// Opens `count` streams, spread over `places`; each is open when this returns.
    pub async fn open(target: &Target, places: &[Place], count: usize) -> Self {
        let (tell, heard) = mpsc::unbounded_channel();
        let at_once = Arc::new(Semaphore::new(OPENED_AT_ONCE));
        let (opened, mut all_opened) = mpsc::channel::<()>(1);
        let mut following = JoinSet::new();
        for number in 0..count {
            let (target, place, tell) = (target.clone(), places[number % places.len()].clone(), tell.clone());
            let (at_once, opened) = (Arc::clone(&at_once), opened.clone());
            following.spawn(async move {
                let turn = at_once.acquire().await;
                let mut stream = Stream::open(&target, &place).await;
                drop((turn, opened));
                let mut last = None;
                while let Some(number) = stream.mark().await {
                    // What was said stands in more than one event; the first tells when it came.
                    if last.replace(number) != Some(number) && tell.send((number, Instant::now())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(opened);
        // Ends once nobody is left who opens.
        let _ = all_opened.recv().await;
        Self { _following: following, heard: Mutex::new(heard) }
    }

    /// How long after `start` each of `count` streams had message `number`.
    pub async fn delivered(&self, number: usize, count: usize, start: Instant) -> Vec<Duration> {
        let mut heard = self.heard.lock().await;
        let mut delays = Vec::with_capacity(count);
        while delays.len() < count {
            let next = tokio::time::timeout(PATIENCE, heard.recv()).await;
            let (told, at) = next.expect("an event was not delivered").expect("all streams ended");
            if told == number {
                delays.push(at.duration_since(start));
            }
        }
        delays
    }
}
