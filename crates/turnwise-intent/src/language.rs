//! What the reader knows of English apart from any assistant: contractions, interjections, polite frames, questions,
//! negation. Profiles say what is meant; this says how people wrap it. Next: `words`, which uses it.

use crate::words::Word;

/// Written-out forms of contractions and of the shorthand people type.
const EXPANSIONS: &[(&str, &[&str])] = &[
    ("ain't", &["is", "not"]),
    ("aint", &["is", "not"]),
    ("alright", &["all", "right"]),
    ("arent", &["are", "not"]),
    ("can't", &["can", "not"]),
    ("cannot", &["can", "not"]),
    ("cant", &["can", "not"]),
    ("couldnt", &["could", "not"]),
    ("didnt", &["did", "not"]),
    ("doesnt", &["does", "not"]),
    ("dont", &["do", "not"]),
    ("gimme", &["give", "me"]),
    ("gonna", &["going", "to"]),
    ("gotta", &["got", "to"]),
    ("hows", &["how", "is"]),
    ("i'd", &["i", "would"]),
    ("im", &["i", "am"]),
    ("isnt", &["is", "not"]),
    ("k", &["ok"]),
    ("kk", &["ok"]),
    ("lemme", &["let", "me"]),
    ("let's", &["let", "us"]),
    ("lets", &["let", "us"]),
    ("nevermind", &["never", "mind"]),
    ("nvm", &["never", "mind"]),
    ("okay", &["ok"]),
    ("okey", &["ok"]),
    ("pleas", &["please"]),
    ("pls", &["please"]),
    ("plz", &["please"]),
    ("shan't", &["shall", "not"]),
    ("shouldnt", &["should", "not"]),
    ("thats", &["that", "is"]),
    ("theres", &["there", "is"]),
    ("thx", &["thanks"]),
    ("tnx", &["thanks"]),
    ("ty", &["thanks"]),
    ("u", &["you"]),
    ("ur", &["your"]),
    ("wanna", &["want", "to"]),
    ("wasnt", &["was", "not"]),
    ("whats", &["what", "is"]),
    ("wheres", &["where", "is"]),
    ("whos", &["who", "is"]),
    ("won't", &["will", "not"]),
    ("wont", &["will", "not"]),
    ("wouldnt", &["would", "not"]),
    ("ya", &["you"]),
];

/// Pronouns and question words after which `'s` stands for "is", not for possession.
const IS_BEFORE_S: &[&str] =
    &["that", "what", "where", "who", "how", "when", "it", "there", "here", "he", "she", "this", "everything", "why"];

const ENDINGS: &[(&str, &str)] = &[("'re", "are"), ("'ve", "have"), ("'ll", "will"), ("'m", "am"), ("'d", "would")];

/// Words that may stand before a request without changing it.
const OPENERS: &[&[&str]] = &[
    &["please"],
    &["kindly"],
    &["ok"],
    &["so"],
    &["well"],
    &["hey"],
    &["hi"],
    &["hello"],
    &["yo"],
    &["um"],
    &["uh"],
    &["uhm"],
    &["hmm"],
    &["hm"],
    &["ah"],
    &["oh"],
    &["oops"],
    &["whoa"],
    &["sorry"],
    &["now"],
    &["and"],
    &["then"],
    &["alternatively"],
    &["actually"],
    &["wait"],
    &["hang", "on"],
    &["hold", "on"],
    &["one", "moment"],
    &["just"],
    &["great"],
    &["perfect"],
    &["cool"],
    &["nice"],
    &["thanks"],
    &["thank", "you"],
    &["all", "right"],
    &["let", "us"],
    &["you", "know"],
    &["by", "the", "way"],
    &["btw"],
    &["basically"],
    &["instead"],
    &["quick", "question"],
    &["quickly"],
    &["but"],
    &["team"],
    &["everyone"],
];

/// Frames that make an order polite. With one of these a question mark does not make it a question.
const REQUEST_FRAMES: &[&[&str]] = &[
    &["can", "you"],
    &["could", "you"],
    &["would", "you"],
    &["will", "you"],
    &["would", "you", "mind"],
    &["are", "you", "able", "to"],
    &["is", "it", "possible", "to"],
    &["would", "it", "be", "possible", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "you", "to"],
    &["i", "would", "like", "you", "to"],
    &["i", "want", "to"],
    &["i", "need", "to"],
    &["i", "would", "like", "to"],
    &["i", "would", "love", "to"],
    &["i", "would", "love", "it", "if", "you", "could"],
    &["we", "need", "to"],
    &["we", "want", "to"],
    &["we", "would", "like", "to"],
    &["i", "have", "to"],
    &["i", "am", "trying", "to"],
    &["i", "am", "going", "to"],
    &["you", "can"],
    &["you", "could"],
    &["feel", "free", "to"],
    &["go", "ahead", "and"],
    &["may", "i"],
    &["can", "i"],
    &["could", "i"],
    &["can", "we"],
    &["could", "we"],
    &["let", "me"],
    &["help", "me", "to"],
    &["do", "me", "a", "favor", "and"],
    &["if", "you", "can"],
    &["if", "possible"],
    &["you", "should"],
    &["i", "wish", "to"],
    &["i", "think", "we", "should"],
    &["i", "think", "you", "should"],
    &["we", "should"],
];

