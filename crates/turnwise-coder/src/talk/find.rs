//! Finding: files by their names, a text wherever it stands, and lines by their numbers, for those who say exactly what
//! they look for. A text is taken as it is written, with capitals only where it has some. Next: `look`, for questions.

use turnwise_assistant::place::FilePath;
use turnwise_core::text;
use turnwise_intent::behaviour::coder::files_in;

use super::{look, places};
use crate::workspace::{Found, Search, Workspace};

/// “Find files named X”, “which files have X in their name”.
pub(super) fn by_name(workspace: &Workspace, question: &str) -> Option<String> {
    let wanted = wanted_name(question)?;
    let is_glob = wanted.contains(['*', '?']);
    let found: Vec<FilePath> = match is_glob {
        true => workspace.find(&wanted).map(|found| found.files().to_vec()).unwrap_or_default(),
        false => {
            let files = workspace.files().into_iter();
            files.filter(|file| file.file_name().to_lowercase().contains(&wanted)).collect()
        }
    };
    Some(if found.is_empty() { format!("No file is called “{wanted}”.") } else { look::listed(&found) })
}

/// The name of files that are asked for. What else a file may have, a function or a class, is named as well.
fn wanted_name(question: &str) -> Option<String> {
    let words = tokens(question);
    let at = words.iter().position(|word| matches!(word.as_str(), "file" | "files"))?;
    // “Files named X”, “files that are called X”.
    let behind = words[at + 1..].iter().position(|word| !matches!(word.as_str(), "that" | "which" | "is" | "are"));
    let behind = behind.map_or(&[][..], |first| &words[at + 1 + first..]);
    if let [said, name, ..] = behind
        && matches!(said.as_str(), "named" | "called")
    {
        return Some(name.clone());
    }
    // “With X in their names”: the word before “in”.
    let name = words.iter().position(|word| matches!(word.as_str(), "name" | "names"))?;
    let at_in = words[..name].iter().rposition(|word| word == "in")?;
    let is_of_files = |word: &String| matches!(word.as_str(), "the" | "its" | "their" | "a" | "file" | "file's");
    words[at_in + 1..name].iter().all(is_of_files).then(|| words[..at_in].last().cloned()).flatten()
}

/// The words in small letters, with the marks that names and patterns are made of.
fn tokens(question: &str) -> Vec<String> {
    let marks = ['"', '“', '”', '`', '\'', '?', '!', ',', ';', ':'];
    let trimmed = question.split_whitespace().map(|word| word.trim_end_matches(['.', '!', ',']));
    trimmed
        .map(|word| match word.contains('*') {
            true => word.trim_matches(['"', '“', '”', '`', '\'']).to_lowercase(),
            false => word.trim_matches(marks).to_lowercase(),
        })
        .collect()
}

/// “Search for X”, “which files mention X”, “where does X stand”: all lines with it.
pub(super) fn text(workspace: &Workspace, question: &str) -> Option<String> {
    let wanted = Wanted::of(question)?;
    let within = wanted.within(workspace)?;
    let search =
        Search { text: &wanted.text, whole_words: false, exact_case: wanted.text.contains(char::is_uppercase) };
    let found = match &within {
        Some(files) => workspace.search(files, &search).ok()?,
        None => workspace.search_all(&search).ok()?,
    };
    let quoted = format!("“{}”", wanted.text);
    if found.total == 0 {
        // What was not marked as one text may have been meant as words.
        return wanted.is_exact.then(|| format!("{quoted} stands nowhere in {}.", wanted.place()));
    }
    if wanted.only_files {
        let holding = match &within {
            Some(files) => workspace.files_with(files, &search).ok()?,
            None => workspace.files_holding(&search).ok()?,
        };
        return Some(format!("{quoted} stands in {}", look::listed(&holding)));
    }
    let (lines, files) = (text::count(found.total, "line"), text::count(found.in_files, "file"));
    Some(format!("{quoted} stands in {lines} of {files}:\n{}", places::hits(&found)))
}

/// A text that is looked for.
struct Wanted {
    text: String,
    /// Whether it is said without doubt where it begins and ends.
    is_exact: bool,
    /// The file or folder it is looked for in.
    place: Option<String>,
    /// Whether the files are asked for, and not the lines.
    only_files: bool,
}

