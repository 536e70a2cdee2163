//! Whether a bound question is the one that was asked: every part rests on words of the message, values and limits
//! come from it, and every word is accounted for. A model that leaves out half of a message, or adds to it, is caught
//! here and not believed. Next: `super::super::coverage`.

use std::collections::BTreeSet;

use turnwise_core::PlanDraft;

use super::super::catalogue::Catalogue;
use super::super::coverage::{self, Unaccounted};
use super::super::form::QueryForm;
use super::super::words;
use super::filters::{denies, number};
use super::{Is, Problem, Question, Test, Words};

/// Words that one part may rest on: one that claims the whole message accounts for nothing.
const CLAIMED_MAX: usize = 9;
/// Words that a question may leave to be named as not used; with more of them it is about something else.
const UNUSED_MAX: usize = 2;
/// Numbers up to which people write words: "three", "a dozen".
const SPELT_OUT_MAX: f64 = 12.0;

/// What of `question` does not stand in `message`.
pub fn invented(question: &Question, message: &str) -> Vec<Problem> {
    let said = stems(message);
    let mut problems = Vec::new();
    for Words(words) in question.rests_on() {
        let own = stems(words);
        if !words.trim().is_empty() && own.is_disjoint(&said) {
            problems.push(Problem::NotSaid { words: words.clone() });
        }
    }
    for test in tests(question) {
        problems.extend(test.values.iter().filter_map(|value| {
            let own = stems(&value.0);
            let is_flag = matches!(value.0.trim().to_lowercase().as_str(), "yes" | "no" | "true" | "false" | "0" | "1");
            let is_name = value.0.contains('.') && number(value).is_none();
            let is_small = number(value).is_some_and(|number| number.abs() <= SPELT_OUT_MAX);
            // A day is said by its number; a year alone says none.
            if let Some(day) = day(&value.0).filter(|_| test.is != Is::Between) {
                let is_said = said.iter().any(|word| word.trim_end_matches(char::is_alphabetic) == day.to_string());
                let is_bound = matches!(test.is, Is::Over | Is::AtLeast | Is::Under | Is::AtMost);
                return (!is_said && !is_bound).then(|| Problem::NotSaid { words: value.0.clone() });
            }
            let is_said = is_flag || is_name || is_small || is_time(&own, &said) || is_near(&own, &said);
            (!is_said).then(|| Problem::NotSaid { words: value.0.clone() })
        }));
    }
    for rank in &question.rank {
        let limit = f64::from(rank.limit);
        if limit > SPELT_OUT_MAX && !said.contains(&rank.limit.to_string()) {
            problems.push(Problem::NotSaid { words: rank.limit.to_string() });
        }
    }
    problems
}

/// The day of a date that is written whole.
fn day(value: &str) -> Option<i8> {
    value.trim().parse::<jiff::civil::Date>().ok().map(jiff::civil::Date::day)
}

/// A value may have another ending than the word it was said by: "donated" for "donation".
fn is_near(own: &BTreeSet<String>, said: &BTreeSet<String>) -> bool {
    own.iter().any(|own| said.contains(own) || said.iter().any(|said| words::alike(own, said)))
}

/// A date is written otherwise than it is said: its year has to be.
fn is_time(own: &BTreeSet<String>, said: &BTreeSet<String>) -> bool {
    let year =
        own.iter().find_map(|word| word.get(..4).filter(|year| year.bytes().all(|digit| digit.is_ascii_digit())));
    year.is_some_and(|year| said.iter().any(|word| word.contains(year)))
}

/// The words of the message that nothing makes use of: the plan names them.
///
/// # Errors
/// What the question leaves out without which it is another one.
pub fn left_out(
    catalogue: &Catalogue,
    question: &Question,
    message: &str,
    form: &QueryForm,
    plan: &PlanDraft,
) -> Result<Vec<String>, Vec<Problem>> {
    let content = coverage::content_words(catalogue, message);
    let is_content = |words: &&Words| words::split(&words.0).iter().any(|word| content.contains(&word.folded));
    let lost: Vec<String> = question.not_understood.iter().filter(is_content).map(|words| words.0.clone()).collect();
    if !lost.is_empty() {
        return Err(vec![Problem::NotUnderstood { words: lost }]);
    }
    let claims = question.rests_on();
    let claimed: Vec<&str> =
        claims.iter().map(|words| words.0.as_str()).filter(|words| words::split(words).len() <= CLAIMED_MAX).collect();
    let denied = denies(&form.filters) || form.measures.iter().any(|measure| denies(&measure.holds));
    let mut words = Vec::new();
    let mut problems = Vec::new();
    for one in coverage::unaccounted(catalogue, message, form, plan, &claimed, denied) {
        match one {
            Unaccounted::Word(word) => words.push(word),
            Unaccounted::Undone(word) => problems.push(Problem::NotDone { word }),
            Unaccounted::Unread(word, names) => problems.push(Problem::NotRead { word, names }),
        }
    }
    problems.extend(undenied(catalogue, question, message, denied).map(|word| Problem::NotDone { word }));
    if words.len() > UNUSED_MAX {
        problems.push(Problem::NotCovered { words: std::mem::take(&mut words) });
    }
    if problems.is_empty() { Ok(words) } else { Err(problems) }
}

/// Words of the message that deny what a name of the data says ("unpaid" beside `paid_on`), where the question neither
/// denies anything nor tests what is named so: without that it asks for the opposite as well.
fn undenied<'a>(
    catalogue: &'a Catalogue,
    question: &'a Question,
    message: &str,
    denied: bool,
) -> impl Iterator<Item = String> + 'a {
    let tested: BTreeSet<String> =
        tests(question).flat_map(|test| stems(&test.column.0.replace(['.', '_'], " "))).collect();
    let related = question.related.iter().any(|related| !related.has);
    let is_named = |rest: &str| catalogue.names().vocabulary().any(|name| name == rest);
    let said = if denied || related { Vec::new() } else { words::split(message) };
    said.into_iter().filter_map(move |word| {
        let rest = DENYING.iter().find_map(|prefix| word.folded.strip_prefix(prefix))?;
        let own = stems(rest);
        let is_open =
            rest.len() >= DENIED_LETTERS_MIN && own.is_disjoint(&tested) && own.iter().any(|own| is_named(own));
        is_open.then_some(word.folded)
    })
}

/// What a word begins with that denies its rest.
const DENYING: [&str; 2] = ["un", "non"];
/// Letters of the rest: fewer are no word.
const DENIED_LETTERS_MIN: usize = 4;

/// All tests of a question.
fn tests(question: &Question) -> impl Iterator<Item = &Test> {
    let own = question.measures.iter().flat_map(|number| &number.only);
    let related = question.related.iter().flat_map(|related| &related.filters);
    question.filters.iter().chain(own).chain(related)
}

fn stems(text: &str) -> BTreeSet<String> {
    words::split(text).into_iter().flat_map(|word| [word.stem, word.folded]).collect()
}
