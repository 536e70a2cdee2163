//! Probabilities of intents in their order: what a reading is chosen by, and how clearly. Kept apart from the cascade,
//! which only asks for them. Next: `reader`.

use crate::calibrate::best_of;

/// The classes with their probabilities, best first.
pub(super) fn ranked(classes: &[String], probabilities: &[f32]) -> Vec<(String, f32)> {
    let mut ranked: Vec<(String, f32)> = classes.iter().cloned().zip(probabilities.iter().copied()).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    ranked
}

/// Makes `name` certain and all else out of the question.
pub(super) fn settle(ranked: &mut Vec<(String, f32)>, name: &str) {
    ranked.retain(|(other, _)| other != name);
    ranked.iter_mut().for_each(|(_, p)| *p = 0.0);
    ranked.insert(0, (name.to_owned(), 1.0));
}

/// How far `intent` is ahead of the best of the others.
pub(super) fn margin(ranked: &[(String, f32)], intent: &str) -> f32 {
    let own = ranked.iter().find(|(name, _)| name == intent).map_or(0.0, |(_, p)| *p);
    let others: Vec<f32> = ranked.iter().filter(|(name, _)| name != intent).map(|(_, p)| *p).collect();
    (own - best_of(&others).1.max(0.0)).max(0.0)
}
