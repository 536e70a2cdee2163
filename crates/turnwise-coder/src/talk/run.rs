//! Running steps. The only effects the coder has are here, and each asks for a permit that covers this very step with
//! the arguments that were shown. Next: `edit::apply`, `turnwise_assistant::command`.

use std::time::Duration;

use tokio_util::sync::CancellationToken;
use turnwise_assistant::command::{self, Ran, Terms};
use turnwise_assistant::printed;
use turnwise_core::{
    Answer, FactName, FactValue, LookUp, NewFact, Permit, Presentation, SourceKind, StepOutcome, StepTask,
};
use turnwise_model::Watching;

use super::build::Size;
use super::{form, steps};
use crate::edit::{EditError, Operation, Proposal, applied, apply, is_undone, recover, undo, undo_proposal};
use crate::options::Options;
use crate::rules::{Judgement, judge};
use crate::worker::{self, Ended, Job};
use crate::workspace::Workspace;

/// Runs `task` of a conversation; `stop` is asked as the last thing before an effect.
pub(super) fn run(
    workspace: &Workspace,
    conversation: &str,
    task: &StepTask,
    permit: &Permit,
    stop: &dyn Fn() -> bool,
    watching: &Watching,
) -> StepOutcome {
    let tool = task.work.tool.as_str();
    if tool != steps::INSPECT && !permit.covers(task) {
        return failed("This is not what was approved, so nothing was done. This is a defect.");
    }
    match tool {
        steps::INSPECT => inspect(workspace, task),
        steps::APPLY => apply_diff(workspace, conversation, task, stop),
        steps::UNDO => undo_change(workspace, task, stop),
        steps::RUN => run_command(workspace, task, stop, watching),
        other => failed(format!("The coder has no tool `{other}`.")),
    }
}

/// Whether an attempt at a step, of which nobody heard again, had its effect.
pub(super) fn look_up(workspace: &Workspace, conversation: &str, task: &StepTask) -> LookUp {
    let tool = task.work.tool.as_str();
    if tool == steps::WORK {
        // It worked in a copy, which is gone: of the workspace nothing was changed.
        return LookUp::DidNotHappen;
    }
    if tool == steps::RUN {
        return LookUp::CannotTell { reason: "a command leaves no record of whether it ran to its end".to_owned() };
    }
    // What was left half done is put right first: then there is nothing between done and not done.
    if let Err(error) = recover(workspace) {
        return LookUp::CannotTell { reason: error.to_string() };
    }
    let is_done = match tool {
        steps::APPLY => applied(workspace, &operation(conversation, task)).is_some(),
        steps::UNDO => steps::change_of(&task.work).is_some_and(|change| is_undone(workspace, change)),
        _ => false,
    };
    let proposal = steps::proposal_of(&task.work);
    match (is_done, proposal) {
        (true, Ok(proposal)) => match done(task, said_of(tool, &proposal)) {
            StepOutcome::Done { facts, answer } => LookUp::Happened { facts, answer },
            _ => LookUp::CannotTell { reason: "its outcome cannot be put together again".to_owned() },
        },
        (true, Err(reason)) => LookUp::CannotTell { reason },
        (false, _) => LookUp::DidNotHappen,
    }
}

