//! Answers kept in a folder, one JSON file for each request, named by the request's digest. Tests of what is done with
//! answers run from such a folder and need no model; with `UPDATE=1` and a model the folder is made again. A request
//! that was never recorded is an error that names the file, never a silent call. Next: `digest`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::digest::described;
use crate::{Answer, Model, ModelError, ModelName, Request, RequestDigest};

/// A model that answers from recordings, and makes them where it has a model to ask.
#[derive(Clone)]
pub struct Recorded {
    name: ModelName,
    folder: PathBuf,
    /// Who is asked anew, for recording.
    source: Option<Arc<dyn Model>>,
}

/// A file of the folder. The request stands in it so that a person can read what was asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recording {
    request: Value,
    answer: Answer,
}

impl Recorded {
    /// Answers from `folder`, and from nothing else.
    #[must_use]
    pub fn replaying(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { name: ModelName::new(format!("recorded:{}", folder.display())), folder, source: None }
    }

    /// Asks `model` each time and keeps its answers in `folder`, over what was there.
    #[must_use]
    pub fn recording(folder: impl Into<PathBuf>, model: Arc<dyn Model>) -> Self {
        Self { name: model.name().clone(), folder: folder.into(), source: Some(model) }
    }

    /// Records from `model` where the variable `UPDATE` is `1` and there is a model; replays otherwise.
    #[must_use]
    pub fn by_environment(folder: impl Into<PathBuf>, model: Option<Arc<dyn Model>>) -> Self {
        let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
        match model.filter(|_| update) {
            Some(model) => Self::recording(folder, model),
            None => Self::replaying(folder),
        }
    }

    /// The file in which the answer to `request` is kept.
    #[must_use]
    pub fn file(&self, request: &Request) -> PathBuf {
        let digest = RequestDigest::of(request);
        self.folder.join(format!("{}-{}.json", request.task, digest.short()))
    }
}

#[async_trait]
impl Model for Recorded {
    fn name(&self) -> &ModelName {
        &self.name
    }

    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let file = self.file(request);
        if let Some(source) = &self.source {
            let answer = source.stream(request, part, cancelled).await?;
            write(&file, &Recording { request: described(request), answer: answer.clone() })?;
            return Ok(answer);
        }
        if cancelled.is_cancelled() {
            return Err(ModelError::Cancelled { model: self.name.clone() });
        }
        let answer = read(&file, request)?;
        answer.text.split_inclusive(' ').for_each(part);
        Ok(answer)
    }
}

fn read(file: &Path, request: &Request) -> Result<Answer, ModelError> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(ModelError::NotRecorded { task: request.task.clone(), file: file.to_owned() });
        }
        Err(error) => return Err(unusable(file, &error)),
    };
    let recording: Recording = serde_json::from_str(&text).map_err(|error| unusable(file, &error))?;
    Ok(recording.answer)
}

fn write(file: &Path, recording: &Recording) -> Result<(), ModelError> {
    let mut text = serde_json::to_string_pretty(recording).map_err(|error| unusable(file, &error))?;
    text.push('\n');
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
    }
    std::fs::write(file, text).map_err(|error| unusable(file, &error))
}

fn unusable(file: &Path, error: &dyn std::error::Error) -> ModelError {
    ModelError::File { file: file.to_owned(), told: error.to_string() }
}
