//! How a model is named: by a person after `--model`, in configuration, in logs. A name never holds a key. Next:
//! `provider`, which reaches the model of a name.

use std::fmt;
use std::path::PathBuf;

use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::ModelError;

/// The name of a model as it is written: `openai:gpt-4o-mini`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ModelName(String);

/// The forms of a name, for hints.
pub const FORMS: &str = "write openai:NAME, anthropic:NAME, gemini:NAME, ollama:NAME, openai-compatible:URL#NAME, \
                         recorded:FOLDER or scripted:FILE";

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A model of OpenAI.
    OpenAi(String),
    /// A model of Anthropic.
    Anthropic(String),
    /// A model of Google.
    Gemini(String),
    /// A model that Ollama serves, on this machine or at `OLLAMA_HOST`.
    Ollama(String),
    /// A model that any server with OpenAI's protocol serves: llama-server, vLLM, LM Studio, a gateway.
    Compatible {
        /// Up to and with the version: `http://127.0.0.1:8080/v1/`.
        url: Url,
        /// What it calls the model; servers of one model take any name.
        model: String,
    },
    /// The recordings of a folder.
    Recorded(PathBuf),
    /// A script.
    Scripted(PathBuf),
}

impl ModelName {
    /// The name `text`, as it is.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it means.
    ///
    /// # Errors
    /// When it means nothing, or holds a key or a password.
    pub fn place(&self) -> Result<Place, ModelError> {
        let wrong = |told: &str| self.unnamed(told.to_owned());
        let Some((kind, rest)) = self.0.split_once(':') else {
            return Err(wrong("it does not say who serves it"));
        };
        if rest.is_empty() {
            return Err(wrong("it does not say which model"));
        }
        let name = rest.to_owned();
        Ok(match kind {
            "openai" => Place::OpenAi(name),
            "anthropic" => Place::Anthropic(name),
            "gemini" => Place::Gemini(name),
            "ollama" => Place::Ollama(name),
            "openai-compatible" => {
                let (url, model) = rest.split_once('#').unwrap_or((rest, "default"));
                Place::Compatible { url: address(url).map_err(|told| wrong(&told))?, model: model.to_owned() }
            }
            "recorded" => Place::Recorded(name.into()),
            "scripted" => Place::Scripted(name.into()),
            _ => return Err(wrong(&format!("nobody called “{kind}” is known"))),
        })
    }

    /// The error that this names no model. An address with a password in it is not repeated.
    fn unnamed(&self, told: String) -> ModelError {
        let name = if self.0.contains('@') && self.0.contains("//") { "…" } else { self.0.as_str() };
        ModelError::Unnamed { name: name.to_owned(), told }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The address of a server that `text` says, ready to be lengthened.
///
/// # Errors
/// What is wrong with it.
pub fn address(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text).map_err(|error| format!("the address cannot be read: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err("the address must begin with http:// or https:// and name a host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
        return Err("the address holds what may be secret; keys come from OPENAI_COMPATIBLE_API_KEY".to_owned());
    }
    url.set_fragment(None);
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    fn place(name: &str) -> Place {
        ModelName::new(name).place().unwrap()
    }

    fn told(name: &str) -> String {
        ModelName::new(name).place().unwrap_err().to_string()
    }

    #[test]
    fn a_name_says_who_serves_the_model_and_which() {
        assert_eq!(place("openai:gpt-4o-mini"), Place::OpenAi("gpt-4o-mini".to_owned()));
        assert_eq!(place("ollama:qwen2.5-coder:1.5b"), Place::Ollama("qwen2.5-coder:1.5b".to_owned()));
        let Place::Compatible { url, model } = place("openai-compatible:http://127.0.0.1:8080/v1#qwen") else {
            panic!()
        };
        assert_eq!((url.as_str(), model.as_str()), ("http://127.0.0.1:8080/v1/", "qwen"));
        assert!(
            matches!(place("openai-compatible:https://a.b"), Place::Compatible { model, .. } if model == "default")
        );
    }

    #[test]
    fn what_names_no_model_says_why() {
        assert_eq!(told("gpt-4o"), "“gpt-4o” names no model: it does not say who serves it");
        assert_eq!(told("openai:"), "“openai:” names no model: it does not say which model");
        assert_eq!(told("opanai:x"), "“opanai:x” names no model: nobody called “opanai” is known");
        assert_eq!(
            told("openai-compatible:ftp://a.example/v1"),
            "“openai-compatible:ftp://a.example/v1” names no model: the address must begin with http:// or https:// \
             and name a host"
        );
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_repeated() {
        let told = told("openai-compatible:https://me:hunter2@a.example/v1");
        assert!(told.contains("may be secret") && !told.contains("hunter2"), "{told}");
    }
}
