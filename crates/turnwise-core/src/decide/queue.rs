//! The queue behind a run: seen, edited and dropped by `/queue`. It survives interrupts and restarts, because it is
//! part of the state. Next: `settle`, which takes it up.

use super::turn::Turn;
use crate::{AsideEvent, Card, Event, MessageId, Outcome, Reading, Tier, text};

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
    lines.extend(queue.task.iter().map(|task| (task.message.to_string(), task.problem.clone())));
    if lines.is_empty() {
        turn.say("Nothing is queued.", None);
    } else {
        turn.say(format!("{} queued, in this order:", text::count(lines.len(), "thing")), Some(Card::Help { lines }));
    }
    turn.note(Outcome::Answered, "Shown.");
}

fn drop_queued(turn: &mut Turn<'_>, which: &str) {
    let queue = turn.state().queue();
    let all = queue.controls.iter().map(|(message, _)| *message).chain(queue.task.iter().map(|task| task.message));
    let chosen: Vec<MessageId> = all.filter(|message| which.is_empty() || message.to_string() == which).collect();
    if chosen.is_empty() {
        turn.refuse(if which.is_empty() { "Nothing is queued." } else { "That is not queued. /queue lists what is." });
        return;
    }
    drop_these(turn, &chosen);
}

/// Drops what came in these messages.
pub(super) fn drop_these(turn: &mut Turn<'_>, chosen: &[MessageId]) {
    let said = format!("{} dropped from the queue; it will not be done.", text::count(chosen.len(), "thing"));
    for message in chosen {
        turn.emit(Event::Aside(AsideEvent::QueueDropped { message: *message }));
    }
    turn.say(said.clone(), None);
    for message in chosen {
        turn.receipt_for(*message, Outcome::Refused, "Not done: it was dropped from the queue.".to_owned());
    }
    turn.note(Outcome::Applied, said);
}

/// Drops what came in `message`.
pub(super) fn drop_one(turn: &mut Turn<'_>, message: MessageId) {
    drop_queued(turn, &message.to_string());
}

fn edit(turn: &mut Turn<'_>, words: &str) {
    let Some(task) = turn.state().queue().task.clone() else {
        turn.refuse("No task is queued that could be edited.");
        return;
    };
    if words.is_empty() {
        turn.refuse("Say /queue edit and the new words of the task.");
        return;
    }
    let words = match words.split_once(' ') {
        Some((id, rest)) if is_id(id) && id == task.message.to_string() => rest.trim(),
        Some((id, _)) if is_id(id) => {
            turn.refuse(format!("{id} is no queued task. /queue lists what is; the task is {}.", task.message));
            return;
        }
        _ if is_id(words) => {
            turn.refuse(format!("Say /queue edit {} and the new words of the task.", task.message));
            return;
        }
        _ => words,
    };
    let (message, kind) = (task.message, task.kind);
    turn.emit(Event::Aside(AsideEvent::TaskQueued { message, problem: words.to_owned(), kind }));
    let said = format!("Queued instead: “{words}”.");
    turn.say(said.clone(), None);
    let by = turn.message().map(|by| format!(" (changed by {by})")).unwrap_or_default();
    turn.receipt_for(message, Outcome::Queued, format!("Queued “{words}” for afterwards{by}."));
    turn.note(Outcome::Applied, said);
}

/// `m3`, as the list shows it.
fn is_id(word: &str) -> bool {
    word.strip_prefix('m')
        .is_some_and(|number| !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()))
}
