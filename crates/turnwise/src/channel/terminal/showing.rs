//! Showing more: all of a plan that is shown in short, and what is too long for the window page by page. Words that ask
//! for it are this terminal's own; they decide nothing and stand in no log. Next: `pager`,
//! `picker`.

use turnwise_core::{Card, Conversation, Event, PendingKind};

use super::pager::{Paged, Pager};
use super::picker::{Picked, Picker};
use super::screen::Size;
use super::{Chat, guard, unusable};
use crate::channel::draw::{Line, Tone, card, wrap};
use turnwise_assistant::Failure;

/// What can be looked at on asking.
#[derive(Default)]
pub(super) struct Showing {
    /// What was shown last and is longer than what was shown of it.
    long: Option<Card>,
    /// What is on the other screen.
    over: Option<Over>,
    /// What is to be added to the transcript when that is left.
    held: Vec<Line>,
}

/// What fills the other screen.
pub(super) enum Over {
    /// A card, to be paged through.
    Card(Pager),
    /// The person's conversations, to choose from.
    Conversations(Picker),
}

impl Showing {
    /// Whether the other screen is in sight.
    pub(super) fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// What fills the window while it is.
    pub(super) fn drawn(&self) -> Option<Vec<Line>> {
        self.over.as_ref().map(|over| match over {
            Over::Card(pager) => pager.drawn(),
            Over::Conversations(picker) => picker.drawn(),
        })
    }

    /// The window has another size.
    pub(super) fn resize(&mut self, size: Size) {
        match &mut self.over {
            Some(Over::Card(pager)) => pager.resize(size),
            Some(Over::Conversations(picker)) => picker.resize(size),
            None => {}
        }
    }
}

impl Chat<'_> {
    /// Leaves the window as a shell expects it.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        if self.showing.over.take().is_some() {
            guard::turn_back().map_err(unusable)?;
            self.screen.forget();
        }
        self.screen.leave().map_err(unusable)
    }

    /// Adds `lines` to the transcript, once it is in sight.
    pub(super) fn print(&mut self, lines: &[Line]) -> Result<(), Failure> {
        if self.showing.is_over() {
            self.showing.held.extend_from_slice(lines);
            return Ok(());
        }
        if lines.is_empty() { Ok(()) } else { self.screen.print(lines).map_err(unusable) }
    }

    /// Adds what `event` showed as `lines`: of what is higher than the window its beginning, and how to see the rest.
    pub(super) fn print_shown(&mut self, event: &Event, mut lines: Vec<Line>) -> Result<(), Failure> {
        if let Event::Said { card: Some(shown), .. } = event
            && may_be_long(shown)
        {
            let look = self.look();
            let whole = card(shown, look.whole()).len();
            let window = usize::from(self.screen.size().rows).saturating_sub(ROWS_KEPT).max(ROWS_MIN);
            let is_rows = matches!(shown, Card::Result { provenance: None, .. });
            let is_cut = lines.len() > window && !is_rows;
            if is_cut {
                lines.truncate(window);
            }
            let is_long = is_cut || whole > lines.len();
            self.showing.long = is_long.then(|| shown.clone());
            if is_long {
                lines.extend(wrap(MORE, look.width).iter().map(|words| Line::of(words, Tone::Accent)));
            }
        }
        self.print(&lines)
    }

    /// Whether the words ask for all of the plan that waits.
    pub(super) fn asks_for_detail(&self, words: &str) -> bool {
        DETAIL_WORDS.contains(&plain(words).as_str())
            && self.state().is_some_and(|state| waiting_plan(&state).is_some())
    }

    /// Whether the words ask for the rest of what was shown last. Where nothing of it is left they mean something else.
    pub(super) fn asks_for_more(&self, words: &str) -> bool {
        self.showing.long.is_some() && MORE_WORDS.contains(&plain(words).as_str())
    }

    /// Shows all of the plan that waits.
    pub(super) fn detail(&mut self) -> Result<(), Failure> {
        let Some(plan) = self.state().as_deref().and_then(waiting_plan) else { return Ok(()) };
        let mut lines = vec![Line::default()];
        lines.extend(card(&plan, self.look().whole()));
        self.print(&lines)
    }

    /// Opens what was shown last on the other screen.
    pub(super) fn page(&mut self) -> Result<(), Failure> {
        let Some(long) = self.showing.long.clone() else { return Ok(()) };
        self.turn_over(Over::Card(Pager::new(long, self.screen.size())))
    }

    /// Puts something on the other screen.
    pub(super) fn turn_over(&mut self, over: Over) -> Result<(), Failure> {
        if !self.showing.is_over() {
            self.screen.leave().map_err(unusable)?;
            guard::turn_over().map_err(unusable)?;
        }
        self.showing.over = Some(over);
        Ok(())
    }

    /// Gives a key to what is on the other screen; the transcript comes back with what happened meanwhile when it ends.
    pub(super) fn over_key(&mut self, key: crossterm::event::KeyEvent) -> Result<(), Failure> {
        let opens = match &mut self.showing.over {
            Some(Over::Card(pager)) => match pager.key(key) {
                Paged::Goes => return Ok(()),
                Paged::Ends => None,
            },
            Some(Over::Conversations(picker)) => match picker.key(key) {
                Picked::Goes => return Ok(()),
                Picked::Nothing => None,
                Picked::Opens(id) => Some(id),
            },
            None => return Ok(()),
        };
        self.showing.over = None;
        guard::turn_back().map_err(unusable)?;
        self.screen.forget();
        let held = std::mem::take(&mut self.showing.held);
        if let Some(id) = opens {
            self.reopen(id);
        }
        self.print(&held)
    }

    /// What was shown last is out of reach: another conversation is before the person.
    pub(super) fn forget_shown(&mut self) {
        self.showing.long = None;
    }
}

/// Whether a card can be longer than a window. A plan is to be seen whole before it is decided on, and is never cut.
fn may_be_long(shown: &Card) -> bool {
    match shown {
        Card::Result { .. } | Card::Provenance { .. } | Card::Facts { .. } | Card::Help { .. } | Card::Why { .. } => {
            true
        }
        Card::Plan(_) | Card::Question { .. } | Card::Steps { .. } | Card::Failure { .. } => false,
    }
}

/// The plan that waits for a decision, as it is asked about.
fn waiting_plan(state: &Conversation) -> Option<Card> {
    let question = state.question().filter(|question| matches!(question.kind, PendingKind::Approval { .. }))?;
    state.asked(question)?.1
}

fn plain(words: &str) -> String {
    words.trim().trim_end_matches(['.', '!']).to_lowercase()
}

/// What asks for all of a plan that is shown in short.
const DETAIL_WORDS: [&str; 3] = ["details", "show details", "show the details"];
/// What asks for the rest of what was shown.
const MORE_WORDS: [&str; 5] = ["more", "show more", "show all", "show all rows", "show the rest"];
/// Said below what is not shown whole.
const MORE: &str = "“more” pages through it";
/// Rows of the window that are kept for the question above and the input below.
const ROWS_KEPT: usize = 8;
/// Rows shown at least.
const ROWS_MIN: usize = 4;
