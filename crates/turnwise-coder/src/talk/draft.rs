//! Drafting: a task becomes a plan with the diff it would make, a question, or a plain word on why not. What needs a
//! model is said to need one; nothing is made up in its place. Next: `build`.

use turnwise_assistant::place::FilePath;
use turnwise_core::selected::{Behaviour, Scope};
use turnwise_core::{DraftOutcome, Task};
use turnwise_intent::behaviour::coder::{Missing, Selection, files_in};

use super::build::{Built, Order, Shape, build, is_command_first};
use super::form::{self, Aim, Settled};
use super::hunks::{hunk_change, names_hunks};
use super::kept::Kept;
use super::pointed;
use super::reader::{AS_CHANGE, AS_PLAN, CoderReader};
use super::{answer, form::SELECTED};
use crate::edit::{Choice, HunkChange};
use crate::model::Written;
use crate::options::WorkerOptions;
use crate::rules::{Places, Wish, is_command, not_understood, orders, places_of};
use crate::workspace::Workspace;

/// What drafting came to.
pub(super) enum Drafted {
    /// A plan, a question, or why there is neither.
    Done(DraftOutcome),
    /// It is for a model to write.
    Unwritten(Unwritten),
}

/// What no rule knows.
#[derive(Clone, Debug)]
pub(super) struct Unwritten {
    pub(super) problem: String,
    pub(super) shape: Shape,
    pub(super) settled: Settled,
    pub(super) kept: Kept,
}

/// Who writes what no rule knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// Nobody: it is refused by name.
    Nobody,
    /// A model, as edits that are shown.
    Model,
    /// Another agent, in a copy.
    Worker(WorkerOptions),
}

