//! Words: splitting texts and names into comparable pieces, the same way on both sides, so that "AC/DC", `SupportRepId`
//! and "Luís" are found however they are typed. Next: `lexicon`.

use super::symbols::{self, Sign};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WordKind {
    /// Letters, perhaps with digits.
    Word,
    /// A number as written, thousands separators and `k`, `m` understood.
    Number(f64),
    /// A date as written: `2024-03` or `2024-03-05`.
    Date,
}

/// One piece of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// As typed.
    pub raw: String,
    /// Lower case, without accents.
    pub folded: String,
    /// The folded word in its singular.
    pub stem: String,
    /// What it is.
    pub kind: WordKind,
    /// Whether a currency sign stands before it.
    pub currency: bool,
    /// Whether it was typed inside quotation marks.
    pub quoted: bool,
    /// On the first word in quotation marks: all that stands in them, as typed.
    pub quotation: Option<String>,
    /// Whether a comma, a colon or the like follows.
    pub pause: bool,
    /// Whether what follows stands in brackets.
    pub bracket: bool,
    /// Whether a sentence ends with it.
    pub ends: bool,
    /// Whether it is a number with a percent sign.
    pub percent: bool,
    /// The sign that stands right before it.
    pub sign: Option<Sign>,
    /// Whether what follows is its own: "car's".
    pub owns: bool,
}

impl Word {
    fn new(raw: String, kind: WordKind, quoted: bool) -> Self {
        let folded = fold(&raw);
        let stem = singular(&folded);
        let (currency, quotation) = (false, None);
        let (pause, bracket, ends, percent, sign, owns) = (false, false, false, false, None, false);
        Self { raw, folded, stem, kind, currency, quoted, quotation, pause, bracket, ends, percent, sign, owns }
    }

    /// Whether a sign that compares stands before it: a name such as "AC/DC" has other signs in it.
    pub fn is_compared(&self) -> bool {
        matches!(self.sign, Some(Sign::Equal | Sign::Unequal | Sign::Order))
    }

    /// Whether it begins with a capital letter.
    pub fn is_capitalised(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }
}

/// Splits a text into words, numbers and dates; punctuation goes.
pub fn split(text: &str) -> Vec<Word> {
    let chars: Vec<char> = text.chars().collect();
    let mut words = Vec::new();
    let mut at = 0;
    let mut quote: Option<char> = None;
    let (mut currency, mut negative) = (false, false);
    let (mut quotation, mut sign) = (None, None);
    while let Some(&here) = chars.get(at) {
        if here.is_alphanumeric() {
            let end = end_of_word(&chars, at);
            let raw: String = chars.iter().skip(at).take(end - at).collect();
            let mut word = classify(&raw, quote.is_some());
            // "2.5 million": one number.
            if let (Some(factor), Some(last)) = (magnitude(&word), words.last_mut())
                && let Word { kind: WordKind::Number(value), quoted: false, pause: false, .. } = last
            {
                last.kind = WordKind::Number(*value * factor);
                last.raw = format!("{} {raw}", last.raw);
                at = end;
                continue;
            }
            if let (WordKind::Number(value), true) = (word.kind, std::mem::take(&mut negative)) {
                (word.kind, word.raw) = (WordKind::Number(-value), format!("-{raw}"));
            }
            word.currency = std::mem::take(&mut currency);
            (word.quotation, word.sign) = (quotation.take(), sign.take());
            at = skip_possessive(&chars, end);
            word.owns = at > end;
            words.push(word);
            continue;
        }
        if quote.is_none() {
            let length = take_sign(&chars, at, &mut words, &mut sign);
            if length > 0 {
                at += length;
                continue;
            }
            negative |= symbols::is_minus(&chars, at);
        }
        let was = quote;
        match (quote, here) {
            (Some(open), _) if here == open => (quote, quotation) = (None, None),
            (None, '"' | '“' | '„' | '«') => quote = Some(closing(here)),
            (None, '\'') if opens_quote(&chars, at) => quote = Some('\''),
            (_, '$' | '€' | '£') => currency = true,
            (None, '%') => words.iter_mut().last().into_iter().for_each(|word| word.percent = true),
            (_, '(') => words.iter_mut().last().into_iter().for_each(|word| word.bracket = true),
            (_, ',' | ';' | ':' | '.' | '?' | '!') => {
                let ends = matches!(here, '.' | '?' | '!' | ';') && chars.get(at + 1).is_none_or(|c| c.is_whitespace());
                words.iter_mut().last().into_iter().for_each(|word| (word.pause, word.ends) = (true, ends));
            }
            _ => {}
        }
        if let (None, Some(close)) = (was, quote) {
            quotation = quotation_to(&chars, at + 1, close);
        }
        at += 1;
    }
    words
}

