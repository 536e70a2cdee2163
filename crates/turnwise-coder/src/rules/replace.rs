//! Replacing: a text becomes another, a word as a whole word. Without a file named it is looked for everywhere, and the
//! diff says where it was found. Next: `make`.

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::{Made, files, left, some};
use crate::edit::Draft;
use crate::workspace::{Ending, Search, Workspace, WorkspaceError};

pub(super) fn make(
    workspace: &Workspace,
    draft: &mut Draft<'_>,
    (from, to): (&str, &str),
    within: &[String],
    without: &[String],
) -> Result<Made, Trouble> {
    if from.is_empty() || from == to {
        return Err(Trouble::because("That replaces nothing."));
    }
    let named = files(workspace, within)?;
    let is_word = from.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    // A search goes line by line; what spans several is looked for by its first.
    let first = from.lines().find(|line| !line.trim().is_empty()).unwrap_or(from);
    let search = Search { text: first, whole_words: is_word, exact_case: true };
    let (mut places, mut unread) = (0, Unread::default());
    let holding = match named.is_empty() {
        true => workspace.files_holding(&search)?,
        false => workspace.files_with(&named, &search)?,
    };
    for path in left(workspace, holding, without)? {
        let content = match draft.content(&path) {
            Ok(content) => content,
            Err(error) => {
                unread.note(&path, &error);
                continue;
            }
        };
        let ending = Ending::of(&content);
        let (from, to) = (ending.put(from), ending.put(to));
        let ranges = ranges(&content, &from, is_word);
        places += ranges.len();
        if !ranges.is_empty() {
            draft.replace(&path, &ranges, &to)?;
        }
    }
    if places == 0 {
        return Err(Trouble::because(match unread.told() {
            Some(told) => format!("“{}” stands only in what cannot be changed here: {told}.", short(from)),
            None => nowhere(workspace, from, within)?,
        }));
    }
    let mut notes: Vec<String> = unread
        .told()
        .map(|told| format!("“{}” stays in what cannot be changed here: {told}", short(from)))
        .into_iter()
        .collect();
    notes.extend(untouched(workspace, draft, (from, within))?);
    let of_all = (places > 1).then(|| format!("All {places} places are meant"));
    Ok(Made { title: format!("Replace “{}” with “{}”", short(from), short(to)), notes, of_all })
}

fn ranges(content: &str, from: &str, is_word: bool) -> Vec<std::ops::Range<usize>> {
    let joins = |letter: Option<char>| is_word && letter.is_some_and(|l| l.is_alphanumeric() || l == '_');
    let is_whole = |range: &std::ops::Range<usize>| {
        !joins(content[..range.start].chars().next_back()) && !joins(content[range.end..].chars().next())
    };
    content.match_indices(from).map(|(at, found)| at..at + found.len()).filter(is_whole).collect()
}

/// Files of which it is seen that the text stands in them, and that cannot be read as text.
#[derive(Default)]
pub(super) struct Unread(Vec<(FilePath, String)>);

impl Unread {
    pub(super) fn note(&mut self, path: &FilePath, error: &WorkspaceError) {
        self.0.push((path.clone(), error.to_string()));
    }

    pub(super) fn has(&self, path: &FilePath) -> bool {
        self.0.iter().any(|(unread, _)| unread == path)
    }

    /// Which they are, and why.
    pub(super) fn told(&self) -> Option<String> {
        let told: Vec<String> = self.0.iter().map(|(_, told)| told.clone()).collect();
        (!told.is_empty()).then(|| some(&told))
    }
}

/// What was named and has nothing to be replaced.
fn untouched(
    workspace: &Workspace,
    draft: &Draft<'_>,
    (from, within): (&str, &[String]),
) -> Result<Vec<String>, Trouble> {
    let mut without = Vec::new();
    for name in within {
        let all = files(workspace, std::slice::from_ref(name))?;
        if all.iter().all(|path| !draft.changes(path)) {
            match all.as_slice() {
                [one] => match workspace.read(one) {
                    Ok(_) => without.push(name.clone()),
                    Err(error) => without.push(format!("{name} ({error})")),
                },
                _ => without.push(name.clone()),
            }
        }
    }
    let told = format!("“{}” does not stand in {}", short(from), some(&without));
    Ok((!without.is_empty()).then_some(told).into_iter().collect())
}

/// It stands nowhere; where it does with other capitals, that is said.
fn nowhere(workspace: &Workspace, from: &str, within: &[String]) -> Result<String, Trouble> {
    let place = if within.is_empty() { "in the workspace".to_owned() } else { format!("in {}", within.join(", ")) };
    let named = files(workspace, within)?;
    let words = Search::words(from.lines().next().unwrap_or(from));
    let near = if named.is_empty() { workspace.search_all(&words)? } else { workspace.search(&named, &words)? };
    Ok(match near.hits.first() {
        Some(hit) => format!(
            "“{}” does not stand {place} as it is written; near is {}:{}: {}",
            short(from),
            hit.path,
            hit.line,
            hit.text
        ),
        None => format!("“{}” does not stand {place}.", short(from)),
    })
}

pub(super) fn short(text: &str) -> String {
    turnwise_core::text::clip(text, SHOWN)
}

/// Characters of a text that a title shows.
const SHOWN: usize = 40;
