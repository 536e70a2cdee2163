//! Searching: where words stand in the files, with the lines they stand in. It is ripgrep's searcher, so large files
//! and binary ones cost what they cost there. Next: `code` for names that the grammar knows.

use std::path::PathBuf;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use turnwise_assistant::place::FilePath;

use super::{Workspace, WorkspaceError};

/// Places that are kept of a search; all are counted.
const HITS_MAX: usize = 200;
/// Characters of a line that are kept.
const LINE_WIDTH: usize = 200;

/// What is looked for.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// The text, taken as it is.
    pub text: &'a str,
    /// Whether it has to stand as whole words.
    pub whole_words: bool,
    /// Whether capitals matter.
    pub exact_case: bool,
}

/// One line with what was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The file.
    pub path: FilePath,
    /// The line, from 1.
    pub line: u64,
    /// The line without the blanks around it.
    pub text: String,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// The first of them, by path and line.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub total: usize,
}

impl Hits {
    /// The files of the kept places, each once.
    #[must_use]
    pub fn files(&self) -> Vec<FilePath> {
        let mut files: Vec<FilePath> = self.hits.iter().map(|hit| hit.path.clone()).collect();
        files.dedup();
        files
    }
}

impl<'a> Search<'a> {
    /// Looks for a name as it is written.
    #[must_use]
    pub fn name(text: &'a str) -> Self {
        Self { text, whole_words: true, exact_case: true }
    }

    /// Looks for words of people.
    #[must_use]
    pub fn words(text: &'a str) -> Self {
        Self { text, whole_words: false, exact_case: false }
    }
}

impl Search<'_> {
    fn matcher(&self) -> Result<RegexMatcher, WorkspaceError> {
        RegexMatcherBuilder::new()
            .fixed_strings(true)
            .word(self.whole_words)
            .case_insensitive(!self.exact_case)
            .build(self.text)
            .map_err(|error| WorkspaceError::Pattern(error.to_string()))
    }
}

fn searcher() -> Searcher {
    SearcherBuilder::new().line_number(true).binary_detection(BinaryDetection::quit(0)).build()
}

/// Where files lie, one after the other: what was looked at of a folder holds for the next file in it.
struct Way<'a> {
    workspace: &'a Workspace,
    folder: Option<(&'a str, bool)>,
}

impl<'a> Way<'a> {
    fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, folder: None }
    }

    /// The place of `path`, unless it leads out.
    fn to(&mut self, path: &'a FilePath) -> Option<PathBuf> {
        let Some((folder, _)) = path.as_str().rsplit_once('/') else { return self.workspace.place(path).ok() };
        let (_, is_inside) = match self.folder {
            Some(known) if known.0 == folder => known,
            _ => {
                let folder_path = FilePath::new(folder).ok();
                let place = folder_path.and_then(|folder| self.workspace.place(&folder).ok());
                (folder, place.is_some_and(|place| place.is_dir()))
            }
        };
        self.folder = Some((folder, is_inside));
        let place = self.workspace.root().join(path.as_str());
        // A link can lead anywhere, a device gives for ever.
        (is_inside && place.symlink_metadata().is_ok_and(|found| found.is_file())).then_some(place)
    }
}

impl Workspace {
    /// Those of `files` in which it stands.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn files_with(&self, files: &[FilePath], search: &Search<'_>) -> Result<Vec<FilePath>, WorkspaceError> {
        let matcher = search.matcher()?;
        let holding = |files: &[FilePath]| {
            let (mut searcher, mut way) = (searcher(), Way::new(self));
            let mut found = Vec::new();
            for path in files {
                let Some(place) = way.to(path) else { continue };
                let mut is_there = false;
                let note = Lossy(|_, _| {
                    is_there = true;
                    Ok(false)
                });
                if searcher.search_path(&matcher, &place, note).is_ok() && is_there {
                    found.push(path.clone());
                }
            }
            found
        };
        Ok(side_by_side(files, &holding).concat())
    }

    /// Looks through `files`.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn search(&self, files: &[FilePath], search: &Search<'_>) -> Result<Hits, WorkspaceError> {
        let matcher = search.matcher()?;
        let looking = |files: &[FilePath]| self.search_some(files, &matcher);
        let mut all = Hits::default();
        for found in side_by_side(files, &looking) {
            all.total += found.total;
            all.hits.extend(found.hits);
        }
        all.hits.truncate(HITS_MAX);
        Ok(all)
    }

    fn search_some(&self, files: &[FilePath], matcher: &RegexMatcher) -> Hits {
        let (mut searcher, mut way) = (searcher(), Way::new(self));
        let mut found = Hits::default();
        for path in files {
            let Some(place) = way.to(path) else { continue };
            let note = Lossy(|line, text: &str| {
                found.total += 1;
                if found.hits.len() < HITS_MAX {
                    let text = text.trim().chars().take(LINE_WIDTH).collect();
                    found.hits.push(Hit { path: path.clone(), line, text });
                }
                Ok(true)
            });
            // A file that went away or may not be read holds nothing that could be shown.
            let _ = searcher.search_path(matcher, &place, note);
        }
        found
    }
}

/// Does `work` over `files` in as many parts as there are cores, and gives what came of each in their order.
fn side_by_side<T: Send>(files: &[FilePath], work: &(dyn Fn(&[FilePath]) -> T + Sync)) -> Vec<T> {
    let parts = std::thread::available_parallelism().map_or(1, usize::from).min(files.len() / PART_FILES_MIN);
    if parts < 2 {
        return vec![work(files)];
    }
    std::thread::scope(|scope| {
        let parts = files.chunks(files.len().div_ceil(parts));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
        let done = parts.into_iter().map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect()
    })
}

/// Files for which another thread is worth starting.
const PART_FILES_MIN: usize = 200;
