//! The interactive terminal: transcript above, input and status line below, updated in place.
//!
//! One loop waits for keys, events of the conversation, signals and time, and never for work: messages go to a task of
//! their own that hands them to the session in order, so typing is never held up. The data may still be read when the
//! prompt stands; what is sent meanwhile waits. Next: `area` for what is drawn, `screen` for how, `editor` for typing.

mod area;
mod burst;
mod choosing;
mod completing;
mod editor;
mod guard;
mod history;
mod keys;
mod mailbox;
mod pager;
mod picker;
mod reopening;
mod revising;
mod screen;
mod search;
mod showing;
mod talk;

use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, Stdout};
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{Event as Reported, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use futures_util::future::LocalBoxFuture;
use tokio::time::Instant;
use turnwise_core::{Conversation, Phase, Seen};

pub use choosing::{Chosen, choose};
pub use history::History;

use self::area::{Footer, area};
use self::burst::Taken;
use self::completing::Completing;
use self::editor::{Edited, Editor};
use self::guard::Guard;
use self::keys::Keys;
use self::mailbox::Mailbox;
use self::screen::{Screen, Size};
use self::showing::Showing;
use self::talk::{Happened, Talk, happening, told};
use super::Opened;
use super::draw::{Line, Look, Paint, Tone, wrap};
use super::feed::{Echo, Feed, recap};
use super::help;
use super::link::Act;
use super::revise::{self, Revision};
use super::shelf::{self, Kept, Shelf};
use super::signals::{Signal, Signals};
use turnwise_assistant::{Failure, FailureKind};

/// How a chat ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// The person left.
    ByPerson,
    /// The process was told to end; with the exit code that says so.
    BySignal(u8),
}

/// Holds a conversation on the terminal while `opening` opens it, until the person leaves. Others of theirs are on the
/// `shelf`.
///
/// # Errors
/// When the conversation cannot be opened, or the terminal cannot be used.
pub async fn run(
    opening: impl Future<Output = Result<Opened, Failure>>,
    shelf: Arc<dyn Shelf>,
    history: History,
) -> Result<Left, Failure> {
    let (columns, rows) = crossterm::terminal::size().map_err(unusable)?;
    let signals = Signals::listen().map_err(unusable)?;
    // Dropped last, whatever happens below: the terminal is as it was before anything else is written.
    let _guard = Guard::enter().map_err(unusable)?;
    let screen = Screen::new(io::stdout(), Paint::of_environment(), Size::reported(columns, rows));
    let mut chat = Chat {
        screen,
        editor: Editor::new(history),
        hint: None,
        frame: 0,
        waiting: VecDeque::new(),
        talk: None,
        opening: Some(Box::pin(opening)),
        former: None,
        shelf,
        listing: None,
        completing: None,
        resized: None,
        left: None,
        edits: false,
        showing: Showing::default(),
        revision: Revision::default(),
    };
    let result = chat.hold(signals).await;
    let cleared = chat.close();
    let left = result?;
    cleared?;
    Ok(left)
}

struct Chat<'a> {
    screen: Screen<Stdout>,
    editor: Editor,
    /// Shown beside the status line until the next key.
    hint: Option<&'static str>,
    /// The spinner's frame.
    frame: usize,
    /// What was sent before the conversation was open.
    waiting: VecDeque<Act>,
    talk: Option<Talk>,
    /// What is being opened, while there is no talk.
    opening: Option<LocalBoxFuture<'a, Result<Opened, Failure>>>,
    /// The talk before, in case that cannot be opened.
    former: Option<Talk>,
    shelf: Arc<dyn Shelf>,
    /// The person's conversations, asked for and not there yet.
    listing: Option<LocalBoxFuture<'static, Result<Vec<Kept>, Failure>>>,
    /// A word that is being completed.
    completing: Option<Completing>,
    /// The new size, and when it will have been at rest for long enough.
    resized: Option<(Size, Instant)>,
    left: Option<Left>,
    /// The person asked for their editor.
    edits: bool,
    showing: Showing,
    revision: Revision,
}

