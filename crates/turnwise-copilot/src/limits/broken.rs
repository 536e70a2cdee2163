//! Steps held against what must hold. What a command or a program does is not known beyond what it names: naming what
//! must not be touched is enough to refuse it. Next: `mod`.

use serde_json::Value;

use super::{Limit, Rule, plain_path};
use crate::planned::Wanted;
use crate::tool::{FETCH, Given, LIST, PYTHON, READ, RUN, UNDO, WRITE};

/// The first step that breaks one of `limits`, told as a sentence.
pub(crate) fn broken<'a>(limits: &[Limit], steps: impl Iterator<Item = &'a Wanted>) -> Option<String> {
    for (at, step) in steps.enumerate() {
        for limit in limits {
            if let Some(does) = limit.rules.iter().find_map(|rule| breaks(rule, step)) {
                return Some(format!(
                    "Step {} {does}, and “{}” has to hold. Say what it should do instead, or take that back first.",
                    at + 1,
                    limit.said
                ));
            }
        }
    }
    None
}

/// What a step would do against a rule.
fn breaks(rule: &Rule, step: &Wanted) -> Option<String> {
    let text = |name: &str| match step.givens.get(name) {
        Some(Given::Value(Value::String(text))) => text.as_str(),
        _ => "",
    };
    match step.tool.as_str() {
        RUN => of_command(rule, text("command")),
        PYTHON => of_program(rule, text("script")),
        FETCH => of_address(rule, text("url")),
        WRITE => of_file(rule, text("file"), true).map(|file| format!("would write {file}")),
        UNDO => of_file(rule, text("file"), true).map(|file| format!("would put {file} back")),
        READ => of_file(rule, text("file"), false).map(|file| format!("would read {file}")),
        LIST => None,
        _ => {
            let given = step.givens.values().filter_map(|given| match given {
                Given::Value(value) => Some(value.to_string()),
                Given::ResultOf(_) | Given::Held(_) | Given::Requirements => None,
            });
            given.into_iter().find_map(|value| of_program(rule, &value))
        }
    }
}

fn of_file(rule: &Rule, file: &str, writes: bool) -> Option<String> {
    let Rule::File { name, may_be_read } = rule else { return None };
    let file = plain_path(file);
    let is_it = file == *name || file.starts_with(&format!("{name}/"));
    (is_it && (writes || !may_be_read)).then_some(file)
}

fn of_address(rule: &Rule, url: &str) -> Option<String> {
    let host = super::host_of(url);
    let bare = host.split(':').next().unwrap_or(&host);
    match rule {
        Rule::Network => Some(format!("would fetch {url}")),
        Rule::Host(name) if host == *name || bare == name || bare.ends_with(&format!(".{name}")) => {
            Some(format!("would fetch from {host}"))
        }
        Rule::Host(_) | Rule::File { .. } | Rule::Command(_) => None,
    }
}

fn of_command(rule: &Rule, command: &str) -> Option<String> {
    let tokens: Vec<&str> = command.split(SEPARATORS).filter(|token| !token.is_empty()).collect();
    match rule {
        Rule::File { name, may_be_read } => {
            let only_reads = *may_be_read && !command.contains('>') && !tokens.iter().any(|token| changes(token));
            let changes = tokens.iter().any(|token| changes(token)) || command.contains('>');
            let named = tokens.iter().find(|token| is_named(token, name));
            let held = tokens.iter().find(|token| changes && may_reach(token, name));
            match (named, held) {
                (Some(_), _) if !only_reads => Some(format!("runs a command that names {name}")),
                (None, Some(token)) => Some(format!("runs a command whose “{token}” may mean {name}")),
                _ => None,
            }
        }
        Rule::Host(host) => command.to_ascii_lowercase().contains(host.as_str()).then(|| format!("names {host}")),
        Rule::Command(program) => {
            let bare = |token: &&&str| token.rsplit('/').next() == Some(program.as_str()) || **token == program;
            let is_run =
                tokens.iter().any(|token| bare(&token)) || (program.contains(' ') && command.contains(program));
            is_run.then(|| format!("runs {program}"))
        }
        Rule::Network => {
            let online = tokens.iter().find(|token| ONLINE.contains(token));
            online.map(|token| format!("runs {token}, which goes online"))
        }
    }
}

/// A program, or what a tool of another program is called with: whether it names what it must not.
fn of_program(rule: &Rule, text: &str) -> Option<String> {
    match rule {
        Rule::File { name, .. } => is_in(text, name).then(|| format!("names {name}")),
        Rule::Host(host) => text.to_ascii_lowercase().contains(host.as_str()).then(|| format!("names {host}")),
        Rule::Command(program) => is_in(text, program).then(|| format!("names {program}")),
        Rule::Network => {
            let online = ["urllib", "requests", "http.client", "socket", "http://", "https://"];
            online.iter().find(|part| text.contains(**part)).map(|part| format!("names {part}"))
        }
    }
}

fn is_named(token: &str, name: &str) -> bool {
    let token = plain_path(token);
    token == name || token.ends_with(&format!("/{name}")) || token.starts_with(&format!("{name}/"))
}

