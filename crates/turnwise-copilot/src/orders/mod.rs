//! Orders: steps a person writes down, as calls of tools. A message is one only where every part of it names all that
//! its tool needs; nothing is guessed. "It" is the result of the step before. Next: `planned`.

mod handy;

pub(crate) use handy::wants_free;

use serde_json::Value;
use turnwise_intent::behaviour::coder::files_in;

use crate::planned::{Wanted, wanted};
use crate::said::{self, end_of, opens_behind, without_courtesies};
use crate::tool::{FETCH, Given, LIST, PYTHON, READ, RUN, UNDO, WRITE};

/// The calls that `message` orders, in their order; none where a part of it is no order.
pub(crate) fn orders(message: &str) -> Option<Vec<Wanted>> {
    orders_behind(message, 0)
}

/// The same for orders that stand behind `base` steps of a plan: “it” is what the last of them gives.
pub(crate) fn orders_behind(message: &str, base: usize) -> Option<Vec<Wanted>> {
    in_ways(message, base, order)
}

/// The calls of `message` where every part names a tool by what it does; everyday work may be a recipe's, too.
pub(crate) fn written(message: &str) -> Option<Vec<Wanted>> {
    in_ways(message, 0, |part, at| order(part, at).filter(|_| !is_handy(part)))
}

fn in_ways(message: &str, base: usize, read: impl Fn(&str, usize) -> Option<Wanted>) -> Option<Vec<Wanted>> {
    let ways: [fn(&str) -> Vec<String>; 4] = [numbered, lines, joined, listed];
    ways.iter().find_map(|way| in_parts(&way(message), base, &read))
}

fn in_parts(parts: &[String], base: usize, read: &impl Fn(&str, usize) -> Option<Wanted>) -> Option<Vec<Wanted>> {
    let mut all: Vec<Wanted> = Vec::new();
    for part in parts.iter().flat_map(|part| each(part)) {
        let part = part.as_str();
        let at = base + all.len();
        let mut order = read(part, at)?;
        order.after = at.checked_sub(1).into_iter().collect();
        all.push(order);
    }
    (!all.is_empty()).then_some(all)
}

/// “Read b.txt and c.txt” is an order for each.
fn each(part: &str) -> Vec<String> {
    let (verb, rest) = verb_and_rest(part);
    let names: Vec<&str> = rest.split(" and ").flat_map(|some| some.split(',')).map(str::trim).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let is_each = EACH.contains(&verb.as_str()) && names.len() > 1;
    match is_each && names.iter().all(|name| files_in(name).len() == 1 && named_file(name).is_some()) {
        true => names.iter().map(|name| format!("{verb} {name}")).collect(),
        false => vec![part.to_owned()],
    }
}

/// Whether an order is one of everyday work.
fn is_handy(part: &str) -> bool {
    let (verb, rest) = verb_and_rest(part);
    handy::ordered(&verb, rest).is_some()
}

