//! Tuning: from labelled messages to the temperatures and thresholds of a profile.
//!
//! The head stays as the exemplars made it; what is chosen is how far its scores are spread (temperature: the one under
//! which the labelled messages are least surprising, Guo et al., "On Calibration of Modern Neural Networks", 2017) and
//! from which probability on a label is acted on. A threshold follows from what a mistake costs: where acting wrongly
//! is worth `cost` needless questions, acting pays from `1 - 1/cost` on (Chow, "On Optimum Recognition Error and Reject
//! Tradeoff", 1970). The profile's default thresholds are that bound, so they state the costs; a label departs from it
//! as far as messages show that its probabilities there are too high or too low, and only if it then costs less on
//! messages that had no part in the choice. Messages that mean nothing to the assistant have no say in the temperature,
//! which is about which meaning is how likely; they do in the thresholds, where acting on them is a mistake. Next:
//! `evaluate` for the figures, `profile::calibration` for the result.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::calibrate::{HeldOut, answered, best_of, calibration_error, mean_surprise, temperature};
use crate::fitted::{NOTHING, PLAIN};
use crate::limits::{FIT_SUBS_MIN, FIT_TEMPERATURE_MIN, FIT_THRESHOLD_MIN};
use crate::math::softmax;
use crate::profile::{Label, rounded};

/// Parts that the labelled messages are dealt into; each is measured with what the others gave.
pub const FIT_FOLDS: usize = 5;

/// Thresholds that are tried lie in steps of a hundredth between these.
const CANDIDATES: std::ops::RangeInclusive<u8> = 30..=99;

/// Messages that stand for the head's own probabilities when a threshold is moved: as if so many had been seen and had
/// come true as often as the head says. A handful of messages moves nothing.
const PRIOR_MESSAGES: f64 = 10.0;

/// What the head makes of a labelled message that it decides alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The message's place among all.
    pub at: usize,
    /// Which part it was dealt into.
    pub fold: usize,
    /// Scores of the intents, before any temperature.
    pub logits: Vec<f32>,
    /// The true intent among them; absent where the head knows no such class.
    pub class: Option<usize>,
    /// Scores of the finer labels within the true intent and the true one, where the truth has one.
    pub sub: Option<HeldOut>,
}

/// The classes of a profile's heads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Classes {
    /// Of the intents, in the order of the scores.
    pub primary: Vec<String>,
    /// The temperature that came with the head.
    pub temperature: f32,
    /// Within an intent, with the temperature.
    pub subs: BTreeMap<String, (Vec<String>, f32)>,
}

/// What a wrong act costs, in needless questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Of a wrong intent.
    pub primary: f32,
    /// Of a wrong finer label.
    pub sub: f32,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuned {
    /// For the intents, if it is better than the head's own.
    pub temperature: Option<f32>,
    /// By intent, likewise.
    pub sub_temperatures: BTreeMap<String, f32>,
    /// By label, likewise.
    pub thresholds: BTreeMap<Label, f32>,
    /// What stays as it was, and why, in order of name.
    pub kept: Vec<Kept>,
}

/// Something that was not fitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kept {
    /// "the temperature of …" or "the threshold of …".
    pub what: String,
    /// Why.
    pub why: KeptReason,
}

/// Why something was not fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeptReason {
    /// Too few messages.
    TooFew {
        /// There are so many.
        messages: usize,
        /// So many are needed.
        needed: usize,
    },
    /// What there is is as good on messages that had no part in the choice.
    NoBetter,
}

impl Costs {
    /// The costs that `primary` and `sub`, a profile's default thresholds, state.
    #[must_use]
    pub fn stated_by(primary: f32, sub: f32) -> Self {
        let cost = |threshold: f32| 1.0 / (1.0 - threshold.clamp(0.0, 0.99));
        Self { primary: rounded(cost(primary)), sub: rounded(cost(sub)) }
    }
}

/// Chow's bound: from which probability on acting costs less than asking.
#[must_use]
pub fn bound(cost: f32) -> f32 {
    rounded(1.0 - 1.0 / cost.max(1.0))
}

