//! Members: whether a part that is named somewhere is one of a type. A type that is defined here is known; what another
//! name stands for, what holds one and gives its parts as its own, and what may be any type is not. Next: `symbol`.

use std::collections::BTreeSet;

use super::paths;
use super::survey::{File, Survey};
use super::symbol::{Kind, Symbol, Verdict};
use crate::code::{Language, Owner, Part};

/// Whether a part of the types `of`, as they are called in a file, is one of `owners`.
pub(super) fn is_of(
    survey: &Survey,
    all: &[Symbol],
    owners: &BTreeSet<String>,
    (file, of): (usize, &[String]),
) -> Verdict {
    let verdict = |name: &String| is_of_one(survey, all, owners, &owner(survey, &survey.files[file], name));
    of.iter().map(verdict).max().unwrap_or(Verdict::May)
}

/// What a type is by the name it has in a file.
fn owner(survey: &Survey, file: &File, name: &str) -> Owner {
    let brought = file.uses.iter().find(|(brought, _)| brought == name);
    let Some((_, path)) = brought else { return survey.types.owner(name) };
    let own = path.last().map_or(name, String::as_str);
    match (paths::is_of_workspace(survey, file, path), survey.types.owner(own)) {
        // Another of that name is written here, and it may give the parts of what it holds as its own.
        (false, Owner::Ours(name)) => Owner::Open(name),
        (_, owner) => owner,
    }
}

fn is_of_one(survey: &Survey, all: &[Symbol], owners: &BTreeSet<String>, of: &Owner) -> Verdict {
    let (Owner::Ours(name) | Owner::Theirs(name) | Owner::Open(name)) = of;
    if owners.contains(name) {
        return Verdict::Is;
    }
    let has = |symbol: &Symbol, types: &BTreeSet<String>| match &symbol.kind {
        Kind::Member { owners, .. } => !owners.is_disjoint(types),
        Kind::Local { .. } | Kind::Item { .. } => false,
    };
    let own = BTreeSet::from([name.clone()]);
    let (supers, is_any) = (survey.types.with_supers(name), !survey.types.supers_of_any().is_disjoint(owners));
    let others = |types: &BTreeSet<String>| {
        all.iter().any(|it| has(it, types) && !matches!(&it.kind, Kind::Member { owners: of, .. } if of == owners))
    };
    match of {
        Owner::Open(_) => Verdict::May,
        // What keeps an interface does not say so.
        Owner::Ours(name) if is_open(survey, name) || owners.iter().any(|it| is_open(survey, it)) => Verdict::May,
        Owner::Ours(_) if others(&own) => Verdict::Not,
        _ if supers.is_disjoint(owners) => {
            if is_any {
                Verdict::May
            } else {
                Verdict::Not
            }
        }
        _ if others(&supers) => Verdict::May,
        _ => Verdict::Is,
    }
}

fn is_open(survey: &Survey, name: &str) -> bool {
    survey.types.is_open(name)
}

/// Whether what another definition of the name is may be the same part: a method of an interface of Go and one of a
/// type that keeps it.
pub(super) fn may_keep(survey: &Survey, one: &Symbol, other: &Symbol) -> bool {
    let is_interface = |symbol: &Symbol| match &symbol.kind {
        Kind::Member { owners, .. } => owners.iter().any(|owner| is_open(survey, owner)),
        Kind::Local { .. } | Kind::Item { .. } => false,
    };
    let is_member = |symbol: &Symbol| matches!(symbol.kind, Kind::Member { .. });
    is_member(one) && is_member(other) && (is_interface(one) || is_interface(other))
}

/// Whether a bare name of Rust is a variant that its file brings in.
pub(super) fn is_bare_variant(survey: &Survey, all: &[Symbol], symbol: &Symbol, (at, name): (usize, &str)) -> Verdict {
    let Kind::Member { owners, part: Part::Variant } = &symbol.kind else { return Verdict::Not };
    let file = &survey.files[at];
    if all.iter().any(|it| it.file == at && matches!(it.kind, Kind::Item { .. })) {
        return Verdict::Not;
    }
    let is_of = |path: &[String]| {
        paths::is_of_workspace(survey, file, path)
            && path
                .last()
                .is_some_and(|last| is_of(survey, all, owners, (at, std::slice::from_ref(last))) == Verdict::Is)
    };
    if let Some((_, path)) = file.uses.iter().find(|(brought, _)| brought == name) {
        return if is_of(&path[..path.len().saturating_sub(1)]) { Verdict::Is } else { Verdict::Not };
    }
    let is_module = |path: &Vec<String>| {
        paths::is_of_workspace(survey, file, path)
            && path.last().is_some_and(|last| !last.starts_with(char::is_uppercase))
    };
    match () {
        () if file.whole().any(|path| is_of(path)) => Verdict::Is,
        () if file.whole().any(is_module) => Verdict::May,
        () => Verdict::Not,
    }
}

/// Whether a part of Go is a type that is embedded: it is called like it.
pub(super) fn is_embedded(survey: &Survey, symbol: &Symbol, (name, of): (&str, &[String])) -> Verdict {
    let is_go = symbol.language(survey) == Some(Language::Go);
    if !is_go || !matches!(symbol.kind, Kind::Item { space: crate::code::Space::Type, .. }) {
        return Verdict::Not;
    }
    let embeds = |owner: &String| survey.types.with_supers(owner).contains(name);
    match of.iter().any(embeds) {
        true => Verdict::Is,
        false if of.is_empty() => Verdict::May,
        false => Verdict::Not,
    }
}
