//! Profiles: the built-in ones, and a person's own in their place. A folder `assistants/NAME` of the configuration may
//! hold an `assistant.yaml` or an `exemplars.yaml` of its own; each takes the place of the built-in file of that name,
//! and what is wrong in it is told with its line. Fitting exemplars takes seconds, so the fit is kept by the content it
//! was made from. Next: `open`, which asks for readers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use etcetera::BaseStrategy;
use turnwise_intent::{Embedder, IntentReader, MiniLm, Profile, builtin, content_key};

use super::args::ProfileArguments;
use super::place::Place;
use crate::failure::{Failure, FailureKind};

/// The reader of the assistant `name`, by the person's own profile where there is one.
///
/// # Errors
/// When there is no such assistant, or the person's own files are wrong.
pub fn reader(name: &str) -> Result<IntentReader, Failure> {
    let folder = folder()?.join(name);
    let own = (read(&folder.join(ASSISTANT))?, read(&folder.join(EXEMPLARS))?);
    if own == (None, None) {
        return IntentReader::builtin(name).map_err(unknown);
    }
    let built_in = builtin::texts(name).map_err(unknown)?;
    let assistant = own.0.as_deref().unwrap_or(built_in.0);
    let exemplars = own.1.as_deref().unwrap_or(built_in.1);
    let profile = Profile::parse(assistant, exemplars).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("the profile in {} is wrong: {error}", folder.display()))
            .hint("mend that line; or move the file away to use the built-in one")
            .caused_by(error)
    })?;
    fitted(profile)
}

/// `turnwise profile`: writes the built-in files of an assistant where a person's own are looked for.
///
/// # Errors
/// When there is no such assistant, or the files cannot be written or are there already.
pub fn profile(arguments: &ProfileArguments) -> Result<ExitCode, Failure> {
    let (assistant, exemplars) = builtin::texts(&arguments.assistant).map_err(unknown)?;
    let folder = folder()?.join(&arguments.assistant);
    let unwritable = |error: std::io::Error| {
        Failure::new(FailureKind::Operator, format!("{} cannot be written ({error})", folder.display()))
            .hint(format!("set {VARIABLE} to a folder that can be written"))
    };
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    for (name, text) in [(ASSISTANT, assistant), (EXEMPLARS, exemplars)] {
        let path = folder.join(name);
        if path.exists() {
            println!("{} is there already and is left as it is", path.display());
            continue;
        }
        std::fs::write(&path, text).map_err(unwritable)?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Fits the profile, or uses the fit kept from an earlier time.
fn fitted(profile: Profile) -> Result<IntentReader, Failure> {
    let key = content_key(&profile, MiniLm.model_name()).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let reader = IntentReader::new(profile);
    let kept = Place::open()?.fits()?.join(key);
    // A fit of another version is as good as none: it is made anew and written over.
    if let Some(reader) = std::fs::read(&kept).ok().and_then(|bytes| reader.clone().with_fitted(&bytes).ok()) {
        return Ok(reader);
    }
    eprintln!("fitting your exemplars; this takes some seconds and is done once");
    let fit = reader.fitted().map_err(|error| {
        Failure::new(FailureKind::Defect, format!("the exemplars cannot be fitted: {error}")).caused_by(error)
    })?;
    if let Err(error) = std::fs::write(&kept, fit.to_bytes()) {
        eprintln!("note: the fit cannot be kept in {} ({error}), so it is made again next time", kept.display());
    }
    Ok(reader)
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(FailureKind::Usage, format!("{} cannot be read ({error})", path.display()))
            .hint("mend the file, or move it away to use the built-in one")),
    }
}

/// Where a person's own profiles are looked for.
fn folder() -> Result<PathBuf, Failure> {
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

fn unknown(error: turnwise_intent::UnknownAssistant) -> Failure {
    Failure::new(FailureKind::Usage, error.to_string()).caused_by(error)
}

const ASSISTANT: &str = "assistant.yaml";
const EXEMPLARS: &str = "exemplars.yaml";
const VARIABLE: &str = "TURNWISE_ASSISTANTS";
