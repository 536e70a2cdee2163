//! Whether a sentence forbids something, by the way it is put and not by what it is about: “never …”, “do not …”, “no
//! file may be …”, “keep … as it is”. What is said of the talk itself (“don't stop”, “never mind”, “don't do it yet”)
//! forbids nothing that a plan could break. Next: `forbidding`.

use super::words::{LESS, POINTERS, Verb, verb_of};

/// How a sentence forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// What it names is not to be done.
    Not,
    /// What it names alone is to be done.
    Only,
    /// What it names stays as it is.
    Leave,
}

/// Without what leads to what is forbidden.
pub(super) fn without_leads(mut words: Vec<String>) -> Vec<String> {
    loop {
        let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let fits = |lead: &&&str| {
            let lead: Vec<&str> = lead.split(' ').collect();
            lower.len() > lead.len()
                && lower.iter().zip(&lead).all(|(word, of)| word.trim_end_matches([':', ',']) == *of)
        };
        let Some(lead) = LEADS.iter().filter(fits).max_by_key(|lead| lead.len()) else { return words };
        words.drain(..lead.split(' ').count());
    }
}

/// How words in lower case forbid; none where they do not.
pub(super) fn sort(lower: &[String]) -> Option<Sort> {
    let words: Vec<&str> = lower.iter().map(|word| word.trim_end_matches(['.', '!'])).collect();
    if is_only(&words) {
        return Some(Sort::Only);
    }
    if imperative(&words) || of_subject(&words) || is_nominal(&words) {
        return Some(Sort::Not);
    }
    leaves(&words).then_some(Sort::Leave)
}

/// “Never touch …”, “do not clear …”, “without clearing …”, “avoid …”.
fn imperative(words: &[&str]) -> bool {
    let (verb, rest) = match words {
        ["never" | "don't" | "dont" | "don’t", "ever", verb, rest @ ..] | ["do", "not", "ever", verb, rest @ ..] => {
            (*verb, rest)
        }
        ["never" | "don't" | "dont" | "don’t", verb, rest @ ..] | ["do", "not", verb, rest @ ..] => (*verb, rest),
        ["without" | "avoid" | "avoiding", verb, rest @ ..]
        | ["refrain", "from", verb, rest @ ..]
        | ["under", "no", "circumstances", verb, rest @ ..] => {
            let is_done =
                verb.ends_with("ing") || words[0] == "under" || (words[0] == "avoid" && verb_of(verb).is_some());
            return is_done && is_about_something(rest);
        }
        _ => return false,
    };
    // “Don't do anything but …” says more than “don't do anything”.
    if let ["anything", more, ..] = rest
        && verb == "do"
    {
        return !POINTERS.contains(more);
    }
    // “Don't write a.txt” as well as “don't email anybody”; “don't stop” and “never mind” are said of the talk.
    !OF_TALK.contains(&verb) && is_about_something(rest)
}

/// Whether words name something, and not what was spoken of, or the talk.
fn is_about_something(rest: &[&str]) -> bool {
    let is_first_pointer = rest.first().is_some_and(|word| POINTERS.contains(word));
    !rest.is_empty() && !is_first_pointer && !is_of_plan(rest)
}

/// Whether words speak of a step, and not of how many there are.
fn is_of_plan(words: &[&str]) -> bool {
    let joined = words.join(" ");
    words.iter().any(|word| OF_PLAN.contains(word)) && !LESS.iter().any(|phrase| joined.contains(phrase))
}

/// “b.txt must not be changed”, “you may not write …”, “no file may be …”, “nothing should be …”, “… is off limits”.
fn of_subject(words: &[&str]) -> bool {
    let modal = |word: &str| MODALS.contains(&word);
    let denied = |at: usize| {
        let is_not = words.get(at + 1) == Some(&"not") && (modal(words[at]) || ["is", "are"].contains(&words[at]));
        if is_not { Some(at + 2) } else { DENIED.contains(&words[at]).then_some(at + 1) }
    };
    if is_of_plan(words) || words.len() < 3 {
        return false;
    }
    if ["no", "nothing", "nobody", "none", "neither"].contains(&words[0]) {
        let Some(at) = words.iter().position(|word| modal(word) || ["is", "are", "gets"].contains(word)) else {
            return false;
        };
        // “Nothing is written” tells what was seen; “nothing is written outside out/” what is to be.
        let says_more =
            |at: usize| words.get(at + 1) == Some(&"to") || (verb_at(words, at + 1) && at + 2 < words.len());
        return at > 0 && has_act(&words[at + 1..]) && (modal(words[at]) || says_more(at));
    }
    let is_named_so = words.windows(2).any(|pair| {
        ["is", "are"].contains(&pair[0])
            && ["forbidden", "prohibited", "off", "taboo", "untouchable"].contains(&pair[1])
    });
    if is_named_so {
        return !POINTERS.contains(&words[0]);
    }
    let Some((at, behind)) = (1..words.len()).find_map(|at| denied(at).map(|behind| (at, behind))) else {
        return false;
    };
    let rest = words.get(behind..).unwrap_or_default();
    let is_person = ["you", "we", "they", "nobody"].contains(&words[at - 1]) && at == 1;
    let is_passive = matches!(rest, ["be", ..] | ["to", "be", ..] | ["get", ..] | ["allowed", ..]);
    match is_person {
        true => rest.first().is_some_and(|verb| !OF_TALK.contains(verb)) && rest.len() > 1,
        false => is_passive && !POINTERS.contains(&words[0]) && words[0] != "i",
    }
}

