//! Edits from a language model: it is given the task and the files that concern it as data, and gives back blocks of
//! text that have to stand in the files exactly once. What does not fit it is told once. All that comes of it is a diff
//! that a person reads and decides on. Next: `task/` for what it is told, `shown` for the files, `edit::Draft` for the
//! blocks.

mod shown;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::Models;
use turnwise_assistant::place::FilePath;
use turnwise_core::Task;
use turnwise_model::{Problem, Sees, TaskFiles, TaskName, Unanswered, ask};

use crate::edit::{Draft, Edit, Proposal};
use crate::rules::WrittenEdits;
use crate::workspace::Workspace;
pub(crate) use shown::Shown;

/// The form a model's edits have.
pub(crate) const SCHEMA: &str = include_str!("task/schema.json");

/// The name of the task.
pub(crate) const TASK: &str = "edit";

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
pub(crate) enum Written {
    /// Edits that fit the files.
    Edits(WrittenEdits),
    /// It has to know more.
    Asks(String),
    /// Nothing, and why, as a sentence.
    Nothing(String),
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Told<'a> {
    files: &'a [shown::FileShown],
    names: &'a [String],
    selection: Option<&'a str>,
    task: &'a str,
    answers: Vec<&'a str>,
    changes: &'a [String],
    previous: Option<String>,
    failure: Option<&'a str>,
}

/// A model's answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    question: String,
    says: String,
    edits: Vec<EditAnswered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditAnswered {
    file: String,
    search: String,
    replace: String,
}

/// Whether there is a model for it.
pub(crate) fn is_there(models: &Models) -> bool {
    models.of(&TaskName::new(FILES.name)).is_some()
}

/// Asks the model of this task to write `problem` of `task` as edits; none where nobody named one.
pub(crate) async fn write(
    models: &Models,
    workspace: &Workspace,
    problem: &str,
    task: &Task,
    shown: &Shown,
) -> Option<Written> {
    let model = models.of(&TaskName::new(FILES.name))?;
    let by = model.name().to_string();
    if models.sees < Sees::Rows {
        return Some(Written::Nothing(format!(
            "Writing this shows {by} the text of files, and it may see {} alone; `--model-sees rows` allows it.",
            Sees::Names.told()
        )));
    }
    let loaded = match turnwise_model::Task::load(&FILES, models.own_tasks.as_deref()) {
        Ok(loaded) => loaded,
        Err(error) => return Some(Written::Nothing(format!("{error}."))),
    };
    let previous = task.previous.as_ref().map(|plan| {
        let diffs = plan.steps().iter().filter_map(|step| step.arguments.get(DIFF).map(String::as_str));
        diffs.collect::<String>()
    });
    let told = Told {
        files: &shown.files,
        names: &shown.names,
        selection: shown.selection.as_deref(),
        task: problem,
        answers: task.answers.iter().map(|answer| answer.answer.as_str()).collect(),
        changes: &task.changes,
        previous: previous.filter(|diff| !diff.is_empty()),
        failure: task.failure.as_deref(),
    };
    let request = match loaded.request(told) {
        Ok(request) => request,
        Err(error) => return Some(Written::Nothing(format!("{error}."))),
    };
    let bind = |value: &Value| bound(value, workspace);
    let asked = ask(model.as_ref(), &loaded, request, bind, &CancellationToken::new()).await;
    Some(match asked.outcome {
        Ok((question, _, _)) if !question.is_empty() => Written::Asks(question),
        Ok((_, says, edits)) => Written::Edits(WrittenEdits { edits, says, by }),
        Err(why) => Written::Nothing(format!("The model {by} {}. Nothing was changed.", told_of(&why))),
    })
}

/// The edits of an answer, or all that is wrong with them.
fn bound(value: &Value, workspace: &Workspace) -> Result<(String, String, Vec<Edit>), Vec<Problem>> {
    let whole = |told: String| vec![Problem::new("", told)];
    let answered: Answered = serde_json::from_value(value.clone()).map_err(|error| whole(error.to_string()))?;
    let question = answered.question.trim().to_owned();
    if !question.is_empty() {
        return Ok((question, String::new(), Vec::new()));
    }
    let mut draft = Draft::new(workspace);
    let (mut edits, mut problems) = (Vec::new(), Vec::new());
    for (at, answered) in answered.edits.into_iter().enumerate() {
        match edit(answered).and_then(|edit| draft.edit(&edit).map(|()| edit).map_err(|error| error.to_string())) {
            Ok(edit) => edits.push(edit),
            Err(told) => problems.push(Problem::new(format!("/edits/{at}"), told)),
        }
    }
    if problems.is_empty() && Proposal::of(&draft).is_empty() {
        problems.push(Problem::new("", "there are neither edits that change something nor a question".to_owned()));
    }
    let says = answered.says.split_whitespace().collect::<Vec<_>>().join(" ");
    if problems.is_empty() { Ok((question, says, edits)) } else { Err(problems) }
}

fn edit(answered: EditAnswered) -> Result<Edit, String> {
    let path = FilePath::new(&answered.file).map_err(|error| error.to_string())?;
    Ok(match answered.search.is_empty() {
        true => Edit::Create { path, text: answered.replace },
        false => Edit::Replace { path, search: answered.search, replace: answered.replace },
    })
}

fn told_of(why: &Unanswered) -> String {
    match why {
        Unanswered::Failed(error) => format!("did not answer ({error})"),
        Unanswered::Task(error) => format!("could not be asked ({error})"),
        Unanswered::Refused => "would not answer".to_owned(),
        Unanswered::IllFormed(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            format!("gave edits that do not fit the files ({})", problems.join("; "))
        }
    }
}

/// The argument of a step that holds its diff.
const DIFF: &str = "diff";