/// What is done, and what stands behind that.
pub(crate) fn verb_and_rest(part: &str) -> (String, &str) {
    let part = without_courtesies(without_end(asked_for(part.trim())), &[]);
    let (verb, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
    (verb.to_lowercase().trim_end_matches(':').to_owned(), rest.trim())
}

/// “Can you copy a.txt to c.txt?” asks for it.
fn asked_for(part: &str) -> &str {
    let asked = said::after_any(part, &["can you ", "could you ", "would you ", "will you "]);
    asked.map_or(part, |asked| asked.trim_end_matches('?'))
}

/// One order, the `at`th of its message.
fn order(part: &str, at: usize) -> Option<Wanted> {
    let (verb, rest) = verb_and_rest(part);
    match in_the_infinitive(&verb) {
        "undo" | "revert" => is_it(rest, true).then(|| wanted(UNDO, &[])),
        "run" | "execute" => run(rest, at),
        "python" => script(rest, at),
        "fetch" | "get" | "download" | "load" => one_word(rest).filter(|url| is_address(url)).map(|url| {
            let url = url.trim_end_matches(['.', ',']);
            wanted(FETCH, &[("url", url)])
        }),
        "read" | "show" | "display" | "print" | "open" | "cat" => {
            named_file(shown(rest)).map(|file| wanted(READ, &[("file", &file)]))
        }
        "list" => list(rest),
        "write" | "save" | "store" | "put" => write(rest, at),
        "call" | "use" => call(rest, at),
        other => handy::ordered(other, rest),
    }
}

/// “Me a.txt”, “the content of a.txt”.
fn shown(rest: &str) -> &str {
    let rest = rest.strip_prefix("me ").or_else(|| rest.strip_prefix("us ")).unwrap_or(rest);
    let leads = ["the contents of ", "the content of ", "what is in "];
    leads.iter().find_map(|lead| rest.strip_prefix(lead)).unwrap_or(rest)
}

/// “A step that runs `ls`” orders what “run `ls`” does.
fn in_the_infinitive(verb: &str) -> &str {
    match verb {
        "fetches" => "fetch",
        "runs" | "executes" | "gets" | "downloads" | "loads" | "reads" | "lists" | "writes" | "saves" | "stores"
        | "puts" | "calls" => verb.trim_end_matches('s'),
        other => other,
    }
}

/// Without the mark that ends a sentence; points that are a name, as in “list ..”, stay.
pub(crate) fn without_end(part: &str) -> &str {
    let stripped = part.strip_suffix(['.', ';', ',', '!']).unwrap_or(part);
    let ends_a_word = stripped.ends_with(|last: char| last.is_alphanumeric() || "`\"”')}".contains(last));
    if ends_a_word { stripped } else { part }
}

/// “`ls -l`”, “sort file.txt”, with “on it” behind it where it reads what came before.
fn run(rest: &str, at: usize) -> Option<Wanted> {
    let python =
        ["python ", "the python program ", "the Python program "].iter().find_map(|lead| rest.strip_prefix(lead));
    if let Some(program) = python.filter(|program| program.starts_with('`')) {
        return script(program, at);
    }
    let (rest, on_it) = without_input(rest, at)?;
    let command = match quoted(rest) {
        Some((command, "")) => command.to_owned(),
        Some(_) => return None,
        None => bare_command(rest)?,
    };
    Some(reading(wanted(RUN, &[("command", &command)]), on_it))
}

/// A command that stands in no quotes: of a program that is there, or a script, by what runs it.
pub(crate) fn bare_command(rest: &str) -> Option<String> {
    let first = rest.split_whitespace().next()?;
    if is_program(first) || first.starts_with("./") {
        return Some(rest.to_owned());
    }
    runner_of(first).map(|program| format!("{program} {rest}"))
}

/// What runs a script of this name.
pub(crate) fn runner_of(script: &str) -> Option<&'static str> {
    let runs = |ending: &str| script.len() > ending.len() && script.ends_with(ending);
    let by = [(".py", "python3"), (".sh", "sh"), (".js", "node")].into_iter().find(|(ending, _)| runs(ending));
    by.map(|(_, program)| program)
}

fn script(rest: &str, at: usize) -> Option<Wanted> {
    let (rest, on_it) = without_input(rest, at)?;
    let (script, behind) = quoted(rest)?;
    behind.is_empty().then(|| reading(wanted(PYTHON, &[("script", script)]), on_it))
}

/// What stands before “on it”, and the step that means; nothing where there is none before.
fn without_input(rest: &str, at: usize) -> Option<(&str, Option<usize>)> {
    for joint in [", reading ", " on ", " with "] {
        let found = rest.rfind(joint).map(|begin| (begin, &rest[begin + joint.len()..]));
        let numbered = found.filter(|(_, what)| what.contains("step ")).and_then(|(begin, what)| {
            let Given::ResultOf(step) = result_of(what.trim(), at)? else { return None };
            Some((rest[..begin].trim_end(), Some(step)))
        });
        if numbered.is_some() {
            return numbered;
        }
    }
    for behind in ["on it", "with it", "on the result", "on that"] {
        if let Some(before) = rest.strip_suffix(behind).filter(|before| before.ends_with([' ', '`'])) {
            return Some((before.trim_end(), Some(at.checked_sub(1)?)));
        }
    }
    Some((rest, None))
}

