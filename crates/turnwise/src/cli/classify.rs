//! `turnwise classify`: reads messages without acting on them, for measuring and for other programs. A line that cannot
//! be read is answered with an error that names it; the rest is read all the same. On several threads the output is
//! the same, line for line. Next: `turnwise_intent::classify`.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::{SyncSender, sync_channel};

use serde::Serialize;
use serde_json::{Map, Value};
use turnwise_intent::IntentReader;
use turnwise_intent::classify::{Context, classify as classified};

use super::args::ClassifyArguments;
use super::open;
use turnwise_assistant::{Failure, FailureKind};

/// Reads every line of standard input.
///
/// # Errors
/// When there is no such assistant, or standard input or output fails.
pub fn classify(arguments: &ClassifyArguments) -> Result<ExitCode, Failure> {
    let reader = open::reader(&arguments.assistant)?;
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads.min(THREADS_MAX),
    };
    lines(&reader, threads, io::stdin(), io::stdout().lock())
        .map_err(|error| Failure::new(FailureKind::Operator, "standard input or output fails").caused_by(error))
}

/// Threads that are of any use; more would only hold memory.
const THREADS_MAX: usize = 256;
/// Lines that wait before and behind each thread: enough to keep it busy, and all the memory a long input takes.
const WAITING_MAX: usize = 32;

/// A line as it is written out, and whether it could be read.
struct Line {
    json: String,
    is_refused: bool,
}

/// Deals the lines to the threads in turn and takes the answers in the same turn: what is written does not depend on
/// how many threads there are, and only [`WAITING_MAX`] lines a thread are ever held.
fn lines(
    reader: &IntentReader,
    threads: usize,
    input: impl io::Read + Send,
    mut out: impl Write,
) -> io::Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    std::thread::scope(|scope| {
        let (mut asked, mut answered) = (Vec::new(), Vec::new());
        for _ in 0..threads {
            let (ask, questions) = sync_channel::<(u64, Vec<u8>)>(WAITING_MAX);
            let (answer, answers) = sync_channel::<io::Result<Line>>(WAITING_MAX);
            scope.spawn(move || {
                questions.iter().try_for_each(|(number, bytes)| answer.send(answer_to(reader, number, &bytes)))
            });
            asked.push(ask);
            answered.push(answers);
        }
        let dealing = scope.spawn(move || deal(io::BufReader::new(input), &asked));
        // A thread whose turn it is and that has gone away has had the last line.
        for line in answered.iter().cycle().map_while(|answers| answers.recv().ok()) {
            let line = line?;
            if line.is_refused {
                code = ExitCode::from(FailureKind::Usage.exit_code());
            }
            writeln!(out, "{}", line.json)?;
        }
        // The answers end before the input is known to have ended well; a reader that cannot be joined has panicked.
        dealing.join().unwrap_or_else(|_| Err(io::Error::other("reading the input broke down")))
    })?;
    out.flush()?;
    Ok(code)
}

fn deal(mut input: impl BufRead, asked: &[SyncSender<(u64, Vec<u8>)>]) -> io::Result<()> {
    let mut turn = asked.iter().cycle();
    for number in 1_u64.. {
        let mut bytes = Vec::new();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        // Nobody listens any more once writing has failed.
        if turn.next().is_some_and(|next| next.send((number, bytes)).is_err()) {
            break;
        }
    }
    Ok(())
}

fn answer_to(reader: &IntentReader, number: u64, bytes: &[u8]) -> io::Result<Line> {
    let asked = Asked::parse(bytes);
    let is_refused = asked.is_err();
    let json = match asked {
        Ok(asked) => serde_json::to_string(&classified(reader, &asked.text, &asked.context)),
        Err(error) => serde_json::to_string(&Refused { line: number, error }),
    };
    Ok(Line { json: json?, is_refused })
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

    use super::*;

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
    fn every_number_of_threads_writes_the_same_lines_in_order() {
        let reader = IntentReader::builtin("analyst").unwrap();
        let said = ["stop", "/help", "how did you get that", "analyze sales by region", "switch to proof mode"];
        let mut input: String =
            (0..200).map(|n| format!("{{\"text\": \"{} {}\"}}\n\n", said[n % said.len()], n / 50)).collect();
        input.push_str("no JSON\n");
        let written = |threads: usize| {
            let mut out = Vec::new();
            let code = lines(&reader, threads, input.as_bytes(), &mut out).unwrap();
            assert_eq!(code, ExitCode::from(FailureKind::Usage.exit_code()));
            String::from_utf8(out).unwrap()
        };
        let alone = written(1);
        assert_eq!(alone.lines().count(), 201);
        assert!(alone.ends_with("\"}\n") && alone.lines().last().unwrap().contains("\"line\":401"));
        assert_eq!(written(3), alone);
        assert_eq!(written(7), alone);
    }

    #[test]
    fn output_that_fails_ends_the_reading() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let reader = IntentReader::builtin("analyst").unwrap();
        let input = "{\"text\": \"stop\"}\n".repeat(1000);
        let error = lines(&reader, 2, input.as_bytes(), Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_context_says_where_the_conversation_stands() {
        let parse = |line: &str| Asked::parse(line.as_bytes()).unwrap().context;
        assert_eq!(parse(r#"{"text": "a"}"#).phase, Phase::Idle);
        let waiting = parse(r#"{"text": "a", "context": {"phase": "awaiting_approval", "plan": true}}"#);
        assert!(waiting.plan && waiting.phase == Phase::AwaitingApproval);
    }
}
