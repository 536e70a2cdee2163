//! Events as they go over the wire, written once for all who follow: ten thousand followers of one conversation would
//! otherwise each have the same events and the same state put into JSON. A cache and nothing more: what is not in it is
//! written again. Next: `routes::events`.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use hyper::body::Bytes;
use serde::Serialize;
use turnwise_core::{ConversationId, Sequence};

use super::limits;
use super::view::{self, StateView};
use crate::driver::{DriverError, Recorded, Session, Writer, Writing};

/// What one follower is sent at a time: events, and where the conversation stands after them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Name {
    conversation: ConversationId,
    first: Sequence,
    last: Sequence,
    state: Option<Sequence>,
}

/// The frames written last.
#[derive(Debug, Default)]
pub(super) struct Frames(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    frames: HashMap<Name, Bytes>,
    /// From the oldest on.
    order: VecDeque<Name>,
}

impl Frames {
    /// The frame with `events` of `session`, and with its state if that was not told up to now.
    ///
    /// # Errors
    /// When the store has no key for the references in the state.
    pub(super) async fn frame(
        &self,
        session: &Session,
        events: &[Arc<Recorded>],
        told: Sequence,
    ) -> Result<(Bytes, Sequence), DriverError> {
        let now = session.conversation().sequence();
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok((Bytes::new(), told)) };
        let state = (now > told).then_some(now);
        let name = Name { conversation: session.id().clone(), first: first.sequence, last: last.sequence, state };
        if let Some(frame) = self.kept(&name) {
            return Ok((frame, now));
        }
        let mut text = String::new();
        for recorded in events {
            if let Some(event) = view::event(recorded) {
                let _ = writeln!(text, "event: event\nid: {}", event.sequence);
                data(&mut text, &event);
            }
        }
        // The state may have moved on meanwhile; then this frame is one of its own, and is not kept.
        let mut is_same = true;
        if state.is_some() {
            let view = StateView::of(session).await?;
            is_same = view.sequence == now.number();
            write_state(&mut text, &view);
        }
        let frame = Bytes::from(text);
        if is_same && frame.len() <= limits::FRAME_BYTES_KEPT {
            self.keep(name, frame.clone());
        }
        Ok((frame, now))
    }

    fn kept(&self, name: &Name) -> Option<Bytes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).frames.get(name).cloned()
    }

    fn keep(&self, name: Name, frame: Bytes) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.frames.insert(name.clone(), frame).is_none() {
            kept.order.push_back(name);
        }
        if kept.order.len() > limits::FRAMES_KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.frames.remove(&oldest);
        }
    }
}

/// The frame that tells where a conversation stands.
pub(super) fn state(view: &StateView) -> Bytes {
    let mut text = String::new();
    write_state(&mut text, view);
    Bytes::from(text)
}

/// What a model is writing, or a program prints: the whole of it where `before` is no beginning of it, else what came
/// since; empty when it is over.
#[derive(Debug, Default, Serialize)]
pub(super) struct WrittenView {
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    add: Option<String>,
}

impl WrittenView {
    pub(super) fn new(now: Option<&Writing>, before: Option<&Writing>) -> Self {
        let Some(now) = now else { return Self::default() };
        let same = before.filter(|before| before.by == now.by);
        let add = same.and_then(|before| now.text.strip_prefix(before.text.as_str())).map(str::to_owned);
        let text = if add.is_some() { None } else { Some(now.text.clone()) };
        let (task, model, program) = match &now.by {
            Writer::Model { task, name } => (Some(task.clone()), Some(name.clone()), None),
            Writer::Program(typed) => (None, None, Some(typed.clone())),
        };
        Self { task, model, program, text, add }
    }
}

/// The frame that tells it.
pub(super) fn writing(view: &WrittenView) -> Bytes {
    let mut text = "event: writing\n".to_owned();
    data(&mut text, view);
    Bytes::from(text)
}

/// A sign of life that no client hears.
pub(super) fn alive() -> Bytes {
    Bytes::from_static(b": alive\n\n")
}

fn write_state(text: &mut String, view: &StateView) {
    text.push_str("event: state\n");
    data(text, view);
}

/// The line with the data, and the end of the event. JSON has no line ends of its own.
fn data(text: &mut String, value: &impl Serialize) {
    // Views are plain values and can always be written.
    let json = serde_json::to_string(value).unwrap_or_default();
    text.push_str("data: ");
    text.push_str(&json);
    text.push_str("\n\n");
}
