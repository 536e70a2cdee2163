//! The compiled-in model, all-MiniLM-L6-v2 with weights of eight bits, run so that it gives the same bits on every
//! machine: a decision must not depend on whose processor it was made on. Products of weights are whole numbers, which
//! any processor adds up exactly; all else is additions, multiplications, divisions and square roots of fractions in a
//! fixed order, which IEEE 754 fixes. General runtimes do not promise that: without AVX-512 theirs cut sums of products
//! off at sixteen bits, and readings near a threshold came out otherwise there.
//!
//! The arithmetic is that of the network in `assets/minilm-l6` (BERT of six layers, twelve heads, 384 dimensions), with
//! what goes into each layer rounded to eight bits by its own range (ONNX `DynamicQuantizeLinear`). Next: `embed`.

use std::collections::BTreeMap;

use crate::onnx::{Numbers, initialisers};
use crate::tokens::Tokens;

/// The network.
pub(crate) struct MiniLm {
    /// Rows of the words, rounded to eight bits; they stay where the program has them.
    words: &'static [u8],
    word_zero: f32,
    word_scale: f32,
    /// What each place in a text adds.
    places: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    norm_between: Norm,
    inner: Linear,
    outer: Linear,
    norm_after: Norm,
}

/// Weights with what they are scaled by and what is added.
struct Linear {
    /// A row for each number that goes out.
    weights: Vec<i8>,
    scales: Vec<f32>,
    biases: Vec<f32>,
}

/// A normalisation of each token's numbers.
struct Norm {
    gains: Vec<f32>,
    biases: Vec<f32>,
}

/// Numbers rounded to eight bits, less their zero point.
struct Rounded {
    values: Vec<i16>,
    scale: f32,
}

impl MiniLm {
    /// The network of an ONNX file.
    ///
    /// # Errors
    /// What the file lacks.
    pub fn read(file: &'static [u8]) -> Result<Self, String> {
        let all = initialisers(file)?;
        let words = named(&all, "we_quantized")?.small()?;
        let word_scale = *floats(&all, "we_scale")?.first().ok_or("the words have no scale")?;
        let layers = (0..LAYERS).map(|layer| Layer::read(&all, layer)).collect::<Result<_, _>>()?;
        Ok(Self {
            words,
            word_zero: f32::from(named(&all, "we_zero_point")?.alone()?),
            word_scale,
            places: floats(&all, "pe")?,
            norm: Norm::read(&all, "embeddings.LayerNorm")?,
            layers,
        })
    }

    /// What the layer before the last, and the last, say of the tokens `pieces`.
    ///
    /// # Errors
    /// When a piece is none of the vocabulary, or there are more than the model has places for.
    pub fn run(&self, pieces: &[i32]) -> Result<[Tokens; 2], String> {
        let mut values = Vec::with_capacity(pieces.len() * DIMENSIONS);
        for (at, piece) in pieces.iter().enumerate() {
            let row = usize::try_from(*piece).ok().and_then(|piece| row(self.words, piece));
            let (Some(word), Some(place)) = (row, row_of(&self.places, at)) else {
                return Err(format!("token {piece} at place {at} is not known to the model"));
            };
            let numbers = word.iter().zip(place);
            values.extend(numbers.map(|(word, place)| (f32::from(*word) - self.word_zero) * self.word_scale + place));
        }
        self.norm.apply(&mut values);
        let mut before = values.clone();
        for layer in &self.layers {
            before.clone_from(&values);
            values = layer.apply(&values);
        }
        Ok([before, values].map(|values| Tokens { values, dimensions: DIMENSIONS }))
    }
}

