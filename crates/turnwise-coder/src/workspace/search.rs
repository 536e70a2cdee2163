//! Searching: where words stand in the files, with the lines they stand in. It is ripgrep's searcher, so large files
//! and binary ones cost what they cost there. Next: `code` for names that the grammar knows.

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

impl Workspace {
    /// Those of `files` in which it stands.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn files_with(&self, files: &[FilePath], search: &Search<'_>) -> Result<Vec<FilePath>, WorkspaceError> {
        let (matcher, mut searcher) = (search.matcher()?, searcher());
        let mut holds = |path: &&FilePath| {
            let mut is_there = false;
            let note = Lossy(|_, _| {
                is_there = true;
                Ok(false)
            });
            self.place(path).is_ok_and(|place| searcher.search_path(&matcher, &place, note).is_ok()) && is_there
        };
        Ok(files.iter().filter(|path| holds(path)).cloned().collect())
    }

    /// Looks through `files`.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn search(&self, files: &[FilePath], search: &Search<'_>) -> Result<Hits, WorkspaceError> {
        let (matcher, mut searcher) = (search.matcher()?, searcher());
        let mut found = Hits::default();
        for path in files {
            let Ok(place) = self.place(path) else { continue };
            let note = Lossy(|line, text: &str| {
                found.total += 1;
                if found.hits.len() < HITS_MAX {
                    let text = text.trim().chars().take(LINE_WIDTH).collect();
                    found.hits.push(Hit { path: path.clone(), line, text });
                }
                Ok(true)
            });
            // A file that went away or may not be read holds nothing that could be shown.
            let _ = searcher.search_path(&matcher, &place, note);
        }
        Ok(found)
    }
}
