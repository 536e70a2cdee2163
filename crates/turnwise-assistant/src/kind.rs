//! Kinds: an assistant as it is registered. The shell knows assistants by this alone: how one is opened, how what it
//! works on is looked at, and how it runs the steps of a proof again. Next: [`Kind`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use turnwise_core::{ConversationId, FactName, SourceStamp, Table, ToolName};
use turnwise_intent::IntentReader;

use crate::{Assistant, Failure, Looking, Models, Outlets, Progress, Section};

/// An assistant that works, as the rest of the program finds it.
#[derive(Debug)]
pub struct Kind {
    /// Its name: that of its profile, by which people choose it and conversations remember it.
    pub name: &'static str,
    /// Opens it; reads what it works on, so it blocks.
    pub open: fn(Settings) -> Result<Opened, Failure>,
    /// Looks at what it would work on and says in a few words what is there; blocks.
    pub examine: fn(&[PathBuf]) -> Result<String, Failure>,
    /// Reads its section of the configuration and refuses what means nothing; looks at nothing else.
    pub settings: fn(&Section) -> Result<(), Failure>,
    /// Looks at what its section names, from the folder it would work in. Nothing is changed by it.
    pub look: fn(Section, PathBuf) -> Looking,
    /// Opens what it works on for running steps again that rest on these sources; blocks.
    pub rerun: fn(&[PathBuf], &[&SourceStamp]) -> Result<Reopened, Failure>,
    /// What was named to work on, as it may be shown and kept: without what is secret in it.
    pub shown: fn(&Path) -> PathBuf,
    /// The JSON schemas its models are held to, by name, for `turnwise schema`.
    pub schemas: &'static [(&'static str, &'static str)],
    /// The tasks its models may be asked to do, by name, for `model: {tasks: …}`.
    pub tasks: &'static [&'static str],
    /// Whether it is the one that editors mean where they name none.
    pub is_for_editors: bool,
}

/// What an assistant is opened with.
#[derive(Clone)]
pub struct Settings {
    /// Its profile, as the person has it.
    pub reader: IntentReader,
    /// The files, folders and servers it was named to work on.
    pub data: Vec<PathBuf>,
    /// The folder below which each conversation has its files; without one, people write where they say.
    pub below: Option<PathBuf>,
    /// The models it may ask; none unless somebody named one.
    pub models: Models,
    /// The folder where it keeps what outlives a conversation; without one it keeps that in memory.
    pub state: Option<PathBuf>,
    /// The surface that holds its conversations, where one can be spoken to.
    pub outlets: Outlets,
    /// Its own section of the configuration.
    pub section: Section,
    /// Where it tells how far it is.
    pub progress: Progress,
}

/// An assistant that was opened.
#[derive(Clone)]
pub struct Opened {
    /// The assistant.
    pub assistant: Arc<dyn Assistant>,
    /// What it knows and how it greets, one paragraph each.
    pub overview: Vec<String>,
    /// What was noticed while it was opened, which may explain an answer.
    pub noticed: Option<String>,
    /// A mark of what it works on: the last part of the ids of its conversations.
    pub mark: String,
}

/// What an assistant works on, opened for running steps again.
pub struct Reopened {
    /// Runs them.
    pub by: Box<dyn Reruns>,
    /// Sources that have another name here than the steps know, known by their content: the name known, the name here.
    pub renamed: Vec<(String, String)>,
}

/// Which rows of a step that is run again are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsWanted {
    /// Those that a fact keeps.
    Kept,
    /// All of them: something else is worked out from them.
    All,
}

/// Runs steps again without a conversation. It needs no plan and no approval, because it changes nothing.
pub trait Reruns {
    /// The stamp of the source of this name as it is now; none when it is not there.
    fn stamp(&self, source: &str) -> Option<SourceStamp>;

    /// Runs a step again over all rows of its inputs; gives the rows that are wanted and the digest of all.
    ///
    /// # Errors
    /// Why it cannot be run.
    fn rerun(
        &self,
        tool: &ToolName,
        arguments: &BTreeMap<String, String>,
        inputs: &[&Table],
        wanted: RowsWanted,
    ) -> Result<(Table, String), String>;

    /// A step as it is told to people, from what is run alone.
    fn told(&self, tool: &ToolName, arguments: &BTreeMap<String, String>, needs: &[FactName]) -> String;
}

impl Reopened {
    /// Of an assistant whose steps are done once, because they act on something that is otherwise afterwards; `why`
    /// goes on behind the tool's name.
    #[must_use]
    pub fn done_once(why: &'static str) -> Self {
        Self { by: Box::new(DoneOnce(why)), renamed: Vec::new() }
    }
}

/// What is done once.
struct DoneOnce(&'static str);

impl Reruns for DoneOnce {
    fn stamp(&self, _: &str) -> Option<SourceStamp> {
        None
    }

    fn rerun(
        &self,
        tool: &ToolName,
        _: &BTreeMap<String, String>,
        _: &[&Table],
        _: RowsWanted,
    ) -> Result<(Table, String), String> {
        Err(format!("`{tool}` {} and is not run again for a proof", self.0))
    }

    fn told(&self, tool: &ToolName, _: &BTreeMap<String, String>, _: &[FactName]) -> String {
        tool.to_string()
    }
}

impl Opened {
    /// Whether a conversation is over what this assistant works on, by its id.
    #[must_use]
    pub fn is_over(&self, conversation: &ConversationId) -> bool {
        conversation.as_str().rsplit_once('-').is_some_and(|(_, mark)| mark == self.mark)
    }
}

impl Kind {
    /// A short mark of what an assistant works on: the same files and folders, in whatever order and however they are
    /// written, give the same mark.
    #[must_use]
    pub fn mark(&self, data: &[PathBuf]) -> String {
        // A server's address is the same data with another password.
        let whole = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| (self.shown)(path));
        let mut paths: Vec<PathBuf> = data.iter().map(whole).collect();
        paths.sort();
        paths.dedup();
        let mut hash = Sha256::new();
        for path in &paths {
            hash.update(path.as_os_str().as_encoded_bytes());
            hash.update([0]);
        }
        hash.finalize().iter().take(MARK_BYTES).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Enough that two data sets of one person do not meet by chance.
const MARK_BYTES: usize = 6;
