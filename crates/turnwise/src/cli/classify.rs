//! `turnwise classify`: reads messages without acting on them, for measuring and for other programs. A line that cannot
//! be read is answered with an error that names it; the rest is read all the same. Next: `turnwise_intent`.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::{Map, Value};
use turnwise_core::{
    Confidence, MessageReading, Neighbour, Phase, ReadContext, Reader as _, Reading, Reply, Tier, text,
};
use turnwise_intent::{Behaviour, IntentReader, Label};

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
            Ok(asked) => serde_json::to_string(&asked.read(reader)),
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
    context: ReadContext,
}

#[derive(Serialize)]
struct Refused {
    line: u64,
    error: String,
}

impl Asked {
    fn parse(line: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(line).map_err(|error| format!("not JSON: {error}"))?;
        let Value::Object(object) = value else { return Err("not an object like {\"text\": \"…\"}".to_owned()) };
        known_keys(&object, &["text", "context"], "")?;
        let Some(Value::String(text)) = object.get("text") else {
            return Err("`text` is missing or no text".to_owned());
        };
        let context = match object.get("context") {
            None | Some(Value::Null) => ReadContext::default(),
            Some(Value::Object(context)) => read_context(context)?,
            Some(_) => return Err("`context` is no object".to_owned()),
        };
        Ok(Self { text: text.clone(), context })
    }

    fn read(&self, reader: &IntentReader) -> Classified {
        let behaviour = |reading: &Reading| behaviour(reader, reading);
        let reply = matches!(self.context.phase, Phase::AwaitingApproval | Phase::Failed)
            .then(|| reader.reply(&self.text, &self.context));
        let mut classified = match reader.read(&self.text, &self.context) {
            MessageReading::Understood { requests, segments } => {
                let decided = requests.last().map(|reading| Classified::of(reading, behaviour(reading)));
                let parts = segments.iter().map(|reading| Classified::of(reading, behaviour(reading)));
                let several = segments.len() > 1;
                let decided = decided.unwrap_or_else(|| Classified::nothing("nothing was asked for"));
                Classified { segments: several.then(|| parts.collect()), ..decided }
            }
            MessageReading::Unsure { options } => match options.first() {
                Some(likely) => Classified::of(likely, CLARIFY),
                None => Classified::nothing("no reading is likely"),
            },
            MessageReading::UnknownCommand { command, nearest } => {
                let near = nearest.map(|nearest| format!("; the nearest is {nearest}")).unwrap_or_default();
                Classified::nothing(&format!("there is no command {command}{near}"))
            }
            MessageReading::Empty => Classified::nothing("there is nothing to read"),
        };
        classified.reply = reply;
        classified
    }
}

/// What a context says, where it matters to reading; the other keys are for assistants that look at editors and reviews.
pub(super) fn read_context(context: &Map<String, Value>) -> Result<ReadContext, String> {
    known_keys(context, &CONTEXT_KEYS, "context.")?;
    let is_there = |key: &str| context.get(key).is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)));
    let phase = match context.get("phase") {
        None | Some(Value::Null) if is_there("run") => Phase::Executing,
        None | Some(Value::Null) => Phase::Idle,
        Some(phase) => serde_json::from_value(phase.clone()).map_err(|_| {
            format!("`context.phase` is {phase}; it is idle, planning, awaiting_approval, executing or failed")
        })?,
    };
    let has_plan = is_there("plan") || matches!(phase, Phase::AwaitingApproval | Phase::Executing | Phase::Failed);
    Ok(ReadContext { phase, has_plan, ..ReadContext::default() })
}

pub(super) fn known_keys(object: &Map<String, Value>, known: &[&str], path: &str) -> Result<(), String> {
    let Some(unknown) = object.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let nearest = known.iter().min_by_key(|key| distance(key, unknown)).copied().unwrap_or_default();
    Err(format!("unknown key `{path}{unknown}`; the nearest known one is `{path}{nearest}`"))
}

