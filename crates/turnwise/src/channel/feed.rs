//! The feed: which events a person sees, and how. Everything said is shown; of a run, the steps as they end; of
//! receipts, only those whose turn said nothing, so that no message falls silent. Next: `draw`.

use std::sync::Arc;

use turnwise_core::{
    Card, Conversation, Decider, Event, ModelCall, Outcome, PersonId, Plan, PlanId, Resolution, RunEvent, Sequence,
    StepId, Surface, text,
};

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
    /// The plan that was put before the person last.
    offered: Option<PlanId>,
    /// The version of a plan that was drawn last.
    drawn: Option<(PlanId, u32)>,
    /// Whether what runs was never put before them: then its result tells it, and its steps are nobody's concern.
    quiet: bool,
    /// Whether something was said since the last message.
    spoken: bool,
    /// Whose own decisions need no telling; absent where nobody looks on while others decide.
    own: Option<Surface>,
    /// Whether what was said or decided last was so elsewhere.
    elsewhere: bool,
}

impl Feed {
    /// For a conversation as it is now; events after this follow.
    #[must_use]
    pub fn new(echo: Echo, state: &Conversation) -> Self {
        let plan = state.run().map(|run| Arc::clone(run.plan()));
        let offered = plan.as_ref().map(|plan| plan.id());
        Self { echo, plan, offered, drawn: None, quiet: false, spoken: true, own: None, elsewhere: false }
    }

    /// As shown on `own`: what is said and decided through others is told as theirs.
    #[must_use]
    pub fn on(mut self, own: Option<&Surface>) -> Self {
        self.own = own.cloned();
        self
    }

    /// The lines `event` adds to the transcript; most events add none.
    pub fn lines(&mut self, event: &Event, look: Look) -> Vec<Line> {
        match event {
            Event::MessageReceived { text, person, surface, .. } => {
                self.spoken = false;
                self.elsewhere = self.is_elsewhere(surface.as_ref());
                match self.echo {
                    _ if self.elsewhere => message(text, Some(person), look),
                    Echo::Shown => message(text, None, look),
                    Echo::Hidden => Vec::new(),
                }
            }
            Event::PendingClosed { resolution, by: Some(by), .. } => {
                self.elsewhere = self.is_elsewhere(by.surface.as_ref());
                if self.elsewhere { decided(*resolution, by, look) } else { Vec::new() }
            }
            Event::Said { text, card } => {
                self.spoken = true;
                let is_again = self.offers(card.as_ref());
                said(text, card.as_ref(), if is_again { look.whole() } else { look })
            }
            Event::ReceiptGiven { receipt } => {
                // What was merged, queued or refused in silence would leave the person guessing; what was answered or
                // applied shows by itself.
                let silent = matches!(receipt.outcome, Outcome::Merged | Outcome::Queued | Outcome::Refused);
                if silent && !self.spoken { paragraph(&receipt.detail, Tone::Dim, look) } else { Vec::new() }
            }
            Event::Run(event) => self.run(event, look),
            // What was sent is kept only where somebody asked to see it.
            Event::ModelAsked { call } if call.kept.is_some() => exchange(call, look),
            Event::ConversationOpened { .. }
            | Event::MemberJoined { .. }
            | Event::MemberLeft { .. }
            | Event::Titled { .. }
            | Event::PlanApprovalSet { .. }
            | Event::FlowSettled { .. }
            | Event::MessageRead { .. }
            | Event::IntentReceived { .. }
            | Event::ModeSet { .. }
            | Event::ReplyRead { .. }
            | Event::ModeSwitched { .. }
            | Event::FactsEvicted { .. }
            | Event::PendingOpened { .. }
            | Event::PendingClosed { .. }
            | Event::PendingQuieted { .. }
            | Event::PendingShown { .. }
            | Event::ReportDropped { .. }
            | Event::ModelAsked { .. }
            | Event::ConversationReset
            | Event::PersonLeft
            | Event::Planning(_)
            | Event::Aside(_)
            | Event::Knowledge(_) => Vec::new(),
        }
    }

