//! Steps held against what must hold. What a command or a program does is not known beyond what it names: naming what
//! must not be touched is enough to refuse it. Next: `mod`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use turnwise_core::Step;

use super::reach::{self, Ground, Reach, fits, is_pattern};
use super::shell::{self, Line, Word, base};
use super::words::DELETERS;
use super::{Limit, Rule, plain_path};
use crate::planned::{self, Wanted};
use crate::tool::{FETCH, Given, LIST, PYTHON, READ, RUN, UNDO, WRITE};

/// A call, as far as it stands in the plan.
pub(crate) struct Doing {
    tool: String,
    texts: BTreeMap<String, String>,
}

impl From<&Wanted> for Doing {
    fn from(wanted: &Wanted) -> Self {
        let text = |given: &Given| match given {
            Given::Value(Value::String(text)) => Some(text.clone()),
            Given::Value(value) => Some(value.to_string()),
            Given::ResultOf(_) | Given::Held(_) | Given::Requirements => None,
        };
        let texts = wanted.givens.iter().filter_map(|(name, given)| Some((name.clone(), text(given)?)));
        Self { tool: wanted.tool.clone(), texts: texts.collect() }
    }
}

impl From<&Step> for Doing {
    fn from(step: &Step) -> Self {
        let is_text = |name: &str| planned::is_given(step.tool.as_str(), name) && !name.ends_with(planned::FROM);
        let texts = step.arguments.iter().filter(|(name, _)| is_text(name));
        let texts = texts.map(|(name, text)| (name.clone(), text.clone())).collect();
        Self { tool: step.tool.to_string(), texts }
    }
}

/// The first step that breaks one of `limits`, told as a sentence; commands run in `root`.
pub(crate) fn broken<T: Into<Doing>>(limits: &[Limit], steps: impl Iterator<Item = T>, root: &Path) -> Option<String> {
    steps.enumerate().find_map(|(at, step)| broken_at(limits, at + 1, step, root))
}

/// The same of the step that has the number `number`.
pub(crate) fn broken_at(limits: &[Limit], number: usize, step: impl Into<Doing>, root: &Path) -> Option<String> {
    let step = step.into();
    limits.iter().find_map(|limit| {
        let does = limit.rules.iter().find_map(|rule| breaks(rule, &step, root))?;
        Some(format!(
            "Step {number} {does}, and “{}” has to hold. Say what it should do instead, or “forget {}”.",
            limit.said, limit.said
        ))
    })
}

/// Whether a step may do what cannot be read from it.
pub(super) fn is_unsure(step: &Doing) -> bool {
    let text = |name: &str| step.texts.get(name).map_or("", String::as_str);
    match step.tool.as_str() {
        RUN => {
            let lines = shell::read(text("command"));
            let roams = |line: &Line| line.words.iter().chain(&line.into).any(reach::roams);
            lines.iter().any(|line| line.is_unsure() || !line.is_known() || roams(line))
                || Ground::of(&lines, Path::new("/")).is_anywhere()
        }
        FETCH | READ | LIST | WRITE | UNDO => false,
        // A program, and a tool of another program.
        _ => true,
    }
}

/// What a step would do against a rule.
fn breaks(rule: &Rule, step: &Doing, root: &Path) -> Option<String> {
    let text = |name: &str| step.texts.get(name).map_or("", String::as_str);
    match step.tool.as_str() {
        RUN => of_command(rule, text("command"), root),
        PYTHON => of_runner(rule, "python").or_else(|| of_program(rule, text("script"))),
        FETCH => of_address(rule, text("url")),
        WRITE => of_file(rule, text("file"), true).map(|file| format!("would write {file}")),
        UNDO => match rule {
            Rule::Delete { but } if !is_among(text("file"), but) => {
                Some(format!("would put {} back, which deletes it where it was new", text("file")))
            }
            _ => of_file(rule, text("file"), true).map(|file| format!("would put {file} back")),
        },
        READ => of_file(rule, text("file"), false).map(|file| format!("would read {file}")),
        LIST => None,
        tool => of_runner(rule, tool).or_else(|| step.texts.values().find_map(|value| of_program(rule, value))),
    }
}

