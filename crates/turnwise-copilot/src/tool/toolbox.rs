//! The toolbox: all tools at hand, those built in and those of servers, found by name. What a plan calls is checked here
//! against the form of the tool. Next: `planned`, which makes steps of calls.

use std::sync::Arc;

use super::fetch::Fetch;
use super::files::{Files, Folder};
use super::shell::{Python, Shell};
use super::{About, Tool};
use crate::mcp::Servers;

/// All tools at hand.
#[derive(Clone)]
pub(crate) struct Toolbox {
    built_in: Vec<Arc<dyn Tool>>,
    servers: Servers,
}

impl Toolbox {
    /// The tools over a folder, without those named in `without`.
    pub fn new(folder: &Folder, servers: Servers, without: &[String]) -> Self {
        let mut built_in: Vec<Arc<dyn Tool>> = vec![
            Arc::new(Shell::new(folder.root().to_owned())),
            Arc::new(Python::new(folder.root().to_owned())),
            Arc::new(Fetch::new()),
        ];
        for tool in Files::all(folder) {
            built_in.push(Arc::new(tool));
        }
        built_in.retain(|tool| !without.contains(&tool.about().name));
        Self { built_in, servers }
    }

    /// The tool of this name. A server is asked for its tools where the name is one of its.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub async fn find(&self, name: &str) -> Result<Arc<dyn Tool>, String> {
        if let Some(tool) = self.built_in.iter().find(|tool| tool.about().name == name) {
            return Ok(Arc::clone(tool));
        }
        if let Some((server, _)) = name.split_once('.')
            && self.servers.has(server)
        {
            return self.servers.tool(server, name).await;
        }
        let names = self.built_in.iter().map(|tool| tool.about().name.clone());
        let names: Vec<String> = names.chain(self.servers.names().map(|name| format!("{name}.…"))).collect();
        let nearest = turnwise_assistant::nearest_of(name, names.iter().map(String::as_str));
        let hint = nearest.map_or_else(String::new, |nearest| format!(" Did you mean “{nearest}”?"));
        Err(format!("There is no tool “{name}”.{hint} Tools: {}.", names.join(", ")))
    }

    /// A built-in tool.
    pub fn built_in(&self, name: &str) -> Option<&dyn Tool> {
        self.built_in.iter().find(|tool| tool.about().name == name).map(|tool| &**tool)
    }

    /// The servers.
    pub fn servers(&self) -> &Servers {
        &self.servers
    }

    /// What is known of every tool, and which servers cannot be reached, a sentence each.
    pub async fn all(&self) -> (Vec<About>, Vec<String>) {
        let mut all: Vec<About> = self.built_in.iter().map(|tool| tool.about().clone()).collect();
        let (more, troubles) = self.servers.all().await;
        all.extend(more);
        (all, troubles)
    }
}
