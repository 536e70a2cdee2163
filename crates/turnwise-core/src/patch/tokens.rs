//! The words of a change, made alike: lower case, contractions with one apostrophe, ranges as "to", and the ways people
//! mistype "step" as that word. Where each stands in the text is kept, so that names are taken as they were written.
//! Next: `refer`.

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// Byte range in the text.
    pub(super) start: usize,
    /// See `start`.
    pub(super) end: usize,
}

/// The words of `text`; what parts sentences and lists is a word of its own, [`PART`].
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let joins = is_inside(text, at, letter);
        match (letter.is_alphanumeric() || joins, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                push_word(&mut tokens, text, from, at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        if start.is_none() && matches!(letter, ',' | ';' | '.' | '!' | ':' | '&') {
            tokens.push(Token { text: PART.to_owned(), start: at, end: at + 1 });
        }
        if start.is_none() && is_dash(letter) && is_between_digits(text, at, letter) {
            tokens.push(Token { text: "to".to_owned(), start: at, end: at + letter.len_utf8() });
        }
    }
    tokens
}

/// Where a list or a sentence goes on.
pub(super) const PART: &str = ",";

fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '–' | '—' | '‐')
}

fn is_between_digits(text: &str, at: usize, dash: char) -> bool {
    let before = text[..at].trim_end().chars().next_back();
    let after = text[at + dash.len_utf8()..].trim_start().chars().next();
    before.is_some_and(|letter| letter.is_ascii_digit()) && after.is_some_and(|letter| letter.is_ascii_digit())
}

/// Apostrophes and points inside a word: "don't", "out.csv".
fn is_inside(text: &str, at: usize, letter: char) -> bool {
    let around = || {
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        before && text[at + letter.len_utf8()..].chars().next().is_some_and(char::is_alphanumeric)
    };
    matches!(letter, '\'' | '’' | '.' | '_') && around()
}

fn push_word(tokens: &mut Vec<Token>, text: &str, start: usize, end: usize) {
    let word = text[start..end].to_lowercase().replace('’', "'");
    let word = match word.as_str() {
        "dont" => "don't".to_owned(),
        "lets" => "let's".to_owned(),
        "teh" | "hte" => "the".to_owned(),
        "frist" | "fisrt" => "first".to_owned(),
        "secnd" | "secound" => "second".to_owned(),
        "lst" | "lats" => "last".to_owned(),
        "olny" | "onyl" => "only".to_owned(),
        "droop" | "dropp" | "rdop" => "drop".to_owned(),
        "skp" | "sikp" | "skipp" => "skip".to_owned(),
        "aprove" | "approove" | "appove" => "approve".to_owned(),
        other => step_meant(other).map_or_else(|| other.to_owned(), str::to_owned),
    };
    tokens.push(Token { text: word, start, end });
}

/// "setp", "stpes", "stp": "step" mistyped. Words that are words of their own mean themselves.
fn step_meant(word: &str) -> Option<&'static str> {
    const OWN: [&str; 10] = ["stop", "stops", "sept", "pest", "pests", "pets", "seep", "tep", "steep", "stem"];
    if OWN.contains(&word) || !word.starts_with(['s', 't']) || !word.is_ascii() {
        return None;
    }
    let sorted = |word: &str| {
        let mut letters: Vec<u8> = word.bytes().collect();
        letters.sort_unstable();
        letters
    };
    let is = |meant: &str| {
        let (own, wanted) = (sorted(word), sorted(meant));
        // Two letters in each other's place, one typed twice, or the vowel left out.
        let mut once = word.as_bytes().to_vec();
        once.dedup();
        own == wanted || once == meant.as_bytes() || word.as_bytes() == meant.replace('e', "").as_bytes()
    };
    ["step", "steps"].into_iter().find(|meant| is(meant))
}
