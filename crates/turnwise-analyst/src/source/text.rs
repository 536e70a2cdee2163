//! Bytes to text, strictly: UTF-8 with or without its mark, UTF-16 with its mark, and a clear refusal of all else. A
//! guess at another encoding would turn names into mojibake without anyone noticing. Next: `delimited`, `json_lines`.

use std::borrow::Cow;
use std::path::Path;

use super::SourceError;

/// The text in the file's content.
pub fn decode<'a>(path: &Path, content: &'a [u8]) -> Result<Cow<'a, str>, SourceError> {
    if let Some(rest) = content.strip_prefix(&[0xFF, 0xFE]) {
        return decode_utf16(path, rest, u16::from_le_bytes).map(Cow::Owned);
    }
    if let Some(rest) = content.strip_prefix(&[0xFE, 0xFF]) {
        return decode_utf16(path, rest, u16::from_be_bytes).map(Cow::Owned);
    }
    // Western text in UTF-16 without its mark is valid UTF-8 with a zero byte beside every letter.
    if let Some(offset) = content.iter().position(|byte| *byte == 0) {
        let guess = if offset % 2 == 1 { "UTF-16LE" } else { "UTF-16BE" };
        return Err(wrong(path, content, offset, guess));
    }
    let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    match std::str::from_utf8(text) {
        Ok(text) => Ok(Cow::Borrowed(text)),
        // Windows-1252 agrees with Latin-1 on every letter, and most files of either kind are the former.
        Err(error) => Err(wrong(path, content, content.len() - text.len() + error.valid_up_to(), "WINDOWS-1252")),
    }
}

fn decode_utf16(path: &Path, content: &[u8], read: fn([u8; 2]) -> u16) -> Result<String, SourceError> {
    let (pairs, rest) = content.as_chunks::<2>();
    let decoded: Result<String, _> = char::decode_utf16(pairs.iter().map(|pair| read(*pair))).collect();
    match decoded {
        Ok(text) if rest.is_empty() => Ok(text),
        Ok(_) | Err(_) => Err(SourceError::Damaged {
            path: path.to_owned(),
            problem: "it is marked as UTF-16 text but is not valid as such".to_owned(),
        }),
    }
}

fn wrong(path: &Path, content: &[u8], offset: usize, guess: &'static str) -> SourceError {
    let line = 1 + content[..offset].iter().filter(|byte| **byte == b'\n').count() as u64;
    SourceError::Encoding { path: path.to_owned(), line, byte: content[offset], offset, guess }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn decoded(content: &[u8]) -> Result<String, String> {
        decode(Path::new("a.csv"), content).map(Cow::into_owned).map_err(|error| error.to_string())
    }

    #[test]
    fn marks_are_understood_and_dropped() {
        assert_eq!(decoded("é".as_bytes()).unwrap(), "é");
        assert_eq!(decoded(b"\xEF\xBB\xBFa").unwrap(), "a");
        assert_eq!(decoded(b"\xFF\xFEa\0\xE9\0").unwrap(), "aé");
        assert_eq!(decoded(b"\xFE\xFF\0a\0\xE9").unwrap(), "aé");
    }

    #[test]
    fn other_encodings_are_named_with_the_place_and_the_cure() {
        assert_eq!(
            decoded(b"name\nZo\xEB\n").unwrap_err(),
            "a.csv is not UTF-8 text: line 2 holds the byte 0xEB (byte 7 of the file); convert it with `iconv -f \
             WINDOWS-1252 -t UTF-8` first."
        );
        assert!(decoded(b"a\0b\0").unwrap_err().contains("UTF-16LE"));
        assert!(decoded(b"\xFF\xFEa\0\0\xD8").unwrap_err().contains("is damaged"));
    }
}
