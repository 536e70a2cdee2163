//! What a plan has to keep to, in a person's words: “never touch b.txt”, “don't run sudo”, “stay offline”. Where it
//! names a file, a host or a command, a step that would break it is refused; everything else is shown as not checked.
//! Next: `broken`, which holds steps against them.

mod broken;

use turnwise_core::{FactKind, FactValue, SourceKind, Task, text};

pub(crate) use broken::broken;

use crate::orders::{is_address, orders_behind, outside_quotes};
use crate::said::quoted;

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
    /// The limit that `words` are; none where they forbid nothing that could be checked.
    pub fn read(words: &str) -> Option<Self> {
        let said = words.trim().trim_end_matches(['.', '!', ';', ',']).to_owned();
        let rules = rules(&said);
        (!rules.is_empty() && orders_behind(&said, 1).is_none()).then_some(Self { said, rules })
    }

    /// The same of words that are known to say what must hold.
    fn of(words: &str) -> Self {
        Self { said: words.trim().to_owned(), rules: rules(words) }
    }

    /// What is said of it on a plan that keeps to it.
    pub fn told(&self) -> String {
        let named = |rule: &Rule| match rule {
            Rule::File { name, .. } => format!("no step names {name}"),
            Rule::Host(host) => format!("no step names {host}"),
            Rule::Command(command) => format!("no step runs {command}"),
            Rule::Network => "no step fetches anything".to_owned(),
        };
        let checked: Vec<String> = self.rules.iter().map(named).collect();
        match checked.is_empty() {
            true => format!("“{}” holds; that is not checked", self.said),
            false => format!("“{}” holds: {}", self.said, text::listed(&checked)),
        }
    }
}

/// What the plan of a task has to keep to: what is held as such, and what was said with the task and its changes.
pub(crate) fn of_task(task: &Task) -> Vec<Limit> {
    let held = task.facts.iter().filter(|fact| fact.kind() == FactKind::Constraint);
    let held = held.filter(|fact| fact.body.source == SourceKind::Person);
    let mut all: Vec<Limit> = held
        .filter_map(|fact| match &fact.body.value {
            FactValue::Text(said) => Some(Limit::of(said)),
            FactValue::Table(_) => None,
        })
        .collect();
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
    let mut limits = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for line in words.split('\n') {
        let mut rest = line.to_owned();
        for part in cut(line) {
            if let Some(limit) = Limit::read(&part) {
                rest = without(&rest, &part);
                limits.push(limit);
            }
        }
        kept.extend((!rest.trim().is_empty()).then_some(rest));
    }
    match limits.is_empty() {
        true => (words.to_owned(), limits),
        false => (kept.join("\n"), limits),
    }
}

/// A line without one of its parts, and without what joined that to the rest.
fn without(line: &str, part: &str) -> String {
    let Some((before, behind)) = line.split_once(part) else { return line.to_owned() };
    let behind = behind.trim_start_matches([',', ';', '.', ' ']);
    let mut before = before.trim_end_matches([',', ';', '.', ' ']);
    while let Some(shorter) = [" but", " and", ","].iter().find_map(|joint| before.strip_suffix(joint)) {
        before = shorter.trim_end();
    }
    match (before.is_empty(), behind.is_empty()) {
        (true, _) => behind.to_owned(),
        (_, true) => before.to_owned(),
        _ => format!("{before}, {behind}"),
    }
}

fn cut(line: &str) -> Vec<String> {
    let mut parts = vec![line.to_owned()];
    for joint in [", ", "; ", ". ", " but ", " and never ", " and don't ", " and do not ", " without "] {
        let lead = joint.trim_start_matches(" and ").trim_start_matches(" but ").trim_start_matches([',', ';', '.']);
        let cut = |part: &String| {
            let all = outside_quotes(part, joint);
            let put_back = |(at, one): (usize, String)| match (at, lead.trim().is_empty()) {
                (0, _) | (_, true) => one.trim().to_owned(),
                // What was cut within keeps the word that forbids.
                (_, false) if one.starts_with(lead.trim()) => one,
                (_, false) => format!("{} {}", lead.trim(), one.trim()),
            };
            all.into_iter().enumerate().map(put_back).collect::<Vec<String>>()
        };
        // A part that forbids by itself keeps its own commas: “never touch a.txt, b.txt”.
        parts = parts.iter().flat_map(cut).collect();
    }
    parts.into_iter().map(|part| strip_joint(&part)).filter(|part| !part.is_empty()).collect()
}

