//! Views: how conversations, plans, cards and events look on the wire. They are apart from the log's own form, so that
//! either can change without the other; every view is a plain value with its schema. Next: `state`, `card`, `event`.

mod card;
mod event;
mod held;
mod plan;
mod state;

pub use card::{CardView, ProvenanceView, ReadingView};
pub use event::{EventView, view as event};
pub use held::HeldView;
pub use state::{ConversationView, PendingView, QueueView, ReceiptView, StateView};

use std::fmt::Display;

use serde::Serialize;
use turnwise_core::Timestamp;
use utoipa::ToSchema;

/// The id of something as clients see it: the word people use for it, too (`plan-1`, `q1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
pub struct IdView(String);

impl IdView {
    pub(in crate::channel::http) fn of(id: impl Display) -> Self {
        Self(id.to_string())
    }
}

/// A moment as RFC 3339 in UTC, with milliseconds.
pub(super) fn moment(at: Timestamp) -> String {
    jiff::Timestamp::from_millisecond(at.as_millis()).map_or_else(|_| String::new(), |at| format!("{at:.3}"))
}
