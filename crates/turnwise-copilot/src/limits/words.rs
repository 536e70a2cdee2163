//! Words of sentences that forbid: what is done, what is named, and what says no more than that. They stand together,
//! because a word that is in none of these lists keeps a sentence from being said to hold. Next: `forbidding`.

use super::Rule;
use crate::said::quoted;

/// “Files that end in .md” are all of them, and “.env” alone is a file.
pub(super) fn is_ending(name: &str, words: &[String]) -> bool {
    let is_one = name.starts_with('.') && name.len() > 1 && name[1..].chars().all(char::is_alphanumeric);
    is_one && words.iter().any(|word| ENDINGS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Whether a word beside a name says no more than that.
pub(super) fn is_around(word: &str) -> bool {
    let word = word.trim_matches(['.', ',', ';', ':', '!']);
    word.is_empty()
        || [&ANYTHING[..], &ANYTHING_OF, &FORBIDDING, &AROUND_NAMES, &ENDINGS].iter().any(|some| some.contains(&word))
}

pub(super) fn bare(word: &str) -> String {
    match quoted(word) {
        Some((inside, _)) => inside.to_owned(),
        None => word.trim_end_matches(['.', ',', ';', ':', '!']).to_owned(),
    }
}

/// Names without a point: right behind the verb, or behind a word that says what they are, and with nothing but another
/// such name behind them.
pub(super) fn bare_names(words: &[String]) -> Vec<String> {
    let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
    let is_name = |word: &str| {
        let bare = word.trim_end_matches(['.', ',', ';', '!']);
        let is_word = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        let is_plain = !bare.is_empty() && bare.chars().all(is_word) && !POINTERS.contains(&bare);
        is_plain && !is_around(bare) && !NETWORK.contains(&bare)
    };
    let leads = |word: &str| ["or", "and", "nor", "in", "folder", "directory", "file", "outside"].contains(&word);
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
pub(super) fn forms(verb: &str) -> [String; 4] {
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let irregular = match verb {
        "write" => "written",
        "overwrite" => "overwritten",
        "run" => "running",
        _ => "",
    };
    [format!("{stem}ed"), format!("{stem}ing"), format!("{verb}s"), irregular.to_owned()]
}

/// Names of files and hosts: what has a point or a slash in it, or stands in quotes.
pub(super) fn named(words: &[String]) -> Vec<String> {
    let name = |word: &String| (quoted(word).is_some() || has_sign(word)).then(|| bare(word));
    words.iter().filter_map(name).filter(|name| !name.is_empty()).collect()
}

pub(super) fn has_sign(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ',', ';', ':', '!']);
    bare.len() > 1 && bare.trim_matches('/').contains(['.', '/', '*']) || bare.ends_with('/')
}

/// Programs: what stands behind “run”, one or several.
pub(super) fn commands(words: &[String]) -> Vec<Rule> {
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

pub(super) fn is_like_program(name: &str) -> bool {
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
pub(super) const POINTERS: [&str; 12] =
    ["it", "that", "this", "them", "these", "those", "me", "us", "so", "again", "yet", "now"];
/// All there is of something.
pub(super) const ANYTHING: [&str; 16] = [
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
/// What says that all of something is meant.
pub(super) const ANYTHING_OF: [&str; 12] = [
    "anything",
    "any",
    "all",
    "everything",
    "nothing",
    "file",
    "files",
    "folder",
    "folders",
    "anywhere",
    "something",
    "no",
];
/// Words beside names that add nothing.
pub(super) const AROUND_NAMES: [&str; 78] = [
    "keep",
    "leave",
    "as",
    "alone",
    "unchanged",
    "untouched",
    "intact",
    "stays",
    "stay",
    "remain",
    "remains",
    "hands",
    "off",
    "away",
    "let",
    "but",
    "nobody",
    "make",
    "sure",
    "see",
    "an",
    "our",
    "your",
    "its",
    "in",
    "at",
    "on",
    "into",
    "onto",
    "with",
    "inside",
    "within",
    "under",
    "for",
    "directory",
    "directories",
    "named",
    "called",
    "ever",
    "please",
    "by",
    "program",
    "programs",
    "command",
    "commands",
    "or",
    "and",
    "either",
    "content",
    "contents",
    "also",
    "must",
    "may",
    "should",
    "shall",
    "can",
    "will",
    "is",
    "are",
    "be",
    "been",
    "being",
    "that",
    "you",
    "we",
    "us",
    "they",
    "one",
    "it",
    "have",
    "has",
    "do",
    "does",
    "else",
    "only",
    "to",
    "which",
    "some",
];
/// What says that a name is the end of others.
pub(super) const ENDINGS: [&str; 9] =
    ["end", "ends", "ending", "extension", "extensions", "suffix", "files", "file", "type"];
/// What leaves something out of what is forbidden.
pub(super) const EXCEPTING: [&str; 22] = [
    "outside of",
    "outside",
    "except for",
    "except in",
    "except",
    "excepting",
    "excluding",
    "besides",
    "save for",
    "other than",
    "apart from",
    "aside from",
    "but for",
    "but in",
    "but",
    "elsewhere than",
    "anywhere but",
    "beyond",
    "rather than",
    "bar",
    "not counting",
    "with the exception of",
];
/// What makes it hold at times alone.
pub(super) const CONDITIONS: [&str; 12] =
    ["unless", "if", "when", "whenever", "until", "till", "before", "after", "while", "once", "because", "since"];
/// What counts or measures is no name.
pub(super) const LESS: [&str; 8] =
    ["more than", "less than", "fewer than", "at most", "at least", "longer than", "larger than", "bigger than"];
pub(super) const NETWORK: [&str; 8] = ["network", "internet", "web", "online", "net", "wifi", "wi-fi", "networks"];
/// Verbs by which a file is reached as well as a host.
pub(super) const OPENING: [&str; 8] =
    ["access", "load", "reach", "visit", "accessed", "loaded", "reached", "accessing"];
/// More words than these say more than that nothing goes online.
pub(super) const OFFLINE_WORDS_MAX: usize = 5;
pub(super) const DELETING: [&str; 8] = ["delete", "remove", "erase", "wipe", "clear", "purge", "trash", "destroy"];
/// Programs that delete.
pub(super) const DELETERS: [&str; 4] = ["rm", "rmdir", "unlink", "shred"];
pub(super) const FORBIDDING: [&str; 23] = [
    "mustn’t",
    "can’t",
    "shouldn’t",
    "forbidden",
    "prohibited",
    "refrain",
    "none",
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
pub(super) const LEAVING: [&str; 14] = [
    "as it is",
    "as they are",
    "as is",
    "intact",
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
pub(super) const OFFLINE: [&str; 8] = [
    "stay offline",
    "no network",
    "without network",
    "no internet",
    "without the internet",
    "not go online",
    "don't go online",
    "without internet",
];
pub(super) const WRITING: [&str; 24] = [
    "wipe",
    "clear",
    "purge",
    "trash",
    "destroy",
    "append",
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
pub(super) const TOUCHING: [&str; 6] = ["touch", "read", "open", "print", "show", "copy"];
pub(super) const FETCHING: [&str; 9] =
    ["fetch", "download", "contact", "access", "reach", "visit", "connect", "load", "talk"];
pub(super) const RUNNING: [&str; 6] = ["run", "execute", "use", "start", "invoke", "call"];
/// Words around the name of a program.
pub(super) const AROUND: [&str; 14] =
    ["the", "any", "a", "an", "command", "commands", "program", "or", "and", "ever", "to", "with", "it", "anything"];
/// Behind these stands no program any more.
pub(super) const AROUND_MORE: [&str; 8] = ["in", "on", "before", "until", "for", "unless", "if", "when"];
/// Programs that are meant wherever they are not there.
pub(super) const KNOWN: [&str; 8] = ["rm", "sudo", "curl", "wget", "git", "docker", "ssh", "python"];
