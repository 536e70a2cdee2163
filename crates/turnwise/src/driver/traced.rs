//! What of a conversation becomes spans, by OpenTelemetry's conventions for generative AI: a person's input is
//! `invoke_agent` and lasts until the work it began is over; reading, planning, answering and the steps of a run are
//! below it. Words of people and values of data stand in none of them unless that was asked for. Next: `telemetry`.

use std::sync::Arc;

use serde_json::json;
use turnwise_core::selected::Selected;
use turnwise_core::{
    Bearing, Effect, InputBody, MessageReading, ModeWish, PointEdit, PointSort, ReadContext, Reader, Reply,
    StepOutcome, StepTask, Task, Tier,
};

use super::cell::Cell;
use crate::store::TurnResult;
use crate::telemetry::{Fault, Span, SpanContext};

/// The span that work belongs to: the person's input it follows from, where that is recorded.
#[derive(Clone, Default)]
pub(super) struct Trace(Option<Arc<Span>>);

/// A person's input is being taken in.
pub(super) fn input(cell: &Cell, body: &InputBody, parent: Option<SpanContext>) -> Trace {
    let kind = match body {
        InputBody::Message { .. } => "message",
        InputBody::Decide { .. } => "decision",
        InputBody::Stop { .. } => "stop",
        InputBody::Press { .. } => "press",
        // Housekeeping, and no question to the assistant.
        InputBody::SetMode { .. }
        | InputBody::Rename { .. }
        | InputBody::Join { .. }
        | InputBody::Leave { .. }
        | InputBody::Report(_) => return Trace::default(),
    };
    let Some(span) = begin(cell, "invoke_agent", cell.assistant.name().as_str(), parent) else {
        return Trace::default();
    };
    span.text("gen_ai.operation.name", "invoke_agent").text("turnwise.input", kind);
    if let InputBody::Message { text, .. } = body {
        let part = json!([{"role": "user", "parts": [{"type": "text", "content": text}]}]);
        span.content("gen_ai.input.messages", || part.to_string());
    }
    Trace(Some(Arc::new(span)))
}

/// What became of it.
pub(super) fn taken_in<E>(trace: &Trace, result: &Result<TurnResult, E>) {
    let Some(span) = &trace.0 else { return };
    match result {
        Ok(result) => {
            span.flag("turnwise.replayed", result.duplicate);
            if let Some(receipt) = &result.receipt {
                span.text("turnwise.outcome", receipt.outcome.word());
            }
        }
        Err(_) => {
            span.failed(Fault::Refused);
        }
    }
}

/// A plan is being drafted.
pub(super) fn plan(cell: &Cell, trace: &Trace, task: &Task) -> Option<Span> {
    let span = below(cell, trace, "plan", cell.assistant.name().as_str())?;
    span.text("gen_ai.operation.name", "plan").content("turnwise.task", || task.problem.clone());
    Some(span)
}

/// A question is being answered from what is known.
pub(super) fn answer(cell: &Cell, trace: &Trace) -> Option<Span> {
    below(cell, trace, "answer", cell.assistant.name().as_str())
}

/// A step is being run, or its outcome is being looked up.
pub(super) fn step(cell: &Cell, trace: &Trace, verb: &'static str, task: &StepTask) -> Option<Span> {
    let span = below(cell, trace, verb, task.work.tool.as_str())?;
    if verb == EXECUTE {
        span.text("gen_ai.operation.name", EXECUTE);
    }
    span.text("gen_ai.tool.name", task.work.tool.as_str())
        .text("gen_ai.tool.type", "function")
        .text("gen_ai.tool.call.id", format!("{}/{}/{}", task.run, task.step.number(), task.attempt))
        .content("gen_ai.tool.description", || task.work.description.clone())
        .content("gen_ai.tool.call.arguments", || json!(task.work.arguments).to_string());
    Some(span)
}

/// Running a step.
pub(super) const EXECUTE: &str = "execute_tool";

/// How a step ended, where that is a failure.
pub(super) fn fault_of(outcome: &StepOutcome) -> Option<Fault> {
    match outcome {
        StepOutcome::Done { .. } | StepOutcome::Asks { .. } => None,
        StepOutcome::Transient { .. } => Some(Fault::Transient),
        StepOutcome::Failed { .. } => Some(Fault::Failed),
        StepOutcome::Unknown { .. } => Some(Fault::UnknownOutcome),
        StepOutcome::Cancelled => Some(Fault::Cancelled),
    }
}

