//! Several intents in one message (CF-14): where one request ends and the next begins.
//!
//! A message is cut after `.` `;` `!` `?` when white space follows, but not inside quotation marks, code ticks or
//! brackets, and not after abbreviations, initials, list numbers or an ellipsis. Numbers, versions, file names and
//! addresses hold no white space after their dots, so they stay whole by themselves. Next: `resolve`.

use crate::limits::SEGMENTS_MAX;

/// Abbreviations after which a sentence goes on, lower-case and without their last dot.
const ABBREVIATIONS: &[&str] = &[
    "approx", "avg", "ca", "cf", "co", "corp", "dept", "dr", "e.g", "eg", "est", "fig", "i.e", "ie", "inc", "incl",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "jr", "ltd", "max", "min",
    "misc", "mr", "mrs", "ms", "pct", "prof", "qty", "resp", "sr", "st", "u.s", "u.k", "vol", "vs", "v",
];

/// Abbreviations only when a number follows: "no. 5" is a number, "no. stop" is an answer.
const BEFORE_NUMBERS: &[&str] = &["no", "nr", "p", "pp", "sec", "ch"];

/// The segments of `text`, trimmed, without the marks that ended them (a question mark stays: it means something).
#[must_use]
pub fn segments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut enclosure = Enclosure::default();
    for (at, ch) in text.char_indices() {
        if enclosure.holds(text, at, ch) || found.len() + 1 >= SEGMENTS_MAX || !ends_segment(text, at, ch) {
            continue;
        }
        push(&mut found, &text[start..at + ch.len_utf8()]);
        start = at + ch.len_utf8();
    }
    push(&mut found, &text[start..]);
    found
}

fn push<'a>(found: &mut Vec<&'a str>, piece: &'a str) {
    let piece = piece.trim().trim_end_matches(['.', ';', '!']).trim_end();
    if !piece.is_empty() {
        found.push(piece);
    }
}

fn ends_segment(text: &str, at: usize, ch: char) -> bool {
    let rest = &text[at + ch.len_utf8()..];
    if !rest.starts_with(char::is_whitespace) || rest.trim_start().is_empty() {
        return false;
    }
    match ch {
        ';' | '!' | '?' | '\u{3002}' | '\u{61f}' => true,
        '.' => !text[..at].ends_with('.') && !goes_on_after_dot(&text[..at], rest.trim_start()),
        _ => false,
    }
}

fn goes_on_after_dot(before: &str, after: &str) -> bool {
    let mut letters = before.char_indices();
    let last = letters.rfind(|(_, ch)| ch.is_whitespace() || *ch == '(');
    let word_start = last.map_or(0, |(at, ch)| at + ch.len_utf8());
    let word = before[word_start..].to_lowercase();
    let lone_letter = word.chars().count() == 1 && word.starts_with(char::is_alphabetic) && word != "y" && word != "n";
    let opens_line = before[..word_start].trim_end_matches([' ', '\t']).chars().last().is_none_or(|last| last == '\n');
    let list_number = opens_line && !word.is_empty() && word.chars().all(|ch| ch.is_ascii_digit());
    // "Ph.D. in", "a.m. on": short pieces with dots between, and no new sentence behind.
    let dotted = word.contains('.') && word.split('.').all(|part| (1..=3).contains(&part.chars().count()));
    let goes_on = after.starts_with(char::is_lowercase);
    let number_follows = after.starts_with(|ch: char| ch.is_ascii_digit());
    lone_letter
        || list_number
        || (dotted && goes_on)
        || ABBREVIATIONS.contains(&word.as_str())
        || (BEFORE_NUMBERS.contains(&word.as_str()) && number_follows)
}

/// Which bracket or quotation mark the walk is inside of.
#[derive(Default)]
struct Enclosure {
    closes_with: Option<char>,
}

impl Enclosure {
    /// Moves over `ch`; whether the position lies inside an enclosure. One that is never closed does not count.
    fn holds(&mut self, text: &str, at: usize, ch: char) -> bool {
        if let Some(close) = self.closes_with {
            if ch == close {
                self.closes_with = None;
            }
            return true;
        }
        let close = match ch {
            '"' | '`' => ch,
            '(' => ')',
            '[' => ']',
            _ => return false,
        };
        if text[at + ch.len_utf8()..].contains(close) {
            self.closes_with = Some(close);
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::segments;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(segments(text), expected, "{text}");
    }

    #[test]
    fn a_message_is_cut_between_sentences() {
        check(
            "analyze sales. wait, I got that wrong. analyze revenue instead.",
            &["analyze sales", "wait, I got that wrong", "analyze revenue instead"],
        );
        check("stop; show me revenue by region", &["stop", "show me revenue by region"]);
        check("what is churn? analyze it", &["what is churn?", "analyze it"]);
        check("no. stop", &["no", "stop"]);
    }

    #[test]
    fn numbers_versions_files_addresses_and_abbreviations_stay_whole() {
        for whole in [
            "customers with more than 2.5 orders",
            "use version 1.2.3 of report.final.csv",
            "read https://example.com/a.b?c=d;e now",
            "compare e.g. north vs. south",
            "explain invoice no. 5",
            "the U.S. market",
            "1. total revenue by region",
            "1. total revenue by region\n2. orders by channel",
            "label it \"Done. Next; please\" at the top",
            "group by region (north; south. east) only",
            "sales by region... and month",
        ] {
            check(whole, &[whole]);
        }
    }

    #[test]
    fn a_wide_blank_before_a_word_with_a_dot_is_a_blank() {
        check("see\u{a0}that. Stop", &["see\u{a0}that", "Stop"]);
        check("explain\u{2003}no. 5", &["explain\u{2003}no. 5"]);
    }

    #[test]
    fn a_quote_that_never_closes_encloses_nothing() {
        check("say \"yes. then stop", &["say \"yes", "then stop"]);
    }
}
