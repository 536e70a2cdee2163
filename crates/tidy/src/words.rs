//! Words: names and prose taken apart, so that `HttpError` and `http_error` hold the word `http` while `nothttp` does
//! not. Next: `tests/words.rs`.

/// The words of `text` in lower case: split at everything but letters and digits, and where a capital begins a word.
#[must_use]
pub fn words_of(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    for (at, letter) in letters.iter().enumerate().filter(|(_, letter)| letter.is_alphanumeric()) {
        let before = at.checked_sub(1).map(|place| letters[place]).filter(|before| before.is_alphanumeric());
        let next_is_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let begins = before.is_none_or(|before| letter.is_uppercase() && (!before.is_uppercase() || next_is_lower));
        match words.last_mut() {
            Some(word) if !begins => word.extend(letter.to_lowercase()),
            Some(_) | None => words.push(letter.to_lowercase().collect()),
        }
    }
    words
}

/// Where `word` stands in `code` as a whole name or path (`std::env`, `.await`, `HashMap`), not as part of another.
#[must_use]
pub fn find_word(code: &str, word: &str) -> Option<usize> {
    let is_name = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bytes = code.as_bytes();
    let begins_as_name = is_name(word.as_bytes().first());
    let ends_as_name = is_name(word.as_bytes().last());
    code.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = at.checked_sub(1).and_then(|place| bytes.get(place));
        let goes_on_left = begins_as_name && is_name(before);
        let goes_on_right = ends_as_name && is_name(bytes.get(at + word.len()));
        !goes_on_left && !goes_on_right
    })
}

#[cfg(test)]
mod tests {
    use super::{find_word, words_of};

    #[test]
    fn names_and_prose_fall_apart_into_words() {
        assert_eq!(words_of("HttpError, http_error"), ["http", "error", "http", "error"]);
        assert_eq!(words_of("SQLite's nosql"), ["sq", "lite", "s", "nosql"]);
        assert_eq!(words_of("an SQL query"), ["an", "sql", "query"]);
    }

    #[test]
    fn a_word_is_found_only_as_a_whole() {
        assert_eq!(find_word("let x = Instant::now();", "Instant::now"), Some(8));
        assert_eq!(find_word("x.await?", ".await"), Some(1));
        assert_eq!(find_word("x.awaiting", ".await"), None);
        assert_eq!(find_word("MyHashMap HashMaps", "HashMap"), None);
        assert_eq!(find_word("asynchronous async fn", "async"), Some(13));
    }
}
