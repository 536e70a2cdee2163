//! Orders that cannot be taken back, said in words that hedge, ask, deny or put off: they are answered with what a
//! plain word would do, and nothing is done. Two looks: at the whole message before anything takes it for an answer,
//! and at each request that was read. Next: `doubt`, which finds such words.

use super::turn::Turn;
use super::{about, act, answer, facts, pause, queue};
use crate::doubt::{Doubt, doubted};
use crate::patch::Wish;
use crate::{Act, Control, MessageReading, Outcome, Pending, PendingKind, Phase, Reading, Reply, Tier, Verdict, text};

/// An order that ends, begins or loses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Reset,
    Stop,
    Leave,
    Again,
    Replan,
    Approve,
    Resume,
    WayOn,
    Forget,
    DropQueue,
    Patch,
}

/// Answers a message that orders such a thing without saying it plainly; false when it is something else.
pub(super) fn answered(turn: &mut Turn<'_>, words: &str) -> bool {
    if is_several(words) {
        return false;
    }
    let Some(found) = doubted(words) else { return false };
    let question = turn.state().question().cloned();
    let Some(order) = order_of(turn, question.as_ref(), &found.order) else { return false };
    if is_own_answer(turn, question.as_ref(), words, found.how, order) {
        return false;
    }
    if found.how == Doubt::Asks {
        let of_plan = question.filter(|open| matches!(open.kind, PendingKind::Approval { .. }));
        if of_plan.is_some_and(|open| about::answered(turn, &open, words)) || about::answered_of_run(turn, words) {
            return true;
        }
    }
    tell(turn, order, found.how);
    true
}

/// The same for one request that was read from words; false when it may be done.
pub(super) fn withheld(turn: &mut Turn<'_>, reading: &Reading) -> bool {
    if !matches!(reading.tier, Tier::Rule | Tier::Exemplar | Tier::Model) {
        return false;
    }
    if is_only_a_new_start(turn, reading) {
        let said = "Nothing was forgotten. To do the task again from the start, say what it is.";
        let ways = if turn.state().phase() == Phase::Failed { plainly(turn, Order::WayOn) } else { String::new() };
        turn.say(format!("{said} {ways}").trim_end().to_owned() + " " + &plainly(turn, Order::Reset), None);
        act::remind_of_question(turn);
        turn.note(Outcome::Answered, "Not done: starting over may mean the task or the whole conversation.");
        return true;
    }
    let (Some(order), Some(found)) = (order_read(turn, reading), doubted(&reading.segment)) else { return false };
    // "No need to go on" is a rule's own way to say stop: a rule matches whole sentences.
    if reading.tier == Tier::Rule && found.how == Doubt::Denies && order == Order::Stop {
        return false;
    }
    tell(turn, order, found.how);
    true
}

/// "Start from the beginning" while something is at hand means that as likely as the whole conversation.
fn is_only_a_new_start(turn: &Turn<'_>, reading: &Reading) -> bool {
    let names = || text::words(&reading.segment).iter().any(|word| OF_EVERYTHING.contains(&word.as_str()));
    let resets = reading.act == Act::Control(Control::Reset);
    resets && turn.state().phase() != Phase::Idle && !names()
}

/// Words without which no conversation at work is forgotten.
const OF_EVERYTHING: [&str; 16] = [
    "reset",
    "forget",
    "clear",
    "wipe",
    "erase",
    "flush",
    "purge",
    "everything",
    "all",
    "session",
    "conversation",
    "chat",
    "memory",
    "history",
    "context",
    "resett",
];

/// Several sentences are read one by one, and each request of them is looked at by itself.
fn is_several(words: &str) -> bool {
    let plain = words.replace("...", ",");
    let mut ends = plain.match_indices(['.', '!', '?', ';', '\n']);
    ends.any(|(at, end)| plain[at + end.len()..].contains(char::is_alphanumeric))
}

