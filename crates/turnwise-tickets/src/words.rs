//! Words: what sentences of a thread say about a ticket, and what a review looks for. They are data (`words.yaml`,
//! embedded); this file checks them and makes them quick to ask. Next: `draft::extract`, `review`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use turnwise_core::text;

use crate::draft::Field;
use crate::review::Persona;

/// All of `words.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    /// Nouns for what a tracker holds, and the kind each names.
    pub nouns: Nouns,
    /// Words between such a noun and what it is about.
    pub connectives: Vec<String>,
    /// Words that stand for what was said before.
    pub pointers: Vec<String>,
    /// Words that open a sentence and say nothing.
    pub openers: Vec<String>,
    /// Words before a noun that say nothing.
    pub determiners: Vec<String>,
    /// What trackers may have besides the fields of a ticket.
    pub fields: Vec<String>,
    /// Words that say that no ticket is wanted, before the noun or the order.
    pub withheld: Vec<String>,
    /// The same behind an order.
    pub postponed: Vec<String>,
    /// What denies a question that was asked right before.
    pub noes: Vec<String>,
    /// Phrases that take something for granted.
    pub assumptions: Vec<String>,
    /// Words that make a statement less sure.
    pub hedges: Vec<String>,
    /// Verbs that make something of words.
    pub makes: Vec<String>,
    /// Verbs that make a ticket of what was said.
    pub turns: Vec<String>,
    /// What ends a noun for a ticket.
    pub noun_tails: Vec<String>,
    /// What stands before such a noun and says nothing of this one.
    pub plain_front: Vec<String>,
    /// Words that join something to a noun and belong to it.
    pub relations: Vec<String>,
    /// Where tickets are kept.
    pub places: Vec<String>,
    /// What takes back what was done.
    pub undoes: Vec<String>,
    /// Answers that answer nothing.
    pub unknowing: Vec<String>,
    /// What says that the title follows.
    pub entitles: Vec<String>,
    /// What says that a reason follows.
    pub reasons: Vec<String>,
    /// How much of something.
    pub grades: Vec<String>,
    /// Grades that say it of a ticket without naming what.
    pub urgent: Vec<String>,
    /// What sets a field of the tracker without its name.
    pub sets: BTreeMap<String, Vec<String>>,
    /// Words that deny what stands behind them.
    pub denials: Vec<String>,
    /// How each field is named where somebody labels it.
    pub labels: Vec<Labelled>,
    /// What a sentence without a label speaks of, first match wins.
    pub signs: Vec<Sign>,
    /// What says that something is settled.
    pub decides: Decides,
    /// What says that something may go wrong.
    pub harms: Harms,
    /// Words between an amount and its time.
    pub per: Vec<String>,
    /// Units of time.
    pub times: Vec<String>,
    /// Words in a criterion that nobody can test.
    pub vague: Vec<String>,
    /// Beginnings of texts that are secret.
    pub secrets: Vec<String>,
    /// What each persona of a review looks for.
    pub reviews: Vec<Checklist>,
}

/// Nouns by the kind of ticket they name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nouns {
    pub epic: Vec<String>,
    pub story: Vec<String>,
    pub bug: Vec<String>,
    pub task: Vec<String>,
}

/// Classes of words for what is settled.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decides {
    /// Phrases that say it by themselves.
    pub says: Vec<String>,
    /// Who settles something.
    pub who: Vec<String>,
    /// Words that may stand between those and the verb.
    pub between: Vec<String>,
    /// Verbs that settle something.
    pub verbs: Vec<String>,
    /// Words before a verb that leave it open, or deny it.
    pub open: Vec<String>,
}

/// Classes of words for what may go wrong.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Harms {
    /// Words of fear.
    pub fears: Vec<String>,
    /// Words for what is possible.
    pub may: Vec<String>,
    /// What is harm.
    pub harms: Vec<String>,
    /// What denies either.
    pub denies: Vec<String>,
}

/// Names of a field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Labelled {
    pub field: Field,
    pub names: Vec<String>,
    /// What stands before what is told of it in an order, and is no name by which it is changed.
    #[serde(default)]
    pub also: Vec<String>,
}

/// Phrases that tell what a sentence speaks of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sign {
    pub field: Field,
    pub says: Vec<String>,
}

/// What one persona looks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Checklist {
    pub persona: Persona,
    pub points: Vec<Point>,
}

/// One thing a review looks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    /// What it is called.
    pub name: String,
    /// Words that show it was thought of.
    pub says: Vec<String>,
    /// Whether an amount in a time shows it, too.
    #[serde(default)]
    pub rate: bool,
    /// Asked when it was not.
    pub asks: String,
    /// What may happen without it.
    pub risk: String,
}

impl Words {
    /// The field of this name that every tracker may have.
    pub fn common_field(&self, name: &str) -> Option<&String> {
        let name = text::words(name);
        self.fields.iter().find(|known| text::words(known) == name)
    }
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the text is a constant, and a test reads it")]
    serde_saphyr::from_str(include_str!("words.yaml")).expect("BUG: words.yaml cannot be read")
});

/// The words.
pub(crate) fn words() -> &'static Words {
    &WORDS
}

/// Whether `phrase` stands in `said` in one piece; both are lower-cased words.
pub(crate) fn says(said: &[String], phrase: &str) -> bool {
    let phrase = text::words(phrase);
    !phrase.is_empty() && said.windows(phrase.len()).any(|window| window == phrase)
}

/// Whether one of `phrases` stands in `said`.
pub(crate) fn says_any(said: &[String], phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| says(said, phrase))
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn the_words_are_read_and_every_persona_has_points() {
        assert_eq!(words().reviews.len(), 3);
        assert!(words().reviews.iter().all(|list| list.points.len() >= 5));
    }

    #[test]
    fn a_field_that_every_tracker_may_have_is_known_however_it_is_written() {
        assert_eq!(words().common_field("Story Points").map(String::as_str), Some("story points"));
        assert_eq!(words().common_field("Squad"), None);
    }
}
