//! Spreadsheets (.xlsx): each visible sheet with values is a table. Cells are read one after the other, because a sheet
//! may name a cell a million rows away and a grid of it would fill the memory; then every column is judged by all of
//! its values, as in text with delimiters. Next: `kinds`.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetType, SheetVisible, Xlsx, XlsxError};
use rusqlite::Connection;

use super::assemble::TableNames;
use super::database::Described;
use super::kinds::{self, Evidence};
use super::numerals::Comma;
use super::totals::{self, Sums};
use super::{SourceError, fill, limits};

/// Loads every sheet as a table; a single one is called by its file, several by their own names.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    names: &mut TableNames<'_>,
    content: &[u8],
) -> Result<Vec<Described>, SourceError> {
    check_size(path, content)?;
    let damaged = |error: XlsxError| refused(path, &error);
    let mut workbook: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(content)).map_err(damaged)?;
    let (mut sheets, mut passed_over) = (Vec::new(), Vec::new());
    for sheet in workbook.sheets_metadata().to_vec() {
        if sheet.typ != SheetType::WorkSheet {
            passed_over.push(format!("The sheet {} holds no cells; it is not read.", sheet.name));
        } else if sheet.visible != SheetVisible::Visible {
            passed_over.push(format!("The sheet {} is hidden; it is not read.", sheet.name));
        } else {
            let read = Sheet::read(&mut workbook, &sheet.name).map_err(damaged)?;
            if !read.rows.is_empty() {
                sheets.push(read);
            }
        }
    }
    let alone = sheets.len() == 1;
    let mut tables = Vec::with_capacity(sheets.len());
    for sheet in sheets {
        let (name, renamed) = if alone { names.of_file() } else { names.claim(&sheet.name) };
        let mut table = sheet.load(connection, path, name)?;
        table.notes.splice(0..0, renamed);
        tables.push(table);
    }
    let first = tables
        .first_mut()
        .ok_or_else(|| SourceError::Empty { path: path.to_owned(), what: "no visible sheet with values" })?;
    first.notes.extend(passed_over);
    Ok(tables)
}

/// Refuses what would fill the memory when it is unpacked.
fn check_size(path: &Path, content: &[u8]) -> Result<(), SourceError> {
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(content)) else {
        // What is no archive is told by who reads it.
        return Ok(());
    };
    let sizes = (0..archive.len()).filter_map(|at| archive.by_index_raw(at).ok().map(|part| part.size()));
    let bytes = sizes.fold(0_u64, u64::saturating_add);
    if bytes > limits::IMPORT_BYTES_MAX {
        return Err(SourceError::TooLarge { path: path.to_owned(), bytes });
    }
    Ok(())
}

fn refused(path: &Path, error: &XlsxError) -> SourceError {
    let path = path.to_owned();
    match error {
        XlsxError::Password => SourceError::Unsupported {
            path,
            hint: "it is protected by a password; save a copy without one and name that".to_owned(),
        },
        error => SourceError::Damaged { path, problem: format!("it cannot be read as a spreadsheet ({error})") },
    }
}

/// The cells of a sheet that hold something.
struct Sheet {
    name: String,
    rows: Vec<Row>,
    /// Cells with an error of a formula, and the first.
    errors: u64,
    first_error: String,
    /// Cells with a formula and no value.
    uncomputed: u64,
}

#[derive(Default)]
struct Row {
    /// As the spreadsheet counts it, from 1.
    line: u64,
    cells: BTreeMap<u32, String>,
    /// Whether a formula of it adds up rows above it.
    adds_up: bool,
}

