//! Text with delimiters: CSV and its relatives. The delimiter is found by trying; the first line is the header; every
//! column is judged by all of its values before a row is stored. Rows that do not fit the header are refused with their
//! line, because a shifted row puts values under wrong names. Next: `kinds`.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord};
use rusqlite::Connection;

use super::database::Described;
use super::kinds::{Evidence, Form};
use super::numerals::Comma;
use super::totals::{self, Sums};
use super::{SourceColumn, SourceError, fill, kinds, limits, text};

/// Loads the content as a table of this name; `told` hears how much of a hundred is done.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    name: &str,
    content: &[u8],
    told: &dyn Fn(u64),
) -> Result<Described, SourceError> {
    let (text, guess) = text::decode(path, content)?;
    let mut document = Document { path, text: &text, delimiter: delimiter(&text), left_out: None, told };
    let mut notes = Vec::from_iter(guess);
    let header = document.header(&mut notes)?;
    let columns = fill::column_names(path, header.iter(), &mut notes)?;
    document.leave_out_total(&columns, &mut notes)?;
    let survey = document.survey(columns.len())?;
    let (columns, forms) = survey.judge(columns, document.comma(), &mut notes);
    let rows = fill::fill(connection, path, name, &columns, |inserter| {
        document.each_record(Pass::Second, |record, _| {
            for (index, form) in forms.iter().enumerate() {
                inserter.set(index, &form.store(record.get(index).unwrap_or_default()))?;
            }
            inserter.finish_row()
        })
    })?;
    if rows == 0 {
        notes.push("The file has a header but no rows.".to_owned());
    }
    Ok(Described { name: name.to_owned(), columns, rows, is_view: false, foreign_keys: Vec::new(), notes })
}

struct Document<'a> {
    path: &'a Path,
    text: &'a str,
    delimiter: u8,
    /// The line of the last row, where that adds up those above it.
    left_out: Option<u64>,
    told: &'a dyn Fn(u64),
}

/// Every record is read twice: to judge the columns by, and to be stored.
#[derive(Clone, Copy)]
enum Pass {
    First,
    Second,
}

impl Document<'_> {
    /// Programs part values by semicolons where commas are in the numbers.
    fn comma(&self) -> Comma {
        if self.delimiter == b';' { Comma::Unknown } else { Comma::Thousands }
    }

    /// The first record.
    fn header(&self, notes: &mut Vec<String>) -> Result<StringRecord, SourceError> {
        let mut header = StringRecord::new();
        let read = reader(self.text, self.delimiter).read_record(&mut header).map_err(|error| self.broken(&error))?;
        if !read || header.iter().all(|cell| cell.trim().is_empty()) {
            return Err(SourceError::Empty { path: self.path.to_owned(), what: "no header line" });
        }
        if header.iter().filter(|cell| kinds::is_number(cell)).count() * 2 >= header.len() {
            notes.push(
                "The first line is taken as the header, although it looks like data; add a header if it is missing."
                    .to_owned(),
            );
        }
        Ok(header)
    }

    /// Leaves the last row out, if it is called a total and is one. Only where its line has such a label all rows are
    /// added up.
    fn leave_out_total(&mut self, columns: &[String], notes: &mut Vec<String>) -> Result<(), SourceError> {
        let line = self.text.trim_end().rsplit('\n').next().unwrap_or_default();
        let mut last = StringRecord::new();
        let is_read = reader(line, self.delimiter).read_record(&mut last).is_ok_and(|read| read);
        if !is_read || last.len() > columns.len() || !last.iter().any(totals::is_label) {
            return Ok(());
        }
        let (mut sums, mut below) = (Sums::of(columns.len()), None);
        self.each_record(Pass::First, |record, place| {
            if let Some((above, _)) = below.replace((record.clone(), place.line)) {
                sums.add(StringRecord::iter(&above));
            }
            Ok(())
        })?;
        let Some((record, line)) = below.filter(|(record, _)| *record == last) else { return Ok(()) };
        if let Some(total) = sums.total(record.iter()) {
            notes.push(total.note(&format!("Line {line}"), columns));
            self.left_out = Some(line);
        }
        Ok(())
    }

    /// Looks at every field once.
    fn survey(&self, columns: usize) -> Result<Survey, SourceError> {
        let mut survey = Survey { evidence: vec![Evidence::default(); columns], short: None, long: None };
        let mut last = (0, 1);
        self.each_record(Pass::First, |record, place| {
            if record.len() != columns {
                survey.note_length(record, place.line, self.path)?;
            }
            for (evidence, field) in survey.evidence.iter_mut().zip(record) {
                evidence.add(field, place.line);
            }
            last = (place.byte, place.line);
            Ok(())
        })?;
        let (byte, line) = last;
        if ends_inside_quotes(&self.text[byte..], self.delimiter) {
            let problem = "a quote opened in this row is never closed, so all that follows is one value; close it, or \
                           double a quote that is part of a value";
            return Err(self.malformed(line, problem.to_owned()));
        }
        Ok(survey)
    }

    /// Calls `each` with every record after the header and where it begins.
    fn each_record(
        &self,
        pass: Pass,
        mut each: impl FnMut(&StringRecord, Place) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        let mut reader = reader(self.text, self.delimiter);
        let mut record = StringRecord::new();
        let mut is_header = true;
        let mut records = 0_u64;
        while reader.read_record(&mut record).map_err(|error| self.broken(&error))? {
            if !is_header {
                let place = record.position().map_or(Place { byte: 0, line: 1 }, |position| Place {
                    byte: usize::try_from(position.byte()).unwrap_or(0),
                    line: position.line(),
                });
                if self.left_out != Some(place.line) {
                    each(&record, place)?;
                }
                records += 1;
                if records.is_multiple_of(limits::RECORDS_PER_TELLING) {
                    self.tell(pass, place);
                }
            }
            is_header = false;
        }
        Ok(())
    }

    /// Both passes take about as long.
    fn tell(&self, pass: Pass, place: Place) {
        let half = place.byte * 50 / self.text.len().max(1);
        let before = match pass {
            Pass::First => 0,
            Pass::Second => 50,
        };
        (self.told)(before + u64::try_from(half).unwrap_or(0));
    }

    fn broken(&self, error: &csv::Error) -> SourceError {
        let line = error.position().map_or(1, csv::Position::line);
        self.malformed(line, error.to_string())
    }

    fn malformed(&self, line: u64, problem: String) -> SourceError {
        SourceError::Malformed { path: self.path.to_owned(), line, problem }
    }
}

