//! A line over time in box-drawing characters, with the range at the left and the first and last point below. The table
//! under it has the exact values. Next: `bars`.

use turnwise_core::Table;

use super::bars::Axes;
use super::sheet::Sheet;
use super::{Line, Tone, text};

/// A row as a point of the line.
struct Point {
    label: String,
    value: f64,
    shown: String,
}

/// Draws the first number column along the rows; nothing where there are fewer than two points or no room.
pub(super) fn draw(sheet: &mut Sheet, table: &Table, axes: &Axes) {
    let points: Vec<Point> = table
        .rows
        .iter()
        .filter_map(|row| {
            let value = axes.value(row);
            Some(Point { label: axes.label(row), value: value.as_number()?, shown: value.figure() })
        })
        .collect();
    let by_value = |left: &&Point, right: &&Point| left.value.total_cmp(&right.value);
    let (Some(lowest), Some(highest)) = (points.iter().min_by(by_value), points.iter().max_by(by_value)) else {
        return;
    };
    let (low, high) = (lowest.value, highest.value);
    let (top, bottom) = (highest.shown.as_str(), lowest.shown.as_str());
    let axis = text::width(top).max(text::width(bottom));
    let room = sheet.width().saturating_sub(axis + 2).min(LINE_WIDTH_MAX);
    if points.len() < 2 || room < LINE_WIDTH_MIN {
        return;
    }
    let cut = match table.is_cut() {
        true => format!(" (the first {} of {} rows)", table.rows.len(), table.total_rows),
        false => String::new(),
    };
    let heading = format!("{} over {}{cut}", axes.value_name(table), axes.label_name(table));
    sheet.line(Line::of(&heading, Tone::Dim));
    let values: Vec<f64> = points.iter().map(|point| point.value).collect();
    let grid = plot(&levels(&values, low, high, room));
    for (at, cells) in grid.iter().enumerate() {
        let mark = if at == 0 {
            top
        } else if at + 1 == HEIGHT {
            bottom
        } else {
            ""
        };
        let side = if mark.is_empty() { '│' } else { '┤' };
        let line = Line::of(&format!("{mark:>axis$} {side}"), Tone::Dim);
        sheet.line(line.with(cells.iter().collect::<String>().trim_end(), Tone::Accent));
    }
    ends(sheet, &points, axis + 2, room);
}

/// The first and last label below the line.
fn ends(sheet: &mut Sheet, points: &[Point], indent: usize, room: usize) {
    let (Some(Point { label: first, .. }), Some(Point { label: last, .. })) = (points.first(), points.last()) else {
        return;
    };
    let gap = room.saturating_sub(text::width(first) + text::width(last));
    let labels = if gap == 0 { format!("{first} … {last}") } else { format!("{first}{}{last}", " ".repeat(gap)) };
    sheet.line(Line::of(&" ".repeat(indent), Tone::Plain).with(&labels, Tone::Dim));
}

/// The height, `0..HEIGHT` from the top, at each of `room` cells; between points the line is straight.
fn levels(values: &[f64], low: f64, high: f64, room: usize) -> Vec<usize> {
    let last = values.len() - 1;
    let range = high - low;
    (0..room)
        .map(|cell| {
            #[expect(clippy::cast_precision_loss, reason = "cells and points are few")]
            let along = cell as f64 / (room - 1) as f64 * last as f64;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ along ≤ last")]
            let before = (along.floor() as usize).min(last);
            let after = (before + 1).min(last);
            let value = values[before] + (values[after] - values[before]) * along.fract();
            // A flat line runs through the middle.
            let share = if range > 0.0 && range.is_finite() { (high - value) / range } else { 0.5 };
            #[expect(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 ≤ share ≤ 1, and the result is clamped"
            )]
            let level = (share * (HEIGHT - 1) as f64).round() as usize;
            level.min(HEIGHT - 1)
        })
        .collect()
}

/// Rows of cells with the line drawn through `levels`.
fn plot(levels: &[usize]) -> Vec<Vec<char>> {
    let mut grid = vec![vec![' '; levels.len()]; HEIGHT];
    let mut from = levels.first().copied().unwrap_or(0);
    for (at, &to) in levels.iter().enumerate() {
        if from == to {
            grid[to][at] = '─';
        } else {
            let (leave, arrive) = if to < from { ('╯', '╭') } else { ('╮', '╰') };
            grid[from][at] = leave;
            grid[to][at] = arrive;
            for cells in &mut grid[from.min(to) + 1..from.max(to)] {
                cells[at] = '│';
            }
        }
        from = to;
    }
    grid
}

/// Lines of the drawing.
const HEIGHT: usize = 8;
/// Widest drawing: years of months fit, and the eye can still follow.
const LINE_WIDTH_MAX: usize = 72;
/// Narrower than this a line says nothing.
const LINE_WIDTH_MIN: usize = 8;
