//! Lines: a message as it stands in the pipe, and the two threads that read and write them. Pipes block, and reading
//! one cannot be given up, so neither is done where others wait. Next: `peer`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::MESSAGE_BYTES_MAX;
use crate::schema::Error;

/// A message as it is read: what is in it says which kind it is.
#[derive(Debug, Deserialize)]
pub(crate) struct Heard {
    #[serde(default)]
    pub id: Option<Value>,
    #[serde(default)]
    pub method: Option<String>,
    #[serde(default)]
    pub params: Option<Box<RawValue>>,
    #[serde(default)]
    pub result: Option<Box<RawValue>>,
    #[serde(default)]
    pub error: Option<Error>,
}

/// A message as it is written.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Written {
    Request { jsonrpc: Version, id: u64, method: String, params: Box<RawValue> },
    Notification { jsonrpc: Version, method: String, params: Box<RawValue> },
    Result { jsonrpc: Version, id: Value, result: Box<RawValue> },
    Error { jsonrpc: Version, id: Value, error: Error },
}

/// The version of JSON-RPC.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) enum Version {
    #[serde(rename = "2.0")]
    Two,
}

/// What a line was.
pub(crate) enum Line {
    Message(Box<Heard>),
    /// No message: what is wrong with it.
    Wrong(String),
}

/// Reads lines on a thread of its own until the pipe ends, or `take` says that nobody wants more.
pub(crate) fn reading(pipe: impl Read + Send + 'static, mut take: impl FnMut(Line) -> bool + Send + 'static) {
    std::thread::spawn(move || {
        let mut pipe = BufReader::new(pipe);
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match (&mut pipe).take(MESSAGE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(length) if length > MESSAGE_BYTES_MAX => {
                    // What follows belongs to the same line, and nobody could say where the next one begins.
                    take(Line::Wrong(format!("a message is longer than {MESSAGE_BYTES_MAX} bytes")));
                    return;
                }
                Ok(_) => {}
            }
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let line = match serde_json::from_slice(&bytes) {
                Ok(message) => Line::Message(Box::new(message)),
                Err(error) => Line::Wrong(error.to_string()),
            };
            if !take(line) {
                return;
            }
        }
    });
}

/// What is handed to whoever writes.
pub(crate) enum Out {
    /// A message.
    Message(Written),
    /// Somebody wants to know when all before this is written.
    Flush(mpsc::Sender<()>),
}

/// Writes messages on a thread of its own, each as one line, until nobody sends any more or the pipe is closed.
pub(crate) fn writing(pipe: impl Write + Send + 'static) -> mpsc::Sender<Out> {
    let (sender, messages) = mpsc::channel::<Out>();
    std::thread::spawn(move || {
        let mut pipe = pipe;
        while let Ok(out) = messages.recv() {
            match out {
                Out::Message(message) if write(&mut pipe, &message).is_err() => return,
                Out::Message(_) => {}
                // Whoever asked may have gone.
                Out::Flush(done) => drop(done.send(())),
            }
        }
    });
    sender
}

fn write(pipe: &mut impl Write, message: &Written) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    pipe.write_all(&line)?;
    pipe.flush()
}
