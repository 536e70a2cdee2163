//! PDF as text, page by page. The format knows no paragraphs, so passages are made by length; what is quoted is a text
//! that a program drew letter by letter. Next: `passage`.

use lopdf::content::{Content, Operation};
use lopdf::{Document, ObjectId};

use super::passage::{Gatherer, Passage, Spot};

/// The passages of a PDF file.
///
/// # Errors
/// Why there is no text to be had, for people.
pub fn pdf(content: &[u8]) -> Result<Vec<Passage>, String> {
    let mut document = Document::load_mem(content).map_err(|error| format!("it is no whole PDF file ({error})"))?;
    if document.is_encrypted() {
        return Err("it is encrypted; save a copy without a password".to_owned());
    }
    let mut gatherer = Gatherer::default();
    let (mut pages, mut unread) = (0, 0);
    for (number, page) in document.get_pages() {
        pages += 1;
        break_lines(&mut document, page);
        let Ok(text) = document.extract_text(&[number]) else {
            unread += 1;
            continue;
        };
        let spot = Spot::Page(usize::try_from(number).unwrap_or(usize::MAX));
        for line in text.lines() {
            if line.trim().is_empty() {
                gatherer.pause();
            } else {
                gatherer.line(spot, line);
            }
        }
        gatherer.pause();
    }
    let passages = gatherer.finish();
    if passages.is_empty() {
        return Err(match pages {
            0 => "it has no page".to_owned(),
            _ if unread == pages => "none of its pages can be read".to_owned(),
            _ => "there is no text on its pages; they may be pictures, to be run through text recognition".to_owned(),
        });
    }
    Ok(passages)
}

/// Puts an end of line wherever the page moves to another height. Whoever extracts text looks at few of these moves,
/// and would read the last word of a line and the first of the next as one. What cannot be read is left as it is.
fn break_lines(document: &mut Document, page: ObjectId) {
    let Ok(mut content) = Content::decode(&document.get_page_content(page)) else { return };
    let mut height = None;
    let mut written = false;
    let mut operations = Vec::with_capacity(content.operations.len());
    for operation in content.operations {
        let number = |at: usize| operation.operands.get(at).and_then(|operand| operand.as_float().ok());
        let moves = match operation.operator.as_str() {
            "Td" | "TD" => number(1).is_some_and(|by| by != 0.0),
            "Tm" => {
                let before = height.replace(number(5));
                before.is_none_or(|before| before != number(5))
            }
            _ => false,
        };
        match operation.operator.as_str() {
            "Tj" | "TJ" | "'" | "\"" => written = true,
            "ET" | "T*" => written = false,
            _ => {}
        }
        if moves && written {
            operations.push(Operation::new("T*", Vec::new()));
            written = false;
        }
        operations.push(operation);
    }
    content.operations = operations;
    if let Ok(bytes) = content.encode() {
        // A page whose content cannot be put back is read as it is.
        let _ = document.change_page_content(page, bytes);
    }
}