fn strip_joint(part: &str) -> String {
    let part = part.trim();
    ["but ", "and "].iter().find_map(|joint| part.strip_prefix(joint)).unwrap_or(part).to_owned()
}

fn rules(said: &str) -> Vec<Rule> {
    let words = words_of(said);
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let joined = lower.join(" ");
    if said.contains('?') {
        return Vec::new();
    }
    if OFFLINE.iter().any(|phrase| joined.contains(phrase)) {
        return vec![Rule::Network];
    }
    let leaves = LEAVING.iter().any(|phrase| joined.contains(phrase));
    // What is forbidden stands behind what forbids it.
    let forbids = lower.iter().position(|word| FORBIDDING.contains(&word.as_str()));
    let Some(from) = forbids.or(leaves.then_some(0)) else { return Vec::new() };
    let behind = lower.iter().enumerate().skip(from).filter(|(_, word)| quoted(word).is_none());
    let verb = behind.into_iter().find_map(|(at, word)| Some((at, verb_of(word)?)));
    match verb {
        Some((at, Verb::Run)) => commands(&words[at + 1..]),
        Some((_, Verb::Fetch)) => named(&words).into_iter().map(|name| Rule::Host(host_of(&name))).collect(),
        Some((_, Verb::Write)) => files(&words, true),
        Some((_, Verb::Touch)) => files(&words, false),
        None if leaves => files(&words, true),
        None => Vec::new(),
    }
}

/// What is forbidden to be done.
#[derive(Clone, Copy)]
enum Verb {
    Write,
    Touch,
    Fetch,
    Run,
}

fn verb_of(word: &str) -> Option<Verb> {
    let is_of = |verbs: &[&str]| verbs.iter().any(|verb| *verb == word || forms(verb).iter().any(|form| form == word));
    if is_of(&WRITING) {
        Some(Verb::Write)
    } else if is_of(&TOUCHING) {
        Some(Verb::Touch)
    } else if is_of(&FETCHING) {
        Some(Verb::Fetch)
    } else if is_of(&RUNNING) {
        Some(Verb::Run)
    } else {
        None
    }
}

/// “touch”: “touched”, “touching”; “delete”: “deleted”, “deleting”.
fn forms(verb: &str) -> [String; 4] {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let irregular = match verb {
        "write" => "written",
        "overwrite" => "overwritten",
        "run" => "running",
        _ => "",
    };
    [format!("{stem}ed"), format!("{stem}ing"), format!("{verb}s"), irregular.to_owned()]
}

fn files(words: &[String], may_be_read: bool) -> Vec<Rule> {
    let rule = |name: String| match is_address(&name) {
        true => Rule::Host(host_of(&name)),
        false => Rule::File { name: plain_path(&name), may_be_read },
    };
    named(words).into_iter().map(rule).collect()
}

/// Names of files and hosts: what has a point or a slash in it, or stands in quotes.
fn named(words: &[String]) -> Vec<String> {
    let name = |word: &String| match quoted(word) {
        Some((inside, _)) => Some(inside.to_owned()),
        None => {
            let bare = word.trim_end_matches(['.', ',', ';', ':', '!']);
            let has_sign = bare.len() > 1 && bare.trim_matches('/').contains(['.', '/']) || bare.ends_with('/');
            has_sign.then(|| bare.to_owned())
        }
    };
    words.iter().filter_map(name).filter(|name| !name.is_empty()).collect()
}

