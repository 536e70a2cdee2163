//! A passage: some lines of a document that belong together, and where they stand. Next: `markdown`, `html`, `pdf`,
//! which make them.

use std::fmt;

use super::PASSAGE_BYTES;

/// Where a passage stands in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// From this line on, counted from 1.
    Line(usize),
    /// On this page, counted from 1.
    Page(usize),
}

impl fmt::Display for Spot {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(out, "line {line}"),
            Self::Page(page) => write!(out, "page {page}"),
        }
    }
}

/// Some lines that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The heading it stands under.
    pub section: Option<String>,
    /// Where it begins.
    pub spot: Spot,
    /// Its lines as the document has them.
    pub text: String,
}

/// Gathers lines into passages.
#[derive(Debug, Default)]
pub struct Gatherer {
    section: Option<String>,
    begun: Option<Spot>,
    lines: Vec<String>,
    passages: Vec<Passage>,
}

impl Gatherer {
    /// A heading: what follows stands under it.
    pub fn heading(&mut self, title: &str) {
        self.pause();
        let title = title.trim();
        self.section = (!title.is_empty()).then(|| title.to_owned());
    }

    /// A line with content.
    pub fn line(&mut self, spot: Spot, line: &str) {
        if self.lines.iter().map(String::len).sum::<usize>() > PASSAGE_BYTES {
            self.pause();
        }
        self.begun.get_or_insert(spot);
        self.lines.push(line.trim_end().to_owned());
    }

    /// The end of a paragraph.
    pub fn pause(&mut self) {
        if let Some(spot) = self.begun.take() {
            let text = std::mem::take(&mut self.lines).join("\n");
            self.passages.push(Passage { section: self.section.clone(), spot, text });
        }
    }

    /// All passages.
    pub fn finish(mut self) -> Vec<Passage> {
        self.pause();
        self.passages
    }
}
