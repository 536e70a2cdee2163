//! Files of the working folder: read, list, write, and take a write back. Names that lead out of it are refused, and
//! links on the way. A write keeps what was there. Next: `kept`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde_json::{Value, json};
use turnwise_assistant::digest;
use turnwise_assistant::place::{self, FilePath, PlaceError, is_kept};
use turnwise_core::EffectClass;
use turnwise_core::text::count;

use super::kept::{Entry, Kept, Replaced, Written};
use super::{About, Call, Difference, Found, Given, Output, Tool, Trouble, form, literal, text};

/// The tool that reads a file.
pub(crate) const READ: &str = "read";
/// The tool that lists a folder.
pub(crate) const LIST: &str = "list";
/// The tool that writes a file.
pub(crate) const WRITE: &str = "write";
/// The tool that takes a write back.
pub(crate) const UNDO: &str = "undo";

/// The working folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    kept: Kept,
}

/// One of the four tools.
pub(super) struct Files {
    about: About,
    folder: Folder,
}

impl Folder {
    /// Takes `root` as the working folder.
    ///
    /// # Errors
    /// When it is no folder that can be entered.
    pub fn open(root: &Path) -> Result<Self, String> {
        let wrong = || format!("“{}” is not a folder", root.display());
        let root = root.canonicalize().map_err(|_| wrong())?;
        if root.is_dir() { Ok(Self { kept: Kept::new(root.clone()), root }) } else { Err(wrong()) }
    }

    /// The folder, with links resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The last write that was not taken back, if there is one.
    pub fn last_written(&self) -> Option<Entry> {
        self.kept.lasting().into_iter().next()
    }

    /// What “undo” means behind the writes in `but`: the last write whose operation begins with `own`, else the last of
    /// anybody.
    pub fn to_undo(&self, own: &str, but: &[u64]) -> Option<Entry> {
        let left: Vec<Entry> = self.kept.lasting().into_iter().filter(|entry| !but.contains(&entry.number)).collect();
        left.iter().find(|entry| entry.operation.starts_with(own)).or_else(|| left.first()).cloned()
    }

    /// Whether a write is still there as it was written.
    pub fn is_in_place(&self, entry: &Entry) -> bool {
        self.kept.is_in_place(entry)
    }

    /// Whether the write `number` has an operation that begins with `own`.
    pub fn is_own(&self, own: &str, number: u64) -> bool {
        self.kept.entries().iter().any(|entry| entry.number == number && entry.operation.starts_with(own))
    }

    /// Where a file of this name is, or would be; none where it cannot be one of the folder.
    pub fn place_of(&self, name: &str) -> Option<PathBuf> {
        self.place(name).ok().map(|(_, place)| place)
    }

    fn place(&self, name: &str) -> Result<(FilePath, PathBuf), PlaceError> {
        let path = FilePath::new(name)?;
        let place = place::place(&self.root, &path)?;
        Ok((path, place))
    }

    /// A text file of the folder.
    ///
    /// # Errors
    /// Why it cannot be read, as a sentence.
    pub fn read(&self, name: &str) -> Result<String, String> {
        let (path, place) = self.place(name).map_err(|error| sentence(&error))?;
        let found = fs::metadata(&place).map_err(|error| unreadable(&path, &error))?;
        if !found.is_file() {
            return Err(format!("“{path}” is not a plain file."));
        }
        if found.len() > FILE_BYTES_MAX {
            return Err(format!("“{path}” has {} MB; files of up to 8 MB are read.", found.len() / 1_000_000));
        }
        let bytes = fs::read(&place).map_err(|error| unreadable(&path, &error))?;
        String::from_utf8(bytes).map_err(|_| format!("“{path}” is not a text file."))
    }

    /// Whether there could be something of this name and is nothing.
    pub fn lacks(&self, name: &str) -> bool {
        self.place(name).is_ok_and(|(_, place)| !place.exists())
    }

    /// Whether there is something of this name.
    pub fn has(&self, name: &str) -> bool {
        self.root.join(name).symlink_metadata().is_ok()
    }

    /// Why a file cannot be written, whatever would be in it.
    pub fn cannot_write(&self, name: &str) -> Option<String> {
        match self.place(name) {
            Err(error) => Some(sentence(&error)),
            Ok((path, _)) if path.may_be_written().is_err() => {
                path.may_be_written().err().map(|error| sentence(&error))
            }
            Ok((path, place)) => place.is_dir().then(|| format!("“{path}” is a folder, so nothing is written to it.")),
        }
    }

    /// What a folder holds, a line each.
    ///
    /// # Errors
    /// Why it cannot be read, as a sentence.
    pub fn list(&self, name: Option<&str>) -> Result<String, String> {
        let place = match name.filter(|name| !matches!(*name, "" | ".")) {
            Some(name) => self.place(name).map_err(|error| sentence(&error))?.1,
            None => self.root.clone(),
        };
        let shown = name.unwrap_or(".");
        let told = |error: io::Error| format!("“{shown}” cannot be listed: {error}.");
        let mut lines = Vec::new();
        for entry in fs::read_dir(place).map_err(told)?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_kept(&name) {
                lines.push(if is_folder { format!("{name}/") } else { name });
            }
        }
        lines.sort();
        Ok(if lines.is_empty() { format!("“{shown}” is empty.") } else { lines.join("\n") })
    }
}

