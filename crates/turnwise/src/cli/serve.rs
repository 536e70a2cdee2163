//! `turnwise serve`: the conversations of this machine over HTTP, so that browsers and programs need not sit where they
//! are kept. Next: `house`, `channel::http`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::args::{DataArguments, FlowArguments, StoreArguments};
use super::brought::Opens;
use super::house::House;
use super::loading;
use super::open;
use super::place::Place;
use super::results::Results;
use super::retention;
use super::slack::HouseThreads;
use super::taking_up::TakingUp;
use super::tokens::TokenFile;
use super::traces::{self, TraceArguments};
use crate::assistant::DEFAULT;
use crate::channel::http::{self, Access, Host, HostName, Journal, Settings};
use crate::channel::signals::Signals;
use crate::channel::slack::Slack;
use crate::channel::{self, web};
use turnwise_assistant::{Failure, FailureKind, Opened, Outlet, Outlets};
use turnwise_core::AssistantName;

/// `turnwise serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeArguments {
    /// The assistant; may be given several times, and conversations are begun with the first where none is named
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    pub assistant: Vec<String>,
    #[command(flatten)]
    pub data: DataArguments,
    #[command(flatten)]
    pub flow: FlowArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    /// Listen on this address; one that others can reach needs --tokens
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Listen on this port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    pub port: u16,
    /// A name the server is called by, besides the address it listens on; with https:// before it where a proxy ends
    /// TLS. May be given several times; other names are refused
    #[arg(long, value_name = "HOST")]
    pub name: Vec<HostName>,
    /// Keep the files that are saved in this folder, in one of its own for each conversation; without it that is the
    /// folder files beside the conversations
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    /// Note each request on standard error, without what was asked or said
    #[arg(long, value_enum, value_name = "FORM", default_value_t = LogArgument::Off)]
    pub log: LogArgument,
    /// Forget conversations at rest in which nothing happened for so many days; looked for at the start and once a day
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_days: Option<u32>,
    /// Requests each person may send a second in the long run, and twice as many at once; what comes faster is answered
    /// with 429 and when to come again
    #[arg(long, value_name = "N", default_value_t = http::limits::REQUESTS_PER_SECOND,
        value_parser = clap::value_parser!(u32).range(1..))]
    pub requests_per_second: u32,
    /// The people who may come in, and the SHA-256 of their tokens, one on each line
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
    #[command(flatten)]
    pub traces: TraceArguments,
}

/// `--log`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogArgument {
    /// Nothing.
    Off,
    /// Lines for people.
    Text,
    /// JSON lines.
    Json,
}

/// Serves until a signal ends it.
///
/// # Errors
/// When the address cannot be listened on, or the tokens cannot be read.
pub async fn serve(arguments: ServeArguments) -> Result<ExitCode, Failure> {
    let access = access(arguments.listen, arguments.tokens.as_deref())?;
    let mut signals = signals()?;
    let driver = open::recorded_driver(&arguments.store, &arguments.traces)?;
    driver.print_prompts();
    let results = results(&arguments)?;
    let kept = open::Kept::beside(&arguments.store, Some(results.root().to_owned()))?;
    let assistants = assistants(&arguments, &kept).await?;
    let (outlets, state) = (kept.outlets.clone(), kept.state.clone());
    let taking_up = TakingUp::new(assistants.clone(), kept.clone(), |told| eprintln!("{told}"));
    let wanted = SocketAddr::new(arguments.listen, arguments.port);
    let listener = TcpListener::bind(wanted).await.map_err(|error| unusable(wanted, error))?;
    let address = listener.local_addr().map_err(|error| unusable(wanted, error))?;
    let slack = super::slack::settings(&assistants, state.as_deref())?;
    let house = House::new(driver, assistants, results).taking_files(reading(&arguments, &kept));
    let house = Arc::new(house);
    house.forget_unasked().await?;
    let closing = CancellationToken::new();
    let pages = pages(&house, slack, &outlets, &closing).await;
    if let Some(days) = arguments.keep_days {
        tidied(&house, days).await?;
    }
    let host = Arc::clone(&house) as Arc<dyn Host>;
    house.driver().look_after(Arc::new(taking_up));
    let is_unnamed = arguments.name.is_empty() && !address.ip().is_loopback();
    let settings = Settings {
        access,
        names: arguments.name,
        journal: arguments.log.into(),
        requests_per_second: arguments.requests_per_second,
    };
    if let Some(days) = arguments.keep_days {
        tokio::spawn(tidy_daily(Arc::clone(&house), days, closing.clone()));
    }
    let telemetry = house.driver().telemetry().clone();
    let trouble = tokio::spawn(traces::watch_trouble(telemetry.clone()));
    let serving = tokio::spawn(http::serve(listener, host, settings, pages, closing.clone()));
    eprintln!("Turnwise serves http://{address} (Ctrl+C ends it)");
    if is_unnamed {
        eprintln!("It answers to its address alone; --name HOST makes it answer to a name as well.");
    }
    let connections = http::connections_max();
    if connections < http::limits::CONNECTIONS_MAX / 2 {
        eprintln!("Open files are limited here: at most {connections} connections at once, more wait (`ulimit -Hn`).");
    }
    super::ask::told_to_end(&mut signals).await;
    eprintln!("Ending: requests that are under way may finish.");
    closing.cancel();
    serving.await.map_err(|error| Failure::new(FailureKind::Defect, "the server broke").caused_by(error))?;
    let ended = house.shutdown().await;
    house.results().close();
    traces::tell_rest(&telemetry, trouble).await;
    ended?;
    Ok(ExitCode::SUCCESS)
}

