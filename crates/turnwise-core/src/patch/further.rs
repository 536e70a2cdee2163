//! A further question in one plan: said by the engine as a person would say it, so that an assistant has one way to
//! read both. Next: `wish`, which reads it when a plan is there already.

/// The change by which `question` is to be answered by steps of its own in the same plan.
#[must_use]
pub fn asked(question: &str) -> String {
    format!("{LEAD}{question}")
}

/// The question of a change that asks for steps of its own; `None` when it asks for something else.
#[must_use]
pub fn question_of(change: &str) -> Option<&str> {
    change.trim_start().strip_prefix(LEAD)
}

const LEAD: &str = "add a step: ";
