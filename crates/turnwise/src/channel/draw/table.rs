//! Tables: numbers to the right, text to the left, cut to the width. Numbers are never cut where that can be avoided,
//! because half a number is a wrong one: text columns give way first, then whole columns, which are counted. Next:
//! `card`.

use turnwise_core::{Cell, Table, text as words};

use super::sheet::Sheet;
use super::{Line, Tone, bars, figures, text};

/// A column as it will be drawn.
struct Column {
    name: String,
    cells: Vec<String>,
    numeric: bool,
    /// Whether its numbers only say when.
    says_when: bool,
    width: usize,
    /// What it would take whole.
    widest: usize,
    /// What it takes at least.
    floor: usize,
    /// How many of its long values are not shown whole.
    cut: usize,
}

pub(super) fn draw(sheet: &mut Sheet, table: &Table) {
    let shown = table.rows.len().min(sheet.look().rows_max);
    let mut columns: Vec<Column> = (0..table.columns.len()).map(|at| column(table, at, shown, sheet.width())).collect();
    let cut = columns.iter().map(|column| column.cut).sum();
    squeeze(&mut columns, sheet.width());
    let dropped = drop_columns(&mut columns, sheet.width());
    if columns.is_empty() {
        return;
    }
    sheet.line(row(&columns, |column| &column.name, Tone::Strong));
    let rules: Vec<String> = columns.iter().map(|column| "─".repeat(column.width)).collect();
    sheet.line(Line::of(&rules.join(GAP), Tone::Dim));
    for at in 0..shown {
        sheet.line(row(&columns, |column| column.cells.get(at).map_or("", String::as_str), Tone::Plain));
    }
    rest(sheet, table, shown, dropped, cut);
}

/// A value is cut to the window before anything is measured: what no window shows must not be measured over and over.
fn column(table: &Table, at: usize, shown: usize, room: usize) -> Column {
    let of_row = |row: &Vec<Cell>| row.get(at).cloned().unwrap_or(Cell::Null);
    let values: Vec<Cell> = table.rows.iter().take(shown).map(of_row).collect();
    let some = values.iter().any(Cell::is_number);
    let numeric = some && values.iter().all(|cell| cell.is_number() || *cell == Cell::Null);
    let name = text::visible(&table.columns[at]);
    let told: Vec<String> = values.iter().map(|cell| text::visible(&figures::told(cell, &name))).collect();
    let cells: Vec<String> = told.iter().map(|cell| text::cut(cell, room)).collect();
    let cut = told.iter().zip(&cells).filter(|(told, cell)| told.len() > LONG_BYTES_MIN && told != cell).count();
    let numbers = cells.iter().map(|cell| text::width(cell)).max().unwrap_or(0);
    let width = numbers.max(text::width(&name)).max(1);
    let floor = if numeric { numbers.max(NAME_WIDTH_MIN) } else { TEXT_WIDTH_MIN };
    let says_when = bars::says_when(&name);
    Column { name, cells, numeric, says_when, width, widest: width, floor, cut }
}

fn total(columns: &[Column]) -> usize {
    let gaps = GAP.len() * columns.len().saturating_sub(1);
    columns.iter().map(|column| column.width).sum::<usize>() + gaps
}

/// Narrows the widest text columns, and names wider than their numbers, until the table fits or nothing can give.
fn squeeze(columns: &mut [Column], room: usize) {
    let mut over = total(columns).saturating_sub(room);
    while over > 0 {
        let widest = columns.iter_mut().filter(|column| column.width > column.floor).max_by_key(|column| column.width);
        let Some(widest) = widest else { return };
        widest.width -= 1;
        over -= 1;
    }
}

/// Leaves out columns until the rest fits. What the rows are called and their first figures stay longest: a name
/// without its figure answers nothing. The first always stays, cut if it must.
fn drop_columns(columns: &mut Vec<Column>, room: usize) -> usize {
    let before = columns.len();
    while columns.len() > 1 && total(columns) > room {
        let figure = columns.iter().skip(1).position(|column| column.numeric && !column.says_when);
        let kept = figure.map(|at| at + 1);
        let (name, rest) = (columns[0].width, total(columns) - columns[0].width);
        if columns.len() == 2 && kept.is_some() && !columns[0].numeric && room >= rest + NAMES_WIDTH_MIN && name > 0 {
            columns[0].width = room - rest;
            break;
        }
        match (1..columns.len()).rev().find(|at| Some(*at) != kept) {
            Some(at) => drop(columns.remove(at)),
            None => drop(columns.pop()),
        }
        // What was given up for a column that is gone is taken back.
        for column in columns.iter_mut() {
            column.width = column.widest;
        }
        squeeze(columns, room);
    }
    before - columns.len()
}

fn row<'a>(columns: &'a [Column], cell: impl Fn(&'a Column) -> &'a str, tone: Tone) -> Line {
    let mut line = Line::default();
    for (at, column) in columns.iter().enumerate() {
        let value = text::cut(cell(column), column.width);
        let fill = " ".repeat(column.width.saturating_sub(text::width(&value)));
        let padded = if column.numeric { format!("{fill}{value}") } else { format!("{value}{fill}") };
        let last = at + 1 == columns.len();
        line = line.with(if last && !column.numeric { padded.trim_end() } else { &padded }, tone);
        line = line.with(if last { "" } else { GAP }, Tone::Plain);
    }
    line
}

fn rest(sheet: &mut Sheet, table: &Table, shown: usize, dropped: usize, cut: usize) {
    let rows = usize::try_from(table.total_rows).unwrap_or(usize::MAX).saturating_sub(shown);
    let mut missing = Vec::new();
    if rows > 0 {
        missing.push(words::count(rows, "more row"));
    }
    if dropped > 0 {
        missing.push(format!("{} (the window is too narrow)", words::count(dropped, "more column")));
    }
    if cut > 0 {
        missing.push(format!("the rest of {}", words::count(cut, "long value")));
    }
    if !missing.is_empty() {
        sheet.text(&format!("… {}", missing.join(", ")), Tone::Dim);
    }
}

/// Between columns.
const GAP: &str = "  ";
/// Longer values are counted where they are cut; of shorter ones the mark at the cut says enough.
const LONG_BYTES_MIN: usize = 400;
/// Narrowest a text column gets before columns are left out.
const TEXT_WIDTH_MIN: usize = 8;
/// Narrowest the names of rows get beside their only figures.
const NAMES_WIDTH_MIN: usize = 4;
/// Narrowest the name above numbers gets.
const NAME_WIDTH_MIN: usize = 6;
