//! A project as a folder of Markdown: what a person can read, keep under version control and bring back. `project.md`
//! has its name and what was said when it began, `notes.md` its notes, `groups.md` their groups, `specifications/` and
//! `artefacts/` a file each. It is made and read as a set of files, which lie in a folder or in a ZIP archive. Next:
//! `read`, `pack`, and `talk::files`, which writes and reads one in a conversation.

mod pack;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use jiff::Timestamp;

pub use self::pack::{pack, unpack};
pub use self::read::{read, whole_of};
use crate::store::{Group, NoteState, ProjectId, ProjectState, Seed, SeedValue};
use crate::voice::VOICE;

/// All of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Which project it is; none where a folder does not say.
    pub id: Option<ProjectId>,
    /// What it is called.
    pub name: String,
    /// Whether it is set up.
    pub state: ProjectState,
    /// What was said when it began.
    pub seed: Seed,
    /// Its notes, oldest first.
    pub notes: Vec<KeptNote>,
    /// Its groups.
    pub groups: Vec<Group>,
    /// Its specifications: name and text.
    pub specifications: Vec<(String, String)>,
    /// Its artefacts in all versions, the earlier before the later.
    pub artefacts: Vec<KeptArtefact>,
}

/// A note as a folder has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptNote {
    /// Its number; none where somebody wrote it there by hand.
    pub number: Option<i64>,
    /// Where it stands.
    pub state: NoteState,
    /// What it says.
    pub text: String,
    /// The label of its group.
    pub group: Option<String>,
    /// When it was told, in milliseconds.
    pub created_ms: Option<i64>,
    /// From when on it does not count any more.
    pub expires_ms: Option<i64>,
    /// Who told it; whoever brings a project in tells all of its notes anew.
    pub by: Option<String>,
}

/// A version of an artefact as a folder has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptArtefact {
    /// What it is called.
    pub name: String,
    /// What sort of document it is.
    pub kind: String,
    /// Which version it is.
    pub version: i64,
    /// Its media type.
    pub media: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// The files of a project, by their path in its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Vec<u8>>);

/// The name of a folder for a project.
#[must_use]
pub fn name_for(project: &str) -> String {
    let kept = |letter: char| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let name: String = project.chars().map(kept).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let name: String = parts.join("-").chars().take(FILE_CHARACTERS_MAX).collect();
    if name.is_empty() { "project".to_owned() } else { name }
}

/// The files of a project.
#[must_use]
pub fn files_of(project: &Whole) -> Files {
    let mut files = Files::default();
    files.0.insert(PROJECT.to_owned(), head(project).into_bytes());
    let notes: Vec<String> = project.notes.iter().map(note).collect();
    files.0.insert(NOTES.to_owned(), notes.join("\n").into_bytes());
    if !project.groups.is_empty() {
        files.0.insert(GROUPS.to_owned(), project.groups.iter().map(group).collect::<Vec<_>>().join("\n").into_bytes());
    }
    let mut taken = BTreeSet::new();
    for (name, content) in &project.specifications {
        let path = format!("{SPECIFICATIONS}/{}.md", free(&mut taken, &name_for(name)));
        files.0.insert(path, format!("# {}\n\n{content}\n", line(name)).into_bytes());
    }
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for one in &project.artefacts {
        let file = names.entry(&one.name).or_insert_with(|| free(&mut taken, &name_for(&one.name))).clone();
        artefact(&mut files, one, &file);
    }
    files
}

/// Writes a project to `folder`, which is made where it is not there.
///
/// # Errors
/// When something else than this project is there, or a file cannot be written.
pub fn write(folder: &Path, project: &Whole) -> Result<()> {
    let taken = |told: &str| Err(Error::new(ErrorKind::AlreadyExists, told));
    if folder.is_file() {
        return taken("that is a file; name a folder");
    }
    if folder.join(PROJECT).is_file() {
        let there = read(folder)?;
        let is_same = match &there.id {
            Some(id) => project.id.as_ref() == Some(id),
            None => there.name == project.name,
        };
        if !is_same {
            return taken(&format!("another project, {}, is in that folder; name a new one", there.name));
        }
    } else if folder.exists() && fs::read_dir(folder)?.next().is_some() {
        return taken("there are other files in that folder; name a new one");
    }
    for (path, content) in files_of(project).0 {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content)?;
    }
    Ok(())
}

