//! How well a reader does on labelled messages: accuracy, what it acts on, calibration, what it confuses, and whether
//! it knows what is none of its business.
//!
//! A message counts as *acted on* when the reader is sure enough not to ask; its likeliest reading counts for accuracy
//! either way. A truth without a finer label is judged by the intent alone. Next: `calibrate` for the bins.

use std::collections::BTreeMap;

use serde::Serialize;
use turnwise_core::MessageReading;

use crate::calibrate::{Bin, calibration_error, reliability};
use crate::profile::Label;
use crate::resolve::principal;

/// What a message really means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// This.
    Meant(Label),
    /// Nothing to this assistant.
    OutOfScope,
}

/// What a reader made of a message, for measuring.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its likeliest label, if any is likely.
    pub label: Option<Label>,
    /// The calibrated probability of that label's intent.
    pub confidence: f32,
    /// Whether it is sure enough to act.
    pub acted_on: bool,
}

/// A message with its truth and its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What was said.
    pub text: String,
    /// What it means.
    pub truth: Truth,
    /// What was read.
    pub answer: Answer,
}

/// The figures over many messages. Shares lie in `0.0..=1.0`; those over no message at all are absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// Messages with a meaning.
    pub in_scope: usize,
    /// Messages without.
    pub out_of_scope: usize,
    /// Share of messages with a meaning whose likeliest intent is the true one.
    pub accuracy: Option<f32>,
    /// The same for intent and finer label, over messages whose truth has one.
    pub sub_accuracy: Option<f32>,
    /// Share of messages with a meaning that are acted on.
    pub coverage: Option<f32>,
    /// Accuracy among those.
    pub accuracy_covered: Option<f32>,
    /// Mean distance between confidence and accuracy over the bins, weighted by size.
    pub calibration_error: Option<f32>,
    /// Confidence and accuracy by tenth of confidence; only tenths that have messages.
    pub reliability: Vec<Bin>,
    /// Share of messages without a meaning that are acted on, which they should not be.
    pub out_of_scope_acted_on: Option<f32>,
    /// How well confidence tells messages with a meaning from those without: 1 always, 0.5 never.
    pub out_of_scope_auroc: Option<f32>,
    /// What was read for what.
    pub confusion: Confusion,
    /// The wrong answers, those given most confidently first.
    pub worst: Vec<Mistake>,
}

/// Counts of messages by true intent (row) and by what the reader does (column).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// True intents, [`OUT_OF_SCOPE`] last when there are such messages.
    pub truths: Vec<String>,
    /// Intents acted on, then [`ASKS`].
    pub answers: Vec<String>,
    /// `counts[truth][answer]`.
    pub counts: Vec<Vec<usize>>,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// What was said.
    pub text: String,
    /// What it means; [`OUT_OF_SCOPE`] for nothing.
    pub truth: String,
    /// What was read.
    pub answer: String,
    /// How surely.
    pub confidence: f32,
    /// Whether it would have been acted on.
    pub acted_on: bool,
}

/// The row, and the label in data, of messages that mean nothing to the assistant.
pub const OUT_OF_SCOPE: &str = "oos";

/// The column of messages the reader would ask back about.
pub const ASKS: &str = "(asks)";

/// Mistakes that are listed; more is not read.
pub const WORST_MAX: usize = 20;

impl Answer {
    /// What a reading comes to. Of several requests the principal one counts, as in logs with one intent a message.
    #[must_use]
    pub fn of(reading: &MessageReading) -> Self {
        let (likeliest, acted_on) = match reading {
            MessageReading::Understood { requests, .. } => (principal(requests), true),
            MessageReading::Unsure { options } => (options.first(), false),
            MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. } | MessageReading::Empty => {
                (None, false)
            }
        };
        match likeliest {
            Some(reading) => Self {
                label: Some(Label { primary: reading.intent.clone(), sub: reading.sub.clone() }),
                confidence: reading.confidence.value(),
                acted_on,
            },
            None => Self { label: None, confidence: 0.0, acted_on: false },
        }
    }
}

