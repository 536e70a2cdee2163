//! From raw text to words: what rules and lexical features look at.
//!
//! Rules match words, never substrings, so everything that blurs words is settled here once: invisible characters are
//! dropped, contractions are written out ("don't" is `do not`), quoted words are marked, and the frame of politeness
//! around a request ("could you please … for me, thanks") can be set aside. Next: `pattern`, which matches these words.

use crate::language;

/// One word of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Lower-case, contraction written out, apostrophes plain.
    pub text: String,
    /// Byte range in the text the words were made from.
    pub start: usize,
    /// See `start`.
    pub end: usize,
    /// Whether it stood inside quotation marks or code ticks: mentioned, not said.
    pub quoted: bool,
    /// Whether a comma, dash or colon follows.
    pub pause_after: bool,
}

/// A segment as words.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// All words, in order.
    pub all: Vec<Word>,
    /// The part of `all` without greetings, interjections and politeness; all of them when nothing else remains.
    pub core: std::ops::Range<usize>,
    /// Whether it asks: a question mark at the end, or a question's word order ("should we …").
    pub asks: bool,
    /// Whether a question mark ends it.
    pub question_mark: bool,
    /// Whether a polite request frame ("could you …") was set aside; then it is an order even with a question mark.
    pub polite_request: bool,
}

impl Words {
    /// Splits `text` into words.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let all = tokenize(text);
        let (core, polite_request) = core_of(&all);
        let question_mark = ends_with_question_mark(text);
        let asks = !polite_request && (question_mark || opens_as_question(&all[core.clone()]));
        Self { all, core, asks, question_mark, polite_request }
    }

    /// The words without their polite frame.
    #[must_use]
    pub fn core(&self) -> &[Word] {
        &self.all[self.core.clone()]
    }

    /// Whether it says no to something, or only quotes or asks: then a likeness to a command is no command.
    #[must_use]
    pub fn is_no_plain_order(&self) -> bool {
        self.asks || self.has_any(language::NEGATORS) || self.all.iter().any(|word| word.quoted)
    }

    /// Whether it weighs or forbids something: then it starts and changes no task either.
    #[must_use]
    pub fn weighs_or_forbids(&self) -> bool {
        language::opens_as_no_order(&self.all) || language::opens_as_no_order(self.core())
    }

    /// Whether any unquoted word is one of `list` (sorted or not; lists are short).
    #[must_use]
    pub fn has_any(&self, list: &[&str]) -> bool {
        self.all.iter().any(|word| !word.quoted && list.contains(&word.text.as_str()))
    }
}

/// Removes what cannot be seen and unifies what looks alike: zero-width and control characters are dropped (other
/// blanks than line ends become plain ones), typographic quotes and dashes become plain ones. The result is what every
/// tier reads.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        match ch {
            // What a terminal is told in passing (colours, moves) is no part of the words around it.
            '\u{1b}' if chars.next_if_eq(&'[').is_some() => {
                let _ = chars.by_ref().find(|end| ('\u{40}'..='\u{7e}').contains(end));
            }
            // Where a line ends one request may end; everything else reads it as a blank.
            '\n' if !out.trim_end().is_empty() && chars.clone().any(|ch| !ch.is_whitespace()) => out.push('\n'),
            '\n' | '\r' | '\t' | '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{3000}' => out.push(' '),
            '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{ff07}' => out.push('\''),
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{00ab}' | '\u{00bb}' => out.push('"'),
            '\u{2013}' | '\u{2014}' | '\u{2212}' => out.push('-'),
            '\u{2026}' => out.push_str("..."),
            _ if is_invisible(ch) => {}
            _ => out.push(ch),
        }
    }
    out
}

fn is_invisible(ch: char) -> bool {
    ch.is_control() || INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&ch))
}

