//! What a run says to a question about it: what its plan says, and how each step stands. A failure is told with what it
//! kept from running and what is kept of it. Next: `decide::about`.

use super::{Topic, told, told::about_step, told::changing, told::effects, told::named, told::whole, told::why};
use crate::{Run, RunStatus, Step, StepId, StepState, patch, text};

/// The answer to `topic` from `run` and its plan; `None` for what the conversation or the assistant knows.
pub(crate) fn told_of_run(run: &Run, topic: &Topic) -> Option<String> {
    let plan = run.plan();
    let failed = run.status() == RunStatus::Failed;
    Some(match topic {
        Topic::IfFails if failed => failure(run)?,
        Topic::Progress => progress(run),
        Topic::Whole => format!("{} {}", whole(plan), progress(run)),
        Topic::Step(step) => format!("{}{}", about_step(plan, *step)?, stands(run, *step)),
        Topic::Why(step) => format!("{}{}", why(plan, *step)?, stands(run, *step)),
        Topic::Effects => format!("{}{}", effects(plan), changed_so_far(run)),
        Topic::Undo => format!(
            "There is no undo here: what a step changed stays.{} “stop” lets no further step start.",
            changed_so_far(run)
        ),
        // Approving is behind it.
        Topic::IfNo => return None,
        Topic::IfFails | Topic::Assumptions | Topic::Order | Topic::Result | Topic::Mention(_) => told(plan, topic)?,
        Topic::Who | Topic::Ways | Topic::Changes | Topic::Queue | Topic::Ask(..) => return None,
    })
}

/// Why it failed: the step, what it said, and what that keeps from running.
fn failure(run: &Run) -> Option<String> {
    let step = run.plan().step(run.failed_step()?)?;
    let error = run.error(step.id).unwrap_or("no reason was given");
    let error = error.trim_end_matches('.');
    let tried = match step.retries {
        0 => String::new(),
        retries => format!(" It may be tried again by itself up to {}.", text::count(retries as usize, "time")),
    };
    let skipped = in_state(run, |state| state == StepState::Skipped);
    let skipped = match skipped.as_slice() {
        [] => String::new(),
        skipped => format!(
            " {} {} not run, because of that.",
            text::capital(&patch::numbered(skipped)),
            if skipped.len() == 1 { "was" } else { "were" }
        ),
    };
    Some(format!("{} failed: {error}.{tried}{skipped} {}", text::capital(&named(step)), progress(run)))
}

fn in_state(run: &Run, wanted: impl Fn(StepState) -> bool) -> Vec<StepId> {
    run.states().filter(|(_, state)| wanted(*state)).map(|(step, _)| step).collect()
}

/// How many steps are done, and which come next.
fn progress(run: &Run) -> String {
    let all = text::count(run.plan().steps().len(), "step");
    let done = in_state(run, StepState::is_finished);
    let open = in_state(run, |state| !state.is_finished());
    match (done.as_slice(), open.as_slice()) {
        ([], _) => format!("None of its {all} is done."),
        (_, []) => format!("All of its {all} are done."),
        (done, open) => format!(
            "Of its {all}, {} {} done; {} {} not.",
            patch::numbered(done),
            if done.len() == 1 { "is" } else { "are" },
            patch::numbered(open),
            if open.len() == 1 { "is" } else { "are" }
        ),
    }
}

/// How a step stands, behind what it does.
fn stands(run: &Run, step: StepId) -> String {
    let Some(state) = run.state(step) else { return String::new() };
    let stands = match state {
        StepState::Waiting => "It has not begun".to_owned(),
        StepState::Running { .. } => "It is running now".to_owned(),
        StepState::Backoff { .. } => "It will be tried again".to_owned(),
        StepState::Unknown { .. } => "It is not known whether it had its effect".to_owned(),
        StepState::Done => "It is done".to_owned(),
        StepState::Reused => "It is done: what was found before is used".to_owned(),
        StepState::Failed => "It failed".to_owned(),
        StepState::Skipped => "It was not run, because a step it needs failed".to_owned(),
        StepState::Cancelled => "It was stopped".to_owned(),
    };
    let error = run.error(step).filter(|_| !state.is_finished());
    let error = error.map(|error| format!(": {}", error.trim_end_matches('.'))).unwrap_or_default();
    format!(" {stands}{error}.")
}

/// Which of the steps that change something are done.
fn changed_so_far(run: &Run) -> String {
    let changing = changing(run.plan());
    if changing.is_empty() {
        return String::new();
    }
    let is_done = |step: &&&Step| run.state(step.id).is_some_and(StepState::is_finished);
    let done: Vec<StepId> = changing.iter().filter(is_done).map(|step| step.id).collect();
    match done.as_slice() {
        [] => " None of that is done so far.".to_owned(),
        done => format!(" Done so far: {}.", patch::numbered(done)),
    }
}
