//! The vocabulary wall (CP-10): words that never stand in a reply, an instruction or the persona, and praise that the
//! persona never gives. Whole words only, with their plurals: "shaped" and "upheld" are fine, "shapes" is not.
//! Next: `intents`.

use crate::behaviour::says;
use crate::words::{Words, visible};

const WORDS: &[&str] = &[
    "engagement",
    "engagements",
    "assertion",
    "assertions",
    "shape",
    "shapes",
    "render",
    "renders",
    "rendered",
    "rendering",
    "manifestation",
    "manifestations",
    "specialist",
    "specialists",
    "materializer",
    "materializers",
    "materialiser",
    "normative_force",
    "normative force",
    "held",
    "committed",
    "retracted",
];

/// What gives a machine away, or flatters.
const PHRASES: &[&str] = &[
    "as an ai",
    "as a language model",
    "language model",
    "my training",
    "training data",
    "i was trained",
    "openai",
    "anthropic",
    "chatgpt",
    "gpt",
    "claude",
    "gemini",
    "llama",
    "great question",
    "good question",
    "excellent question",
    "i love that idea",
    "love that",
    "what a great idea",
    "i am so excited",
    "absolutely love",
];

/// The words that are never said, for whoever is told so.
#[must_use]
pub fn never_said() -> Vec<&'static str> {
    WORDS.to_vec()
}

/// The words and phrases of `text` that may not be said, in the order of the list.
#[must_use]
pub fn forbidden(text: &str) -> Vec<&'static str> {
    let words = Words::of(&visible(text));
    // Quoting a word says it all the same.
    let all: Vec<_> = words.all.into_iter().map(|word| crate::words::Word { quoted: false, ..word }).collect();
    WORDS.iter().chain(PHRASES).copied().filter(|phrase| says(&all, phrase)).collect()
}

#[cfg(test)]
mod tests {
    use super::forbidden;

    #[test]
    fn forbidden_words_are_found_as_words_and_in_quotes() {
        assert_eq!(forbidden("The \"Shape\" is committed."), ["shape", "committed"]);
        assert_eq!(forbidden("As an AI, I can't say."), ["as an ai"]);
        assert!(forbidden("The shaping of the upheld project is saved.").is_empty());
    }
}