fn head(project: &Whole) -> String {
    let mut head = format!("# {}\n", line(&project.name));
    if let Some(id) = &project.id {
        head.push_str(&format!("\n{ID}{id}\n"));
    }
    if project.state == ProjectState::Ready {
        head.push_str(&format!("\n{READY}\n"));
    }
    for (field, value) in &project.seed.values {
        let said = match value {
            SeedValue::Said(text) => escaped(text),
            SeedValue::Skipped => String::new(),
        };
        head.push_str(&format!("\n## {}\n\n{said}\n", VOICE.label(*field)));
    }
    head
}

fn note(note: &KeptNote) -> String {
    let number = note.number.map_or_else(String::new, |number| format!("Note {number}: "));
    let mut written = format!("## {number}{}\n", word(note.state));
    let moment = |ms: i64| Timestamp::from_millisecond(ms).map(|at| at.to_string()).ok();
    let lines = [
        (GROUP, note.group.as_deref().map(line)),
        (TOLD, note.created_ms.and_then(moment)),
        (BY, note.by.as_deref().map(line)),
        (UNTIL, note.expires_ms.and_then(moment)),
    ];
    for (name, value) in lines {
        written.push_str(&value.map_or_else(String::new, |value| format!("{name}{value}\n")));
    }
    written.push_str(&format!("\n{}\n", escaped(&note.text)));
    written
}

fn group(group: &Group) -> String {
    let why = if group.rationale.is_empty() { String::new() } else { format!("\n{WHY}{}\n", line(&group.rationale)) };
    format!("## {}\n\n{}\n{why}", line(&group.label), escaped(&group.summary))
}

/// A version of an artefact: text stands in the file itself, anything else in a file beside it.
fn artefact(files: &mut Files, one: &KeptArtefact, file: &str) {
    let base = format!("{ARTEFACTS}/{file}.v{}", one.version);
    let mut head = format!("# {}\n\n{TYPE}{}\n{VERSION}{}\n", line(&one.name), line(&one.kind), one.version);
    if one.media != MARKDOWN {
        head.push_str(&format!("{MEDIA}{}\n", line(&one.media)));
    }
    match std::str::from_utf8(&one.content) {
        // Line ends of another kind would not come back as they were.
        Ok(text) if !text.contains('\r') => {
            files.0.insert(format!("{base}.md"), format!("{head}\n{text}\n").into_bytes());
        }
        Ok(_) | Err(_) => {
            head.push_str(&format!("{FILE}{file}.v{}.bin\n", one.version));
            files.0.insert(format!("{base}.md"), head.into_bytes());
            files.0.insert(format!("{base}.bin"), one.content.clone());
        }
    }
}

/// `name`, or with a number behind it where it is taken.
fn free(taken: &mut BTreeSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    let found = std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(found.clone());
    found
}

/// A text in which no line is taken for a heading.
fn escaped(text: &str) -> String {
    let line = |line: &str| match line.trim_start_matches('\\').starts_with('#') {
        true => format!("\\{line}"),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The same as it was.
fn plain(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix('\\') {
        Some(rest) if rest.trim_start_matches('\\').starts_with('#') => rest.to_owned(),
        Some(_) | None => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A text on one line.
fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn word(state: NoteState) -> &'static str {
    match state {
        NoteState::Held => WAITING,
        NoteState::Committed => SAVED,
        NoteState::Retracted => TAKEN_BACK,
    }
}

const PROJECT: &str = "project.md";
const NOTES: &str = "notes.md";
const GROUPS: &str = "groups.md";
const SPECIFICATIONS: &str = "specifications";
const ARTEFACTS: &str = "artefacts";
/// Says that a project is set up.
const READY: &str = "Its setup is complete.";
const ID: &str = "Project: ";
const TYPE: &str = "Type: ";
const VERSION: &str = "Version: ";
const MEDIA: &str = "Media: ";
const FILE: &str = "File: ";
const GROUP: &str = "Group: ";
const TOLD: &str = "Told: ";
const BY: &str = "Told by: ";
const UNTIL: &str = "Until: ";
const WHY: &str = "Why: ";
const SAVED: &str = "Saved";
const WAITING: &str = "Waiting";
const TAKEN_BACK: &str = "Taken back";
/// What an artefact is where nothing else is said.
const MARKDOWN: &str = "text/markdown";
/// Characters of a file's name.
const FILE_CHARACTERS_MAX: usize = 80;

#[cfg(test)]
mod tests;
