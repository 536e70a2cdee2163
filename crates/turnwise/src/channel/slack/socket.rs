//! Socket Mode: Slack sends over a WebSocket that we open, so that no address of ours has to be reachable. Each
//! delivery is acknowledged once it is taken in; a line that breaks is opened anew, and what was not acknowledged comes
//! again. Next: `receive` for what becomes of a delivery.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_util::sync::CancellationToken;

use super::Slack;
use super::command::Command;
use super::post::PostError;
use super::receive::{Delivered, taken};
use crate::outgoing::{Address, CallError, line};

/// Why a socket could not be opened, or ended.
#[derive(Debug, thiserror::Error)]
pub(super) enum SocketError {
    #[error(transparent)]
    Refused(#[from] PostError),
    #[error("Slack names no address of a socket that could be opened")]
    NoAddress,
    #[error(transparent)]
    Unreachable(#[from] CallError),
    #[error("the socket broke: {0}")]
    Broken(#[from] tungstenite::Error),
    #[error("nothing came over the socket for {} s", SILENCE.as_secs())]
    Silent,
}

/// What comes over the socket.
#[derive(Debug, Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: String,
    envelope_id: Option<String>,
    #[serde(default)]
    payload: Value,
}

impl Slack {
    /// Takes in what Slack sends over sockets until `closing`.
    pub async fn listen(self: Arc<Self>, closing: CancellationToken) {
        let mut failures = 0_u32;
        loop {
            let ended = tokio::select! {
                () = closing.cancelled() => return,
                ended = self.one_socket(&mut failures) => ended,
            };
            if let Err(error) = ended {
                failures += 1;
                let wait = BACKOFF_FIRST.saturating_mul(1 << failures.min(BACKOFF_DOUBLINGS));
                eprintln!("Slack's socket: {error}. It is opened again in {} ms.", wait.as_millis());
                tokio::select! {
                    () = closing.cancelled() => return,
                    () = tokio::time::sleep(wait) => {}
                }
            }
        }
    }

    /// The address of a socket of our own, which is good for one connection.
    pub(super) async fn socket_address(&self) -> Result<String, SocketError> {
        let address = self.opened_socket().await?;
        if address.is_empty() { Err(SocketError::NoAddress) } else { Ok(address) }
    }

    /// Takes in what comes over one socket until it is asked to go.
    async fn one_socket(self: &Arc<Self>, failures: &mut u32) -> Result<(), SocketError> {
        let address = self.socket_address().await?;
        let line = line(&reached(&address).ok_or(SocketError::NoAddress)?).await?;
        let (socket, _) = tokio_tungstenite::client_async(address.as_str(), line).await?;
        let (mut sending, mut coming) = socket.split();
        let (acknowledge, mut acknowledged) = mpsc::channel::<Value>(ACKNOWLEDGED_MAX);
        loop {
            tokio::select! {
                Some(answer) = acknowledged.recv() => sending.send(Message::text(answer.to_string())).await?,
                come = tokio::time::timeout(SILENCE, coming.next()) => {
                    let Some(message) = come.map_err(|_| SocketError::Silent)? else { return Ok(()) };
                    let Message::Text(text) = message? else { continue };
                    *failures = 0;
                    let Ok(envelope) = serde_json::from_str::<Envelope>(&text) else {
                        eprintln!("Something came over Slack's socket that cannot be read.");
                        continue;
                    };
                    // Slack renews sockets: the next one is opened before anything is lost.
                    if envelope.kind == "disconnect" {
                        return Ok(());
                    }
                    let (slack, acknowledge) = (Arc::clone(self), acknowledge.clone());
                    tokio::spawn(async move { slack.take_envelope(envelope, acknowledge).await });
                }
            }
        }
    }

    async fn take_envelope(self: Arc<Self>, envelope: Envelope, acknowledge: mpsc::Sender<Value>) {
        let Some(id) = envelope.envelope_id else { return };
        let delivered = match envelope.kind.as_str() {
            "events_api" => serde_json::from_value(envelope.payload).map(Delivered::Event).ok(),
            "interactive" => serde_json::from_value(envelope.payload).map(Delivered::Interaction).ok(),
            "slash_commands" => {
                let value = |name: &str| envelope.payload[name].as_str().map(str::to_owned);
                Command::of_values(value).map(Delivered::Command)
            }
            _ => None,
        };
        let answer = match delivered {
            Some(delivered) => taken(&self, delivered).await,
            None => {
                eprintln!("Slack sent something over its socket that is none of what we asked for: {}.", envelope.kind);
                None
            }
        };
        let mut answered = json!({ "envelope_id": id });
        if let Some(answer) = answer {
            answered["payload"] = answer;
        }
        // Where the line broke meanwhile, Slack sends it again and the store knows it.
        let _ = acknowledge.send(answered).await;
    }
}

/// The server that a socket's address names.
fn reached(address: &str) -> Option<Address> {
    let (scheme, rest) = address.split_once("://")?;
    let scheme = match scheme {
        "wss" => "https",
        "ws" => "http",
        _ => return None,
    };
    let host = rest.split(['/', '?']).next()?;
    let address: Address = format!("{scheme}://{host}").parse().ok()?;
    // What comes over it is believed, so nobody on the way may write along.
    (address.is_encrypted() || address.is_loopback()).then_some(address)
}

/// The first wait before a socket is opened again, and how often it doubles.
const BACKOFF_FIRST: Duration = Duration::from_millis(250);
const BACKOFF_DOUBLINGS: u32 = 7;
/// Slack pings several times a minute: a line on which nothing comes for longer is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// Acknowledgements that wait for the line.
const ACKNOWLEDGED_MAX: usize = 64;

#[cfg(test)]
mod tests {
    use super::reached;

    #[test]
    fn a_socket_is_opened_where_nobody_reads_along() {
        let shown = |address: &str| reached(address).map(|address| address.to_string());
        assert_eq!(shown("wss://wss.example.com/link/?ticket=1").as_deref(), Some("https://wss.example.com"));
        assert_eq!(shown("ws://127.0.0.1:99/x").as_deref(), Some("http://127.0.0.1:99"));
        assert_eq!(shown("ws://wss.example.com/link"), None);
        assert_eq!(shown("https://wss.example.com/link"), None);
    }
}
