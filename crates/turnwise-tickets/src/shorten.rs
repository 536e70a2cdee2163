//! Shortening what is longer than a place takes: at the end of a sentence, so that nothing says half of what was meant,
//! and never silently. Next: `decision` and `talk::steps`, which say so in the text itself.

/// The longest beginning of `text` that ends a sentence or line and has at most `characters`; `None` where there is
/// none.
pub(crate) fn at_sentence(text: &str, characters: usize) -> Option<&str> {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    let ends = |(at, letter): (usize, char)| {
        let behind = text.get(at + letter.len_utf8()..)?;
        let is_end = matches!(letter, '.' | '!' | '?') && behind.starts_with(char::is_whitespace);
        (letter == '\n' || is_end || behind.is_empty()).then_some(at + letter.len_utf8())
    };
    let cut = text.get(..end)?.char_indices().rev().find_map(ends)?;
    Some(text.get(..cut)?.trim_end()).filter(|kept| !kept.is_empty())
}

#[cfg(test)]
mod tests {
    use super::at_sentence;

    #[test]
    fn it_is_cut_where_a_sentence_ends_and_nowhere_else() {
        let text = "We use Postgres 9.6. It is “there”! And so on";
        assert_eq!(at_sentence(text, 100), Some(text));
        assert_eq!(at_sentence(text, 44), Some("We use Postgres 9.6. It is “there”!"));
        assert_eq!(at_sentence(text, 34), Some("We use Postgres 9.6."));
        assert_eq!(at_sentence(text, 19), None);
        assert_eq!(at_sentence("one\ntwo three", 8), Some("one"));
    }
}
