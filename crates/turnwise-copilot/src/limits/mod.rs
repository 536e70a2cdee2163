//! What a plan has to keep to, in a person's words: “never touch b.txt”, “don't run sudo”, “stay offline”. Where it
//! names a file, a host or a command, a step that would break it is refused; everything else is shown as not checked.
//! Next: `forbidding`, which reads such words, and `broken`, which holds steps against them.

mod broken;
mod forbidding;
mod forbids;
mod reach;
mod shell;
#[cfg(test)]
mod tests;
mod words;

use turnwise_core::{FactKind, Task, text};

pub(crate) use broken::{Doing, broken, broken_at};
use forbidding::{Forbidden, forbidden};
use words::{named, verb_of, words_of};

use crate::orders::{orders, orders_behind, outside_places};
use crate::said::{self, after_any, is_courtesy, without_courtesies};

/// Something that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// As it was said.
    pub said: String,
    /// What can be checked of it; nothing where that takes understanding.
    pub rules: Vec<Rule>,
    /// Whether that is all it says.
    pub is_whole: bool,
}

/// What must not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// This file, or what is in this folder, is not written, except for `but`; nor read, where that was said, too.
    File { name: String, may_be_read: bool, but: Vec<String> },
    /// Nothing but these is written; nor read, where that was said, too.
    Within { names: Vec<String>, may_be_read: bool },
    /// Nothing but these is deleted.
    Delete { but: Vec<String> },
    /// Nothing is fetched from there.
    Host(String),
    /// Nothing is fetched from anywhere else.
    Hosts(Vec<String>),
    /// This is not run.
    Command(String),
    /// Nothing but these is run.
    Commands(Vec<String>),
    /// Nothing is fetched at all.
    Network,
}

impl Rule {
    /// Whether it forbids all of something, with what it leaves free.
    fn is_of_all(&self) -> bool {
        match self {
            Self::Within { .. } | Self::Delete { .. } | Self::Hosts(_) | Self::Commands(_) | Self::Network => true,
            Self::File { .. } | Self::Host(_) | Self::Command(_) => false,
        }
    }

    /// Whether it is about `word`.
    fn names(&self, word: &str) -> bool {
        let is_it = |name: &String| name.eq_ignore_ascii_case(word);
        match self {
            Self::File { name, but, .. } => is_it(name) || but.iter().any(is_it),
            Self::Host(name) | Self::Command(name) => is_it(name),
            Self::Within { names, .. } | Self::Delete { but: names } | Self::Hosts(names) | Self::Commands(names) => {
                names.iter().any(is_it)
            }
            Self::Network => false,
        }
    }

    /// What was looked at in a plan that keeps to it.
    fn told(&self) -> String {
        let but = |does: &str, names: &[String]| match names {
            [] => format!("no step {does}"),
            names => format!("no step {does} but {}", text::listed(names)),
        };
        match self {
            Self::File { name, but: free, .. } if free.is_empty() => format!("no step names {name}"),
            Self::File { name, but: free, .. } => but(&format!("names {name}"), free),
            Self::Within { names, may_be_read: true } => but("writes anything", names),
            Self::Within { names, .. } => but("touches anything", names),
            Self::Delete { but: free } => but("deletes anything", free),
            Self::Host(host) => format!("no step names {host}"),
            Self::Hosts(names) => but("fetches anything", names),
            Self::Command(command) => format!("no step runs {command}"),
            Self::Commands(names) => but("runs anything", names),
            Self::Network => "no step fetches anything".to_owned(),
        }
    }
}

impl Limit {
    /// The limit that `words` are, all of them; none where they order something, or forbid nothing.
    pub fn read(words: &str) -> Option<Self> {
        let (rest, limits) = apart(words);
        (rest.is_empty() && !limits.is_empty()).then(|| Self::all_of(&plain(words), limits))
    }

    /// The same of words that are known to say what must hold.
    pub fn of(words: &str) -> Self {
        let (rest, limits) = apart(words);
        let limit = Self::all_of(words, limits);
        Self { is_whole: limit.is_whole && (rest.is_empty() || limit.rules.is_empty()), ..limit }
    }

    fn all_of(words: &str, limits: Vec<Self>) -> Self {
        let is_whole = !limits.is_empty() && limits.iter().all(|limit| limit.is_whole);
        let rules = limits.into_iter().flat_map(|limit| limit.rules).collect();
        Self { said: words.trim().to_owned(), rules, is_whole }
    }

    /// The limit that a part of what was said is.
    fn of_part(part: &str) -> Option<Self> {
        let said = plain(part);
        if said.contains('?') || after_any(&said, &LIFTING).is_some() || is_ordered(&said) {
            return None;
        }
        let Forbidden { rules, is_whole } = forbidden(&said)?;
        Some(Self { said, rules, is_whole })
    }

