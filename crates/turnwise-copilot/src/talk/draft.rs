//! Drafting: a task becomes a plan of calls, a question, or a plain word on why not. Steps a person wrote come first,
//! then recipes, then a model where one was named. Next: `planned`.

use std::collections::BTreeSet;

use turnwise_core::patch::{self, reworded};
use turnwise_core::{Choice, Clarification, DraftOutcome, FactKind, FactName, PlanDraft, Step, Task, text};
use turnwise_intent::behaviour::copilot::judge;
use turnwise_intent::classify::Context;

use super::copilot::Copilot;
use super::{asking, further, lacking, talked};
use crate::limits::{self, Doing, Limit};
use crate::model::{self, Drafted};
use crate::orders::{orders, wants_free, written};
use crate::planned::{self, Wanted};
use crate::recipe::{Filled, Meant, Recipe, Recipes, fill};
use crate::said;
use crate::tool::{Given, LIST, RUN, UNDO, WRITE};

pub(super) async fn draft(copilot: &Copilot, task: &Task) -> DraftOutcome {
    if let Some(outcome) = further::draft(copilot, task).await {
        return outcome;
    }
    let recipes = copilot.recipes();
    let known = match known(copilot, &recipes, task) {
        Known::Nothing if !model::is_there(&copilot.models) => lacking::asked(copilot, task).unwrap_or(Known::Nothing),
        known => known,
    };
    let (mut wanted, assumed) = match known {
        Known::Calls(wanted, assumed) => (wanted, assumed),
        Known::Asks(clarification) => return DraftOutcome::Unclear { clarification },
        Known::Refused(told) => return impossible(told),
        Known::Nothing => return of_model(copilot, &recipes, task).await,
    };
    for change in task.changes.iter().filter(|change| patch::further::question_of(change).is_none()) {
        if let Err(told) = take_change(&mut wanted, change) {
            // Changing a plan in other words is what a model is for; what it makes is shown as a new version.
            return if model::is_there(&copilot.models) {
                of_model(copilot, &recipes, task).await
            } else {
                impossible(told)
            };
        }
    }
    match of_calls(copilot, task, &task.problem, wanted, &BTreeSet::new()).await {
        DraftOutcome::Ready { plan, learned } => {
            let assumptions = assumed.into_iter().chain(plan.assumptions).collect();
            DraftOutcome::Ready { plan: PlanDraft { assumptions, ..plan }, learned }
        }
        outcome => outcome,
    }
}

/// The plan of calls that were said, for `problem`; the names in `taken` are those of results that are none of its own.
pub(super) async fn of_calls(
    copilot: &Copilot,
    task: &Task,
    problem: &str,
    mut wanted: Vec<Wanted>,
    taken: &BTreeSet<FactName>,
) -> DraftOutcome {
    if let Err(told) = name_undone(copilot, wanted.iter_mut(), Vec::new()) {
        return impossible(told);
    }
    settle(wanted.iter_mut(), &requirements(task));
    if let Some(told) = in_the_way(copilot, wanted.iter()) {
        return impossible(told);
    }
    let limits = limits::of_task(task);
    if let Some(told) = limits::broken(&limits, wanted.iter(), copilot.folder.root()) {
        return impossible(told);
    }
    match planned::plan(&copilot.toolbox, problem, &wanted, taken).await {
        Ok(mut plan) => {
            asking::mark(copilot, plan.steps.iter_mut());
            ready(keeping(plan, &limits))
        }
        Err(no_plan) => impossible(at_step(wanted.len(), &no_plan)),
    }
}

/// What can be seen to go wrong before anything is done: a file that cannot be written, or one that is there already
/// and would be overwritten by the first step.
pub(super) fn in_the_way<'a>(copilot: &Copilot, wanted: impl Iterator<Item = &'a Wanted>) -> Option<String> {
    let text = |one: &'a Wanted, name: &str| match one.givens.get(name) {
        Some(Given::Value(value)) => value.as_str(),
        _ => None,
    };
    wanted.enumerate().find_map(|(at, one)| match one.tool.as_str() {
        WRITE => copilot.folder.cannot_write(text(one, "file")?),
        RUN if at == 0 => {
            let file = wants_free(text(one, "command")?).filter(|file| copilot.folder.has(file))?;
            Some(format!("“{file}” is there already and is not overwritten. Name another file, or delete that first."))
        }
        _ => None,
    })
}