fn reading(mut order: Wanted, on_it: Option<usize>) -> Wanted {
    if let Some(step) = on_it {
        order.givens.insert("input".to_owned(), Given::ResultOf(step));
    }
    order
}

fn list(rest: &str) -> Option<Wanted> {
    let words: Vec<&str> = rest.split_whitespace().filter(|word| !LIST_WORDS.contains(word)).collect();
    match words.as_slice() {
        [] => Some(wanted(LIST, &[])),
        [folder] => Some(wanted(LIST, &[("folder", folder.trim_end_matches('/'))])),
        _ => None,
    }
}

/// “it to out.txt”, “"some words" in notes.txt”, “the result of step 2 to out.txt”.
fn write(rest: &str, at: usize) -> Option<Wanted> {
    let (what, behind) = match quoted(rest) {
        Some((text, behind)) => (Given::Value(Value::String(text.to_owned())), behind),
        None => {
            let to = INTO.iter().filter_map(|to| Some((rest.rfind(&format!(" {to} "))?, to.len() + 2))).max()?;
            (result_of(rest[..to.0].trim(), at)?, &rest[to.0..])
        }
    };
    let behind = behind.trim();
    let file = INTO.iter().find_map(|to| behind.strip_prefix(to)?.strip_prefix(' ').map(str::trim))?;
    let file = file.strip_prefix("the file ").or_else(|| file.strip_prefix("a file ")).unwrap_or(file);
    let mut order = wanted(WRITE, &[("file", &named_file(file)?)]);
    order.givens.insert("content".to_owned(), what);
    Some(order)
}

/// Which result is meant.
fn result_of(words: &str, at: usize) -> Option<Given> {
    if is_it(words, false) {
        return Some(Given::ResultOf(at.checked_sub(1)?));
    }
    if words.eq_ignore_ascii_case("the requirements") {
        return Some(Given::Requirements);
    }
    let number = words.to_lowercase();
    let number = number.strip_prefix("the result of step ").or_else(|| number.strip_prefix("the output of step "))?;
    let step: usize = number.trim().parse().ok()?;
    step.checked_sub(1).filter(|step| *step < at).map(Given::ResultOf)
}

/// “fs.read_file with path=a.txt, head=3”, “fs.list”, “db.query {"sql": "…"}”.
fn call(rest: &str, at: usize) -> Option<Wanted> {
    let (tool, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let tool = tool.trim_matches('`');
    if !tool.contains('.') || tool.starts_with('.') || tool.ends_with('.') {
        return None;
    }
    let rest = rest.trim();
    let rest = rest.strip_prefix("with ").unwrap_or(rest).trim();
    let mut order = wanted(tool, &[]);
    if rest.starts_with('{') {
        let Ok(Value::Object(arguments)) = serde_json::from_str(rest) else { return None };
        order.givens = arguments.into_iter().map(|(name, value)| (name, Given::Value(value))).collect();
        return Some(order);
    }
    for pair in outside_quotes(rest, ", ") {
        let pair = pair.trim();
        if pair.is_empty() {
            continue;
        }
        let (name, value) = pair.split_once('=').or_else(|| pair.split_once(": "))?;
        let value = value.trim();
        let given = match quoted(value) {
            Some((text, "")) => Given::Value(Value::String(text.to_owned())),
            _ if is_it(value, false) => Given::ResultOf(at.checked_sub(1)?),
            _ => Given::Value(serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))),
        };
        order.givens.insert(name.trim().to_owned(), given);
    }
    Some(order)
}