/// Edits (insert, delete, replace) that lead from one word to the other: Levenshtein's distance.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, from) in left.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, &character) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(from != character);
            diagonal = row[to + 1];
            row[to + 1] = replaced.min(row[to] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

/// A line out.
#[derive(Debug, Serialize)]
struct Classified {
    intent: Option<String>,
    sub: Option<String>,
    target: Option<String>,
    behaviour: &'static str,
    confidence: Confidence,
    margin: f32,
    tier: Option<Tier>,
    nearest: Vec<Neighbour>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Vec<Classified>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<Reply>,
}

impl Classified {
    fn of(reading: &Reading, behaviour: &'static str) -> Self {
        Self {
            intent: Some(reading.intent.clone()),
            sub: reading.sub.clone(),
            target: reading.target.clone(),
            behaviour,
            confidence: reading.confidence,
            margin: reading.margin,
            tier: Some(reading.tier),
            nearest: reading.nearest.clone(),
            reason: reading.reason.clone(),
            segments: None,
            reply: None,
        }
    }

    /// No intent: the person would be asked.
    fn nothing(reason: &str) -> Self {
        Self {
            intent: None,
            sub: None,
            target: None,
            behaviour: CLARIFY,
            confidence: Confidence::new(0.0),
            margin: 0.0,
            tier: None,
            nearest: Vec::new(),
            reason: text::clip(reason, REASON_WIDTH),
            segments: None,
            reply: None,
        }
    }
}

/// What the profile says is done about a reading, in the words of the behaviour layer.
fn behaviour(reader: &IntentReader, reading: &Reading) -> &'static str {
    let label = Label { primary: reading.intent.clone(), sub: reading.sub.clone() };
    let labels = &reader.profile().labels;
    let meaning = labels.get(&label).or_else(|| labels.get(&Label::primary(&reading.intent)));
    match meaning.map_or(Behaviour::Clarify, |meaning| meaning.behaviour) {
        Behaviour::Answer => "ANSWER",
        Behaviour::Clarify => CLARIFY,
        Behaviour::QuickAction => "QUICK_ACTION",
        Behaviour::Plan => "PLAN",
        Behaviour::ContinueRun => "CONTINUE_RUN",
        Behaviour::Command => "COMMAND",
    }
}

const CLARIFY: &str = "CLARIFY";

/// What a context may carry.
const CONTEXT_KEYS: [&str; 7] =
    ["phase", "plan", "run", "review", "last_open_editor", "last_applied_diff", "last_artifact_proposed"];

/// Characters of a reason that quotes what was typed.
const REASON_WIDTH: usize = 200;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use turnwise_core::Phase;

    use super::{Asked, distance};

    fn error(line: &str) -> String {
        Asked::parse(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn an_unknown_key_is_named_with_its_nearest() {
        assert_eq!(error(r#"{"txt": "a"}"#), "unknown key `txt`; the nearest known one is `text`");
        assert_eq!(
            error(r#"{"text": "a", "context": {"last_editor": 1}}"#),
            "unknown key `context.last_editor`; the nearest known one is `context.last_open_editor`"
        );
    }

    #[test]
    fn a_line_that_is_not_what_was_asked_for_is_refused() {
        assert!(error("{").starts_with("not JSON:"));
        assert_eq!(error("[]"), "not an object like {\"text\": \"…\"}");
        assert_eq!(error("{}"), "`text` is missing or no text");
        assert!(error(r#"{"text": "a", "context": {"phase": "asleep"}}"#).contains("idle, planning"));
    }

    #[test]
    fn a_context_says_where_the_conversation_stands() {
        let parse = |line: &str| Asked::parse(line.as_bytes()).unwrap().context;
        assert_eq!(parse(r#"{"text": "a"}"#).phase, Phase::Idle);
        let waiting = parse(r#"{"text": "a", "context": {"phase": "awaiting_approval"}}"#);
        assert!(waiting.has_plan && waiting.phase == Phase::AwaitingApproval);
        assert_eq!(parse(r#"{"text": "a", "context": {"run": {"step": 1}}}"#).phase, Phase::Executing);
    }

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("phase", "phase"), 0);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "run"), 3);
    }
}
