//! What words forbid: a word that forbids, what is not to be done, and what stands behind that by name. One sentence
//! may forbid several things, and each of them has to be held. Next: `broken`.

use super::{Rule, host_of, plain_path};
use crate::orders::is_address;
use crate::said::quoted;

/// Whether words plainly forbid something, though nothing that has a name.
pub(super) fn forbids_unnamed(said: &str) -> bool {
    let words: Vec<String> = words_of(said).iter().map(|word| word.to_ascii_lowercase()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (is_only, verb, rest) = match words.as_slice() {
        ["never" | "don't" | "dont" | "don’t", verb, rest @ ..] | ["do", "not", verb, rest @ ..] => {
            (false, *verb, rest)
        }
        ["only", verb, rest @ ..] => (true, *verb, rest),
        _ => return false,
    };
    let is_meant = match verb_of(verb) {
        Some(Verb::Write) => true,
        Some(Verb::Touch) => verb == "touch" || !is_only,
        Some(Verb::Fetch) => !is_only,
        Some(Verb::Run) | None => false,
    };
    is_meant && rest.iter().any(|word| !POINTERS.contains(word) && !ANYTHING.contains(word))
}

pub(super) fn rules(said: &str) -> Vec<Rule> {
    let words = words_of(said);
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let joined = lower.join(" ");
    if OFFLINE.iter().any(|phrase| joined.contains(phrase)) {
        return vec![Rule::Network];
    }
    let leaves = LEAVING.iter().any(|phrase| joined.contains(phrase));
    // What is forbidden stands behind what forbids it.
    let forbids = lower.iter().position(|word| FORBIDDING.contains(&word.as_str()));
    let Some(from) = forbids.or(leaves.then_some(0)) else { return Vec::new() };
    let mut verbs: Vec<(usize, Verb)> = Vec::new();
    for (at, word) in lower.iter().enumerate().skip(from).filter(|(_, word)| quoted(word).is_none()) {
        // What stands right behind “run” is a program, whatever else it means.
        let is_program = |(verb_at, verb): &(usize, Verb)| *verb == Verb::Run && verb_at + 1 == at;
        if let Some(verb) = verb_of(word).filter(|_| !verbs.last().is_some_and(is_program) || !is_like_program(word)) {
            verbs.push((at, verb));
        }
    }
    if verbs.is_empty() {
        return if leaves { files(&words, true) } else { Vec::new() };
    }
    let ends = verbs.iter().skip(1).map(|(at, _)| *at).chain([words.len()]);
    let mut all = Vec::new();
    for (nth, ((at, verb), end)) in verbs.iter().zip(ends).enumerate() {
        // “b.txt must not be changed” names it before.
        let before = if nth == 0 { &words[..*at] } else { &[] };
        all.extend(forbidden(*verb, &lower[*at], before, &words[at + 1..end]));
    }
    all
}

/// What one verb forbids of what is named before and behind it.
fn forbidden(verb: Verb, said: &str, before: &[String], behind: &[String]) -> Vec<Rule> {
    let both: Vec<String> = before.iter().chain(behind).cloned().collect();
    match verb {
        Verb::Run => commands(behind),
        Verb::Fetch => named(&both).into_iter().map(|name| Rule::Host(host_of(&name))).collect(),
        Verb::Write | Verb::Touch => {
            let mut rules = files(&both, verb == Verb::Write);
            let bare = bare_names(behind).into_iter();
            rules.extend(bare.map(|name| Rule::File { name, may_be_read: verb == Verb::Write }));
            let is_any = |word: &String| ANYTHING.contains(&word.to_ascii_lowercase().as_str());
            let deletes = DELETING.iter().any(|verb| *verb == said || forms(verb).iter().any(|form| form == said));
            if rules.is_empty() && deletes && !behind.is_empty() && behind.iter().all(is_any) {
                rules.extend(DELETERS.iter().map(|name| Rule::Command((*name).to_owned())));
            }
            rules
        }
    }
}

/// Names without a point: right behind the verb, or behind a word that says what they are, and with nothing but another
/// such name behind them.
fn bare_names(words: &[String]) -> Vec<String> {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let is_name = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ';', '!']);
        let is_word = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        !bare.is_empty() && bare.chars().all(is_word) && !ANYTHING.contains(&bare) && !POINTERS.contains(&bare)
    };
    let leads = |word: &str| ["or", "and", "nor", "in", "folder", "directory", "file"].contains(&word);
    let mut found = Vec::new();
    for (at, _) in lower.iter().enumerate().filter(|(_, word)| is_name(word) && !leads(word)) {
        let is_led = at == 0 || leads(&lower[at - 1]);
        let ends = lower.get(at + 1).is_none_or(|next| ["or", "and", "nor"].contains(&next.as_str()));
        if is_led && ends {
            found.push(words[at].trim_end_matches(['.', ',', ';', '!']).to_owned());
        }
    }
    found
}

/// What is forbidden to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Write,
    Touch,
    Fetch,
    Run,
}

pub(super) fn verb_of(word: &str) -> Option<Verb> {
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
pub(super) fn named(words: &[String]) -> Vec<String> {
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
pub(super) fn words_of(said: &str) -> Vec<String> {
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

/// What is meant by what was said before.
const POINTERS: [&str; 12] = ["it", "that", "this", "them", "these", "those", "me", "us", "so", "again", "yet", "now"];
/// All there is of something.
const ANYTHING: [&str; 16] = [
    "anything",
    "any",
    "a",
    "the",
    "all",
    "file",
    "files",
    "folder",
    "folders",
    "everything",
    "here",
    "nothing",
    "of",
    "my",
    "from",
    "to",
];
const DELETING: [&str; 3] = ["delete", "remove", "erase"];
/// Programs that delete.
const DELETERS: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];
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
