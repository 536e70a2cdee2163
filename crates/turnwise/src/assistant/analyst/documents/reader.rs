//! Reading messages where there are documents: what asks for a document is a look-up and needs no plan, though to a
//! reader that knows only the profile it looks like a task. Next: `answer` for how that is told.

use std::sync::Arc;

use turnwise_core::{Act, Confidence, MessageReading, QueryKind, ReadContext, Reader, Reading, Reply, Tier};
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
        let could_be = match &reading {
            MessageReading::Understood { requests, .. } => matches!(requests.as_slice(), [only] if is_task(&only.act)),
            MessageReading::Unsure { .. } => true,
            MessageReading::UnknownCommand { .. } | MessageReading::Empty => false,
        };
        if could_be && self.analyst.asks_documents(text) { look_up(text) } else { reading }
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        self.reader.reply(text, context)
    }
}

fn is_task(act: &Act) -> bool {
    match act {
        Act::PlanNew(_) | Act::PlanContinue => true,
        Act::Query(_) | Act::Control(_) => false,
    }
}

fn look_up(text: &str) -> MessageReading {
    let reading = Reading {
        segment: text.to_owned(),
        intent: "query".to_owned(),
        sub: Some("lookup".to_owned()),
        target: None,
        act: Act::Query(QueryKind::Lookup),
        confidence: Confidence::CERTAIN,
        sub_confidence: Some(Confidence::CERTAIN),
        margin: 1.0,
        tier: Tier::Rule,
        nearest: Vec::new(),
        reason: "It asks what the documents say, and they are looked up without a plan.".to_owned(),
    };
    MessageReading::Understood { requests: vec![reading.clone()], segments: vec![reading] }
}
