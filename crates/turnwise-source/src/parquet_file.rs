//! Parquet files: columns and types as the schema declares them; dates and times become ISO text, decimals numbers, and
//! what is nested JSON text with a note. Next: `parquet_value` for single values.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::basic::{ConvertedType, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{Type, TypePtr};
use rusqlite::Connection;

use super::database::Described;
use super::dates;
use super::fill::{self, Inserter};
use super::kinds::Stored;
use super::parquet_value::{self, TimestampUnit};
use super::{ColumnKind, SourceColumn, SourceError};

/// Loads the file as a table of this name.
pub fn load(connection: &mut Connection, path: &Path, name: &str) -> Result<Described, SourceError> {
    // The library asserts some of what a damaged file breaks (about one in a few hundred damaged files gets there), so
    // the panic is where such a file is found. The open transaction is rolled back on the way out.
    catch_unwind(AssertUnwindSafe(|| read(connection, path, name))).unwrap_or_else(|_| {
        let problem = "its description of itself contradicts itself".to_owned();
        Err(SourceError::Damaged { path: path.to_owned(), problem })
    })
}

fn read(connection: &mut Connection, path: &Path, name: &str) -> Result<Described, SourceError> {
    let file = File::open(path).map_err(|error| SourceError::unreadable(path.to_owned(), &error))?;
    let reader = SerializedFileReader::new(file).map_err(|error| broken(path, &error))?;
    let fields = reader.metadata().file_metadata().schema().get_fields().to_vec();
    let mut notes = Vec::new();
    let names = fill::column_names(path, fields.iter().map(|field| field.name()), &mut notes)?;
    let mut readings = Vec::with_capacity(fields.len());
    for (field, name) in fields.iter().zip(&names) {
        let mut reading = Reading::of(field);
        if reading.unsigned && exceeds_integers(&reader, field).map_err(|error| broken(path, &error))? {
            reading.kind = ColumnKind::Text;
            notes.push(format!("The column {name} holds numbers beyond 63 bits, so all of it is kept as text."));
        }
        if reading.nested {
            notes.push(format!("The column {name} holds lists or records, which are kept as JSON text."));
        }
        readings.push(reading);
    }
    let mut columns: Vec<SourceColumn> = names
        .into_iter()
        .zip(&readings)
        .map(|(name, reading)| SourceColumn { name, kind: reading.kind, primary_key: false })
        .collect();
    let mut texts = vec![TextDates::default(); columns.len()];
    let rows =
        fill::fill(connection, path, name, &columns, |inserter| copy(&reader, path, &readings, &mut texts, inserter))?;
    check_count(path, reader.metadata().file_metadata().num_rows(), rows)?;
    for (column, text) in columns.iter_mut().zip(texts) {
        if column.kind == ColumnKind::Text && text.dates > 0 && text.others == 0 {
            column.kind = ColumnKind::Date;
        }
    }
    if rows == 0 {
        notes.push("The file has no rows.".to_owned());
    }
    Ok(Described { name: name.to_owned(), columns, rows, is_view: false, foreign_keys: Vec::new(), notes })
}

fn copy(
    reader: &SerializedFileReader<File>,
    path: &Path,
    readings: &[Reading],
    texts: &mut [TextDates],
    inserter: &mut Inserter<'_>,
) -> Result<(), SourceError> {
    for row in reader.get_row_iter(None).map_err(|error| broken(path, &error))? {
        let row = row.map_err(|error| broken(path, &error))?;
        for (index, (_, field)) in row.get_column_iter().enumerate() {
            if let Field::Bytes(bytes) = field {
                inserter.set_bytes(index, bytes.data())?;
                continue;
            }
            let stored = parquet_value::stored(field, readings[index].timestamp);
            texts[index].see(&stored);
            inserter.set(index, &stored)?;
        }
        inserter.finish_row()?;
    }
    Ok(())
}

/// A reader that ran dry early must not pass for a shorter file.
fn check_count(path: &Path, announced: i64, rows: u64) -> Result<(), SourceError> {
    if u64::try_from(announced) == Ok(rows) {
        return Ok(());
    }
    let problem = format!("it announces {announced} rows but holds {rows}");
    Err(SourceError::Damaged { path: path.to_owned(), problem })
}

