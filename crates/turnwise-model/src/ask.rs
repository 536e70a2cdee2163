//! A task asked of a model, and its answer read: parsed, held against the schema, bound by whoever asks, and sent back
//! with its problems as often as the task allows. Whatever goes wrong ends in [`Unanswered`], so that the offline
//! counterpart takes over with a note; an answer is never guessed from what cannot be read. Every call is kept as a
//! [`Call`], for the log, and told to whoever watches. Next: `task`.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::task::{Task, TaskError};
use crate::watch::{self, By, Live, Stage, Watch};
use crate::{
    Answer, Finish, Message, Model, ModelError, ModelName, Price, Problem, Request, RequestDigest, TaskName,
    TaskVersion, Usage,
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
    /// What it took, where an answer began.
    pub usage: Option<Usage>,
    /// What that cost in millionths, where a price is known.
    pub micros: Option<u64>,
    /// Why it failed, or what is wrong with the answer; empty for an answer that was used.
    pub problems: Vec<String>,
    /// Whether what was sent and answered may be kept and shown.
    pub kept: bool,
    /// What was sent. Shown on request only.
    pub sent: Vec<Message>,
    /// What was answered, or as much of it as came. Shown on request only.
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
        let mut open = Open::new(model, task, &request);
        let answer = model.stream(&request, &mut |text| open.part(text), cancelled).await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                calls.extend(open.close(vec![error.to_string()]));
                return Asked { outcome: Err(Unanswered::Failed(error)), calls };
            }
        };
        open.answered(&answer);
        let read = match answer.finish {
            Finish::Refused => {
                calls.extend(open.close(vec!["the model would not answer".to_owned()]));
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
                calls.extend(open.close(Vec::new()));
                return Asked { outcome: Ok(value), calls };
            }
            Err(problems) => problems,
        };
        calls.extend(open.close(problems.iter().map(ToString::to_string).collect()));
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

/// A call that is not over. Dropped in the middle it is told as well: what was sent is paid for, whoever gave it up.
struct Open<'a> {
    call: Option<Call>,
    begun: Instant,
    sent_bytes: usize,
    received: String,
    price: Option<Price>,
    is_live: bool,
    model: &'a ModelName,
    task: &'a TaskName,
    watch: Option<Arc<dyn Watch>>,
}

impl<'a> Open<'a> {
    fn new(model: &'a dyn Model, task: &'a Task, request: &Request) -> Self {
        let call = Call {
            task: request.task.clone(),
            version: request.version.clone(),
            model: model.name().clone(),
            digest: RequestDigest::of(request).as_str().to_owned(),
            elapsed_ms: 0,
            attempts: None,
            usage: None,
            micros: None,
            problems: Vec::new(),
            kept: model.is_kept(),
            sent: request.messages.clone(),
            answer: None,
        };
        let open = Self {
            call: Some(call),
            begun: Instant::now(),
            sent_bytes: request.bytes(),
            received: String::new(),
            price: model.price(),
            is_live: task.is_live(),
            model: model.name(),
            task: task.name(),
            watch: watch::here(),
        };
        open.tell("", Stage::Asked);
        open
    }

    fn part(&mut self, text: &str) {
        self.received.push_str(text);
        self.tell(text, Stage::Writing);
    }

    fn tell(&self, text: &str, stage: Stage) {
        if let Some(watch) = self.watch.as_ref().filter(|_| self.is_live) {
            let by = By::Model { task: self.task, name: self.model };
            watch.part(Live { by, text, stage });
        }
    }

    fn answered(&mut self, answer: &Answer) {
        let Some(call) = &mut self.call else { return };
        call.model = answer.model.clone();
        call.attempts = Some(answer.attempts);
        call.usage = Some(answer.usage);
        call.answer = Some(answer.text.clone());
    }

    /// The call as it ended, told to whoever watches.
    fn close(mut self, problems: Vec<String>) -> Option<Call> {
        self.end(problems)
    }

    fn end(&mut self, problems: Vec<String>) -> Option<Call> {
        let mut call = self.call.take()?;
        call.elapsed_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        // Where words had come, tokens were used, whatever became of them.
        if call.usage.is_none() && !self.received.is_empty() {
            call.usage = Some(Usage::estimate(self.sent_bytes, self.received.len()));
            call.answer = Some(std::mem::take(&mut self.received));
        }
        call.micros = self.price.zip(call.usage).map(|(price, usage)| price.micros(usage));
        call.problems = problems;
        self.tell("", Stage::Over);
        if let Some(watch) = &self.watch {
            watch.ended(call.clone());
        }
        Some(call)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.end(vec!["it was given up before it was answered".to_owned()]);
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