fn row(words: &'static [u8], at: usize) -> Option<&'static [u8]> {
    words.get(at.checked_mul(DIMENSIONS)?..)?.get(..DIMENSIONS)
}

fn row_of(places: &[f32], at: usize) -> Option<&[f32]> {
    places.get(at.checked_mul(DIMENSIONS)?..)?.get(..DIMENSIONS)
}

impl Layer {
    fn read(all: &BTreeMap<&str, Numbers<'_>>, layer: usize) -> Result<Self, String> {
        let linear = |name: &str| Linear::read(all, &format!("encoder.layer.{layer}.{name}"));
        let norm = |name: &str| Norm::read(all, &format!("encoder.layer.{layer}.{name}"));
        Ok(Self {
            query: linear("attention.self.query")?,
            key: linear("attention.self.key")?,
            value: linear("attention.self.value")?,
            output: linear("attention.output.dense")?,
            norm_between: norm("attention.output.LayerNorm")?,
            inner: linear("intermediate.dense")?,
            outer: linear("output.dense")?,
            norm_after: norm("output.LayerNorm")?,
        })
    }

    fn apply(&self, values: &[f32]) -> Vec<f32> {
        let rounded = Rounded::of(values);
        let [query, key, value] = [&self.query, &self.key, &self.value].map(|linear| linear.apply(&rounded));
        let attended = Rounded::of(&attend(&query, &key, &value));
        let mut between = self.output.apply(&attended);
        add(&mut between, values);
        self.norm_between.apply(&mut between);
        let mut inner = self.inner.apply(&Rounded::of(&between));
        inner.iter_mut().for_each(|value| *value = gelu(*value));
        let mut after = self.outer.apply(&Rounded::of(&inner));
        add(&mut after, &between);
        self.norm_after.apply(&mut after);
        after
    }
}

fn add(values: &mut [f32], others: &[f32]) {
    values.iter_mut().zip(others).for_each(|(value, other)| *value += other);
}

/// What each token takes from the others, head by head.
fn attend(query: &[f32], key: &[f32], value: &[f32]) -> Vec<f32> {
    let tokens = query.len() / DIMENSIONS;
    let mut out = vec![0.0; query.len()];
    let mut shares = vec![0.0_f32; tokens];
    for head in 0..HEADS {
        let part = |of: &'_ [f32], token: usize| -> [f32; HEAD] {
            let begin = token * DIMENSIONS + head * HEAD;
            of[begin..begin + HEAD].try_into().unwrap_or([0.0; HEAD])
        };
        for token in 0..tokens {
            let asks = part(query, token);
            for (other, share) in shares.iter_mut().enumerate() {
                *share = crate::embed::dot(&asks, &part(key, other)) * HEAD_SCALE;
            }
            softmax(&mut shares);
            let begin = token * DIMENSIONS + head * HEAD;
            for (other, share) in shares.iter().enumerate() {
                let from = part(value, other);
                out[begin..begin + HEAD].iter_mut().zip(from).for_each(|(sum, value)| *sum += share * value);
            }
        }
    }
    out
}

fn softmax(values: &mut [f32]) {
    let highest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|value| *value = exp(*value - highest));
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

impl Norm {
    fn read(all: &BTreeMap<&str, Numbers<'_>>, name: &str) -> Result<Self, String> {
        let part = |part: &str| sized(floats(all, &format!("{name}.{part}"))?, DIMENSIONS, name);
        Ok(Self { gains: part("g")?, biases: part("b")? })
    }

    fn apply(&self, values: &mut [f32]) {
        for token in values.chunks_exact_mut(DIMENSIONS) {
            let mean = sum(token.iter().copied()) / DIMENSIONS as f32;
            token.iter_mut().for_each(|value| *value -= mean);
            let variance = sum(token.iter().map(|value| value * value)) / DIMENSIONS as f32;
            let scale = 1.0 / (variance + EPSILON).sqrt();
            for ((value, gain), bias) in token.iter_mut().zip(&self.gains).zip(&self.biases) {
                *value = *value * scale * gain + bias;
            }
        }
    }
}

/// A sum in a fixed order, eight at a time.
fn sum(values: impl Iterator<Item = f32>) -> f32 {
    let mut lanes = [0.0_f32; 8];
    values.enumerate().for_each(|(at, value)| lanes[at % 8] += value);
    lanes.iter().sum()
}

impl Rounded {
    fn of(values: &[f32]) -> Self {
        let lowest = values.iter().copied().fold(0.0, f32::min);
        let highest = values.iter().copied().fold(0.0, f32::max);
        let scale = (highest - lowest) / STEPS;
        if scale <= 0.0 {
            return Self { values: vec![0; values.len()], scale: 0.0 };
        }
        let zero = nearest(-lowest / scale).clamp(0.0, STEPS);
        let rounded = |value: &f32| ((nearest(value / scale) + zero).clamp(0.0, STEPS) - zero) as i16;
        Self { values: values.iter().map(rounded).collect(), scale }
    }
}

/// The nearest whole number, the even one of two: adding this much leaves no place for a fraction.
fn nearest(value: f32) -> f32 {
    const NO_FRACTION: f32 = 12_582_912.0;
    (value + NO_FRACTION) - NO_FRACTION
}

impl Linear {
    fn read(all: &BTreeMap<&str, Numbers<'_>>, name: &str) -> Result<Self, String> {
        let (scales, biases) = (floats(all, &format!("{name}.w_scale"))?, floats(all, &format!("{name}.b"))?);
        let stored = named(all, &format!("{name}.w_quantized"))?.small()?;
        let outputs = biases.len();
        if outputs == 0 || scales.len() != outputs || !stored.len().is_multiple_of(outputs) {
            return Err(format!("the weights of {name} do not fit each other"));
        }
        // The file has a row for each number that goes in.
        let inputs = stored.len() / outputs;
        let mut weights = Vec::with_capacity(stored.len());
        for output in 0..outputs {
            weights.extend((0..inputs).map(|input| stored[input * outputs + output] as i8));
        }
        Ok(Self { weights, scales, biases })
    }

