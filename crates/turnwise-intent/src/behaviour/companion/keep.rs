//! What is to be kept and where: of a project or of the person themselves, for good or for a while; which notes a
//! message names; and what passes over a question. Next: `extract`, which takes the frame off.

use std::sync::LazyLock;

use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// How long something told is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// Until it is taken back.
    ForGood,
    /// This many hours from when it was told.
    Hours(u32),
}

/// Things that people tell of themselves and not of their work.
static OF_THE_PERSON: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(i|we) (have)? parked ...",
        "i (live|moved) ...",
        "i (drink|eat|sleep|smoke|commute|prefer|love|hate|dislike|like|speak) ...",
        "i am (a|an)? (vegetarian|vegan|allergic|diabetic|morning person|night owl|early riser|left handed|deaf|pregnant) ...",
        "i am (on|off) (holiday|vacation|sick|leave|parental) ...",
        "i am (away|out of office|back|out) (until|till|from|on|next|this|today|tomorrow) ...",
        "i am allergic ...",
        "my (wife|husband|partner|son|daughter|children|kids|mother|father|dog|cat) (is|are|was|has|have|had|lives|live|turns|likes|loves|hates|works|eats) ...",
        "my (wife|husband|partner|son|daughter|mother|father|dog|cat) (name|birthday) ...",
        "my (wife's|husband's|partner's|son's|daughter's|mother's|father's|dog's|cat's) ...",
        "my (name|birthday|car|bike|phone|email|address|doctor|dentist|flight|train|hotel|office hours|favourite|favorite|pronouns|home|seat|locker|keys) ...",
        "(call|address) me ...",
    ])
});

/// Remarks that are over with the day.
static FOR_TODAY: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "... parked ...",
        "(for|just for|only for) (today|now|tonight|the moment) ...",
        "... (for|just for|only for) (today|now|tonight|the moment)",
        "(today|tonight|right now|this morning|this afternoon|this evening) i ...",
        "i ... (today|tonight|right now|this morning|this afternoon|this evening)",
    ])
});

/// Remarks that are over with the week.
static FOR_THE_WEEK: LazyLock<Vec<Pattern>> =
    LazyLock::new(|| patterns(&["... (for|just for|only for) (this|the) week", "this week i ...", "i ... this week"]));

static PASSES: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(no|nope|nah) (thanks|thank you)",
        "(no|nope|nah|ok|just)? (skip|pass|next) (it|this|that|this one|that one|the question|for now)?",
        "(no|nope|nah|none|nothing|na|no idea|not yet|not really|later|dunno)",
        "(no|nope|nah)? (nothing|none) (else|more|comes to mind|so far|for now|yet|special|in particular)?",
        "(i)? do not (know|care|mind) (yet)?",
        "(i am)? not sure (yet)?",
        "(no|nope|nah|yes|ok)? that is (all|it|everything|the lot|about it)",
        "(leave|keep) (it|that|this) (open|empty|blank)",
    ])
});

/// Whether what is told is about the person themselves.
#[must_use]
pub fn is_of_the_person(knowledge: &str) -> bool {
    matches_any(&OF_THE_PERSON, &Words::of(knowledge))
}

/// How long what is told is worth keeping.
#[must_use]
pub fn lasts(knowledge: &str) -> Lasts {
    let words = Words::of(knowledge);
    if matches_any(&FOR_TODAY, &words) {
        return Lasts::Hours(HOURS_OF_A_DAY);
    }
    if matches_any(&FOR_THE_WEEK, &words) { Lasts::Hours(7 * HOURS_OF_A_DAY) } else { Lasts::ForGood }
}

/// Whether an answer passes over the question.
#[must_use]
pub fn passes(answer: &str) -> bool {
    matches_any(&PASSES, &Words::of(answer))
}

/// The numbers of notes that a message names: "notes 2 and 4", "#7", "notes 1-3", "notes 1 to 3".
#[must_use]
pub fn numbers_named(text: &str) -> Vec<i64> {
    let is_sign = |sign: char| !sign.is_ascii_digit();
    let mut numbers: Vec<i64> = text.split(is_sign).filter_map(|digits| digits.parse().ok()).collect();
    for at in text.match_indices(|sign: char| !sign.is_ascii_digit()).map(|(at, _)| at) {
        numbers.extend(between(text, at));
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The numbers of a range whose sign begins at `at`, right behind its first number; none where no range does.
fn between(text: &str, at: usize) -> Vec<i64> {
    let (before, rest) = text.split_at(at);
    let digits = before.len() - before.trim_end_matches(|sign: char| sign.is_ascii_digit()).len();
    let first: Option<i64> = before[before.len() - digits..].parse().ok();
    let behind = RANGES.iter().find_map(|sign| rest.strip_prefix(sign)).map(|rest| rest.trim_start_matches([' ', '#']));
    let last: Option<i64> = behind.and_then(|rest| {
        let end = rest.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    });
    match (first, last) {
        (Some(first), Some(last)) if first < last && last - first < RANGE_MAX => (first..=last).collect(),
        _ => Vec::new(),
    }
}

/// What stands between the ends of a range.
const RANGES: [&str; 9] = [" to ", " through ", " until ", " - ", " – ", "-", "–", "—", " thru "];
/// Numbers that a range holds at most.
const RANGE_MAX: i64 = 1_000;

const HOURS_OF_A_DAY: u32 = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_tell_of_themselves_is_told_from_what_they_tell_of_their_work() {
        for own in ["I parked on level 10", "My birthday is in May", "Call me Ada", "I'm allergic to nuts"] {
            assert!(is_of_the_person(own), "{own}");
        }
        for work in [
            "My father wants the hull green",
            "The soil is clay",
            "I want the report to be short",
            "My report is due in May",
            "We live test it",
        ] {
            assert!(!is_of_the_person(work), "{work}");
        }
    }

    #[test]
    fn remarks_of_a_day_do_not_last() {
        assert_eq!(lasts("I parked on level 10"), Lasts::Hours(24));
        assert_eq!(lasts("use the old form just for this week"), Lasts::Hours(168));
        assert_eq!(lasts("The deadline is March 15th"), Lasts::ForGood);
    }

    #[test]
    fn an_answer_that_says_nothing_passes() {
        for passed in ["skip", "Skip it.", "no", "nothing else", "I don't know yet", "not sure", "that's all"] {
            assert!(passes(passed), "{passed}");
        }
        for answer in ["farmers", "no jargon", "nothing longer than a page", "next week at the latest"] {
            assert!(!passes(answer), "{answer}");
        }
        assert_eq!(numbers_named("save notes #2, 4 and 2"), [2, 4]);
        for said in ["save notes 1-3", "save notes 1 to 3", "notes #1 – #3", "notes 1 through 3 and 2"] {
            assert_eq!(numbers_named(said), [1, 2, 3], "{said}");
        }
        assert_eq!(numbers_named("notes 3-1"), [1, 3]);
        assert_eq!(numbers_named("notes 1 to the end, and 9"), [1, 9]);
    }
}
