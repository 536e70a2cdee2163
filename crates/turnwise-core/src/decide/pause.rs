//! Pausing (FL-09, FL-04): the current steps finish, then the run waits at the boundary, says where, takes input, and
//! goes on or stops. Step checkpoints are the same thing, asked for by configuration. Next: `settle`.

use super::choice::{Meant, choice_meant};
use super::turn::Turn;
use super::{about, act, answer, braking, control, message, patching, program, say};
use crate::doubt::plainly;
use crate::{
    ApprovalMode, Choice, Control, Conversation, Event, FactValue, Outcome, Pending, PendingKind, Phase, Reply,
    Resolution, Run, RunEvent, RunId, StepState, Verdict, limits, text,
};

impl Conversation {
    /// Whether what was said last offers what can be done with the run.
    fn recent_offers_ways(&self) -> bool {
        self.recent.offers_ways()
    }
}

/// "Pause": no further step starts.
pub(super) fn pause(turn: &mut Turn<'_>) {
    if !turn.flow().pause_enabled {
        turn.refuse("Pausing is switched off here. \"stop\" ends the run and keeps what is done; saying what to change replans.");
        return;
    }
    let Some(run) = turn.state().active_run() else {
        turn.refuse("Nothing is running, so there is nothing to pause.");
        return;
    };
    let (id, running) = (run.id(), run.running());
    if run.is_waiting() {
        turn.refuse("The run is paused already. Say \"resume\", what to change, or \"stop\".");
        return;
    }
    let has_more = run.states().any(|(_, state)| state == StepState::Waiting);
    turn.emit(Event::Run(RunEvent::Paced { run: id, steps: Some(0), by_hand: true }));
    if running > 0 && !has_more {
        turn.say("What is under way is the last of it, so there is nothing to pause before. “stop” ends it.", None);
        turn.note(Outcome::Answered, "Nothing comes after what is under way; “stop” ends it.");
        return;
    }
    if running > 0 {
        let said = format!("Pausing: {} still to finish, then I wait.", text::count(running, "step"));
        turn.say(said, None);
    }
    turn.note(Outcome::Applied, "The run pauses at the next step boundary.");
}

/// "Resume": steps start again, one at a time where checkpoints are configured.
pub(super) fn resume(turn: &mut Turn<'_>) {
    if program::may_not(turn, Control::Resume) {
        return;
    }
    let Some(run) = turn.state().active_run().filter(|run| run.allowance().is_some()) else {
        turn.refuse(match turn.state().phase() {
            Phase::Executing => "The run is not paused.",
            Phase::Failed => "The run has failed: say retry, replan or abandon.",
            Phase::AwaitingApproval => "The plan has not been approved yet: say y, n, or what to change.",
            Phase::Idle | Phase::Planning => "Nothing is paused.",
        });
        return;
    };
    let run = run.id();
    super::tried::drop_it(turn, "the run goes on without it");
    let paused = turn.state().pending().iter().find(|pending| pending.kind == PendingKind::Paused { run });
    if let Some(id) = paused.map(|pending| pending.id) {
        turn.close(id, Resolution::Approved);
    } else {
        turn.say("The run goes on; it does not pause.", None);
    }
    turn.emit(Event::Run(RunEvent::Paced { run, steps: checkpoints(turn).at_resumption(), by_hand: false }));
    turn.note(Outcome::Applied, "The run goes on.");
}

/// What can be done with a run that waits between its steps.
pub(super) fn choices() -> Vec<Choice> {
    vec![
        Choice::new("resume", "Resume: go on with what is left"),
        Choice::new("abort", "Abort: end the run, keep what is done"),
    ]
}

/// What can be done with a run that goes on (BH-10); what waits is asked about with its own choices.
pub(super) fn ways(turn: &Turn<'_>) -> Vec<Choice> {
    let Some(run) = turn.state().active_run().filter(|run| !run.is_waiting()) else { return Vec::new() };
    let pause = match run.allowance() == Some(0) {
        true => Some(Choice::new("resume", "Resume: do not pause after all")),
        false => turn.flow().pause_enabled.then(|| Choice::new("pause", "Pause: wait at the next step boundary")),
    };
    pause.into_iter().chain([Choice::new("stop", "Abort: end the run, keep what is done")]).collect()
}

/// Whether a decision has a run that waits go on.
pub(super) fn goes_on(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Approve | Verdict::Resume | Verdict::Choose { number: 1 })
}

/// Which of the choices of a run that waits is meant, said plainly.
pub(super) fn chosen(words: &str) -> Option<usize> {
    match choice_meant(words, &choices()) {
        Meant::Choice(number) => plainly(words).map(|_| number),
        Meant::NotThat | Meant::Other => None,
    }
}

/// Which of the ways that were offered last a bare number means.
pub(super) fn way_chosen(turn: &Turn<'_>, words: &str) -> Option<Choice> {
    let number = words.trim().trim_end_matches('.').parse::<usize>().ok();
    let at = number.filter(|_| turn.state().recent_offers_ways())?.checked_sub(1)?;
    ways(turn).into_iter().nth(at)
}

/// Takes a bare number as one of the ways that were offered last; false where it is none.
pub(super) fn chose_way(turn: &mut Turn<'_>, words: &str) -> bool {
    let Some(way) = way_chosen(turn, words) else { return false };
    match way.value.as_str() {
        "pause" => pause(turn),
        "resume" => resume(turn),
        _ => control::cancel(turn),
    }
    true
}

