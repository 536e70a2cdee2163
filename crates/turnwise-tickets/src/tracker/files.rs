//! Tickets as files in a folder: a tracker for trying things out and for teams without one. Each ticket is one JSON
//! file named by its key; `project.json` says what the project is called and which fields it wants. Next: `tracker`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::likeness::alike;
use super::{Act, Item, Operation, Problem, Ticket, TicketKey, Tracker, TrackerError};
use crate::draft::Draft;

/// A folder of tickets.
#[derive(Clone, Debug)]
pub struct Files {
    folder: PathBuf,
    project: Project,
}

/// `project.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Project {
    /// What stands before the number of a ticket.
    key: String,
    /// Fields that every ticket must have, and the values each may have; an empty list takes any.
    required: BTreeMap<String, Vec<String>>,
}

impl Default for Project {
    fn default() -> Self {
        Self { key: "TASK".to_owned(), required: BTreeMap::new() }
    }
}

/// A ticket as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    key: TicketKey,
    epic: Option<TicketKey>,
    operation: Operation,
    ticket: Draft,
    #[serde(default)]
    comments: Vec<Comment>,
    /// The tickets it is linked to.
    #[serde(default)]
    links: Vec<TicketKey>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comment {
    operation: Operation,
    text: String,
}

impl Files {
    /// The tickets in `folder`, which is made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or its `project.json` cannot be read.
    pub fn open(folder: &Path) -> Result<Self, TrackerError> {
        std::fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
        let file = folder.join(PROJECT);
        let project = match std::fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| TrackerError::Unusable(format!("{} cannot be read: {error}", file.display())))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Project::default(),
            Err(error) => return Err(unusable(&file, &error)),
        };
        Ok(Self { folder: folder.to_owned(), project })
    }

    /// How many tickets there are.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn count(&self) -> Result<usize, TrackerError> {
        Ok(self.all()?.len())
    }

    fn all(&self) -> Result<Vec<Kept>, TrackerError> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&self.folder).map_err(|error| unusable(&self.folder, &error))? {
            let path = entry.map_err(|error| unusable(&self.folder, &error))?.path();
            let is_ticket = path.extension().is_some_and(|ending| ending == "json")
                && path.file_name().is_some_and(|name| name != PROJECT);
            if !is_ticket {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(|error| unusable(&path, &error))?;
            let kept: Kept = serde_json::from_str(&text)
                .map_err(|error| TrackerError::Unusable(format!("{} is no ticket: {error}", path.display())))?;
            all.push(kept);
        }
        all.sort_by_key(|kept| number(&kept.key));
        Ok(all)
    }

    fn file(&self, key: &TicketKey) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    fn one(&self, key: &TicketKey) -> Result<Kept, TrackerError> {
        let gone = || TrackerError::Refused(format!("{key} is not there any more."));
        self.all()?.into_iter().find(|kept| kept.key == *key).ok_or_else(gone)
    }

    fn ticket(&self, kept: &Kept) -> Ticket {
        let place = self.file(&kept.key).display().to_string();
        Ticket { key: kept.key.clone(), title: kept.ticket.title.clone(), place }
    }

    /// Holds the folder while a ticket is numbered and written, also against other processes.
    fn held(&self) -> Result<File, TrackerError> {
        let path = self.folder.join(LOCK);
        let lock = File::options().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|error| unusable(&path, &error))?;
        lock.lock().map_err(|error| unusable(&path, &error))?;
        Ok(lock)
    }

    /// Writes a ticket whole or not at all.
    fn write(&self, kept: &Kept) -> Result<(), TrackerError> {
        let file = self.file(&kept.key);
        let part = self.folder.join(format!(".{}.part", kept.key));
        let text = serde_json::to_string_pretty(kept).map_err(|error| TrackerError::Refused(error.to_string()))?;
        let written = std::fs::write(&part, text + "\n")
            .and_then(|()| File::open(&part)?.sync_all())
            .and_then(|()| std::fs::rename(&part, &file));
        written.map_err(|error| unusable(&file, &error))
    }
}

