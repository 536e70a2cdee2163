//! Orders that lack what they need: “write a file”, “fetch it”, “run the script”. What is missing is asked for once,
//! all on one card; what stands for itself, such as the only script there is, can be assumed by “skip”, and where
//! nothing can, the card says so (FL-01, FL-02). Next: `draft`, which asks when there is no model.

use serde_json::Value;
use turnwise_core::{Clarification, Task, text};
use turnwise_intent::behaviour::coder::files_in;
use turnwise_intent::behaviour::is_plain_order;

use super::copilot::Copilot;
use super::draft::Known;
use crate::limits;
use crate::orders::{self, INTO, bare_command, is_address, named_file, orders_behind, quoted, runner_of};
use crate::planned::{Wanted, wanted};
use crate::said::{all_quoted, is_courtesy};
use crate::tool::{FETCH, Given, READ, RUN, WRITE};

/// What an order may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    Address,
    Command,
    FileRead,
    Text,
    FileWritten,
}

/// A part of a task: whole, or with what it lacks.
struct Half {
    wanted: Wanted,
    lacks: Vec<Lack>,
}

/// What is known of a task whose orders lack something; none where it is anything else.
pub(super) fn asked(copilot: &Copilot, task: &Task) -> Option<Known> {
    let (problem, _) = limits::apart(&task.problem);
    if !is_plain_order(&problem) {
        return None;
    }
    let Some(mut halves) = halves(&problem) else { return by_command(task) };
    let answers: Vec<&str> =
        task.answers.iter().filter(|one| one.topic == LACKING).map(|one| one.answer.as_str()).collect();
    // Whoever answers with the whole order has said all of it.
    if let Some(whole) = answers.last().and_then(|answer| orders_behind(answer, 0)) {
        return Some(Known::Calls(whole, Vec::new()));
    }
    for answer in &answers {
        fill(&mut halves, answer);
    }
    let lacks: Vec<Lack> = halves.iter().flat_map(|half| half.lacks.iter().copied()).collect();
    if lacks.is_empty() {
        let assumed = task.answers.iter().filter(|one| one.topic == LACKING && one.assumed);
        let assumed = assumed.map(|one| one.answer.clone()).collect();
        return Some(Known::Calls(halves.into_iter().map(|half| half.wanted).collect(), assumed));
    }
    if answers.len() >= ASKED_MAX {
        return Some(Known::Refused(format!("{} Without that nothing can be done.", questions(&lacks))));
    }
    Some(Known::Asks(question(copilot, &lacks)))
}

/// Whether words order something and lack what that needs.
pub(super) fn lacks(words: &str) -> bool {
    is_plain_order(words) && halves(words).is_some()
}

/// What takes a program nobody named: the command is asked for, once.
fn by_command(task: &Task) -> Option<Known> {
    let answer = task.answers.iter().rev().find(|answer| answer.topic == COMMAND);
    let shown = text::clip(&task.problem, QUOTED);
    let Some(answer) = answer else {
        let first = text::words(&task.problem).into_iter().find(|word| !is_courtesy(word))?;
        if !WORK.contains(&first.as_str()) {
            return None;
        }
        return Some(Known::Asks(Clarification {
            topic: COMMAND.to_owned(),
            question: format!(
                "{} Say it as steps, such as “run `sort in.txt` and write it to out.txt”. Nothing can be assumed: without \
                 it nothing can be done.",
                unsaid(&task.problem, &shown)
            ),
            choices: Vec::new(),
            assumption: None,
            of: 0,
        }));
    };
    let said = answer.answer.trim();
    let all = orders_behind(said, 0)
        .or_else(|| command_in(said).map(|said| vec![wanted(RUN, &[("command", &run_by(said))])]));
    Some(match all {
        Some(all) => Known::Calls(all, Vec::new()),
        None => Known::Refused(format!(
            "“{}” names no steps either, and without a command or a language model nothing can be done for “{shown}”.",
            text::clip(said, QUOTED)
        )),
    })
}

/// What a task does not say: what it starts from, what comes out, and always the command.
fn unsaid(problem: &str, shown: &str) -> String {
    let says_into = text::words(problem).iter().any(|word| ["to", "into", "as"].contains(&word.as_str()));
    match (files_in(problem).is_empty(), says_into) {
        (true, false) => format!("What does “{shown}” start from, what should come out, and by which command?"),
        (true, true) => format!("What does “{shown}” start from, and by which command is it done?"),
        (false, false) => format!("What should come out of “{shown}”, and by which command?"),
        (false, true) => format!("By which command is “{shown}” done?"),
    }
}

