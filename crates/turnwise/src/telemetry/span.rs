//! A span: something that took time, what it was part of, and what is known about it. It ends when it is dropped; so
//! one that several pieces of work belong to ends with the last of them. Next: `otlp` for how it looks on the wire.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use super::{Recorder, limits};

/// Which span, of which trace: what others need to put theirs below it (W3C Trace Context).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanContext {
    pub(super) trace: [u8; 16],
    pub(super) span: [u8; 8],
    flags: u8,
}

/// A `traceparent` that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no traceparent")]
pub struct NoContext;

/// Why something failed, in a word: texts of errors may hold data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It failed for good.
    Failed,
    /// It failed, and may work when it is tried again.
    Transient,
    /// Nobody knows whether it had its effect.
    UnknownOutcome,
    /// It took longer than it may.
    Timeout,
    /// It broke down: a defect.
    Panic,
    /// It was given up: stopped, overtaken or taken over.
    Cancelled,
    /// It could not be stored, or not be taken in.
    Refused,
}

/// What an attribute says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(i64),
    Share(f64),
    Flag(bool),
}

/// A span that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) context: SpanContext,
    pub(super) parent: Option<[u8; 8]>,
    pub(super) name: String,
    pub(super) begun: SystemTime,
    pub(super) ended: SystemTime,
    pub(super) attributes: Vec<(&'static str, Value)>,
    pub(super) fault: Option<Fault>,
}

/// A span that is going on.
pub struct Span {
    recorder: Arc<Recorder>,
    context: SpanContext,
    parent: Option<[u8; 8]>,
    name: String,
    begun: SystemTime,
    since: Instant,
    told: Mutex<Told>,
}

#[derive(Default)]
struct Told {
    attributes: Vec<(&'static str, Value)>,
    fault: Option<Fault>,
}

impl Span {
    /// `None` where the system has no randomness for its id.
    pub(super) fn begin(recorder: Arc<Recorder>, name: String, parent: Option<SpanContext>) -> Option<Self> {
        let mut span = [0; 8];
        getrandom::fill(&mut span).ok()?;
        let mut trace = [0; 16];
        match parent {
            Some(parent) => trace = parent.trace,
            None => getrandom::fill(&mut trace).ok()?,
        }
        Some(Self {
            recorder,
            context: SpanContext { trace, span, flags: SAMPLED },
            parent: parent.map(|parent| parent.span),
            name,
            begun: SystemTime::now(),
            since: Instant::now(),
            told: Mutex::default(),
        })
    }

    /// What spans below it need.
    #[must_use]
    pub fn context(&self) -> SpanContext {
        self.context
    }

    /// Says what a text of it is.
    pub fn text(&self, name: &'static str, text: impl Into<String>) -> &Self {
        self.set(name, Value::Text(text.into()))
    }

    /// Says what a number of it is.
    pub fn number(&self, name: &'static str, number: u64) -> &Self {
        self.set(name, Value::Number(i64::try_from(number).unwrap_or(i64::MAX)))
    }

    /// Says what a share of it is, from 0 to 1.
    pub fn share(&self, name: &'static str, share: f64) -> &Self {
        self.set(name, Value::Share(share))
    }

    /// Says whether something is so.
    pub fn flag(&self, name: &'static str, is_so: bool) -> &Self {
        self.set(name, Value::Flag(is_so))
    }

    /// Says something that people said, or that stands in their data: only where that is wanted.
    pub fn content(&self, name: &'static str, content: impl FnOnce() -> String) -> &Self {
        if self.recorder.content == super::Content::Recorded {
            let mut content = content();
            content.truncate(content.floor_char_boundary(limits::TEXT_BYTES_MAX));
            self.set(name, Value::Text(content));
        }
        self
    }

    /// It failed.
    pub fn failed(&self, fault: Fault) -> &Self {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).fault = Some(fault);
        self
    }

    fn set(&self, name: &'static str, value: Value) -> &Self {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).attributes.push((name, value));
        self
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let told = std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner));
        self.recorder.export.queue(Ended {
            context: self.context,
            parent: self.parent,
            name: std::mem::take(&mut self.name),
            begun: self.begun,
            // The clock may be set meanwhile; a span never ends before it began.
            ended: self.begun + self.since.elapsed(),
            attributes: told.attributes,
            fault: told.fault,
        });
    }
}

impl SpanContext {
    /// Whether whoever began the trace records it.
    #[must_use]
    pub fn is_sampled(self) -> bool {
        self.flags & SAMPLED != 0
    }
}

/// A `traceparent` header: `00-`, the trace, the span and flags in hexadecimal digits.
impl FromStr for SpanContext {
    type Err = NoContext;

    fn from_str(text: &str) -> Result<Self, NoContext> {
        let mut parts = text.trim().split('-');
        let mut part = || parts.next().ok_or(NoContext);
        let ([version], trace, span, [flags]) = (bytes(part()?)?, bytes(part()?)?, bytes(part()?)?, bytes(part()?)?);
        // Later versions may append more; this one may not. 255 is no version, and zeros are no ids.
        let is_known = version != u8::MAX && (version > 0 || parts.next().is_none());
        if !is_known || trace == [0; 16] || span == [0; 8] {
            return Err(NoContext);
        }
        Ok(Self { trace, span, flags })
    }
}

fn bytes<const N: usize>(digits: &str) -> Result<[u8; N], NoContext> {
    let is_hex = |digit: u8| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit);
    if digits.len() != 2 * N || !digits.bytes().all(is_hex) {
        return Err(NoContext);
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).map_err(|_| NoContext)?;
    }
    Ok(bytes)
}

/// The word of `error.type`.
impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Failed => "failed",
            Self::Transient => "transient",
            Self::UnknownOutcome => "unknown_outcome",
            Self::Timeout => "timeout",
            Self::Panic => "panic",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
        })
    }
}

/// The flag of a trace that is recorded.
const SAMPLED: u8 = 1;

#[cfg(test)]
mod tests {
    use super::{NoContext, SpanContext};

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_traceparent_is_read_as_the_standard_has_it() {
        let read = |text: &str| text.parse::<SpanContext>();
        let parent = read(PARENT);
        assert_eq!(parent.map(|parent| (parent.trace[0], parent.span[7], parent.is_sampled())), Ok((0x0a, 0x31, true)));
        assert_eq!(read(&PARENT.replace("-01", "-00")).map(SpanContext::is_sampled), Ok(false));
        assert!(read(&PARENT.replacen("00", "01", 1)).is_ok(), "a later version");
        assert!(read(&format!("{}-more", PARENT.replacen("00", "01", 1))).is_ok(), "with more behind it");
        for wrong in [
            "",
            "00",
            &PARENT.to_uppercase(),
            &PARENT.replacen("00", "ff", 1),
            &format!("{PARENT}-more"),
            &PARENT.replace("b7ad6b7169203331", "0000000000000000"),
            &PARENT.replace("0af7651916cd43dd8448eb211c80319c", "00000000000000000000000000000000"),
            &PARENT.replace("b7ad", "b7é"),
        ] {
            assert_eq!(read(wrong), Err(NoContext), "{wrong}");
        }
    }
}
