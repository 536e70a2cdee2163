//! What a message wants taken back or forgotten, where it says so by what it is about and not by a number: “delete the
//! note about the band”, “forget that I'm allergic to bees”. Next: `orders`.

/// What stands before the topic of a note.
const OF_A_NOTE: [&str; 9] = [
    " note about ",
    " notes about ",
    " note on ",
    " notes on ",
    " note saying ",
    " note that says ",
    " note which says ",
    " note where ",
    " note with ",
];

/// What stands before what is to be forgotten, at the beginning; the first that fits counts.
const FORGETS: [&str; 10] = [
    "forget what i said about ",
    "forget what i told you about ",
    "forget what you know about ",
    "forget the note about ",
    "forget everything about ",
    "forget that ",
    "forget about ",
    "please forget that ",
    "please forget about ",
    "please forget what i said about ",
];

/// What is to be taken back, as the person wrote it; `None` where the last thing is meant, or a number.
#[must_use]
pub fn taken_topic(text: &str) -> Option<String> {
    // Letters keep their places, so that what is found in lower case is cut out of what was written.
    let lower = text.to_ascii_lowercase();
    let begun = FORGETS.iter().find(|sign| lower.starts_with(**sign)).map(|sign| sign.len());
    let behind = || OF_A_NOTE.iter().filter_map(|sign| lower.find(sign).map(|at| at + sign.len())).min();
    let topic =
        text.get(begun.or_else(behind)?..)?.trim().trim_end_matches(['.', '!', '?']).trim_matches(['"', '“', '”']);
    (!topic.is_empty()).then(|| topic.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_named_by_what_it_is_about() {
        for (said, topic) in [
            ("delete the note about the band", Some("the band")),
            ("Forget that I'm allergic to bees.", Some("I'm allergic to bees")),
            ("remove the note saying “soil is clay”", Some("soil is clay")),
            ("forget what I said about Rosa", Some("Rosa")),
            ("delete note 2", None),
            ("delete the last note", None),
            ("take it back", None),
        ] {
            assert_eq!(taken_topic(said).as_deref(), topic, "{said}");
        }
    }
}
