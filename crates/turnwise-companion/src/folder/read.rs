//! Reading a project from its files: what this program wrote comes back as it was, and what a person wrote by hand is
//! taken as far as it says what it is. Next: `pack`.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

use jiff::Timestamp;

use super::{
    ARTEFACTS, BY, FILE, Files, GROUP, GROUPS, ID, KeptArtefact, KeptNote, MARKDOWN, MEDIA, NOTES, PROJECT, READY,
    SAVED, SPECIFICATIONS, TAKEN_BACK, TOLD, TYPE, UNTIL, VERSION, WHY, Whole, plain,
};
use crate::store::{Group, NoteState, ProjectId, ProjectState, Seed, SeedField, SeedValue};
use crate::voice::VOICE;

/// Reads the project in `folder`.
///
/// # Errors
/// When there is none, or a file cannot be read.
pub fn read(folder: &Path) -> Result<Whole> {
    let mut files = Files::default();
    for name in [PROJECT, NOTES, GROUPS] {
        let file = folder.join(name);
        if file.is_file() {
            files.0.insert(name.to_owned(), bytes(&file)?);
        }
    }
    for below in [SPECIFICATIONS, ARTEFACTS] {
        let folder = folder.join(below);
        if !folder.is_dir() {
            continue;
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // What a link leads to is not in this folder.
            if entry.file_type()?.is_file() {
                files.0.insert(format!("{below}/{}", entry.file_name().to_string_lossy()), bytes(&entry.path())?);
            }
            if files.0.len() > FILES_MAX {
                return Err(wrong(format!("there are more than {FILES_MAX} files")));
            }
        }
    }
    whole_of(&files)
}

/// The project that these files are.
///
/// # Errors
/// When they are none.
pub fn whole_of(files: &Files) -> Result<Whole> {
    let head = text(files, PROJECT)?
        .ok_or_else(|| Error::new(ErrorKind::NotFound, format!("there is no {PROJECT} in that folder")))?;
    let (name, rest) = head
        .trim_start()
        .strip_prefix("# ")
        .and_then(|rest| rest.split_once('\n'))
        .ok_or_else(|| wrong(format!("{PROJECT} has to begin with “# ” and the project's name")))?;
    let before = rest.split("\n## ").next().unwrap_or_default();
    let id = before.lines().find_map(|line| line.strip_prefix(ID)).map(|id| ProjectId::new(id.trim()));
    let state = match before.lines().any(|line| line.trim() == READY) {
        true => ProjectState::Ready,
        false => ProjectState::Drafting,
    };
    let notes = text(files, NOTES)?.unwrap_or_default();
    let notes = sections(&notes).into_iter().map(note).filter(|note| !note.text.is_empty()).collect();
    let groups = text(files, GROUPS)?.unwrap_or_default();
    let groups = sections(&groups).into_iter().map(group).collect();
    Ok(Whole {
        id,
        name: name.trim().to_owned(),
        state,
        seed: seed(rest),
        notes,
        groups,
        specifications: specifications(files)?,
        artefacts: artefacts(files)?,
    })
}

fn seed(text: &str) -> Seed {
    let said = sections(text);
    let value = |field: SeedField| {
        let label = VOICE.label(field);
        let (_, said) = said.iter().find(|(title, _)| *title == label)?;
        let said = plain(said.trim());
        Some((field, if said.is_empty() { SeedValue::Skipped } else { SeedValue::Said(said) }))
    };
    Seed { values: SeedField::ALL.into_iter().filter_map(value).collect() }
}

fn note((title, body): (String, String)) -> KeptNote {
    let numbered = title.strip_prefix("Note ").and_then(|rest| rest.split_once(": "));
    let (number, state) = match numbered.and_then(|(number, state)| Some((number.parse().ok()?, state))) {
        Some((number, state)) => (Some(number), state),
        None => (None, title.as_str()),
    };
    let state = match state {
        SAVED => NoteState::Committed,
        TAKEN_BACK => NoteState::Retracted,
        _ => NoteState::Held,
    };
    // What is known of a note stands right beneath its heading; its text behind an empty line.
    let is_known = |line: &&str| [GROUP, TOLD, BY, UNTIL].iter().any(|name| line.starts_with(name));
    let known: Vec<&str> = body.split('\n').take_while(is_known).collect();
    let text = body.split('\n').skip(known.len()).collect::<Vec<_>>().join("\n");
    let value = |name: &str| known.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let moment = |name: &str| value(name)?.parse().ok().map(|at: Timestamp| at.as_millisecond());
    KeptNote {
        number,
        state,
        text: plain(text.trim()),
        group: value(GROUP).map(str::to_owned),
        created_ms: moment(TOLD),
        expires_ms: moment(UNTIL),
        by: value(BY).map(str::to_owned),
    }
}

