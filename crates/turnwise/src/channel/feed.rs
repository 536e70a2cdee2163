//! The feed: which events a person sees, and how. Everything said is shown; of a run, the steps as they end; of
//! receipts, only those whose turn said nothing, so that no message falls silent. Next: `draw`.

use std::sync::Arc;

use turnwise_core::{Conversation, Event, Outcome, Plan, RunEvent, Sequence, StepId};

use super::draw::{Line, Look, Tone, said, visible, wrap};
use crate::driver::Recorded;

/// Whether a person's own words are part of what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    /// Yes: the input box is emptied when they are sent.
    Shown,
    /// No: they are wherever they were typed.
    Hidden,
}

/// Turns events into lines, in order.
pub struct Feed {
    echo: Echo,
    plan: Option<Arc<Plan>>,
    /// Whether something was said since the last message.
    spoken: bool,
}

impl Feed {
    /// For a conversation as it is now; events after this follow.
    #[must_use]
    pub fn new(echo: Echo, state: &Conversation) -> Self {
        Self { echo, plan: state.run().map(|run| Arc::clone(run.plan())), spoken: true }
    }

    /// The lines `event` adds to the transcript; most events add none.
    pub fn lines(&mut self, event: &Event, look: Look) -> Vec<Line> {
        match event {
            Event::MessageReceived { text, .. } => {
                self.spoken = false;
                if self.echo == Echo::Shown { message(text, look) } else { Vec::new() }
            }
            Event::Said { text, card } => {
                self.spoken = true;
                said(text, card.as_ref(), look)
            }
            Event::ReceiptGiven { receipt } => {
                // What was merged, queued or refused in silence would leave the person guessing; what was answered or
                // applied shows by itself.
                let silent = matches!(receipt.outcome, Outcome::Merged | Outcome::Queued | Outcome::Refused);
                if silent && !self.spoken { paragraph(&receipt.detail, Tone::Dim, look) } else { Vec::new() }
            }
            Event::Run(event) => self.run(event, look),
            Event::ConversationOpened { .. }
            | Event::MemberJoined { .. }
            | Event::MessageRead { .. }
            | Event::ReplyRead { .. }
            | Event::ModeSwitched { .. }
            | Event::FactsEvicted { .. }
            | Event::PendingOpened { .. }
            | Event::PendingClosed { .. }
            | Event::PendingQuieted { .. }
            | Event::PendingShown { .. }
            | Event::ReportDropped { .. }
            | Event::ConversationReset
            | Event::PersonLeft
            | Event::Planning(_)
            | Event::Aside(_) => Vec::new(),
        }
    }

    fn run(&mut self, event: &RunEvent, look: Look) -> Vec<Line> {
        match event {
            RunEvent::Approved { plan, kept, .. } => {
                self.plan = Some(Arc::clone(plan));
                kept.iter().map(|step| self.step('✓', Tone::Good, *step, " (already resolved, reused)", look)).collect()
            }
            RunEvent::StepCompleted { step, .. } => vec![self.step('✓', Tone::Good, *step, "", look)],
            RunEvent::StepPostponed { step, error, .. } => {
                vec![self.step('○', Tone::Warn, *step, &format!(": {error}; it will be tried again"), look)]
            }
            RunEvent::StepLost { step, reason, .. } => {
                vec![self.step('?', Tone::Warn, *step, &format!(": {reason}"), look)]
            }
            // A failed step is told with the question of what to do about it, once nothing runs any more.
            RunEvent::StepFailed { .. }
            | RunEvent::StepStarted { .. }
            | RunEvent::Paced { .. }
            | RunEvent::Completed { .. }
            | RunEvent::Failed { .. }
            | RunEvent::Stopped { .. } => Vec::new(),
        }
    }

    fn step(&self, mark: char, tone: Tone, step: StepId, remark: &str, look: Look) -> Line {
        let step_of = |plan: &Arc<Plan>| plan.step(step).map(|step| step.description.clone());
        let description = self.plan.as_ref().and_then(step_of).unwrap_or_default();
        let line = Line::of(&format!("  {mark} {} ", step.number()), tone).with(&description, Tone::Plain);
        line.with(remark, Tone::Dim).cut(look.width)
    }
}

/// The end of `history` that a person needs to find their way back: the last exchanges, and the open question whole.
#[must_use]
pub fn recap<'a>(history: &'a [Recorded], state: &Conversation) -> &'a [Recorded] {
    let messages = history.iter().rev().filter(|recorded| matches!(recorded.event, Event::MessageReceived { .. }));
    let exchanges = messages.take(RECAP_EXCHANGES).last().map_or(Sequence::new(0), |recorded| recorded.sequence);
    let question = state.question().map_or(exchanges, |question| question.opened);
    let from = exchanges.min(question);
    let at = history.partition_point(|recorded| recorded.sequence < from);
    &history[at..]
}

fn message(text: &str, look: Look) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    // What a person sent is theirs to know; a long paste need not be shown whole.
    let shown = wrap(text, look.width.saturating_sub(2).max(1));
    let rest = shown.len().saturating_sub(MESSAGE_LINES_MAX);
    for (at, words) in shown.iter().take(MESSAGE_LINES_MAX).enumerate() {
        let lead = if at == 0 { "› " } else { "  " };
        lines.push(Line::of(lead, Tone::Accent).with(&visible(words), Tone::Strong));
    }
    if rest > 0 {
        lines.push(Line::of(&format!("  … {rest} more lines"), Tone::Dim).cut(look.width));
    }
    lines
}

fn paragraph(text: &str, tone: Tone, look: Look) -> Vec<Line> {
    wrap(text, look.width).iter().map(|words| Line::of(words, tone)).collect()
}

/// Exchanges shown when a conversation is taken up again.
const RECAP_EXCHANGES: usize = 3;
/// Lines of a person's message repeated in the transcript.
const MESSAGE_LINES_MAX: usize = 12;
