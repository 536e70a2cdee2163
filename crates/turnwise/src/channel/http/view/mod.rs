//! Views: how conversations, plans, cards and events look on the wire. They are apart from the log's own form, so that
//! either can change without the other; every view is a plain value with its schema. Next: `state`, `card`, `event`.

mod card;
mod event;
mod plan;
mod state;

pub use card::{FactView, ReadingView};
pub use event::{EventView, view as event};
pub use state::{ConversationView, PendingView, QueueView, ReceiptView, StateView};

use turnwise_core::Timestamp;

/// A moment as RFC 3339 in UTC, with milliseconds.
pub(super) fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.as_millis()).map_or_else(|_| String::new(), |at| format!("{at:.3}"))
}
