//! What notes mean, as vectors, so that one is found by other words than its own. They are worked out beside what
//! people wait for, kept with the notes, and compared all at once. Next: `document`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, Row, TransactionBehavior, params};
use turnwise_core::PersonId;
use turnwise_intent::{Embedder as _, MiniLm};

use super::note::{COLUMNS, columns, note};
use super::project::{ProjectId, of_person};
use super::{Note, Store, StoreError};

/// Has what another model knew worked out anew.
pub(super) fn renew(connection: &Connection) -> Result<(), StoreError> {
    connection.execute(OUTDATED, [MiniLm.model_name()])?;
    Ok(())
}

/// What texts beside notes mean.
#[derive(Debug, Default)]
pub(super) struct Meanings(Mutex<BTreeMap<String, Vec<u8>>>);

/// Whether somebody is at work on meanings in this process.
#[derive(Debug, Default)]
pub(super) struct AtWork(AtomicBool);

impl Store {
    /// The notes of a project closest in meaning to `text`, closest first, each with how close it is, from -1 to 1; and
    /// whether there are notes whose meaning is not worked out yet.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn near(
        &self,
        person: &PersonId,
        id: &ProjectId,
        text: &str,
        now_ms: i64,
    ) -> Result<(Vec<(f32, Note)>, bool), StoreError> {
        of_person(&self.lock(), person, id)?;
        let Some(wanted) = vector_of(text).filter(|vector| !vector.is_empty()) else {
            return Ok((Vec::new(), false));
        };
        // Comparing takes the longest, and nobody else waits for it.
        let Known { rows, vectors, missing, mut is_open } = self.known(id)?;
        let pairs = rows.iter().zip(vectors.chunks_exact(wanted.len()));
        let mut close: Vec<(i32, i64)> = pairs.map(|(row, vector)| (product(&wanted, vector), *row)).collect();
        if !missing.is_empty() {
            let worked_out: Vec<Meaning> = missing.into_iter().map(worked_out).collect();
            close.extend(worked_out.iter().map(|one| (product(&wanted, &one.vector), one.note)));
            // Whoever is writing will not be waited for: what is not kept now is worked out once more.
            is_open |= self.keep_meanings(&worked_out).is_err();
        }
        close.sort_by(|a, b| b.cmp(a));
        let one = format!(
            "SELECT {COLUMNS} FROM notes WHERE id = ?1 AND state <> 'retracted'
             AND (expires_at IS NULL OR expires_at > ?2)"
        );
        let connection = self.lock();
        let mut statement = connection.prepare_cached(&one)?;
        let mut found = Vec::new();
        for (closeness, row) in close {
            if found.len() == NEAREST_MAX {
                break;
            }
            let mut notes = statement.query_map(params![row, now_ms], columns)?;
            if let Some(counts) = notes.next() {
                found.push((closeness as f32 / (STEPS * STEPS), note(counts?, person)?));
            }
        }
        Ok((found, is_open))
    }

    /// What is known of a project's notes, in one pass over them.
    fn known(&self, id: &ProjectId) -> Result<Known, StoreError> {
        let connection = self.lock();
        let all = "SELECT id, vector, CASE WHEN model IS ?2 THEN NULL ELSE text END
            FROM notes LEFT JOIN note_meanings ON note = id
            WHERE project = ?1 AND state <> 'retracted' ORDER BY number DESC";
        let mut statement = connection.prepare_cached(all)?;
        let mut rows = statement.query(params![id.as_str(), MiniLm.model_name()])?;
        let mut known = Known::default();
        while let Some(row) = rows.next()? {
            let unknown: Option<String> = row.get(2)?;
            match unknown {
                Some(text) if known.missing.len() < WAITED_FOR => known.missing.push((row.get(0)?, text)),
                Some(_) => known.is_open = true,
                None => {
                    let vector = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
                    // A text that means nothing has none.
                    if !vector.is_empty() {
                        known.rows.push(row.get(0)?);
                        known.vectors.extend_from_slice(vector);
                    }
                }
            }
        }
        Ok(known)
    }

    /// How close texts are to `topic` in meaning, from -1 to 1; what cannot be read is close to nothing. What a few
    /// short texts mean is worked out as it is asked for, and remembered.
    #[must_use]
    pub fn closeness(&self, topic: &str, texts: &[&str]) -> Vec<f32> {
        let wanted = vector_of(topic).unwrap_or_default();
        let close = |text: &&str| match self.remembered(text) {
            vector if vector.len() == wanted.len() => product(&wanted, &vector) as f32 / (STEPS * STEPS),
            _ => 0.0,
        };
        texts.iter().map(close).collect()
    }

    fn remembered(&self, text: &str) -> Vec<u8> {
        let remembered = || self.meanings.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vector) = remembered().get(text) {
            return vector.clone();
        }
        let vector = vector_of(text).unwrap_or_default();
        let mut all = remembered();
        if all.len() >= REMEMBERED_MAX {
            all.clear();
        }
        all.insert(text.to_owned(), vector.clone());
        vector
    }

    /// Begins to work out what notes mean where that is not known, on a thread of its own: nobody waits for it, and
    /// what it does not come to is done the next time.
    pub fn work_out_soon(&self) {
        if self.at_work.0.swap(true, Ordering::AcqRel) {
            return;
        }
        let store = self.clone();
        std::thread::spawn(move || {
            while matches!(store.work_out(), Ok(1..)) {}
            store.at_work.0.store(false, Ordering::Release);
        });
    }

    /// Works out what some notes mean, the newest first; gives how many. What was worked out is kept a batch at a time,
    /// and between two of them others have their turn.
    fn work_out(&self) -> Result<usize, StoreError> {
        let wanted: Vec<(i64, String)> = {
            let connection = self.lock();
            let mut statement = connection.prepare_cached(WANTED)?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let rows = statement.query_map([AT_ONCE], row)?;
            rows.collect::<Result<_, _>>()?
        };
        for batch in wanted.chunks(BATCH) {
            let mut meanings = Vec::new();
            for note in batch {
                self.attention.leave_room();
                meanings.push(worked_out(note.clone()));
            }
            self.keep_meanings(&meanings)?;
        }
        Ok(wanted.len())
    }

    /// Keeps what notes mean, where they still say that; what is lost with the power is worked out again.
    fn keep_meanings(&self, all: &[Meaning]) -> Result<(), StoreError> {
        self.unhurried(|connection| keep(connection, all))
    }
}

