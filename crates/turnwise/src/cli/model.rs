//! `--model` and `model:`: which models an assistant may ask, from what was typed, the environment and turnwise.yaml.
//! Where nobody names one there is none, and nothing is sent anywhere. Next: `models` for looking at them, `config` for
//! where settings come from.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::assistant::ALL;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use turnwise_assistant::{Failure, FailureKind, Hearer, Models};
use turnwise_model::{Budget, Guarded, Guards, Keys, ModelName, Price, Sees, TaskError, TaskName, open};

use super::by_name::ByName;
use super::config;
use super::profiles;

/// The options of all commands in which a model may be asked.
#[derive(Clone, Debug, Default, Args)]
pub struct ModelArguments {
    /// Let this language model be asked where words are not understood; without it nothing is sent anywhere
    ///
    /// openai:NAME, anthropic:NAME, gemini:NAME, ollama:NAME, openai-compatible:URL#NAME (llama-server, vLLM and the
    /// like), recorded:FOLDER or scripted:FILE. The key comes from OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or
    /// OPENAI_COMPATIBLE_API_KEY, or from the file that the variable with _FILE behind it names.
    #[arg(long, value_name = "NAME", help_heading = "Models")]
    pub model: Option<String>,
    /// What of the data a model may see
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Models")]
    pub model_sees: Option<SeesArgument>,
    /// Show what is sent to models and what they answer, and keep it with the conversation for `turnwise why`
    #[arg(long, help_heading = "Models")]
    pub show_prompts: bool,
}

/// `--model-sees`, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeesArgument {
    /// Names of tables and columns, and what you write; where nothing else is set
    Names,
    /// Values of columns that have few different ones as well
    Samples,
    /// Rows as well
    Rows,
}

/// `model:` in turnwise.yaml: a name alone, or all that can be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written(pub Settings);

/// All that can be set of models.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The model of all tasks that have none of their own.
    pub name: Option<String>,
    /// What of the data it may see.
    pub sees: Option<Sees>,
    /// The models of single tasks.
    pub tasks: ByName<String>,
    /// What is different for single assistants.
    pub assistants: ByName<OfAssistant>,
    /// How calls are kept in bounds.
    pub limits: Limits,
    /// The person's own folder of tasks.
    pub own_tasks: Option<PathBuf>,
    /// Whether what is sent is shown, and kept with the conversation.
    pub show_prompts: bool,
}

/// What is different for one assistant.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OfAssistant {
    /// Its model.
    pub name: Option<String>,
    /// What of the data it may see.
    pub sees: Option<Sees>,
    /// The models of single tasks of it.
    pub tasks: ByName<String>,
}

/// How calls are kept in bounds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    concurrent: Option<usize>,
    attempts: Option<u32>,
    seconds: Option<u32>,
    call_tokens: Option<u64>,
    conversation_tokens: Option<u64>,
    conversation_cost: Option<f64>,
    price: Option<Price>,
}

/// Who named a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// The command line.
    Typed,
    /// A variable or a file.
    Set(String),
}

/// A model as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: ModelName,
    /// The task it is for; all others where there is none.
    pub task: Option<TaskName>,
    /// Who named it.
    pub by: NamedBy,
}

/// What is settled about the models of one assistant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// The models, the one for all tasks first.
    pub named: Vec<Named>,
    /// What of the data they may see.
    pub sees: Sees,
    /// Whether what is sent is shown and kept.
    pub show_prompts: bool,
    limits: Limits,
    own_tasks: Option<PathBuf>,
}

/// What is settled for `assistant`: what was typed wins over the environment, that over a file. A model that was typed
/// or stands in the environment is meant for all tasks, whatever a file says of single ones.
///
/// # Errors
/// When a setting is wrong.
pub fn settled(assistant: &str, arguments: &ModelArguments) -> Result<Settled, Failure> {
    let set = config::model()?;
    let written = set.written;
    let of_assistant = written.settings.assistants.get(assistant).cloned().unwrap_or_default();
    let sees = arguments.model_sees.map(Sees::from).or(set.sees).or(of_assistant.sees).or(written.settings.sees);
    let one = |name: &str, by| Named { name: ModelName::new(name), task: None, by };
    let named = if let Some(name) = &arguments.model {
        vec![one(name, NamedBy::Typed)]
    } else if let Some((name, variable)) = &set.name {
        vec![one(name, NamedBy::Set(variable.clone()))]
    } else {
        let by = || NamedBy::Set(written.file.clone());
        let any = of_assistant.name.as_ref().or(written.settings.name.as_ref());
        let all = written.settings.tasks.0.iter().chain(&of_assistant.tasks.0);
        let tasks: BTreeMap<&String, &String> = all.map(|(task, name)| (&task.value, name)).collect();
        let tasks =
            tasks.iter().map(|(task, name)| Named { task: Some(TaskName::new(task.as_str())), ..one(name, by()) });
        any.map(|name| one(name, by())).into_iter().chain(tasks).collect()
    };
    let limits = written.settings.limits;
    let show_prompts = arguments.show_prompts || written.settings.show_prompts;
    let own_tasks = written.settings.own_tasks;
    Ok(Settled { named, sees: sees.unwrap_or_default(), show_prompts, limits, own_tasks })
}

