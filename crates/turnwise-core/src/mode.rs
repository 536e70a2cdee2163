//! The two session modes (CF-01) — there is no third: what a plan may lean on has to be one of two things, or a
//! proof would not be one. Next: `phase`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much a plan may lean on earlier session state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Self-contained plans, every conclusion with its chain, auditable output.
    Proof,
    /// Plans may use facts and data of earlier plans; facts accumulate.
    #[default]
    Exploratory,
}

impl Mode {
    /// The word of the status line (CF-29).
    #[must_use]
    pub fn badge(self) -> &'static str {
        match self {
            Self::Proof => "PROOF",
            Self::Exploratory => "EXPLORE",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Proof => "proof",
            Self::Exploratory => "exploratory",
        })
    }
}