    /// Notes the plan of a card; whether it was put before the person already. Whoever asks for it again wants to see
    /// all of it.
    fn offers(&mut self, card: Option<&Card>) -> bool {
        let Some(Card::Plan(card)) = card else { return false };
        self.offered = Some(card.plan.id());
        let drawn = (card.plan.id(), card.plan.version());
        self.drawn.replace(drawn) == Some(drawn)
    }

    /// Whether whoever sits here leaves with `event`: leaving elsewhere closes nothing here.
    #[must_use]
    pub fn leaves(&self, event: &Event) -> bool {
        *event == Event::PersonLeft && !self.elsewhere
    }

    /// Whether an input came through another surface than the one shown on. One that did not say where it comes from
    /// may have come from here.
    fn is_elsewhere(&self, surface: Option<&Surface>) -> bool {
        self.own.is_some() && surface.is_some() && surface != self.own.as_ref()
    }

    fn run(&mut self, event: &RunEvent, look: Look) -> Vec<Line> {
        match event {
            RunEvent::Approved { plan, kept, .. } => {
                self.plan = Some(Arc::clone(plan));
                self.quiet = self.offered != Some(plan.id()) && !plan.changes_nothing();
                kept.iter().map(|step| self.step('✓', Tone::Good, *step, " (already resolved, reused)", look)).collect()
            }
            RunEvent::StepCompleted { .. } if self.quiet => Vec::new(),
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

/// A decision made elsewhere: the card above is answered.
fn decided(resolution: Resolution, by: &Decider, look: Look) -> Vec<Line> {
    let surface = by.surface.as_ref().map(|surface| format!(" ({})", surface.name)).unwrap_or_default();
    let words = match resolution {
        Resolution::Approved => "Approved",
        Resolution::Rejected => "Rejected",
        Resolution::Changed => "Changed",
        Resolution::Answered => "Answered",
        Resolution::Cancelled => "Dropped",
        // What replaces a question is shown itself, and nobody expires one.
        Resolution::Superseded | Resolution::Expired => return Vec::new(),
    };
    // It happens now, so the day need not be told.
    let at = text::moment(by.at, by.at);
    paragraph(&format!("{words} by {} in another session{surface} at {at}.", by.person), Tone::Good, look)
}

/// What a person sent; with their name when it came from elsewhere.
fn message(text: &str, from: Option<&PersonId>, look: Look) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    let from = from.map(|person| format!("{person} ")).unwrap_or_default();
    // What a person sent is theirs to know; a long paste need not be shown whole.
    let shown = wrap(text, look.width.saturating_sub(2 + super::draw::width(&from)).max(1));
    let rest = shown.len().saturating_sub(MESSAGE_LINES_MAX);
    for (at, words) in shown.iter().take(MESSAGE_LINES_MAX).enumerate() {
        let lead = if at == 0 { format!("{}› ", visible(&from)) } else { "  ".to_owned() };
        lines.push(Line::of(&lead, Tone::Accent).with(&visible(words), Tone::Strong));
    }
    if rest > 0 {
        lines.push(Line::of(&format!("  … {rest} more lines"), Tone::Dim).cut(look.width));
    }
    lines
}

/// What was sent to a model and answered, line by line as it stands there.
fn exchange(call: &ModelCall, look: Look) -> Vec<Line> {
    let told = call.exchange_told();
    told.lines().flat_map(|line| paragraph(&visible(line), Tone::Dim, look)).collect()
}

fn paragraph(text: &str, tone: Tone, look: Look) -> Vec<Line> {
    wrap(text, look.width).iter().map(|words| Line::of(words, tone)).collect()
}

/// Exchanges shown when a conversation is taken up again.
const RECAP_EXCHANGES: usize = 3;
/// Lines of a person's message repeated in the transcript.
const MESSAGE_LINES_MAX: usize = 12;