pub(crate) fn is_it(words: &str, or_nothing: bool) -> bool {
    let words = words.to_lowercase();
    (or_nothing && words.is_empty()) || IT.contains(&words.as_str())
}

pub(crate) fn is_address(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

fn one_word(rest: &str) -> Option<&str> {
    let rest = quoted(rest).filter(|(_, behind)| behind.is_empty()).map_or(rest, |(inside, _)| inside);
    (!rest.is_empty() && !rest.contains(char::is_whitespace)).then_some(rest)
}

/// A file by its path: one word that is one, or in quotes.
pub(crate) fn named_file(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix("the file ").unwrap_or(rest).trim();
    if let Some((name, "")) = quoted(rest) {
        return Some(name.to_owned());
    }
    let word = one_word(rest)?;
    let leads = word.contains('/') || word.starts_with('.');
    (leads || files_in(word).len() == 1 || word.contains('.')).then(|| word.to_owned())
}

/// What stands in the quotes that `text` begins with, and what stands behind them.
pub(crate) fn quoted(text: &str) -> Option<(&str, &str)> {
    match said::quoted(text) {
        Some((inside, behind)) => Some((inside, behind.trim())),
        // Who repeats a message's end may have taken its last mark for a quote of their own.
        None => text.strip_prefix('`').map(|inside| (inside, "")),
    }
}

pub(crate) fn is_program(name: &str) -> bool {
    let is_word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./".contains(letter));
    let folders = std::env::var_os("PATH").unwrap_or_default();
    is_word && std::env::split_paths(&folders).any(|folder| folder.join(name).is_file())
}

/// “1. run `ls` 2. fetch …”: cut before each number that follows the one before.
fn numbered(message: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = message.trim();
    let begins = |rest: &str, number: usize| {
        [".", ")"].into_iter().find(|mark| rest.starts_with(&format!("{number}{mark} "))).map(|_| ())
    };
    let mut number = 1;
    while begins(rest, number).is_some() {
        rest = rest[number.to_string().len() + 1..].trim_start();
        let next = outside_places(rest).into_iter().find(|at| {
            let before = rest[..*at].chars().next_back();
            before.is_some_and(char::is_whitespace) && begins(&rest[*at..], number + 1).is_some()
        });
        let (part, behind) = rest.split_at(next.unwrap_or(rest.len()));
        parts.extend(joined(part));
        rest = behind;
        number += 1;
    }
    if rest.is_empty() { parts } else { Vec::new() }
}

/// A line each, with or without a mark before it.
fn lines(message: &str) -> Vec<String> {
    let line = |line: &str| line.trim().trim_start_matches(['-', '*', '•']).trim().to_owned();
    message.lines().map(line).filter(|line| !line.is_empty()).flat_map(|line| joined(&line)).collect()
}

/// Cut at “then” and at “and save”, which begin another order.
pub(crate) fn joined(message: &str) -> Vec<String> {
    let mut parts = vec![message.to_owned()];
    for joint in JOINTS {
        parts = parts.iter().flat_map(|part| outside_quotes(part, joint)).collect();
    }
    let begins = |part: &str| part.trim().to_owned();
    parts.iter().map(|part| begins(part)).filter(|part| !part.is_empty()).collect()
}

/// Cut at commas: how a talk is put together.
fn listed(message: &str) -> Vec<String> {
    outside_quotes(message, ", ").into_iter().flat_map(|part| joined(&part)).collect()
}

/// Cuts `text` at `joint` where that stands in no quotes. What a joint begins with a verb by keeps it.
pub(crate) fn outside_quotes(text: &str, joint: &str) -> Vec<String> {
    let places = outside_places(text);
    let lower = text.to_ascii_lowercase();
    let mut parts = Vec::new();
    let mut begin = 0;
    for at in places {
        if at >= begin && lower[at..].starts_with(joint) {
            parts.push(text[begin..at].to_owned());
            let verb = joint.strip_prefix(" and ").map_or(joint.len(), |_| " and ".len());
            begin = at + verb;
        }
    }
    parts.push(text[begin..].to_owned());
    parts
}

/// The places of `text` that are in no quotes.
pub(crate) fn outside_places(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut inside: Option<char> = None;
    for (at, letter) in text.char_indices() {
        match inside {
            Some(end) if letter == end => inside = None,
            Some(_) => {}
            None => {
                places.push(at);
                let end = end_of(letter, &text[at + letter.len_utf8()..]);
                inside = end.filter(|_| opens_behind(text[..at].chars().next_back()));
            }
        }
    }
    places
}

/// What is done to several files one after the other.
const EACH: [&str; 6] = ["read", "show", "print", "delete", "remove", "sort"];
/// What a result is called.
const IT: [&str; 12] = [
    "it",
    "that",
    "this",
    "the result",
    "the output",
    "the answer",
    "the page",
    "the text",
    "them",
    "what came",
    "the file",
    "the content",
];
/// Words before the name of a file that is written.
pub(crate) const INTO: [&str; 5] = ["to", "into", "in", "as", "under"];
/// Words of an order to list that name no folder.
const LIST_WORDS: [&str; 13] =
    ["the", "all", "files", "in", "of", "folder", "working", "directory", "this", "here", "contents", "content", "my"];
/// What stands between two orders.
const JOINTS: [&str; 9] =
    [", then ", "; then ", ". then ", " and then ", " then ", "; ", " and save ", " and write ", " and store "];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn told(message: &str) -> Option<Vec<String>> {
        let told = |order: &Wanted| {
            let givens = order.givens.iter().map(|(name, given)| format!(" {name}={given}")).collect::<String>();
            format!("{}{givens}", order.tool)
        };
        orders(message).map(|all| all.iter().map(told).collect())
    }

    #[test]
    fn steps_are_read_as_they_are_written() {
        for (message, expected) in [
            (
                "1. run `ls -l` 2. fetch https://example.org/a 3. write it to out.txt",
                &[
                    "run command=“ls -l”",
                    "fetch url=“https://example.org/a”",
                    "write content=the result of step 2 file=“out.txt”",
                ][..],
            ),
            (
                "please fetch http://a.b/c and save it as page.html",
                &["fetch url=“http://a.b/c”", "write content=the result of step 1 file=“page.html”"],
            ),
            (
                "read notes.md, then run `sort -u` on it",
                &["read file=“notes.md”", "run command=“sort -u” input=the result of step 1"],
            ),
            (
                "- list the files in src\n- call fs.read_file with path=a.txt, head=3",
                &["list folder=“src”", "fs.read_file head=3 path=“a.txt”"],
            ),
            ("write \"a, b; then c\" to notes.txt", &["write content=“a, b; then c” file=“notes.txt”"]),
            (
                "run `echo 1; echo 2`; write the result of step 1 into b.txt",
                &["run command=“echo 1; echo 2”", "write content=the result of step 1 file=“b.txt”"],
            ),
            ("call db.query {\"sql\": \"select 1\", \"n\": [1]}", &["db.query n=[1] sql=“select 1”"]),
            ("python `print(1)`", &["python script=“print(1)”"]),
            ("ok, run `ls -l`", &["run command=“ls -l”"]),
            ("write „so ist es“ to notes.txt", &["write content=“so ist es” file=“notes.txt”"]),
            ("undo that", &["undo"]),
        ] {
            assert_eq!(told(message).unwrap_or_default(), expected, "{message}");
        }
    }

    #[test]
    fn what_does_not_name_all_that_is_needed_is_no_order() {
        for message in [
            "run the tests",
            "write it to out.txt",
            "fetch the page",
            "read the docs about it",
            "write a poem in the style of Rilke",
            "1. run `ls` 2. make it nicer",
            "use the new design",
            "save the whales",
            "write the result of step 4 to a.txt",
            "call me later",
        ] {
            assert_eq!(told(message), None, "{message}");
        }
    }
}
