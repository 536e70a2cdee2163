//! Surveying: all files in which a name stands, with what each of its occurrences is. Files that are not named are
//! looked at as well: what a name is shows in where it is defined. Next: `symbol`.

use std::collections::BTreeSet;

use turnwise_assistant::place::FilePath;

use crate::code::{Language, Occurrence, Role, Source, Types, identifiers, is_code};
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
        let mut files: Vec<File> = Vec::new();
        for path in workspace.files_holding(&Search::name(name))?.into_iter().filter(is_meant) {
            // A file that is no text has no names; ripgrep's searcher looks into some of them.
            let Ok(content) = draft.content(&path) else { continue };
            files.push(File::of(path, content, name));
        }
        let all = workspace.files();
        let types = types(draft, &all, &files);
        files.iter_mut().for_each(|file| file.look(name, &types));
        Ok(Self { files, types, modules: modules(workspace, &all) })
    }
}

impl File {
    fn of(path: FilePath, content: String, name: &str) -> Self {
        let source = Source::of(&path, content.clone());
        let mut file = Self { path, content, source, found: Vec::new(), words: Vec::new() };
        file.look(name, &Types::default());
        file
    }

    fn look(&mut self, name: &str, types: &Types) {
        if let Some(source) = &self.source {
            (self.found, self.words) = source.occurrences(name, types);
            return;
        }
        let line = |at: usize| self.content[..at].matches('\n').count() + 1;
        let places = identifiers(&self.path, &self.content, name).names.into_iter();
        let occurrence = |range: std::ops::Range<usize>| {
            let line = line(range.start);
            Occurrence { range, line, role: Role::Open, is_short: false }
        };
        self.found = places.map(occurrence).collect();
    }

    pub(super) fn language(&self) -> Option<Language> {
        self.source.as_ref().map(Source::language)
    }

    pub(super) fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }

    /// Whether it is written in that language; TypeScript with and without markup is one.
    pub(super) fn is_in(&self, language: Language) -> bool {
        self.language().is_some_and(|own| own.is_kin_of(language))
    }
}

/// The types of fields and functions, where parts of types are among what was found.
fn types(draft: &Draft<'_>, all: &[FilePath], files: &[File]) -> Types {
    let mut types = Types::default();
    let asks = |file: &&File| file.found.iter().any(|it| matches!(it.role, Role::Member { .. }));
    let languages: Vec<Language> = files.iter().filter(asks).filter_map(File::language).collect();
    let is_asked = |path: &&FilePath| {
        Language::of(path).is_some_and(|language| languages.iter().any(|asked| asked.is_kin_of(language)))
    };
    for path in all.iter().filter(is_asked).take(TYPED_FILES_MAX) {
        let source = draft.content(path).ok().and_then(|content| Source::of(path, content));
        source.iter().for_each(|source| types.read(source));
    }
    types
}

/// What a path within the workspace can begin with.
fn modules(workspace: &Workspace, files: &[FilePath]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for path in files.iter().filter(|path| is_code(path)) {
        let parts = path.as_str().split('/').map(|part| part.split('.').next().unwrap_or(part).replace('-', "_"));
        names.extend(parts);
    }
    let manifests = files.iter().filter(|path| path.file_name() == "Cargo.toml");
    for manifest in manifests {
        let text = workspace.read(manifest).map(|text| text.content).unwrap_or_default();
        let named = text.lines().find_map(|line| line.strip_prefix("name")?.trim().strip_prefix('='));
        names.extend(named.map(|name| name.trim().trim_matches('"').replace('-', "_")));
    }
    names
}
