//! The ticket bot's routing within a thread (spec 4): what stands around a message decides before its words do.
//!
//! Order (TK-01): workflow events → the open action → the remembered intent → what the message means. Words that end a
//! review count only while one is open. Next: `items` for how many tickets, `workflow` for buttons, `fact` for memory.

mod fact;
mod items;
mod review;
mod workflow;

use serde::Serialize;
use turnwise_core::Reply;

pub use self::fact::{CANONICAL_ID_DIGITS, FactKind, FactScope, canonical_id};
pub use self::items::{ITEMS_MAX, Items, QUANTITY_LATCH, needs_confirmation, quantity_card};
pub use self::review::{PATCH_BULLETS_MAX, PATCH_SECTIONS, completes_review};
pub use self::workflow::{Stale, WorkflowEvent, WorkflowStep, accept};
use super::{Choice, Clarification};
use crate::classify::{Context, ReviewState};

/// Hours without a message after which a thread forgets its remembered intent (TK-08).
pub const REMEMBERED_HOURS: f64 = 2.0;

/// Characters of a message that the scope gate repeats.
const GATE_CHARACTERS: usize = 50;

/// Said when the scope gate is dismissed.
pub const DISMISSED: &str = "Got it. Just @ me when you're ready.";

/// What decided about a message, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoutedBy {
    /// A button, command or modal of the workflow.
    WorkflowEvent,
    /// The open action of the thread.
    PendingAction,
    /// The intent the thread remembers.
    ThreadDefault,
    /// What the message means.
    UserIntent,
}

/// How a ticket request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TicketFlow {
    /// One draft and its preview.
    SingleTicket,
    /// A preview of all items (TK-13).
    MultiTicket,
}

/// What the bot does with a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Routing {
    /// `ticket`, `review`, `discussion`, `meta` or `ambiguous`.
    #[serde(skip)]
    pub intent: String,
    /// What decided.
    pub routed_by: RoutedBy,
    /// The gate that asks what is wanted; absent when it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope_gate: Option<Clarification>,
    /// Whether the words end the open review.
    pub review_complete: bool,
    /// The review after this message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub review_state: Option<ReviewState>,
    /// How a ticket request is carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flow: Option<TicketFlow>,
    /// How many items would be created.
    #[serde(flatten)]
    pub items: Option<Items>,
    /// Whether so many items have to be confirmed first (TK-14).
    pub quantity_confirmation: bool,
    /// The question that confirms them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Clarification>,
    /// What a command clears.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clears: Option<&'static str>,
}

impl RoutedBy {
    /// All of them, in the order in which they are tried (TK-01).
    pub const ORDER: [Self; 4] = [Self::WorkflowEvent, Self::PendingAction, Self::ThreadDefault, Self::UserIntent];
}

/// Whether `text` is `/<bot> forget`, whatever the bot is called.
#[must_use]
pub fn is_forget_command(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let bot = words.next().is_some_and(|first| first.len() > 1 && first.starts_with('/'));
    bot && words.next().is_some_and(|word| word.eq_ignore_ascii_case("forget")) && words.next().is_none()
}

/// Routes `text`, which reads as `intent`; `reply` is what it says to the open action.
#[must_use]
pub fn route(text: &str, intent: &str, reply: &Reply, context: &Context) -> Routing {
    let mut routing = plain(intent, context.review);
    if is_forget_command(text) {
        routing.intent = "meta".to_owned();
        routing.routed_by = RoutedBy::WorkflowEvent;
        routing.clears = Some("thread default intent");
        return routing;
    }
    if context.review == Some(ReviewState::Active) && completes_review(text) {
        routing.intent = "review".to_owned();
        routing.routed_by = RoutedBy::PendingAction;
        routing.review_complete = true;
        routing.review_state = Some(ReviewState::Frozen);
        return routing;
    }
    if context.pending_action.is_some() && *reply != Reply::Other {
        routing.routed_by = RoutedBy::PendingAction;
        return routing;
    }
    match intent {
        "ambiguous" => ambiguous(text, routing, context),
        "ticket" => with_items(text, routing),
        _ => routing,
    }
}

fn plain(intent: &str, review_state: Option<ReviewState>) -> Routing {
    Routing {
        intent: intent.to_owned(),
        routed_by: RoutedBy::UserIntent,
        scope_gate: None,
        review_complete: false,
        review_state,
        flow: None,
        items: None,
        quantity_confirmation: false,
        clarification: None,
        clears: None,
    }
}

/// A remembered intent answers for the person, as long as it is remembered; else the gate asks.
fn ambiguous(text: &str, routing: Routing, context: &Context) -> Routing {
    if let Some(remembered) = remembered(context) {
        let routing = Routing { intent: remembered.to_owned(), routed_by: RoutedBy::ThreadDefault, ..routing };
        return if remembered == "ticket" { with_items(text, routing) } else { routing };
    }
    Routing { scope_gate: Some(scope_gate(text)), ..routing }
}

/// The intent the thread still remembers (TK-08): it ends after two idle hours, and when the workflow is at a step that
/// has nothing to do with a review.
#[must_use]
pub fn remembered(context: &Context) -> Option<&'static str> {
    let step = context.workflow_step.as_deref().and_then(WorkflowStep::parse);
    let left = step.is_some_and(|step| !matches!(step, WorkflowStep::ReviewActive | WorkflowStep::ReviewFrozen));
    if context.idle_hours >= REMEMBERED_HOURS || left {
        return None;
    }
    match context.thread_default.as_deref()? {
        "review" => Some("review"),
        "ticket" => Some("ticket"),
        "discussion" => Some("discussion"),
        _ => None,
    }
}

fn with_items(text: &str, routing: Routing) -> Routing {
    let items = Items::of(text);
    let flow = if items.is_multi() { TicketFlow::MultiTicket } else { TicketFlow::SingleTicket };
    let confirm = needs_confirmation(items.items);
    let clarification = confirm.then(|| quantity_card(&items));
    Routing { flow: Some(flow), quantity_confirmation: confirm, clarification, items: Some(items), ..routing }
}

/// The card that asks what is wanted (TK-07).
#[must_use]
pub fn scope_gate(text: &str) -> Clarification {
    let start: String = text.chars().take(GATE_CHARACTERS).collect();
    let question = format!("I'm not sure what you'd like me to do with: > _{start}_ What would you like?");
    let options = vec![
        Choice::new("Review / Analyze", "review"),
        Choice::new("Create Ticket", "ticket"),
        Choice::new("Not now", "dismiss"),
        Choice::new("Remember for this thread", "remember"),
    ];
    Clarification { question, options }
}

/// Said when a choice is remembered for the thread.
#[must_use]
pub fn remembered_text(choice: &str, bot: &str) -> String {
    format!("Got it. I'll default to *{choice}* for this thread. You can use `/{bot} forget` to clear this.")
}
