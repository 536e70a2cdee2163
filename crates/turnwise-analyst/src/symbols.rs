//! Signs that stand for words: "price < 5" is "price under 5", "status != open" is "status not open", "% of" is
//! "percentage of". A sign that is passed over would turn the question into another one, so the word behind it keeps
//! which one it was, and a sign with nothing behind it stays as a word nobody knows. Next: `words`, `read/signs.rs`.

/// A sign right before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// "=".
    Equal,
    /// "!=".
    Unequal,
    /// "<" and its kin.
    Order,
    /// "+", "*" and their kin.
    Arithmetic(char),
}

/// Signs with what they say, the longest first.
const SIGNS: [(&str, &str); 10] = [
    (">=", "at least"),
    ("=>", "at least"),
    ("<=", "at most"),
    ("=<", "at most"),
    ("<>", "not"),
    ("!=", "not"),
    ("==", ""),
    (">", "over"),
    ("<", "under"),
    ("=", ""),
];

/// What the sign at a place says, and how many letters it takes; none where it is no sign of its own.
pub fn said(chars: &[char], at: usize) -> Option<(&'static str, usize)> {
    let one = match chars.get(at)? {
        '≥' => Some("at least"),
        '≤' => Some("at most"),
        '≠' => Some("not"),
        _ => None,
    };
    if let Some(said) = one {
        return Some((said, 1));
    }
    if chars.get(at) == Some(&'%') {
        return percent(chars, at);
    }
    let starts = |sign: &str| sign.chars().enumerate().all(|(by, letter)| chars.get(at + by) == Some(&letter));
    let (sign, said) = SIGNS.iter().find(|(sign, _)| starts(sign))?;
    let length = sign.chars().count();
    // An arrow compares nothing, nor does what nothing follows.
    let arrow = at.checked_sub(1).is_some_and(|before| matches!(chars.get(before), Some('-' | '=' | '<' | '>')));
    let followed = chars.iter().skip(at + length).find(|letter| !letter.is_whitespace());
    let follows = followed.is_some_and(|letter| {
        letter.is_alphanumeric() || matches!(letter, '-' | '.' | '$' | '€' | '£' | '\'' | '"' | '“' | '(')
    });
    (!arrow && follows).then_some((*said, length))
}

/// Which sign it was that says this.
pub fn sign(said: &str) -> Option<Sign> {
    match said {
        "" => Some(Sign::Equal),
        "not" => Some(Sign::Unequal),
        "percentage" | "percent" => None,
        _ => Some(Sign::Order),
    }
}

/// A sign that compares with nothing, as it stands there: the end of "orders where total >".
pub fn dangling(chars: &[char], at: usize) -> Option<String> {
    let begins =
        |from: usize| SIGNS.iter().any(|(sign, _)| chars.get(from).is_some_and(|here| sign.starts_with(*here)));
    let before = at.checked_sub(1).and_then(|before| chars.get(before));
    let spaced = before.is_some_and(|before| before.is_alphanumeric() || before.is_whitespace());
    if !spaced || !begins(at) || chars.get(at) == Some(&'!') && chars.get(at + 1) != Some(&'=') {
        return None;
    }
    let sign: String = chars.iter().skip(at).take_while(|letter| matches!(letter, '<' | '>' | '=' | '!')).collect();
    let known = SIGNS.iter().any(|(known, _)| *known == sign);
    let behind = chars.iter().skip(at + sign.chars().count()).find(|letter| !letter.is_whitespace());
    let nothing = behind.is_none_or(|letter| matches!(letter, '.' | ',' | ';' | '?' | '!' | ')'));
    (known && nothing).then_some(sign)
}

/// The sign of an arithmetic that stands between two words.
pub fn arithmetic(chars: &[char], at: usize) -> Option<Sign> {
    let here = *chars.get(at)?;
    let next = chars.get(at + 1)?;
    let before = at.checked_sub(1).and_then(|before| chars.get(before))?;
    let apart = before.is_whitespace() && next.is_whitespace();
    let works = match here {
        '*' | '×' | '÷' | '^' | '/' => true,
        '+' => apart || !next.is_whitespace(),
        '-' | '−' => apart,
        _ => false,
    };
    let word = |letter: &&char| !letter.is_whitespace();
    let operand = |letter: &char| letter.is_alphanumeric() || matches!(letter, '(' | ')' | '_' | '.' | '$' | '€' | '£');
    let between = chars.iter().take(at).rev().find(word).is_some_and(operand)
        && chars.iter().skip(at + 1).find(word).is_some_and(operand);
    (works && between).then_some(Sign::Arithmetic(here))
}

