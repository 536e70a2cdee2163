//! The only likely reading: a menu of what nobody meant is no help, so where work only ever looks it is taken. Where a
//! model is asked, that says which is meant. Next: `message`, which asks otherwise.

use super::turn::Turn;
use crate::{Act, Reading, Routing};

/// The only reading that is likely, where it begins nothing that is not shown.
pub(super) fn alone(turn: &Turn<'_>, options: &[Reading]) -> Option<Reading> {
    let (best, others) = options.split_first()?;
    let begins_work = matches!(best.act, Act::PlanNew(_) | Act::Query(_));
    let is_clear = best.confidence.value() >= LIKELY_MIN
        && others.iter().all(|other| other.confidence.value() < UNLIKELY_BELOW)
        && turn.policy.takes_likely
        && turn.flow().routing != Routing::Aggressive
        && !turn.policy.hears;
    Some(best).filter(|_| begins_work && is_clear).cloned()
}

/// How sure the only likely reading is at least, and how sure no other one is.
const LIKELY_MIN: f32 = 0.6;
const UNLIKELY_BELOW: f32 = 0.1;

/// Whether words ask about something of which nothing is known here: that is said (CF-32), and no question is put back
/// about it. What could be said of the last result is none of these.
pub(super) fn asks_elsewhere(words: &str, grounding: &[String], options: &[Reading]) -> bool {
    let likely = options.first().is_some_and(|option| option.act != Act::PlanContinue);
    let asks = options.iter().any(|option| matches!(option.act, Act::Query(_)));
    grounding.is_empty() && words.trim_end().ends_with('?') && likely && asks
}
