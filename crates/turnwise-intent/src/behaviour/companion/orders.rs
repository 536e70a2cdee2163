//! What an order about notes, groups, people and names carries: which note and what it is to say, which group, who. The
//! words around it are frames; what stands in their gaps is taken as the person wrote it. Next: `keep`.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

use super::keep::numbers_named;

/// A note and what it is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteEdit {
    /// The number of the note; the last one without.
    pub number: Option<i64>,
    /// What it says from now on, or what stands in the place of what.
    pub change: TextChange,
}

/// How a text changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextChange {
    /// It is this.
    To(String),
    /// Where this stands, that stands.
    Replace(String, String),
}

/// What stands between a note and its new text; the earliest counts.
const SAYS: [&str; 16] = [
    " to say that ",
    " should say that ",
    " so that it says ",
    " should say ",
    " should read ",
    " to say ",
    " to read ",
    " should say: ",
    " must say ",
    " into ",
    " with ",
    " to ",
    " now says ",
    " is now ",
    ": ",
    " – ",
];

/// What begins a change within a note.
const WITHIN: [&str; 3] = ["replace ", "change ", "correct "];

/// What stands between the words that go and those that come.
const BY: [&str; 4] = [" with ", " by ", " to ", " into "];

/// What leaves the questions about a project for another time.
static LEAVES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(please|no|ok|actually|sorry|hm)? (cancel|stop|quit|abort|exit|leave) (it|this|that|the setup|this setup|setup|the project|the questions|asking|here|asking questions)? (please|now|for now|there)?",
        "(cancel|stop|quit|abort|exit|leave|end|drop|discard|scrap) (the|this|that|my)? (new)? (setup|project|project setup|setting up|questions)",
        "(no|ok|actually|oh)? never mind (that|it|this|the project|about it|then)?",
        "(no|ok|actually|just)? forget (it|about it|about that|about this|the project|that project|the whole thing|that)",
        "(stop|no more|enough) (asking|questions|of this|of the questions|with the questions) ...",
        "(that is)? enough (for now|for today|questions|already)?",
        "i (changed my mind|have changed my mind|do not want (this|to|that|it|a project|the project) ...|do not want to continue)",
        "(let us|we can|i will) (stop|leave it|pause|finish (this|it) later|do (this|it|that) later|continue later|come back to (this|it) later) (here|there|now|for now|at that)?",
        "not now (please|thanks)?",
        "(leave|keep) (it|this|the rest|the setup) (there|for (later|now|another time)|at that)",
    ])
});

/// Whether a message leaves what is asked about a project for another time.
#[must_use]
pub fn leaves_setup(text: &str) -> bool {
    matches_any(&LEAVES, &Words::of(text))
}

/// The note that a message changes, and how; `None` where it names no text.
#[must_use]
pub fn note_edit(text: &str) -> Option<NoteEdit> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if let Some(within) = within(text, &lower) {
        return Some(within);
    }
    let note = lower.find("note").or_else(|| lower.find('#'))?;
    let (at, sign) = SAYS
        .iter()
        .filter_map(|sign| lower.get(note..)?.find(sign).map(|at| (note + at, *sign)))
        .min_by_key(|(at, sign)| (*at, std::cmp::Reverse(sign.len())))?;
    let said = unquoted(text.get(at + sign.len()..)?.trim_start_matches([':', ' ']));
    let number = numbers_named(lower.get(note..at)?).first().copied();
    (!said.is_empty()).then_some(NoteEdit { number, change: TextChange::To(said) })
}

/// “replace clay with loam in note 2”.
fn within(text: &str, lower: &str) -> Option<NoteEdit> {
    let begun = WITHIN.iter().find_map(|word| lower.starts_with(word).then_some(word.len()))?;
    let end = [" in note ", " in the last note", " in #"].iter().filter_map(|sign| lower.rfind(sign)).max()?;
    let (by, sign) =
        BY.iter().filter_map(|sign| lower.get(begun..end)?.find(sign).map(|at| (begun + at, *sign))).min()?;
    let (old, new) = (unquoted(text.get(begun..by)?), unquoted(text.get(by + sign.len()..end)?));
    let number = numbers_named(lower.get(end..)?).first().copied();
    let is_whole = !old.is_empty() && !new.is_empty();
    is_whole.then_some(NoteEdit { number, change: TextChange::Replace(old, new) })
}

