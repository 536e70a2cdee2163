//! What a model answered. It is input: nothing in it has been checked but its size. Next: `schema`, which checks its
//! form.

use serde::{Deserialize, Serialize};

use crate::ModelName;

/// The whole of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Who answered.
    pub model: ModelName,
    /// What was said.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What it took.
    pub usage: Usage,
    /// How many attempts it took.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub attempts: u32,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// All was said.
    Complete,
    /// The limit on tokens was reached; the text is cut.
    Length,
    /// The model or its provider would not answer.
    Refused,
}

/// The tokens of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Tokens of what was sent.
    pub input_tokens: u32,
    /// Tokens of what came back, thinking included.
    pub output_tokens: u32,
    /// Whether the provider said nothing and the numbers are an estimate from the length of the text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// An estimate from texts: four bytes are about a token of English.
    #[must_use]
    pub fn estimate(sent: usize, received: usize) -> Self {
        let tokens = |bytes: usize| u32::try_from(bytes.div_ceil(4)).unwrap_or(u32::MAX);
        Self { input_tokens: tokens(sent), output_tokens: tokens(received), estimated: true }
    }

    /// Both together.
    #[must_use]
    pub fn total(self) -> u64 {
        u64::from(self.input_tokens) + u64::from(self.output_tokens)
    }
}

fn once() -> u32 {
    1
}

fn is_once(attempts: &u32) -> bool {
    *attempts == 1
}
