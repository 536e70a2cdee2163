//! The terminal's state: raw mode and bracketed paste while a chat is drawn, and always as it was afterwards, also after
//! an error or a panic. Next: `mod`.

use std::io::{self, Write};
use std::sync::Once;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::{cursor, execute, terminal};

/// Raw mode while it lives.
pub(super) struct Guard;

impl Guard {
    /// Enters raw mode. A panic from now on restores the terminal before it is reported, so that the report can be read.
    pub(super) fn enter() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let report = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                restore();
                report(panic);
            }));
        });
        terminal::enable_raw_mode()?;
        let guard = Self;
        execute!(io::stdout(), EnableBracketedPaste)?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// As far as it goes: a terminal that is gone cannot be restored, and there is nobody to tell.
fn restore() {
    let _ = execute!(io::stdout(), DisableBracketedPaste, cursor::Show);
    let _ = terminal::disable_raw_mode();
    let _ = io::stdout().flush();
}
