//! Why a query that an engine outside of this process runs is no longer waited for, and how soon that is noticed. Next:
//! `waiting` for servers, `duckdb` for files.

use std::time::Duration;

use super::super::{QueryError, QueryLimits};

/// Why a query is no longer waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// The stop signal said so.
    Stopped,
    /// The deadline passed.
    TimedOut,
}

impl GivenUp {
    /// As the error of the query.
    pub fn told(self, limits: QueryLimits) -> QueryError {
        match self {
            Self::Stopped => QueryError::Stopped,
            Self::TimedOut => QueryError::TimedOut { seconds: limits.timeout.as_secs() },
        }
    }
}

/// How soon a stop is noticed: well within the 50 ms in which it is acknowledged.
pub const STOP_CHECKED_EVERY: Duration = Duration::from_millis(10);
