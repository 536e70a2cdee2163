//! What a model's reply rests on: each note it names and each figure stands in what it was told, a sentence that
//! names a note says what that says, and nothing is claimed to be done. What does not hold is not said. Next: `model`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::{claims, numbers_named};

use super::past::{alike, says_much};

/// What of `reply` does not hold against what was `given`, for whoever is to say it otherwise; empty where all does.
/// `is_kept` where what was told is being kept, which may be said.
pub(super) fn unfounded(reply: &str, given: &str, is_kept: bool) -> Vec<String> {
    let known = figures(given);
    let strange = figures(reply).into_iter().filter(|figure| !known.contains(figure));
    let mut found: Vec<String> =
        strange.map(|figure| format!("“{figure}” stands nowhere in what you were given")).collect();
    let is_true = |claim: &String| is_kept && KEPT.contains(&claim.as_str());
    let claimed = claims(reply).into_iter().filter(|claim| !is_true(claim));
    found.extend(claimed.map(|claim| format!("nothing was {claim}; you change nothing")));
    for sentence in sentences(reply) {
        let numbers = cited(sentence);
        if numbers.is_empty() {
            continue;
        }
        let noted: Vec<String> =
            given.lines().filter(|line| numbers.iter().any(|n| is_note(line, *n))).flat_map(text::words).collect();
        let words = text::words(sentence);
        let says = |word: &&String| {
            word.chars().count() >= WORD_LETTERS && says_much(word) && !OF_CITING.contains(&word.as_str())
        };
        let strange = words.iter().filter(says).find(|word| !noted.iter().any(|other| alike(word, other)));
        found.extend(strange.map(|word| format!("the note you name does not say “{word}”")));
    }
    found
}

/// The numbers of notes that a sentence names.
fn cited(sentence: &str) -> Vec<i64> {
    let lower = sentence.to_lowercase();
    let behind_note = lower.match_indices("note").map(|(at, _)| {
        let rest = lower[at..].trim_start_matches(|sign: char| sign.is_alphabetic()).trim_start();
        let end = rest.find(|sign: char| !sign.is_ascii_digit() && !"#, and".contains(sign)).unwrap_or(rest.len());
        numbers_named(&rest[..end])
    });
    let marked = lower.match_indices('#').map(|(at, _)| {
        let rest = &lower[at + 1..];
        let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
        numbers_named(&rest[..end])
    });
    behind_note.chain(marked).flatten().collect()
}

fn is_note(line: &str, number: i64) -> bool {
    line.trim_start()
        .strip_prefix('#')
        .and_then(|rest| rest.split_once(':'))
        .is_some_and(|(of, _)| of.parse() == Ok(number))
}

fn sentences(reply: &str) -> impl Iterator<Item = &str> {
    reply.split(['\n', '!', '?', ';']).flat_map(|part| part.split(". "))
}

/// The figures of a text, as they are written, without signs that end a sentence.
fn figures(text: &str) -> Vec<String> {
    let is_figure = |sign: char| sign.is_ascii_digit() || sign == '.' || sign == ',' || sign == ':';
    let runs = text.split(|sign: char| !is_figure(sign)).map(|run| run.trim_matches(['.', ',', ':']).to_owned());
    runs.filter(|run| run.contains(|sign: char| sign.is_ascii_digit())).collect()
}

/// What is done with what is told.
const KEPT: [&str; 4] = ["kept", "noted", "recorded", "added"];
/// Words with which a note is named.
const OF_CITING: [&str; 24] = [
    "note",
    "notes",
    "says",
    "according",
    "told",
    "tells",
    "mentions",
    "means",
    "reads",
    "states",
    "number",
    "where",
    "about",
    "under",
    "that's",
    "there's",
    "your",
    "yours",
    "this",
    "with",
    "into",
    "only",
    "both",
    "also",
];
/// Letters of a word that says something.
const WORD_LETTERS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_says_what_it_was_given_and_nothing_else() {
        let given = "Harbor: 2 notes\n#1: The keel is oak (waiting)\n#2: the deadline is March 15th";
        for holds in [
            "The keel is oak, says note #1.",
            "By #2, in March.",
            "Note 2 has the deadline: March 15th.",
            "So oak it is.",
        ] {
            assert_eq!(unfounded(holds, given, false), Vec::<String>::new(), "{holds}");
        }
        for wrong in [
            "Your note #77 says the mast is gold, as Anna told you on 3 March.",
            "The keel is balsa, says note #1.",
            "I deleted the project and saved note 1 for you.",
            "That leaves 12 days.",
            "Note 1 says the deadline is March 15th.",
        ] {
            assert_ne!(unfounded(wrong, given, false), Vec::<String>::new(), "{wrong}");
        }
        assert!(
            unfounded("I noted that.", given, true).is_empty() && !unfounded("I noted that.", given, false).is_empty()
        );
    }
}