impl Chat<'_> {
    async fn hold(&mut self, mut signals: Signals) -> Result<Left, Failure> {
        let mut keys = Keys::read();
        let mut beat = tokio::time::interval(SPINNER_BEAT);
        loop {
            if let Some(left) = self.left {
                return Ok(left);
            }
            if std::mem::take(&mut self.edits) {
                self.edit(&mut keys, &mut signals).await?;
                continue;
            }
            self.draw()?;
            let at_rest = self.resized.map(|(_, at_rest)| at_rest);
            tokio::select! {
                biased;
                signal = signals.next() => self.signal(signal)?,
                reported = keys.next() => self.reported(reported)?,
                opened = awaited(&mut self.opening), if self.talk.is_none() => self.opened(opened).await?,
                listed = awaited(&mut self.listing), if self.listing.is_some() => self.listed(listed)?,
                happened = happening(&mut self.talk), if self.talk.is_some() && at_rest.is_none() => {
                    self.happened(happened?)?;
                }
                () = rest(at_rest), if at_rest.is_some() => self.settle_size()?,
                _ = beat.tick(), if self.spins() && at_rest.is_none() => self.frame = self.frame.wrapping_add(1),
            }
        }
    }

    /// The conversation is open: what was said before is shown, what was sent meanwhile goes out.
    async fn begin(&mut self, opened: Opened) -> Result<(), Failure> {
        let mut opened = Opened { link: opened.link.on(SURFACE), ..opened };
        help::add_commands(&mut opened.vocabulary.commands);
        let state = opened.link.conversation();
        let look = self.look();
        let mut lines: Vec<Line> = opened.greeting.iter().flat_map(|line| dim(line, look)).collect();
        let history = opened.link.history().await?;
        let mut past = Feed::new(Echo::Shown, &state);
        lines.extend(recap(&history, &state).iter().flat_map(|recorded| past.lines(&recorded.event, look)));
        self.print(&lines)?;
        let mailbox = Mailbox::open(Arc::clone(&opened.link));
        match state.question() {
            // What was sent before the question was in sight is no answer to it.
            Some(_) => self.take_back_unsent(),
            None => {
                let here = Seen::at(&state, state.sequence());
                self.waiting.drain(..).for_each(|posted| mailbox.post(posted.seen_from(here)));
            }
        }
        let events = opened.link.events(state.sequence());
        let feed = past.on(opened.link.surface());
        let writing = opened.link.writing();
        self.talk = Some(Talk { events, feed, mailbox, opened, shown: state.sequence(), writing });
        Ok(())
    }

    fn happened(&mut self, happened: Happened) -> Result<(), Failure> {
        let look = self.look();
        let lines = match happened {
            Happened::Event(recorded) => {
                let Some(talk) = &mut self.talk else { return Ok(()) };
                if talk.feed.leaves(&recorded.event) {
                    self.left = Some(Left::ByPerson);
                }
                talk.shown = recorded.sequence;
                let event = help::with(recorded.event, &help::KEYS);
                let lines = told(talk, &event, look);
                return self.print_shown(&event, lines);
            }
            Happened::Failed(failure) => failure_lines(&failure, look),
            Happened::Written => return Ok(()),
            Happened::Told(told) => wrap(&told, look.width).iter().map(|words| Line::of(words, Tone::Bad)).collect(),
        };
        self.print(&lines)
    }

    fn reported(&mut self, reported: Option<io::Result<Vec<Reported>>>) -> Result<(), Failure> {
        let events = match reported {
            // The terminal is gone: as if its window had been closed.
            None | Some(Err(_)) => return self.signal(Signal::Hangup),
            Some(Ok(events)) => events,
        };
        let is_decision_open = self.state().is_some_and(|state| state.question().is_some());
        match burst::take(events, is_decision_open) {
            Taken::Keys(events) => events.into_iter().try_for_each(|event| self.report(event)),
            Taken::Paste(text) => {
                self.pasted(&text);
                self.hint = Some(PASTE_HINT);
                Ok(())
            }
        }
    }

    /// What is pasted goes into the box; candidates for what stood there fit it no more.
    fn pasted(&mut self, text: &str) {
        self.completing = None;
        self.editor.paste(text);
    }

    fn report(&mut self, reported: Reported) -> Result<(), Failure> {
        match reported {
            Reported::Key(key) if key.kind != KeyEventKind::Release => self.key(key)?,
            Reported::Paste(text) => self.pasted(&text),
            Reported::Resize(columns, rows) => self.resized(Size::reported(columns, rows)),
            Reported::Key(_) | Reported::Mouse(_) | Reported::FocusGained | Reported::FocusLost => {}
        }
        Ok(())
    }

    fn key(&mut self, key: KeyEvent) -> Result<(), Failure> {
        if self.showing.is_over() {
            return self.over_key(key);
        }
        let hint = self.hint.take();
        if self.complete_key(key) {
            return Ok(());
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => {
                    self.interrupt(hint);
                    return Ok(());
                }
                KeyCode::Char('d') if self.editor.is_empty() => {
                    self.left = Some(Left::ByPerson);
                    return Ok(());
                }
                KeyCode::Char('l') => return self.screen.clear().map_err(unusable),
                KeyCode::Char('o') => return self.detail(),
                _ => {}
            }
        }
        match self.editor.key(key) {
            Edited::Changed => Ok(()),
            Edited::Submitted(text, _) if self.asks_for_detail(&text) => self.detail(),
            Edited::Submitted(text, _) if self.asks_for_more(&text) => self.page(),
            Edited::Submitted(text, _) if shelf::is_command(&text) => {
                self.list();
                Ok(())
            }
            Edited::Submitted(text, kept) => {
                self.edits =
                    revise::is_command(&text) && self.state().is_some_and(|state| revise::editable(&state).is_some());
                let seen = self.talk.as_ref().map(|talk| Seen::at(&talk.opened.link.conversation(), talk.shown));
                if !self.edits {
                    self.post(Act::Say(text, seen));
                }
                match kept {
                    Ok(()) => Ok(()),
                    Err(error) => {
                        let words = format!("What you type is not kept for later sessions: {error}");
                        self.print(&dim(&words, self.look()))
                    }
                }
            }
        }
    }

    /// Ctrl+C: stops what runs or waits (CF-28); at rest first clears the input, then leaves. Where something only
    /// waits, half a line typed is cleared first: a slip must not cost the plan.
    fn interrupt(&mut self, hint: Option<&'static str>) {
        let runs = self.state().is_some_and(|state| state.is_busy());
        let waits = self.state().is_some_and(|state| state.question().is_some() || state.phase() != Phase::Idle);
        if runs || (waits && self.editor.is_empty()) {
            self.post(Act::Stop);
        } else if !self.editor.is_empty() {
            self.editor.clear();
            self.hint = Some(if waits { DROP_HINT } else { LEAVE_HINT });
        } else if hint == Some(LEAVE_HINT) {
            self.left = Some(Left::ByPerson);
        } else {
            self.hint = Some(LEAVE_HINT);
        }
    }

    fn signal(&mut self, signal: Signal) -> Result<(), Failure> {
        match signal {
            // Sent from outside, not typed: as the key would do.
            Signal::Interrupt => {
                let hint = self.hint.take();
                self.interrupt(hint);
            }
            Signal::WindowChanged => {
                let (columns, rows) = crossterm::terminal::size().map_err(unusable)?;
                self.resized(Size::reported(columns, rows));
            }
            Signal::Terminate | Signal::Hangup => self.left = signal.exit_code().map(Left::BySignal),
        }
        Ok(())
    }

    /// Drawing waits until the size has been at rest for a moment: while a window is dragged every size is soon wrong.
    fn resized(&mut self, size: Size) {
        self.resized = Some((size, Instant::now() + RESIZE_REST));
    }

    fn post(&mut self, posted: Act) {
        match &self.talk {
            Some(talk) => talk.mailbox.post(posted),
            None => self.waiting.push_back(posted),
        }
    }

    fn settle_size(&mut self) -> Result<(), Failure> {
        match self.resized.take() {
            Some((size, _)) => {
                self.showing.resize(size);
                self.screen.resize(size).map_err(unusable)
            }
            None => Ok(()),
        }
    }

    fn draw(&mut self) -> Result<(), Failure> {
        if self.resized.is_some() {
            return Ok(());
        }
        if let Some(page) = self.showing.drawn() {
            return self.screen.fill(&page).map_err(unusable);
        }
        let state = self.state();
        let loading = self.shelf.stage().map(|stage| stage.told()).unwrap_or_default();
        let footer = match (self.hint, &state) {
            (Some(hint), _) => Footer::Hint(hint),
            (None, _) if self.editor.is_searching() => Footer::Hint(SEARCH_HINT),
            (None, Some(state)) => self.controls(state).map_or(Footer::Status, Footer::Controls),
            (None, None) => Footer::Loading(&loading),
        };
        let writing = self.talk.as_ref().and_then(|talk| talk.writing.as_ref()?.borrow().clone());
        let size = self.screen.size();
        let menu = self.menu(usize::from(size.rows) * 2 / 3);
        let drawn = area(state.as_deref(), writing.as_deref(), &self.editor, &menu, footer, self.frame, size);
        self.screen.draw(drawn).map_err(unusable)
    }

    /// What steers a run that goes on (FL-10), one that waits says itself what it waits for; else what runs unasked.
    fn controls(&self, state: &Conversation) -> Option<&'static str> {
        let Some(run) = state.run().filter(|run| state.phase() == Phase::Executing && !run.is_waiting()) else {
            return state.runs_reads_unasked().then_some(STANDING);
        };
        let may_pause = self.talk.as_ref().is_some_and(|talk| talk.opened.link.may_pause());
        Some(match (may_pause, run.allowance()) {
            (true, None) => "pause · stop",
            // It is on its way to its boundary.
            (true, Some(0)) => "pausing · resume · stop",
            (true, Some(_)) | (false, _) => "stop",
        })
    }

    fn spins(&self) -> bool {
        self.state().is_none_or(|state| state.is_busy())
    }

    fn state(&self) -> Option<Arc<Conversation>> {
        self.talk.as_ref().map(|talk| talk.opened.link.conversation())
    }

    fn look(&self) -> Look {
        Look::terminal(self.screen.size().columns)
    }
}