fn keep(connection: &mut Connection, all: &[Meaning]) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for Meaning { note, text, vector } in all {
        let kept = transaction
            .prepare_cached(
                "INSERT INTO note_meanings (note, model, vector)
                 SELECT id, ?2, ?3 FROM notes WHERE id = ?1 AND text = ?4
                 ON CONFLICT (note) DO UPDATE SET model = excluded.model, vector = excluded.vector",
            )?
            .execute(params![note, MiniLm.model_name(), vector, text])?;
        if kept > 0 {
            transaction.prepare_cached("DELETE FROM meanings_wanted WHERE note = ?1")?.execute([note])?;
        }
    }
    Ok(transaction.commit()?)
}

/// What is known of the notes of a project.
#[derive(Default)]
struct Known {
    /// The notes whose meaning is known.
    rows: Vec<i64>,
    /// What they mean, one behind the other: a list for each would take longer than comparing them.
    vectors: Vec<u8>,
    /// The newest of those whose meaning is not, with what they say.
    missing: Vec<(i64, String)>,
    /// Whether there are more of those.
    is_open: bool,
}

/// What a note means.
struct Meaning {
    note: i64,
    text: String,
    vector: Vec<u8>,
}

/// What a note means; a text the model cannot read means nothing to it, and is not tried for ever.
fn worked_out((note, text): (i64, String)) -> Meaning {
    let vector = vector_of(&text).unwrap_or_default();
    Meaning { note, text, vector }
}

/// The vector of a text, a byte for each number: a tenth of the reading, and the same order.
fn vector_of(text: &str) -> Option<Vec<u8>> {
    let embedding = MiniLm.embed(text).ok()?;
    let stepped = |value: &f32| ((value * STEPS).round().clamp(-STEPS, STEPS) as i8).to_le_bytes()[0];
    Some(embedding.values().iter().map(stepped).collect())
}

fn product(a: &[u8], b: &[u8]) -> i32 {
    let signed = |byte: &u8| i32::from(i8::from_le_bytes([*byte]));
    a.iter().zip(b).map(|(a, b)| signed(a) * signed(b)).sum()
}

/// Notes whose meaning is still to be worked out.
const WANTED: &str = "SELECT id, text FROM meanings_wanted CROSS JOIN notes ON id = note
    WHERE state <> 'retracted' ORDER BY note DESC LIMIT ?1";

/// What another model knew is to be worked out anew.
const OUTDATED: &str = "INSERT OR IGNORE INTO meanings_wanted (note) SELECT note FROM note_meanings WHERE model <> ?1";

/// Steps from nothing to one.
const STEPS: f32 = 127.0;
/// Notes whose meaning is worked out while somebody waits for an answer: a few hundredths of a second.
const WAITED_FOR: usize = 4;
/// Notes that are taken up at once beside that.
const AT_ONCE: i64 = 512;
/// Notes whose meaning is kept in one write: one for each would keep everybody waiting for the disk.
const BATCH: usize = 16;
/// Texts beside notes whose meaning is remembered; where there are more, all are worked out anew.
const REMEMBERED_MAX: usize = 1_000;
/// Notes that are given as the closest.
const NEAREST_MAX: usize = 10;
