//! Ends of an order and comparisons with a number: the two things that superlatives and comparatives say beside the
//! property they are about. Next: `lexicon`, which has the words.

use serde::{Deserialize, Serialize};

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    Ascending,
    Descending,
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparator {
    Over,
    AtLeast,
    Under,
    AtMost,
    Equal,
    Unequal,
}

impl Comparator {
    /// What is true of a number exactly where this is not.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Over => Self::AtMost,
            Self::AtLeast => Self::Under,
            Self::Under => Self::AtLeast,
            Self::AtMost => Self::Over,
            Self::Equal => Self::Unequal,
            Self::Unequal => Self::Equal,
        }
    }
}
