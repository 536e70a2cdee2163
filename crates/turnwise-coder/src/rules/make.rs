//! Making: a wish becomes edits of a draft, with what has to be said about them. The files a wish names are found here,
//! the same way for all of them. Next: `rename`, `replace`, `import`, `comment`, `create`, `format`.

use turnwise_assistant::place::FilePath;
use turnwise_core::text::capital;

use super::wish::{Wish, WrittenEdits};
use super::{Trouble, comment, create, format, import, rename, replace};
use crate::edit::Draft;
use crate::workspace::{Found, Workspace};

/// What a wish came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What is done, as a step of a plan: “Rename foo to bar”.
    pub title: String,
    /// What a person has to know before they say yes, one sentence each.
    pub notes: Vec<String>,
    /// What holds of all of it, and no more where a part is left out.
    pub of_all: Option<String>,
}

/// Makes the edits of `wish`, which must not be a command or an undoing.
///
/// # Errors
/// Why there are none.
pub fn make(workspace: &Workspace, draft: &mut Draft<'_>, wish: &Wish) -> Result<Made, Trouble> {
    match wish {
        Wish::Rename { from, to, within, without, meant } => {
            rename::make(workspace, draft, &rename::Rename { from, to, within, without, meant })
        }
        Wish::Replace { from, to, within, without } => replace::make(workspace, draft, (from, to), within, without),
        Wish::Misspelt { wrong, .. } => Err(Trouble::RightWord { wrong: wrong.clone() }),
        Wish::Import { what, from, within } => import::make(workspace, draft, what, from.as_deref(), within),
        Wish::Comment { text, name, line, within } => {
            comment::make(workspace, draft, text, name.as_deref(), *line, within)
        }
        Wish::Create { path, text } => create::make(draft, path, text),
        Wish::Edits(edits) => written(draft, edits),
        Wish::Format { within, without } => format::make(workspace, draft, within, without),
        Wish::NotUnderstood { words } => Err(Trouble::because(not_understood(words))),
        Wish::Run { .. } | Wish::Undo => Err(Trouble::because("That is no edit.")),
    }
}

/// Edits as they were written, each against the files as they are after the ones before it.
fn written(draft: &mut Draft<'_>, written: &WrittenEdits) -> Result<Made, Trouble> {
    let WrittenEdits { edits, says, by } = written;
    edits.iter().try_for_each(|edit| draft.edit(edit))?;
    let title = if says.is_empty() { "Change what was asked for".to_owned() } else { capital(says) };
    Ok(Made {
        title,
        notes: vec![format!("The model {by} wrote this; whether it is right is yours to judge")],
        of_all: None,
    })
}

/// Why an order of which these words are not understood is refused.
#[must_use]
pub fn not_understood(words: &str) -> String {
    format!("“{words}” is not understood here, so nothing was planned.")
}

/// `all` but the files that are left out.
pub(super) fn left(
    workspace: &Workspace,
    mut all: Vec<FilePath>,
    without: &[String],
) -> Result<Vec<FilePath>, Trouble> {
    let without = files(workspace, without)?;
    all.retain(|path| !without.contains(path));
    Ok(all)
}

/// The files that are named, none where none is.
pub(super) fn files(workspace: &Workspace, within: &[String]) -> Result<Vec<FilePath>, Trouble> {
    let mut files = Vec::new();
    for name in within {
        match workspace.find(name)? {
            Found::One(path) => files.push(path),
            Found::Many(paths) => files.extend(paths),
            Found::Ambiguous(files) => return Err(Trouble::WhichFile { name: name.clone(), files }),
            Found::Nothing => {
                return Err(Trouble::because(format!("There is no file “{name}” in the workspace.")));
            }
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

/// The one file that is named.
pub(super) fn one_file(workspace: &Workspace, within: &[String]) -> Result<FilePath, Trouble> {
    match files(workspace, within)?.as_slice() {
        [] => Err(Trouble::Where),
        [one] => Ok(one.clone()),
        [_, ..] => Err(Trouble::because("One file has to be named, and these are several.")),
    }
}

/// Some of many names, and how many more.
pub(crate) fn some(names: &[String]) -> String {
    let rest = names.len().saturating_sub(NAMES_MAX);
    let shown = names[..names.len() - rest].join(", ");
    if rest == 0 { shown } else { format!("{shown} and {rest} more") }
}

/// Names that a sentence holds.
const NAMES_MAX: usize = 4;
