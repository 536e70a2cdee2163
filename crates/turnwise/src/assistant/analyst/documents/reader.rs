//! Reading messages where there are documents: what asks for a document is a look-up and needs no plan, though to a
//! reader that knows only the profile it looks like a task. Next: `answer` for how that is told.

use std::sync::Arc;

use turnwise_core::{
    Act, Bearing, Confidence, MessageReading, ModeWish, QueryKind, ReadContext, Reader, Reading, Reply, Tier,
};
use turnwise_intent::IntentReader;

use crate::assistant::analyst::Analyst;

/// The profile's reader, with what the documents add.
pub struct DocumentReader {
    reader: IntentReader,
    analyst: Arc<Analyst>,
}

impl DocumentReader {
    /// Puts both together.
    pub fn new(reader: IntentReader, analyst: Arc<Analyst>) -> Self {
        Self { reader, analyst }
    }
}

impl Reader for DocumentReader {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let reading = self.reader.read(text, context);
        let asks = match &reading {
            MessageReading::Understood { requests, .. } => match requests.as_slice() {
                [only] => self.asks(&only.act, text),
                _ => false,
            },
            MessageReading::Unsure { .. } => self.analyst.asks_documents(text),
            MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. } | MessageReading::Empty => false,
        };
        if asks { look_up(text) } else { reading }
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        self.reader.reply(text, context)
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        self.reader.bearing(text, context)
    }
}

impl DocumentReader {
    fn asks(&self, act: &Act, text: &str) -> bool {
        match act {
            Act::PlanNew(_) => self.analyst.asks_documents(text),
            // A change of a plan may use any words; only one that names a document is none.
            Act::PlanContinue => self.analyst.names_documents(text),
            Act::Query(_) | Act::Control(_) => false,
        }
    }
}

fn look_up(text: &str) -> MessageReading {
    let reading = Reading {
        sub: Some("lookup".to_owned()),
        sub_confidence: Some(Confidence::CERTAIN),
        ..Reading::certain(
            text,
            "query",
            Act::Query(QueryKind::Lookup),
            Tier::Rule,
            "It asks what the documents say, and they are looked up without a plan.",
        )
    };
    MessageReading::single(reading)
}
