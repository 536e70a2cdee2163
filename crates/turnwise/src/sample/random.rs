//! A generator of numbers that is the same everywhere and for ever, which library generators do not promise. Next: `shop`.

/// `SplitMix64` (Steele, Lea and Flood, 2014): 64 bits of state, passes the usual test batteries, four lines.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that starts from the seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is above 0. Taking the high half of a product has a bias of at most `end` / 2^64.
    pub fn below(&mut self, end: u32) -> u32 {
        let scaled = (u128::from(self.next()) * u128::from(end)) >> 64;
        u32::try_from(scaled).unwrap_or(0)
    }

    /// A number below `end` that prefers low ones: the lower of two draws, so that a third of customers buy half.
    pub fn low(&mut self, end: u32) -> u32 {
        self.below(end).min(self.below(end))
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, times: u32) -> bool {
        self.below(100) < times
    }

    /// One of the items; there must be one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let length = u32::try_from(items.len()).unwrap_or(u32::MAX);
        &items[self.below(length) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_paper() {
        // The first outputs for seed 1234567, as published with the reference implementation.
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = std::iter::repeat_with(|| random.next()).take(3).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_below_their_end_and_reach_all_of_it() {
        let mut random = Random::new(1);
        let mut seen = [0_u32; 6];
        for _ in 0..1_000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (100..250).contains(count)), "{seen:?}");
    }
}
