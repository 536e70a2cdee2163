//! Parquet files: columns and types as the schema declares them; dates and times become ISO text, decimals numbers, and
//! what is nested JSON text with a note. Next: `parquet_value` for single values.

use std::fs::File;
use std::path::Path;

use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;
use rusqlite::Connection;

use super::database::Described;
use super::dates;
use super::kinds::Stored;
use super::parquet_value::{self, TimestampUnit};
use super::{ColumnKind, SourceColumn, SourceError, fill};

/// Loads the file as a table of this name.
pub fn load(connection: &mut Connection, path: &Path, name: &str) -> Result<Described, SourceError> {
    let file = File::open(path)
        .map_err(|error| SourceError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let reader = SerializedFileReader::new(file).map_err(|error| broken(path, &error))?;
    let fields = reader.metadata().file_metadata().schema().get_fields().to_vec();
    let mut notes = Vec::new();
    let names = fill::column_names(path, fields.iter().map(|field| field.name()), &mut notes)?;
    let readings: Vec<Reading> = fields.iter().map(|field| Reading::of(field)).collect();
    let mut columns: Vec<SourceColumn> = names
        .into_iter()
        .zip(&readings)
        .map(|(name, reading)| SourceColumn { name, kind: reading.kind, primary_key: false })
        .collect();
    for (column, _) in columns.iter().zip(&readings).filter(|(_, reading)| reading.nested) {
        notes.push(format!("The column {} holds lists or records, which are kept as JSON text.", column.name));
    }
    let mut texts = vec![TextDates::default(); columns.len()];
    let rows = fill::fill(connection, path, name, &columns, |inserter| {
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
    })?;
    for (column, text) in columns.iter_mut().zip(texts) {
        if column.kind == ColumnKind::Text && text.dates > 0 && text.others == 0 {
            column.kind = ColumnKind::Date;
        }
    }
    if rows == 0 {
        notes.push("The file has no rows.".to_owned());
    }
    Ok(Described { name: name.to_owned(), columns, rows, foreign_keys: Vec::new(), notes })
}

/// How a column is read.
struct Reading {
    kind: ColumnKind,
    nested: bool,
    /// Set for timestamps that the row reader hands out as bare integers.
    timestamp: Option<TimestampUnit>,
}

impl Reading {
    fn of(field: &Type) -> Self {
        let plain = |kind| Self { kind, nested: false, timestamp: None };
        if !field.is_primitive() || field.get_basic_info().repetition() == parquet::basic::Repetition::REPEATED {
            return Self { kind: ColumnKind::Text, nested: true, timestamp: None };
        }
        let logical = field.get_basic_info().logical_type_ref();
        if let Some(LogicalType::Timestamp(timestamp)) = logical {
            let timestamp = Some(TimestampUnit::of(&timestamp.unit));
            return Self { kind: ColumnKind::Date, nested: false, timestamp };
        }
        match field.get_basic_info().converted_type() {
            ConvertedType::DATE | ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS => {
                return plain(ColumnKind::Date);
            }
            ConvertedType::DECIMAL => return plain(ColumnKind::Real),
            ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => return plain(ColumnKind::Text),
            // An unsigned number may be larger than any integer of the engine, and is then kept as text.
            ConvertedType::UINT_64 | ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS => {
                return plain(if field.get_basic_info().converted_type() == ConvertedType::UINT_64 {
                    ColumnKind::Integer
                } else {
                    ColumnKind::Text
                });
            }
            _ => {}
        }
        plain(match field.get_physical_type() {
            Physical::BOOLEAN => ColumnKind::Boolean,
            Physical::INT32 | Physical::INT64 => ColumnKind::Integer,
            Physical::INT96 => ColumnKind::Date,
            Physical::FLOAT | Physical::DOUBLE => ColumnKind::Real,
            Physical::FIXED_LEN_BYTE_ARRAY if logical == Some(&LogicalType::Float16) => ColumnKind::Real,
            Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY => ColumnKind::Blob,
        })
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