#[async_trait]
impl Tracker for Files {
    fn told(&self) -> String {
        format!("the folder {}", self.folder.display())
    }

    async fn look(&self) -> Result<(), TrackerError> {
        self.count().map(drop)
    }

    async fn check(&self, items: &[Item<'_>]) -> Result<Vec<Problem>, TrackerError> {
        let mut problems = Vec::new();
        for (item, Item { draft, .. }) in items.iter().enumerate() {
            for (field, allowed) in &self.project.required {
                let said = draft.more.get(field);
                let is_allowed = |value: &&String| {
                    allowed.is_empty() || allowed.iter().any(|known| known.eq_ignore_ascii_case(value))
                };
                let told = match said {
                    None => format!("{} requires {field}.", self.project.key),
                    Some(value) if !is_allowed(&value) => format!("{field} cannot be “{value}”."),
                    Some(_) => continue,
                };
                problems.push(Problem { item, field: field.clone(), told, allowed: allowed.clone() });
            }
        }
        Ok(problems)
    }

    async fn similar(&self, draft: &Draft) -> Result<Vec<Ticket>, TrackerError> {
        Ok(alike(&draft.title, self.all()?.iter().map(|kept| self.ticket(kept))))
    }

    async fn create(
        &self,
        draft: &Draft,
        epic: Option<&TicketKey>,
        operation: &Operation,
    ) -> Result<Ticket, TrackerError> {
        let _held = self.held()?;
        let all = self.all()?;
        if let Some(known) = all.iter().find(|kept| kept.operation == *operation) {
            return Ok(self.ticket(known));
        }
        let next = all.iter().map(|kept| number(&kept.key)).max().unwrap_or(0) + 1;
        let key = TicketKey::new(format!("{}-{next}", self.project.key));
        let kept = Kept {
            key,
            epic: epic.cloned(),
            operation: operation.clone(),
            ticket: draft.clone(),
            comments: Vec::new(),
            links: Vec::new(),
        };
        self.write(&kept)?;
        Ok(self.ticket(&kept))
    }

    async fn comment(&self, key: &TicketKey, text: &str, operation: &Operation) -> Result<Ticket, TrackerError> {
        let _held = self.held()?;
        let mut kept = self.one(key)?;
        if kept.comments.iter().all(|comment| comment.operation != *operation) {
            kept.comments.push(Comment { operation: operation.clone(), text: text.to_owned() });
            self.write(&kept)?;
        }
        Ok(self.ticket(&kept))
    }

    async fn link(&self, from: &TicketKey, to: &TicketKey, _: &Operation) -> Result<(), TrackerError> {
        let _held = self.held()?;
        self.one(to)?;
        let mut kept = self.one(from)?;
        if !kept.links.contains(to) {
            kept.links.push(to.clone());
            self.write(&kept)?;
        }
        Ok(())
    }

    async fn may(&self, _: Act) -> Result<(), TrackerError> {
        Ok(())
    }

    fn description_characters_max(&self) -> usize {
        usize::MAX
    }

    fn comment_characters_max(&self) -> usize {
        usize::MAX
    }

    async fn made_by(&self, operation: &Operation, _: Option<&TicketKey>) -> Result<Option<Ticket>, TrackerError> {
        let is_by = |kept: &&Kept| {
            kept.operation == *operation || kept.comments.iter().any(|comment| comment.operation == *operation)
        };
        Ok(self.all()?.iter().find(is_by).map(|kept| self.ticket(kept)))
    }
}

fn number(key: &TicketKey) -> u64 {
    key.as_str().rsplit_once('-').and_then(|(_, number)| number.parse().ok()).unwrap_or(0)
}

fn unusable(path: &Path, error: &io::Error) -> TrackerError {
    TrackerError::Unusable(format!("{} cannot be used ({error}).", path.display()))
}

/// What the project is.
const PROJECT: &str = "project.json";
/// Held while a ticket is written.
const LOCK: &str = ".lock";