/// Deals messages with these labels into [`FIT_FOLDS`] parts, every label evenly, by chance drawn from `seed`.
#[must_use]
pub fn dealt(labels: &[String], seed: u64) -> Vec<usize> {
    let lot = |at: usize| -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(seed.to_le_bytes());
        hasher.update((at as u64).to_le_bytes());
        hasher.finalize().into()
    };
    let mut order: Vec<(&String, [u8; 32], usize)> =
        labels.iter().enumerate().map(|(at, label)| (label, lot(at), at)).collect();
    order.sort();
    let mut folds = vec![0; labels.len()];
    // Going on counting from one label to the next keeps the parts even where labels are rare.
    order.iter().enumerate().for_each(|(place, (_, _, at))| folds[*at] = place % FIT_FOLDS);
    folds
}

/// Chooses on `scored`, leaving out one fold or none. Whatever is no better on held-out messages stays as it was.
#[must_use]
pub fn tune(scored: &[Scored], classes: &Classes, costs: Costs, without: Option<usize>) -> Tuned {
    let used: Vec<&Scored> = scored.iter().filter(|one| Some(one.fold) != without).collect();
    let mut tuned = Tuned::default();
    tune_primary(&used, classes, costs.primary, &mut tuned);
    for (intent, (names, own)) in &classes.subs {
        tune_subs(&used, classes, (intent, names, *own), costs.sub, &mut tuned);
    }
    tuned.kept.sort();
    tuned
}

fn tune_primary(used: &[&Scored], classes: &Classes, cost: f32, tuned: &mut Tuned) {
    let known: Vec<(usize, HeldOut)> = used
        .iter()
        .filter_map(|one| Some((one.fold, HeldOut { logits: one.logits.clone(), class: one.class? })))
        .filter(|(_, one)| classes.primary.get(one.class).is_some_and(|name| name != NOTHING))
        .collect();
    tuned.temperature = better_temperature(&known, classes.temperature, FIT_TEMPERATURE_MIN)
        .map_err(|why| tuned.kept.push(Kept { what: "the temperature of the intents".to_owned(), why }))
        .ok();
    let spread = tuned.temperature.unwrap_or(classes.temperature);
    let mut answers: Vec<Vec<Answered>> = vec![Vec::new(); classes.primary.len()];
    for one in used {
        let (best, p) = best_of(&softmax(&one.logits, spread));
        if let Some(of_label) = answers.get_mut(best) {
            of_label.push(Answered { fold: one.fold, p, right: one.class == Some(best) });
        }
    }
    for (name, answers) in classes.primary.iter().zip(&answers).filter(|(name, _)| *name != NOTHING) {
        keep_or_take(tuned, Label::primary(name), answers, cost);
    }
}

fn tune_subs(used: &[&Scored], classes: &Classes, head: (&String, &[String], f32), cost: f32, tuned: &mut Tuned) {
    let (intent, names, own) = head;
    let is_own = |one: &&&Scored| one.class.and_then(|class| classes.primary.get(class)) == Some(intent);
    let known: Vec<(usize, HeldOut)> =
        used.iter().filter(is_own).filter_map(|one| Some((one.fold, one.sub.clone()?))).collect();
    match better_temperature(&known, own, FIT_SUBS_MIN) {
        Ok(found) => {
            tuned.sub_temperatures.insert(intent.clone(), found);
        }
        Err(why) => tuned.kept.push(Kept { what: format!("the temperature within {intent}"), why }),
    }
    let spread = tuned.sub_temperatures.get(intent).copied().unwrap_or(own);
    for (class, sub) in names.iter().enumerate().filter(|(_, sub)| *sub != PLAIN) {
        let answers: Vec<Answered> = known
            .iter()
            .filter_map(|(fold, one)| {
                let (best, p) = best_of(&softmax(&one.logits, spread));
                (best == class).then_some(Answered { fold: *fold, p, right: one.class == class })
            })
            .collect();
        keep_or_take(tuned, Label { primary: intent.clone(), sub: Some(sub.clone()) }, &answers, cost);
    }
}

