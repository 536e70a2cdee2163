//! What a request does not say: its purpose, inputs, outputs or constraints (FL-01). Judged by what the words hold, not
//! by how many there are. Something new needs all four; a change to something that is named needs only that.
//! Next: `checkpoint` for the card it is asked on.

use serde::Serialize;

use super::checkpoint::Checkpoint;
use crate::behaviour::coder::files_in;
use crate::behaviour::{Clarification, first_said, says};
use crate::profile::Routing;
use crate::words::{Word, Words};

/// A part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// What it is for.
    Purpose,
    /// What it starts from.
    Inputs,
    /// What comes out.
    Outputs,
    /// What limits it.
    Constraints,
}

/// Missing parts of something new from which on a balanced assistant asks.
const BALANCED_MISSING: usize = 3;

const MAKING: &[&str] =
    &["build", "create", "make", "develop", "implement", "design", "write", "set up", "automate", "need", "want"];

/// Things that can be made, of which nothing is known yet.
const THINGS: &[&str] = &[
    "app",
    "application",
    "website",
    "web site",
    "site",
    "dashboard",
    "tool",
    "script",
    "service",
    "system",
    "shop",
    "store",
    "platform",
    "bot",
    "program",
    "api",
    "page",
    "game",
    "pipeline",
    "report",
    "database",
    "library",
    "software",
    "product",
    "workflow",
    "website",
    "landing page",
    "model",
    "assistant",
    "integration",
    "extension",
    "plugin",
];

const WORK_VERBS: &[&str] = &[
    "add",
    "analyze",
    "automate",
    "build",
    "change",
    "clean",
    "compare",
    "convert",
    "copy",
    "count",
    "create",
    "delete",
    "deploy",
    "design",
    "develop",
    "draft",
    "export",
    "extract",
    "fix",
    "format",
    "generate",
    "implement",
    "import",
    "install",
    "make",
    "merge",
    "migrate",
    "move",
    "plan",
    "prepare",
    "produce",
    "publish",
    "read",
    "reads",
    "refactor",
    "remove",
    "rename",
    "replace",
    "resize",
    "review",
    "rewrite",
    "run",
    "scrape",
    "schedule",
    "send",
    "sends",
    "set",
    "sort",
    "split",
    "summarize",
    "switch",
    "test",
    "translate",
    "update",
    "upgrade",
    "upload",
    "uppercase",
    "validate",
    "verify",
    "write",
    "writes",
    "joins",
    "join",
    "takes",
    "put",
    "recommend",
];

const PURPOSE: &[&str] =
    &["for", "so that", "because", "in order to", "that", "which", "to help", "to track", "about", "where"];
const INPUTS: &[&str] = &[
    "from",
    "using",
    "given",
    "takes",
    "take",
    "reads",
    "read",
    "based on",
    "input",
    "inputs",
    "with data",
    "out of",
    "imports",
    "receives",
    "accepts",
    "upload",
    "uploads",
    "csv",
    "data",
    "listens",
    "collects",
];
const OUTPUTS: &[&str] = &[
    "as",
    "into",
    "returns",
    "return",
    "output",
    "outputs",
    "shows",
    "show",
    "produces",
    "writes",
    "sends",
    "send",
    "prints",
    "pdf",
    "exports",
    "displays",
    "generates",
    "saves",
    "reports",
    "lists",
    "stores",
    "alerts",
    "notifies",
];
const CONSTRAINTS: &[&str] = &[
    "within",
    "must",
    "only",
    "without",
    "at most",
    "at least",
    "no more than",
    "by",
    "under",
    "limit",
    "before",
    "until",
    "on one",
    "budget",
    "deadline",
    "python",
    "rust",
    "javascript",
    "typescript",
    "react",
    "small",
    "offline",
    "in go",
    "less than",
    "per minute",
    "per second",
    "maximum",
    "minimum",
    "never",
];

/// The thing that is to be made, when something is.
pub(super) fn is_making(words: &Words) -> Option<&'static str> {
    first_said(&words.all, MAKING)?;
    let object = words.core().iter().take_while(|word| !is_link(word)).cloned().collect::<Vec<_>>();
    first_said(&object, THINGS)
}

fn is_link(word: &Word) -> bool {
    matches!(word.text.as_str(), "for" | "that" | "which" | "from" | "with" | "to" | "in" | "of" | "as")
}

/// How many pieces of work the words name.
pub(super) fn work_verbs(words: &Words) -> usize {
    let core = words.core();
    let starts = |at: usize| {
        at == 0 || core[at - 1].pause_after || matches!(core[at - 1].text.as_str(), "and" | "then" | "also" | "that")
    };
    (0..core.len()).filter(|at| starts(*at) && WORK_VERBS.contains(&core[*at].text.as_str())).count()
}

/// The parts that `words` do not say.
pub(super) fn of(words: &Words, text: &str) -> Vec<Part> {
    if is_making(words).is_none() {
        return if has_object(words) { Vec::new() } else { vec![Part::Purpose, Part::Inputs, Part::Outputs] };
    }
    let says_any = |phrases: &[&str]| phrases.iter().any(|phrase| says(&words.all, phrase));
    let has_files = !files_in(text).is_empty();
    [
        (Part::Purpose, says_any(PURPOSE)),
        (Part::Inputs, says_any(INPUTS) || has_files),
        (Part::Outputs, says_any(OUTPUTS)),
        (Part::Constraints, says_any(CONSTRAINTS)),
    ]
    .into_iter()
    .filter(|(_, said)| !said)
    .map(|(part, _)| part)
    .collect()
}

/// Whether anything is named that the work is about; "automate it" and "process the data" name nothing.
fn has_object(words: &Words) -> bool {
    const EMPTY: &[&str] = &[
        "it",
        "this",
        "that",
        "them",
        "these",
        "those",
        "something",
        "anything",
        "everything",
        "stuff",
        "things",
        "thing",
        "the",
        "a",
        "an",
        "me",
        "please",
        "some",
        "better",
        "for",
        "now",
        "my",
        "our",
        "us",
        "up",
        "data",
        "system",
        "systems",
        "work",
        "job",
        "jobs",
        "project",
        "process",
        "workflow",
        "code",
    ];
    words.core().iter().skip(1).any(|word| !EMPTY.contains(&word.text.as_str()))
}

/// Whether the missing parts have to be asked for before anything else.
pub(super) fn must_ask(missing: &[Part], words: &Words, routing: Routing) -> bool {
    match routing {
        Routing::Aggressive => !missing.is_empty(),
        Routing::Balanced => missing.len() >= BALANCED_MISSING,
        Routing::Minimal => !has_object(words),
    }
}

/// The card that asks for `missing`.
pub(super) fn card(missing: &[Part]) -> Clarification {
    let questions: Vec<&str> = missing.iter().map(|part| part.question()).collect();
    Clarification { question: questions.join(" "), options: Checkpoint::Clarification.options() }
}

impl Part {
    /// How it is asked for.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::Purpose => "What is it for, and who will use it?",
            Self::Inputs => "What does it start from: which data, files or systems?",
            Self::Outputs => "What should come out, and in what form?",
            Self::Constraints => "What limits apply: deadline, technology, budget, rules?",
        }
    }
}
