//! A project as a folder of Markdown: what a person can read, keep under version control and bring back. `project.md`
//! has its name and what was said when it began, `notes.md` its notes, `specifications/` and `artefacts/` a file each.
//! Next: `talk::files`, which writes and reads one in a conversation.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use crate::store::{Artefact, Note, NoteState, ProjectState, Seed, SeedField, SeedValue, Specification};
use crate::voice::VOICE;

/// All of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// What it is called.
    pub name: String,
    /// Whether it is set up.
    pub state: ProjectState,
    /// What was said when it began.
    pub seed: Seed,
    /// Its notes, oldest first.
    pub notes: Vec<(NoteState, String)>,
    /// Its specifications.
    pub specifications: Vec<Specification>,
    /// Its artefacts.
    pub artefacts: Vec<Artefact>,
}

/// The name of a folder for a project.
#[must_use]
pub fn name_for(project: &str) -> String {
    let kept = |letter: char| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let name: String = project.chars().map(kept).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "project".to_owned() } else { parts.join("-") }
}

/// Writes a project to `folder`, which is made where it is not there.
///
/// # Errors
/// When something else than an exported project is there, or a file cannot be written.
pub fn write(folder: &Path, project: &Whole) -> Result<()> {
    let is_ours = || folder.join(PROJECT).is_file();
    if folder.exists() && !is_ours() && fs::read_dir(folder)?.next().is_some() {
        return Err(Error::new(ErrorKind::AlreadyExists, "there are other files in that folder; name a new one"));
    }
    fs::create_dir_all(folder)?;
    fs::write(folder.join(PROJECT), head(project))?;
    let notes: Vec<String> =
        project.notes.iter().map(|(state, text)| format!("## {}\n\n{text}\n", word(*state))).collect();
    fs::write(folder.join(NOTES), notes.join("\n"))?;
    for one in &project.specifications {
        document(&folder.join(SPECIFICATIONS), &one.name, None, &one.content)?;
    }
    for one in &project.artefacts {
        document(&folder.join(ARTEFACTS), &one.name, Some(&one.kind), &one.content)?;
    }
    Ok(())
}

/// Reads the project in `folder`.
///
/// # Errors
/// When there is none, or a file cannot be read.
pub fn read(folder: &Path) -> Result<Whole> {
    let head = text(&folder.join(PROJECT)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Error::new(ErrorKind::NotFound, format!("there is no {PROJECT} in that folder")),
        _ => error,
    })?;
    let (name, rest) =
        head.trim_start().strip_prefix("# ").and_then(|rest| rest.split_once('\n')).ok_or_else(|| {
            Error::new(ErrorKind::InvalidData, format!("{PROJECT} has to begin with “# ” and the project's name"))
        })?;
    let fields = sections(rest);
    let mut values: Vec<(SeedField, SeedValue)> = Vec::new();
    for field in SeedField::ALL {
        let label = VOICE.label(field);
        if let Some((_, said)) = fields.iter().find(|(title, _)| *title == label) {
            let value = if said.is_empty() { SeedValue::Skipped } else { SeedValue::Said(said.clone()) };
            values.push((field, value));
        }
    }
    let is_ready = rest.lines().any(|line| line.trim() == READY);
    let notes = match text(&folder.join(NOTES)) {
        Ok(notes) => sections(&notes).into_iter().filter(|(_, text)| !text.is_empty()).map(note).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let specification = |(name, _, content)| Specification { name, content };
    let artefact = |(name, kind, content): (String, Option<String>, String)| {
        let kind = kind.unwrap_or_else(|| "document".to_owned());
        Artefact { name, kind, version: 1, content }
    };
    Ok(Whole {
        name: name.trim().to_owned(),
        state: if is_ready { ProjectState::Ready } else { ProjectState::Drafting },
        seed: Seed { values },
        notes,
        specifications: documents(&folder.join(SPECIFICATIONS))?.into_iter().map(specification).collect(),
        artefacts: documents(&folder.join(ARTEFACTS))?.into_iter().map(artefact).collect(),
    })
}

/// A note as it goes to a folder.
#[must_use]
pub fn kept(note: &Note) -> (NoteState, String) {
    (note.state, note.text.clone())
}

