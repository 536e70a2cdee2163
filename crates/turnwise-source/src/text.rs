//! Bytes to text: UTF-8 with or without its mark, UTF-16 with its mark, and older encodings where a whole file can be
//! read in the one it looks like. That guess is told with a word of the file, so that wrong letters are noticed; what
//! is damaged UTF-8 is refused. Next: `delimited`, `json_lines`.

use std::borrow::Cow;
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1252};

use super::SourceError;

/// The text in the file's content, with a note where its encoding was a guess.
pub fn decode<'a>(path: &Path, content: &'a [u8]) -> Result<(Cow<'a, str>, Option<String>), SourceError> {
    let sure = |text| (Cow::Owned(text), None);
    if let Some(rest) = content.strip_prefix(&[0xFF, 0xFE]) {
        return decode_utf16(path, rest, u16::from_le_bytes).map(sure);
    }
    if let Some(rest) = content.strip_prefix(&[0xFE, 0xFF]) {
        return decode_utf16(path, rest, u16::from_be_bytes).map(sure);
    }
    // Western text in UTF-16 without its mark is valid UTF-8 with a zero byte beside every letter.
    if let Some(offset) = content.iter().position(|byte| *byte == 0) {
        let guess = if offset % 2 == 1 { "UTF-16LE" } else { "UTF-16BE" };
        return Err(wrong(path, content, offset, guess));
    }
    let text = content.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(content);
    match std::str::from_utf8(text) {
        Ok(text) => Ok((Cow::Borrowed(text), None)),
        Err(error) => {
            let offset = content.len() - text.len() + error.valid_up_to();
            let (text, note) = guessed(text).ok_or_else(|| wrong(path, content, offset, WINDOWS_1252.name()))?;
            Ok((Cow::Owned(text), Some(note)))
        }
    }
}

/// The text in the encoding it looks like; none where it is UTF-8 for the most part, or not whole in any other.
fn guessed(content: &[u8]) -> Option<(String, String)> {
    if content.utf8_chunks().any(|chunk| !chunk.valid().is_ascii()) {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(content, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    let text = encoding.decode_without_bom_handling_and_without_replacement(content)?.into_owned();
    // Control characters of the upper half are in no text: the bytes mean something else.
    let first = text.find(|letter: char| !letter.is_ascii())?;
    if text.contains(|letter| matches!(letter, '\u{80}'..='\u{9f}')) {
        return None;
    }
    let note = format!(
        "The file is not UTF-8; it is read as {}, so that line {} says “{}”. If that looks wrong, convert the file to \
         UTF-8 first.",
        called(encoding),
        1 + text[..first].matches('\n').count(),
        word_at(&text, first)
    );
    Some((text, note))
}

fn called(encoding: &'static Encoding) -> &'static str {
    if encoding == WINDOWS_1252 { "Windows-1252 (Latin-1)" } else { encoding.name() }
}

/// The word that has a letter here.
fn word_at(text: &str, at: usize) -> String {
    let is_outside = |letter: char| !letter.is_alphanumeric();
    let from = text[..at].rfind(is_outside).map_or(0, |gap| gap + text[gap..].chars().next().map_or(0, char::len_utf8));
    let letter = text[at..].chars().next().map_or(0, char::len_utf8);
    let to = text[at + letter..].find(is_outside).map_or(text.len(), |gap| at + letter + gap);
    turnwise_core::text::clip(&text[from..to], SHOWN_MAX)
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

/// Characters of a word shown in a note.
const SHOWN_MAX: usize = 40;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn decoded(content: &[u8]) -> Result<String, String> {
        decode(Path::new("a.csv"), content).map(|(text, _)| text.into_owned()).map_err(|error| error.to_string())
    }

    fn note(content: &[u8]) -> (String, String) {
        let (text, note) = decode(Path::new("a.csv"), content).unwrap();
        (text.into_owned(), note.unwrap_or_default())
    }

    #[test]
    fn marks_are_understood_and_dropped() {
        assert_eq!(decoded("é".as_bytes()).unwrap(), "é");
        assert_eq!(decoded(b"\xEF\xBB\xBFa").unwrap(), "a");
        assert_eq!(decoded(b"\xFF\xFEa\0\xE9\0").unwrap(), "aé");
        assert_eq!(decoded(b"\xFE\xFF\0a\0\xE9").unwrap(), "aé");
    }

    #[test]
    fn older_encodings_are_read_and_a_word_is_shown_for_whoever_knows_better() {
        let (text, said) = note(b"name,city\nAnna,Paris\nZo\xEB,K\xF6ln\n");
        assert_eq!(text, "name,city\nAnna,Paris\nZoë,Köln\n");
        assert_eq!(
            said,
            "The file is not UTF-8; it is read as Windows-1252 (Latin-1), so that line 3 says “Zoë”. If that looks wrong, \
             convert the file to UTF-8 first."
        );
        let (text, said) = note(b"price\n\x80 12\n");
        assert_eq!(text, "price\n€ 12\n");
        assert!(said.contains("says “€”"), "{said}");
        let russian = encoding_rs::WINDOWS_1251.encode("город\nМосква\nСанкт-Петербург\nНовосибирск\n").0.into_owned();
        let (text, said) = note(&russian);
        assert!(text.contains("Новосибирск") && said.contains("windows-1251"), "{said}");
    }

    #[test]
    fn what_is_damaged_is_named_with_the_place_and_the_cure() {
        assert_eq!(
            decoded("name\nZoë\nJos\u{e9}".as_bytes().strip_suffix(b"\xA9").unwrap()).unwrap_err(),
            "a.csv is not UTF-8 text: line 3 holds the byte 0xC3 (byte 13 of the file); convert it with `iconv -f \
             windows-1252 -t UTF-8` first."
        );
        assert!(decoded(b"a\0b\0").unwrap_err().contains("UTF-16LE"));
        assert!(decoded(b"\xFF\xFEa\0\0\xD8").unwrap_err().contains("is damaged"));
    }
}