    /// What goes out for each token.
    fn apply(&self, input: &Rounded) -> Vec<f32> {
        let outputs = self.biases.len();
        let inputs = self.weights.len() / outputs;
        let tokens = input.values.len() / inputs;
        let mut sums = vec![0_i32; tokens * outputs];
        pulp::Arch::new().dispatch(Products { weights: &self.weights, input: &input.values, sums: &mut sums, inputs });
        let scaled = |(sums, (scale, bias)): (&i32, (&f32, &f32))| *sums as f32 * (input.scale * scale) + bias;
        sums.chunks_exact(outputs)
            .flat_map(|token| token.iter().zip(self.scales.iter().zip(&self.biases)).map(scaled))
            .collect()
    }
}

/// The sums of products of all tokens with all rows of weights, with the widest registers there are: they are whole
/// numbers, so the order in which a processor adds them makes no difference.
struct Products<'a> {
    weights: &'a [i8],
    input: &'a [i16],
    sums: &'a mut [i32],
    inputs: usize,
}

impl pulp::NullaryFnOnce for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let outputs = self.weights.len() / self.inputs;
        let mut wide = vec![0_i16; self.inputs];
        for (output, row) in self.weights.chunks_exact(self.inputs).enumerate() {
            wide.iter_mut().zip(row).for_each(|(wide, weight)| *wide = i16::from(*weight));
            let mut tokens = self.input.chunks_exact(self.inputs * BLOCK);
            let mut at = output;
            for block in &mut tokens {
                for sum in products(block, &wide) {
                    self.sums[at] = sum;
                    at += outputs;
                }
            }
            for token in tokens.remainder().chunks_exact(self.inputs) {
                self.sums[at] = product(token, &wide);
                at += outputs;
            }
        }
    }
}

/// The sum of products of a token with one row of weights. It cannot overflow: 1,536 times 255 times 128 is far from
/// it; that nothing is checked lets several be added at a time in builds for tests as well.
#[inline(always)]
fn product(token: &[i16], weights: &[i16]) -> i32 {
    let products = token.iter().zip(weights).map(|(a, b)| i32::from(*a).wrapping_mul(i32::from(*b)));
    products.fold(0, i32::wrapping_add)
}

/// The same for a block of tokens.
#[inline(always)]
fn products(block: &[i16], weights: &[i16]) -> [i32; BLOCK] {
    let (first, rest) = block.split_at(weights.len());
    let (second, rest) = rest.split_at(weights.len());
    let (third, fourth) = rest.split_at(weights.len());
    let mut sums = [0_i32; BLOCK];
    let all = first.iter().zip(second).zip(third.iter().zip(fourth)).zip(weights);
    for (((a, b), (c, d)), weight) in all {
        let weight = i32::from(*weight);
        sums[0] = sums[0].wrapping_add(i32::from(*a).wrapping_mul(weight));
        sums[1] = sums[1].wrapping_add(i32::from(*b).wrapping_mul(weight));
        sums[2] = sums[2].wrapping_add(i32::from(*c).wrapping_mul(weight));
        sums[3] = sums[3].wrapping_add(i32::from(*d).wrapping_mul(weight));
    }
    sums
}

/// x times the normal distribution's share below x. Error below 1e-6.
fn gelu(value: f32) -> f32 {
    0.5 * value * (1.0 + erf(value * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, by formula 7.1.26 of Abramowitz and Stegun, Handbook of Mathematical Functions: error below
/// 2e-7.
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let series = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_8) * t - 0.284_496_72) * t + 0.254_829_6) * t;
    (1.0 - series * exp(-size * size)).copysign(x)
}

/// e to the power of `x`, relative error below 2e-7 between -87 and 88, at which it is cut.
fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let power = nearest(x * std::f32::consts::LOG2_E);
    // ln(2) in two parts, so that nothing is lost where they nearly cancel.
    let rest = (x - power * 0.693_359_4) - power * -2.121_944_4e-4;
    let series = 1.987_569_1e-4;
    let series = series * rest + 1.398_199_9e-3;
    let series = series * rest + 8.333_452e-3;
    let series = series * rest + 4.166_579_6e-2;
    let series = series * rest + 1.666_666_5e-1;
    let series = series * rest + 0.5;
    let value = series * rest * rest + rest + 1.0;
    value * f32::from_bits(((power as i32 + 127) as u32) << 23)
}

