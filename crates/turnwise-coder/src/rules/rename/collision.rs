//! Collisions: a new name that stands for something else where the old one is used would change what the code does, so
//! it is refused, with the place. Next: `rename`.

use std::ops::Range;

use super::super::Trouble;
use super::Edits;
use super::survey::Survey;
use super::symbol::{Kind, Symbol};
use crate::code::{Language, Occurrence, Part, Role, Source, Space};

/// A file that is written to: what is written there, and where the new name stands already.
struct Written<'a> {
    source: &'a Source,
    places: Vec<&'a Occurrence>,
    standing: Vec<Occurrence>,
}

/// Whether `to` is free wherever it is written.
pub(super) fn check(survey: &Survey, targets: &[&Symbol], edits: &Edits, to: &str) -> Result<(), Trouble> {
    for (at, places) in &edits.0 {
        let file = &survey.files[*at];
        let Some(source) = &file.source else { continue };
        let (standing, _) = source.occurrences(to, &survey.types);
        let places = file.found.iter().filter(|it| places.iter().any(|(range, _)| *range == it.range)).collect();
        let written = Written { source, places, standing };
        let owned = targets.iter().filter(|target| target.file == *at);
        let locals = owned.filter_map(|target| match &target.kind {
            Kind::Local { visible } => Some(visible),
            _ => None,
        });
        if let Some(other) = written.caught(&locals.collect::<Vec<_>>()).or_else(|| written.named_in_macro()) {
            return Err(Trouble::because(format!(
                "“{to}” stands for something else where it would be written: {}. The rename would change what the code \
                 does, so nothing was planned; choose another name.",
                file.place(other.line)
            )));
        }
        if let Some(other) = written.defined_twice(survey, *at, targets) {
            return Err(Trouble::because(format!(
                "“{to}” is there already in the same place: {}. Two things would have one name, so nothing was \
                 planned; choose another name.",
                file.place(other.line)
            )));
        }
    }
    Ok(())
}

impl Written<'_> {
    /// A variable that would be meant instead, or that would mean what is renamed.
    fn caught(&self, locals: &[&Range<usize>]) -> Option<&Occurrence> {
        let bare: Vec<&&Occurrence> = self.places.iter().filter(|it| is_bare(&it.role)).collect();
        let is_hit = |other: &&Occurrence| match &other.role {
            // What it stands for would be seen in its place.
            Role::Local { visible, .. } if bare.iter().any(|it| visible.contains(&it.range.start)) => true,
            Role::Local { visible, .. } if locals.contains(&visible) => true,
            // It would stand for what is seen here now.
            role => is_bare(role) && locals.iter().any(|visible| visible.contains(&other.range.start)),
        };
        self.standing.iter().find(is_hit)
    }

    /// An argument of a macro that has the new name: in the text of that macro it is meant before a variable.
    fn named_in_macro(&self) -> Option<&Occurrence> {
        let macros: Vec<Range<usize>> =
            self.places.iter().filter_map(|it| self.source.macro_at(it.range.start)).collect();
        let is_argument = |other: &&Occurrence| {
            other.role == Role::Apart && macros.iter().any(|written| written.contains(&other.range.start))
        };
        self.standing.iter().find(is_argument)
    }

    /// What has the new name already in the module, or in the type, in which it would be written.
    fn defined_twice(&self, survey: &Survey, at: usize, targets: &[&Symbol]) -> Option<&Occurrence> {
        let is_rust = self.source.language() == Language::Rust;
        let module = |it: &Occurrence| self.source.module_at(it.range.start).1;
        let is_hit = |other: &&Occurrence| {
            self.places.iter().any(|it| match (&it.role, &other.role) {
                (
                    Role::Item { space, path, imports, .. },
                    Role::Item { space: taken, path: of, imports: brings, .. },
                ) => {
                    let is_here = (path.is_empty() || *imports) && (of.is_empty() || *brings);
                    is_here && (!is_rust || is_one_space(*space, *taken)) && module(it) == module(other)
                }
                _ => false,
            }) || targets.iter().any(|target| {
                let is_here = target.defined.iter().any(|(file, _)| *file == at);
                is_here && is_part(survey, target, &other.role, is_rust)
            })
        };
        self.standing.iter().find(is_hit)
    }
}

/// Whether two names are looked for among the same things.
fn is_one_space(one: Space, other: Space) -> bool {
    one == other || one == Space::Any || other == Space::Any
}

/// Whether a name is defined as a part of a type of which another part would be called so.
fn is_part(survey: &Survey, target: &Symbol, other: &Role, is_rust: bool) -> bool {
    let (Kind::Member { owners, part }, Role::Member { owners: of, part: taken, declares: true }) =
        (&target.kind, other)
    else {
        return false;
    };
    let with_supers = |owner: &String| match is_rust {
        true => [owner.clone()].into(),
        false => survey.types.with_supers(owner),
    };
    let is_kin = |own: &String, other: &String| with_supers(own).contains(other) || with_supers(other).contains(own);
    // A field and a method may have one name in Rust.
    let is_one_kind = part == taken || !is_rust || (*part != Part::Field && *taken != Part::Field);
    is_one_kind && owners.iter().any(|own| of.iter().any(|other| is_kin(own, other)))
}

/// Whether a name stands by itself, so that what is nearest is meant.
fn is_bare(role: &Role) -> bool {
    match role {
        Role::Local { .. } => true,
        Role::Item { path, imports, .. } => path.is_empty() && !imports,
        Role::Member { .. } | Role::Argument { .. } | Role::Open | Role::Apart => false,
    }
}
