//! A sentence that only says what to show of the one before: "Which shop has the most staff? Give me its name and id."
//! It is no request of its own, so the two stay one. What exactly it wants shown is the assistant's to find out; here
//! only its form is looked at. Next: `resolve`.

use turnwise_core::{Act, QueryKind, Reading};

/// Words a sentence must have for another one to ask what to show of it.
const ASKING_MIN: usize = 4;
/// Longest sentence that only says what to show.
const WISH_MAX: usize = 18;
/// Longest one that does so without a word that points back.
const WISH_ALONE_MAX: usize = 7;
/// How such a sentence begins.
const OPENS: [&str; 13] = [
    "list", "give", "show", "return", "tell", "find", "report", "display", "name", "output", "state", "provide", "also",
];
/// Words that point back.
const BACK: [&str; 8] = ["their", "its", "his", "her", "the", "them", "those", "these"];
/// Words that say whose it is.
const OWNED: [&str; 4] = ["their", "its", "his", "her"];
/// Words that make it a question of its own.
const OWN: [&str; 12] =
    ["by", "per", "how", "why", "instead", "only", "plan", "step", "steps", "over", "with", "where"];

/// Puts sentences that only say what to show behind the ones they speak of.
pub fn joined(requests: Vec<Reading>) -> Vec<Reading> {
    let mut kept: Vec<Reading> = Vec::new();
    for request in requests {
        match kept.last_mut() {
            Some(earlier) if asks(earlier) && asks(&request) && is_wish(&earlier.segment, &request.segment) => {
                earlier.segment = format!("{}. {}", earlier.segment, request.segment);
                if matches!(request.act, Act::PlanNew(_)) && !matches!(earlier.act, Act::PlanNew(_)) {
                    earlier.act = request.act;
                    earlier.intent = request.intent;
                }
            }
            _ => kept.push(request),
        }
    }
    kept
}

fn asks(reading: &Reading) -> bool {
    matches!(reading.act, Act::PlanNew(_) | Act::PlanContinue | Act::Query(QueryKind::Plain | QueryKind::Lookup))
}

fn is_wish(before: &str, segment: &str) -> bool {
    let words = |text: &str| turnwise_core::text::words(text);
    let (earlier, own) = (words(before), words(segment));
    let said = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
    let first = own.iter().find(|word| word.as_str() != "and");
    let asks = first.is_some_and(|word| word == "what") && said(&OWNED);
    let opens = asks || first.is_some_and(|word| OPENS.contains(&word.as_str()));
    let short = own.len() <= if said(&BACK) { WISH_MAX } else { WISH_ALONE_MAX };
    let plain = !segment.contains(|c: char| c.is_ascii_digit() || matches!(c, '"' | '“'));
    opens && short && plain && own.len() > 1 && earlier.len() >= ASKING_MIN && !said(&OWN)
}

#[cfg(test)]
mod tests {
    use super::is_wish;

    #[test]
    fn only_what_says_what_to_show_belongs_to_the_sentence_before() {
        for wish in [
            "List the name and id.",
            "Give me its address.",
            "Show the first and last names of the clerks",
            "Return the id",
        ] {
            assert!(is_wish("Which shop has the most clerks?", wish), "{wish}");
        }
        for own in ["show revenue by region", "analyze revenue instead", "list shops with more than 3 clerks", "yes"] {
            assert!(!is_wish("Which shop has the most clerks?", own), "{own}");
        }
        assert!(!is_wish("stop", "show the names"));
    }
}
