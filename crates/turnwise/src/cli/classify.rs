//! `turnwise classify`: reads messages without acting on them, for measuring and for other programs. A line that cannot
//! be read is answered with an error that names it; the rest is read all the same. Next: `turnwise_intent::classify`.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Map, Value};
use turnwise_intent::IntentReader;
use turnwise_intent::classify::{Context, classify as classified};

use super::args::ClassifyArguments;
use super::open;
use crate::failure::{Failure, FailureKind};

/// Reads every line of standard input.
///
/// # Errors
/// When there is no such assistant, or standard input or output fails.
pub fn classify(arguments: &ClassifyArguments) -> Result<ExitCode, Failure> {
    let reader = open::reader(&arguments.assistant)?;
    lines(&reader, io::stdin().lock(), io::stdout().lock())
        .map_err(|error| Failure::new(FailureKind::Operator, "standard input or output fails").caused_by(error))
}

fn lines(reader: &IntentReader, mut input: impl BufRead, mut out: impl Write) -> io::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    let mut bytes = Vec::new();
    for number in 1_u64.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let json = match Asked::parse(&bytes) {
            Ok(asked) => serde_json::to_string(&classified(reader, &asked.text, &asked.context)),
            Err(error) => {
                code = ExitCode::from(FailureKind::Usage.exit_code());
                serde_json::to_string(&Refused { line: number, error })
            }
        }?;
        writeln!(out, "{json}")?;
    }
    out.flush()?;
    Ok(code)
}

/// A line in, parsed.
#[derive(Debug)]
struct Asked {
    text: String,
    context: Context,
}

#[derive(Serialize)]
struct Refused {
    line: u64,
    error: String,
}

impl Asked {
    fn parse(line: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
        let Value::Object(mut object) = value else { return Err("not an object like {\"text\": \"…\"}".to_owned()) };
        known_keys(&object, &["text", "context"])?;
        let Some(Value::String(text)) = object.remove("text") else {
            return Err("`text` is missing or no text".to_owned());
        };
        let context = match object.remove("context") {
            None | Some(Value::Null) => Context::default(),
            Some(context @ Value::Object(_)) => serde_json::from_value(context).map_err(|error| error.to_string())?,
            Some(_) => return Err("`context` is no object".to_owned()),
        };
        Ok(Self { text, context })
    }
}

/// Refuses a key that means nothing, naming the nearest.
pub(super) fn known_keys(object: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    let Some(unknown) = object.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let nearest = turnwise_intent::nearest(unknown, known.iter().copied());
    let guess = nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
    Err(format!("unknown key `{unknown}`{guess}"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use turnwise_core::Phase;

    use super::Asked;

    fn error(line: &str) -> String {
        Asked::parse(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_nearest() {
        assert_eq!(error(r#"{"txt": "a"}"#), "unknown key `txt`; did you mean `text`?");
        let inner = error(r#"{"text": "a", "context": {"last_open_editr": 1}}"#);
        assert!(inner.contains("`last_open_editr`") && inner.contains("`last_open_editor`"), "{inner}");
    }

    #[test]
    fn a_line_that_is_not_what_was_asked_for_is_refused() {
        assert!(error("{").starts_with("not JSON:"));
        assert_eq!(error("[]"), "not an object like {\"text\": \"…\"}");
        assert_eq!(error("{}"), "`text` is missing or no text");
        assert!(error(r#"{"text": "a", "context": {"phase": "asleep"}}"#).contains("idle"));
    }

    #[test]
    fn a_context_says_where_the_conversation_stands() {
        let parse = |line: &str| Asked::parse(line.as_bytes()).unwrap().context;
        assert_eq!(parse(r#"{"text": "a"}"#).phase, Phase::Idle);
        let waiting = parse(r#"{"text": "a", "context": {"phase": "awaiting_approval", "plan": true}}"#);
        assert!(waiting.plan && waiting.phase == Phase::AwaitingApproval);
    }
}
