//! What waits behind a run, spoken of in words: "drop the reset from the queue" drops that and nothing else, and never
//! stops the run. When a queued task is to be done is no part of what it is. Next: `queue`, the command.

use super::queue;
use super::turn::Turn;
use crate::brake::spans;
use crate::doubt::doubted;
use crate::{Control, MessageId, Outcome, Phase, text};

/// Takes words that change what waits; false when they speak of something else, or say it with doubt.
pub(super) fn heard(turn: &mut Turn<'_>, words: &str) -> bool {
    if turn.state().phase() != Phase::Executing || words.contains(['?', '"', '“']) || doubted(words).is_some() {
        return false;
    }
    let said = text::words(words);
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let waiting = turn.state().queue();
    let named: Vec<MessageId> = waiting
        .controls
        .iter()
        .map(|(message, _)| *message)
        .chain(waiting.task.iter().map(|task| task.message))
        .filter(|message| said.contains(&message.to_string()))
        .collect();
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
fn chosen(turn: &Turn<'_>, said: &[String]) -> Vec<MessageId> {
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let waiting = turn.state().queue();
    let names = |command: Control| match command {
        Control::Reset => has(&["reset", "restart"]),
        Control::Redo => has(&["redo", "rerun", "repeat"]),
        Control::SwitchMode(_) => has(&["mode", "proof", "explore", "exploratory", "switch"]),
        _ => false,
    };
    if has(&COMMANDS) {
        return waiting.controls.iter().filter(|(_, command)| names(*command)).map(|(message, _)| *message).collect();
    }
    if has(&TASKS) {
        return waiting.task.iter().map(|task| task.message).collect();
    }
    waiting.controls.iter().map(|(message, _)| *message).chain(waiting.task.iter().map(|task| task.message)).collect()
}

fn told_how(turn: &mut Turn<'_>) -> bool {
    queue::command(turn, None);
    let said = match &turn.state().queue().task {
        Some(task) => format!("Say “/queue edit {} …” with the new words of the task, or “/queue drop”.", task.message),
        None => return true,
    };
    turn.say(said, None);
    true
}

/// The words of a task without those that say when: "after that, …", "… afterwards".
pub(super) fn without_time(words: &str) -> &str {
    let found = spans(words);
    let fits = |at: usize, phrase: &str| {
        let parts = phrase.split(' ').count();
        at + parts <= found.len() && phrase.split(' ').zip(&found[at..]).all(|(part, (word, _, _))| part == word)
    };
    let length = |phrase: &str| phrase.split(' ').count();
    let (mut first, mut end) = (0, found.len());
    while let Some(phrase) = BEFOREHAND.iter().filter(|phrase| fits(first, phrase)).max_by_key(|one| length(one)) {
        first += length(phrase);
    }
    while let Some(phrase) = BEHIND.iter().find(|phrase| end >= length(phrase) && fits(end - length(phrase), phrase)) {
        end -= length(phrase);
    }
    if first >= end {
        return words;
    }
    let (start, stop) = (found[first].1, if end == found.len() { words.len() } else { found[end - 1].2 });
    words[start..stop].trim()
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

/// What says before a task that it is to come later.
const BEFOREHAND: [&str; 27] = [
    "after that",
    "after this",
    "after it",
    "afterwards",
    "afterward",
    "then",
    "and then",
    "and",
    "next",
    "later",
    "and after that",
    "when that is done",
    "when this is done",
    "when it is done",
    "when it's done",
    "when that's done",
    "once that is done",
    "once this is done",
    "once it is done",
    "once it's done",
    "once that's done",
    "when done",
    "once done",
    "when you are done",
    "when you're done",
    "after the run",
    "when the run is over",
];
/// What says it behind.
const BEHIND: [&str; 12] = [
    "after that",
    "after this",
    "afterwards",
    "afterward",
    "next",
    "later",
    "when it is done",
    "when it's done",
    "when that is done",
    "once it is done",
    "when you are done",
    "after the run",
];
