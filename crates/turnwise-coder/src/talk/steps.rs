//! Steps: the tools the coder's plans are made of, their arguments, and how a step is put together and read again. A
//! diff is there twice, as it is read and as it is applied, and a step whose two differ is not run. Next: `run`.

use std::collections::BTreeMap;

use turnwise_assistant::command::{COMMAND_SECONDS_MAX, CommandLine};
use turnwise_assistant::place::FilePath;
use turnwise_core::{EffectClass, FactName, Step, StepId, ToolName};

use crate::edit::{ChangeId, Proposal};
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

    fn add(&mut self, tool: &str, description: String, arguments: BTreeMap<&str, String>) {
        let number = u32::try_from(self.steps.len() + 1).unwrap_or(u32::MAX);
        let mut step = Step::new(StepId::new(number), description, ToolName::new(tool));
        step.arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        step.produces = vec![FactName::new(format!("{}_{number}", fact_of(tool)))];
        step.effect = effect_of(tool);
        step.after = self.steps.last().map(|before| before.id).into_iter().collect();
        self.steps.push(step);
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

/// Digits of a mark.
const MARK_DIGITS: usize = 12;

/// The change that a step takes back.
pub(super) fn change_of(step: &Step) -> Option<ChangeId> {
    step.arguments.get(CHANGE)?.parse().ok().map(ChangeId::new)
}

/// The command of a step.
pub(super) fn command_of(step: &Step) -> Option<CommandLine> {
    let words: Vec<String> = serde_json::from_str(step.arguments.get(COMMAND)?).ok()?;
    let (program, arguments) = words.split_first()?;
    Some(CommandLine { program: program.clone(), arguments: arguments.to_vec() })
}
