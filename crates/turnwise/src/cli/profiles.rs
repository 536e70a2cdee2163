//! Profiles: the built-in ones, and a person's own in their place. A folder `assistants/NAME` of the configuration may
//! hold an `assistant.yaml` or an `exemplars.yaml` of its own; each takes the place of the built-in file of that name,
//! and what is wrong in it is told with its line. Fitting exemplars takes seconds, so the fit is kept by the content it
//! was made from. Next: `own` for the files, `open`, which asks for readers.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use etcetera::BaseStrategy;
use turnwise_intent::{IntentReader, Profile, builtin, content_key};

use super::args::ProfileArguments;
use super::embedder::{self, IfMissing};
use super::own::{Own, unknown, unwritable};
use super::place::Place;
use turnwise_assistant::{Failure, FailureKind};

/// The reader of the assistant `name`, by the person's own profile where there is one.
///
/// # Errors
/// When there is no such assistant, or the person's own files are wrong.
pub fn reader(name: &str) -> Result<IntentReader, Failure> {
    read_with(name, IfMissing::ReadOn)
}

/// The same for a command whose figures are of the embedding model asked for, and of no other.
///
/// # Errors
/// The same, and when that model is not there.
pub fn measured(name: &str) -> Result<IntentReader, Failure> {
    read_with(name, IfMissing::Refuse)
}

fn read_with(name: &str, if_missing: IfMissing) -> Result<IntentReader, Failure> {
    let own = Own::of(name)?;
    let reader = match own.is_built_in() {
        true => IntentReader::builtin(name).map_err(unknown)?,
        false => IntentReader::new(own.profile()?),
    };
    let reader = embedder::applied(reader, &own.folder, if_missing)?;
    if reader.has_fit() { Ok(reader) } else { with_fit(name, reader) }
}

/// A reader of `profile`, a version of the assistant `name`, with the embedding model of `like`. Its exemplars are
/// fitted, unless they were before.
///
/// # Errors
/// When they cannot be fitted.
pub fn reader_of(name: &str, profile: Profile, like: &IntentReader) -> Result<IntentReader, Failure> {
    with_fit(name, IntentReader::new(profile).with_embedder(Arc::clone(like.embedder())))
}

fn with_fit(name: &str, reader: IntentReader) -> Result<IntentReader, Failure> {
    let built_in = builtin::fit(name).map_err(unknown)?;
    match reader.clone().with_fitted(built_in) {
        Ok(same_exemplars) => Ok(same_exemplars),
        Err(_) => fitted(reader),
    }
}

/// `turnwise profile`: writes the built-in files of an assistant where a person's own are looked for.
///
/// # Errors
/// When there is no such assistant, or the files cannot be written or are there already.
pub fn profile(arguments: &ProfileArguments) -> Result<ExitCode, Failure> {
    let (assistant, exemplars) = builtin::texts(&arguments.assistant).map_err(unknown)?;
    let folder = folder()?.join(&arguments.assistant);
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, error))?;
    for (name, text) in [(ASSISTANT, assistant), (EXEMPLARS, exemplars)] {
        let path = folder.join(name);
        if path.exists() {
            super::tell(&format!("{} is there already and is left as it is", path.display()))?;
            continue;
        }
        std::fs::write(&path, text).map_err(|error| unwritable(&path, error))?;
        super::tell(&format!("{}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A digest of the exemplars of `reader` and its embedding model: what a fit belongs to.
pub fn fit_key(reader: &IntentReader) -> String {
    hex(&content_key(reader.profile(), reader.embedder().model_name()))
}

/// Bytes as they stand in names and files.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Fits the profile, or uses the fit kept from an earlier time.
fn fitted(reader: IntentReader) -> Result<IntentReader, Failure> {
    let kept = Place::open()?.fits()?.join(fit_key(&reader));
    // A fit of another version is as good as none: it is made anew and written over.
    if let Some(reader) = std::fs::read(&kept).ok().and_then(|bytes| reader.clone().with_fitted(&bytes).ok()) {
        return Ok(reader);
    }
    let model = reader.embedder().model_name();
    eprintln!("fitting the exemplars with {model}; this takes some seconds and is done once");
    let fit = reader.fitted().map_err(|error| {
        Failure::new(FailureKind::Defect, format!("the exemplars cannot be fitted: {error}")).caused_by(error)
    })?;
    if let Err(error) = std::fs::write(&kept, fit.to_bytes()) {
        eprintln!("note: the fit cannot be kept in {} ({error}), so it is made again next time", kept.display());
    }
    Ok(reader)
}

/// Where a person's own profiles are looked for.
///
/// # Errors
/// When there is no home folder.
pub fn folder() -> Result<PathBuf, Failure> {
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        Failure::new(FailureKind::Operator, "there is no home folder to look for profiles in")
            .hint(format!("set {VARIABLE} to a folder"))
            .caused_by(error)
    })?;
    Ok(strategy.config_dir().join("turnwise").join("assistants"))
}

pub(super) const ASSISTANT: &str = "assistant.yaml";
pub(super) const EXEMPLARS: &str = "exemplars.yaml";
pub(super) const VARIABLE: &str = "TURNWISE_ASSISTANTS";
