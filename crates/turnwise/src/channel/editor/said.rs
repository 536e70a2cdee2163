//! What is said, both ways: an editor's blocks as words with what lies open, and our words as its messages, which it
//! takes for Markdown. Next: `prompt`, `shown`.

use std::path::Path;

use turnwise_acp::schema::{ContentBlock, ContentChunk, EmbeddedResourceResource, Error, SessionUpdate, TextContent};
use turnwise_core::{SelectedLines, Surroundings};

/// What an editor sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) text: String,
    pub(super) around: Surroundings,
}

/// Reads a prompt. A file that is named within a sentence becomes its path there; one that is sent along lies open.
///
/// # Errors
/// When it holds what cannot be read here, or nothing.
pub(super) fn heard(blocks: &[ContentBlock], folder: &Path) -> Result<Heard, Error> {
    let mut heard = Heard { text: String::new(), around: Surroundings::default() };
    for block in blocks {
        match block {
            ContentBlock::Text(text) => heard.text.push_str(&text.text),
            ContentBlock::ResourceLink(link) => heard.take(&link.uri, folder),
            ContentBlock::Resource(embedded) => match &embedded.resource {
                EmbeddedResourceResource::TextResourceContents(text) => heard.take(&text.uri, folder),
                EmbeddedResourceResource::BlobResourceContents(blob) => heard.take(&blob.uri, folder),
                _ => return Err(unreadable()),
            },
            _ => return Err(unreadable()),
        }
    }
    if heard.text.trim().is_empty() {
        return Err(Error::invalid_params().data(serde_json::json!("the prompt says nothing; send a text block")));
    }
    heard.text = heard.text.trim().to_owned();
    Ok(heard)
}

fn unreadable() -> Error {
    let told = "pictures and sound cannot be read here; send text, links to files, or files";
    Error::invalid_params().data(serde_json::json!(told))
}

impl Heard {
    fn take(&mut self, uri: &str, folder: &Path) {
        let Some(place) = place(uri, folder) else { return };
        // Behind a blank the sentence goes on with it: “in ”, then the file.
        if self.text.ends_with(' ') {
            self.text.push_str(&place.file);
        }
        if let (Some(first_line), Some(last_line)) = (place.first_line, place.last_line) {
            let file = place.file.clone();
            self.around.selection.get_or_insert(SelectedLines { file, first_line, last_line });
        }
        if !self.around.files.contains(&place.file) {
            self.around.files.push(place.file);
        }
    }
}

/// A file that a link names, with the lines it names.
struct Place {
    file: String,
    first_line: Option<u32>,
    last_line: Option<u32>,
}

/// `file:///code/src/a.rs#L3:9`. A file of the folder is named by its path in it; links to elsewhere are none to a
/// file.
fn place(uri: &str, folder: &Path) -> Option<Place> {
    let (path, lines) = uri.strip_prefix("file://")?.split_once('#').unwrap_or((uri.strip_prefix("file://")?, ""));
    let path = decoded(path.split_once('?').map_or(path, |(path, _)| path))?;
    let file = Path::new(&path).strip_prefix(folder).ok().and_then(Path::to_str).map_or(path.clone(), str::to_owned);
    let mut numbers = lines.split([':', '-']).map(|number| number.trim_start_matches(['L', 'l']).parse().ok());
    let first_line = numbers.next().flatten();
    Some(Place { file, first_line, last_line: numbers.next().flatten().or(first_line) })
}

/// A path without the escapes of an address.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

/// Something the assistant says.
pub(super) fn message(markdown: &str) -> SessionUpdate {
    SessionUpdate::AgentMessageChunk(chunk(&format!("{markdown}\n\n")))
}

/// Something a person said.
pub(super) fn by_person(text: &str) -> SessionUpdate {
    SessionUpdate::UserMessageChunk(chunk(text))
}

fn chunk(text: &str) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use turnwise_acp::schema::{ImageContent, ResourceLink};

    use super::*;

    fn text(text: &str) -> ContentBlock {
        ContentBlock::Text(TextContent::new(text))
    }

    fn link(uri: &str) -> ContentBlock {
        ContentBlock::ResourceLink(ResourceLink::new("a file", uri))
    }

    #[test]
    fn a_file_in_a_sentence_is_its_path_and_one_sent_along_lies_open() {
        let folder = Path::new("/code/my shop");
        let named = [text("rename a to b in "), link("file:///code/my%20shop/src/a.rs"), text(", please")];
        let named = heard(&named, folder).unwrap();
        assert_eq!(
            (named.text.as_str(), named.around.front()),
            ("rename a to b in src/a.rs, please", Some("src/a.rs"))
        );
        let along = heard(&[text("explain this"), link("file:///code/my%20shop/b.rs#L3:9")], folder).unwrap();
        let selection = SelectedLines { file: "b.rs".into(), first_line: 3, last_line: 9 };
        assert_eq!((along.text.as_str(), along.around.selection), ("explain this", Some(selection)));
        let away = heard(&[text("look"), link("https://example.com/a"), link("file:///etc/hosts#L2")], folder).unwrap();
        assert_eq!(away.around.files, ["/etc/hosts"]);
        assert!(heard(&[text("  ")], folder).is_err());
        assert!(heard(&[ContentBlock::Image(ImageContent::new("", "image/png"))], folder).is_err());
    }
}
