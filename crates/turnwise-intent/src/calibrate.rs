//! Calibration: from scores to probabilities that come true as often as they say.
//!
//! The exemplars are dealt into folds; each fold is scored by a head that never saw it; the temperature is the one
//! under which those held-out answers are least surprising. What comes out is reported with the profile: accuracy,
//! coverage at the threshold, expected calibration error. Next: `fitted`.

use serde::Serialize;

use crate::head::{Head, Origin, Sample};
use crate::lexical::FeatureWeights;
use crate::math::{ln, softmax};

/// Held-out scores of one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// Scores of a head that did not see the sample.
    pub logits: Vec<f32>,
    /// The true class.
    pub class: usize,
}

/// What held-out samples say about a head.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figures {
    /// Share of samples whose best class is the true one.
    pub accuracy: f32,
    /// Share of samples at or above the threshold.
    pub coverage: f32,
    /// Accuracy among those.
    pub accuracy_covered: f32,
    /// Mean distance between confidence and accuracy over ten bins, weighted by size.
    pub calibration_error: f32,
}

/// Share of messages with a meaning that may be asked about although they are only worded unlike the exemplars.
const UNFAMILIAR_SHARE: f32 = 0.05;
const FOLDS: usize = 5;
const BINS: usize = 10;

/// What a temperature may be: beyond, all answers would be equally sure or equally unsure.
pub(crate) const TEMPERATURES: std::ops::RangeInclusive<f32> = 0.05..=20.0;

/// Scores every sample by a head trained on the other folds. Samples of a class are dealt in turn, so every fold has
/// all classes that have enough.
#[must_use]
pub fn held_out(samples: &[Sample], classes: &[String], weights: FeatureWeights) -> Vec<HeldOut> {
    let folds = dealt(samples, classes.len());
    let mut scored: Vec<Option<HeldOut>> = vec![None; samples.len()];
    for fold in 0..FOLDS {
        let train: Vec<Sample> =
            samples.iter().zip(&folds).filter(|(_, of)| **of != Some(fold)).map(|(sample, _)| sample.clone()).collect();
        if train.is_empty() {
            // A single sample has nothing to be judged by.
            continue;
        }
        let head = Head::train(&train, classes, weights);
        for (at, sample) in samples.iter().enumerate().filter(|(at, _)| folds[*at] == Some(fold)) {
            scored[at] = Some(HeldOut { logits: head.logits(&sample.text, &sample.embedding), class: sample.class });
        }
    }
    scored.into_iter().flatten().collect()
}

/// The fold of each sample; names of classes are in none.
fn dealt(samples: &[Sample], classes: usize) -> Vec<Option<usize>> {
    let mut next = vec![0_usize; classes];
    let mut deal = |sample: &Sample| {
        let fold = next[sample.class] % FOLDS;
        next[sample.class] += 1;
        fold
    };
    samples.iter().map(|sample| (sample.origin == Origin::Exemplar).then(|| deal(sample))).collect()
}

/// What a message's familiarity has to reach: all but a twentieth of the held-out samples do.
#[must_use]
pub fn familiarity_floor(scored: &[HeldOut]) -> f32 {
    let mut familiarities: Vec<f32> = scored.iter().map(|one| Head::familiarity(&one.logits)).collect();
    familiarities.sort_by(f32::total_cmp);
    let at = (familiarities.len() as f32 * UNFAMILIAR_SHARE) as usize;
    familiarities.get(at).copied().unwrap_or(f32::NEG_INFINITY)
}

/// The temperature with the least mean surprise on `scored`, by golden-section search over its logarithm.
#[must_use]
pub fn temperature(scored: &[HeldOut]) -> f32 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut low = ln(f64::from(*TEMPERATURES.start()));
    let mut high = ln(f64::from(*TEMPERATURES.end()));
    let surprise = |log: f64| mean_surprise(scored, crate::math::exp(log) as f32);
    for _ in 0..40 {
        let left = high - GOLDEN * (high - low);
        let right = low + GOLDEN * (high - low);
        if surprise(left) < surprise(right) {
            high = right;
        } else {
            low = left;
        }
    }
    crate::math::exp(f64::midpoint(low, high)) as f32
}

/// The mean negative logarithm of the probability that the true classes are given.
pub(crate) fn mean_surprise(scored: &[HeldOut], temperature: f32) -> f64 {
    let total: f64 =
        scored.iter().map(|one| -ln(f64::from(softmax(&one.logits, temperature)[one.class]).max(1e-12))).sum();
    total / scored.len().max(1) as f64
}

/// The figures of `scored` at this temperature and threshold.
#[must_use]
pub fn figures(scored: &[HeldOut], temperature: f32, threshold: f32) -> Figures {
    let answers = answered(scored, temperature);
    let covered: Vec<bool> = answers.iter().filter(|(p, _)| *p >= threshold).map(|(_, right)| *right).collect();
    Figures {
        accuracy: share(answers.iter().map(|(_, right)| *right)),
        coverage: covered.len() as f32 / answers.len().max(1) as f32,
        accuracy_covered: share(covered.iter().copied()),
        calibration_error: calibration_error(&answers),
    }
}

/// How sure the answer to each sample is at this temperature, and whether it is right.
pub(crate) fn answered(scored: &[HeldOut], temperature: f32) -> Vec<(f32, bool)> {
    let answer = |one: &HeldOut| {
        let (best, confidence) = best_of(&softmax(&one.logits, temperature));
        (confidence, best == one.class)
    };
    scored.iter().map(answer).collect()
}

/// Index and value of the highest entry, the first on ties.
#[must_use]
pub fn best_of(probabilities: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    for (index, value) in probabilities.iter().enumerate() {
        if *value > best.1 {
            best = (index, *value);
        }
    }
    best
}

fn share(hits: impl Iterator<Item = bool>) -> f32 {
    let (mut right, mut all) = (0_usize, 0_usize);
    for hit in hits {
        all += 1;
        right += usize::from(hit);
    }
    right as f32 / all.max(1) as f32
}

/// One tenth of the scale of confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// Answers in it.
    pub answers: usize,
    /// Their mean confidence.
    pub confidence: f32,
    /// Share of them that is right.
    pub accuracy: f32,
}

/// Confidence and accuracy by tenth of confidence, leaving out empty ones.
#[must_use]
pub fn reliability(answers: &[(f32, bool)]) -> Vec<Bin> {
    let members = |bin: usize| -> Vec<&(f32, bool)> {
        answers.iter().filter(|(p, _)| ((p * BINS as f32) as usize).min(BINS - 1) == bin).collect()
    };
    let bins = (0..BINS).map(members).filter(|members| !members.is_empty());
    bins.map(|members| Bin {
        answers: members.len(),
        confidence: members.iter().map(|(p, _)| p).sum::<f32>() / members.len() as f32,
        accuracy: share(members.iter().map(|(_, right)| *right)),
    })
    .collect()
}

/// Mean distance between confidence and accuracy over the bins, weighted by size.
#[must_use]
pub fn calibration_error(answers: &[(f32, bool)]) -> f32 {
    let weight = |bin: &Bin| bin.answers as f32 / answers.len() as f32;
    reliability(answers).iter().map(|bin| (bin.confidence - bin.accuracy).abs() * weight(bin)).sum()
}
