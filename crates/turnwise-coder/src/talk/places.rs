//! Places: where a name is defined and used, what a file holds, and where words stand, each as `file:line` with what is
//! written there. Nothing is said of the code that cannot be read at the place. Next: `look`.

use std::collections::{BTreeMap, BTreeSet};

use turnwise_assistant::place::FilePath;
use turnwise_core::{Surroundings, text};

use super::names::{Named, is_plain};
use crate::code::{Definition, Language, definitions, identifiers, is_code, line_at};
use crate::rules::{Apart, Which, apart};
use crate::workspace::{Hits, Search, Workspace};

/// The definitions of a name in `files`.
pub(super) fn defining(workspace: &Workspace, name: &str, files: &[FilePath]) -> Vec<Definition> {
    defining_by(workspace, &Search::name(name), files)
}

/// The definitions whose whole name is what is looked for.
pub(super) fn defining_by(workspace: &Workspace, search: &Search<'_>, files: &[FilePath]) -> Vec<Definition> {
    let code: Vec<FilePath> = files.iter().filter(|path| Language::of(path).is_some()).cloned().collect();
    let files = workspace.files_with(&code, search).unwrap_or_default();
    let of = |path: &FilePath| workspace.read(path).map(|text| definitions(path, &text.content)).unwrap_or_default();
    let is_meant = |name: &str| match search.exact_case {
        true => name == search.text,
        false => name.eq_ignore_ascii_case(search.text),
    };
    files.iter().flat_map(of).filter(|definition| is_meant(&definition.name)).collect()
}

/// Which of the things of a name is asked about: none where nothing says so. What is said to belong to a type that has
/// nothing of that name is none of those that others have.
fn told_apart(workspace: &Workspace, named: &Named) -> Result<Option<Apart>, String> {
    let Named { name, owner: Some(owner) } = named else { return Ok(None) };
    match apart(workspace, name, &Which::Of(owner)) {
        Some(found) => Ok(Some(found)),
        None if owner.starts_with(char::is_uppercase) => {
            let there = defining(workspace, name, &workspace.files());
            let there: Vec<String> = there.iter().map(|it| format!("{}:{}", it.path, it.first_line)).collect();
            let there = match there.is_empty() {
                true => String::new(),
                false => format!(" What is called “{name}” is defined in {}.", crate::rules::some(&there)),
            };
            Err(format!("No “{name}” of “{owner}” is defined here.{there}"))
        }
        // A variable or a module that is not known: all of that name are told.
        None => Ok(None),
    }
}

/// Where a name is defined; with what is written there unless only the place is asked for.
pub(super) fn defined(
    workspace: &Workspace,
    named: &Named,
    files: &[FilePath],
    only_where: bool,
) -> Result<String, String> {
    let name = named.name.as_str();
    let one = told_apart(workspace, named)?;
    let mut found = defining(workspace, name, files);
    if let Some(one) = &one {
        found.retain(|it| one.defined.iter().any(|(path, line)| *path == it.path && is_at(it, *line)));
    }
    if found.is_empty() {
        let told = uses(workspace, named, files)?;
        return Ok(format!("No definition of “{name}” is known here. {told}"));
    }
    let mut told: Vec<String> = Vec::new();
    for definition in found.iter().take(DEFINITIONS_SHOWN) {
        let at = format!("{}:{}", definition.path, definition.first_line);
        told.push(format!("{at}: {} {name}: {}", definition.kind, definition.head));
        if let Some(said) = &definition.said {
            told.push(format!("  {}", text::clip(said, SAID_WIDTH)));
        }
        if !only_where {
            told.extend(quoted(workspace, &definition.path, definition.first_line, definition.last_line));
        }
    }
    if found.len() > DEFINITIONS_SHOWN {
        told.push(format!("… {} more", text::count(found.len() - DEFINITIONS_SHOWN, "definition")));
    }
    if !only_where {
        let at: Vec<(FilePath, usize)> = found.iter().map(|it| (it.path.clone(), it.first_line)).collect();
        let one = one.or_else(|| apart(workspace, name, &Which::At(&at)));
        told.push(one.map_or_else(|| used_by_words(workspace, name, files, found.len()), |one| used(name, &one)));
    }
    Ok(told.join("\n"))
}

