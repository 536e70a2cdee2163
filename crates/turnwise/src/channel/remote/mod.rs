//! A conversation on a server, as surfaces hold it: the other end of `channel::http`. What a person does goes out under
//! a key and is sent until it has arrived; the log comes in as events and is folded here, so that a surface draws the
//! same as beside the store. Next: `replica`, `line`, `calls`.

mod calls;
mod line;
mod replica;
mod shelf;
mod sse;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio_util::task::AbortOnDropHandle;
use turnwise_core::{Conversation, ConversationId, DecisionRef, Flow, Mode, Sequence, Surface, Verdict};

pub use self::shelf::RemoteShelf;

use self::calls::{Calls, Refused};
use self::line::{Half, Line};
use self::replica::Replica;
use self::wire::{Assistant, Command, Data, Listed, Outcome, Standing, Table, Waiting};
use super::Opened;
use super::link::{Act, Follow, Link, Notices, Which};
use super::vocabulary::Vocabulary;
use crate::channel::wire::{Decision, Message};
use crate::driver::{DriverError, Recorded, Session, window};
use crate::outgoing::Address;
use turnwise_assistant::{Failure, FailureKind, TableNames};

/// Which server, and how.
#[derive(Clone, Debug)]
pub struct Server {
    /// Where it is.
    pub address: Address,
    /// The person's token, where it wants one.
    pub token: Option<String>,
    /// After how long without a server to give up; never where it is absent.
    pub patience: Option<Duration>,
}

/// Opens the conversation that is meant, with `assistant` if one is named, else with the first there, and in `mode` if
/// one is named.
///
/// # Errors
/// When the server cannot be reached, is none of ours or of another version, does not know the person, or has no such
/// conversation.
pub async fn open(
    server: Server,
    assistant: Option<&str>,
    which: &Which,
    mode: Option<Mode>,
) -> Result<Opened, Failure> {
    let calls = Calls::new(server.address, server.token.as_deref())?;
    let known = calls.greet().await.map_err(Refused::into_failure)?;
    let assistants: Vec<Assistant> = calls.get("/v1/assistants").await.map_err(Refused::into_failure)?;
    let (standing, resumed) = chosen(&calls, assistant, which).await?;
    let assistant = assistants.into_iter().find(|assistant| assistant.name == standing.assistant);
    let (mut greeting, pausable, commands) =
        assistant.map(|known| (known.greeting, known.pausable, known.commands)).unwrap_or_default();
    greeting.push(format!("This conversation is on {} (Turnwise {}).", calls.address, known.version));
    if calls.has_token() && !calls.address.is_encrypted() && !calls.address.is_loopback() {
        greeting.push("Your token goes there unencrypted; an address with https:// keeps it secret.".to_owned());
    }
    if resumed {
        greeting.push(format!("Going on with conversation {}; --new begins a fresh one.", standing.id));
    }
    let id = ConversationId::new(standing.id.as_str());
    let at = format!("/v1/conversations/{id}");
    set_mode(&calls, &at, &standing, mode).await?;
    let (sender, notices) = Notices::channel();
    let line = Line::new(sender, server.patience);
    let replica = Replica::load(calls.clone(), format!("{at}/log"), standing.assistant, line).await?;
    let following = AbortOnDropHandle::new(tokio::spawn(Arc::clone(&replica).follow()));
    let link = Remote { calls, id, at, replica, pausable, surface: None, _following: Arc::new(following) };
    let vocabulary = vocabulary(&link, commands);
    Ok(Opened { link: Arc::new(link), greeting, notices, vocabulary })
}

