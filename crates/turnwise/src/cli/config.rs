//! `turnwise config`: settings that hold for every command, from the environment, the project and the person. They
//! become the defaults of the command line, so that an option always wins and help shows what holds. Next: `args`.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::ArgPredicate;
use clap::{Arg, CommandFactory as _, FromArgMatches as _, ValueEnum as _};
use etcetera::BaseStrategy as _;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_saphyr::Spanned;

use super::args::Arguments;
use super::attach::ELSEWHERE;
use super::by_name::ByName;
use super::model::{self, SeesArgument};
use super::tell;
use crate::assistant::ALL;
use crate::outgoing::{Address, NoAddress};
use turnwise_assistant::{Failure, FailureKind, Section, misread, nearest_of};
use turnwise_model::Sees;

/// A setting: its name, which is that of the option, and the commands that take it.
struct Setting {
    name: &'static str,
    commands: &'static [&'static str],
    /// How its value is checked where it comes from the environment.
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Sees,
    Path,
    /// Several, separated in the environment as the system separates folders; what is no file may be a server.
    Paths,
    Address,
    Port,
    Log,
    Days,
    Rate,
}

const SETTINGS: [Setting; 15] = [
    Setting { name: "assistant", commands: &["chat", "ask", "serve", "mcp", "doctor"], kind: Kind::Text },
    Setting { name: "data", commands: &["chat", "ask", "serve", "mcp", "doctor"], kind: Kind::Paths },
    Setting {
        name: "db",
        commands: &[
            "chat",
            "ask",
            "serve",
            "mcp",
            "acp",
            "conversations",
            "pending",
            "approve",
            "reject",
            "answer",
            "why",
            "replay",
            "doctor",
            "backup",
            "restore",
        ],
        kind: Kind::Path,
    },
    // Read by `model`, which knows more than one option can say; here they are shown and checked.
    Setting { name: "model", commands: &[], kind: Kind::Text },
    Setting { name: "model_sees", commands: &[], kind: Kind::Sees },
    Setting { name: "listen", commands: &["serve", "doctor"], kind: Kind::Address },
    Setting { name: "port", commands: &["serve", "doctor"], kind: Kind::Port },
    Setting { name: "tokens", commands: &["serve", "token"], kind: Kind::Path },
    Setting { name: "files", commands: &["serve"], kind: Kind::Path },
    Setting { name: "log", commands: &["serve"], kind: Kind::Log },
    Setting { name: "keep_days", commands: &["serve", "retention"], kind: Kind::Days },
    Setting { name: "requests_per_second", commands: &["serve"], kind: Kind::Rate },
    Setting {
        name: "otlp_endpoint",
        commands: &["chat", "ask", "serve", "approve", "reject", "answer"],
        kind: Kind::Text,
    },
    Setting { name: "server", commands: &["chat"], kind: Kind::Text },
    Setting { name: "token_file", commands: &["chat"], kind: Kind::Path },
];

/// The name of a configuration file.
const FILE: &str = "turnwise.yaml";

/// What a configuration file may hold.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    assistant: Option<String>,
    data: Vec<String>,
    db: Option<PathBuf>,
    model: Option<model::Written>,
    listen: Option<IpAddr>,
    port: Option<u16>,
    tokens: Option<PathBuf>,
    files: Option<PathBuf>,
    log: Option<LogWord>,
    keep_days: Option<std::num::NonZeroU32>,
    requests_per_second: Option<std::num::NonZeroU32>,
    otlp_endpoint: Option<String>,
    server: Option<String>,
    token_file: Option<PathBuf>,
    /// The Slack surface of a server.
    slack: Option<super::slack::Written>,
    /// What each assistant is told beside that; it knows its own keys.
    assistants: ByName<IgnoredAny>,
}

/// The words of `--log`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LogWord {
    Off,
    Text,
    Json,
}

/// A setting that is set.
struct Set {
    name: &'static str,
    values: Vec<String>,
    from: String,
}

