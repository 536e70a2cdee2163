//! The answer to an interrupt as a verdict on its question. What it may be is said by the question's schema; whether
//! the question still takes it is for core to say. Next: `taken`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use turnwise_core::{Conversation, DecisionRef, Event, Pending, PendingKind, Verdict};

use super::super::super::problem::Problem;
use super::input::{ResumeEntry, ResumeStatus};
use super::interrupt::Ways;
use crate::driver::{DriverError, NoReference, Reference, Session};

/// What stands in an answer; exactly one of its ways.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Payload {
    approved: Option<bool>,
    note: Option<String>,
    reason: Option<String>,
    change: Option<String>,
    choice: Option<Value>,
    answers: Option<BTreeMap<u32, String>>,
    text: Option<String>,
}

/// The question that `entry` answers, and how.
///
/// # Errors
/// When it names no question of this conversation, or is no answer that the question's schema allows.
pub(super) async fn read(session: &Session, entry: &ResumeEntry) -> Result<(Reference, Verdict), Problem> {
    let unknown = |told: String| {
        let hint = "send the `id` of the interrupt that the last RUN_FINISHED of this thread carried";
        Problem::unprocessable("no_reference", told, hint).at("/resume/0/interruptId")
    };
    let reference: Reference =
        entry.interrupt_id.as_str().parse().map_err(|error: NoReference| unknown(error.to_string()))?;
    if !reference.is_of(session.id()) {
        return Err(unknown("this interrupt is of another thread".to_owned()));
    }
    let Some(question) = question(session, reference.decision()).await? else {
        return Err(DriverError::Forged.into());
    };
    let verdict = match (entry.status, &entry.payload) {
        (ResumeStatus::Cancelled, _) => Verdict::Cancel,
        (ResumeStatus::Resolved, payload) => {
            verdict(&session.conversation(), &question, payload.as_ref()).map_err(|told| {
                let hint = "see the `responseSchema` of the interrupt";
                Problem::unprocessable("not_an_answer", told, hint).at("/resume/0/payload")
            })?
        }
    };
    Ok((reference, verdict))
}

/// The question as it was when it was asked, also after it has ended: a run that is sent again means the same by the
/// same answer.
async fn question(session: &Session, reference: DecisionRef) -> Result<Option<Pending>, DriverError> {
    let open = session.conversation().pending().iter().find(|open| open.reference() == reference).cloned();
    if open.is_some() {
        return Ok(open);
    }
    let asked = session.history().await?.into_iter().find_map(|recorded| match recorded.event {
        Event::PendingOpened { pending } if pending.reference() == reference => Some(pending),
        _ => None,
    });
    Ok(asked)
}

fn verdict(state: &Conversation, question: &Pending, payload: Option<&Value>) -> Result<Verdict, String> {
    let payload = payload.ok_or("an interrupt that is resolved needs its `payload`")?;
    let card = state.asked(question).and_then(|(_, card)| card);
    let ways = Ways::of(&question.kind, card.as_ref());
    let payload = Payload::deserialize(payload).map_err(|error| error.to_string())?;
    let Payload { approved, note, reason, change, choice, answers, text } = payload;
    if note.is_some() && approved != Some(true) || reason.is_some() && approved != Some(false) {
        return Err("a `note` goes with `\"approved\": true`, a `reason` with `\"approved\": false`".to_owned());
    }
    let takes = |is_taken: bool, way: &str| {
        if is_taken { Ok(()) } else { Err(format!("this question takes no `{way}`")) }
    };
    let said = |words: String| if words.trim().is_empty() { Err(EMPTY.to_owned()) } else { Ok(words) };
    match (approved, change, choice, answers, text) {
        (Some(is_yes), None, None, None, None) => {
            takes(ways.is_decided, "approved")?;
            takes(ways.is_noted || note.is_none(), "note")?;
            takes(ways.is_noted || reason.is_none(), "reason")?;
            Ok(match (is_yes, note, reason) {
                (true, Some(note), _) => Verdict::ApproveNoting { note: said(note)? },
                (true, None, _) => Verdict::Approve,
                (false, _, Some(reason)) => Verdict::RejectBecause { reason: said(reason)? },
                (false, _, None) => Verdict::Reject,
            })
        }
        (None, Some(change), None, None, None) => {
            takes(ways.is_changed, "change")?;
            Ok(Verdict::Change { change: said(change)? })
        }
        (None, None, Some(choice), None, None) => chosen(&question.kind, &ways, &choice),
        (None, None, None, Some(answers), None) => filled(&ways, &answers),
        (None, None, None, None, Some(text)) => {
            takes(ways.is_said, "text")?;
            Ok(Verdict::Say { text: said(text)? })
        }
        _ => Err("an answer has one of `approved`, `change`, `choice`, `answers` and `text`".to_owned()),
    }
}

/// A choice, by its number or its id. The ways on from a failure and out of a conversation are verdicts of their own.
fn chosen(kind: &PendingKind, ways: &Ways, choice: &Value) -> Result<Verdict, String> {
    let shown: Vec<&str> = ways.choices.iter().map(|choice| choice.value.as_str()).collect();
    let offered = match kind {
        // Of a run that is over the failure is not shown any more.
        PendingKind::Failure { .. } if shown.is_empty() => vec!["retry", "replan", "abandon", "fix"],
        _ => shown,
    };
    let by_id = |id: &str| offered.iter().position(|known| *known == id).map(|at| at + 1);
    let by_number = || usize::try_from(choice.as_u64()?).ok();
    let number = choice.as_str().map_or_else(by_number, by_id).filter(|number| (1..=offered.len()).contains(number));
    let number = number.ok_or_else(|| match offered.as_slice() {
        [] => "this question has nothing to choose from".to_owned(),
        offered => format!("that is none of the choices; there is {}", offered.join(", ")),
    })?;
    Ok(match (kind, number) {
        (PendingKind::Failure { .. }, 1) => Verdict::Retry,
        (PendingKind::Failure { .. }, 2) => Verdict::Replan,
        (PendingKind::Failure { .. }, 3) => Verdict::Abandon,
        (PendingKind::ConfirmExit, 1) => Verdict::Approve,
        (PendingKind::ConfirmExit, _) => Verdict::Reject,
        (_, number) => Verdict::Choose { number },
    })
}

/// A form: every field, in order.
fn filled(ways: &Ways, answers: &BTreeMap<u32, String>) -> Result<Verdict, String> {
    if ways.fields.is_empty() {
        return Err("this question has no form; answer it in `text`".to_owned());
    }
    let numbers = 1..=u32::try_from(ways.fields.len()).unwrap_or(u32::MAX);
    let is_whole = answers.keys().copied().eq(numbers);
    if !is_whole || answers.values().any(|said| said.trim().is_empty()) {
        return Err(format!("`answers` has one text for each of 1 to {}", ways.fields.len()));
    }
    let lines: Vec<String> = answers.iter().map(|(number, said)| format!("{number}. {}", said.trim())).collect();
    Ok(Verdict::Say { text: lines.join(" ") })
}

const EMPTY: &str = "the answer says nothing";
