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
        let has_open = open.is_some();
        paths.extend(open);
        if paths.len() < FILES_MAX && !(has_open && paths.len() == 1) {
            paths.extend(spoken_of(workspace, words, &all));
        }
        let mut shown = Self::default();
        let mut room = BYTES_MAX;
        for path in unique(paths).into_iter().take(FILES_MAX) {
            shown.take(workspace, &path, around, &mut room);
        }
        let is_shown = |path: &&FilePath| shown.files.iter().any(|file| file.path == path.as_str());
        shown.names = all.iter().filter(|path| !is_shown(path)).take(NAMES_MAX).map(ToString::to_string).collect();
        shown
    }

    fn take(&mut self, workspace: &Workspace, path: &FilePath, around: &Surroundings, room: &mut usize) {
        let Ok(content) = workspace.read(path).map(|text| text.content) else { return };
        let selected = around.selection.as_ref().filter(|selection| selection.file == path.as_str());
        if let Some(selected) = selected {
            let (first, last) = (selected.first_line as usize, selected.last_line as usize);
            let lines: Vec<&str> = content.lines().skip(first.saturating_sub(1)).take(last + 1 - first).collect();
            self.selection = Some(format!("{path}:{first}-{last}\n{}", lines.join("\n")));
        }
        let around_line = selected.map_or(1, |selected| selected.first_line as usize);
        let (text, part) = part(&content, around_line, *room);
        *room -= text.len();
        if !text.is_empty() {
            self.files.push(FileShown { path: path.to_string(), part, text: text.to_owned() });
        }
    }
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
/// Bytes of them, which a small model still has in view.
const BYTES_MAX: usize = 24_000;
/// Names of further files.
const NAMES_MAX: usize = 60;
/// Lines before the selected ones, where a file does not fit.
const LINES_BEFORE: usize = 80;
/// Shorter words stand everywhere.
const WORD_MIN: usize = 4;
/// Words of a task that are looked for.
const WORDS_MAX: usize = 12;