/// What the command line says, with what is set elsewhere as defaults. Ends the process where it asks for help.
///
/// # Errors
/// When a setting is wrong.
pub fn arguments() -> Result<Arguments, Failure> {
    let mut command = Arguments::command();
    let mut settings = settings()?;
    // Defaults are filled in in this order, and that of the server looks for what else was typed, not for what is set.
    settings.sort_by_key(|set| set.name != "server");
    for set in settings {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == set.name) else { continue };
        for taker in setting.commands {
            // The command line keeps its defaults for as long as the process lives.
            let values: Vec<&'static str> = set.values.iter().map(|value| &*value.clone().leak()).collect();
            command = command.mut_subcommand(taker, |taker| {
                taker.mut_arg(set.name, |option| defaulted(option.required(false), set.name, values))
            });
        }
    }
    let matches = command.get_matches();
    Arguments::from_arg_matches(&matches).map_err(|error| {
        Failure::new(FailureKind::Defect, "the command line was read but not understood").caused_by(error)
    })
}

/// The option with its default. Whoever names data or a store on the command line means a conversation here, whatever
/// server is set.
fn defaulted(option: Arg, name: &str, values: Vec<&'static str>) -> Arg {
    if name != "server" {
        return option.default_values(values);
    }
    let typed = |other: &str| match other {
        // A flag that was not typed is there, too, as one that is off.
        "sample" | "ephemeral" => ArgPredicate::Equals("true".into()),
        _ => ArgPredicate::IsPresent,
    };
    let here = ELSEWHERE.map(|other| (other, typed(other), None));
    option.default_value_ifs(here).default_values(values)
}

/// Prints each setting with its value and where it is from.
///
/// # Errors
/// When a setting is wrong, or standard output fails.
pub fn show() -> Result<ExitCode, Failure> {
    let set = settings()?;
    for setting in &SETTINGS {
        let value = match set.iter().find(|set| set.name == setting.name) {
            Some(set) => format!("{} (from {})", set.values.join(", "), set.from),
            None => "not set".to_owned(),
        };
        tell(&format!("{:<20} {value}", setting.name))?;
    }
    let places: Vec<String> = files()?.iter().map(|file| file.display().to_string()).collect();
    tell(&format!("\nAn option of a command wins; then {}, and so on; then, first to last:", variable("port")))?;
    for place in places {
        let there = if Path::new(&place).exists() { "" } else { " (not there)" };
        tell(&format!("  {place}{there}"))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is set, each setting by the first that sets it.
fn settings() -> Result<Vec<Set>, Failure> {
    let mut found: Vec<Set> =
        SETTINGS.iter().map(of_environment).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    for file in files()? {
        for set in of_file(&file)? {
            if found.iter().all(|other| other.name != set.name) {
                found.push(set);
            }
        }
    }
    found.iter().try_for_each(check_endpoint)?;
    Ok(found)
}

/// An endpoint is an address wherever it is from: as a default, nobody else would look at it.
fn check_endpoint(set: &Set) -> Result<(), Failure> {
    let wrong = |error: NoAddress| {
        let told = format!("{}: {} is no address to send spans to: {error}", set.from, set.values.join(", "));
        Failure::new(FailureKind::Usage, told).hint("write it as http://127.0.0.1:4318")
    };
    let endpoint = set.values.first().filter(|_| set.name == "otlp_endpoint");
    endpoint.map_or(Ok(()), |endpoint| endpoint.parse().map(|_: Address| ()).map_err(wrong))
}

/// The files that may hold settings, the one that wins first: the project's, then the person's.
fn files() -> Result<Vec<PathBuf>, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::new(FailureKind::Operator, "the current folder cannot be told").caused_by(error))?;
    let project = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.exists());
    let person = etcetera::choose_base_strategy().ok().map(|base| base.config_dir().join("turnwise").join(FILE));
    Ok([Some(project.unwrap_or_else(|| here.join(FILE))), person].into_iter().flatten().collect())
}

