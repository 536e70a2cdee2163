//! Values as MySQL sends and takes them, and as facts hold them: dates and times as ISO text, exact numbers as the
//! nearest number there is. Next: `mod`.

use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::{Column, Row, Value};
use turnwise_core::Cell;

/// The letters of bytes that are no text.
const BINARY: u16 = 63;

/// A row read.
pub fn cells(row: Row) -> Vec<Cell> {
    let columns = row.columns();
    row.unwrap_raw().into_iter().zip(columns.iter()).map(|(value, column)| cell(value, column)).collect()
}

/// A value to send.
pub fn sent(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::NULL,
        Cell::Integer(number) => Value::Int(*number),
        Cell::Real(number) => Value::Double(*number),
        Cell::Text(text) => Value::Bytes(text.clone().into_bytes()),
    }
}

fn cell(value: Option<Value>, column: &Column) -> Cell {
    match value.unwrap_or(Value::NULL) {
        Value::NULL => Cell::Null,
        Value::Int(number) => Cell::Integer(number),
        #[expect(clippy::cast_precision_loss, reason = "beyond 63 bits there is no exact number in a fact")]
        Value::UInt(number) => i64::try_from(number).map_or_else(|_| Cell::real(number as f64), Cell::Integer),
        Value::Float(number) => Cell::real(f64::from(number)),
        Value::Double(number) => Cell::real(number),
        Value::Bytes(bytes) => of_bytes(&bytes, column),
        // Dates without a year stand for missing ones.
        Value::Date(0, ..) => Cell::Null,
        Value::Date(year, month, day, hour, minute, second, micro) => {
            let date = format!("{year:04}-{month:02}-{day:02}");
            let is_date = matches!(column.column_type(), ColumnType::MYSQL_TYPE_DATE | ColumnType::MYSQL_TYPE_NEWDATE);
            Cell::Text(if is_date { date } else { format!("{date} {}", clock(hour.into(), minute, second, micro)) })
        }
        Value::Time(negative, days, hours, minute, second, micro) => {
            let sign = if negative { "-" } else { "" };
            Cell::Text(format!("{sign}{}", clock(days * 24 + u32::from(hours), minute, second, micro)))
        }
    }
}

fn clock(hour: u32, minute: u8, second: u8, micro: u32) -> String {
    let whole = format!("{hour:02}:{minute:02}:{second:02}");
    if micro == 0 { whole } else { format!("{whole}.{}", format!("{micro:06}").trim_end_matches('0')) }
}

fn of_bytes(bytes: &[u8], column: &Column) -> Cell {
    let text = String::from_utf8_lossy(bytes);
    match column.column_type() {
        ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL => {
            let whole = if text.contains('.') { None } else { text.parse().ok() };
            whole.map(Cell::Integer).or_else(|| text.parse().ok().map(Cell::real)).unwrap_or(Cell::Null)
        }
        kind if kind == ColumnType::MYSQL_TYPE_GEOMETRY
            || (column.character_set() == BINARY && column.flags().contains(ColumnFlags::BINARY_FLAG)) =>
        {
            Cell::Text(format!("({} bytes)", bytes.len()))
        }
        _ => Cell::Text(text.into_owned()),
    }
}
