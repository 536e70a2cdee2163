//! How complex a task is, 0 to 100, as a sum of stated points (FL-05). The number of words counts for nothing.
//! Next: `missing`.

use serde::Serialize;

use super::missing::{is_making, work_verbs};
use crate::behaviour::says;
use crate::words::Words;

/// The highest score.
pub const COMPLEXITY_MAX: u32 = 100;

/// Below this a task with one or two clear steps runs without a plan (FL-05).
pub const SIMPLE_COMPLEXITY: u32 = 30;

/// Steps up to which a task is simple.
pub const SIMPLE_STEPS_MAX: usize = 2;

/// A score with what it is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Complexity {
    /// 0 to 100.
    pub score: u32,
    /// Steps that the words name.
    pub steps: usize,
    /// "+35 makes something new (website)".
    pub reasons: Vec<String>,
}

/// Every sign that adds to the score: points, why, and the phrases that show it.
const SIGNS: &[(u32, &str, &[&str])] = &[
    (25, "moves data or systems", &["migrate", "migration", "switch over", "move our", "cut over", "port"]),
    (15, "must not interrupt anything", &["without downtime", "zero downtime", "no downtime", "live"]),
    (15, "concerns everything of a kind", &["all", "every", "entire", "whole", "everywhere", "across"]),
    (
        15,
        "needs accounts or rights",
        &["login", "log in", "authentication", "auth", "permissions", "roles", "users", "oauth"],
    ),
    (15, "handles money", &["payment", "payments", "stripe", "billing", "invoices", "refunds", "checkout"]),
    (
        10,
        "talks to other systems",
        &[
            "api", "database", "kafka", "postgres", "mysql", "redis", "s3", "slack", "jira", "webhook", "webhooks",
            "email", "server", "cloud", "aws",
        ],
    ),
    (
        10,
        "has effects that are hard to take back",
        &["delete", "drop", "deploy", "production", "publish", "send", "purchase"],
    ),
    (
        10,
        "recurs by itself",
        &["automatically", "automate", "schedule", "daily", "weekly", "monthly", "nightly", "every night"],
    ),
    (10, "needs a choice between alternatives", &["compare", "evaluate", "recommend", "research", "choose"]),
    (
        15,
        "changes how something is built",
        &["refactor", "redesign", "rewrite", "restructure", "architecture", "modernize"],
    ),
];

/// What one more step or item of a list adds.
const STEP_POINTS: u32 = 10;
const ITEM_POINTS: u32 = 5;
const MAKING_POINTS: u32 = 35;
const BASE_POINTS: u32 = 5;

/// The complexity of the task in `words`.
pub(super) fn of(words: &Words, text: &str) -> Complexity {
    let mut complexity = Complexity { score: BASE_POINTS, steps: work_verbs(words).max(1), reasons: Vec::new() };
    if let Some(thing) = is_making(words) {
        complexity.add(MAKING_POINTS, &format!("makes something new ({thing})"));
    }
    for (points, why, phrases) in SIGNS {
        if let Some(sign) = phrases.iter().find(|phrase| says(&words.all, phrase)) {
            complexity.add(*points, &format!("{why} ({sign})"));
        }
    }
    let more_steps = u32::try_from(complexity.steps - 1).unwrap_or(COMPLEXITY_MAX).min(COMPLEXITY_MAX);
    if more_steps > 0 {
        complexity.add(more_steps * STEP_POINTS, &format!("{} steps", complexity.steps));
    }
    let items = u32::try_from(text.matches(", ").count()).unwrap_or(COMPLEXITY_MAX).min(COMPLEXITY_MAX);
    if items > 1 {
        complexity.add(items * ITEM_POINTS, &format!("a list of {} items", items + 1));
    }
    complexity
}

impl Complexity {
    fn add(&mut self, points: u32, why: &str) {
        self.score = (self.score + points).min(COMPLEXITY_MAX);
        self.reasons.push(format!("+{points} {why}"));
    }
}