pub(super) fn draft(workspace: &Workspace, reader: &CoderReader, task: &Task, by: Writer) -> Drafted {
    let mut settled = Settled::of(workspace, &task.answers);
    if settled.cancelled {
        return Drafted::Done(impossible("Cancelled. Nothing was changed."));
    }
    if let Some(clarification) = form::of_file(&task.answers) {
        return Drafted::Done(DraftOutcome::Unclear { clarification });
    }
    let (wanted, problem) = overridden(task);
    // What was answered in own words is part of what is wanted.
    let merged = std::iter::once(problem).chain(settled.said.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let problem = if orders(problem).is_some() { problem } else { merged.as_str() };
    if let Some(built) = of_shown(workspace, task) {
        return Drafted::Done(outcome(built));
    }
    if let Some(change) = task.changes.last().filter(|change| names_hunks(change) && hunk_change(change).is_none()) {
        return Drafted::Done(impossible(unknown_change(change)));
    }
    if let Some(edits) = settled.written.take().filter(|_| task.changes.is_empty()) {
        let (shape, kept) = (wanted.unwrap_or(Shape::Plan), Kept::of_task(task, problem));
        let unwritten = Unwritten { problem: problem.to_owned(), shape, settled, kept };
        return Drafted::Done(of_model(workspace, unwritten, Some(Written::Edits(edits))));
    }
    if let Some(clarification) = here(workspace, task, problem, &mut settled) {
        return Drafted::Done(DraftOutcome::Unclear { clarification });
    }
    let unwritten = |shape: Shape, refusal: String, settled: &Settled| by.takes(problem, shape, task, settled, refusal);
    if let Some(wishes) = orders(problem) {
        let shape = wanted.unwrap_or_else(|| shape_of(reader, task, problem, &wishes));
        if let Some(words) = lost(&wishes) {
            return unwritten(shape, not_understood(words), &settled);
        }
        let settled_at_first = settled.clone();
        let ordered = ordered(workspace, task, &mut settled, (problem, wishes, shape));
        return ordered.map_or_else(|reason| unwritten(shape, reason, &settled_at_first), Drafted::Done);
    }
    if let Some(change) = task.changes.last() {
        return unwritten(wanted.unwrap_or(Shape::Plan), unknown_change(change), &settled);
    }
    let Some(selection) = reader.select(problem, &context(reader, task, &settled)) else {
        return unwritten(wanted.unwrap_or(Shape::Quick), without_model(problem), &settled);
    };
    match select(workspace, task, &settled, wanted, problem, &selection) {
        Some(outcome) => Drafted::Done(outcome),
        None => {
            let is_plan = selection.behaviour == Behaviour::Plan || settled.aim == Some(Aim::Plan);
            let shape = wanted.unwrap_or(if is_plan { Shape::Plan } else { Shape::Quick });
            unwritten(shape, without_model(problem), &settled)
        }
    }
}

/// What orders come to, with all that was said of them since. A plan that was changed before was made with those
/// changes, and a further one comes to them.
fn ordered(
    workspace: &Workspace,
    task: &Task,
    settled: &mut Settled,
    (problem, wishes, shape): (&str, Vec<Wish>, Shape),
) -> Result<DraftOutcome, String> {
    let nothing = Settled::default();
    let mut kept = Kept::of_task(task, problem);
    kept.changes.extend(task.changes.iter().cloned());
    let changes = kept.changes.clone();
    let mut wishes = wishes;
    if pointed::point(&wishes) {
        kept.selection = kept.selection.or_else(|| task.heard.around.selection.clone());
    }
    if let Some(selection) = &kept.selection {
        wishes = pointed::with_selection(workspace, selection, wishes);
    }
    let mut order = Order { problem, wishes, shape, settled: &nothing, without: Vec::new(), kept };
    for change in &changes {
        take_change(workspace, &mut order, settled, change)?;
    }
    order.settled = settled;
    Ok(outcome(build(workspace, &order)))
}

/// What is not understood of an order.
fn lost(wishes: &[Wish]) -> Option<&str> {
    wishes.iter().find_map(|wish| match wish {
        Wish::NotUnderstood { words } => Some(words.as_str()),
        _ => None,
    })
}

/// The plan that was shown with other hunks, where nothing else is to be changed: who wrote it is not asked again.
fn of_shown(workspace: &Workspace, task: &Task) -> Option<Built> {
    let changes: Option<Vec<HunkChange>> = task.changes.iter().map(|change| hunk_change(change)).collect();
    let changes = changes.filter(|changes| !changes.is_empty())?;
    let plan = task.previous.as_ref()?;
    Some(super::build::with_hunks(workspace, plan, &changes))
}

impl Writer {
    /// What becomes of words no rule knows.
    fn takes(&self, problem: &str, shape: Shape, task: &Task, settled: &Settled, refusal: String) -> Drafted {
        match self {
            Self::Nobody => Drafted::Done(impossible(refusal)),
            Self::Model => {
                let (kept, settled) = (Kept::of_task(task, problem), settled.clone());
                Drafted::Unwritten(Unwritten { problem: problem.to_owned(), shape, settled, kept })
            }
            Self::Worker(worker) => {
                let wanted = std::iter::once(problem).chain(task.changes.iter().map(String::as_str));
                let failed = task.failure.iter().map(|failure| format!("What failed: {failure}"));
                let wanted: Vec<String> = wanted.map(str::to_owned).chain(failed).collect();
                Drafted::Done(outcome(super::build::by_worker(problem, &wanted.join("\n"), worker)))
            }
        }
    }
}

/// What a model wrote, as a plan.
pub(super) fn of_model(workspace: &Workspace, unwritten: Unwritten, written: Option<Written>) -> DraftOutcome {
    let Unwritten { problem, shape, settled, kept } = unwritten;
    match written {
        None => impossible(without_model(&problem)),
        Some(Written::Nothing(reason)) => impossible(reason),
        Some(Written::Asks(question)) => DraftOutcome::Unclear { clarification: form::of_model(question) },
        Some(Written::Edits(edits)) => {
            let wishes = vec![Wish::Edits(edits)];
            let order = Order { problem: &problem, wishes, shape, settled: &settled, without: Vec::new(), kept };
            outcome(build(workspace, &order))
        }
    }
}

/// “This file”, “here”, and orders that go into one file and name none: what lies open is meant. Where nothing does,
/// and an order that needs none would go everywhere without a file, it is asked.
fn here(
    workspace: &Workspace,
    task: &Task,
    problem: &str,
    settled: &mut Settled,
) -> Option<turnwise_core::Clarification> {
    if !settled.files.is_empty() || settled.everywhere || !files_in(problem).is_empty() {
        return None;
    }
    let points = points_here(problem);
    if !points && !orders(problem).is_some_and(|wishes| wishes.iter().all(Wish::lacks_its_file)) {
        return None;
    }
    let open = task.heard.around.front().and_then(|name| workspace.find(name).ok());
    match open.as_ref().map(crate::workspace::Found::files) {
        Some([path, ..]) => {
            settled.files = vec![path.to_string()];
            None
        }
        _ => orders(problem).filter(|_| points).map(|_| form::of_here()),
    }
}

/// Whether words point to what lies open.
fn points_here(words: &str) -> bool {
    let words = turnwise_core::text::words(words);
    let said: Vec<&str> = words.iter().map(String::as_str).collect();
    let ends_here = matches!(said.last(), Some(&("here" | "this" | "it")));
    let names_it = said.windows(2).any(|pair| matches!(pair, ["this" | "current" | "open", "file" | "module"]));
    ends_here || names_it
}

/// What a selection leads to where the words are no order that is known.
fn select(
    workspace: &Workspace,
    task: &Task,
    settled: &Settled,
    wanted: Option<Shape>,
    problem: &str,
    selection: &Selection,
) -> Option<DraftOutcome> {
    if settled.aim == Some(Aim::Explain) {
        return Some(answered(workspace, task, problem));
    }
    let is_open = wanted.is_none() && settled.aim.is_none();
    if let Some(clarification) = form::of_selection(selection).filter(|_| is_open) {
        return Some(DraftOutcome::Unclear { clarification });
    }
    if let Some(missing @ (Missing::Aim | Missing::Reference)) = selection.assumed.filter(|_| is_open) {
        return Some(impossible(lacking(missing)));
    }
    if selection.behaviour == Behaviour::Answer && is_open {
        return Some(answered(workspace, task, problem));
    }
    if is_command(problem) {
        // Read as behind “run”: “a, then b” are two commands here as well.
        let typed = || vec![Wish::Run { words: problem.to_owned() }];
        let wishes = orders(&format!("run {problem}")).unwrap_or_else(typed);
        let (without, kept) = (Vec::new(), Kept::default());
        let order = Order { problem, wishes, shape: Shape::Quick, settled, without, kept };
        return Some(outcome(build(workspace, &order)));
    }
    None
}

/// What is known around a task that is looked at again after an answer.
fn context(reader: &CoderReader, task: &Task, settled: &Settled) -> turnwise_intent::classify::Context {
    let asked = task.answers.iter().filter(|answer| answer.topic == SELECTED).count();
    let mut context = reader.context(&task.heard.around);
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
fn overridden(task: &Task) -> (Option<Shape>, &str) {
    let problem = task.problem.as_str();
    match task.heard.intent.as_deref() {
        Some(AS_PLAN) => return (Some(Shape::Plan), problem),
        Some(AS_CHANGE) => return (Some(Shape::Quick), problem),
        _ => {}
    }
    // A person may write it as well: “plan: rename …”.
    let behind = |mark: &str| {
        let begins = problem.get(..mark.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(mark));
        begins.then(|| problem.get(mark.len()..)).flatten()
    };
    if let Some(rest) = behind("plan: ") {
        return (Some(Shape::Plan), rest);
    }
    match behind("change: ") {
        Some(rest) => (Some(Shape::Quick), rest),
        None => (None, problem),
    }
}

/// One edit is a small change whatever it is called; several things at once, or something broad, are a plan.
fn shape_of(reader: &CoderReader, task: &Task, problem: &str, wishes: &[Wish]) -> Shape {
    let runs = wishes.iter().filter(|wish| matches!(wish, Wish::Run { .. })).count();
    if runs > 0 && runs < wishes.len() {
        return Shape::Plan;
    }
    let selected = reader.select(problem, &reader.context(&task.heard.around));
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
    let named = files_in(change);
    if let Some(more) = orders(change) {
        if let Some(words) = lost(&more) {
            return Err(not_understood(words));
        }
        // Where an edit is said to come behind a command, it is refused like in one order.
        let as_said = is_command_first(&more);
        for wish in more {
            // What was ordered already is not ordered again, and commands come behind all edits.
            let commands = order.wishes.iter().position(|wish| matches!(wish, Wish::Run { .. }));
            match commands.filter(|_| !as_said && !matches!(wish, Wish::Run { .. })) {
                _ if order.wishes.contains(&wish) => {}
                Some(at) => order.wishes.insert(at, wish),
                None => order.wishes.push(wish),
            }
        }
        return Ok(());
    }
    if let Some(Places { within, without }) = places_of(change).filter(|_| changes_places(change)) {
        order.without.extend(found(workspace, &without)?);
        if !within.is_empty() {
            settled.files = found(workspace, &within)?.iter().map(ToString::to_string).collect();
        }
        return Ok(());
    }
    if let [Wish::Rename { meant, .. }] = order.wishes.as_mut_slice() {
        if form::is_all(change) {
            meant.takes_all = true;
            return Ok(());
        }
        if let Some(places) = also(change) {
            order.kept.choices.retain(|choice| !places.iter().any(|place| is_at(workspace, choice, place)));
            meant.also.extend(places);
            return Ok(());
        }
    }
    let renamed = renamed(change).filter(|_| named.is_empty());
    if let (Some(new), [Wish::Rename { to, .. }]) = (renamed, order.wishes.as_mut_slice()) {
        *to = new;
        return Ok(());
    }
    Err(unknown_change(change))
}

/// Whether a choice is about `src/a.rs:3`.
fn is_at(workspace: &Workspace, choice: &Choice, place: &str) -> bool {
    let Some((file, line)) = place.rsplit_once(':') else { return false };
    let found = workspace.find(file);
    let path = found.as_ref().ok().and_then(|found| found.files().first());
    path.zip(line.parse().ok()).is_some_and(|(path, line)| choice.is_about(path, line))
}

/// “Only in FILE”, “not in FILE”, “all files but FILE”, and nothing besides.
pub(super) fn changes_places(change: &str) -> bool {
    let words = turnwise_core::text::words(change);
    let narrows = words.iter().any(|word| matches!(word.as_str(), "only" | "just"));
    places_of(change).is_some_and(|places| !places.without.is_empty() || narrows)
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

/// “also a.rs:3”, “also a.rs:3 and b.rs:4”: the places.
pub(super) fn also(change: &str) -> Option<Vec<String>> {
    const TAKES: [&str; 6] = ["also", "too", "and", "with", "take", "include"];
    let words = change.split([' ', ',']).map(|word| word.trim_matches(['.', '!', '`', '“', '”', '"']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_any = |word: &str, wanted: &[&str]| wanted.iter().any(|it| word.eq_ignore_ascii_case(it));
    let says = |wanted: &[&str]| words.iter().any(|word| is_any(word, wanted));
    // “In a.rs:3” alone limits.
    if says(&["in"]) && !says(&TAKES) {
        return None;
    }
    let is_around = |word: &str| is_any(word, &TAKES) || is_any(word, &["please", "in", "rename"]);
    let left: Vec<&str> = words.iter().copied().filter(|word| !is_around(word)).collect();
    let is_place = |word: &&str| {
        word.rsplit_once(':').is_some_and(|(file, line)| !file.is_empty() && line.parse::<usize>().is_ok())
    };
    (!left.is_empty() && left.iter().all(is_place)).then(|| left.into_iter().map(str::to_owned).collect())
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
        "“{}” is no change that can be made to this without a model. Possible are: “only in FILE”, “not in FILE”, \
         “drop hunk 2”, “only hunk 1”, “call it NAME” and “also FILE:LINE” for a rename, and a further order.",
        turnwise_core::text::clip(change, QUOTED)
    )
}

/// What was asked for twice and not said.
fn lacking(missing: Missing) -> String {
    format!(
        "{}, so nothing was changed. Say it with the file and what should be different, as in: replace \"old\" with \
         \"new\" in FILE.",
        turnwise_core::text::capital(missing.assumption())
    )
}

fn without_model(problem: &str) -> String {
    format!(
        "“{}” takes a language model to write, and there is none here. Without one I can rename a name, replace a \
         text, correct a spelling you name, add an import or a comment, create a file with a given text, format, run a \
         command, and undo. For example: rename OLD to NEW; replace \"old\" with \"new\" in FILE.",
        turnwise_core::text::clip(problem, QUOTED)
    )
}

/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;

/// What turned out to be a question: nothing is planned, and the answer is said.
fn answered(workspace: &Workspace, task: &Task, problem: &str) -> DraftOutcome {
    match answer::look(workspace, problem, &task.heard.around) {
        Ok(said) => DraftOutcome::Answered { answer: answer::plain(said) },
        Err(said) => impossible(said),
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

#[cfg(test)]
mod tests;
