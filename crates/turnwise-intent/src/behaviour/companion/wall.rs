//! The vocabulary wall (CP-10): words that never stand in a reply, an instruction or the persona, and praise that the
//! persona never gives. Whole words only, with their plurals: "shaped" and "upheld" are fine, "shapes" is not.
//! Next: `intents`.

use crate::behaviour::says;
use crate::words::{Word, Words, visible};

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

/// Machines that speak.
const MACHINES: &[&str] = &[
    "neural network",
    "neural net",
    "machine learning model",
    "large model",
    "transformer",
    "llm",
    "chatbot",
    "artificial intelligence",
    "ai",
    "ai model",
    "ai assistant",
];

/// Who makes them, and what they are called.
const MAKERS: &[&str] = &[
    "meta",
    "mistral",
    "google",
    "microsoft",
    "deepseek",
    "qwen",
    "alibaba",
    "grok",
    "xai",
    "cohere",
    "amazon",
    "nova",
    "phi",
    "gemma",
    "moonshot",
    "kimi",
    "nvidia",
    "ibm",
    "granite",
    "baidu",
    "zhipu",
    "hugging face",
    "apple",
    "perplexity",
    "copilot",
];

/// Words of what somebody is or comes from.
const OF_A_MAKING: &[&str] =
    &["am", "was", "made", "built", "trained", "created", "developed", "powered", "run", "runs", "based", "maker"];
/// Words behind a speaker among which those stand.
const OWN_WORDS: usize = 6;

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
    let all: Vec<_> = words.all.into_iter().map(|word| Word { quoted: false, ..word }).collect();
    let said = WORDS.iter().chain(PHRASES).copied().filter(|phrase| says(&all, phrase));
    said.chain(of_itself(&all)).collect()
}

/// What a speaker says that it is or comes from, where that is a machine or who makes them: “I am a neural network”,
/// “I was made by Meta”. A note may be about either.
fn of_itself(words: &[Word]) -> impl Iterator<Item = &'static str> {
    let is_speaker = |word: &Word| ["i", "me", "my", "myself"].contains(&word.text.as_str());
    let speaks = (0..words.len())
        .filter(|at| is_speaker(&words[*at]))
        .any(|at| words[at..].iter().take(OWN_WORDS).any(|word| OF_A_MAKING.contains(&word.text.as_str())));
    let named = MACHINES.iter().chain(MAKERS).copied().filter(move |_| speaks);
    let all = words.to_vec();
    named.filter(move |phrase| says(&all, phrase))
}

#[cfg(test)]
mod tests {
    use super::forbidden;

    #[test]
    fn forbidden_words_are_found_as_words_and_in_quotes() {
        assert_eq!(forbidden("The \"Shape\" is committed."), ["shape", "committed"]);
        assert_eq!(forbidden("As an AI, I can't say."), ["as an ai"]);
        assert_eq!(
            forbidden("I am a neural network made by Meta, Mistral powered."),
            ["neural network", "meta", "mistral"]
        );
        assert!(forbidden("#3: the mistral blows in March; Anna was trained at Google").is_empty());
        assert!(forbidden("The shaping of the upheld project is saved.").is_empty());
    }
}
