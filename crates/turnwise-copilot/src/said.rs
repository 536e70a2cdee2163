//! How things are said: what stands in quotes, words that change nothing, and what words begin with. Orders, recipes,
//! amendments and limits read them alike. Next: `orders`, `recipe`.

use turnwise_core::{FactKind, FactValue, SourceKind, Task};

/// What a person settled for a task, of which kind, as it was said.
pub(crate) fn held(task: &Task) -> impl Iterator<Item = (FactKind, &str)> {
    let facts = task.facts.iter().filter(|fact| fact.body.source == SourceKind::Person);
    facts.filter_map(|fact| match &fact.body.value {
        FactValue::Text(said) => Some((fact.kind(), said.as_str())),
        FactValue::Table(_) => None,
    })
}

/// What stands behind the longest of `leads` with which `words` begin.
pub(crate) fn after_any<'a>(words: &'a str, leads: &[&str]) -> Option<&'a str> {
    let fits = |lead: &&&str| words.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead));
    let lead = leads.iter().filter(fits).max_by_key(|lead| lead.len())?;
    Some(words[lead.len()..].trim_start())
}

/// Without the courtesies that words begin with, and the words in `more`.
pub(crate) fn without_courtesies<'a>(words: &'a str, more: &[&str]) -> &'a str {
    let mut said = words.trim();
    while let Some((first, rest)) = said.split_once(char::is_whitespace) {
        let word = first.trim_matches([',', ';', '.', '!']).to_lowercase();
        if !is_courtesy(&word) && !more.contains(&word.as_str()) {
            break;
        }
        said = rest.trim_start();
    }
    said
}

/// Words beside an order or the words of a recipe that change nothing about it.
pub(crate) fn is_courtesy(word: &str) -> bool {
    COURTESIES.contains(&word)
}

/// What ends the quotes that `letter` opens before `behind`; none where it opens none.
pub(crate) fn end_of(letter: char, behind: &str) -> Option<char> {
    let (_, ends) = QUOTES.iter().find(|(open, _)| *open == letter)?;
    ends.iter().find(|end| behind.contains(**end)).or(ends.first()).copied()
}

/// Whether quotes can open behind `before`: an apostrophe within a word opens nothing.
pub(crate) fn opens_behind(before: Option<char>) -> bool {
    before.is_none_or(|before| !before.is_alphanumeric())
}

/// What stands in the quotes that `text` begins with, and what stands behind them.
pub(crate) fn quoted(text: &str) -> Option<(&str, &str)> {
    let open = text.chars().next()?;
    let inside = &text[open.len_utf8()..];
    inside.split_once(end_of(open, inside)?)
}

/// All that stands in quotes, in order.
pub(crate) fn all_quoted(text: &str) -> Vec<String> {
    let (mut found, mut rest, mut before) = (Vec::new(), text, None);
    while let Some(letter) = rest.chars().next() {
        let here = quoted(rest).filter(|_| opens_behind(before));
        before = Some(letter);
        rest = match here {
            Some((inside, behind)) => {
                found.extend((!inside.is_empty()).then(|| inside.to_owned()));
                behind
            }
            None => &rest[letter.len_utf8()..],
        };
    }
    found
}

/// Quotes, each with what ends them, the right one first: who types may open them well and close them by what is on the
/// keyboard.
const QUOTES: [(char, &[char]); 5] =
    [('`', &['`']), ('"', &['"']), ('“', &['”', '"']), ('„', &['“', '”', '"']), ('\'', &['\''])];
const COURTESIES: [&str; 10] = ["please", "ok", "then", "and", "now", "first", "next", "finally", "also", "just"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_stands_in_quotes_is_found_whatever_quotes_they_are() {
        let text = "replace “old” by \"new\", „beide“ and `code` in the team's list of 5\" pipes";
        assert_eq!(all_quoted(text), ["old", "new", "beide", "code"]);
        assert_eq!(all_quoted("nothing here, or \"\", don't you think"), Vec::<String>::new());
        assert_eq!(all_quoted("from “here\" to “there\""), ["here", "there"]);
        assert_eq!(quoted("'a b' c"), Some(("a b", " c")));
        assert_eq!(quoted("a 'b'"), None);
    }
}
