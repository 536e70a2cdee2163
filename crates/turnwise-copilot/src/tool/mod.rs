//! Tools: what a step can call. Each says its name, the form of its arguments and what it may do to the world; what it
//! is called with was approved, and what it answers is data. Next: `shell`, `fetch`, `files` for those built in, `mcp`
//! for those of other programs, `toolbox` for how one is found.

mod fetch;
mod files;
mod kept;
mod shell;
mod toolbox;

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use turnwise_core::{EffectClass, FactName};
use turnwise_model::Schema;

pub(crate) use fetch::{FETCH, address, client};
pub(crate) use files::{Folder, LIST, READ, UNDO, WRITE};
pub(crate) use shell::{PYTHON, RUN, in_quotes};
pub(crate) use toolbox::Toolbox;

/// One argument as a plan has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    /// A value.
    Value(Value),
    /// What another step of the plan gave, counted from 0.
    ResultOf(usize),
    /// What an earlier plan gave.
    Held(FactName),
    /// What the talk before the plan came to. It is put in as a text before anything is planned.
    Requirements,
}

/// What is known of a tool before it is called.
#[derive(Clone, Debug)]
pub(crate) struct About {
    /// Its name, by which plans and recipes call it.
    pub name: String,
    /// What it does, one line; of a tool of another program in that program's words.
    pub told: String,
    /// The form of its arguments: an object.
    pub schema: Schema,
    /// What it may do to the world.
    pub effect: EffectClass,
    /// Seconds a call may take.
    pub seconds: u32,
    /// A mark of what the tool was when it was looked at; empty where it cannot change.
    pub mark: String,
}

/// One call.
pub(crate) struct Call {
    /// What it is called with, results of earlier steps filled in.
    pub arguments: Map<String, Value>,
    /// The same for every attempt at one step, and for no other.
    pub operation: String,
    /// The mark of the tool that was approved.
    pub mark: String,
    /// What it was shown to take the place of, where a difference was shown.
    pub replaces: Option<String>,
    /// Fires when nobody wants it any more.
    pub stop: CancellationToken,
}

/// What a call would change, as it is shown before it is approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// It, as a unified diff.
    pub diff: String,
    /// A mark of what it takes the place of, where it does: nothing else may be replaced.
    pub replaces: Option<String>,
}

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    /// In words or data, cut where it was too long.
    pub text: String,
    /// Whether all of it is there.
    pub is_whole: bool,
    /// What the person is told beside it, where the text alone does not say it.
    pub note: Option<String>,
}

/// Why a call gave nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It was not done, or failed as a whole; saying it again will not help.
    Failed(String),
    /// It may work later, and doing it again does no harm.
    Passing(String),
    /// Nobody can say whether it had its effect.
    Unknown(String),
    /// It was given up before it had any effect.
    Stopped,
}

/// What is known of an attempt nobody heard of again.
pub(crate) enum Found {
    /// It was done.
    Done(Output),
    /// It had no effect.
    NotDone,
    /// Nobody can tell, and why.
    CannotTell(String),
}

/// A tool.
#[async_trait]
pub(crate) trait Tool: Send + Sync {
    /// What is known of it.
    fn about(&self) -> &About;

    /// A call of it as a line of a plan; all that is approved has to be in it or in the arguments shown beside it.
    fn line(&self, givens: &BTreeMap<String, Given>) -> String {
        let listed: Vec<String> = givens.iter().map(|(name, given)| format!("{name}: {given}")).collect();
        match listed.is_empty() {
            true => format!("Call {}", self.about().name),
            false => format!("Call {} with {}", self.about().name, listed.join(", ")),
        }
    }

    /// What a call would change, where it can be told beforehand.
    fn difference(&self, givens: &BTreeMap<String, Given>) -> Option<Difference> {
        let _ = givens;
        None
    }

    /// Whether an argument may be the result of an earlier step, which nobody has seen when the plan is approved.
    fn takes_results(&self, argument: &str) -> bool {
        let _ = argument;
        true
    }

    /// Calls it. The token is looked at as the last thing before an effect.
    async fn call(&self, call: Call) -> Result<Output, Trouble>;

    /// Whether an attempt had its effect, found without effects.
    async fn look_up(&self, operation: &str) -> Found {
        let _ = operation;
        Found::CannotTell(format!("“{}” keeps no record of what it did", self.about().name))
    }
}

impl Output {
    /// Nothing but a text, cut to what is kept.
    pub fn of(text: &str) -> Self {
        let (kept, left_out) = cut(text);
        let note = (left_out > 0).then(|| format!("{left_out} bytes of it were left out."));
        Self { text: kept, is_whole: left_out == 0, note }
    }
}

/// As a person would write it.
impl fmt::Display for Given {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(Value::String(text)) => write!(out, "“{text}”"),
            Self::Value(other) => write!(out, "{other}"),
            Self::ResultOf(step) => write!(out, "the result of step {}", step + 1),
            Self::Held(_) => write!(out, "the last result"),
            Self::Requirements => write!(out, "the requirements"),
        }
    }
}

/// A text that takes the place of another, or of none, as a unified diff.
fn replaced(path: &str, before: Option<&str>, after: &str) -> String {
    let lines = |mark: char, text: &str| text.lines().map(|line| format!("{mark}{line}\n")).collect::<String>();
    let old = before.map_or_else(|| "/dev/null".to_owned(), |_| format!("a/{path}"));
    let before = before.unwrap_or_default();
    let (gone, new) = (before.lines().count(), after.lines().count());
    let head = format!("--- {old}\n+++ b/{path}\n@@ -{},{gone} +{},{new} @@\n", gone.min(1), new.min(1));
    format!("{head}{}{}", lines('-', before), lines('+', after))
}

/// A text that stands in the plan itself; none where it is the result of a step.
fn literal<'a>(givens: &'a BTreeMap<String, Given>, name: &str) -> Option<&'a str> {
    match givens.get(name)? {
        Given::Value(value) => value.as_str(),
        Given::ResultOf(_) | Given::Held(_) | Given::Requirements => None,
    }
}

/// A text without what is beyond the limit, and how many bytes that was.
fn cut(text: &str) -> (String, usize) {
    let mut end = text.len().min(OUTPUT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (text[..end].to_owned(), text.len() - end)
}

/// The form of a built-in tool's arguments.
#[expect(clippy::expect_used, reason = "the forms are constants, and a test reads every one")]
fn form(json: Value) -> Schema {
    Schema::new(json).expect("BUG: the form of a built-in tool is no schema")
}

/// A text among the arguments; those a form requires are there.
fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The tools that are always there, unless the operator says otherwise.
pub(crate) const BUILT_IN: [&str; 7] = [RUN, PYTHON, FETCH, READ, LIST, WRITE, UNDO];

/// Bytes of what a call gave that are kept: it is held in the conversation and read by people.
pub(crate) const OUTPUT_BYTES_MAX: usize = 64 * 1024;
