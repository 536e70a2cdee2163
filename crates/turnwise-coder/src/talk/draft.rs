//! Drafting: a task becomes a plan with the diff it would make, a question, or a plain word on why not. What needs a
//! model is said to need one; nothing is made up in its place. Next: `build`.

use turnwise_assistant::place::FilePath;
use turnwise_core::{DraftOutcome, Task};
use turnwise_intent::Behaviour;
use turnwise_intent::behaviour::coder::{Scope, Selection, files_in};

use super::build::{Built, Order, Shape, build};
use super::form::{self, Aim, Settled};
use super::reader::{AS_CHANGE, AS_PLAN, CoderReader};
use super::{answer, form::SELECTED};
use crate::rules::{Wish, is_command, orders};
use crate::workspace::Workspace;

pub(super) fn draft(workspace: &Workspace, reader: &CoderReader, task: &Task) -> DraftOutcome {
    let mut settled = Settled::of(workspace, &task.answers);
    if settled.cancelled {
        return impossible("Cancelled. Nothing was changed.");
    }
    if let Some(clarification) = form::of_file(&task.answers) {
        return DraftOutcome::Unclear { clarification };
    }
    let (wanted, problem) = overridden(&task.problem);
    // What was answered in own words is part of what is wanted.
    let merged = std::iter::once(problem).chain(settled.said.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let problem = if orders(problem).is_some() { problem } else { merged.as_str() };
    if let Some(wishes) = orders(problem) {
        let shape = wanted.unwrap_or_else(|| shape_of(reader, problem, &wishes));
        let mut order = Order { problem, wishes, shape, settled: &Settled::default(), without: Vec::new() };
        for change in &task.changes {
            if let Err(reason) = take_change(workspace, &mut order, &mut settled, change) {
                return impossible(reason);
            }
        }
        order.settled = &settled;
        return outcome(build(workspace, &order));
    }
    if let Some(change) = task.changes.last() {
        return impossible(unknown_change(change));
    }
    let Some(selection) = reader.select(problem, &context(reader, task, &settled)) else {
        return impossible(without_model(problem));
    };
    select(workspace, &settled, wanted, problem, &selection)
}

/// What a selection leads to where the words are no order that is known.
fn select(
    workspace: &Workspace,
    settled: &Settled,
    wanted: Option<Shape>,
    problem: &str,
    selection: &Selection,
) -> DraftOutcome {
    if settled.aim == Some(Aim::Explain) {
        return answered(workspace, problem);
    }
    let is_open = wanted.is_none() && settled.aim.is_none();
    if let Some(clarification) = form::of_selection(selection).filter(|_| is_open) {
        return DraftOutcome::Unclear { clarification };
    }
    if selection.behaviour == Behaviour::Answer && is_open {
        return answered(workspace, problem);
    }
    if is_command(problem) {
        let wishes = vec![Wish::Run { words: problem.to_owned() }];
        let order = Order { problem, wishes, shape: Shape::Quick, settled, without: Vec::new() };
        return outcome(build(workspace, &order));
    }
    impossible(without_model(problem))
}

/// What is known around a task that is looked at again after an answer.
fn context(reader: &CoderReader, task: &Task, settled: &Settled) -> turnwise_intent::classify::Context {
    let asked = task.answers.iter().filter(|answer| answer.topic == SELECTED).count();
    let mut context = reader.context();
    context.clarification_attempts = u32::try_from(asked).unwrap_or(u32::MAX);
    if !settled.files.is_empty() {
        context.last_open_editor.clone_from(&settled.files);
        context.files = Some(settled.files.len());
    }
    if settled.everywhere {
        context.scope = Some(Scope::Large);
    }
    context
}

/// The words of a task, and the shape that a command asked for.
fn overridden(problem: &str) -> (Option<Shape>, &str) {
    if let Some(rest) = problem.strip_prefix(AS_PLAN) {
        return (Some(Shape::Plan), rest);
    }
    match problem.strip_prefix(AS_CHANGE) {
        Some(rest) => (Some(Shape::Quick), rest),
        None => (None, problem),
    }
}

/// One edit is a small change whatever it is called; several things at once, or something broad, are a plan.
fn shape_of(reader: &CoderReader, problem: &str, wishes: &[Wish]) -> Shape {
    let runs = wishes.iter().filter(|wish| matches!(wish, Wish::Run { .. })).count();
    if runs > 0 && runs < wishes.len() {
        return Shape::Plan;
    }
    let selected = reader.select(problem, &reader.context());
    match selected.is_some_and(|selection| selection.behaviour == Behaviour::Plan) {
        true => Shape::Plan,
        false => Shape::Quick,
    }
}

/// A change of what was proposed: other places, another name, or one more order.
fn take_change(
    workspace: &Workspace,
    order: &mut Order<'_>,
    settled: &mut Settled,
    change: &str,
) -> Result<(), String> {
    let words = turnwise_core::text::words(change);
    let says = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let named = files_in(change);
    if let Some(more) = orders(change) {
        order.wishes.extend(more);
        return Ok(());
    }
    if !named.is_empty() && says(&["not", "except", "without", "leave", "skip", "exclude"]) {
        order.without.extend(found(workspace, &named)?);
        return Ok(());
    }
    if !named.is_empty() && says(&["only", "just"]) {
        settled.files = found(workspace, &named)?.iter().map(ToString::to_string).collect();
        return Ok(());
    }
    let renamed = renamed(change).filter(|_| named.is_empty());
    if let (Some(new), [Wish::Rename { to, .. }]) = (renamed, order.wishes.as_mut_slice()) {
        *to = new;
        return Ok(());
    }
    Err(unknown_change(change))
}

fn found(workspace: &Workspace, named: &[String]) -> Result<Vec<FilePath>, String> {
    let mut files = Vec::new();
    for name in named {
        let found = workspace.find(name).map_err(|error| crate::rules::sentence(&error.to_string()))?;
        if found.files().is_empty() {
            return Err(format!("“{name}” stands for no file, or for several, in the workspace."));
        }
        files.extend_from_slice(found.files());
    }
    Ok(files)
}

/// “call it bar”, “bar instead”, “to bar instead”: the one word that is left.
pub(super) fn renamed(change: &str) -> Option<String> {
    const AROUND: [&str; 12] =
        ["call", "it", "name", "rename", "to", "instead", "rather", "please", "use", "better", "no", "make"];
    let left: Vec<&str> = change
        .split_whitespace()
        .map(|word| word.trim_matches([',', '.', '!', '`', '"', '“', '”', '\'']))
        .filter(|word| !AROUND.contains(&word.to_lowercase().as_str()))
        .collect();
    match left.as_slice() {
        [one] if crate::code::is_name(one) => Some((*one).to_owned()),
        _ => None,
    }
}

fn unknown_change(change: &str) -> String {
    format!(
        "“{}” is no change that can be made to this without a model. Possible are: “only in FILE”, “not in FILE”, “call \
         it NAME” for a rename, and a further order.",
        turnwise_core::text::clip(change, QUOTED)
    )
}

fn without_model(problem: &str) -> String {
    format!(
        "“{}” takes a language model to write, and there is none here. Without one I can rename a name, replace a text, \
         correct a spelling you name, add an import or a comment, create a file with a given text, format, run a \
         command, and undo. For example: rename OLD to NEW; replace \"old\" with \"new\" in FILE.",
        turnwise_core::text::clip(problem, QUOTED)
    )
}

/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;

/// What turned out to be a question. A draft has no word for “answered”: nothing is planned, and the answer is said.
fn answered(workspace: &Workspace, problem: &str) -> DraftOutcome {
    match answer::look(workspace, problem) {
        Ok(said) | Err(said) => impossible(said),
    }
}

fn outcome(built: Built) -> DraftOutcome {
    match built {
        Built::Plan(plan) => DraftOutcome::Ready { plan: *plan, learned: Vec::new() },
        Built::Asks(clarification) => DraftOutcome::Unclear { clarification },
        Built::Cannot(reason) => impossible(reason),
    }
}

fn impossible(explanation: impl Into<String>) -> DraftOutcome {
    DraftOutcome::Impossible { explanation: explanation.into(), suggestions: Vec::new() }
}
