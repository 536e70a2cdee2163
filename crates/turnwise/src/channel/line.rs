//! Plain line mode, for pipes: a line in is a message, what is said comes out as text.
//!
//! Input is never blocked: a line that comes while work runs is taken at once, so another program can steer as a person
//! would. A line that was already there when the one before it was taken cannot be about what that one led to while it
//! still runs; it waits until the work has settled. That makes a script read from a file come out the same every time.
//! The end of input, also in the middle of a line, approves nothing and abandons nothing: running work is waited for,
//! the rest stays as it is.
//! Next: `feed` for what is shown, `ending` for the exit code.

use std::io::{self, BufRead, Write};
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;
use turnwise_core::{Event, Seen, Sequence};

use super::draw::{Line as Drawn, Look, Paint, paint};
use super::ending::{Ending, Standing};
use super::feed::{Echo, Feed, recap};
use super::help;
use super::link::{Act, Follow};
use super::revise::{self, Revised, Revision, Use};
use super::shelf::{self, Shelf};
use super::signals::{Signal, Signals};
use super::{Opened, draw, keeping};
use crate::driver::{Clock as _, DriverError, SystemClock};
use turnwise_assistant::Failure;

/// A line of input.
#[derive(Debug)]
pub struct Incoming {
    text: String,
    /// Whether it came with its end: one without may be the beginning of more.
    is_whole: bool,
    arrived: Instant,
}

/// Reads lines on a thread of its own, because reading standard input cannot be given up. The channel ends with the
/// input; a line that is no UTF-8 comes with what could not be read replaced.
pub fn read_lines(mut input: impl BufRead + Send + 'static) -> mpsc::Receiver<io::Result<Incoming>> {
    let (sender, receiver) = mpsc::channel(LINES_WAITING_MAX);
    std::thread::spawn(move || {
        loop {
            let mut bytes = Vec::new();
            let read = input.read_until(b'\n', &mut bytes);
            let is_whole = bytes.ends_with(b"\n");
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            let incoming = match read {
                Ok(0) => return,
                Ok(_) => Ok(Incoming { text, is_whole, arrived: Instant::now() }),
                Err(error) => Err(error),
            };
            let ends = incoming.is_err();
            if sender.blocking_send(incoming).is_err() || ends {
                return;
            }
        }
    });
    receiver
}

/// Holds the conversation until the input ends or the person leaves, and says how it ended.
///
/// # Errors
/// When an input cannot be taken in, the `shelf` be shown, or the output be written (a closed pipe counts as leaving).
pub async fn run(
    opened: Opened,
    shelf: &dyn Shelf,
    lines: mpsc::Receiver<io::Result<Incoming>>,
    out: impl Write,
) -> Result<Ending, Failure> {
    let opened = Opened { link: opened.link.on(SURFACE), ..opened };
    let state = opened.link.conversation();
    let signals = Signals::listen().map_err(|error| {
        Failure::new(turnwise_assistant::FailureKind::Operator, "signals cannot be received").caused_by(error)
    })?;
    let mut chat = LineChat {
        signals,
        interrupted: false,
        events: opened.link.events(state.sequence()),
        feed: Feed::new(Echo::Hidden, &state).on(opened.link.surface()),
        standing: Standing::default(),
        shown: state.sequence(),
        taken: Instant::now(),
        revision: Revision::default(),
        opened,
        shelf,
        out,
    };
    match chat.hold(lines).await {
        Err(Stopped::Pipe | Stopped::Signal) => Ok(chat.standing.ending(&chat.opened.link.conversation())),
        Err(Stopped::Failure(failure)) => Err(failure),
        Ok(()) => Ok(chat.standing.ending(&chat.opened.link.conversation())),
    }
}

struct LineChat<'a, W> {
    opened: Opened,
    shelf: &'a dyn Shelf,
    events: Box<dyn Follow>,
    feed: Feed,
    standing: Standing,
    /// The last event shown.
    shown: Sequence,
    /// When the last line was taken.
    taken: Instant,
    revision: Revision,
    signals: Signals,
    /// Ctrl+C came while something was on its way.
    interrupted: bool,
    out: W,
}

