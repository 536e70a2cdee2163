//! Lines to bytes: the only place that knows escape sequences of colours. Everything else speaks of tones, so that
//! plain output is the same text. Next: `terminal`, `line` mode.

use super::{Line, Tone};

/// Whether colours may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// As tones ask.
    Colour,
    /// Text alone: pipes, `NO_COLOR`, dumb terminals.
    Plain,
}

impl Paint {
    /// What the environment allows on a terminal: `NO_COLOR` set to anything but nothing (no-color.org), and
    /// `TERM=dumb`, turn colours off.
    #[must_use]
    pub fn of_environment() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if refused || dumb { Self::Plain } else { Self::Colour }
    }
}

/// The line as text to write, without a line break.
#[must_use]
pub fn paint(line: &Line, how: Paint) -> String {
    match how {
        Paint::Plain => line.plain().trim_end().to_owned(),
        Paint::Colour => {
            let mut text = String::new();
            for span in line.spans() {
                match sequence(span.tone) {
                    None => text.push_str(&span.text),
                    Some(code) => {
                        text.push_str("\u{1b}[");
                        text.push_str(code);
                        text.push('m');
                        text.push_str(&span.text);
                        text.push_str("\u{1b}[0m");
                    }
                }
            }
            text
        }
    }
}

/// Only the eight basic colours: they follow the person's own palette, light or dark.
fn sequence(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Strong => Some("1"),
        Tone::Dim => Some("2"),
        Tone::Good => Some("32"),
        Tone::Bad => Some("31"),
        Tone::Accent => Some("36"),
        Tone::Warn => Some("1;33"),
        Tone::Added => Some("1;4;32"),
        Tone::Removed => Some("1;4;31"),
    }
}
