//! The properties people ask about by other words than a column's name: money, prices, lengths. Next: `lexicon`,
//! which has the words and the names of their columns.

use serde::{Deserialize, Serialize};

/// A property people ask about by other words than its column's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Concept {
    Money,
    Price,
    Quantity,
    Length,
    Duration,
    Size,
    Date,
    Age,
    Weight,
    Height,
    Speed,
    Rating,
    Pay,
    Delay,
    Temperature,
    Distance,
    Population,
}