/// Notes why something failed, if it did.
pub(super) fn note(span: Option<&Span>, fault: Option<Fault>) {
    if let (Some(span), Some(fault)) = (span, fault) {
        span.failed(fault);
    }
}

/// What `effect` belongs to. A question may wait for days until it expires: nothing lasts as long as that.
pub(super) fn belonging(effect: Effect, trace: &Trace) -> Trace {
    match effect {
        Effect::ExpireAt { .. } => Trace::default(),
        Effect::DraftPlan { .. }
        | Effect::AnswerQuestion { .. }
        | Effect::Hear { .. }
        | Effect::StartStep { .. }
        | Effect::LookUpStep { .. }
        | Effect::WakeAt { .. }
        | Effect::StopRun { .. }
        | Effect::CloseSurface => trace.clone(),
    }
}

fn below(cell: &Cell, trace: &Trace, verb: &str, what: &str) -> Option<Span> {
    begin(cell, verb, what, trace.0.as_ref().map(|span| span.context()))
}

fn begin(cell: &Cell, verb: &str, what: &str, parent: Option<SpanContext>) -> Option<Span> {
    let span = cell.shared.telemetry.span(format!("{verb} {what}"), parent)?;
    span.text("gen_ai.provider.name", "turnwise")
        .text("gen_ai.agent.name", cell.assistant.name().as_str())
        .text("gen_ai.conversation.id", cell.id().as_str());
    Some(span)
}

/// The reader, with a span for each reading. `decide` asks it only when the route needs it, so nobody else knows when.
pub(super) struct Watched<'a> {
    pub(super) cell: &'a Cell,
    pub(super) trace: &'a Trace,
}

impl Reader for Watched<'_> {
    fn read(&self, text: &str, context: &ReadContext) -> MessageReading {
        let span = self.span("message");
        let reading = self.cell.assistant.reader().read(text, context);
        let first = match &reading {
            MessageReading::Understood { segments: readings, .. } | MessageReading::Unsure { options: readings } => {
                readings.first()
            }
            MessageReading::UnknownCommand { .. } | MessageReading::Bare { .. } | MessageReading::Empty => None,
        };
        if let (Some(span), Some(first)) = (&span, first) {
            span.text("turnwise.reading.intent", first.intent.as_str())
                .share("turnwise.reading.confidence", f64::from(first.confidence.value()))
                .text("turnwise.reading.tier", tier(first.tier));
        }
        reading
    }

    fn selected(&self, text: &str, context: &ReadContext) -> Option<Selected> {
        self.cell.assistant.reader().selected(text, context)
    }

    fn reply(&self, text: &str, context: &ReadContext) -> Reply {
        let _span = self.span("reply");
        self.cell.assistant.reader().reply(text, context)
    }

    fn mode_wished(&self, task: &str) -> Option<ModeWish> {
        self.cell.assistant.reader().mode_wished(task)
    }

    fn bearing(&self, text: &str, context: &ReadContext) -> Bearing {
        self.cell.assistant.reader().bearing(text, context)
    }

    fn point(&self, text: &str) -> PointSort {
        self.cell.assistant.reader().point(text)
    }

    fn point_edit(&self, text: &str) -> Option<PointEdit> {
        self.cell.assistant.reader().point_edit(text)
    }

    fn settles(&self, text: &str) -> Option<String> {
        self.cell.assistant.reader().settles(text)
    }

    fn asks_for_fix(&self, text: &str) -> bool {
        self.cell.assistant.reader().asks_for_fix(text)
    }

    fn constraints(&self, text: &str) -> Vec<String> {
        self.cell.assistant.reader().constraints(text)
    }

    fn breaks(&self, step: &turnwise_core::Step, held: &[String]) -> Option<String> {
        self.cell.assistant.reader().breaks(step, held)
    }

    fn owns_steps(&self) -> bool {
        self.cell.assistant.reader().owns_steps()
    }

    fn rewords_steps(&self) -> bool {
        self.cell.assistant.reader().rewords_steps()
    }
}

fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Slash => "slash",
        Tier::Rule => "rule",
        Tier::Exemplar => "exemplar",
        Tier::Model => "model",
        Tier::Person => "person",
    }
}

impl Watched<'_> {
    fn span(&self, what: &str) -> Option<Span> {
        self.trace.0.as_ref()?;
        below(self.cell, self.trace, "read", what)
    }
}