/// A temperature that is less surprised by held-out messages than `own`, fitted on all of them.
fn better_temperature(known: &[(usize, HeldOut)], own: f32, needed: usize) -> Result<f32, KeptReason> {
    if known.len() < needed {
        return Err(KeptReason::TooFew { messages: known.len(), needed });
    }
    let mut surprise = [0.0_f64; 2];
    let mut answers = [Vec::new(), Vec::new()];
    for fold in 0..FIT_FOLDS {
        let (inside, outside): (Vec<_>, Vec<_>) = known.iter().cloned().partition(|(of, _)| *of == fold);
        let plain = |dealt: Vec<(usize, HeldOut)>| dealt.into_iter().map(|(_, one)| one).collect::<Vec<HeldOut>>();
        let (inside, outside) = (plain(inside), plain(outside));
        if outside.is_empty() {
            continue;
        }
        let found = temperature(&outside);
        surprise[0] += mean_surprise(&inside, found) * inside.len() as f64;
        surprise[1] += mean_surprise(&inside, own) * inside.len() as f64;
        answers[0].extend(answered(&inside, found));
        answers[1].extend(answered(&inside, own));
    }
    // Less surprise alone would buy sharpness with confidence that is off: what a threshold is set on must hold.
    let error = answers.map(|answers| calibration_error(&answers));
    if surprise[0] >= surprise[1] || error[0] > error[1] {
        return Err(KeptReason::NoBetter);
    }
    let all: Vec<HeldOut> = known.iter().map(|(_, one)| one.clone()).collect();
    Ok(rounded(temperature(&all)))
}

/// A message that was read as some label.
#[derive(Clone, Copy, Debug)]
struct Answered {
    fold: usize,
    p: f32,
    right: bool,
}

fn keep_or_take(tuned: &mut Tuned, label: Label, answers: &[Answered], cost: f32) {
    match better_threshold(answers, cost) {
        Ok(threshold) => {
            tuned.thresholds.insert(label, threshold);
        }
        Err(why) => tuned.kept.push(Kept { what: format!("the threshold of {label}"), why }),
    }
}

/// A threshold that costs less on held-out messages than the bound, chosen on all of them.
fn better_threshold(answers: &[Answered], cost: f32) -> Result<f32, KeptReason> {
    if answers.len() < FIT_THRESHOLD_MIN {
        return Err(KeptReason::TooFew { messages: answers.len(), needed: FIT_THRESHOLD_MIN });
    }
    let mut paid = [0.0_f64; 2];
    for fold in 0..FIT_FOLDS {
        let (inside, outside): (Vec<Answered>, Vec<Answered>) = answers.iter().partition(|one| one.fold == fold);
        paid[0] += paid_at(&inside, cheapest(&outside, cost), cost);
        paid[1] += paid_at(&inside, bound(cost), cost);
    }
    let found = cheapest(answers, cost);
    let is_other = (found - bound(cost)).abs() > f32::EPSILON;
    if is_other && paid[0] < paid[1] { Ok(found) } else { Err(KeptReason::NoBetter) }
}

/// What these messages cost at `threshold`: a question each below it, `cost` for each that is acted on wrongly.
fn paid_at(answers: &[Answered], threshold: f32, cost: f32) -> f64 {
    let paid = |one: &Answered| match (one.p >= threshold, one.right) {
        (false, _) => 1.0,
        (true, true) => 0.0,
        (true, false) => f64::from(cost),
    };
    answers.iter().map(paid).sum()
}

/// The threshold with the greatest gain over the bound, nearest to it on ties; the bound itself where none gains.
fn cheapest(answers: &[Answered], cost: f32) -> f32 {
    let start = bound(cost);
    let mut best = (0.0_f64, 0.0_f32, start);
    for candidate in CANDIDATES.map(|hundredths| f32::from(hundredths) / 100.0) {
        let away = (candidate - start).abs();
        let gain = gain(answers, start, candidate, cost);
        if gain > best.0 + 1e-9 || (gain > 0.0 && (gain - best.0).abs() <= 1e-9 && away < best.1) {
            best = (gain, away, candidate);
        }
    }
    rounded(best.2)
}

