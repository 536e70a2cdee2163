//! The coder as it is registered: opened over one folder, with what is told of it at the start. Before anything else it
//! puts right what a process that died left unfinished. Next: `coder`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_assistant::{Failure, FailureKind, Finding, Kind, Looking, Opened, Reopened, Section, Settings, profiled};
use turnwise_core::{SourceStamp, text};

use super::coder::Coder;
use crate::edit::{Recovered, last_applied, recover};
use crate::model;
use crate::options::Options;
use crate::worker;
use crate::workspace::Workspace;

/// The coder.
pub const KIND: Kind = Kind {
    name: "coder",
    open,
    examine,
    settings,
    look,
    rerun,
    shown,
    schemas: &[("edit", model::SCHEMA)],
    tasks: &[model::TASK],
    is_for_editors: true,
};

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, models, section, .. } = settings;
    let options = Options::read(&section)?;
    let workspace = workspace(&data)?;
    let recovered = recover(&workspace).map_err(|error| {
        Failure::new(FailureKind::Operator, format!("an unfinished change cannot be put right: {error}"))
            .hint("nothing is changed here before that is possible; see .turnwise/changes in the workspace")
    })?;
    let noticed = noticed(&recovered);
    let mut overview = vec![told(&workspace)];
    overview.extend(noticed.clone());
    overview.extend(last_applied(&workspace).map(|(_, title, _)| format!("“undo” would take back: {title}.")));
    if let Some(worker) = &options.worker {
        overview.push(format!("What no rule knows is done by `{}`, in a copy.", worker.name()));
    }
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let mark = KIND.mark(&data);
    Ok(Opened { assistant: Arc::new(Coder::new(reader, workspace, models, options)), overview, noticed, mark })
}

fn workspace(data: &[PathBuf]) -> Result<Workspace, Failure> {
    let wrong = |told: String| {
        Failure::new(FailureKind::Usage, told).hint("--workspace FOLDER names the folder of the project to work in")
    };
    match data {
        [] => Err(wrong("no workspace was named".to_owned())),
        [folder] => Workspace::open(folder).map_err(|error| wrong(error.to_string())),
        several => Err(wrong(format!("one workspace is worked in, and {} were named", several.len()))),
    }
}

fn told(workspace: &Workspace) -> String {
    let files = workspace.files().len();
    let git = match workspace.git_status() {
        Ok(changed) if changed.is_empty() => "under git, nothing uncommitted".to_owned(),
        Ok(changed) => format!("under git, {} uncommitted", text::count(changed.len(), "file")),
        Err(error) => error.to_string(),
    };
    let left_out = workspace.left_out().map(|left_out| format!(" {}", left_out.told())).unwrap_or_default();
    format!("Workspace: {} ({}; {git}).{left_out}", workspace.name(), text::count(files, "file"))
}

fn noticed(recovered: &[Recovered]) -> Option<String> {
    let told = |recovered: &Recovered| {
        let left: Vec<String> = recovered.left_alone.iter().map(ToString::to_string).collect();
        let left = match left.is_empty() {
            true => String::new(),
            false => format!(" {} changed meanwhile and stayed as they are.", text::listed(&left)),
        };
        format!("“{}” had been interrupted, and the files are as they were before it.{left}", recovered.title)
    };
    (!recovered.is_empty()).then(|| recovered.iter().map(told).collect::<Vec<_>>().join(" "))
}

fn examine(data: &[PathBuf]) -> Result<String, Failure> {
    Ok(told(&workspace(data)?))
}

fn settings(section: &Section) -> Result<(), Failure> {
    Options::read(section).map(drop)
}

/// Whether the worker is there and speaks the protocol; it is given nothing to do.
fn look(section: Section, root: PathBuf) -> Looking {
    Looking::by(async move {
        let Ok(Options { worker: Some(worker) }) = Options::read(&section) else { return Vec::new() };
        let told = worker::greeted(&root, &worker).await;
        let told = told.map(|()| format!("`{}` answers", worker.name())).map_err(|told| {
            Failure::new(FailureKind::Operator, told).hint("mend assistants: {coder: {worker: {command: …}}}")
        });
        vec![Finding { what: "worker".to_owned(), told }]
    })
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Nothing of the coder is a finding that could be found again: its steps change files, or look at them as they are.
fn rerun(data: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    workspace(data)?;
    Ok(Reopened::done_once("works on files as they are"))
}
