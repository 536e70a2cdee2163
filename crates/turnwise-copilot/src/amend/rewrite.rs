//! One step rewritten: by a whole order, or by the part of one that is to be different. All of the step that is not
//! named stays as it was, so that nobody has to say again what they did not want to change. Next: `apply`.

use serde_json::Value;

use crate::orders::{INTO, is_address, is_it, is_program, named_file, orders_behind, quoted};
use crate::planned::Wanted;
use crate::said::after_any;
use crate::tool::{FETCH, Given, LIST, PYTHON, READ, RUN, WRITE};

/// The steps that take the place of `old`, which is the `at`th; none where the words say none.
pub(super) fn rewritten(old: &Wanted, at: usize, words: &str) -> Option<Vec<Wanted>> {
    let words = words.strip_suffix(" instead").unwrap_or(words).trim();
    if let Some(part) = in_part(old, words) {
        return Some(vec![part]);
    }
    if let Some(all) = orders_behind(words, at) {
        return Some(all.into_iter().map(|one| keeping_input(old, one)).collect());
    }
    // “What it is for: run `ls`”.
    let (says, order) = words.split_once(": ")?;
    let mut all = rewritten(old, at, order)?;
    all.first_mut()?.says = Some(says.to_owned());
    Some(all)
}

/// A command in place of a command reads what that read, unless it says something else.
fn keeping_input(old: &Wanted, mut new: Wanted) -> Wanted {
    let reads = |tool: &str| tool == RUN || tool == PYTHON;
    if reads(&old.tool) && reads(&new.tool) && !new.givens.contains_key("input") {
        new.givens.extend(old.givens.get("input").map(|input| ("input".to_owned(), input.clone())));
    }
    new
}

/// The step with the one thing different that the words name.
fn in_part(old: &Wanted, words: &str) -> Option<Wanted> {
    let with = |name: &str, text: &str| {
        let mut new = old.clone();
        new.givens.insert(name.to_owned(), Given::Value(Value::String(text.to_owned())));
        Some(new)
    };
    let bare = after_any(words, &["use ", "take ", "be called ", "be named ", "be "]).unwrap_or(words);
    match old.tool.as_str() {
        WRITE => match content(bare) {
            Some(text) => with("content", text),
            None => with("file", &file_written(words)?),
        },
        RUN => command(bare).and_then(|command| with("command", command)),
        PYTHON => quoted(bare).filter(|(_, behind)| behind.is_empty()).and_then(|(script, _)| with("script", script)),
        FETCH => {
            let url = after_any(bare, &["fetch ", "get ", "download ", "load "]).unwrap_or(bare);
            is_address(url).then(|| with("url", url.trim_end_matches(['.', ',']))).flatten()
        }
        READ => with("file", &named_file(after_any(bare, &["read "]).unwrap_or(bare))?),
        LIST => {
            let folder = after_any(bare, &["list "]).unwrap_or(bare).trim_end_matches('/');
            (!folder.is_empty() && !folder.contains(char::is_whitespace)).then(|| with("folder", folder)).flatten()
        }
        _ => arguments(old, bare),
    }
}

/// A text alone: “"hello"”, “write "hello"”.
fn content(words: &str) -> Option<&str> {
    let said = after_any(words, &["write ", "save ", "put ", "say ", "hold ", "contain ", "read "]);
    let (text, behind) = quoted(said.unwrap_or(words))?;
    // A name of a file in quotes, and nothing said of it, is no text to be written.
    let is_text = said.is_some() || text.contains(char::is_whitespace) || !text.contains(['.', '/']);
    (behind.is_empty() && is_text).then_some(text)
}

/// “Write to b.txt”, “save it as b.txt”, “go into b.txt”, “b.txt”, “write b.txt”.
fn file_written(words: &str) -> Option<String> {
    let rest = after_any(words, &WRITING).unwrap_or(words);
    let rest = first_it(rest);
    let behind = INTO.iter().find_map(|to| after_any(rest, &[&format!("{to} ")]));
    named_file(behind.unwrap_or(rest)).filter(|file| !is_address(file))
}

/// Without the word that stands for what is written.
fn first_it(rest: &str) -> &str {
    let mut ends = rest.match_indices(' ').map(|(at, _)| at);
    ends.rfind(|at| is_it(&rest[..*at], false)).map_or(rest, |at| rest[at..].trim_start())
}

/// A command alone: in quotes, or by a program that is there.
fn command(words: &str) -> Option<&str> {
    match quoted(words) {
        Some((command, "")) => Some(command),
        Some(_) => None,
        None => {
            words.split_whitespace().next().filter(|first| is_program(first) && !VERBS.contains(first)).map(|_| words)
        }
    }
}

/// Arguments of a tool of another program: “path=b.txt, head=3”.
fn arguments(old: &Wanted, words: &str) -> Option<Wanted> {
    let words = after_any(words, &["with "]).unwrap_or(words);
    let mut called = orders_behind(&format!("call {} with {words}", old.tool), 1)?;
    let new = called.pop().filter(|new| called.is_empty() && !new.givens.is_empty())?;
    let mut changed = old.clone();
    changed.givens.extend(new.givens);
    Some(changed)
}

const WRITING: [&str; 12] = [
    "write ",
    "save ",
    "store ",
    "put ",
    "go ",
    "land ",
    "be written ",
    "be saved ",
    "be stored ",
    "use ",
    "take ",
    "be called ",
];
/// Words that begin an order, though programs may be called so.
const VERBS: [&str; 6] = ["run", "write", "read", "fetch", "list", "python"];

/// A value with `to` wherever `from` stands in it; none where it does not.
pub(super) fn replaced(value: &Value, from: &str, to: &str) -> Option<Value> {
    match value {
        Value::String(text) => text.contains(from).then(|| Value::String(text.replace(from, to))),
        Value::Array(all) => {
            let new: Vec<Option<Value>> = all.iter().map(|one| replaced(one, from, to)).collect();
            let any = new.iter().any(Option::is_some);
            any.then(|| all.iter().zip(new).map(|(old, new)| new.unwrap_or_else(|| old.clone())).collect())
        }
        Value::Object(all) => {
            let mut changed = all.clone();
            let mut any = false;
            for one in changed.values_mut() {
                if let Some(new) = replaced(one, from, to) {
                    (*one, any) = (new, true);
                }
            }
            any.then_some(Value::Object(changed))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
