//! PostgreSQL: connections that can only read, and queries on them. The session is read-only, every query runs in a
//! transaction that is, and only one statement that begins as a `SELECT` is sent at a time; none of the three relies on
//! the others. Next: `describe` for the catalogue, `value` for values.

mod describe;
mod error;
mod value;

use std::collections::BTreeMap;
use std::pin::pin;
use std::str::FromStr;
use std::time::{Duration, Instant};

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, IsolationLevel, Row, Transaction};
use turnwise_core::{Cell, SourceStamp, Table};

use super::super::address::{Address, SslMode};
use super::super::pool::Pool;
use super::super::{QueryError, QueryLimits, SourceError};
use super::ServerContents;
use super::tls::Tls;
use super::waiting::{ANSWER_WAIT, Waiting, call_off, given_up};

/// A PostgreSQL server with one database.
pub struct Postgres {
    config: Config,
    tls: Tls,
    /// The address as it may be shown.
    shown: String,
    /// Tables by the name of their stamp.
    tables: BTreeMap<String, i64>,
    idle: Pool<Client>,
    waiting: Waiting,
}

impl std::fmt::Debug for Postgres {
    /// Without the configuration, which has the password.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Postgres({})", self.shown)
    }
}

impl Postgres {
    /// Connects to `address` and reads its catalogue.
    pub fn open(address: &Address) -> Result<(Self, ServerContents), SourceError> {
        let failed = |problem: String| SourceError::Address { address: address.shown.clone(), problem };
        let config = config(address).map_err(failed)?;
        let waiting = Waiting::new().map_err(|error| failed(format!("no thread can be started for it ({error})")))?;
        let mut server = Self {
            config,
            tls: Tls::new(address)?,
            shown: address.shown.clone(),
            tables: BTreeMap::new(),
            idle: Pool::new(),
            waiting,
        };
        let described = server.waiting.wait(async {
            let mut client = server.connect().await.map_err(|error| error::at_start(&server.shown, &error))?;
            let contents = describe::describe(&mut client, &server.shown, &address.schemas).await?;
            Ok((client, contents))
        });
        let (client, (contents, tables)) = described?;
        server.idle.give_back(client);
        server.tables = tables;
        Ok((server, contents))
    }

    async fn connect(&self) -> Result<Client, tokio_postgres::Error> {
        let (client, connection) = self.config.connect(self.tls.clone()).await?;
        // It ends when the client is dropped; why it broke down is what the client's next query fails with.
        tokio::spawn(async move {
            let _ = connection.await;
        });
        client.batch_execute(SESSION).await?;
        Ok(client)
    }

    async fn take(&self) -> Result<Client, tokio_postgres::Error> {
        match self.idle.take(|client| !client.is_closed()) {
            Some(client) => Ok(client),
            None => self.connect().await,
        }
    }

    /// Runs one `SELECT`.
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        if !sql.trim_start().starts_with("SELECT ") {
            return Err(QueryError::Refused { reason: "it does not begin with SELECT".to_owned() });
        }
        let failed = |error: tokio_postgres::Error| error::of_query(&self.shown, &error, limits);
        // The server keeps the time limit itself; this one is for a server that no longer answers.
        let deadline = Instant::now().checked_add(limits.timeout.saturating_add(ANSWER_WAIT));
        let wait = given_up(stop, deadline);
        self.waiting.wait(async {
            let mut wait = pin!(wait);
            let mut client = tokio::select! {
                client = self.take() => client.map_err(failed)?,
                why = &mut wait => return Err(why.told(limits)),
            };
            let cancel = client.cancel_token();
            let mut work = Box::pin(run(&mut client, sql, parameters, limits));
            let table = tokio::select! {
                table = &mut work => table.map_err(failed)?,
                why = &mut wait => {
                    // Dropping the connection would leave the query running until it next writes.
                    call_off(&mut work, || cancel.cancel_query(self.tls.clone())).await;
                    return Err(why.told(limits));
                }
            };
            drop(work);
            self.idle.give_back(client);
            Ok(table)
        })
    }

    /// The state of the table that `known` is a stamp of.
    pub fn stamp(&self, known: &SourceStamp) -> Result<SourceStamp, SourceError> {
        let Some(table) = self.tables.get(&known.name) else { return Ok(known.clone()) };
        self.waiting.wait(async {
            let asked = async {
                let client = self.take().await?;
                let fingerprints = describe::fingerprints(&client, &[*table]).await?;
                Ok((client, fingerprints))
            };
            let (client, fingerprints) = asked.await.map_err(|error| error::at_start(&self.shown, &error))?;
            self.idle.give_back(client);
            let fingerprint = fingerprints.get(table).cloned().ok_or_else(|| SourceError::ServerRefused {
                address: self.shown.clone(),
                problem: format!("{} is not there any more", known.name),
            })?;
            Ok(SourceStamp { name: known.name.clone(), fingerprint })
        })
    }
}

