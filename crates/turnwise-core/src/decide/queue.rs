//! The queue behind what is at hand: seen, edited and dropped by `/queue`. It survives interrupts and restarts, because
//! it is part of the state. Next: `settle`, which takes it up.

use super::several;
use super::turn::Turn;
use crate::{AsideEvent, Card, Event, MessageId, Outcome, Queue, QueuedRequest, Reading, Tier, limits, text};

/// `/queue`, `/queue drop [m3]`, `/queue edit WORDS`.
pub(super) fn command(turn: &mut Turn<'_>, rest: Option<&str>) {
    let rest = rest.unwrap_or_default().trim();
    let (verb, words) = rest.split_once(' ').unwrap_or((rest, ""));
    match verb {
        "" | "list" => list(turn),
        "drop" | "clear" => drop_queued(turn, words.trim()),
        "edit" => edit(turn, words.trim()),
        _ => turn.refuse("Say /queue, /queue drop, /queue drop m3, or /queue edit and the new words of the task."),
    }
}

/// The same in words: "drop the queue", "what is queued?".
pub(super) fn by_reading(turn: &mut Turn<'_>, reading: &Reading) {
    let typed = matches!(reading.tier, Tier::Slash);
    command(turn, if !typed && drops(reading) { Some("drop") } else { reading.target.as_deref() });
}

/// Whether words read as being about the queue ask for it to be dropped.
pub(super) fn drops(reading: &Reading) -> bool {
    text::words(&reading.segment).iter().any(|word| DROPPING.contains(&word.as_str()))
}

const DROPPING: [&str; 10] =
    ["drop", "clear", "empty", "delete", "remove", "forget", "cancel", "scrap", "flush", "discard"];

fn list(turn: &mut Turn<'_>) {
    let queue = turn.state().queue();
    let mut lines: Vec<(String, String)> = queue
        .controls
        .iter()
        .map(|(message, control)| (message.to_string(), super::say::control_label(*control)))
        .collect();
    lines.extend(queue.requests.iter().map(|request| (request.name(), request.problem.clone())));
    lines.extend(queue.task.iter().map(|task| (task.message.to_string(), task.problem.clone())));
    if lines.is_empty() {
        turn.say("Nothing is queued.", None);
    } else {
        turn.say(format!("{} queued, in this order:", text::count(lines.len(), "thing")), Some(Card::Help { lines }));
    }
    turn.note(Outcome::Answered, "Shown.");
}

/// Something that waits, as the person may name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Queued {
    /// A request of a message that asked for several.
    Request(QueuedRequest),
    /// The command or the task of this message.
    Of(MessageId),
}

impl Queued {
    /// Whether `name` is its name: `m3`, or `m3.2` for the second request of that message. The message names all of
    /// its requests.
    fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Request(request) => request.name() == name || request.message.to_string() == name,
            Self::Of(message) => message.to_string() == name,
        }
    }
}

/// Everything that waits, in its order.
pub(super) fn everything(queue: &Queue) -> Vec<Queued> {
    let controls = queue.controls.iter().map(|(message, _)| Queued::Of(*message));
    let requests = queue.requests.iter().cloned().map(Queued::Request);
    controls.chain(requests).chain(queue.task.iter().map(|task| Queued::Of(task.message))).collect()
}

/// What waits under one of these names.
pub(super) fn named(queue: &Queue, names: &[String]) -> Vec<Queued> {
    everything(queue).into_iter().filter(|queued| names.iter().any(|name| queued.is_named(name))).collect()
}

fn drop_queued(turn: &mut Turn<'_>, which: &str) {
    let queue = turn.state().queue();
    let chosen = if which.is_empty() { everything(queue) } else { named(queue, &[which.to_owned()]) };
    if chosen.is_empty() {
        turn.refuse(if which.is_empty() { "Nothing is queued." } else { "That is not queued. /queue lists what is." });
        return;
    }
    drop_these(turn, &chosen);
}

/// Drops these.
pub(super) fn drop_these(turn: &mut Turn<'_>, chosen: &[Queued]) {
    let said = format!("{} dropped from the queue; it will not be done.", text::count(chosen.len(), "thing"));
    for queued in chosen {
        if let Queued::Of(message) = queued {
            turn.emit(Event::Aside(AsideEvent::QueueDropped { message: *message }));
        }
    }
    turn.say(said.clone(), None);
    for queued in chosen {
        match queued {
            Queued::Of(message) => {
                turn.receipt_for(*message, Outcome::Refused, "Not done: it was dropped from the queue.".to_owned());
            }
            Queued::Request(request) => several::drop_one(turn, request),
        }
    }
    turn.note(Outcome::Applied, said);
}