impl Sheet {
    fn read(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Self, XlsxError> {
        let (name, first_error) = (name.to_owned(), String::new());
        let mut cells = workbook.worksheet_cells_reader(&name)?;
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let (mut errors, mut uncomputed) = (0, 0);
        let mut sheet = Self { name: name.clone(), rows: Vec::new(), errors, first_error, uncomputed };
        while let Some(cell) = cells.next_cell_with_formula()? {
            let (line, column) = cell.pos;
            let adds_up = cell.formula.as_deref().is_some_and(|formula| adds_up_rows(formula, line + 1));
            let row = || Row { line: u64::from(line) + 1, ..Row::default() };
            if adds_up {
                rows.entry(line).or_insert_with(row).adds_up = true;
            }
            let text = match &cell.value {
                DataRef::Empty => {
                    uncomputed += u64::from(cell.formula.is_some() && !adds_up);
                    continue;
                }
                DataRef::Error(error) => {
                    errors += 1;
                    if errors == 1 {
                        sheet.first_error = error.to_string();
                    }
                    continue;
                }
                value => written(value),
            };
            if text.trim().is_empty() {
                continue;
            }
            rows.entry(line).or_insert_with(row).cells.insert(column, text);
        }
        sheet.rows = rows.into_values().collect();
        (sheet.errors, sheet.uncomputed) = (errors, uncomputed);
        Ok(sheet)
    }

    fn load(mut self, connection: &mut Connection, path: &Path, name: String) -> Result<Described, SourceError> {
        let mut notes = self.notes();
        let header = self.take_header(&mut notes);
        let sums: Vec<u64> = self.rows.iter().filter(|row| row.adds_up).map(|row| row.line).collect();
        if let Some(first) = sums.first() {
            let count = sums.len();
            notes.push(format!("Rows that add up rows above them are left out: {count}, the first is row {first}."));
        }
        self.rows.retain(|row| !row.adds_up);
        let mut columns: Vec<u32> = header.cells.keys().copied().collect();
        columns.extend(self.rows.iter().flat_map(|row| row.cells.keys().copied()));
        columns.sort_unstable();
        columns.dedup();
        let wanted = columns.iter().map(|column| header.cells.get(column).map_or("", String::as_str));
        let named = fill::column_names(path, wanted, &mut notes)?;
        notes.extend(self.take_total(&columns, &named));
        let mut evidence = vec![Evidence::default(); columns.len()];
        let field = |row: &'_ Row, column: &u32| row.cells.get(column).cloned().unwrap_or_default();
        for row in &self.rows {
            for (evidence, column) in evidence.iter_mut().zip(&columns) {
                evidence.add(&field(row, column), row.line);
            }
        }
        let (described, forms) = kinds::judge(named, &evidence, Comma::Thousands, &mut notes);
        let rows = fill::fill(connection, path, &name, &described, |inserter| {
            for row in &self.rows {
                for (at, (form, column)) in forms.iter().zip(&columns).enumerate() {
                    inserter.set(at, &form.store(&field(row, column)))?;
                }
                inserter.finish_row()?;
            }
            Ok(())
        })?;
        if rows == 0 {
            notes.push("The sheet has a header but no rows.".to_owned());
        }
        Ok(Described { name, columns: described, rows, is_view: false, foreign_keys: Vec::new(), notes })
    }

    /// Takes the last row, if it is called a total and is one; gives what is said of it.
    fn take_total(&mut self, columns: &[u32], named: &[String]) -> Option<String> {
        let (last, above) = self.rows.split_last()?;
        if !last.cells.values().any(|cell| totals::is_label(cell)) {
            return None;
        }
        let fields = |row: &'_ Row| -> Vec<String> {
            columns.iter().map(|column| row.cells.get(column).cloned().unwrap_or_default()).collect()
        };
        let mut sums = Sums::of(columns.len());
        for row in above {
            sums.add(fields(row).iter().map(String::as_str));
        }
        let total = sums.total(fields(last).iter().map(String::as_str))?;
        let note = total.note(&format!("Row {}", last.line), named);
        self.rows.pop();
        Some(note)
    }

    /// What of the cells could not be read.
    fn notes(&self) -> Vec<String> {
        let cells = |count: u64| turnwise_core::text::count(usize::try_from(count).unwrap_or(usize::MAX), "cell");
        let mut notes = Vec::new();
        if self.errors > 0 {
            let (errors, first) = (cells(self.errors), &self.first_error);
            notes.push(format!("Errors of formulas count as missing: {errors}, the first is {first}."));
        }
        if self.uncomputed > 0 {
            let uncomputed = cells(self.uncomputed);
            notes.push(format!(
                "Formulas whose value was never computed count as missing: {uncomputed}; open the file in a spreadsheet \
                 program and save it to have them."
            ));
        }
        notes
    }