fn of_environment(setting: &Setting) -> Result<Option<Set>, Failure> {
    let variable = variable(setting.name);
    let Some(value) = std::env::var_os(&variable).filter(|value| !value.is_empty()) else { return Ok(None) };
    let wrong = |what: &str| Failure::new(FailureKind::Usage, format!("{variable} is {what}")).hint("unset or mend it");
    let text = value.to_str().ok_or_else(|| wrong("no readable text"))?.to_owned();
    let values = match setting.kind {
        Kind::Paths if text.contains("://") => vec![text],
        Kind::Paths => std::env::split_paths(&value).map(|path| path.to_string_lossy().into_owned()).collect(),
        Kind::Address if text.parse::<IpAddr>().is_err() => return Err(wrong("no IP address")),
        Kind::Port if text.parse::<u16>().is_err() => return Err(wrong("no port: a number up to 65535")),
        Kind::Log if !["off", "text", "json"].contains(&text.as_str()) => {
            return Err(wrong("none of off, text and json"));
        }
        Kind::Days if !text.parse::<u32>().is_ok_and(|days| days > 0) => return Err(wrong("no number of days from 1")),
        Kind::Rate if !text.parse::<u32>().is_ok_and(|rate| rate > 0) => {
            return Err(wrong("no number of requests a second from 1"));
        }
        Kind::Sees if sees(&text).is_none() => return Err(wrong("none of names, samples and rows")),
        Kind::Text | Kind::Sees | Kind::Path | Kind::Address | Kind::Port | Kind::Log | Kind::Days | Kind::Rate => {
            vec![text]
        }
    };
    Ok(Some(Set { name: setting.name, values, from: variable }))
}

fn of_file(file: &Path) -> Result<Vec<Set>, Failure> {
    let Some(text) = read(file)? else { return Ok(Vec::new()) };
    let written = parsed(file, &text)?;
    // A path in a file is meant from where the file is, wherever a command is run.
    let folder = file.parent().unwrap_or(Path::new("."));
    let path = |path: &PathBuf| folder.join(path).display().to_string();
    let data = |text: &String| if text.contains("://") { text.clone() } else { path(&PathBuf::from(text)) };
    let model = written.model.map(|model::Written(settings)| settings).unwrap_or_default();
    let log = written.log.map(|word| match word {
        LogWord::Off => "off",
        LogWord::Text => "text",
        LogWord::Json => "json",
    });
    let all = [
        ("assistant", written.assistant.into_iter().collect()),
        ("data", written.data.iter().map(data).collect::<Vec<_>>()),
        ("db", written.db.iter().map(path).collect()),
        ("model", model.name.into_iter().chain(model.tasks.0.into_iter().map(|(_, name)| name)).collect()),
        ("model_sees", model.sees.iter().map(|sees| format!("{sees:?}").to_lowercase()).collect()),
        ("listen", written.listen.iter().map(ToString::to_string).collect()),
        ("port", written.port.iter().map(ToString::to_string).collect()),
        ("tokens", written.tokens.iter().map(path).collect()),
        ("files", written.files.iter().map(path).collect()),
        ("keep_days", written.keep_days.iter().map(ToString::to_string).collect()),
        ("requests_per_second", written.requests_per_second.iter().map(ToString::to_string).collect()),
        ("otlp_endpoint", written.otlp_endpoint.into_iter().collect()),
        ("server", written.server.into_iter().collect()),
        ("token_file", written.token_file.iter().map(path).collect()),
        ("log", log.iter().map(ToString::to_string).collect()),
    ];
    let from = file.display().to_string();
    let set = all.into_iter().filter(|(_, values)| !values.is_empty());
    Ok(set.map(|(name, values)| Set { name, values, from: from.clone() }).collect())
}

/// What a file says; nothing where it is not there.
fn read(file: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let told = format!("{} cannot be read ({error})", file.display());
            Err(Failure::new(FailureKind::Operator, told).caused_by(error))
        }
    }
}

/// What a file says, all of it known: a misspelt key must not be a setting that does nothing, whatever is run.
fn parsed(file: &Path, text: &str) -> Result<Written, Failure> {
    let written: Written = serde_saphyr::from_str(text).map_err(|error| misread(file, &error))?;
    for (named, _) in &written.assistants.0 {
        let kind = one_of(file, named, "assistant", &ALL, |kind| kind.name)?;
        (kind.settings)(&Section::of(file, text, kind.name))?;
    }
    if let Some(model::Written(settings)) = &written.model {
        settings.check(file)?;
    }
    Ok(written)
}

