//! Answers from documents. Facts of the conversation come first, then what data can answer, then documents; a question
//! that names a document goes to it at once. Every sentence is a quotation with its place (CF-32). Next: `library`.

use std::collections::BTreeSet;

use turnwise_core::{Answer, AnswerOutcome, Presentation, QueryKind, Question};

use super::index;
use super::library::{Library, Said};
use crate::catalogue::Catalogue;
use crate::{draft, overview, read};

/// Passages quoted in one answer.
const QUOTED_MAX: usize = 3;
/// How much of the question a passage must have when documents were named.
const COVERED_NAMED_MIN: f64 = 0.5;
/// How much when they were not: half a question found somewhere is no answer to it.
const COVERED_MIN: f64 = 0.6;
/// How much less than the best a passage may cover to be quoted too.
const COVERED_BELOW_BEST: f64 = 0.2;
/// Sections listed.
const SECTIONS_MAX: usize = 12;

/// Words for documents as such.
const KINDS: [&str; 15] = [
    "document",
    "documentation",
    "doc",
    "handbook",
    "manual",
    "policy",
    "guide",
    "guideline",
    "faq",
    "readme",
    "wiki",
    "contract",
    "paper",
    "file",
    "text",
];

/// Words that ask what is written somewhere.
const SAYS: [&str; 10] =
    ["say", "mention", "describe", "explain", "according", "state", "write", "written", "tell", "contain"];

/// Words that ask and name nothing.
const PLAIN: [&str; 64] = [
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did", "do",
    "does", "for", "from", "get", "give", "had", "has", "have", "how", "i", "if", "in", "is", "it", "its", "many",
    "may", "me", "much", "must", "my", "of", "on", "or", "our", "out", "please", "shall", "should", "show", "that",
    "the", "their", "there", "they", "this", "to", "us", "was", "we", "what", "when", "where", "which", "who", "will",
    "would",
];

/// More of them; kept apart only because a list has to end somewhere.
const ALSO_PLAIN: [&str; 11] =
    ["with", "you", "your", "thing", "long", "find", "look", "up", "were", "often", "frequently"];

/// Words for the sort of thing that is asked for: what is written gives it and seldom calls it so. "The refund period"
/// is told under "Refunds", as "within 14 days".
const SORTS: [&str; 14] = [
    "period",
    "duration",
    "deadline",
    "limit",
    "rule",
    "price",
    "cost",
    "fee",
    "amount",
    "number",
    "frequency",
    "length",
    "date",
    "time",
];

/// Answers `question`; `otherwise` is what facts and data say.
pub fn answer(
    library: &Library,
    catalogue: &Catalogue,
    question: &Question,
    otherwise: impl FnOnce() -> AnswerOutcome,
) -> AnswerOutcome {
    let is_look_up = matches!(question.kind, QueryKind::Detail | QueryKind::Lookup | QueryKind::Plain);
    if library.is_empty() || !is_look_up {
        return otherwise();
    }
    let asked = Asked::of(library, catalogue, &question.text);
    if asked.is_addressed {
        return asked.quoted(library, COVERED_NAMED_MIN).unwrap_or_else(|| asked.nothing(library));
    }
    match otherwise() {
        AnswerOutcome::NeedsPlan if !is_for_data(catalogue, &question.text) => {
            asked.quoted(library, COVERED_MIN).unwrap_or(AnswerOutcome::NeedsPlan)
        }
        AnswerOutcome::Unknown { explanation } => asked.quoted(library, COVERED_MIN).unwrap_or_else(|| {
            let explanation = format!("{explanation} The documents say nothing about it either.");
            AnswerOutcome::Unknown { explanation }
        }),
        other => other,
    }
}

/// Whether a text asks what documents say, by their names or kinds.
pub fn names_documents(library: &Library, catalogue: &Catalogue, text: &str) -> bool {
    !library.is_empty() && Asked::of(library, catalogue, text).is_addressed
}

/// Whether a text names documents, or asks what only they can answer.
pub fn asks_documents(library: &Library, catalogue: &Catalogue, text: &str) -> bool {
    if library.is_empty() {
        return false;
    }
    let asked = Asked::of(library, catalogue, text);
    asked.is_addressed || (!is_for_data(catalogue, text) && asked.quoted(library, COVERED_MIN).is_some())
}

/// Whether every word that matters stands for something in the data, so that a plan could be made of it.
fn is_for_data(catalogue: &Catalogue, text: &str) -> bool {
    let read = read::read(catalogue, text);
    let asks = !draft::is_empty(&read.form) || !read.form.filters.is_empty();
    asks && draft::not_understood(&read).is_none()
}

