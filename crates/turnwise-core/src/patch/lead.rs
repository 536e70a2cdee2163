//! What stands around a change and changes nothing of it: courtesy, hesitation, a yes that goes on, the frame of a
//! request. Next: `frames`, which reads what is left.

use super::phrases::EXCEPT;
use super::tokens::{PART, Token};

/// What is left of a sentence, and whether it was put as a request or proposal, which may carry a question mark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led<'a> {
    pub(super) words: &'a [Token],
    pub(super) is_request: bool,
}

/// `words` without what leads to them and what follows them.
pub(super) fn led(words: &[Token]) -> Led<'_> {
    let mut led = Led { words, is_request: false };
    loop {
        if let Some(rest) = after(led.words, &REQUESTS) {
            led = Led { words: rest, is_request: true };
        } else if let Some(rest) = after(led.words, &LEADING) {
            led.words = rest;
        } else if let Some(rest) = after(led.words, &YES_TO_IT).filter(|rest| goes_on(rest)) {
            led.words = rest;
        } else if let Some(rest) = after(led.words, &["no"]).filter(|rest| is_part(rest.first())) {
            led.words = rest;
        } else {
            break;
        }
    }
    while let Some(rest) = before(led.words, &FOLLOWING) {
        led.words = rest;
    }
    led
}

fn is_part(word: Option<&Token>) -> bool {
    word.is_some_and(|word| word.text == PART)
}

/// Whether a yes is taken back in part by what follows it: "approve, without step 3", "run it but skip the file".
fn goes_on(rest: &[Token]) -> bool {
    is_part(rest.first())
        || after(rest, EXCEPT).is_some()
        || rest.first().is_some_and(|word| matches!(word.text.as_str(), "and" | "just" | "only"))
}

/// What stands behind the longest of `phrases` that `words` begin with; something has to.
pub(super) fn after<'a>(words: &'a [Token], phrases: &[&str]) -> Option<&'a [Token]> {
    let length = phrases.iter().filter_map(|phrase| begins(words, phrase)).max()?;
    Some(&words[length..]).filter(|rest| !rest.is_empty())
}

/// What stands before the longest of `phrases` that `words` end with; something has to.
pub(super) fn before<'a>(words: &'a [Token], phrases: &[&str]) -> Option<&'a [Token]> {
    let ends = |phrase: &&str| {
        let length = phrase.split(' ').count();
        let start = words.len().checked_sub(length)?;
        begins(&words[start..], phrase).map(|_| start)
    };
    let start = phrases.iter().filter_map(ends).min()?;
    Some(&words[..start]).filter(|rest| !rest.is_empty())
}

/// Whether `words` are one of `phrases` and nothing else.
pub(super) fn is(words: &[Token], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| begins(words, phrase) == Some(words.len()))
}

fn begins(words: &[Token], phrase: &str) -> Option<usize> {
    let mut length = 0;
    for part in phrase.split(' ') {
        (words.get(length)?.text == part).then_some(())?;
        length += 1;
    }
    Some(length)
}

const LEADING: [&str; 73] = [
    PART,
    "please",
    "ok",
    "okay",
    "yes",
    "yeah",
    "yep",
    "yup",
    "y",
    "sure",
    "fine",
    "good",
    "great",
    "nice",
    "perfect",
    "cool",
    "right",
    "alright",
    "all right",
    "but",
    "and",
    "wait",
    "actually",
    "hmm",
    "hm",
    "oh",
    "well",
    "so",
    "then",
    "now",
    "thanks",
    "thank you",
    "looks good",
    "looks fine",
    "looks great",
    "sounds good",
    "sounds fine",
    "sounds great",
    "lgtm",
    "that's fine",
    "that is fine",
    "that's good",
    "that's ok",
    "go ahead",
    "hold on",
    "hang on",
    "one change",
    "small change",
    "one thing",
    "just one thing",
    "maybe",
    "perhaps",
    "better",
    "i think",
    "on second thought",
    "sorry",
    "approved",
    "um",
    "uh",
    "also please",
    "i approve",
    "nope",
    "nah",
    "i'm happy with",
    "i am happy with",
    "happy with",
    "i like",
    "i agree with",
    "i'm fine with",
    "i'm ok with",
    "i'm good with",
    "fine with",
    "ok with",
];

const YES_TO_IT: [&str; 24] = [
    "approve",
    "approve it",
    "approve the plan",
    "approve this",
    "approve that",
    "accept",
    "accept it",
    "accept the plan",
    "confirm",
    "confirm it",
    "run it",
    "run the plan",
    "run this",
    "run",
    "do it",
    "do this",
    "do that",
    "go",
    "go for it",
    "go on",
    "proceed",
    "execute it",
    "execute",
    "start",
];

const REQUESTS: [&str; 43] = [
    "can",
    "could",
    "can you",
    "could you",
    "would you",
    "will you",
    "can we",
    "could we",
    "can you just",
    "could you just",
    "can we just",
    "could we just",
    "i want to",
    "i want you to",
    "i'd like to",
    "i'd like you to",
    "i would like to",
    "i would like you to",
    "let's",
    "let us",
    "let's just",
    "we should",
    "you should",
    "you can",
    "you could",
    "you may",
    "we can",
    "we could",
    "we can just",
    "you can just",
    "i'd rather",
    "i would rather",
    "i'd prefer to",
    "what if we",
    "what if you",
    "what if i",
    "how about we",
    "how about",
    "why don't we",
    "why don't you",
    "why not",
    "what about",
    "would you mind",
];

const FOLLOWING: [&str; 62] = [
    "any more",
    "anymore",
    "any longer",
    "at all",
    "after all",
    "and we'll see",
    "and then we'll see",
    "and see",
    "for a start",
    "for starters",
    "to begin with",
    "to start with",
    "and go on",
    "and continue",
    "and carry on",
    "and proceed",
    "then go on",
    "and try again",
    "and retry",
    "and resume",
    "then continue",
    PART,
    "please",
    "thanks",
    "thank you",
    "then",
    "for now",
    "this time",
    "instead",
    "too",
    "as well",
    "though",
    "ok",
    "okay",
    "now",
    "for me",
    "anyway",
    "if you can",
    "if possible",
    "and run it",
    "and go",
    "and go ahead",
    "then run it",
    "and run the rest",
    "and do the rest",
    "run the rest",
    "do the rest",
    "and approve the rest",
    "and approve it",
    "the rest is fine",
    "the rest is ok",
    "the rest is good",
    "the rest looks good",
    "the rest looks fine",
    "otherwise fine",
    "otherwise good",
    "it's not needed",
    "it is not needed",
    "we don't need it",
    "i don't need it",
    "we don't need that",
    "i don't need that",
];
