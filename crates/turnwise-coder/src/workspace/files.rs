//! Files: which there are, as git sees them, and which of them a person means by a name. What is ignored, and what is
//! git's or ours, is not there. Next: `search`.

use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::overrides::OverrideBuilder;
use ignore::{DirEntry, WalkBuilder, WalkState};
use turnwise_assistant::place::{FilePath, PlaceError, is_kept};
use turnwise_core::text;

use super::{Workspace, WorkspaceError};

/// Files of a workspace that are looked at; who has more names a folder of it.
pub const FILES_MAX: usize = 50_000;
/// Entries that are walked over in a workspace, files and folders: a home folder opened by mistake ends there.
pub const WALKED_MAX: usize = 1_000_000;

/// What of a workspace nobody looks at, because it has too many files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Files that were found.
    pub found: usize,
    /// Of them those that are looked at: the first by their paths, unless the walk ended early.
    pub taken: usize,
    /// Whether the walk ended at its own limit, so that there may be more.
    pub may_be_more: bool,
}

impl LeftOut {
    /// In plain words.
    #[must_use]
    pub fn told(self) -> String {
        let Self { found, taken, may_be_more } = self;
        let (more, which) = match may_be_more {
            // Where the walk ended early, what it had found by then is no beginning of anything.
            true => (" at least", format!("{taken} of them")),
            false => ("", format!("the first {taken} by their paths")),
        };
        format!(
            "This workspace has{more} {}; {which} are looked at, the rest is not. Name a folder of it as the workspace \
             to reach the rest.",
            text::count(found, "file")
        )
    }
}

/// How far a walk goes.
#[derive(Clone, Copy, Debug)]
struct Reach {
    files: usize,
    walked: usize,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This one file.
    One(FilePath),
    /// All of a pattern or a folder, at least one: an order that names none goes everywhere.
    Many(Vec<FilePath>),
    /// A bare name that several files have.
    Ambiguous(Vec<FilePath>),
    /// None.
    Nothing,
}

impl Found {
    fn many(files: Vec<FilePath>) -> Self {
        if files.is_empty() { Self::Nothing } else { Self::Many(files) }
    }

    /// The files that are meant, where there is no doubt which.
    #[must_use]
    pub fn files(&self) -> &[FilePath] {
        match self {
            Self::One(path) => std::slice::from_ref(path),
            Self::Many(paths) => paths,
            Self::Ambiguous(_) | Self::Nothing => &[],
        }
    }
}

impl Workspace {
    /// All files in the order of their paths, without what git ignores.
    #[must_use]
    pub fn files(&self) -> Vec<FilePath> {
        self.files_within(Reach { files: FILES_MAX, walked: WALKED_MAX })
    }

