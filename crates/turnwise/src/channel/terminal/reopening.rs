//! Going over to another conversation: the list of them, and the one chosen in place of the one before. What runs or
//! waits in the one before stays as it is; it can be gone back to. Next: `picker`, `channel::shelf`.

use std::sync::Arc;

use turnwise_core::ConversationId;

use super::picker::Picker;
use super::showing::Over;
use super::{Act, Chat, Kept, Opened, Revision, failure_lines};
use crate::channel::draw::Line;
use crate::driver::{Clock as _, SystemClock};
use turnwise_assistant::Failure;

impl Chat<'_> {
    /// Asks for the person's conversations; they are shown once they are there.
    pub(super) fn list(&mut self) {
        let shelf = Arc::clone(&self.shelf);
        self.listing = Some(Box::pin(async move { shelf.kept().await }));
    }

    /// Shows the person's conversations to choose from.
    pub(super) fn listed(&mut self, listed: Result<Vec<Kept>, Failure>) -> Result<(), Failure> {
        match listed {
            Ok(kept) => {
                let here = self.talk.as_ref().map(|talk| talk.opened.link.id().clone());
                let picker = Picker::new(kept, here, SystemClock.now(), self.screen.size());
                self.turn_over(Over::Conversations(picker))
            }
            Err(failure) => self.print(&failure_lines(&failure, self.look())),
        }
    }

    /// Goes over to the conversation `id`. The one before is let go of once that is open.
    pub(super) fn reopen(&mut self, id: ConversationId) {
        if self.talk.as_ref().is_some_and(|talk| *talk.opened.link.id() == id) {
            return;
        }
        if let Some(talk) = self.talk.take() {
            self.former = Some(talk);
        }
        // What was meant for one that is still being opened is not said to this one.
        self.take_back_unsent();
        let shelf = Arc::clone(&self.shelf);
        self.opening = Some(Box::pin(async move { shelf.open(&id).await }));
    }

    /// What was being opened is open, or cannot be opened.
    pub(super) async fn opened(&mut self, opened: Result<Opened, Failure>) -> Result<(), Failure> {
        match (opened, self.former.take()) {
            (Ok(opened), former) => {
                if former.is_some() {
                    self.forget_shown();
                    self.revision = Revision::default();
                    self.print(&[Line::default()])?;
                }
                self.begin(opened).await
            }
            (Err(failure), Some(former)) => {
                self.talk = Some(former);
                // What was meant for the other one is not said to this one.
                self.take_back_unsent();
                self.print(&failure_lines(&failure, self.look()))
            }
            (Err(failure), None) => Err(failure),
        }
    }

    /// What was sent before the conversation was open stands in the input box again.
    pub(super) fn take_back_unsent(&mut self) {
        let unsent: Vec<String> = self.waiting.drain(..).filter_map(words).collect();
        if !unsent.is_empty() {
            self.completing = None;
            self.editor.paste(&unsent.join("\n"));
            self.hint = Some(UNSENT_HINT);
        }
    }
}

fn words(act: Act) -> Option<String> {
    match act {
        Act::Say(words, _) => Some(words),
        Act::Decide(..) | Act::Stop => None,
    }
}

/// Said when what was sent could not be meant for what came into sight.
const UNSENT_HINT: &str = "Not sent yet: Enter sends it";
