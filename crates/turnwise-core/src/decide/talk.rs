//! Talking a task over before it is planned (FL-07, FL-08): what is said is noted, in order, and shown; "implement" and
//! its like, as an instruction, hand all of it to planning, whose plan is approved as any other. What was noted stands
//! in the open question itself, so it survives whatever the question survives. Next: `act`, which starts tasks.

use super::turn::Turn;
use super::{act, answer, control, message, say};
use crate::{
    Conversation, MessageReading, Outcome, Pending, PendingKind, Phase, PlanKind, Reply, Resolution, Talk, limits, text,
};

/// Whether a new task is talked over first.
pub(super) fn comes_first(turn: &Turn<'_>) -> bool {
    turn.policy.talk != Talk::None && turn.state().phase() == Phase::Idle
}

/// The talk that is open.
pub(super) fn open(state: &Conversation) -> Option<&Pending> {
    state.pending().iter().find(|pending| matches!(pending.kind, PendingKind::TalkedOver { .. }))
}

/// Adds what was said to the talk, or begins one with it.
pub(super) fn note(turn: &mut Turn<'_>, words: &str, kind: PlanKind) {
    let (mut points, kind) = match open(turn.state()).map(|open| open.kind.clone()) {
        // What began as a comparison stays one, whatever is added to it.
        Some(PendingKind::TalkedOver { points, kind: begun }) if begun != PlanKind::Plain => (points, begun),
        Some(PendingKind::TalkedOver { points, .. }) => (points, kind),
        _ => (Vec::new(), kind),
    };
    if points.len() >= limits::PLAN_CHANGES_MAX {
        turn.refuse("That is as much as one talk holds. Say \"implement\" to have it planned, or \"cancel\".");
        return;
    }
    points.push(words.trim().to_owned());
    turn.close_all(Resolution::Changed);
    let pending = turn.ask(PendingKind::TalkedOver { points, kind });
    say::show(turn, &pending);
    turn.note(Outcome::Merged, "Noted; nothing is planned before you say so.");
}

/// What was noted, and how it goes on.
pub(super) fn so_far(points: &[String], kind: PlanKind) -> String {
    let kind = match kind {
        PlanKind::Plain => "a task",
        PlanKind::Compare => "a comparison",
        PlanKind::Predict => "a forecast",
    };
    let listed: Vec<String> = (1..).zip(points).map(|(number, point)| format!("{number}. {point}")).collect();
    let noted = format!("Noted so far, as {kind}; nothing is planned yet:\n{}", listed.join("\n"));
    format!("{noted}\nSay \"implement\" to have it planned, \"cancel\" to drop it, or go on.")
}

/// Words said while a talk is open: an instruction to begin, a question beside it, or something more to note.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    match instruction(words) {
        Instruction::Begin => {
            implement(turn, question);
            return true;
        }
        Instruction::NotYet => {
            answer::hold(turn, question);
            return true;
        }
        Instruction::None => {}
    }
    let context = turn.read_context(grounding);
    let reply = turn.reader.reply(words, &context);
    message::note_reply(turn, question, &reply);
    match reply {
        Reply::Approve | Reply::ApproveWithNote { .. } => implement(turn, question),
        Reply::Cancel => control::cancel(turn),
        Reply::Reject | Reply::Hold => answer::hold(turn, question),
        Reply::Question => message::ask_aside(turn, words, grounding),
        Reply::Change { .. } if message::states(turn, words, &context) => return false,
        Reply::Change { .. } => note(turn, words, PlanKind::Plain),
        Reply::Other => match turn.reader.read(words, &context) {
            // What cannot be read as a request is still something that was said about the task.
            MessageReading::Unsure { .. } => note(turn, words, PlanKind::Plain),
            MessageReading::Understood { .. } | MessageReading::UnknownCommand { .. } | MessageReading::Empty => {
                return false;
            }
        },
    }
    true
}

/// Hands everything noted to planning.
pub(super) fn implement(turn: &mut Turn<'_>, question: &Pending) {
    let PendingKind::TalkedOver { points, kind } = &question.kind else { return };
    if turn.policy.talk == Talk::Only {
        turn.refuse(
            "This assistant talks tasks over and starts none (allow_execution_transition is off). What was noted stays.",
        );
        return;
    }
    turn.close(question.id, Resolution::Approved);
    act::plan(turn, &points.join(", "), *kind);
}

/// What words are as an instruction to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instruction {
    Begin,
    NotYet,
    None,
}

/// FL-07: the words count only as an instruction. In a question or beside other words they are a mention.
fn instruction(words: &str) -> Instruction {
    if words.contains('?') {
        return Instruction::None;
    }
    let said = text::words(words);
    let is_denied = said.iter().any(|word| DENIALS.contains(&word.as_str()));
    let bare: Vec<&str> =
        said.iter().map(String::as_str).filter(|word| !FILLERS.contains(word) && !DENIALS.contains(word)).collect();
    // "Do not implement that": the first word only helps the second.
    let bare = match bare.as_slice() {
        ["do", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    match (BEGINNINGS.contains(&bare.join(" ").as_str()), is_denied) {
        (false, _) => Instruction::None,
        (true, true) => Instruction::NotYet,
        (true, false) => Instruction::Begin,
    }
}

/// What begins the work.
const BEGINNINGS: [&str; 10] =
    ["implement", "build", "create", "do", "go ahead", "make", "plan", "start", "proceed", "get going"];
/// Words around an instruction that change nothing of it.
const FILLERS: [&str; 17] = [
    "it", "this", "that", "now", "please", "ok", "okay", "yes", "yeah", "then", "so", "let's", "lets", "us", "just",
    "with", "all",
];
/// Words that make it the opposite.
const DENIALS: [&str; 8] = ["not", "don't", "dont", "never", "no", "yet", "without", "won't"];

#[cfg(test)]
mod tests {
    use super::{Instruction, instruction};

    #[test]
    fn only_an_instruction_begins_the_work() {
        for words in
            ["implement", "Build it!", "ok, do it", "go ahead", "please make it", "create it now", "let's plan it"]
        {
            assert_eq!(instruction(words), Instruction::Begin, "{words}");
        }
        for words in ["don't build it yet", "do not implement that", "no, don't do it", "not yet, don't start"] {
            assert_eq!(instruction(words), Instruction::NotYet, "{words}");
        }
        for words in [
            "should we build it?",
            "build it?",
            "we could build it in March",
            "Anna said \"build it\" yesterday",
            "what would you implement",
            "not yet",
            "yes",
        ] {
            assert_eq!(instruction(words), Instruction::None, "{words}");
        }
    }
}
