//! Plans of calls: what is wanted becomes steps whose every argument stands in the plan, and is read from there again
//! when a step runs. Nothing of another place reaches a tool. Next: `tool` for what a call is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};
use turnwise_assistant::{comma, digest};
use turnwise_core::{
    Endings, Fact, FactName, FactValue, NamedResult, Plan, PlanDraft, Presentation, Step, StepId, StepTask, ToolName,
};

use crate::tool::{About, Given, Tool, Toolbox};

/// A call that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    /// The tool.
    pub tool: String,
    /// What it is called with.
    pub givens: BTreeMap<String, Given>,
    /// The steps it waits for besides those whose results it uses, counted from 0.
    pub after: Vec<usize>,
    /// What it does, where whoever wants it says so.
    pub says: Option<String>,
}

impl Wanted {
    /// The steps whose results it uses.
    pub fn uses(&self) -> impl Iterator<Item = usize> {
        self.givens.values().filter_map(|given| match given {
            Given::ResultOf(step) => Some(*step),
            Given::Value(_) | Given::Held(_) | Given::Requirements => None,
        })
    }

    /// The same, to be others.
    pub fn uses_mut(&mut self) -> impl Iterator<Item = &mut usize> {
        self.givens.values_mut().filter_map(|given| match given {
            Given::ResultOf(step) => Some(step),
            Given::Value(_) | Given::Held(_) | Given::Requirements => None,
        })
    }

    /// Behind `base` others, where it counted its own from 0.
    pub fn behind(mut self, base: usize) -> Self {
        self.uses_mut().for_each(|step| *step += base);
        self.after.iter_mut().for_each(|step| *step += base);
        if self.after.is_empty() {
            self.after.extend(base.checked_sub(1));
        }
        self
    }
}

/// Why calls are no plan: which step, counted from 0, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoPlan {
    /// The step.
    pub step: usize,
    /// What is wrong.
    pub told: String,
}

/// The plan that these calls make. The names in `taken` are those of results that are none of its own.
///
/// # Errors
/// The first call that cannot be made as it is wanted.
pub(crate) async fn plan(
    toolbox: &Toolbox,
    problem: &str,
    wanted: &[Wanted],
    taken: &BTreeSet<FactName>,
) -> Result<PlanDraft, NoPlan> {
    let parts: Vec<Part> = wanted.iter().map(|wanted| Part { wanted: wanted.clone(), was: None }).collect();
    amended(toolbox, problem, &[], &parts, taken).await
}

/// A step of a plan that is amended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// The call.
    pub wanted: Wanted,
    /// The step that it still is, counted from 0, where nothing of it is different.
    pub was: Option<usize>,
}

/// The plan that `parts` make of the steps of `base`. What is as it was stays the same step, wherever it stands, so
/// that what was shown, and what was done, is told from what is new.
///
/// # Errors
/// The first call that cannot be made as it is wanted.
pub(crate) async fn amended(
    toolbox: &Toolbox,
    problem: &str,
    base: &[Step],
    parts: &[Part],
    taken: &BTreeSet<FactName>,
) -> Result<PlanDraft, NoPlan> {
    let kept_of = |part: &Part| part.was.and_then(|was| base.get(was));
    let mut taken = taken.clone();
    taken.extend(parts.iter().filter_map(kept_of).flat_map(|step| step.produces.iter().cloned()));
    let (mut steps, mut is_kept): (Vec<Step>, Vec<bool>) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        let wrong = |told: String| NoPlan { step: at, told };
        let is_fed_alike = part.wanted.uses().all(|of| is_kept.get(of).copied().unwrap_or(false));
        let kept = kept_of(part).filter(|_| is_fed_alike);
        let tool = toolbox.find(&part.wanted.tool).await.map_err(wrong)?;
        check(tool.about(), |argument| tool.takes_results(argument), &part.wanted, at).map_err(wrong)?;
        let mut next = step(&*tool, &part.wanted, at, &steps, &taken);
        if let Some(was) = kept {
            next = Step { id: next.id, after: next.after, description: next.description, ..was.clone() };
        }
        is_kept.push(kept.is_some());
        steps.push(next);
    }
    let Some(result) = steps.last().and_then(|last| last.produces.first()).cloned() else {
        return Err(NoPlan { step: 0, told: "There is nothing to be done.".to_owned() });
    };
    let endings = Endings { results: results(&steps), ..Endings::default() };
    Ok(PlanDraft { endings, ..PlanDraft::new(problem, steps, result) })
}

