//! The four kinds of drawing. Bars lie, so that long names can be read; lines and planes share a frame of round steps.
//! Each takes where it may begin and gives where it ends. Next: `svg`, `picture`.

use super::figures::{Steps, figure, tick};
use super::parts::{LINE, colour, paint, told};
use super::scene::{Anchor, PAD, Paint, Scene, Shape, TEXT, WIDTH};
use super::{Axis, Chart, Marks, Point, Series, Unit, band, font};

/// A field with figures upwards.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    steps: Steps,
}

impl Frame {
    fn y(&self, value: f64) -> f64 {
        let share = (value - self.steps.first) / (self.steps.last() - self.steps.first);
        self.bottom - share * (self.bottom - self.top)
    }

    /// Draws the steps of the figures, and their title above them.
    fn draw(scene: &mut Scene, axis: &Axis, (low, high): (f64, f64), below: f64) -> Self {
        let steps = Steps::over(low, high, STEPS_UP);
        let ticks: Vec<String> = (0..=steps.count).map(|at| tick(steps.at(at), steps.width, axis.unit)).collect();
        let widest = ticks.iter().map(|tick| font::width(tick, TEXT)).fold(0.0, f64::max);
        let top = if axis.title.is_empty() { below + 8.0 } else { below + LINE + 6.0 };
        let frame = Self { left: PAD + widest + 8.0, right: WIDTH - PAD, top, bottom: top + FIELD, steps };
        if !axis.title.is_empty() {
            let name = font::cut(&axis.title, TEXT, WIDTH - 2.0 * PAD);
            scene.text(PAD, below + TEXT, Anchor::Start, Paint::Muted, name);
        }
        for (at, tick) in ticks.into_iter().enumerate() {
            let value = frame.steps.at(at);
            let y = frame.y(value);
            let paint = if value == 0.0 { Paint::Muted } else { Paint::Grid };
            scene.rule((frame.left, y), (frame.right, y), paint);
            scene.text(frame.left - 8.0, y + TEXT * 0.35, Anchor::End, Paint::Muted, tick);
        }
        frame
    }

    /// The title of what stands below; gives where the drawing ends.
    fn name_below(&self, scene: &mut Scene, title: &str, y: f64) -> f64 {
        if title.is_empty() {
            return y;
        }
        let name = font::cut(title, TEXT, self.right - self.left);
        scene.text(f64::midpoint(self.left, self.right), y + LINE, Anchor::Middle, Paint::Muted, name);
        y + LINE + 4.0
    }
}

/// Points in order, joined; gaps stay gaps.
pub(super) fn line(scene: &mut Scene, chart: &Chart, (labels, series): (&[String], &[Series]), below: f64) -> f64 {
    let frame = Frame::draw(scene, &chart.figures, from_zero_if_near(range(series)), below);
    let inner = (frame.left + 10.0, frame.right - 10.0);
    #[expect(clippy::cast_precision_loss, reason = "at most as many as a fact keeps rows")]
    let x = |at: usize| match labels.len() {
        1 => f64::midpoint(inner.0, inner.1),
        many => inner.0 + (inner.1 - inner.0) * at as f64 / (many - 1) as f64,
    };
    interval(scene, series, &x, &frame);
    for (number, series) in series.iter().enumerate() {
        let (paint, is_bound) = (paint(number, &series.name), band::is_bound(&series.name));
        for stretch in stretches(&series.values) {
            let points: Vec<(f64, f64)> = stretch.iter().map(|(at, value)| (x(*at), frame.y(*value))).collect();
            let alone = points.len() == 1;
            if !alone {
                scene.push(Shape::Line { points, width: if is_bound { 1.0 } else { 2.5 }, paint });
            }
            if alone || (labels.len() <= DOTTED_MAX && !is_bound) {
                for (at, value) in stretch {
                    let name = told(labels.get(at).map_or("", String::as_str), &series.name);
                    let words = Some(format!("{name}: {}", figure(value, chart.figures.unit)));
                    scene.push(Shape::Dot { x: x(at), y: frame.y(value), radius: 3.5, paint, told: words });
                }
            }
        }
    }
    labels_below(scene, labels, &x, &frame);
    frame.name_below(scene, &chart.along.title, frame.bottom + LINE)
}

