//! Spelling, levelled for the trained head: a word that nobody knows becomes the known word it is one slip away from.
//!
//! Known are the words of a profile's exemplars and the whole words of the embedding model's vocabulary, whose order
//! says roughly how common they are. Only the head reads the levelled words. Rules, replies, targets and what is shown
//! see what was typed: an order is never made of a slip, consent still less, and a name that looks like a slip is not
//! lost. Everything is searched in sorted lists, so the same text gives the same words everywhere. Next: `reader`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::embed::model_words;
use crate::limits::LEVELLED_WORDS_MAX;
use crate::words::Words;

/// The words of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// Sorted by first letter and length, with how often each is said.
    words: Vec<(Shape, Cow<'static, str>, u32)>,
}

/// The whole words of the compiled-in model's vocabulary, the more common the higher.
static COMMON: LazyLock<Spelling> = LazyLock::new(|| {
    let ranked = model_words().zip((1..=u32::MAX).rev());
    let mut words: Vec<_> = ranked.filter_map(|(word, rank)| Some((shape(word)?, Cow::Borrowed(word), rank))).collect();
    words.sort_unstable();
    Spelling { words }
});

/// What words are looked up by before their letters are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    first: u8,
    length: usize,
}

/// Shorter words are left alone: "not", "now", "on" and "no" are one slip apart.
const LETTERS_MIN: usize = 4;
/// Longer words are names of things, or pasted.
const LETTERS_MAX: usize = 24;
/// From this length on two slips are looked through.
const LETTERS_OF_TWO_SLIPS: usize = 8;
/// Exemplars have slips, too: an uncommon word is one if a word one slip away is said so many times as often.
const TIMES_OF_A_SLIP: u32 = 8;

/// Whether the compiled-in model's vocabulary has `word`, in small letters, as a whole: a word of the language rather
/// than a slip. Words of fewer than 4 letters are none.
#[must_use]
pub fn is_word(word: &str) -> bool {
    let Some(shape) = shape(word) else { return false };
    COMMON.shaped(shape).binary_search_by(|(_, known, _)| known.as_ref().cmp(word)).is_ok()
}

impl Spelling {
    /// The words of `texts`.
    #[must_use]
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counts: BTreeMap<(Shape, String), u32> = BTreeMap::new();
        for word in texts.into_iter().flat_map(|text| Words::of(text).all) {
            if let Some(shape) = shape(&word.text) {
                *counts.entry((shape, word.text)).or_default() += 1;
            }
        }
        Self { words: counts.into_iter().map(|((shape, word), count)| (shape, Cow::Owned(word), count)).collect() }
    }

    /// `text` with its slips mended, but for words that are part of `names`.
    #[must_use]
    pub fn levelled<'t>(&self, text: &'t str, names: &[String]) -> Cow<'t, str> {
        let mut mended = String::new();
        let mut done = 0;
        for word in Words::of(text).all.into_iter().take(LEVELLED_WORDS_MAX) {
            let raw = &text[word.start..word.end];
            let is_said_so = word.quoted || word.start < done || raw.len() != word.text.len();
            // Capitals within a sentence make a name.
            let is_name = word.start > 0 && raw.starts_with(|ch: char| ch.is_uppercase());
            if is_said_so || is_name || is_part_of(names, &word.text) {
                continue;
            }
            if let Some(known) = self.known_for(&word.text) {
                mended.push_str(&text[done..word.start]);
                mended.push_str(known);
                done = word.end;
            }
        }
        if done == 0 {
            return Cow::Borrowed(text);
        }
        mended.push_str(&text[done..]);
        Cow::Owned(mended)
    }

    /// The word that `word` is a slip of; none when it is known, or nothing is near.
    fn known_for(&self, word: &str) -> Option<&str> {
        let shape = shape(word)?;
        if COMMON.said(shape, word) > 0 {
            return None;
        }
        let one = self.nearest(shape, word, 1);
        let said = self.said(shape, word);
        if said > 0 {
            let is_slip = one.is_some_and(|(times, _)| times >= said.saturating_mul(TIMES_OF_A_SLIP));
            return one.filter(|_| is_slip).map(|(_, known)| known);
        }
        let one = one.or_else(|| COMMON.nearest(shape, word, 1));
        let two = || (shape.length >= LETTERS_OF_TWO_SLIPS).then(|| self.nearest(shape, word, 2)).flatten();
        one.or_else(two).map(|(_, known)| known)
    }

    /// How often `word` is said.
    fn said(&self, shape: Shape, word: &str) -> u32 {
        let shaped = self.shaped(shape);
        shaped.binary_search_by(|(_, known, _)| known.as_ref().cmp(word)).map_or(0, |at| shaped[at].2)
    }

    fn shaped(&self, shape: Shape) -> &[(Shape, Cow<'static, str>, u32)] {
        let begin = self.words.partition_point(|(other, _, _)| *other < shape);
        let end = self.words.partition_point(|(other, _, _)| *other <= shape);
        &self.words[begin..end]
    }

    /// The word said most often of those exactly `slips` away, and how often.
    fn nearest(&self, shape: Shape, word: &str, slips: usize) -> Option<(u32, &str)> {
        let mut best: Option<(u32, &str)> = None;
        // The first letter is hardly ever wrong, but it may have changed places with the second.
        let second = word.as_bytes()[1];
        for first in [shape.first, second] {
            for length in shape.length - slips..=shape.length + slips {
                for (_, known, count) in self.shaped(Shape { first, length }) {
                    let is_better = best.is_none_or(|(most, _)| *count > most);
                    if is_better && distance(word.as_bytes(), known.as_bytes()) == slips {
                        best = Some((*count, known));
                    }
                }
            }
        }
        best
    }
}