fn verb_at(words: &[&str], at: usize) -> bool {
    words.get(at).is_some_and(|word| verb_of(word).is_some())
}

/// Whether something is done: “be deleted”, “be written”, “touch”.
fn has_act(words: &[&str]) -> bool {
    let is_done = |word: &&str| word.ends_with("ed") || word.ends_with("en") || verb_of(word).is_some();
    words.iter().any(is_done)
}

/// “No deletions”, “no changes to b.txt”.
fn is_nominal(words: &[&str]) -> bool {
    match words {
        ["no", what, rest @ ..] => {
            let is_act =
                verb_of(what).is_some() || ["deletions", "modifications", "network", "internet"].contains(what);
            is_act && !is_of_plan(rest)
        }
        _ => false,
    }
}

/// “Keep a.txt as it is”, “leave the logs alone”, “b.txt stays untouched”.
fn leaves(words: &[&str]) -> bool {
    let joined = words.join(" ");
    let is_left = ["alone", "as it is", "as they are", "as is", "unchanged", "untouched", "intact", "as it was"];
    let begins = ["keep ", "leave ", "let "].iter().any(|lead| joined.starts_with(lead));
    let stays = [" stays ", " stay ", " remains ", " remain ", " must stay ", " has to stay "];
    let ends = is_left.iter().any(|end| joined.ends_with(end));
    let is_hands_off = ["hands off ", "keep your hands off ", "keep away from ", "stay away from "];
    let says = (ends && (begins || stays.iter().any(|word| joined.contains(word))))
        || is_hands_off.iter().any(|lead| joined.starts_with(lead));
    let at = words.get(1).copied().unwrap_or_default();
    says && !POINTERS.contains(&at) && !POINTERS.contains(&words[0]) && !is_of_plan(words)
}

/// “Only touch a.txt”, “write only to out/”, “only a.txt may be changed”, “you may only write to out/”.
fn is_only(words: &[&str]) -> bool {
    let is_meant = |verb: &str| matches!(verb_of(verb), Some(Verb::Write)) || ["touch", "touched"].contains(&verb);
    let has_name = |rest: &[&str]| rest.iter().any(|word| !POINTERS.contains(word)) && !is_of_plan(rest);
    match words {
        ["only", verb, rest @ ..] if is_meant(verb) => has_name(rest),
        [verb, "only", rest @ ..] if is_meant(verb) => has_name(rest),
        ["only", rest @ ..] | ["nothing", "but" | "except", rest @ ..] => {
            let at = rest.iter().position(|word| MODALS.contains(word) || ["is", "are"].contains(word));
            at.is_some_and(|at| at > 0 && rest[at..].iter().any(|word| is_meant(word)) && has_name(&rest[..at]))
        }
        ["you" | "we", modal, "only", verb, rest @ ..] => MODALS.contains(modal) && is_meant(verb) && has_name(rest),
        _ => false,
    }
}

/// What leads to a sentence and says nothing of it.
const LEADS: [&str; 27] = [
    "please",
    "and",
    "but",
    "also",
    "ok",
    "okay",
    "so",
    "then",
    "make sure",
    "make sure that",
    "make sure to",
    "be sure to",
    "ensure",
    "ensure that",
    "remember",
    "remember to",
    "remember that",
    "i want you to",
    "important",
    "note",
    "rule",
    "constraint",
    "one thing",
    "see that",
    "see to it that",
    "take care that",
    "whatever you do",
];
/// Verbs of the talk, and of how work is gone about: nothing that a step does.
const OF_TALK: [&str; 62] = [
    "do",
    "be",
    "have",
    "mind",
    "worry",
    "bother",
    "ask",
    "wait",
    "stop",
    "pause",
    "resume",
    "continue",
    "go",
    "begin",
    "proceed",
    "plan",
    "implement",
    "tell",
    "explain",
    "answer",
    "cancel",
    "abort",
    "quit",
    "exit",
    "leave",
    "forget",
    "remember",
    "know",
    "think",
    "understand",
    "see",
    "say",
    "want",
    "need",
    "like",
    "care",
    "approve",
    "reject",
    "confirm",
    "hesitate",
    "repeat",
    "redo",
    "retry",
    "undo",
    "switch",
    "hurry",
    "panic",
    "give",
    "keep",
    "let",
    "make",
    "take",
    "feel",
    "believe",
    "trust",
    "assume",
    "guess",
    "you",
    "i",
    "the",
    "a",
    "again",
];
/// What the talk is about, and no file of anybody.
const OF_PLAN: [&str; 8] = ["step", "steps", "plan", "run", "task", "question", "questions", "conversation"];
const MODALS: [&str; 7] = ["must", "may", "should", "shall", "can", "could", "will"];
const DENIED: [&str; 10] =
    ["mustn't", "shouldn't", "can't", "cannot", "isn't", "aren't", "mustn’t", "shouldn’t", "can’t", "shan't"];
