//! Where one part of a message ends and the next begins: at the end of a sentence, at a colon, and before "and what",
//! "and who", "and their". A text in brackets or quotation marks is never cut. Next: `trace`, `joined`.

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause<'a> {
    /// Its words, without the marks and the "and" around them.
    pub text: &'a str,
    /// What stands before it.
    pub before: Mark,
    /// Where it begins and ends in the message, with the "and" before it.
    pub from: usize,
    pub to: usize,
}

/// What parts a clause from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing stands before it.
    Start,
    /// A sentence ended.
    Sentence,
    /// A colon.
    Colon,
    /// A comma, or "and", before a word that asks or that says whose it is.
    Joined,
}

/// Words that open a further question behind "and" or a comma.
const ASKING: [&str; 9] = ["who", "whom", "whose", "what", "which", "when", "where", "how", "by"];
/// Words that say whose the thing is that follows.
const OWNED: [&str; 4] = ["their", "its", "his", "her"];
/// Words with a dot that end no sentence.
const ABBREVIATED: [&str; 18] = [
    "vs", "v", "e.g", "eg", "i.e", "ie", "incl", "excl", "approx", "avg", "max", "min", "no", "nr", "dr", "mr", "mrs",
    "st",
];

/// The parts of `text`, in order; a text that cannot be parted is one.
pub fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    let (mut from, mut before) = (0, Mark::Start);
    let mut open: Option<char> = None;
    for (at, here) in text.char_indices() {
        if at < from {
            continue;
        }
        let rest = &text[at + here.len_utf8()..];
        match open {
            Some(close) if here == close => open = None,
            Some(_) => continue,
            None => open = closing(here).filter(|close| rest.contains(*close)),
        }
        if let Some((mark, skipped)) = boundary(text, at, here) {
            push(&mut found, text, from, at, before);
            (from, before) = (at + skipped, mark);
        }
    }
    push(&mut found, text, from, text.len(), before);
    found
}

pub fn closing(open: char) -> Option<char> {
    match open {
        '(' => Some(')'),
        '[' => Some(']'),
        '"' => Some('"'),
        '“' => Some('”'),
        _ => None,
    }
}

/// What parts the text at `at`, and how many bytes do so.
fn boundary(text: &str, at: usize, here: char) -> Option<(Mark, usize)> {
    let behind = &text[at + here.len_utf8()..];
    let spaced = behind.is_empty() || behind.starts_with(char::is_whitespace);
    match here {
        '?' | '!' | ';' if spaced => Some((Mark::Sentence, 1)),
        '.' if spaced && !is_abbreviated(&text[..at]) => Some((Mark::Sentence, 1)),
        ':' if spaced => Some((Mark::Colon, 1)),
        // The comma stays out of the clause, the "and" is of the next one.
        ',' if spaced => joins(behind).then_some((Mark::Joined, 1)),
        ' ' if let Some(dash) = dashed(behind) => Some((Mark::Colon, here.len_utf8() + dash)),
        ' ' if !text[..at].ends_with(',') => {
            (behind.to_lowercase().starts_with("and ") && joins(behind)).then_some((Mark::Joined, 1))
        }
        _ => None,
    }
}

/// How many bytes a dash takes that stands before a question: "paid orders - how many, and what did they total?"
fn dashed(behind: &str) -> Option<usize> {
    let dash = ["- ", "– ", "— "].into_iter().find(|dash| behind.starts_with(dash))?;
    let lower = behind[dash.len()..].trim_start().to_lowercase();
    let first = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    ASKING.contains(&first).then_some(dash.len())
}

/// Whether a further question, or something of what was asked about, follows.
fn joins(behind: &str) -> bool {
    let lower = behind.trim_start().to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let (joined, rest) = match words.as_slice() {
        ["and", "also", rest @ ..] | ["and" | "also", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    match rest {
        ["by", next, ..] => joined && matches!(*next, "how" | "what"),
        [first, ..] => ASKING.contains(first) || (joined && OWNED.contains(first)),
        [] => false,
    }
}

pub fn is_abbreviated(before: &str) -> bool {
    let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
    ABBREVIATED.contains(&before[start..].to_lowercase().as_str())
}

fn push<'a>(found: &mut Vec<Clause<'a>>, text: &'a str, from: usize, to: usize, before: Mark) {
    let own = text[from..to].trim().trim_end_matches(['.', '?', '!', ';', ',', ':']).trim_end();
    let lower = own.to_lowercase();
    let lead =
        ["and also ", "and ", "also "].iter().find(|lead| lower.starts_with(**lead)).map_or(0, |lead| lead.len());
    let own = own.get(lead..).unwrap_or(own).trim();
    if own.contains(char::is_alphanumeric) {
        found.push(Clause { text: own, before, from, to });
    }
}

/// The message without one of its clauses.
pub fn without(text: &str, clauses: &[Clause<'_>], at: usize) -> String {
    let mut kept = String::new();
    for (_, clause) in clauses.iter().enumerate().filter(|(other, _)| *other != at) {
        let joint = match clause.before {
            _ if kept.is_empty() => "",
            Mark::Start | Mark::Sentence => ". ",
            Mark::Colon => ": ",
            Mark::Joined => ", ",
        };
        kept.push_str(joint);
        let own = if kept.is_empty() { clause.text } else { text[clause.from..clause.to].trim() };
        kept.push_str(own.trim_end_matches(['.', '?', '!', ';']));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = clauses(text).iter().map(|clause| clause.text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_message_is_parted_where_something_else_begins() {
        check("What is the dearest boat, and who owns it?", &["What is the dearest boat", "who owns it"]);
        check("Which berth is longest and what does it cost?", &["Which berth is longest", "what does it cost"]);
        check("How many boats? And how many berths?", &["How many boats", "how many berths"]);
        check("heaviest boat: number, owner and weight", &["heaviest boat", "number, owner and weight"]);
        check("paid trips - how many, and what did they cost?", &["paid trips", "how many", "what did they cost"]);
        check("names of boats and their respective berths", &["names of boats", "their respective berths"]);
        check("sail vs. motor boats: average length", &["sail vs. motor boats", "average length"]);
    }

    #[test]
    fn what_belongs_together_is_not_parted() {
        for whole in
            ["boats named \"Who, and what\"", "names, lengths and owners of boats", "boats built by Holm and Sons"]
        {
            check(whole, &[whole]);
        }
    }
}
