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
use super::house::House;
use super::open::{self, Loaded};
use super::place::Place;
use super::{retention, tokens};
use crate::channel::http::{self, Access, Host, Journal, Settings};
use crate::channel::signals::Signals;
use crate::channel::web;
use crate::failure::{Failure, FailureKind};

/// `turnwise serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeArguments {
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
    /// A name the server is called by, besides those of this machine; may be given several times
    #[arg(long, value_name = "HOST")]
    pub name: Vec<String>,
    /// Write results to this folder and nowhere else; with --tokens it is the folder files beside the conversations
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
    /// Note each request on standard error, without what was asked or said
    #[arg(long, value_enum, value_name = "FORM", default_value_t = LogArgument::Off)]
    pub log: LogArgument,
    /// Forget conversations at rest in which nothing happened for so many days; looked for at the start and once a day
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_days: Option<u32>,
    /// The people who may come in, and the SHA-256 of their tokens, one on each line
    #[arg(long, value_name = "FILE")]
    pub tokens: Option<PathBuf>,
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
    let mut signals = Signals::listen()
        .map_err(|error| Failure::new(FailureKind::Operator, "signals cannot be received").caused_by(error))?;
    let driver = open::driver(&arguments.store)?;
    let within = results(&arguments)?;
    let Loaded { assistant, overview, paths, .. } = open::load(&arguments.data, arguments.flow, within).await?;
    let wanted = SocketAddr::new(arguments.listen, arguments.port);
    let listener = TcpListener::bind(wanted).await.map_err(|error| unusable(wanted, error))?;
    let address = listener.local_addr().map_err(|error| unusable(wanted, error))?;
    let house = Arc::new(House::new(driver, assistant, overview, open::data_mark(&paths)));
    if let Some(days) = arguments.keep_days {
        tidied(&house, days).await?;
    }
    let host = Arc::clone(&house) as Arc<dyn Host>;
    let settings = Settings { access, names: arguments.name, journal: arguments.log.into() };
    let closing = CancellationToken::new();
    if let Some(days) = arguments.keep_days {
        tokio::spawn(tidy_daily(Arc::clone(&house), days, closing.clone()));
    }
    let serving = tokio::spawn(http::serve(listener, host, settings, web::pages(), closing.clone()));
    eprintln!("Turnwise serves http://{address} (Ctrl+C ends it)");
    super::ask::told_to_end(&mut signals).await;
    eprintln!("Ending: requests that are under way may finish.");
    closing.cancel();
    let served =
        serving.await.map_err(|error| Failure::new(FailureKind::Defect, "the server broke").caused_by(error))?;
    served.map_err(|error| unusable(address, error))?;
    house.shutdown().await?;
    Ok(ExitCode::SUCCESS)
}

/// Forgets what is old, and says so.
async fn tidied(house: &House, keep_days: u32) -> Result<(), Failure> {
    let gone = retention::forget(house.driver(), keep_days).await?;
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

/// The folder results go to. People with tokens sit elsewhere, and shall not write where this account may.
fn results(arguments: &ServeArguments) -> Result<Option<PathBuf>, Failure> {
    let folder = match (&arguments.files, &arguments.tokens) {
        (Some(folder), _) => folder.clone(),
        (None, Some(_)) => Place::open()?.results(),
        (None, None) => return Ok(None),
    };
    std::fs::create_dir_all(&folder).map_err(|error| {
        let told = format!("the folder for results {} cannot be made ({error})", folder.display());
        Failure::new(FailureKind::Operator, told).hint("--files FOLDER names another one").caused_by(error)
    })?;
    Ok(Some(folder))
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

/// Who may come in. An address that others can reach needs tokens.
fn access(address: IpAddr, file: Option<&Path>) -> Result<Access, Failure> {
    match file {
        Some(file) => tokens::read(file).map(Access::Tokens),
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
