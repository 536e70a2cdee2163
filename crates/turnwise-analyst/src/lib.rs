//! The analyst: questions over data files and databases, without a language model.
//!
//! `source`, a crate of its own, loads data and runs read-only queries over it; `documents` quotes texts; `catalogue`
//! knows what it holds; `read` turns words into a query form, `resolve` the form into typed queries, `steps` those into
//! a plan; `run` runs a step, `files` writes a result where that was approved, and `wording` says what came of it. What
//! is not understood is said by name and never guessed. Start reading at [`Analyst::draft`].

#[cfg(test)]
extern crate self as turnwise_analyst;

mod about_plan;
mod absent;
mod aligned;
mod answer;
mod asked;
mod at_hand;
mod calendar;
mod catalogue;
mod chosen;
mod clauses;
mod compute;
mod course;
mod coverage;
mod data_analyst;
mod dating;
mod decompose;
mod definitions;
mod describe;
mod documents;
mod draft;
mod drawing;
mod drift;
mod files;
mod followup;
mod forecast;
mod form;
mod kind;
mod lexicon;
#[cfg(test)]
mod likeliest;
mod linking;
mod meaning;
mod offered;
mod outliers;
mod overview;
mod parts;
mod period;
mod phrased;
mod query;
pub mod question;
mod read;
mod refer;
mod refine;
mod rerun;
mod resolve;
mod run;
mod sense;
mod settle;
mod several;
mod sql;
mod steps;
mod symbols;
mod telling;
mod views;
mod whole;
mod whole_numbers;
mod wording;
mod words;

use std::path::PathBuf;

use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, Cell, Clarification, DraftOutcome, LookUp, Permit, PlanDraft, QueryKind, Question, StepOutcome,
    StepTask, Task,
};

use documents::Library;
use source::{Opening, QueryError, SourceError, Workbench};

use turnwise_assistant::{Progress, Room, Stage};
use turnwise_model::Asked;

pub use data_analyst::DataAnalyst;
pub use kind::KIND;
pub use overview::{Overview, TableOverview};
pub use turnwise_source as source;
pub use whole::Extent;

/// The analyst over one set of sources.
#[derive(Debug)]
pub struct Analyst {
    bench: Workbench,
    data: views::Data,
    library: Library,
}

/// Why there is no analyst.
#[derive(Debug, thiserror::Error)]
pub enum AnalystError {
    /// A source cannot be opened.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A source was opened but cannot be looked at.
    #[error("The data was opened but cannot be looked at. {0}")]
    Look(#[from] QueryError),
}

impl Analyst {
    /// Opens the sources and learns what they hold.
    ///
    /// # Errors
    /// The first source that cannot be read.
    pub fn open(paths: &[PathBuf]) -> Result<Self, AnalystError> {
        Self::open_by(paths, &Opening::plain(&Progress::default()))
    }

    /// The same, as it is said how.
    ///
    /// # Errors
    /// The first source that cannot be read.
    pub fn open_by(paths: &[PathBuf], opening: &Opening<'_>) -> Result<Self, AnalystError> {
        let bench = Workbench::open_by(paths, opening)?;
        opening.progress.tell(Stage::Looking);
        Self::with_workbench(bench)
    }

    /// Learns what an open workbench holds.
    ///
    /// # Errors
    /// When a table cannot be queried.
    pub fn with_workbench(mut bench: Workbench) -> Result<Self, AnalystError> {
        let data = views::Data::learn(&bench)?;
        bench.looked();
        let library = Library::open(bench.documents());
        Ok(Self { bench, data, library })
    }

    /// The sources.
    #[must_use]
    pub fn workbench(&self) -> &Workbench {
        &self.bench
    }

    /// Documents that could not be read, and why.
    #[must_use]
    pub fn unread(&self) -> Vec<String> {
        self.library.notes()
    }

    /// The words of a text that name tables, columns or values of the data: what tells a task from talk.
    #[must_use]
    pub fn recognise(&self, text: &str) -> Vec<String> {
        let asked = files::asked(text);
        let files = asked.wishes.into_iter().map(|wish| wish.name);
        overview::recognise(self.data.all(), &asked.rest).into_iter().chain(files).collect()
    }

