//! Building: wishes become a plan. A small change is one step that shows its diff; anything larger, or what was asked
//! for as a plan, looks once more, edits, and runs the tests. Next: `draft` for what was wanted, `steps` for the
//! steps.

use turnwise_assistant::place::FilePath;
use turnwise_core::{Clarification, Plan, PlanDraft, Step};

use super::form::{self, Settled};
use super::kept::Kept;
use super::steps::Steps;
use crate::edit::{Draft, EditError, HunkChange, Proposal, last_applied, undo_proposal};
use crate::options::WorkerOptions;
use crate::rules::{Trouble, Wish, command_of, judge_known, make, of_project};
use crate::workspace::{LeftOut, Workspace};

/// Files that a small change may touch.
const QUICK_FILES_MAX: usize = 3;
/// Lines that a small change may add and remove.
const QUICK_LINES_MAX: usize = 100;
/// Files that a plan may change unless a person says otherwise.
pub(super) const PLAN_FILES_MAX: usize = 10;
/// Lines that a plan may add and remove unless a person says otherwise.
pub(super) const PLAN_LINES_MAX: usize = 1_000;
/// Steps that a plan may have unless a person says otherwise: each calls one tool.
pub(super) const PLAN_STEPS_MAX: usize = 50;

/// How a change is gone about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One step.
    Quick,
    /// Look, edit, test.
    Plan,
}

/// What the wishes came to.
pub(super) enum Built {
    /// A plan.
    Plan(Box<PlanDraft>),
    /// Something has to be asked first.
    Asks(Clarification),
    /// It cannot be done.
    Cannot(String),
}

/// What is to be built.
pub(super) struct Order<'a> {
    pub problem: &'a str,
    pub wishes: Vec<Wish>,
    pub shape: Shape,
    pub settled: &'a Settled,
    /// Files that are left out.
    pub without: Vec<FilePath>,
    /// What was chosen before of what comes of it.
    pub kept: Kept,
}

pub(super) fn build(workspace: &Workspace, order: &Order<'_>) -> Built {
    match try_build(workspace, order) {
        Ok(built) => built,
        Err(trouble) => match (form::of_trouble(&trouble), trouble) {
            (Some(clarification), _) => Built::Asks(clarification),
            (None, Trouble::Cannot(reason)) => Built::Cannot(reason),
            // Every other trouble has its question.
            (None, _) => Built::Cannot("It cannot be done as it was said.".to_owned()),
        },
    }
}

fn try_build(workspace: &Workspace, order: &Order<'_>) -> Result<Built, Trouble> {
    if order.wishes.contains(&Wish::Undo) {
        return undoing(workspace, order);
    }
    let commands: Vec<&Wish> = order.wishes.iter().filter(|wish| matches!(wish, Wish::Run { .. })).collect();
    let edits = order.wishes.len() - commands.len();
    if is_command_first(&order.wishes) {
        return Err(Trouble::because("Say the edits first and the commands after them: they are done in that order."));
    }
    let mut steps = Steps::default();
    let (mut notes, mut kept) = (Vec::new(), order.kept.clone());
    let edited = match edits {
        0 => None,
        _ => Some(edit(workspace, order, !commands.is_empty(), &mut steps, (&mut notes, &mut kept))?),
    };
    for wish in commands {
        let Wish::Run { words } = wish else { continue };
        steps.run(&command_of(workspace, words)?);
    }
    let (files, lines) = edited.map_or((0, 0), |proposal| (proposal.files.len(), proposal.lines()));
    let size = Size { files, lines, steps: steps.len() };
    if size.is_beyond_a_plan() && !order.settled.large {
        return Ok(Built::Asks(form::of_size(&size, &order.wishes)));
    }
    let mut built = plan(order.problem, steps, notes);
    if let Built::Plan(plan) = &mut built {
        plan.form = kept.written();
    }
    Ok(built)
}