impl Judged {
    /// Whether the likeliest intent is the true one; for a message without a meaning, whether it is left alone.
    #[must_use]
    pub fn is_right(&self) -> bool {
        match &self.truth {
            Truth::Meant(label) => self.answer.label.as_ref().is_some_and(|read| read.primary == label.primary),
            Truth::OutOfScope => !self.answer.acted_on,
        }
    }

    /// The same without the words where nobody will look at them: only mistakes are listed, and a file of labelled
    /// messages may be long.
    #[must_use]
    pub fn forgetful(self) -> Self {
        let is_listed = !self.is_right() || self.is_sub_right() == Some(false);
        if is_listed { self } else { Self { text: String::new(), ..self } }
    }

    /// Whether the finer label is right too; `None` when the truth has none.
    fn is_sub_right(&self) -> Option<bool> {
        match &self.truth {
            Truth::Meant(label) if label.sub.is_some() => Some(self.answer.label.as_ref() == Some(label)),
            Truth::Meant(_) | Truth::OutOfScope => None,
        }
    }

    fn truth_name(&self) -> &str {
        match &self.truth {
            Truth::Meant(label) => &label.primary,
            Truth::OutOfScope => OUT_OF_SCOPE,
        }
    }

    fn does(&self) -> &str {
        self.answer.label.as_ref().filter(|_| self.answer.acted_on).map_or(ASKS, |label| &label.primary)
    }
}

/// The figures over `judged`.
#[must_use]
pub fn evaluate(judged: &[Judged]) -> Evaluation {
    let (inside, outside): (Vec<&Judged>, Vec<&Judged>) =
        judged.iter().partition(|one| matches!(one.truth, Truth::Meant(_)));
    let answers: Vec<(f32, bool)> = inside.iter().map(|one| (one.answer.confidence, one.is_right())).collect();
    let of = |one: &&Judged| one.answer.confidence;
    Evaluation {
        in_scope: inside.len(),
        out_of_scope: outside.len(),
        accuracy: share(inside.iter().map(|one| one.is_right())),
        sub_accuracy: share(inside.iter().filter_map(|one| one.is_sub_right())),
        coverage: share(inside.iter().map(|one| one.answer.acted_on)),
        accuracy_covered: share(inside.iter().filter(|one| one.answer.acted_on).map(|one| one.is_right())),
        calibration_error: (!answers.is_empty()).then(|| calibration_error(&answers)),
        reliability: reliability(&answers),
        out_of_scope_acted_on: share(outside.iter().map(|one| one.answer.acted_on)),
        out_of_scope_auroc: auroc(
            &inside.iter().map(of).collect::<Vec<f32>>(),
            &outside.iter().map(of).collect::<Vec<f32>>(),
        ),
        confusion: confusion(judged),
        worst: worst(judged),
    }
}

/// The chance that a random one of `higher` lies above a random one of `lower`, ties counting half.
fn auroc(higher: &[f32], lower: &[f32]) -> Option<f32> {
    if higher.is_empty() || lower.is_empty() {
        return None;
    }
    let mut sorted = lower.to_vec();
    sorted.sort_by(f32::total_cmp);
    let wins: f64 = higher
        .iter()
        .map(|value| {
            let below = sorted.partition_point(|other| other < value);
            let not_above = sorted.partition_point(|other| other <= value);
            (below + not_above) as f64 / 2.0
        })
        .sum();
    Some((wins / (higher.len() as f64 * lower.len() as f64)) as f32)
}

fn confusion(judged: &[Judged]) -> Confusion {
    let mut counted: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in judged {
        *counted.entry((one.truth_name(), one.does())).or_default() += 1;
    }
    let truths = names(judged.iter().map(Judged::truth_name), OUT_OF_SCOPE);
    let answers = names(judged.iter().flat_map(|one| [one.truth_name(), one.does()]), ASKS);
    let answers: Vec<String> = answers.into_iter().filter(|name| name != OUT_OF_SCOPE).collect();
    let count = |truth: &str, answer: &str| counted.get(&(truth, answer)).copied().unwrap_or_default();
    let counts = truths.iter().map(|truth| answers.iter().map(|answer| count(truth, answer)).collect()).collect();
    Confusion { truths, answers, counts }
}