/// Has another agent work in a copy; what it changed, and what it wants beyond, is for a person to decide.
pub(super) async fn work(
    workspace: &Workspace,
    options: &Options,
    task: &StepTask,
    permit: &Permit,
    cancelled: &CancellationToken,
) -> StepOutcome {
    if !permit.covers(task) {
        return failed("This is not what was approved, so nothing was done. This is a defect.");
    }
    let approved = steps::worker_of(&task.work);
    let worker = options.worker.as_ref().filter(|worker| Some(&worker.command) == approved.as_ref());
    let (Some(worker), Some(wanted)) = (worker, steps::task_of(&task.work)) else {
        return failed("The worker that was approved is not the one that is configured now; plan it again.");
    };
    let allowed = steps::allowed_of(&task.work);
    let ended = worker::run(Job { workspace, worker, task: wanted, allowed: &allowed }, cancelled).await;
    let name = worker.name();
    match ended {
        Ended::Changed { proposal, told } => {
            let title = turnwise_core::text::clip(
                &turnwise_core::text::capital(wanted.lines().next().unwrap_or_default()),
                TITLE,
            );
            let told =
                if told.is_empty() { String::new() } else { format!("\n{}", turnwise_core::text::clip(&told, SAID)) };
            let mut difference = format!("`{name}` is done, and this is what it would change.{told}");
            let size = Size { files: proposal.files.len(), lines: proposal.lines(), steps: 1 };
            if size.is_beyond_a_plan() {
                difference.push_str(&format!("\n{} Do all of it?", form::beyond(&size)));
            }
            StepOutcome::Asks { difference, instead: Box::new(steps::applying(&task.work, &title, &proposal)) }
        }
        Ended::Wants(wanted) => {
            let difference = format!("`{name}` wants something beyond its copy: {wanted}.");
            StepOutcome::Asks { difference, instead: Box::new(steps::allowing(&task.work, &wanted)) }
        }
        Ended::Nothing { left_out, said } => {
            let changed = if left_out.is_empty() { "changed nothing" } else { "changed nothing that is taken over" };
            let said = if said.is_empty() { said } else { format!("It said: {said}") };
            let told = [format!("`{name}` {changed}."), left_out, said];
            done(task, told.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
        }
        Ended::Failed(reason) => failed(reason),
        Ended::Cancelled => StepOutcome::Cancelled,
    }
}

/// The same for every attempt at one step of one conversation.
fn operation(conversation: &str, task: &StepTask) -> Operation {
    Operation::new(format!("{conversation}/{}/{}", task.run, task.step))
}

/// Whether the files still are as they were read. What it finds is in the log before anything is changed.
fn inspect(workspace: &Workspace, task: &StepTask) -> StepOutcome {
    let Some(files) = steps::files_read(&task.work) else { return failed("The step names no files.") };
    for file in &files {
        match workspace.digest(&file.path) {
            Ok(now) if steps::mark(now.as_ref()) == file.mark => {}
            Ok(_) => return failed(sentence(&EditError::StaleContext(file.path.clone()))),
            Err(error) => return failed(crate::rules::sentence(&error.to_string())),
        }
    }
    done(task, format!("{} as when the change was proposed.", as_before(files.len())))
}

fn as_before(files: usize) -> String {
    match files {
        1 => "1 file is".to_owned(),
        count => format!("{count} files are"),
    }
}

fn apply_diff(workspace: &Workspace, conversation: &str, task: &StepTask, stop: &dyn Fn() -> bool) -> StepOutcome {
    let proposal = match steps::proposal_of(&task.work) {
        Ok(proposal) => proposal,
        Err(reason) => return failed(reason),
    };
    // The size stands behind the words of the title.
    let title = task.work.description.rsplit_once(" (").map_or(task.work.description.as_str(), |(title, _)| title);
    match apply(workspace, &proposal, title, &operation(conversation, task), stop) {
        Ok(_) => done(task, said_of(steps::APPLY, &proposal)),
        Err(EditError::Stopped) => StepOutcome::Cancelled,
        Err(error) => failed(sentence(&error)),
    }
}

fn undo_change(workspace: &Workspace, task: &StepTask, stop: &dyn Fn() -> bool) -> StepOutcome {
    let (proposal, change) = match (steps::proposal_of(&task.work), steps::change_of(&task.work)) {
        (Ok(proposal), Some(change)) => (proposal, change),
        (Err(reason), _) => return failed(reason),
        (_, None) => return failed("The step does not say which change."),
    };
    // Where it cannot be told any more what it would do, it was done before, or undoing says why not.
    if undo_proposal(workspace, change).is_ok_and(|now| now != proposal) {
        return failed("apply_failed: taking it back would not do what was shown, so nothing was written.");
    }
    match undo(workspace, change, stop) {
        Ok(_) => done(task, said_of(steps::UNDO, &proposal)),
        Err(EditError::Stopped) => StepOutcome::Cancelled,
        Err(error) => failed(sentence(&error)),
    }
}

fn said_of(tool: &str, proposal: &Proposal) -> String {
    let places = match proposal.files.len() {
        1 => places(proposal),
        count => format!("{count} files: {}", places(proposal)),
    };
    match tool {
        steps::UNDO => format!("Taken back in {places}. It is as it was before."),
        _ => format!("Applied to {places}. “undo” takes it back."),
    }
}

/// Where the changes stand: `src/a.rs:3`.
fn places(proposal: &Proposal) -> String {
    let shown = proposal.files.iter().take(PLACES_MAX).map(|file| format!("{}:{}", file.path, file.first_line()));
    let mut shown: Vec<String> = shown.collect();
    if proposal.files.len() > PLACES_MAX {
        shown.push(format!("{} more", proposal.files.len() - PLACES_MAX));
    }
    shown.join(", ")
}

fn run_command(workspace: &Workspace, task: &StepTask, stop: &dyn Fn() -> bool, watching: &Watching) -> StepOutcome {
    let Some(command) = steps::command_of(&task.work) else { return failed("The step names no command.") };
    // A plan of an older log may hold what is not run any more.
    if let Judgement::Blocked(why) = judge(&command) {
        return failed(format!("`{}` is not run from here: {why}.", command.typed()));
    }
    if stop() {
        return StepOutcome::Cancelled;
    }
    let time = Duration::from_secs(u64::from(task.work.timeout_seconds));
    let typed = command.typed();
    let ran = printed::shown(watching, &typed, stop, |stop, print| {
        workspace.run(&command, &Terms { time, stop, ..Terms::plain() }, print)
    });
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return failed(format!("`{}` cannot be started: {error}.", command.typed())),
    };
    match ran.ended {
        command::Ended::Stopped => StepOutcome::Cancelled,
        command::Ended::TimedOut => {
            failed(format!("`{}` was ended after {} seconds.{}", command.typed(), time.as_secs(), shown(&ran)))
        }
        command::Ended::ByItself(Some(0)) => {
            done(task, format!("`{}` ended well (exit code 0).{}", command.typed(), shown(&ran)))
        }
        command::Ended::ByItself(Some(code)) => {
            failed(format!("`{}` failed with exit code {code}.{}", command.typed(), shown(&ran)))
        }
        command::Ended::ByItself(None) => {
            failed(format!("`{}` was ended by a signal.{}", command.typed(), shown(&ran)))
        }
    }
}

