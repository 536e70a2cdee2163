//! Copies: the repository as it is, uncommitted changes included, as a worktree that git knows. What a worker changed
//! in it is told from what it was; a file that was changed in the workspace meanwhile, too, is nobody's to decide here.
//! Next: `workspace::git`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use turnwise_assistant::place::FilePath;
use turnwise_core::text;

use crate::edit::{Draft, Edit, Proposal};
use crate::workspace::{Digest, Workspace};

/// A copy that is removed when this is dropped.
pub(super) struct Copy {
    original: Workspace,
    folder: PathBuf,
    /// Files that were not as the last commit has them: what they held, none where they are gone.
    uncommitted: BTreeMap<FilePath, Option<Digest>>,
}

impl Copy {
    /// Copies a workspace.
    ///
    /// # Errors
    /// Why it cannot be, as a sentence.
    pub(super) fn make(workspace: &Workspace) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| format!("The worker needs a copy of the repository: {error}.");
        let changed = workspace.git_changed().map_err(|error| told(&error))?;
        if changed.len() > UNCOMMITTED_MAX {
            let many = text::count(changed.len(), "file");
            return Err(told(&format!("{many} are not committed, and up to {UNCOMMITTED_MAX} are copied")));
        }
        // Beside nothing of the person's: below a folder that git ignores, all of the copy would be ignored.
        let folder = fresh_folder().map_err(|error| told(&error))?;
        let mut copy = Self { original: workspace.clone(), folder, uncommitted: BTreeMap::new() };
        workspace.git_copy(&copy.folder).map_err(|error| told(&error))?;
        for path in changed {
            copy.take_over(&path).map_err(|error| told(&error))?;
        }
        Ok(copy)
    }

    /// The folder of the copy.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn take_over(&mut self, path: &FilePath) -> Result<(), String> {
        let (from, to) =
            (self.original.place(path).map_err(|error| error.to_string())?, self.folder.join(path.as_str()));
        let digest = self.original.digest(path).unwrap_or_default();
        let done = match &digest {
            Some(_) => {
                to.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::copy(&from, &to).map(drop))
            }
            None if to.exists() => std::fs::remove_file(&to),
            None => Ok(()),
        };
        done.map_err(|error| format!("“{path}”: {error}"))?;
        self.uncommitted.insert(path.clone(), digest);
        Ok(())
    }

    /// What the workspace would become, and what of the copy cannot be taken over.
    ///
    /// # Errors
    /// When a file was changed on both sides.
    pub(super) fn changes(&self, workspace: &Workspace) -> Result<(Proposal, String), String> {
        let copy = Workspace::open(&self.folder).map_err(|error| format!("{error}."))?;
        let changed = copy.git_changed().map_err(|error| format!("{error}."))?;
        let in_workspace = workspace.git_changed().map_err(|error| format!("{error}."))?;
        let mut draft = Draft::new(workspace);
        let mut left_out = Vec::new();
        let mut modes = copy.git_modes().map_err(|error| format!("{error}."))?;
        let own_modes = workspace.git_modes().map_err(|error| format!("{error}."))?;
        modes.retain(|path| !own_modes.contains(path));
        for path in changed.into_iter().chain(self.uncommitted.keys().cloned()) {
            if copy.is_link(&path) && !workspace.is_link(&path) {
                left_out.push(format!("{path} is a link"));
                continue;
            }
            let Ok(now) = copy.digest(&path) else {
                left_out.push(format!("{path} cannot be read"));
                continue;
            };
            let before = self.before(workspace, &in_workspace, &path)?;
            if modes.contains(&path) {
                left_out.push(format!("{path} has another mode"));
            }
            if now == before {
                continue;
            }
            if workspace.digest(&path).map_err(|error| format!("{error}."))? != before {
                return Err(stale(&path));
            }
            let text = match now.map(|_| copy.read(&path)) {
                Some(Ok(text)) => text.content,
                Some(Err(_)) => {
                    left_out.push(format!("{path} is no text"));
                    continue;
                }
                None => {
                    left_out.push(format!("{path} was deleted"));
                    continue;
                }
            };
            if before.is_none() {
                let create = Edit::Create { path: path.clone(), text: String::new() };
                draft.edit(&create).map_err(|error| format!("{error}."))?;
            }
            draft.put(&path, text).map_err(|error| format!("{error}."))?;
        }
        let ignored = copy.git_ignored().map_err(|error| format!("{error}."))?;
        if !ignored.is_empty() {
            left_out.push(format!("git ignores {}", crate::rules::some(&ignored)));
        }
        let left_out = match left_out.is_empty() {
            true => String::new(),
            false => format!("Not taken over: {}.", text::listed(&left_out)),
        };
        Ok((Proposal::of(&draft), left_out))
    }

    /// What a file held when the copy was made.
    fn before(&self, workspace: &Workspace, now: &[FilePath], path: &FilePath) -> Result<Option<Digest>, String> {
        match self.uncommitted.get(path) {
            Some(digest) => Ok(digest.clone()),
            None if now.contains(path) => Err(stale(path)),
            // It is as the last commit has it, then and now.
            None => workspace.digest(path).map_err(|error| format!("{error}.")),
        }
    }
}

fn stale(path: &FilePath) -> String {
    format!(
        "stale_context: “{path}” was changed by the worker and, meanwhile, in the workspace, so nothing of it was taken \
         over."
    )
}

impl Drop for Copy {
    fn drop(&mut self) {
        self.original.git_uncopy(&self.folder);
    }
}

/// A folder that nobody else has.
fn fresh_folder() -> std::io::Result<PathBuf> {
    let above = std::env::temp_dir().canonicalize()?;
    let moment = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |it| it.as_nanos());
    let folder = above.join(format!("turnwise-worker-{}-{moment}", std::process::id()));
    let mut making = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
    // Fails where something of that name is, whoever put it there.
    making.create(&folder)?;
    Ok(folder)
}

/// Uncommitted files that are copied; more are a repository that was never committed.
const UNCOMMITTED_MAX: usize = 500;