/// What moving the threshold from `start` to `candidate` saves, by the share of errors between the two. That share
/// leans on what the head says by [`PRIOR_MESSAGES`].
fn gain(answers: &[Answered], start: f32, candidate: f32, cost: f32) -> f64 {
    let (low, high) = if candidate < start { (candidate, start) } else { (start, candidate) };
    let between: Vec<&Answered> = answers.iter().filter(|one| one.p >= low && one.p < high).collect();
    if between.is_empty() {
        return 0.0;
    }
    let count = between.len() as f64;
    let wrong = between.iter().filter(|one| !one.right).count() as f64;
    let said: f64 = between.iter().map(|one| 1.0 - f64::from(one.p)).sum::<f64>() / count;
    let share = (wrong + PRIOR_MESSAGES * said) / (count + PRIOR_MESSAGES);
    let acting = count * (1.0 - f64::from(cost) * share);
    if candidate < start { acting } else { -acting }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(parts: &[(f32, usize, usize)]) -> Vec<Answered> {
        let mut all = Vec::new();
        for (p, right, wrong) in parts {
            for at in 0..right + wrong {
                // Wrong ones are spread over the folds.
                let is_wrong = *wrong > 0 && at % ((right + wrong) / wrong).max(1) == 0;
                all.push(Answered { fold: at % FIT_FOLDS, p: *p, right: !is_wrong });
            }
        }
        all
    }

    #[test]
    fn the_default_thresholds_state_their_costs() {
        let costs = Costs::stated_by(0.80, 0.65);
        assert_eq!((costs.primary, costs.sub), (5.0, 2.8571));
        assert_eq!((bound(costs.primary), bound(costs.sub)), (0.8, 0.65));
    }

    #[test]
    fn a_label_that_is_right_more_often_than_it_says_is_acted_on_sooner() {
        let modest = answers(&[(0.70, 60, 0), (0.95, 40, 0)]);
        let found = better_threshold(&modest, 5.0);
        assert!(found.is_ok_and(|found| found <= 0.70), "{found:?}");
    }

    #[test]
    fn a_label_that_is_wrong_more_often_than_it_says_is_asked_about_longer() {
        let boastful = answers(&[(0.85, 30, 30), (0.97, 40, 0)]);
        let found = better_threshold(&boastful, 5.0);
        assert!(found.is_ok_and(|found| found > 0.85 && found <= 0.97), "{found:?}");
    }

    #[test]
    fn a_wrong_act_that_costs_more_is_asked_about_longer() {
        let even = answers(&[(0.75, 45, 15), (0.85, 54, 6), (0.95, 60, 0)]);
        let found = |cost: f32| better_threshold(&even, cost).unwrap_or(bound(cost));
        assert!(found(3.0) < found(5.0) && found(5.0) < found(20.0), "{} {} {}", found(3.0), found(5.0), found(20.0));
    }

    #[test]
    fn a_handful_of_messages_moves_nothing() {
        assert_eq!(
            better_threshold(&answers(&[(0.7, 19, 0)]), 5.0),
            Err(KeptReason::TooFew { messages: 19, needed: 20 })
        );
        assert_eq!(better_threshold(&answers(&[(0.7, 2, 0), (0.95, 30, 0)]), 5.0), Err(KeptReason::NoBetter));
    }

    #[test]
    fn the_same_seed_deals_the_same_and_every_label_evenly() {
        let labels: Vec<String> = (0..50).map(|at| if at % 5 == 0 { "a" } else { "b" }.to_owned()).collect();
        let folds = dealt(&labels, 7);
        assert_eq!(folds, dealt(&labels, 7));
        assert_ne!(folds, dealt(&labels, 8));
        for fold in 0..FIT_FOLDS {
            let of = |wanted: &str| labels.iter().zip(&folds).filter(|(l, f)| *l == wanted && **f == fold).count();
            assert_eq!((of("a"), of("b")), (2, 8));
        }
    }

    #[test]
    fn an_overconfident_head_gets_a_temperature_above_its_own() {
        let one = |at: usize| {
            // Says 0.98, is right in three of four.
            let class = usize::from(at.is_multiple_of(4));
            Scored { at, fold: at % FIT_FOLDS, logits: vec![4.0, 0.0], class: Some(class), sub: None }
        };
        let scored: Vec<Scored> = (0..100).map(one).collect();
        let classes = Classes { primary: vec!["a".into(), "b".into()], temperature: 1.0, ..Classes::default() };
        let tuned = tune(&scored, &classes, Costs::stated_by(0.8, 0.65), None);
        let temperature = tuned.temperature.unwrap_or_default();
        assert!((3.2..4.2).contains(&temperature), "{temperature}: 4/ln 3 is 3.64");
        assert!(tuned.kept.iter().any(|kept| kept.what == "the threshold of b"), "{:?}", tuned.kept);
    }
}