/// The calls that a plan is made of.
pub(crate) async fn wanted_of(toolbox: &Toolbox, plan: &Plan) -> Vec<Wanted> {
    let steps = plan.steps();
    let producer = |fact: &str| steps.iter().position(|step| step.produces.iter().any(|name| name.as_str() == fact));
    let mut all = Vec::new();
    for step in steps {
        let mut givens = BTreeMap::new();
        for (name, text) in &step.arguments {
            if !is_given(step.tool.as_str(), name) {
                continue;
            }
            let of = name.strip_suffix(FROM).filter(|_| step.needs.iter().any(|fact| fact.as_str() == text));
            match of {
                Some(name) => {
                    let given = producer(text).map_or_else(|| Given::Held(FactName::new(text)), Given::ResultOf);
                    givens.insert(name.to_owned(), given)
                }
                None => {
                    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
                    givens.insert(name.clone(), Given::Value(value))
                }
            };
        }
        let line = toolbox.find(step.tool.as_str()).await.map(|tool| tool.line(&givens)).unwrap_or_default();
        let says = step.description.strip_suffix(&line).and_then(|says| says.strip_suffix(": ")).map(str::to_owned);
        let after = step.after.iter().filter_map(|id| (id.number() as usize).checked_sub(1)).collect();
        all.push(Wanted { tool: step.tool.to_string(), givens, after, says });
    }
    all
}

/// Results that no other step uses; empty where that is the last alone.
fn results(steps: &[Step]) -> Vec<NamedResult> {
    let is_used = |fact: &FactName| steps.iter().any(|step| step.needs.contains(fact));
    let unused = steps.iter().flat_map(|step| &step.produces).filter(|fact| !is_used(fact));
    let named = |fact: &FactName| NamedResult {
        fact: fact.clone(),
        title: None,
        presentation: Presentation::Value,
        form: String::new(),
    };
    let results: Vec<NamedResult> = unused.map(named).collect();
    if results.len() > 1 { results } else { Vec::new() }
}

/// Whether a call has the form its tool wants.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub(crate) fn check(about: &About, takes: impl Fn(&str) -> bool, wanted: &Wanted, at: usize) -> Result<(), String> {
    let mut arguments = Map::new();
    for (name, given) in &wanted.givens {
        let value = match given {
            Given::Value(value) => value.clone(),
            Given::Requirements => return Err(NO_TALK.to_owned()),
            Given::ResultOf(step) if *step >= at => {
                return Err(format!("{}: the result of step {} is not there yet at that time.", about.name, step + 1));
            }
            Given::ResultOf(_) | Given::Held(_) if !takes(name) => {
                return Err(format!("{}: {name} has to stand in the plan, so that it can be approved.", about.name));
            }
            // A result is a text.
            Given::ResultOf(_) | Given::Held(_) => Value::String("a text".to_owned()),
        };
        arguments.insert(name.clone(), value);
    }
    let problems = about.schema.problems(&Value::Object(arguments));
    match problems.first() {
        Some(problem) => Err(format!("{} cannot be called like that: {problem}.", about.name)),
        None => Ok(()),
    }
}

fn step(tool: &dyn Tool, wanted: &Wanted, at: usize, before: &[Step], taken: &BTreeSet<FactName>) -> Step {
    let about = tool.about();
    let id = |at: usize| StepId::new(u32::try_from(at + 1).unwrap_or(u32::MAX));
    let line = tool.line(&wanted.givens);
    let description = match &wanted.says {
        Some(says) => format!("{says}: {line}"),
        None => line,
    };
    let mut step = Step::new(id(at), description, ToolName::new(&about.name));
    let mut waits: Vec<usize> = wanted.after.clone();
    for (name, given) in &wanted.givens {
        match given {
            Given::Value(value) => {
                step.arguments.insert(name.clone(), written(value));
            }
            Given::Requirements => {}
            Given::Held(fact) => {
                step.arguments.insert(format!("{name}{FROM}"), fact.to_string());
                step.needs.push(fact.clone());
            }
            Given::ResultOf(of) => {
                let fact = before.get(*of).and_then(|step| step.produces.first());
                let Some(fact) = fact else { continue };
                step.arguments.insert(format!("{name}{FROM}"), fact.to_string());
                step.needs.push(fact.clone());
                waits.push(*of);
            }
        }
    }
    if let Some(difference) = tool.difference(&wanted.givens) {
        step.arguments.insert(DIFFERENCE.to_owned(), difference.diff);
        step.arguments.extend(difference.replaces.map(|replaces| (REPLACES.to_owned(), replaces)));
    }
    if !about.mark.is_empty() {
        step.arguments.insert(MARK.to_owned(), about.mark.clone());
    }
    waits.sort_unstable();
    waits.dedup();
    step.needs.sort();
    step.needs.dedup();
    step.after = waits.into_iter().filter(|of| *of < at).map(id).collect();
    let is_taken = |fact: &FactName| taken.contains(fact) || before.iter().any(|step| step.produces.contains(fact));
    step.produces = vec![fact_of(about, &step, is_taken)];
    step.effect = about.effect;
    step.timeout_seconds = about.seconds;
    step
}