/// A question as documents see it.
struct Asked {
    /// The roots of what it asks for.
    wanted: BTreeSet<String>,
    /// The words of that, as typed.
    words: Vec<String>,
    /// The document it names.
    document: Option<String>,
    /// Whether it asks for what is written, or names a document.
    is_addressed: bool,
}

impl Asked {
    fn of(library: &Library, catalogue: &Catalogue, text: &str) -> Self {
        let known: BTreeSet<String> =
            overview::recognise(catalogue, text).iter().flat_map(|word| index::roots(word)).collect();
        let roots_of =
            |list: &[&str]| -> BTreeSet<String> { list.iter().flat_map(|word| index::roots(word)).collect() };
        let (kinds, says) = (roots_of(&KINDS), roots_of(&SAYS));
        let plain: BTreeSet<String> = roots_of(&PLAIN).union(&roots_of(&ALSO_PLAIN)).cloned().collect();
        let said: BTreeSet<String> = index::roots(text).into_iter().collect();
        let named = library.named(&said);
        let asks_what_is_written = said.iter().any(|root| says.contains(root));
        let is_kind = said.iter().any(|root| kinds.contains(root) && !known.contains(root));
        // A document called like a thing of the data is meant only where something is said to be written in it.
        let is_named =
            named.iter().any(|(_, roots)| asks_what_is_written || !roots.is_subset(&known) && roots.len() > 1);
        let of_name: BTreeSet<&String> = named.iter().flat_map(|(_, roots)| roots).collect();
        let counts = |root: &String| {
            let frame = plain.contains(root) || says.contains(root) || kinds.contains(root);
            !frame && !of_name.contains(root)
        };
        let sorts = roots_of(&SORTS);
        let mut wanted: BTreeSet<String> = said.iter().filter(|root| counts(root)).cloned().collect();
        // Such a word alone is what is asked for.
        if wanted.iter().any(|root| !sorts.contains(root)) {
            wanted.retain(|root| !sorts.contains(root));
        }
        let words = crate::words::split(text).into_iter();
        let words = words.filter(|word| counts(&index::root(&word.stem))).map(|word| word.raw).collect();
        Self {
            wanted,
            words,
            document: named.into_iter().next().map(|(name, _)| name),
            is_addressed: is_kind || is_named,
        }
    }

    fn quoted(&self, library: &Library, covered_min: f64) -> Option<AnswerOutcome> {
        if self.wanted.is_empty() {
            return self.is_addressed.then(|| self.sections(library));
        }
        let mut found = library.search(&self.wanted, self.document.as_deref(), QUOTED_MAX * 2);
        let best = found.iter().map(|said| said.covered).fold(0.0, f64::max);
        found.retain(|said| said.covered >= covered_min && said.covered >= best - COVERED_BELOW_BEST);
        found.truncate(QUOTED_MAX);
        let lines: Vec<String> = found.iter().map(line).collect();
        match lines.as_slice() {
            [] => None,
            [single] => Some(known(format!("From the documents: {single}"))),
            several => Some(known(format!("From the documents:\n{}", several.join("\n")))),
        }
    }

    /// What there is to ask about.
    fn sections(&self, library: &Library) -> AnswerOutcome {
        let documents = library.sections(self.document.as_deref()).into_iter().map(|(name, sections)| {
            let more = sections.len().saturating_sub(SECTIONS_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let shown: Vec<String> = sections.into_iter().take(SECTIONS_MAX).collect();
            if shown.is_empty() { name } else { format!("{name} has the sections {}{more}", shown.join(", ")) }
        });
        let list: Vec<String> = documents.collect();
        known(format!("{}. Ask what they say about something.", list.join("; ")))
    }

    fn nothing(&self, library: &Library) -> AnswerOutcome {
        let names: Vec<String> = match &self.document {
            Some(name) => vec![name.clone()],
            None => library.contents().into_iter().map(|(name, _)| name).collect(),
        };
        let (who, verb) = match names.as_slice() {
            [single] => (single.clone(), "says"),
            _ => ("The documents".to_owned(), "say"),
        };
        let explanation = format!("{who} {verb} nothing about “{}”.", self.words.join(" "));
        AnswerOutcome::Unknown { explanation }
    }
}

/// "handbook.md, section Leave, line 42: “…”"
fn line(said: &Said) -> String {
    let section = said.section.as_ref().map_or_else(String::new, |section| format!(", section {section}"));
    format!("{}{section}, {}: “{}”", said.document, said.spot, said.words)
}

fn known(text: String) -> AnswerOutcome {
    AnswerOutcome::Known { answer: Answer { text, table: None, presentation: Presentation::Value } }
}
