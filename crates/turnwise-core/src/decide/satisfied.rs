//! Did what was done at once meet the need (FL-06)? Asked where work was done without a plan, and never in the way:
//! what is no answer to it is taken as what it says. Next: `act`, which runs the work again with what should be
//! different.

use super::choice::{Meant, choice_meant};
use super::turn::Turn;
use super::{act, learn, message, say};
use crate::{Choice, FactKind, Outcome, Pending, PendingKind, Phase, Reply, Resolution, Run, RunId, limits, text};

/// Asks, where `run` went without being asked about and changed something.
pub(super) fn ask(turn: &mut Turn<'_>, run: RunId) {
    if did_work_unasked(turn) {
        let pending = turn.ask(PendingKind::Satisfaction { run });
        say::show(turn, &pending);
    }
}

/// Whether the last run is one that is asked about.
fn did_work_unasked(turn: &Turn<'_>) -> bool {
    let went_unasked = |run: &Run| run.approver().is_some_and(|person| !turn.state().took_part(person));
    turn.flow().satisfaction && turn.state().run().is_some_and(|run| went_unasked(run) && !run.plan().changes_nothing())
}

/// The codes are fixed (spec 3, settled choices).
pub(super) fn choices() -> Vec<Choice> {
    let choice = |value: &str, label: &str| Choice::new(value, label);
    vec![choice("satisfied", "Yes, done"), choice("needs_changes", "Needs changes"), choice("start_over", "Start over")]
}

/// Words while it is asked; false when they are no answer.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    match choice_meant(words, &choices()) {
        Meant::Choice(number) => {
            choose(turn, question, number);
            return true;
        }
        Meant::NotThat | Meant::Other => {}
    }
    if let Some(change) = behind_needs_changes(words) {
        act::refine(turn, change, grounding);
        return true;
    }
    if is_thanks(words) {
        satisfied(turn, question);
        return true;
    }
    let reply = turn.reader.reply(words, &turn.read_context(grounding));
    message::note_reply(turn, question, &reply);
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => satisfied(turn, question),
        Reply::Likely => say::ask_back(turn, question),
        // “Almost, but the name should be d.txt” says already what should be different.
        Reply::Reject => match behind_but(words) {
            Some(change) => act::refine(turn, change, grounding),
            None => needs_changes(turn, question),
        },
        Reply::Change { change } => act::refine(turn, &change, grounding),
        Reply::Cancel | Reply::Hold => {
            turn.close(question.id, Resolution::Cancelled);
            turn.say("All right.", None);
            turn.note(Outcome::Applied, "Left as it is.");
        }
        Reply::Question | Reply::Other => {
            turn.close(question.id, Resolution::Superseded);
            return false;
        }
    }
    true
}

/// “Needs changes: write it to d.txt”, “2: write it to d.txt”.
fn behind_needs_changes(words: &str) -> Option<&str> {
    let (lead, rest) = words.split_once([':', ',', '-', '–', '—'])?;
    let lead = text::words(&lead.replace('_', " ")).join(" ");
    (["needs changes", "2"].contains(&lead.as_str()) && !rest.trim().is_empty()).then(|| rest.trim())
}

/// What stands behind the “but” of a no.
fn behind_but(words: &str) -> Option<&str> {
    let at = words.to_ascii_lowercase().find(" but ")?;
    words.get(at + " but ".len()..).map(str::trim).filter(|rest| text::words(rest).len() > 1)
}

fn is_thanks(words: &str) -> bool {
    let said = text::words(words);
    let says = |words: &[&str]| said.iter().filter(|word| words.contains(&word.as_str())).count();
    says(&THANKS) > 0 && says(&THANKS) + says(&BESIDE_THANKS) == said.len()
}

/// What was done is asked about once more, since nothing came of what should have been different.
pub(super) fn ask_again(turn: &mut Turn<'_>, feedback: &str) {
    let run = turn.state().run().filter(|_| turn.state().phase() == Phase::Idle).map(Run::id);
    let Some(run) = run.filter(|_| did_work_unasked(turn) && turn.state().question().is_none()) else { return };
    learn::settled(turn, "feedback", FactKind::Note, feedback);
    let pending = turn.ask(PendingKind::Satisfaction { run });
    let kept = text::clip(feedback, limits::QUOTE_WIDTH);
    turn.say(format!("What was done stays as it is, and “{kept}” is kept."), None);
    say::show(turn, &pending);
}

/// What says that all is well.
const THANKS: [&str; 7] = ["thanks", "thank", "thx", "cheers", "perfect", "great", "lovely"];
const BESIDE_THANKS: [&str; 9] = ["you", "very", "much", "a", "lot", "so", "many", "that's", "ok"];

/// Takes the choice with number `number`, from 1.
pub(super) fn choose(turn: &mut Turn<'_>, question: &Pending, number: usize) {
    match number {
        1 => satisfied(turn, question),
        2 => needs_changes(turn, question),
        3 => start_over(turn, question),
        _ => turn.refuse("That is none of the choices."),
    }
}

pub(super) fn satisfied(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Approved);
    turn.say("Good.", None);
    turn.note(Outcome::Applied, "It meets the need.");
}

pub(super) fn needs_changes(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Rejected);
    say::ask_for_direction(turn, "");
    turn.note(Outcome::Asked, "Asked what should be different.");
}

fn start_over(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Rejected);
    turn.say("Starting over. What was done stays as it is until you say otherwise. What should be done instead?", None);
    turn.note(Outcome::Applied, "Starting over.");
}
