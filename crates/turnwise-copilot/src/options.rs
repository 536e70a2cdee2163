//! What an operator settles for the copilot: its section of turnwise.yaml. A key that means nothing is an error that
//! names the nearest one that does. Next: `mcp` for servers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use turnwise_assistant::{Failure, Section};
use turnwise_core::EffectClass;

/// The section `assistants: { copilot: … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The servers whose tools may be used, by the name their tools are called with.
    pub tools: BTreeMap<String, ServerOptions>,
    /// Folders of recipes besides the one in the working folder.
    pub recipes: Vec<PathBuf>,
    /// Built-in tools that are not to be had.
    pub without: Vec<String>,
}

/// One server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerOptions {
    /// The program that is one, with its arguments.
    pub command: Vec<String>,
    /// What stands in its environment besides what it takes to run at all.
    pub env: BTreeMap<String, String>,
    /// The address of one that runs.
    pub url: Option<String>,
    /// What its tools do to the world, as the operator knows it. What is not named here runs once.
    pub effects: BTreeMap<String, Effect>,
    /// Seconds a call may take.
    pub seconds: Option<u32>,
}

/// What a tool does to the world, in the operator's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    /// Changes nothing.
    Pure,
    /// Changes something, and comes to the same whether it is done once or more often.
    Repeatable,
    /// Must not be done twice.
    Once,
}

impl Effect {
    /// The engine's word for it.
    pub fn class(self) -> EffectClass {
        match self {
            Self::Pure => EffectClass::Pure,
            Self::Repeatable => EffectClass::Idempotent,
            Self::Once => EffectClass::OnceOnly,
        }
    }
}

impl Options {
    /// Reads the section.
    ///
    /// # Errors
    /// When it holds what means nothing, or contradicts itself.
    pub fn read(section: &Section) -> Result<Self, Failure> {
        let options: Self = section.read()?;
        let wrong = |told: &str| section.wrong(told).hint(HINT);
        for (name, server) in &options.tools {
            let is_name =
                !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter));
            if !is_name {
                return Err(wrong(&format!("tools: “{name}” is no name; letters, digits, - and _ make one")));
            }
            match (server.command.is_empty(), &server.url) {
                (true, None) => return Err(wrong(&format!("tools: {name}: it takes a command or a url"))),
                (false, Some(_)) => {
                    return Err(wrong(&format!("tools: {name}: it takes a command or a url, and not both")));
                }
                (true, Some(url)) => {
                    crate::tool::address(url).map_err(|told| wrong(&format!("tools: {name}: {told}")))?;
                }
                (false, None) => {}
            }
        }
        let built_in = crate::tool::BUILT_IN;
        if let Some(unknown) = options.without.iter().find(|name| !built_in.contains(&name.as_str())) {
            return Err(wrong(&format!("without: there is no tool “{unknown}”; there are {}", built_in.join(", "))));
        }
        Ok(options)
    }
}

/// A section as it is written.
const HINT: &str = "assistants: { copilot: { tools: { NAME: { command: [PROGRAM, …], effects: { TOOL: pure } } } } }";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use std::path::Path;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_section_that_means_nothing_is_refused_by_name() {
        for (section, told) in [
            (json!({"tool": {}}), "there is no setting `tool`"),
            (json!({"tools": {"fs": {}}}), "fs: it takes a command or a url"),
            (json!({"tools": {"fs": {"command": ["a"], "url": "http://a"}}}), "and not both"),
            (json!({"tools": {"fs": {"url": "ftp://a"}}}), "is no address"),
            (json!({"tools": {"a.b": {"command": ["a"]}}}), "“a.b” is no name"),
            (json!({"tools": {"fs": {"command": ["a"], "effects": {"x": "harmless"}}}}), "unknown variant `harmless`"),
            (json!({"tools": {"fs": {"command": ["a"], "effects": {"x": "reversible"}}}}), "repeatable"),
            (json!({"without": ["shell"]}), "there is no tool “shell”; there are run,"),
        ] {
            let text = json!({"assistants": {"copilot": section}}).to_string();
            let error = Options::read(&Section::of(Path::new("turnwise.yaml"), &text, "copilot")).unwrap_err();
            assert!(error.message().contains(told), "{section}: {}", error.message());
        }
        assert_eq!(Options::read(&Section::default()).unwrap(), Options::default());
    }
}