impl Files {
    /// All of them.
    pub(super) fn all(folder: &Folder) -> [Self; 4] {
        let file = json!({"type": "string", "minLength": 1, "description": "a path inside the working folder"});
        let object = |properties: Value, required: Value| {
            form(json!({
                "type": "object", "properties": properties, "required": required, "additionalProperties": false,
            }))
        };
        let tool = |name: &str, told: &str, effect, schema| Self {
            about: About {
                name: name.to_owned(),
                told: told.to_owned(),
                schema,
                effect,
                seconds: SECONDS_MAX,
                mark: String::new(),
            },
            folder: folder.clone(),
        };
        [
            tool(READ, "reads a text file", EffectClass::Pure, object(json!({"file": file}), json!(["file"]))),
            tool(LIST, "lists a folder", EffectClass::Pure, object(json!({"folder": file}), json!([]))),
            tool(
                WRITE,
                "writes a file, keeping what was there",
                WRITES,
                object(json!({"file": file, "content": {"type": "string"}}), json!(["file", "content"])),
            ),
            tool(
                UNDO,
                "takes the last write back",
                WRITES,
                object(json!({"file": file, "number": {"type": "integer", "minimum": 1}}), json!(["file", "number"])),
            ),
        ]
    }
}

#[async_trait]
impl Tool for Files {
    fn about(&self) -> &About {
        &self.about
    }

    fn line(&self, givens: &BTreeMap<String, Given>) -> String {
        let file = literal(givens, "file").unwrap_or_default();
        match self.about.name.as_str() {
            READ => format!("Read {file}"),
            LIST => format!("List {}", literal(givens, "folder").unwrap_or("the working folder")),
            UNDO => format!("Put {file} back as it was before the last write"),
            _ => match givens.get("content") {
                Some(given @ (Given::ResultOf(_) | Given::Held(_))) => format!("Write {given} to {file}"),
                _ => format!("Write {file}"),
            },
        }
    }

    /// What is new in a file, whose content the plan has.
    fn difference(&self, givens: &BTreeMap<String, Given>) -> Option<Difference> {
        let content = literal(givens, "content").filter(|_| self.about.name == WRITE)?;
        Some(self.folder.difference(literal(givens, "file")?, content))
    }

    fn takes_results(&self, argument: &str) -> bool {
        argument == "content"
    }

    async fn call(&self, call: Call) -> Result<Output, Trouble> {
        let (name, folder) = (self.about.name.clone(), self.folder.clone());
        let done = tokio::task::spawn_blocking(move || folder.act(&name, &call));
        done.await.unwrap_or_else(|_| Err(Trouble::Unknown("the thread it ran on broke down".to_owned())))
    }

    async fn look_up(&self, operation: &str) -> Found {
        let Some(entry) = self.folder.kept.of(operation) else { return Found::NotDone };
        match self.folder.kept.is_in_place(&entry) {
            true => Found::Done(Output { text: written(&entry), is_whole: true, note: None }),
            false => Found::NotDone,
        }
    }
}

impl Folder {
    fn act(&self, tool: &str, call: &Call) -> Result<Output, Trouble> {
        if call.stop.is_cancelled() {
            return Err(Trouble::Stopped);
        }
        let file = text(&call.arguments, "file");
        match tool {
            READ => self.read(file).map(|text| Output::of(&text)).map_err(Trouble::Failed),
            LIST => {
                let folder = call.arguments.get("folder").and_then(Value::as_str);
                self.list(folder).map(|text| Output::of(&text)).map_err(Trouble::Failed)
            }
            UNDO => self.undo(call.arguments.get("number").and_then(Value::as_u64)),
            _ => self.write(&call.operation, file, text(&call.arguments, "content"), call.replaces.as_deref()),
        }
    }

    /// What writing `content` to a file changes. What is shown and what it is marked by are of one look at it.
    fn difference(&self, file: &str, content: &str) -> Difference {
        let place = self.place(file).ok();
        let last = place.as_ref().map_or(0, |(path, _)| self.kept.last_of(path));
        let bytes = place.filter(|(_, place)| place.is_file()).and_then(|(_, place)| fs::read(place).ok());
        let replaces = Replaced { digest: bytes.as_deref().map(digest::of_bytes), last }.to_string();
        let is_shown = |bytes: &Vec<u8>| u64::try_from(bytes.len()).is_ok_and(|length| length <= FILE_BYTES_MAX);
        let before = bytes.filter(is_shown).and_then(|bytes| String::from_utf8(bytes).ok());
        Difference { diff: super::replaced(file, before.as_deref(), content), replaces: Some(replaces) }
    }

