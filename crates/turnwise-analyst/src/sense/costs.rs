//! What a reading costs and why: reasons with how much of each there is, and what one of each costs (`costs.txt`). A
//! cost is a natural logarithm of odds, so that they add up; all are fitted on `lessons` (see `fit`). A use that has no
//! line in that table is none. Next: `uses`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A reason on each line, with what it cost before anything was fitted and what it costs now.
const TABLE: &str = include_str!("costs.txt");

static EACH: LazyLock<BTreeMap<&str, f64>> =
    LazyLock::new(|| lines(TABLE).map(|(reason, _, fitted)| (reason, fitted)).collect());

/// The lines of a table: reason, cost before, cost now.
pub fn lines(table: &str) -> impl Iterator<Item = (&str, f64, f64)> {
    table.lines().filter_map(|line| {
        let (rest, fitted) = line.rsplit_once(' ')?;
        let (reason, before) = rest.rsplit_once(' ')?;
        Some((reason, before.parse().ok()?, fitted.parse().ok()?))
    })
}

/// What one of `reason` costs; nothing where it is not in the table.
pub fn of(reason: &str) -> Option<f64> {
    EACH.get(reason).copied()
}

/// What all reasons of something cost; where costs are fitted, the reasons, too, and how much there is of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    reasons: Vec<(String, f64)>,
    total: f64,
}

impl Costs {
    /// One of a reason.
    pub fn one(reason: impl Into<String>) -> Self {
        let mut costs = Self::default();
        costs.add(reason, 1.0);
        costs
    }

    /// Adds that much of a reason; one that is not in the table costs nothing.
    pub fn add(&mut self, reason: impl Into<String>, amount: f64) {
        let reason = reason.into();
        self.total += of(&reason).unwrap_or(0.0) * amount;
        // Only what is fitted asks for them, and it may give any reason a price.
        if cfg!(test) {
            self.reasons.push((reason, amount));
        }
    }

    pub fn add_all(&mut self, other: &Self) {
        self.reasons.extend(other.reasons.iter().cloned());
        self.total += other.total;
    }

    pub fn total(&self) -> f64 {
        self.total
    }

    #[cfg(test)]
    pub fn reasons(&self) -> &[(String, f64)] {
        &self.reasons
    }
}
