//! Gradient descent for the head, in plain loops whose order never changes.
//!
//! Weights stand feature by feature with the classes beside each other, so that a dense feature and a lexical one are
//! treated alike and the inner loops run over neighbours in memory. More samples than [`BATCH_MAX`] are taken in turn,
//! in batches of every n-th: a step costs the same however many there are. Next: `head`.

use crate::limits::{BATCH_MAX, TRAIN_STEPS, TRAIN_STEPS_MANY};
use crate::math::softmax;

/// A sample as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) dense: Vec<f32>,
    /// Index and value, counted from the first lexical feature.
    pub(crate) lexical: Vec<(u32, f32)>,
    pub(crate) class: usize,
}

const MOMENTUM: f32 = 0.9;
/// The bias sees the constant 1 and has the steepest curvature; the weights see features that are mostly small and
/// take longer steps. Fifty steps of this size classify the validation splits as well as two hundred.
const BIAS_STEP_SIZE: f32 = 2.0;
const WEIGHT_STEP_SIZE: f32 = 20.0;
/// Strength of the pull towards zero, as if on the sum of the losses.
const RIDGE: f32 = 0.05;

/// Bias and weights (one row of `classes` per feature) after the descent.
pub(crate) fn descend(samples: &[Prepared], classes: usize, features: usize) -> (Vec<f32>, Vec<f32>) {
    let importance = class_weights(samples, classes);
    let mut descent = Descent::new(classes, features, RIDGE / samples.len().max(1) as f32);
    let batches = samples.len().div_ceil(BATCH_MAX).max(1);
    let steps = if batches > 1 { TRAIN_STEPS_MANY } else { TRAIN_STEPS };
    for step in 0..steps {
        let batch: Vec<&Prepared> = samples.iter().skip(step % batches).step_by(batches).collect();
        descent.step(&batch, &importance);
    }
    descent.end()
}

/// The score of each class.
pub(crate) fn scores(bias: &[f32], weights: &[f32], dense: &[f32], lexical: &[(u32, f32)]) -> Vec<f32> {
    let classes = bias.len();
    let mut scores = bias.to_vec();
    if classes == 0 {
        return scores;
    }
    let (of_views, of_lexicon) = weights.split_at(dense.len() * classes);
    for (values, rows) in dense.chunks(LANES).zip(of_views.chunks(LANES * classes)) {
        add_rows(&mut scores, values, rows);
    }
    for (feature, value) in lexical {
        add_rows(&mut scores, &[*value], &of_lexicon[*feature as usize * classes..][..classes]);
    }
    scores
}

/// Rows or samples taken at once, so that what is added to is read and written once for all of them.
const LANES: usize = 4;

/// Adds to `sum` each row times its value.
fn add_rows(sum: &mut [f32], values: &[f32], rows: &[f32]) {
    let classes = sum.len();
    if let &[a, b, c, d] = values {
        let (first, second) = rows.split_at(2 * classes);
        let (ra, rb) = first.split_at(classes);
        let (rc, rd) = second.split_at(classes);
        for ((((sum, ra), rb), rc), rd) in sum.iter_mut().zip(ra).zip(rb).zip(rc).zip(rd) {
            *sum += a * ra + b * rb + c * rc + d * rd;
        }
        return;
    }
    for (value, row) in values.iter().zip(rows.chunks_exact(classes)) {
        sum.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * weight);
    }
}

struct Descent {
    classes: usize,
    /// Pull towards zero per step and unit of weight.
    ridge: f32,
    bias: Moving,
    weights: Moving,
}

/// Parameters in motion. `ahead` is where momentum alone would lead next: Nesterov takes the slope there.
struct Moving {
    ahead: Vec<f32>,
    velocity: Vec<f32>,
    slope: Vec<f32>,
}

impl Moving {
    fn at_rest(length: usize) -> Self {
        Self { ahead: vec![0.0; length], velocity: vec![0.0; length], slope: vec![0.0; length] }
    }

    fn go(&mut self, step_size: f32) {
        for ((ahead, velocity), slope) in self.ahead.iter_mut().zip(&mut self.velocity).zip(&self.slope) {
            *velocity = MOMENTUM * *velocity - step_size * slope;
            *ahead += MOMENTUM * *velocity - step_size * slope;
        }
    }

    /// Where it stands, without what momentum would add.
    fn stop(self) -> Vec<f32> {
        self.ahead.iter().zip(&self.velocity).map(|(ahead, velocity)| ahead - MOMENTUM * velocity).collect()
    }
}

impl Descent {
    fn new(classes: usize, features: usize, ridge: f32) -> Self {
        Self { classes, ridge, bias: Moving::at_rest(classes), weights: Moving::at_rest(classes * features) }
    }

    fn step(&mut self, batch: &[&Prepared], importance: &[f32]) {
        self.bias.slope.fill(0.0);
        let ridge = self.ridge;
        self.weights.slope.iter_mut().zip(&self.weights.ahead).for_each(|(slope, weight)| *slope = ridge * weight);
        for together in batch.chunks(LANES) {
            let errors: Vec<f32> = together.iter().flat_map(|one| self.error(one, importance, batch.len())).collect();
            self.add_slope(together, &errors);
        }
        self.bias.go(BIAS_STEP_SIZE);
        self.weights.go(WEIGHT_STEP_SIZE);
    }

    fn error(&self, one: &Prepared, importance: &[f32], batch: usize) -> Vec<f32> {
        let scores = scores(&self.bias.ahead, &self.weights.ahead, &one.dense, &one.lexical);
        let mut error = softmax(&scores, 1.0);
        error[one.class] -= 1.0;
        let weight = importance[one.class] / batch as f32;
        error.iter_mut().for_each(|error| *error *= weight);
        error
    }

    fn add_slope(&mut self, together: &[&Prepared], errors: &[f32]) {
        let classes = self.classes;
        add_rows(&mut self.bias.slope, &[1.0; LANES][..together.len()], errors);
        let views = together.first().map_or(0, |one| one.dense.len());
        let (of_views, of_lexicon) = self.weights.slope.split_at_mut(views * classes);
        for (feature, row) in of_views.chunks_exact_mut(classes).enumerate() {
            let mut values = [0.0; LANES];
            values.iter_mut().zip(together).for_each(|(value, one)| *value = one.dense[feature]);
            add_rows(row, &values[..together.len()], errors);
        }
        for (one, error) in together.iter().zip(errors.chunks_exact(classes)) {
            for (feature, value) in &one.lexical {
                add_rows(&mut of_lexicon[*feature as usize * classes..][..classes], &[*value], error);
            }
        }
    }

    fn end(self) -> (Vec<f32>, Vec<f32>) {
        (self.bias.stop(), self.weights.stop())
    }
}

fn class_weights(samples: &[Prepared], classes: usize) -> Vec<f32> {
    let mut counts = vec![0_usize; classes];
    samples.iter().for_each(|sample| counts[sample.class] += 1);
    let present = counts.iter().filter(|count| **count > 0).count();
    counts.iter().map(|count| samples.len() as f32 / (present * count.max(&1)) as f32).collect()
}