fn head(project: &Whole) -> String {
    let mut head = format!("# {}\n", project.name);
    if project.state == ProjectState::Ready {
        head.push_str(&format!("\n{READY}\n"));
    }
    for (field, value) in &project.seed.values {
        let said = match value {
            SeedValue::Said(text) => text.as_str(),
            SeedValue::Skipped => "",
        };
        head.push_str(&format!("\n## {}\n\n{said}\n", VOICE.label(*field)));
    }
    head
}

fn word(state: NoteState) -> &'static str {
    match state {
        NoteState::Held => WAITING,
        NoteState::Committed => SAVED,
        NoteState::Retracted => TAKEN_BACK,
    }
}

fn note((title, text): (String, String)) -> (NoteState, String) {
    let state = match title.as_str() {
        SAVED => NoteState::Committed,
        TAKEN_BACK => NoteState::Retracted,
        _ => NoteState::Held,
    };
    (state, text)
}

/// The parts of a text below its headings of the second level.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut parts: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("## "), parts.last_mut()) {
            (Some(title), _) => parts.push((title.trim().to_owned(), Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    parts.into_iter().map(|(title, lines)| (title, lines.join("\n").trim().to_owned())).collect()
}

fn document(folder: &Path, name: &str, kind: Option<&str>, content: &str) -> Result<()> {
    fs::create_dir_all(folder)?;
    let kind = kind.map_or_else(String::new, |kind| format!("\n{TYPE}{kind}\n"));
    fs::write(folder.join(format!("{}.md", name_for(name))), format!("# {name}\n{kind}\n{content}\n"))
}

/// The documents of a folder: name, type and text; in the order of their files.
fn documents(folder: &Path) -> Result<Vec<(String, Option<String>, String)>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "md"));
    files.sort();
    if files.len() > DOCUMENTS_MAX {
        return Err(Error::new(ErrorKind::InvalidData, format!("there are more than {DOCUMENTS_MAX} documents")));
    }
    let mut found = Vec::new();
    for file in files {
        let whole = text(&file)?;
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (name, rest) = match whole.strip_prefix("# ").and_then(|rest| rest.split_once('\n')) {
            Some((name, rest)) => (name.trim().to_owned(), rest.to_owned()),
            None => (stem, whole.clone()),
        };
        let rest = rest.trim_start();
        let (kind, content) = match rest.strip_prefix(TYPE).and_then(|rest| rest.split_once('\n')) {
            Some((kind, content)) => (Some(kind.trim().to_owned()), content),
            None => (None, rest),
        };
        found.push((name, kind, content.trim().to_owned()));
    }
    Ok(found)
}

fn text(file: &Path) -> Result<String> {
    if fs::metadata(file)?.len() > BYTES_MAX {
        let told = format!("{} is longer than {} kB", file.display(), BYTES_MAX / 1024);
        return Err(Error::new(ErrorKind::InvalidData, told));
    }
    fs::read_to_string(file)
}

const PROJECT: &str = "project.md";
const NOTES: &str = "notes.md";
const SPECIFICATIONS: &str = "specifications";
const ARTEFACTS: &str = "artefacts";
/// Says that a project is set up.
const READY: &str = "Its setup is complete.";
const TYPE: &str = "Type: ";
const SAVED: &str = "Saved";
const WAITING: &str = "Waiting";
const TAKEN_BACK: &str = "Taken back";
/// Documents of one folder that are read.
const DOCUMENTS_MAX: usize = 500;
/// Bytes of one file that are read.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_project_that_was_written_is_read_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let work = SeedValue::Said("An app\n\nfor farms".to_owned());
        let project = Whole {
            name: "Farm & Guard".to_owned(),
            state: ProjectState::Ready,
            seed: Seed { values: vec![(SeedField::Work, work), (SeedField::Audience, SeedValue::Skipped)] },
            notes: vec![(NoteState::Committed, "Clay".to_owned()), (NoteState::Held, "March 15th".to_owned())],
            specifications: vec![Specification { name: "Soil".to_owned(), content: "Three types.".to_owned() }],
            artefacts: vec![Artefact {
                name: "Field report".to_owned(),
                kind: "report".to_owned(),
                version: 1,
                content: "# Findings\n\nDry.".to_owned(),
            }],
        };
        write(&folder.path().join("out"), &project).unwrap();
        assert_eq!(read(&folder.path().join("out")).unwrap(), project);
        assert_eq!(read(folder.path()).unwrap_err().to_string(), "there is no project.md in that folder");
        fs::write(folder.path().join("own.txt"), "mine").unwrap();
        assert!(write(folder.path(), &project).is_err(), "nothing is written among other files");
    }
}
