//! Labelled messages from a file: lines of `{"text": …, "label": …, "context": …}`, for measuring and fitting. A line
//! that cannot be used ends the command with its number: figures over half a file would mislead. Next: `eval`, `fit`.

use std::path::Path;

use serde_json::{Map, Value};
use turnwise_core::ReadContext;
use turnwise_intent::classify::Context;
use turnwise_intent::evaluate::{OUT_OF_SCOPE, Truth};
use turnwise_intent::{Label, NOTHING, Profile, nearest};

use super::classify::known_keys;
use crate::failure::{Failure, FailureKind};

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

/// Reads `file`, whose labels have to be those of `profile`; its older labels are understood too.
///
/// # Errors
/// When the file cannot be read or has no messages, and for the first line that cannot be used.
pub fn read(file: &Path, profile: &Profile) -> Result<Vec<Labelled>, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("{} cannot be read ({error})", file.display()))
            .hint("--data takes a file of JSON lines in UTF-8")
            .caused_by(error)
    })?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let messages = lines
        .map(|(at, line)| parse(line, profile).map_err(|problem| refused(file, at + 1, &problem)))
        .collect::<Result<Vec<Labelled>, Failure>>()?;
    if messages.is_empty() {
        return Err(Failure::new(FailureKind::Usage, format!("{} has no messages", file.display())).hint(FORM));
    }
    Ok(messages)
}

fn refused(file: &Path, line: usize, problem: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("{}, line {line}: {problem}", file.display())).hint(FORM)
}

fn parse(line: &str, profile: &Profile) -> Result<Labelled, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
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

const FORM: &str =
    "a line is {\"text\": \"…\", \"label\": \"intent\" or \"intent.sub\" or \"oos\"}, with a context if it matters";