/// The name of what a step leaves. It follows from what the step does, so that no step takes the result of another for
/// its own when a plan is made anew.
fn fact_of(about: &About, step: &Step, is_taken: impl Fn(&FactName) -> bool) -> FactName {
    let does: Vec<String> = step.arguments.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let digest = digest::of_bytes(does.join("\n").as_bytes());
    let short: String = digest.chars().skip_while(|letter| *letter != ':').skip(1).take(4).collect();
    let tool = about.name.replace(['.', '-'], "_");
    let mut number = step.id.number();
    loop {
        let name = FactName::new(format!("{tool}_{number}_{short}"));
        if !is_taken(&name) {
            return name;
        }
        number += 1;
    }
}

/// A value as it stands in a plan: texts as they are, unless they would be read as something else.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) if serde_json::from_str::<Value>(text).is_err() => text.clone(),
        other => other.to_string(),
    }
}

/// What a step is called with, with the results it uses filled in, and the mark of its tool.
///
/// # Errors
/// When a result is not there, or was too long to be kept whole.
pub(crate) fn arguments(task: &StepTask, about: &About) -> Result<(Map<String, Value>, String), String> {
    let mut arguments = Map::new();
    for (name, text) in &task.work.arguments {
        if !is_given(&about.name, name) {
            continue;
        }
        match name.strip_suffix(FROM) {
            Some(name) => arguments.insert(name.to_owned(), Value::String(result(&task.inputs, text)?)),
            None => {
                let value = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
                arguments.insert(name.clone(), value)
            }
        };
    }
    Ok((arguments, task.work.arguments.get(MARK).cloned().unwrap_or_default()))
}

/// The text of a result.
fn result(inputs: &[Arc<Fact>], name: &str) -> Result<String, String> {
    let fact = inputs.iter().find(|fact| fact.name().as_str() == name);
    let Some(fact) = fact else { return Err(format!("The result `{name}` is not there any more.")) };
    if fact.body.assumptions.iter().any(|said| said == PART) {
        return Err(format!("The result `{name}` was too long to be kept whole, so it was not used."));
    }
    match &fact.body.value {
        FactValue::Text(text) => Ok(text.clone()),
        FactValue::Table(table) => {
            let bytes = comma::whole(table).map_err(|error| format!("`{name}` cannot be written: {error}."))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
    }
}

/// Told where the requirements of a talk are wanted, and there was none.
const NO_TALK: &str = "There are no requirements: nothing was talked over before this.";
/// What is taken for granted of a result that is not whole.
pub(crate) const PART: &str = "It is only a part of what came.";
/// Behind the name of an argument that is the result of a step.
pub(crate) const FROM: &str = " from";
/// The argument that holds what a tool was when it was approved.
pub(crate) const MARK: &str = "listed as";
/// The argument that shows what would change.
const DIFFERENCE: &str = "diff";
/// The argument that says what that was worked out against.
pub(crate) const REPLACES: &str = "replaces";

/// Whether an argument of a step is one its tool is called with. Only the tools built in show what would change; one of
/// another program, `SERVER.TOOL`, may have arguments that are called so.
pub(crate) fn is_given(tool: &str, name: &str) -> bool {
    name != MARK && (tool.contains('.') || ![DIFFERENCE, REPLACES].contains(&name))
}

/// A call with plain texts, after the step before it.
pub(crate) fn wanted(tool: &str, texts: &[(&str, &str)]) -> Wanted {
    let given = |(name, text): &(&str, &str)| ((*name).to_owned(), Given::Value(Value::String((*text).to_owned())));
    let givens: BTreeMap<String, Given> = texts.iter().map(given).collect();
    Wanted { tool: tool.to_owned(), givens, after: Vec::new(), says: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_only_shows_is_no_argument_but_of_another_program_it_may_be() {
        for (tool, name, is_one) in [
            ("write", "content", true),
            ("write", "diff", false),
            ("write", "replaces", false),
            ("git.apply", "diff", true),
            ("git.apply", "replaces", true),
            ("git.apply", MARK, false),
        ] {
            assert_eq!(is_given(tool, name), is_one, "{tool} {name}");
        }
    }

    #[test]
    fn what_is_put_behind_others_uses_and_waits_for_its_own() {
        let mut call = wanted("write", &[]).behind(3);
        assert_eq!(call.after, [2]);
        call.givens.insert("content".to_owned(), Given::ResultOf(0));
        let call = Wanted { after: vec![0], ..call }.behind(2);
        assert_eq!((call.uses().collect::<Vec<_>>(), call.after), (vec![2], vec![2]));
    }
}