fn of_file(rule: &Rule, file: &str, writes: bool) -> Option<String> {
    let file = plain_path(file);
    let is_broken = match rule {
        Rule::File { name, may_be_read, but } => {
            is_named(&file, name) && !is_among(&file, but) && (writes || !may_be_read)
        }
        Rule::Within { names, may_be_read } => !is_among(&file, names) && (writes || !may_be_read),
        Rule::Delete { .. } | Rule::Host(_) | Rule::Hosts(_) | Rule::Command(_) | Rule::Commands(_) | Rule::Network => {
            false
        }
    };
    is_broken.then_some(file)
}

/// Whether a file of the working folder is one of `names`, or in one.
fn is_among(file: &str, names: &[String]) -> bool {
    let file = plain_path(file);
    let tail = file.rsplit('/').next().unwrap_or(&file);
    let is_it = |name: &String| {
        let by_name = is_pattern(name) && (fits(name, &file) || (!name.contains('/') && fits(name, tail)));
        file == *name || file.starts_with(&format!("{name}/")) || by_name
    };
    names.iter().any(is_it)
}

/// What runs no command of the shell, and runs all the same.
fn of_runner(rule: &Rule, runner: &str) -> Option<String> {
    let is_it = |name: &String| name.trim_end_matches(is_version) == runner;
    let is_broken = match rule {
        Rule::Command(name) => is_it(name),
        Rule::Commands(names) => !names.iter().any(is_it),
        _ => false,
    };
    is_broken.then(|| format!("runs {runner}"))
}

fn is_version(letter: char) -> bool {
    letter.is_ascii_digit() || letter == '.'
}

fn of_address(rule: &Rule, url: &str) -> Option<String> {
    let host = super::host_of(url);
    let is_it = |name: &String| {
        let bare = host.split(':').next().unwrap_or(&host);
        host == *name || bare == name || bare.ends_with(&format!(".{name}"))
    };
    match rule {
        Rule::Network => Some(format!("would fetch {url}")),
        Rule::Host(name) if is_it(name) => Some(format!("would fetch from {host}")),
        Rule::Hosts(names) if !names.iter().any(is_it) => Some(format!("would fetch from {host}")),
        _ => None,
    }
}

fn of_command(rule: &Rule, command: &str, root: &Path) -> Option<String> {
    let lines = shell::read(command);
    let ground = Ground::of(&lines, root);
    let words = || lines.iter().flat_map(|line| line.words.iter().chain(&line.into)).map(|word| word.text.as_str());
    match rule {
        Rule::File { name, may_be_read, but } => {
            lines.iter().find_map(|line| of_line(line, &ground, name, *may_be_read, but))
        }
        Rule::Within { names, may_be_read } => lines.iter().find_map(|line| beyond(line, &ground, names, *may_be_read)),
        Rule::Delete { but } => lines.iter().find_map(|line| deletes(line, &ground, but)),
        Rule::Host(host) => {
            let is_in = |word: &str| word.to_ascii_lowercase().contains(host.as_str());
            words().any(is_in).then(|| format!("names {host}"))
        }
        Rule::Command(program) => {
            let is_it = |word: &str| {
                let name = base(word);
                name == program || word == program || name.trim_end_matches(is_version) == program
            };
            let is_run = words().any(is_it) || (program.contains(' ') && command.contains(program.as_str()));
            is_run.then(|| format!("runs {program}"))
        }
        Rule::Commands(programs) => {
            let is_it = |program: &str| programs.iter().any(|name| name == program || name == command);
            let other = lines.iter().map(Line::program).find(|program| !program.is_empty() && !is_it(program));
            other.map(|program| format!("runs {program}"))
        }
        Rule::Network => online(&lines).map(|what| format!("runs “{what}”, which goes online")),
        Rule::Hosts(names) => {
            let is_it = |word: &str| names.iter().any(|name| word.to_ascii_lowercase().contains(name.as_str()));
            let what = online(&lines).filter(|_| !words().any(is_it))?;
            Some(format!("runs “{what}”, which goes online"))
        }
    }
}

/// What of a command goes online.
fn online(lines: &[Line]) -> Option<String> {
    let goes = |line: &&Line| line.words.iter().any(|word| goes_online(base(&word.text), line));
    let is_address = |word: &&str| word.contains("://") || word.starts_with("git@");
    let words = || lines.iter().flat_map(|line| line.words.iter().chain(&line.into)).map(|word| word.text.as_str());
    let program = lines.iter().find(goes).map(|line| line.program().to_owned());
    program.or_else(|| words().find(is_address).map(str::to_owned))
}