fn config(address: &Address) -> Result<Config, String> {
    // What the driver says about a wrong address may repeat its password.
    let mut config = Config::from_str(&address.connection).map_err(|_| {
        "it is not of the form postgres://user:password@host:port/database, with special letters escaped as %40"
            .to_owned()
    })?;
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        return Err("it names no host: postgres://user:password@host:port/database".to_owned());
    }
    if config.get_password().is_none()
        && let Ok(password) = std::env::var("PGPASSWORD")
    {
        config.password(password);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_WAIT);
    }
    config.application_name("turnwise");
    config.ssl_mode(match address.ssl {
        SslMode::Disable => tokio_postgres::config::SslMode::Disable,
        SslMode::Prefer => tokio_postgres::config::SslMode::Prefer,
        SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => tokio_postgres::config::SslMode::Require,
    });
    Ok(config)
}

/// A transaction that sees one state of the database and can change nothing.
async fn read_only(client: &mut Client) -> Result<Transaction<'_>, tokio_postgres::Error> {
    client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start().await
}

async fn run(
    client: &mut Client,
    sql: &str,
    parameters: &[Cell],
    limits: QueryLimits,
) -> Result<Table, tokio_postgres::Error> {
    let transaction = read_only(client).await?;
    let milliseconds = limits.timeout.as_millis().clamp(1, i32::MAX as u128);
    transaction.batch_execute(&format!("SET LOCAL statement_timeout = {milliseconds}")).await?;
    let (values, types): (Vec<Box<dyn ToSql + Sync + Send>>, Vec<Type>) = parameters.iter().map(value::sent).unzip();
    let values: Vec<&(dyn ToSql + Sync)> = values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
    let statement = transaction.prepare_typed(sql, &types).await?;
    let columns: Vec<String> = statement.columns().iter().map(|column| column.name().to_owned()).collect();
    let portal = transaction.bind(&statement, &values).await?;
    let wanted = i32::try_from(limits.rows_max).unwrap_or(i32::MAX - 1) + 1;
    let found = transaction.query_portal(&portal, wanted).await?;
    let mut rows = found.iter().map(cells).collect::<Result<Vec<_>, _>>()?;
    let mut total_rows = rows.len() as u64;
    if rows.len() > limits.rows_max {
        // The rest stays where it is; how many there are is counted there, on the same state of the database.
        rows.truncate(limits.rows_max);
        let counting = format!("SELECT COUNT(*) FROM (\n{sql}\n) AS counted");
        let counting = transaction.prepare_typed(&counting, &types).await?;
        let count: i64 = transaction.query_one(&counting, &values).await?.try_get(0)?;
        total_rows = u64::try_from(count).unwrap_or_default();
    }
    transaction.rollback().await?;
    Ok(Table { columns, rows, total_rows })
}

fn cells(row: &Row) -> Result<Vec<Cell>, tokio_postgres::Error> {
    (0..row.len()).map(|at| row.try_get::<_, value::Read>(at).map(|read| read.0)).collect()
}

/// What every session is: it reads, counts time in UTC, and its texts mean what they say.
const SESSION: &str =
    "SET default_transaction_read_only = on; SET TimeZone = 'UTC'; SET standard_conforming_strings = on";

/// How long a connection may take to come about.
const CONNECT_WAIT: Duration = Duration::from_secs(10);
