//! `turnwise mcp`: conversations for other programs, by the Model Context Protocol over standard input and output, or
//! over HTTP.
//! Next: `channel::mcp`.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::args::{DataArguments, FlowArguments, StoreArguments};
use super::{open, waiting};
use crate::assistant::DEFAULT;
use crate::channel::http::{self, Access, HostName};
use crate::channel::link::Which;
use crate::channel::mcp::{Deciding, Host, PATH, routes, serve};
use crate::channel::signals::Signals;
use crate::driver::{Clock as _, Driver, Listing, Session, SystemClock};
use crate::proof::collect::{Wanted, collect};
use crate::proof::{Form, write};
use turnwise_assistant::{Failure, FailureKind, Opened};
use turnwise_core::{ConversationId, PersonId};

/// `turnwise mcp`.
#[derive(Clone, Debug, Args)]
pub struct McpArguments {
    /// The assistant
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: String,
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    #[command(flatten)]
    pub flow: FlowArguments,
    /// Serve over HTTP on this address instead, below /mcp; one that others can reach needs --tokens, and port 0 takes
    /// a free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub listen: Option<SocketAddr>,
    /// The people who may come in over HTTP, and the SHA-256 of their tokens, one on each line
    #[arg(long, value_name = "FILE", requires = "listen")]
    pub tokens: Option<PathBuf>,
    /// A name the server is called by over HTTP, besides the address it listens on; with https:// before it where a
    /// proxy ends TLS. May be given several times; other names are refused
    #[arg(long, value_name = "HOST", requires = "listen")]
    pub name: Vec<HostName>,
    /// Let the program decide in your place: approve plans, and answer what waits for a person
    #[arg(long)]
    pub let_decide: bool,
}

/// The conversations of this process, as the server gets them.
struct Desk {
    driver: Driver,
    opened: Opened,
}

/// Serves until standard input is closed, or over HTTP until a signal ends it.
///
/// # Errors
/// When the assistant cannot be opened, the address cannot be listened on, or the other side does not speak the
/// protocol.
pub async fn mcp(arguments: McpArguments) -> Result<ExitCode, Failure> {
    let door = match arguments.listen {
        Some(address) => Some(Door::open(address, arguments.tokens.as_deref(), arguments.name.clone()).await?),
        None => None,
    };
    let driver = open::driver(&arguments.store)?;
    driver.print_prompts();
    let kept = open::Kept::beside(&arguments.store, None)?;
    let opened = open::load(&arguments.assistant, &arguments.data, arguments.flow, kept).await;
    let opened = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            driver.shutdown().await?;
            return Err(failure);
        }
    };
    let desk = Arc::new(Desk { driver, opened });
    let deciding = if arguments.let_decide { Deciding::Allowed } else { Deciding::ByPeople };
    let served = match door {
        Some(door) => door.serve(Arc::clone(&desk), deciding).await,
        None => serve(Arc::clone(&desk), open::person(), deciding).await,
    };
    let ended = desk.driver.shutdown().await;
    served?;
    ended?;
    Ok(ExitCode::SUCCESS)
}

/// Where programs come in over HTTP.
struct Door {
    signals: Signals,
    listener: TcpListener,
    access: Access,
    names: Vec<HostName>,
}

impl Door {
    async fn open(wanted: SocketAddr, tokens: Option<&Path>, names: Vec<HostName>) -> Result<Self, Failure> {
        let access = super::serve::access(wanted.ip(), tokens)?;
        let signals = super::serve::signals()?;
        let unusable = |error| super::serve::unusable(wanted, error);
        let listener = TcpListener::bind(wanted).await.map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        eprintln!("Turnwise serves the Model Context Protocol at http://{address}{PATH} (Ctrl+C ends it)");
        Ok(Self { signals, listener, access, names })
    }

    async fn serve(self, desk: Arc<Desk>, deciding: Deciding) -> Result<(), Failure> {
        let Self { mut signals, listener, access, names } = self;
        let closing = CancellationToken::new();
        let routes = http::behind_doors(routes(desk, deciding, &closing), access, names);
        let serving = tokio::spawn(http::answer(listener, routes, closing.clone()));
        super::ask::told_to_end(&mut signals).await;
        closing.cancel();
        serving.await.map_err(|error| Failure::new(FailureKind::Defect, "the server broke").caused_by(error))
    }
}

#[async_trait]
impl Host for Desk {
    async fn session(&self, conversation: Option<&str>, person: &PersonId) -> Result<Session, Failure> {
        let id = match conversation.map(ConversationId::new) {
            Some(id) => {
                let found = self.driver.conversations(&Listing::of(id.clone())).await?.pop();
                let is_theirs = found.is_some_and(|found| found.members.contains(person));
                if !is_theirs || !self.opened.is_over(&id) {
                    return Err(unknown(&id));
                }
                id
            }
            None => {
                let (name, mark) = (self.opened.assistant.name(), &self.opened.mark);
                open::choose(&self.driver, name, mark, &Which::New, None).await?.id
            }
        };
        Ok(self.driver.open(id, Arc::clone(&self.opened.assistant)).await?)
    }

    async fn referred(&self, reference: &str, person: &PersonId) -> Result<Session, Failure> {
        let named = waiting::find(self.driver.store().as_ref(), reference).await?;
        match named.summary.members.contains(person) {
            true => self.session(Some(named.summary.id.as_str()), person).await,
            false => Err(waiting::not_issued()),
        }
    }

    async fn waiting(&self, person: &PersonId) -> Result<Vec<Session>, Failure> {
        let mut sessions: Vec<Session> = Vec::new();
        for waiting in waiting::all(self.driver.store().as_ref(), None).await? {
            let id = &waiting.summary.id;
            let is_ours = self.opened.is_over(id) && waiting.summary.assistant == *self.opened.assistant.name();
            let is_theirs = waiting.summary.members.contains(person);
            if is_ours && is_theirs && sessions.iter().all(|known| known.id() != id) {
                sessions.push(self.driver.open(id.clone(), Arc::clone(&self.opened.assistant)).await?);
            }
        }
        Ok(sessions)
    }

    async fn proof(&self, session: &Session, as_json: bool) -> Result<String, Failure> {
        let store = self.driver.store();
        let summary = super::past::conversation(store.as_ref(), Some(session.id().as_str())).await?;
        let now = SystemClock.now();
        let proof = collect(store.as_ref(), &summary, &Wanted::Last, now).await.map_err(super::proof::failure)?;
        Ok(write(&proof, if as_json { Form::Json } else { Form::Markdown }))
    }
}

fn unknown(id: &ConversationId) -> Failure {
    Failure::new(FailureKind::Usage, format!("there is no conversation {id} here"))
        .hint("an answer of `ask` names the conversation; leave it out to begin one")
}