/// Whether a program goes online; some do so for some of their work alone.
fn goes_online(program: &str, line: &Line) -> bool {
    let has = |work: &[&str]| line.words.iter().any(|word| work.contains(&word.text.as_str()));
    ONLINE.contains(&program)
        || ONLINE_FOR.iter().any(|(name, work)| *name == program.trim_end_matches('3') && has(work))
}

/// What a program that is run would do to a file: where it is named, it is read at most where that may be.
fn of_line(line: &Line, ground: &Ground, name: &str, may_be_read: bool, but: &[String]) -> Option<String> {
    let is_free = |word: &Word| !but.is_empty() && ground.is_within(word, but);
    let is_it = |word: &&Word| {
        !is_free(word)
            && (is_named(&word.text, name)
                || ground.reach(word, name) == Reach::It
                || (line.is_unsure() && is_in(&word.text, name)))
    };
    let is_above = |word: &&Word| !is_free(word) && ground.reach(word, name) != Reach::None;
    if let Some(into) = line.into.iter().find(|word| is_it(word) || is_above(word)) {
        return Some(format!("writes to “{}”, which may be {name}", into.text));
    }
    let changes = line.words.iter().any(|word| changes(&word.text));
    let only_reads = line.only_reads() && !changes && !line.words.iter().any(|word| is_output(&word.text));
    if line.words.iter().any(|word| is_it(&word)) {
        return (!(may_be_read && only_reads)).then(|| format!("runs a command that names {name}"));
    }
    let reached = line.words.iter().skip(1).find(|word| changes && is_above(word))?;
    Some(format!("runs a command whose “{}” may mean {name}", reached.text))
}

/// What a program that is run would write outside of `names`; or read, where nothing else is to be touched.
fn beyond(line: &Line, ground: &Ground, names: &[String], may_be_read: bool) -> Option<String> {
    let is_in = |word: &&Word| ground.is_within(word, names);
    if let Some(into) = line.into.iter().find(|word| !is_in(word) && !word.text.starts_with("/dev/")) {
        return Some(format!("writes to “{}”", into.text));
    }
    let makes = |word: &Word| MAKING.contains(&base(&word.text));
    let writes = line.words.iter().any(|word| changes(&word.text) || makes(word) || is_output(&word.text))
        && !SAYING.contains(&line.program());
    let reads = !may_be_read && line.only_reads() && !SAYING.contains(&line.program());
    let mut given: Vec<&Word> = line.given().filter(|word| !word.text.starts_with('-')).collect();
    match line.program() {
        // What is copied is read alone.
        "cp" if may_be_read && given.len() > 1 => drop(given.drain(..given.len() - 1)),
        "chmod" | "chown" if !given.is_empty() => drop(given.remove(0)),
        "grep" if !writes && !given.is_empty() => drop(given.remove(0)),
        _ => {}
    }
    let outside = given.into_iter().find(|word| !is_in(word)).filter(|_| writes || reads)?;
    Some(format!("runs a command whose “{}” is something else", outside.text))
}

/// What a program that is run would delete.
fn deletes(line: &Line, ground: &Ground, but: &[String]) -> Option<String> {
    let texts = || line.words.iter().map(|word| word.text.as_str());
    let is_git = line.program() == "git" && texts().any(|word| ["rm", "clean"].contains(&word));
    let what = texts().find(|word| DELETERS.contains(&base(word)) || *word == "-delete");
    let what = what.or(is_git.then_some("git"))?;
    let given = || line.given().filter(|word| !word.text.starts_with('-'));
    let is_free = !but.is_empty() && given().count() > 0 && given().all(|word| ground.is_within(word, but));
    (!is_free).then(|| format!("runs {}", base(what)))
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
        // What it writes, deletes or asks for is not known; the plan says so.
        Rule::Within { .. } | Rule::Delete { .. } | Rule::Hosts(_) | Rule::Commands(_) => None,
    }
}