/// What is served beside the API: the page, and what Slack calls where that is set up. Where Slack sends over a socket,
/// that is opened.
async fn pages(
    house: &Arc<House>,
    slack: Option<(channel::slack::Settings, AssistantName)>,
    outlets: &Outlets,
    closing: &CancellationToken,
) -> axum::Router {
    let Some((settings, assistant)) = slack else { return web::pages() };
    let (has_socket, has_routes) = (settings.app_token.is_some(), settings.signing.is_some());
    let threads = Arc::new(HouseThreads::new(Arc::clone(house), assistant.clone()));
    let slack = Slack::new(settings, threads);
    outlets.set(Arc::clone(&slack) as Arc<dyn Outlet>);
    slack.begin(closing).await;
    let mut pages = web::pages();
    if has_routes {
        pages = pages.merge(slack.routes());
        eprintln!(
            "Slack speaks with the assistant {assistant} at /slack/events, /slack/interactivity and /slack/commands."
        );
    }
    if has_socket {
        eprintln!("Slack speaks with the assistant {assistant} over a socket.");
        tokio::spawn(slack.listen(closing.clone()));
    }
    pages
}

/// How files that people bring are opened: by the first assistant that is served and reads files, as it would be over
/// the data it was started with.
fn reading(arguments: &ServeArguments, kept: &open::Kept) -> Opens {
    let (names, flow, model) = (arguments.assistant.clone(), arguments.flow, arguments.data.model.clone());
    // What is kept of files that people brought goes with their conversation, so nothing else is kept of them.
    let kept = open::Kept { state: None, ..kept.clone() };
    Opens::with(move |folder| {
        let data = DataArguments { data: vec![folder], sample: false, mode: None, model: model.clone() };
        let mut refused = None;
        for name in &names {
            match open::loaded(name, &data, flow, kept.clone()) {
                Ok(opened) if !opened.assistant.takes_files().is_empty() => return Ok(opened),
                Ok(_) => {}
                Err(failure) => refused = Some(failure),
            }
        }
        Err(refused.unwrap_or_else(|| Failure::new(FailureKind::Usage, "no assistant here reads files")))
    })
}

/// The assistants that are served, each over the same data.
async fn assistants(arguments: &ServeArguments, kept: &open::Kept) -> Result<Vec<Opened>, Failure> {
    let mut opened: Vec<Opened> = Vec::new();
    for (at, name) in arguments.assistant.iter().enumerate() {
        if arguments.assistant[..at].contains(name) {
            return Err(Failure::new(FailureKind::Usage, format!("--assistant {name} is given twice")));
        }
        let opening = open::load(name, &arguments.data, arguments.flow, kept.clone());
        opened.push(loading::shown(|| kept.progress.stage(), opening).await?);
    }
    Ok(opened)
}

/// Forgets what is old, and says so.
async fn tidied(house: &House, keep_days: u32) -> Result<(), Failure> {
    let gone = retention::forget(house.driver(), house.results(), keep_days).await?;
    if gone > 0 {
        eprintln!("{}", retention::told(gone, keep_days, "forgotten"));
    }
    Ok(())
}

