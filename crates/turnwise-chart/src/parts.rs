//! What all charts share: the title, the legend, notes, and what stands out, in words. It stands apart from the kinds,
//! so that a new kind brings only its field. Next: `plot`.

use super::figures::figure;
use super::scene::{Anchor, Label, PAD, Paint, Scene, Shape, TEXT, WIDTH};
use super::{Chart, Kind, Marks, OTHER, Series, band, font};

/// Title and legend; gives where the drawing may begin.
pub(super) fn head(scene: &mut Scene, chart: &Chart) -> f64 {
    let mut y = PAD;
    for line in font::wrap(&chart.title, TITLE, WIDTH - 2.0 * PAD).into_iter().take(TITLE_LINES_MAX) {
        y += TITLE;
        scene.push(Shape::Text(Label { x: PAD, y, size: TITLE, anchor: Anchor::Start, paint: Paint::Ink, text: line }));
        y += 6.0;
    }
    let series = match &chart.marks {
        Marks::Rows { series, .. } if series.len() > 1 => series.as_slice(),
        Marks::Rows { .. } | Marks::Points(_) => &[],
    };
    legend(scene, series, chart.kind, y + 6.0)
}

/// A swatch and a name for each series, as many in a line as fit.
fn legend(scene: &mut Scene, series: &[Series], kind: Kind, mut y: f64) -> f64 {
    if series.is_empty() {
        return y;
    }
    let mut x = PAD;
    y += TEXT;
    for (at, series) in series.iter().enumerate() {
        let name = font::cut(&series.name, TEXT, LEGEND_NAME_MAX);
        let width = SWATCH + 6.0 + font::width(&name, TEXT) + 18.0;
        if x + width > WIDTH - PAD && x > PAD {
            x = PAD;
            y += LINE;
        }
        let paint = paint(at, &series.name);
        let height = if kind == Kind::Line { 3.0 } else { SWATCH };
        let top = y - TEXT / 2.0 + 2.0 - height / 2.0;
        scene.push(Shape::Rect { x, y: top, width: SWATCH, height, paint, told: None });
        scene.text(x + SWATCH + 6.0, y, Anchor::Start, Paint::Ink, name);
        x += width;
    }
    y + 12.0
}

/// How series `at` is painted: the bounds of a forecast stay behind it.
pub(super) fn paint(at: usize, name: &str) -> Paint {
    if band::is_bound(name) { Paint::Muted } else { Paint::Series(colour(at, name)) }
}

/// The colour of series `at`; what was put together is grey.
pub(super) fn colour(at: usize, name: &str) -> usize {
    if name == OTHER { COLOURS - 1 } else { at % (COLOURS - 1) }
}

/// The notes under the drawing; gives where they end.
pub(super) fn foot(scene: &mut Scene, chart: &Chart, mut y: f64) -> f64 {
    for line in chart.notes.iter().flat_map(|note| font::wrap(note, TEXT, WIDTH - 2.0 * PAD)) {
        y += LINE;
        scene.text(PAD, y, Anchor::Start, Paint::Muted, line);
    }
    y
}

/// The largest and the smallest, in words.
pub(super) fn extremes(chart: &Chart) -> Option<String> {
    let mut all: Vec<(String, f64)> = Vec::new();
    match &chart.marks {
        Marks::Points(points) => all.extend(points.iter().map(|point| (point.label.clone(), point.y))),
        Marks::Rows { labels, series } => {
            for series in series {
                let named = labels.iter().zip(&series.values);
                all.extend(named.filter_map(|(label, value)| Some((told(label, &series.name), (*value)?))));
            }
        }
    }
    let high = all.iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
    let low = all.iter().min_by(|one, other| one.1.total_cmp(&other.1))?;
    let unit = chart.figures.unit;
    let of = |(name, value): &(String, f64)| format!("{}{}", figure(*value, unit), in_brackets(name));
    Some(format!("Highest {}, lowest {}.", of(high), of(low)))
}

fn in_brackets(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

/// A label and the name of its series, where there are both.
pub(super) fn told(label: &str, series: &str) -> String {
    [label, series].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Distance of two lines of text.
pub(super) const LINE: f64 = 19.0;
/// Colours of series there are; the last one stands for what was put together.
pub(super) const COLOURS: usize = 8;
const TITLE: f64 = 18.0;
const TITLE_LINES_MAX: usize = 2;
const SWATCH: f64 = 12.0;
const LEGEND_NAME_MAX: f64 = 240.0;