/// The ground between the bounds of a forecast.
fn interval(scene: &mut Scene, series: &[Series], x: &dyn Fn(usize) -> f64, frame: &Frame) {
    let between = band::between(series);
    if between.len() < 2 {
        return;
    }
    let along = between.iter().map(|(at, low, _)| (x(*at), frame.y(*low)));
    let back = between.iter().rev().map(|(at, _, high)| (x(*at), frame.y(*high)));
    scene.push(Shape::Area { points: along.chain(back).collect(), paint: Paint::Series(0) });
}

/// Values without gaps between them, each with its place.
fn stretches(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut all: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut open = false;
    for (at, value) in values.iter().enumerate() {
        match (value, open) {
            (Some(value), true) => all.last_mut().into_iter().for_each(|stretch| stretch.push((at, *value))),
            (Some(value), false) => all.push(vec![(at, *value)]),
            (None, _) => {}
        }
        open = value.is_some();
    }
    all
}

/// As many labels as do not touch; the first always, the others evenly.
fn labels_below(scene: &mut Scene, labels: &[String], x: &dyn Fn(usize) -> f64, frame: &Frame) {
    let widest = labels.iter().map(|label| font::width(label, TEXT)).fold(0.0, f64::max).min(LABEL_BELOW_MAX);
    let fitting = ((frame.right - frame.left) / (widest + 14.0)).floor().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a few hundred")]
    let every = labels.len().div_ceil(fitting as usize).max(1);
    for (at, label) in labels.iter().enumerate().step_by(every) {
        let shown = font::cut(label, TEXT, LABEL_BELOW_MAX);
        let half = font::width(&shown, TEXT) / 2.0;
        let place = x(at).clamp(PAD + half, (WIDTH - PAD - half).max(PAD + half));
        scene.text(place, frame.bottom + LINE, Anchor::Middle, Paint::Muted, shown);
    }
}

/// Two figures against each other.
pub(super) fn scatter(scene: &mut Scene, chart: &Chart, points: &[Point], below: f64) -> f64 {
    let of = |read: fn(&Point) -> f64| {
        points.iter().map(read).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let frame = Frame::draw(scene, &chart.figures, from_zero_if_near(of(|point| point.y)), below);
    let (low, high) = from_zero_if_near(of(|point| point.x));
    let across = Steps::over(low, high, STEPS_ACROSS);
    let (left, right) = (frame.left + 10.0, frame.right - 10.0);
    let x = |value: f64| left + (value - across.first) / (across.last() - across.first) * (right - left);
    for at in 0..=across.count {
        let value = across.at(at);
        scene.rule((x(value), frame.top), (x(value), frame.bottom), Paint::Grid);
        let told = tick(value, across.width, chart.along.unit);
        scene.text(x(value), frame.bottom + LINE, Anchor::Middle, Paint::Muted, told);
    }
    let radius = if points.len() > CROWDED { 2.5 } else { 4.0 };
    for point in points {
        let figures = (figure(point.x, chart.along.unit), figure(point.y, chart.figures.unit));
        let name = if point.label.is_empty() { String::new() } else { format!("{}: ", point.label) };
        let told = Some(format!("{name}{}, {}", figures.0, figures.1));
        scene.push(Shape::Dot { x: x(point.x), y: frame.y(point.y), radius, paint: Paint::Series(0), told });
    }
    frame.name_below(scene, &chart.along.title, frame.bottom + LINE)
}

/// A field with figures to the right, and names at the left.
struct Lying {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    steps: Steps,
}

impl Lying {
    fn x(&self, value: f64) -> f64 {
        let share = (value - self.steps.first) / (self.steps.last() - self.steps.first);
        self.left + share * (self.right - self.left)
    }

    fn draw(scene: &mut Scene, chart: &Chart, labels: &[String], (top, height): (f64, f64), span: (f64, f64)) -> Self {
        let widest = labels.iter().map(|label| font::width(label, TEXT)).fold(0.0, f64::max).min(LABEL_MAX);
        let steps = Steps::over(span.0.min(0.0), span.1.max(0.0), STEPS_ACROSS);
        let left = PAD + if widest > 0.0 { widest + 10.0 } else { 0.0 };
        let field = Self { left, right: WIDTH - PAD - FIGURE_ROOM, top, bottom: top + height, steps };
        for at in 0..=field.steps.count {
            let value = field.steps.at(at);
            let paint = if value == 0.0 { Paint::Muted } else { Paint::Grid };
            scene.rule((field.x(value), field.top), (field.x(value), field.bottom), paint);
            let told = tick(value, field.steps.width, chart.figures.unit);
            scene.text(field.x(value), field.bottom + LINE - 2.0, Anchor::Middle, Paint::Muted, told);
        }
        field
    }

    fn name(&self, scene: &mut Scene, label: &str, middle: f64) {
        let shown = font::cut(label, TEXT, LABEL_MAX);
        scene.text(self.left - 10.0, middle + TEXT * 0.35, Anchor::End, Paint::Ink, shown);
    }

    fn end(&self, scene: &mut Scene, chart: &Chart) -> f64 {
        let y = self.bottom + LINE;
        // Several measures have their names in the legend; under the figures they are said as well.
        let measured = match &chart.marks {
            Marks::Rows { series, .. } if chart.figures.title.is_empty() => {
                series.iter().map(|series| series.name.as_str()).collect::<Vec<_>>().join(", ")
            }
            Marks::Rows { .. } | Marks::Points(_) => chart.figures.title.clone(),
        };
        let parts = [measured.as_str(), chart.along.title.as_str()];
        let title = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" by ");
        let name = font::cut(&title, TEXT, WIDTH - 2.0 * PAD);
        scene.text(f64::midpoint(self.left, self.right), y + LINE - 2.0, Anchor::Middle, Paint::Muted, name);
        y + LINE
    }
}

