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
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Params, Row};
use turnwise_core::{Cell, SourceStamp, Table};

use super::super::address::Address;
use super::super::limits;
use super::super::{QueryError, QueryLimits, SourceError};
use super::ServerContents;
use super::guard;
use super::waiting::{GivenUp, Waiting, given_up};
use connect::Connector;

/// A MySQL or MariaDB server with its databases.
pub struct Mysql {
    connector: Connector,
    /// The address as it may be shown.
    shown: String,
    /// Tables by the name of their stamp.
    tables: BTreeMap<String, describe::Place>,
    idle: Mutex<Vec<Conn>>,
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
        let idle = Mutex::new(Vec::new());
        let mut server = Self { connector, shown, tables: BTreeMap::new(), idle, waiting };
        let described = server.waiting.wait(async {
            let connecting = server.connector.connect();
            let mut client = connecting.await.map_err(|error| error::at_start(&server.shown, &error))?;
            let contents = describe::describe(&mut client, &server.connector, address).await?;
            Ok((client, contents))
        });
        let (client, (contents, tables)) = described?;
        server.give_back(client);
        server.tables = tables;
        Ok((server, contents))
    }

    async fn take(&self) -> Result<Conn, Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(mut client) = idle
            && client.ping().await.is_ok()
        {
            return Ok(client);
        }
        self.connector.connect().await
    }

    fn give_back(&self, client: Conn) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < limits::IDLE_CONNECTIONS_MAX {
            idle.push(client);
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
        guard::check(sql).map_err(|reason| QueryError::Refused { reason })?;
        let failed = |error: Error| error::of_query(&self.shown, &error, limits);
        // The server keeps the time limit itself; this one is for a server that no longer answers.
        let deadline = Instant::now().checked_add(limits.timeout.saturating_add(ANSWER_WAIT));
        let wait = given_up(stop, deadline);
        self.waiting.wait(async {
            let mut wait = pin!(wait);
            let mut client = tokio::select! {
                client = self.take() => client.map_err(failed)?,
                why = &mut wait => return Err(given_up_as(why, limits)),
            };
            let number = client.id();
            let mut work = Box::pin(run(&self.connector, &mut client, sql, parameters, limits));
            let table = tokio::select! {
                table = &mut work => table.map_err(failed)?,
                why = &mut wait => {
                    // A server that is told between two statements forgets it, so it is told until the query ends. The
                    // connection is not kept: what state it is in is not ours to guess.
                    for _ in 0..CANCELS_MAX {
                        let _ = tokio::time::timeout(ANSWER_WAIT, self.cancel(number)).await;
                        if tokio::time::timeout(CANCEL_WAIT, &mut work).await.is_ok() {
                            break;
                        }
                    }
                    return Err(given_up_as(why, limits));
                }
            };
            drop(work);
            self.give_back(client);
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
            self.give_back(client);
            let fingerprint = fingerprint.ok_or_else(|| SourceError::ServerRefused {
                address: self.shown.clone(),
                problem: format!("{} is not there any more", known.name),
            })?;
            Ok(SourceStamp { name: known.name.clone(), fingerprint })
        })
    }
}

fn given_up_as(why: GivenUp, limits: QueryLimits) -> QueryError {
    match why {
        GivenUp::Stopped => QueryError::Stopped,
        GivenUp::TimedOut => QueryError::TimedOut { seconds: limits.timeout.as_secs() },
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

/// How long a server that was told to stop, or is over its time, is waited for.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How long a query that was cancelled may take to end before the server is told again.
const CANCEL_WAIT: Duration = Duration::from_millis(200);

/// How often a server is told that a query is no longer wanted; then the connection is given up with it.
const CANCELS_MAX: usize = 10;
