//! What becomes of a run's input: first the answer to what the run before asked, then what is said. A run that is sent
//! again, and a message that is, do nothing twice, for the store knows their keys. Next: `stream`.

use turnwise_core::{InputKey, Outcome as Became, Sequence, Verdict};

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::Problem;
use super::super::decisions::refused;
use super::answer;
use super::input::{NewMessage, RunAgentInput};
use crate::driver::{DriverError, Session, TurnResult};

/// What a run begins with.
#[derive(Debug)]
pub(super) struct Taken {
    /// What was taken in, in this delivery or an earlier one: its first and last events.
    pub own: Vec<(Sequence, Sequence)>,
    /// Everything after this event is told.
    pub after: Sequence,
    /// The last event that happened before this delivery came, and is restated.
    pub restated_to: Sequence,
    /// The event before what this run asked for.
    pub begun: Sequence,
    /// Why the answer was refused; nothing else of the run was then taken in.
    pub refused: Option<Problem>,
}

/// Takes in what is new.
///
/// # Errors
/// When nothing of it was taken in, because it cannot be read, was said under a used key, or the store failed.
pub(super) async fn take(
    app: &App,
    caller: &Caller,
    session: &Session,
    input: &RunAgentInput,
) -> Result<Taken, Problem> {
    let mut results = Vec::new();
    let mut refusal = None;
    let run = &input.run_id;
    if let Some(entry) = input.answer() {
        let (reference, verdict) = answer::read(session, entry).await?;
        // What is dropped may be gone already.
        let is_dropped = verdict == Verdict::Cancel;
        let key = InputKey::new(format!("{}:agui {run}", caller.0));
        let result = session.decide_by(&caller.0, &reference, verdict, key).await.map_err(reused)?;
        app.counts.input(&result);
        let detail = result.receipt.as_ref().filter(|receipt| receipt.outcome == Became::Refused);
        if let Some(receipt) = detail.filter(|_| !is_dropped) {
            refusal = Some(refused(session, reference.decision(), &receipt.detail).await?);
        }
        results.push(result);
    }
    if let Some(message) = input.new_message().filter(|new| !new.text.is_empty() && refusal.is_none()) {
        let result = said(caller, session, input, message).await?;
        app.counts.input(&result);
        results.push(result);
    }
    Ok(Taken::of(session, input, &results, refusal))
}

async fn said(
    caller: &Caller,
    session: &Session,
    input: &RunAgentInput,
    message: NewMessage<'_>,
) -> Result<TurnResult, Problem> {
    let of_answer = if input.answer().is_some() { " message" } else { "" };
    let key = InputKey::new(format!("{}:agui {}{of_answer}", caller.0, input.run_id));
    let content_key = InputKey::new(format!("{}:agui message {}", caller.0, message.id));
    let seen = input.seen(session.id());
    session.say_once(&caller.0, &message.text, seen, key, content_key).await.map_err(reused)
}

impl Taken {
    fn of(session: &Session, input: &RunAgentInput, results: &[TurnResult], refused: Option<Problem>) -> Self {
        let now = session.conversation().sequence();
        let before = |result: &TurnResult| Sequence::new(result.first.number().saturating_sub(1));
        let own = results.iter().map(|result| (result.first, result.last)).collect();
        // A message may be old where it stands behind an answer: then it is only the client's picture of the talk.
        let first = results.first().map(before);
        // A client without any message of ours keeps none, and has nothing to be completed.
        let known = input.last_known().map(|known| known.min(now));
        let begun = first.or(known).unwrap_or_else(|| Sequence::new(0));
        let after = known.map_or(begun, |known| known.min(begun));
        let restated_to = results.iter().find(|result| !result.duplicate).map_or(now, before);
        Self { own, after, restated_to, begun, refused }
    }

    /// Whether an event belongs to what this very run brought.
    pub(super) fn is_own(&self, event: Sequence) -> bool {
        self.own.iter().any(|(first, last)| (*first..=*last).contains(&event))
    }
}

/// The same error in the words of this protocol: what is the key elsewhere is the id of a run or a message here.
fn reused(error: DriverError) -> Problem {
    match error {
        DriverError::KeyReused => Problem::unprocessable(
            "run_id_reused",
            "this runId, or the id of the last message, was sent before with something else",
            "use a new runId for each run and a new id for each message; the same ones only to send the same again",
        ),
        error => error.into(),
    }
}
