//! The promises of reading spreadsheets, each on a small workbook written out as its format has it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use zip::write::SimpleFileOptions;

use super::{QueryLimits, Workbench};

const LIMITS: QueryLimits = QueryLimits { rows_max: 100, timeout: Duration::from_secs(60) };

/// A sheet by its name, its state and its rows as the format writes cells.
struct Sheet<'a>(&'a str, &'a str, &'a [&'a str]);

fn number(place: &str, value: &str) -> String {
    format!(r#"<c r="{place}"><v>{value}</v></c>"#)
}

fn date(place: &str, value: &str) -> String {
    format!(r#"<c r="{place}" s="1"><v>{value}</v></c>"#)
}

fn text(place: &str, value: &str) -> String {
    format!(r#"<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>"#)
}

fn formula(place: &str, formula: &str, value: &str) -> String {
    format!(r#"<c r="{place}"><f>{formula}</f><v>{value}</v></c>"#)
}

fn workbook(sheets: &[Sheet<'_>]) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let (mut list, mut links, mut types) = (String::new(), String::new(), String::new());
    for (at, Sheet(name, state, _)) in (1..).zip(sheets) {
        write!(list, r#"<sheet name="{name}" sheetId="{at}" state="{state}" r:id="rId{at}"/>"#).unwrap();
        write!(links, r#"<Relationship Id="rId{at}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{at}.xml"/>"#)
            .unwrap();
        write!(
            types,
            r#"<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>"#
        )
        .unwrap();
    }
    let mut parts = vec![
        (
            "[Content_Types].xml".to_owned(),
            format!(
                r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{types}</Types>"#
            ),
        ),
        (
            "_rels/.rels".to_owned(),
            format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        (
            "xl/workbook.xml".to_owned(),
            format!(r#"<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{list}</sheets></workbook>"#),
        ),
        (
            "xl/_rels/workbook.xml.rels".to_owned(),
            format!(
                r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{links}<Relationship Id="rId99" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>"#
            ),
        ),
        // The second format is a date's.
        (
            "xl/styles.xml".to_owned(),
            format!(
                r#"<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>"#
            ),
        ),
    ];
    for (at, Sheet(_, _, rows)) in (1..).zip(sheets) {
        let rows: String = rows.iter().map(|row| format!("<row>{row}</row>")).collect();
        let sheet = format!(r#"<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>"#);
        parts.push((format!("xl/worksheets/sheet{at}.xml"), sheet));
    }
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(content.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn opened(sheets: &[Sheet<'_>]) -> (TempDir, Workbench) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("orders.xlsx");
    fs::write(&path, workbook(sheets)).unwrap();
    let bench = Workbench::open(&[path]).unwrap();
    (folder, bench)
}

/// Each table as its name, `name:kind` headers, rows joined by `|`, and its notes.
fn shown(sheets: &[Sheet<'_>]) -> Vec<String> {
    let (_folder, bench) = opened(sheets);
    let mut lines = Vec::new();
    for table in bench.tables() {
        let header: Vec<String> =
            table.columns.iter().map(|column| format!("{}:{:?}", column.name, column.kind)).collect();
        lines.push(format!("{}: {}", table.name, header.join(" | ")));
        let sql = format!("SELECT * FROM {}", table.sql_name);
        for row in bench.query(&sql, &[], LIMITS, || false).unwrap().rows {
            lines.push(row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | "));
        }
        lines.extend(table.notes.iter().map(|note| format!("# {note}")));
    }
    lines
}

#[test]
fn a_sheet_is_a_table_with_typed_columns_under_its_title() {
    let rows = [
        text("A1", "Orders of spring"),
        text("A3", "day") + &text("B3", "city") + &text("C3", "paid"),
        date("A4", "45352") + &text("B4", "Bern") + &number("C4", "12.5"),
        date("A5", "45353") + &text("B5", "Oslo") + &number("C5", "7"),
    ];
    assert_eq!(
        shown(&[Sheet("Sheet1", "visible", &rows.each_ref().map(String::as_str))]),
        [
            "orders: day:Date | city:Text | paid:Real",
            "2024-03-01 | Bern | 12.50",
            "2024-03-02 | Oslo | 7.00",
            "# Rows above the header are not read: 1, the first is “Orders of spring”.",
        ]
    );
}

#[test]
fn several_sheets_are_several_tables_and_hidden_ones_are_named() {
    let people = [text("A1", "name") + &text("B1", "age"), text("A2", "Ada") + &number("B2", "36")];
    let towns = [text("A1", "town") + &text("B1", "people"), text("A2", "Bern") + &number("B2", "134000")];
    assert_eq!(
        shown(&[
            Sheet("People", "visible", &people.each_ref().map(String::as_str)),
            Sheet("Towns", "visible", &towns.each_ref().map(String::as_str)),
            Sheet("Scratch", "hidden", &towns.each_ref().map(String::as_str)),
            Sheet("Empty", "visible", &[]),
        ]),
        [
            "People: name:Text | age:Integer",
            "Ada | 36",
            "# The sheet Scratch is hidden; it is not read.",
            "Towns: town:Text | people:Integer",
            "Bern | 134000",
        ]
    );
}

#[test]
fn a_row_of_sums_is_not_counted_twice_and_what_was_not_computed_is_said() {
    let rows = [
        text("A1", "city") + &text("B1", "paid") + &text("C1", "twice"),
        text("A2", "Bern") + &number("B2", "2") + &formula("C2", "B2*2", "4"),
        text("A3", "Oslo") + &number("B3", "3") + r#"<c r="C3"><f>B3*2</f></c>"#,
        text("A4", "All") + &formula("B4", "SUM(B2:B3)", "5") + r#"<c r="C4" t="e"><v>#DIV/0!</v></c>"#,
    ];
    assert_eq!(
        shown(&[Sheet("Sheet1", "visible", &rows.each_ref().map(String::as_str))]),
        [
            "orders: city:Text | paid:Integer | twice:Integer",
            "Bern | 2 | 4",
            "Oslo | 3 | –",
            "# Errors of formulas count as missing: 1 cell, the first is #DIV/0!.",
            "# Formulas whose value was never computed count as missing: 1 cell; open the file in a spreadsheet program and \
             save it to have them.",
            "# Rows that add up rows above them are left out: 1, the first is row 4.",
        ]
    );
}

#[test]
fn a_row_of_sums_is_one_before_it_was_ever_computed_too() {
    let rows = [
        text("A1", "day") + &text("B1", "paid"),
        date("A2", "45352") + &number("B2", "2"),
        date("A4", "45353") + &number("B4", "3"),
        text("A5", "Total") + r#"<c r="B5"><f>SUM(B2:B4)</f></c>"#,
    ];
    assert_eq!(
        shown(&[Sheet("Sheet1", "visible", &rows.each_ref().map(String::as_str))]),
        [
            "orders: day:Date | paid:Integer",
            "2024-03-01 | 2",
            "2024-03-02 | 3",
            "# Rows that add up rows above them are left out: 1, the first is row 5.",
        ]
    );
}

#[test]
fn what_is_no_spreadsheet_or_holds_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xlsx");
    fs::write(&path, "PK no archive").unwrap();
    let error = Workbench::open(std::slice::from_ref(&path)).unwrap_err().to_string();
    assert!(error.contains("cannot be read as a spreadsheet"), "{error}");
    fs::write(&path, workbook(&[Sheet("Sheet1", "visible", &[])])).unwrap();
    let error = Workbench::open(&[path]).unwrap_err().to_string();
    assert!(error.contains("no visible sheet with values"), "{error}");
}

#[test]
fn one_cell_at_the_far_end_fills_no_memory() {
    let rows = [text("A1", "name") + &text("XFD1", "far"), text("A2", "Ada") + &number("XFD1048576", "1")];
    let (_folder, bench) = opened(&[Sheet("Sheet1", "visible", &rows.each_ref().map(String::as_str))]);
    assert_eq!(bench.tables()[0].columns.len(), 2);
    assert_eq!(bench.tables()[0].rows, 2);
}

#[test]
fn a_last_row_called_total_is_left_out_where_its_numbers_are_the_sums() {
    let sheet = |last: &str| {
        let rows = [
            text("A1", "city") + &text("B1", "paid"),
            text("A2", "Bern") + &number("B2", "2.25"),
            text("A3", "Oslo") + &number("B3", "3"),
            text("A4", "Rome") + &number("B4", "4"),
            text("A5", "Total") + &number("B5", last),
        ];
        shown(&[Sheet("Sheet1", "visible", &rows.each_ref().map(String::as_str))])
    };
    let rows = ["orders: city:Text | paid:Real", "Bern | 2.25", "Oslo | 3.00", "Rome | 4.00"];
    let note = "# Row 5 is left out: it is called “Total”, and its 9.25 in paid is the sum of the rows above it.";
    assert_eq!(sheet("9.25"), [&rows[..], &[note]].concat());
    assert_eq!(sheet("10"), [&rows[..], &["Total | 10.00"]].concat(), "no sum, so a row like the others");
}
