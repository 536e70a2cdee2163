//! Session and execution commands, by words or slash (CF-33). While a plan runs, commands that would change the session
//! wait in order; stop and everything that only shows something act at once. Next: `settle`, which takes the queue up.

use super::act;
use super::message;
use super::say;
use super::turn::Turn;
use super::{facts, failure, learn, pause, program, queue as queue_up, settings, several, standing, tried};
use crate::{
    AsideEvent, Card, Control, Effect, EffectClass, Event, Mode, Outcome, PendingKind, Phase, PlanningEvent,
    Resolution, RunEvent, RunId, RunStatus, Trigger, limits,
};

/// Does what the command says; `is_typed` for a slash command, which needs no further confirmation.
pub(super) fn act(turn: &mut Turn<'_>, command: Control, is_typed: bool) {
    if program::may_not(turn, command) {
        return;
    }
    let waits = matches!(command, Control::SwitchMode(_) | Control::Reset | Control::Redo);
    if waits && turn.state().phase() == Phase::Executing {
        queue(turn, command);
        return;
    }
    match command {
        Control::SwitchMode(mode) => switch_mode(turn, mode),
        Control::Reset => reset(turn),
        // Said of a run that failed, "run it again" means what is left of it; the command says what it would do.
        Control::Redo if !is_typed && failure::retry_what_failed(turn) => {}
        Control::Redo => redo(turn),
        Control::Exit => exit(turn, is_typed),
        Control::Cancel => cancel(turn),
        Control::Replan => {
            turn.refuse("Say what should be different.");
        }
        Control::Help => answer(turn, "Shown.", say::help),
        Control::Status => answer(turn, "Shown.", say::status),
        // A reading of facts carries words that `act` hands to `facts`; without any there is only the list.
        Control::Facts => facts::list(turn, ""),
        Control::ShowPlan => answer(turn, "Shown.", say::plan),
        Control::Why => answer(turn, "Shown.", say::why),
        Control::Receipts => answer(turn, "Shown.", say::receipts),
        Control::Edit => no_editor(turn),
        Control::Pause => pause::pause(turn),
        Control::Resume => pause::resume(turn),
        Control::Queue => queue_up::command(turn, None),
        Control::RunReads => standing::give(turn),
        Control::AskFirst => standing::take_back(turn),
        // As with the facts: a reading carries what is to be settled.
        Control::Flow => settings::command(turn, None),
    }
}

fn answer(turn: &mut Turn<'_>, detail: &str, show: fn(&mut Turn<'_>)) {
    show(turn);
    act::remind_of_question(turn);
    turn.note(Outcome::Answered, detail);
}

/// BH-10: where a run stands, and what can be done with it. Where it waits for a decision, that is asked whole. What
/// stands behind the command (BH-03) is heard as words of their own: an answer to what is asked, or whatever else.
pub(super) fn of_run(turn: &mut Turn<'_>, rest: &str) {
    let waits = |kind: &PendingKind| matches!(kind, PendingKind::Paused { .. } | PendingKind::Failure { .. });
    let question = turn.state().question().filter(|question| waits(&question.kind)).cloned();
    let rest = rest.trim();
    let has_rest = turn.is_command() && !rest.is_empty() && !rest.starts_with('/');
    if has_rest && question.as_ref().is_some_and(|question| message::answers(turn, question, rest)) {
        return;
    }
    say::status(turn);
    match question {
        Some(question) => say::show(turn, &question),
        None => act::remind_of_question(turn),
    }
    match has_rest {
        true => message::beside(turn, rest, &[]),
        false => turn.note(Outcome::Answered, "Shown."),
    }
}

/// A surface with an editor opens it itself; the command arrives here from one that has none, or when there is nothing
/// to edit.
fn no_editor(turn: &mut Turn<'_>) {
    let waits = turn.state().phase() == Phase::AwaitingApproval;
    turn.refuse(if waits {
        "There is no editor here. Say what should be different, for example \"drop step 2\" or \"only 2024\"."
    } else {
        "No plan waits for a decision, so there is none to edit."
    });
}

fn queue(turn: &mut Turn<'_>, command: Control) {
    if turn.state().queue().controls.len() >= limits::QUEUED_CONTROLS_MAX {
        turn.refuse("Too many commands are waiting for the run to end. Say \"stop\", or wait.");
        return;
    }
    let Some(message) = turn.message() else { return };
    turn.emit(Event::Aside(AsideEvent::ControlQueued { message, control: command }));
    turn.say("A plan is running; I will do that right after it.", None);
    turn.note(Outcome::Queued, "Will be done after the run.");
}