/// What `future` comes to, once; may be dropped and called again before.
async fn awaited<T>(future: &mut Option<LocalBoxFuture<'_, T>>) -> T {
    let Some(awaited) = future else { return std::future::pending().await };
    let come = awaited.await;
    *future = None;
    come
}

async fn rest(until: Option<Instant>) {
    match until {
        Some(until) => tokio::time::sleep_until(until).await,
        None => std::future::pending().await,
    }
}

fn failure_lines(failure: &Failure, look: Look) -> Vec<Line> {
    let words = format!("error: {failure}");
    wrap(&words, look.width).iter().map(|words| Line::of(words, Tone::Bad)).collect()
}

fn dim(words: &str, look: Look) -> Vec<Line> {
    wrap(words, look.width).iter().map(|words| Line::of(words, Tone::Dim)).collect()
}

fn unusable(error: io::Error) -> Failure {
    Failure::new(FailureKind::Operator, "the terminal cannot be used").caused_by(error)
}

/// Said while plans that change nothing run without asking.
const STANDING: &str = "reading plans run unasked · /ask";
/// What people call this surface.
const SURFACE: &str = "terminal";
/// Said after a first Ctrl+C with nothing to stop.
const LEAVE_HINT: &str = "Ctrl+C again leaves";
/// Said after a first Ctrl+C that only cleared the input while something waits.
const DROP_HINT: &str = "Ctrl+C again drops what waits";
/// Said when a decision is open and text came in one burst with its Enter.
const PASTE_HINT: &str = "Pasted, not sent: Enter sends it";
/// Said while what was typed before is being searched.
const SEARCH_HINT: &str = "Enter takes it · Ctrl+R further back · Esc gives up";
/// Between two frames of the spinner.
const SPINNER_BEAT: Duration = Duration::from_millis(100);
/// How long the window's size must be at rest before it is drawn on again.
const RESIZE_REST: Duration = Duration::from_millis(100);