fn is_part_of(names: &[String], word: &str) -> bool {
    names.iter().any(|name| name.to_lowercase().split(|ch: char| !ch.is_alphanumeric()).any(|part| part == word))
}

/// Of words of plain letters in the lengths that are looked at.
fn shape(word: &str) -> Option<Shape> {
    let fits = (LETTERS_MIN..=LETTERS_MAX).contains(&word.len()) && word.bytes().all(|ch| ch.is_ascii_lowercase());
    fits.then(|| Shape { first: word.as_bytes()[0], length: word.len() })
}

/// Letters left out, added, changed, or changed places with their neighbour (optimal string alignment).
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last = [0_usize; ROW];
    let mut last: [usize; ROW] = std::array::from_fn(|at| at);
    for (i, letter) in a.iter().enumerate() {
        let mut row = [0_usize; ROW];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(letter != other)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == b[j - 1] && a[i - 1] == *other {
                least = least.min(before_last[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        (before_last, last) = (last, row);
    }
    last[b.len()]
}

/// A row of the table of distances: the longest word, the slips it may be longer by, and the beginning.
const ROW: usize = LETTERS_MAX + 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn levelled(text: &str) -> String {
        let spelling = Spelling::of(["show me the revenue by country", "stop the forecast", "cancel it", "approve it"]);
        spelling.levelled(text, &["Canel".to_owned()]).into_owned()
    }

    #[test]
    fn a_slip_becomes_the_word_it_is_near() {
        for slip in ["revnue", "revenuee", "ervenue", "revenie", "reveneu"] {
            assert_eq!(levelled(&format!("show {slip}, by  country")), "show revenue, by  country");
        }
        assert_eq!(levelled("a forexast for tomorrow"), "a forecast for tomorrow");
        assert_eq!(levelled("the foercasst"), "the forecast");
    }

    #[test]
    fn known_words_names_numbers_quotes_and_short_words_stay() {
        for text in
            ["no", "on", "nto", "shop", "court", "\"revnue\"", "in Revnue", "q4x", "canel", "revnue2", "rev-nue"]
        {
            assert_eq!(levelled(text), text);
        }
    }

    #[test]
    fn a_slip_that_an_exemplar_has_is_one_all_the_same() {
        let often = ["show me the total"; 9];
        let spelling = Spelling::of(often.into_iter().chain(["shwo me the total", "blorp it", "blurp it"]));
        assert_eq!(spelling.levelled("shwo the blorp", &[]), "show the blorp");
    }

    #[test]
    fn slips_are_counted() {
        for (a, b, slips) in [
            ("form", "from", 1),
            ("stop", "stop", 0),
            ("stp", "stop", 1),
            ("abcd", "badc", 2),
            ("revenue", "avenue", 2),
            ("cancel", "cancelled", 3),
            ("abc", "", 3),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes()), slips, "{a} {b}");
        }
    }
}
