//! Symbols: the things of one name, told apart by what defines them, and whether an occurrence is one of them. Where
//! that cannot be told for certain, it may be. Next: `target` for which of them is meant.

use std::collections::BTreeSet;
use std::ops::Range;

use super::survey::{File, Survey};
use super::{arguments, members, paths};
use crate::code::{Called, Language, Occurrence, Part, Role, Space, line_at};

/// One thing of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    pub kind: Kind,
    /// The file that defines it first.
    pub file: usize,
    /// The bytes of its name there.
    pub at: Range<usize>,
    /// All the places that define it, by file and byte.
    pub defined: Vec<(usize, usize)>,
}

/// What kind of thing it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A variable or a parameter, and where it can be seen.
    Local { visible: Range<usize> },
    /// A thing of a file or a module.
    Item { space: Space, module: Option<String>, within: Range<usize> },
    /// A part of types.
    Member { owners: BTreeSet<String>, part: Part },
}

/// Whether an occurrence is a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Not,
    May,
    Is,
}

/// Everything of the name that is defined, in the order of files.
pub(super) fn symbols(survey: &Survey) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    let own = own_parts(survey);
    for (at, file) in survey.files.iter().enumerate() {
        for occurrence in &file.found {
            let Some(kind) = defined(file, occurrence, &own) else { continue };
            let place = (at, occurrence.range.start);
            let known = all.iter_mut().find(|known| known.takes(survey, at, &kind));
            match known {
                Some(known) => {
                    known.defined.push(place);
                    if let (Kind::Member { owners, .. }, Kind::Member { owners: more, .. }) = (&mut known.kind, kind) {
                        owners.extend(more);
                    }
                }
                None => all.push(Symbol { kind, file: at, at: occurrence.range.clone(), defined: vec![place] }),
            }
        }
    }
    all
}

/// The types that have a part of the name by themselves: what a trait gives one of them under that name is another.
fn own_parts(survey: &Survey) -> BTreeSet<String> {
    let roles = survey.files.iter().flat_map(|file| &file.found).map(|it| &it.role);
    let own = |role: &Role| match role {
        Role::Member { owners, declares: true, .. } if owners.len() == 1 => owners.first().cloned(),
        _ => None,
    };
    roles.filter_map(own).collect()
}

fn defined(file: &File, occurrence: &Occurrence, own: &BTreeSet<String>) -> Option<Kind> {
    match &occurrence.role {
        Role::Local { visible, declares: true } => Some(Kind::Local { visible: visible.clone() }),
        Role::Item { space, declares: true, .. } => {
            let (module, within) = file.source.as_ref()?.module_at(occurrence.range.start);
            Some(Kind::Item { space: *space, module, within })
        }
        Role::Member { owners, part, declares: true } => {
            let of = match owners.as_slice() {
                [owner, kept] if own.contains(owner) => [kept.clone()].into(),
                owners => owners.iter().cloned().collect(),
            };
            Some(Kind::Member { owners: of, part: *part })
        }
        _ => None,
    }
}

impl Symbol {
    /// Whether what another place defines is this same thing.
    fn takes(&self, survey: &Survey, file: usize, kind: &Kind) -> bool {
        match (&self.kind, kind) {
            (Kind::Member { owners, part }, Kind::Member { owners: others, part: other }) => {
                let is_kin = |from: &BTreeSet<String>, to: &BTreeSet<String>| match self.language(survey) {
                    // On a trait, or on what is embedded, nothing is built that could not have the name besides.
                    Some(Language::Rust | Language::Go) => !from.is_disjoint(to),
                    _ => from.iter().any(|owner| !survey.types.with_supers(owner).is_disjoint(to)),
                };
                part == other
                    && self.is_in_language_of(survey, file)
                    && (is_kin(owners, others) || is_kin(others, owners))
            }
            (own, kind) => self.file == file && own == kind,
        }
    }

    fn is_in_language_of(&self, survey: &Survey, file: usize) -> bool {
        self.language(survey).is_some_and(|language| survey.files[file].is_in(language))
    }

    pub(super) fn language(&self, survey: &Survey) -> Option<Language> {
        survey.files[self.file].language()
    }

    /// Where it is defined first, for people.
    pub(super) fn place(&self, survey: &Survey) -> String {
        let file = &survey.files[self.file];
        file.place(line_at(&file.content, self.at.start))
    }