impl Wanted {
    fn of(question: &str) -> Option<Self> {
        let said = question.trim().trim_end_matches(['?', '.', '!']);
        let lower = said.to_ascii_lowercase();
        let rest = OPENINGS
            .iter()
            .find_map(|opening| said.get(lower.strip_prefix(opening).map(|rest| said.len() - rest.len())?..))
            .map(|rest| behind_for(rest).unwrap_or(rest))
            .or_else(|| behind_verb(said, &lower))
            .or_else(|| between(said, &lower))?;
        let only_files = ["which file", "what file", "find file", "find all file", "list file", "list all file"]
            .iter()
            .any(|opening| lower.starts_with(opening));
        let (text, is_exact, behind) = match quoted(rest) {
            Some((text, behind)) => (text, true, behind),
            None => {
                let (text, place) = rest.rsplit_once(" in ").map_or((rest, None), |(text, place)| (text, Some(place)));
                let words: Vec<&str> = text.split_whitespace().skip_while(|word| is_leading(word)).collect();
                (words.join(" "), words.len() == 1, place.unwrap_or_default())
            }
        };
        let place = behind.split_whitespace().map(|word| word.trim_matches(['`', '"', '“', '”', ','])).next_back();
        let place = place.filter(|place| !WHOLE.contains(place)).map(str::to_owned);
        let points = quoted(rest).is_none() && POINTS.contains(&text.to_lowercase().as_str());
        (!text.trim().is_empty() && !points).then_some(Self { text, is_exact, place, only_files })
    }

    /// The files it is looked for in, all where no place is named; none where words that should be a place are none.
    fn within(&self, workspace: &Workspace) -> Option<Option<Vec<FilePath>>> {
        let Some(place) = &self.place else { return Some(None) };
        match workspace.find(place) {
            Ok(Found::One(path)) => Some(Some(vec![path])),
            Ok(Found::Many(paths) | Found::Ambiguous(paths)) => Some(Some(paths)),
            Ok(Found::Nothing) | Err(_) => None,
        }
    }

    fn place(&self) -> &str {
        self.place.as_deref().unwrap_or("the workspace")
    }
}

/// What stands behind a verb that says so, where files or lines are asked for: other questions may have that verb too.
fn behind_verb<'a>(said: &'a str, lower: &str) -> Option<&'a str> {
    let (at, verb) = VERBS.iter().find_map(|verb| Some((lower.find(verb)?, verb)))?;
    let before: Vec<&str> = lower.get(..at)?.split_whitespace().collect();
    let asks = before.first().is_some_and(|first| ASKS.contains(first));
    let about = before.iter().take(ABOUT_WITHIN).position(|word| ABOUT.contains(word));
    let is_of = |word: &&str| !matches!(*word, "does" | "do" | "did" | "is" | "this" | "that" | "not" | "if");
    let is_asked = asks && about.is_some_and(|about| before[..about].iter().all(is_of));
    (is_asked || !verb.starts_with(' ')).then(|| said.get(at + verb.len()..)).flatten()
}

/// What stands behind “for”.
fn behind_for(rest: &str) -> Option<&str> {
    let rest = rest.strip_prefix("for ").or_else(|| rest.split_once(" for ").map(|(_, behind)| behind));
    rest.map(str::trim_start)
}

/// “Where does X stand”: what is between them.
fn between<'a>(said: &'a str, lower: &str) -> Option<&'a str> {
    let begin = ["where does ", "where do "].iter().find(|begin| lower.starts_with(**begin))?;
    let end = ["stand", "appear", "occur"].iter().filter_map(|verb| lower.rfind(&format!(" {verb}"))).max()?;
    said.get(begin.len()..end)
}

/// The first text between marks, and what is behind it.
fn quoted(said: &str) -> Option<(String, &str)> {
    let (at, open) = said.char_indices().find(|(_, letter)| matches!(letter, '"' | '“' | '`'))?;
    let close = if open == '“' { '”' } else { open };
    let inside = &said[at + open.len_utf8()..];
    let end = inside.find(close)?;
    Some((inside[..end].to_owned(), &inside[end + close.len_utf8()..]))
}

/// Words before a text that are none of it, and options of a command.
fn is_leading(word: &str) -> bool {
    let is_option = word.len() > 1 && word.starts_with('-');
    let is_said =
        ["the", "all", "any", "every", "a", "word", "words", "text", "string", "places", "lines", "of", "where"];
    is_option || is_said.contains(&word.to_lowercase().as_str())
}

/// “Lines 10 to 20”, “line 12”, “the first 5 lines”, `FILE:10-20`: these lines of `file`.
pub(super) fn lines(workspace: &Workspace, question: &str, file: Option<&FilePath>) -> Option<Result<String, String>> {
    let span = span(question)?;
    let path = file?;
    let content = match workspace.read(path) {
        Ok(text) => text.content,
        Err(error) => return Some(Err(crate::rules::sentence(&error.to_string()))),
    };
    let count = content.lines().count();
    let (first, last) = match span {
        Span::Lines(first, last) => (first, last.min(count)),
        Span::Last(lines) => (count.saturating_sub(lines) + 1, count),
    };
    if first == 0 || first > count || last < first {
        return Some(Err(format!("{path} has {}, so there is no line {first}.", text::count(count, "line"))));
    }
    Some(Ok(places::span(workspace, path, &content, first, last)))
}

/// Lines that are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    Lines(usize, usize),
    Last(usize),
}