/// The last lines of an output: that is where it says how it ended.
fn shown(ran: &Ran) -> String {
    let lines: Vec<&str> = ran.output.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let left_out = lines.len().saturating_sub(LINES_SHOWN);
    let mut shown = String::new();
    if left_out > 0 {
        shown.push_str(&format!("\n… {left_out} lines before"));
    }
    for line in &lines[left_out..] {
        shown.push('\n');
        shown.push_str(line);
    }
    shown
}

/// The outcome of a step that did what it should: one fact in words, and the answer where the plan ends with it.
fn done(task: &StepTask, said: String) -> StepOutcome {
    let Some(name) = task.work.produces.first().cloned() else {
        return failed(format!("{} produces nothing.", task.work.id));
    };
    let answer =
        task.concludes.as_ref().map(|_| Answer { text: said.clone(), table: None, presentation: Presentation::Value });
    StepOutcome::Done { facts: vec![fact(name, said)], answer }
}

fn fact(name: FactName, said: String) -> NewFact {
    NewFact::new(name, FactValue::Text(said), SourceKind::Document)
}

fn failed(error: impl Into<String>) -> StepOutcome {
    StepOutcome::Failed { error: error.into() }
}

fn sentence(error: &EditError) -> String {
    // The code stands first, as it is, so that programs find it.
    let said = error.to_string();
    if said.ends_with('.') { said } else { format!("{said}.") }
}

/// Characters of a change's title.
const TITLE: usize = 70;
/// Characters of what a worker said.
const SAID: usize = 1_500;
/// Places that a sentence names.
const PLACES_MAX: usize = 8;
/// Lines of an output that an answer shows.
const LINES_SHOWN: usize = 30;
