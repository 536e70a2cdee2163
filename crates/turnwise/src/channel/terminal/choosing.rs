//! Choosing a conversation before any is open: the list alone, until one is chosen or the person leaves. Apart from the
//! chat, because nothing is loaded yet: what one is over is known once it is chosen. Next: `picker`.

use std::io;

use crossterm::event::{Event, KeyEventKind};
use turnwise_core::ConversationId;

use super::guard::{self, Guard};
use super::keys::Keys;
use super::picker::{Picked, Picker};
use super::screen::{Screen, Size};
use super::{Left, unusable};
use crate::channel::draw::Paint;
use crate::channel::shelf::{BEGIN, NOTHING_KEPT, Shelf};
use crate::channel::signals::{Signal, Signals};
use crate::driver::{Clock as _, SystemClock};
use turnwise_assistant::{Failure, FailureKind};

/// What came of choosing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// This conversation.
    Opens(ConversationId),
    /// None of them.
    Nothing(Left),
}

/// Shows the conversations on the `shelf` until one is chosen.
///
/// # Errors
/// When there is none, they cannot be listed, or the terminal cannot be used.
pub async fn choose(shelf: &dyn Shelf) -> Result<Chosen, Failure> {
    let kept = shelf.kept().await?;
    if kept.is_empty() {
        return Err(
            Failure::new(FailureKind::Usage, NOTHING_KEPT.trim_end_matches('.')).hint(BEGIN.trim_end_matches('.'))
        );
    }
    let mut signals = Signals::listen().map_err(unusable)?;
    let _guard = Guard::enter().map_err(unusable)?;
    guard::turn_over().map_err(unusable)?;
    let mut screen = Screen::new(io::stdout(), Paint::of_environment(), size()?);
    let mut picker = Picker::new(kept, None, SystemClock.now(), screen.size());
    let mut keys = Keys::read();
    let chosen = loop {
        screen.fill(&picker.drawn()).map_err(unusable)?;
        tokio::select! {
            biased;
            signal = signals.next() => match signal {
                Signal::Interrupt => break Chosen::Nothing(Left::ByPerson),
                Signal::WindowChanged => resize(&mut screen, &mut picker)?,
                Signal::Terminate | Signal::Hangup => break left(signal),
            },
            reported = keys.next() => match reported {
                None | Some(Err(_)) => break left(Signal::Hangup),
                Some(Ok(events)) => {
                    if let Some(chosen) = taken(&mut picker, &events) {
                        break chosen;
                    }
                    if events.iter().any(|event| matches!(event, Event::Resize(..))) {
                        resize(&mut screen, &mut picker)?;
                    }
                }
            },
        }
    };
    // Whoever reads the terminal next gets every key.
    keys.end().await;
    guard::turn_back().map_err(unusable)?;
    Ok(chosen)
}

/// What the keys among `events` came to.
fn taken(picker: &mut Picker, events: &[Event]) -> Option<Chosen> {
    events.iter().find_map(|event| match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => match picker.key(*key) {
            Picked::Goes => None,
            Picked::Nothing => Some(Chosen::Nothing(Left::ByPerson)),
            Picked::Opens(id) => Some(Chosen::Opens(id)),
        },
        _ => None,
    })
}

fn left(signal: Signal) -> Chosen {
    Chosen::Nothing(signal.exit_code().map_or(Left::ByPerson, Left::BySignal))
}

fn resize(screen: &mut Screen<io::Stdout>, picker: &mut Picker) -> Result<(), Failure> {
    let size = size()?;
    picker.resize(size);
    screen.resize(size).map_err(unusable)
}

fn size() -> Result<Size, Failure> {
    let (columns, rows) = crossterm::terminal::size().map_err(unusable)?;
    Ok(Size::reported(columns, rows))
}
