//! The analyst as it is registered: opened over data, with what a person is told of it at the start; looked at; and run
//! again for a proof. Next: `data_analyst` for the engine's view of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_core::{FactName, SourceStamp, Table, ToolName, text};

use super::question::{ModelReader, SCHEMA, TASK};
use super::source::{Opening, SourceError, shown};
use super::whole::Extent;
use super::{Analyst, AnalystError, DataAnalyst, Overview, TableOverview};
use super::{meaning, telling};
use turnwise_assistant::{
    Failure, FailureKind, Kind, Looking, Opened, Progress, Reopened, Reruns, RowsWanted, Section, Settings, hearing,
    profiled,
};
use turnwise_model::TaskError;

/// The analyst.
pub const KIND: Kind = Kind {
    name: "analyst",
    open,
    examine,
    settings: Section::is_nothing,
    look: Looking::at_nothing,
    rerun,
    shown,
    schemas: &[("question", SCHEMA), ("meaning", meaning::SCHEMA), ("intent", hearing::SCHEMA)],
    tasks: &[TASK, meaning::FILES.name, telling::FILES.name, hearing::TASK],
    is_for_editors: false,
};

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, below, models, state, progress, section, .. } = settings;
    section.is_nothing()?;
    let model = ModelReader::of(models).map_err(unusable)?;
    if data.is_empty() {
        return Err(no_data());
    }
    let cache = state.map(|folder| folder.join(CACHE));
    let opening = Opening { cache: cache.as_deref(), ..Opening::plain(&progress) };
    let analyst = Analyst::open_by(&data, &opening).map_err(unreadable)?;
    let known = analyst.overview();
    let noticed = noticed(&analyst);
    let mut overview: Vec<String> = holds(&known).into_iter().chain(writings(&known)).collect();
    overview.extend(noticed.clone());
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    overview.extend(tries(&known));
    let assistant = DataAnalyst::new(reader, analyst).over(&data).read_by(model);
    let assistant = Arc::new(match below {
        None => assistant,
        Some(folder) => assistant.keeping_below(folder),
    });
    Ok(Opened { assistant, overview, noticed, mark: KIND.mark(&data) })
}

fn unusable(error: TaskError) -> Failure {
    Failure::new(FailureKind::Operator, error.to_string())
        .hint("mend the file, or delete it to have the built-in one")
        .caused_by(error)
}

fn no_data() -> Failure {
    Failure::new(FailureKind::Usage, "no data was named")
        .hint("--data PATH reads CSV, TSV, .xlsx, Parquet, JSON or SQLite files, or a folder of them")
        .hint(
            "--data postgres://user@host/database reads a PostgreSQL database, mysql://user@host/database a MySQL one",
        )
        .hint("--data FOLDER reads documents too")
        .hint("--sample tries it on sample data")
}

fn examine(data: &[PathBuf]) -> Result<String, Failure> {
    let known = Analyst::open(data).map_err(unreadable)?.overview();
    let (tables, documents) = (known.tables.len(), known.documents.len());
    Ok(format!("{}, {}", text::count(tables, "table"), text::count(documents, "document")))
}