/// The one of `all` that is `named` in a file.
///
/// # Errors
/// When there is none, with the nearest.
pub fn one_of<'a, T>(
    file: &Path,
    named: &Spanned<String>,
    what: &str,
    all: &'a [T],
    name: impl Fn(&T) -> &'static str,
) -> Result<&'a T, Failure> {
    all.iter().find(|one| name(one) == named.value).ok_or_else(|| {
        let (line, unknown) = (named.referenced.line(), &named.value);
        let told = format!("{}, line {line}: there is no {what} `{unknown}`", file.display());
        let names: Vec<&str> = all.iter().map(&name).collect();
        let failure = Failure::new(FailureKind::Usage, told).hint(format!("there are {}", names.join(", ")));
        match nearest_of(unknown, names) {
            Some(near) => failure.hint(format!("did you mean `{near}`?")),
            None => failure,
        }
    })
}

/// What the files say to the assistant `name` beside what holds for all: the first that says something counts.
///
/// # Errors
/// When a file is wrong.
pub fn section(name: &str) -> Result<Section, Failure> {
    for file in files()? {
        let Some(text) = read(&file)? else { continue };
        if parsed(&file, &text)?.assistants.get(name).is_some() {
            return Ok(Section::of(&file, &text, name));
        }
    }
    Ok(Section::default())
}

/// The assistants to which the files say something, of themselves or of their models.
///
/// # Errors
/// When a file is wrong.
pub fn spoken_to() -> Result<BTreeSet<String>, Failure> {
    let mut names = BTreeSet::new();
    for file in files()? {
        let Some(text) = read(&file)? else { continue };
        let written = parsed(&file, &text)?;
        names.extend(written.assistants.0.into_iter().map(|(name, _)| name.value));
        let model = written.model.map(|model::Written(settings)| settings).unwrap_or_default();
        names.extend(model.assistants.0.into_iter().map(|(name, _)| name.value));
    }
    Ok(names)
}

/// What the files say of Slack, with the folder that paths in it are below: the first that says something counts.
///
/// # Errors
/// When a file is wrong.
pub fn slack() -> Result<Option<(super::slack::Written, PathBuf)>, Failure> {
    for file in files()? {
        let Some(text) = read(&file)? else { continue };
        if let Some(slack) = parsed(&file, &text)?.slack {
            return Ok(Some((slack, file.parent().unwrap_or(Path::new(".")).to_owned())));
        }
    }
    Ok(None)
}

/// What is set of models.
#[derive(Debug, Default)]
pub struct ModelSet {
    /// A name in the environment, with its variable.
    pub name: Option<(String, String)>,
    /// What they may see, in the environment.
    pub sees: Option<Sees>,
    /// What the first file says that says something of models.
    pub written: ModelFile,
}

/// What a file says of models.
#[derive(Debug, Default)]
pub struct ModelFile {
    /// The file.
    pub file: String,
    /// What it says.
    pub settings: model::Settings,
}

/// What the environment and the files say of models. Files are not mixed: the first that says something counts.
///
/// # Errors
/// When a setting is wrong.
pub fn model() -> Result<ModelSet, Failure> {
    let of = |name: &str| SETTINGS.iter().find(|setting| setting.name == name).map_or(Ok(None), of_environment);
    let first = |set: Option<Set>| set.and_then(|set| Some((set.values.into_iter().next()?, set.from)));
    let mut set = ModelSet { name: first(of("model")?), ..ModelSet::default() };
    set.sees = first(of("model_sees")?).and_then(|(text, _)| sees(&text));
    for file in files()? {
        let Some(text) = read(&file)? else { continue };
        if let Some(model::Written(mut settings)) = parsed(&file, &text)?.model {
            let folder = file.parent().unwrap_or(Path::new("."));
            settings.own_tasks = settings.own_tasks.map(|own| folder.join(own));
            set.written = ModelFile { file: file.display().to_string(), settings };
            break;
        }
    }
    Ok(set)
}

/// The word of `--model-sees`.
fn sees(text: &str) -> Option<Sees> {
    SeesArgument::from_str(text, false).ok().map(Sees::from)
}

/// The variable that sets `name`.
fn variable(name: &str) -> String {
    format!("TURNWISE_{}", name.to_uppercase())
}
