//! Where the parts of a message meet that may be requests of their own: at the end of a line or a sentence, at a comma,
//! before "then", and at the numbers of a list. A text in brackets or quotation marks is never cut. Whether the parts
//! really are requests is told by `requests`. Next: `cut`, for clauses that belong to one question.

use turnwise_core::later::without_time;

use super::cut::{closing, is_abbreviated};

/// What stands between a part and the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// Nothing stands before it.
    Start,
    /// A new line, the next number of a list, or a word that says that it comes after: "then", "afterwards".
    Order,
    /// A sentence ended.
    Sentence,
    /// A comma.
    Comma,
}

impl Joint {
    /// Whether the person put one after the other.
    pub fn is_order(self) -> bool {
        self == Self::Order
    }
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its words, without the marks around them and without what says that it comes after others.
    pub text: String,
    /// What parts it from the one before.
    pub joint: Joint,
    /// Where it begins and ends in the message, so that parts that belong together can be read as they were written.
    pub from: usize,
    pub to: usize,
}

/// Parts of one message beyond which a text is a list, which is read as one.
const PARTS_MAX: usize = 24;

/// The parts of `text`, in order; one where nothing parts it.
pub fn parts(text: &str) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let (mut from, mut joint) = (0, Joint::Start);
    let mut open: Option<char> = None;
    let mut number = 1;
    // The number that opens the message makes it a list.
    let is_list = item(text.trim_start(), 1).is_some();
    for (at, here) in text.char_indices() {
        let rest = &text[at + here.len_utf8()..];
        match open {
            Some(close) if here == close => open = None,
            Some(_) => continue,
            None => open = closing(here).filter(|close| rest.contains(*close)),
        }
        let starts = at == 0 || text[..at].ends_with(char::is_whitespace);
        if let Some(length) = item(&text[at..], number).filter(|_| is_list && starts) {
            push(&mut found, text, from..at, joint);
            (from, joint, number) = (at + length, if number == 1 { Joint::Start } else { Joint::Order }, number + 1);
            continue;
        }
        if at < from {
            continue;
        }
        // "After that, …": what only says when stays with what is to be done then.
        let only_when = || says_only_when(text[from..at].trim());
        if let Some(next) = boundary(text, at, here).filter(|next| *next != Joint::Comma || !only_when()) {
            push(&mut found, text, from..at, joint);
            (from, joint) = (at, next);
        }
    }
    push(&mut found, text, from..text.len(), joint);
    if found.len() > PARTS_MAX {
        return Vec::new();
    }
    without_first(&mut found);
    found
}

/// Whether words say when something is to be done, and nothing else.
fn says_only_when(words: &str) -> bool {
    !words.is_empty() && without_time(&format!("{words} this")) == "this"
}

/// The length of "2." or "2)" where that is the `number` of a list.
fn item(text: &str, number: usize) -> Option<usize> {
    let number = number.to_string();
    let rest = text.strip_prefix(number.as_str())?.strip_prefix(['.', ')'])?;
    rest.starts_with(char::is_whitespace).then(|| number.len() + 1)
}

/// What parts the text at `at`, where `here` stands.
fn boundary(text: &str, at: usize, here: char) -> Option<Joint> {
    let behind = &text[at + here.len_utf8()..];
    let spaced = behind.starts_with(char::is_whitespace);
    match here {
        '\n' => Some(Joint::Order),
        '?' | '!' | ';' if spaced => Some(Joint::Sentence),
        '.' if spaced && !is_abbreviated(&text[..at]) => Some(Joint::Sentence),
        ',' if spaced => Some(Joint::Comma),
        ' ' if !text[..at].ends_with([',', ';', '.', '?', '!']) && comes_after(behind) => Some(Joint::Order),
        _ => None,
    }
}

/// Whether words open with what says that they come after others; "and" alone does not.
fn comes_after(words: &str) -> bool {
    opening(words.trim_start()).is_some()
}

