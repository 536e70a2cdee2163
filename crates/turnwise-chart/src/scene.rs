//! A chart laid out: rectangles, lines, dots and texts with places, and no word on how they are written. `svg` and
//! `picture` write the same scene, so both formats show the same. Next: `plot` for the kinds, `parts` for the rest.

use super::{Chart, Kind, Marks, parts, plot};

/// How something is painted; the colour behind it is the theme's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// Text, and the line at zero.
    Ink,
    /// Text beside the point: ticks, notes.
    Muted,
    /// Lines behind the marks.
    Grid,
    /// The ground, between parts.
    Ground,
    /// The marks of a series, by number.
    Series(usize),
}

/// Where a text hangs on its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) x: f64,
    /// The line the letters stand on.
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) paint: Paint,
    pub(super) text: String,
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A filled rectangle; `told` is what it stands for.
    Rect { x: f64, y: f64, width: f64, height: f64, paint: Paint, told: Option<String> },
    /// A line through points.
    Line { points: Vec<(f64, f64)>, width: f64, paint: Paint },
    /// A ground between points, through which what lies behind is seen.
    Area { points: Vec<(f64, f64)>, paint: Paint },
    /// A filled circle; `told` is what it stands for.
    Dot { x: f64, y: f64, radius: f64, paint: Paint, told: Option<String> },
    /// A text.
    Text(Label),
}

/// Everything drawn, in order, on a ground of this size.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) title: String,
    pub(super) described: String,
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn push(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    pub(super) fn text(&mut self, x: f64, y: f64, anchor: Anchor, paint: Paint, text: impl Into<String>) {
        self.push(Shape::Text(Label { x, y, size: TEXT, anchor, paint, text: text.into() }));
    }

    pub(super) fn rule(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        self.push(Shape::Line { points: vec![from, to], width: 1.0, paint });
    }
}

/// Lays a chart out.
pub(super) fn lay_out(chart: &Chart) -> Scene {
    let mut scene = Scene {
        width: WIDTH,
        height: 0.0,
        title: chart.title.clone(),
        described: described(chart),
        shapes: Vec::new(),
    };
    let below = parts::head(&mut scene, chart);
    let end = match (&chart.marks, chart.kind) {
        (Marks::Points(points), _) => plot::scatter(&mut scene, chart, points, below),
        (Marks::Rows { labels, series }, Kind::Line) => plot::line(&mut scene, chart, (labels, series), below),
        (Marks::Rows { labels, series }, Kind::Stacked) => plot::stacked(&mut scene, chart, (labels, series), below),
        (Marks::Rows { labels, series }, _) => plot::bars(&mut scene, chart, (labels, series), below),
    };
    scene.height = parts::foot(&mut scene, chart, end) + PAD;
    scene
}

/// The chart in words, for whoever cannot see it.
fn described(chart: &Chart) -> String {
    let of = match &chart.marks {
        Marks::Points(points) => format!("{} points", points.len()),
        Marks::Rows { labels, series } => match (labels.as_slice(), series.len()) {
            (_, 1) if labels.len() > 1 => {
                let (first, last) = (labels.first(), labels.last());
                let ends = first.zip(last).map(|(first, last)| format!(", from {first} to {last}")).unwrap_or_default();
                format!("{} values{ends}", labels.len())
            }
            ([one], series) if one.is_empty() => format!("{series} parts"),
            (labels, series) => format!("{series} series of {} values", labels.len()),
        },
    };
    let mut told = format!("A {} with {of}.", chart.kind.word());
    for line in parts::extremes(chart).into_iter().chain(chart.notes.iter().cloned()) {
        told.push(' ');
        told.push_str(&line);
    }
    told
}

/// Width of every chart: it fits a page and a message.
pub(super) const WIDTH: f64 = 800.0;
/// Free ground at every edge.
pub(super) const PAD: f64 = 20.0;
/// How much of an area covers what lies behind it.
pub(super) const AREA_OPACITY: f64 = 0.16;
/// Size of all text but the title.
pub(super) const TEXT: f64 = 13.0;
