//! Hunks: which of a diff are kept, dropped or written otherwise, as it is said. What asks, denies, or says two things
//! at once chooses none. Next: `draft`.

use std::collections::BTreeSet;

use crate::edit::HunkChange;

/// Whether words choose among hunks by their numbers, understood or not.
pub(super) fn names_hunks(change: &str) -> bool {
    let words = words(change);
    let at = words.iter().position(|word| is_hunk(word));
    words.iter().any(|word| chooses(word))
        && at.is_some_and(|at| words[at..].iter().any(|word| word.parse::<usize>().is_ok()))
}

/// Whether words ask about a diff: “does hunk 2 remove the import?”. “Can you drop hunk 2?” asks for it to be done.
pub(super) fn asks(change: &str) -> bool {
    let said = change.split_once("```").map_or(change, |(said, _)| said).trim();
    let words = turnwise_core::text::words(said);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["can" | "could" | "would" | "will", "you", ..] => false,
        // “Do not apply hunk 2”, “do drop hunk 2”.
        ["do", next, ..] if *next == "not" || KEEPS.contains(next) || DROPS.contains(next) => false,
        [first, ..] => said.ends_with('?') || ASKS.contains(first),
        [] => false,
    }
}

/// “Drop hunk 2”, “only hunks 1 and 3”, “drop all but hunk 1”, “hunk 2 should be ```…```”.
pub(super) fn hunk_change(change: &str) -> Option<HunkChange> {
    if asks(change) {
        return None;
    }
    let (said, text) = match change.split_once("```") {
        Some((words, rest)) => (words, Some(rest.rsplit_once("```").map_or(rest, |(text, _)| text))),
        None => (change, None),
    };
    let words = words(said);
    let at = words.iter().position(|word| is_hunk(word))?;
    let hunks = numbers(&words[at + 1..])?;
    if let Some(text) = text {
        // A line end behind the opening marks is none of the text.
        let text =
            text.split_once('\n').map_or(text, |(first, rest)| if first.trim().is_empty() { rest } else { text });
        let [hunk] = hunks.into_iter().collect::<Vec<_>>()[..] else { return None };
        return Some(HunkChange::Write { hunk, text: text.to_owned() });
    }
    if hunks.is_empty() {
        return None;
    }
    let words = without_rest(&words)?;
    chosen(words, words.iter().position(|word| is_hunk(word))?, hunks)
}

/// Whether a word is one that choices are made with.
fn chooses(word: &str) -> bool {
    [&KEEPS[..], &DROPS, &BUT, &["leave", "not"]].iter().any(|words| words.contains(&word))
}

fn is_hunk(word: &str) -> bool {
    matches!(word, "hunk" | "hunks")
}

fn holds(words: &[String], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(&word.as_str()))
}

/// The words, with “1-3” as “1 to 3”, “don't” as “do not”, and without a yes or no before all of them.
fn words(said: &str) -> Vec<String> {
    let mut joined = String::new();
    for part in said.split(['-', '–', '—']) {
        let is_between = joined.trim_end().ends_with(|letter: char| letter.is_ascii_digit())
            && part.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
        joined.push_str(if is_between { " to " } else { " " });
        joined.push_str(part);
    }
    let mut all = Vec::new();
    for word in turnwise_core::text::words(&joined) {
        match word.as_str() {
            "don't" | "don’t" | "dont" => all.extend(["do".to_owned(), "not".to_owned()]),
            _ => all.push(word),
        }
    }
    let answers = all.first().is_some_and(|first| matches!(first.as_str(), "no" | "nope"));
    let goes_on = |next: &String| chooses(next) || said.contains(',');
    if answers && all.get(1).is_some_and(goes_on) {
        all.remove(0);
    }
    all
}

/// The numbers among words, with all that lie between two joined by “to”; none where those are too many.
fn numbers(words: &[String]) -> Option<BTreeSet<usize>> {
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<usize>().ok());
    let mut all = BTreeSet::new();
    for at in 0..words.len() {
        let Some(first) = number(at) else { continue };
        let joins = words.get(at + 1).is_some_and(|word| matches!(word.as_str(), "to" | "through" | "thru" | "until"));
        let last = number(at + 2).filter(|_| joins).unwrap_or(first);
        if first.abs_diff(last) > HUNKS_MAX {
            return None;
        }
        all.extend(first.min(last)..=first.max(last));
    }
    Some(all)
}

/// The words without “and keep the rest” behind hunks that are dropped, and the like. None where the rest is to be
/// treated as the hunks are.
fn without_rest(words: &[String]) -> Option<&[String]> {
    let last = words.iter().rev().find(|word| !matches!(word.as_str(), "hunks" | "ones"));
    let is_rest = last.is_some_and(|last| matches!(last.as_str(), "rest" | "others" | "else" | "other"));
    let keeps = |word: &String| KEEPS.contains(&word.as_str()) || matches!(word.as_str(), "apply" | "take");
    let drops = |word: &String| DROPS.contains(&word.as_str());
    let Some(verb) = words.iter().rposition(|word| keeps(word) || drops(word)).filter(|_| is_rest) else {
        return Some(words);
    };
    let (before, behind) = words.split_at(verb);
    let is_plain = behind[1..].iter().all(|word| REST.contains(&word.as_str()));
    if !is_plain || !before.iter().any(|word| is_hunk(word)) {
        return Some(words);
    }
    let (kept, dropped) = (before.iter().any(keeps), before.iter().any(drops));
    let is_other = kept != dropped && kept == drops(&words[verb]);
    is_other.then_some(before)
}

