//! From the scores of the head of replies to the probability of a yes.
//!
//! The head weighs all meanings alike, however many lessons each has, so its own probability of a yes is not how often
//! such words are one. A line through the log-odds on held-out sentences is (Platt 1999). Next: `training`.

use super::lessons::Meaning;
use crate::math::{exp, log_sum_exp};

/// The line: the log-odds of a yes are `slope` times those of the scores, and `shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odds {
    /// How steep it is.
    pub slope: f32,
    /// Where it crosses zero.
    pub shift: f32,
}

/// Steps of Newton's method; it arrives in under ten.
const STEPS: usize = 30;
/// What is added to the curvature, so that a step stays bounded where everything is told apart.
const DAMPING: f64 = 1e-6;

impl Odds {
    /// The line that fits scores and whether each was a yes best.
    pub(super) fn fit(answers: &[(&[f32], bool)]) -> Self {
        let points: Vec<(f64, f64)> =
            answers.iter().map(|(scores, yes)| (f64::from(log_odds(scores)), f64::from(u8::from(*yes)))).collect();
        let (mut slope, mut shift) = (0.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let (mut by_slope, mut by_shift) = (0.0, 0.0);
            let (mut slopes, mut both, mut shifts) = (DAMPING, 0.0, DAMPING);
            for (at, yes) in &points {
                let likely = sigmoid(slope * at + shift);
                let (error, curve) = (likely - yes, likely * (1.0 - likely));
                by_slope += error * at;
                by_shift += error;
                slopes += curve * at * at;
                both += curve * at;
                shifts += curve;
            }
            let determinant = slopes * shifts - both * both;
            slope -= (shifts * by_slope - both * by_shift) / determinant;
            shift -= (slopes * by_shift - both * by_slope) / determinant;
        }
        Self { slope: slope as f32, shift: shift as f32 }
    }

    /// The probability of a yes by the head's scores.
    pub(super) fn of(self, scores: &[f32]) -> f32 {
        sigmoid(f64::from(self.slope) * f64::from(log_odds(scores)) + f64::from(self.shift)) as f32
    }
}

/// How much higher a yes scores than all other meanings together.
fn log_odds(scores: &[f32]) -> f32 {
    let (mut yes, mut others) = (f32::NEG_INFINITY, Vec::with_capacity(scores.len()));
    for (meaning, score) in Meaning::ALL.iter().zip(scores) {
        match meaning {
            Meaning::Yes => yes = *score,
            Meaning::No | Meaning::Change | Meaning::Hold | Meaning::Question | Meaning::Other => others.push(*score),
        }
    }
    yes - log_sum_exp(&others)
}

fn sigmoid(at: f64) -> f64 {
    1.0 / (1.0 + exp(-at))
}

#[cfg(test)]
mod tests {
    use super::Odds;

    #[test]
    fn what_is_a_yes_three_times_of_four_is_likely_by_three_quarters() {
        let (high, low) = ([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let answers = [(&high, true), (&high, true), (&high, true), (&high, false), (&low, true), (&low, false)];
        let odds = Odds::fit(&answers.map(|(scores, yes)| (scores.as_slice(), yes)));
        assert!((odds.of(&high) - 0.75).abs() < 0.01, "{}", odds.of(&high));
        assert!((odds.of(&low) - 0.5).abs() < 0.01, "{}", odds.of(&low));
    }
}
