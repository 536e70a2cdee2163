//! What a sentence of a proposal says: that something is settled, that it may go wrong, how much of something comes in
//! how much time. Each is a small grammar over classes of words (`words.yaml`), so that a wording nobody listed is read
//! by what it is made of. Next: `mod` for what becomes of it.

use turnwise_core::numerals::number_of;

use crate::words::{Decides, Harms, says_any, words};

/// Whether a sentence says that something is settled: “we agreed on Kafka”, “the team went with two queues”. What is
/// only wished, asked or denied settles nothing.
pub(crate) fn is_decision(spoken: &[String]) -> bool {
    let known: &Decides = &words().decides;
    if says_any(spoken, &known.says) {
        return true;
    }
    let settles = |at: usize| known.verbs.iter().any(|verb| begins_with(&spoken[at..], verb));
    (0..spoken.len()).filter(|at| settles(*at)).any(|at| {
        let before = &spoken[..at];
        let is_between = |word: &&String| known.between.contains(*word);
        let fillers = before.iter().rev().take_while(is_between).count();
        let who = before.len() - fillers;
        let is_said = who > 0 && known.who.contains(&before[who - 1]);
        is_said && !before.iter().any(|word| known.open.contains(word))
    })
}

/// Whether a sentence says that something may go wrong: “I worry about the backups”, “tokens can be stolen”.
pub(super) fn is_risk(spoken: &[String]) -> bool {
    let known: &Harms = &words().harms;
    let is_denied =
        |at: usize| spoken[at.saturating_sub(DENIED_WITHIN)..at].iter().any(|word| known.denies.contains(word));
    let is_feared = |at: &usize| known.fears.contains(&spoken[*at]) && !is_denied(*at);
    let is_possible = |at: &usize| {
        let behind = &spoken[at + 1..(at + 1 + HARM_WITHIN).min(spoken.len())];
        let harm = behind.iter().position(|word| known.harms.contains(word));
        let is_kept = |harm: usize| !behind[..harm].iter().any(|word| known.denies.contains(word));
        known.may.contains(&spoken[*at]) && !is_denied(*at) && harm.is_some_and(is_kept)
    };
    (0..spoken.len()).any(|at| is_feared(&at) || is_possible(&at))
}

/// Whether a sentence says how much comes in how much time: “4000 orders a second”.
pub(super) fn is_rate(spoken: &[String]) -> bool {
    let known = words();
    let is_number = |word: &String| number_of(word).is_some() || word.starts_with(|first: char| first.is_ascii_digit());
    (0..spoken.len()).filter(|at| is_number(&spoken[*at])).any(|at| {
        let behind = &spoken[at + 1..(at + 1 + RATE_WITHIN).min(spoken.len())];
        behind.windows(2).any(|two| known.per.contains(&two[0]) && known.times.contains(&two[1]))
    })
}

fn begins_with(spoken: &[String], phrase: &str) -> bool {
    let mut said = spoken.iter();
    phrase.split(' ').all(|word| said.next().is_some_and(|said| said == word))
}

/// Words before a fear that may deny it: “I am not at all worried”.
const DENIED_WITHIN: usize = 4;
/// Words from what may be to the harm: “could all of them be lost”.
const HARM_WITHIN: usize = 5;
/// Words from a number to its time: “4000 new orders of customers a second”.
const RATE_WITHIN: usize = 6;

#[cfg(test)]
mod tests {
    use turnwise_core::text::words as spoken;

    use super::*;

    #[test]
    fn what_is_settled_is_told_from_what_is_open() {
        for said in [
            "We agreed on Kafka.",
            "Let us go with Kafka then.",
            "The team settled on Kafka.",
            "So we've finally decided to keep Postgres",
            "Everybody agreed to ship it in May",
            "We are going with two queues",
            "We chose not to cache anything",
            "It was decided that the gateway stays",
            "They picked the blue one",
            "We will stick with REST",
        ] {
            assert!(is_decision(&spoken(said)), "{said}");
        }
        for said in [
            "We have to decide on Kafka.",
            "We should go with Kafka",
            "If we go with Kafka, it breaks",
            "Nobody agreed on Kafka",
            "We never settled on a name",
            "We have not decided yet",
            "I went with my sister to the lake",
            "People choose a colour in the form",
            "Users agreed on the terms in the old form",
        ] {
            assert!(!is_decision(&spoken(said)), "{said}");
        }
    }

    #[test]
    fn what_may_go_wrong_is_told_from_what_cannot() {
        for said in [
            "I worry about data loss",
            "I am afraid that nobody notices",
            "We are a bit concerned about cost",
            "Tokens can be stolen",
            "Orders may get lost on the way",
            "It might break old clients",
            "My fear is the migration",
        ] {
            assert!(is_risk(&spoken(said)), "{said}");
        }
        for said in
            ["I am not worried about it", "There is no risk in that", "Nothing can be lost", "People can log in"]
        {
            assert!(!is_risk(&spoken(said)), "{said}");
        }
    }

    #[test]
    fn how_much_in_how_much_time_is_a_load() {
        for said in ["We expect 4000 orders a second", "ten thousand rows per minute", "200 new users each day"] {
            assert!(is_rate(&spoken(said)), "{said}");
        }
        for said in ["It takes 3 seconds", "We have 12 services", "Twice a day somebody looks"] {
            assert!(!is_rate(&spoken(said)), "{said}");
        }
    }
}
