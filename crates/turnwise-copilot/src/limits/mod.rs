//! What a plan has to keep to, in a person's words: “never touch b.txt”, “don't run sudo”, “stay offline”. Where it
//! names a file, a host or a command, a step that would break it is refused; everything else is shown as not checked.
//! Next: `forbidding`, which reads such words, and `broken`, which holds steps against them.

mod broken;
mod forbidding;
mod shell;

use turnwise_core::{FactKind, Task, text};

pub(crate) use broken::{Doing, broken, broken_at};
use forbidding::{forbids_unnamed, named, rules, verb_of, words_of};

use crate::orders::{orders_behind, outside_places};
use crate::said::{self, after_any, is_courtesy, without_courtesies};

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// As it was said.
    pub said: String,
    /// What can be checked of it; nothing where that takes understanding.
    pub rules: Vec<Rule>,
}

/// What must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// This file, or what is in this folder, is not written; nor read, where that was said, too.
    File { name: String, may_be_read: bool },
    /// Nothing is fetched from there.
    Host(String),
    /// This is not run.
    Command(String),
    /// Nothing is fetched at all.
    Network,
}

impl Limit {
    /// The limit that `words` are, all of them; none where they order something, or forbid nothing.
    pub fn read(words: &str) -> Option<Self> {
        let (rest, limits) = apart(words);
        (rest.is_empty() && !limits.is_empty()).then(|| Self::all_of(&plain(words), limits))
    }

    /// The same of words that are known to say what must hold.
    pub fn of(words: &str) -> Self {
        Self::all_of(words, apart(words).1)
    }

    fn all_of(words: &str, limits: Vec<Self>) -> Self {
        let rules = limits.into_iter().flat_map(|limit| limit.rules).collect();
        Self { said: words.trim().to_owned(), rules }
    }

    /// The limit that a part of what was said is.
    fn of_part(part: &str) -> Option<Self> {
        let said = plain(part);
        let rules = rules(&said);
        let is_none = rules.is_empty() && !forbids_unnamed(&said);
        if is_none || said.contains('?') || after_any(&said, &LIFTING).is_some() || orders_behind(&said, 1).is_some() {
            return None;
        }
        Some(Self { said, rules })
    }

    /// What is said of it on a plan that keeps to it.
    pub fn told(&self, steps: &[Doing]) -> String {
        let named = |rule: &Rule| match rule {
            Rule::File { name, .. } => format!("no step names {name}"),
            Rule::Host(host) => format!("no step names {host}"),
            Rule::Command(command) => format!("no step runs {command}"),
            Rule::Network => "no step fetches anything".to_owned(),
        };
        let checked: Vec<String> = self.rules.iter().map(named).collect();
        let unsure = steps.iter().enumerate().filter(|(_, step)| broken::is_unsure(step));
        let unsure: Vec<String> = unsure.map(|(at, _)| format!("step {}", at + 1)).collect();
        match (checked.is_empty(), unsure.is_empty()) {
            (true, _) => format!("“{}” holds; that is not checked", self.said),
            (_, true) => format!("“{}” holds: {}", self.said, text::listed(&checked)),
            (_, false) => format!(
                "“{}”: {}; what {} may do beyond what is named there is not known, and that is not checked",
                self.said,
                text::listed(&checked),
                text::listed(&unsure)
            ),
        }
    }
}

/// What the plan of a task has to keep to: what is held as such, and what was said with the task and its changes.
pub(crate) fn of_task(task: &Task) -> Vec<Limit> {
    let held = said::held(task).filter(|(kind, _)| *kind == FactKind::Constraint);
    let mut all: Vec<Limit> = held.map(|(_, said)| Limit::of(said)).collect();
    let before = task.previous.iter().map(|plan| plan.draft().problem.as_str());
    for words in before.chain([task.problem.as_str()]).chain(task.changes.iter().map(String::as_str)) {
        for limit in apart(words).1 {
            if !all.iter().any(|known| known.said == limit.said) {
                all.push(limit);
            }
        }
    }
    all
}