/// The plan with what it keeps to said on it.
pub(super) fn keeping(mut plan: PlanDraft, limits: &[Limit]) -> PlanDraft {
    let steps: Vec<Doing> = plan.steps.iter().map(Doing::from).collect();
    // What an earlier version kept to was looked at with other steps.
    plan.assumptions.retain(|assumed| !limits::is_told(assumed));
    plan.assumptions.extend(limits.iter().map(|limit| limit.told(&steps)));
    plan
}

/// Whether a talk came to more than its first task.
fn has_more(task: &Task) -> bool {
    task.changes.iter().any(|change| patch::further::question_of(change).is_some())
}

/// What was talked over before the plan, a line each; empty where there was no talk (FL-08).
pub(super) fn requirements(task: &Task) -> String {
    let mut lines = Vec::new();
    for (kind, told) in
        [(FactKind::Decision, "Decided"), (FactKind::Constraint, "Must hold"), (FactKind::Note, "Still open")]
    {
        let said = said::held(task).filter(|(held, _)| *held == kind);
        lines.extend(said.map(|(_, said)| format!("{told}: {said}")));
    }
    if !lines.is_empty() {
        lines.insert(0, format!("Wanted: {}", task.problem));
    }
    lines.join("\n")
}

/// Puts the requirements where they are wanted, as the text that is approved.
pub(super) fn settle<'a>(wanted: impl Iterator<Item = &'a mut Wanted>, requirements: &str) {
    let givens = wanted.flat_map(|order| order.givens.values_mut());
    for given in givens.filter(|given| **given == Given::Requirements && !requirements.is_empty()) {
        *given = Given::Value(format!("{requirements}\n").into());
    }
}

pub(super) fn at_step(steps: usize, no_plan: &planned::NoPlan) -> String {
    match steps {
        1 => no_plan.told.clone(),
        _ => format!("Step {}: {}", no_plan.step + 1, no_plan.told),
    }
}

/// What is known of a task without a model.
pub(super) enum Known {
    /// Its calls, with what was taken for granted.
    Calls(Vec<Wanted>, Vec<String>),
    /// Something has to be asked first.
    Asks(Clarification),
    /// It cannot be done as it was said, and why.
    Refused(String),
    /// Nothing.
    Nothing,
}

/// What is known of a task by what was said alone: by the recipe that was chosen, in a talk, as orders, by a recipe.
fn known(copilot: &Copilot, recipes: &Recipes, task: &Task) -> Known {
    let problem = task.problem.as_str();
    let (ordered, _) = limits::apart(problem);
    // Everyday work is a recipe's where one is meant.
    let is_meant = matches!(recipes.meant(problem), Meant::One(_) | Meant::Several(_));
    let ordered = if is_meant { written(&ordered) } else { orders(&ordered) };
    let ordered = ordered.filter(|_| recipes.called(problem).is_none());
    if let Some(recipe) = chosen(recipes, task) {
        return filled(recipe, task);
    }
    let is_talk = ordered.is_none() || has_more(task);
    if let Some(talked) = is_talk.then(|| talked::compiled(copilot, recipes, task)).flatten() {
        return talked;
    }
    match ordered {
        Some(wanted) if lists_nothing(copilot, &wanted) => match offered(copilot, recipes, task) {
            Known::Nothing => Known::Refused(nothing_listed(copilot, &wanted)),
            known => known,
        },
        Some(wanted) => Known::Calls(wanted, Vec::new()),
        None => of_recipe(copilot, recipes, task),
    }
}

/// The calls of the recipe that a task means.
fn of_recipe(copilot: &Copilot, recipes: &Recipes, task: &Task) -> Known {
    match (recipes.called(&task.problem), recipes.meant(&task.problem)) {
        (Some(recipe), _) | (None, Meant::One(recipe)) => filled(recipe, task),
        (None, Meant::Several(several)) => Known::Asks(which(&several)),
        (None, Meant::None) => offered(copilot, recipes, task),
    }
}

