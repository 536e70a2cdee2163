//! Searching: where words stand in the files, with the lines they stand in. It is ripgrep's searcher, so large files
//! and binary ones cost what they cost there. Next: `code` for names that the grammar knows.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use turnwise_assistant::place::FilePath;

use super::{Workspace, WorkspaceError};

/// Places that are kept of a search; all are counted.
const HITS_MAX: usize = 200;
/// How many times as many are held before those that come last are dropped: sorting at each file would cost more.
const HELD_TIMES: usize = 8;
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
    /// In how many files.
    pub in_files: usize,
}

impl Hits {
    /// Looks through one more file.
    fn look(&mut self, searcher: &mut Searcher, matcher: &RegexMatcher, path: &FilePath, place: &Path) {
        let before = self.total;
        let note = Lossy(|line, text: &str| {
            self.total += 1;
            if self.hits.len() < HITS_MAX {
                let text = text.trim().chars().take(LINE_WIDTH).collect();
                self.hits.push(Hit { path: path.clone(), line, text });
            }
            Ok(true)
        });
        // A file that went away or may not be read holds nothing that could be shown.
        let _ = searcher.search_path(matcher, place, note);
        self.in_files += usize::from(self.total > before);
    }

    /// Takes in what stands in another file, whatever its place among them.
    fn take(&mut self, found: Self) {
        self.total += found.total;
        self.in_files += found.in_files;
        self.hits.extend(found.hits);
        if self.hits.len() > HITS_MAX * HELD_TIMES {
            self.keep_first();
        }
    }

    fn keep_first(&mut self) {
        self.hits.sort_by(|left, right| (&left.path, left.line).cmp(&(&right.path, right.line)));
        self.hits.truncate(HITS_MAX);
    }

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

    /// The files of the workspace in which it stands, in the order of their paths. They are searched as they are
    /// walked over, so that what holds nothing is neither kept nor sorted.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn files_holding(&self, search: &Search<'_>) -> Result<Vec<FilePath>, WorkspaceError> {
        let matcher = search.matcher()?;
        let found = Mutex::new(Vec::new());
        let is_whole = self.visit(|| {
            let (mut searcher, matcher, found) = (searcher(), &matcher, &found);
            move |path, place: &Path| {
                let mut is_there = false;
                let note = Lossy(|_, _| {
                    is_there = true;
                    Ok(false)
                });
                if searcher.search_path(matcher, place, note).is_ok() && is_there {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push(path);
                }
            }
        });
        if !is_whole {
            return self.files_with(&self.files(), search);
        }
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_unstable();
        Ok(found)
    }

    /// Looks through all files of the workspace, as they are walked over.
    ///
    /// # Errors
    /// When the text cannot be looked for.
    pub fn search_all(&self, search: &Search<'_>) -> Result<Hits, WorkspaceError> {
        let matcher = search.matcher()?;
        let all = Mutex::new(Hits::default());
        let is_whole = self.visit(|| {
            let (mut searcher, matcher, all) = (searcher(), &matcher, &all);
            move |path, place: &Path| {
                let mut found = Hits::default();
                found.look(&mut searcher, matcher, &path, place);
                if found.total > 0 {
                    all.lock().unwrap_or_else(PoisonError::into_inner).take(found);
                }
            }
        });
        if !is_whole {
            return self.search(&self.files(), search);
        }
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.keep_first();
        Ok(all)
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
            all.in_files += found.in_files;
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
            found.look(&mut searcher, matcher, path, &place);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_search_of_all_files_finds_what_one_of_the_listed_files_finds_and_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("far.txt"), "needle\n").unwrap();
        for at in 0..HITS_MAX {
            let name = folder.path().join(format!("part{}", at % 7));
            std::fs::create_dir_all(&name).unwrap();
            std::fs::write(name.join(format!("file{at}.txt")), "one needle\nhay\ntwo needle\n").unwrap();
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path(), folder.path().join("away")).unwrap();
            std::os::unix::fs::symlink(outside.path().join("far.txt"), folder.path().join("far.txt")).unwrap();
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        let search = Search::name("needle");
        let listed = workspace.search(&workspace.files(), &search).unwrap();
        assert_eq!((listed.total, listed.in_files, listed.hits.len()), (2 * HITS_MAX, HITS_MAX, HITS_MAX));
        // Threads come to the files in another order each time.
        for _ in 0..5 {
            assert_eq!(workspace.search_all(&search).unwrap(), listed);
            let holding = workspace.files_holding(&search).unwrap();
            assert_eq!(holding, workspace.files_with(&workspace.files(), &search).unwrap());
        }
    }
}
