//! The status line (CF-29): one line that says mode, phase and what matters in it. The text is exact; colours are the
//! surface's business, by the parts of [`StatusLine`]. Next: the terminal channel.

use crate::text::{clip, count};
use crate::{Conversation, Mode, Phase, StepState, limits};

/// The frames of the spinner, shown while planning or executing.
pub const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// The parts of the status line, already cut to their widths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusLine {
    /// The mode.
    pub mode: Mode,
    /// The phase.
    pub phase: Phase,
    /// Whether a spinner follows the phase.
    pub spins: bool,
    /// What is being planned, decided on, run, or has failed; with its own marks and quotes.
    pub subject: Option<String>,
    /// What can be typed, or what is queued; in brackets.
    pub brackets: Option<String>,
}

impl StatusLine {
    /// The line for a phase: whether it spins and what stands in brackets follows from the phase alone.
    #[must_use]
    pub fn assemble(mode: Mode, phase: Phase, works: bool, subject: Option<String>, queued: usize) -> Self {
        let brackets = match phase {
            Phase::AwaitingApproval => Some("[y/n/suggest]".to_owned()),
            Phase::Failed => Some("[retry/replan/abandon]".to_owned()),
            Phase::Idle | Phase::Planning | Phase::Executing => (queued > 0).then(|| format!("[queued: {queued}]")),
        };
        let spins = works && matches!(phase, Phase::Planning | Phase::Executing);
        Self { mode, phase, spins, subject, brackets }
    }

    /// The line, with frame `frame` of the spinner.
    #[must_use]
    pub fn text(&self, frame: usize) -> String {
        let mut line = format!("[{}] {}", self.mode.badge(), self.phase);
        if self.spins {
            line.push(' ');
            line.push(SPINNER[frame % SPINNER.len()]);
        }
        if let Some(subject) = &self.subject {
            line.push_str(if self.phase == Phase::AwaitingApproval { "    " } else { " " });
            line.push_str(subject);
        }
        if let Some(brackets) = &self.brackets {
            line.push_str("    ");
            line.push_str(brackets);
        }
        line
    }
}

/// The status line of `conversation`.
#[must_use]
pub fn line(conversation: &Conversation) -> StatusLine {
    let phase = conversation.phase();
    let subject = match phase {
        Phase::Idle => None,
        Phase::Planning => conversation.problem().map(planning),
        Phase::AwaitingApproval => conversation.plan().map(|plan| awaiting(&plan.draft().title, plan.steps().len())),
        Phase::Executing => executing_step(conversation),
        Phase::Failed => failed_step(conversation),
    };
    // Planning that waits for the person does not spin: nothing is under way.
    let works = conversation.is_busy();
    let mut line = StatusLine::assemble(conversation.mode(), phase, works, subject, conversation.queue().len());
    if conversation.run().is_some_and(crate::Run::is_waiting) && phase == Phase::Executing {
        let queued = conversation.queue().len();
        let queued = if queued > 0 { format!(" [queued: {queued}]") } else { String::new() };
        line.brackets = Some(format!("[paused: resume/stop/suggest]{queued}"));
    }
    line
}

/// What is being planned, quoted.
#[must_use]
pub fn planning(problem: &str) -> String {
    format!("\"{}\"", clip(&problem.replace('\n', " "), limits::TITLE_WIDTH_PLANNING))
}

/// The plan that waits for a decision.
#[must_use]
pub fn awaiting(title: &str, steps: usize) -> String {
    format!("plan: \"{}\" ({})", clip(title, limits::TITLE_WIDTH), count(steps, "step"))
}

/// The step that runs.
#[must_use]
pub fn executing(step: u32, of: usize, description: &str) -> String {
    format!("step {step}/{of} \"{}\"", clip(description, limits::TITLE_WIDTH))
}

/// The step that failed.
#[must_use]
pub fn failed(step: u32, error: &str) -> String {
    format!("✗ step {step}    \"{}\"", clip(error, limits::ERROR_WIDTH))
}

fn executing_step(conversation: &Conversation) -> Option<String> {
    let run = conversation.run()?;
    let current = run.states().find(|(_, state)| {
        matches!(state, StepState::Running { .. } | StepState::Backoff { .. } | StepState::Unknown { .. })
    });
    let (step, _) = current
        .or_else(|| run.next_step().map(|step| (step, StepState::Waiting)))
        .or_else(|| run.states().find(|(_, state)| !state.is_finished()))?;
    let description = &run.plan().step(step)?.description;
    Some(executing(step.number(), run.plan().steps().len(), description))
}

fn failed_step(conversation: &Conversation) -> Option<String> {
    let run = conversation.run()?;
    let step = run.failed_step()?;
    Some(failed(step.number(), run.error(step).unwrap_or("unknown error")))
}
