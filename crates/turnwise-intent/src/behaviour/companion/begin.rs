//! What begins a project: who says so in plain words (“start a new project”), who only might (“I want to write
//! a book”), and who speaks of work that goes on (“we need a new project manager”). Next: `brief`, for what is said
//! of it.

use crate::words::{Word, Words};

/// Where what is said of a project begins that a message begins in plain words; none where it begins none. Only the
/// first sentence can: what stands behind it is about the project.
#[must_use]
pub fn begun_plainly(text: &str) -> Option<usize> {
    let words = Words::of(text);
    let end = (0..words.all.len()).find(|at| ends_sentence(text, &words.all, *at)).unwrap_or(words.all.len());
    let first = words.all.get(..(end + 1).min(words.all.len()))?;
    let is_order = !first.iter().any(|word| NEGATORS.contains(&word.text.as_str()));
    let asks = first.first().is_some_and(|first| ASKS.contains(&first.text.as_str()));
    if !is_order || asks {
        return None;
    }
    let at = (0..first.len()).find(|at| is_begun_at(text, first, *at))?;
    Some(first[at].end)
}

/// Whether a message can be one that begins a project: it says so in some word, asks for nothing to be told, and names
/// something beyond a greeting and a wish for help.
#[must_use]
pub fn could_begin(text: &str) -> bool {
    let words = Words::of(text);
    let says = words.all.iter().any(|word| BEGINNINGS.contains(&word.text.as_str()));
    let asks = words.all.first().is_some_and(|first| ASKS.contains(&first.text.as_str()));
    says && !asks && names_something(text)
}

/// Whether a message that might begin a project asks for it, and does not only tell what is needed or planned.
#[must_use]
pub fn asks_to_begin(text: &str) -> bool {
    let words = Words::of(text);
    let said: Vec<&str> = words.core().iter().map(|word| word.text.as_str()).collect();
    let is_verb = |word: &str| STARTS.contains(&word) || ["help", "write", "plan"].contains(&word);
    let begins = said.first().is_some_and(|first| is_verb(first));
    let wishes = |pair: &[&str]| {
        matches!(pair, ["want" | "like" | "love", "to"] | ["let", "us"] | ["help", "me" | "us"] | ["need", "help"])
    };
    begins || said.windows(2).any(wishes)
}

/// Whether a message names anything, beyond a greeting and a wish for help.
#[must_use]
pub fn names_something(text: &str) -> bool {
    Words::of(text).all.iter().any(|word| !OF_A_WISH.contains(&word.text.as_str()))
}

/// Whether the word at `at` is the project, or the thing, that is begun.
fn is_begun_at(text: &str, words: &[Word], at: usize) -> bool {
    let before: Vec<&str> = words[..at].iter().map(|word| word.text.as_str()).collect();
    let word = words[at].text.as_str();
    let verb = before.iter().rposition(|word| STARTS.contains(word));
    let is_framed = |to: usize| before[..to].iter().all(|word| FRAME.contains(word));
    if ["something", "anything"].contains(&word) {
        let goes_on = |next: &Word| next.text == "new" || FOLLOWS.contains(&next.text.as_str());
        let is_whole = words[at].pause_after || words.get(at + 1).is_none_or(goes_on);
        return is_whole && verb.is_some_and(|verb| verb + 2 >= at && is_framed(verb));
    }
    if !THINGS.contains(&word) || !stands_alone(text, words, at) {
        return false;
    }
    match verb {
        Some(verb) => is_framed(verb) && is_one(text, words, verb + 1, at),
        None => is_wanted(&before),
    }
}

/// Whether what stands between a verb and a project is an article and what tells which: “a cookbook”, “another”.
fn is_one(text: &str, words: &[Word], from: usize, at: usize) -> bool {
    let between: Vec<&str> = words[from..at].iter().map(|word| word.text.as_str()).collect();
    let between = match between.as_slice() {
        ["off" | "up" | "me" | "us" | "with" | "in", rest @ ..] => rest,
        all => all,
    };
    let is_short = between.len() <= BETWEEN_MAX && !between.iter().any(|word| JOINS.contains(word));
    match between.first() {
        None => true,
        // “start the project on Monday” speaks of one there is, “start the project Second Shift” names one.
        Some(&"the" | &"my" | &"our" | &"this") => is_short && is_named_next(text, words, at),
        Some(_) => is_short,
    }
}