fn is_at(definition: &Definition, line: usize) -> bool {
    (definition.first_line..=definition.last_line).contains(&line)
}

/// How often a thing is used, and how often it may be.
fn used(name: &str, one: &Apart) -> String {
    let places = |count: usize| text::count(count, "other place");
    let maybe = match one.maybe.len() {
        0 => String::new(),
        1 => " 1 more place may be it or another.".to_owned(),
        many => format!(" {many} more places may be it or another."),
    };
    match one.used.len() {
        0 if one.maybe.is_empty() => format!("“{name}” stands nowhere else in the code."),
        0 => format!("It is used nowhere else for certain.{maybe}"),
        count => format!("Used in {}; “where is {name} used” lists them.{maybe}", places(count)),
    }
}

/// The same where the language is not known.
fn used_by_words(workspace: &Workspace, name: &str, files: &[FilePath], defined: usize) -> String {
    match places_of(workspace, name, files).len().saturating_sub(defined) {
        0 => format!("“{name}” stands nowhere else in the code."),
        others => format!("Used in {}; “where is {name} used” lists them.", text::count(others, "other place")),
    }
}

/// Lines of a file with their numbers.
fn quoted(workspace: &Workspace, path: &FilePath, first: usize, last: usize) -> Vec<String> {
    quoted_up_to(workspace, path, first, last, LINES_QUOTED)
}

fn quoted_up_to(workspace: &Workspace, path: &FilePath, first: usize, last: usize, lines_max: usize) -> Vec<String> {
    let Ok(text) = workspace.read(path) else { return Vec::new() };
    let end = last.min(first.saturating_add(lines_max - 1));
    let width = end.to_string().len();
    let mut lines: Vec<String> = text
        .lines()
        .filter(|(number, _)| (first..=end).contains(number))
        .map(|(number, line)| format!("{number:>width$} | {line}"))
        .collect();
    if last > end {
        lines.push(format!("… up to line {last}"));
    }
    lines
}

/// Where a name stands as a name: file, line, and what is written there.
fn places_of(workspace: &Workspace, name: &str, files: &[FilePath]) -> Vec<(FilePath, usize, String)> {
    let code: Vec<FilePath> = files.iter().filter(|path| is_code(path)).cloned().collect();
    let mut places = Vec::new();
    for path in workspace.files_with(&code, &Search::name(name)).unwrap_or_default() {
        let Ok(text) = workspace.read(&path) else { continue };
        let lines: BTreeSet<usize> = identifiers(&path, &text.content, name)
            .names
            .iter()
            .map(|range| line_at(&text.content, range.start))
            .collect();
        let line = |(number, line): (usize, &str)| (path.clone(), number, line.trim().to_owned());
        places.extend(text.lines().filter(|(number, _)| lines.contains(number)).map(line));
    }
    places
}

/// Where a name is used.
pub(super) fn uses(workspace: &Workspace, named: &Named, files: &[FilePath]) -> Result<String, String> {
    let name = named.name.as_str();
    if let Some(one) = told_apart(workspace, named)? {
        return Ok(uses_of_one(workspace, named, &one, files));
    }
    let defined: BTreeSet<(FilePath, usize)> = defining(workspace, name, files)
        .into_iter()
        .map(|definition| (definition.path, definition.first_line))
        .collect();
    let mut places = places_of(workspace, name, files);
    places.retain(|(path, line, _)| !defined.contains(&(path.clone(), *line)));
    if places.is_empty() {
        let hits = workspace.search(files, &Search::name(name)).map_err(|error| error.to_string())?;
        let rest: Vec<&crate::workspace::Hit> = hits
            .hits
            .iter()
            .filter(|hit| !defined.contains(&(hit.path.clone(), usize::try_from(hit.line).unwrap_or(0))))
            .collect();
        return Ok(match rest.first() {
            None => format!("“{name}” is used nowhere else in the code."),
            Some(hit) => format!(
                "“{name}” is used nowhere in the code; it is only mentioned: {}:{}: {}",
                hit.path, hit.line, hit.text
            ),
        });
    }
    Ok(lines_of(&format!("“{name}” is used"), &places))
}

