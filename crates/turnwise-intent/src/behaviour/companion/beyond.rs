//! What is asked for and is not done here, each by what it is: so that it is said plainly, with what is possible
//! instead, and never taken for something else that it is like. Next: `orders`, for what is done.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// Something that is not done here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// To pin a note.
    Pin,
    /// To make one note of several.
    Merge,
    /// To say it in another language.
    Translate,
    /// To put a project away.
    Archive,
    /// To give a group another name.
    RenameGroup,
    /// To take a document out of a project.
    DeleteDocument,
    /// Whether something can be changed later, which it can.
    ChangeLater,
    /// That something is wrong, without what.
    Wrong,
    /// An order with a question mark, of which it is not sure that it is meant.
    AskedOrder,
}

static BEYOND: LazyLock<Vec<(Beyond, Vec<Pattern>)>> = LazyLock::new(|| {
    const NOTES: &str = "(the|my|that|this|these|those|both|all)? (last|latest)? (note|notes)";
    let of = |beyond, written: &[&str]| (beyond, patterns(written));
    vec![
        of(Beyond::Pin, &[&format!("(pin|unpin|star|highlight|bookmark|flag) {NOTES} ...")]),
        of(Beyond::Merge, &[&format!("(merge|combine|unite) {NOTES} ...")]),
        of(Beyond::Translate, &[&format!("translate {NOTES} ..."), "translate (it|that|this|everything|all) ..."]),
        of(Beyond::Archive, &["(archive|unarchive|freeze|shelve) (the|this|that|my|our)? ... project ..."]),
        of(Beyond::RenameGroup, &["(rename|relabel) (the|my|our)? group ..."]),
        of(
            Beyond::DeleteDocument,
            &[
                "(delete|erase) (the|my|our|that|this)? (old|latest|last)? (report|document|file|artefact|artifact|specification|spec|manual|handbook|pdf)",
            ],
        ),
        of(
            Beyond::ChangeLater,
            &["(can|could|may) (i|we) (still|also)? (change|edit|correct|alter) ... (later|afterwards|again)"],
        ),
        of(
            Beyond::Wrong,
            &["(no|oh|hm)? (that|this|it) is (all|just|simply|not)? (wrong|incorrect|false|right|true|correct)"],
        ),
        of(Beyond::AskedOrder, &[&format!("(delete|remove|drop|save|take back|change|edit|group) {NOTES} ...")]),
    ]
});

/// What a message asks for that is not done here.
#[must_use]
pub fn beyond(text: &str) -> Option<Beyond> {
    let words = Words::of(text);
    let is_asked = words.question_mark && !words.polite_request;
    let is_denied = words.all.iter().any(|word| word.text == "not");
    let names_a_file = || {
        let first =
            words.core().first().is_some_and(|first| ["delete", "erase", "remove"].contains(&first.text.as_str()));
        first && words.core().len() <= FILE_WORDS && text.split_whitespace().any(is_file)
    };
    let fits = |beyond: &Beyond| match beyond {
        Beyond::AskedOrder => is_asked,
        // “that is right” finds no fault.
        Beyond::Wrong => !words.question_mark && (is_denied || FAULTS.iter().any(|fault| words.has_any(&[fault]))),
        _ => true,
    };
    let found = BEYOND.iter().find(|(beyond, patterns)| fits(beyond) && matches_any(patterns, &words));
    found.map(|(beyond, _)| *beyond).or_else(|| names_a_file().then_some(Beyond::DeleteDocument))
}

/// Whether a word is the name of a file: “report.txt”.
fn is_file(word: &str) -> bool {
    let split = word.trim_end_matches(['.', '?', '!', ',']).rsplit_once('.');
    let is_ending = |ending: &str| (2..=4).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric);
    split.is_some_and(|(stem, ending)| stem.contains(char::is_alphabetic) && is_ending(ending))
}

const FAULTS: [&str; 3] = ["wrong", "incorrect", "false"];
/// Words of an order that names a file.
const FILE_WORDS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_done_here_is_known_by_what_it_is() {
        for (said, what) in [
            ("pin note 2", Some(Beyond::Pin)),
            ("please merge notes 1 and 2", Some(Beyond::Merge)),
            ("translate note 1 into German", Some(Beyond::Translate)),
            ("archive the project", Some(Beyond::Archive)),
            ("rename the group Wood to Timber", Some(Beyond::RenameGroup)),
            ("delete report.txt", Some(Beyond::DeleteDocument)),
            ("delete the report", Some(Beyond::DeleteDocument)),
            ("can I change the audience later?", Some(Beyond::ChangeLater)),
            ("That's wrong", Some(Beyond::Wrong)),
            ("that is not right", Some(Beyond::Wrong)),
            ("delete note 1?", Some(Beyond::AskedOrder)),
            ("that's right", None),
            ("delete note 1", None),
            ("could you delete note 1?", None),
            ("the pin of note 2 is 4711", None),
            ("delete the note about report.txt", None),
        ] {
            assert_eq!(beyond(said), what, "{said}");
        }
    }
}