fn named<'a>(all: &BTreeMap<&str, Numbers<'a>>, name: &str) -> Result<Numbers<'a>, String> {
    all.get(name).copied().ok_or_else(|| format!("the model has no {name}"))
}

fn floats(all: &BTreeMap<&str, Numbers<'_>>, name: &str) -> Result<Vec<f32>, String> {
    named(all, name)?.floats()
}

fn sized(values: Vec<f32>, length: usize, name: &str) -> Result<Vec<f32>, String> {
    if values.len() == length { Ok(values) } else { Err(format!("{name} has {} numbers, not {length}", values.len())) }
}

const LAYERS: usize = 6;
const DIMENSIONS: usize = 384;
const HEADS: usize = 12;
/// Numbers of a head.
const HEAD: usize = DIMENSIONS / HEADS;
/// One over the root of that.
const HEAD_SCALE: f32 = 0.176_776_69;
/// What keeps a normalisation from dividing by zero.
const EPSILON: f32 = 1e-12;
/// Steps of numbers of eight bits.
const STEPS: f32 = 255.0;
/// Tokens whose products are summed at the same time: each weight is loaded once for all.
const BLOCK: usize = 4;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use sha2::Digest as _;

    use super::*;
    use crate::embed::Embedder as _;

    #[test]
    fn functions_are_as_exact_as_they_say() {
        for step in -800..=800_i32 {
            let x = step as f32 / 100.0;
            let right = crate::math::exp(f64::from(x));
            assert!(((f64::from(exp(x)) - right) / right).abs() < 3e-7, "exp({x}) = {}", exp(x));
        }
        // Values of the error function to seven places, from the same handbook's table 7.1.
        for (x, right) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (1.5, 0.966_105_1), (2.0, 0.995_322_3)] {
            assert!((erf(x) - right).abs() < 4e-7, "erf({x}) = {}", erf(x));
            assert!((erf(-x) + right).abs() < 4e-7);
        }
        assert_eq!([0.5, 1.5, 2.5, -0.5, -1.5, 2.49].map(nearest), [0.0, 2.0, 2.0, 0.0, -2.0, 2.0]);
    }

    /// The first components as the same arithmetic in double precision gives them, in 4096ths: rounding to eight bits
    /// amplifies the last places of single precision a little.
    #[test]
    fn a_text_is_where_the_network_puts_it() {
        for (text, right) in [
            ("revenue by region", [333, 243, -45, -255, -183, -97, 135, -2, -149, 7, 29, 14]),
            ("i have nothing to add", [-242, -151, -581, -27, 8, 77, 48, 115, 2, 2, 219, -632]),
            ("should we build it ?", [-296, 229, -34, -208, -200, -112, -26, -20, -230, 125, -211, 93]),
        ] {
            let embedding = crate::embed::MiniLm.embed(text).unwrap();
            let components = embedding.values().iter().map(|value| (value * 4096.0) as i32);
            let off = components.zip(right).map(|(value, right)| (value - right).abs()).max().unwrap();
            assert!(off <= OFF_MAX, "“{text}” is off by {off}");
        }
    }

    /// Recorded once; a machine, compiler or change that gives other bits fails here before a decision depends on it.
    #[test]
    fn every_machine_gives_the_same_bits() {
        let texts = ["revenue by region", "I have nothing to add", "yes, please do that", "x", "", LONG];
        let mut hash = sha2::Sha256::new();
        for text in texts {
            let embedding = crate::embed::MiniLm.embed(text).unwrap();
            embedding.all_views().iter().for_each(|value| hash.update(value.to_le_bytes()));
        }
        let digest: String = hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, "bc82816c8cf7a136");
    }

    /// 4096ths that a component may be off.
    const OFF_MAX: i32 = 12;
    const LONG: &str = "compare the revenue of every region with the year before, leave out what was refunded, and \
                        tell me which customers in Germany or Austria ordered less than they did last summer and why";

    #[test]
    fn sums_of_products_do_not_depend_on_how_tokens_are_put_together() {
        let linear = Linear {
            weights: (0..3 * 64).map(|at| ((at * 37 % 255) - 127) as i8).collect(),
            scales: vec![1.0; 3],
            biases: vec![0.0; 3],
        };
        let values: Vec<i16> = (0..7 * 64).map(|at| ((at * 29 % 511) - 255) as i16).collect();
        let all = linear.apply(&Rounded { values: values.clone(), scale: 1.0 });
        let one_by_one = values.chunks(64).flat_map(|token| {
            let right = linear.weights.chunks(64).map(|row| {
                row.iter().zip(token).map(|(weight, value)| i32::from(*weight) * i32::from(*value)).sum::<i32>() as f32
            });
            right.collect::<Vec<_>>()
        });
        assert_eq!(all, one_by_one.collect::<Vec<_>>());
    }
}