/// Whether a name or a description follows right behind: a word in capitals or in quotes, or a colon.
fn is_named_next(text: &str, words: &[Word], at: usize) -> bool {
    let Some(next) = words.get(at + 1) else { return false };
    let begins = text.get(next.start..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    next.quoted || begins || ["called", "named"].contains(&next.text.as_str()) || is_colon(text, &words[at])
}

/// “a new project”, “I need another project”, and nothing before that.
fn is_wanted(before: &[&str]) -> bool {
    let lead = before.iter().take_while(|word| FRAME.contains(word)).count();
    let rest = &before[lead..];
    let is_new = |words: &[&str]| matches!(words, ["new" | "another" | "fresh" | "blank"]);
    match rest {
        ["a" | "an" | "the" | "my" | "one" | "another", more @ ..] if is_new(more) => true,
        // “I need a project for the kitchen”
        ["a" | "another"] => before[..lead].iter().any(|word| WANTS.contains(word)),
        more => is_new(more),
    }
}

/// Whether a project is no part of another thing: of “project manager” it is.
fn stands_alone(text: &str, words: &[Word], at: usize) -> bool {
    let Some(next) = words.get(at + 1) else { return true };
    words[at].pause_after || FOLLOWS.contains(&next.text.as_str()) || is_named_next(text, words, at)
}

fn is_colon(text: &str, word: &Word) -> bool {
    text.get(word.end..).is_some_and(|rest| rest.trim_start().starts_with([':', '-', '–', '—', ',']))
}

/// Whether a sentence ends behind the word at `at`.
pub(super) fn ends_sentence(text: &str, words: &[Word], at: usize) -> bool {
    let Some(next) = words.get(at + 1) else { return true };
    let between = text.get(words[at].end..next.start).unwrap_or_default();
    between.contains([';', '!', '?', '\n']) || between.contains(". ") || between.contains(".\"")
}

/// What begins something new, or belongs to it.
const BEGINNINGS: [&str; 27] = [
    "start", "strat", "starting", "create", "begin", "new", "another", "fresh", "build", "make", "set", "setup",
    "open", "launch", "kick", "develop", "design", "write", "found", "work", "working", "plan", "planning", "project",
    "projcet", "help", "organise",
];

/// What starts something.
const STARTS: [&str; 19] = [
    "start",
    "strat",
    "starting",
    "create",
    "creating",
    "begin",
    "beginning",
    "set",
    "setup",
    "open",
    "launch",
    "kick",
    "make",
    "build",
    "develop",
    "add",
    "spin",
    "found",
    "do",
];

/// What is started.
const THINGS: [&str; 5] = ["project", "projcet", "workspace", "initiative", "one"];

/// What may follow a project that is no part of another thing.
const FOLLOWS: [&str; 28] = [
    "about", "for", "called", "named", "on", "to", "that", "which", "with", "around", "please", "now", "next", "where",
    "and", "in", "of", "off", "i", "we", "it", "again", "today", "then", "here", "thanks", "from", "so",
];

/// Words of wishing and asking, before what starts something.
const FRAME: [&str; 51] = [
    "i", "we", "you", "me", "us", "would", "will", "like", "love", "want", "wanna", "to", "need", "let", "can",
    "could", "please", "help", "hello", "hi", "hey", "ok", "okay", "so", "and", "now", "it", "is", "time", "thinking",
    "of", "about", "am", "are", "going", "yes", "but", "then", "have", "actually", "well", "should", "also", "do",
    "get", "just", "try", "trying", "first", "there", "sure",
];

const WANTS: [&str; 4] = ["need", "want", "like", "have"];
const NEGATORS: [&str; 5] = ["not", "never", "no", "without", "cannot"];

/// What joins one thing to another, so that the project is not what is started.
const JOINS: [&str; 12] = ["for", "in", "on", "to", "of", "about", "from", "with", "by", "that", "sure", "is"];
/// Words between a verb and its project.
const BETWEEN_MAX: usize = 5;

/// What a question begins with that wants to be told something.
const ASKS: [&str; 16] = [
    "what", "when", "where", "which", "who", "whose", "why", "how", "is", "are", "was", "do", "does", "did", "has",
    "have",
];

/// Greetings and words of wanting help, which name nothing.
const OF_A_WISH: [&str; 45] = [
    "hello",
    "hi",
    "hey",
    "there",
    "good",
    "morning",
    "evening",
    "afternoon",
    "can",
    "could",
    "would",
    "will",
    "you",
    "please",
    "help",
    "me",
    "us",
    "i",
    "we",
    "my",
    "need",
    "want",
    "like",
    "some",
    "a",
    "hand",
    "to",
    "with",
    "this",
    "it",
    "something",
    "thanks",
    "out",
    "here",
    "be",
    "your",
    "the",
    "ok",
    "so",
    "am",
    "is",
    "maybe",
    "little",
    "bit",
    "today",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_begun_by_plain_words_and_what_is_said_of_it_stands_behind() {
        for (said, of_it) in [
            ("start a new project", ""),
            ("I want to start a new project about bees; the goal is honey", " about bees; the goal is honey"),
            ("New project: FarmGuard. Audience: farmers.", ": FarmGuard. Audience: farmers."),
            ("create a project named \"Zeta\" for teachers", " named \"Zeta\" for teachers"),
            ("Could you please set up another project for the museum?", " for the museum?"),
            ("let's create a cookbook project", ""),
            ("I need a project for the kitchen", " for the kitchen"),
            ("start the project “FarmGuard”", " “FarmGuard”"),
            ("Let's build something new for tracking expenses.", " new for tracking expenses."),
            ("create project Harbor", " Harbor"),
            (
                "I'd like to begin a project called Harbor. It's a boat restoration",
                " called Harbor. It's a boat restoration",
            ),
            ("yes please, new project", ""),
        ] {
            assert_eq!(begun_plainly(said).map(|at| &said[at..]), Some(of_it), "{said}");
        }
    }

    #[test]
    fn work_that_goes_on_begins_no_project() {
        for said in [
            "I need a new sail",
            "We are planning to build a new ramp",
            "We need a new project manager",
            "Can you help me plan the launch party?",
            "Hello, can you help me?",
            "start the project on Monday",
            "make sure the project is on time",
            "don't start a new project",
            "what is a new project?",
            "the new project plan is late",
            "we make a new version for the project",
            "make something clear",
            "I want to build a handbook for new hires",
        ] {
            assert_eq!(begun_plainly(said), None, "{said}");
        }
        assert!(!could_begin("Hello, can you help me?") && could_begin("help me plan the launch party"));
        for said in ["Can you help me plan the launch party?", "I'd like to write a book about rivers", "build a shed"]
        {
            assert!(asks_to_begin(said), "{said}");
        }
        for said in ["I need a new sail", "We are planning to build a new ramp", "the new sail is late"] {
            assert!(!asks_to_begin(said), "{said}");
        }
    }
}
