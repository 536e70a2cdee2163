//! What each feature counts, and the probabilities that come of it. The weights are fitted on `lessons` (see `fit`),
//! and say how likely each of the things there are is meant: one of them, or none. Next: `features`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::features;

/// A name and a number on each line.
const WEIGHTS: &str = include_str!("weights.txt");

/// The weights, in the order of the features.
static FITTED: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let held: BTreeMap<&str, f64> = WEIGHTS
        .lines()
        .filter_map(|line| {
            let (name, weight) = line.split_once(' ')?;
            Some((name, weight.parse().ok()?))
        })
        .collect();
    features::names().iter().map(|name| held.get(name.as_str()).copied().unwrap_or(0.0)).collect()
});

/// How much speaks for each row.
pub fn scores(rows: &[Vec<f32>]) -> Vec<f64> {
    rows.iter().map(|row| row.iter().zip(&*FITTED).map(|(value, weight)| f64::from(*value) * weight).sum()).collect()
}

/// How likely each of the things is meant, and none of them: their features, at last those of none.
pub fn probabilities(rows: &[Vec<f32>]) -> (Vec<f64>, f64) {
    let mut shares = raised(&scores(rows));
    let none = shares.pop().unwrap_or(1.0);
    (shares, none)
}

/// The share of each score; together they are one.
pub fn raised(scores: &[f64]) -> Vec<f64> {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let raised: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f64 = raised.iter().sum();
    raised.into_iter().map(|one| one / all).collect()
}
