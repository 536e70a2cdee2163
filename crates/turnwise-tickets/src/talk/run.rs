//! Running steps: the only effects the bot has, each with a permit that covers this very step as it was shown. What was
//! lost on the way is found again by its operation, which every attempt at a step shares. Next: `tracker`.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use turnwise_core::{
    Answer, FactName, FactValue, LookUp, NewFact, Permit, Presentation, SourceKind, StepOutcome, StepTask, text,
};

use turnwise_intent::behaviour::tickets::{FactKind, FactScope};

use super::bot::Desk;
use super::plan::too_long;
use super::{known, steps};
use crate::context::Statement;
use crate::decision::Decision;
use crate::draft::{Draft, TicketKind};
use crate::thread::{Making, now};
use crate::tracker::{Item, Operation, Problem, Ticket, TicketKey, TrackerError, patiently};

pub(super) async fn run(desk: &Desk, task: &StepTask, permit: &Permit, cancelled: &CancellationToken) -> StepOutcome {
    let tool = task.work.tool.as_str();
    if tool != steps::CHECK && !permit.covers(task) {
        return failed("This is not what was approved, so nothing was done. This is a defect.");
    }
    // What follows may wait for a disk or a server, and this is first polled where nothing may wait.
    tokio::task::yield_now().await;
    if cancelled.is_cancelled() {
        return StepOutcome::Cancelled;
    }
    match tool {
        steps::CHECK => check(desk, task, cancelled).await,
        steps::CREATE => match steps::ticket_of(&task.work) {
            Ok(draft) => with_all(desk, create(desk, task, &draft, cancelled).await).await,
            Err(reason) => failed(reason),
        },
        steps::COMMENT => {
            let (key, text) = steps::comment_of(&task.work);
            let operation = operation(desk, task);
            ended(task, patiently(cancelled, || desk.tracker.comment(&key, text, &operation)).await)
        }
        steps::LINK => match task.inputs.first().and_then(|fact| key_in(&fact.body)) {
            Some(from) => {
                let (to, operation) = (steps::linked_to(&task.work), operation(desk, task));
                let made = patiently(cancelled, || desk.tracker.link(&from, &to, &operation)).await;
                if made.is_ok() {
                    note(desk, task, None);
                }
                made.map_or_else(|error| failed_by(&error), |()| linked(task, &to))
            }
            None => failed("The ticket to link is not known. This is a defect."),
        },
        steps::POST => match steps::decision_of(&task.work) {
            Ok(decision) => posted(desk, task, &decision).await,
            Err(reason) => failed(reason),
        },
        other => failed(format!("The ticket bot has no tool `{other}`.")),
    }
}

async fn create(desk: &Desk, task: &StepTask, draft: &Draft, cancelled: &CancellationToken) -> StepOutcome {
    let _creating = desk.creating.read().await;
    let (epic, operation) = (epic_of(task), operation(desk, task));
    let made = patiently(cancelled, || desk.tracker.create(draft, epic.as_ref(), &operation)).await;
    keep(desk, draft, &made).await;
    if let Ok(ticket) = &made {
        note(desk, task, Some(ticket));
    }
    ended(task, made)
}

/// Notes what a step created, where it did; with the last step nothing is half-way any more.
fn note(desk: &Desk, task: &StepTask, created: Option<&Ticket>) {
    let Some(thread) = &desk.thread else { return };
    let noted = thread.change(|thread| match created.filter(|_| task.concludes.is_none()) {
        Some(ticket) => thread.making.note(&ticket.title, ticket.to_string()),
        None => thread.making = Making::default(),
    });
    tell_lost(noted);
}

/// A failure, with which of several tickets there are and which not yet.
async fn with_all(desk: &Desk, outcome: StepOutcome) -> StepOutcome {
    let StepOutcome::Failed { error } = outcome else { return outcome };
    // Those that are created at the same time are there or not by then.
    let _settled = tokio::time::timeout(SETTLED, desk.creating.write()).await;
    let told = || desk.thread.as_ref()?.read().ok()?.making.told();
    failed(told().map_or_else(|| error.clone(), |told| format!("{error} {told}")))
}

