//! What a model is shown: the files that are named, lie open or are spoken of, as much of them as fits. A model sees
//! only so much at once, and what it is shown of a project is chosen by words that a person can check. Next: `mod`.

use serde::Serialize;
use turnwise_assistant::place::FilePath;
use turnwise_core::{Surroundings, text};
use turnwise_intent::behaviour::coder::files_in;

use crate::code::definitions;
use crate::workspace::{Search, Workspace};

/// A file as a model is shown it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FileShown {
    path: String,
    /// Which part, where it is not all of it.
    part: Option<String>,
    text: String,
}

/// All that a model is shown of the workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(super) files: Vec<FileShown>,
    /// Names of files it is not shown.
    pub(super) names: Vec<String>,
    /// What is selected, with its file and lines.
    pub(super) selection: Option<String>,
}

impl Shown {
    /// What `words` are about: files that are named there or in `named`, else what lies open, else where the words
    /// stand.
    pub(crate) fn of(workspace: &Workspace, words: &str, named: &[String], around: &Surroundings) -> Self {
        let all = workspace.files();
        let mut paths: Vec<FilePath> = Vec::new();
        for name in files_in(words).iter().chain(named) {
            let found = workspace.find(name);
            paths.extend(found.iter().flat_map(|found| found.files().to_vec()));
        }
        let open = around.front().and_then(|name| FilePath::new(name).ok()).filter(|path| all.contains(path));
        paths.extend(open);
        // Beside what is named, what else the words stand in would only take the place of it.
        if paths.is_empty() {
            paths.extend(spoken_of(workspace, words, &all));
        }
        let mut shown = Self::default();
        let mut room = BYTES_MAX;
        for path in unique(paths).into_iter().take(FILES_MAX) {
            shown.take(workspace, &path, words, around, &mut room);
        }
        let is_shown = |path: &&FilePath| shown.files.iter().any(|file| file.path == path.as_str());
        shown.names = all.iter().filter(|path| !is_shown(path)).take(NAMES_MAX).map(ToString::to_string).collect();
        shown
    }

    fn take(&mut self, workspace: &Workspace, path: &FilePath, words: &str, around: &Surroundings, room: &mut usize) {
        let Ok(content) = workspace.read(path).map(|text| text.content) else { return };
        let selected = around.selection.as_ref().filter(|selection| selection.file == path.as_str());
        if let Some(selected) = selected {
            let (first, last) = (selected.first_line as usize, selected.last_line as usize);
            let lines: Vec<&str> = content.lines().skip(first.saturating_sub(1)).take(last + 1 - first).collect();
            self.selection = Some(format!("{path}:{first}-{last}\n{}", lines.join("\n")));
        }
        let spoken_of = match selected {
            None if content.len() > WHOLE_MAX => places_of(path, &content, words),
            None | Some(_) => Vec::new(),
        };
        for (first, last) in &spoken_of {
            let lines: Vec<&str> = content.lines().skip(first - 1).take(last + 1 - first).collect();
            let text = lines.join("\n") + "\n";
            if text.len() <= *room {
                self.show(path, Some(format!("lines {first} to {last}")), &text, room);
            }
        }
        if !self.files.iter().any(|file| file.path == path.as_str()) {
            let around_line = selected.map_or(1, |selected| selected.first_line as usize);
            let (text, part) = part(&content, around_line, (*room).min(PART_MAX));
            self.show(path, part, text, room);
        }
    }

    fn show(&mut self, path: &FilePath, part: Option<String>, text: &str, room: &mut usize) {
        *room -= text.len();
        if !text.is_empty() {
            self.files.push(FileShown { path: path.to_string(), part, text: text.to_owned() });
        }
    }
}

/// The lines of a long file that `words` speak of, in order: its beginning, what it defines by a name that is said, and
/// where a quotation of them stands. Empty where they speak of nothing in it.
fn places_of(path: &FilePath, content: &str, words: &str) -> Vec<(usize, usize)> {
    let last = content.lines().count();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let said: Vec<&str> = words.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
    let quoted: Vec<&str> =
        words.split(['"', '\'', '`', '“', '”']).skip(1).step_by(2).filter(|text| text.len() >= WORD_MIN).collect();
    let defined = definitions(path, content).into_iter().filter(|it| said.contains(&it.name.as_str()));
    let spoken_of = defined.map(|it| (it.first_line, it.last_line.min(it.first_line + DEFINITION_LINES_MAX)));
    let holds = |line: &&str| quoted.iter().any(|text| line.contains(text));
    let standing = (1..).zip(content.lines()).filter(|(_, line)| holds(line)).map(|(number, _)| (number, number));
    let mut places: Vec<(usize, usize)> = spoken_of.chain(standing).take(PLACES_MAX).collect();
    if places.is_empty() {
        return places;
    }
    places.push((1, 1));
    places.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (first, end) in places {
        let (first, end) = (first.saturating_sub(LINES_BESIDE).max(1), (end + LINES_BESIDE).min(last));
        match joined.last_mut() {
            Some((_, before)) if first <= *before + 1 => *before = (*before).max(end),
            _ => joined.push((first, end)),
        }
    }
    joined
}