/// What may be typed in it: the names of its data come when the server has said them, which nothing waits for.
fn vocabulary(link: &Remote, commands: Vec<Command>) -> Vocabulary {
    let vocabulary = Vocabulary {
        commands: commands.into_iter().map(|command| (command.name, command.help)).collect(),
        ..Vocabulary::default()
    };
    let (tables, calls, at) = (Arc::clone(&vocabulary.tables), link.calls.clone(), format!("{}/data", link.at));
    tokio::spawn(async move {
        let found: Result<Data, Refused> = calls.get(&at).await;
        let names = |table: Table| TableNames {
            table: table.name,
            columns: table.columns.into_iter().map(|column| column.name).collect(),
        };
        // Without them nothing is completed, and nothing is wrong.
        if let Ok(data) = found {
            let _ = tables.set(data.tables.into_iter().map(names).collect());
        }
    });
    vocabulary
}

/// The conversation that is meant, and whether it was there before.
async fn chosen(calls: &Calls, assistant: Option<&str>, which: &Which) -> Result<(Standing, bool), Failure> {
    let standing = async |id: &str| {
        let found: Result<Standing, Refused> = calls.get(&format!("/v1/conversations/{id}")).await;
        found.map_err(Refused::into_failure)
    };
    if let Which::Named(id) = which {
        let is_id = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if id.is_empty() || !id.chars().all(is_id) {
            return Err(Failure::new(FailureKind::Usage, format!("{id} is no id of a conversation"))
                .hint("--resume without an id takes the latest there"));
        }
        return Ok((standing(id).await?, true));
    }
    if *which != Which::New {
        let known: Vec<Listed> = calls.get("/v1/conversations").await.map_err(Refused::into_failure)?;
        let is_meant = |listed: &&Listed| assistant.is_none_or(|assistant| listed.assistant == assistant);
        match known.iter().find(is_meant) {
            Some(latest) => {
                let latest = standing(&latest.id).await?;
                if *which == Which::Latest || latest.is_unfinished() {
                    return Ok((latest, true));
                }
            }
            None if *which == Which::Latest => {
                let told = format!("there is no conversation of yours on {} yet", calls.address);
                return Err(Failure::new(FailureKind::Usage, told).hint("leave --resume out to begin one"));
            }
            None => {}
        }
    }
    let beginning = assistant.map_or_else(|| json!({}), |assistant| json!({"assistant": assistant}));
    let begun: Result<Standing, Refused> = calls.send("/v1/conversations", &Session::new_key(), &beginning).await;
    Ok((begun.map_err(Refused::into_failure)?, false))
}

/// Puts the conversation into the mode the person asked for, unless it is in it.
async fn set_mode(calls: &Calls, at: &str, standing: &Standing, mode: Option<Mode>) -> Result<(), Failure> {
    let word = match mode {
        Some(Mode::Proof) => "proof",
        Some(Mode::Exploratory) => "exploratory",
        None => return Ok(()),
    };
    if standing.mode == word {
        return Ok(());
    }
    let body = json!({"mode": word});
    let set: Result<Outcome, Refused> = calls.send(&format!("{at}/mode"), &Session::new_key(), &body).await;
    set.map(|_| ()).map_err(Refused::into_failure)
}

impl Standing {
    /// Whether something waits or runs.
    fn is_unfinished(&self) -> bool {
        self.phase != "idle" || self.busy || !self.pending.is_empty()
    }
}

/// A conversation on a server.
#[derive(Clone)]
struct Remote {
    calls: Calls,
    id: ConversationId,
    /// The path of the conversation.
    at: String,
    replica: Arc<Replica>,
    pausable: bool,
    surface: Option<Surface>,
    /// Ends with the last that holds the conversation.
    _following: Arc<AbortOnDropHandle<()>>,
}

impl Remote {
    /// What is sent for `act`, once that can be told.
    async fn write(&self, act: &Act) -> Result<(&'static str, Value), Refused> {
        let mut trying = self.replica.line.trying(Half::Acts);
        loop {
            let written = self.written(act).await;
            if let Some(written) = trying.came(written).await {
                return written;
            }
        }
    }

