//! The library: all documents with their passages, and the index over them. A file that was written since is read again
//! before the next question; one that cannot be read is named and left out. Next: `index`, `quote`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::{RwLock, RwLockReadGuard};

use super::index::{self, Index};
use super::passage::{Passage, Spot};
use super::quote::quote;
use super::{DOCUMENT_BYTES_MAX, PASSAGES_MAX, html, markdown, pdf};
use crate::source::{DocumentFile, DocumentFormat, Marks};

/// Documents read.
#[derive(Debug, Default)]
pub struct Library(RwLock<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    documents: Vec<Document>,
    /// For each passage of the index its document and its number there.
    places: Vec<(usize, usize)>,
    index: Index,
}

/// One file.
#[derive(Debug)]
struct Document {
    file: DocumentFile,
    name: String,
    /// The roots of its name without the ending.
    roots: BTreeSet<String>,
    marks: Option<Marks>,
    content: Result<Vec<Passage>, String>,
}

/// What a document says, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The file's name.
    pub document: String,
    /// The heading it stands under.
    pub section: Option<String>,
    /// Where it begins.
    pub spot: Spot,
    /// The words.
    pub words: String,
    /// How much of what was asked for the passage has, from 0 to 1.
    pub covered: f64,
}

impl Library {
    /// Reads the files.
    pub fn open(files: &[DocumentFile]) -> Self {
        let documents: Vec<Document> = files.iter().map(|file| Document::read(file.clone())).collect();
        Self(RwLock::new(Shelf::arrange(documents)))
    }

    /// Whether there is no document.
    pub fn is_empty(&self) -> bool {
        self.shelf().documents.is_empty()
    }

    /// The names of the documents that could be read, with how many passages each has.
    pub fn contents(&self) -> Vec<(String, usize)> {
        let shelf = self.shelf();
        let read = |document: &Document| Some((document.name.clone(), document.content.as_ref().ok()?.len()));
        shelf.documents.iter().filter_map(read).collect()
    }

    /// What could not be read and why, one sentence each.
    pub fn notes(&self) -> Vec<String> {
        let shelf = self.shelf();
        let left_out = |document: &Document| {
            let why = document.content.as_ref().err()?;
            Some(format!("The document {} is left out: {why}.", document.name))
        };
        shelf.documents.iter().filter_map(left_out).collect()
    }

    /// The documents whose names are said.
    pub fn named(&self, said: &BTreeSet<String>) -> Vec<(String, BTreeSet<String>)> {
        let shelf = self.shelf();
        let is_said = |document: &&Document| !document.roots.is_empty() && document.roots.is_subset(said);
        shelf.documents.iter().filter(is_said).map(|known| (known.name.clone(), known.roots.clone())).collect()
    }

    /// The sections of the documents, of one if it is named.
    pub fn sections(&self, of: Option<&str>) -> Vec<(String, Vec<String>)> {
        let shelf = self.shelf();
        let wanted = shelf.documents.iter().filter(|known| of.is_none_or(|of| known.name == of));
        let sections = wanted.filter_map(|known| {
            let mut sections: Vec<String> =
                known.content.as_ref().ok()?.iter().filter_map(|passage| passage.section.clone()).collect();
            sections.dedup();
            Some((known.name.clone(), sections))
        });
        sections.collect()
    }

    /// The passages that say most of `wanted`, best first; only those of one document if it is named.
    pub fn search(&self, wanted: &BTreeSet<String>, of: Option<&str>, count: usize) -> Vec<Said> {
        self.refresh();
        let shelf = self.shelf();
        let hits = shelf.index.search(wanted).into_iter();
        let said = hits.filter_map(|hit| {
            let (document, passage) = shelf.places.get(hit.passage)?;
            let document = shelf.documents.get(*document).filter(|known| of.is_none_or(|of| known.name == of))?;
            let passage = document.content.as_ref().ok()?.get(*passage)?;
            let quoted = quote(&passage.text, wanted);
            let spot = match passage.spot {
                Spot::Line(line) => Spot::Line(line + quoted.lines_before),
                Spot::Page(page) => Spot::Page(page),
            };
            let section = passage.section.clone();
            let (document, covered) = (document.name.clone(), hit.covered);
            Some(Said { document, section, spot, words: quoted.words, covered })
        });
        said.take(count).collect()
    }

    /// Reads again what was written since.
    fn refresh(&self) {
        let is_stale = |document: &Document| Marks::read(&document.file.path).ok() != document.marks;
        if !self.shelf().documents.iter().any(is_stale) {
            return;
        }
        let mut shelf = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        let documents = std::mem::take(&mut shelf.documents);
        let read = |known: Document| if is_stale(&known) { Document::read(known.file) } else { known };
        *shelf = Shelf::arrange(documents.into_iter().map(read).collect());
    }

    fn shelf(&self) -> RwLockReadGuard<'_, Shelf> {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Shelf {
    fn arrange(mut documents: Vec<Document>) -> Self {
        let (mut places, mut index) = (Vec::new(), Index::default());
        for (at, document) in documents.iter_mut().enumerate() {
            let Ok(passages) = &document.content else { continue };
            if places.len() + passages.len() > PASSAGES_MAX {
                document.content = Err(format!("all documents together have more than {PASSAGES_MAX} passages"));
                continue;
            }
            for (number, passage) in passages.iter().enumerate() {
                places.push((at, number));
                index.enter(&format!("{}\n{}", passage.section.as_deref().unwrap_or_default(), passage.text));
            }
        }
        Self { documents, places, index }
    }
}

impl Document {
    fn read(file: DocumentFile) -> Self {
        let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = PathBuf::from(&name).file_stem().unwrap_or_default().to_string_lossy().replace(['_', '-'], " ");
        // Marks come first: a write while it is being read must count as a change.
        let marks = Marks::read(&file.path).ok();
        let content = passages(&file);
        Self { roots: index::roots(&stem).into_iter().collect(), name, marks, content, file }
    }
}

fn passages(file: &DocumentFile) -> Result<Vec<Passage>, String> {
    let unreadable = |error: std::io::Error| format!("it cannot be read ({error})");
    let bytes = fs::metadata(&file.path).map_err(unreadable)?.len();
    if bytes > DOCUMENT_BYTES_MAX {
        return Err(format!("it has {} MiB, and at most {} are read", bytes >> 20, DOCUMENT_BYTES_MAX >> 20));
    }
    let content = fs::read(&file.path).map_err(unreadable)?;
    let passages = match file.format {
        DocumentFormat::Pdf => pdf::pdf(&content)?,
        DocumentFormat::Markdown | DocumentFormat::Plain | DocumentFormat::Html => {
            let text = String::from_utf8(content)
                .map_err(|error| format!("it is not UTF-8 text from byte {} on", error.utf8_error().valid_up_to()))?;
            // A mark of the encoding is no letter of the text.
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            match file.format {
                DocumentFormat::Html => html::html(text),
                DocumentFormat::Plain => markdown::plain(text),
                DocumentFormat::Markdown | DocumentFormat::Pdf => markdown::markdown(text),
            }
        }
    };
    if passages.is_empty() { Err("there is no text in it".to_owned()) } else { Ok(passages) }
}