    /// Takes the header and what stands above it: titles and dates, which fill less than half of the columns.
    fn take_header(&mut self, notes: &mut Vec<String>) -> Row {
        let width = self.rows.iter().take(HEADER_ROWS).map(|row| row.cells.len()).max().unwrap_or_default();
        let at = self.rows.iter().take(HEADER_ROWS).position(|row| row.cells.len() * 2 > width).unwrap_or_default();
        let mut above: Vec<Row> = self.rows.drain(..=at).collect();
        let header = above.pop().unwrap_or_default();
        if let Some(first) = above.first().and_then(|row| row.cells.values().next()) {
            let (count, first) = (above.len(), turnwise_core::text::clip(first, SHOWN_MAX));
            notes.push(format!("Rows above the header are not read: {count}, the first is “{first}”."));
        }
        let numbers = header.cells.values().filter(|cell| kinds::is_number(cell)).count();
        if numbers * 2 >= header.cells.len() {
            let line = header.line;
            notes.push(format!(
                "Row {line} is taken as the header, although it looks like data; add a header if it is missing."
            ));
        }
        header
    }
}

/// Whether a formula of this row adds up cells of rows above it, as the last row of many tables does: such a row
/// counted as data would count everything twice. A sum along its own row does not.
fn adds_up_rows(formula: &str, line: u32) -> bool {
    let upper = formula.to_ascii_uppercase();
    ["SUM(", "SUBTOTAL("].iter().filter_map(|function| Some(upper.split_once(function)?.1)).any(|inside| {
        let inside = inside.split(')').next().unwrap_or_default();
        let range = inside.rsplit(',').find_map(|argument| argument.split_once(':'));
        let row = |cell: &str| -> Option<u32> {
            let digits = cell.trim_start_matches(|letter: char| letter == '$' || letter.is_ascii_alphabetic());
            digits.trim_start_matches('$').parse().ok()
        };
        range.and_then(|(from, to)| Some((row(from)?, row(to)?))).is_some_and(|(from, to)| from < to && to < line)
    })
}

/// The value as text with delimiters would have it.
fn written(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        // `{}` writes a whole number without a point, and any other by the fewest digits that give it back.
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(truth) => truth.to_string(),
        DataRef::DateTime(moment) => moment_written(moment),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

fn moment_written(moment: &ExcelDateTime) -> String {
    if moment.is_duration() {
        // Seconds of a day are whole up to rounding.
        #[allow(clippy::cast_possible_truncation, reason = "no sheet holds that long a time")]
        let seconds = (moment.as_f64() * 86_400.0).round() as i64;
        let (hours, rest) = (seconds / 3_600, seconds % 3_600);
        return format!("{hours}:{:02}:{:02}", rest / 60, rest % 60);
    }
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    if moment.as_f64() < 1.0 {
        return format!("{hour:02}:{minute:02}:{second:02}");
    }
    let date = format!("{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) == (0, 0, 0) { date } else { format!("{date} {hour:02}:{minute:02}:{second:02}") }
}

/// Rows looked at to find the header.
const HEADER_ROWS: usize = 50;
/// Characters of a title shown in a note.
const SHOWN_MAX: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_rows_are_told_from_sums_along_one() {
        for formula in ["SUM(B2:B10)", "SUM($B$2:$B$10)", "SUBTOTAL(109,B2:B10)", "ROUND(SUM(B2:B10),2)"] {
            assert!(adds_up_rows(formula, 11), "{formula}");
        }
        for formula in ["SUM(B11:D11)", "B2+B3", "SUM(B2:B11)*0", "SUM(Other!B2:B10)", "AVERAGE(B2:B10)"] {
            assert!(!adds_up_rows(formula, 11), "{formula}");
        }
    }
}