/// What becomes of these hunks. Words that say one thing and another as well say neither.
fn chosen(words: &[String], at: usize, hunks: BTreeSet<usize>) -> Option<HunkChange> {
    let says = |wanted: &[&str]| holds(words, wanted);
    let keeps = says(&KEEPS);
    let drops = says(&DROPS) || (says(&["leave"]) && says(&["out"]));
    // “All but hunk 1”: before the hunks it turns what is said around; behind them it is not understood.
    let (turned, ends) = (holds(&words[..at], &BUT), holds(&words[at..], &BUT));
    let denied = says(&["not", "never", "no", "nothing", "none"])
        || words.iter().any(|word| word.ends_with("n't") || word.ends_with("n’t"));
    if keeps || drops {
        let is_clear = !(ends || denied || keeps == drops || turned && says(&["only", "just"]));
        return is_clear.then_some(if keeps == turned { HunkChange::Drop(hunks) } else { HunkChange::Keep(hunks) });
    }
    // “Not hunk 2”, “all but hunk 2”, “but not hunk 2”, “do not apply hunk 2”.
    let is_plain = words[..at].iter().all(|word| BUT.contains(&word.as_str()) || BARE.contains(&word.as_str()));
    let turns_twice = says(&["not"]) && turned && !words.windows(2).any(|pair| pair[0] == "but" && pair[1] == "not");
    (is_plain && !ends && (turned || says(&["not"])) && !turns_twice).then_some(HunkChange::Drop(hunks))
}

const KEEPS: [&str; 3] = ["only", "just", "keep"];
const DROPS: [&str; 5] = ["drop", "skip", "remove", "exclude", "omit"];
const BUT: [&str; 3] = ["but", "except", "without"];
/// Words that a question begins with.
const ASKS: [&str; 15] =
    ["do", "does", "did", "should", "shall", "is", "are", "was", "will", "what", "why", "which", "how", "who", "when"];
/// Words for the hunks that were not named.
const REST: [&str; 12] =
    ["the", "all", "of", "it", "them", "everything", "rest", "others", "other", "else", "hunks", "ones"];
/// Words beside those that choose, which deny nothing.
const BARE: [&str; 21] = [
    "not",
    "the",
    "please",
    "and",
    "yes",
    "y",
    "yeah",
    "ok",
    "okay",
    "all",
    "everything",
    "take",
    "apply",
    "of",
    "do",
    "include",
    "use",
    "i",
    "want",
    "make",
    "so",
];
/// Hunks that one range may name.
const HUNKS_MAX: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_chosen_as_it_is_said() {
        let keep = |hunks: &[usize]| Some(HunkChange::Keep(hunks.iter().copied().collect()));
        let drop = |hunks: &[usize]| Some(HunkChange::Drop(hunks.iter().copied().collect()));
        for (said, expected) in [
            ("drop hunk 2", drop(&[2])),
            ("please drop hunks 1 and 3", drop(&[1, 3])),
            ("leave out hunk 1", drop(&[1])),
            ("not hunk 2", drop(&[2])),
            ("all but hunk 2", drop(&[2])),
            ("yes, but not hunk 2", drop(&[2])),
            ("keep all but hunk 2", drop(&[2])),
            ("only hunks 1 and 3", keep(&[1, 3])),
            ("keep only hunk 1", keep(&[1])),
            ("drop all but hunk 1", keep(&[1])),
            ("drop everything except hunk 1", keep(&[1])),
            ("drop hunks 1-3", drop(&[1, 2, 3])),
            ("drop hunks 1 – 3 and 5", drop(&[1, 2, 3, 5])),
            ("drop hunks 1 to 3", drop(&[1, 2, 3])),
            ("keep hunks 2 through 4", keep(&[2, 3, 4])),
            ("no, drop hunk 2", drop(&[2])),
            ("no, without hunk 1", drop(&[1])),
            ("y, but not hunk 2", drop(&[2])),
            ("don't apply hunk 2", drop(&[2])),
            ("please do not include hunk 2", drop(&[2])),
            ("drop hunk 1 and keep the rest", drop(&[1])),
            ("drop hunk 1, apply all others", drop(&[1])),
            ("keep hunk 1 and drop everything else", keep(&[1])),
            ("drop hunk 1 and keep the other hunks", drop(&[1])),
            ("can you drop hunk 2?", drop(&[2])),
            ("could you please keep only hunk 2?", keep(&[2])),
        ] {
            assert_eq!(hunk_change(said), expected, "{said}");
        }
    }

    #[test]
    fn what_denies_or_says_two_things_at_once_chooses_none() {
        for denied in [
            "don't drop hunk 1",
            "do not keep hunk 1",
            "never drop hunk 1",
            "keep hunk 1, drop hunk 2",
            "nothing but hunk 1",
            "do not take anything but hunk 1",
            "drop hunk 1 but not hunk 2",
            "leave hunk 1 in",
            "don't take all but hunk 1",
            "drop hunk 1 and drop the rest",
            "keep hunk 1 and keep the rest",
            "no, don't drop hunk 1",
        ] {
            assert_eq!(hunk_change(denied), None, "{denied}");
            assert!(names_hunks(denied), "{denied}");
        }
    }

    #[test]
    fn what_asks_about_hunks_chooses_none() {
        assert!(!names_hunks("what does hunk 2 do?"));
        for asked in [
            "does hunk 2 remove the import?",
            "should I keep hunk 2?",
            "why does it drop hunk 1",
            "is hunk 1 ```let x = 1;``` right?",
            "do we need to keep hunk 2",
            "will it work without hunk 2?",
        ] {
            assert!(asks(asked) && hunk_change(asked).is_none(), "{asked}");
        }
        for ordered in ["do not apply hunk 2", "would you drop hunk 2?", "hunk 1 should be ```is it?```"] {
            assert!(!asks(ordered) && hunk_change(ordered).is_some(), "{ordered}");
        }
    }
}