/// Whether the grammar of replies or of plans takes the words for what they are: "not yet" holds, "don't run it" is a
/// no, "stop after step 2" a change.
fn is_own_answer(turn: &Turn<'_>, question: Option<&Pending>, words: &str, how: Doubt, order: Order) -> bool {
    if how == Doubt::Denies && matches!(order, Order::Approve | Order::Again) {
        return true;
    }
    if how == Doubt::Later && order != Order::Patch && is_structure(turn, words) {
        return true;
    }
    let Some(question) = question else { return how == Doubt::Denies && order == Order::Resume };
    if matches!(question.kind, PendingKind::Paused { .. }) && order == Order::Resume {
        return false;
    }
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    let consents = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. });
    // A yes is one from its first word to its last, so what only holds one is none and may ask the assistant.
    matches!(reply, Reply::Reject | Reply::Hold) || (order == Order::Approve && !consents)
}

fn is_structure(turn: &Turn<'_>, words: &str) -> bool {
    matches!(super::patching::wished(turn, words), Some(Ok(Wish::Structure(_))))
}

/// What `words` would do if they were said by themselves.
fn order_of(turn: &Turn<'_>, question: Option<&Pending>, words: &str) -> Option<Order> {
    if words.is_empty() {
        return None;
    }
    if let Some(order) = question.and_then(|question| as_answer(turn, question, words)) {
        return Some(order);
    }
    // A run that waits is steered by offers; one that goes on would be stopped.
    let runs = turn.state().active_run().is_some_and(|run| !run.is_waiting());
    if runs && is_structure(turn, words) {
        return Some(Order::Patch);
    }
    match turn.reader.read(words, &turn.read_context(&[])) {
        // What is left of a sentence is no sentence: what it resembles says nothing about it.
        MessageReading::Understood { requests, .. } => {
            let mut ruled = requests.iter().filter(|request| request.tier == Tier::Rule);
            ruled.find_map(|request| order_read(turn, request))
        }
        MessageReading::Unsure { .. }
        | MessageReading::UnknownCommand { .. }
        | MessageReading::Bare { .. }
        | MessageReading::Empty => None,
    }
}

fn as_answer(turn: &Turn<'_>, question: &Pending, words: &str) -> Option<Order> {
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    let is_yes = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. });
    match &question.kind {
        PendingKind::Failure { .. } => answer::failure_verdict(words).map(|verdict| match verdict {
            Verdict::Abandon => Order::Stop,
            _ => Order::WayOn,
        }),
        PendingKind::Paused { .. } if is_yes || pause::means_resume(words) => Some(Order::Resume),
        PendingKind::Approval { .. } | PendingKind::ConfirmForget { .. } | PendingKind::ConfirmExit if is_yes => {
            Some(Order::Approve)
        }
        PendingKind::Approval { .. }
        | PendingKind::Paused { .. }
        | PendingKind::Clarification { .. }
        | PendingKind::Redirection
        | PendingKind::TalkedOver { .. }
        | PendingKind::Satisfaction { .. }
        | PendingKind::WhichReading { .. }
        | PendingKind::UnknownOutcome { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::ConfirmExit => (reply == Reply::Cancel).then_some(Order::Stop),
    }
}

fn order_read(turn: &Turn<'_>, reading: &Reading) -> Option<Order> {
    match reading.act {
        Act::Control(Control::Reset) => Some(Order::Reset),
        Act::Control(Control::Cancel) => Some(Order::Stop),
        Act::Control(Control::Exit) => Some(Order::Leave),
        Act::Control(Control::Redo) => Some(Order::Again),
        Act::Control(Control::Replan) => Some(Order::Replan),
        Act::Control(Control::Resume) => Some(Order::Resume),
        Act::Control(Control::Facts) => facts::forgets(reading).then_some(Order::Forget),
        Act::Control(Control::Queue) => queue::drops(reading).then_some(Order::DropQueue),
        Act::Control(
            Control::SwitchMode(_)
            | Control::Help
            | Control::Status
            | Control::ShowPlan
            | Control::Why
            | Control::Receipts
            | Control::Edit
            | Control::Pause
            | Control::RunReads
            | Control::AskFirst
            | Control::Flow,
        )
        | Act::Query(_)
        | Act::PlanNew(_) => None,
        Act::PlanContinue => {
            let runs = turn.state().active_run().is_some_and(|run| !run.is_waiting());
            let speaks_of_it = || text::words(&reading.segment).iter().any(|word| OF_A_RUN.contains(&word.as_str()));
            (runs && speaks_of_it()).then_some(Order::Patch)
        }
    }
}