/// What stands in front of `words` and says that they come after others, as its length.
fn opening(words: &str) -> Option<usize> {
    // What is quoted is a name, whatever it begins with.
    if words.starts_with(|first| closing(first).is_some()) {
        return None;
    }
    let own = without_time(words);
    // What says it at their end leaves their beginning as it is.
    let length = words.find(own).filter(|length| *length > 0 && own.contains(char::is_alphanumeric))?;
    let front = words[..length].to_lowercase();
    let front = front.trim();
    let front = front.strip_prefix("and").map_or(front, str::trim);
    // "Next month" is a time, and "later than" a test.
    let may_belong = matches!(front, "next" | "later");
    (!front.is_empty() && !may_belong).then_some(length)
}

/// The words of a part without the marks around them; what says that they come after others is told beside them.
pub fn bare(raw: &str) -> (&str, bool) {
    let marks = |mark: char| mark.is_whitespace() || matches!(mark, ',' | ';' | '.' | '?' | '!' | ':');
    let bullets = |mark: char| marks(mark) || matches!(mark, '-' | '–' | '*' | '•');
    let bare = raw.trim_start_matches(bullets).trim_end_matches(marks);
    match opening(bare) {
        Some(length) => (&bare[length..], true),
        None => (["and ", "And "].iter().find_map(|and| bare.strip_prefix(and)).map_or(bare, str::trim_start), false),
    }
}

fn push(found: &mut Vec<Part>, text: &str, span: std::ops::Range<usize>, joint: Joint) {
    let (own, ordered) = bare(&text[span.clone()]);
    if !own.contains(char::is_alphanumeric) || own.eq_ignore_ascii_case("and") {
        return;
    }
    let joint = match joint {
        _ if found.is_empty() => Joint::Start,
        Joint::Sentence | Joint::Comma if ordered => Joint::Order,
        joint => joint,
    };
    found.push(Part { text: own.to_owned(), joint, from: span.start, to: span.end });
}

/// "First revenue by region, then …": the first of several, and not the lowest revenue. "The first 5" are rows.
fn without_first(parts: &mut [Part]) {
    if !parts.iter().any(|part| part.joint.is_order()) {
        return;
    }
    let Some(opening) = parts.first_mut() else { return };
    let (word, rest) = opening.text.split_once([' ', ',']).unwrap_or((&opening.text, ""));
    let rest = rest.trim_start_matches([' ', ',']);
    if word.eq_ignore_ascii_case("first") && rest.starts_with(char::is_alphabetic) {
        opening.text = rest.to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::{Joint, parts};

    #[track_caller]
    fn check(text: &str, expected: &[(&str, Joint)]) {
        let found = parts(text);
        let found: Vec<(&str, Joint)> = found.iter().map(|part| (part.text.as_str(), part.joint)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_is_put_in_order_is_told_from_what_is_only_listed() {
        check(
            "revenue by region, then orders by channel, and top 5 products by revenue",
            &[
                ("revenue by region", Joint::Start),
                ("orders by channel", Joint::Order),
                ("top 5 products by revenue", Joint::Comma),
            ],
        );
        check("boats per owner and then fees", &[("boats per owner", Joint::Start), ("fees", Joint::Order)]);
        check("boats; after that, fees.", &[("boats", Joint::Start), ("fees", Joint::Order)]);
        check("Boats? And fees?", &[("Boats", Joint::Start), ("fees", Joint::Sentence)]);
        check("boats, berths and fees", &[("boats", Joint::Start), ("berths and fees", Joint::Comma)]);
    }

    #[test]
    fn lists_are_parted_at_their_numbers_and_lines() {
        let both = [("boats per owner", Joint::Start), ("fees per boat", Joint::Order)];
        check("1. boats per owner\n2. fees per boat", &both);
        check("1) boats per owner 2) fees per boat", &both);
        check("- boats per owner\n- fees per boat\n", &both);
        check("first boats per owner, then fees per boat", &both);
        check("the top 2. boats", &[("the top 2", Joint::Start), ("boats", Joint::Sentence)]);
    }

    #[test]
    fn what_is_quoted_or_in_brackets_stays_whole() {
        check("boats named \"Now, then; boats\"", &[("boats named \"Now, then; boats\"", Joint::Start)]);
        check("boats (length, then fee)", &[("boats (length, then fee)", Joint::Start)]);
    }
}