/// Whether an attempt at a step, of which nobody heard again, had its effect.
pub(super) async fn look_up(desk: &Desk, task: &StepTask) -> LookUp {
    if task.work.tool.as_str() == steps::POST {
        return match desk.board.posted(desk.id(), &operation(desk, task)).await {
            Ok(Some(place)) => happened(done_posting(task, &place)),
            Ok(None) => LookUp::DidNotHappen,
            Err(error) => LookUp::CannotTell { reason: error.to_string() },
        };
    }
    let on = (task.work.tool.as_str() == steps::COMMENT).then(|| steps::comment_of(&task.work).0);
    let operation = operation(desk, task);
    match patiently(&CancellationToken::new(), || desk.tracker.made_by(&operation, on.as_ref())).await {
        Ok(Some(ticket)) => {
            if on.is_none() {
                note(desk, task, Some(&ticket));
            }
            happened(done(task, &ticket))
        }
        Ok(None) => LookUp::DidNotHappen,
        // It is told as a part of a sentence.
        Err(error) => LookUp::CannotTell { reason: error.to_string().trim_end_matches('.').to_owned() },
    }
}

fn happened(outcome: StepOutcome) -> LookUp {
    match outcome {
        StepOutcome::Done { facts, answer } => LookUp::Happened { facts, answer },
        _ => LookUp::CannotTell { reason: "what it came to cannot be put together again".to_owned() },
    }
}

/// Posts a decision; the channel knows it from then on.
async fn posted(desk: &Desk, task: &StepTask, decision: &Decision) -> StepOutcome {
    match desk.board.post(desk.id(), &decision.shown(), &operation(desk, task)).await {
        Ok(place) => {
            let said = Statement { kind: FactKind::Decision, text: decision.decision.clone(), confidence: CERTAIN };
            let by = task.by.as_ref().map_or("somebody", |by| by.as_str());
            let channel = known::channel(desk).await;
            let kept = desk.contexts.change(&channel, |context| context.take(FactScope::Channel, said, by, now()));
            tell_lost(kept);
            done_posting(task, &place)
        }
        Err(error) => failed_by(&error),
    }
}

fn done_posting(task: &StepTask, place: &str) -> StepOutcome {
    done_saying(task, place.to_owned(), format!("Posted the decision: {place}"))
}

/// What the thread stated holds for an epic that was created.
async fn keep(desk: &Desk, draft: &Draft, made: &Result<Ticket, TrackerError>) {
    if let (TicketKind::Epic, Ok(ticket)) = (draft.kind, made) {
        tell_lost(known::keep_for_epic(desk, &ticket.key).await);
    }
}

/// What was done counts, whether or not it could be noted as well; who runs this is told.
fn tell_lost(kept: std::io::Result<()>) {
    if let Err(error) = kept {
        eprintln!("{}", known::unreadable(&error));
    }
}

/// How long a failure waits for what is created at the same time; what takes longer is told as not there yet.
const SETTLED: Duration = Duration::from_secs(10);
/// What somebody approved is as sure as it gets, in percent.
const CERTAIN: u8 = 100;

/// The same for every attempt at one step of one conversation.
fn operation(desk: &Desk, task: &StepTask) -> Operation {
    Operation::new(format!("{}/{}/{}", desk.conversation(), task.run, task.step))
}

