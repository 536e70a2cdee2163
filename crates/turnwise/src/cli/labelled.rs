//! Labelled messages from a file: lines of `{"text": …, "label": …, "context": …}`, for measuring and fitting, one at a
//! time, so that a file may be of any length. A line that cannot be used ends the command with its number: figures over
//! half a file would mislead. Next: `eval`, `exemplars::fit`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use turnwise_core::ReadContext;
use turnwise_intent::classify::Context;
use turnwise_intent::evaluate::{OUT_OF_SCOPE, Truth};
use turnwise_intent::{Label, NOTHING, Profile, nearest};

use super::classify::known_keys;
use super::profiles::hex;
use turnwise_assistant::{Failure, FailureKind};

/// A message and what it means.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// What was said.
    pub text: String,
    /// What it means.
    pub truth: Truth,
    /// Where it was said.
    pub context: ReadContext,
}

/// The messages of a file, one after the other.
pub struct Messages<'p> {
    file: PathBuf,
    lines: BufReader<File>,
    profile: &'p Profile,
    line: Vec<u8>,
    number: usize,
    found: usize,
    digest: Sha256,
}

impl<'p> Messages<'p> {
    /// Opens `file`, whose labels have to be those of `profile`; its older labels are understood too.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(file: &Path, profile: &'p Profile) -> Result<Self, Failure> {
        let lines = BufReader::new(File::open(file).map_err(|error| unreadable(file, error))?);
        let (line, digest) = (Vec::new(), Sha256::new());
        Ok(Self { file: file.to_owned(), lines, profile, line, number: 0, found: 0, digest })
    }

    /// The next message, `None` after the last.
    ///
    /// # Errors
    /// When the file cannot be read, for a line that cannot be used, and when there was no message at all.
    pub fn next(&mut self) -> Result<Option<Labelled>, Failure> {
        loop {
            self.line.clear();
            let mut within = self.lines.by_ref().take(LINE_BYTES_MAX);
            let read = within.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&self.file, error))?;
            self.number += 1;
            self.digest.update(&self.line);
            match read {
                0 if self.found == 0 => {
                    let problem = format!("{} has no messages", self.file.display());
                    return Err(Failure::new(FailureKind::Usage, problem).hint(FORM));
                }
                0 => return Ok(None),
                long if long as u64 == LINE_BYTES_MAX => {
                    let problem = format!("it is longer than {} kB", LINE_BYTES_MAX / 1024);
                    return Err(refused(&self.file, self.number, &problem));
                }
                _ if self.line.trim_ascii().is_empty() => {}
                _ => {
                    self.found += 1;
                    let parsed = parse(&self.line, self.profile);
                    return parsed.map(Some).map_err(|problem| refused(&self.file, self.number, &problem));
                }
            }
        }
    }

    /// A digest of what was read so far, as it stands in profiles.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("sha256:{}", hex(&self.digest.clone().finalize()))
    }
}

fn unreadable(file: &Path, error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Usage, format!("{} cannot be read ({error})", file.display()))
        .hint("--data takes a file of JSON lines in UTF-8")
        .caused_by(error)
}

fn refused(file: &Path, line: usize, problem: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("{}, line {line}: {problem}", file.display())).hint(FORM)
}

fn parse(line: &[u8], profile: &Profile) -> Result<Labelled, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
    let Value::Object(object) = value else { return Err("not an object".to_owned()) };
    known_keys(&object, &["text", "label", "context"])?;
    let words = |key: &str| match object.get(key) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("`{key}` is no text")),
        None => Err(format!("`{key}` is missing")),
    };
    Ok(Labelled { text: words("text")?.clone(), truth: truth(words("label")?, profile)?, context: context(&object)? })
}

fn context(object: &Map<String, Value>) -> Result<ReadContext, String> {
    match object.get("context") {
        None | Some(Value::Null) => Ok(ReadContext::default()),
        Some(context @ Value::Object(_)) => {
            let context: Context = serde_json::from_value(context.clone()).map_err(|error| error.to_string())?;
            Ok(context.for_reading())
        }
        Some(_) => Err("`context` is no object".to_owned()),
    }
}

fn truth(name: &str, profile: &Profile) -> Result<Truth, String> {
    if name == OUT_OF_SCOPE || name == NOTHING {
        return Ok(Truth::OutOfScope);
    }
    let label = Label::parse(name);
    if profile.labels.contains_key(&label) {
        return Ok(Truth::Meant(label));
    }
    if let Some(label) = profile.older_labels.get(name) {
        return Ok(Truth::Meant(label.clone()));
    }
    let known: Vec<String> = profile.labels.keys().map(ToString::to_string).chain([OUT_OF_SCOPE.to_owned()]).collect();
    let near = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("; the nearest is `{near}`"),
        None => format!("; there is {}", known.join(", ")),
    };
    Err(format!("the assistant {} has no label `{name}`{near}", profile.name))
}

/// A line longer than this is no message; without a limit one missing line end would fill the memory.
const LINE_BYTES_MAX: u64 = 1024 * 1024;

const FORM: &str =
    "a line is {\"text\": \"…\", \"label\": \"intent\" or \"intent.sub\" or \"oos\"}, with a context if it matters";
