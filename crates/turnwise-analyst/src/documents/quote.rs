//! What is quoted of a passage: all of a short one, and of a long one the sentences that say most of what was asked.
//! The words are those of the document; only line breaks become spaces. Next: `answer`.

use std::collections::BTreeSet;

use super::index;

/// Characters quoted.
const QUOTE_CHARS_MAX: usize = 420;

/// A part of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// Its words.
    pub words: String,
    /// How many lines into the passage it begins.
    pub lines_before: usize,
}

/// The part of `text` that says most of `wanted`.
pub fn quote(text: &str, wanted: &BTreeSet<String>) -> Quote {
    if text.chars().count() <= QUOTE_CHARS_MAX {
        return Quote { words: in_one_line(text), lines_before: 0 };
    }
    let sentences = sentences(text);
    let says = |sentence: &str| index::roots(sentence).iter().filter(|root| wanted.contains(*root)).count();
    let counts: Vec<usize> = sentences.iter().map(|(_, sentence)| says(sentence)).collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let first = counts.iter().position(|count| *count == most).unwrap_or_default();
    let (start, mut end) = (sentences[first].0, sentences[first].0 + sentences[first].1.len());
    for (at, sentence) in sentences.iter().skip(first + 1) {
        if text[start..at + sentence.len()].chars().count() > QUOTE_CHARS_MAX {
            break;
        }
        end = at + sentence.len();
    }
    let mut words = in_one_line(&text[start..end]);
    if words.chars().count() > QUOTE_CHARS_MAX {
        // One sentence too long for a quotation is cut at a word, and the cut is shown.
        let cut: String = words.chars().take(QUOTE_CHARS_MAX).collect();
        let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
        words = format!("{whole} …");
    }
    Quote { words, lines_before: text[..start].matches('\n').count() }
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sentences with where they begin.
fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let ends = matches!(letter, '.' | '!' | '?') && letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        let item = letter == '\n' && text[at + 1..].trim_start().starts_with(['-', '*', '+', '|']);
        if ends || item {
            let end = at + letter.len_utf8();
            push(&mut found, text, start, end);
            start = end;
        }
    }
    push(&mut found, text, start, text.len());
    if found.is_empty() { vec![(0, text)] } else { found }
}

fn push<'a>(found: &mut Vec<(usize, &'a str)>, text: &'a str, start: usize, end: usize) {
    let piece = &text[start..end];
    let begin = start + (piece.len() - piece.trim_start().len());
    if begin < end {
        found.push((begin, text[begin..end].trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_that_answers_is_quoted_with_its_line() {
        let filler = "Nothing of that kind stands here and it goes on for a while.\n".repeat(8);
        let text = format!("{filler}Refunds are paid\nwithin 14 days. {filler}");
        let wanted = index::roots("refunds paid").into_iter().collect();
        let found = quote(&text, &wanted);
        assert!(found.words.starts_with("Refunds are paid within 14 days."), "{}", found.words);
        assert_eq!(found.lines_before, 8);
        assert!(in_one_line(&text).contains(&found.words), "it is what stands there");
    }

    #[test]
    fn a_short_passage_is_quoted_whole() {
        let found = quote("Two\nlines.", &BTreeSet::new());
        assert_eq!(found, Quote { words: "Two lines.".to_owned(), lines_before: 0 });
    }
}