/// "18+": a plus right behind a number, and nothing behind it.
pub fn is_or_more(chars: &[char], at: usize) -> bool {
    let digit = at.checked_sub(1).and_then(|before| chars.get(before)).is_some_and(char::is_ascii_digit);
    chars.get(at) == Some(&'+') && digit && chars.get(at + 1).is_none_or(|next| !next.is_alphanumeric() && *next != '+')
}

/// "What % of", "in %"; behind a number it only says what that is.
fn percent(chars: &[char], at: usize) -> Option<(&'static str, usize)> {
    let before = chars.iter().take(at).rev().find(|letter| !letter.is_whitespace());
    if before.is_some_and(char::is_ascii_digit) {
        return None;
    }
    let rest: String = chars.iter().skip(at + 1).skip_while(|letter| letter.is_whitespace()).take(3).collect();
    Some((if rest.starts_with("of ") { "percentage" } else { "percent" }, 1))
}

/// Whether a minus stands here that makes the number behind it negative.
pub fn is_minus(chars: &[char], at: usize) -> bool {
    let minus = matches!(chars.get(at), Some('-' | '−'));
    let number = chars.get(at + 1).is_some_and(char::is_ascii_digit);
    let apart = at
        .checked_sub(1)
        .and_then(|before| chars.get(before))
        .is_none_or(|letter| letter.is_whitespace() || matches!(letter, '(' | '<' | '>' | '=' | '≥' | '≤' | '≠'));
    minus && number && apart
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, at: usize, wanted: Option<(&'static str, usize)>) {
        let chars: Vec<char> = text.chars().collect();
        assert_eq!(said(&chars, at), wanted, "{text}");
    }

    #[test]
    fn signs_are_words() {
        check("a >= 5", 2, Some(("at least", 2)));
        check("a<5", 1, Some(("under", 1)));
        check("a > b", 2, Some(("over", 1)));
        check("a != 'x'", 2, Some(("not", 2)));
        check("a ≤ 5", 2, Some(("at most", 1)));
        check("what % of rows", 5, Some(("percentage", 1)));
        check("in %", 3, Some(("percent", 1)));
        check("50 % of", 3, None);
        check("a -> b", 3, None);
        check("over >", 5, None);
        check("a = b", 2, Some(("", 1)));
        check("a == b", 2, Some(("", 2)));
    }

    #[test]
    fn a_sign_with_nothing_behind_it_is_kept() {
        let left = |text: &str, at: usize| dangling(&text.chars().collect::<Vec<char>>(), at);
        assert_eq!(left("total >", 6), Some(">".to_owned()));
        assert_eq!(left("total <= ?", 6), Some("<=".to_owned()));
        assert_eq!(left("total > 5", 6), None);
        assert_eq!(left("thanks!", 6), None);
        assert_eq!(left("a ->", 3), None);
    }

    #[test]
    fn arithmetic_is_told_from_punctuation() {
        let is = |text: &str, at: usize| arithmetic(&text.chars().collect::<Vec<char>>(), at).is_some();
        assert!(is("1.1 * price", 4) && is("a+b", 1) && is("a / b", 2) && is("a - b", 2));
        assert!(!is("a-b", 1) && !is("18+ people", 2) && !is("* a", 0) && !is("a, - b", 3));
        assert!(is_or_more(&"18+ people".chars().collect::<Vec<char>>(), 2));
    }

    #[test]
    fn a_minus_is_told_from_a_dash() {
        let is = |text: &str, at: usize| is_minus(&text.chars().collect::<Vec<char>>(), at);
        assert!(is("below -5", 6) && is("<-5", 1) && is("-5", 0));
        assert!(!is("2023-24", 4) && !is("a - 5", 2) && !is("x-5", 1));
    }
}