/// What a message orders to be something else from now on, and what: “change the deadline to June 1st”.
#[must_use]
pub fn change_ordered(text: &str) -> Option<(String, String)> {
    let words = Words::of(text);
    let core = words.core();
    let is_order = core.first().is_some_and(|first| CHANGES.contains(&first.text.as_str()));
    let is_the = core.get(1).is_some_and(|second| ["the", "our", "my", "its"].contains(&second.text.as_str()));
    let to = core.iter().position(|word| word.text == "to").filter(|to| *to > 2 && *to < CHANGED_WORDS)?;
    let subject = &core[2..to];
    let is_other = subject.iter().any(|word| OF_ORDERS.contains(&word.text.as_str()));
    if !is_order || !is_the || is_other || words.question_mark && !words.polite_request {
        return None;
    }
    let of = text.get(subject.first()?.start..subject.last()?.end)?;
    let value = text.get(core.get(to + 1)?.start..core.last()?.end)?;
    Some((of.to_owned(), unquoted(value)))
}

/// What changes something.
const CHANGES: [&str; 7] = ["change", "set", "move", "shift", "push", "update", "postpone"];
/// Words up to what something is changed to.
const CHANGED_WORDS: usize = 6;
/// What has orders of its own.
const OF_ORDERS: [&str; 10] =
    ["note", "notes", "group", "project", "name", "title", "report", "draft", "document", "specification"];

/// The label that a message gives a group: what stands behind the word for it, or in quotes.
#[must_use]
pub fn group_label(text: &str) -> Option<String> {
    if let Some(quoted) = quoted(text) {
        return Some(quoted);
    }
    let lower = text.to_ascii_lowercase();
    const BEFORE: [&str; 14] = [
        "group called ",
        "group named ",
        "group of notes ",
        " under the label ",
        " under ",
        " as ",
        "group: ",
        "into ",
        " to the group ",
        " in the group ",
        " of the group ",
        "the group ",
        "a group ",
        "group ",
    ];
    let (at, sign) = BEFORE.iter().filter_map(|sign| lower.find(sign).map(|at| (at, *sign))).next()?;
    let rest = text.get(at + sign.len()..)?;
    let end = [" with note", " of note", " from note", " for note", " out of "]
        .iter()
        .filter_map(|sign| rest.to_ascii_lowercase().find(sign))
        .min()
        .unwrap_or(rest.len());
    let label = rest.get(..end)?.trim().trim_start_matches("the group ").trim_matches(ENDS).trim();
    let is_label = !label.is_empty() && !label.to_ascii_lowercase().starts_with("note");
    is_label.then(|| label.to_owned())
}

/// The person that a message invites, or whose invitation it takes back.
#[must_use]
pub fn person_named(text: &str) -> Option<String> {
    if let Some(quoted) = quoted(text) {
        return Some(quoted);
    }
    const BEFORE: [&str; 15] = [
        "invitation of ",
        "invitation for ",
        "invitation to ",
        "uninvite ",
        "disinvite ",
        "invite ",
        " with ",
        "let ",
        "give ",
        "bring ",
        "add ",
        "without ",
        "from ",
        "for ",
        "of ",
    ];
    const NOBODY: [&str; 12] =
        ["the", "a", "an", "my", "our", "this", "that", "somebody", "someone", "everybody", "everyone", "people"];
    let lower = text.to_ascii_lowercase();
    BEFORE.iter().find_map(|sign| {
        let at = lower.find(sign)?;
        let name = text.get(at + sign.len()..)?.split_whitespace().next()?.trim_matches(ENDS);
        let is_name = !name.is_empty() && !NOBODY.contains(&name.to_ascii_lowercase().as_str());
        is_name.then(|| name.to_owned())
    })
}

/// The name that a message gives something: what stands last behind "to", "as" or a call.
#[must_use]
pub fn new_name(text: &str) -> Option<String> {
    if let Some(quoted) = quoted(text) {
        return Some(quoted);
    }
    let lower = text.to_ascii_lowercase();
    const BEFORE: [&str; 8] =
        [" to ", " as ", " into ", "call this project ", "call the project ", "call it ", "rename it ", " name it "];
    let (at, sign) = BEFORE.iter().filter_map(|sign| lower.rfind(sign).map(|at| (at, *sign))).max()?;
    let name = text.get(at + sign.len()..)?.trim().trim_matches(ENDS).trim();
    // “rename it to” has not said the name yet.
    let is_name = !name.is_empty() && !["to", "as", "into"].contains(&name.to_ascii_lowercase().as_str());
    is_name.then(|| name.to_owned())
}

