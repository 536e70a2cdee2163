//! Names: the words of a question that may be names of the code, and what each is said to belong to. Words that
//! questions are made of are none. Next: `places`.

use std::collections::BTreeSet;

use turnwise_assistant::place::FilePath;
use turnwise_core::text;

use super::places::{defining, defining_by};
use crate::code::is_name;
use crate::workspace::{Search, Workspace};

/// The names of a question that stand in the code, and one that looks like a name and stands nowhere.
pub(super) struct Names {
    known: Vec<Named>,
    pub(super) unknown: Option<String>,
}

/// A name, and what it is said to belong to: `Version::new`, `Bill.add`.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) owner: Option<String>,
}

/// A name that is said with what it belongs to.
fn owned(said: &str) -> Named {
    let parts: Vec<&str> = said.split("::").flat_map(|part| part.split('.')).filter(|part| !part.is_empty()).collect();
    let (name, before) = parts.split_last().map_or((said, &[][..]), |(last, before)| (*last, before));
    let owner = before.last().filter(|owner| is_name(owner) && !matches!(**owner, "self" | "this" | "crate" | "super"));
    Named { name: name.to_owned(), owner: owner.map(|owner| (*owner).to_owned()) }
}

impl Names {
    pub(super) fn of(workspace: &Workspace, question: &str, files: &[FilePath]) -> Self {
        let (mut known, mut unknown) = (Vec::new(), None);
        let all = workspace.files();
        let is_file = |name: &str| files.iter().any(|file| file.as_str().ends_with(name));
        let beside = beside_kinds(question);
        let candidates: Vec<Candidate> = candidates(question).into_iter().filter(|c| !is_file(&c.text)).collect();
        for candidate in candidates {
            let named = owned(&candidate.text);
            let name = named.name.as_str();
            if !is_name(name) {
                continue;
            }
            let stands = match candidate.is_certain {
                true => workspace.files_with(&all, &Search::name(name)).is_ok_and(|files| !files.is_empty()),
                false => !defining(workspace, name, &all).is_empty(),
            };
            match stands {
                true => known.push(named),
                false if !candidate.is_certain && beside.contains(&name.to_lowercase()) => {
                    let name = in_other_letters(workspace, name, &all);
                    known.extend(name.map(|name| Named { name, owner: None }));
                }
                false if candidate.is_certain => unknown = unknown.or_else(|| Some(candidate.text.clone())),
                false => {}
            }
        }
        Self { known, unknown }
    }

    pub(super) fn first(&self) -> Option<&Named> {
        self.known.first()
    }
}

/// The name that people mean who say “the entry type” for `Entry`.
fn in_other_letters(workspace: &Workspace, name: &str, files: &[FilePath]) -> Option<String> {
    let loosely = Search { exact_case: false, ..Search::name(name) };
    defining_by(workspace, &loosely, files).into_iter().next().map(|found| found.name)
}

/// The words that stand beside a word for what is defined, in small letters.
fn beside_kinds(question: &str) -> BTreeSet<String> {
    let words = text::words(question);
    let is_kind = |word: &String| KINDS.contains(&word.as_str());
    let pairs = words.windows(2).filter(|pair| pair.iter().any(is_kind));
    pairs.flatten().filter(|word| !is_kind(word)).map(|word| word.to_lowercase()).collect()
}

/// Words for what is defined.
const KINDS: [&str; 9] = ["type", "struct", "enum", "trait", "class", "interface", "function", "method", "module"];

/// A word that may be a name.
struct Candidate {
    text: String,
    /// Whether it is written as no plain word is.
    is_certain: bool,
}

/// The words that may be names: those written like one first, then plain words that no question is made of.
fn candidates(question: &str) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    for word in question.split_whitespace() {
        let quoted = word.starts_with(['`', '"', '“', '\'']);
        let is_call = word.trim_end_matches(['?', '.', ',', '!']).ends_with("()");
        let text = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '$');
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        let inside = text.get(1..).unwrap_or_default();
        let is_written = text.contains('_') || text.contains("::") || inside.contains(char::is_uppercase) || is_call;
        let plain = text.to_lowercase();
        if !text.is_empty() && (quoted || is_written || !is_plain(&plain)) {
            found.push(Candidate { text: text.to_owned(), is_certain: quoted || is_written });
        }
    }
    // Words in capitals only are said loudly: “API”, “HTTP”.
    found.iter_mut().filter(|c| c.text.chars().all(char::is_uppercase)).for_each(|c| c.is_certain = false);
    found.sort_by_key(|candidate| !candidate.is_certain);
    found
}

/// Whether a word is one that questions are made of, and says nothing of what they are about.
pub(super) fn is_plain(word: &str) -> bool {
    PLAIN.contains(&word) || word.chars().all(|letter| letter.is_ascii_digit())
}

const PLAIN: &[&str] = &[
    "a",
    "about",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "by",
    "call",
    "called",
    "calls",
    "can",
    "class",
    "code",
    "codebase",
    "could",
    "define",
    "defined",
    "defines",
    "depend",
    "depends",
    "describe",
    "did",
    "do",
    "does",
    "every",
    "everything",
    "example",
    "explain",
    "exactly",
    "file",
    "files",
    "find",
    "for",
    "from",
    "function",
    "functions",
    "get",
    "give",
    "has",
    "have",
    "help",
    "here",
    "how",
    "i",
    "if",
    "in",
    "is",
    "it",
    "its",
    "kind",
    "know",
    "line",
    "lines",
    "list",
    "look",
    "made",
    "many",
    "me",
    "mean",
    "means",
    "method",
    "methods",
    "module",
    "much",
    "my",
    "need",
    "of",
    "on",
    "one",
    "or",
    "our",
    "out",
    "place",
    "please",
    "point",
    "project",
    "purpose",
    "repo",
    "repository",
    "see",
    "should",
    "show",
    "so",
    "some",
    "struct",
    "tell",
    "that",
    "the",
    "their",
    "them",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "through",
    "to",
    "type",
    "understand",
    "use",
    "used",
    "uses",
    "using",
    "variable",
    "walk",
    "want",
    "was",
    "we",
    "were",
    "what",
    "what's",
    "when",
    "where",
    "where's",
    "which",
    "who",
    "why",
    "will",
    "with",
    "work",
    "works",
    "would",
    "you",
    "your",
];
