//! Renaming: a name becomes another wherever it stands as a name. What only looks like it stays and is told, and so is
//! what a reader of the diff could miss: that there are several things of that name, or that the new one is taken.
//! Next: `code::identifiers`.

use turnwise_assistant::place::FilePath;

use super::Trouble;
use super::make::{Made, files, left, some};
use crate::code::{Language, definitions, identifiers, is_code, is_keyword, is_name};
use crate::edit::Draft;
use crate::workspace::{Search, Workspace};

pub(super) fn make(
    workspace: &Workspace,
    draft: &mut Draft<'_>,
    (from, to): (&str, &str),
    within: &[String],
    without: &[String],
) -> Result<Made, Trouble> {
    if !is_name(from) || !is_name(to) {
        let wrong = if is_name(from) { to } else { from };
        return Err(Trouble::because(format!("“{wrong}” is no name that code could have.")));
    }
    if from == to {
        return Err(Trouble::because("Both names are the same, so there is nothing to rename."));
    }
    let named = files(workspace, within)?;
    let candidates: Vec<FilePath> = match named.is_empty() {
        true => workspace.files().into_iter().filter(is_code).collect(),
        false => named,
    };
    let candidates = left(workspace, candidates, without)?;
    let candidates = workspace.files_with(&candidates, &Search::name(from))?;
    let mut seen = Seen::default();
    let is_type = names_types(workspace, &candidates, from);
    for path in &candidates {
        // A file that is no text has no names; ripgrep's searcher looks into some of them.
        let Ok(content) = draft.content(path) else { continue };
        let mut place = identifiers(path, &content, from);
        if is_type && Language::of(path) == Some(Language::Rust) {
            place.names.retain(|name| seen.is_of_its_own(path, &content, name));
        }
        seen.note(path, &content, from, to, &place);
        if !place.names.is_empty() {
            if is_keyword(path, to) {
                return Err(Trouble::because(format!(
                    "“{to}” is a word of the language itself in {path}, so nothing can be called that."
                )));
            }
            draft.replace(path, &place.names, to)?;
        }
    }
    if seen.names == 0 {
        return Err(Trouble::because(seen.nothing(from, within)));
    }
    Ok(Made { title: format!("Rename {from} to {to}"), notes: seen.notes(from, to) })
}

/// What was seen on the way through the files.
#[derive(Default)]
struct Seen {
    names: usize,
    /// Where it stands in comments and texts: `a.rs:3`.
    words: Vec<String>,
    defined: Vec<String>,
    taken: Vec<String>,
    /// Files whose language has no grammar here.
    by_words: Vec<String>,
    /// Parts of other types that are called the same: `a.rs:3`.
    of_others: Vec<String>,
}

/// Whether all that the files define of this name are types: then a part of another type is none of them.
fn names_types(workspace: &Workspace, files: &[FilePath], name: &str) -> bool {
    let read = |path: &FilePath| workspace.read(path).map(|text| definitions(path, &text.content)).unwrap_or_default();
    let mut defined = files.iter().flat_map(read).filter(|it| it.name == name).peekable();
    defined.peek().is_some() && defined.all(|it| TYPES.contains(&it.kind))
}

/// What types are called.
const TYPES: [&str; 5] = ["struct", "enum", "trait", "type", "union"];

impl Seen {
    fn note(&mut self, path: &FilePath, content: &str, from: &str, to: &str, place: &crate::code::Place) {
        self.names += place.names.len();
        self.words.extend(place.words.iter().map(|line| format!("{path}:{line}")));
        if Language::of(path).is_none() && !place.names.is_empty() {
            self.by_words.push(path.to_string());
        }
        for definition in definitions(path, content) {
            let at = format!("{path}:{}", definition.first_line);
            if definition.name == from {
                self.defined.push(at);
            } else if definition.name == to {
                self.taken.push(at);
            }
        }
    }

    /// Whether a name stands by itself: “Throughput::Bytes” is a part of another type, whatever else is called Bytes.
    fn is_of_its_own(&mut self, path: &FilePath, content: &str, name: &std::ops::Range<usize>) -> bool {
        let before = content[..name.start].trim_end();
        let Some(before) = before.strip_suffix("::") else { return true };
        let from = before.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
        let is_of_other = before[from..].starts_with(char::is_uppercase) && &before[from..] != "Self";
        if is_of_other {
            self.of_others.push(format!("{path}:{}", content[..name.start].matches('\n').count() + 1));
        }
        !is_of_other
    }

    fn nothing(&self, from: &str, within: &[String]) -> String {
        let place = if within.is_empty() { "in the code".to_owned() } else { format!("in {}", within.join(", ")) };
        match self.words.is_empty() {
            true => format!("There is no “{from}” {place}."),
            false => format!("“{from}” stands {place} only in comments and texts: {}.", some(&self.words)),
        }
    }

    fn notes(&self, from: &str, to: &str) -> Vec<String> {
        let mut notes = Vec::new();
        if self.defined.len() > 1 {
            notes.push(format!(
                "“{from}” is defined more than once, and all of them are meant: {}",
                some(&self.defined)
            ));
        }
        if !self.taken.is_empty() {
            notes.push(format!("“{to}” is taken already in these files: {}", some(&self.taken)));
        }
        if !self.words.is_empty() {
            notes.push(format!("Comments and texts stay as they are: {}", some(&self.words)));
        }
        if !self.of_others.is_empty() {
            notes.push(format!("Parts of other types that are called so stay: {}", some(&self.of_others)));
        }
        if !self.by_words.is_empty() {
            notes.push(format!("Renamed by whole words, without a grammar: {}", some(&self.by_words)));
        }
        notes
    }
}