/// The dry run: all items against what the tracker wants, before one exists.
async fn check(desk: &Desk, task: &StepTask, cancelled: &CancellationToken) -> StepOutcome {
    let drafts = match steps::tickets_of(&task.work) {
        Ok(drafts) => drafts,
        Err(reason) => return failed(reason),
    };
    if let Some(told) = too_long(desk.tracker.as_ref(), &drafts) {
        return failed(format!("{told} Nothing was created."));
    }
    let alone = steps::alone_of(&task.work);
    let item = |(at, draft)| Item { draft, is_below: at >= alone };
    let items: Vec<Item<'_>> = drafts.iter().enumerate().map(item).collect();
    match patiently(cancelled, || desk.tracker.check(&items)).await {
        Ok(problems) if problems.is_empty() => {
            let open: Vec<String> = drafts.iter().map(|draft| draft.title.clone()).collect();
            let begun = desk.thread.as_ref().map(|thread| thread.change(|thread| thread.making.open = open));
            tell_lost(begun.unwrap_or(Ok(())));
            let said = format!("{} can be created in {}.", text::count(drafts.len(), "item"), desk.tracker.told());
            done_saying(task, said.clone(), said)
        }
        Ok(problems) => {
            let told = |problem: &Problem| {
                let title = drafts.get(problem.item).map_or("", |draft| draft.title.as_str());
                format!("“{title}”: {}", problem.told)
            };
            let told: Vec<String> = problems.iter().map(told).collect();
            failed(format!("{} Nothing was created.", told.join(" ")))
        }
        Err(error) => failed_by(&error),
    }
}

/// The epic that an item goes to: the ticket of the fact that its step names.
fn epic_of(task: &StepTask) -> Option<TicketKey> {
    if let Some(key) = steps::below_of(&task.work) {
        return Some(key);
    }
    let epic = steps::epic_of(&task.work)?;
    task.inputs.iter().find(|fact| *fact.name() == epic).and_then(|fact| key_in(&fact.body))
}

fn key_in(fact: &NewFact) -> Option<TicketKey> {
    let FactValue::Text(text) = &fact.value else { return None };
    text.split_once(": ").map(|(key, _)| TicketKey::new(key))
}

fn ended(task: &StepTask, result: Result<Ticket, TrackerError>) -> StepOutcome {
    match result {
        Ok(ticket) => done(task, &ticket),
        Err(error) => failed_by(&error),
    }
}

fn failed_by(error: &TrackerError) -> StepOutcome {
    match error {
        TrackerError::Busy(told) => StepOutcome::Transient { error: told.clone() },
        TrackerError::Lost(told) => StepOutcome::Unknown { reason: told.clone() },
        TrackerError::Stopped => StepOutcome::Cancelled,
        TrackerError::Refused(told) | TrackerError::Unusable(told) => failed(told.clone()),
        TrackerError::Wait { told, .. } | TrackerError::Later(told) => failed(format!("{told} Nothing was done.")),
    }
}

/// A ticket that exists now: its key and title as a fact, and in the last step all of them as the answer.
fn done(task: &StepTask, ticket: &Ticket) -> StepOutcome {
    let all = task.inputs.iter().filter_map(|fact| match &fact.body.value {
        FactValue::Text(text) => Some(text.clone()),
        FactValue::Table(_) => None,
    });
    let mut all: Vec<String> = all.chain([format!("{ticket} ({})", ticket.place)]).collect();
    let said = match task.work.tool.as_str() {
        steps::COMMENT => format!("Added to {ticket} ({}).", ticket.place),
        _ if all.len() == 1 => format!("Created {}.", all.remove(0)),
        _ => format!("Created {}:\n{}", text::count(all.len(), "ticket"), all.join("\n")),
    };
    done_saying(task, ticket.to_string(), said)
}

/// The ticket was created and is linked.
fn linked(task: &StepTask, to: &TicketKey) -> StepOutcome {
    let created = task.inputs.first().map(|fact| &fact.body.value);
    let created = if let Some(FactValue::Text(text)) = created { text.as_str() } else { "it" };
    done_saying(task, to.to_string(), format!("Created {created}, linked to {to}."))
}

fn done_saying(task: &StepTask, value: String, said: String) -> StepOutcome {
    let Some(name) = task.work.produces.first().cloned() else {
        return failed(format!("{} produces nothing.", task.work.id));
    };
    let answer = task.concludes.as_ref().map(|_| Answer { text: said, table: None, presentation: Presentation::Value });
    StepOutcome::Done { facts: vec![fact(name, value)], answer }
}

fn fact(name: FactName, value: String) -> NewFact {
    NewFact::new(name, FactValue::Text(value), SourceKind::Document)
}

fn failed(error: impl Into<String>) -> StepOutcome {
    StepOutcome::Failed { error: error.into() }
}
