//! Collisions: a new name that stands for something else where the old one is used would change what the code does, so
//! it is refused, with the place. Next: `rename`.

use super::super::Trouble;
use super::Edits;
use super::survey::Survey;
use super::symbol::{Kind, Symbol};
use crate::code::{Occurrence, Role};

/// Whether `to` is free wherever it is written.
pub(super) fn check(survey: &Survey, targets: &[&Symbol], edits: &Edits, to: &str) -> Result<(), Trouble> {
    for (at, places) in &edits.0 {
        let file = &survey.files[*at];
        let Some(source) = &file.source else { continue };
        let (standing, _) = source.occurrences(to, &survey.types);
        let locals: Vec<&std::ops::Range<usize>> = targets
            .iter()
            .filter(|target| target.file == *at)
            .filter_map(|target| match &target.kind {
                Kind::Local { visible } => Some(visible),
                _ => None,
            })
            .collect();
        let written = file.found.iter().filter(|it| places.iter().any(|(range, _)| *range == it.range));
        let bare: Vec<&Occurrence> = written.filter(|it| is_bare(&it.role)).collect();
        let is_hit = |other: &&Occurrence| match &other.role {
            // What it stands for would be seen in its place.
            Role::Local { visible, .. } if bare.iter().any(|it| visible.contains(&it.range.start)) => true,
            Role::Local { visible, .. } if locals.contains(&visible) => true,
            // It would stand for what is seen here now.
            role => is_bare(role) && locals.iter().any(|visible| visible.contains(&other.range.start)),
        };
        if let Some(other) = standing.iter().find(is_hit) {
            return Err(Trouble::because(format!(
                "“{to}” stands for something else where it would be written: {}. The rename would change what the code \
                 does, so nothing was planned; choose another name.",
                file.place(other.line)
            )));
        }
    }
    Ok(())
}

/// Whether a name stands by itself, so that what is nearest is meant.
fn is_bare(role: &Role) -> bool {
    match role {
        Role::Local { .. } => true,
        Role::Item { path, imports, .. } => path.is_empty() && !imports,
        Role::Member { .. } | Role::Open | Role::Apart => false,
    }
}
