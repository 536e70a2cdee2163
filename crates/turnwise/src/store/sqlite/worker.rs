//! A thread that owns a connection and works off a queue. The writer puts whatever waits into one transaction (group
//! commit) and answers only once it is durable; the reader answers one after the other. Next: `write`.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use crate::store::{StoreError, limits};

/// A thread with a connection. Dropping it works off what waits and closes the connection.
#[derive(Debug)]
pub(super) struct Worker {
    jobs: Option<mpsc::Sender<Box<dyn Job>>>,
    thread: Option<JoinHandle<()>>,
}

/// Why work on a connection failed.
#[derive(Debug)]
pub(super) enum SqlError {
    /// SQLite refused.
    Sqlite(rusqlite::Error),
    /// What was found is wrong.
    Store(StoreError),
}

/// Work that waits for the connection.
trait Job: Send {
    /// Does the work and keeps its outcome back.
    fn run(&mut self, connection: &Connection, path: &Path) -> Ran;

    /// Answers: with the outcome, or with the reason why it did not become durable.
    fn settle(self: Box<Self>, lost: Option<StoreError>);
}

/// How a request went.
enum Ran {
    Done,
    /// It failed: what it wrote must be undone.
    Failed,
    /// It failed, and SQLite has undone the whole transaction by itself, as it does when the disk is full.
    Undone(rusqlite::ffi::Error),
}

struct Request<T, F> {
    work: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl Worker {
    /// A thread that writes: in transactions, several requests to one.
    pub(super) fn writer(connection: Connection, path: &Path) -> Result<Self, StoreError> {
        Self::spawn("turnwise-store-writer", path, move |jobs, path| write_all(&connection, jobs, path))
    }

    /// A thread that reads.
    pub(super) fn reader(connection: Connection, path: &Path) -> Result<Self, StoreError> {
        Self::spawn("turnwise-store-reader", path, move |mut jobs, path| {
            while let Some(mut job) = jobs.blocking_recv() {
                job.run(&connection, path);
                job.settle(None);
            }
        })
    }

    fn spawn(
        name: &str,
        path: &Path,
        work: impl FnOnce(mpsc::Receiver<Box<dyn Job>>, &Path) + Send + 'static,
    ) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel(limits::QUEUE_MAX);
        let own_path: PathBuf = path.to_owned();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(waiting, &own_path))
            .map_err(|error| StoreError::Unopenable { path: path.to_owned(), reason: error.to_string() })?;
        Ok(Self { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Has `work` done and gives its outcome once it is durable.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, SqlError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, outcome) = oneshot::channel();
        let request = Request { work: Some(work), outcome: None, reply };
        let jobs = self.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(Box::new(request)).await.map_err(|_| StoreError::Closed)?;
        outcome.await.map_err(|_| StoreError::Closed)?
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has nothing left to finish, and its callers were told that the store is closed.
            let _ = thread.join();
        }
    }
}

impl<T, F> Job for Request<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<T, SqlError> + Send,
{
    fn run(&mut self, connection: &Connection, path: &Path) -> Ran {
        let Some(work) = self.work.take() else { return Ran::Done };
        let (outcome, ran) = match work(connection) {
            Ok(value) => (Ok(value), Ran::Done),
            Err(SqlError::Store(error)) => (Err(error), Ran::Failed),
            Err(SqlError::Sqlite(error)) => {
                let undone = error.sqlite_error().filter(|_| connection.is_autocommit()).copied();
                (Err(StoreError::from_sqlite(&error, path)), undone.map_or(Ran::Failed, Ran::Undone))
            }
        };
        self.outcome = Some(outcome);
        ran
    }

    fn settle(self: Box<Self>, lost: Option<StoreError>) {
        let outcome = match (lost, self.outcome) {
            (Some(error), None | Some(Ok(_))) => Err(error),
            (_, Some(outcome)) => outcome,
            (None, None) => Err(StoreError::Closed),
        };
        // A caller that gave up waiting needs no answer.
        let _ = self.reply.send(outcome);
    }
}

fn write_all(connection: &Connection, mut jobs: mpsc::Receiver<Box<dyn Job>>, path: &Path) {
    while let Some(first) = jobs.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < limits::GROUP_COMMIT_MAX {
            let Ok(next) = jobs.try_recv() else { break };
            batch.push(next);
        }
        let written = write_batch(connection, &mut batch, path);
        for job in batch {
            job.settle(written.as_ref().err().map(|error| StoreError::from_sqlite(error, path)));
        }
    }
}

/// All of `batch` in one transaction; a request that fails is undone alone. On an error nothing of it is kept.
fn write_batch(connection: &Connection, batch: &mut [Box<dyn Job>], path: &Path) -> Result<(), rusqlite::Error> {
    let written = write_jobs(connection, batch, path);
    if written.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    written
}

fn write_jobs(connection: &Connection, batch: &mut [Box<dyn Job>], path: &Path) -> Result<(), rusqlite::Error> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    for job in batch {
        connection.execute_batch("SAVEPOINT request")?;
        match job.run(connection, path) {
            Ran::Done => {}
            Ran::Failed => connection.execute_batch("ROLLBACK TO request")?,
            Ran::Undone(reason) => return Err(rusqlite::Error::SqliteFailure(reason, None)),
        }
        connection.execute_batch("RELEASE request")?;
    }
    connection.execute_batch("COMMIT")
}

impl From<rusqlite::Error> for SqlError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for SqlError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
