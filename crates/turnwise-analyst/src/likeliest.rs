//! Weights by which what is right is likeliest: of several things one is meant, each has features, and the weighted
//! sums of these share a probability. Both `linking::fit` and `sense::fit` are fitted so. Next: `linking::raised` for
//! the shares.

#![allow(clippy::indexing_slicing, reason = "features are numbered by those who fit")]

use super::linking::raised;

/// Things of which one is meant.
pub struct Several<'a> {
    /// For each its features that are not zero.
    pub rows: &'a [Vec<(usize, f64)>],
    pub right: &'a [bool],
}

impl Several<'_> {
    /// How likely each is.
    pub fn shares(&self, weights: &[f64]) -> Vec<f64> {
        let score = |row: &Vec<(usize, f64)>| row.iter().map(|(at, value)| value * weights[*at]).sum();
        raised(&self.rows.iter().map(score).collect::<Vec<f64>>())
    }
}

/// How a fit goes.
pub struct Fit {
    /// Passes over all.
    pub passes: i32,
    /// How far a step goes.
    pub step: f64,
    /// What it costs to leave the weights it begins with.
    pub decay: f64,
}

impl Fit {
    /// The weights, from `before` on.
    pub fn weights(&self, all: &[Several<'_>], before: &[f64]) -> Vec<f64> {
        let count = before.len();
        let (mut weights, mut mean, mut square) = (before.to_vec(), vec![0.0; count], vec![0.0; count]);
        for pass in 1..=self.passes {
            let mut slope: Vec<f64> =
                weights.iter().zip(before).map(|(weight, before)| self.decay * (weight - before)).collect();
            for one in all {
                let shares = one.shares(&weights);
                let is_right = |(share, is): (&f64, &bool)| if *is { *share } else { 0.0 };
                let right: f64 = shares.iter().zip(one.right).map(is_right).sum();
                for ((row, share), is) in one.rows.iter().zip(&shares).zip(one.right) {
                    let wanted = if *is { share / right.max(1e-9) } else { 0.0 };
                    for (at, value) in row {
                        slope[*at] += value * (share - wanted) / all.len() as f64;
                    }
                }
            }
            let (fade, fade_square) = (1.0 - 0.9_f64.powi(pass), 1.0 - 0.999_f64.powi(pass));
            for at in 0..count {
                mean[at] = 0.9 * mean[at] + 0.1 * slope[at];
                square[at] = 0.999 * square[at] + 0.001 * slope[at] * slope[at];
                weights[at] -= self.step * (mean[at] / fade) / ((square[at] / fade_square).sqrt() + 1e-8);
            }
        }
        weights
    }
}
