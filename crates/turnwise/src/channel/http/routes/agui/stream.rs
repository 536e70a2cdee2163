//! The stream of a run: what happens from its input on, until nothing is under way any more or a person is asked.
//! Whoever leaves it ends nothing; what happened before a client came back is restated, because said twice it would
//! stand there twice. Next: `event`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use hyper::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::OwnedSemaphorePermit;
use turnwise_core::{Card, Conversation, Event, Outcome as Became, PersonId, PlanningEvent, RunEvent, Sequence};

use super::super::super::frames::WrittenView;
use super::super::super::guard::{Caller, Pass};
use super::super::super::problem::Problem;
use super::super::super::view::{CardView, StateView};
use super::super::super::{App, frames, limits};
use super::super::events::Written;
use super::super::has_left;
use super::event::{AgentEvent, PROTOCOL_VERSION, RunOutcome, SaidMessage, UNUSED, WRITING};
use super::ids::AgentMessageId;
use super::input::{RunAgentInput, with_restated};
use super::interrupt::Interrupt;
use super::steps::Steps;
use super::taken::Taken;
use crate::channel::markdown;
use crate::driver::{DriverError, EventFeed, Recorded, Session};

/// The answer to a run of which `taken` was taken in.
///
/// # Errors
/// When it cannot be said where the conversation stands.
pub(super) async fn response(
    app: Arc<App>,
    caller: &Caller,
    session: Session,
    input: RunAgentInput,
    taken: Taken,
    place: OwnedSemaphorePermit,
) -> Result<Response, Problem> {
    let state = StateView::of(&session).await?;
    let mut running = Running {
        feed: session.events(taken.after),
        at: taken.after,
        told: None,
        steps: Steps::of(session.conversation().run(), input.calls()),
        writing: Written::by(&session),
        ready: VecDeque::new(),
        is_restating: taken.after < taken.restated_to || taken.own.is_empty(),
        restated: VecDeque::new(),
        result: None,
        is_anothers: false,
        is_spoken: true,
        is_stopped: false,
        is_over: false,
        app,
        person: caller.0.clone(),
        pass: caller.3,
        session,
        input,
        taken,
        _place: place,
    };
    running.begin(state);
    let frames = futures_util::stream::unfold(running, |mut running| async move {
        let frame = running.next().await?;
        Some((Ok::<_, Infallible>(frame), running))
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, Body::from_stream(frames)).into_response())
}

/// What a stream holds on to.
struct Running {
    app: Arc<App>,
    person: PersonId,
    /// What let the caller in, and must go on to.
    pass: Pass,
    session: Session,
    input: RunAgentInput,
    taken: Taken,
    feed: EventFeed,
    /// The last event that was told.
    at: Sequence,
    /// The last state that was told, by its event.
    told: Option<u64>,
    steps: Steps,
    /// What a model writes meanwhile, or a program prints.
    writing: Written,
    /// What is still to be sent.
    ready: VecDeque<AgentEvent>,
    /// Whether what comes next happened before.
    is_restating: bool,
    /// What happened before, as messages.
    restated: VecDeque<SaidMessage>,
    /// The last result that came of this run.
    result: Option<Value>,
    /// Whether what happened before went on to something that this run did not ask for.
    is_anothers: bool,
    /// Whether something was said since a person spoke.
    is_spoken: bool,
    /// Whether a person stopped what was going on.
    is_stopped: bool,
    is_over: bool,
    _place: OwnedSemaphorePermit,
}

/// What a stream waits for.
enum Came {
    Turns(Result<Result<Vec<Arc<Recorded>>, DriverError>, tokio::time::error::Elapsed>),
    Written(WrittenView),
}

impl Running {
    fn begin(&mut self, state: StateView) {
        self.ready.push_back(AgentEvent::RunStarted {
            thread_id: self.input.thread_id.clone(),
            run_id: self.input.run_id.clone(),
            parent_run_id: self.input.parent_run_id.clone(),
            protocol_version: PROTOCOL_VERSION,
        });
        let unused = self.input.unused();
        if !unused.is_empty() {
            self.ready.push_back(AgentEvent::Custom { name: UNUSED, value: json!(unused) });
        }
        self.stands(state);
        if self.at >= self.taken.restated_to {
            self.restate();
        }
        if let Some(refused) = self.taken.refused.take() {
            let (code, told, hint) = refused.told();
            self.end(AgentEvent::RunError {
                message: told.to_owned(),
                code,
                metadata: Some(json!({ "turnwise": { "hint": hint } })),
            });
        }
    }

