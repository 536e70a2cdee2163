//! The terminal's state: raw mode and bracketed paste while a chat is drawn, and always as it was afterwards, also
//! after an error or a panic. Next: `mod`.

use std::io::{self, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::{cursor, execute, terminal};

/// Raw mode while it lives.
pub(super) struct Guard;

/// Whether a chat is being drawn.
static DRAWING: AtomicBool = AtomicBool::new(false);
/// Whether the other screen is in sight.
static TURNED: AtomicBool = AtomicBool::new(false);

impl Guard {
    /// Enters raw mode on the thread that draws.
    pub(super) fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        let drawer = thread::current().id();
        HOOK.call_once(|| guard_against_panics(drawer));
        let guard = Self;
        go_on()?;
        Ok(guard)
    }
}

/// Leaves the terminal to another program until [`go_on`].
pub(super) fn pause() {
    restore();
}

/// Takes the terminal back.
pub(super) fn go_on() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    DRAWING.store(true, Ordering::Relaxed);
    execute!(io::stdout(), EnableBracketedPaste)
}

/// Goes over to the terminal's other screen; what is on this one comes back with [`turn_back`].
pub(super) fn turn_over() -> io::Result<()> {
    TURNED.store(true, Ordering::Relaxed);
    execute!(io::stdout(), terminal::EnterAlternateScreen)
}

/// Comes back from the other screen.
pub(super) fn turn_back() -> io::Result<()> {
    TURNED.store(false, Ordering::Relaxed);
    execute!(io::stdout(), terminal::LeaveAlternateScreen)
}

/// While a chat is drawn, a panic of the drawing thread restores the terminal before it is reported, so that the report
/// can be read. One of another thread ends a piece of work only; the driver tells it in the conversation, and a report
/// written across the screen would help nobody.
fn guard_against_panics(drawer: ThreadId) {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_drawing = DRAWING.load(Ordering::Relaxed);
        if is_drawing && thread::current().id() == drawer {
            restore();
        }
        if !is_drawing || thread::current().id() == drawer {
            report(panic);
        }
    }));
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// As far as it goes: a terminal that is gone cannot be restored, and there is nobody to tell.
fn restore() {
    DRAWING.store(false, Ordering::Relaxed);
    if TURNED.swap(false, Ordering::Relaxed) {
        let _ = execute!(io::stdout(), terminal::LeaveAlternateScreen);
    }
    let _ = execute!(io::stdout(), DisableBracketedPaste, cursor::Show);
    let _ = terminal::disable_raw_mode();
    let _ = io::stdout().flush();
}
