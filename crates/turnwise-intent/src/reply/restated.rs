//! Replies that repeat what was asked: "yes, 2 people at 7 pm is right" to a question about 2 people at 7 pm.
//!
//! Whoever repeats it says nothing new, so the words repeated are read as "it", and the deed as "do": the rest is then
//! a yes or none like any other. A word the question does not have stays, and keeps the reply from being consent:
//! "yes, 3 people". Only words that are no yes, and no sign of a condition or a change, are taken for repeated. Next:
//! `veto`.

use std::collections::BTreeSet;

use super::phrases::Phrases;
use super::{Assent, veto};
use crate::words::{Word, Words};

/// What may stand between two repeated words: "a table *for* two *at* seven".
const BETWEEN: [&str; 12] = ["the", "a", "an", "of", "at", "for", "to", "on", "in", "from", "and", "s"];
/// What belongs to a repeated word behind it.
const BEFORE: [&str; 5] = ["the", "a", "an", "my", "our"];

/// `own` with what `asked` says too read as "it" or "do"; none where nothing is repeated. `known` are the words that
/// stand in some yes.
pub(super) fn without_repeats(own: &str, asked: &str, known: &BTreeSet<String>) -> Option<String> {
    if asked.is_empty() {
        return None;
    }
    let asked = Words::of(asked).all;
    // A question that rules something out is not repeated by naming it: "without insurance", "add the insurance".
    if asked.iter().any(veto::is_sign) {
        return None;
    }
    let deed = asked.first().map(|word| word.text.as_str())?;
    let words = Words::of(own).all;
    // "Dana is great" repeats a name and agrees to nothing: besides what is repeated there has to be a yes, or the
    // deed.
    let opens_with_yes = Phrases::get().opening(&words).assent == Assent::Yes;
    let is_repeated = |word: &Word| {
        let is_own = !known.contains(&word.text) && !BETWEEN.contains(&word.text.as_str());
        !word.quoted && is_own && !veto::is_sign(word) && asked.iter().any(|other| other.text == word.text)
    };
    let mut out = String::new();
    let (mut at, mut copied, mut is_ordered) = (0, 0, false);
    while at < words.len() {
        if !is_repeated(&words[at]) {
            at += 1;
            continue;
        }
        let end = end_of_run(&words, at, is_repeated);
        let before = at.checked_sub(1).map(|before| &words[before]);
        let is_named = before.is_some_and(|word| BEFORE.contains(&word.text.as_str()));
        let is_deed = !is_named && words[at].text == deed;
        is_ordered |= is_deed;
        let begin = before.filter(|_| is_named).map_or(words[at].start, |word| word.start);
        out.push_str(own.get(copied..begin)?);
        out.push_str(match (is_deed, end - at) {
            (true, 1) => "do",
            (true, _) => "do it",
            (false, _) => "it",
        });
        copied = words[end - 1].end;
        at = end;
    }
    out.push_str(own.get(copied..)?);
    (copied > 0 && (opens_with_yes || is_ordered)).then_some(out)
}

/// Where the repeated words end that begin at `at`.
fn end_of_run(words: &[Word], at: usize, is_repeated: impl Fn(&Word) -> bool) -> usize {
    let (mut end, mut ahead) = (at + 1, at + 1);
    while let Some(word) = words.get(ahead) {
        ahead += 1;
        if is_repeated(word) {
            end = ahead;
        } else if !BETWEEN.contains(&word.text.as_str()) {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::without_repeats;

    fn read(own: &str, asked: &str) -> Option<String> {
        let known: BTreeSet<String> =
            ["yes", "is", "right", "do", "it", "please", "go", "ahead", "with"].map(str::to_owned).into();
        without_repeats(own, asked, &known)
    }

    #[test]
    fn what_the_question_says_too_is_it() {
        let asked = "Refund 89.99 dollars for order 7731 to Ms Okafor";
        assert_eq!(read("yes, refund it", asked).as_deref(), Some("yes, do it"));
        assert_eq!(read("Yes, 89.99 dollars is right", asked).as_deref(), Some("Yes, it is right"));
        assert_eq!(read("go ahead with the refund please", asked).as_deref(), Some("go ahead with it please"));
        assert_eq!(read("refund order 7731 for Ms Okafor", asked).as_deref(), Some("do it"));
    }

    #[test]
    fn what_it_does_not_say_stays() {
        let asked = "Book a table for 2 people at 7 pm";
        assert_eq!(read("yes, 3 people at 7", asked).as_deref(), Some("yes, 3 it"));
        assert_eq!(read("yes, not before", asked), None);
        assert_eq!(read("yes, insurance", "Rent a car without insurance"), None);
        assert_eq!(read("yes", asked), None);
        assert_eq!(read("Dana is great", "Assign it to Dana"), None);
        assert_eq!(read("yes, 2 people", ""), None);
    }
}
