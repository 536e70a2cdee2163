//! Signals that end a channel in good order, or tell it of a new window size. A hang-up is no answer to anything,
//! so it only ends. Next: `line`, `terminal`.

use std::io;

/// What the system asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl+C where the terminal does not give it as a key.
    Interrupt,
    /// End.
    Terminate,
    /// The terminal is gone.
    Hangup,
    /// The window has another size. The terminal library reports that too, but loses it when a key comes with it.
    WindowChanged,
}

impl Signal {
    /// The exit code of a process that ends because of it, by the shells' convention; nothing for those it lives
    /// through.
    pub(crate) fn exit_code(self) -> Option<u8> {
        match self {
            Self::Interrupt => Some(128 + 2),
            Self::Terminate => Some(128 + 15),
            Self::Hangup => Some(128 + 1),
            Self::WindowChanged => None,
        }
    }
}

/// Signals from now on; while it exists none of them ends the process.
#[cfg(unix)]
pub(crate) struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
    window: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            window: signal(SignalKind::window_change())?,
        })
    }

    /// The next signal; may be dropped and called again without missing one.
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            Some(()) = self.interrupt.recv() => Signal::Interrupt,
            Some(()) = self.terminate.recv() => Signal::Terminate,
            Some(()) = self.hangup.recv() => Signal::Hangup,
            Some(()) = self.window.recv() => Signal::WindowChanged,
            else => std::future::pending().await,
        }
    }
}

/// Elsewhere only Ctrl+C is known.
#[cfg(not(unix))]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self)
    }

    pub(crate) async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Interrupt,
            Err(_) => std::future::pending().await,
        }
    }
}
