//! The whole project: what its README says of it first, and what it is made of. Nothing is said that cannot be read
//! there. Next: `look`.

use std::collections::BTreeMap;

use turnwise_assistant::place::FilePath;
use turnwise_core::text;

use crate::workspace::Workspace;

/// Whether words ask what the project is, and nothing beside.
pub(super) fn is_asked_for(words: &[&str]) -> bool {
    let names_it = words.iter().any(|word| PROJECT.contains(word));
    names_it && words.iter().all(|word| PROJECT.contains(word) || AROUND.contains(word))
}

/// What it is about.
pub(super) fn told(workspace: &Workspace) -> String {
    let files = workspace.files();
    let mut told =
        readme(workspace, &files).unwrap_or_else(|| vec!["There is no README that says what it is about.".to_owned()]);
    let mut endings: BTreeMap<String, usize> = BTreeMap::new();
    for ending in files.iter().map(FilePath::ending).filter(|ending| !ending.is_empty()) {
        *endings.entry(ending).or_default() += 1;
    }
    let mut endings: Vec<(String, usize)> = endings.into_iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let most: Vec<String> =
        endings.iter().take(ENDINGS_SHOWN).map(|(ending, count)| format!("{count} .{ending}")).collect();
    let made_of = if most.is_empty() { String::new() } else { format!(", of them {}", text::listed(&most)) };
    told.push(format!("{}{made_of}.", text::count(files.len(), "file")));
    told.join("\n")
}

/// The title and the first words of the README, each with its line. Of several the one nearest to the top speaks for
/// the whole.
fn readme(workspace: &Workspace, files: &[FilePath]) -> Option<Vec<String>> {
    let is_readme = |path: &&FilePath| {
        let name = path.file_name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem).eq_ignore_ascii_case("readme")
    };
    let depth = |path: &&FilePath| (path.as_str().matches('/').count(), (*path).clone());
    let path = files.iter().filter(is_readme).min_by_key(depth)?;
    let content = workspace.read(path).ok()?.content;
    let lines: Vec<(usize, &str)> = (1..).zip(content.lines().map(str::trim)).collect();
    let is_title = |line: &str| line.starts_with('#');
    // Signs of builds, links to other pages and marks of other tools say nothing of what it is.
    let is_words =
        |line: &str| line.chars().next().is_some_and(|first| first.is_alphanumeric() || "*_`>\"“".contains(first));
    let title = lines.iter().find(|(_, line)| is_title(line));
    let first = lines.iter().position(|(_, line)| is_words(line))?;
    let paragraph: Vec<&str> =
        lines[first..].iter().map(|(_, line)| *line).take_while(|line| !line.is_empty()).collect();
    let mut told: Vec<String> = title.map(|(at, line)| format!("{path}:{at}: {line}")).into_iter().collect();
    told.push(format!("{path}:{}: {}", lines[first].0, text::clip(&paragraph.join(" "), WIDTH)));
    Some(told)
}

/// Words for the whole.
const PROJECT: [&str; 13] = [
    "project",
    "repository",
    "repo",
    "codebase",
    "base",
    "crate",
    "package",
    "library",
    "app",
    "application",
    "program",
    "workspace",
    "overview",
];
/// Words that ask of it and name nothing else.
const AROUND: [&str; 34] = [
    "what",
    "what's",
    "whats",
    "is",
    "this",
    "the",
    "about",
    "for",
    "does",
    "do",
    "tell",
    "me",
    "us",
    "give",
    "an",
    "a",
    "of",
    "code",
    "explain",
    "describe",
    "summarise",
    "summarize",
    "summary",
    "short",
    "in",
    "here",
    "all",
    "please",
    "can",
    "you",
    "purpose",
    "whole",
    "it",
    "my",
];
/// Endings of files that are counted out.
const ENDINGS_SHOWN: usize = 3;
/// Characters of a paragraph.
const WIDTH: usize = 400;