    /// Plans a task of somebody who sits at this machine.
    #[must_use]
    pub fn draft(&self, task: &Task) -> DraftOutcome {
        self.draft_in(&Room::Anywhere, task)
    }

    /// Plans a task of a conversation whose files are in `room`.
    #[must_use]
    pub fn draft_in(&self, room: &Room, task: &Task) -> DraftOutcome {
        self.around(room, |around| self.data.draft(task, around))
    }

    /// What is there besides the catalogue when something is planned.
    fn around<T>(&self, room: &Room, plan: impl FnOnce(&draft::Surroundings<'_>) -> T) -> T {
        let fingerprint = |table: &str| {
            let source = self.bench.tables().iter().find(|source| source.name == table);
            let stamp = source.map(|source| self.bench.current_stamp(source));
            // A source that is gone is reported by the step that reads it.
            stamp.and_then(Result::ok).map_or_else(String::new, |stamp| stamp.fingerprint)
        };
        let data = self.bench.files();
        let place = files::Place { data: &data, room };
        let look = |tables: &[String], sql: &str, parameters: &[Cell]| {
            self.bench.query_over(tables, sql, parameters, dating::LIMITS, || false).ok()
        };
        let result = |plan: &PlanDraft| run::at_once(&self.bench, plan);
        plan(&draft::Surroundings { fingerprint: &fingerprint, place, look: dating::Look(&look), result: &result })
    }

    /// Plans a task by what somebody else read out of its message.
    ///
    /// # Errors
    /// Everything that is wrong with the question: then there is no plan.
    pub fn draft_read(
        &self,
        room: &Room,
        task: &Task,
        question: &question::Question,
        reader: &str,
    ) -> Result<DraftOutcome, Vec<question::Problem>> {
        self.around(room, |around| {
            let bound = question::plan(self.data.own(), question, task, around, reader)?;
            Ok(DraftOutcome::Ready { plan: bound.plan, learned: Vec::new() })
        })
    }

    /// The question that a query asks. The query is read, and never run.
    ///
    /// # Errors
    /// When it is no query, or a part of it is none of a question's.
    pub fn question_in(&self, query: &str) -> Result<question::Question, Vec<question::Problem>> {
        question::read(self.data.own(), query)
    }

    /// Plans a task of which the grammar made `outcome` by what a model reads out of its message; `outcome` with a note
    /// where nothing comes of that. Words that were defined in the talk only the grammar knows.
    pub async fn draft_by(
        &self,
        reader: &question::ModelReader,
        room: &Room,
        task: &Task,
        outcome: DraftOutcome,
        cancelled: &CancellationToken,
    ) -> DraftOutcome {
        let message = task.problem.split(steps::CHANGED).next().unwrap_or_default();
        if !definitions::Definitions::of_task(self.data.own(), task).mark(&[message]).is_empty() {
            return outcome;
        }
        let card = self.card(message, reader.sees());
        let by = reader.reads().unwrap_or_default();
        let bind = |question: &question::Question| self.draft_read(room, task, question, &by);
        let outcome = match reader.read(self.data.own(), message, &card, bind, cancelled).await {
            None => outcome,
            Some(Asked { outcome: Ok(planned), .. }) => return planned,
            Some(Asked { outcome: Err(why), .. }) => question::noted(outcome, &by, &why),
        };
        self.propose_by(reader, room, task, outcome, cancelled).await
    }

    /// The question what the one word means that names nothing here, with what a model takes it for and under which
    /// the task can be planned; `outcome` where it is no such word, or nothing is proposed.
    async fn propose_by(
        &self,
        reader: &question::ModelReader,
        room: &Room,
        task: &Task,
        outcome: DraftOutcome,
        cancelled: &CancellationToken,
    ) -> DraftOutcome {
        let is_for_the_person =
            |asked: &Clarification| asked::offered(asked) > 1 && !sense::is_in_place_of_refusal(asked);
        let has_choices =
            matches!(&outcome, DraftOutcome::Unclear { clarification } if is_for_the_person(clarification));
        let [word] = self.data.unknown(task).try_into().unwrap_or_default();
        if has_choices || word.is_empty() {
            return outcome;
        }
        let card = self.card(&task.problem, reader.sees());
        let Some((by, meanings)) = reader.propose(&task.problem, &word, &card, cancelled).await else { return outcome };
        self.around(room, |around| self.data.propose(task, around, &word, &meanings, &by)).unwrap_or(outcome)
    }

    /// The question that a plan of this data answers, where one can say it.
    ///
    /// # Errors
    /// What of it a question cannot say.
    pub fn question_of(&self, plan: &PlanDraft) -> Result<question::Question, String> {
        let form: form::QueryForm = serde_json::from_str(&plan.form).map_err(|error| error.to_string())?;
        question::Question::of(self.data.catalogue_of(&form), &form).map_err(|beyond| beyond.to_string())
    }

    /// Plans a question whatever the words of its task: what is taken from a plan rests on no message.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn draft_again(
        &self,
        room: &Room,
        task: &Task,
        question: &question::Question,
    ) -> Result<PlanDraft, Vec<question::Problem>> {
        self.around(room, |around| question::plan_bound(self.data.own(), question, task, around))
    }

