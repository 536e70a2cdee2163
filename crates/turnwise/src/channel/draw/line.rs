//! Styled lines. A [`Line`] can only be filled with text made [`visible`](super::visible), so nothing from data reaches
//! a terminal as a command. Next: `sheet`, which lays lines out; `paint`, which colours them.

use super::text;

/// What a piece of text is; the surface decides how that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary.
    Plain,
    /// What matters in its surroundings.
    Strong,
    /// What can be skipped: queries, hints, the spinner.
    Dim,
    /// Done, or going well.
    Good,
    /// Failed.
    Bad,
    /// Exploratory mode, choices, links between things.
    Accent,
    /// Proof mode, and what asks for attention.
    Warn,
    /// Words that come with a change.
    Added,
    /// Words that go with it.
    Removed,
}

/// A piece of a line in one tone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) tone: Tone,
}

/// A line of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    spans: Vec<Span>,
}

impl Line {
    /// A line of one piece.
    #[must_use]
    pub fn of(text: &str, tone: Tone) -> Self {
        Self::default().with(text, tone)
    }

    /// The line with one more piece.
    #[must_use]
    pub fn with(mut self, text: &str, tone: Tone) -> Self {
        if !text.is_empty() {
            self.spans.push(Span { text: text::visible(text), tone });
        }
        self
    }

    /// The line with `other` behind it.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// Cells it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.spans.iter().map(|span| text::width(&span.text)).sum()
    }

    /// Its text without tones.
    #[must_use]
    pub fn plain(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// The line cut to `cells` cells, ending in `…` where something was cut.
    #[must_use]
    pub fn cut(self, cells: usize) -> Self {
        if self.width() <= cells {
            return self;
        }
        let mut left = cells;
        let mut spans = Vec::new();
        for span in self.spans {
            let wanted = text::width(&span.text);
            // A piece that fills the line to its end would leave no cell for the mark of what is missing.
            if wanted < left {
                left -= wanted;
                spans.push(span);
            } else {
                spans.push(Span { text: text::cut(&format!("{}…", span.text), left), tone: span.tone });
                break;
            }
        }
        Self { spans }
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }
}