    /// The next thing to send; none when the run is over.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event.frame());
            }
            if self.is_over {
                return None;
            }
            let state = self.session.conversation();
            if self.at >= state.sequence() && self.rests(&state) {
                self.finish(&state).await;
                continue;
            }
            let patience = Duration::from_secs(limits::KEEP_ALIVE_SECONDS.into());
            let came = tokio::select! {
                biased;
                () = self.app.closing.cancelled() => Came::Turns(Ok(Err(DriverError::ShutDown))),
                waited = tokio::time::timeout(patience, self.feed.shared_turns()) => Came::Turns(waited),
                written = self.writing.next() => Came::Written(written),
            };
            if self.app.let_in(&self.pass).is_none() {
                self.fail("unauthorized", "you are not let in any more; what was begun goes on");
                continue;
            }
            if has_left(&self.app, &self.person, &self.session) {
                self.fail("not_found", "you take part in this conversation no longer; what was begun goes on");
                continue;
            }
            match came {
                Came::Written(written) => {
                    self.ready.push_back(AgentEvent::Custom { name: WRITING, value: json!(written) });
                }
                Came::Turns(Ok(Ok(turns))) => self.tell(&turns).await,
                Came::Turns(Ok(Err(_))) => self.fail("unavailable", AWAY),
                Came::Turns(Err(_)) => return Some(frames::alive()),
            }
        }
    }

    /// Whether the run is over: a question that was open before is no end of work that was asked for since.
    fn rests(&self, state: &Conversation) -> bool {
        !state.is_busy() || state.question().is_some_and(|open| open.opened > self.taken.begun)
    }

    /// Tells whole turns, and where they led.
    async fn tell(&mut self, turns: &[Arc<Recorded>]) {
        for recorded in turns {
            if recorded.sequence > self.taken.restated_to {
                self.restate();
                self.happened(recorded);
            } else {
                self.happened_before(recorded);
            }
            self.at = recorded.sequence;
        }
        if self.at >= self.taken.restated_to {
            self.restate();
        }
        match StateView::of(&self.session).await {
            Ok(state) => self.stands(state),
            Err(_) => self.fail("unavailable", AWAY),
        }
    }

    /// Tells where the conversation stands, once.
    fn stands(&mut self, state: StateView) {
        if self.told.replace(state.sequence) != Some(state.sequence) {
            self.ready.push_back(AgentEvent::StateSnapshot { snapshot: Box::new(state) });
        }
    }

    /// What happened before this run came, as a message where it was one.
    fn happened_before(&mut self, recorded: &Recorded) {
        let Some(message) = self.message(recorded) else { return };
        if message.role == "user" && self.input.has_said(&message.content()) {
            return;
        }
        if self.restated.len() >= limits::RESTATED_MAX {
            self.restated.pop_front();
        }
        self.restated.push_back(message);
    }

    /// Sends what happened before, once, and which steps are under way: those that ended are of no interest any more.
    fn restate(&mut self) {
        if !std::mem::take(&mut self.is_restating) {
            return;
        }
        if !self.restated.is_empty() {
            let restated = self.restated.drain(..).map(|message| json!(message)).collect();
            let messages = with_restated(&self.input.messages, restated);
            self.ready.push_back(AgentEvent::MessagesSnapshot { messages });
        }
        let begun = self.session.conversation().run().map(|run| self.steps.under_way(run));
        self.ready.extend(begun.unwrap_or_default());
    }

    /// Something that happens now.
    fn happened(&mut self, recorded: &Recorded) {
        let message = self.message(recorded);
        self.ready.extend(message.into_iter().flat_map(SaidMessage::events));
        let is_own = self.taken.is_own(recorded.sequence);
        match &recorded.event {
            Event::Run(event) => {
                self.is_stopped |= matches!(event, RunEvent::Stopped { .. }) && !is_own;
                self.ready.extend(self.steps.told(event));
            }
            Event::Planning(PlanningEvent::TaskDropped { .. }) => self.is_stopped |= !is_own,
            _ => {}
        }
    }

    /// What was said by it: by the assistant, or by a person elsewhere.
    fn message(&mut self, recorded: &Recorded) -> Option<SaidMessage> {
        let at = recorded.sequence;
        let by_assistant = |parts: Vec<String>| SaidMessage::of_parts(AgentMessageId::said(at), "assistant", parts);
        match &recorded.event {
            Event::Said { text, card } => {
                self.is_spoken = true;
                self.note_result(at, card.as_ref());
                by_assistant(markdown::said(text, card.as_ref()))
            }
            Event::MessageReceived { text, person, .. } => {
                self.is_spoken = false;
                let is_theirs = !self.taken.is_own(at);
                self.is_anothers |= is_theirs && self.is_restating && at > self.taken.begun;
                let said = || SaidMessage::of_parts(AgentMessageId::heard(at), "user", [text.clone()]);
                is_theirs.then(said)?.map(|said| said.by(person.to_string()))
            }
            Event::ReceiptGiven { receipt } => {
                let is_silent = matches!(receipt.outcome, Became::Merged | Became::Queued | Became::Refused);
                (is_silent && !self.is_spoken).then(|| by_assistant(vec![receipt.detail.clone()]))?
            }
            _ => None,
        }
    }

    fn note_result(&mut self, at: Sequence, card: Option<&Card>) {
        if at > self.taken.begun
            && !self.is_anothers
            && let Some(card @ Card::Result { .. }) = card
            && let CardView::Result { fact: Some(fact), .. } = CardView::new(card)
        {
            self.result = Some(json!(fact));
        }
    }

    async fn finish(&mut self, state: &Conversation) {
        let steps = self.steps.close();
        self.ready.extend(steps);
        let outcome = match state.question() {
            Some(open) => match Interrupt::of(&self.session, state, open).await {
                Ok(interrupt) => RunOutcome::Interrupt { interrupts: vec![interrupt] },
                Err(_) => return self.fail("unavailable", AWAY),
            },
            None if self.is_stopped => RunOutcome::Cancelled,
            None => RunOutcome::Success,
        };
        let result = self.result.take().filter(|_| matches!(outcome, RunOutcome::Success));
        let (thread_id, run_id) = (self.input.thread_id.clone(), self.input.run_id.clone());
        self.end(AgentEvent::RunFinished { thread_id, run_id, outcome, result });
    }

    fn fail(&mut self, code: &'static str, told: &str) {
        self.end(AgentEvent::RunError { message: told.to_owned(), code, metadata: None });
    }

    fn end(&mut self, event: AgentEvent) {
        self.ready.push_back(event);
        self.is_over = true;
    }
}

const AWAY: &str = "what happens cannot be told any more, because the server ends or the thread was deleted; a run with a \
                    new runId and no new message says where it stands";
