//! What of a person's data a model may see. Nothing goes to a model by itself: whoever makes a request asks here what
//! may stand in it. Next: `task`, whose templates take what was allowed as values.

use serde::{Deserialize, Serialize};

/// What of the data a model may see; each includes what stands before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sees {
    /// Names of tables and columns, and the message itself.
    #[default]
    Names,
    /// Values of columns that have few different ones.
    Samples,
    /// Rows.
    Rows,
}

impl Sees {
    /// In words, for cards and greetings.
    #[must_use]
    pub fn told(self) -> &'static str {
        match self {
            Self::Names => "names of tables and columns",
            Self::Samples => "names and sample values",
            Self::Rows => "names, values and rows",
        }
    }
}
