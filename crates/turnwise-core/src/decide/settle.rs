//! Settling: after every input, whatever should be happening and is not, starts. Ready steps start, an exhausted run
//! ends, a queue is taken up once nothing runs. Because this looks only at the state, it is also what recovery needs.
//! Next: `say`.

use super::turn::Turn;
use super::{control, pause, report, say};
use crate::{Answer, Effect, Event, FactName, PendingKind, Phase, Presentation, RunEvent, RunId, StepId, limits, text};

/// Starts whatever should be happening.
pub(super) fn settle(turn: &mut Turn<'_>) {
    start_ready_steps(turn);
    end_exhausted_run(turn);
    pause::ask_at_boundary(turn);
    // Taking the queue up may start a task, which may settle nothing further: drafting is work of its own.
    if turn.state().phase() == Phase::Idle && !turn.state().queue().is_empty() {
        control::take_queue(turn);
        start_ready_steps(turn);
        // A queued /redo under checkpoints waits at its first boundary, and has to say so.
        pause::ask_at_boundary(turn);
    }
}

fn start_ready_steps(turn: &mut Turn<'_>) {
    let Some(run) = turn.state().active_run() else { return };
    let id = run.id();
    let ready: Vec<StepId> = run.startable(turn.policy.slots);
    for step in ready {
        turn.emit(Event::Run(RunEvent::StepStarted { run: id, step, attempt: 1 }));
        turn.perform(Effect::StartStep { run: id, step, attempt: 1 });
    }
}

fn end_exhausted_run(turn: &mut Turn<'_>) {
    let Some(run) = turn.state().active_run().filter(|run| run.is_exhausted()) else { return };
    let id = run.id();
    match run.failed_step() {
        Some(_) => fail(turn, id),
        None => complete(turn, id),
    }
}

fn complete(turn: &mut Turn<'_>, run: RunId) {
    let state = turn.state();
    let ended = state.run();
    let result = ended.map(|run| run.plan().draft().result.clone());
    let answer = ended.and_then(|run| run.answer.clone()).unwrap_or_else(|| Answer {
        text: "Done.".to_owned(),
        table: result,
        presentation: Presentation::Table,
    });
    turn.emit(Event::Run(RunEvent::Completed { run }));
    let card = report::result_card(turn, &answer);
    turn.say(answer.text, Some(card));
    evict(turn);
}

fn fail(turn: &mut Turn<'_>, run: RunId) {
    turn.emit(Event::Run(RunEvent::Failed { run }));
    let pending = turn.ask(PendingKind::Failure { run });
    say::show(turn, &pending);
}

/// Drops the least recently resolved facts over the limit, never the ones of the plan at hand, and says so.
fn evict(turn: &mut Turn<'_>) {
    let facts = turn.state().facts();
    let Some(surplus) = facts.len().checked_sub(limits::FACTS_MAX).filter(|surplus| *surplus > 0) else { return };
    let plan = turn.state().plan().map(|plan| plan.id());
    let mut candidates: Vec<_> = facts.values().filter(|fact| Some(fact.plan) != plan).collect();
    candidates.sort_by_key(|fact| fact.recorded);
    let names: Vec<FactName> = candidates.into_iter().take(surplus).map(|fact| fact.name().clone()).collect();
    if names.is_empty() {
        return;
    }
    let said = format!(
        "{} dropped, oldest first: a conversation keeps {}. Ask again to resolve them anew.",
        text::count(names.len(), "older fact"),
        limits::FACTS_MAX
    );
    turn.emit(Event::FactsEvicted { names });
    turn.say(said, None);
}
