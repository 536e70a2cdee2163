//! Reading messages where there are documents: what asks for a document is a look-up and needs no plan, though to a
//! reader that knows only the profile it looks like a task. Next: `answer` for how that is told.

use std::sync::Arc;

use turnwise_core::{
    Act, Bearing, Confidence, MessageReading, ModeWish, PointEdit, PointSort, QueryKind, ReadContext, Reader, Reading,
    Reply, Tier,
};
use turnwise_intent::IntentReader;

use crate::Analyst;

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
        if self.redates(text, context) && !states(&reading) {
            return change(text);
        }
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
        let reply = self.reader.reply(text, context);
        // “No, it should be the day they were seen” turns nothing down: it says by which date.
        match reply {
            Reply::Approve | Reply::ApproveWithNote { .. } | Reply::Cancel | Reply::Hold => reply,
            _ if self.redates(text, context) => Reply::Change { change: text.to_owned() },
            Reply::Change { .. } | Reply::Question | Reply::Reject | Reply::Likely | Reply::Other => reply,
        }
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.reader.mode_wished(task)
    }

    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        self.reader.bearing(text, context)
    }

    fn point(&self, text: &str) -> PointSort {
        self.reader.point(text)
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        self.reader.point_edit(text)
    }

    fn settles(&self, text: &str) -> Option<String> {
        self.reader.settles(text)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        self.reader.asks_for_fix(text)
    }
}

/// Whether it was read as a statement of what something means.
fn states(reading: &MessageReading) -> bool {
    let is_statement = |reading: &Reading| reading.act == Act::Query(QueryKind::Definition);
    matches!(reading, MessageReading::Understood { requests, .. } if requests.iter().any(is_statement))
}

/// A change of the date that rows are dated by.
fn change(text: &str) -> MessageReading {
    let reason = "It names another date of the rows, and says nothing else.";
    MessageReading::single(Reading::certain(text, "plan_continue", Act::PlanContinue, Tier::Rule, reason))
}

impl DocumentReader {
    /// Whether a plan or a result stands, and the text only names the date its rows may be dated by.
    fn redates(&self, text: &str, context: &ReadContext) -> bool {
        (context.has_plan || context.has_result) && self.analyst.names_date(text)
    }

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