/// Where one of several things of a name is used, and where it may be.
fn uses_of_one(workspace: &Workspace, named: &Named, one: &Apart, files: &[FilePath]) -> String {
    let Named { name, owner } = named;
    let of = owner.as_deref().map(|owner| format!("“{name}” of {owner}")).unwrap_or_default();
    let mut all = places_of(workspace, name, files);
    all.retain(|(path, line, _)| {
        one.used.contains(&(path.clone(), *line)) || one.maybe.contains(&(path.clone(), *line))
    });
    let (maybe, used): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(path, line, _)| one.maybe.contains(&(path.clone(), *line)));
    let mut told = vec![match used.is_empty() {
        true => format!("{of} is used nowhere else for certain."),
        false => lines_of(&format!("{of} is used"), &used),
    }];
    if !maybe.is_empty() {
        told.push(lines_of("It may be meant as well", &maybe));
    }
    told.join("\n")
}

/// Lines of the code under a heading that counts them.
fn lines_of(what: &str, places: &[(FilePath, usize, String)]) -> String {
    let files: BTreeSet<&FilePath> = places.iter().map(|(path, ..)| path).collect();
    let head = format!("{what} in {} of {}:", text::count(places.len(), "line"), text::count(files.len(), "file"));
    let line = |(path, line, written): &(FilePath, usize, String)| {
        format!("{path}:{line}: {}", text::clip(written, LINE_WIDTH))
    };
    let mut told: Vec<String> = std::iter::once(head).chain(places.iter().take(PLACES_SHOWN).map(line)).collect();
    if places.len() > PLACES_SHOWN {
        told.push(format!("… {} more", text::count(places.len() - PLACES_SHOWN, "line")));
    }
    told.join("\n")
}

/// What a file holds: how long it is, what it says of itself, what it defines; or its lines.
pub(super) fn of_file(workspace: &Workspace, path: &FilePath, show: bool) -> Result<String, String> {
    let text = workspace.read(path).map_err(|error| crate::rules::sentence(&error.to_string()))?;
    let lines = text.content.lines().count();
    let head = format!("{path} has {}.", text::count(lines, "line"));
    let found = definitions(path, &text.content);
    if show || found.is_empty() {
        let shown = quoted_up_to(workspace, path, 1, lines, if show { LINES_READ } else { LINES_QUOTED });
        return Ok(format!("{head}\n{}", shown.join("\n")));
    }
    let mut told = vec![head];
    // What stands above the first definition is said beside it.
    let of_first = found.first().and_then(|first| first.said.as_deref());
    let of_file = first_words(&text.content).filter(|said| Some(said.as_str()) != of_first);
    told.extend(of_file.map(|said| format!("{path}:1: {}", text::clip(&said, SAID_WIDTH))));
    for definition in found.iter().filter(|definition| definition.kind != "field").take(PLACES_SHOWN) {
        let said = definition.said.as_deref().map(|said| format!(" – {}", text::clip(said, LINE_WIDTH)));
        let said = said.unwrap_or_default();
        told.push(format!("{path}:{}: {} {}{said}", definition.first_line, definition.kind, definition.name));
    }
    Ok(told.join("\n"))
}

/// The lines that are selected in an editor; none where nothing is, or its file is none of the workspace.
pub(super) fn selected(workspace: &Workspace, around: &Surroundings) -> Option<String> {
    let selection = around.selection.as_ref()?;
    let path = FilePath::new(&selection.file).ok()?;
    let content = workspace.read(&path).ok()?.content;
    Some(span(workspace, &path, &content, selection.first_line as usize, selection.last_line as usize))
}

/// Lines of a file, and the definition they are a part of.
pub(super) fn span(workspace: &Workspace, path: &FilePath, content: &str, first: usize, last: usize) -> String {
    let within = definitions(path, content).into_iter().filter(|it| it.first_line <= first && last <= it.last_line);
    let inmost = within.min_by_key(|it| it.last_line - it.first_line);
    let place = inmost.map(|it| format!(", in {} {}", it.kind, it.name)).unwrap_or_default();
    let shown = quoted_up_to(workspace, path, first, last.min(content.lines().count()), LINES_READ);
    format!("{path}:{first}-{last}{place}:\n{}", shown.join("\n"))
}

