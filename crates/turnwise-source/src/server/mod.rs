//! Databases on servers, read where they are: queries are sent there and only their rows come back. A server is known
//! to the workbench by what it can be asked for, not by its driver. Next: `postgres`, `mysql`, `duckdb`.

#[cfg(feature = "duckdb")]
mod duckdb;
#[cfg(any(feature = "postgres", feature = "mysql", feature = "duckdb"))]
mod given_up;
#[cfg(any(feature = "mysql", feature = "duckdb"))]
mod guard;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod tls;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod waiting;

use std::collections::BTreeMap;
use std::path::PathBuf;

use turnwise_core::{Cell, SourceStamp, Table};

use super::address::{Address, ServerKind};
#[cfg(feature = "duckdb")]
use super::discover::Found;
use super::names::DistinctNames;
use super::{
    Comments, Dialect, EngineId, ForeignKey, QueryError, QueryLimits, SourceColumn, SourceError, SourceTable, limits,
};

/// A server that is connected to, or the engine for files that are too large for the memory.
#[derive(Debug)]
pub enum Server {
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(Box<postgres::Postgres>),
    /// MySQL or MariaDB.
    #[cfg(feature = "mysql")]
    Mysql(Box<mysql::Mysql>),
    /// DuckDB over files.
    #[cfg(feature = "duckdb")]
    Duckdb(Box<duckdb::Duckdb>),
}

/// A table of a server, as its own catalogue tells.
#[derive(Clone, Debug)]
pub struct ServerTable {
    /// The schema it is in.
    pub schema: String,
    /// Its name there.
    pub name: String,
    /// How SQL names it; a query of its own where a column has to be made readable first.
    pub sql_name: String,
    /// How SQL names some of its rows, where all are too many to look through.
    pub sample_name: Option<String>,
    /// Its columns in order.
    pub columns: Vec<SourceColumn>,
    /// Its rows, counted or estimated.
    pub rows: u64,
    /// Whether it is a view.
    pub is_view: bool,
    /// References, with schema and name of the table referred to.
    pub references: Vec<((String, String), ForeignKey)>,
    /// What its makers say about it.
    pub comments: Comments,
    /// What was noticed.
    pub notes: Vec<String>,
    /// Its state now.
    pub stamp: SourceStamp,
}

/// What a server holds for us.
#[derive(Debug, Default)]
pub struct ServerContents {
    /// Tables and views.
    pub tables: Vec<ServerTable>,
    /// What was left out and why.
    pub notes: Vec<String>,
}

impl Server {
    /// Connects, and reads the server's catalogue.
    ///
    /// # Errors
    /// When it cannot be reached, refuses the person, or has nothing to read.
    pub fn open(address: &Address) -> Result<(Self, ServerContents), SourceError> {
        match address.kind {
            #[cfg(feature = "postgres")]
            ServerKind::Postgres => {
                let (server, contents) = postgres::Postgres::open(address)?;
                Ok((Self::Postgres(Box::new(server)), contents))
            }
            #[cfg(not(feature = "postgres"))]
            ServerKind::Postgres => Err(not_built_in(address, "postgres")),
            #[cfg(feature = "mysql")]
            ServerKind::Mysql => {
                let (server, contents) = mysql::Mysql::open(address)?;
                Ok((Self::Mysql(Box::new(server)), contents))
            }
            #[cfg(not(feature = "mysql"))]
            ServerKind::Mysql => Err(not_built_in(address, "mysql")),
        }
    }

    /// Opens files that are too large for the memory.
    ///
    /// # Errors
    /// When one cannot be read.
    #[cfg(feature = "duckdb")]
    pub fn open_files(files: &[Found]) -> Result<(Self, ServerContents), SourceError> {
        let (engine, contents) = duckdb::Duckdb::open(files)?;
        Ok((Self::Duckdb(Box::new(engine)), contents))
    }

