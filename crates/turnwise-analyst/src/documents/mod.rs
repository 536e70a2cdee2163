//! Documents: Markdown, text, HTML and PDF files, read into passages that know where they stand, and searched for the
//! words of a question. What a document says is quoted and never worded anew; where none says anything, that is said.
//! Next: `library` for reading and searching, `answer` for what becomes of a question.

mod answer;
mod html;
mod index;
mod library;
mod markdown;
mod passage;
mod pdf;
mod quote;
mod reader;

pub use answer::{answer, asks_documents, names_documents};
pub use library::Library;
pub use reader::DocumentReader;

/// Largest document read, in bytes: a book of several thousand pages of text stays below.
const DOCUMENT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Bytes of a passage after which the next line begins another: short enough to be quoted, long enough to hold a
/// thought.
const PASSAGE_BYTES: usize = 700;

/// Most passages of all documents together: bounds memory to some hundred megabytes.
const PASSAGES_MAX: usize = 200_000;
