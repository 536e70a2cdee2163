//! The numbers an ONNX file holds, by name: what the compiled-in model is made of. Only that much of the format is read
//! (the initialisers of the graph, as <https://github.com/onnx/onnx/blob/main/onnx/onnx.proto> numbers its fields);
//! the arithmetic is written out elsewhere. Next: `minilm`.

use std::collections::BTreeMap;

/// Numbers with a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers<'a> {
    /// The bytes of the numbers, one after the other: little-endian, or a varint where a small one stands alone.
    bytes: &'a [u8],
    kind: u64,
}

/// The initialisers of the model in `file`, by name.
///
/// # Errors
/// When it is no such file.
pub(crate) fn initialisers(file: &[u8]) -> Result<BTreeMap<&str, Numbers<'_>>, String> {
    let mut found = BTreeMap::new();
    for (field, value) in Fields(file) {
        let (GRAPH, Value::Bytes(graph)) = (field, value?) else { continue };
        for (field, value) in Fields(graph) {
            let (INITIALISER, Value::Bytes(tensor)) = (field, value?) else { continue };
            let (mut name, mut numbers) = ("", Numbers { bytes: &[], kind: 0 });
            for (field, value) in Fields(tensor) {
                match (field, value?) {
                    (TENSOR_TYPE, Value::Number(kind)) => numbers.kind = kind,
                    (TENSOR_NAME, Value::Bytes(bytes)) => {
                        name = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                    }
                    (TENSOR_RAW | TENSOR_FLOATS | TENSOR_INTEGERS, Value::Bytes(bytes)) => numbers.bytes = bytes,
                    _ => {}
                }
            }
            found.insert(name, numbers);
        }
    }
    if found.is_empty() { Err("it holds no numbers".to_owned()) } else { Ok(found) }
}

impl<'a> Numbers<'a> {
    /// All of them as fractions.
    ///
    /// # Errors
    /// When they are none.
    pub fn floats(&self) -> Result<Vec<f32>, String> {
        let fraction = |bytes: &[u8]| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        match self.kind {
            FLOAT => Ok(self.bytes.chunks_exact(4).map(fraction).collect()),
            other => Err(format!("numbers of kind {other} stand where fractions should")),
        }
    }

    /// The one there is.
    ///
    /// # Errors
    /// When there is none, or it is no small number.
    pub fn alone(&self) -> Result<u8, String> {
        let number = Fields(self.small()?).varint().and_then(|number| u8::try_from(number).ok());
        number.ok_or_else(|| "a small number is missing".to_owned())
    }

    /// All of them as bytes, signed or not.
    ///
    /// # Errors
    /// When they are none.
    pub fn small(&self) -> Result<&'a [u8], String> {
        match self.kind {
            UINT8 | INT8 => Ok(self.bytes),
            other => Err(format!("numbers of kind {other} stand where bytes should")),
        }
    }
}

/// The fields of a message, in their order; it ends with the first that cannot be read.
struct Fields<'a>(&'a [u8]);

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn value(&mut self, wire: u64) -> Option<Value<'a>> {
        match wire {
            0 => self.varint().map(Value::Number),
            1 => self.take(8).map(Value::Bytes),
            2 => {
                let length = self.varint()?;
                self.take(length).map(Value::Bytes)
            }
            5 => self.take(4).map(Value::Bytes),
            _ => None,
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Result<Value<'a>, String>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let broken = || "the file breaks off or is of another format".to_owned();
        let Some(key) = self.varint() else {
            self.0 = &[];
            return Some((0, Err(broken())));
        };
        let value = self.value(key & 7).ok_or_else(broken);
        if value.is_err() {
            self.0 = &[];
        }
        Some((key >> 3, value))
    }
}

/// `ModelProto.graph`.
const GRAPH: u64 = 7;
/// `GraphProto.initializer`.
const INITIALISER: u64 = 5;
/// `TensorProto.data_type`, `float_data`, `int32_data`, `name`, `raw_data`.
const TENSOR_TYPE: u64 = 2;
const TENSOR_FLOATS: u64 = 4;
const TENSOR_INTEGERS: u64 = 5;
const TENSOR_NAME: u64 = 8;
const TENSOR_RAW: u64 = 9;
/// `TensorProto.DataType`.
const FLOAT: u64 = 1;
const UINT8: u64 = 2;
const INT8: u64 = 3;

#[cfg(test)]
mod tests {
    use super::initialisers;

    #[test]
    fn what_is_no_such_file_is_refused() {
        for file in [&b""[..], b"\x3a\x05\x2a\x09", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"no model"] {
            assert!(initialisers(file).is_err(), "{file:?}");
        }
    }
}