/// The parts of a task; none where one of them is no order.
fn halves(problem: &str) -> Option<Vec<Half>> {
    let mut all: Vec<Half> = Vec::new();
    for part in orders::joined(problem) {
        let at = all.len();
        let mut half = match orders_behind(&part, at).filter(|whole| whole.len() == 1) {
            Some(mut whole) => Half { wanted: whole.remove(0), lacks: Vec::new() },
            None => half(&part, at)?,
        };
        half.wanted.after = at.checked_sub(1).into_iter().collect();
        all.push(half);
    }
    all.iter().any(|half| !half.lacks.is_empty()).then_some(all)
}

/// An order without all it needs: a verb, and nothing behind it but words that name nothing.
fn half(part: &str, at: usize) -> Option<Half> {
    let part = orders::without_end(part.trim());
    let (verb, rest) = orders::verb_and_rest(part);
    let rest: Vec<String> = rest.split_whitespace().map(str::to_lowercase).collect();
    let names_nothing = |known: &[&str]| {
        let empty = |word: &String| EMPTY.contains(&word.as_str()) || known.contains(&word.as_str());
        rest.iter().all(empty)
    };
    let new = |tool: &str, lacks: &[Lack]| Some(Half { wanted: wanted(tool, &[]), lacks: lacks.to_vec() });
    match verb.as_str() {
        "fetch" | "download" | "get" | "load" if names_nothing(&PAGES) => new(FETCH, &[Lack::Address]),
        "run" | "execute" | "start" if names_nothing(&PROGRAMS) => new(RUN, &[Lack::Command]),
        "read" | "open" if names_nothing(&FILES) => new(READ, &[Lack::FileRead]),
        "write" | "save" | "store" | "create" | "make" => writing(part, &verb, &rest, at),
        _ => None,
    }
}

/// “Write a file”, “write "x"”, “save it”, “create notes.txt”, “write a note to notes.txt”.
fn writing(part: &str, verb: &str, rest: &[String], at: usize) -> Option<Half> {
    let named = files_in(part);
    let texts: Vec<String> = all_quoted(part).into_iter().filter(|text| !named.contains(text)).collect();
    let is_it = at > 0 && rest.first().is_some_and(|word| word == "it" || word == "that");
    let unnamed = |word: &&String| !named.iter().any(|file| word.contains(&file.to_lowercase()));
    let empty = |word: &String| {
        EMPTY.contains(&word.as_str()) || FILES.contains(&word.as_str()) || INTO.contains(&word.as_str())
    };
    if texts.is_empty() && !rest.iter().filter(unnamed).all(empty) {
        return None;
    }
    // To make what is no file is no order to write.
    if ["create", "make"].contains(&verb) && named.is_empty() && !rest.iter().any(|word| FILES.contains(&word.as_str()))
    {
        return None;
    }
    let mut half = Half { wanted: wanted(WRITE, &[]), lacks: Vec::new() };
    match texts.first() {
        Some(said) => put(&mut half.wanted, "content", said),
        None if is_it => {
            half.wanted.givens.insert("content".to_owned(), Given::ResultOf(at - 1));
        }
        None => half.lacks.push(Lack::Text),
    }
    match named.first() {
        Some(file) => put(&mut half.wanted, "file", file),
        None => half.lacks.push(Lack::FileWritten),
    }
    (!half.lacks.is_empty()).then_some(half)
}

fn put(wanted: &mut Wanted, name: &str, value: &str) {
    wanted.givens.insert(name.to_owned(), Given::Value(Value::String(value.to_owned())));
}

/// Takes from an answer what fits what is lacking, in order.
fn fill(halves: &mut [Half], answer: &str) {
    let mut rest = answer.trim().to_owned();
    let count: usize = halves.iter().map(|half| half.lacks.len()).sum();
    for half in halves {
        let mut left = Vec::new();
        for lack in std::mem::take(&mut half.lacks) {
            let Some(found) = found(lack, &rest, count, half) else {
                left.push(lack);
                continue;
            };
            let name = match lack {
                Lack::Address => "url",
                Lack::Command => "command",
                Lack::FileRead | Lack::FileWritten => "file",
                Lack::Text => "content",
            };
            rest = rest.replacen(&found, "", 1);
            put(&mut half.wanted, name, &if lack == Lack::Command { run_by(found) } else { found });
        }
        half.lacks = left;
    }
}

fn found(lack: Lack, said: &str, count: usize, half: &Half) -> Option<String> {
    let tokens = || said.split_whitespace().map(|token| token.trim_matches(['`', '"', '“', '”', ',', ';']));
    let file = || files_in(said).into_iter().next().or_else(|| named_file(said).filter(|_| count == 1));
    match lack {
        Lack::Address => tokens().find(|token| is_address(token)).map(|url| url.trim_end_matches('.').to_owned()),
        Lack::Command => command_in(said),
        Lack::FileRead => file(),
        Lack::FileWritten => file().or_else(|| {
            let word = orders::without_end(said.trim());
            (count == 1 && !word.is_empty() && !word.contains(char::is_whitespace)).then(|| word.to_owned())
        }),
        Lack::Text => {
            let quoted = all_quoted(said).into_iter().find(|text| !files_in(said).contains(text));
            let is_alone = half.wanted.givens.contains_key("file") && count == 1;
            let before =
                || INTO.iter().filter_map(|to| said.rfind(&format!(" {to} "))).max().map(|end| said[..end].to_owned());
            let text = quoted.or_else(|| if is_alone { Some(said.to_owned()) } else { before() });
            text.filter(|text| !text.trim().is_empty())
        }
    }
}

