//! Steps: the tools the coder's plans are made of, their arguments, and how a step is put together and read again. A
//! diff is there twice, as it is read and as it is applied, and a step whose two differ is not run. Next: `run`.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};
use turnwise_assistant::command::{COMMAND_SECONDS_MAX, CommandLine};
use turnwise_assistant::place::FilePath;
use turnwise_core::{EffectClass, FactName, Step, StepId, ToolName};

use crate::edit::{ChangeId, Proposal};
use crate::options::WorkerOptions;
use crate::rules::{Judged, Judgement};
use crate::workspace::Digest;

/// Looks at the files a change is about.
pub(super) const INSPECT: &str = "inspect_files";
/// Applies a proposal.
pub(super) const APPLY: &str = "apply_diff";
/// Takes a change back.
pub(super) const UNDO: &str = "undo_change";
/// Runs a command.
pub(super) const RUN: &str = "run_command";
/// Has another agent work in a copy.
pub(super) const WORK: &str = "have_worker_do";

/// The diff as a person reads it.
pub(super) const DIFF: &str = "diff";
/// The same by file, with digests.
const PROPOSAL: &str = "proposal";
/// The files that are looked at, each with a mark of what it held.
const FILES: &str = "files";
/// The number of the change that is taken back.
const CHANGE: &str = "change";
/// The words of a command.
const COMMAND: &str = "command";
/// What a worker is to do.
const TASK: &str = "task";
/// What it may do beyond its copy.
const ALLOWED: &str = "allowed";

/// What a tool may do to the world.
pub(super) fn effect_of(tool: &str) -> EffectClass {
    match tool {
        INSPECT => EffectClass::Pure,
        _ => EffectClass::OnceOnly,
    }
}

/// Steps one after the other, each with a fact of its own.
#[derive(Default)]
pub(super) struct Steps {
    steps: Vec<Step>,
    /// What stands so far: a fact is named by it, so that one of an earlier version counts only for the same work.
    so_far: Sha256,
}

impl Steps {
    pub(super) fn inspect(&mut self, proposal: &Proposal) {
        let description = format!("Look at {} once more before anything is changed", files_of(proposal));
        let read = |file: &crate::edit::FileProposal| (file.path.to_string(), mark(file.before.as_ref()));
        let files: BTreeMap<String, String> = proposal.files.iter().map(read).collect();
        self.add(INSPECT, description, [(FILES, json(&files))].into());
    }

    pub(super) fn apply(&mut self, title: &str, proposal: &Proposal) {
        let description = format!("{title} ({})", size_of(proposal));
        self.add(APPLY, description, [(PROPOSAL, json(proposal)), (DIFF, proposal.diff())].into());
    }

    pub(super) fn undo(&mut self, change: ChangeId, title: &str, proposal: &Proposal) {
        let description = format!("Take back “{title}” ({})", size_of(proposal));
        let arguments = [(PROPOSAL, json(proposal)), (DIFF, proposal.diff()), (CHANGE, change.number().to_string())];
        self.add(UNDO, description, arguments.into());
    }

    pub(super) fn run(&mut self, judged: &Judged) {
        let command = &judged.command;
        let mut words = vec![command.program.clone()];
        words.extend(command.arguments.iter().cloned());
        let description = match judged.judgement {
            Judgement::Allowed => format!("Run `{}`", command.typed()),
            _ => format!("Run `{}`, which is not known to change nothing", command.typed()),
        };
        self.add(RUN, description, [(COMMAND, json(&words))].into());
        if let Some(step) = self.steps.last_mut() {
            step.timeout_seconds = COMMAND_SECONDS_MAX;
        }
    }

    /// A step of an earlier version; in the place of `edit`, and of a look at its files, those for `proposal`.
    pub(super) fn again(&mut self, step: &Step, edit: &Step, proposal: &Proposal) {
        let title = step.description.rsplit_once(" (").map_or(step.description.as_str(), |(title, _)| title);
        match step.tool.as_str() {
            INSPECT => self.inspect(proposal),
            APPLY if step.id == edit.id => self.apply(title, proposal),
            tool => {
                let arguments = step.arguments.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
                self.add(tool, step.description.clone(), arguments);
                if let Some(added) = self.steps.last_mut() {
                    added.timeout_seconds = step.timeout_seconds;
                }
            }
        }
    }

    /// Another agent does `task`.
    pub(super) fn work(&mut self, worker: &WorkerOptions, task: &str) {
        let description = format!("Have `{}` do it in a copy of the repository", worker.name());
        let arguments = [(TASK, task.to_owned()), (COMMAND, json(&worker.command))];
        self.add(WORK, description, arguments.into());
        if let Some(step) = self.steps.last_mut() {
            step.timeout_seconds = worker.seconds.saturating_add(WORK_SECONDS_MORE);
        }
    }

