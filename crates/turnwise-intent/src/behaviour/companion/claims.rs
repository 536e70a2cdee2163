//! What a reply claims of itself: that it did something. Held against what was done before it is said. Next: `wall`.

use crate::words::{Word, Words};

/// What `text` says that its speaker did or will do, of what changes something: “I deleted the project”, “I'll remind
/// you”.
#[must_use]
pub fn claims(text: &str) -> Vec<String> {
    let words = Words::of(text).all;
    let claimed = |at: usize| {
        let mut next = at + 1;
        while words.get(next).is_some_and(|word| BETWEEN.contains(&word.text.as_str())) {
            next += 1;
        }
        let is_promise = words[at + 1..next].iter().any(|word| word.text == "will");
        let said = words.get(next)?.text.as_str();
        let is_claim = DONE.contains(&said) || is_promise && PROMISED.contains(&said);
        let is_denied = words[at + 1..=next].iter().any(|word| word.text == "not");
        (is_claim && !is_denied).then(|| said.to_owned())
    };
    let is_speaker = |word: &Word| ["i", "we"].contains(&word.text.as_str());
    let mut all: Vec<String> = Vec::new();
    for at in (0..words.len()).filter(|at| is_speaker(&words[*at])) {
        // “I deleted the project and saved note 1”: what is joined to it is claimed as well.
        let Some(first) = claimed(at) else { continue };
        all.push(first);
        let joined = words[at..].windows(2).filter(|pair| pair[0].text == "and");
        all.extend(joined.filter(|pair| DONE.contains(&pair[1].text.as_str())).map(|pair| pair[1].text.clone()));
    }
    all
}

/// What stands between a speaker and what was done.
const BETWEEN: [&str; 14] =
    ["have", "had", "will", "just", "now", "also", "already", "then", "has", "gladly", "went", "ahead", "gone", "not"];

/// What changes something, as done.
const DONE: [&str; 40] = [
    "deleted",
    "removed",
    "saved",
    "kept",
    "noted",
    "recorded",
    "stored",
    "added",
    "created",
    "made",
    "moved",
    "sent",
    "emailed",
    "mailed",
    "updated",
    "changed",
    "edited",
    "corrected",
    "renamed",
    "invited",
    "exported",
    "imported",
    "shared",
    "finalized",
    "finalised",
    "finished",
    "written",
    "wrote",
    "drafted",
    "started",
    "scheduled",
    "booked",
    "ordered",
    "called",
    "paid",
    "published",
    "uploaded",
    "archived",
    "cancelled",
    "approved",
];

/// The same, as promised.
const PROMISED: [&str; 22] = [
    "delete", "remove", "save", "keep", "note", "record", "add", "create", "move", "send", "email", "update", "change",
    "rename", "invite", "export", "share", "finalize", "remind", "schedule", "book", "call",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_speaker_says_that_it_did_or_will_do_is_found() {
        for (said, claimed) in [
            ("I deleted the project and saved note 1 for you.", vec!["deleted", "saved"]),
            ("Done! I've just sent it to Anna.", vec!["sent"]),
            ("I'll remind you on Friday.", vec!["remind"]),
            ("You saved note 1 yesterday.", vec![]),
            ("I have not deleted anything.", vec![]),
            ("I would keep the first one.", vec![]),
            ("So the barn comes first.", vec![]),
        ] {
            assert_eq!(claims(said), claimed, "{said}");
        }
    }
}
