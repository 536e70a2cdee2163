//! MySQL and MariaDB: connections that can only read, and queries on them. The session is read-only, every query runs
//! in a transaction that is, and only one statement that begins as a `SELECT` and holds nothing with a side effect is
//! sent; none of the three relies on the others. Next: `connect` for sessions, `describe` for the catalogue.

mod columns;
mod connect;
mod describe;
mod error;
mod value;

use std::collections::BTreeMap;
use std::pin::pin;
use std::time::Instant;

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Params, Row};
use turnwise_core::{Cell, SourceStamp, Table};

use super::super::address::Address;
use super::super::pool::Pool;
use super::super::{QueryError, QueryLimits, SourceError};
use super::ServerContents;
use super::guard;
use super::waiting::{ANSWER_WAIT, Waiting, call_off, given_up};
use connect::Connector;

/// A MySQL or MariaDB server with its databases.
pub struct Mysql {
    connector: Connector,
    /// The address as it may be shown.
    shown: String,
    /// Tables by the name of their stamp.
    tables: BTreeMap<String, describe::Place>,
    idle: Pool<Conn>,
    waiting: Waiting,
}

impl std::fmt::Debug for Mysql {
    /// Without the connector, which has the password.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Mysql({})", self.shown)
    }
}

impl Mysql {
    /// Connects to `address` and reads its catalogue.
    pub fn open(address: &Address) -> Result<(Self, ServerContents), SourceError> {
        let failed = |problem: String| SourceError::Address { address: address.shown.clone(), problem };
        let connector = Connector::new(address).map_err(failed)?;
        let waiting = Waiting::new().map_err(|error| failed(format!("no thread can be started for it ({error})")))?;
        let shown = address.shown.clone();
        let idle = Pool::new();
        let mut server = Self { connector, shown, tables: BTreeMap::new(), idle, waiting };
        let described = server.waiting.wait(async {
            let connecting = server.connector.connect();
            let mut client = connecting.await.map_err(|error| error::at_start(&server.shown, &error))?;
            let contents = describe::describe(&mut client, &server.connector, address).await?;
            Ok((client, contents))
        });
        let (client, (contents, tables)) = described?;
        server.idle.give_back(client);
        server.tables = tables;
        Ok((server, contents))
    }

    async fn take(&self) -> Result<Conn, Error> {
        if let Some(mut client) = self.idle.take(|_| true)
            && client.ping().await.is_ok()
        {
            return Ok(client);
        }
        self.connector.connect().await
    }

    /// Runs one `SELECT`.
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        guard::check(sql).map_err(|reason| QueryError::Refused { reason })?;
        let failed = |error: Error| error::of_query(&self.shown, &error, limits);
        // The server keeps the time limit itself; this one is for a server that no longer answers.
        let deadline = Instant::now().checked_add(limits.timeout.saturating_add(ANSWER_WAIT));
        let wait = given_up(stop, deadline);
        self.waiting.wait(async {
            let mut wait = pin!(wait);
            let mut client = tokio::select! {
                client = self.take() => client.map_err(failed)?,
                why = &mut wait => return Err(why.told(limits)),
            };
            let number = client.id();
            let mut work = Box::pin(run(&self.connector, &mut client, sql, parameters, limits));
            let table = tokio::select! {
                table = &mut work => table.map_err(failed)?,
                why = &mut wait => {
                    call_off(&mut work, || self.cancel(number)).await;
                    return Err(why.told(limits));
                }
            };
            drop(work);
            self.idle.give_back(client);
            Ok(table)
        })
    }

    /// Tells the server over a second connection to give up what the first one runs.
    async fn cancel(&self, number: u32) -> Result<(), Error> {
        let mut second = self.connector.connect().await?;
        second.query_drop(format!("KILL QUERY {number}")).await?;
        second.disconnect().await
    }

    /// The state of the table that `known` is a stamp of.
    pub fn stamp(&self, known: &SourceStamp) -> Result<SourceStamp, SourceError> {
        let Some(place) = self.tables.get(&known.name) else { return Ok(known.clone()) };
        self.waiting.wait(async {
            let asked = async {
                let mut client = self.take().await?;
                let fingerprint = describe::fingerprint(&mut client, place).await?;
                Ok((client, fingerprint))
            };
            let (client, fingerprint) = asked.await.map_err(|error| error::at_start(&self.shown, &error))?;
            self.idle.give_back(client);
            let fingerprint = fingerprint.ok_or_else(|| SourceError::ServerRefused {
                address: self.shown.clone(),
                problem: format!("{} is not there any more", known.name),
            })?;
            Ok(SourceStamp { name: known.name.clone(), fingerprint })
        })
    }
}

async fn run(
    connector: &Connector,
    client: &mut Conn,
    sql: &str,
    parameters: &[Cell],
    limits: QueryLimits,
) -> Result<Table, Error> {
    connector.limit_time(client, limits.timeout).await?;
    // One state of the database for the rows and their number, in which nothing can be changed.
    client.query_drop("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY").await?;
    client.query_drop(format!("SET SESSION sql_select_limit = {}", limits.rows_max.saturating_add(1))).await?;
    let values = || match parameters {
        [] => Params::Empty,
        some => Params::Positional(some.iter().map(value::sent).collect()),
    };
    let mut result = client.exec_iter(sql, values()).await?;
    let columns: Vec<String> = result.columns_ref().iter().map(|column| column.name_str().into_owned()).collect();
    let mut rows: Vec<Vec<Cell>> = result.map(value::cells).await?;
    result.drop_result().await?;
    let mut total_rows = rows.len() as u64;
    client.query_drop("SET SESSION sql_select_limit = DEFAULT").await?;
    if rows.len() > limits.rows_max {
        // The rest stays where it is; how many there are is counted there.
        rows.truncate(limits.rows_max);
        let counting = format!("SELECT COUNT(*) FROM (\n{sql}\n) AS counted");
        let count: Option<Row> = client.exec_first(counting, values()).await?;
        total_rows = count.and_then(|row| row.get(0)).unwrap_or(total_rows);
    }
    client.query_drop("ROLLBACK").await?;
    Ok(Table { columns, rows, total_rows })
}
