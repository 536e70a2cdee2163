//! `turnwise models`: which models are configured, for what, and whether they answer. It is the one place where a model
//! is asked without a task: a few words, to see that the address, the name and the key are right. Next: `model`.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use tokio_util::sync::CancellationToken;
use turnwise_assistant::{Failure, FailureKind};
use turnwise_model::{
    Guarded, Guards, Keys, Message, Model as _, ModelName, Place, Request, TaskName, TaskVersion, open,
};

use super::model::{ModelArguments, settled};
use super::tell;
use crate::assistant::ALL;

/// `turnwise models`.
#[derive(Clone, Debug, Args)]
pub struct ModelsArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Only list them; send nothing
    #[arg(long)]
    pub list: bool,
}

/// How long a model may take for a few words. One that is loaded first takes its time.
const CHECK_TIME_MAX: Duration = Duration::from_secs(60);

/// Lists and checks all models, each once; ends with exit code 1 when one does not answer.
///
/// # Errors
/// When a setting is wrong, or standard output fails.
pub async fn models(arguments: &ModelsArguments) -> Result<ExitCode, Failure> {
    let mut checked: Vec<(ModelName, Result<String, Failure>)> = Vec::new();
    let mut is_none = true;
    for kind in ALL {
        let settled = settled(kind.name, &arguments.model)?;
        for named in &settled.named {
            is_none = false;
            let task = named.task.as_ref().map_or("all tasks".to_owned(), |task| format!("the task {task}"));
            tell(&format!(
                "{}, {task}: {} (from {}), is shown {}",
                kind.name,
                named.name,
                named.by,
                settled.sees.told()
            ))?;
            if checked.iter().all(|(name, _)| *name != named.name) {
                let told = if arguments.list { known(&named.name) } else { check(&named.name).await };
                checked.push((named.name.clone(), told));
            }
        }
    }
    if is_none {
        tell("No model is named, so nothing is sent anywhere. --model NAME or `model:` in turnwise.yaml names one.")?;
    }
    tell(&seen(&Keys::from_environment()))?;
    for (name, told) in &checked {
        match told {
            Ok(told) => tell(&format!("✓ {name}: {told}"))?,
            Err(failure) => {
                tell(&format!("✗ {name}: {}", failure.message()))?;
                failure.hints().iter().try_for_each(|hint| tell(&format!("    → {hint}")))?;
            }
        }
    }
    Ok(if checked.iter().all(|(_, told)| told.is_ok()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The variables of models that are set, by their names alone.
pub fn seen(keys: &Keys) -> String {
    let names: Vec<&str> = keys.seen().collect();
    match names.is_empty() {
        true => "No variable of a model's key or address is set.".to_owned(),
        false => format!("Set: {}.", names.join(", ")),
    }
}

/// Whether a model could be asked: its name means something, and its key is there.
///
/// # Errors
/// When it could not.
pub fn known(name: &ModelName) -> Result<String, Failure> {
    open(name, &Keys::from_environment())?;
    if let Place::Recorded(folder) = name.place()? {
        let files = std::fs::read_dir(&folder).map_err(|error| {
            let told = format!("the folder {} cannot be read ({error})", folder.display());
            Failure::new(FailureKind::Operator, told).hint("name a folder with recordings")
        })?;
        return Ok(format!("{} files", files.count()));
    }
    Ok("could be asked".to_owned())
}

/// Whether a model answers.
async fn check(name: &ModelName) -> Result<String, Failure> {
    // A recording has no answer to what was never asked of it.
    if matches!(name.place()?, Place::Recorded(_)) {
        return known(name);
    }
    let model = Guarded::new(open(name, &Keys::from_environment())?, Guards { attempts_max: 1, ..Guards::default() });
    let messages = vec![Message::user("Answer with the one word: yes")];
    let request = Request {
        tokens_max: 16,
        time_max: CHECK_TIME_MAX,
        ..Request::new(TaskName::new("check"), TaskVersion::new("1"), messages)
    };
    let begun = Instant::now();
    let answer = model.complete(&request, &CancellationToken::new()).await?;
    let tokens = answer.usage.total();
    Ok(format!("answers, {} ms, {tokens} tokens", begun.elapsed().as_millis()))
}
