//! Surveying: all files in which a name stands, with what each of its occurrences is. Files that are not named are
//! looked at as well: what a name is shows in where it is defined. Next: `symbol`.

use std::collections::BTreeSet;

use turnwise_assistant::place::FilePath;

use super::super::replace::Unread;
use super::super::wish::is_place;
use crate::code::{ALL_OF_IT, Language, Occurrence, Role, Source, Types, identifiers, is_code, line_at};
use crate::edit::Draft;
use crate::workspace::{Search, Workspace, WorkspaceError};

/// A file in which the name stands.
pub(super) struct File {
    pub path: FilePath,
    /// As it would be after the edits so far.
    pub content: String,
    /// None where its language has no grammar here.
    pub source: Option<Source>,
    pub found: Vec<Occurrence>,
    /// What it brings in, each under its name there; of Python only the modules of which it takes everything.
    pub uses: Vec<(String, Vec<String>)>,
    /// Modules that it declares.
    pub modules: Vec<String>,
    /// Lines at which it is a word of a comment or a text.
    pub words: Vec<usize>,
}

/// All of them.
pub(super) struct Survey {
    pub files: Vec<File>,
    pub types: Types,
    /// Names of files without their endings, of folders, and of the crates of the workspace: what a path can begin
    /// with and still be of it.
    pub modules: BTreeSet<String>,
    /// The crates of the workspace.
    pub crates: Vec<Crate>,
    /// Files that hold the name and cannot be read.
    pub unread: Unread,
}

/// A crate of the workspace.
pub(super) struct Crate {
    pub folder: String,
    pub name: String,
}

/// Files that are read to know the types of fields and functions.
const TYPED_FILES_MAX: usize = 2_000;

impl Survey {
    pub(super) fn of(
        workspace: &Workspace,
        draft: &Draft<'_>,
        name: &str,
        named: &[FilePath],
    ) -> Result<Self, WorkspaceError> {
        let is_meant = |path: &FilePath| is_code(path) || named.contains(path);
        let (mut files, mut unread): (Vec<File>, Unread) = (Vec::new(), Unread::default());
        for path in workspace.files_holding(&Search::name(name))?.into_iter().filter(is_meant) {
            match draft.content(&path) {
                Ok(content) => files.push(File::of(path, content, name)),
                // What is too long or no text may have the name all the same.
                Err(error) => unread.note(&path, &error),
            }
        }
        let all = workspace.files();
        let types = types(draft, &all, &files);
        // Where nobody asks for types, all is seen already.
        if let Some(types) = &types {
            files.iter_mut().for_each(|file| file.look(name, types));
        }
        let crates = crates(workspace, &all);
        let mut modules = modules(&all);
        modules.extend(crates.iter().map(|it| it.name.clone()));
        modules.extend(files.iter().flat_map(|file| file.modules.iter().cloned()));
        Ok(Self { files, types: types.unwrap_or_default(), modules, crates, unread })
    }

    /// Whether the name stands at a place that was said.
    pub(super) fn has_name_at(&self, said: &str) -> bool {
        let places = self.files.iter().flat_map(|file| file.found.iter().map(|it| file.place(it.line)));
        places.into_iter().any(|place| is_place(&place, said))
    }

    /// The folder of the crate that a file is of: that of the nearest manifest.
    pub(super) fn package(&self, path: &FilePath) -> &str {
        let is_around = |folder: &str| {
            folder.is_empty() || path.as_str().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        let folders = self.crates.iter().map(|it| it.folder.as_str()).filter(|folder| is_around(folder));
        folders.max_by_key(|folder| folder.len()).unwrap_or_default()
    }
}

impl File {
    fn of(path: FilePath, content: String, name: &str) -> Self {
        let source = Source::of(&path, content.clone());
        let uses = source.as_ref().map(Source::uses).unwrap_or_default();
        let modules = source.as_ref().map(Source::modules).unwrap_or_default();
        let mut file = Self { path, content, source, found: Vec::new(), uses, modules, words: Vec::new() };
        file.look(name, &Types::default());
        file
    }

    fn look(&mut self, name: &str, types: &Types) {
        if let Some(source) = &self.source {
            (self.found, self.words) = source.occurrences(name, types);
            return;
        }
        let places = identifiers(&self.path, &self.content, name).names.into_iter();
        let occurrence = |range: std::ops::Range<usize>| {
            let line = line_at(&self.content, range.start);
            Occurrence { range, line, role: Role::Open, is_short: false }
        };
        self.found = places.map(occurrence).collect();
    }

    pub(super) fn language(&self) -> Option<Language> {
        self.source.as_ref().map(Source::language)
    }

    /// The paths of which everything is brought in.
    pub(super) fn whole(&self) -> impl Iterator<Item = &Vec<String>> {
        self.uses.iter().filter(|(name, _)| name == ALL_OF_IT).map(|(_, path)| path)
    }

    pub(super) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }

    /// Whether it is written in that language; TypeScript with and without markup is one.
    pub(super) fn is_in(&self, language: Language) -> bool {
        self.language().is_some_and(|own| own.is_kin_of(language))
    }
}

/// The types of fields and functions; none where no part of a type is among what was found.
fn types(draft: &Draft<'_>, all: &[FilePath], files: &[File]) -> Option<Types> {
    let asks =
        |file: &&File| file.found.iter().any(|it| matches!(it.role, Role::Member { .. } | Role::Argument { .. }));
    let languages: Vec<Language> = files.iter().filter(asks).filter_map(File::language).collect();
    if languages.is_empty() {
        return None;
    }
    let is_asked = |path: &&FilePath| {
        Language::of(path).is_some_and(|language| languages.iter().any(|asked| asked.is_kin_of(language)))
    };
    let mut types = Types::default();
    for path in all.iter().filter(is_asked).take(TYPED_FILES_MAX) {
        match files.iter().find(|file| file.path == *path) {
            Some(file) => file.source.iter().for_each(|source| types.read(source)),
            None => {
                let source = draft.content(path).ok().and_then(|content| Source::of(path, content));
                source.iter().for_each(|source| types.read(source));
            }
        }
    }
    Some(types)
}

/// What a path within the workspace can begin with.
fn modules(files: &[FilePath]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for path in files.iter().filter(|path| is_code(path)) {
        let parts = path.as_str().split('/').map(|part| part.split('.').next().unwrap_or(part).replace('-', "_"));
        names.extend(parts);
    }
    names
}

/// The crates of the workspace. A manifest that only lists others has no name of its own.
fn crates(workspace: &Workspace, files: &[FilePath]) -> Vec<Crate> {
    let manifests = files.iter().filter(|path| path.file_name() == "Cargo.toml");
    let named = |manifest: &FilePath| {
        let text = workspace.read(manifest).map(|text| text.content).unwrap_or_default();
        let named = text.lines().find_map(|line| line.strip_prefix("name")?.trim().strip_prefix('='));
        let name = named.map(|name| name.trim().trim_matches('"').replace('-', "_")).unwrap_or_default();
        let folder = manifest.as_str().strip_suffix("Cargo.toml").unwrap_or_default().trim_end_matches('/').to_owned();
        Crate { folder, name }
    };
    manifests.map(named).collect()
}
