//! What MySQL says when it cannot or will not, in words that say what to do. The server's own words are kept; they name
//! tables, columns and users, never passwords. Next: `mod`.

use mysql_async::{DriverError, Error, IoError, ServerError};

use super::super::super::{QueryError, QueryLimits, SourceError};
use super::super::waiting::innermost;

/// An error while the server is opened.
pub fn at_start(shown: &str, error: &Error) -> SourceError {
    let address = shown.to_owned();
    let refused = |problem: String| SourceError::ServerRefused { address: shown.to_owned(), problem };
    let said = match error {
        Error::Server(said) => said,
        Error::Io(IoError::Tls(problem)) => return refused(format!("its certificate does not do ({problem})")),
        Error::Driver(DriverError::NoClientSslFlagFromServer) => {
            return refused("it does not encrypt; sslmode=disable connects without encryption".to_owned());
        }
        Error::Driver(DriverError::UnknownAuthPlugin { name }) => {
            return refused(format!("its way to check the password, {name}, is not spoken; give the user another"));
        }
        _ => return SourceError::ServerAway { address, problem: innermost(error) },
    };
    let message = &said.message;
    match said.code {
        ACCESS_DENIED | ACCESS_DENIED_NO_PASSWORD => {
            refused(format!("{message}; check user and password, which may also be given in MYSQL_PWD"))
        }
        UNKNOWN_DATABASE => refused(format!("{message}; check the name after the last slash")),
        DATABASE_DENIED | TABLE_DENIED | COLUMN_DENIED => {
            refused(format!("{message}; ask for the right to read it, and check the name after the last slash"))
        }
        code if is_away(code) => SourceError::ServerAway { address, problem: message.clone() },
        _ => refused(message.clone()),
    }
}

/// An error of a query.
pub fn of_query(shown: &str, error: &Error, limits: QueryLimits) -> QueryError {
    let lost = |message: String| QueryError::ConnectionLost { address: shown.to_owned(), message };
    let ServerError { code, message, .. } = match error {
        Error::Server(said) => said,
        Error::Io(_) | Error::Driver(DriverError::ConnectionClosed | DriverError::PacketOutOfOrder) => {
            return lost(innermost(error));
        }
        _ => return QueryError::Wrong { message: innermost(error) },
    };
    let message = message.clone();
    match *code {
        TIMED_OUT | TIMED_OUT_IN_MARIADB | INTERRUPTED => QueryError::TimedOut { seconds: limits.timeout.as_secs() },
        READ_ONLY | TABLE_DENIED | COLUMN_DENIED | ROUTINE_DENIED | RIGHT_DENIED => {
            QueryError::Refused { reason: message }
        }
        LOCK_WAIT | DEADLOCK => QueryError::Busy,
        code if is_away(code) => lost(message),
        SYNTAX | NO_SUCH_TABLE | NO_SUCH_COLUMN | NO_SUCH_FUNCTION => QueryError::Wrong { message },
        _ => QueryError::Failed { message },
    }
}

/// Shutting down, out of connections, or the connection was ended.
fn is_away(code: u16) -> bool {
    matches!(code, 1040 | 1053 | 1203 | 1226 | 1927 | 4031 | 2006 | 2013)
}

const DATABASE_DENIED: u16 = 1044;
const ACCESS_DENIED: u16 = 1045;
const ACCESS_DENIED_NO_PASSWORD: u16 = 1698;
const UNKNOWN_DATABASE: u16 = 1049;
const NO_SUCH_COLUMN: u16 = 1054;
const SYNTAX: u16 = 1064;
const TABLE_DENIED: u16 = 1142;
const COLUMN_DENIED: u16 = 1143;
const NO_SUCH_TABLE: u16 = 1146;
const LOCK_WAIT: u16 = 1205;
const DEADLOCK: u16 = 1213;
const RIGHT_DENIED: u16 = 1227;
const NO_SUCH_FUNCTION: u16 = 1305;
const INTERRUPTED: u16 = 1317;
const ROUTINE_DENIED: u16 = 1370;
const READ_ONLY: u16 = 1792;
const TIMED_OUT_IN_MARIADB: u16 = 1969;
const TIMED_OUT: u16 = 3024;
