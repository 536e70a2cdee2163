//! Histories in words, because whoever has to understand a failing seed reads them and not the values. One line for
//! each event and deed. Next: `watch`, which writes them down.

use turnwise_core::{Event, PlanningEvent, RunEvent, StepTask, text};

use crate::ledger::DeedKind;

/// An event in one line.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::MessageReceived { message, person, text, .. } => format!("{person} said {message} “{text}”"),
        Event::ReceiptGiven { receipt } => {
            format!("receipt of {}: {}, {}", receipt.message, receipt.outcome.word(), receipt.detail)
        }
        Event::PendingOpened { pending } => {
            format!("{} (ui {}) asks {}", pending.id, pending.ui_version, clipped(&pending.kind))
        }
        Event::PendingClosed { pending, resolution, .. } => format!("{pending} was {}", resolution.word()),
        Event::Said { text, .. } => format!("said “{}”", text::clip(text, WIDTH)),
        Event::Planning(PlanningEvent::PlanDrafted { request, plan }) => {
            format!("{request} drafted {} v{}: {}", plan.id(), plan.version(), steps(plan))
        }
        Event::Run(RunEvent::Approved { run, plan, trigger, kept, .. }) => {
            let kept: Vec<u32> = kept.iter().map(|step| step.number()).collect();
            format!("{run} of {} v{} approved by {trigger}, keeping {kept:?}", plan.id(), plan.version())
        }
        Event::Run(RunEvent::StepCompleted { run, step, .. }) => format!("{step} of {run} completed"),
        other => clipped(other),
    }
}

/// A deed in one line.
pub(crate) fn deed(process: usize, task: &StepTask, kind: DeedKind) -> String {
    let what = match kind {
        DeedKind::Began => "begins",
        DeedKind::Effect => "HAPPENS",
    };
    let class = task.work.effect;
    format!(
        "{} {what} in process {process} ({class:?}, {} of {}, attempt {})",
        task.work.description, task.step, task.run, task.attempt
    )
}

fn steps(plan: &turnwise_core::Plan) -> String {
    let step = |step: &turnwise_core::Step| {
        let after: Vec<u32> = step.after.iter().map(|step| step.number()).collect();
        format!("{} {} after {after:?}", step.id.number(), step.description)
    };
    plan.steps().iter().map(step).collect::<Vec<_>>().join("; ")
}

fn clipped(value: &impl std::fmt::Debug) -> String {
    text::clip(&format!("{value:?}"), WIDTH)
}

/// Characters of a value that are shown.
const WIDTH: usize = 140;