    fn add(&mut self, tool: &str, description: String, arguments: BTreeMap<&str, String>) {
        let number = u32::try_from(self.steps.len() + 1).unwrap_or(u32::MAX);
        let mut step = Step::new(StepId::new(number), description, ToolName::new(tool));
        step.arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        self.so_far.update(format!("{tool}{}", json(&step.arguments)));
        let mark = self
            .so_far
            .clone()
            .finalize()
            .iter()
            .take(MARK_BYTES)
            .fold(String::new(), |mark, byte| format!("{mark}{byte:02x}"));
        step.produces = vec![FactName::new(format!("{}_{number}_{mark}", fact_of(tool)))];
        step.effect = effect_of(tool);
        step.after = self.steps.last().map(|before| before.id).into_iter().collect();
        self.steps.push(step);
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The steps, and the fact that the last one leaves.
    pub(super) fn done(self) -> Option<(Vec<Step>, FactName)> {
        let result = self.steps.last()?.produces.first()?.clone();
        Some((self.steps, result))
    }
}

fn fact_of(tool: &str) -> &'static str {
    match tool {
        INSPECT => "inspected",
        APPLY => "applied",
        UNDO => "undone",
        WORK => "worked",
        _ => "command",
    }
}

fn json(value: &impl serde::Serialize) -> String {
    // Texts, numbers and lists of them: there is nothing in them that could not be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// “src/a.rs”, “3 files”.
pub(super) fn files_of(proposal: &Proposal) -> String {
    match proposal.files.as_slice() {
        [one] => one.path.to_string(),
        files => turnwise_core::text::count(files.len(), "file"),
    }
}

fn size_of(proposal: &Proposal) -> String {
    let counts = proposal.files.iter().map(|file| file.counts());
    let (added, removed) = counts.fold((0, 0), |(added, removed), (a, r)| (added + a, removed + r));
    format!("{}: +{added} −{removed}", files_of(proposal))
}

/// The proposal of a step, if what was shown is what would be applied.
pub(super) fn proposal_of(step: &Step) -> Result<Proposal, String> {
    let text = step.arguments.get(PROPOSAL).map_or("", String::as_str);
    let proposal: Proposal = serde_json::from_str(text)
        .map_err(|error| format!("apply_failed: the proposal of {} cannot be read ({error}).", step.id))?;
    let is_shown = step.arguments.get(DIFF).is_none_or(|diff| *diff == proposal.diff());
    match is_shown {
        true => Ok(proposal),
        false => Err("apply_failed: the diff that was shown is not the one that would be applied.".to_owned()),
    }
}

/// A file as it was read.
pub(super) struct FileRead {
    pub(super) path: FilePath,
    pub(super) mark: String,
}

/// The files that a step looks at.
pub(super) fn files_read(step: &Step) -> Option<Vec<FileRead>> {
    let files: BTreeMap<FilePath, String> = serde_json::from_str(step.arguments.get(FILES)?).ok()?;
    Some(files.into_iter().map(|(path, mark)| FileRead { path, mark }).collect())
}

/// The beginning of a digest: enough to see that a file changed. What is applied is compared whole.
pub(super) fn mark(digest: Option<&Digest>) -> String {
    digest.map_or_else(|| "new".to_owned(), |digest| digest.to_string().chars().take(MARK_DIGITS).collect())
}

/// Seconds beside its own that a worker's step may take: copying, and comparing.
const WORK_SECONDS_MORE: u32 = 60;
/// Bytes of a step's mark in the name of its fact.
const MARK_BYTES: usize = 4;
/// Digits of a mark.
const MARK_DIGITS: usize = 12;

/// The change that a step takes back.
pub(super) fn change_of(step: &Step) -> Option<ChangeId> {
    step.arguments.get(CHANGE)?.parse().ok().map(ChangeId::new)
}

/// The step by which what a worker changed would be applied, in the place of its own.
pub(super) fn applying(work: &Step, title: &str, proposal: &Proposal) -> Step {
    let arguments = [(PROPOSAL, json(proposal)), (DIFF, proposal.diff())];
    Step {
        description: format!("{title} ({})", size_of(proposal)),
        tool: ToolName::new(APPLY),
        arguments: arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        effect: effect_of(APPLY),
        ..work.clone()
    }
}

/// The same step, in which the worker may do this, too.
pub(super) fn allowing(work: &Step, wanted: &str) -> Step {
    let mut allowed = allowed_of(work);
    allowed.push(wanted.to_owned());
    let mut step = work.clone();
    step.description =
        format!("{}; it may: {}", work.description.split("; it may: ").next().unwrap_or_default(), allowed.join("; "));
    step.arguments.insert(ALLOWED.to_owned(), json(&allowed));
    step
}

/// What a worker is to do.
pub(super) fn task_of(step: &Step) -> Option<&str> {
    step.arguments.get(TASK).map(String::as_str)
}

/// The program of a worker as it was approved.
pub(super) fn worker_of(step: &Step) -> Option<Vec<String>> {
    serde_json::from_str(step.arguments.get(COMMAND)?).ok()
}

/// What it may do beyond its copy.
pub(super) fn allowed_of(step: &Step) -> Vec<String> {
    step.arguments.get(ALLOWED).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The command of a step.
pub(super) fn command_of(step: &Step) -> Option<CommandLine> {
    let words: Vec<String> = serde_json::from_str(step.arguments.get(COMMAND)?).ok()?;
    let (program, arguments) = words.split_first()?;
    Some(CommandLine { program: program.clone(), arguments: arguments.to_vec() })
}
