//! What keeps queries harmless: a connection that passed through [`lock_down`] can only read, whatever SQL it is given.
//! The planner writes the SQL, but its words come from people and its tables from files of unknown origin, so the
//! engine itself has to refuse; a look at the text would not do. Next: `workbench`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

use super::limits;

/// Takes every right but reading from the connection. Tables must be attached before.
pub fn lock_down(connection: &mut Connection) -> rusqlite::Result<()> {
    read_only(connection)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, limits::QUERY_BYTES_MAX)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, limits::VALUE_BYTES_MAX)?;
    connection.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, limits::EXPRESSION_DEPTH_MAX)?;
    connection.set_limit(Limit::SQLITE_LIMIT_COMPOUND_SELECT, limits::COMPOUND_SELECT_MAX)?;
    connection.authorizer(Some(authorize))
}

/// Takes the right to write, for our own statements, which also read the schema.
pub fn read_only(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "query_only", true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    // Without this, SQL stored in a file (a view) could call functions with side effects.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // SQLite reads a misspelt "name" as the text 'name' unless told not to: a wrong column would become a wrong answer.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    Ok(())
}

/// Reading and calculating are allowed; everything else, also what future versions of SQLite add, is not.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !function_name.eq_ignore_ascii_case("load_extension") => {
            Authorization::Allow
        }
        // Full-text search asks whether its index is current; the answer is a number and cannot be set.
        AuthAction::Pragma { pragma_name: "data_version", pragma_value: None } => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// Why a running statement was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interruption {
    /// The stop signal said so.
    Stopped,
    /// The deadline passed.
    TimedOut,
}

/// Watches one statement: interrupts it on the stop signal or at the deadline, and remembers which it was.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<AtomicU8>);

impl Watch {
    /// Starts watching whatever the connection runs until [`Watch::end`]. No deadline means one too far to reckon.
    pub fn begin(
        connection: &mut Connection,
        deadline: Option<Instant>,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> rusqlite::Result<Self> {
        let watch = Self::default();
        let seen = watch.clone();
        connection.progress_handler(
            limits::INSTRUCTIONS_PER_CHECK,
            Some(move || {
                if stop() {
                    seen.0.store(STOPPED, Ordering::Relaxed);
                } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    seen.0.store(TIMED_OUT, Ordering::Relaxed);
                }
                seen.interruption().is_some()
            }),
        )?;
        Ok(watch)
    }

    /// Stops watching.
    pub fn end(connection: &mut Connection) -> rusqlite::Result<()> {
        connection.progress_handler(0, None::<fn() -> bool>)
    }

    /// Why the statement was interrupted, if it was.
    pub fn interruption(&self) -> Option<Interruption> {
        match self.0.load(Ordering::Relaxed) {
            STOPPED => Some(Interruption::Stopped),
            TIMED_OUT => Some(Interruption::TimedOut),
            _ => None,
        }
    }
}

const STOPPED: u8 = 1;
const TIMED_OUT: u8 = 2;