/// Programs: what stands behind “run”, one or several.
fn commands(words: &[String]) -> Vec<Rule> {
    let rule = |word: &String| {
        let bare = quoted(word).map_or(word.as_str(), |(inside, _)| inside);
        let bare = bare.trim_end_matches(['.', ',', ';', '!']);
        (!bare.is_empty() && !AROUND.contains(&bare.to_ascii_lowercase().as_str()))
            .then(|| Rule::Command(bare.to_owned()))
    };
    let is_it = |word: &&String| AROUND_MORE.contains(&word.to_ascii_lowercase().as_str());
    let mut found: Vec<Rule> = words.iter().take_while(|word| !is_it(word)).filter_map(rule).collect();
    // “Don't run it before Monday” names no program.
    found.retain(|rule| matches!(rule, Rule::Command(name) if name.contains(' ') || is_like_program(name)));
    found
}

fn is_like_program(name: &str) -> bool {
    crate::orders::is_program(name) || KNOWN.contains(&name) || name.contains(['/', '.'])
}

/// Words, where what stands in quotes is one.
fn words_of(said: &str) -> Vec<String> {
    let (mut all, mut rest) = (Vec::new(), said.trim());
    while let Some(letter) = rest.chars().next() {
        let end = match quoted(rest) {
            Some((inside, _)) => {
                let open = letter.len_utf8() + inside.len();
                open + rest[open..].chars().next().map_or(0, char::len_utf8)
            }
            None => rest.find(char::is_whitespace).unwrap_or(rest.len()),
        };
        all.push(rest[..end].trim_end_matches([',', ';']).to_owned());
        rest = rest[end..].trim_start_matches([',', ';', '.']).trim_start();
    }
    all
}

/// A path without what changes nothing of where it leads.
pub(super) fn plain_path(path: &str) -> String {
    path.trim_start_matches("./").trim_end_matches('/').to_owned()
}

fn host_of(name: &str) -> String {
    let behind = name.split_once("://").map_or(name, |(_, behind)| behind);
    behind.split(['/', '?', '#']).next().unwrap_or(behind).to_ascii_lowercase()
}

const FORBIDDING: [&str; 16] = [
    "never",
    "not",
    "don't",
    "dont",
    "don’t",
    "no",
    "without",
    "avoid",
    "nothing",
    "nobody",
    "mustn't",
    "can't",
    "cannot",
    "shouldn't",
    "nor",
    "neither",
];
const LEAVING: [&str; 10] = [
    "leave",
    "hands off",
    "keep away from",
    "stay away from",
    "stays as it is",
    "stay as they are",
    "unchanged",
    "untouched",
    "is off limits",
    "keep your hands off",
];
const OFFLINE: [&str; 8] = [
    "stay offline",
    "no network",
    "without network",
    "no internet",
    "without the internet",
    "not go online",
    "don't go online",
    "without internet",
];
const WRITING: [&str; 18] = [
    "change",
    "modify",
    "edit",
    "write",
    "overwrite",
    "delete",
    "remove",
    "alter",
    "replace",
    "rename",
    "move",
    "update",
    "truncate",
    "erase",
    "create",
    "save",
    "store",
    "clobber",
];
const TOUCHING: [&str; 6] = ["touch", "read", "open", "print", "show", "copy"];
const FETCHING: [&str; 9] = ["fetch", "download", "contact", "access", "reach", "visit", "connect", "load", "talk"];
const RUNNING: [&str; 6] = ["run", "execute", "use", "start", "invoke", "call"];
/// Words around the name of a program.
const AROUND: [&str; 14] =
    ["the", "any", "a", "an", "command", "commands", "program", "or", "and", "ever", "to", "with", "it", "anything"];
/// Behind these stands no program any more.
const AROUND_MORE: [&str; 8] = ["in", "on", "before", "until", "for", "unless", "if", "when"];
/// Programs that are meant wherever they are not there.
const KNOWN: [&str; 8] = ["rm", "sudo", "curl", "wget", "git", "docker", "ssh", "python"];
