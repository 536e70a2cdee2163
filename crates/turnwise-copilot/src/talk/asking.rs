//! Writes that are asked about however small they are: what another conversation wrote is taken back, or a file is
//! written that this program runs later, when nobody looks at it any more. Next: `draft`.

use std::path::{Path, PathBuf};

use turnwise_core::{EffectClass, Step};

use super::copilot::Copilot;
use super::draft::number_of;
use crate::tool::{UNDO, WRITE};

/// Marks such steps, and says why on them.
pub(super) fn mark<'a>(copilot: &Copilot, steps: impl Iterator<Item = &'a mut Step>) {
    for step in steps {
        if let Some(why) = why(copilot, step) {
            step.effect = EffectClass::Idempotent;
            step.description.push_str(&format!(" ({why})"));
        }
    }
}

fn why(copilot: &Copilot, step: &Step) -> Option<&'static str> {
    let tool = step.tool.as_str();
    let is_own = |number| copilot.folder.is_own(&copilot.own(), number);
    if tool == UNDO && !number_of(step).is_some_and(is_own) {
        return Some("another conversation made it");
    }
    let file = step.arguments.get("file").filter(|_| tool == UNDO || tool == WRITE)?;
    runs_later(copilot, &copilot.folder.place_of(file)?)
}

/// Why what is written to `place` is run later.
fn runs_later(copilot: &Copilot, place: &Path) -> Option<&'static str> {
    let ends_in_yaml = place.extension().is_some_and(|ending| {
        let ending = ending.to_string_lossy().to_lowercase();
        ending.starts_with("yaml") || ending.starts_with("yml")
    });
    if ends_in_yaml && copilot.recipe_folders().iter().any(|folder| is_read_from(folder, place)) {
        return Some("a recipe, which later orders run");
    }
    let name = place.file_name()?.to_string_lossy().to_lowercase();
    if ["assistant.yaml", "exemplars.yaml"].contains(&name.as_str()) {
        return Some("a profile, which says what is asked about");
    }
    let starts = copilot.toolbox.servers().commands();
    starts
        .iter()
        .any(|word| is_same(&real(&copilot.folder.root().join(word)), place))
        .then_some("it is started for its tools")
}

/// Whether a recipe at `place` is one of `folder`: it lies there, or a link there leads to it.
fn is_read_from(folder: &Path, place: &Path) -> bool {
    let folder = real(folder);
    let links = || std::fs::read_dir(&folder).into_iter().flatten().flatten();
    place.ancestors().any(|above| is_same(above, &folder)) || links().any(|entry| is_same(&real(&entry.path()), place))
}

/// Where it is without links, as far as there is something.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Some disks take letters for the same.
fn is_same(one: &Path, other: &Path) -> bool {
    let plain = |path: &Path| path.components().collect::<PathBuf>().to_string_lossy().to_lowercase();
    plain(one) == plain(other)
}