    /// What a model may be told of the data for `message`.
    #[must_use]
    pub fn card(&self, message: &str, sees: turnwise_model::Sees) -> question::CatalogueCard {
        question::CatalogueCard::of(self.data.own(), message, sees)
    }

    /// Answers a question from what the conversation already found, from the catalogue, or from documents.
    #[must_use]
    pub fn answer(&self, question: &Question) -> AnswerOutcome {
        if question.kind == QueryKind::Definition {
            return definitions::learn(self.data.own(), question);
        }
        // What is asked of a plan is answered from it, whatever documents say.
        if let QueryKind::Plan { .. } = question.kind {
            return answer::answer(&self.bench, self.data.all(), question);
        }
        let otherwise = || {
            definitions::meaning(self.data.own(), question).unwrap_or_else(|| {
                let reworded = definitions::reworded(self.data.own(), question);
                answer::answer(&self.bench, self.data.all(), &reworded)
            })
        };
        documents::answer(&self.library, self.data.all(), question, otherwise)
    }

    /// Whether a text only names the date that rows are to be dated by, in place of another one they have.
    #[must_use]
    pub fn names_date(&self, text: &str) -> bool {
        dating::names_one(self.data.own(), text)
    }

    /// Whether a text asks what documents say, by their names or kinds.
    #[must_use]
    pub fn names_documents(&self, text: &str) -> bool {
        documents::names_documents(&self.library, self.data.all(), text)
    }

    /// Whether a text names documents, or asks what only they can answer.
    #[must_use]
    pub fn asks_documents(&self, text: &str) -> bool {
        documents::asks_documents(&self.library, self.data.all(), text)
    }

    /// Whether a step changes something, so that it has to be run with its permit.
    #[must_use]
    pub fn has_effect(&self, task: &StepTask) -> bool {
        files::is_effect(task.work.tool.as_str())
    }

    /// Runs a step that changes something in `room`; `stop` is asked as the last thing before it does.
    #[must_use]
    pub fn run_effect(&self, room: &Room, task: &StepTask, permit: &Permit, stop: impl Fn() -> bool) -> StepOutcome {
        files::run(room, task, permit, &stop)
    }

    /// Whether an attempt at a step, of which nobody heard again, had its effect.
    #[must_use]
    pub fn look_up(&self, room: &Room, task: &StepTask) -> LookUp {
        files::look_up(room, task)
    }

    /// Runs a step that changes nothing, for somebody who sits at this machine; `stop` is asked while it runs.
    #[must_use]
    pub fn run_step(&self, task: &StepTask, stop: impl Fn() -> bool + Clone + Send + 'static) -> StepOutcome {
        self.run_step_in(&Room::Anywhere, task, stop)
    }

    /// Runs a step that changes nothing, for a conversation whose files are in `room`; `stop` is asked while it runs.
    #[must_use]
    pub fn run_step_in(
        &self,
        room: &Room,
        task: &StepTask,
        stop: impl Fn() -> bool + Clone + Send + 'static,
    ) -> StepOutcome {
        run::run_step(&self.bench, self.data.all(), room, task, stop)
    }

    /// What the data holds, with questions that work on it.
    #[must_use]
    pub fn overview(&self) -> Overview {
        let documents = self.library.contents();
        Overview { documents, ..overview::overview(self.data.all(), self.data.own()) }
    }
}