/// Words that may stand behind a request without changing it.
const CLOSERS: &[&[&str]] = &[
    &["please"],
    &["thanks"],
    &["thank", "you"],
    &["thank", "you", "so", "much"],
    &["thanks", "a", "lot"],
    &["for", "me"],
    &["for", "us"],
    &["now"],
    &["right", "now"],
    &["right", "away"],
    &["asap"],
    &["ok"],
    &["if", "you", "can"],
    &["if", "possible"],
    &["if", "you", "do", "not", "mind"],
    &["would", "you"],
    &["will", "you"],
    &["could", "you"],
    &["can", "you"],
    &["at", "once"],
    &["immediately"],
    &["then"],
    &["cheers"],
    &["mate"],
    &["buddy"],
    &["man"],
    &["lol"],
    &["haha"],
    &["tia"],
    &["a", "bit"],
    &["for", "now"],
    &["quickly"],
    &["thanks", "in", "advance"],
    &["many", "thanks"],
    &["i", "guess"],
    &["i", "think"],
    &["sorry"],
    &["there"],
];

/// Words that turn a statement round.
pub const NEGATORS: &[&str] = &["not", "never", "no", "without", "neither", "nor", "hardly"];

const QUESTION_WORDS: &[&str] = &["what", "why", "how", "when", "where", "who", "whom", "whose", "which", "whether"];

const QUESTION_AUXILIARIES: &[&str] = &[
    "should", "shall", "do", "does", "did", "is", "are", "was", "were", "am", "would", "will", "can", "could", "may",
    "might", "must", "has", "have", "had",
];

const SUBJECTS: &[&str] = &[
    "i",
    "you",
    "we",
    "they",
    "he",
    "she",
    "it",
    "this",
    "that",
    "these",
    "those",
    "there",
    "the",
    "a",
    "an",
    "my",
    "your",
    "our",
    "their",
    "its",
    "any",
    "all",
    "everything",
    "anything",
    "someone",
    "anyone",
    "not",
    "both",
    "everyone",
    "yes",
];

/// The word or words a written token stands for.
#[must_use]
pub fn expand(lower: &str) -> Vec<String> {
    if let Ok(found) = EXPANSIONS.binary_search_by(|(short, _)| short.cmp(&lower)) {
        return EXPANSIONS[found].1.iter().map(|word| (*word).to_owned()).collect();
    }
    if !lower.contains('\'') {
        return vec![lower.to_owned()];
    }
    if let Some(stem) = lower.strip_suffix("n't") {
        return vec![stem.to_owned(), "not".to_owned()];
    }
    if let Some(stem) = lower.strip_suffix("'s").filter(|stem| IS_BEFORE_S.contains(stem)) {
        return vec![stem.to_owned(), "is".to_owned()];
    }
    for (ending, word) in ENDINGS {
        if let Some(stem) = lower.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
            return vec![stem.to_owned(), (*word).to_owned()];
        }
    }
    vec![lower.to_owned()]
}

/// Whether a sentence that opens with these two words has the word order of a question.
#[must_use]
pub fn opens_question(first: &str, second: Option<&str>) -> bool {
    if QUESTION_WORDS.contains(&first) {
        return true;
    }
    // "do it" and "have a look" are orders: an auxiliary asks only before a subject, and `do` only before a person.
    match (first, second) {
        ("do" | "have", Some(second)) => matches!(second, "i" | "you" | "we" | "they" | "these" | "those"),
        (auxiliary, Some(second)) => QUESTION_AUXILIARIES.contains(&auxiliary) && SUBJECTS.contains(&second),
        (_, None) => false,
    }
}

/// Whether a sentence weighs or forbids instead of ordering: "should we …", "don't …", "never …".
#[must_use]
pub fn opens_as_no_order(words: &[Word]) -> bool {
    const OPENINGS: &[&[&str]] = &[
        &["should"],
        &["shall"],
        &["do", "not"],
        &["never"],
        &["i", "would", "not"],
        &["we", "should", "not"],
        &["should", "not"],
    ];
    OPENINGS.iter().any(|opening| starts_with(words, opening))
}

/// Words of an opener ("ok", "hang on") at the front, 0 when there is none.
#[must_use]
pub fn opener_length(words: &[Word]) -> usize {
    longest(OPENERS, |phrase| starts_with(words, phrase))
}

/// Words of a polite request frame at the front, 0 when there is none.
#[must_use]
pub fn request_frame_length(words: &[Word]) -> usize {
    longest(REQUEST_FRAMES, |phrase| starts_with(words, phrase))
}

/// Words of a closer ("please", "for me") at the end, 0 when there is none.
#[must_use]
pub fn closer_length(words: &[Word]) -> usize {
    longest(CLOSERS, |phrase| ends_with(words, phrase))
}

fn longest(phrases: &[&[&str]], fits: impl Fn(&[&str]) -> bool) -> usize {
    phrases.iter().filter(|phrase| fits(phrase)).map(|phrase| phrase.len()).max().unwrap_or(0)
}

fn starts_with(words: &[Word], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, part)| !word.quoted && word.text == *part)
}

fn ends_with(words: &[Word], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && starts_with(&words[words.len() - phrase.len()..], phrase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_expansions_is_sorted_for_binary_search() {
        assert!(EXPANSIONS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn contractions_are_written_out_but_possession_is_kept() {
        assert_eq!(expand("don't"), ["do", "not"]);
        assert_eq!(expand("what's"), ["what", "is"]);
        assert_eq!(expand("customer's"), ["customer's"]);
    }

    #[test]
    fn an_auxiliary_asks_only_before_a_subject() {
        assert!(opens_question("should", Some("we")));
        assert!(!opens_question("do", Some("it")));
        assert!(!opens_question("may", Some("sales")));
    }
}