/// Words said while a run waits between its steps; whether they were an answer to that or about the run.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    let chosen = chosen(words);
    if means_resume(words) || chosen == Some(1) {
        resume(turn);
        return true;
    }
    if chosen == Some(2) {
        control::cancel(turn);
        return true;
    }
    if names_resume(words) {
        braking::stays(turn);
        return true;
    }
    if patching::patch(turn, question, words, grounding) || about::answered_of_run(turn, words) {
        return true;
    }
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    message::note_reply(turn, question, &reply);
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => resume(turn),
        Reply::Likely => say::ask_back(turn, question),
        Reply::Reject | Reply::Cancel => control::cancel(turn),
        Reply::Change { .. } if message::states(turn, words, &context) => return false,
        Reply::Change { change } => act::refine(turn, &change, grounding),
        Reply::Hold => answer::hold(turn, question),
        Reply::Question => message::ask_aside(turn, words, grounding),
        Reply::Other => return false,
    }
    true
}

/// Whether words mean "go on", said plainly.
pub(super) fn means_resume(words: &str) -> bool {
    plainly(words).is_some() && names(words)
}

/// Whether words only name going on: "resume…", "continue?".
pub(super) fn names_resume(words: &str) -> bool {
    plainly(words).is_none() && names(words)
}

fn names(words: &str) -> bool {
    let mut said = text::words(words);
    said.retain(|word| !FILLERS.contains(&word.as_str()));
    RESUMING.contains(&said.join(" ").as_str())
}

/// What goes on with a run that waits.
const RESUMING: [&str; 25] = [
    "resume",
    "resume run",
    "continue",
    "go on",
    "carry on",
    "go ahead",
    "unpause",
    "next",
    "next step",
    "proceed",
    "keep going",
    "keep on",
    "move on",
    "press on",
    "go further",
    "go",
    "run rest",
    "do rest",
    "see rest",
    "rest",
    "finish",
    "run on",
    "keep running",
    "back to work",
    "do next step",
];

/// Words around it that say nothing else.
const FILLERS: [&str; 19] = [
    "ok", "okay", "please", "then", "now", "just", "let's", "lets", "let", "us", "yes", "yeah", "it", "the", "run's",
    "with", "and", "well", "alright",
];

/// A run that reached its boundary waits for the person, once.
pub(super) fn ask_at_boundary(turn: &mut Turn<'_>) {
    let waiting = turn.state().active_run().filter(|run| run.is_waiting()).map(Run::id);
    let Some(run) = waiting else { return };
    if turn.state().pending().iter().any(|pending| pending.kind == PendingKind::Paused { run }) {
        return;
    }
    let pending = turn.ask(PendingKind::Paused { run });
    say::show(turn, &pending);
}

/// Sets the pace of a run that was just approved.
pub(super) fn set_out(turn: &mut Turn<'_>, run: RunId) {
    let steps = checkpoints(turn).at_approval();
    if steps.is_some() {
        turn.emit(Event::Run(RunEvent::Paced { run, steps, by_hand: false }));
    }
}

/// Where the run at hand waits between its steps: as it was approved or settled since, whoever goes on with it and
/// however they were started.
fn checkpoints(turn: &Turn<'_>) -> ApprovalMode {
    turn.state().run().and_then(Run::checkpoints).unwrap_or(turn.flow().approval_mode)
}

/// What a paused run is asked about: what the steps since its last boundary found, and where it waits.
pub(super) fn at_boundary(state: &Conversation) -> String {
    let lines = found(state).into_iter().chain([place(state)]);
    let said: Vec<String> = lines.collect();
    format!("{} Say \"resume\", what to change, or \"stop\".", said.join("\n"))
}

/// What each step that was done last found, so that a checkpoint after it has something to check.
fn found(state: &Conversation) -> Vec<String> {
    let Some(run) = state.active_run().filter(|run| run.checkpoints() != Some(ApprovalMode::None)) else {
        return Vec::new();
    };
    let done = |step: &&crate::Step| run.state(step.id) == Some(StepState::Done);
    let last = run.plan().steps().iter().filter(done).max_by_key(|step| {
        let recorded = step.produces.iter().filter_map(|name| state.facts().get(name)).map(|fact| fact.recorded);
        recorded.max()
    });
    let Some(step) = last else { return Vec::new() };
    let facts = step.produces.iter().filter_map(|name| state.facts().get(name));
    let said = |fact: &std::sync::Arc<crate::Fact>| {
        format!("{} found {}: {}.", step.id, fact.name(), beginning(&fact.body.value).trim_end_matches('.'))
    };
    facts.map(said).collect()
}

/// The first rows of a value, in one line.
fn beginning(value: &FactValue) -> String {
    let table = match value {
        FactValue::Text(text) => return text::clip(text, limits::QUOTE_WIDTH),
        FactValue::Table(table) => table,
    };
    let row = |row: &Vec<crate::Cell>| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    let shown: Vec<String> = table.rows.iter().take(ROWS_SHOWN).map(row).collect();
    let shown = text::clip(&shown.join("; "), limits::QUOTE_WIDTH);
    if table.rows.len() == 1 { shown } else { format!("{} rows, beginning {shown}", table.total_rows) }
}

/// Rows of a step's result that are shown before the person says whether to go on.
const ROWS_SHOWN: usize = 3;

/// Where a paused run waits.
pub(super) fn place(state: &Conversation) -> String {
    let next = state.active_run().and_then(|run| {
        let step = run.next_step()?;
        Some(format!("{step} “{}”", run.plan().step(step)?.description))
    });
    next.map_or_else(|| "Paused.".to_owned(), |next| format!("Paused before {next}."))
}