/// The different ones of `all` in order, `last` at the end.
fn names<'a>(all: impl Iterator<Item = &'a str>, last: &str) -> Vec<String> {
    let mut names: Vec<String> = all.map(str::to_owned).collect();
    names.sort_by(|a, b| (a == last, a).cmp(&(b == last, b)));
    names.dedup();
    names
}

fn worst(judged: &[Judged]) -> Vec<Mistake> {
    let is_wrong = |one: &&Judged| !one.is_right() || one.is_sub_right() == Some(false);
    let mut wrong: Vec<&Judged> = judged.iter().filter(is_wrong).collect();
    let rank = |one: &Judged| (one.answer.acted_on, one.answer.confidence);
    wrong.sort_by(|a, b| rank(b).0.cmp(&rank(a).0).then(rank(b).1.total_cmp(&rank(a).1)));
    wrong.truncate(WORST_MAX);
    let told = |one: &Judged| Mistake {
        text: one.text.clone(),
        truth: match &one.truth {
            Truth::Meant(label) => label.to_string(),
            Truth::OutOfScope => OUT_OF_SCOPE.to_owned(),
        },
        answer: one.answer.label.as_ref().map_or_else(|| ASKS.to_owned(), ToString::to_string),
        confidence: one.answer.confidence,
        acted_on: one.answer.acted_on,
    };
    wrong.into_iter().map(told).collect()
}

fn share(hits: impl Iterator<Item = bool>) -> Option<f32> {
    let (mut right, mut all) = (0_usize, 0_usize);
    for hit in hits {
        all += 1;
        right += usize::from(hit);
    }
    (all > 0).then(|| right as f32 / all as f32)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn judged(truth: &str, read: &str, confidence: f32, acted_on: bool) -> Judged {
        let truth = if truth == OUT_OF_SCOPE { Truth::OutOfScope } else { Truth::Meant(Label::parse(truth)) };
        let answer = Answer { label: Some(Label::parse(read)), confidence, acted_on };
        Judged { text: format!("{truth:?} {read}"), truth, answer }
    }

    #[test]
    fn shares_count_only_what_they_are_about() {
        let all = [
            judged("query.detail", "query.detail", 0.9, true),
            judged("query.detail", "query.lookup", 0.8, true),
            judged("plan_new", "query", 0.6, false),
            judged("plan_new", "plan_new.compare", 0.7, false),
            judged(OUT_OF_SCOPE, "query", 0.85, true),
        ];
        let found = evaluate(&all);
        assert_eq!((found.in_scope, found.out_of_scope), (4, 1));
        assert_eq!(found.accuracy, Some(0.75));
        assert_eq!(found.sub_accuracy, Some(0.5));
        assert_eq!((found.coverage, found.accuracy_covered), (Some(0.5), Some(1.0)));
        assert_eq!(found.out_of_scope_acted_on, Some(1.0));
        assert_eq!(found.out_of_scope_auroc, Some(0.25));
        assert_eq!(found.confusion.truths, ["plan_new", "query", OUT_OF_SCOPE]);
        assert_eq!(found.confusion.answers, ["plan_new", "query", ASKS]);
        assert_eq!(found.confusion.counts, [[0, 0, 2], [0, 2, 0], [0, 1, 0]]);
        assert_eq!(found.worst.len(), 3);
        assert!(found.worst[0].truth == OUT_OF_SCOPE && found.worst[2].answer == "query");
    }

    #[test]
    fn a_perfect_separation_has_an_area_of_one_and_ties_count_half() {
        assert!((auroc(&[0.9, 0.8], &[0.1, 0.2]).unwrap() - 1.0).abs() < 1e-6);
        assert!((auroc(&[0.5, 0.5], &[0.5]).unwrap() - 0.5).abs() < 1e-6);
        assert_eq!(auroc(&[0.5], &[]), None);
    }
}