    /// Sends until it has arrived.
    async fn deliver(&self, path: &str, body: &Value) -> Result<Outcome, Refused> {
        let key = Session::new_key();
        let mut trying = self.replica.line.trying(Half::Acts);
        loop {
            let sent = self.calls.send(path, &key, body).await;
            if let Some(sent) = trying.came(sent).await {
                return sent;
            }
        }
    }

    /// Where the conversation stands, once that can be told.
    async fn standing(&self) -> Result<Standing, Refused> {
        let mut trying = self.replica.line.trying(Half::Acts);
        loop {
            let standing = self.calls.get(&self.at).await;
            if let Some(standing) = trying.came(standing).await {
                return standing;
            }
        }
    }

    /// What is sent for `act`: the path below the conversation's, and the body.
    async fn written(&self, act: &Act) -> Result<(&'static str, Value), Refused> {
        let (below, body) = match act {
            Act::Say(text, seen) => {
                let message = Message { text: text.clone(), seen: seen.map(Into::into), around: None };
                ("/messages", serde_json::to_value(message))
            }
            Act::Decide(reference, verdict) => {
                ("/decisions", serde_json::to_value(self.decision(*reference, verdict).await?))
            }
            Act::Stop => ("/stop", Ok(json!({}))),
        };
        let unwritable = |error| {
            Refused::Failure(Failure::new(FailureKind::Defect, "this cannot be written as JSON").caused_by(error))
        };
        Ok((below, body.map_err(|error: serde_json::Error| unwritable(error))?))
    }

    /// A decision with the reference the server has issued for its question.
    async fn decision(&self, reference: DecisionRef, verdict: &Verdict) -> Result<Decision, Refused> {
        let pending: Vec<Waiting> = self.calls.get(&format!("{}/pending", self.at)).await?;
        let id = reference.pending.to_string();
        let open = pending.into_iter().find(|open| open.id == id && open.version == reference.ui_version);
        let open = open.ok_or_else(|| {
            let told = "what this was about was decided or changed meanwhile; nothing was done";
            Refused::Failure(Failure::new(FailureKind::Usage, told).hint("look at what waits now"))
        })?;
        Ok(Decision { reference: open.reference, verdict: verdict.clone().into() })
    }
}

#[async_trait]
impl Link for Remote {
    fn on(&self, name: &str) -> Arc<dyn Link> {
        let surface = window(name);
        Arc::new(Self { calls: self.calls.from(&surface), surface: Some(surface), ..self.clone() })
    }

    fn id(&self) -> &ConversationId {
        &self.id
    }

    fn surface(&self) -> Option<&Surface> {
        self.surface.as_ref()
    }

    fn conversation(&self) -> Arc<Conversation> {
        self.replica.conversation()
    }

    fn may_pause(&self) -> bool {
        let configured = Flow { pause_enabled: self.pausable, ..Flow::default() };
        self.replica.conversation().flow_over(configured).pause_enabled
    }

    async fn history(&self) -> Result<Vec<Recorded>, Failure> {
        Ok(self.replica.history())
    }

    fn events(&self, after: Sequence) -> Box<dyn Follow> {
        self.replica.after(after)
    }

    async fn act(&self, act: Act) -> Result<(), Failure> {
        if matches!(&act, Act::Say(text, _) if text.trim().is_empty()) {
            return Ok(());
        }
        if let Act::Say(text, _) = &act {
            DriverError::check_length(text)?;
        }
        // Written once: a decision that had arrived before the line broke would find its question closed.
        let (below, body) = self.write(&act).await.map_err(Refused::into_failure)?;
        let last = match self.deliver(&format!("{}{below}", self.at), &body).await {
            Ok(outcome) => outcome.last,
            Err(Refused::Unfitting(_)) => self.standing().await.map_err(Refused::into_failure)?.sequence,
            Err(refused) => return Err(refused.into_failure()),
        };
        self.replica.reach(Sequence::new(last)).await
    }

    fn is_cut(&self) -> bool {
        self.replica.line.is_cut()
    }
}
