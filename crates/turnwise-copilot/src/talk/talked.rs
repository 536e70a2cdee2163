//! A talk that becomes work, without a model: what was said in it as orders, or by the words of recipes, is put
//! together in the order it was said. What is only wanted, decided or forbidden is kept as that, and what nothing was
//! made of is told on the plan (FL-08). Next: `draft`.

use turnwise_core::patch::further;
use turnwise_core::{FactKind, Task};

use super::copilot::Copilot;
use super::draft::Known;
use crate::amend;
use crate::limits;
use crate::model;
use crate::orders::{orders_behind, outside_quotes};
use crate::planned::Wanted;
use crate::recipe::{Filled, Meant, Recipes, fill};
use crate::said;

/// The calls that a talk came to; none where there was no talk, or nothing was ordered in it.
pub(super) fn compiled(copilot: &Copilot, recipes: &Recipes, task: &Task) -> Option<Known> {
    let is_talk = task.heard.intent.as_deref().is_none_or(|intent| intent == IMPLEMENT);
    if !is_talk || task.previous.is_some() {
        return None;
    }
    let (mut all, mut assumed, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for point in points(task) {
        if let Some(more) = orders_behind(&point, all.len()) {
            all.extend(more);
            continue;
        }
        let Meant::One(recipe) = recipes.meant(&point) else {
            left.push(point);
            continue;
        };
        match fill(recipe, &point, &task.answers) {
            Filled::Whole(calls, taken) => {
                let begin = all.len();
                all.extend(calls.into_iter().map(|call| call.behind(begin)));
                assumed.extend(taken);
            }
            Filled::Asks(clarification) => return Some(Known::Asks(clarification)),
            Filled::Refused(told) => return Some(Known::Refused(told)),
        }
    }
    // What is left over is a model's, where there is one.
    if all.is_empty() || (!left.is_empty() && model::is_there(&copilot.models)) {
        return None;
    }
    assumed.extend(decided(task, &mut all));
    assumed.extend(left.iter().map(|point| format!("nothing is done for “{point}”, which names no step")));
    Some(Known::Calls(all, assumed))
}

/// What was decided is done to the steps where it names what stands in them; where it does not, that is told.
fn decided(task: &Task, all: &mut [Wanted]) -> Vec<String> {
    let mut is_done = |said: &str| {
        let texts = amend::put_for(said);
        // In all of them, and not in the first alone.
        texts.is_some_and(|(from, to)| {
            all.iter_mut().map(|one| amend::put(one, &from, &to)).filter(|is_there| *is_there).count() > 0
        })
    };
    let decisions = said::held(task).filter(|(kind, _)| *kind == FactKind::Decision);
    let told = decisions.map(|(_, said)| match is_done(said) {
        true => format!("“{said}” is done to the steps"),
        false => format!("no step was changed for “{said}”"),
    });
    told.collect()
}

/// What was said, a point each, without what is held as a decision, a constraint or an open point.
fn points(task: &Task) -> Vec<String> {
    let held: Vec<&str> = said::held(task).map(|(_, said)| said).collect();
    let said = std::iter::once(task.problem.as_str());
    let said = said.chain(task.changes.iter().filter_map(|change| further::question_of(change)));
    let mut points = Vec::new();
    for words in said {
        // A decision may have commas of its own.
        let words = held.iter().fold(words.to_owned(), |words, held| words.replace(held, ""));
        let (words, _) = limits::apart(&words);
        let parts = outside_quotes(&words, ", ");
        let is_order = |part: &String| orders_behind(part.trim(), 1).is_some();
        // What is no list of orders may be the words of a recipe, with what it has to be told.
        let parts = if is_order(&words) || !parts.iter().any(is_order) { vec![words] } else { parts };
        points
            .extend(parts.iter().map(|part| part.trim_matches([',', ' ']).to_owned()).filter(|part| !part.is_empty()));
    }
    points
}

/// The profile's label of what has a talk carried out.
const IMPLEMENT: &str = "implement";
