//! The baseline of every durable figure: a plain insert of the same bytes with the same durability, in the same run.
//! Next: `durable_turn`, `run_control`.

use std::path::Path;
use std::time::Duration;

/// The plain alternative: one table, one row of the same bytes per turn, one flush to disk.
pub struct Plain(rusqlite::Connection);

impl Plain {
    /// A new file at `path`.
    pub fn open(path: &Path) -> Self {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE log (body TEXT NOT NULL);")
            .unwrap();
        Self(connection)
    }

    /// One row, flushed.
    pub fn insert(&self, bytes: &str) {
        self.0.prepare_cached("INSERT INTO log (body) VALUES (?1)").unwrap().execute([bytes]).unwrap();
    }
}

/// The value below which `share` of the times lie.
pub fn percentile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index"
    )]
    let at = ((times.len() - 1) as f64 * share).round() as usize;
    times[at]
}

/// Prints p50 and p99 beside those of the plain inserts.
pub fn compare(what: &str, times: &mut [Duration], plain: &mut [Duration]) {
    for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
        let (own, base) = (percentile(times, share), percentile(plain, share));
        let ratio = own.as_secs_f64() / base.as_secs_f64();
        println!("| {what}, {name} | {own:.0?} | {base:.0?} | {ratio:.2} |");
    }
}
