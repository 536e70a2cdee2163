//! Pointing: “rename this”, “a comment above it” mean what is selected in the editor (BH-12): the definition that
//! begins there, else the one around it. Without a selection the words stay what they are. Next: `draft`.

use turnwise_assistant::place::FilePath;
use turnwise_core::SelectedLines;

use crate::code::{Definition, definitions};
use crate::rules::Wish;
use crate::workspace::Workspace;

/// The wishes with what is selected in the place of “this”.
pub(super) fn with_selection(workspace: &Workspace, selection: &SelectedLines, mut wishes: Vec<Wish>) -> Vec<Wish> {
    for wish in &mut wishes {
        match wish {
            Wish::Rename { from, meant, .. } if points(from) => {
                if let Some(found) = selected(workspace, selection) {
                    from.clone_from(&found.name);
                    meant.place = Some(format!("{}:{}", found.path, found.first_line));
                }
            }
            Wish::Comment { name, line, within, .. } if name.as_deref().is_some_and(points) => {
                *name = None;
                *line = usize::try_from(selection.first_line).ok();
                *within = vec![selection.file.clone()];
            }
            _ => {}
        }
    }
    wishes
}

/// Whether any of them means what is selected.
pub(super) fn point(wishes: &[Wish]) -> bool {
    wishes.iter().any(|wish| match wish {
        Wish::Rename { from, .. } => points(from),
        Wish::Comment { name, .. } => name.as_deref().is_some_and(points),
        _ => false,
    })
}

fn points(word: &str) -> bool {
    matches!(word, "this" | "it" | "that")
}

/// What begins in the selected lines first, else the innermost thing around them.
fn selected(workspace: &Workspace, selection: &SelectedLines) -> Option<Definition> {
    let path = FilePath::new(&selection.file).ok()?;
    let content = workspace.read(&path).ok()?.content;
    let lines = usize::try_from(selection.first_line).ok()?..=usize::try_from(selection.last_line).ok()?;
    let all = definitions(&path, &content);
    let begins = all.iter().filter(|it| lines.contains(&it.first_line)).min_by_key(|it| it.first_line);
    let is_around = |it: &&Definition| it.first_line <= *lines.start() && *lines.end() <= it.last_line;
    let around = || all.iter().filter(is_around).min_by_key(|it| it.last_line - it.first_line);
    begins.or_else(around).cloned()
}