/// A bar a row; several series lie under each other.
pub(super) fn bars(scene: &mut Scene, chart: &Chart, (labels, series): (&[String], &[Series]), below: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
    let (count, within) = (labels.len() as f64, series.len() as f64);
    let thick = if series.len() > 1 { THIN } else { THICK };
    let row = thick * within + GAP;
    let field = Lying::draw(scene, chart, labels, (below + 8.0, count * row), range(series));
    for (at, label) in labels.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
        let top = field.top + row * at as f64 + GAP / 2.0;
        field.name(scene, label, top + thick * within / 2.0);
        for (number, series) in series.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "at most a few")]
            let y = top + thick * number as f64;
            let value = series.values.get(at).copied().flatten();
            let name = told(label, &series.name);
            let colour = colour(number, if series.name.is_empty() { label } else { &series.name });
            one_bar(scene, &field, value, (y, thick), (chart.figures.unit, &name, Paint::Series(colour)));
        }
    }
    field.end(scene, chart)
}

fn one_bar(
    scene: &mut Scene,
    field: &Lying,
    value: Option<f64>,
    (y, thick): (f64, f64),
    (unit, name, paint): (Unit, &str, Paint),
) {
    let zero = field.x(0.0);
    let base = y + thick / 2.0 + TEXT * 0.35;
    let Some(value) = value else {
        scene.text(zero + 6.0, base, Anchor::Start, Paint::Muted, "no value");
        return;
    };
    let shown = figure(value, unit);
    let (from, to) = (zero.min(field.x(value)), zero.max(field.x(value)));
    // Any value but zero shows at least a sliver.
    let width = if value == 0.0 { 0.0 } else { (to - from).max(1.0) };
    let told = Some(format!("{name}: {shown}"));
    scene.push(Shape::Rect { x: from, y: y + 1.0, width, height: thick - 2.0, paint, told });
    let (x, anchor) = if value < 0.0 && from - field.left > font::width(&shown, TEXT) + 12.0 {
        (from - 6.0, Anchor::End)
    } else {
        (to + 6.0, Anchor::Start)
    };
    scene.text(x, base, anchor, Paint::Ink, shown);
}