fn span(question: &str) -> Option<Span> {
    let positions = question.split_whitespace().filter(|word| !files_in(word).is_empty());
    let of_position = |word: &str| {
        let word = word.trim_end_matches(['?', '.', ',', '!', '`', '"']);
        let (_, position) = word.split_once(':')?;
        let position = position.split_once(':').map_or(position, |(line, _)| line);
        let (first, last) = position.split_once('-').unwrap_or((position, position));
        Some(Span::Lines(first.parse().ok()?, last.parse().ok()?))
    };
    if let Some(span) = positions.filter_map(of_position).next() {
        return Some(span);
    }
    let words = text::words(question);
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    let at = words.iter().position(|word| matches!(word.as_str(), "line" | "lines"))?;
    if let Some(first) = number(at + 1) {
        let joined = words.get(at + 2).is_some_and(|word| matches!(word.as_str(), "to" | "through" | "and" | "until"));
        let last = if joined { number(at + 3) } else { number(at + 2) };
        return Some(Span::Lines(first, last.unwrap_or(first)));
    }
    let count = at.checked_sub(1).and_then(number)?;
    match at.checked_sub(2).and_then(|at| words.get(at)).map(String::as_str)? {
        "first" | "top" => Some(Span::Lines(1, count)),
        "last" => Some(Span::Last(count)),
        _ => None,
    }
}

/// How a search begins.
const OPENINGS: [&str; 5] = ["search ", "grep ", "scan ", "look for ", "find all occurrences of "];
/// What says that a text stands somewhere.
const VERBS: [&str; 9] = [
    " containing ",
    " contains ",
    " contain ",
    " mentioning ",
    " mentions ",
    " mention ",
    "occurrences of ",
    "mentions of ",
    " that say ",
];
/// How a question for files or lines begins.
const ASKS: [&str; 9] = ["which", "what", "find", "list", "show", "give", "in", "are", "any"];
/// What is asked for.
const ABOUT: [&str; 6] = ["file", "files", "line", "lines", "place", "places"];
/// Words within which that is said.
const ABOUT_WITHIN: usize = 4;
/// Words that point to something and are no text to look for.
const POINTS: [&str; 5] = ["this", "it", "that", "them", "these"];
/// Words for all of it where a place is said.
const WHOLE: [&str; 8] = ["code", "codebase", "project", "repo", "repository", "workspace", "files", "here"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_asked_for_by_number() {
        let check = |question: &str, expected: Option<Span>| assert_eq!(span(question), expected, "{question}");
        check("show me lines 10-20 of src/a.rs", Some(Span::Lines(10, 20)));
        check("show lines 10 to 20 of src/a.rs", Some(Span::Lines(10, 20)));
        check("what is on line 12 of a.rs?", Some(Span::Lines(12, 12)));
        check("show src/a.rs:3-9", Some(Span::Lines(3, 9)));
        check("what is at src/a.rs:12:3?", Some(Span::Lines(12, 12)));
        check("the first 5 lines of a.rs", Some(Span::Lines(1, 5)));
        check("the last 5 lines of a.rs", Some(Span::Last(5)));
        check("how many lines has a.rs?", None);
    }

    #[test]
    fn files_are_asked_for_by_their_names_and_not_by_what_else_is_named() {
        let check = |question: &str, name: Option<&str>| {
            assert_eq!(wanted_name(question).as_deref(), name, "{question}");
        };
        check("find files named shop", Some("shop"));
        check("is there a file called Shop.rs?", Some("shop.rs"));
        check("which files are called *.rs", Some("*.rs"));
        check("find files with read in their name", Some("read"));
        check("which file has a function named total?", None);
        check("which files define a class named Cart?", None);
        check("which function in this file has the longest name?", None);
    }

    #[test]
    fn a_text_is_looked_for_where_one_is_named() {
        let check = |question: &str, expected: Option<(&str, Option<&str>)>| {
            let wanted = Wanted::of(question);
            let found = wanted.as_ref().map(|wanted| (wanted.text.as_str(), wanted.place.as_deref()));
            assert_eq!(found, expected, "{question}");
        };
        check("search for \"exemplar\"", Some(("exemplar", None)));
        check("search the code for unwrap", Some(("unwrap", None)));
        check("search for unwrap in src", Some(("unwrap", Some("src"))));
        check("grep -n \"fn main\" src", Some(("fn main", Some("src"))));
        check("which files mention unwrap?", Some(("unwrap", None)));
        check("find all files that contain `a b` in lib", Some(("a b", Some("lib"))));
        check("where does \"fn main\" stand?", Some(("fn main", None)));
        check("in which files does nothing mention `a b`?", Some(("a b", None)));
        check("show me all lines containing unwrap", Some(("unwrap", None)));
        check("list the occurrences of unwrap", Some(("unwrap", None)));
        check("how is total tested if app.py does not mention it?", None);
        check("what does this file contain besides x", None);
        check("which functions in src/a.rs contain a loop?", None);
        check("which files mention this?", None);
        check("what does total do?", None);
        check("where is total defined?", None);
    }
}