/// The models of `assistant`, ready to be asked. Nothing is sent by opening them.
///
/// # Errors
/// When a setting is wrong, a name means nothing or a key is missing.
pub fn opened(assistant: &str, arguments: &ModelArguments) -> Result<Models, Failure> {
    let settled = settled(assistant, arguments)?;
    let (keys, guards) = (Keys::from_environment(), settled.limits.guards()?);
    let guards = Guards { kept: settled.show_prompts, ..guards };
    let mut models = Models { sees: settled.sees, own_tasks: own_tasks(settled.own_tasks)?, ..Models::default() };
    for named in settled.named {
        let model = Guarded::new(open(&named.name, &keys)?, guards);
        match named.task {
            Some(task) => drop(models.by_task.insert(task, model)),
            None => models.any = Some(model),
        }
    }
    if models.spent().next().is_some() {
        let unusable = |error: TaskError| {
            Failure::new(FailureKind::Operator, error.to_string())
                .hint("mend the file, or delete it to have the built-in one")
                .caused_by(error)
        };
        models.hearer = Some(Hearer::of(&models).map_err(unusable)?);
    }
    Ok(models)
}

/// The folder of a person's own tasks: the one that is set, or the one beside their profiles.
fn own_tasks(set: Option<PathBuf>) -> Result<Option<PathBuf>, Failure> {
    match set {
        Some(folder) if folder.is_dir() => Ok(Some(folder)),
        Some(folder) => {
            let told = format!("model.own_tasks: {} is no folder", folder.display());
            Err(Failure::new(FailureKind::Usage, told)
                .hint("name a folder that holds one folder a task, or leave it out"))
        }
        None => {
            let beside = profiles::folder().ok().and_then(|folder| Some(folder.parent()?.join("tasks")));
            Ok(beside.filter(|folder| folder.is_dir()))
        }
    }
}

impl Settings {
    /// Whether all assistants and tasks that `file` names are there.
    ///
    /// # Errors
    /// When one is not.
    pub fn check(&self, file: &Path) -> Result<(), Failure> {
        let of_all: Vec<&'static str> = ALL.iter().flat_map(|kind| kind.tasks).copied().collect();
        is_known(file, &self.tasks, &of_all)?;
        for (named, of_assistant) in &self.assistants.0 {
            let kind = config::one_of(file, named, "assistant", &ALL, |kind| kind.name)?;
            is_known(file, &of_assistant.tasks, kind.tasks)?;
        }
        Ok(())
    }
}

fn is_known(file: &Path, tasks: &ByName<String>, known: &[&'static str]) -> Result<(), Failure> {
    tasks.0.iter().try_for_each(|(task, _)| config::one_of(file, task, "task", known, |task| task).map(drop))
}

impl Limits {
    fn guards(&self) -> Result<Guards, Failure> {
        let usual = Guards::default();
        let wrong = |told: &str| Failure::new(FailureKind::Usage, format!("model.limits: {told}"));
        if self.concurrent == Some(0) || self.attempts == Some(0) || self.seconds == Some(0) {
            return Err(wrong("concurrent, attempts and seconds are whole numbers from 1"));
        }
        let numbers =
            [self.conversation_cost, self.price.map(|price| price.input), self.price.map(|price| price.output)];
        if numbers.into_iter().flatten().any(|number| !number.is_finite() || number < 0.0) {
            return Err(wrong("a cost is a number from 0"));
        }
        if self.conversation_cost.is_some() && self.price.is_none() {
            return Err(wrong("conversation_cost can only be kept with a price")
                .hint("write price: {input: 0.15, output: 0.60}, for a million tokens each"));
        }
        let budget = Budget {
            call_tokens_max: self.call_tokens,
            conversation_tokens_max: self.conversation_tokens,
            conversation_micros_max: self.conversation_cost.map(|cost| (cost * 1e6).round() as u64),
            price: self.price,
        };
        Ok(Guards {
            concurrent_max: self.concurrent.unwrap_or(usual.concurrent_max),
            attempts_max: self.attempts.unwrap_or(usual.attempts_max),
            time_max: self.seconds.map_or(usual.time_max, |seconds| Duration::from_secs(seconds.into())),
            budget,
            ..usual
        })
    }
}

impl From<SeesArgument> for Sees {
    fn from(argument: SeesArgument) -> Self {
        match argument {
            SeesArgument::Names => Self::Names,
            SeesArgument::Samples => Self::Samples,
            SeesArgument::Rows => Self::Rows,
        }
    }
}

impl fmt::Display for NamedBy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typed => out.write_str("--model"),
            Self::Set(from) => out.write_str(from),
        }
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either)
    }
}

/// A text or a map. An untagged enum would lose what is wrong with the map, and where.
struct Either;

impl<'de> Visitor<'de> for Either {
    type Value = Written;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the name of a model, or settings of models")
    }

    fn visit_str<E>(self, name: &str) -> Result<Written, E> {
        Ok(Written(Settings { name: Some(name.to_owned()), ..Settings::default() }))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written, A::Error> {
        Settings::deserialize(MapAccessDeserializer::new(map)).map(Written)
    }
}