/// The words a sign stands for, and how many letters it takes; `sign` is kept for the word behind it.
fn take_sign(chars: &[char], at: usize, words: &mut Vec<Word>, sign: &mut Option<Sign>) -> usize {
    if let Some((said, length)) = symbols::said(chars, at) {
        words.extend(said.split_whitespace().map(|word| classify(word, false)));
        *sign = symbols::sign(said);
        return length;
    }
    if let Some(left) = symbols::dangling(chars, at) {
        let length = left.chars().count();
        words.push(Word::new(left, WordKind::Word, false));
        return length;
    }
    if symbols::is_or_more(chars, at) && matches!(words.last(), Some(Word { kind: WordKind::Number(_), .. })) {
        words.extend(["or", "more"].map(|word| classify(word, false)));
    }
    *sign = symbols::arithmetic(chars, at).or(*sign);
    0
}

/// What stands between quotation marks, as typed.
fn quotation_to(chars: &[char], from: usize, close: char) -> Option<String> {
    let length = chars.iter().skip(from).position(|&c| c == close)?;
    Some(chars.iter().skip(from).take(length).collect::<String>().trim().to_owned())
}

/// What a number before the word is multiplied by.
fn magnitude(word: &Word) -> Option<f64> {
    if word.quoted {
        return None;
    }
    match word.folded.as_str() {
        "thousand" => Some(1e3),
        "million" | "mio" | "mn" => Some(1e6),
        "billion" | "bn" => Some(1e9),
        _ => None,
    }
}

fn closing(open: char) -> char {
    match open {
        '“' | '„' => '”',
        '«' => '»',
        other => other,
    }
}

/// A single quote opens a quotation only where a word begins and another one closes it; else it is an apostrophe.
fn opens_quote(chars: &[char], at: usize) -> bool {
    let before_is_word = at > 0 && chars.get(at - 1).is_some_and(|c| c.is_alphanumeric());
    !before_is_word && chars.iter().skip(at + 1).any(|&c| c == '\'')
}

fn end_of_word(chars: &[char], start: usize) -> usize {
    let numeric = chars.get(start).is_some_and(char::is_ascii_digit);
    let mut at = start;
    while let Some(&here) = chars.get(at) {
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let inner = match here {
            '.' | ',' => numeric && next.is_ascii_digit() && is_digits(chars, start, at),
            '-' => numeric && next.is_ascii_digit() && is_date_so_far(chars, start, at),
            '\'' | '’' => !numeric && next.is_alphabetic() && !is_possessive(chars, at),
            other => other.is_alphanumeric(),
        };
        if !inner {
            break;
        }
        at += 1;
    }
    at
}

fn is_digits(chars: &[char], start: usize, end: usize) -> bool {
    chars.iter().take(end).skip(start).all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
}

fn is_date_so_far(chars: &[char], start: usize, end: usize) -> bool {
    let following = chars.iter().skip(end + 1).take_while(|c| c.is_ascii_digit()).count();
    (end - start == 4 || end - start == 7) && following == 2
}