/// Forgets what has become old, once a day.
async fn tidy_daily(house: Arc<House>, keep_days: u32, closing: CancellationToken) {
    loop {
        tokio::select! {
            () = closing.cancelled() => return,
            () = tokio::time::sleep(DAY) => {}
        }
        if let Err(failure) = tidied(&house, keep_days).await {
            eprintln!("Old conversations could not be forgotten; tomorrow it is tried again: {failure}");
        }
    }
}

const DAY: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);

/// Where the files of conversations are. People sit elsewhere, and shall not write where this account may. Files of
/// conversations that are not kept go with the server.
fn results(arguments: &ServeArguments) -> Result<Results, Failure> {
    match &arguments.files {
        Some(folder) => Results::open(folder.clone()),
        None if arguments.store.ephemeral => Results::passing(&Place::open()?.results()),
        None => Results::open(Place::open()?.results()),
    }
}

impl From<LogArgument> for Journal {
    fn from(log: LogArgument) -> Self {
        match log {
            LogArgument::Off => Self::Off,
            LogArgument::Text => Self::Text,
            LogArgument::Json => Self::Json,
        }
    }
}

/// Signals from now on.
pub(super) fn signals() -> Result<Signals, Failure> {
    Signals::listen()
        .map_err(|error| Failure::new(FailureKind::Operator, "signals cannot be received").caused_by(error))
}

/// Who may come in. An address that others can reach needs tokens.
pub(super) fn access(address: IpAddr, file: Option<&Path>) -> Result<Access, Failure> {
    match file {
        Some(file) => Ok(Access::Tokens(Arc::new(TokenFile::open(file)?))),
        None if address.is_loopback() => Ok(Access::Local(open::person())),
        None => {
            Err(Failure::new(FailureKind::Usage, format!("{address} can be reached by others, and no tokens are set"))
                .hint("`turnwise token PERSON --tokens FILE` makes a token; then serve with --tokens FILE")
                .hint("without --listen the server is reachable from this machine only"))
        }
    }
}

/// An address that cannot be listened on.
pub fn unusable(address: SocketAddr, error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Operator, format!("{address} cannot be listened on ({error})"))
        .hint("another server may have it; --port 0 takes a free one")
        .caused_by(error)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use tokio_util::sync::CancellationToken;
    use turnwise_core::{PersonId, Timestamp};

    use super::super::args::{DataArguments, FlowArguments};
    use super::super::house::House;
    use super::super::model::ModelArguments;
    use super::super::open;
    use super::super::results::Results;
    use super::{DAY, tidy_daily};
    use crate::assistant::DEFAULT;
    use crate::channel::http::Host as _;
    use crate::driver::{Clock as _, Driver, ManualClock, Session, SystemClock};
    use crate::store::MemoryStore;

    /// Far more turns of the runtime than forgetting takes.
    const TURNS_MAX: usize = 10_000;

    #[tokio::test(start_paused = true)]
    async fn what_has_grown_old_while_the_server_runs_is_forgotten_a_day_later() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("people.csv");
        std::fs::write(&table, "name,town\nAda,London\n").unwrap();
        let data = DataArguments { data: vec![table], sample: false, mode: None, model: ModelArguments::default() };
        let opened = open::load(DEFAULT, &data, FlowArguments::default(), open::Kept::default()).await.unwrap();
        let long_ago = Timestamp::from_millis(SystemClock.now().as_millis() - 40 * 86_400_000);
        let driver = Driver::new(Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(long_ago)));
        let (name, ada) = (opened.assistant.name().clone(), PersonId::new("ada"));
        let results = Results::open(folder.path().join("files")).unwrap();
        let house = Arc::new(House::new(driver, vec![opened], results));
        let session = house.begin(&name, None, &ada, "key").await.unwrap().unwrap();
        session.say(&ada, "/status", Session::new_key()).await.unwrap();
        drop(session);
        let count = async || house.conversations(None, None).await.unwrap().len();

        let closing = CancellationToken::new();
        let tidying = tokio::spawn(tidy_daily(Arc::clone(&house), 30, closing.clone()));
        tokio::task::yield_now().await;
        tokio::time::advance(DAY - Duration::from_secs(1)).await;
        assert_eq!(count().await, 1, "it is looked for once a day");
        tokio::time::advance(Duration::from_secs(2)).await;
        for _ in 0..TURNS_MAX {
            if count().await == 0 {
                break;
            }
            tokio::task::yield_now().await;
        }
        assert_eq!(count().await, 0);
        closing.cancel();
        tidying.await.unwrap();
    }
}