/// What `words` order, without what they forbid; and that.
pub(crate) fn apart(words: &str) -> (String, Vec<Limit>) {
    let (mut limits, mut kept) = (Vec::new(), Vec::new());
    for line in words.split('\n') {
        let mut rest = String::new();
        for (joint, part, limit) in parts(line) {
            match limit {
                Some(limit) => limits.push(limit),
                None if rest.is_empty() => rest.push_str(part.trim_start()),
                None => rest.push_str(&format!("{joint}{part}")),
            }
        }
        let said: Vec<String> = text::words(&rest);
        let is_left = said.iter().any(|word| !is_courtesy(word));
        kept.extend(is_left.then(|| rest.trim_end_matches([',', ';', ' ']).to_owned()));
    }
    match limits.is_empty() {
        true => (words.to_owned(), limits),
        false => (kept.join("\n"), limits),
    }
}

/// “Forget never touch b.txt”, “you may touch b.txt again”: what must hold no longer, as the command that forgets it.
pub(crate) fn lifted(words: &str) -> Option<String> {
    let words = words.trim_end_matches(['.', '!']);
    if let Some(limit) = after_any(words, &LIFTING).and_then(Limit::read) {
        return Some(format!("/facts forget constraint {}", limit.said));
    }
    let allowed = after_any(words, &ALLOWING)?.strip_suffix(" again")?;
    Limit::read(&format!("never {allowed}")).map(|_| format!("/facts forget constraint {allowed}"))
}

/// The parts of a line, each with what joins it to the one before, and the limit that it is. What only names more of
/// what is forbidden is of the limit before it.
fn parts(line: &str) -> Vec<(&str, &str, Option<Limit>)> {
    let mut parts: Vec<(&str, &str, Option<Limit>)> = Vec::new();
    let mut begin = 0;
    for (joint, from, to) in cut(line) {
        let part = &line[from..to];
        if let Some((before, whole, limit)) = parts.last_mut().filter(|(.., limit)| limit.is_some())
            && only_names(part)
        {
            let more = &line[begin..to];
            (*before, *whole, *limit) = (*before, more, Limit::of_part(more));
            continue;
        }
        begin = from;
        parts.push((joint, part, Limit::of_part(part)));
    }
    parts
}

/// The places where a line is cut: what joins a part to the one before, where it begins and where it ends.
fn cut(line: &str) -> Vec<(&str, usize, usize)> {
    let lower = line.to_ascii_lowercase();
    let (mut cuts, mut begin, mut joint) = (Vec::new(), 0, "");
    for at in outside_places(line) {
        let found = JOINTS.iter().find(|(joint, _)| at >= begin && lower[at..].starts_with(joint));
        if let Some((_, own)) = found {
            cuts.push((joint, begin, at));
            (joint, begin) = (&line[at..at + own], at + own);
        }
    }
    cuts.push((joint, begin, line.len()));
    cuts
}

/// Whether a part says nothing but names, which belong to what was said before.
fn only_names(part: &str) -> bool {
    let words = words_of(&plain(part));
    let is_around = |word: &String| ["or", "and", "nor"].contains(&word.to_ascii_lowercase().as_str());
    let goes_on = words.first().is_some_and(is_around) && words.iter().any(|word| verb_of(word).is_some());
    let named = named(&words).len();
    goes_on || (named > 0 && words.iter().filter(|word| !is_around(word)).count() == named)
}

/// Without what leads to it, and without the mark that ends it.
fn plain(part: &str) -> String {
    without_courtesies(part.trim().trim_end_matches(['.', '!', ';', ',']), &["but"]).to_owned()
}

/// A path without what changes nothing of where it leads.
pub(super) fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let lead = if path.starts_with('/') { "/" } else { "" };
    format!("{lead}{}", parts.join("/"))
}

/// The host of an address, and its port where it names one, as a browser reads it.
fn host_of(name: &str) -> String {
    let whole = if name.contains("://") { name.to_owned() } else { format!("http://{name}") };
    let Ok(url) = reqwest::Url::parse(&whole) else { return name.to_ascii_lowercase() };
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
    url.port().map_or_else(|| host.clone(), |port| format!("{host}:{port}"))
}

/// What stands between two parts, and how much of that is of neither.
const JOINTS: [(&str, usize); 8] = [
    (", ", 2),
    ("; ", 2),
    (". ", 2),
    (" but ", 5),
    (" and never ", 5),
    (" and don't ", 5),
    (" and do not ", 5),
    (" without ", 1),
];
/// What ends that something has to hold.
const LIFTING: [&str; 6] = ["forget that ", "forget ", "drop ", "lift ", "take back that ", "take back "];
const ALLOWING: [&str; 3] = ["you may ", "you can ", "you are allowed to "];
