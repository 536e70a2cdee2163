//! What a sentence of a talk is to the task that is talked over: a decision, a constraint, something left open, or more
//! of what is wanted; and words that change what was noted. The patterns are data, in `points.txt`. Next: `pattern`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use turnwise_core::{PointEdit, PointSort};

use crate::pattern::{Pattern, sections_of};
use crate::words::{Word, Words};

static SORTS: LazyLock<Vec<(PointSort, Vec<Pattern>)>> = LazyLock::new(|| {
    let sections = sections_of(include_str!("points.txt"));
    let named = [("open", PointSort::Open), ("decision", PointSort::Decision), ("constraint", PointSort::Constraint)];
    named.into_iter().map(|(name, sort)| (sort, compiled(&sections, name))).collect()
});

#[expect(clippy::expect_used, reason = "the patterns are compiled in, and a test compiles them")]
fn compiled(sections: &BTreeMap<String, Vec<String>>, name: &str) -> Vec<Pattern> {
    let compile = |line: &String| Pattern::compile(line, sections).expect("BUG: a pattern of points.txt is malformed");
    sections[name].iter().map(compile).collect()
}

/// What `text`, said of a task, is to it.
#[must_use]
pub fn sort(text: &str) -> PointSort {
    let words = Words::of(text);
    if words.question_mark || words.asks {
        return PointSort::Open;
    }
    let fits = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&words.all).is_some());
    SORTS.iter().find(|(_, patterns)| fits(patterns)).map_or(PointSort::Wish, |(sort, _)| *sort)
}

/// What `text` changes of points that were noted with numbers: "drop 2", "2: only Q3", "point 3 is decided".
#[must_use]
pub fn edit(text: &str) -> Option<PointEdit> {
    let words = Words::of(text);
    let all = words.all.as_slice();
    let said: Vec<&str> = all.iter().map(|word| word.text.as_str()).collect();
    let (verb, rest) = match said.first() {
        Some(first) if DROPS.contains(first) => (Verb::Drop, 1),
        Some(first) if CHANGES.contains(first) => (Verb::Change, 1),
        _ => (Verb::None, 0),
    };
    let named = said[rest..].iter().take_while(|word| NAMES.contains(word)).count();
    let at = rest + named;
    let number: usize = said.get(at)?.trim_start_matches('#').parse().ok().filter(|number| *number > 0)?;
    let behind = &all[at + 1..];
    match verb {
        Verb::Drop => behind.is_empty().then_some(PointEdit::Drop { number }),
        Verb::Change => {
            let joined = behind.first().filter(|word| ["to", "into", "as"].contains(&word.text.as_str()))?;
            replaced(text, number, joined.end)
        }
        Verb::None => {
            let number_word: &Word = &all[at];
            let rest = text.get(number_word.end..)?.trim_start();
            if let Some(rest) = rest.strip_prefix(':') {
                return replaced(text, number, text.len() - rest.len());
            }
            match said[at + 1..] {
                ["is", kind] | ["is", "a" | "an" | "still", kind] => {
                    let sort = sort_named(kind)?;
                    Some(PointEdit::Sort { number, sort })
                }
                _ => None,
            }
        }
    }
}

fn replaced(text: &str, number: usize, from: usize) -> Option<PointEdit> {
    let words = text.get(from..)?.trim();
    (!words.is_empty()).then(|| PointEdit::Replace { number, words: words.to_owned() })
}

fn sort_named(word: &str) -> Option<PointSort> {
    match word {
        "decided" | "decision" | "settled" | "agreed" => Some(PointSort::Decision),
        "constraint" | "required" | "must" => Some(PointSort::Constraint),
        "open" | "undecided" | "question" => Some(PointSort::Open),
        "wish" | "wanted" => Some(PointSort::Wish),
        _ => None,
    }
}

/// What such words begin with.
enum Verb {
    Drop,
    Change,
    None,
}

/// Words that take a point away.
const DROPS: [&str; 4] = ["drop", "remove", "delete", "forget"];
/// Words that put another in its place.
const CHANGES: [&str; 3] = ["change", "replace", "reword"];
/// What a point is called before its number.
const NAMES: [&str; 4] = ["point", "number", "no", "the"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_task_is_sorted() {
        for (text, expected) in [
            ("analyze sales by region", PointSort::Wish),
            ("add a column for the country", PointSort::Wish),
            ("only include Q4", PointSort::Constraint),
            ("it must not touch the archive", PointSort::Constraint),
            ("at most ten rows", PointSort::Constraint),
            ("don't overwrite anything", PointSort::Constraint),
            ("it has to be ready by friday", PointSort::Constraint),
            ("we'll use gross revenue", PointSort::Decision),
            ("let's go with CSV", PointSort::Decision),
            ("we decided to never ship on Fridays", PointSort::Decision),
            ("not sure about the currency yet", PointSort::Open),
            ("maybe a chart as well", PointSort::Open),
            ("I don't know which folder", PointSort::Open),
            ("should it be weekly?", PointSort::Open),
        ] {
            assert_eq!(sort(text), expected, "{text}");
        }
    }

    #[test]
    fn what_was_noted_is_changed_by_its_number() {
        let replace = |number, words: &str| Some(PointEdit::Replace { number, words: words.to_owned() });
        assert_eq!(edit("drop 2"), Some(PointEdit::Drop { number: 2 }));
        assert_eq!(edit("remove point 3"), Some(PointEdit::Drop { number: 3 }));
        assert_eq!(edit("2: only Q3, please"), replace(2, "only Q3, please"));
        assert_eq!(edit("change point 2 to all of 2024"), replace(2, "all of 2024"));
        assert_eq!(edit("point 3 is decided"), Some(PointEdit::Sort { number: 3, sort: PointSort::Decision }));
        assert_eq!(edit("3 is still open"), Some(PointEdit::Sort { number: 3, sort: PointSort::Open }));
        for none in ["drop 2 columns", "2 columns", "drop the archive", "0: x", "12", "change it to 3", "3 is fine"] {
            assert_eq!(edit(none), None, "{none}");
        }
    }
}
