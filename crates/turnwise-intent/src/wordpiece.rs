//! WordPiece tokens, as BERT models want them: lower-case, accents removed, punctuation apart, unknown words cut into
//! the longest pieces the vocabulary has (Schuster & Nakajima 2012; Devlin et al. 2018).
//!
//! Written here because the tokenizer that comes with the inference crate cannot be shared between threads. The
//! vocabulary is searched by bisection over a sorted list, so nothing depends on hash order. Next: `embed`.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A vocabulary with its special tokens.
#[derive(Debug)]
pub struct WordPiece {
    /// Sorted by piece.
    pieces: Vec<(Cow<'static, str>, i32)>,
    case: Case,
    unknown: i32,
    begin: i32,
    end: i32,
}

/// How words are levelled before they are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Whether capitals become small.
    pub is_lowered: bool,
    /// Whether accents go.
    pub loses_accents: bool,
}

/// As most models of the BERT family are trained.
const UNCASED: Case = Case { is_lowered: true, loses_accents: true };

/// Words longer than this are unknown; the model never saw longer ones.
const WORD_CHARS_MAX: usize = 100;
const CONTINUATION: &str = "##";

impl WordPiece {
    /// Reads a vocabulary, one piece a line, the line number being its id.
    ///
    /// # Errors
    /// The name of a special token that is missing.
    pub fn from_vocabulary(lines: &'static str) -> Result<Self, String> {
        Self::of(lines.lines().map(Cow::Borrowed).zip(0..).collect(), UNCASED)
    }

    /// A vocabulary as pieces with their ids.
    ///
    /// # Errors
    /// The name of a special token that is missing.
    pub fn of(mut pieces: Vec<(Cow<'static, str>, i32)>, case: Case) -> Result<Self, String> {
        pieces.sort_unstable();
        let mut tokenizer = Self { pieces, case, unknown: 0, begin: 0, end: 0 };
        let special = |name: &str| tokenizer.id(name).ok_or_else(|| format!("the vocabulary has no {name}"));
        let (unknown, begin, end) = (special("[UNK]")?, special("[CLS]")?, special("[SEP]")?);
        (tokenizer.unknown, tokenizer.begin, tokenizer.end) = (unknown, begin, end);
        Ok(tokenizer)
    }

    /// The ids of `text` between begin and end marks, at most `tokens_max` of them.
    #[must_use]
    pub fn encode(&self, text: &str, tokens_max: usize) -> Vec<i32> {
        let mut ids = vec![self.begin];
        for word in basic_words(text, self.case) {
            if ids.len() + 1 >= tokens_max {
                break;
            }
            self.push_pieces(&word, &mut ids);
        }
        ids.truncate(tokens_max.saturating_sub(1));
        ids.push(self.end);
        ids
    }

    fn push_pieces(&self, word: &str, ids: &mut Vec<i32>) {
        let before = ids.len();
        let mut rest = word;
        while !rest.is_empty() && word.chars().count() <= WORD_CHARS_MAX {
            let Some((id, length)) = self.longest_piece(rest, rest.len() < word.len()) else { break };
            ids.push(id);
            rest = &rest[length..];
        }
        if !rest.is_empty() {
            ids.truncate(before);
            ids.push(self.unknown);
        }
    }

    fn longest_piece(&self, rest: &str, continues: bool) -> Option<(i32, usize)> {
        let mut candidate = String::with_capacity(rest.len() + CONTINUATION.len());
        let ends = rest.char_indices().map(|(at, ch)| at + ch.len_utf8()).rev();
        for end in ends {
            candidate.clear();
            candidate.push_str(if continues { CONTINUATION } else { "" });
            candidate.push_str(&rest[..end]);
            if let Some(id) = self.id(&candidate) {
                return Some((id, end));
            }
        }
        None
    }

    fn id(&self, piece: &str) -> Option<i32> {
        let at = self.pieces.binary_search_by(|(known, _)| known.as_ref().cmp(piece)).ok()?;
        Some(self.pieces[at].1)
    }
}

/// Levelled words; every punctuation mark and ideograph is a word of its own.
fn basic_words(text: &str, case: Case) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let levelled = levelled(text, case);
    for ch in levelled.chars().filter(|ch| !ch.is_control()) {
        let alone = is_punctuation(ch) || is_ideograph(ch);
        if (ch.is_whitespace() || alone) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if alone {
            words.push(ch.to_string());
        } else if !ch.is_whitespace() {
            word.push(ch);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn levelled(text: &str, case: Case) -> Cow<'_, str> {
    let text = if case.is_lowered { Cow::Owned(text.to_lowercase()) } else { Cow::Borrowed(text) };
    if !case.loses_accents {
        return text;
    }
    Cow::Owned(text.nfd().filter(|ch| !is_combining_mark(*ch)).collect())
}

fn is_punctuation(ch: char) -> bool {
    ch.is_ascii_punctuation() || is_in(ch, PUNCTUATION)
}

fn is_ideograph(ch: char) -> bool {
    is_in(ch, IDEOGRAPHS)
}

fn is_in(ch: char, ranges: &[(char, char)]) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&ch))
}

/// Punctuation beyond ASCII that the model's vocabulary splits off.
const PUNCTUATION: &[(char, char)] = &[
    ('\u{a1}', '\u{a1}'),
    ('\u{a7}', '\u{a7}'),
    ('\u{ab}', '\u{ab}'),
    ('\u{b6}', '\u{b7}'),
    ('\u{bb}', '\u{bb}'),
    ('\u{bf}', '\u{bf}'),
    ('\u{2010}', '\u{2027}'),
    ('\u{2030}', '\u{205e}'),
    ('\u{3001}', '\u{3003}'),
    ('\u{3008}', '\u{3011}'),
    ('\u{ff01}', '\u{ff0f}'),
    ('\u{ff1a}', '\u{ff20}'),
];

/// Ideographs stand for words of their own.
const IDEOGRAPHS: &[(char, char)] =
    &[('\u{3400}', '\u{4dbf}'), ('\u{4e00}', '\u{9fff}'), ('\u{f900}', '\u{faff}'), ('\u{20000}', '\u{2fa1f}')];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[i32]) {
        let tokenizer =
            WordPiece::from_vocabulary("[UNK]\n[CLS]\n[SEP]\nsales\nby\nre\n##gion\n!\ncafe\n\u{56fd}").unwrap();
        assert_eq!(tokenizer.encode(text, 8), expected, "{text}");
    }

    #[test]
    fn words_become_the_longest_pieces() {
        check("Sales by REGION!", &[1, 3, 4, 5, 6, 7, 2]);
        check("caf\u{e9} sales", &[1, 8, 3, 2]);
        check("xyz sales", &[1, 0, 3, 2]);
        check("\u{56fd}sales", &[1, 9, 3, 2]);
        check("", &[1, 2]);
    }

    #[test]
    fn long_texts_are_cut_before_the_end_mark() {
        check("sales sales sales sales sales sales sales sales", &[1, 3, 3, 3, 3, 3, 3, 2]);
    }
}
