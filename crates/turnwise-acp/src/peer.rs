//! Peers: the other end of a pipe. What is asked of us comes one after the other; what we ask is answered in whatever
//! order the other side likes. Next: `line` for what stands in the pipe.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc as blocking};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use crate::line::{self, Heard, Line, Out, Version, Written};
use crate::schema::{Error, PROTOCOL_LEVEL_METHOD_NAMES};

/// The other end of a pipe. Clones speak through the same one.
#[derive(Clone)]
pub struct Peer {
    shared: Arc<Shared>,
}

struct Shared {
    out: blocking::Sender<Out>,
    waiting: Mutex<Waiting>,
    next: AtomicU64,
}

/// Who waits for an answer of the other side.
#[derive(Default)]
struct Waiting {
    is_closed: bool,
    by_id: BTreeMap<u64, oneshot::Sender<Result<Box<RawValue>, Error>>>,
}

/// What the other side says by itself.
#[derive(Debug)]
pub enum Incoming {
    /// It wants an answer.
    Request(Asked),
    /// It wants none.
    Notification {
        /// What it is about.
        method: String,
        /// What it says.
        params: Box<RawValue>,
    },
}

/// A request of the other side. One that is dropped is answered with an error, so that nobody waits for ever.
pub struct Asked {
    /// What it asks for.
    pub method: String,
    params: Box<RawValue>,
    id: Value,
    peer: Peer,
    is_answered: bool,
}

/// Why a request of ours came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum PeerError {
    /// The pipe is closed.
    #[error("the other side is gone")]
    Closed,
    /// The other side says no.
    #[error("{} (code {})", .0.message, i32::from(.0.code))]
    Refused(Error),
    /// What it answered is none, or what was to be sent could not be written.
    #[error("{method}: {reason}")]
    Unreadable {
        /// What was asked.
        method: String,
        /// What is wrong.
        reason: String,
    },
}

impl Peer {
    /// The other end of these two pipes, and what it says. The receiver ends when it closes its end.
    #[must_use]
    pub fn over(from: impl Read + Send + 'static, to: impl Write + Send + 'static) -> (Self, mpsc::Receiver<Incoming>) {
        let shared = Shared { out: line::writing(to), waiting: Mutex::default(), next: AtomicU64::new(0) };
        let peer = Self { shared: Arc::new(shared) };
        let (sender, incoming) = mpsc::channel(INCOMING_MAX);
        let end = Closing(peer.clone());
        line::reading(from, move |line| match line {
            Line::Message(heard) => end.0.take(*heard, &sender),
            Line::Wrong(told) => {
                let error = Error::parse_error().data(Value::String(told));
                end.0.send(Written::Error { jsonrpc: Version::Two, id: Value::Null, error });
                true
            }
        });
        (peer, incoming)
    }

    /// Asks the other side, and waits for its answer. Dropping the future tells it that nobody waits any more.
    ///
    /// # Errors
    /// [`PeerError`].
    pub async fn request<A: DeserializeOwned>(&self, method: &str, params: &impl Serialize) -> Result<A, PeerError> {
        let unreadable =
            |error: serde_json::Error| PeerError::Unreadable { method: method.to_owned(), reason: error.to_string() };
        let params = serde_json::value::to_raw_value(params).map_err(unreadable)?;
        let id = self.shared.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answered) = oneshot::channel();
        {
            let mut waiting = self.waiting();
            if waiting.is_closed {
                return Err(PeerError::Closed);
            }
            waiting.by_id.insert(id, sender);
        }
        let mut unanswered = Unanswered { peer: self, id, is_open: true };
        self.send(Written::Request { jsonrpc: Version::Two, id, method: method.to_owned(), params });
        let answer = answered.await;
        unanswered.is_open = false;
        let answer = answer.map_err(|_| PeerError::Closed)?.map_err(PeerError::Refused)?;
        serde_json::from_str(answer.get()).map_err(unreadable)
    }

    /// Tells the other side something. What cannot be written any more is not: it is gone then.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        if let Ok(params) = serde_json::value::to_raw_value(params) {
            self.send(Written::Notification { jsonrpc: Version::Two, method: method.to_owned(), params });
        }
    }

    /// Waits until all that was sent is written, or can be written no more.
    pub fn flush(&self) {
        let (sender, done) = blocking::channel();
        if self.shared.out.send(Out::Flush(sender)).is_ok() {
            let _ = done.recv();
        }
    }

    fn send(&self, message: Written) {
        // Without a writer the pipe is closed, and whoever reads it hears of that.
        let _ = self.shared.out.send(Out::Message(message));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.shared.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one message in; false when nobody wants more.
    fn take(&self, heard: Heard, sender: &mpsc::Sender<Incoming>) -> bool {
        let params = |params: Option<Box<RawValue>>| params.unwrap_or_else(|| RawValue::NULL.to_owned());
        let incoming = match (heard.method, heard.id) {
            (Some(method), Some(id)) => {
                let params = params(heard.params);
                Incoming::Request(Asked { method, params, id, peer: self.clone(), is_answered: false })
            }
            (Some(method), None) => Incoming::Notification { method, params: params(heard.params) },
            (None, id) => {
                let waits = id.and_then(|id| self.waiting().by_id.remove(&id.as_u64()?));
                let answer = match (heard.result, heard.error) {
                    (_, Some(error)) => Err(error),
                    (Some(result), None) => Ok(result),
                    (None, None) => Ok(RawValue::NULL.to_owned()),
                };
                // An answer nobody waits for is to a request that was given up.
                if let Some(waits) = waits {
                    let _ = waits.send(answer);
                }
                return true;
            }
        };
        sender.blocking_send(incoming).is_ok()
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Peer").finish_non_exhaustive()
    }
}

