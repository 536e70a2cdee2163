//! Bars: a row a line, its label, a bar as long as its value, and the value itself. Next: `trend` for lines over time.

use turnwise_core::{Cell, Table, text as words};

use super::sheet::Sheet;
use super::{Line, Tone, text};

/// Draws bars of the first number column by the first other column; `false` where the table has no such pair.
pub(super) fn draw(sheet: &mut Sheet, table: &Table) -> bool {
    let Some((label, value)) = axes(table) else { return false };
    let shown = table.rows.len().min(sheet.look().rows_max);
    let rows: Vec<(String, Option<f64>, String)> =
        table.rows.iter().take(shown).map(|row| bar(&row[label], &row[value])).collect();
    let widest = |of: fn(&(String, Option<f64>, String)) -> &str| rows.iter().map(|row| text::width(of(row))).max();
    let value_width = widest(|row| &row.2).unwrap_or(0);
    let label_width = widest(|row| &row.0).unwrap_or(0).min(sheet.width() / 3).max(1);
    let room = sheet.width().saturating_sub(label_width + value_width + 2).min(BAR_WIDTH_MAX);
    let longest = rows.iter().filter_map(|row| row.1).map(f64::abs).fold(0.0, f64::max);
    let heading = format!("{} by {}", table.columns[value], table.columns[label]);
    sheet.line(Line::of(&heading, Tone::Dim));
    for (name, number, shown) in &rows {
        let name = text::cut(name, label_width);
        let fill = " ".repeat(label_width.saturating_sub(text::width(&name)));
        let blocks = number.map_or_else(String::new, |number| blocks(number, longest, room));
        let gap = if blocks.is_empty() { "" } else { " " };
        let tone = if number.is_some_and(|number| number < 0.0) { Tone::Bad } else { Tone::Accent };
        let line = Line::of(&format!("{name}{fill} "), Tone::Plain).with(&blocks, tone);
        sheet.line(line.with(&format!("{gap}{shown}"), Tone::Plain));
    }
    let rest = usize::try_from(table.total_rows).unwrap_or(usize::MAX).saturating_sub(shown);
    if rest > 0 {
        sheet.text(&format!("… {}", words::count(rest, "more row")), Tone::Dim);
    }
    true
}

/// The label column and the number column: the first column that is not numbers (else the first), and the first number
/// column beside it.
pub(super) fn axes(table: &Table) -> Option<(usize, usize)> {
    let complete = table.rows.iter().all(|row| row.len() == table.columns.len());
    if !complete || table.rows.is_empty() {
        return None;
    }
    let numeric = |at: &usize| {
        table.rows.iter().any(|row| row[*at].is_number())
            && table.rows.iter().all(|row| row[*at].is_number() || row[*at] == Cell::Null)
    };
    let label = (0..table.columns.len()).find(|at| !numeric(at)).unwrap_or(0);
    let value = (0..table.columns.len()).find(|at| *at != label && numeric(at))?;
    Some((label, value))
}

fn bar(label: &Cell, value: &Cell) -> (String, Option<f64>, String) {
    (text::visible(&label.to_string()), value.as_number(), value.to_string())
}

/// A bar of `number` where `longest` fills `room`, to an eighth of a cell. Any value but zero shows at least a sliver.
fn blocks(number: f64, longest: f64, room: usize) -> String {
    if longest == 0.0 || number == 0.0 {
        return String::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "a bar is at most BAR_WIDTH_MAX cells")]
    let eighths = (number.abs() / longest * (room * 8) as f64).round().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ eighths ≤ 8 · BAR_WIDTH_MAX")]
    let eighths = eighths as usize;
    let mut bar = "█".repeat(eighths / 8);
    if eighths % 8 > 0 {
        bar.push(PARTS[eighths % 8 - 1]);
    }
    bar
}

/// Longest bar: beyond this the eye compares no better.
const BAR_WIDTH_MAX: usize = 40;
/// One to seven eighths of a cell.
const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