/// Whether an edit stands behind a command.
pub(super) fn is_command_first(wishes: &[Wish]) -> bool {
    let is_command = |wish: &&Wish| matches!(wish, Wish::Run { .. });
    wishes.iter().skip_while(|wish| !is_command(wish)).any(|wish| !is_command(&wish))
}

/// How much a plan does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub files: usize,
    /// Added and removed.
    pub lines: usize,
    pub steps: usize,
}

impl Size {
    pub(super) fn has_many_changes(&self) -> bool {
        self.files > PLAN_FILES_MAX || self.lines > PLAN_LINES_MAX
    }

    pub(super) fn has_many_steps(&self) -> bool {
        self.steps > PLAN_STEPS_MAX
    }

    pub(super) fn is_beyond_a_plan(&self) -> bool {
        self.has_many_changes() || self.has_many_steps()
    }
}

/// The steps that edit, and what they do to the files.
fn edit(
    workspace: &Workspace,
    order: &Order<'_>,
    has_commands: bool,
    steps: &mut Steps,
    (notes, kept): (&mut Vec<String>, &mut Kept),
) -> Result<Proposal, Trouble> {
    let mut draft = Draft::new(workspace);
    let (mut titles, mut of_all) = (Vec::new(), Vec::new());
    for wish in order.wishes.iter().filter(|wish| !matches!(wish, Wish::Run { .. })) {
        let made = make(workspace, &mut draft, &settled(wish, order.settled))?;
        titles.push(made.title);
        notes.extend(made.notes);
        of_all.extend(made.of_all);
    }
    let goes_everywhere = order.wishes.iter().any(|wish| settled(wish, order.settled).goes_everywhere());
    notes.extend(workspace.left_out().filter(|_| goes_everywhere).map(LeftOut::told));
    order.without.iter().for_each(|path| draft.leave_out(path));
    let chosen = kept.keep(&mut draft)?;
    kept.of_diff = if chosen.is_empty() { of_all } else { chosen };
    notes.extend(kept.of_diff.iter().cloned());
    let proposal = Proposal::of(&draft);
    if proposal.is_empty() {
        let left = if kept.choices.is_empty() { "That changes nothing." } else { NOTHING_LEFT };
        return Err(Trouble::because(left));
    }
    let (files, lines) = (proposal.files.len(), proposal.lines());
    let is_small = files <= QUICK_FILES_MAX && lines <= QUICK_LINES_MAX;
    let title = titles.join(", then ");
    if order.shape == Shape::Quick && is_small {
        steps.apply(&title, &proposal);
        return Ok(proposal);
    }
    if order.shape == Shape::Quick {
        notes.push(format!("With {files} files and {lines} lines this is more than a small change, so it is a plan"));
    }
    steps.inspect(&proposal);
    steps.apply(&title, &proposal);
    if let Some(tests) = of_project(workspace, "tested").filter(|_| !has_commands) {
        steps.run(&judge_known(tests));
    }
    Ok(proposal)
}

/// A wish with what answers settled about it.
fn settled(wish: &Wish, settled: &Settled) -> Wish {
    let mut wish = wish.clone();
    if let (Wish::Misspelt { wrong, within }, Some(right)) = (&wish, &settled.right_word) {
        wish = Wish::Replace { from: wrong.clone(), to: right.clone(), within: within.clone(), without: Vec::new() };
    }
    if let (Wish::Rename { meant, .. }, Some(which)) = (&mut wish, &settled.which) {
        match form::is_all(which) {
            true => meant.all = true,
            false => meant.place = Some(which.clone()),
        }
    }
    match &mut wish {
        Wish::Rename { within, .. }
        | Wish::Replace { within, .. }
        | Wish::Misspelt { within, .. }
        | Wish::Import { within, .. }
        | Wish::Comment { within, .. }
        | Wish::Format { within, .. } => {
            if !settled.files.is_empty() {
                within.clone_from(&settled.files);
            }
        }
        Wish::Create { .. } | Wish::Edits(_) | Wish::Run { .. } | Wish::NotUnderstood { .. } | Wish::Undo => {}
    }
    wish
}

