//! PDF as text, page by page. The format knows no paragraphs, so passages are made by length; what is quoted is a text
//! that a program drew letter by letter. Next: `passage`.

use lopdf::Document;

use super::passage::{Gatherer, Passage, Spot};

/// The passages of a PDF file.
///
/// # Errors
/// Why there is no text to be had, for people.
pub fn pdf(content: &[u8]) -> Result<Vec<Passage>, String> {
    let document = Document::load_mem(content).map_err(|error| format!("it is no whole PDF file ({error})"))?;
    if document.is_encrypted() {
        return Err("it is encrypted; save a copy without a password".to_owned());
    }
    let mut gatherer = Gatherer::default();
    let (mut pages, mut unread) = (0, 0);
    for number in document.get_pages().into_keys() {
        pages += 1;
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
