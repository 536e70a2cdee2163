//! The dialects of SQL that queries are written in: a value, so that one typed query form serves every engine. What
//! differs between them in a name or a type stands here; what differs in a query's clauses is written by
//! `sql::dialect`. Next: `server` for the engines that speak something else than SQLite.

use super::names;

/// Whose SQL is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The engine in this process: loaded files and SQLite databases.
    #[default]
    Sqlite,
    /// PostgreSQL.
    Postgres,
    /// MySQL and MariaDB, in the session `server::mysql` sets up: standard quotes and `||`, no escapes in texts.
    Mysql,
    /// DuckDB.
    Duckdb,
}

impl Dialect {
    /// The name quoted, so that any word, space or quote works.
    #[must_use]
    pub fn quoted(self, name: &str) -> String {
        match self {
            Self::Sqlite | Self::Postgres | Self::Duckdb => names::quoted(name),
            Self::Mysql => format!("`{}`", name.replace('`', "``")),
        }
    }

    /// What a table made by a subquery has to be called; SQLite needs no name there.
    #[must_use]
    pub fn derived(self) -> &'static str {
        match self {
            Self::Sqlite => "",
            Self::Postgres | Self::Mysql | Self::Duckdb => " AS d",
        }
    }

    /// How many rows a test holds for.
    #[must_use]
    pub fn count_where(self, test: &str) -> String {
        match self {
            Self::Sqlite => format!("SUM({test})"),
            Self::Postgres | Self::Mysql | Self::Duckdb => format!("SUM(CASE WHEN {test} THEN 1 ELSE 0 END)"),
        }
    }

    /// A test as a number, 1 or 0.
    #[must_use]
    pub fn truth(self, test: &str) -> String {
        match self {
            Self::Sqlite => test.to_owned(),
            Self::Postgres | Self::Mysql | Self::Duckdb => format!("CASE WHEN {test} THEN 1 ELSE 0 END"),
        }
    }
}
