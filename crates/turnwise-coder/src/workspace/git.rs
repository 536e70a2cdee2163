//! Git: what changed, what is recorded and by whom, asked of the `git` program. A repository is somebody else's: its
//! settings may name programs for git to start, so those that questions could start are switched off. Next: `command`.

use std::path::Path;
use std::time::Duration;

use turnwise_assistant::command::{CommandLine, Terms};
use turnwise_assistant::place::FilePath;

use super::Workspace;

/// A question is not worth longer.
const SECONDS_MAX: u64 = 20;

/// What makes git start nothing of the repository's.
const PLAIN: [&str; 7] =
    ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"];

/// The short id of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitId(String);

impl std::fmt::Display for CommitId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

/// A commit in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its short id.
    pub id: CommitId,
    /// Who wrote it.
    pub author: String,
    /// When, as a date.
    pub date: String,
    /// Its first line.
    pub subject: String,
}

/// Why git gives no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// There is no program.
    #[error("the program git is not installed here")]
    NotInstalled,
    /// There is no repository.
    #[error("the workspace is not under git")]
    NoRepository,
    /// It failed.
    #[error("git failed: {0}")]
    Failed(String),
}

impl Workspace {
    /// Files that differ from the last commit, as `git status --short` says it.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_status(&self) -> Result<Vec<String>, GitError> {
        let told = self.git(&["status", "--short", "--untracked-files=normal"])?;
        Ok(told.lines().map(str::to_owned).collect())
    }

    /// What differs from the last commit, of all files or of one.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_diff(&self, path: Option<&FilePath>) -> Result<String, GitError> {
        let mut words = vec!["diff", "--no-ext-diff", "--no-textconv", "HEAD", "--"];
        words.extend(path.map(FilePath::as_str));
        self.git(&words)
    }

    /// The latest commits, of all files or of one.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_log(&self, count: usize, path: Option<&FilePath>) -> Result<Vec<Commit>, GitError> {
        let count = format!("-n{count}");
        let mut words = vec!["log", count.as_str(), "--date=short", "--format=%h%x1f%an%x1f%ad%x1f%s", "--"];
        words.extend(path.map(FilePath::as_str));
        let commit = |line: &str| {
            let mut parts = line.split('\u{1f}').map(str::to_owned);
            Some(Commit {
                id: CommitId(parts.next()?),
                author: parts.next()?,
                date: parts.next()?,
                subject: parts.next()?,
            })
        };
        Ok(self.git(&words)?.lines().filter_map(commit).collect())
    }

    /// The files that the last commit changed, each with the lines it added and removed.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_last_files(&self) -> Result<Vec<String>, GitError> {
        let told = self.git(&["show", "--no-ext-diff", "--no-textconv", "--format=", "--stat=100", "HEAD"])?;
        Ok(told.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect())
    }

    /// Files that differ from the last commit and files that are not in it, by their names alone.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_changed(&self) -> Result<Vec<FilePath>, GitError> {
        let told = self.git(&["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"])?;
        Ok(told.split('\0').filter_map(|entry| FilePath::new(entry.get(3..)?).ok()).collect())
    }

    /// The commit that is called so; none where git knows none.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_commit(&self, name: &str) -> Result<Option<CommitId>, GitError> {
        let name = format!("{name}^{{commit}}");
        match self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name]) {
            Ok(told) => Ok(Some(CommitId(told.trim().to_owned()))),
            Err(GitError::Failed(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The first commit.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_first(&self) -> Result<Option<CommitId>, GitError> {
        let told = self.git(&["rev-list", "--max-parents=0", "HEAD"])?;
        Ok(told.lines().next_back().map(|id| CommitId(id.to_owned())))
    }

    /// What differs between a commit and another one, or the files as they are: how much of each file, and the lines.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_between(
        &self,
        from: &CommitId,
        to: Option<&CommitId>,
        path: Option<&FilePath>,
    ) -> Result<String, GitError> {
        let mut words = vec!["diff", "--no-ext-diff", "--no-textconv", "--stat=100", "--patch", from.0.as_str()];
        words.extend(to.map(|to| to.0.as_str()));
        words.push("--");
        words.extend(path.map(FilePath::as_str));
        self.git(&words)
    }

    /// The commits of some days, each with its files; days as git reads them.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_log_of_days(&self, from: &str, to: Option<&str>, path: Option<&FilePath>) -> Result<String, GitError> {
        let (since, until) = (format!("--since={from}"), to.map(|to| format!("--until={to}")));
        let mut words = vec!["log", "--no-ext-diff", "--no-textconv", "--date=short", "--stat=100", since.as_str()];
        words.extend(until.as_deref());
        words.extend(["--format=%h %ad %an: %s", "--"]);
        words.extend(path.map(FilePath::as_str));
        self.git(&words)
    }

    /// Files of the last commit that have another mode now.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_modes(&self) -> Result<Vec<FilePath>, GitError> {
        // “:100644 100755 … M\0a.sh\0”: the modes before and now, and the path behind them.
        let told = self.git(&["diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--raw", "-z", "HEAD"])?;
        let mut parts = told.split('\0');
        let mut changed = Vec::new();
        while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
            let mut modes = head.trim_start_matches(':').split(' ');
            let (before, now) = (modes.next().unwrap_or_default(), modes.next().unwrap_or_default());
            if before != now && ![before, now].contains(&"000000") {
                changed.extend(FilePath::new(path));
            }
        }
        Ok(changed)
    }

    /// What lies there and is ignored: files, and folders of which all is.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_ignored(&self) -> Result<Vec<String>, GitError> {
        let told = self.git(&["status", "--porcelain", "-z", "--untracked-files=normal", "--ignored=traditional"])?;
        Ok(told.split('\0').filter_map(|entry| entry.strip_prefix("!! ")).map(str::to_owned).collect())
    }

    /// Makes a copy of the last commit in `place`, which git knows as a worktree.
    ///
    /// # Errors
    /// When git gives no answer.
    pub fn git_copy(&self, place: &Path) -> Result<(), GitError> {
        let place = place.display().to_string();
        self.git(&["worktree", "add", "--quiet", "--detach", "--force", &place, "HEAD"]).map(drop)
    }

    /// Removes such a copy, whatever is in it.
    pub fn git_uncopy(&self, place: &Path) {
        let shown = place.display().to_string();
        // What git does not know any more is a folder like others.
        if self.git(&["worktree", "remove", "--force", &shown]).is_err() {
            let _ = std::fs::remove_dir_all(place);
            let _ = self.git(&["worktree", "prune"]);
        }
    }

    fn git(&self, words: &[&str]) -> Result<String, GitError> {
        let command = CommandLine::new("git", &PLAIN.iter().chain(words).copied().collect::<Vec<_>>());
        let terms = Terms { time: Duration::from_secs(SECONDS_MAX), ..Terms::plain() };
        let ran = self.run(&command, &terms, &mut |_| {}).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => GitError::NotInstalled,
            _ => GitError::Failed(error.to_string()),
        })?;
        match ran.is_well() {
            true => Ok(ran.result),
            false if ran.output.contains("not a git repository") => Err(GitError::NoRepository),
            false => Err(GitError::Failed(ran.output.lines().next().unwrap_or("it said nothing").to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn git_tells_what_changed_and_what_is_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        assert_eq!(workspace.git_status(), Err(GitError::NoRepository));
        let git = |words: &[&str]| {
            let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
            let mut command = std::process::Command::new("git");
            assert!(command.args(who).args(words).current_dir(folder.path()).output().unwrap().status.success());
        };
        std::fs::write(folder.path().join("a.rs"), "fn a() {}\n").unwrap();
        git(&["init", "-q"]);
        git(&["add", "."]);
        git(&["commit", "-q", "-m", "first: a"]);
        std::fs::write(folder.path().join("a.rs"), "fn b() {}\n").unwrap();
        assert_eq!(workspace.git_status().unwrap(), [" M a.rs"]);
        assert!(workspace.git_diff(None).unwrap().contains("+fn b() {}"));
        let log = workspace.git_log(5, Some(&FilePath::new("a.rs").unwrap())).unwrap();
        assert_eq!((log.len(), log[0].author.as_str(), log[0].subject.as_str()), (1, "Ada", "first: a"));
        assert!(workspace.git_last_files().unwrap()[0].starts_with("a.rs"));
    }
}
