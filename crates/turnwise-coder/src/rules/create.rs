//! Creating: a new file with the text that was said, and only where none is. What is said becomes the file as it is,
//! and nothing is added to it but the end of its last line. Next: `make`.

use turnwise_assistant::place::FilePath;
use turnwise_intent::behaviour::coder::files_in;

use super::Trouble;
use super::make::Made;
use super::order::POLITE;
use super::said::pieces;
use super::wish::Wish;
use crate::edit::{Draft, Edit};

pub(super) fn make(draft: &mut Draft<'_>, path: &str, text: &str) -> Result<Made, Trouble> {
    let path = FilePath::new(path)?;
    draft.edit(&Edit::Create { path: path.clone(), text: text.to_owned() })?;
    Ok(Made { title: format!("Create {path}"), notes: Vec::new(), of_all: None })
}

/// “create a file NAME with …”: all that stands behind it is its text, so nothing of it is an order.
pub(super) fn creation(message: &str) -> Option<Wish> {
    const OPENS: [&str; 7] = ["a", "an", "the", "new", "file", "empty", "called"];
    const WITH: [&str; 9] = ["with", "containing", "saying", "the", "text", "content", "contents", "that", "says"];
    let said = pieces(message);
    let begins = said.iter().position(|piece| !piece.is_any(&POLITE))?;
    let said = &said[begins..];
    if !said.first()?.is_any(&["create", "make", "write", "add"]) {
        return None;
    }
    let at = 1 + said[1..].iter().position(|piece| !piece.is_any(&OPENS))?;
    let path = said.get(at)?.text.clone();
    // “create notes.md” can only mean a file; “add src/a.rs” and “make a.py …” may mean other things.
    let is_file = said[1..at].iter().any(|piece| piece.is("file"));
    let is_named = said[0].is("create") && files_in(&path) == [path.as_str()];
    if !is_file && !is_named {
        return None;
    }
    let rest = &said[at + 1..];
    if rest.is_empty() {
        let is_empty = said[1..at].iter().any(|piece| piece.is("empty"));
        return is_empty.then_some(Wish::Create { path, text: String::new() });
    }
    let first = rest.iter().position(|piece| piece.is_quoted || !piece.is_any(&WITH))?;
    match &rest[first..] {
        // A quotation that was opened and not closed is no text.
        [one] if !one.is_quoted && one.text.starts_with(['"', '`', '“', '\'']) => None,
        [one] if first > 0 || one.is_quoted => Some(Wish::Create { path, text: one.text.clone() }),
        _ => None,
    }
}