fn group((label, body): (String, String)) -> Group {
    let body = body.trim();
    let why = body.rfind(WHY).filter(|at| *at == 0 || body[..*at].ends_with('\n'));
    let (summary, rationale) = why.map_or((body, ""), |at| (&body[..at], &body[at + WHY.len()..]));
    Group { label, summary: plain(summary.trim()), rationale: rationale.trim().to_owned(), notes: 0 }
}

fn specifications(files: &Files) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in documents(files, SPECIFICATIONS) {
        let whole = text(files, path)?.unwrap_or_default();
        let (name, content) = named(path, &whole);
        found.push((name, content.to_owned()));
    }
    Ok(found)
}

fn artefacts(files: &Files) -> Result<Vec<KeptArtefact>> {
    let mut found = Vec::new();
    for path in documents(files, ARTEFACTS) {
        let whole = text(files, path)?.unwrap_or_default();
        let (name, rest) = named(path, &whole);
        let is_known = |line: &&str| [TYPE, VERSION, MEDIA, FILE].iter().any(|name| line.starts_with(name));
        let known: Vec<&str> = rest.split('\n').take_while(is_known).collect();
        let value = |name: &str| known.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let length: usize = known.iter().map(|line| line.len() + 1).sum();
        let content = rest.get(length..).unwrap_or_default();
        let content = if known.is_empty() { content } else { content.strip_prefix('\n').unwrap_or(content) };
        let content = match value(FILE) {
            None => content.as_bytes().to_vec(),
            Some(file) => files
                .0
                .get(&format!("{ARTEFACTS}/{file}"))
                .cloned()
                .ok_or_else(|| wrong(format!("{path} speaks of {file}, which is not there")))?,
        };
        found.push(KeptArtefact {
            name,
            kind: value(TYPE).unwrap_or("document").to_owned(),
            version: value(VERSION).and_then(|number| number.parse().ok()).unwrap_or(1),
            media: value(MEDIA).unwrap_or(MARKDOWN).to_owned(),
            content,
        });
    }
    found.sort_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
    Ok(found)
}

fn documents<'a>(files: &'a Files, below: &'a str) -> impl Iterator<Item = &'a String> {
    let is_one = move |path: &&String| {
        path.strip_prefix(below).and_then(|rest| rest.strip_prefix('/')).is_some_and(|name| name.ends_with(".md"))
    };
    files.0.keys().filter(is_one)
}

/// The name in a document's first line, else that of its file; and what stands beneath, without the end of its last
/// line.
fn named<'a>(path: &str, whole: &'a str) -> (String, &'a str) {
    let file = path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
    let (name, rest) = match whole.strip_prefix("# ").and_then(|rest| rest.split_once('\n')) {
        Some((name, rest)) => (name.trim(), rest.strip_prefix('\n').unwrap_or(rest)),
        None => (file, whole),
    };
    (name.to_owned(), rest.strip_suffix('\n').unwrap_or(rest))
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
    parts.into_iter().map(|(title, lines)| (title, lines.join("\n"))).collect()
}

fn text(files: &Files, path: &str) -> Result<Option<String>> {
    let Some(bytes) = files.0.get(path) else { return Ok(None) };
    match String::from_utf8(bytes.clone()) {
        Ok(text) => Ok(Some(text.replace("\r\n", "\n"))),
        Err(_) => Err(wrong(format!("{path} is no text"))),
    }
}

fn bytes(file: &Path) -> Result<Vec<u8>> {
    if fs::metadata(file)?.len() > BYTES_MAX {
        return Err(wrong(format!("{} is longer than {} MB", file.display(), BYTES_MAX >> 20)));
    }
    fs::read(file)
}

pub(super) fn wrong(told: String) -> Error {
    Error::new(ErrorKind::InvalidData, told)
}

/// Files of one project that are read.
pub(super) const FILES_MAX: usize = 5_000;
/// Bytes of one file that are read: as long as an artefact can be, with its head.
pub(super) const BYTES_MAX: u64 = 9 << 20;
