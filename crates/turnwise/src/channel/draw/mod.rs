//! Drawing: cards and events become styled lines of a given width, the same for the terminal and for pipes. Nothing
//! here writes anywhere, so every look is tested as text. Next: `card`, then `line` for what a styled line promises.

mod bars;
mod card;
mod diff;
mod figures;
mod line;
mod paint;
mod parts;
mod plan;
mod plan_line;
mod plane;
mod proof;
mod sheet;
mod table;
mod text;
mod trend;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_hidden;

pub use card::{card, said};
pub use line::{Line, Tone};
pub use paint::{Paint, paint};
pub use text::{cut, visible, width, wrap};

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Cells in a line.
    pub width: usize,
    /// Rows of a table that are shown; the rest is counted.
    pub rows_max: usize,
    /// How much of a plan that only reads is shown.
    pub plans: Plans,
}

/// How much of a plan that only reads is shown; any other is always shown whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plans {
    /// What it does, over what, and what it takes for granted.
    InShort,
    /// With its steps, their queries and how often each is tried.
    Whole,
}

impl Look {
    /// For a terminal of `columns`: one column stays free, because a full line leaves the cursor in limbo there.
    #[must_use]
    pub fn terminal(columns: u16) -> Self {
        Self {
            width: usize::from(columns).saturating_sub(1).max(1),
            rows_max: TERMINAL_ROWS_MAX,
            plans: Plans::InShort,
        }
    }

    /// The same with nothing left out.
    #[must_use]
    pub fn whole(self) -> Self {
        Self { rows_max: usize::MAX, plans: Plans::Whole, ..self }
    }

    /// For pipes and files: nothing is wrapped, and every row that is kept is shown.
    #[must_use]
    pub fn pipe() -> Self {
        Self { width: PIPE_WIDTH, rows_max: usize::MAX, plans: Plans::Whole }
    }
}

/// Rows of a table on a terminal: a screenful that leaves the question visible.
const TERMINAL_ROWS_MAX: usize = 20;

/// Wider than any line worth reading; a limit all the same, so that one cell cannot fill a file.
const PIPE_WIDTH: usize = 1_000;
