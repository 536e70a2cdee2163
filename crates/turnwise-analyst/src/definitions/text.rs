//! Finding and replacing words in a text by their stems, so that "Active users" is found in "how many active user
//! accounts". What is quoted is left alone. Next: `said`.

use crate::words;

/// A run of letters and digits, with its place.
struct Piece {
    start: usize,
    end: usize,
    stem: String,
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut start = None;
    let mut quoted = false;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, letter) in ends {
        quoted ^= matches!(letter, '"' | '“' | '”');
        match (letter.is_alphanumeric(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let stem = words::singular(&words::fold(&text[from..at]));
                if !quoted {
                    found.push(Piece { start: from, end: at, stem });
                }
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}

/// The stems of the words of `text`.
pub fn stems(text: &str) -> Vec<String> {
    pieces(text).into_iter().map(|piece| piece.stem).collect()
}

/// Whether the words stand together in `text`.
pub fn contains(text: &str, term: &[String]) -> bool {
    !term.is_empty() && place(&pieces(text), term, 0).is_some()
}

fn place(pieces: &[Piece], term: &[String], from: usize) -> Option<usize> {
    let mut windows = pieces.windows(term.len()).enumerate().skip(from);
    let is_term = |window: &[Piece]| window.iter().map(|piece| &piece.stem).eq(term.iter());
    windows.find(|(_, window)| is_term(window)).map(|(at, _)| at)
}

/// What stands around words that are replaced.
pub struct Around<'a> {
    /// The word before them, as typed.
    pub before: Option<&'a str>,
    /// The last of them, as typed.
    pub last: &'a str,
}

/// `text` with `instead` wherever the words stand together.
#[cfg(test)]
pub fn replace(text: &str, term: &[String], instead: &str) -> String {
    replace_with(text, term, |_| instead.to_owned())
}

/// `text` with what `instead` makes of it wherever the words stand together.
pub fn replace_with(text: &str, term: &[String], instead: impl Fn(&Around<'_>) -> String) -> String {
    if term.is_empty() {
        return text.to_owned();
    }
    let pieces = pieces(text);
    let (mut replaced, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(at) = place(&pieces, term, from) {
        let last = &pieces[at + term.len() - 1];
        let before = at.checked_sub(1).map(|before| &pieces[before]);
        replaced.push_str(&text[copied..pieces[at].start]);
        replaced.push_str(&instead(&Around {
            before: before.map(|before| &text[before.start..before.end]),
            last: &text[last.start..last.end],
        }));
        copied = last.end;
        from = at + term.len();
    }
    replaced.push_str(&text[copied..]);
    replaced
}
