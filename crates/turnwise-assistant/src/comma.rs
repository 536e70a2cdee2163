//! Rows as comma-separated values, the same wherever they leave the program: in a file that a run saves, and in what a
//! page takes along. Texts that a spreadsheet would run as a formula get an apostrophe in front, which makes it show
//! them instead; numbers stay numbers. Next: `turnwise_analyst::files`.

use turnwise_core::{Cell, Table};

/// The columns' names as a line.
///
/// # Errors
/// When they cannot be written as CSV.
pub fn header(columns: &[String]) -> Result<Vec<u8>, csv::Error> {
    write(std::iter::once(columns.iter().map(|name| shown(name)).collect()))
}

/// Rows without their columns' names, a line each.
///
/// # Errors
/// When they cannot be written as CSV.
pub fn rows(rows: &[Vec<Cell>]) -> Result<Vec<u8>, csv::Error> {
    write(rows.iter().map(|row| row.iter().map(value).collect()))
}

/// The columns' names and all rows of `table`.
///
/// # Errors
/// When they cannot be written as CSV.
pub fn whole(table: &Table) -> Result<Vec<u8>, csv::Error> {
    let mut bytes = header(&table.columns)?;
    bytes.extend(rows(&table.rows)?);
    Ok(bytes)
}

/// `text` as it stands in a file: with an apostrophe where a spreadsheet would take it for a formula. A text that is a
/// number, such as `-5`, is none.
#[must_use]
pub fn shown(text: &str) -> String {
    let is_number = || text.parse::<f64>().is_ok_and(f64::is_finite);
    if text.starts_with(FORMULA) && !is_number() { format!("'{text}") } else { text.to_owned() }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Integer(value) => value.to_string(),
        Cell::Real(value) => value.to_string(),
        Cell::Text(value) => shown(value),
    }
}

fn write(records: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(&record)?;
    }
    writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))
}

/// What formulas begin with, in the forms that East Asian keyboards give too; some programs pass over white space.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn texts_that_would_run_are_shown_and_numbers_stay_numbers() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let row = vec![text("=cmd|' /C calc'!A0"), Cell::Integer(-7), Cell::Real(-0.5), text("-5"), text("+49 30 1")];
        let more = vec![text("@SUM(A1)"), text("\t=1"), text("-inf"), text("a=b"), Cell::Null];
        let table = Table::whole(["=a", "b", "c", "d", "e"].map(str::to_owned).to_vec(), vec![row, more]);
        let written = String::from_utf8(whole(&table).unwrap()).unwrap();
        let expected = "'=a,b,c,d,e\n'=cmd|' /C calc'!A0,-7,-0.5,-5,'+49 30 1\n'@SUM(A1),'\t=1,'-inf,a=b,\n";
        assert_eq!(written, expected);
    }
}