fn is_possessive(chars: &[char], at: usize) -> bool {
    matches!(chars.get(at + 1), Some('s' | 'S')) && !chars.get(at + 2).is_some_and(|c| c.is_alphanumeric())
}

fn skip_possessive(chars: &[char], at: usize) -> usize {
    if matches!(chars.get(at), Some('\'' | '’')) && is_possessive(chars, at) { at + 2 } else { at }
}

fn classify(raw: &str, quoted: bool) -> Word {
    let clean: String = raw.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    let kind = if raw.contains('-') {
        WordKind::Date
    } else {
        number(raw).or(spelt_out(&clean).filter(|_| !quoted)).map_or(WordKind::Word, WordKind::Number)
    };
    Word::new(clean, kind, quoted)
}

/// "ten" as people write it in "top ten". "One" is left out: it mostly says nothing ("the one with …").
fn spelt_out(word: &str) -> Option<f64> {
    let numbers = [
        ("two", 2.0),
        ("three", 3.0),
        ("four", 4.0),
        ("five", 5.0),
        ("six", 6.0),
        ("seven", 7.0),
        ("eight", 8.0),
        ("nine", 9.0),
        ("ten", 10.0),
        ("eleven", 11.0),
        ("twelve", 12.0),
        ("dozen", 12.0),
        ("fifteen", 15.0),
        ("twenty", 20.0),
        ("thirty", 30.0),
        ("fifty", 50.0),
        ("hundred", 100.0),
        ("thousand", 1000.0),
    ];
    numbers.into_iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, number)| number)
}

fn number(raw: &str) -> Option<f64> {
    let lower = raw.to_ascii_lowercase();
    let (digits, factor) = match lower.strip_suffix(['k', 'm']) {
        Some(digits) if lower.ends_with('k') => (digits, 1e3),
        Some(digits) => (digits, 1e6),
        None => (lower.as_str(), 1.0),
    };
    let digits = ["th", "st", "nd", "rd"].iter().find_map(|ending| digits.strip_suffix(ending)).unwrap_or(digits);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let plain = without_separators(digits)?;
    plain.parse::<f64>().ok().map(|value| value * factor)
}

/// `1,000` is a thousand; `0,99` is how much of Europe writes 0.99.
fn without_separators(digits: &str) -> Option<String> {
    let groups: Vec<&str> = digits.split(',').collect();
    match groups.as_slice() {
        [_] => Some(digits.to_owned()),
        [_, rest @ ..] if rest.iter().all(|group| group.split('.').next().is_some_and(|g| g.len() == 3)) => {
            Some(groups.concat())
        }
        [whole, part] if !part.contains('.') => Some(format!("{whole}.{part}")),
        _ => None,
    }
}

/// Lower case without accents. Letters outside the Latin script stay as they are.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match unaccented(c) {
            Some(plain) => folded.push_str(plain),
            None => folded.push(c),
        }
    }
    folded
}

