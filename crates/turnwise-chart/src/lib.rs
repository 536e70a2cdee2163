//! Charts: rows of a result as a picture. `choose` decides from the rows what is drawn, `scene` lays it out, `svg`
//! and `picture` write it, `keep` puts it into a file. It knows tables and nothing of surfaces, so that every surface
//! draws alike. Next: `choose`.

mod band;
mod changes;
mod choose;
mod columns;
mod figures;
mod font;
mod keep;
mod outline;
mod parts;
mod picture;
mod plot;
mod scene;
mod svg;

#[cfg(test)]
mod tests;

pub use changes::changes;
pub use choose::{NoChart, answering, chart, natural};
pub use figures::figure;
pub use keep::{Format, KeepError, Kept, drawn, keep};
pub use outline::Outline;

use turnwise_core::Presentation;

/// What kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Points in order, joined: how something went.
    Line,
    /// A bar a row: what is more.
    Bars,
    /// Parts of a whole.
    Stacked,
    /// Two figures against each other.
    Scatter,
}

/// A chart, chosen and not yet laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What kind.
    pub kind: Kind,
    /// What it shows, for people.
    pub title: String,
    /// What the labels, or the figures to the right, are.
    pub along: Axis,
    /// What the figures are.
    pub figures: Axis,
    /// What is drawn.
    pub marks: Marks,
    /// What was left out or put together, one sentence each.
    pub notes: Vec<String>,
}

/// What stands along one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its title.
    pub title: String,
    /// How its numbers are written.
    pub unit: Unit,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// As they are.
    Plain,
    /// A share of one, as per cent.
    Percent,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Figures by label, in one series or several.
    Rows {
        /// The labels, in order.
        labels: Vec<String>,
        /// The series, each with a figure or a gap for every label.
        series: Vec<Series>,
    },
    /// Points on a plane.
    Points(Vec<Point>),
}

/// Figures that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name; empty where there is only one.
    pub name: String,
    /// A figure or a gap for every label.
    pub values: Vec<Option<f64>>,
}

/// A point on a plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// What it stands for.
    pub label: String,
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
}

/// The name of what was put together.
pub const OTHER: &str = "other";

impl Kind {
    /// As core calls it.
    #[must_use]
    pub fn presentation(self) -> Presentation {
        match self {
            Self::Line => Presentation::Line,
            Self::Bars => Presentation::Bars,
            Self::Stacked => Presentation::Stacked,
            Self::Scatter => Presentation::Scatter,
        }
    }

    /// The kind that a presentation names; none for a value and a table.
    #[must_use]
    pub fn of(presentation: Presentation) -> Option<Self> {
        match presentation {
            Presentation::Line => Some(Self::Line),
            Presentation::Bars => Some(Self::Bars),
            Presentation::Stacked => Some(Self::Stacked),
            Presentation::Scatter => Some(Self::Scatter),
            Presentation::Value | Presentation::Table => None,
        }
    }

    /// What a person calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Line => "line chart",
            Self::Bars => "bar chart",
            Self::Stacked => "stacked bar",
            Self::Scatter => "scatter plot",
        }
    }
}