/// Whether a word names `name`, or what is in it; `name` may be a pattern itself.
fn is_named(word: &str, name: &str) -> bool {
    let is_it = |part: &str| {
        let part = plain_path(part);
        let tail = part.rsplit('/').next().unwrap_or(&part);
        part == name
            || part.ends_with(&format!("/{name}"))
            || part.starts_with(&format!("{name}/"))
            || part.contains(&format!("/{name}/"))
            || (is_pattern(name) && (fits(name, &part) || fits(name, tail)))
    };
    let is_option = word.starts_with('-') && word.get(2..).is_some_and(is_it);
    is_it(word) || is_option || word.split(['=', ',', ':', '@']).any(is_it)
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

/// Whether an option names where output goes: `-o`, also among others, and `--output`.
fn is_output(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.len() > 1 && "output".starts_with(long.split('=').next().unwrap_or(long)),
        None => word.starts_with('-') && word.contains('o'),
    }
}

/// Whether a program changes files it is given.
fn changes(word: &str) -> bool {
    let bare = base(word);
    shell::CHANGING.contains(&bare)
        || CHANGING_MORE.contains(&bare)
        || word.starts_with("-i")
        || ["-delete", "-exec", "-execdir"].contains(&word)
}

/// Programs that make or remove folders.
const MAKING: [&str; 2] = ["mkdir", "rmdir"];
/// Programs whose words are no files.
const SAYING: [&str; 4] = ["echo", "printf", "test", "["];
/// Programs that change more than what they are given by name.
const CHANGING_MORE: [&str; 7] = ["rsync", "tar", "git", "patch", "sponge", "unzip", "xargs"];
const ONLINE: [&str; 24] = [
    "curl",
    "wget",
    "ssh",
    "scp",
    "sftp",
    "ftp",
    "nc",
    "ncat",
    "telnet",
    "ping",
    "rsync",
    "dig",
    "nslookup",
    "host",
    "socat",
    "aria2c",
    "npx",
    "uvx",
    "pipx",
    "apt",
    "apt-get",
    "brew",
    "lynx",
    "traceroute",
];
/// Programs that go online for some of what they do.
const ONLINE_FOR: [(&str, &[&str]); 11] = [
    ("git", &["clone", "fetch", "pull", "push", "ls-remote", "submodule", "remote"]),
    ("pip", &["install", "download", "search", "index"]),
    ("uv", &["add", "pip", "sync", "tool", "run"]),
    ("npm", &["install", "i", "ci", "update", "exec", "publish", "view"]),
    ("yarn", &["add", "install", "upgrade"]),
    ("pnpm", &["add", "install", "update", "dlx"]),
    ("cargo", &["install", "add", "update", "fetch", "publish", "search"]),
    ("gem", &["install", "update", "fetch"]),
    ("go", &["get", "install", "mod"]),
    ("docker", &["pull", "push", "run", "build", "login"]),
    ("podman", &["pull", "push", "run", "build", "login"]),
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;
    use crate::orders::orders;

    fn refused(limit: &str, order: &str) -> bool {
        let limit = Limit::read(limit).unwrap_or_else(|| panic!("“{limit}” is read as nothing"));
        broken(std::slice::from_ref(&limit), orders(order).unwrap().iter(), Path::new("/srv/ann/desk")).is_some()
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
            ("do not change b.txt", "run `sort -uo b.txt a.txt`"),
            ("do not change b.txt", "run `sort --output=b.txt a.txt`"),
            ("do not change b.txt", "run `./cat b.txt`"),
            ("never touch ä.txt", "run `rm ?.txt`"),
            ("never touch b.txt", "run `sudo sh -c 'rm b.txt'`"),
            ("never run rm", "run `timeout 5 sh -c 'rm a.txt'`"),
            ("stay offline", "run `sudo sh -c 'curl a.b'`"),
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
    fn what_a_step_may_do_beyond_its_words_is_not_said_to_hold() {
        let limit = Limit::read("never touch b.txt").unwrap();
        for (order, is_held) in [
            ("run `sort a.txt | tr a b > c.txt`", true),
            ("run `for f in *.csv; do rm a.csv; done`", true),
            ("write \"x\" to a.txt", true),
            ("run `backup all`", false),
            ("run `sudo sort a.txt`", false),
            ("run `./sort a.txt`", false),
            ("call fs.sync with path=a.txt", false),
        ] {
            let steps: Vec<Doing> = orders(order).unwrap().iter().map(Doing::from).collect();
            assert_eq!(!limit.told(&steps).contains("not checked"), is_held, "{order}");
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