/// A file that only has another name than the steps know is told by its content and taken under the name they know.
fn rerun(data: &[PathBuf], sources: &[&SourceStamp]) -> Result<Reopened, Failure> {
    let analyst = Analyst::open(data).map_err(unreadable)?;
    let is_known = |file: &str| sources.iter().any(|source| source.name == file);
    let mut called: BTreeMap<PathBuf, String> = BTreeMap::new();
    for source in sources.iter().filter(|source| analyst.stamp(&source.name).is_none()) {
        let holding = analyst.workbench().holding(&source.fingerprint);
        if let Some(path) = holding.filter(|path| !is_known(&file_name(path))) {
            called.entry(path.to_owned()).or_insert_with(|| source.name.clone());
        }
    }
    if called.is_empty() {
        return Ok(Reopened { by: Box::new(analyst), renamed: Vec::new() });
    }
    let progress = Progress::default();
    let opening = Opening { called: &called, ..Opening::plain(&progress) };
    let analyst = Analyst::open_by(data, &opening).map_err(unreadable)?;
    let renamed = called.into_iter().map(|(path, name)| (name, file_name(&path))).collect();
    Ok(Reopened { by: Box::new(analyst), renamed })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Reruns for Analyst {
    fn stamp(&self, source: &str) -> Option<SourceStamp> {
        Self::stamp(self, source)
    }

    fn rerun(
        &self,
        tool: &ToolName,
        arguments: &BTreeMap<String, String>,
        inputs: &[&Table],
        wanted: RowsWanted,
    ) -> Result<(Table, String), String> {
        let extent = match wanted {
            RowsWanted::Kept => Extent::Kept,
            RowsWanted::All => Extent::Whole,
        };
        Self::rerun(self, tool.as_str(), arguments, inputs, extent)
    }

    fn told(&self, tool: &ToolName, arguments: &BTreeMap<String, String>, needs: &[FactName]) -> String {
        Self::told(tool, arguments, needs)
    }
}

/// What was noticed while the data was read: mixed columns, files passed over. Said at once, because it explains later
/// answers.
fn noticed(analyst: &Analyst) -> Option<String> {
    let bench = analyst.workbench();
    let of_tables =
        bench.tables().iter().flat_map(|table| table.notes.iter().map(|note| format!("{}: {note}", table.name)));
    let notes: Vec<String> =
        analyst.unread().into_iter().chain(bench.notes().iter().cloned()).chain(of_tables).collect();
    let rest = notes.len().saturating_sub(NOTES_SHOWN_MAX);
    let more = if rest > 0 { format!("\n… and {}", text::count(rest, "more note")) } else { String::new() };
    (!notes.is_empty()).then(|| format!("Noticed: {}{more}", notes[..notes.len() - rest].join("\n         ")))
}

/// Questions that work on this very data.
fn tries(overview: &Overview) -> Option<String> {
    let examples: Vec<String> =
        overview.examples.iter().take(TRIES_SHOWN_MAX).map(|text| format!("“{text}”")).collect();
    (!examples.is_empty()).then(|| format!("Try {}.", examples.join(", or ")))
}

/// The tables in one sentence; of many, the first.
fn holds(overview: &Overview) -> Option<String> {
    let name = |table: &TableOverview| {
        format!("{} ({})", table.name, text::count(usize::try_from(table.rows).unwrap_or(usize::MAX), "row"))
    };
    let shown: Vec<String> = overview.tables.iter().take(TABLES_SHOWN_MAX).map(name).collect();
    let rest = overview.tables.len().saturating_sub(TABLES_SHOWN_MAX);
    let more = if rest > 0 { format!(" and {}", text::count(rest, "more table")) } else { String::new() };
    (!shown.is_empty()).then(|| format!("Data: {}{more}.", shown.join(", ")))
}

/// The documents in one sentence; of many, the first.
fn writings(overview: &Overview) -> Option<String> {
    let shown: Vec<String> = overview
        .documents
        .iter()
        .take(TABLES_SHOWN_MAX)
        .map(|(name, passages)| format!("{name} ({})", text::count(*passages, "passage")))
        .collect();
    let rest = overview.documents.len().saturating_sub(TABLES_SHOWN_MAX);
    let more = if rest > 0 { format!(" and {}", text::count(rest, "more document")) } else { String::new() };
    (!shown.is_empty()).then(|| format!("Documents: {}{more}.", shown.join(", ")))
}

/// Data that cannot be opened, as a person is told it.
fn unreadable(error: AnalystError) -> Failure {
    let kind = match &error {
        AnalystError::Source(SourceError::Engine { .. }) => FailureKind::Defect,
        AnalystError::Source(SourceError::ServerAway { .. }) => FailureKind::Peer,
        AnalystError::Source(_) | AnalystError::Look(_) => FailureKind::Usage,
    };
    Failure::new(kind, error.to_string()).caused_by(error)
}

/// Where what large files became is kept, in the folder of the assistant's state.
const CACHE: &str = "loaded";
/// Notes about the data told at the start.
const NOTES_SHOWN_MAX: usize = 6;
/// Questions offered at the start.
const TRIES_SHOWN_MAX: usize = 3;
/// Tables named at the start.
const TABLES_SHOWN_MAX: usize = 12;
