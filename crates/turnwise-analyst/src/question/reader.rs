//! A language model as a reader: it is given the card of the data and the message, both as data, and writes one query,
//! which is read as a question and bound like any other input, and never run. What is wrong is told it once; then the
//! grammar's own answer stands, with a note. Nothing a model says can approve or act: all that comes of it is a plan
//! to be approved. Next: `task/` for what it is told, `bind` for what becomes of its answer.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::Models;
use turnwise_core::{Clarification, DraftOutcome, QueryKind, Task};
use turnwise_model::{Asked, Model, Sees, TaskError, TaskFiles, TaskName, Unanswered, ask};

use super::super::catalogue::Catalogue;
use super::{CatalogueCard, Problem, Question, sql};

/// The task as it is built in.
const FILES: TaskFiles = TaskFiles {
    name: "question",
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: Some(include_str!("task/repair.jinja")),
    schema: None,
};

/// A model that reads messages where the grammar does not.
#[derive(Clone)]
pub struct ModelReader {
    models: Models,
    model: Arc<dyn Model>,
    task: Arc<turnwise_model::Task>,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Told<'a> {
    card: &'a str,
    message: &'a str,
}

impl ModelReader {
    /// The model of `models` that does this task; none where nobody named one.
    ///
    /// # Errors
    /// When a file of the task cannot be used.
    pub fn of(models: Models) -> Result<Option<Self>, TaskError> {
        let Some(model) = models.of(&TaskName::new(FILES.name)) else { return Ok(None) };
        let task = Arc::new(turnwise_model::Task::load(&FILES, models.own_tasks.as_deref())?);
        Ok(Some(Self { models, model, task }))
    }

    /// The same reader for another conversation: what it uses is counted apart.
    #[must_use]
    pub fn of_conversation(&self) -> Self {
        let models = self.models.of_conversation();
        let model = models.of(self.task.name()).unwrap_or_else(|| Arc::clone(&self.model));
        Self { models, model, task: Arc::clone(&self.task) }
    }

    /// What it is called on cards.
    #[must_use]
    pub fn name(&self) -> &str {
        self.model.name().as_str()
    }

    /// What of the data it may see.
    #[must_use]
    pub fn sees(&self) -> Sees {
        self.models.sees
    }

    /// What `bind` makes of the model's reading of `message`.
    pub async fn read<T>(
        &self,
        catalogue: &Catalogue,
        message: &str,
        card: &CatalogueCard,
        bind: impl Fn(&Question) -> Result<T, Vec<Problem>> + Send + Sync,
        cancelled: &CancellationToken,
    ) -> Asked<T> {
        let request = match self.task.request(Told { card: &card.text, message }) {
            Ok(request) => request,
            Err(error) => return Asked { outcome: Err(Unanswered::Task(error)), calls: Vec::new() },
        };
        let told = |problem: &Problem| turnwise_model::Problem::new("", problem.for_model(self.models.sees));
        let bind = |value: &Value| {
            let query = value.as_str().unwrap_or_default();
            let bound = sql::read(catalogue, query).and_then(|question| bind(&question));
            bound.map_err(|problems| problems.iter().map(told).collect())
        };
        ask(self.model.as_ref(), &self.task, request, bind, cancelled).await
    }
}

/// Whether a model may read the message of a task that came to `outcome`: only a new question, that the grammar refuses
/// or would ask about. What somebody answered or changed is theirs, and what they defined only the grammar knows.
#[must_use]
pub fn is_wanted(task: &Task, outcome: &DraftOutcome) -> bool {
    let is_open = matches!(outcome, DraftOutcome::Impossible { .. } | DraftOutcome::Unclear { .. });
    is_open && task.previous.is_none() && task.changes.is_empty() && task.answers.is_empty()
}

/// Whether a question of that kind, to which nothing known is the answer, may be one of the data.
#[must_use]
pub fn may_be_of_data(kind: QueryKind) -> bool {
    match kind {
        QueryKind::Plain | QueryKind::Detail | QueryKind::Lookup => true,
        QueryKind::Provenance
        | QueryKind::Summary
        | QueryKind::Chart
        | QueryKind::Definition
        | QueryKind::Remark
        | QueryKind::Plan { .. } => false,
    }
}

/// The grammar's own outcome, with a note that a model was asked and why nothing came of it.
#[must_use]
pub fn noted(outcome: DraftOutcome, reader: &str, why: &Unanswered) -> DraftOutcome {
    let why = match why {
        Unanswered::Failed(error) => format!("did not answer ({error})"),
        Unanswered::Task(error) => format!("could not be asked ({error})"),
        Unanswered::Refused => "would not answer".to_owned(),
        Unanswered::IllFormed(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("gave a reading that does not hold here ({})", problems.join("; "))
        }
    };
    let note = format!("The model {reader} was asked as well and {why}.");
    match outcome {
        DraftOutcome::Impossible { explanation, suggestions } => {
            DraftOutcome::Impossible { explanation: format!("{explanation} {note}"), suggestions }
        }
        DraftOutcome::Unclear { clarification } => {
            let question = format!("{} ({note})", clarification.question);
            DraftOutcome::Unclear { clarification: Clarification { question, ..clarification } }
        }
        other @ (DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. }) => other,
    }
}
