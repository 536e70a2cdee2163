//! One line of Socket Mode: opened, greeted by Slack, and read until Slack ends it. Each delivery is acknowledged over
//! the line it came on. A line that Slack asks us to leave goes on until the next one stands, because until then
//! deliveries still come there, and gives out what it owes before it closes. Next: `socket`, which holds them.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_util::sync::CancellationToken;

use super::Slack;
use super::command::Command;
use super::inbox::NotKept;
use super::post::PostError;
use super::receive::{Delivered, taken};
use crate::outgoing::{self, Address, CallError};

/// Why a line could not be opened, or ended.
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
    #[error("no greeting came within {} s", GREETED_WITHIN.as_secs())]
    Ungreeted,
    #[error("nothing came over the socket for {} s", SILENCE.as_secs())]
    Silent,
    #[error("Slack closed the socket")]
    Closed,
    #[error("Slack ended the socket ({0})")]
    Ended(String),
    #[error("Socket Mode is off for this app: turn it on at api.slack.com/apps, or take the app-level token away here")]
    Off,
}

/// What a line had come to when it was served for the last time.
pub(super) enum Served {
    /// Slack renews it: it goes on until the next one stands.
    Leaving(Line),
    /// It is over.
    Over(SocketError),
}

/// A line that Slack has greeted us on.
pub(super) struct Line {
    sending: SplitSink<WebSocketStream<Box<dyn outgoing::Line>>, Message>,
    coming: SplitStream<WebSocketStream<Box<dyn outgoing::Line>>>,
    /// For the deliveries that are being taken in.
    acknowledge: mpsc::Sender<Value>,
    acknowledged: mpsc::Receiver<Value>,
}

/// What comes over a line.
#[derive(Debug, Deserialize)]
struct Envelope {
    #[serde(rename = "type")]
    kind: String,
    envelope_id: Option<String>,
    #[serde(default)]
    payload: Value,
    /// Why Slack ends the line.
    reason: Option<String>,
}

/// What a message of a line asks of whoever serves it.
enum Asked {
    Nothing,
    ToLeave,
}

impl Line {
    /// Opens a line to `address` and waits for Slack's greeting: a line without one is good for nothing.
    pub(super) async fn open(address: &str) -> Result<Self, SocketError> {
        timeout(GREETED_WITHIN, Self::greeted(address)).await.map_err(|_| SocketError::Ungreeted)?
    }

    async fn greeted(address: &str) -> Result<Self, SocketError> {
        let line = outgoing::line(&reached(address).ok_or(SocketError::NoAddress)?).await?;
        let (socket, _) = tokio_tungstenite::client_async(address, line).await?;
        let (sending, mut coming) = socket.split();
        loop {
            let message = coming.next().await.ok_or(SocketError::Closed)??;
            let Some(envelope) = envelope(&message) else { continue };
            match envelope.kind.as_str() {
                "hello" => break,
                "disconnect" => return Err(ended(envelope.reason)),
                // Without an acknowledgement Slack sends it again.
                _ => {}
            }
        }
        let (acknowledge, acknowledged) = mpsc::channel(ACKNOWLEDGED_MAX);
        Ok(Self { sending, coming, acknowledge, acknowledged })
    }

    /// Takes in what comes until Slack ends the line or renews it.
    pub(super) async fn serve(mut self, slack: &Arc<Slack>) -> Served {
        loop {
            match self.turn(slack).await {
                Ok(Asked::Nothing) => {}
                Ok(Asked::ToLeave) => return Served::Leaving(self),
                Err(error) => return Served::Over(error),
            }
        }
    }

    /// Goes on until `next` says that another line stands, then sends what is still owed.
    pub(super) async fn leave(mut self, slack: Arc<Slack>, next: CancellationToken) {
        let served = async { while let Some(Ok(_)) = next.run_until_cancelled(self.turn(&slack)).await {} };
        // Slack ends it soon whether we are ready or not.
        let _ = timeout(LEAVING_MAX, served).await;
        let Self { mut sending, mut acknowledged, acknowledge, .. } = self;
        // What is still being taken in holds the others, so the last of them ends the queue.
        drop(acknowledge);
        let owed = async {
            while let Some(answer) = acknowledged.recv().await {
                sending.send(Message::text(answer.to_string())).await?;
            }
            sending.close().await
        };
        // Where this fails, Slack sends it again over the next line and the store knows it.
        let _ = timeout(OWED_WITHIN, owed).await;
    }

    /// The next thing that happens on the line, either way.
    async fn turn(&mut self, slack: &Arc<Slack>) -> Result<Asked, SocketError> {
        tokio::select! {
            Some(answer) = self.acknowledged.recv() => {
                self.sending.send(Message::text(answer.to_string())).await?;
                Ok(Asked::Nothing)
            }
            come = timeout(SILENCE, self.coming.next()) => {
                let message = come.map_err(|_| SocketError::Silent)?.ok_or(SocketError::Closed)??;
                self.come(slack, &message)
            }
        }
    }

    fn come(&self, slack: &Arc<Slack>, message: &Message) -> Result<Asked, SocketError> {
        let Some(envelope) = envelope(message) else { return Ok(Asked::Nothing) };
        if envelope.kind == "disconnect" {
            return match envelope.reason.as_deref() {
                // It ends in seconds, or Slack moves us elsewhere: the same for us.
                None | Some("warning" | "refresh_requested") => Ok(Asked::ToLeave),
                Some(_) => Err(ended(envelope.reason)),
            };
        }
        let (slack, acknowledge) = (Arc::clone(slack), self.acknowledge.clone());
        tokio::spawn(async move { slack.take_envelope(envelope, acknowledge).await });
        Ok(Asked::Nothing)
    }
}

impl Slack {
    /// The address of a socket of our own, which is good for one connection.
    pub(super) async fn socket_address(&self) -> Result<String, SocketError> {
        let address = self.opened_socket().await?;
        if address.is_empty() { Err(SocketError::NoAddress) } else { Ok(address) }
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
            Some(delivered) => match taken(&self, delivered).await {
                Ok(answer) => answer,
                // It is acknowledged, because it would only come again.
                Err(why @ NotKept::OtherTeam(..)) => {
                    eprintln!("Something of Slack was refused: {why}.");
                    None
                }
                // Without an acknowledgement Slack sends it again.
                Err(why) => return eprintln!("Something said in Slack is to come again: {why}."),
            },
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

/// What a message says; pings and the like say nothing.
fn envelope(message: &Message) -> Option<Envelope> {
    let Message::Text(text) = message else { return None };
    let envelope = serde_json::from_str(text).ok();
    if envelope.is_none() {
        eprintln!("Something came over Slack's socket that cannot be read.");
    }
    envelope
}

/// What a line means that Slack ends for `reason`.
fn ended(reason: Option<String>) -> SocketError {
    match reason.as_deref() {
        Some("link_disabled") => SocketError::Off,
        _ => SocketError::Ended(reason.unwrap_or_else(|| "it says no reason".to_owned())),
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

/// How long a line may take to stand and be greeted.
const GREETED_WITHIN: Duration = Duration::from_secs(30);
/// Slack pings several times a minute: a line on which nothing comes for longer is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// How long a line is held that Slack wants us to leave: it says so about ten seconds before.
const LEAVING_MAX: Duration = Duration::from_secs(30);
/// How long it then waits for what is being taken in, which is acknowledged sooner than Slack's three seconds.
const OWED_WITHIN: Duration = Duration::from_secs(5);
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