/// A specification and its text: “specification Soil: three types”.
#[must_use]
pub fn specification_text(text: &str) -> Option<(String, String)> {
    let lower = text.to_ascii_lowercase();
    let at = lower.find("specification").map(|at| at + "specification".len())?;
    let (name, said) = text.get(at..)?.split_once(':')?;
    let name = name.trim();
    let called =
        ["called ", "named "].iter().find_map(|word| name.to_ascii_lowercase().strip_prefix(word).map(|_| word.len()));
    let name = name.get(called.unwrap_or(0)..)?.trim().trim_matches(ENDS).trim();
    let said = said.trim();
    (!name.is_empty() && !said.is_empty()).then(|| (name.to_owned(), said.to_owned()))
}

/// What stands in quotes, where something does.
fn quoted(text: &str) -> Option<String> {
    let inner = text.split(['"', '“', '”']).nth(1)?.trim();
    (!inner.is_empty()).then(|| inner.to_owned())
}

/// A text as it is kept: without quotes around it and without the full stop of the order it stands in.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix(['"', '“']).and_then(|rest| rest.strip_suffix(['"', '”']));
    inner.unwrap_or_else(|| text.trim_end_matches(['.', '!', ';', ','])).trim().to_owned()
}

/// Signs that are no part of a name.
const ENDS: [char; 10] = ['"', '“', '”', '\'', '.', '!', '?', ',', ';', ':'];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_changed_by_its_number_as_a_whole_or_in_part() {
        let to = |text: &str| TextChange::To(text.to_owned());
        for (said, number, change) in [
            ("change note 2 to the deadline is April 2nd.", Some(2), to("the deadline is April 2nd")),
            ("Note 3 should say: “Clay, sand”", Some(3), TextChange::To("Clay, sand".to_owned())),
            ("edit note #4: loam to the north", Some(4), to("loam to the north")),
            ("update the last note to say that it rains", None, to("it rains")),
            ("Replace clay with loam in note 2.", Some(2), TextChange::Replace("clay".to_owned(), "loam".to_owned())),
        ] {
            let expected = NoteEdit { number, change };
            let found = note_edit(said);
            assert_eq!(found, Some(expected), "{said}");
        }
        assert_eq!(note_edit("change note 2"), None);
    }

    #[test]
    fn what_is_ordered_to_change_is_known_with_what_it_is_then() {
        for (said, change) in [
            ("change the deadline to June 1st", Some(("deadline", "June 1st"))),
            ("please set the launch date to May 1st.", Some(("launch date", "May 1st"))),
            ("change the name of the project to Meadow", None),
            ("move the notes to Harbor", None),
            ("the deadline moved to Friday", None),
        ] {
            let change = change.map(|(of, to): (&str, &str)| (of.to_owned(), to.to_owned()));
            assert_eq!(change_ordered(said), change, "{said}");
        }
    }

    #[test]
    fn a_group_a_person_and_a_name_are_what_stands_behind_the_words_for_them() {
        for (said, label) in [
            ("group notes 1 and 2 as Soil", Some("Soil")),
            ("put note 3 into the group Soil types.", Some("Soil types")),
            ("make a group called Soil with notes 1 and 2", Some("Soil")),
            ("group notes 1 and 2 under “Time & money”", Some("Time & money")),
            ("drop the group Soil", Some("Soil")),
            ("group notes 1 and 2", None),
        ] {
            assert_eq!(group_label(said).as_deref(), label, "{said}");
        }
        for (said, person) in [
            ("invite ben to FarmGuard", Some("ben")),
            ("share this project with ben.", Some("ben")),
            ("add ben to the project", Some("ben")),
            ("withdraw the invitation of ben", Some("ben")),
            ("invite someone", None),
        ] {
            assert_eq!(person_named(said).as_deref(), person, "{said}");
        }
        assert_eq!(new_name("rename the project to Meadow Watch.").as_deref(), Some("Meadow Watch"));
        for said in ["rename it to", "rename the project to", "rename it as", "Rename it to."] {
            assert_eq!(new_name(said), None, "{said}");
        }
        let written = specification_text("add a specification called Soil: three types: a, b");
        assert_eq!(written, Some(("Soil".to_owned(), "three types: a, b".to_owned())));
    }

    #[test]
    fn questions_are_left_by_the_words_people_leave_things_with() {
        for leaves in [
            "cancel",
            "Cancel that.",
            "never mind",
            "forget it",
            "let's stop here",
            "I changed my mind",
            "stop asking questions",
            "actually, cancel the setup",
            "that's enough for now",
            "not now",
            "quit",
            "stop",
        ] {
            assert!(leaves_setup(leaves), "{leaves}");
        }
        for answer in [
            "farmers",
            "stop motion films",
            "cancel culture",
            "it must never stop",
            "leaves of trees",
            "forget-me-not growers",
            "enough water for a year",
            "skip",
            "no",
        ] {
            assert!(!leaves_setup(answer), "{answer}");
        }
    }
}