/// Words of a change that speak of what runs, not of what is looked for.
const OF_A_RUN: [&str; 8] = ["step", "steps", "run", "results", "task", "plan", "everything", "it"];

/// Says that nothing was done, and which plain word does it.
fn tell(turn: &mut Turn<'_>, order: Order, how: Doubt) {
    // A stop that is only asked or weighed holds what runs while it is asked.
    if order == Order::Stop && matches!(how, Doubt::Weighs | Doubt::Asks) {
        super::braking::hold(turn);
    }
    let plainly = plainly(turn, order);
    let said = match how {
        Doubt::Denies => format!("All right, it is not done. {plainly}"),
        Doubt::Asks => format!("Nothing was done. {plainly}"),
        Doubt::Weighs => format!("Nothing was done: I act on that only when it is said plainly. {plainly}"),
        Doubt::Later => format!("Nothing was done: I cannot keep that for later. {plainly}"),
    };
    turn.say(said, None);
    act::remind_of_question(turn);
    turn.note(Outcome::Answered, "Not done, because it was not said plainly.");
}

/// What the plain word for `order` is, and what it does here.
fn plainly(turn: &Turn<'_>, order: Order) -> String {
    let state = turn.state();
    match (order, state.phase()) {
        (Order::Reset, _) => {
            "“/reset” forgets plan, facts and questions of this conversation, and cannot be taken back.".to_owned()
        }
        (Order::Stop, Phase::Executing) => {
            "“stop” ends the run and keeps what is done; “pause” waits at the next step boundary.".to_owned()
        }
        (Order::Stop, Phase::Failed) => "“abandon” gives the run up; facts of finished steps are kept.".to_owned(),
        (Order::Stop, Phase::Planning) => "“cancel” drops what is being planned.".to_owned(),
        (Order::Stop, Phase::AwaitingApproval) => "“cancel” drops the plan; nothing of it is executed.".to_owned(),
        (Order::Stop, Phase::Idle) => "Nothing is running or waiting; “/exit” leaves.".to_owned(),
        (Order::Leave, _) => "“/exit” leaves; the conversation is kept.".to_owned(),
        (Order::Again, _) => "“/redo” runs the last plan again.".to_owned(),
        (Order::Replan, _) => "Say what should be different, and it is planned again.".to_owned(),
        (Order::Approve, _) => "A plain “y” is a yes and “n” a no.".to_owned(),
        (Order::Resume, _) => "“resume” goes on with the run, “stop” ends it.".to_owned(),
        (Order::WayOn, _) => {
            "“retry” runs what is left again, “replan” asks what should be different, “abandon” gives it up.".to_owned()
        }
        (Order::Forget, _) => "“/facts forget NAME” forgets a fact.".to_owned(),
        (Order::DropQueue, _) => "“/queue drop” drops what waits.".to_owned(),
        (Order::Patch, _) => "Said plainly, it stops the run and shows the changed plan.".to_owned(),
    }
}

/// "Forget the reset": a command that is taken back under its name. It is dropped if it waits; it is never done.
pub(super) fn forget_the_order(turn: &mut Turn<'_>, words: &str) -> bool {
    let said = text::words(words).join(" ");
    let Some(rest) = UNORDERING.iter().find_map(|verb| said.strip_prefix(verb)) else { return false };
    let (command, name) = match rest.trim() {
        "reset" | "restart" => (Control::Reset, "reset"),
        "redo" | "rerun" => (Control::Redo, "redo"),
        _ => return false,
    };
    let queued = &turn.state().queue().controls;
    let Some(message) = queued.iter().rev().find(|(_, queued)| *queued == command).map(|(message, _)| *message) else {
        turn.say(format!("No {name} was waiting, and none is done."), None);
        act::remind_of_question(turn);
        turn.note(Outcome::Answered, "There was nothing to take back.");
        return true;
    };
    queue::drop_one(turn, message);
    true
}

/// What takes an order back that is named after it: "forget the reset".
const UNORDERING: [&str; 14] = [
    "forget the ",
    "forget about the ",
    "forget that ",
    "never mind the ",
    "drop the ",
    "cancel the ",
    "skip the ",
    "scrap the ",
    "ignore the ",
    "no ",
    "without the ",
    "not the ",
    "undo the ",
    "drop that ",
];
