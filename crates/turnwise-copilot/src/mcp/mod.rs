//! Tools of other programs, by the Model Context Protocol. A server is started or reached when it is first needed.
//! What it says of itself is data: its tools run once unless the operator knows better, its descriptions go to people
//! and models as its words, and what its tools answer is read by nobody but the person and the steps behind. Next:
//! `connect` for how one is reached, `remote` for a tool of it.

mod connect;
mod form;
mod remote;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::sync::Mutex;
use turnwise_assistant::{Failure, FailureKind, Finding, nearest_of};
use turnwise_core::text;

use self::connect::{Listed, Live};
use self::remote::Remote;
use crate::options::{Effect, ServerOptions};
use crate::tool::{About, Tool};

/// The servers that the operator named.
#[derive(Clone, Default)]
pub(crate) struct Servers(Arc<BTreeMap<String, Arc<Server>>>);

/// One of them.
pub(crate) struct Server {
    name: String,
    options: ServerOptions,
    /// Where a program is started.
    root: PathBuf,
    /// The connection, while there is one.
    live: Mutex<Option<Arc<Live>>>,
}

impl Servers {
    /// These servers; none is started yet.
    pub fn new(options: &BTreeMap<String, ServerOptions>, root: &std::path::Path) -> Self {
        let server = |(name, options): (&String, &ServerOptions)| {
            let server =
                Server { name: name.clone(), options: options.clone(), root: root.to_owned(), live: Mutex::default() };
            (name.clone(), Arc::new(server))
        };
        Self(Arc::new(options.iter().map(server).collect()))
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// All words of the commands that they are started by.
    pub fn commands(&self) -> Vec<&str> {
        self.0.values().flat_map(|server| &server.options.command).map(String::as_str).collect()
    }

    /// Whether there is one of this name.
    pub fn has(&self, server: &str) -> bool {
        self.0.contains_key(server)
    }

    /// The tool `name` of a server, as it is listed now.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub async fn tool(&self, server: &str, name: &str) -> Result<Arc<dyn Tool>, String> {
        let Some(server) = self.0.get(server) else { return Err(format!("There is no server “{server}”.")) };
        let listed = server.listed().await?;
        let found = listed.iter().find(|listed| server.called(&listed.name) == name);
        let Some(found) = found else {
            let names: Vec<String> = listed.iter().map(|listed| server.called(&listed.name)).collect();
            return Err(format!("There is no tool “{name}”. {} has: {}.", server.name, names.join(", ")));
        };
        Ok(Arc::new(Remote::new(Arc::clone(server), found)?))
    }

    /// What is known of all tools of all servers, and which cannot be reached, a sentence each.
    pub async fn all(&self) -> (Vec<About>, Vec<String>) {
        let listed = join_all(self.0.values().map(|server| async move { (server, server.listed().await) })).await;
        let (mut all, mut troubles) = (Vec::new(), Vec::new());
        for (server, listed) in listed {
            let listed = match listed {
                Ok(listed) => listed,
                Err(trouble) => {
                    troubles.push(trouble);
                    continue;
                }
            };
            for one in &listed {
                match Remote::new(Arc::clone(server), one) {
                    Ok(tool) => all.push(tool.about().clone()),
                    Err(trouble) => troubles.push(trouble),
                }
            }
        }
        (all, troubles)
    }

    /// What is there of each, and whether it has the tools that the operator speaks of.
    pub async fn look(&self) -> Vec<Finding> {
        join_all(self.0.values().map(|server| server.look())).await
    }

    /// What the operator says of the effect of a tool, from its name alone; none where it is no server's.
    pub fn effect_of(&self, name: &str) -> Option<Effect> {
        let (server, tool) = name.split_once('.')?;
        Some(self.0.get(server)?.effect_of(tool))
    }
}

impl Server {
    async fn look(&self) -> Finding {
        Finding { what: format!("tools of {}", self.name), told: self.looked_at().await }
    }

    async fn looked_at(&self) -> Result<String, Failure> {
        let key = format!("assistants: {{copilot: {{tools: {{{}: …}}}}}}", self.name);
        let wrong = |told: &str| {
            Failure::new(FailureKind::Operator, told.trim_end_matches('.')).hint(format!("mend {key} in turnwise.yaml"))
        };
        let listed = self.listed().await.map_err(|trouble| wrong(&trouble))?;
        let names = || listed.iter().map(|listed| listed.name.as_str());
        if let Some(unknown) = self.options.effects.keys().find(|tool| names().all(|name| name != tool.as_str())) {
            let failure = wrong(&format!("effects: {} has no tool `{unknown}`", self.name));
            return Err(match nearest_of(unknown, names()) {
                Some(near) => failure.hint(format!("did you mean `{near}`?")),
                None => failure.hint(format!("it has {}", names().collect::<Vec<_>>().join(", "))),
            });
        }
        let known = text::count(self.options.effects.len(), "of them");
        Ok(format!("{}; what it does to the world is said for {known}", text::count(listed.len(), "tool")))
    }

    /// A tool of it as plans call it.
    fn called(&self, tool: &str) -> String {
        format!("{}.{tool}", self.name)
    }

    /// What the operator says of a tool; nothing that the server says counts.
    fn effect_of(&self, tool: &str) -> Effect {
        self.options.effects.get(tool).copied().unwrap_or(Effect::Once)
    }

    /// The connection, made anew where there is none that works.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    async fn live(&self) -> Result<Arc<Live>, String> {
        let mut live = self.live.lock().await;
        if let Some(working) = live.as_ref().filter(|live| live.works()) {
            return Ok(Arc::clone(working));
        }
        let new = Arc::new(connect::connect(&self.name, &self.options, &self.root).await?);
        *live = Some(Arc::clone(&new));
        Ok(new)
    }

    /// The tools it lists now.
    ///
    /// # Errors
    /// Why they cannot be had, as a sentence.
    async fn listed(&self) -> Result<Vec<Listed>, String> {
        self.live().await?.list().await
    }
}
