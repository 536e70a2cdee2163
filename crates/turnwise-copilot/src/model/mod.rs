//! Plans from a language model: it is given the tools and the task as data, and gives back calls, which are held
//! against the tools' forms like any others. What is wrong with them it is told once. All that comes of it is a plan
//! that a person reads and decides on. Next: `task/` for what it is told, `planned` for what becomes of its answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::Models;
use turnwise_core::{Step, Task};
use turnwise_model::{Problem, TaskFiles, TaskName, Unanswered, ask};

use crate::planned::{Wanted, check};
use crate::tool::{About, Given, Toolbox};

/// The form a model's plan has.
pub(crate) const SCHEMA: &str = include_str!("task/schema.json");

/// The name of the task.
pub(crate) const TASK: &str = "plan";

/// The task as it is built in.
const FILES: TaskFiles = TaskFiles {
    name: TASK,
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: None,
    schema: Some(SCHEMA),
};

/// What came of asking a model.
pub(crate) enum Drafted {
    /// Calls, and whose they are.
    Calls(Vec<Wanted>, String),
    /// It has to know more.
    Asks(String),
    /// Nothing, and why, as a sentence.
    Nothing(String),
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Told<'a> {
    tools: Vec<ToolTold<'a>>,
    task: &'a str,
    answers: Vec<&'a str>,
    changes: &'a [String],
    previous: Option<Vec<&'a str>>,
    failure: Option<&'a str>,
    requirements: &'a str,
}

#[derive(Serialize)]
struct ToolTold<'a> {
    name: &'a str,
    told: &'a str,
    form: String,
}

/// A model's answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    question: String,
    steps: Vec<StepAnswered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepAnswered {
    tool: String,
    with: BTreeMap<String, Value>,
    says: String,
}

/// Whether there is a model for it.
pub(crate) fn is_there(models: &Models) -> bool {
    models.of(&TaskName::new(FILES.name)).is_some()
}

/// Asks the model of this task for a plan, which `requirements` are told to; none where nobody named one.
pub(crate) async fn draft(models: &Models, toolbox: &Toolbox, task: &Task, requirements: &str) -> Option<Drafted> {
    let model = models.of(&TaskName::new(FILES.name))?;
    let name = model.name().to_string();
    let loaded = match turnwise_model::Task::load(&FILES, models.own_tasks.as_deref()) {
        Ok(loaded) => loaded,
        Err(error) => return Some(Drafted::Nothing(format!("{error}."))),
    };
    let (tools, _) = toolbox.all().await;
    let previous = task.previous.as_ref().map(|plan| plan.steps());
    let told = Told {
        tools: tools.iter().map(tool_told).collect(),
        task: &task.problem,
        answers: task.answers.iter().map(|answer| answer.answer.as_str()).collect(),
        changes: &task.changes,
        previous: previous.map(|steps| steps.iter().map(|step: &Step| step.description.as_str()).collect()),
        failure: task.failure.as_deref(),
        requirements,
    };
    let request = match loaded.request(told) {
        Ok(request) => request,
        Err(error) => return Some(Drafted::Nothing(format!("{error}."))),
    };
    let bind = |value: &Value| bound(value, &tools, toolbox);
    let asked = ask(model.as_ref(), &loaded, request, bind, &CancellationToken::new()).await;
    Some(match asked.outcome {
        Ok((question, _)) if !question.is_empty() => Drafted::Asks(question),
        Ok((_, calls)) => Drafted::Calls(calls, name),
        Err(why) => Drafted::Nothing(format!("The model {name} {}.", told_of(&why))),
    })
}

fn tool_told(about: &About) -> ToolTold<'_> {
    ToolTold { name: &about.name, told: &about.told, form: about.schema.as_json().to_string() }
}

/// The calls of an answer, or all that is wrong with them.
fn bound(value: &Value, tools: &[About], toolbox: &Toolbox) -> Result<(String, Vec<Wanted>), Vec<Problem>> {
    let wrong = |at: String, told: String| Problem::new(at, told);
    let answered: Answered =
        serde_json::from_value(value.clone()).map_err(|error| vec![wrong(String::new(), error.to_string())])?;
    let question = answered.question.trim().to_owned();
    if !question.is_empty() {
        return Ok((question, Vec::new()));
    }
    if answered.steps.is_empty() {
        return Err(vec![wrong(String::new(), "there are neither steps nor a question".to_owned())]);
    }
    let (mut calls, mut problems) = (Vec::new(), Vec::new());
    for (at, step) in answered.steps.into_iter().enumerate() {
        let place = format!("/steps/{at}");
        let call = wanted(step, at);
        match tools.iter().find(|about| about.name == call.tool) {
            None => problems.push(wrong(place, format!("there is no tool “{}”", call.tool))),
            Some(about) => {
                let takes =
                    |argument: &str| toolbox.built_in(&about.name).is_none_or(|tool| tool.takes_results(argument));
                if let Err(told) = check(about, takes, &call, at) {
                    problems.push(wrong(place, told));
                }
            }
        }
        calls.push(call);
    }
    if problems.is_empty() { Ok((question, calls)) } else { Err(problems) }
}

fn wanted(step: StepAnswered, at: usize) -> Wanted {
    let given = |(name, value): (String, Value)| {
        let step = value.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.get("result_of"));
        let step = step.and_then(Value::as_u64).and_then(|step| usize::try_from(step).ok());
        match step.and_then(|step| step.checked_sub(1)) {
            Some(step) => (name, Given::ResultOf(step)),
            None => (name, Given::Value(value)),
        }
    };
    let says = step.says.split_whitespace().collect::<Vec<_>>().join(" ");
    Wanted {
        tool: step.tool,
        givens: step.with.into_iter().map(given).collect(),
        // One after the other: a model's word that two steps do not touch is worth nothing.
        after: at.checked_sub(1).into_iter().collect(),
        says: (!says.is_empty()).then_some(says),
    }
}

fn told_of(why: &Unanswered) -> String {
    match why {
        Unanswered::Failed(error) => format!("did not answer ({error})"),
        Unanswered::Task(error) => format!("could not be asked ({error})"),
        Unanswered::Refused => "would not answer".to_owned(),
        Unanswered::IllFormed(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("gave a plan that does not hold here ({})", problems.join("; "))
        }
    }
}
