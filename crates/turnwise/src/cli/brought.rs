//! Files that people brought to a server to ask about: a folder for each set of them, opened by an assistant when a
//! conversation begins over it and whenever one is taken up again. They go with the last conversation over them. Next:
//! `house`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use turnwise_core::{AssistantName, ConversationId};

use crate::assistant;
use crate::channel::http::{NotKept, limits};
use crate::driver::Over;
use turnwise_assistant::{Failure, Opened};

/// How the assistant that reads files is opened over a folder; it blocks.
pub struct Opens(Box<dyn Fn(PathBuf) -> Result<Opened, Failure> + Send + Sync>);

impl Opens {
    /// Opens it as `open` does.
    pub fn with(open: impl Fn(PathBuf) -> Result<Opened, Failure> + Send + Sync + 'static) -> Self {
        Self(Box::new(open))
    }
}

/// The files that were brought.
pub struct Brought {
    root: PathBuf,
    reader: AssistantName,
    endings: &'static [&'static str],
    opens: Opens,
    /// The folder of each set, by the mark of the conversations over it.
    folders: Mutex<BTreeMap<String, PathBuf>>,
    opened: Mutex<BTreeMap<String, Opened>>,
}

impl Brought {
    /// What is kept below `root`, for the assistant `reader` that reads files with these endings.
    pub fn new(root: PathBuf, reader: AssistantName, endings: &'static [&'static str], opens: Opens) -> Self {
        let kept = std::fs::read_dir(&root).into_iter().flatten().flatten().map(|entry| entry.path());
        let folders = kept.filter_map(|folder| Some((mark(&reader, &folder)?, folder))).collect();
        Self { root, reader, endings, opens, folders: Mutex::new(folders), opened: Mutex::default() }
    }

    /// The assistant that reads them.
    pub fn reader(&self) -> &AssistantName {
        &self.reader
    }

    /// The endings of files it reads.
    pub fn endings(&self) -> &'static [&'static str] {
        self.endings
    }

    /// Keeps a file; blocks.
    ///
    /// # Errors
    /// When it cannot be kept or read; nothing of it is left then.
    pub fn keep(&self, name: &str, beside: Option<&str>, bytes: &[u8]) -> Result<(String, Vec<String>), NotKept> {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()).unwrap_or_default();
        if !is_file_name(name) || !self.endings.contains(&ending.as_str()) {
            return Err(NotKept::Name);
        }
        let id = match beside {
            Some(id) => id.to_owned(),
            None => uuid::Uuid::new_v4().simple().to_string(),
        };
        let folder = self.folder(&id).filter(|folder| beside.is_none() || folder.is_dir()).ok_or(NotKept::Nothing)?;
        let disk = |error: std::io::Error| NotKept::Disk(format!("the file could not be kept ({error})"));
        std::fs::create_dir_all(&folder).map_err(disk)?;
        if names(&folder).iter().filter(|kept| *kept != name).count() >= limits::UPLOAD_FILES_MAX {
            return Err(NotKept::TooMany);
        }
        let path = folder.join(name);
        std::fs::write(&path, bytes).map_err(disk)?;
        let kind = assistant::named(self.reader.as_str())
            .map_err(|failure| NotKept::Unreadable(failure.message().to_owned()))?;
        if let Err(failure) = (kind.examine)(std::slice::from_ref(&path)) {
            // What cannot be read is not kept, and a folder in which nothing is goes as well.
            let _ = std::fs::remove_file(&path);
            let _ = std::fs::remove_dir(&folder);
            let told = failure.message().replace(&format!("{}/", folder.display()), "");
            return Err(NotKept::Unreadable(told));
        }
        Ok((id, names(&folder)))
    }

    /// The assistant over the files of this set; blocks. `None` where there are none.
    pub fn over(&self, set: &str) -> Option<Result<Opened, Failure>> {
        let folder = self.folder(set).filter(|folder| folder.is_dir())?;
        let mark = mark(&self.reader, &folder)?;
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(mark.clone(), folder);
        self.marked(&mark)
    }

    /// The assistant over the files that `conversation` is over; blocks. `None` where it is over others.
    pub fn of(&self, conversation: &ConversationId) -> Option<Result<Opened, Failure>> {
        let (_, mark) = conversation.as_str().rsplit_once('-')?;
        self.marked(mark)
    }

    fn marked(&self, mark: &str) -> Option<Result<Opened, Failure>> {
        let folder = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(mark)?.clone();
        let known = self.opened.lock().unwrap_or_else(PoisonError::into_inner).get(mark).cloned();
        if let Some(known) = known {
            return Some(Ok(known));
        }
        let opened = (self.opens.0)(folder);
        if let Ok(opened) = &opened {
            let mut kept = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            // Conversations that are held keep theirs; another is opened again when it is wanted.
            if kept.len() >= OPENED_MAX {
                kept.pop_first();
            }
            kept.insert(mark.to_owned(), opened.clone());
        }
        Some(opened)
    }

    /// What conversations over brought files are over, for lists.
    pub fn all(&self) -> Vec<Over> {
        let folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.keys().map(|mark| Over { assistant: self.reader.clone(), ending: format!("-{mark}") }).collect()
    }

    /// Forgets the files that bear `mark`; blocks.
    pub fn forget(&self, mark: &str) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).remove(mark);
        let folder = self.folders.lock().unwrap_or_else(PoisonError::into_inner).remove(mark);
        if let Some(folder) = folder
            && let Err(error) = std::fs::remove_dir_all(&folder)
        {
            eprintln!("{} could not be removed: {error}", folder.display());
        }
    }

    /// The folder of a set; `None` for what can be the id of none.
    fn folder(&self, id: &str) -> Option<PathBuf> {
        let is_id =
            id.len() == 32 && id.bytes().all(|letter| letter.is_ascii_digit() || (b'a'..=b'f').contains(&letter));
        is_id.then(|| self.root.join(id))
    }
}

/// The mark of conversations over what is in `folder`.
fn mark(reader: &AssistantName, folder: &Path) -> Option<String> {
    let kind = assistant::named(reader.as_str()).ok()?;
    Some(kind.mark(&[folder.to_owned()]))
}

/// The names of the files in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Whether a name is that of a file, and leads nowhere else.
fn is_file_name(name: &str) -> bool {
    let is_plain = |letter: char| !letter.is_control() && !matches!(letter, '/' | '\\' | ':');
    !name.starts_with(['.', '~']) && name.len() <= NAME_BYTES_MAX && name.chars().all(is_plain)
}

/// Bytes of a name, which every file system takes.
const NAME_BYTES_MAX: usize = 120;

/// Sets of files that are kept open: those that people ask about at the same time.
const OPENED_MAX: usize = 16;