/// Whether an unsigned column holds a number that no integer of the engine holds; stored as they are, such numbers
/// would lose their last digits.
fn exceeds_integers(reader: &SerializedFileReader<File>, field: &TypePtr) -> Result<bool, ParquetError> {
    let schema = reader.metadata().file_metadata().schema();
    let alone = Type::group_type_builder(schema.name()).with_fields(vec![field.clone()]).build()?;
    for row in reader.get_row_iter(Some(alone))? {
        let large = |field: &Field| matches!(field, Field::ULong(number) if i64::try_from(*number).is_err());
        if row?.get_column_iter().any(|(_, field)| large(field)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How a column is read.
struct Reading {
    kind: ColumnKind,
    /// Lists, maps and records.
    nested: bool,
    /// Whole numbers up to 64 bits without a sign.
    unsigned: bool,
    /// Set for timestamps that the row reader hands out as bare integers.
    timestamp: Option<TimestampUnit>,
}

impl Reading {
    fn plain(kind: ColumnKind) -> Self {
        Self { kind, nested: false, unsigned: false, timestamp: None }
    }

    fn of(field: &Type) -> Self {
        let basics = field.get_basic_info();
        if !field.is_primitive() || basics.repetition() == Repetition::REPEATED {
            return Self { nested: true, ..Self::plain(ColumnKind::Text) };
        }
        if let Some(LogicalType::Timestamp(timestamp)) = basics.logical_type_ref() {
            return Self { timestamp: Some(TimestampUnit::of(&timestamp.unit)), ..Self::plain(ColumnKind::Date) };
        }
        match basics.converted_type() {
            ConvertedType::DATE | ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS => {
                Self::plain(ColumnKind::Date)
            }
            ConvertedType::DECIMAL => Self::plain(ColumnKind::Real),
            ConvertedType::UTF8
            | ConvertedType::ENUM
            | ConvertedType::JSON
            | ConvertedType::TIME_MILLIS
            | ConvertedType::TIME_MICROS => Self::plain(ColumnKind::Text),
            ConvertedType::UINT_64 => Self { unsigned: true, ..Self::plain(ColumnKind::Integer) },
            // What is left is told by how it is stored.
            _ => Self::plain(match field.get_physical_type() {
                Physical::BOOLEAN => ColumnKind::Boolean,
                Physical::INT32 | Physical::INT64 => ColumnKind::Integer,
                Physical::INT96 => ColumnKind::Date,
                Physical::FLOAT | Physical::DOUBLE => ColumnKind::Real,
                Physical::FIXED_LEN_BYTE_ARRAY if basics.logical_type_ref() == Some(&LogicalType::Float16) => {
                    ColumnKind::Real
                }
                Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => ColumnKind::Blob,
            }),
        }
    }
}

/// Whether the texts of a column are all ISO dates: programs often write dates as strings.
#[derive(Clone, Default)]
struct TextDates {
    dates: u64,
    others: u64,
}

impl TextDates {
    fn see(&mut self, value: &Stored<'_>) {
        if let Stored::Text(text) = value {
            if self.others == 0 && dates::is_iso(text) { self.dates += 1 } else { self.others += 1 }
        }
    }
}

fn broken(path: &Path, error: &ParquetError) -> SourceError {
    let problem = error.to_string();
    if let Some((_, codec)) = problem.split_once("Disabled feature at compile time: ") {
        let hint = format!("it is compressed with {codec}; write it with Snappy or without compression");
        return SourceError::Unsupported { path: path.to_owned(), hint };
    }
    SourceError::Damaged { path: path.to_owned(), problem }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;
    use std::time::Duration;

    use parquet::basic::Compression;
    use parquet::data_type::{
        BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FloatType, Int32Type, Int64Type,
    };
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
    use parquet::schema::parser::parse_message_type;

    use super::super::{QueryLimits, Workbench};
    use super::*;

    fn put<T: DataType>(
        group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
        values: &[T::T],
        levels: Option<(&[i16], &[i16])>,
    ) {
        let mut column = group.next_column().unwrap().unwrap();
        let (definition, repetition) = (levels.map(|levels| levels.0), levels.map(|levels| levels.1));
        column.typed::<T>().write_batch(values, definition, repetition).unwrap();
        column.close().unwrap();
    }

    fn written(
        schema: &str,
        compression: Compression,
        fill: impl FnOnce(&mut SerializedRowGroupWriter<'_, &mut Vec<u8>>),
    ) -> Vec<u8> {
        let schema = Arc::new(parse_message_type(&format!("message m {{ {schema} }}")).unwrap());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut content = Vec::new();
        let mut file = SerializedFileWriter::new(&mut content, schema, Arc::new(properties)).unwrap();
        let mut group = file.next_row_group().unwrap();
        fill(&mut group);
        group.close().unwrap();
        file.close().unwrap();
        content
    }

    /// Loads the content and shows `column:kind = values` for each column, then the notes.
    fn shown(content: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        std::fs::write(&path, content).unwrap();
        let workbench = Workbench::open(&[path]).unwrap();
        let table = &workbench.tables()[0];
        let limits = QueryLimits { rows_max: 100, timeout: Duration::from_secs(60) };
        let rows = workbench.query("SELECT * FROM a", &[], limits, || false).unwrap().rows;
        let column = |(index, column): (usize, &SourceColumn)| {
            let values: Vec<String> = rows.iter().map(|row| row[index].to_string()).collect();
            format!("{}:{:?} = {}", column.name, column.kind, values.join(" | "))
        };
        let lines: Vec<String> = table.columns.iter().enumerate().map(column).chain(table.notes.clone()).collect();
        lines.join("\n")
    }

    #[test]
    fn logical_types_become_what_they_mean() {
        let schema = "required int64 at (TIMESTAMP(NANOS, true)); required int64 at_millis (TIMESTAMP_MILLIS);
                      optional int32 day (DATE); required int32 price (DECIMAL(9, 2)); required float ratio;
                      required double nothing; required boolean ok; required binary raw; required int64 big (UINT_64);
                      required binary text_day (UTF8); required int32 clock (TIME_MILLIS);";
        let content = written(schema, Compression::SNAPPY, |group| {
            put::<Int64Type>(group, &[1_709_287_200_250_000_000, -1_000_000_000], None);
            put::<Int64Type>(group, &[1_709_287_200_000, 0], None);
            put::<Int32Type>(group, &[19_783], Some((&[1, 0], &[0, 0])));
            put::<Int32Type>(group, &[1_999, -5], None);
            put::<FloatType>(group, &[0.1, 2.5], None);
            put::<DoubleType>(group, &[f64::NAN, 1.0], None);
            put::<BoolType>(group, &[true, false], None);
            put::<ByteArrayType>(group, &[ByteArray::from(vec![0xFF, 0]), ByteArray::from(vec![1])], None);
            put::<Int64Type>(group, &[7, -1], None);
            put::<ByteArrayType>(group, &[ByteArray::from("2024-03-01"), ByteArray::from("2024-03-02")], None);
            put::<Int32Type>(group, &[3_600_000, 1], None);
        });
        let expected = [
            "at:Date = 2024-03-01 10:00:00.25 | 1969-12-31 23:59:59",
            "at_millis:Date = 2024-03-01 10:00:00 | 1970-01-01 00:00:00",
            "day:Date = 2024-03-01 | –",
            "price:Real = 19.99 | -0.0500",
            "ratio:Real = 0.1000 | 2.50",
            "nothing:Real = – | 1.00",
            "ok:Boolean = 1 | 0",
            "raw:Blob = (2 bytes) | (1 bytes)",
            "big:Text = 7 | 18446744073709551615",
            "text_day:Date = 2024-03-01 | 2024-03-02",
            "clock:Text = 01:00:00 | 00:00:00.001",
            "The column big holds numbers beyond 63 bits, so all of it is kept as text.",
        ];
        assert_eq!(shown(&content), expected.join("\n"));
    }

    #[test]
    fn nested_values_are_json_with_a_note() {
        let schema = "required group tags (LIST) { repeated group list { required int64 element; } }
                      required group place { required binary city (UTF8); required boolean main; }";
        let content = written(schema, Compression::UNCOMPRESSED, |group| {
            put::<Int64Type>(group, &[1, 2, 3], Some((&[1, 1, 1], &[0, 1, 0])));
            put::<ByteArrayType>(group, &[ByteArray::from("Köln"), ByteArray::from("Lyon")], None);
            put::<BoolType>(group, &[true, false], None);
        });
        let expected = [
            "tags:Text = [1,2] | [3]",
            r#"place:Text = {"city":"Köln","main":true} | {"city":"Lyon","main":false}"#,
            "The column tags holds lists or records, which are kept as JSON text.",
            "The column place holds lists or records, which are kept as JSON text.",
        ];
        assert_eq!(shown(&content), expected.join("\n"));
    }

    #[test]
    fn a_cut_file_is_damaged_and_an_unknown_compression_says_so() {
        let content = written("required int64 a;", Compression::SNAPPY, |group| put::<Int64Type>(group, &[1, 2], None));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        std::fs::write(&path, &content[..content.len() - 9]).unwrap();
        let error = Workbench::open(std::slice::from_ref(&path)).unwrap_err().to_string();
        assert!(error.contains("is damaged ("), "{error}");
        let disabled = ParquetError::General("Disabled feature at compile time: zstd".to_owned());
        let error = broken(&path, &disabled).to_string();
        assert!(error.ends_with("it is compressed with zstd; write it with Snappy or without compression."), "{error}");
    }

    #[test]
    fn no_single_wrong_byte_gets_past_an_error_message() {
        let content = written("required int64 a; optional binary b (UTF8);", Compression::SNAPPY, |group| {
            put::<Int64Type>(group, &[1, 2], None);
            put::<ByteArrayType>(group, &[ByteArray::from("x")], Some((&[1, 0], &[0, 0])));
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.parquet");
        let mut refused = 0;
        for position in 0..content.len() {
            let mut damaged = content.clone();
            damaged[position] ^= 0xFF;
            std::fs::write(&path, damaged).unwrap();
            if let Err(error) = Workbench::open(std::slice::from_ref(&path)) {
                refused += 1;
                assert!(error.to_string().contains("a.parquet is "), "byte {position}: {error}");
            }
        }
        assert!(refused > content.len() / 2, "most wrong bytes matter, but only {refused} were noticed");
    }
}
