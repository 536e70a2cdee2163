//! What was said, in pieces: words as they were typed, and what stands in quotes as one piece, taken as it is. Marks
//! around words go; those in names stay. Next: `order`.

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// As it was typed, without quotes and marks around it.
    pub text: String,
    /// As it was typed, with quotes and marks.
    pub raw: String,
    /// Whether it stood in quotes.
    pub is_quoted: bool,
    /// Whether a comma, point or semicolon stands behind it.
    pub pause: bool,
}

impl Piece {
    /// Whether it is this word, in any letters, and no quotation.
    pub fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these words.
    pub fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(word))
    }
}

/// What closes a quotation that this letter opens.
fn closing(letter: char) -> Option<char> {
    match letter {
        '"' => Some('"'),
        '`' => Some('`'),
        '“' => Some('”'),
        '‘' => Some('’'),
        '\'' => Some('\''),
        _ => None,
    }
}

/// The pieces of a message. A quotation that is not closed is a word with a mark.
pub(super) fn pieces(message: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = message.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = closing(first).and_then(|mark| quotation(rest, first, mark));
        let (text, is_quoted, after) = match quoted {
            Some((inside, after)) => (inside.to_owned(), true, after),
            None => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                (rest[..end].to_owned(), false, &rest[end..])
            }
        };
        let raw = rest[..rest.len() - after.len()].to_owned();
        let (marks, after) = match is_quoted {
            true => after.split_at(after.find(|letter| !is_mark(letter)).unwrap_or(after.len())),
            false => ("", after),
        };
        let word =
            if is_quoted { text.as_str() } else { text.trim_start_matches(is_bracket).trim_end_matches(is_around) };
        let pause = marks.contains([',', ';', '.']) || (!is_quoted && text.ends_with([',', ';', '.']));
        // A sign that stands alone says something: “teh -> the”.
        let word = if word.is_empty() { text.as_str() } else { word };
        pieces.push(Piece { text: word.to_owned(), raw, is_quoted, pause });
        rest = after.trim_start();
    }
    pieces
}

/// What a quotation holds, and what stands behind it. Three marks hold everything up to the next three.
fn quotation(rest: &str, first: char, mark: char) -> Option<(&str, &str)> {
    if let Some(block) = rest.strip_prefix("```") {
        let (inside, after) = block.split_once("```")?;
        // The language that is named behind the opening is no text.
        let inside = inside.split_once('\n').filter(|(name, _)| !name.contains(' ')).map_or(inside, |(_, text)| text);
        return Some((inside, after));
    }
    let inside = &rest[first.len_utf8()..];
    let is_end = |at: &usize| {
        let after = inside[*at + mark.len_utf8()..].chars().next();
        after.is_none_or(|letter| letter.is_whitespace() || is_mark(letter) || letter == ')')
    };
    let at = inside.match_indices(mark).map(|(at, _)| at).find(is_end)?;
    Some((&inside[..at], &inside[at + mark.len_utf8()..]))
}

fn is_mark(letter: char) -> bool {
    matches!(letter, ',' | ';' | '.' | ':' | '!' | '?')
}

fn is_bracket(letter: char) -> bool {
    matches!(letter, '(' | ')' | '"' | '`' | '“' | '”')
}

/// A point before a word is part of a name, as in “.gitignore”; behind one it ends a sentence.
fn is_around(letter: char) -> bool {
    is_mark(letter) || is_bracket(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &[&str]) {
        let shown: Vec<String> = pieces(message)
            .into_iter()
            .map(|piece| if piece.is_quoted { format!("<{}>", piece.text) } else { piece.text })
            .collect();
        assert_eq!(shown, expected, "{message}");
    }

    #[test]
    fn quotations_are_one_piece_and_marks_around_words_go() {
        check("rename foo_bar() to `baz`, please.", &["rename", "foo_bar", "to", "<baz>", "please"]);
        check("replace \"a b\" with “c, d” in src/a.rs.", &["replace", "<a b>", "with", "<c, d>", "in", "src/a.rs"]);
        check("don't fix it's \"open", &["don't", "fix", "it's", "open"]);
        check("see .gitignore, ../a.rs.", &["see", ".gitignore", "../a.rs"]);
        check("teh -> the", &["teh", "->", "the"]);
        check("create a.py with ```python\nprint(1)\n```", &["create", "a.py", "with", "<print(1)\n>"]);
        check("say 'it''s' and 'x'", &["say", "<it''s>", "and", "<x>"]);
    }
}
