//! Keys of providers: from the variables their own tools use, or from a file that such a variable names. A key is
//! shown nowhere: not in an error, not in a log, not by `{:?}`. Next: `provider`, which sends one.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::{ModelError, ModelName};

/// The variables that are read: keys (each also with `_FILE` behind it, naming a file that holds the key alone), and
/// addresses by which a provider's own tools are sent elsewhere.
pub const VARIABLES: [&str; 13] = [
    "OPENAI_API_KEY",
    "OPENAI_API_KEY_FILE",
    "OPENAI_BASE_URL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_API_KEY_FILE",
    "ANTHROPIC_BASE_URL",
    "GEMINI_API_KEY",
    "GEMINI_API_KEY_FILE",
    "GOOGLE_GEMINI_BASE_URL",
    "OPENAI_COMPATIBLE_API_KEY",
    "OPENAI_COMPATIBLE_API_KEY_FILE",
    "OLLAMA_API_KEY",
    "OLLAMA_HOST",
];

/// What the environment says of models. `{:?}` shows which variables are set and none of their values.
#[derive(Clone, Default)]
pub struct Keys(BTreeMap<String, String>);

/// A key. `{:?}` shows that there is one.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Keys {
    /// Of this process.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::from_values(VARIABLES.into_iter().filter_map(|name| Some((name, std::env::var(name).ok()?))))
    }

    /// Of these variables.
    #[must_use]
    pub fn from_values<'a>(values: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let set = values.into_iter().filter(|(_, value)| !value.trim().is_empty());
        Self(set.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    /// The same with this key in the place of the one that `variable` holds.
    #[must_use]
    pub(crate) fn with(mut self, variable: &str, key: &Key) -> Self {
        self.0.insert(variable.to_owned(), key.0.clone());
        self
    }

    /// The names of the variables that are set, and none of their values.
    pub fn seen(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The address that `variable` names.
    #[must_use]
    pub fn address(&self, variable: &str) -> Option<&str> {
        self.0.get(variable).map(|value| value.trim())
    }

    /// The key that `variable` holds or the file of `variable` with `_FILE` behind it.
    ///
    /// # Errors
    /// When the file cannot be read or holds no key.
    pub fn key(&self, variable: &str) -> Result<Option<Key>, ModelError> {
        if let Some(value) = self.0.get(variable) {
            return Ok(Some(Key(value.trim().to_owned())));
        }
        let Some(file) = self.0.get(&format!("{variable}_FILE")).map(PathBuf::from) else { return Ok(None) };
        let text = std::fs::read_to_string(&file)
            .map_err(|error| ModelError::KeyFile { file: file.clone(), told: error.to_string() })?;
        match text.trim() {
            "" => Err(ModelError::KeyFile { file, told: "it is empty".to_owned() }),
            key if key.contains(char::is_whitespace) => {
                Err(ModelError::KeyFile { file, told: "it holds more than a key".to_owned() })
            }
            key => Ok(Some(Key(key.to_owned()))),
        }
    }

    /// The key that `variable` has to hold for `model`.
    ///
    /// # Errors
    /// When there is none, and as for [`Keys::key`].
    pub fn needed(&self, variable: &str, model: &ModelName) -> Result<Key, ModelError> {
        let missing = || ModelError::KeyMissing { model: model.clone(), variable: variable.to_owned() };
        self.key(variable)?.ok_or_else(missing)
    }
}

impl Key {
    /// A key that a person gave; none where there is nothing of one in it, or more.
    #[must_use]
    pub fn given(text: &str) -> Option<Self> {
        let key = text.trim();
        let is_key = !key.is_empty() && !key.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        is_key.then(|| Self(key.to_owned()))
    }

    /// As it is kept for the person who gave it, and for nothing else.
    #[must_use]
    pub fn kept(&self) -> &str {
        &self.0
    }

    /// As it is sent, and for nothing else.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` without the key, should somebody have put it there.
    pub(crate) fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.seen()).finish()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Key(…)")
    }
}
