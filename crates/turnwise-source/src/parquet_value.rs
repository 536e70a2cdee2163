//! Single values of Parquet files as the engine stores them. Logical types decide, because the physical ones do not
//! say what a number means. Next: `fill`.

use std::borrow::Cow;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime};
use parquet::basic::TimeUnit;
use parquet::data_type::AsBytes;
use parquet::record::Field;
use serde_json::Value;

use super::kinds::Stored;

/// How many units of a timestamp make a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimestampUnit {
    /// Thousandths of a second.
    Milliseconds,
    /// Millionths.
    Microseconds,
    /// Billionths.
    Nanoseconds,
}

impl TimestampUnit {
    /// The unit as the schema names it.
    pub fn of(unit: &TimeUnit) -> Self {
        match unit {
            TimeUnit::MILLIS => Self::Milliseconds,
            TimeUnit::MICROS => Self::Microseconds,
            TimeUnit::NANOS => Self::Nanoseconds,
        }
    }

    /// The span of so many units, since the epoch.
    fn span(self, count: i64) -> SignedDuration {
        match self {
            Self::Milliseconds => SignedDuration::from_millis(count),
            Self::Microseconds => SignedDuration::from_micros(count),
            Self::Nanoseconds => SignedDuration::from_nanos(count),
        }
    }
}

/// The value to store; bytes are stored by the caller. `timestamp` tells how to read integers that are moments.
pub fn stored(field: &Field, timestamp: Option<TimestampUnit>) -> Stored<'_> {
    match field {
        Field::Null => Stored::Null,
        Field::Bool(truth) => Stored::Integer(i64::from(*truth)),
        Field::Byte(number) => Stored::Integer(i64::from(*number)),
        Field::Short(number) => Stored::Integer(i64::from(*number)),
        Field::Int(number) => Stored::Integer(i64::from(*number)),
        Field::Long(number) => timestamp.map_or(Stored::Integer(*number), |unit| moment(unit, *number)),
        Field::UByte(number) => Stored::Integer(i64::from(*number)),
        Field::UShort(number) => Stored::Integer(i64::from(*number)),
        Field::UInt(number) => Stored::Integer(i64::from(*number)),
        Field::ULong(number) => i64::try_from(*number).map_or_else(|_| shown(number), Stored::Integer),
        Field::Float16(number) => real(f64::from(*number)),
        Field::Float(number) => real(shortest(*number)),
        Field::Double(number) => real(*number),
        // The library prints a decimal exactly; a double then holds its first fifteen digits.
        Field::Decimal(_) => field.to_string().parse().map_or_else(|_| shown(field), real),
        Field::Str(text) => Stored::Text(Cow::Borrowed(text)),
        Field::Bytes(bytes) => Stored::Text(String::from_utf8_lossy(bytes.as_bytes())),
        Field::Date(days) => date(*days),
        Field::TimeMillis(count) => time(TimestampUnit::Milliseconds, i64::from(*count)),
        Field::TimeMicros(count) => time(TimestampUnit::Microseconds, *count),
        Field::TimestampMillis(count) => moment(TimestampUnit::Milliseconds, *count),
        Field::TimestampMicros(count) => moment(TimestampUnit::Microseconds, *count),
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => shown(&sorted(json(field))),
    }
}

fn json(field: &Field) -> Value {
    match field {
        Field::Group(row) => {
            Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), json(field))).collect())
        }
        Field::ListInternal(list) => Value::Array(list.elements().iter().map(json).collect()),
        Field::MapInternal(map) => {
            Value::Object(map.entries().iter().map(|(key, value)| (plain(&sorted(json(key))), json(value))).collect())
        }
        other => match stored(other, None) {
            Stored::Null => Value::Null,
            Stored::Integer(truth) if matches!(other, Field::Bool(_)) => Value::Bool(truth == 1),
            Stored::Integer(number) => Value::from(number),
            Stored::Real(number) => Value::from(number),
            Stored::Text(text) => Value::String(text.into_owned()),
        },
    }
}

/// With keys in the order of the alphabet, however the JSON library keeps them: a proof goes by the text.
fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

/// A key of a map as a key of an object, which is always text.
fn plain(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

fn real(number: f64) -> Stored<'static> {
    if number.is_finite() { Stored::Real(number) } else { Stored::Null }
}

/// The double with the same shortest decimal form: 0.1 stored in four bytes is meant as 0.1, not 0.10000000149.
fn shortest(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

fn date(days: i32) -> Stored<'static> {
    EPOCH
        .checked_add(SignedDuration::from_hours(24 * i64::from(days)))
        .map_or_else(|_| shown(&days), |moment| shown(&moment.date()))
}

fn moment(unit: TimestampUnit, count: i64) -> Stored<'static> {
    EPOCH
        .checked_add(unit.span(count))
        .map_or_else(|_| shown(&count), |moment| shown(&format!("{} {}", moment.date(), moment.time())))
}

fn time(unit: TimestampUnit, count: i64) -> Stored<'static> {
    EPOCH.checked_add(unit.span(count)).map_or_else(|_| shown(&count), |moment| shown(&moment.time()))
}

fn shown(value: &impl ToString) -> Stored<'static> {
    Stored::Text(Cow::Owned(value.to_string()))
}

/// Parquet counts from here.
const EPOCH: DateTime = Date::constant(1970, 1, 1).at(0, 0, 0, 0);