    /// Writes a file, where it is still what it was `shown` to replace.
    fn write(&self, operation: &str, file: &str, content: &str, shown: Option<&str>) -> Result<Output, Trouble> {
        // Another attempt at what was done already does nothing more.
        if let Some(entry) = self.kept.of(operation).filter(|entry| self.kept.is_in_place(entry)) {
            return Ok(Output { text: written(&entry), is_whole: true, note: None });
        }
        let refused = |error: PlaceError| Trouble::Failed(sentence(&error));
        let (path, _) = self.place(file).map_err(refused)?;
        path.may_be_written().map_err(refused)?;
        let told = |error: io::Error| Trouble::Failed(format!("“{path}” cannot be written: {error}."));
        let shown = match shown.map(str::parse::<Replaced>).transpose() {
            Ok(shown) => shown,
            Err(()) => return Err(Trouble::Failed(format!("What “{path}” was is not said, so it was left as it is."))),
        };
        let entry = match self.kept.write(operation, &path, content.as_bytes(), shown.as_ref()).map_err(told)? {
            Written::Done(entry) => entry,
            Written::Before => {
                let text = format!("{path} holds that already.");
                return Ok(Output { text, is_whole: true, note: None });
            }
            Written::Changed => {
                let told =
                    format!("“{path}” was changed since the plan was shown, so it was left as it is; plan it again.");
                return Err(Trouble::Failed(told));
            }
        };
        let size = count(content.len(), "byte");
        Ok(Output { text: written(&entry), is_whole: true, note: Some(format!("{size}. “undo” takes it back.")) })
    }

    fn undo(&self, number: Option<u64>) -> Result<Output, Trouble> {
        let found = self.kept.entries().into_iter().find(|entry| Some(entry.number) == number);
        let Some(entry) = found else { return Err(Trouble::Failed("That write is not kept any more.".to_owned())) };
        let done = Output { text: format!("{} is as it was before.", entry.file), is_whole: true, note: None };
        if entry.undone {
            return Ok(done);
        }
        if self.kept.digest_of(&entry.file) == entry.before {
            // A process died between putting it back and noting so.
            return self.kept.undone(&entry).map(|()| done).map_err(|error| Trouble::Failed(format!("{error}.")));
        }
        if !self.kept.is_in_place(&entry) {
            let told = format!("“{}” was changed since it was written, so it was left as it is.", entry.file);
            return Err(Trouble::Failed(told));
        }
        let told = |error: io::Error| Trouble::Failed(format!("“{}” cannot be put back: {error}.", entry.file));
        self.kept.put_back(&entry).map_err(told)?;
        Ok(done)
    }
}

fn written(entry: &Entry) -> String {
    match entry.before {
        Some(_) => format!("Wrote {}; what was there is kept.", entry.file),
        None => format!("Wrote {}, which is new.", entry.file),
    }
}

fn unreadable(path: &FilePath, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("There is no file “{path}” in the working folder."),
        _ => format!("“{path}” cannot be read: {error}."),
    }
}

fn sentence(error: &PlaceError) -> String {
    format!("{error}.")
}

/// What writing does to the world: it can be taken back, and doing it again changes nothing more.
const WRITES: EffectClass = EffectClass::Reversible;
/// Bytes of a file that is read.
const FILE_BYTES_MAX: u64 = 8_000_000;
/// Seconds that reading or writing may take.
const SECONDS_MAX: u32 = 60;

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_write_is_taken_back_and_one_that_was_changed_since_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let read = || fs::read_to_string(root.path().join("a.txt")).ok();
        fs::write(root.path().join("a.txt"), "old").unwrap();
        folder.write("one", "a.txt", "new", None).unwrap();
        assert_eq!(read().as_deref(), Some("new"));
        folder.write("one", "a.txt", "not again", None).unwrap();
        assert_eq!(read().as_deref(), Some("new"), "another attempt does nothing more");
        let last = folder.last_written().unwrap();
        fs::write(root.path().join("a.txt"), "mine").unwrap();
        assert!(matches!(folder.undo(Some(last.number)), Err(Trouble::Failed(told)) if told.contains("changed since")));
        fs::write(root.path().join("a.txt"), "new").unwrap();
        folder.undo(Some(last.number)).unwrap();
        assert_eq!(read().as_deref(), Some("old"));
        folder.write("two", "sub/b.txt", "b", None).unwrap();
        folder.undo(Some(folder.last_written().unwrap().number)).unwrap();
        assert!(!root.path().join("sub/b.txt").exists());
        assert_eq!(folder.list(None).unwrap(), "a.txt\nsub/");
    }

    #[test]
    fn names_that_lead_out_are_refused_for_reading_listing_and_writing() {
        let (root, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), root.path().join("away")).unwrap();
        let folder = Folder::open(root.path()).unwrap();
        for name in ["../a", "away/a", "/etc/hosts", "a/../../b", ".git/hooks/pre-commit"] {
            assert!(folder.read(name).is_err(), "{name}");
            assert!(folder.list(Some(name)).is_err(), "{name}");
            assert!(folder.write("op", name, "x", None).is_err(), "{name}");
        }
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    }
}