/// Where a record begins.
#[derive(Clone, Copy)]
struct Place {
    byte: usize,
    line: u64,
}

/// What was seen of the whole file.
struct Survey {
    evidence: Vec<Evidence>,
    short: Option<OddRows>,
    long: Option<OddRows>,
}

struct OddRows {
    count: u64,
    first_line: u64,
}

impl OddRows {
    fn rows(&self) -> String {
        turnwise_core::text::count(usize::try_from(self.count).unwrap_or(usize::MAX), "row")
    }
}

impl Survey {
    /// Missing fields at the end, and surplus ones that are empty, are habits of programs; a surplus value is an error.
    fn note_length(&mut self, record: &StringRecord, line: u64, path: &Path) -> Result<(), SourceError> {
        let columns = self.evidence.len();
        let odd = if record.len() < columns {
            &mut self.short
        } else if record.iter().skip(columns).all(|field| field.trim().is_empty()) {
            &mut self.long
        } else {
            let problem = format!(
                "this row has {} fields but the header has {columns}; quote values that contain the delimiter, or \
                 remove the surplus",
                record.len()
            );
            return Err(SourceError::Malformed { path: path.to_owned(), line, problem });
        };
        odd.get_or_insert(OddRows { count: 0, first_line: line }).count += 1;
        Ok(())
    }

    fn judge(self, names: Vec<String>, comma: Comma, notes: &mut Vec<String>) -> (Vec<SourceColumn>, Vec<Form>) {
        let columns = self.evidence.len();
        if let Some(odd) = self.short {
            notes.push(format!(
                "{} (the first on line {}) with fewer than {columns} fields: those missing at the end are empty.",
                odd.rows(),
                odd.first_line
            ));
        }
        if let Some(odd) = self.long {
            notes.push(format!(
                "{} (the first on line {}) with empty fields beyond the header: these are ignored.",
                odd.rows(),
                odd.first_line
            ));
        }
        kinds::judge(names, &self.evidence, comma, notes)
    }
}

/// The delimiter under which the first rows agree best on their number of fields.
fn delimiter(text: &str) -> u8 {
    let mut best = (0, 0, b',');
    for delimiter in DELIMITERS {
        let lengths: Vec<usize> = reader(text, delimiter)
            .into_records()
            .take(SNIFFED_ROWS)
            .map_while(Result::ok)
            .map(|record| record.len())
            .collect();
        let fields = lengths.first().copied().unwrap_or(0);
        let agreeing = lengths.iter().filter(|length| **length == fields).count();
        if fields > 1 && (agreeing, fields) > (best.0, best.1) {
            best = (agreeing, fields, delimiter);
        }
    }
    best.2
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(text.as_bytes())
}

/// Whether the record, the last of its file, ends inside a quoted field. The parser forgives this, and would swallow
/// every row after the quote.
fn ends_inside_quotes(record: &str, delimiter: u8) -> bool {
    let (mut quoted, mut at_start) = (false, true);
    let mut bytes = record.trim_start_matches(['\r', '\n']).bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if quoted && bytes.peek() == Some(&b'"') => {
                bytes.next();
            }
            b'"' if quoted => quoted = false,
            b'"' if at_start => quoted = true,
            _ => {}
        }
        at_start = !quoted && (byte == delimiter || byte == b'\n');
    }
    quoted
}

/// In order of preference where they do equally well.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Rows looked at to find the delimiter: enough to outvote commas inside text.
const SNIFFED_ROWS: usize = 50;