/// Characters that leave no mark but could hide words in a text or turn its order round.
const INVISIBLE: &[(char, char)] = &[
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// The longest prefix of `text` of at most `bytes` bytes that ends between characters.
#[must_use]
pub fn prefix(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn tokenize(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut quote: Option<char> = None;
    let mut chars = text.char_indices().peekable();
    while let Some((start, ch)) = chars.next() {
        if is_word_char(ch) {
            let mut end = start + ch.len_utf8();
            while let Some(&(at, next)) = chars.peek() {
                if !continues_word(text, at, next) {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            push_word(&mut words, &text[start..end], start, quote.is_some());
            continue;
        }
        match ch {
            '"' | '`' if quote == Some(ch) => quote = None,
            '"' | '`' if quote.is_none() && text[start + 1..].contains(ch) => quote = Some(ch),
            // Two tildes strike words out in chats: taken back, so not said either.
            '~' if quote == Some(ch) => quote = None,
            '~' if quote.is_none() && text[start..].starts_with("~~") && text[start + 2..].contains("~~") => {
                chars.next();
                quote = Some(ch);
            }
            '\'' if quote == Some(ch) => quote = None,
            '\'' if quote.is_none() && opens_single_quote(text, start) => quote = Some(ch),
            ',' | ':' | '-' | ';' | '(' | ')' => mark_pause(&mut words),
            _ if is_symbol_word(ch) => {
                push_word(&mut words, &text[start..start + ch.len_utf8()], start, quote.is_some())
            }
            _ => {}
        }
    }
    words
}

fn mark_pause(words: &mut [Word]) {
    if let Some(last) = words.last_mut() {
        last.pause_after = true;
    }
}

fn is_word_char(ch: char) -> bool {
    ch.is_alphanumeric() || ch == '_' || ch == '$' || ch == '#'
}

/// Inside a word: letters and digits, and `'` `.` `-` `/` `@` `&` between two of them ("don't", "2.5", "a/b").
fn continues_word(text: &str, at: usize, ch: char) -> bool {
    if is_word_char(ch) || ch == '%' {
        return true;
    }
    if !matches!(ch, '\'' | '.' | '-' | '/' | '@' | '&' | ',' | ':') {
        return false;
    }
    let before = text[..at].chars().next_back();
    let after = text[at + ch.len_utf8()..].chars().next();
    match (before, after) {
        // "1,000" and "10:30" hold together, "yes,but" does not.
        (Some(b), Some(a)) if matches!(ch, ',' | ':') => b.is_ascii_digit() && a.is_ascii_digit(),
        (Some(b), Some(a)) => b.is_alphanumeric() && a.is_alphanumeric(),
        _ => false,
    }
}

/// Signs that people use as words: thumbs, check marks, and faces that doubt or refuse. What is not in a grammar is not
/// consent, so "yes" with a doubting face approves nothing.
fn is_symbol_word(ch: char) -> bool {
    const SIGNS: &str =
        "\u{2705}\u{2714}\u{2713}\u{274c}\u{2716}\u{1f44d}\u{1f44e}\u{1f44c}\u{1f680}\u{1f6d1}\u{270b}\u{1f197}";
    const DOUBTS: &str = "\u{1f914}\u{1f928}\u{1f615}\u{1f644}\u{1f612}\u{1f62c}\u{1f440}\u{1f937}\u{1f645}\u{1f6ab}\u{26d4}\u{1f621}\u{1f620}\u{2753}\u{2754}\u{23f8}\u{23f3}";
    SIGNS.contains(ch) || DOUBTS.contains(ch)
}

fn opens_single_quote(text: &str, at: usize) -> bool {
    let boundary = text[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || before == '(');
    let rest = &text[at + 1..];
    boundary
        && rest.char_indices().any(|(i, ch)| {
            ch == '\'' && i > 0 && rest[i + 1..].chars().next().is_none_or(|after| !after.is_alphanumeric())
        })
}

fn push_word(words: &mut Vec<Word>, raw: &str, start: usize, quoted: bool) {
    let lower = unstretched(raw.to_lowercase());
    let end = start + raw.len();
    for part in language::expand(&lower) {
        words.push(Word { text: part, start, end, quoted, pause_after: false });
    }
}

/// "yesss" and "noooo" without their stretch: three of a letter in a row occur in no English word.
fn unstretched(word: String) -> String {
    let chars: Vec<char> = word.chars().collect();
    let stretched = |run: &[char]| run.len() > 2 && run[0].is_alphabetic();
    if !chars.chunk_by(|a, b| a == b).any(stretched) || !chars.iter().all(|ch| ch.is_alphabetic()) {
        return word;
    }
    chars.chunk_by(|a, b| a == b).flat_map(|run| if stretched(run) { &run[..1] } else { run }).collect()
}

fn ends_with_question_mark(text: &str) -> bool {
    text.trim_end_matches(|ch: char| !ch.is_alphanumeric() && ch != '?' && ch != '\u{ff1f}' && ch != '\u{61f}')
        .ends_with(['?', '\u{ff1f}', '\u{61f}'])
}

fn opens_as_question(core: &[Word]) -> bool {
    core.first()
        .is_some_and(|word| !word.quoted && language::opens_question(&word.text, core.get(1).map(|w| w.text.as_str())))
}

/// Sets greetings, interjections and polite frames aside, as long as something remains.
fn core_of(all: &[Word]) -> (std::ops::Range<usize>, bool) {
    let mut range = 0..all.len();
    let mut polite_request = false;
    loop {
        let rest = &all[range.clone()];
        let request = language::request_frame_length(rest);
        if request > 0 && request < rest.len() {
            polite_request = true;
            range.start += request;
            continue;
        }
        let opener = language::opener_length(rest);
        if opener > 0 && opener < rest.len() {
            range.start += opener;
            continue;
        }
        break;
    }
    loop {
        let rest = &all[range.clone()];
        let closer = language::closer_length(rest);
        if closer == 0 || closer >= rest.len() {
            break;
        }
        range.end -= closer;
    }
    (range, polite_request)
}
