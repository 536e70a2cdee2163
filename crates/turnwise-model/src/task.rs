//! Tasks as data: what a model is asked to do is a folder of four files, not code. Ours are built in; a person's own
//! folder replaces file by file, and the version then says so, so that a log never takes one for the other.
//!
//! | file | what it is |
//! |---|---|
//! | `task.yaml` | version, what answers where no model does, limits |
//! | `system.jinja`, `user.jinja` | the two messages, as templates in which an unknown name is an error |
//! | `repair.jinja` | the message that asks to mend an answer; there is one for all where a task has none |
//! | `schema.json` | the form of the answer; free text without one |
//!
//! Templates take values as data: `{{ message | json }}` writes it quoted, so that no text of a person or a table can
//! pass for an instruction's end. Next: `ask`, which sends a task's request and reads what comes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, context};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::hexadecimal;
use crate::{Message, Problem, Request, Schema, TaskName, TaskVersion, limits};

/// The files of a built-in task, as `include_str!` gives them.
#[derive(Clone, Copy, Debug)]
pub struct TaskFiles {
    /// The task's name, which is that of its folder.
    pub name: &'static str,
    /// `task.yaml`.
    pub task: &'static str,
    /// `system.jinja`.
    pub system: &'static str,
    /// `user.jinja`.
    pub user: &'static str,
    /// `repair.jinja`, where the task has its own.
    pub repair: Option<&'static str>,
    /// `schema.json`, where the answer has a form.
    pub schema: Option<&'static str>,
}

/// A task that is ready to ask.
#[derive(Debug)]
pub struct Task {
    name: TaskName,
    version: TaskVersion,
    settings: Settings,
    schema: Option<Schema>,
    templates: Environment<'static>,
}

/// Why a task cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the task {task} cannot be used: {file}: {told}")]
pub struct TaskError {
    /// The task.
    pub task: TaskName,
    /// The file, with its folder where it is a person's own.
    pub file: String,
    /// What is wrong.
    pub told: String,
}

/// `task.yaml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    version: u32,
    /// What answers where no model is asked or its answer cannot be used, in words.
    offline: String,
    budget: TaskBudget,
    #[serde(default)]
    temperature: f64,
    #[serde(default)]
    stop: Vec<String>,
    /// Whether what is written may be shown while it is written, before anything in it was checked.
    #[serde(default)]
    live: bool,
}

/// What one run of a task may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskBudget {
    /// The longest answer, in tokens.
    pub output_tokens: u32,
    /// The time of one call, in seconds.
    pub seconds: u32,
    /// How often an answer that cannot be used is sent back with its problems.
    #[serde(default)]
    pub repairs: u32,
}

/// The files a task may have.
const FILES: [&str; 5] = ["task.yaml", "system.jinja", "user.jinja", "repair.jinja", "schema.json"];

/// The message that asks to mend an answer, where a task has none of its own.
const REPAIR: &str = "Your answer cannot be used:\n{% for problem in problems %}- {{ problem }}\n{% endfor %}\
                      Answer again, mending this and leaving the rest as it is. Answer with the JSON alone.";

impl Task {
    /// The task of `files`, with what a person's folder of tasks `own` replaces.
    ///
    /// # Errors
    /// When a file cannot be read or used, or the person's folder holds one that no task has.
    pub fn load(files: &TaskFiles, own: Option<&Path>) -> Result<Self, TaskError> {
        let name = TaskName::new(files.name);
        let own = own.map(|folder| folder.join(files.name)).filter(|folder| folder.is_dir());
        let replaced = own.map_or(Ok(Vec::new()), |folder| replaced(&name, &folder))?;
        let built_in = [Some(files.task), Some(files.system), Some(files.user), files.repair, files.schema];
        let text = |at: usize| {
            let own = replaced.iter().find(|file| file.name == FILES[at]);
            let text = own.map(|file| file.text.clone()).or_else(|| built_in[at].map(str::to_owned));
            (own.map_or(FILES[at].to_owned(), |file| file.path.display().to_string()), text)
        };
        let wrong = |file: &str, told: String| TaskError { task: name.clone(), file: file.to_owned(), told };
        let (file, settings) = text(0);
        let settings: Settings = serde_saphyr::from_str(&settings.unwrap_or_default())
            .map_err(|error| wrong(&file, error.without_snippet().to_string()))?;
        if !(0.0..=2.0).contains(&settings.temperature) {
            return Err(wrong(&file, "the temperature is not between 0 and 2".to_owned()));
        }
        if settings.budget.repairs > limits::REPAIRS_MAX {
            return Err(wrong(&file, format!("more than {} repairs help no answer", limits::REPAIRS_MAX)));
        }
        let mut templates = environment();
        for (at, name) in FILES.into_iter().enumerate().filter(|(_, name)| name.ends_with(".jinja")) {
            let (file, text) = text(at);
            let text = text.unwrap_or_else(|| REPAIR.to_owned());
            templates.add_template_owned(name, text).map_err(|error| wrong(&file, told(&error)))?;
        }
        let (file, schema) = text(4);
        let schema = schema.map(|text| Schema::parse(&text).map_err(|error| wrong(&file, error.to_string())));
        let version = version(settings.version, &replaced);
        Ok(Self { name, version, schema: schema.transpose()?, settings, templates })
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &TaskName {
        &self.name
    }

    /// Which version of it this is.
    #[must_use]
    pub fn version(&self) -> &TaskVersion {
        &self.version
    }

    /// What answers where no model does, in words.
    #[must_use]
    pub fn offline(&self) -> &str {
        &self.settings.offline
    }

    /// What one run may take.
    #[must_use]
    pub fn budget(&self) -> TaskBudget {
        self.settings.budget
    }

    /// Whether what is written may be shown while it is written.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.settings.live
    }