/// `plan` with other hunks of its diff.
pub(super) fn with_hunks(workspace: &Workspace, plan: &Plan, changes: &[HunkChange]) -> Built {
    match try_with_hunks(workspace, plan, changes) {
        Ok(built) => built,
        Err(Trouble::Cannot(reason)) => Built::Cannot(reason),
        Err(_) => Built::Cannot("The diff cannot be changed like that.".to_owned()),
    }
}

fn try_with_hunks(workspace: &Workspace, plan: &Plan, changes: &[HunkChange]) -> Result<Built, Trouble> {
    let is_edit = |step: &&Step| step.tool.as_str() == super::steps::APPLY;
    let Some(shown) = plan.steps().iter().find(is_edit) else {
        return Err(Trouble::because("This plan has no diff of which hunks could be changed."));
    };
    let proposal = super::steps::proposal_of(shown).map_err(Trouble::Cannot)?;
    let (mut draft, mut kept) = (proposal.drafted(workspace)?, Kept::of(plan.draft()));
    changes.iter().try_for_each(|change| change.make(&mut draft, &mut kept.choices))?;
    let proposal = Proposal::of(&draft);
    if proposal.is_empty() {
        return Err(Trouble::because(NOTHING_LEFT));
    }
    let (mut steps, mut draft) = (Steps::default(), plan.draft().clone());
    draft.assumptions.retain(|note| !kept.of_diff.contains(note));
    kept.of_diff = kept.told();
    draft.assumptions.extend(kept.of_diff.iter().cloned());
    draft.form = kept.written();
    for step in plan.steps() {
        steps.again(step, shown, &proposal);
    }
    if let Some((steps, result)) = steps.done() {
        (draft.steps, draft.result) = (steps, result);
    }
    Ok(Built::Plan(Box::new(draft)))
}

/// What is said where every hunk was left out.
const NOTHING_LEFT: &str = "Without these hunks nothing is left; “n” rejects the plan.";

/// A plan in which another agent does the work. Its diff is decided on when it is there.
pub(super) fn by_worker(problem: &str, task: &str, worker: &WorkerOptions) -> Built {
    let mut steps = Steps::default();
    steps.work(worker, task);
    let note = "It works in a copy; what it changes there is shown, and nothing is taken over before you say yes";
    plan(problem, steps, vec![note.to_owned()])
}

fn undoing(workspace: &Workspace, order: &Order<'_>) -> Result<Built, Trouble> {
    if order.wishes.len() > 1 {
        return Err(Trouble::because("Undoing is asked for alone."));
    }
    let Some((change, title, _)) = last_applied(workspace) else {
        return Err(Trouble::because("There is no change of mine in this workspace that could be taken back."));
    };
    let proposal = undo_proposal(workspace, change).map_err(|error| match error {
        EditError::StaleContext(path) => Trouble::because(format!(
            "“{title}” is not taken back: “{path}” was changed since, and what came after would be lost (stale_context)."
        )),
        error => error.into(),
    })?;
    let mut steps = Steps::default();
    steps.undo(change, &title, &proposal);
    let several = turnwise_core::text::words(order.problem);
    let several = several.iter().any(|word| crate::rules::COUNTS.contains(&word.as_str()));
    let notes = several.then(|| "One change is taken back at a time; “undo” takes back the one before it".to_owned());
    Ok(plan(order.problem, steps, notes.into_iter().collect()))
}

fn plan(problem: &str, steps: Steps, notes: Vec<String>) -> Built {
    match steps.done() {
        Some((steps, result)) => {
            Built::Plan(Box::new(PlanDraft { assumptions: notes, ..PlanDraft::new(problem, steps, result) }))
        }
        None => Built::Cannot("There is nothing to be done.".to_owned()),
    }
}
