//! What waits behind a run, spoken of in words: "drop the reset from the queue" drops that and nothing else, and never
//! stops the run. When a queued task is to be done is no part of what it is. Next: `queue`, the command.

use super::queue::{self, Queued};
use super::turn::Turn;
use crate::doubt::doubted;
use crate::{Control, MessageId, Outcome, Phase, text};

/// Takes words that change what waits; false when they speak of something else, or say it with doubt.
pub(super) fn heard(turn: &mut Turn<'_>, words: &str) -> bool {
    let waits = turn.state().phase() == Phase::Executing || !turn.state().queue().requests.is_empty();
    if !waits || words.contains(['?', '"', '“']) || doubted(words).is_some() {
        return false;
    }
    let said = text::words(words);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let waiting = turn.state().queue();
    let named = queue::named(waiting, &ids(words));
    let of_queue = has(&QUEUE) || !named.is_empty();
    if !of_queue || said.len() > QUEUE_WORDS_MAX || has(&NEW) {
        return false;
    }
    if has(&EDITING) {
        return told_how(turn);
    }
    if !has(&DROPPING) {
        return false;
    }
    let chosen = if named.is_empty() { chosen(turn, &said) } else { named };
    match chosen.as_slice() {
        [] => {
            turn.say("That is not queued; nothing was dropped. The run goes on.", None);
            turn.note(Outcome::Answered, "There was nothing like that to drop.");
        }
        chosen => queue::drop_these(turn, chosen),
    }
    true
}

/// What of the queue the words name: some commands, the task, or all of it.
fn chosen(turn: &Turn<'_>, said: &[String]) -> Vec<Queued> {
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let waiting = turn.state().queue();
    let names = |command: Control| match command {
        Control::Reset => has(&["reset", "restart"]),
        Control::Redo => has(&["redo", "rerun", "repeat"]),
        Control::SwitchMode(_) => has(&["mode", "proof", "explore", "exploratory", "switch"]),
        _ => false,
    };
    if has(&COMMANDS) {
        let controls = waiting.controls.iter().filter(|(_, command)| names(*command));
        return controls.map(|(message, _)| Queued::Of(*message)).collect();
    }
    let all = queue::everything(waiting);
    if has(&TASKS) {
        let is_control = |message: &MessageId| waiting.controls.iter().any(|(queued, _)| queued == message);
        let is_task = |queued: &Queued| !matches!(queued, Queued::Of(message) if is_control(message));
        return all.into_iter().filter(is_task).collect();
    }
    all
}

/// The words as names of what waits: `m3`, and `m3.2`, whose dot parts words elsewhere.
fn ids(words: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
    words.split_whitespace().map(bare).collect()
}

fn told_how(turn: &mut Turn<'_>) -> bool {
    queue::command(turn, None);
    let waiting = turn.state().queue();
    let request = waiting.requests.first().map(crate::QueuedRequest::name);
    let Some(name) = request.or(waiting.task.as_ref().map(|task| task.message.to_string())) else { return true };
    turn.say(format!("Say “/queue edit {name} …” with the new words of the task, or “/queue drop”."), None);
    true
}

const QUEUE: [&str; 4] = ["queue", "queued", "queueing", "waiting"];
const DROPPING: [&str; 16] = [
    "drop", "clear", "empty", "delete", "remove", "forget", "cancel", "scrap", "flush", "discard", "take", "skip",
    "stop", "abort", "dequeue", "unqueue",
];
const EDITING: [&str; 4] = ["edit", "change", "modify", "reword"];
/// What asks for something new rather than for a change of what waits.
const NEW: [&str; 6] = ["show", "add", "put", "total", "average", "list"];
const COMMANDS: [&str; 10] =
    ["reset", "restart", "redo", "rerun", "repeat", "mode", "proof", "explore", "exploratory", "switch"];
const TASKS: [&str; 8] = ["task", "request", "question", "analysis", "message", "one", "job", "plan"];
/// More words than these say something else.
const QUEUE_WORDS_MAX: usize = 10;
