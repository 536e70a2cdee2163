//! Settling: after every input, whatever should be happening and is not, starts. Ready steps start, an exhausted run
//! ends, a queue is taken up once nothing runs. Because this looks only at the state, it is also what recovery needs.
//! Next: `say`.

use super::turn::Turn;
use super::{constraints, control, evict, pause, report, satisfied, say, tried};
use crate::{
    Answer, Effect, Event, FactName, NamedResult, PendingKind, Phase, Presentation, Run, RunEvent, RunId, StepId,
};

/// Starts whatever should be happening.
pub(super) fn settle(turn: &mut Turn<'_>) {
    start_ready_steps(turn);
    end_exhausted_run(turn);
    tried::take_up(turn);
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
    if turn.state().active_run().is_none() || tried::holds(turn) {
        return;
    }
    if let Some(why) = constraints::pauses(turn) {
        turn.say(why, None);
    }
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
    let Some(ended) = turn.state().run() else { return };
    let (answers, left_out) = (answers(ended), ended.plan().draft().endings.left_out.clone());
    let change = tried::under_way(turn);
    turn.emit(Event::Run(RunEvent::Completed { run }));
    for answer in &answers {
        report::conclude(turn, answer);
    }
    if !left_out.is_empty() {
        let named: Vec<String> = left_out.iter().map(|step| format!("“{step}”")).collect();
        turn.say(format!("Left out, as you asked: {}.", named.join(", ")), None);
    }
    satisfied::ask(turn, run);
    tried::take_over(turn, change);
    evict::over_limits(turn);
}

/// What the run came to. One of several results is told with its name: it is not the answer to the whole task.
fn answers(run: &Run) -> Vec<Answer> {
    let draft = run.plan().draft();
    let done =
        |fact: &FactName, presentation| Answer { text: "Done.".to_owned(), table: Some(fact.clone()), presentation };
    if draft.endings.results.is_empty() {
        return vec![run.answer.clone().unwrap_or_else(|| done(&draft.result, Presentation::Table))];
    }
    let told = |named: &NamedResult| {
        let step = draft.producer(&named.fact);
        let said = step.and_then(|step| run.answers.get(&step.id)).cloned();
        let mut answer = said.unwrap_or_else(|| done(&named.fact, named.presentation));
        let of_step = |step: &crate::Step| format!("Result of {}, “{}”", step.id, step.description);
        let name = named.title.clone().or_else(|| step.map(of_step)).unwrap_or_default();
        answer.text = format!("{name}: {}", answer.text);
        answer
    };
    draft.endings.results.iter().map(told).collect()
}

fn fail(turn: &mut Turn<'_>, run: RunId) {
    turn.emit(Event::Run(RunEvent::Failed { run }));
    let pending = turn.ask(PendingKind::Failure { run });
    say::show(turn, &pending);
}
