//! What PostgreSQL says when it cannot or will not, in words that say what to do. The server's own words are kept; they
//! name tables and columns, never passwords. Next: `mod`.

use std::error::Error as _;

use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

use super::super::super::{QueryError, QueryLimits, SourceError};
use super::super::waiting::innermost;

/// An error while the server is opened.
pub fn at_start(shown: &str, error: &Error) -> SourceError {
    let address = shown.to_owned();
    let Some(said) = error.as_db_error() else {
        return SourceError::ServerAway { address, problem: innermost(error) };
    };
    let message = said.message();
    let problem = match said.code() {
        &SqlState::INVALID_PASSWORD | &SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
            format!("{message}; check user and password, which may also be given in PGPASSWORD")
        }
        &SqlState::INVALID_CATALOG_NAME => format!("{message}; check the name after the last slash"),
        &SqlState::INSUFFICIENT_PRIVILEGE => format!("{message}; ask for the right to read it"),
        code if is_away(code) => return SourceError::ServerAway { address, problem: message.to_owned() },
        _ => message.to_owned(),
    };
    SourceError::ServerRefused { address, problem }
}

/// An error of a query.
pub fn of_query(shown: &str, error: &Error, limits: QueryLimits) -> QueryError {
    let lost = |message: String| QueryError::ConnectionLost { address: shown.to_owned(), message };
    let Some(said) = error.as_db_error() else {
        return if is_connection(error) {
            lost(innermost(error))
        } else {
            QueryError::Wrong { message: innermost(error) }
        };
    };
    let message = said.message().to_owned();
    match said.code() {
        // The time may run out between two messages of one query; then only the next one is told that something was
        // wrong.
        &SqlState::QUERY_CANCELED | &SqlState::IN_FAILED_SQL_TRANSACTION => {
            QueryError::TimedOut { seconds: limits.timeout.as_secs() }
        }
        &SqlState::READ_ONLY_SQL_TRANSACTION | &SqlState::INSUFFICIENT_PRIVILEGE => {
            QueryError::Refused { reason: message }
        }
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => QueryError::Busy,
        code if is_away(code) => lost(message),
        code if code.code().starts_with("42") => QueryError::Wrong { message: with_detail(said) },
        _ => QueryError::Failed { message: with_detail(said) },
    }
}

/// Shutting down, starting up, out of connections, or a broken connection.
fn is_away(code: &SqlState) -> bool {
    ["57P", "53", "08"].iter().any(|class| code.code().starts_with(class))
}

/// Whether the connection is the trouble and not what was sent over it.
fn is_connection(error: &Error) -> bool {
    let io = error.source().is_some_and(|source| source.is::<std::io::Error>());
    io || error.is_closed() || error.to_string().contains("connect")
}

fn with_detail(said: &DbError) -> String {
    let detail = said.detail().map_or_else(String::new, |detail| format!(" ({detail})"));
    format!("{}{detail}", said.message())
}