/// As much of a text as fits, whole lines around one of them.
fn part(content: &str, line: usize, room: usize) -> (&str, Option<String>) {
    if content.len() <= room {
        return (content, None);
    }
    let starts: Vec<usize> = std::iter::once(0).chain(content.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut first = line.saturating_sub(LINES_BEFORE).min(starts.len()).saturating_sub(1);
    if line <= LINES_BEFORE {
        first = 0;
    }
    let from = starts.get(first).copied().unwrap_or(0);
    let end = starts.iter().skip(first + 1).take_while(|end| *end - from <= room).last().copied().unwrap_or(from);
    let last = starts.iter().take_while(|start| **start < end).count();
    (&content[from..end], Some(format!("lines {} to {last}", first + 1)))
}

/// Files in which the words stand, those first that define something called so, and have most of them.
fn spoken_of(workspace: &Workspace, words: &str, all: &[FilePath]) -> Vec<FilePath> {
    let words: Vec<String> = text::words(words).into_iter().filter(|word| word.len() >= WORD_MIN).collect();
    let mut scored: Vec<(usize, FilePath)> = Vec::new();
    for word in words.iter().take(WORDS_MAX) {
        let search = Search { text: word, whole_words: false, exact_case: false };
        for path in workspace.files_with(all, &search).unwrap_or_default() {
            let name = path.file_name().to_lowercase();
            let defined = || {
                let content = workspace.read(&path).map(|text| text.content).unwrap_or_default();
                definitions(&path, &content).iter().any(|it| it.name.to_lowercase().contains(word.as_str()))
            };
            let points = 1 + 3 * usize::from(defined()) + 3 * usize::from(name.contains(word.as_str()));
            match scored.iter_mut().find(|(_, known)| *known == path) {
                Some((score, _)) => *score += points,
                None => scored.push((points, path)),
            }
        }
    }
    scored.sort_by(|(left, a), (right, b)| right.cmp(left).then(a.cmp(b)));
    scored.into_iter().map(|(_, path)| path).take(FILES_MAX).collect()
}

fn unique(paths: Vec<FilePath>) -> Vec<FilePath> {
    let mut kept: Vec<FilePath> = Vec::new();
    for path in paths {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    kept
}

/// Files a model is shown: a small change touches three.
const FILES_MAX: usize = 4;
/// Bytes of them, which a small model still has in view, with what it is told and what it writes: code is up to one
/// token for every three bytes.
const BYTES_MAX: usize = 14_000;
/// Bytes of a file that is shown whole; of a longer one only what is spoken of.
const WHOLE_MAX: usize = 6_000;
/// Bytes of a long file of which nothing is spoken.
const PART_MAX: usize = 8_000;
/// Places of one file.
const PLACES_MAX: usize = 6;
/// Lines of one definition.
const DEFINITION_LINES_MAX: usize = 80;
/// Lines shown before and behind a place: comments and attributes, and what makes a line the only one of its kind.
const LINES_BESIDE: usize = 8;
/// Names of further files.
const NAMES_MAX: usize = 60;
/// Lines before the selected ones, where a file does not fit.
const LINES_BEFORE: usize = 80;
/// Shorter words stand everywhere.
const WORD_MIN: usize = 4;
/// Words of a task that are looked for.
const WORDS_MAX: usize = 12;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn of_a_long_file_only_what_is_spoken_of_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let function = |n: usize| format!("/// Number {n}.\nfn number_{n}() -> usize {{\n    {n}\n}}\n\n");
        std::fs::write(folder.path().join("a.rs"), (0..400).map(function).collect::<String>()).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let shown = |words: &str| Shown::of(&workspace, words, &[], &Surroundings::default()).files;
        let parts = shown("in a.rs let number_200 give 7 and say so at 'Number 300.'");
        let told: Vec<&str> = parts.iter().filter_map(|file| file.part.as_deref()).collect();
        assert_eq!(told, ["lines 1 to 9", "lines 994 to 1012", "lines 1493 to 1509"]);
        assert!(parts[1].text.contains("/// Number 200.\nfn number_200() -> usize {\n    200\n}\n"));
        // Nothing in it is spoken of: its beginning, as much as fits.
        let [start] = shown("make a.rs shorter").try_into().unwrap();
        assert!(start.text.starts_with("/// Number 0.") && start.text.len() <= PART_MAX);
    }
}
