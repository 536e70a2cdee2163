//! An open question as it is put before a person: words and card, read from the state alone, so that whoever comes
//! later, through whatever surface, is asked the same in the same way. Next: `say`.

use std::sync::Arc;

use super::message::reading_choices;
use super::pause;
use crate::{Card, Choice, Conversation, Pending, PendingKind, Plan, PlanCard, PlanChange, RunId, plan_changes};

impl Conversation {
    /// The words and the card of `question`, one of [`Conversation::pending`]; `None` when what it was about is gone.
    #[must_use]
    pub fn asked(&self, question: &Pending) -> Option<(String, Option<Card>)> {
        let reference = question.reference();
        let with = |choices: Vec<Choice>| Some(Card::Question { reference, choices });
        Some(match &question.kind {
            PendingKind::Approval { .. } => {
                let plan = self.plan()?;
                offered(self, plan, question, self.changes_before(plan))
            }
            PendingKind::Clarification { clarification } => {
                (clarification.question.clone(), with(clarification.offered()))
            }
            PendingKind::Redirection => ("What should be different? Or say \"cancel\".".to_owned(), with(Vec::new())),
            PendingKind::WhichReading { options, .. } => {
                ("Which do you mean?".to_owned(), with(reading_choices(options)))
            }
            PendingKind::Failure { run } => failure(self, question, *run)?,
            PendingKind::Paused { .. } => (pause::at_boundary(self), with(pause::choices())),
            PendingKind::UnknownOutcome { step, reason, .. } => {
                let said = format!(
                    "It is not known whether {step} had its effect: {reason}. Please look, and say which it is."
                );
                (said, with(unknown_outcome_choices()))
            }
            PendingKind::ConfirmForget { name } => {
                (super::facts::question(self, name), with(super::facts::ways_to_forget()))
            }
            PendingKind::TalkedOver { points, kind, sorts, .. } => {
                (super::talk::so_far(points, sorts, *kind), with(vec![choice("implement", "Implement now")]))
            }
            PendingKind::Satisfaction { .. } => {
                ("Does this meet your needs?".to_owned(), with(super::satisfied::choices()))
            }
            PendingKind::ConfirmExit => {
                let choices = vec![choice("yes", "Yes, leave"), choice("no", "No, stay")];
                ("Do you want to leave?".to_owned(), with(choices))
            }
        })
    }

    /// What changed in `plan` since the version before it, while that is remembered.
    pub(super) fn changes_before(&self, plan: &Plan) -> Vec<PlanChange> {
        let before = self.task.as_ref().and_then(|task| task.before.as_ref());
        let before = before.filter(|before| before.id() == plan.id() && before.version() < plan.version());
        before.map(|before| plan_changes(before, plan)).unwrap_or_default()
    }
}

/// A plan as it is offered.
pub(super) fn offered(
    state: &Conversation,
    plan: &Arc<Plan>,
    question: &Pending,
    changes: Vec<PlanChange>,
) -> (String, Option<Card>) {
    let reused = state.reusable_steps(plan);
    let card = PlanCard { plan: Arc::clone(plan), reference: Some(question.reference()), changes, reused };
    let version = if plan.version() > 1 { format!(" (version {})", plan.version()) } else { String::new() };
    (format!("Plan{version}: {}", plan.draft().title), Some(Card::Plan(card)))
}

fn failure(state: &Conversation, question: &Pending, run: RunId) -> Option<(String, Option<Card>)> {
    let run = state.run().filter(|at_hand| at_hand.id() == run)?;
    let step = run.failed_step()?;
    let error = run.error(step).unwrap_or("no reason was given").to_owned();
    let description = run.plan().step(step).map(|step| step.description.clone()).unwrap_or_default();
    let fix =
        question.is_fixable.then(|| choice("fix", "Propose a fix: plan what would mend it, shown before it is done"));
    let choices = vec![
        choice("retry", "Try again: run what is left, keep what is done"),
        choice("replan", "Modify the plan: plan again with this failure in mind"),
        choice("abandon", "Start over: give this run up"),
    ];
    let choices = choices.into_iter().chain(fix).collect();
    let said = format!("{step} failed: {error}");
    Some((said, Some(Card::Failure { reference: question.reference(), step, description, error, choices })))
}

/// The ways on when nobody knows whether a step had its effect.
pub(super) fn unknown_outcome_choices() -> Vec<Choice> {
    vec![
        choice("happened", "It happened: go on without running it again"),
        choice("did not happen", "It did not happen: run it again"),
        choice("stop", "Stop the run here"),
    ]
}

fn choice(value: &str, label: &str) -> Choice {
    Choice::new(value, label)
}
