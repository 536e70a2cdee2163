//! Chance, all of it drawn from the seed: the same seed gives the same draws on every machine. The generator is
//! SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), written here in full so that
//! no update of a library changes what a seed means. Next: `faults` and `people`, who draw most.

use std::sync::atomic::{AtomicU64, Ordering};

/// A stream of draws. Shared by reference: on one thread the order of draws is the order of the program.
#[derive(Debug)]
pub struct Chance(AtomicU64);

const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

impl Chance {
    /// The stream `name` of `seed`. What one stream draws does not move the others.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let named = name.bytes().fold(0_u64, |sum, byte| mix(sum.wrapping_add(GOLDEN_GAMMA) ^ u64::from(byte)));
        Self(AtomicU64::new(mix(seed.wrapping_add(GOLDEN_GAMMA)) ^ named))
    }

    fn draw(&self) -> u64 {
        mix(self.0.fetch_add(GOLDEN_GAMMA, Ordering::Relaxed).wrapping_add(GOLDEN_GAMMA))
    }

    /// A number from 0 up to and without `end`; 0 when `end` is 0. The bias of the remainder does not matter here.
    pub fn below(&self, end: u64) -> u64 {
        self.draw().checked_rem(end).unwrap_or(0)
    }

    /// A number of both ends and everything between them.
    pub fn between(&self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// True `count` times in a thousand.
    pub fn per_mille(&self, count: u64) -> bool {
        self.below(1_000) < count
    }

    /// One of `choices`, with its weight.
    ///
    /// # Panics
    /// When there is no choice with a weight.
    pub fn weighted<T: Clone>(&self, choices: &[(u64, T)]) -> T {
        let mut left = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            if left < *weight {
                return choice.clone();
            }
            left -= weight;
        }
        unreachable!("BUG: the draw is below the sum of the weights, and there is at least one choice")
    }

    /// One of `choices`, if there is any.
    pub fn pick<'a, T>(&self, choices: &'a [T]) -> Option<&'a T> {
        let at = usize::try_from(self.below(choices.len() as u64)).ok()?;
        choices.get(at)
    }
}

fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