fn switch_mode(turn: &mut Turn<'_>, mode: Mode) {
    let is_new = turn.state().mode() != mode;
    turn.emit(Event::ModeSwitched { mode, explicit: true });
    if is_new {
        draft_anew(turn);
    }
    let waiting = turn.state().phase() == Phase::AwaitingApproval;
    turn.say(
        match (is_new, waiting) {
            (false, _) => format!("Already in {mode} mode; it stays until you change it."),
            (true, false) => format!("Now in {mode} mode."),
            (true, true) => format!("Now in {mode} mode. The plan that waits was drafted before; it stays as it is."),
        },
        None,
    );
    turn.note(Outcome::Applied, format!("The mode is {mode}."));
}

/// What is being drafted was asked for in the other mode: it is asked for again, and that draft, when it comes,
/// dropped.
fn draft_anew(turn: &mut Turn<'_>) {
    if turn.state().task.as_ref().and_then(|task| task.request).is_none() {
        return;
    }
    if tried::keeps_run(turn) {
        tried::begin(turn, None, None);
        return;
    }
    let request = turn.next_request();
    let (trigger, change, answer) = (Trigger::PlanContinue, None, None);
    let message = turn.message();
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message }));
    turn.perform(Effect::DraftPlan { request });
}

fn reset(turn: &mut Turn<'_>) {
    turn.close_all(Resolution::Cancelled);
    several::drop_all(turn, "the conversation was reset");
    turn.emit(Event::ConversationReset);
    turn.say(
        "Everything of this conversation is forgotten: plan, facts, questions. The log keeps what was said.",
        None,
    );
    turn.note(Outcome::Applied, "The conversation was reset.");
}

/// CF-24: executes the last plan again. The command is the approval: the plan was seen and approved before, and it
/// changes nothing; one with effects is asked about anew.
fn redo(turn: &mut Turn<'_>) {
    let state = turn.state();
    let last = state.run().filter(|run| matches!(run.status(), RunStatus::Completed | RunStatus::Cancelled));
    let (Phase::Idle, Some(plan)) = (state.phase(), last.map(|run| std::sync::Arc::clone(run.plan()))) else {
        turn.refuse(match turn.state().phase() {
            Phase::Idle => "No plan has been executed yet, so there is none to do again.",
            Phase::Planning => "Something else is being planned; go on with that first, or say \"cancel\".",
            Phase::AwaitingApproval => "A plan waits for your decision; decide on that one first, or say \"cancel\".",
            Phase::Executing => "A plan is running already.",
            Phase::Failed => "The last run failed; say retry, replan or abandon.",
        });
        return;
    };
    if !super::answer::may_run(turn) {
        return;
    }
    if learn::is_outdated(turn) {
        turn.say("A word of this plan means something else now, so it is planned anew.", None);
        turn.note(Outcome::Applied, "Planned anew, because a word of it means something else now.");
        learn::redraft(turn);
        return;
    }
    // What was approved once is approved for one run: a second one would have its effects a second time.
    if plan.steps().iter().any(|step| step.effect != EffectClass::Pure) {
        // The words of a later version are spread over the talk: drafted from the first alone it would be another plan.
        if plan.version() > 1 {
            turn.refuse(format!(
                "“{}” changes something, so it is not simply run again. Ask for it again, in one message.",
                plan.draft().title
            ));
            return;
        }
        turn.say(format!("“{}” changes something, so it is planned anew and asked about.", plan.draft().title), None);
        act::plan(turn, turn.message(), &plan.draft().problem, plan.draft().kind);
        return;
    }
    let title = plan.draft().title.clone();
    let run = RunId::new(turn.state().counters.run);
    let person = turn.person();
    let kept = Vec::new();
    let (trigger, checkpoints) = (Trigger::Redo, Some(turn.flow().approval_mode));
    turn.emit(Event::Run(RunEvent::Approved { person, run, plan, kept, trigger, note: None, checkpoints }));
    pause::set_out(turn, run);
    turn.say(format!("Executing “{title}” again, from scratch."), None);
    turn.note(Outcome::Applied, format!("“{title}” runs again as {run}."));
}

/// Stops what runs or waits (CF-26 to CF-28): no effect of the run starts after this turn.
pub(super) fn cancel(turn: &mut Turn<'_>) {
    let phase = turn.state().phase();
    // What is asked beside a run is still to be answered when the run is stopped; it starts nothing by itself.
    let keeps_questions = phase == Phase::Executing && turn.unasked_steps_max() == 0;
    let dropped_questions = !keeps_questions && drop_questions(turn);
    if turn.unasked_steps_max() > 0 {
        several::drop_all(turn, "what waited could have run unasked after the stop");
    }
    let said = match phase {
        Phase::Executing => {
            drop_queued_redo(turn);
            drop_task_that_would_run(turn);
            tried::drop_it(turn, "the run was stopped");
            act::stop_run(turn, Trigger::Cancel);
            turn.close_all(Resolution::Cancelled);
            None
        }
        Phase::Planning | Phase::AwaitingApproval | Phase::Failed => {
            turn.close_all(Resolution::Cancelled);
            turn.emit(Event::Planning(PlanningEvent::TaskDropped { trigger: Trigger::Cancel }));
            Some(match phase {
                Phase::Failed => "Given up. Facts of finished steps are kept.",
                Phase::Idle | Phase::Planning | Phase::AwaitingApproval | Phase::Executing => {
                    "Dropped. Nothing was executed."
                }
            })
        }
        Phase::Idle if turn.state().question().is_some() || dropped_questions => {
            turn.close_all(Resolution::Cancelled);
            Some("Dropped.")
        }
        Phase::Idle if turn.state().run().is_some() => {
            Some("Nothing is running or waiting. Say what should be different about the last plan, or /exit to leave.")
        }
        Phase::Idle => Some("Nothing is running or waiting. /exit leaves."),
    };
    if let Some(said) = said {
        turn.say(said, None);
    }
    turn.note(Outcome::Applied, "Stopped.");
}

