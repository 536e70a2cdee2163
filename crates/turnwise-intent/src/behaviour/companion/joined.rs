//! Several requests in one message: where one may end and the next begin. Whether there are several is for whoever
//! reads each of them. Next: `all_but`.

use crate::split::segments;
use crate::words::Words;

/// The sentences of a message, in which a request may be joined to another.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    segments(text)
}

/// The places of a sentence at which one thing that is said may be joined to the next: where the one ends, and where
/// the next begins.
#[must_use]
pub fn joins(sentence: &str) -> Vec<(usize, usize)> {
    let words = Words::of(sentence).all;
    let is_join = |at: usize| !words[at].quoted && JOINS.contains(&words[at].text.as_str());
    let mut found = Vec::new();
    let mut at = 1;
    while at < words.len() && found.len() < JOINS_MAX {
        let run = (at..words.len()).take_while(|next| is_join(*next)).count();
        let pauses = words[at - 1].pause_after && !words[at].quoted;
        if at + run < words.len() && (run > 0 || pauses) {
            found.push((words[at - 1].end, words[at + run].start));
        }
        at += run.max(1);
    }
    found
}

/// What joins two requests.
const JOINS: [&str; 6] = ["and", "then", "also", "afterwards", "plus", "but"];
/// Places that are looked at in one sentence; behind them it is read as it stands.
const JOINS_MAX: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_joined_by_words_and_pauses_and_nothing_is_within_quotes() {
        let tails = |text: &'static str| joins(text).iter().map(|(_, next)| &text[*next..]).collect::<Vec<_>>();
        assert_eq!(tails("save it and show me my notes"), ["show me my notes"]);
        assert_eq!(tails("the keel is oak, and then save it"), ["save it"]);
        assert_eq!(tails("delete note 1, remember the sail is tan"), ["remember the sail is tan"]);
        assert_eq!(tails("remember \"salt and pepper\""), Vec::<&str>::new());
        assert_eq!(tails("save it and"), Vec::<&str>::new());
    }
}