    /// What it is, for people: “method Cart::total”.
    pub(super) fn told(&self, survey: &Survey, name: &str) -> String {
        let source = survey.files[self.file].source.as_ref();
        match &self.kind {
            Kind::Local { .. } => {
                let around = source.and_then(|source| source.function_at(self.at.start));
                around.map_or(format!("variable {name}"), |function| format!("variable {name} in {function}"))
            }
            Kind::Item { .. } => {
                let kind = source.and_then(|source| source.kind_at(&self.at)).unwrap_or("variable");
                format!("{kind} {name}")
            }
            Kind::Member { owners, part } => {
                let kind = match part {
                    Part::Field => "field",
                    Part::Method => "method",
                    Part::Variant => "variant",
                    Part::Path | Part::Any => source.and_then(|source| source.kind_at(&self.at)).unwrap_or("field"),
                };
                let joins = if *part == Part::Field || *part == Part::Any { "." } else { "::" };
                let owners: Vec<&str> = owners.iter().map(String::as_str).collect();
                format!("{kind} {}{joins}{name}", owners.join("/"))
            }
        }
    }

    /// Whether an occurrence in a file is this; `all` are the things of that name.
    pub(super) fn is(&self, survey: &Survey, all: &[Self], file: usize, occurrence: &Occurrence) -> Verdict {
        let at = occurrence.range.start;
        let defines = |symbol: &Self| symbol.defined.contains(&(file, at)) && !occurrence.is_short;
        if let Some(other) = all.iter().find(|it| defines(it)) {
            return match defines(self) {
                true => Verdict::Is,
                false if members::may_keep(survey, self, other) => Verdict::May,
                false => Verdict::Not,
            };
        }
        let name = survey.files[file].content.get(occurrence.range.clone()).unwrap_or_default();
        match (&self.kind, &occurrence.role) {
            (_, Role::Apart) => Verdict::Not,
            (Kind::Local { visible }, Role::Local { visible: of, .. }) if self.file == file && visible == of => {
                Verdict::Is
            }
            (Kind::Local { visible }, Role::Open) if self.file == file && visible.contains(&at) => Verdict::May,
            (Kind::Local { .. }, Role::Argument { function, of }) => {
                arguments::verdict(self, survey, all, file, (function, of))
            }
            (Kind::Local { .. }, _) => Verdict::Not,
            (_, Role::Open) if survey.files[file].source.is_none() => Verdict::May,
            _ if !self.is_in_language_of(survey, file) => Verdict::Not,
            (_, Role::Open) => Verdict::May,
            (Kind::Item { .. }, Role::Item { .. }) => self.is_item(survey, all, file, occurrence),
            (Kind::Member { owners, part }, Role::Member { owners: of, part: named, .. }) => {
                match part_fits(*part, *named) {
                    true => members::is_of(survey, all, owners, (file, of)),
                    false => Verdict::Not,
                }
            }
            (Kind::Item { .. }, Role::Member { owners: of, .. }) => members::is_embedded(survey, self, (name, of)),
            // A class of which the parts are given by name.
            (Kind::Member { owners, .. }, Role::Argument { function, of: Called::Bare | Called::Module(_) })
                if function.starts_with(char::is_uppercase) && !arguments::is_made_with(all, survey, function) =>
            {
                members::is_of(survey, all, owners, (file, std::slice::from_ref(function)))
            }
            (Kind::Member { .. }, Role::Item { path, declares: false, imports: false, .. })
                if path.is_empty() && self.language(survey) == Some(Language::Rust) =>
            {
                members::is_bare_variant(survey, all, self, (file, name))
            }
            _ => Verdict::Not,
        }
    }

    fn is_item(&self, survey: &Survey, all: &[Self], file: usize, occurrence: &Occurrence) -> Verdict {
        let (Kind::Item { space, .. }, Role::Item { space: wanted, declares, path, imports }) =
            (&self.kind, &occurrence.role)
        else {
            return Verdict::Not;
        };
        let kin: Vec<&Self> = all.iter().filter(|it| it.is_kin_of(self, survey)).collect();
        let has_value = kin.iter().any(|it| matches!(it.kind, Kind::Item { space: Space::Value, .. }));
        if *declares || !space_fits(*space, *wanted, has_value) {
            return Verdict::Not;
        }
        let rivals: Vec<&Self> = kin
            .into_iter()
            .filter(|it| matches!(it.kind, Kind::Item { space, .. } if space_fits(space, *wanted, has_value)))
            .collect();
        match path.is_empty() && !imports {
            true => self.is_bare(survey, all, &rivals, file, occurrence.range.start),
            false if self.language(survey) == Some(Language::Rust) => {
                let own = &survey.files[file];
                let path = paths::from_crate(own, survey.package(&own.path), occurrence.range.start, path);
                self.is_at_path(survey, &rivals, file, &path)
            }
            false => self.is_at_path(survey, &rivals, file, path),
        }
    }

    fn is_kin_of(&self, other: &Self, survey: &Survey) -> bool {
        matches!(self.kind, Kind::Item { .. }) && other.is_in_language_of(survey, self.file)
    }