/// "Stop" must not be what starts a run: a queued `/redo` goes with it. A queued task only drafts and asks.
fn drop_queued_redo(turn: &mut Turn<'_>) {
    let queued = &turn.state().queue().controls;
    let redo: Vec<_> = queued.iter().filter(|(_, command)| *command == Control::Redo).map(|(from, _)| *from).collect();
    for message in redo {
        turn.emit(Event::Aside(AsideEvent::QueueDropped { message }));
        turn.say("The queued /redo was dropped with the stop.", None);
        turn.receipt_for(message, Outcome::Refused, "Not done: it was dropped with the stop.".to_owned());
    }
}

/// A task that is run without being asked about must not begin because of a stop either.
fn drop_task_that_would_run(turn: &mut Turn<'_>) {
    let task = turn.state().queue().task.clone().filter(|_| turn.unasked_steps_max() > 0);
    let Some(task) = task else { return };
    turn.emit(Event::Aside(AsideEvent::QueueDropped { message: task.message }));
    turn.say(format!("The queued “{}” was dropped with the stop: it could have run unasked.", task.problem), None);
    turn.receipt_for(task.message, Outcome::Refused, "Not done: it was dropped with the stop.".to_owned());
}

fn drop_questions(turn: &mut Turn<'_>) -> bool {
    let open: Vec<_> = turn.state().questions.iter().map(|open| (open.request, open.message)).collect();
    for (request, message) in &open {
        turn.emit(Event::Aside(AsideEvent::QuestionClosed { request: *request }));
        if let Some(message) = message {
            turn.receipt_for(*message, Outcome::Refused, "Not answered: it was dropped.".to_owned());
        }
    }
    !open.is_empty()
}

fn exit(turn: &mut Turn<'_>, is_typed: bool) {
    if is_typed {
        leave(turn);
        return;
    }
    let pending = turn.ask(PendingKind::ConfirmExit);
    say::show(turn, &pending);
    turn.note(Outcome::Asked, "Asked whether to leave.");
}

pub(super) fn leave(turn: &mut Turn<'_>) {
    let said = match turn.state().phase() {
        Phase::Idle => "Goodbye. This conversation is kept.",
        Phase::Planning | Phase::AwaitingApproval | Phase::Failed => {
            "Goodbye. What waits here is kept and asked again when you come back."
        }
        Phase::Executing => "Goodbye. The run goes on when you come back, from where it is now.",
    };
    turn.say(said, None);
    turn.emit(Event::PersonLeft);
    turn.perform(Effect::CloseSurface);
    turn.note(Outcome::Applied, "Left.");
}

/// Takes up what waited: commands in order, then the next request of a message that asked for several; the task comes
/// when none of those waits any more.
pub(super) fn take_queue(turn: &mut Turn<'_>) {
    let queue = turn.state().queue().clone();
    if !queue.controls.is_empty() || queue.requests.is_empty() {
        turn.emit(Event::Aside(AsideEvent::QueueTaken));
    }
    for (message, command) in queue.controls {
        let (outcome, detail) = turn.apart(|turn| act(turn, command, true));
        turn.receipt_for(message, outcome, detail);
    }
    if !queue.requests.is_empty() {
        several::take_next(turn);
        return;
    }
    if let Some(task) = queue.task {
        turn.say(format!("Taking up what was queued: “{}”.", task.problem), None);
        turn.receipt_for(task.message, Outcome::Applied, "Taken up after the run.".to_owned());
        act::start_from(turn, Some(task.message), &task.problem, task.kind);
    }
}

/// What /help offers beyond the profile's own commands.
pub(super) fn help_card(turn: &Turn<'_>) -> Card {
    let mut lines: Vec<(String, String)> =
        turn.policy.commands.iter().map(|command| (command.name.clone(), command.help.clone())).collect();
    lines.extend(turn.policy.examples.iter().map(|example| (format!("“{example}”"), "for example".to_owned())));
    Card::Help { lines }
}
