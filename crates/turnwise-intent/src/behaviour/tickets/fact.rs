//! What makes two remembered statements the same, and how many are kept (TK-18, TK-19): a team must find one decision
//! once, not once per wording of the day. Next: `workflow`.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Hex digits of a canonical id.
pub const CANONICAL_ID_DIGITS: usize = 16;

/// Where a fact holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactScope {
    /// In one thread.
    Thread,
    /// In all threads of an epic.
    Epic,
    /// In a channel.
    Channel,
}

/// What kind of statement it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// Something was decided.
    Decision,
    /// Something limits the work.
    Constraint,
    /// Something is taken for granted.
    Assumption,
}

impl FactScope {
    /// Facts kept; the least sure, then the least recently used go first.
    #[must_use]
    pub fn facts_max(self) -> usize {
        match self {
            Self::Thread => 50,
            Self::Epic => 200,
            Self::Channel => 300,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Epic => "epic",
            Self::Channel => "channel",
        }
    }
}

impl FactKind {
    fn name(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Constraint => "constraint",
            Self::Assumption => "assumption",
        }
    }
}

/// The id under which equal statements merge: the first 16 hex digits of SHA-256 over text, scope and kind. A store
/// keys it with team and scope id as well, so that equal sentences of two threads never collide.
#[must_use]
pub fn canonical_id(text: &str, scope: FactScope, kind: FactKind) -> String {
    let source = format!("{}:{}:{}", text.trim().to_lowercase(), scope.name(), kind.name());
    let mut id = String::with_capacity(CANONICAL_ID_DIGITS);
    for byte in Sha256::digest(source.as_bytes()).iter().take(CANONICAL_ID_DIGITS / 2) {
        // Writing to a string cannot fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_space_make_no_difference_but_scope_and_kind_do() {
        let id = |text, scope, kind| canonical_id(text, scope, kind);
        let one = id("Use Postgres", FactScope::Thread, FactKind::Decision);
        assert_eq!(one, id("  use postgres ", FactScope::Thread, FactKind::Decision));
        assert_ne!(one, id("Use Postgres", FactScope::Epic, FactKind::Decision));
        assert_ne!(one, id("Use Postgres", FactScope::Thread, FactKind::Constraint));
        // printf 'use postgres:thread:decision' | sha256sum
        assert_eq!(one, "c8b0d0463419d56b");
    }
}
