//! Commands and scripts: a line for the system's shell, and a program for Python, both in the working folder. What
//! they do to the world cannot be known, so they run once. Next: `turnwise_assistant::command`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use turnwise_assistant::command::{CommandLine, Ended, Ran, Terms, run};
use turnwise_assistant::printed;
use turnwise_core::EffectClass;
use turnwise_model::Watching;

use super::{About, Call, Difference, Given, Output, Tool, Trouble, form, literal, text};

/// A value as one word of a line for the shell, whatever is in it.
pub(crate) fn in_quotes(value: &str) -> String {
    format!("'{}'", value.replace('\'', "'\\''"))
}

/// A line for the shell.
pub(super) struct Shell {
    about: About,
    root: PathBuf,
}

/// A program for Python.
pub(super) struct Python {
    about: About,
    root: PathBuf,
}

/// The tool that runs a line.
pub(crate) const RUN: &str = "run";
/// The tool that runs a Python program.
pub(crate) const PYTHON: &str = "python";

impl Shell {
    pub(super) fn new(root: PathBuf) -> Self {
        let schema = form(json!({
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "description": "a line for the shell"},
                "input": {"type": "string", "description": "what it reads from standard input"},
            },
            "required": ["command"],
            "additionalProperties": false,
        }));
        Self { about: about(RUN, "runs a command in the working folder", schema), root }
    }
}

impl Python {
    pub(super) fn new(root: PathBuf) -> Self {
        let schema = form(json!({
            "type": "object",
            "properties": {
                "script": {"type": "string", "minLength": 1, "description": "a Python program"},
                "input": {"type": "string", "description": "what it reads from standard input"},
            },
            "required": ["script"],
            "additionalProperties": false,
        }));
        Self { about: about(PYTHON, "runs a Python program in the working folder", schema), root }
    }
}

fn about(name: &str, told: &str, schema: turnwise_model::Schema) -> About {
    let effect = EffectClass::OnceOnly;
    About { name: name.to_owned(), told: told.to_owned(), schema, effect, seconds: SECONDS_MAX, mark: String::new() }
}

#[async_trait]
impl Tool for Shell {
    fn about(&self) -> &About {
        &self.about
    }

    fn line(&self, givens: &BTreeMap<String, Given>) -> String {
        format!("Run `{}`{}", literal(givens, "command").unwrap_or_default(), reading(givens))
    }

    fn takes_results(&self, argument: &str) -> bool {
        argument == "input"
    }

    async fn call(&self, call: Call) -> Result<Output, Trouble> {
        let command = text(&call.arguments, "command").to_owned();
        let line = CommandLine::new("sh", &["-c", &command]);
        in_folder(self.root.clone(), line, format!("`{command}`"), call).await
    }
}

#[async_trait]
impl Tool for Python {
    fn about(&self) -> &About {
        &self.about
    }

    fn line(&self, givens: &BTreeMap<String, Given>) -> String {
        match literal(givens, "script").unwrap_or_default() {
            script if script.contains('\n') => format!("Run this Python program{}", reading(givens)),
            script => format!("Run the Python program `{script}`{}", reading(givens)),
        }
    }

    /// A program of several lines is shown as what is new.
    fn difference(&self, givens: &BTreeMap<String, Given>) -> Option<Difference> {
        let script = literal(givens, "script").filter(|script| script.contains('\n'))?;
        Some(Difference { diff: super::replaced("program.py", None, script), replaces: None })
    }

    fn takes_results(&self, argument: &str) -> bool {
        argument == "input"
    }

    async fn call(&self, call: Call) -> Result<Output, Trouble> {
        let line = CommandLine::new("python3", &["-u", "-c", text(&call.arguments, "script")]);
        in_folder(self.root.clone(), line, "the Python program".to_owned(), call).await
    }
}

/// What it is given to read, for its line.
fn reading(givens: &BTreeMap<String, Given>) -> String {
    givens.get("input").map_or_else(String::new, |input| format!(", reading {input}"))
}

/// Runs a program on a thread where waiting is fine.
async fn in_folder(root: PathBuf, line: CommandLine, named: String, call: Call) -> Result<Output, Trouble> {
    let watching = Watching::here();
    let running = tokio::task::spawn_blocking(move || {
        let stop = || call.stop.is_cancelled();
        if stop() {
            return Err(Trouble::Stopped);
        }
        let input = call.arguments.get("input").and_then(serde_json::Value::as_str);
        // The engine ends a step when its time is over; this is for what it cannot reach any more.
        let time = Duration::from_secs(u64::from(SECONDS_MAX));
        let ran = printed::shown(&watching, named.trim_matches('`'), &stop, |stop, print| {
            run(&root, &line, &Terms { input, time, stop, ..Terms::plain() }, print)
        });
        match ran {
            Ok(ran) => judged(&named, &ran),
            Err(error) => Err(Trouble::Failed(format!("{named} cannot be started: {error}."))),
        }
    });
    running.await.unwrap_or_else(|_| Err(Trouble::Unknown("the thread it ran on broke down".to_owned())))
}

fn judged(named: &str, ran: &Ran) -> Result<Output, Trouble> {
    let shown = shown(&ran.output);
    match ran.ended {
        Ended::ByItself(Some(0)) => {
            let note = (ran.left_out > 0).then(|| format!("{} bytes in its middle were left out.", ran.left_out));
            Ok(Output { text: ran.output.clone(), is_whole: ran.left_out == 0, note })
        }
        Ended::ByItself(Some(code)) => Err(Trouble::Failed(format!("{named} failed with exit code {code}.{shown}"))),
        Ended::ByItself(None) => Err(Trouble::Unknown(format!("{named} was ended by a signal.{shown}"))),
        Ended::Stopped => Err(Trouble::Unknown(format!("{named} was stopped while it ran."))),
        Ended::TimedOut => Err(Trouble::Unknown(format!("{named} ran longer than {SECONDS_MAX} seconds."))),
    }
}

/// The last lines of an output: that is where it says how it ended.
fn shown(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines.iter().skip(lines.len().saturating_sub(LINES_SHOWN));
    last.fold(String::new(), |shown, line| format!("{shown}\n{line}"))
}

/// How long a command may run: a build or a download, and not a server.
const SECONDS_MAX: u32 = 600;
/// Lines of an output that an error shows.
const LINES_SHOWN: usize = 20;
