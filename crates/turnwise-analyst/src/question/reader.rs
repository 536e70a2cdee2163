//! A language model as a reader: it is given the card of the data and the message, both as data, and writes one query,
//! which is read as a question and bound like any other input, and never run. What is wrong is told it once; then the
//! grammar's own answer stands, with a note. Nothing a model says can approve or act: all that comes of it is a plan
//! to be approved. Next: `task/` for what it is told, `bind` for what becomes of its answer.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::Models;
use turnwise_core::{Answer, Clarification, DraftOutcome, HeardAs, Hearing, QueryKind, Task};
use turnwise_model::{Asked, Sees, TaskError, TaskFiles, Unanswered, ask};

use super::super::catalogue::Catalogue;
use super::super::{meaning, telling};
use super::{CatalogueCard, Problem, Question, sql};

/// The name of the task.
pub const TASK: &str = "question";

/// The task as it is built in.
const FILES: TaskFiles = TaskFiles {
    name: TASK,
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: Some(include_str!("task/repair.jinja")),
    schema: None,
};

/// The models an analyst may ask, with what it asks of them: to read a message, to say what a word may mean, and to
/// tell a result.
#[derive(Clone)]
pub struct ModelReader {
    models: Models,
    question: Arc<turnwise_model::Task>,
    meaning: Arc<turnwise_model::Task>,
    answer: Arc<turnwise_model::Task>,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Told<'a> {
    card: &'a str,
    message: &'a str,
}

impl ModelReader {
    /// Those of `models`; none where nobody named one.
    ///
    /// # Errors
    /// When a file of a task cannot be used.
    pub fn of(models: Models) -> Result<Option<Self>, TaskError> {
        if models.spent().next().is_none() {
            return Ok(None);
        }
        let load = |files| turnwise_model::Task::load(files, models.own_tasks.as_deref()).map(Arc::new);
        let (question, meaning, answer) = (load(&FILES)?, load(&meaning::FILES)?, load(&telling::FILES)?);
        Ok(Some(Self { models, question, meaning, answer }))
    }

    /// The same for another conversation: what it uses is counted apart.
    #[must_use]
    pub fn of_conversation(&self) -> Self {
        Self { models: self.models.of_conversation(), ..self.clone() }
    }

    /// Who reads messages, as it is called on cards; none where no model does.
    #[must_use]
    pub fn reads(&self) -> Option<String> {
        self.models.of(self.question.name()).map(|model| model.name().to_string())
    }

    /// Whether one of them says which reading of a message is meant.
    #[must_use]
    pub fn hears(&self) -> bool {
        self.models.hear_messages()
    }

    /// Which reading of a message a model is sure of.
    pub async fn hear(&self, hearing: &Hearing) -> Option<HeardAs> {
        self.models.hear(hearing).await
    }

    /// What of the data they may see.
    #[must_use]
    pub fn sees(&self) -> Sees {
        self.models.sees
    }

    /// What `bind` makes of the model's reading of `message`; none where no model reads.
    pub async fn read<T>(
        &self,
        catalogue: &Catalogue,
        message: &str,
        card: &CatalogueCard,
        bind: impl Fn(&Question) -> Result<T, Vec<Problem>> + Send + Sync,
        cancelled: &CancellationToken,
    ) -> Option<Asked<T>> {
        let model = self.models.of(self.question.name())?;
        let request = match self.question.request(Told { card: &card.text, message }) {
            Ok(request) => request,
            Err(error) => return Some(Asked { outcome: Err(Unanswered::Task(error)), calls: Vec::new() }),
        };
        let told = |problem: &Problem| turnwise_model::Problem::new("", problem.for_model(self.models.sees));
        let bind = |value: &Value| {
            let query = value.as_str().unwrap_or_default();
            let bound = sql::read(catalogue, query).and_then(|question| bind(&question));
            bound.map_err(|problems| problems.iter().map(told).collect())
        };
        Some(ask(model.as_ref(), &self.question, request, bind, cancelled).await)
    }

    /// What `word` of `message` may mean, by a model, and by which; none where no model is asked, or it has nothing
    /// that is a proposal: then the word is asked about as it would be without one.
    pub(crate) async fn propose(
        &self,
        message: &str,
        word: &str,
        card: &CatalogueCard,
        cancelled: &CancellationToken,
    ) -> Option<(String, Vec<String>)> {
        let model = self.models.of(self.meaning.name())?;
        let request = self.meaning.request(meaning::Values { card: &card.text, message, word }).ok()?;
        let asked = ask(model.as_ref(), &self.meaning, request, meaning::proposals, cancelled).await;
        Some((model.name().to_string(), asked.outcome.ok()?))
    }

    /// `answer` in a model's words, where a model may see the rows it is made of and what it says holds.
    pub(crate) async fn tell(
        &self,
        finished: &telling::Finished,
        answer: Answer,
        within: Duration,
        cancelled: &CancellationToken,
    ) -> Answer {
        let Some(model) = self.models.of(self.answer.name()).filter(|_| self.sees() == Sees::Rows) else {
            return answer;
        };
        let name = model.name().to_string();
        let request = match self.answer.request(finished.values()) {
            Ok(request) => request,
            Err(error) => return finished.noted(&name, &why(&Unanswered::Task(error), TOLD), answer),
        };
        let bind = |said: &Value| finished.checked(said);
        let asked = ask(model.as_ref(), &self.answer, request, bind, cancelled);
        match tokio::time::timeout(within, asked).await {
            Ok(Asked { outcome: Ok(said), .. }) => finished.in_words_of(&name, &said, answer),
            Ok(Asked { outcome: Err(problems), .. }) => finished.noted(&name, &why(&problems, TOLD), answer),
            Err(_) => finished.noted(&name, "took too long", answer),
        }
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
    let note = format!("The model {reader} was asked as well and {}.", self::why(why, "gave a reading"));
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

/// What a model does that tells a result.
const TOLD: &str = "gave a wording";

/// Why nothing came of asking, behind the name of who was asked, who `did` what cannot be used.
fn why(why: &Unanswered, did: &str) -> String {
    match why {
        Unanswered::Failed(error) => format!("did not answer ({error})"),
        Unanswered::Task(error) => format!("could not be asked ({error})"),
        Unanswered::Refused => "would not answer".to_owned(),
        Unanswered::IllFormed(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("{did} that does not hold here ({})", problems.join("; "))
        }
    }
}
