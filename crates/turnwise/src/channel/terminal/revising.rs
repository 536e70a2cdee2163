//! Changing a plan in the person's own editor: the terminal is left to it and taken back afterwards. What happens
//! meanwhile is shown when it is closed. Next: `channel::revise`.

use std::pin::pin;

use turnwise_core::Conversation;

use super::keys::Keys;
use super::screen::Size;
use super::{Chat, Left, guard, unusable};
use crate::channel::draw::{Line, Tone, wrap};
use crate::channel::link::Act;
use crate::channel::revise::{Revised, Use};
use crate::channel::signals::{Signal, Signals};
use turnwise_assistant::Failure;

impl Chat<'_> {
    /// Leaves the terminal to the person's editor.
    pub(super) async fn edit(&mut self, keys: &mut Keys, signals: &mut Signals) -> Result<(), Failure> {
        let Some(state) = self.state() else { return Ok(()) };
        self.screen.leave().map_err(unusable)?;
        keys.end().await;
        guard::pause();
        let Some(revised) = self.edited(&state, signals).await else { return Ok(()) };
        guard::go_on().map_err(unusable)?;
        *keys = Keys::read();
        let (columns, rows) = crossterm::terminal::size().map_err(unusable)?;
        self.screen.resize(Size::reported(columns, rows)).map_err(unusable)?;
        match revised {
            Revised::Decided(reference, verdict) => self.post(Act::Decide(reference, verdict)),
            Revised::Nothing(why) => {
                let look = self.look();
                let lines: Vec<Line> = wrap(&why, look.width).iter().map(|words| Line::of(words, Tone::Warn)).collect();
                self.screen.print(&lines).map_err(unusable)?;
            }
        }
        Ok(())
    }

    /// What came of the editor; nothing when the process is told to end before.
    async fn edited(&mut self, state: &Conversation, signals: &mut Signals) -> Option<Revised> {
        let mut editing = pin!(self.revision.edit(state, Use::Terminal));
        loop {
            tokio::select! {
                biased;
                revised = &mut editing => return Some(revised),
                signal = signals.next() => match signal {
                    // Typed into the editor; it is the editor's business.
                    Signal::Interrupt | Signal::WindowChanged => {}
                    Signal::Terminate | Signal::Hangup => {
                        self.left = signal.exit_code().map(Left::BySignal);
                        return None;
                    }
                }
            }
        }
    }
}
