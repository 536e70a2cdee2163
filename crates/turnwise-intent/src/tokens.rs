//! What a layer of a network says of each token of a text, and the ways to make one vector of it. It stands apart
//! because the compiled-in model and those read from files run differently and are summed up alike. Next: `embed`.

/// What a layer says of each token, one after the other.
pub(crate) struct Tokens {
    /// All of it.
    pub values: Vec<f32>,
    /// How many numbers it says of each.
    pub dimensions: usize,
}

impl Tokens {
    /// The sum over the tokens, which is the mean up to its length.
    pub fn mean(&self) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for token in self.values.chunks_exact(self.dimensions) {
            sum.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
        }
        sum
    }

    /// The highest value of each dimension: what a single word says loudly, which the mean drowns.
    pub fn strongest(&self) -> Vec<f32> {
        let mut highest = vec![f32::NEG_INFINITY; self.dimensions];
        for token in self.values.chunks_exact(self.dimensions) {
            highest.iter_mut().zip(token).for_each(|(highest, value)| *highest = highest.max(*value));
        }
        highest
    }

    /// What is said of the first token, which models of the BERT family give to the sentence as a whole.
    #[cfg(feature = "embedders")]
    pub fn first(&self) -> Vec<f32> {
        self.values.iter().take(self.dimensions).copied().collect()
    }
}