/// The recipe that was chosen when it was asked which is meant.
fn chosen<'a>(recipes: &'a Recipes, task: &Task) -> Option<&'a Recipe> {
    let answer = task.answers.iter().rev().find(|answer| answer.topic == WHICH_RECIPE)?;
    recipes.named(&answer.answer)
}

fn filled(recipe: &Recipe, task: &Task) -> Known {
    match fill(recipe, &task.problem, &task.answers) {
        Filled::Whole(wanted, assumed) => Known::Calls(wanted, assumed),
        Filled::Asks(clarification) => Known::Asks(clarification),
        Filled::Refused(told) => Known::Refused(told),
    }
}

/// The question which of the recipes that a task is about is meant, once: what only speaks of the same is shown before
/// it is taken. Where a model plans, none is offered in its place.
fn offered(copilot: &Copilot, recipes: &Recipes, task: &Task) -> Known {
    let is_asked = task.answers.iter().any(|answer| answer.topic == WHICH_RECIPE);
    match recipes.about(&task.problem).as_slice() {
        some @ [_, ..] if !is_asked && !model::is_there(&copilot.models) => Known::Asks(which(some)),
        _ => Known::Nothing,
    }
}

/// Whether all that is ordered is to list a folder that is not there.
fn lists_nothing(copilot: &Copilot, wanted: &[Wanted]) -> bool {
    let is_away = |only: &Wanted| folder_of(only).is_some_and(|folder| copilot.folder.lacks(folder));
    matches!(wanted, [only] if only.tool == LIST && is_away(only))
}

fn folder_of(wanted: &Wanted) -> Option<&str> {
    match wanted.givens.get("folder") {
        Some(Given::Value(folder)) => folder.as_str(),
        _ => None,
    }
}

/// That there is no such folder, and what there is.
fn nothing_listed(copilot: &Copilot, wanted: &[Wanted]) -> String {
    let named = wanted.first().and_then(folder_of).unwrap_or_default();
    let there = copilot.folder.list(None).unwrap_or_default();
    let folders: Vec<String> = there.lines().filter_map(|line| line.strip_suffix('/')).map(str::to_owned).collect();
    match folders.is_empty() {
        true => format!("There is no folder “{named}” here; “list files” shows what there is."),
        false => format!("There is no folder “{named}” here. There are: {}.", text::listed(&folders)),
    }
}

fn which(several: &[&Recipe]) -> Clarification {
    let choice = |recipe: &&Recipe| Choice::new(recipe.name.clone(), recipe.name.clone());
    // One choice alone would be no choice.
    let other = (several.len() == 1).then(|| Choice::new(NONE_OF_THEM, "No, something else"));
    let question = match several {
        [only] => format!("Do you mean the recipe “{}”?", only.name),
        _ => "Which recipe do you mean?".to_owned(),
    };
    Clarification {
        topic: WHICH_RECIPE.to_owned(),
        question,
        choices: several.iter().map(choice).chain(other).collect(),
        assumption: None,
        of: 0,
    }
}

/// A change of what is about to be proposed: one more order.
fn take_change(wanted: &mut Vec<Wanted>, change: &str) -> Result<(), String> {
    if let Some(more) = further::wanted_behind(change, wanted.len()) {
        wanted.extend(more);
        return Ok(());
    }
    let quoted = text::clip(&reworded::in_words(change), QUOTED);
    Err(format!(
        "“{quoted}” is no change that can be made to this plan without a model. Possible are “also run `ls`”, “change \
         step 2 to run `ls`”, “use b.txt instead of a.txt”, “drop step 2”, “swap 1 and 2”, and the whole written anew."
    ))
}

/// An “undo” means the last write here that is not `named` already, and the plan says which that is.
pub(super) fn name_undone<'a>(
    copilot: &Copilot,
    wanted: impl Iterator<Item = &'a mut Wanted>,
    mut named: Vec<u64>,
) -> Result<(), String> {
    for order in wanted.filter(|order| order.tool == UNDO && order.givens.is_empty()) {
        let Some(last) = copilot.folder.to_undo(&copilot.own(), &named) else {
            return Err("There is no write of mine in the working folder that could be taken back.".to_owned());
        };
        if named.is_empty() && !copilot.folder.is_in_place(&last) {
            return Err(format!("“{}” was changed since it was written, so it is left as it is.", last.file));
        }
        named.push(last.number);
        order.givens.insert("file".to_owned(), Given::Value(last.file.to_string().into()));
        order.givens.insert("number".to_owned(), Given::Value(last.number.into()));
    }
    Ok(())
}

