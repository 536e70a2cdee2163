//! Whether a question that was read by somebody else accounts for every word of its message. The grammar's readings are
//! planned again without a word; that cannot be done to a reading that is not ours, so here each word has to be said
//! back by the plan, or stand among the words a part rests on. Words that decide something have to be done, whatever
//! part claims them: a number has to be in the form, "not" needs a denial, "average" an average. Next: `attribution`.

use serde_json::Value;
use turnwise_core::PlanDraft;

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, QueryForm};
use super::super::lexicon::{Role, Signal};
use super::super::words::{self, WordKind};
use super::attribution::Attribution;
use super::content::{self, Token};
use super::misread;

/// A word that is not accounted for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unaccounted {
    /// Nothing rests on it.
    Word(String),
    /// It says something that nothing does.
    Undone(String),
}

/// The words of `text` that say something.
pub fn content_words(catalogue: &Catalogue, text: &str) -> Vec<String> {
    let tokens = content::tokens(catalogue, text);
    tokens.iter().filter(|token| token.content).map(|token| token.folded.clone()).collect()
}

/// The words of `text` that neither the plan nor `claimed`, the words its parts rest on, account for; `denies` says
/// whether the form denies anything.
pub fn unaccounted(
    catalogue: &Catalogue,
    text: &str,
    form: &QueryForm,
    plan: &PlanDraft,
    claimed: &[&str],
    denies: bool,
) -> Vec<Unaccounted> {
    let tokens = content::tokens(catalogue, text);
    let attribution = Attribution::of(catalogue, form, plan, false);
    let used = attribution.said(&tokens);
    let numbers = numbers(form);
    let claimed: Vec<String> = claimed.iter().flat_map(|words| words::split(words)).map(|word| word.folded).collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.content) {
        let raw = || token.raw(text).to_owned();
        let done = match decided(token) {
            Some(Decides::Number) => !form.measures.is_empty() || form.ranking.is_some(),
            Some(Decides::Figure(number)) => numbers.iter().any(|own| (own - number).abs() < f64::EPSILON),
            Some(Decides::Denial) => denies,
            Some(Decides::End) => ends(form),
            Some(Decides::Part) => used[at],
            None => {
                let said = claimed.contains(&token.folded) || used[at] || attribution.goes_with(&tokens, &used, at);
                if !said {
                    found.push(Unaccounted::Word(raw()));
                }
                continue;
            }
        };
        if !done {
            found.push(Unaccounted::Undone(raw()));
        }
    }
    found
}

/// What a word decides that no other part of the question can do for it.
enum Decides {
    /// This number.
    Figure(f64),
    /// Some number.
    Number,
    Denial,
    End,
    Part,
}

fn decided(token: &Token) -> Option<Decides> {
    if token.is_number() {
        let WordKind::Number(number) = words::split(&token.folded).first()?.kind else { return None };
        // Years and days are in the periods, which are said back.
        return Some(Decides::Figure(number));
    }
    if token.is_superlative() {
        return Some(Decides::End);
    }
    match token.role()? {
        // Which number is meant says what it is a number of.
        Role::HowMuch | Role::Count => Some(Decides::Number),
        Role::Not | Role::Without => Some(Decides::Denial),
        role if misread::end(role).is_some() => Some(Decides::End),
        Role::Average
        | Role::Median
        | Role::Share
        | Role::Growth
        | Role::Forecast
        | Role::Outlier
        | Role::Cumulative
        | Role::Correlation
        | Role::Ratio
        | Role::Divided
        | Role::Versus
        | Role::Compare => Some(Decides::Part),
        _ => None,
    }
}

/// Whether an end of an order is asked for.
fn ends(form: &QueryForm) -> bool {
    let extreme = |aggregate: Aggregate| matches!(aggregate, Aggregate::Minimum | Aggregate::Maximum);
    form.ranking.is_some()
        || !form.conditions.is_empty()
        || form.measures.iter().any(|measure| extreme(measure.aggregate))
}

/// All numbers of a form, those in its words too.
fn numbers(form: &QueryForm) -> Vec<f64> {
    let mut found = Vec::new();
    if let Ok(value) = serde_json::to_value(form) {
        gather(&value, &mut found);
    }
    found
}

fn gather(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::String(text) => found.extend(words::split(text).into_iter().filter_map(|word| match word.kind {
            WordKind::Number(number) => Some(number),
            WordKind::Word | WordKind::Date => None,
        })),
        Value::Array(all) => all.iter().for_each(|one| gather(one, found)),
        Value::Object(all) => {
            let kept = all.iter().filter(|(key, _)| !NOT_ASKED.contains(&key.as_str()));
            kept.for_each(|(_, one)| gather(one, found));
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Parts of a form whose numbers are positions, scores or remarks.
const NOT_ASKED: [&str; 9] = ["catalogue", "notes", "thing", "score", "place", "via", "date", "told", "meanings"];

impl Token {
    /// Whether it is the end of a property by itself: "longest".
    fn is_superlative(&self) -> bool {
        matches!(self.own_signal(), Some(Signal::Superlative(..)))
    }
}
