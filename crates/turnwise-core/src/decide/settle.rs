//! Settling: after every input, whatever should be happening and is not, starts. Ready steps start, an exhausted run
//! ends, a queue is taken up once nothing runs. Because this looks only at the state, it is also what recovery needs.
//! Next: `say`.

use super::turn::Turn;
use super::{control, evict, pause, report, say};
use crate::{Answer, Effect, Event, PendingKind, Phase, Presentation, RunEvent, RunId, StepId};

/// Starts whatever should be happening.
pub(super) fn settle(turn: &mut Turn<'_>) {
    start_ready_steps(turn);
    end_exhausted_run(turn);
    pause::ask_at_boundary(turn);
    evict::ended(turn);
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
    report::conclude(turn, &answer);
    evict::over_limits(turn);
}

fn fail(turn: &mut Turn<'_>, run: RunId) {
    turn.emit(Event::Run(RunEvent::Failed { run }));
    let pending = turn.ask(PendingKind::Failure { run });
    say::show(turn, &pending);
}
