//! The companion as it is registered: opened over its own store, with what is told of it at the start. It works on no
//! files. Next: `companion`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use turnwise_assistant::{Failure, FailureKind, Kind, Looking, Opened, Reopened, Section, Settings};
use turnwise_core::SourceStamp;

use super::companion::Companion;
use super::model::{HEAR_SCHEMA, HEAR_TASK, REPLY_SCHEMA, REPLY_TASK, Speaker};
use crate::store::Store;

/// The companion.
pub const KIND: Kind = Kind {
    name: "companion",
    open,
    examine,
    settings,
    look: Looking::at_nothing,
    rerun,
    shown,
    schemas: &[("hear", HEAR_SCHEMA), ("reply", REPLY_SCHEMA)],
    tasks: &[HEAR_TASK, REPLY_TASK],
    is_for_editors: false,
};

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, below, models, state, section, .. } = settings;
    let options: Options = section.read()?;
    let store = Store::open(state.as_deref()).map_err(|error| {
        let told = format!("the companion's projects cannot be opened: {error}");
        Failure::new(FailureKind::Operator, told).caused_by(error)
    })?;
    let overview = vec![reader.profile().greeting.clone()];
    let noticed = left_alone(&data);
    // It works on what it keeps itself, whatever else is named.
    let mark = KIND.mark(&[]);
    let speaker = Speaker::new(models, &options.name, store.clone())?;
    let assistant = Arc::new(Companion::new(reader, store, below, speaker));
    Ok(Opened { assistant, overview, noticed, mark })
}

/// Its own section of the configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// What it calls itself.
    name: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { name: "the companion".to_owned() }
    }
}

/// What is named is there for other assistants of the same house; one that is alone with it says so.
fn left_alone(data: &[PathBuf]) -> Option<String> {
    let first = data.first()?;
    Some(format!("I read no files, so I leave {} alone. “import project FOLDER” brings a project in.", first.display()))
}

fn examine(_: &[PathBuf]) -> Result<String, Failure> {
    Ok("it keeps its own projects".to_owned())
}

fn settings(section: &Section) -> Result<(), Failure> {
    section.read::<Options>().map(drop)
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// What the companion does is kept with its project and is no finding that could be found again.
fn rerun(_: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    Ok(Reopened::done_once("changes a project"))
}