/// Parts of a whole beside each other; the parts of a single bar are listed under it.
pub(super) fn stacked(scene: &mut Scene, chart: &Chart, (labels, series): (&[String], &[Series]), below: f64) -> f64 {
    let value = |series: &Series, at: usize| series.values.get(at).copied().flatten().unwrap_or(0.0);
    let totals: Vec<f64> = (0..labels.len()).map(|at| series.iter().map(|series| value(series, at)).sum()).collect();
    let most = totals.iter().copied().fold(0.0, f64::max);
    #[expect(clippy::cast_precision_loss, reason = "at most as many as a fact keeps rows")]
    let height = labels.len() as f64 * (PART + GAP);
    let field = Lying::draw(scene, chart, labels, (below + 8.0, height), (0.0, most));
    for (at, label) in labels.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "at most as many as a fact keeps rows")]
        let y = field.top + (PART + GAP) * at as f64 + GAP / 2.0;
        field.name(scene, label, y + PART / 2.0);
        let mut from = 0.0;
        for (number, series) in series.iter().enumerate() {
            let part = value(series, at);
            let (x, width) = (field.x(from), field.x(from + part) - field.x(from));
            let shown = figure(part, chart.figures.unit);
            let words = Some(format!("{}: {shown}", told(label, &series.name)));
            let paint = Paint::Series(colour(number, &series.name));
            scene.push(Shape::Rect { x, y, width: (width - 1.0).max(0.0), height: PART, paint, told: words });
            if width > font::width(&shown, TEXT) + 10.0 {
                let base = y + PART / 2.0 + TEXT * 0.35;
                scene.text(x + width / 2.0, base, Anchor::Middle, Paint::Ground, shown);
            }
            from += part;
        }
        if labels.len() > 1 {
            let base = y + PART / 2.0 + TEXT * 0.35;
            scene.text(field.x(from) + 6.0, base, Anchor::Start, Paint::Ink, figure(from, chart.figures.unit));
        }
    }
    let end = field.end(scene, chart);
    if labels.len() == 1 { listed(scene, chart, series, end) } else { end }
}

/// Every part with its figure: what is too thin for its own is told here.
fn listed(scene: &mut Scene, chart: &Chart, series: &[Series], mut y: f64) -> f64 {
    y += 6.0;
    for (number, series) in series.iter().enumerate() {
        y += LINE;
        let paint = Paint::Series(colour(number, &series.name));
        scene.push(Shape::Rect { x: PAD, y: y - 10.0, width: 12.0, height: 12.0, paint, told: None });
        let value = series.values.first().copied().flatten();
        let shown = value.map_or_else(|| "no value".to_owned(), |value| figure(value, chart.figures.unit));
        scene.text(PAD + 18.0, y, Anchor::Start, Paint::Ink, font::cut(&series.name, TEXT, 420.0));
        scene.text(PAD + 520.0, y, Anchor::End, Paint::Ink, shown);
    }
    y + 4.0
}

fn range(series: &[Series]) -> (f64, f64) {
    let values = series.iter().flat_map(|series| &series.values).flatten();
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    if low > high { (0.0, 0.0) } else { (low, high) }
}

/// Zero belongs to the picture unless the figures are far from it: a small change would look like a large one.
fn from_zero_if_near((low, high): (f64, f64)) -> (f64, f64) {
    let span = high - low;
    if low > 0.0 && low < span * FAR_SPANS {
        (0.0, high)
    } else if high < 0.0 && -high < span * FAR_SPANS {
        (low, 0.0)
    } else {
        (low, high)
    }
}

/// Height of a field with figures upwards.
const FIELD: f64 = 300.0;
const STEPS_UP: usize = 6;
const STEPS_ACROSS: usize = 6;
/// Points beyond which only the line is drawn.
const DOTTED_MAX: usize = 60;
/// Points from which dots are small.
const CROWDED: usize = 200;
const LABEL_MAX: f64 = 250.0;
const LABEL_BELOW_MAX: f64 = 140.0;
/// Room for a figure behind the longest bar.
const FIGURE_ROOM: f64 = 70.0;
const THICK: f64 = 20.0;
const THIN: f64 = 15.0;
const PART: f64 = 34.0;
const GAP: f64 = 8.0;
/// Figures farther from zero than this many times their range are drawn without it.
const FAR_SPANS: f64 = 3.0;