fn unaccented(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'į' | 'ı' => "i",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ŕ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        // A combining accent, as decomposed text has it.
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

/// A verb as it may be written without its ending: "play" of "playing", "compete" of "competes", "study" of "studied".
pub fn verb_roots(verb: &str) -> Vec<String> {
    let mut roots = vec![verb.to_owned()];
    for ending in ["ing", "ed", "es", "d", "s"] {
        let Some(root) = verb.strip_suffix(ending).filter(|root| root.len() > 2) else { continue };
        roots.extend([root.to_owned(), format!("{root}e")]);
        roots.extend(root.strip_suffix('i').map(|root| format!("{root}y")));
        let mut letters = root.chars().rev();
        if letters.next() == letters.next() {
            roots.extend(root.get(..root.len() - 1).map(str::to_owned));
        }
    }
    roots
}

/// The singular of a folded English word, or something that equals what the singular itself comes to.
pub fn singular(word: &str) -> String {
    for (plural, single) in
        [("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"), ("ids", "id")]
    {
        if word == plural {
            return single.to_owned();
        }
    }
    if matches!(word, "news" | "series" | "species" | "lens")
        || word.chars().count() <= 3
        || ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
    {
        return word.to_owned();
    }
    // "movie" and "movies" meet at "movy": what matters is that both sides come to the same.
    for ending in ["ies", "ie"] {
        if let Some(stem) = word.strip_suffix(ending) {
            return format!("{stem}y");
        }
    }
    if ["sses", "xes", "ches", "shes"].iter().any(|ending| word.ends_with(ending)) {
        return word.strip_suffix("es").unwrap_or(word).to_owned();
    }
    word.strip_suffix('s').unwrap_or(word).to_owned()
}

/// The stems of a name such as `SupportRepId`, `order_date` or `HTTPStatus`.
pub fn split_name(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut spaced = String::with_capacity(name.len() + 8);
    for (at, &here) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| chars.get(before)).copied().unwrap_or(' ');
        let after = chars.get(at + 1).copied().unwrap_or(' ');
        let begins = here.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && after.is_lowercase()));
        if begins {
            spaced.push(' ');
        }
        spaced.push(if here.is_alphanumeric() { here } else { ' ' });
    }
    spaced.split_whitespace().map(|part| singular(&fold(part))).collect()
}

/// How many slips of the finger lie between two words (insert, drop, change, swap neighbours); none above `max`.
pub fn slips(left: &str, right: &str, max: usize) -> Option<usize> {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    if left.len().abs_diff(right.len()) > max {
        return None;
    }
    let mut rows = vec![vec![0usize; right.len() + 1]; left.len() + 1];
    for (at, row) in rows.iter_mut().enumerate() {
        row[0] = at;
    }
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at;
    }
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let change = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    let found = rows[left.len()][right.len()];
    (found <= max).then_some(found)
}

/// Whether two words have the same beginning and differ in their endings only: "shipping" and "shipped".
pub fn alike(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let rest = |word: &str| word.chars().count() - shared;
    shared >= ALIKE_MIN && rest(one) <= ENDING_MAX && rest(other) <= ENDING_MAX
}

/// Letters that words of the same root have in common at least.
const ALIKE_MIN: usize = 4;
/// Letters of an ending.
const ENDING_MAX: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str) -> Vec<String> {
        split(text).into_iter().map(|word| word.stem).collect()
    }

    #[test]
    fn texts_and_names_come_to_the_same_words() {
        assert_eq!(stems("AC/DC's Albums"), ["ac", "dc", "album"]);
        assert_eq!(stems("Luís O'Reilly"), ["luis", "oreilly"]);
        assert_eq!(split_name("SupportRepId"), ["support", "rep", "id"]);
        assert_eq!(split_name("order_lines"), ["order", "line"]);
        assert_eq!(split_name("HTTPStatus"), ["http", "status"]);
        assert_eq!(singular("movies"), singular("movie"));
        assert_eq!(singular("countries"), "country");
    }

    #[test]
    fn numbers_and_dates_are_read_as_written() {
        let kinds: Vec<WordKind> = split("$1,000.50 20k 0,99 2024-03-05 95th Q3").into_iter().map(|w| w.kind).collect();
        let expected = [
            WordKind::Number(1000.5),
            WordKind::Number(20_000.0),
            WordKind::Number(0.99),
            WordKind::Date,
            WordKind::Number(95.0),
            WordKind::Word,
        ];
        assert_eq!(kinds, expected);
        assert!(split("$20")[0].currency);
    }

    #[test]
    fn slips_count_swaps_once_and_stop_at_the_limit() {
        assert_eq!(slips("custmers", "customers", 2), Some(1));
        assert_eq!(slips("revenue", "reveneu", 1), Some(1));
        assert_eq!(slips("left", "price", 2), None);
    }
}
