//! A message that asks for several things becomes several plans, one after the other: the first is drafted at once, the
//! others wait behind it in their order and are taken up when the one before has ended, however it ended. None of them
//! is ever dropped without a word. Next: `queue`, which lists, drops and edits them.

use super::turn::Turn;
use super::{act, queue, report, tried};
use crate::{
    Act, AsideEvent, Effect, Event, MessageReading, Outcome, PartRequest, Phase, PlanKind, PlanningEvent,
    QueuedRequest, RequestId, limits, text,
};

/// The draft `request` found that the task is several.
pub(super) fn split(turn: &mut Turn<'_>, request: RequestId, parts: &[String]) {
    if let Some(why) = unsplittable(turn, parts) {
        report::impossible(turn, request, &why, &[]);
        return;
    }
    let message = turn.state().task.as_ref().and_then(|task| task.begun_in);
    let part = |words: &String| PartRequest { problem: words.clone(), kind: kind(turn, words) };
    let requests: Vec<PartRequest> = parts.iter().map(part).collect();
    let next = turn.next_request();
    turn.emit(Event::Planning(PlanningEvent::TaskSplit { request, next, requests }));
    let quoted = |(number, words): (usize, &String)| format!("{number} “{}”", text::clip(words, limits::QUOTE_WIDTH));
    let listed: Vec<String> = (1..).zip(parts).map(quoted).collect();
    let said = format!(
        "{}: {}. The first is planned now; the {} this order.",
        text::count(parts.len(), "request"),
        listed.join(", "),
        if parts.len() == 2 { "other follows, in" } else { "others follow, in" },
    );
    turn.say(format!("{said} /queue shows what waits."), None);
    if let Some(message) = message {
        turn.receipt_for(message, Outcome::Applied, said);
    }
    turn.perform(Effect::DraftPlan { request: next });
}

/// Why the parts cannot be planned one after the other.
fn unsplittable(turn: &Turn<'_>, parts: &[String]) -> Option<String> {
    let further = parts.len().saturating_sub(1);
    let room = limits::QUEUED_REQUESTS_MAX.saturating_sub(turn.state().queue().requests.len());
    if further == 0 || parts.iter().any(|part| part.trim().is_empty()) {
        return Some(
            "The task came back in parts of which one is empty; this is a defect of the assistant.".to_owned(),
        );
    }
    if tried::keeps_run(turn) || turn.state().task.as_ref().is_some_and(|task| task.base.is_some()) {
        return Some(
            "These are several requests, and a plan is changed by one at a time. Say only the first.".to_owned(),
        );
    }
    (further > room).then(|| {
        let waiting = limits::QUEUED_REQUESTS_MAX - room;
        let already = if waiting > 0 { format!(" and {waiting} wait already") } else { String::new() };
        format!(
            "That message asks for {} things{already}; at most {} are planned one after the other. Nothing of it was \
             planned: send fewer at once.",
            parts.len(),
            limits::QUEUED_REQUESTS_MAX + 1,
        )
    })
}

/// How the plan of a request should be shaped, by its own words.
pub(super) fn kind(turn: &Turn<'_>, words: &str) -> PlanKind {
    match turn.reader.read(words, &turn.read_context(&[])) {
        MessageReading::Understood { requests, .. } => match requests.as_slice() {
            [only] => match only.act {
                Act::PlanNew(kind) => kind,
                Act::PlanContinue | Act::Query(_) | Act::Control(_) => PlanKind::Plain,
            },
            _ => PlanKind::Plain,
        },
        MessageReading::Unsure { .. }
        | MessageReading::Bare { .. }
        | MessageReading::UnknownCommand { .. }
        | MessageReading::Empty => PlanKind::Plain,
    }
}

/// Takes up the request that waits first, where nothing else is at hand.
pub(super) fn take_next(turn: &mut Turn<'_>) {
    let next = turn.state().queue().requests.first().cloned();
    let Some(next) = next.filter(|_| turn.state().phase() == Phase::Idle) else { return };
    let (message, number) = (next.message, next.number);
    turn.emit(Event::Aside(AsideEvent::RequestTaken { message, number }));
    let left = turn.state().queue().requests.len();
    let behind =
        if left == 0 { String::new() } else { format!(" {left} more behind it; “/queue drop” drops what waits.") };
    let shown = text::clip(&next.problem, limits::QUOTE_WIDTH);
    turn.say(format!("Next, request {number} of {message}: “{shown}”.{behind}"), None);
    queue::tell(turn, message, &format!("Request {number}, “{shown}”, was taken up."));
    // Whether to begin was settled with the message it came in.
    act::plan(turn, Some(message), &next.problem, next.kind);
}

/// Drops all requests that wait, because of `why`, which is said.
pub(super) fn drop_all(turn: &mut Turn<'_>, why: &str) {
    let waiting = turn.state().queue().requests.clone();
    if waiting.is_empty() {
        return;
    }
    turn.say(format!("{} dropped: {why}. It was {}.", text::count(waiting.len(), "request"), named(&waiting)), None);
    for request in waiting {
        drop_one(turn, &request);
    }
}

/// Drops a request that waits; the message it came in is told.
pub(super) fn drop_one(turn: &mut Turn<'_>, request: &QueuedRequest) {
    let (message, number) = (request.message, request.number);
    turn.emit(Event::Aside(AsideEvent::RequestDropped { message, number }));
    let shown = text::clip(&request.problem, limits::QUOTE_WIDTH);
    queue::tell(turn, message, &format!("Request {number}, “{shown}”, was dropped."));
}

/// What comes when the plan that was just rejected is left.
pub(super) fn goes_on(turn: &Turn<'_>) -> String {
    match turn.state().queue().requests.first() {
        Some(next) => {
            format!(" “{}” waits behind it.", text::clip(&next.problem, limits::QUOTE_WIDTH))
        }
        None => String::new(),
    }
}

/// That requests wait behind what takes the place of the one before them.
pub(super) fn wait_on(turn: &Turn<'_>) -> String {
    match turn.state().queue().requests.as_slice() {
        [] => String::new(),
        waiting => format!(" Still to come after it: {}. “/queue drop” drops them.", named(waiting)),
    }
}

fn named(waiting: &[QueuedRequest]) -> String {
    let quoted = |request: &QueuedRequest| format!("“{}”", text::clip(&request.problem, limits::QUOTE_WIDTH));
    waiting.iter().map(quoted).collect::<Vec<_>>().join(", ")
}