/// The number of the write that a step takes back.
pub(super) fn number_of(step: &Step) -> Option<u64> {
    step.arguments.get("number")?.parse().ok()
}

/// The plan a model writes, after what it would have to guess at was asked for (FL-01).
async fn of_model(copilot: &Copilot, recipes: &Recipes, task: &Task) -> DraftOutcome {
    if !model::is_there(&copilot.models) {
        return without_model(recipes, &task.problem);
    }
    let is_asked = task.answers.iter().any(|answer| answer.topic == MISSING);
    let judged = judge(&task.problem, "task", task.heard.routing.unwrap_or(copilot.routing()), &Context::default());
    if let Some(asked) = judged.clarification.filter(|_| !is_asked && task.previous.is_none()) {
        return unclear(MISSING, asked.question, Some("whatever is usual".to_owned()));
    }
    match model::draft(&copilot.models, &copilot.toolbox, task, &requirements(task)).await {
        None => without_model(recipes, &task.problem),
        Some(Drafted::Asks(question)) => unclear(BY_MODEL, question, None),
        Some(Drafted::Nothing(told)) => {
            impossible(format!("{told} Write the steps down, as “1. run `ls` 2. write it to list.txt”, or try again."))
        }
        Some(Drafted::Calls(wanted, by)) => of_model_calls(copilot, task, &wanted, &by).await,
    }
}

/// The plan of calls that the model `by` wrote.
async fn of_model_calls(copilot: &Copilot, task: &Task, wanted: &[Wanted], by: &str) -> DraftOutcome {
    let limits = limits::of_task(task);
    if let Some(told) = limits::broken(&limits, wanted.iter(), copilot.folder.root()) {
        return impossible(told);
    }
    if let Some(told) = in_the_way(copilot, wanted.iter().filter(|one| one.tool == WRITE)) {
        return impossible(told);
    }
    match planned::plan(&copilot.toolbox, &task.problem, wanted, &BTreeSet::new()).await {
        Ok(mut plan) => {
            asking::mark(copilot, plan.steps.iter_mut());
            let note = format!("The steps were written by the model {by}; each runs as it is shown");
            ready(keeping(PlanDraft { assumptions: vec![note], ..plan }, &limits))
        }
        Err(no_plan) => impossible(at_step(wanted.len(), &no_plan)),
    }
}

fn unclear(topic: &str, question: String, assumption: Option<String>) -> DraftOutcome {
    let clarification = Clarification { topic: topic.to_owned(), question, choices: Vec::new(), assumption, of: 0 };
    DraftOutcome::Unclear { clarification }
}

fn without_model(recipes: &Recipes, problem: &str) -> DraftOutcome {
    let mut told = format!(
        "“{}” is no recipe, and names no steps I know; to plan it takes a language model, and there is none here. Write \
         the steps down, as “1. run `ls` 2. write it to list.txt”, or ask “what can you do”.",
        text::clip(problem, QUOTED)
    );
    for trouble in &recipes.troubles {
        told.push(' ');
        told.push_str(trouble);
    }
    let suggestions = recipes.all.iter().filter_map(|recipe| recipe.words.first().cloned()).take(SUGGESTED);
    DraftOutcome::Impossible { explanation: told, suggestions: suggestions.collect() }
}

pub(super) fn ready(plan: PlanDraft) -> DraftOutcome {
    DraftOutcome::Ready { plan, learned: Vec::new() }
}

pub(super) fn impossible(explanation: impl Into<String>) -> DraftOutcome {
    DraftOutcome::Impossible { explanation: explanation.into(), suggestions: Vec::new() }
}

/// The topic of a question for one of several recipes.
const WHICH_RECIPE: &str = "recipe";
/// Chosen where the only recipe that is offered is not meant.
const NONE_OF_THEM: &str = "none";
/// The topic of a question for what a task does not say.
const MISSING: &str = "missing";
/// The topic of a question a model asks.
const BY_MODEL: &str = "by_model";
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;
/// Recipes that are offered.
const SUGGESTED: usize = 4;