/// Drops what came in `message`.
pub(super) fn drop_one(turn: &mut Turn<'_>, message: MessageId) {
    drop_queued(turn, &message.to_string());
}

/// What became of one request of a message, beside what its receipt says of the others.
pub(super) fn tell(turn: &mut Turn<'_>, message: MessageId, detail: &str) {
    let before = turn.state().receipts().rfind(|receipt| receipt.message == message);
    let refused = before.filter(|receipt| receipt.outcome == Outcome::Refused).map(|receipt| receipt.detail.clone());
    let detail = match refused {
        Some(before) => format!("{} {detail}", text::clip(&before, limits::REASON_WIDTH)),
        None => detail.to_owned(),
    };
    turn.receipt_for(message, Outcome::Applied, detail);
}

fn edit(turn: &mut Turn<'_>, words: &str) {
    let queue = turn.state().queue();
    let (id, rest) = match words.split_once(' ') {
        Some((id, rest)) if is_id(id) => (Some(id), rest.trim()),
        _ if is_id(words) => (Some(words), ""),
        _ => (None, words),
    };
    let tasks = everything(queue).into_iter().filter(|queued| match queued {
        Queued::Request(_) => true,
        Queued::Of(message) => queue.task.as_ref().is_some_and(|task| task.message == *message),
    });
    let tasks: Vec<Queued> = tasks.collect();
    let meant: Vec<Queued> = tasks.iter().filter(|task| id.is_none_or(|id| task.is_named(id))).cloned().collect();
    let names = tasks.iter().map(name).collect::<Vec<_>>();
    match (meant.as_slice(), names.as_slice()) {
        (_, []) => turn.refuse("No task is queued that could be edited."),
        ([only], _) if rest.is_empty() => {
            turn.refuse(format!("Say /queue edit {} and the new words of the task.", name(only)));
        }
        ([Queued::Request(request)], _) => edit_request(turn, request, rest),
        ([Queued::Of(_)], _) => edit_task(turn, rest),
        ([], [only]) => turn
            .refuse(format!("{} is no queued task. /queue lists what is; the task is {only}.", id.unwrap_or_default())),
        _ => turn.refuse(format!("Several tasks wait: say which, as in “/queue edit {} …”.", names[0])),
    }
}

fn name(queued: &Queued) -> String {
    match queued {
        Queued::Request(request) => request.name(),
        Queued::Of(message) => message.to_string(),
    }
}

fn edit_task(turn: &mut Turn<'_>, words: &str) {
    let Some(task) = turn.state().queue().task.clone() else { return };
    let (message, kind) = (task.message, task.kind);
    turn.emit(Event::Aside(AsideEvent::TaskQueued { message, problem: words.to_owned(), kind }));
    let said = format!("Queued instead: “{words}”.");
    turn.say(said.clone(), None);
    let by = turn.message().map(|by| format!(" (changed by {by})")).unwrap_or_default();
    turn.receipt_for(message, Outcome::Queued, format!("Queued “{words}” for afterwards{by}."));
    turn.note(Outcome::Applied, said);
}

fn edit_request(turn: &mut Turn<'_>, request: &QueuedRequest, words: &str) {
    let (message, number) = (request.message, request.number);
    let kind = several::kind(turn, words);
    turn.emit(Event::Aside(AsideEvent::RequestEdited { message, number, problem: words.to_owned(), kind }));
    let said = format!("Queued instead: “{words}”.");
    turn.say(said.clone(), None);
    let by = turn.message().map(|by| format!(" (changed by {by})")).unwrap_or_default();
    let shown = text::clip(words, limits::QUOTE_WIDTH);
    tell(turn, message, &format!("Request {number} is “{shown}” now{by}."));
    turn.note(Outcome::Applied, said);
}

/// `m3` or `m3.2`, as the list shows it.
fn is_id(word: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    word.strip_prefix('m').is_some_and(|id| id.splitn(2, '.').all(is_number))
}
