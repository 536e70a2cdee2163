//! A person's own files of a profile: where they are, what is in them, and how they are changed. A file is replaced
//! whole or not at all, and never when somebody changed it since it was read: what a person writes into their profile
//! is theirs. Next: `profiles` for reading with them, `exemplars` for what changes them.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use turnwise_intent::{Profile, UnknownAssistant, builtin};

use super::profiles;
use turnwise_assistant::{Failure, FailureKind};

/// The texts of a profile: a person's own, and the built-in ones in place of those that are not there.
#[derive(Clone, Debug)]
pub struct Own {
    /// The assistant.
    pub name: String,
    /// Where a person's own files are looked for.
    pub folder: PathBuf,
    assistant: Option<String>,
    exemplars: Option<String>,
    built_in: (&'static str, &'static str),
}

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileFile {
    /// `assistant.yaml`.
    Assistant,
    /// `exemplars.yaml`.
    Exemplars,
}

impl ProfileFile {
    fn name(self) -> &'static str {
        match self {
            Self::Assistant => profiles::ASSISTANT,
            Self::Exemplars => profiles::EXEMPLARS,
        }
    }
}

impl Own {
    /// The files of the assistant `name` as they are now.
    ///
    /// # Errors
    /// When there is no such assistant, or a file is there and cannot be read.
    pub fn of(name: &str) -> Result<Self, Failure> {
        let built_in = builtin::texts(name).map_err(unknown)?;
        let folder = profiles::folder()?.join(name);
        let assistant = read(&folder.join(profiles::ASSISTANT))?;
        let exemplars = read(&folder.join(profiles::EXEMPLARS))?;
        Ok(Self { name: name.to_owned(), folder, assistant, exemplars, built_in })
    }

    /// Whether nothing of it is the person's own.
    pub fn is_built_in(&self) -> bool {
        self.assistant.is_none() && self.exemplars.is_none()
    }

    /// The text of `file`.
    pub fn text(&self, file: ProfileFile) -> &str {
        match file {
            ProfileFile::Assistant => self.assistant.as_deref().unwrap_or(self.built_in.0),
            ProfileFile::Exemplars => self.exemplars.as_deref().unwrap_or(self.built_in.1),
        }
    }

    /// The profile that the texts make.
    ///
    /// # Errors
    /// When they are wrong.
    pub fn profile(&self) -> Result<Profile, Failure> {
        let (assistant, exemplars) = (self.text(ProfileFile::Assistant), self.text(ProfileFile::Exemplars));
        Profile::parse(assistant, exemplars).map_err(|error| {
            Failure::new(FailureKind::Usage, format!("the profile in {} is wrong: {error}", self.folder.display()))
                .hint("mend that line; or move the file away to use the built-in one")
                .caused_by(error)
        })
    }

    /// The same with `text` in place of `file`; nothing is written.
    #[must_use]
    pub fn with(&self, file: ProfileFile, text: String) -> Self {
        let mut changed = self.clone();
        match file {
            ProfileFile::Assistant => changed.assistant = Some(text),
            ProfileFile::Exemplars => changed.exemplars = Some(text),
        }
        changed
    }

    /// Writes `changed`'s text of `file` over this one's. Where the person has no such file yet, the built-in one is
    /// written first, and said. Returns where it was written.
    ///
    /// # Errors
    /// When it cannot be written, or the file is no longer what it was when it was read.
    pub fn write(&self, file: ProfileFile, changed: &Self) -> Result<PathBuf, Failure> {
        let path = self.folder.join(file.name());
        let has_own = match file {
            ProfileFile::Assistant => self.assistant.is_some(),
            ProfileFile::Exemplars => self.exemplars.is_some(),
        };
        if !has_own {
            std::fs::create_dir_all(&self.folder).map_err(|error| unwritable(&self.folder, error))?;
            let mut new = File::create_new(&path).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => changed_meanwhile(&path),
                _ => unwritable(&path, error),
            })?;
            new.write_all(self.text(file).as_bytes()).map_err(|error| unwritable(&path, error))?;
            super::tell(&format!("{} was not there; the built-in one was written there first", path.display()))?;
        }
        replace(&path, self.text(file), changed.text(file))?;
        Ok(path)
    }
}

/// Puts `after` in place of a file that holds `before`.
fn replace(path: &Path, before: &str, after: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| unwritable(path, error);
    // A link stays a link; what it points to is replaced.
    let target = std::fs::canonicalize(path).map_err(failed)?;
    let held = File::open(&target).map_err(failed)?;
    // Two commands that change the same file follow each other; the second finds another text and says so.
    held.lock().map_err(failed)?;
    if std::fs::read_to_string(&target).map_err(failed)? != before {
        return Err(changed_meanwhile(path));
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    let new = folder.join(format!(".{}.{}.new", name_of(&target), std::process::id()));
    let written = write_whole(&new, after, held.metadata().map_err(failed)?.permissions())
        .and_then(|()| std::fs::rename(&new, &target));
    if written.is_err() {
        // Nothing depends on whether the unfinished file can be removed.
        let _ = std::fs::remove_file(&new);
    }
    written.map_err(failed)
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn write_whole(path: &Path, text: &str, permissions: std::fs::Permissions) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(permissions)?;
    file.sync_all()
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::new(FailureKind::Usage, format!("{} cannot be read ({error})", path.display()))
            .hint("mend the file, or move it away to use the built-in one")),
    }
}

fn changed_meanwhile(path: &Path) -> Failure {
    Failure::new(FailureKind::Usage, format!("{} was changed meanwhile and is left as it is", path.display()))
        .hint("run the command again; it then starts from the file as it is now")
}

/// A place of a profile that cannot be written.
pub fn unwritable(path: &Path, error: std::io::Error) -> Failure {
    Failure::new(FailureKind::Operator, format!("{} cannot be written ({error})", path.display()))
        .hint(format!("set {} to a folder that can be written", profiles::VARIABLE))
        .caused_by(error)
}

/// An assistant that is not there.
pub fn unknown(error: UnknownAssistant) -> Failure {
    Failure::new(FailureKind::Usage, error.to_string()).caused_by(error)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::replace;

    #[test]
    fn a_file_that_was_changed_meanwhile_is_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("exemplars.yaml");
        std::fs::write(&file, "theirs").unwrap();
        let error = replace(&file, "as it was read", "ours").unwrap_err().to_string();
        assert!(error.contains("was changed meanwhile"), "{error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
        replace(&file, "theirs", "ours").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "ours");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_rights_stay_as_they_were() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real"), folder.path().join("exemplars.yaml"));
        std::fs::write(&file, "a").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        replace(&link, "a", "b").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "b");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