/// Why it went no further.
enum Stopped {
    /// Nobody reads the output any more.
    Pipe,
    /// The process was told to end while something was on its way.
    Signal,
    Failure(Failure),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Pipe;
        }
        let message = "standard input or output cannot be used";
        Self::Failure(Failure::new(turnwise_assistant::FailureKind::Operator, message).caused_by(error))
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl<W: Write> LineChat<'_, W> {
    async fn hold(&mut self, mut lines: mpsc::Receiver<io::Result<Incoming>>) -> Result<(), Stopped> {
        self.greet().await?;
        let mut waiting: Option<Incoming> = None;
        let mut ended = false;
        loop {
            if std::mem::take(&mut self.interrupted) && !self.stop().await? {
                return Ok(());
            }
            let settled = self.is_settled();
            if ended && waiting.is_none() && settled {
                return Ok(());
            }
            if let Some(line) = waiting.take_if(|line| settled || line.arrived > self.taken) {
                self.say(&line).await?;
                continue;
            }
            tokio::select! {
                biased;
                recorded = self.events.next() => {
                    let recorded = recorded?;
                    self.shown = recorded.sequence;
                    self.show(&help::with(recorded.event.clone(), &[]))?;
                    if self.feed.leaves(&recorded.event) {
                        return Ok(());
                    }
                }
                line = lines.recv(), if waiting.is_none() && !ended => match line {
                    Some(line) => waiting = Some(line?),
                    None => ended = true,
                },
                told = self.opened.notices.next() => notice(&told),
                signal = self.signals.next() => match signal {
                    // Ctrl+C stops work first (CF-28); with nothing to stop it leaves, as every other signal does.
                    Signal::Interrupt => self.interrupted = true,
                    Signal::WindowChanged => {}
                    Signal::Terminate | Signal::Hangup => return Ok(()),
                },
            }
        }
    }

    /// The greeting; for a conversation taken up again, its last exchanges.
    async fn greet(&mut self) -> Result<(), Stopped> {
        let greeting: Vec<Drawn> = self.opened.greeting.iter().map(|line| Drawn::of(line, draw::Tone::Dim)).collect();
        self.write(&greeting)?;
        let state = self.opened.link.conversation();
        let history = self.opened.link.history().await?;
        let mut past = Feed::new(Echo::Shown, &state);
        for recorded in recap(&history, &state) {
            self.write(&past.lines(&recorded.event, Look::pipe()))?;
        }
        Ok(())
    }

    /// Whether no work is awaited and everything that happened was shown.
    fn is_settled(&self) -> bool {
        let state = self.opened.link.conversation();
        !state.is_busy() && self.shown >= state.sequence()
    }

    async fn say(&mut self, line: &Incoming) -> Result<(), Stopped> {
        let text = line.text.as_str();
        if !line.is_whole && !text.trim().is_empty() && self.opened.link.conversation().question().is_some() {
            // "yes" may be all that is left of "yes, but only 2025" when its writer died.
            let why = "The last line has no end, so it may be cut off: it was not taken as an answer.";
            self.write(&[Drawn::of(why, draw::Tone::Warn)])?;
        } else if let Err(error) = DriverError::check_length(text) {
            let told = format!("error: {}", Failure::from(error));
            let lines: Vec<Drawn> = told.lines().map(|words| Drawn::of(words, draw::Tone::Bad)).collect();
            self.write(&lines)?;
        } else if revise::is_command(text) && revise::editable(&self.opened.link.conversation()).is_some() {
            self.edit().await?;
        } else if shelf::is_command(text) {
            self.list().await?;
        } else if !text.trim().is_empty() {
            let seen = Seen::at(&self.opened.link.conversation(), self.shown);
            self.act(Act::Say(text.to_owned(), Some(seen))).await?;
        }
        self.taken = Instant::now();
        Ok(())
    }

    /// Hands an act on. Where it cannot arrive at the moment, whoever waits is told, and can leave.
    async fn act(&mut self, act: Act) -> Result<(), Stopped> {
        let link = Arc::clone(&self.opened.link);
        let mut acting = pin!(link.act(act));
        loop {
            tokio::select! {
                biased;
                taken = &mut acting => return Ok(taken?),
                told = self.opened.notices.next() => notice(&told),
                signal = self.signals.next() => match signal {
                    Signal::WindowChanged => {}
                    Signal::Interrupt if !link.is_cut() => self.interrupted = true,
                    Signal::Interrupt | Signal::Terminate | Signal::Hangup => return Err(Stopped::Signal),
                },
            }
        }
    }

    /// Opens the plan that waits in the person's editor. Nothing else is shown or taken until it is closed.
    async fn edit(&mut self) -> Result<(), Stopped> {
        let state = self.opened.link.conversation();
        match self.revision.edit(&state, Use::Nothing).await {
            Revised::Decided(reference, verdict) => self.act(Act::Decide(reference, verdict)).await,
            Revised::Nothing(why) => self.write(&[Drawn::of(&why, draw::Tone::Plain)]),
        }
    }

    /// Shows the person's conversations; nobody picks one here.
    async fn list(&mut self) -> Result<(), Stopped> {
        let listed = self.shelf.kept().await?;
        let lines = shelf::lines(&listed, Some(self.opened.link.id()), SystemClock.now(), Look::pipe());
        self.write(&lines)
    }

    /// Ctrl+C stops what runs or waits; `false` where there is nothing to stop.
    async fn stop(&mut self) -> Result<bool, Stopped> {
        let state = self.opened.link.conversation();
        if !state.is_busy() && state.question().is_none() {
            return Ok(false);
        }
        self.act(Act::Stop).await?;
        Ok(true)
    }

    fn show(&mut self, event: &Event) -> Result<(), Stopped> {
        self.standing.note(event);
        let mut lines = self.feed.lines(event, Look::pipe());
        match keeping::keep(event, &self.opened.link.conversation()) {
            Some(Ok(kept)) => lines.push(Drawn::of(&kept, draw::Tone::Dim)),
            Some(Err(failure)) => {
                self.standing.fail();
                let told = format!("error: {failure}");
                lines.extend(told.lines().map(|words| Drawn::of(words, draw::Tone::Bad)));
            }
            None => {}
        }
        self.write(&lines)
    }

    fn write(&mut self, lines: &[Drawn]) -> Result<(), Stopped> {
        for line in lines {
            writeln!(self.out, "{}", paint(line, Paint::Plain))?;
        }
        Ok(self.out.flush()?)
    }
}

/// Told beside the conversation: whoever reads the output reads the conversation alone.
fn notice(told: &str) {
    // Where nobody reads it, nobody misses it.
    let _ = writeln!(io::stderr(), "{told}");
}

/// What people call this surface.
const SURFACE: &str = "pipe";
/// Lines read ahead; a writer that is faster waits, as pipes do.
const LINES_WAITING_MAX: usize = 256;

#[cfg(test)]
mod tests;