    /// The files it reads in place.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match *self {
            #[cfg(feature = "duckdb")]
            Self::Duckdb(ref engine) => engine.files(),
            #[allow(unreachable_patterns, reason = "without servers there is only DuckDB")]
            _ => Vec::new(),
        }
    }

    /// Its dialect.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match *self {
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => Dialect::Postgres,
            #[cfg(feature = "mysql")]
            Self::Mysql(_) => Dialect::Mysql,
            #[cfg(feature = "duckdb")]
            Self::Duckdb(_) => Dialect::Duckdb,
        }
    }

    /// Runs one `SELECT` there. Blocks. When `stop` says so, the server is told to stop too.
    ///
    /// # Errors
    /// As [`super::Workbench::query`], and when the connection is lost.
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        match *self {
            #[cfg(feature = "postgres")]
            Self::Postgres(ref server) => server.query(sql, parameters, limits, stop),
            #[cfg(feature = "mysql")]
            Self::Mysql(ref server) => server.query(sql, parameters, limits, stop),
            #[cfg(feature = "duckdb")]
            Self::Duckdb(ref engine) => engine.query(sql, parameters, limits, stop),
        }
    }

    /// The state of a table now; `known` is an earlier one.
    ///
    /// # Errors
    /// When the server cannot be asked.
    pub fn stamp(&self, known: &SourceStamp) -> Result<SourceStamp, SourceError> {
        match *self {
            #[cfg(feature = "postgres")]
            Self::Postgres(ref server) => server.stamp(known),
            #[cfg(feature = "mysql")]
            Self::Mysql(ref server) => server.stamp(known),
            #[cfg(feature = "duckdb")]
            Self::Duckdb(ref engine) => engine.stamp(known),
        }
    }
}

#[cfg(not(all(feature = "postgres", feature = "mysql")))]
fn not_built_in(address: &Address, feature: &str) -> SourceError {
    SourceError::Address {
        address: address.shown.clone(),
        problem: format!("this build cannot speak with such a server; build it with `--features {feature}`"),
    }
}

/// Gives each table of a server a name of its own among those already known.
pub fn name_tables(
    contents: ServerContents,
    engine: EngineId,
    dialect: Dialect,
    known: &[SourceTable],
) -> Vec<SourceTable> {
    let mut taken = DistinctNames::default();
    for table in known {
        taken.claim(&table.name);
    }
    let names: Vec<String> = contents
        .tables
        .iter()
        .map(|table| {
            let wanted =
                if taken.has(&table.name) { format!("{}_{}", table.schema, table.name) } else { table.name.clone() };
            taken.claim(&wanted)
        })
        .collect();
    let by_place: BTreeMap<(String, String), String> = contents
        .tables
        .iter()
        .zip(&names)
        .map(|(table, name)| ((table.schema.clone(), table.name.clone()), name.clone()))
        .collect();
    contents.tables.into_iter().zip(names).map(|(table, name)| named(table, name, engine, dialect, &by_place)).collect()
}

fn named(
    table: ServerTable,
    name: String,
    engine: EngineId,
    dialect: Dialect,
    by_place: &BTreeMap<(String, String), String>,
) -> SourceTable {
    let ServerTable { columns, sql_name, sample_name, rows, is_view, references, comments, mut notes, stamp, .. } =
        table;
    if name != table.name {
        notes.insert(0, format!("There are several tables {}; this one is named {name}.", table.name));
    }
    let foreign_keys = references.into_iter().filter_map(|(place, mut key)| {
        key.table.clone_from(by_place.get(&place)?);
        Some(key)
    });
    let foreign_keys = foreign_keys.collect();
    notes.truncate(limits::NOTES_MAX);
    SourceTable {
        name,
        sql_name,
        sample_name,
        columns,
        rows,
        is_view,
        foreign_keys,
        stamp,
        notes,
        engine,
        dialect,
        comments,
    }
}