/// What the comment at the top of a file says.
fn first_words(content: &str) -> Option<String> {
    let marks = ['/', '!', '#', '*', '"', '\'', ' '];
    let is_comment = |line: &&str| line.starts_with(['/', '#', '*', '"', '\'']) && !line.starts_with("#[");
    let lines: Vec<&str> = content.lines().map(str::trim).take_while(is_comment).collect();
    let said = lines.iter().map(|line| line.trim_matches(marks)).collect::<Vec<_>>().join(" ");
    (!said.trim().is_empty()).then(|| said.trim().to_owned())
}

/// A name that stands nowhere; where it does with other capitals, that is said.
pub(super) fn unknown(workspace: &Workspace, name: &str) -> String {
    let near = workspace.search_all(&Search::words(name)).unwrap_or_default();
    match near.hits.first() {
        None => format!("There is no “{name}” in the workspace."),
        Some(hit) => format!("There is no “{name}” as it is written; near is {}:{}: {}", hit.path, hit.line, hit.text),
    }
}

/// Lines of a search.
pub(super) fn hits(found: &Hits) -> String {
    let line =
        |hit: &crate::workspace::Hit| format!("{}:{}: {}", hit.path, hit.line, text::clip(&hit.text, LINE_WIDTH));
    let mut told: Vec<String> = found.hits.iter().take(PLACES_SHOWN).map(line).collect();
    if found.total > told.len() {
        told.push(format!("… {} more", text::count(found.total - told.len(), "line")));
    }
    told.join("\n")
}

/// The lines in which most words of a question stand.
pub(super) fn by_words(workspace: &Workspace, words: &[String], files: &[FilePath]) -> Result<String, String> {
    let content: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !is_plain(word) && word.len() > 2).collect();
    if content.is_empty() {
        return Err("Say what it is about: a file, a name in the code, or a word that stands in it.".to_owned());
    }
    let mut lines: BTreeMap<(FilePath, u64), (usize, String)> = BTreeMap::new();
    for word in &content {
        // What is asked in the plural is mostly written in the singular.
        let stem = word.strip_suffix('s').filter(|stem| stem.len() > 3).unwrap_or(word);
        let hits = workspace.search(files, &Search::words(stem)).map_err(|error| error.to_string())?;
        for hit in hits.hits {
            lines.entry((hit.path, hit.line)).or_insert((0, hit.text)).0 += 1;
        }
    }
    let most = lines.values().map(|(count, _)| *count).max();
    let Some(most) = most else {
        return Err(format!("Nothing in the workspace speaks of {}.", quoted_list(&content)));
    };
    let mut best: Vec<(&(FilePath, u64), &String)> =
        lines.iter().filter(|(_, (count, _))| *count == most).map(|(place, (_, written))| (place, written)).collect();
    best.sort_by_key(|((path, line), _)| (!is_code(path), path.clone(), *line));
    let total = best.len();
    let line = |((path, line), written): &(&(FilePath, u64), &String)| {
        format!("{path}:{line}: {}", text::clip(written, LINE_WIDTH))
    };
    let shown: Vec<String> = best.iter().take(WORDS_SHOWN).map(line).collect();
    let more = if total > shown.len() {
        format!("\n… {} more", text::count(total - shown.len(), "line"))
    } else {
        String::new()
    };
    Ok(format!(
        "Explaining takes a language model, and there is none here. These places speak of {}:\n{}{more}",
        quoted_list(&content),
        shown.join("\n")
    ))
}

fn quoted_list(words: &[&str]) -> String {
    text::listed(&words.iter().map(|word| format!("“{word}”")).collect::<Vec<_>>())
}

/// Definitions that an answer shows.
const DEFINITIONS_SHOWN: usize = 4;
/// Lines of one definition that are quoted.
const LINES_QUOTED: usize = 24;
/// Lines of a file that are quoted where its lines are asked for.
const LINES_READ: usize = 200;
/// Places that an answer lists.
const PLACES_SHOWN: usize = 25;
/// Places that an answer by words lists.
const WORDS_SHOWN: usize = 10;
/// Characters of a line that is shown.
const LINE_WIDTH: usize = 110;
/// Characters of a comment that is shown.
const SAID_WIDTH: usize = 300;
