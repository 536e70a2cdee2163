//! Server-sent events out of a body: blocks of `name: value` lines that end with an empty one, however the bytes were
//! cut on their way. Next: `follow`, which reads them.

/// A server-sent event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) kind: String,
    pub(super) data: String,
}

/// Takes bytes in and gives events out.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// Bytes of a line that has not ended.
    line: Vec<u8>,
    sent: Sent,
    has_data: bool,
}

impl Reader {
    /// The events that `bytes` complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Sent> {
        let mut events = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                self.line.push(*byte);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = String::from_utf8_lossy(&line);
            events.extend(self.end_of_line(line.trim_end_matches('\r')));
        }
        events
    }

    /// How many bytes are held for an event that is not complete.
    pub(super) fn held(&self) -> usize {
        self.line.len() + self.sent.data.len()
    }

    fn end_of_line(&mut self, line: &str) -> Option<Sent> {
        if line.is_empty() {
            let sent = std::mem::take(&mut self.sent);
            return std::mem::take(&mut self.has_data).then_some(sent);
        }
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.sent.kind),
            "data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.sent.data.push('\n');
                }
                self.sent.data.push_str(value);
            }
            // A remark, which only shows that the line stands; ids stand in the data, too.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Sent};

    #[test]
    fn events_come_out_the_same_however_they_were_cut() {
        let text =
            ": alive\n\nevent: recorded\nid: 7\ndata: {\"a\":\ndata: \"ä\"}\r\n\nevent: empty\n\ndata:x\n\n".as_bytes();
        let expected = [
            Sent { kind: "recorded".to_owned(), data: "{\"a\":\n\"ä\"}".to_owned() },
            Sent { kind: String::new(), data: "x".to_owned() },
        ];
        for size in 1..text.len() {
            let mut reader = Reader::default();
            let events: Vec<Sent> = text.chunks(size).flat_map(|chunk| reader.take(chunk)).collect();
            assert_eq!(events, expected, "in pieces of {size}");
            assert_eq!(reader.held(), 0);
        }
    }
}
