//! A task asked of a model, and its answer read: parsed, held against the schema, bound by whoever asks, and sent back
//! with its problems as often as the task allows. Whatever goes wrong ends in [`Unanswered`], so that the offline
//! counterpart takes over with a note; an answer is never guessed from what cannot be read. Every call is kept as a
//! [`Call`], for the log. Next: `task`.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::task::{Task, TaskError};
use crate::{
    Answer, Finish, Message, Model, ModelError, ModelName, Problem, Request, RequestDigest, TaskName, TaskVersion,
    Usage,
};

/// What came of asking.
#[derive(Debug)]
pub struct Asked<T> {
    /// What was made of the answer, or why there is none.
    pub outcome: Result<T, Unanswered>,
    /// The calls it took, in order.
    pub calls: Vec<Call>,
}

/// Why a model's answer is of no use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// There is none.
    Failed(ModelError),
    /// The task cannot be asked; a template or a value is wrong.
    Task(TaskError),
    /// The model would not answer.
    Refused,
    /// It has no form, or means nothing here, also after repairs.
    IllFormed(Vec<Problem>),
}

/// One call as the log keeps it. No key is ever in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// What it was for.
    pub task: TaskName,
    /// Which version of it.
    pub version: TaskVersion,
    /// Who was asked.
    pub model: ModelName,
    /// The digest of the request.
    pub digest: String,
    /// How long it took, attempts and waits together.
    pub elapsed_ms: u64,
    /// How many attempts it took; none is known of a call that failed.
    pub attempts: Option<u32>,
    /// What it took, where there was an answer.
    pub usage: Option<Usage>,
    /// Why it failed, or what is wrong with the answer; empty for an answer that was used.
    pub problems: Vec<String>,
    /// What was sent. Shown on request only.
    pub sent: Vec<Message>,
    /// What was answered. Shown on request only.
    pub answer: Option<String>,
}

/// Asks `model` to do `task` with `request`, which the task made, and gives the JSON of its answer to `bind`, which
/// makes of it what is wanted or says what is wrong. The answer to a task without a schema is free text: a JSON string.
pub async fn ask<T>(
    model: &dyn Model,
    task: &Task,
    request: Request,
    bind: impl Fn(&Value) -> Result<T, Vec<Problem>> + Send,
    cancelled: &CancellationToken,
) -> Asked<T> {
    let mut calls = Vec::new();
    let mut request = request;
    for repairs_left in (0..=task.budget().repairs).rev() {
        let begun = Instant::now();
        let answer = model.complete(&request, cancelled).await;
        let mut call = Call::of(model, &request, begun);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                call.problems.push(error.to_string());
                calls.push(call);
                return Asked { outcome: Err(Unanswered::Failed(error)), calls };
            }
        };
        call.answered(&answer);
        let read = match answer.finish {
            Finish::Refused => {
                call.problems.push("the model would not answer".to_owned());
                calls.push(call);
                return Asked { outcome: Err(Unanswered::Refused), calls };
            }
            Finish::Complete => read(task, &answer.text).and_then(|value| bind(&value)),
            Finish::Length => {
                let told = format!("it was cut after {} tokens; answer more briefly", request.tokens_max);
                Err(vec![Problem::new("", told)])
            }
        };
        let problems = match read {
            Ok(value) => {
                calls.push(call);
                return Asked { outcome: Ok(value), calls };
            }
            Err(problems) => problems,
        };
        call.problems = problems.iter().map(ToString::to_string).collect();
        calls.push(call);
        if repairs_left == 0 {
            return Asked { outcome: Err(Unanswered::IllFormed(problems)), calls };
        }
        request = match task.repair(&request, &answer.text, &problems) {
            Ok(request) => request,
            Err(error) => return Asked { outcome: Err(Unanswered::Task(error)), calls },
        };
    }
    Asked { outcome: Err(Unanswered::IllFormed(Vec::new())), calls }
}

impl Call {
    fn of(model: &dyn Model, request: &Request, begun: Instant) -> Self {
        Self {
            task: request.task.clone(),
            version: request.version.clone(),
            model: model.name().clone(),
            digest: RequestDigest::of(request).as_str().to_owned(),
            elapsed_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            attempts: None,
            usage: None,
            problems: Vec::new(),
            sent: request.messages.clone(),
            answer: None,
        }
    }

    fn answered(&mut self, answer: &Answer) {
        self.model = answer.model.clone();
        self.attempts = Some(answer.attempts);
        self.usage = Some(answer.usage);
        self.answer = Some(answer.text.clone());
    }
}

/// What an answer says, in the form that its task asks for.
fn read(task: &Task, text: &str) -> Result<Value, Vec<Problem>> {
    let Some(schema) = task.schema() else { return Ok(Value::from(text)) };
    let value = parse(text)?;
    let problems = schema.problems(&value);
    if problems.is_empty() { Ok(value) } else { Err(problems) }
}

/// The JSON of an answer: the whole text, or the one fenced block that models put around it.
fn parse(text: &str) -> Result<Value, Vec<Problem>> {
    let text = text.trim();
    let fenced = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inside = fenced.map_or(text, |inside| inside.strip_prefix("json").unwrap_or(inside));
    serde_json::from_str(inside).map_err(|error| vec![Problem::new("", format!("this is no JSON: {error}"))])
}