/// Ends what waits when the reading thread does.
struct Closing(Peer);

impl Drop for Closing {
    fn drop(&mut self) {
        let mut waiting = self.0.waiting();
        waiting.is_closed = true;
        waiting.by_id.clear();
    }
}

/// A request whose answer is not there yet.
struct Unanswered<'a> {
    peer: &'a Peer,
    id: u64,
    is_open: bool,
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.is_open && self.peer.waiting().by_id.remove(&self.id).is_some() {
            let params = serde_json::json!({ "requestId": self.id });
            self.peer.notify(PROTOCOL_LEVEL_METHOD_NAMES.cancel_request, &params);
        }
    }
}

impl Asked {
    /// What it says.
    ///
    /// # Errors
    /// What of it is wrong, as the other side is told it.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(self.params.get())
            .map_err(|error| Error::invalid_params().data(Value::String(format!("{}: {error}", self.method))))
    }

    /// Its id, by which the other side gives it up.
    #[must_use]
    pub fn id(&self) -> &Value {
        &self.id
    }

    /// Answers it.
    pub fn answer<T: Serialize>(mut self, answer: Result<T, Error>) {
        let written = answer.and_then(|answer| {
            serde_json::value::to_raw_value(&answer).map_err(|error| Error::internal_error().data(error.to_string()))
        });
        self.reply(written);
    }

    fn reply(&mut self, answer: Result<Box<RawValue>, Error>) {
        self.is_answered = true;
        let (jsonrpc, id) = (Version::Two, self.id.clone());
        self.peer.send(match answer {
            Ok(result) => Written::Result { jsonrpc, id, result },
            Err(error) => Written::Error { jsonrpc, id, error },
        });
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if !self.is_answered {
            self.reply(Err(Error::internal_error().data(Value::String("it was given up".to_owned()))));
        }
    }
}

impl fmt::Debug for Asked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Asked").field("method", &self.method).field("id", &self.id).finish_non_exhaustive()
    }
}

/// Messages that may wait to be taken; who sends more waits in turn.
const INCOMING_MAX: usize = 256;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use std::os::unix::net::UnixStream;

    use super::*;

    fn pair() -> ((Peer, mpsc::Receiver<Incoming>), UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Peer::over(ours.try_clone().unwrap(), ours), theirs)
    }

    fn line(from: &mut impl std::io::BufRead) -> Value {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    #[tokio::test]
    async fn both_sides_ask_and_an_answer_finds_who_waits_for_it() {
        let ((peer, mut incoming), theirs) = pair();
        let mut reader = std::io::BufReader::new(theirs.try_clone().unwrap());
        let other = std::thread::spawn(move || {
            let mut theirs = theirs;
            theirs
                .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"hello\",\"params\":{\"a\":1}}\n")
                .unwrap();
            assert_eq!(line(&mut reader)["result"], "hi");
            let (one, two) = (line(&mut reader), line(&mut reader));
            for asked in [two, one] {
                let answer = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}}\n", asked["id"], asked["params"]);
                theirs.write_all(answer.as_bytes()).unwrap();
            }
            theirs.write_all(b"no json\n").unwrap();
            assert_eq!(line(&mut reader)["error"]["code"], -32700);
        });
        let Some(Incoming::Request(asked)) = incoming.recv().await else { panic!("a request") };
        assert_eq!((asked.method.as_str(), asked.read::<Value>().unwrap()["a"].as_u64()), ("hello", Some(1)));
        asked.answer(Ok("hi"));
        let (one, two) = tokio::join!(peer.request::<u32>("m", &1), peer.request::<u32>("m", &2));
        assert_eq!((one.unwrap(), two.unwrap()), (1, 2));
        other.join().unwrap();
        assert!(incoming.recv().await.is_none(), "it closed its end");
        assert!(matches!(peer.request::<u32>("m", &3).await, Err(PeerError::Closed)));
    }

    #[tokio::test]
    async fn what_is_given_up_is_told_and_what_is_dropped_is_answered() {
        let ((peer, mut incoming), mut theirs) = pair();
        let mut reader = std::io::BufReader::new(theirs.try_clone().unwrap());
        {
            let mut asking = Box::pin(peer.request::<u32>("slow", &()));
            assert!(futures_poll(&mut asking).await.is_none());
        }
        assert_eq!(line(&mut reader)["method"], "slow");
        let told = line(&mut reader);
        assert_eq!(
            (told["method"].as_str(), told["params"]["requestId"].as_u64()),
            (Some("$/cancel_request"), Some(0))
        );
        theirs.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"any\"}\n").unwrap();
        drop(incoming.recv().await);
        assert_eq!(line(&mut reader)["error"]["code"], -32603);
    }

    /// Polls once.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