    /// What the last look at all files left out; none where it left out nothing.
    #[must_use]
    pub fn left_out(&self) -> Option<LeftOut> {
        *self.left_out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn files_within(&self, reach: Reach) -> Vec<FilePath> {
        let (sender, found) = std::sync::mpsc::channel();
        let may_be_more = self.walk(reach, || {
            let sender = sender.clone();
            move |path, _: &Path| drop(sender.send(path))
        });
        drop(sender);
        let mut files: Vec<FilePath> = found.into_iter().collect();
        files.sort_unstable();
        self.note_left_out(reach, files.len(), may_be_more);
        files.truncate(reach.files);
        files
    }

    /// Shows every plain file to a visitor of its thread, in no order: what is a link is none. Whether the walk ended
    /// at its limit.
    fn walk<V: FnMut(FilePath, &Path) + Send>(&self, reach: Reach, visitor: impl Fn() -> V) -> bool {
        let mut walk = WalkBuilder::new(self.root());
        // A project is the same for everybody: whose machine it is does not hide files of it.
        walk.hidden(false).follow_links(false).require_git(false).git_global(false).parents(true);
        walk.filter_entry(|entry| !is_kept(&entry.file_name().to_string_lossy()));
        walk.threads(std::thread::available_parallelism().map_or(1, usize::from));
        let walked = AtomicUsize::new(0);
        walk.build_parallel().run(|| {
            let (mut visit, walked) = (visitor(), &walked);
            Box::new(move |entry| {
                if walked.fetch_add(1, Ordering::Relaxed) >= reach.walked {
                    return WalkState::Quit;
                }
                let Ok(entry) = entry else { return WalkState::Continue };
                if let Some(path) = self.file(&entry) {
                    visit(path, entry.path());
                }
                WalkState::Continue
            })
        });
        walked.into_inner() > reach.walked
    }

    fn note_left_out(&self, reach: Reach, found: usize, may_be_more: bool) {
        let cut = LeftOut { found, taken: found.min(reach.files), may_be_more };
        let left_out = Some(cut).filter(|cut| cut.may_be_more || cut.taken < cut.found);
        *self.left_out.lock().unwrap_or_else(PoisonError::into_inner) = left_out;
    }

    /// The same for all files that [`Self::files`] gives; false where there are too many for that, and what was shown
    /// is to be dropped.
    pub(super) fn visit<V: FnMut(FilePath, &Path) + Send>(&self, visitor: impl Fn() -> V) -> bool {
        let reach = Reach { files: FILES_MAX, walked: WALKED_MAX };
        let found = AtomicUsize::new(0);
        let may_be_more = self.walk(reach, || {
            let (mut visit, found) = (visitor(), &found);
            move |path, place: &Path| {
                found.fetch_add(1, Ordering::Relaxed);
                visit(path, place);
            }
        });
        let found = found.into_inner();
        self.note_left_out(reach, found, may_be_more);
        found <= reach.files
    }

    fn file(&self, entry: &DirEntry) -> Option<FilePath> {
        entry.file_type().filter(std::fs::FileType::is_file)?;
        FilePath::new(entry.path().strip_prefix(self.root()).ok()?.to_str()?).ok()
    }

    /// The files that `name` stands for: a path, a folder, a pattern with `*`, or a bare name wherever it lies.
    ///
    /// # Errors
    /// When the name leads out of the workspace.
    pub fn find(&self, name: &str) -> Result<Found, WorkspaceError> {
        if name.contains(['*', '?']) {
            return self.matching(name);
        }
        let path = FilePath::new(name)?;
        let place = self.place(&path)?;
        if place.is_file() {
            return Ok(Found::One(path));
        }
        let files = self.files();
        if place.is_dir() {
            let below = format!("{path}/");
            return Ok(Found::many(files.into_iter().filter(|file| file.as_str().starts_with(&below)).collect()));
        }
        let behind = format!("/{path}");
        let named: Vec<FilePath> = files.iter().filter(|file| file.as_str().ends_with(&behind)).cloned().collect();
        let named = if named.is_empty() { loosely(&files, path.as_str()) } else { named };
        Ok(match named.as_slice() {
            [] => Found::Nothing,
            [one] => Found::One(one.clone()),
            _ => Found::Ambiguous(named),
        })
    }

    fn matching(&self, pattern: &str) -> Result<Found, WorkspaceError> {
        let leads_out = pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..");
        if leads_out {
            return Err(PlaceError::Outside(pattern.to_owned()).into());
        }
        let mut builder = OverrideBuilder::new(self.root());
        let wrong = |error: ignore::Error| WorkspaceError::Pattern(error.to_string());
        builder.add(pattern.trim_start_matches("./")).map_err(wrong)?;
        let globs = builder.build().map_err(wrong)?;
        let is_meant = |file: &FilePath| globs.matched(file.as_str(), false).is_whitelist();
        Ok(Found::many(self.files().into_iter().filter(is_meant).collect()))
    }
}

/// Files that a name without its ending, or in other letters, stands for: README is README.md.
fn loosely(files: &[FilePath], name: &str) -> Vec<FilePath> {
    let wanted = name.to_lowercase();
    let is_meant = |file: &&FilePath| {
        let name = file.file_name().to_lowercase();
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        name == wanted || stem == wanted
    };
    let found: Vec<FilePath> = files.iter().filter(is_meant).cloned().collect();
    // The one at the top is the one that is meant: every package of a repository has a README.
    match found.iter().filter(|file| !file.as_str().contains('/')).collect::<Vec<_>>().as_slice() {
        [top] => vec![(*top).clone()],
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn workspace(files: &[&str]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x\n").unwrap();
        }
        let workspace = Workspace::open(folder.path()).unwrap();
        (folder, workspace)
    }

    #[test]
    fn names_patterns_and_folders_find_what_git_sees() {
        let (folder, workspace) =
            workspace(&["src/a.rs", "src/b/util.rs", "lib/util.rs", "README.md", "docs/README.md", "out/x.rs"]);
        std::fs::write(folder.path().join(".gitignore"), "out/\n").unwrap();
        let path = |name: &str| FilePath::new(name).unwrap();
        assert_eq!(workspace.find("a.rs"), Ok(Found::One(path("src/a.rs"))));
        assert_eq!(workspace.find("b/util.rs"), Ok(Found::One(path("src/b/util.rs"))));
        assert_eq!(workspace.find("util.rs"), Ok(Found::Ambiguous(vec![path("lib/util.rs"), path("src/b/util.rs")])));
        assert_eq!(workspace.find("readme"), Ok(Found::One(path("README.md"))));
        assert_eq!(workspace.find("src/"), Ok(Found::Many(vec![path("src/a.rs"), path("src/b/util.rs")])));
        assert_eq!(workspace.find("src/**/*.rs").unwrap().files().len(), 2);
        for ignored in ["x.rs", "out", "out/*.rs"] {
            assert_eq!(workspace.find(ignored), Ok(Found::Nothing), "what git ignores is not there: {ignored}");
        }
        assert!(workspace.find("../*.rs").is_err() && workspace.find("/etc/passwd").is_err());
    }

    #[test]
    fn a_walk_ends_at_its_limit() {
        let (_folder, workspace) = workspace(&["a.rs", "b.rs", "c.rs", "d.rs"]);
        let within = |files: usize, walked: usize| workspace.files_within(Reach { files, walked }).len();
        assert_eq!((within(9, 5), workspace.left_out()), (4, None), "the folder itself is walked over, too");
        assert_eq!(within(9, 3), 2);
        assert_eq!(workspace.left_out(), Some(LeftOut { found: 2, taken: 2, may_be_more: true }));
        let told = workspace.left_out().unwrap().told();
        assert!(told.contains("has at least 2 files; 2 of them are looked at"), "{told}");
        assert_eq!(within(3, 9), 3);
        let told = workspace.left_out().unwrap().told();
        assert!(told.starts_with("This workspace has 4 files; the first 3 by their paths are looked at"), "{told}");
    }
}
