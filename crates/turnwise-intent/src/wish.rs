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
/// How people say what they want to see.
const NEEDS: [&str; 8] =
    ["i need ", "i want ", "we need ", "we want ", "i d like ", "i would like ", "please include ", "include "];
/// Words a question begins with.
const ASKING: [&str; 8] = ["who", "whose", "what", "which", "when", "where", "how", "are"];
/// Words that say of others that they were not meant, or are not all.
const TURNS: [&str; 10] = ["instead", "wait", "no", "not", "rather", "sorry", "actually", "forget", "mean", "meant"];
/// Words an order begins with.
const ORDERS: [&str; 20] = [
    "compare", "analyze", "analyse", "forecast", "predict", "explain", "plot", "draw", "build", "make", "create",
    "write", "save", "run", "stop", "cancel", "use", "add", "remove", "actually",
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
            Some(earlier) if asks(earlier) && asks(&request) && belongs(earlier, &request) => {
                let mark = if earlier.segment.ends_with(['?', '!', '.']) { "" } else { "." };
                earlier.segment = format!("{}{mark} {}", earlier.segment, request.segment);
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

/// Whether the second says what to show of the first, or both ask something of which none must be lost.
fn belongs(earlier: &Reading, request: &Reading) -> bool {
    let task = [earlier, request].iter().any(|reading| matches!(reading.act, Act::PlanNew(_)));
    let (before, segment) = (&earlier.segment, &request.segment);
    let both = [earlier, request].iter().all(|reading| matches!(reading.act, Act::PlanNew(_)));
    is_wish(before, segment)
        || (task && is_question(before) && (is_question(segment) || is_list(segment)))
        || (both && !turns(segment))
}

/// Whether words take the place of others that were said before; "then" only comes after them.
fn turns(segment: &str) -> bool {
    turnwise_core::text::words(segment).iter().any(|word| TURNS.contains(&word.as_str()))
}

/// Whether it asks, by its first word.
fn is_question(segment: &str) -> bool {
    let words = turnwise_core::text::words(segment);
    let first = words.iter().find(|word| !matches!(word.as_str(), "and" | "also"));
    first.is_some_and(|word| ASKING.contains(&word.as_str()))
}

/// "Names, department and hire date of the staff": things to show and no order.
fn is_list(segment: &str) -> bool {
    let words = turnwise_core::text::words(segment);
    let orders = words.first().is_none_or(|word| OPENS.contains(&word.as_str()) || ORDERS.contains(&word.as_str()));
    let own = words.iter().any(|word| matches!(word.as_str(), "instead" | "by" | "per" | "then" | "it" | "wait"));
    let several = segment.contains(',') && segment.contains(" and ");
    several && !orders && !own && words.len() <= WISH_MAX && !segment.ends_with('?')
}

fn is_wish(before: &str, segment: &str) -> bool {
    let words = |text: &str| turnwise_core::text::words(text);
    let (earlier, own) = (words(before), words(segment));
    let said = |list: &[&str]| own.iter().any(|word| list.contains(&word.as_str()));
    // "I need the name and the town": whatever it is called, it is to be shown.
    let needs = NEEDS.iter().any(|lead| own.join(" ").starts_with(lead)) && own.len() <= WISH_MAX;
    if needs && earlier.len() >= ASKING_MIN && !said(&["to", "instead", "only", "plan", "step", "steps"]) {
        return true;
    }
    let first = own.iter().find(|word| word.as_str() != "and");
    let asks = first.is_some_and(|word| word == "what") && said(&OWNED);
    let opens = asks || first.is_some_and(|word| OPENS.contains(&word.as_str()));
    let short = own.len() <= if said(&BACK) { WISH_MAX } else { WISH_ALONE_MAX };
    let plain = !segment.contains(|c: char| c.is_ascii_digit() || matches!(c, '"' | '“'));
    let alone = own.iter().any(|word| OWN.contains(&word.as_str()) && !(word == "only" && is_all_shown(&own)));
    opens && short && plain && own.len() > 1 && earlier.len() >= ASKING_MIN && !alone
}

/// "Show only the titles": nothing else is to be shown. "Only Oslo" and "only the paid ones" are other rows.
fn is_all_shown(words: &[String]) -> bool {
    let rest = words.get(1..).unwrap_or_default();
    let rest = rest.strip_prefix(&["me".to_owned()]).unwrap_or(rest);
    // "Give me the model only."
    let behind = rest.split_last().filter(|(last, _)| last.as_str() == "only").map(|(_, before)| before);
    if let Some([whose, what @ ..]) = behind {
        return is_owned(whose) && !what.is_empty() && what.len() < 4 && !what.iter().any(|word| is_row(word));
    }
    let [only, whose, what @ ..] = rest else { return false };
    only == "only" && is_owned(whose) && !what.is_empty() && !what.iter().any(|word| is_row(word))
}

fn is_owned(whose: &str) -> bool {
    whose == "the" || OWNED.contains(&whose)
}

/// Words that say which rows are meant.
fn is_row(word: &str) -> bool {
    ["one", "ones", "that", "which", "who", "whose", "from", "in", "for", "of", "not"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::{is_wish, turns};

    #[test]
    fn only_words_that_turn_take_the_place_of_others() {
        assert!(turns("analyze revenue instead") && turns("no, by month") && turns("I meant revenue"));
        assert!(!turns("then orders by channel") && !turns("show customers") && !turns("forecast the next month"));
    }

    #[test]
    fn only_what_says_what_to_show_belongs_to_the_sentence_before() {
        for wish in [
            "List the name and id.",
            "Give me its address.",
            "Show the first and last names of the clerks",
            "Return the id",
            "Show only the titles",
            "Give me only their names.",
            "Give the model only.",
            "I need the clerk's name, their town and how many shops.",
        ] {
            assert!(is_wish("Which shop has the most clerks?", wish), "{wish}");
        }
        for own in ["show revenue by region", "analyze revenue instead", "list shops with more than 3 clerks", "yes"] {
            assert!(!is_wish("Which shop has the most clerks?", own), "{own}");
        }
        assert!(!is_wish("stop", "show the names"));
    }
}
