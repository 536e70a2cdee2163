//! The trained head: multinomial logistic regression over the views of the embedding and the lexical features.
//!
//! Each view is centred on its mean over the exemplars and scaled to a fixed length: embeddings share a large common
//! direction that tells nothing, and without it descent arrives in a third of the steps. Trained by gradient descent
//! with Nesterov momentum from zero, in one order, so that the same exemplars give the same weights everywhere. Classes
//! are weighted alike however many exemplars they have, because counts of exemplars say nothing about how often people
//! mean something. Next: `descent` for the training, `calibrate`, which turns scores into probabilities.

use crate::descent::{Prepared, descend, scores};
use crate::embed::Embedding;
use crate::lexical::{FeatureWeights, Lexicon};
use crate::math::{log_sum_exp, softmax};

/// An example to learn from.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The text.
    pub text: String,
    /// Its embedding.
    pub embedding: Embedding,
    /// Index of its class.
    pub class: usize,
    /// Where the text comes from.
    pub origin: Origin,
}

/// Where a sample's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Somebody says it like that.
    Exemplar,
    /// It is the name of the class. Learned from, but never held out: nobody talks in names of labels.
    Name,
}

/// A trained classifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// Names of the classes, by index.
    pub classes: Vec<String>,
    pub(crate) lexicon: Lexicon,
    /// The mean of the views over the samples, one after the other.
    pub(crate) centre: Vec<f32>,
    pub(crate) bias: Vec<f32>,
    /// One row of `classes` per feature: those of the views, then the lexical ones.
    pub(crate) weights: Vec<f32>,
    /// Divides the scores before they become probabilities; fitted on held-out folds.
    pub temperature: f32,
    /// What [`Head::familiarity`] has to reach for a message to be like the exemplars at all.
    pub familiarity_floor: f32,
}

impl Head {
    /// Trains on `samples`, whose classes index `classes`.
    #[must_use]
    pub fn train(samples: &[Sample], classes: &[String], weights: FeatureWeights) -> Self {
        let lexicon = Lexicon::of(samples.iter().map(|sample| sample.text.as_str()), weights);
        let centre = centre(samples);
        let prepared: Vec<Prepared> = samples
            .iter()
            .map(|sample| Prepared {
                dense: dense(&sample.embedding, &centre, weights),
                lexical: lexicon.features(&sample.text),
                class: sample.class,
            })
            .collect();
        let (bias, weights) = descend(&prepared, classes.len(), centre.len() + lexicon.len());
        Self {
            classes: classes.to_vec(),
            lexicon,
            centre,
            bias,
            weights,
            temperature: 1.0,
            familiarity_floor: f32::NEG_INFINITY,
        }
    }

    /// The score of each class before calibration.
    #[must_use]
    pub fn logits(&self, text: &str, embedding: &Embedding) -> Vec<f32> {
        let dense = dense(embedding, &self.centre, self.lexicon.weights);
        scores(&self.bias, &self.weights, &dense, &self.lexicon.features(text))
    }

    /// The calibrated probability of each class.
    #[must_use]
    pub fn probabilities(&self, text: &str, embedding: &Embedding) -> Vec<f32> {
        softmax(&self.logits(text, embedding), self.temperature)
    }

    /// What it weighs in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.centre.len() + self.bias.len() + self.weights.len() + self.lexicon.idf.len();
        numbers * size_of::<f32>() + self.lexicon.hashes.len() * size_of::<u64>()
    }

    /// How much a message is like what was learned: high when any class claims it, low when none does. Probabilities
    /// cannot say so, because they are shared out among the classes there are.
    #[must_use]
    pub fn familiarity(logits: &[f32]) -> f32 {
        log_sum_exp(logits)
    }
}

fn centre(samples: &[Sample]) -> Vec<f32> {
    let length = samples.first().map_or(0, |sample| sample.embedding.all_views().len());
    let mut sum = vec![0.0_f64; length];
    for sample in samples {
        sum.iter_mut().zip(sample.embedding.all_views()).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    sum.iter().map(|sum| (sum / samples.len() as f64) as f32).collect()
}

/// The views as features: centred, then scaled to their lengths.
fn dense(embedding: &Embedding, centre: &[f32], weights: FeatureWeights) -> Vec<f32> {
    let mut values: Vec<f32> = embedding.all_views().iter().zip(centre).map(|(value, mean)| value - mean).collect();
    for (view, length) in values.chunks_exact_mut(embedding.values().len().max(1)).zip(weights.views) {
        let norm = view.iter().map(|value| value * value).sum::<f32>().sqrt();
        let scale = if norm > 0.0 { length / norm } else { 0.0 };
        view.iter_mut().for_each(|value| *value *= scale);
    }
    values
}
