//! The copilot as it is registered: opened over one working folder, with what is told of it at the start. Servers are
//! reached when they are first needed, so opening waits for none. Next: `copilot`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_assistant::{
    Failure, FailureKind, Finding, Kind, Looking, Opened, Reopened, Section, Settings, hearing, profiled,
};
use turnwise_core::{SourceStamp, text};

use super::copilot::Copilot;
use crate::mcp::Servers;
use crate::model;
use crate::options::Options;
use crate::recipe::Recipes;
use crate::tool::{Folder, Toolbox};

/// The copilot.
pub const KIND: Kind = Kind {
    name: "copilot",
    open,
    examine,
    settings,
    look,
    rerun,
    shown,
    schemas: &[("plan", model::SCHEMA)],
    tasks: &[model::TASK, hearing::TASK],
    is_for_editors: false,
};

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, models, section, .. } = settings;
    let folder = folder(&data)?;
    let options = Options::read(&section)?;
    let recipes = recipe_folders(&folder, &options);
    let servers = Servers::new(&options.tools, folder.root());
    let names: Vec<String> = servers.names().map(str::to_owned).collect();
    let toolbox = Toolbox::new(&folder, servers, &options.without);
    let read = Recipes::read(&recipes);
    let mut overview = vec![told(&folder, &read)];
    if !names.is_empty() {
        overview.push(format!("Tools of other programs: {}.", text::listed(&names)));
    }
    let last = folder.last_written();
    overview.extend(last.map(|entry| format!("“undo” would take back the last write, to {}.", entry.file)));
    overview.extend(read.troubles.iter().cloned());
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let noticed = (!read.troubles.is_empty()).then(|| read.troubles.join(" "));
    let mark = KIND.mark(&data);
    let copilot = Copilot::new(reader, folder, toolbox, models, recipes);
    Ok(Opened { assistant: Arc::new(copilot), overview, noticed, mark })
}

fn folder(data: &[PathBuf]) -> Result<Folder, Failure> {
    let wrong =
        |told: String| Failure::new(FailureKind::Usage, told).hint("--workspace FOLDER names the folder to work in");
    match data {
        [] => Err(wrong("no working folder was named".to_owned())),
        [folder] => Folder::open(folder).map_err(wrong),
        several => Err(wrong(format!("one working folder is worked in, and {} were named", several.len()))),
    }
}

fn recipe_folders(folder: &Folder, options: &Options) -> Vec<PathBuf> {
    let own = options.recipes.iter().map(|path| folder.root().join(path));
    std::iter::once(folder.root().join("recipes")).chain(own).collect()
}

fn told(folder: &Folder, recipes: &Recipes) -> String {
    let name = folder.root().file_name().unwrap_or(folder.root().as_os_str()).to_string_lossy();
    format!("Working folder: {name} ({}).", text::count(recipes.all.len(), "recipe"))
}

fn examine(data: &[PathBuf]) -> Result<String, Failure> {
    let folder = folder(data)?;
    let recipes = Recipes::read(&recipe_folders(&folder, &Options::default()));
    Ok(told(&folder, &recipes))
}

fn settings(section: &Section) -> Result<(), Failure> {
    Options::read(section).map(drop)
}

/// Each server is reached and lists its tools, none of which is called; each further folder of recipes is read.
fn look(section: Section, root: PathBuf) -> Looking {
    Looking::by(async move {
        let Ok(options) = Options::read(&section) else { return Vec::new() };
        let mut findings = Servers::new(&options.tools, &root).look().await;
        findings.extend(options.recipes.iter().map(|folder| {
            let told = recipes_in(&root.join(folder));
            Finding { what: format!("recipes in {}", folder.display()), told }
        }));
        findings
    })
}

fn recipes_in(folder: &Path) -> Result<String, Failure> {
    let wrong = |told: String| {
        Failure::new(FailureKind::Usage, told).hint("mend assistants: {copilot: {recipes: [FOLDER, …]}}")
    };
    if !folder.is_dir() {
        return Err(wrong(format!("{} is no folder", folder.display())));
    }
    let read = Recipes::read(&[folder.to_owned()]);
    match read.troubles.is_empty() {
        true => Ok(text::count(read.all.len(), "recipe")),
        false => Err(wrong(read.troubles.join(" ").trim_end_matches('.').to_owned())),
    }
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Nothing of the copilot is a finding that could be found again: its steps act on the world as it is.
fn rerun(data: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    folder(data)?;
    Ok(Reopened::done_once("acts on the world as it is"))
}
