//! Two figures against each other: a field of dots, larger where several points meet, with the ranges at its edges. The
//! table under it has the points. Next: `trend` for a line over time.

use turnwise_core::Table;

use super::sheet::Sheet;
use super::{Line, Tone, table, text};
use turnwise_chart::{Chart, Kind, Marks, Point};

/// Draws the points; where rows have no two figures, says why and shows them as they are.
pub(super) fn draw(sheet: &mut Sheet, rows: &Table) {
    match turnwise_chart::chart(rows, Kind::Scatter, "") {
        Ok(chart) => {
            if let Marks::Points(points) = &chart.marks {
                field(sheet, &chart, points);
            }
            chart.notes.iter().for_each(|note| sheet.text(note, Tone::Dim));
        }
        Err(error) => sheet.text(&error.to_string(), Tone::Warn),
    }
    table::draw(sheet, rows);
}

/// The lowest and the highest.
fn range(points: &[Point], of: fn(&Point) -> f64) -> (f64, f64) {
    points.iter().map(of).fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
}

fn field(sheet: &mut Sheet, chart: &Chart, points: &[Point]) {
    let (across, up) = (range(points, |point| point.x), range(points, |point| point.y));
    let told = |value: f64| turnwise_chart::figure(value, chart.figures.unit);
    let (top, bottom) = (told(up.1), told(up.0));
    let axis = text::width(&top).max(text::width(&bottom));
    let room = sheet.width().saturating_sub(axis + 2).min(WIDTH_MAX);
    if room < WIDTH_MIN {
        return;
    }
    let heading = format!("{} against {}", chart.figures.title, chart.along.title);
    sheet.line(Line::of(&heading, Tone::Dim));
    let mut hits = vec![vec![0_usize; room]; HEIGHT];
    for point in points {
        let row = HEIGHT - 1 - place(point.y, up, HEIGHT);
        hits[row][place(point.x, across, room)] += 1;
    }
    for (at, cells) in hits.iter().enumerate() {
        let mark = if at == 0 {
            top.as_str()
        } else if at + 1 == HEIGHT {
            bottom.as_str()
        } else {
            ""
        };
        let fill = " ".repeat(axis.saturating_sub(text::width(mark)));
        let side = if mark.is_empty() { '│' } else { '┤' };
        let dots: String = cells.iter().map(|hits| dot(*hits)).collect();
        let line = Line::of(&format!("{fill}{mark} {side}"), Tone::Dim);
        sheet.line(line.with(dots.trim_end(), Tone::Accent));
    }
    let (left, right) =
        (turnwise_chart::figure(across.0, chart.along.unit), turnwise_chart::figure(across.1, chart.along.unit));
    let gap = room.saturating_sub(text::width(&left) + text::width(&right)).max(1);
    let ends = format!("{}{left}{}{right}", " ".repeat(axis + 2), " ".repeat(gap));
    sheet.line(Line::of(&ends, Tone::Dim));
}

/// The cell of `value` between `low` and `high`; where all are the same, the middle.
fn place(value: f64, (low, high): (f64, f64), cells: usize) -> usize {
    let share = if high > low { (value - low) / (high - low) } else { 0.5 };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 ≤ share ≤ 1, and the result is clamped"
    )]
    let cell = (share * (cells - 1) as f64).round() as usize;
    cell.min(cells - 1)
}

fn dot(hits: usize) -> char {
    match hits {
        0 => ' ',
        1 => '·',
        2..=4 => '•',
        _ => '●',
    }
}

/// Lines of the field.
const HEIGHT: usize = 12;
/// Widest field.
const WIDTH_MAX: usize = 72;
/// Narrower than this a field says nothing.
const WIDTH_MIN: usize = 8;