    /// The form of the answer.
    #[must_use]
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }

    /// The request with `values` in the templates.
    ///
    /// # Errors
    /// When a template names a value that is not there, or what comes of it is too long.
    pub fn request(&self, values: impl Serialize) -> Result<Request, TaskError> {
        let values = minijinja::Value::from(Serde(values));
        let messages = vec![Message::system(self.render(1, &values)?), Message::user(self.render(2, &values)?)];
        Ok(Request {
            schema: self.schema.clone(),
            tokens_max: self.settings.budget.output_tokens,
            temperature: self.settings.temperature,
            stop: self.settings.stop.clone(),
            time_max: Duration::from_secs(self.settings.budget.seconds.into()),
            ..Request::new(self.name.clone(), self.version.clone(), messages)
        })
    }

    /// The request that follows `request` when `answer` has `problems`.
    ///
    /// # Errors
    /// As for [`Task::request`].
    pub fn repair(&self, request: &Request, answer: &str, problems: &[Problem]) -> Result<Request, TaskError> {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let asked = self.render(3, &context! { problems })?;
        let mut messages = request.messages.clone();
        messages.extend([Message::assistant(answer), Message::user(asked)]);
        Ok(Request { messages, ..request.clone() })
    }

    fn render(&self, at: usize, values: &minijinja::Value) -> Result<String, TaskError> {
        let wrong = |told| TaskError { task: self.name.clone(), file: FILES[at].to_owned(), told };
        let rendered = self.templates.get_template(FILES[at]).and_then(|template| template.render(values));
        let text = rendered.map_err(|error| wrong(told(&error)))?;
        match text.len() {
            length if length > limits::MESSAGE_BYTES_MAX => {
                Err(wrong(format!("the message is longer than {} bytes", limits::MESSAGE_BYTES_MAX)))
            }
            _ => Ok(text),
        }
    }
}

/// A file of a person's own.
struct Own {
    name: String,
    path: PathBuf,
    text: String,
}

/// The files of a person's folder of the task, in the order of their names.
fn replaced(task: &TaskName, folder: &Path) -> Result<Vec<Own>, TaskError> {
    let wrong = |path: &Path, told: String| TaskError { task: task.clone(), file: path.display().to_string(), told };
    let unread = |path: &Path, error: std::io::Error| wrong(path, error.to_string());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| unread(folder, error))? {
        let path = entry.map_err(|error| unread(folder, error))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !FILES.contains(&name.as_str()) {
            return Err(wrong(&path, format!("a task has no such file; it may have {}", FILES.join(", "))));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| unread(&path, error))?;
        found.push(Own { name, path, text });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// Our number, and what a person's own files make of it.
fn version(number: u32, replaced: &[Own]) -> TaskVersion {
    if replaced.is_empty() {
        return TaskVersion::new(number.to_string());
    }
    let all: Vec<String> = replaced.iter().map(|file| format!("{}\0{}\0", file.name, file.text)).collect();
    TaskVersion::new(format!("{number}+{}", &hexadecimal(all.concat().as_bytes())[..8]))
}

/// Where templates are rendered: an unknown name is an error, nothing is escaped as a page would need it.
fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.add_filter("json", |value: minijinja::Value| {
        use minijinja::{Error, ErrorKind};
        // A filter is handed what is not there, too; strictness is its own affair.
        if value.is_undefined() {
            return Err(Error::from(ErrorKind::UndefinedError));
        }
        serde_json::to_string(&value).map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))
    });
    environment
}

/// What is wrong with a template, with its line.
fn told(error: &minijinja::Error) -> String {
    match error.line() {
        Some(line) => format!("line {line}: {error}"),
        None => error.to_string(),
    }
}
