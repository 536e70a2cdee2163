//! Which of several choices words name: by number, ordinal, value, label or the start of one, and what rules one out.
//! Apart from `message`, because it looks at the words and the choices alone. Next: `message`.

use crate::{Choice, Pending, PendingKind, Reply, text};

/// What words say about a list of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// The choice with this number, from 1.
    Choice(usize),
    /// Some choice is ruled out, and what is left is not clear.
    NotThat,
    /// They do not speak of the choices.
    Other,
}

/// The choice the words name: by number, ordinal, value or label, in any case. "Not the former" is not the former.
pub(super) fn choice_meant(words: &str, choices: &[Choice]) -> Meant {
    let mut said = text::words(words);
    let is_negated = said.iter().any(|word| NEGATIONS.contains(&word.as_str()));
    said.retain(|word| !NEGATIONS.contains(&word.as_str()) && !FILLERS.contains(&word.as_str()));
    if is_negated && said.is_empty() {
        // Where one of the choices is a no, a plain no means that one.
        return beginning(choices, "no").map_or(Meant::Other, Meant::Choice);
    }
    let Some(at) = choice_named(&said.join(" "), choices) else { return Meant::Other };
    match (is_negated, choices.len()) {
        (false, _) => Meant::Choice(at + 1),
        // Of two choices, ruling one out names the other.
        (true, 2) => Meant::Choice(2 - at),
        (true, _) => Meant::NotThat,
    }
}

/// Whether the words skip the question, whatever else they say: they never mean anything beyond it.
pub(super) fn skips(words: &str) -> bool {
    text::words(words).first().is_some_and(|first| first == "skip")
}

/// Whether the words turn down all that is offered and say nothing in its place.
pub(super) fn is_none_of_them(words: &str) -> bool {
    let said = text::words(words);
    let said: Vec<&str> = said.iter().map(String::as_str).filter(|word| *word != "no").collect();
    matches!(
        said.as_slice(),
        [] | ["neither" | "nope" | "none"] | ["neither" | "none" | "not", "of", "these" | "those" | "them"]
    ) && !text::words(words).is_empty()
}

/// Whether a question only offers what may be meant: where none of it is, whatever is said next takes its place.
pub(super) fn gives_way(question: &Pending) -> bool {
    let PendingKind::Clarification { clarification } = &question.kind else { return false };
    clarification.choices.iter().any(|choice| is_none_of_them(&choice.value))
}

/// Which choice a yes or a no names, however it was worded: the one that begins with it.
pub(super) fn plain_choice(question: &Pending, reply: &Reply) -> Option<usize> {
    let PendingKind::Clarification { clarification } = &question.kind else { return None };
    match reply {
        Reply::Approve => beginning(&clarification.choices, "yes"),
        Reply::Reject => beginning(&clarification.choices, "no"),
        _ => None,
    }
}

/// The choice that begins with this word, by its number.
fn beginning(choices: &[Choice], word: &str) -> Option<usize> {
    let begins = |choice: &Choice| text::words(&choice.label).first().is_some_and(|first| first == word);
    choices.iter().position(begins).map(|at| at + 1)
}

fn choice_named(said: &str, choices: &[Choice]) -> Option<usize> {
    let last = choices.len().checked_sub(1)?;
    let ordinal = match said {
        "first" | "1st" | "former" => Some(0),
        "second" | "2nd" => Some(1),
        "third" | "3rd" => Some(2),
        "last" | "latter" => Some(last),
        // Asked how many, "2" is two of them.
        _ if choices.iter().any(Choice::confirms_number) => None,
        _ => said.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
    };
    if let Some(at) = ordinal {
        return (at <= last).then_some(at);
    }
    let plain = |label: &str| {
        let mut words = text::words(label);
        words.retain(|word| !FILLERS.contains(&word.as_str()));
        words.join(" ")
    };
    let is_named = |choice: &Choice| plain(&choice.label) == said || plain(&choice.value) == said;
    let exact = choices.iter().position(is_named);
    exact.or_else(|| {
        // A start that fits one choice alone means that one: it need not be typed whole.
        let mut fitting = choices.iter().enumerate().filter(|(_, choice)| plain(&choice.label).starts_with(said));
        let first = fitting.next().filter(|_| said.len() >= CHOICE_PREFIX_MIN)?;
        fitting.next().is_none().then_some(first.0)
    })
}

/// Shortest start of a label that counts as naming it.
const CHOICE_PREFIX_MIN: usize = 3;

/// Words around a choice that do not name one.
const FILLERS: [&str; 9] = ["the", "one", "option", "choice", "number", "please", "a", "i", "mean"];

/// Words that rule a choice out.
const NEGATIONS: [&str; 6] = ["not", "no", "don't", "isn't", "except", "neither"];
