//! Bars: a row a line, its label, a bar as long as its value, and the value itself. A ranking is seen faster than
//! it is read. Next: `trend` for lines over time.

use turnwise_core::{Cell, Table, text as words};

use super::sheet::Sheet;
use super::{Line, Tone, text};

/// What a drawing is made of: a number for each label.
pub(super) struct Axes {
    labels: Vec<usize>,
    value: usize,
}

impl Axes {
    /// The columns before the first figures label the rows; the first figures are what is drawn. Numbers that only say
    /// when (`2024`, quarter `3`) are labels. Nothing where the table has no such columns.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let complete = table.rows.iter().all(|row| row.len() == table.columns.len());
        if !complete || table.rows.is_empty() {
            return None;
        }
        let numeric = |at: &usize| {
            table.rows.iter().any(|row| row[*at].is_number())
                && table.rows.iter().all(|row| row[*at].is_number() || row[*at] == Cell::Null)
        };
        let says_when = |at: &usize| says_when(&table.columns[*at]);
        // A first column of numbers labels too: there is nothing else to label by.
        let is_label = |at: &usize| *at == 0 || !numeric(at) || says_when(at);
        let labels: Vec<usize> = (0..table.columns.len()).take_while(is_label).collect();
        let mut figures = (labels.len()..table.columns.len()).filter(numeric);
        // Of a share the share is what is looked at, not what it is a share of.
        let share = figures.clone().find(|at| table.columns[*at].eq_ignore_ascii_case("share"));
        let value = share.or_else(|| figures.next())?;
        Some(Self { labels, value })
    }

    /// Whether the rows are one series: told apart by one label, or by when alone. Several series drawn as one line
    /// would be a zigzag that says nothing.
    pub(super) fn is_one_series(&self, table: &Table) -> bool {
        let says_when = |at: &usize| says_when(&table.columns[*at]);
        self.labels.len() == 1 || self.labels.iter().all(says_when)
    }

    /// Whether the drawing shows every column of the table.
    pub(super) fn cover(&self, table: &Table) -> bool {
        self.labels.len() + 1 == table.columns.len()
    }

    /// What is measured beside what is drawn; what only says something about that is not missed.
    pub(super) fn undrawn(&self, table: &Table) -> Vec<String> {
        let missed = |at: &usize| {
            let name = table.columns[*at].to_lowercase();
            let measures = table.rows.iter().any(|row| row[*at].is_number());
            let about = ABOUT_OTHERS.iter().any(|word| name.contains(word));
            *at != self.value && measures && !about && !self.labels.contains(at)
        };
        (0..table.columns.len()).filter(missed).map(|at| text::visible(&table.columns[at])).collect()
    }

    pub(super) fn label(&self, row: &[Cell]) -> String {
        self.joined(|at| row[at].to_string())
    }

    pub(super) fn label_name(&self, table: &Table) -> String {
        self.joined(|at| table.columns[at].clone())
    }

    pub(super) fn value_name<'a>(&self, table: &'a Table) -> &'a str {
        &table.columns[self.value]
    }

    pub(super) fn value<'a>(&self, row: &'a [Cell]) -> &'a Cell {
        &row[self.value]
    }

    fn joined(&self, of: impl Fn(usize) -> String) -> String {
        let parts: Vec<String> = self.labels.iter().map(|at| text::visible(&of(*at))).collect();
        parts.join(" ")
    }
}

/// Whether a column of this name only says when.
pub(super) fn says_when(name: &str) -> bool {
    PERIODS.contains(&name.to_lowercase().as_str())
}

/// Draws bars.
pub(super) fn draw(sheet: &mut Sheet, table: &Table, axes: &Axes) {
    let shown = table.rows.len().min(sheet.look().rows_max);
    let rows: Vec<(String, Option<f64>, String)> = table.rows.iter().take(shown).map(|row| bar(axes, row)).collect();
    let widest = |of: fn(&(String, Option<f64>, String)) -> &str| rows.iter().map(|row| text::width(of(row))).max();
    let value_width = widest(|row| &row.2).unwrap_or(0);
    let label_width = widest(|row| &row.0).unwrap_or(0).min(sheet.width() / 3).max(1);
    let room = sheet.width().saturating_sub(label_width + value_width + 2).min(BAR_WIDTH_MAX);
    let longest = rows.iter().filter_map(|row| row.1).map(f64::abs).fold(0.0, f64::max);
    let heading = format!("{} by {}", axes.value_name(table), axes.label_name(table));
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
}

/// The label, the number and the number as it is shown.
fn bar(axes: &Axes, row: &[Cell]) -> (String, Option<f64>, String) {
    let value = axes.value(row);
    (axes.label(row), value.as_number(), value.figure())
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
    if !eighths.is_multiple_of(8) {
        bar.push(PARTS[eighths % 8 - 1]);
    }
    bar
}

/// In the names of figures about other figures.
const ABOUT_OTHERS: [&str; 5] = ["share", "difference", "change", "growth", " bound"];
/// Columns whose numbers say when and are no figures.
const PERIODS: [&str; 7] = ["year", "quarter", "month", "week", "day", "hour", "weekday"];
/// Longest bar: beyond this the eye compares no better.
const BAR_WIDTH_MAX: usize = 40;
/// One to seven eighths of a cell.
const PARTS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
