//! `turnwise doctor`: looks at everything the program needs and says how to mend what is wrong. Nothing is changed,
//! made or brought up to date by looking. Next: `config`, `upkeep`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use turnwise_core::{ReadContext, Reader as _, text};

use super::model::{ModelArguments, settled};
use super::{config, open, tell, upkeep};
use crate::assistant;
use crate::store::sqlite::care;
use turnwise_assistant::{Failure, FailureKind, Finding};
use turnwise_model::Keys;

/// `turnwise doctor`.
#[derive(Clone, Debug, Args)]
pub struct DoctorArguments {
    /// The data to look at; may be given several times
    #[arg(long, value_name = "PATH")]
    pub data: Vec<PathBuf>,
    /// The conversations to look at, instead of those in the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// The assistant
    #[arg(long, value_name = "NAME", default_value = assistant::DEFAULT)]
    pub assistant: String,
    /// The address the server is to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// The port the server is to listen on
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    pub port: u16,
}

/// Looks at everything, and ends with exit code 1 when something is wrong.
///
/// # Errors
/// When standard output fails.
pub fn doctor(arguments: &DoctorArguments) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(FailureKind::Operator, "the system refuses threads or timers").caused_by(error)
    })?;
    let finding = |what: &str, told| Finding { what: what.to_owned(), told };
    let mut findings = vec![finding("conversations", conversations(arguments.db.as_deref()))];
    if !arguments.data.is_empty() {
        findings.push(finding("data", data(&arguments.assistant, &arguments.data)));
    }
    findings.extend(runtime.block_on(looked_at(&arguments.assistant, &arguments.data))?);
    let spoken_to = config::spoken_to()?;
    for other in spoken_to.iter().filter(|other| **other != arguments.assistant) {
        let found = runtime.block_on(looked_at(other, &arguments.data))?;
        findings.extend(found.into_iter().map(|found| Finding { what: format!("{other}, {}", found.what), ..found }));
    }
    findings.push(finding("port", port(SocketAddr::new(arguments.listen, arguments.port))));
    // Who sets up no Slack is told nothing of it.
    findings.extend(runtime.block_on(slack()).map(|told| finding("slack", told)));
    for finding in &findings {
        match &finding.told {
            Ok(told) => tell(&format!("✓ {}: {told}", finding.what))?,
            Err(failure) => {
                tell(&format!("✗ {}: {}", finding.what, failure.message()))?;
                for hint in failure.hints() {
                    tell(&format!("    → {hint}"))?;
                }
            }
        }
    }
    let wrong = findings.iter().filter(|finding| finding.told.is_err()).count();
    match wrong {
        0 => tell("All is well.")?,
        wrong => tell(&format!("{} to mend.", text::count(wrong, "thing")))?,
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn conversations(named: Option<&Path>) -> Result<String, Failure> {
    let file = upkeep::database(named)?;
    if !file.exists() {
        return Ok(format!("none yet; they will be kept in {}", file.display()));
    }
    let found = care::examine(&file)?;
    let count = text::count(usize::try_from(found.conversations).unwrap_or(usize::MAX), "conversation");
    let older = if found.format < found.known { ", brought up to date when next opened" } else { "" };
    let (format, kilobytes) = (found.format, found.bytes.div_ceil(1024));
    Ok(format!("{count} in {}, whole, {kilobytes} KiB, format {format}{older}", file.display()))
}

fn data(name: &str, paths: &[PathBuf]) -> Result<String, Failure> {
    (assistant::named(name)?.examine)(paths)
}

/// What there is of an assistant, and of all that its section of the configuration names.
async fn looked_at(name: &str, data: &[PathBuf]) -> Result<Vec<Finding>, Failure> {
    let finding = |what: &str, told| Finding { what: what.to_owned(), told };
    let mut findings = vec![finding("assistant", reader(name)), finding("models", models(name))];
    if let Ok(kind) = assistant::named(name) {
        // The folder it would work in, where one is named.
        let root = data.first().filter(|path| path.is_dir()).map_or(PathBuf::from("."), Clone::clone);
        let root = std::path::absolute(&root).unwrap_or(root);
        findings.extend((kind.look)(config::section(name)?, root).findings().await);
    }
    Ok(findings)
}

/// There is such an assistant and it works, its profile is read, and the model reads a message that no rule decides.
fn reader(name: &str) -> Result<String, Failure> {
    assistant::named(name)?;
    let reader = open::reader(name)?;
    reader.read("which of these went best in the end", &ReadContext::default());
    let intents = reader.profile().commands.len();
    Ok(format!("{name} reads messages, {}", text::count(intents, "command")))
}

/// The models that are configured could be asked; nothing is sent. Keys are told by the names of their variables.
fn models(name: &str) -> Result<String, Failure> {
    let keys = super::models::seen(&Keys::from_environment());
    let settled = settled(name, &ModelArguments::default())?;
    settled.named.iter().try_for_each(|named| super::models::known(&named.name).map(drop))?;
    let names: Vec<&str> = settled.named.iter().map(|named| named.name.as_str()).collect();
    match names.is_empty() {
        true => Ok(format!("none is named, so nothing is sent anywhere. {keys}")),
        false => Ok(format!(
            "{}, shown {}; `turnwise models` asks whether they answer. {keys}",
            names.join(", "),
            settled.sees.told()
        )),
    }
}

/// Whether Slack lets us in and the app may do what it has to, where it is set up; asked there, nothing is posted.
async fn slack() -> Option<Result<String, Failure>> {
    Some(match super::slack::examined().transpose()? {
        Ok(settings) => crate::channel::slack::examine(settings)
            .await
            .map_err(|told| Failure::new(FailureKind::Operator, told).hint("docs/slack.md tells how it is set up")),
        Err(failure) => Err(failure),
    })
}

fn port(address: SocketAddr) -> Result<String, Failure> {
    TcpListener::bind(address).map_err(|error| super::serve::unusable(address, error))?;
    Ok(format!("{address} is free"))
}