    /// What is said when it is taken up.
    pub fn taken(&self) -> &'static str {
        match (self.rules.is_empty(), self.is_whole) {
            (true, _) => "It is kept in mind, and that is not checked: look for it in each plan.",
            (false, true) => "A step that would break it is refused.",
            (false, false) => "What is named there is refused; whether that is all it says is not checked.",
        }
    }

    /// What is said of it on a plan that keeps to it.
    pub fn told(&self, steps: &[Doing]) -> String {
        let mut checked: Vec<String> = self.rules.iter().map(Rule::told).collect();
        checked.dedup();
        let unsure = steps.iter().enumerate().filter(|(_, step)| broken::is_unsure(step));
        let unsure: Vec<String> = unsure.map(|(at, _)| format!("step {}", at + 1)).collect();
        match (checked.is_empty(), unsure.is_empty()) {
            (true, _) => format!("“{}” is for you to look at; that is not checked", self.said),
            (_, true) if self.is_whole => format!("“{}” holds: {}", self.said, text::listed(&checked)),
            (_, true) => {
                format!("“{}”: {}; what else it says is not checked", self.said, text::listed(&checked))
            }
            (_, false) => format!(
                "“{}”: {}; what {} may do beyond what is named there is not known, and that is not checked",
                self.said,
                text::listed(&checked),
                text::listed(&unsure)
            ),
        }
    }
}

/// Whether a line of a plan is one that [`Limit::told`] gave.
pub(crate) fn is_told(line: &str) -> bool {
    line.starts_with('“') && (line.contains("” holds: no step ") || line.ends_with("not checked"))
}

/// Whether words order a step, also with “only” before them.
fn is_ordered(said: &str) -> bool {
    orders_behind(said, 1).is_some() || after_any(said, &["only "]).is_some_and(|rest| orders_behind(rest, 1).is_some())
}

/// What the plan of a task has to keep to: what is held as such. What is said with a task and its changes is held from
/// that message on; what is held no more was lifted.
pub(crate) fn of_task(task: &Task) -> Vec<Limit> {
    let held = said::held(task).filter(|(kind, _)| *kind == FactKind::Constraint);
    held.map(|(_, said)| Limit::of(said)).collect()
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
/// what is forbidden, or leaves some of it out, is of the limit before it.
fn parts(line: &str) -> Vec<(&str, &str, Option<Limit>)> {
    let mut parts: Vec<(&str, &str, Option<Limit>)> = Vec::new();
    let mut begin = 0;
    for (joint, from, to) in cut(line) {
        let part = &line[from..to];
        if let Some((before, whole, limit)) = parts.last_mut().filter(|(.., limit)| limit.is_some())
            && (only_names(part) || leaves_out(part))
        {
            let more = &line[begin..to];
            (*before, *whole, *limit) = (*before, more, Limit::of_part(more).or(limit.take()));
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
    let ordered = ordered_behind(line);
    for at in outside_places(line) {
        let found = JOINTS.iter().find(|(joint, _)| at >= begin && lower[at..].starts_with(joint));
        let found =
            found.filter(|(joint, own)| *joint != " but " || !is_exception(&lower[begin..at], &line[at + own..]));
        let own = found.map(|(_, own)| *own).or((at >= begin && ordered == Some(at)).then_some(1));
        if let Some(own) = own {
            cuts.push((joint, begin, at));
            (joint, begin) = (&line[at..at + own], at + own);
        }
    }
    cuts.push((joint, begin, line.len()));
    cuts
}

/// Whether a “but” behind `before` leaves something out of all that was spoken of, as “anything but a.txt” does.
fn is_exception(before: &str, behind: &str) -> bool {
    let said = text::words(before);
    let is_of_all = said.iter().any(|word| ALL_OF.contains(&word.as_str()));
    is_of_all && Limit::of_part(behind).is_none() && !is_ordered(behind.trim())
}

/// Where the order begins that stands behind “without clearing the logs”, with nothing between them.
fn ordered_behind(line: &str) -> Option<usize> {
    after_any(&plain(line), &["without "])?;
    let blanks = outside_places(line).into_iter().filter(|at| line[*at..].starts_with(' '));
    blanks.filter(|at| *at > 0).find(|at| orders(line[at + 1..].trim_end_matches('.')).is_some())
}

/// Whether a part goes on with what is left out of what was forbidden.
fn leaves_out(part: &str) -> bool {
    let leads =
        ["except ", "except for ", "other than ", "apart from ", "aside from ", "besides ", "excluding ", "save for "];
    after_any(part.trim_start(), &leads).is_some()
}

/// Whether a part says nothing but names, which belong to what was said before.
fn only_names(part: &str) -> bool {
    let words = words_of(&plain(part));
    let is_around = |word: &String| ["or", "and", "nor"].contains(&word.to_ascii_lowercase().as_str());
    let goes_on = words.first().is_some_and(is_around)
        && words.iter().any(|word| verb_of(word).is_some())
        && !is_ordered(&plain(part));
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
/// What stands for all there is, before “but”.
const ALL_OF: [&str; 9] = ["anything", "nothing", "any", "no", "all", "everything", "nobody", "anywhere", "only"];
/// What ends that something has to hold.
const LIFTING: [&str; 6] = ["forget that ", "forget ", "drop ", "lift ", "take back that ", "take back "];
const ALLOWING: [&str; 3] = ["you may ", "you can ", "you are allowed to "];