    /// A name with a path before it.
    fn is_at_path(&self, survey: &Survey, rivals: &[&Self], file: usize, path: &[String]) -> Verdict {
        let Some(last) = path.last() else { return only(rivals) };
        if self.language(survey) == Some(Language::Rust) {
            return paths::verdict(self, survey, rivals, file, path);
        }
        let first = path.first().map(String::as_str).unwrap_or_default();
        let is_relative = matches!(first, "." | ".." | "");
        // Only a path from where a file is says for certain that it is one of the workspace.
        let is_sure = is_relative || !survey.files[file].is_in(Language::TypeScript);
        if !is_relative && !survey.modules.contains(first) && !matches!(first, "@" | "~") {
            return Verdict::Not;
        }
        let so_called = rivals.iter().filter(|it| it.modules(survey).contains(last)).count();
        let verdict = match (self.modules(survey).contains(last), so_called) {
            (true, 1) => Verdict::Is,
            (true, _) => Verdict::May,
            (false, 0) => only(rivals),
            (false, _) => Verdict::Not,
        };
        if is_sure { verdict } else { verdict.min(Verdict::May) }
    }

    /// What its file or module is called.
    pub(super) fn modules(&self, survey: &Survey) -> BTreeSet<String> {
        let Kind::Item { module, .. } = &self.kind else { return BTreeSet::new() };
        if let Some(module) = module {
            return [module.clone()].into();
        }
        let path = survey.files[self.file].path.as_str();
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, folder) = (file.split('.').next().unwrap_or(file), folder.rsplit('/').next().unwrap_or(folder));
        match stem {
            "lib" | "main" => ["crate".to_owned(), stem.to_owned()].into(),
            "mod" | "__init__" | "index" => [folder.to_owned()].into(),
            _ if self.language(survey) == Some(Language::Go) => [folder.to_owned()].into(),
            _ => [stem.to_owned()].into(),
        }
    }

    /// A name by itself: of its module, of what its file brings in, of its file.
    fn is_bare(&self, survey: &Survey, all: &[Self], rivals: &[&Self], file: usize, at: usize) -> Verdict {
        let Some(source) = &survey.files[file].source else { return Verdict::May };
        let around = source.module_at(at).1;
        let of = |within: &Range<usize>| {
            rivals
                .iter()
                .copied()
                .find(|it| it.file == file && matches!(&it.kind, Kind::Item { within: own, .. } if own == within))
        };
        let verdict = |found: &Self| if found == self { Verdict::Is } else { Verdict::Not };
        if let Some(found) = of(&around) {
            return verdict(found);
        }
        let brings = |it: &&Occurrence| matches!(it.role, Role::Item { imports: true, .. });
        let brought = survey.files[file].found.iter().filter(brings).map(|it| self.is(survey, all, file, it)).max();
        if let Some(brought) = brought {
            return brought;
        }
        if let Some(found) = rivals.iter().copied().find(|it| it.file == file) {
            return verdict(found);
        }
        self.is_from_elsewhere(survey, rivals, file)
    }

    /// A name by itself that its file neither defines nor brings in by name.
    fn is_from_elsewhere(&self, survey: &Survey, rivals: &[&Self], file: usize) -> Verdict {
        let folder = |file: usize| survey.files[file].path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        if self.language(survey) == Some(Language::Go) {
            // A package is a folder.
            return if folder(self.file) == folder(file) { Verdict::Is } else { Verdict::Not };
        }
        if rivals.is_empty() {
            return only(rivals);
        }
        let taken = match self.language(survey) {
            Some(Language::Rust) => paths::of_globs(self, survey, rivals, file),
            Some(Language::Python) => {
                let whole = survey.files[file].whole().map(|path| self.is_at_path(survey, rivals, file, path));
                whole.max().unwrap_or(Verdict::Not)
            }
            _ => Verdict::May,
        };
        // What brings it here without naming it cannot be seen.
        taken.max(Verdict::May)
    }
}

/// Without rivals it is the one.
pub(super) fn only(rivals: &[&Symbol]) -> Verdict {
    if rivals.len() < 2 { Verdict::Is } else { Verdict::May }
}

/// Whether a part that is defined as one kind can be named as another.
fn part_fits(defined: Part, named: Part) -> bool {
    match (defined, named) {
        (Part::Any, _) | (_, Part::Any) => true,
        (Part::Method | Part::Variant, Part::Path) => true,
        _ => defined == named,
    }
}

/// Whether what is looked for among some is defined among others. A type can be called like a function.
fn space_fits(defined: Space, wanted: Space, has_value: bool) -> bool {
    match (defined, wanted) {
        (_, Space::Any) => defined != Space::Macro,
        (Space::Type | Space::Module, Space::Prefix) => true,
        (Space::Type, Space::Value) => !has_value,
        _ => defined == wanted,
    }
}