/// Whether a word of a command may stand for `name` among others: a pattern, or a folder it is in.
fn may_reach(token: &str, name: &str) -> bool {
    let token = plain_path(token);
    let holds = token == "." || name.starts_with(&format!("{token}/"));
    holds || (token.contains(['*', '?', '[']) && fits(token.as_bytes(), name.as_bytes()))
}

/// A pattern of the shell; what it has in brackets is any letter.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.first(), name.first()) {
        (None, None) => true,
        (Some(b'*'), _) => fits(&pattern[1..], name) || (!name.is_empty() && fits(pattern, &name[1..])),
        (Some(b'?'), Some(_)) => fits(&pattern[1..], &name[1..]),
        (Some(b'['), Some(_)) => {
            let end = pattern.iter().position(|letter| *letter == b']');
            end.is_some_and(|end| fits(&pattern[end + 1..], &name[1..]))
        }
        (Some(letter), Some(own)) => letter == own && fits(&pattern[1..], &name[1..]),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether `name` stands in `text` as a word of its own.
fn is_in(text: &str, name: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(is_of_word) && !behind.is_some_and(is_of_word)
    })
}

/// Whether a program changes files it is given.
fn changes(token: &str) -> bool {
    let bare = token.rsplit('/').next().unwrap_or(token);
    !READING.contains(&bare) && (CHANGING.contains(&bare) || token.starts_with("-i") || token == "-delete")
}

const SEPARATORS: [char; 16] = [' ', '\t', '\n', '\'', '"', '`', ';', '|', '&', '<', '>', '(', ')', '=', ',', '$'];
const CHANGING: [&str; 20] = [
    "rm", "mv", "cp", "tee", "touch", "truncate", "shred", "chmod", "chown", "ln", "rsync", "tar", "git", "dd",
    "install", "unlink", "patch", "sponge", "unzip", "xargs",
];
const READING: [&str; 4] = ["cat", "grep", "wc", "ls"];
const ONLINE: [&str; 12] =
    ["curl", "wget", "ssh", "scp", "sftp", "ftp", "nc", "telnet", "ping", "rsync", "dig", "nslookup"];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;
    use crate::orders::orders;

    fn refused(limit: &str, order: &str) -> bool {
        let limit = Limit::read(limit).unwrap_or_else(|| panic!("“{limit}” is read as nothing"));
        broken(&[limit], orders(order).unwrap().iter()).is_some()
    }

    #[test]
    fn what_names_what_must_not_be_touched_is_refused() {
        for (limit, order) in [
            ("never touch b.txt", "write \"x\" to b.txt"),
            ("never touch b.txt", "run `sed -i s/a/b/ ./b.txt`"),
            ("don't touch b.txt", "run `cat b.txt`"),
            ("do not change b.txt", "run `echo x > b.txt`"),
            ("b.txt must not be changed", "run `rm *.txt`"),
            ("leave b.txt alone", "run `rm -r .`"),
            ("nothing in data/ may be deleted", "run `rm data/a.csv`"),
            ("don't overwrite “my notes.md”", "write \"x\" to \"my notes.md\""),
            ("never touch b.txt", "python `open('b.txt', 'w')`"),
            ("never fetch anything from example.org", "fetch https://www.example.org/a"),
            ("don't contact http://localhost:8080/", "run `curl localhost:8080/a`"),
            ("never run rm", "run `rm a.txt`"),
            ("don't use sudo", "run `sudo ls`"),
            ("without touching b.txt", "write \"x\" to b.txt"),
            ("stay offline", "fetch https://a.b/c"),
            ("never touch b.txt", "call fs.write_file with path=b.txt, content=x"),
        ] {
            assert!(refused(limit, order), "{limit}: {order}");
        }
        for (limit, order) in [
            ("never touch b.txt", "write \"x\" to ab.txt"),
            ("never touch b.txt", "run `rm *.csv`"),
            ("do not change b.txt", "run `cat b.txt`"),
            ("do not change b.txt", "read b.txt"),
            ("never run rm", "run `echo form`"),
            ("never fetch from example.org", "fetch https://example.com/a"),
            ("stay offline", "run `ls`"),
        ] {
            assert!(!refused(limit, order), "{limit}: {order}");
        }
    }

    #[test]
    fn what_forbids_nothing_by_name_is_no_rule() {
        for words in [
            "keep it short",
            "only use three steps",
            "don't run it before Monday",
            "never mind",
            "write \"never\" to a.txt",
        ] {
            assert_eq!(Limit::read(words), None, "{words}");
        }
    }

    #[test]
    fn what_is_forbidden_is_told_from_what_is_ordered() {
        for (words, order, said) in [
            ("run `ls`, but never touch b.txt", "run `ls`", "never touch b.txt"),
            (
                "run `ls` and write it to a.txt without touching b.txt",
                "run `ls` and write it to a.txt",
                "without touching b.txt",
            ),
            (
                "1. run `ls` 2. write it to a.txt. Don't touch b.txt.",
                "1. run `ls` 2. write it to a.txt",
                "Don't touch b.txt",
            ),
        ] {
            let (rest, limits) = super::super::apart(words);
            let told: Vec<&str> = limits.iter().map(|limit| limit.said.as_str()).collect();
            assert_eq!((rest.as_str(), told.as_slice()), (order, &[said][..]));
        }
        assert_eq!(super::super::apart("run `a, never touch b.txt`").1, []);
    }
}
