//! Drafting: a task becomes a plan of calls, a question, or a plain word on why not. Steps a person wrote come first,
//! then recipes, then a model where one was named. Next: `planned`.

use turnwise_core::{Choice, Clarification, DraftOutcome, PlanDraft, Task, text};

use super::copilot::Copilot;
use crate::orders::orders;
use crate::planned::{self, Wanted};
use crate::recipe::{Filled, Meant, Recipe, Recipes, fill};
use crate::tool::{Given, UNDO};

pub(super) async fn draft(copilot: &Copilot, task: &Task) -> DraftOutcome {
    let problem = task.problem.as_str();
    let recipes = copilot.recipes();
    let mut assumed = Vec::new();
    let mut wanted = match orders(problem) {
        Some(wanted) => wanted,
        None => match of_recipe(&recipes, task) {
            Ok(Some((wanted, taken))) => {
                assumed = taken;
                wanted
            }
            Ok(None) => return without_model(copilot, &recipes, problem),
            Err(clarification) => return DraftOutcome::Unclear { clarification },
        },
    };
    for change in &task.changes {
        if let Err(told) = take_change(&mut wanted, change) {
            return impossible(told);
        }
    }
    if let Err(told) = name_undone(copilot, &mut wanted) {
        return impossible(told);
    }
    match planned::plan(&copilot.toolbox, problem, &wanted).await {
        Ok(plan) => ready(PlanDraft { assumptions: assumed, ..plan }),
        Err(no_plan) => impossible(at_step(wanted.len(), &no_plan)),
    }
}

fn at_step(steps: usize, no_plan: &planned::NoPlan) -> String {
    match steps {
        1 => no_plan.told.clone(),
        _ => format!("Step {}: {}", no_plan.step + 1, no_plan.told),
    }
}

/// The calls of the recipe that a task means, with what was taken for granted; none where it means none.
fn of_recipe(recipes: &Recipes, task: &Task) -> Result<Option<(Vec<Wanted>, Vec<String>)>, Clarification> {
    let chosen = task.answers.iter().rev().find(|answer| answer.topic == WHICH_RECIPE);
    let recipe: &Recipe = match chosen.and_then(|answer| recipes.named(&answer.answer)) {
        Some(recipe) => recipe,
        None => match recipes.meant(&task.problem) {
            Meant::None => return Ok(None),
            Meant::One(recipe) => recipe,
            Meant::Several(several) => return Err(which(&several)),
        },
    };
    match fill(recipe, &task.problem, &task.answers) {
        Filled::Whole(wanted, assumed) => Ok(Some((wanted, assumed))),
        Filled::Asks(clarification) => Err(clarification),
    }
}

fn which(several: &[&Recipe]) -> Clarification {
    let choice = |recipe: &&Recipe| Choice { value: recipe.name.clone(), label: recipe.name.clone() };
    Clarification {
        topic: WHICH_RECIPE.to_owned(),
        question: "Which recipe do you mean?".to_owned(),
        choices: several.iter().map(choice).collect(),
        assumption: None,
        of: 0,
    }
}

/// A change of what was proposed: one more order, or another file to write to.
fn take_change(wanted: &mut Vec<Wanted>, change: &str) -> Result<(), String> {
    let also = change.trim().trim_start_matches("and ").trim_start_matches("also ");
    if let Some(more) = orders(also) {
        let begin = wanted.len();
        for (at, mut order) in more.into_iter().enumerate() {
            order.after = (begin + at).checked_sub(1).into_iter().collect();
            for given in order.givens.values_mut() {
                if let Given::ResultOf(step) = given {
                    *step += begin;
                }
            }
            wanted.push(order);
        }
        return Ok(());
    }
    let quoted = text::clip(change, QUOTED);
    Err(format!(
        "“{quoted}” is no change that can be made to this plan without a model. Possible are a further step, as “run \
         `ls`”, “skip step 2”, and the whole written anew."
    ))
}

/// An “undo” means the last write here, and the plan says which that is.
fn name_undone(copilot: &Copilot, wanted: &mut [Wanted]) -> Result<(), String> {
    for order in wanted.iter_mut().filter(|order| order.tool == UNDO && order.givens.is_empty()) {
        let Some(last) = copilot.folder.last_written() else {
            return Err("There is no write of mine in the working folder that could be taken back.".to_owned());
        };
        order.givens.insert("file".to_owned(), Given::Value(last.file.to_string().into()));
        order.givens.insert("number".to_owned(), Given::Value(last.number.into()));
    }
    Ok(())
}

fn without_model(copilot: &Copilot, recipes: &Recipes, problem: &str) -> DraftOutcome {
    let _ = copilot;
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

fn ready(plan: PlanDraft) -> DraftOutcome {
    DraftOutcome::Ready { plan, learned: Vec::new() }
}

fn impossible(explanation: impl Into<String>) -> DraftOutcome {
    DraftOutcome::Impossible { explanation: explanation.into(), suggestions: Vec::new() }
}

/// The topic of a question for one of several recipes.
const WHICH_RECIPE: &str = "recipe";
/// Characters of a person's words that are quoted back.
const QUOTED: usize = 60;
/// Recipes that are offered.
const SUGGESTED: usize = 4;