/// A command: in quotes, one whose program is there, or the name of a script.
fn command_in(said: &str) -> Option<String> {
    let said = orders::without_end(said.trim());
    let said = said.strip_prefix("run ").unwrap_or(said);
    if let Some((inside, "")) = quoted(said) {
        return Some(inside.to_owned());
    }
    let is_path = said.split_whitespace().next()?.contains('/');
    ((is_path || bare_command(said).is_some()) && is_like_command(said)).then(|| said.to_owned())
}

/// Whether words look like a command and not like a sentence that begins with the name of a program, as “make a report
/// about sales” does: short, or with what no sentence has.
fn is_like_command(said: &str) -> bool {
    let is_sign =
        |word: &str| word.starts_with('-') || word.contains(['/', '.', '|', '>', '<', '=', '$', '*', '"', '\'']);
    said.split_whitespace().count() <= COMMAND_WORDS || said.split_whitespace().any(is_sign)
}

/// A command, with what runs it where it is a script.
fn run_by(command: String) -> String {
    bare_command(&command).unwrap_or(command)
}

fn question(copilot: &Copilot, lacks: &[Lack]) -> Clarification {
    let assumption = assumed(copilot, lacks);
    let mut question = questions(lacks);
    if assumption.is_none() {
        question.push_str(" Nothing can be assumed for that: without it nothing can be done.");
    }
    Clarification { topic: LACKING.to_owned(), question, choices: Vec::new(), assumption, of: 0 }
}

fn questions(lacks: &[Lack]) -> String {
    let asked = |lack: &Lack| match lack {
        Lack::Address => "Which address should be fetched?",
        Lack::Command => "Which command or script should be run?",
        Lack::FileRead => "Which file should be read?",
        Lack::Text => "What should be written?",
        Lack::FileWritten => "Into which file?",
    };
    let mut all: Vec<&str> = lacks.iter().map(asked).collect();
    all.dedup();
    all.join(" ")
}

/// What stands for itself: the only script or file there is, or a name for what has none.
fn assumed(copilot: &Copilot, lacks: &[Lack]) -> Option<String> {
    let [only] = lacks else { return None };
    let listed = copilot.folder.list(None).ok()?;
    let files: Vec<&str> = listed.lines().filter(|line| !line.ends_with('/')).collect();
    let alone =
        |fits: &dyn Fn(&str) -> bool| match files.iter().filter(|file| fits(file)).collect::<Vec<_>>().as_slice() {
            [one] => Some((**one).to_owned()),
            _ => None,
        };
    match only {
        Lack::Command => alone(&|file| runner_of(file).is_some()),
        Lack::FileRead => alone(&|_| true),
        Lack::FileWritten => Some(NAMED.to_owned()).filter(|name| !files.contains(&name.as_str())),
        Lack::Address | Lack::Text => None,
    }
}

/// The topic of what an order lacks.
const LACKING: &str = "lacking";
/// The topic of the command for what no tool does by itself.
const COMMAND: &str = "command";
/// A card that was answered twice without what it asks is not shown again.
/// Words of a command that has nothing else to be known by.
const COMMAND_WORDS: usize = 2;
const ASKED_MAX: usize = 2;
/// What a file is called that nobody named.
const NAMED: &str = "result.txt";
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;
/// Words that name nothing.
const EMPTY: [&str; 20] = [
    "a",
    "an",
    "the",
    "it",
    "this",
    "that",
    "them",
    "some",
    "something",
    "my",
    "our",
    "please",
    "now",
    "one",
    "new",
    "for",
    "me",
    "down",
    "again",
    "us",
];
const PAGES: [&str; 9] = ["page", "site", "website", "url", "link", "address", "file", "data", "document"];
const PROGRAMS: [&str; 7] = ["script", "command", "program", "job", "tool", "python", "code"];
const FILES: [&str; 7] = ["file", "text", "note", "result", "document", "files", "notes"];
/// What takes a program that nobody named.
const WORK: [&str; 22] = [
    "convert",
    "compress",
    "resize",
    "translate",
    "summarize",
    "sort",
    "split",
    "merge",
    "format",
    "extract",
    "rename",
    "clean",
    "count",
    "compare",
    "process",
    "parse",
    "transform",
    "export",
    "import",
    "validate",
    "archive",
    "encrypt",
];
