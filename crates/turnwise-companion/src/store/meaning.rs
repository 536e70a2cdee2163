//! What notes mean, as vectors, so that one is found by other words than its own. They are worked out beside what
//! people wait for, kept with the notes, and compared all at once. Next: `document`.

use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Row, params};
use turnwise_core::PersonId;
use turnwise_intent::{Embedder as _, MiniLm};

use super::note::{COLUMNS, columns, note};
use super::project::{ProjectId, of_person};
use super::{Note, Store, StoreError};

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
        self.work_out(Some(id), WAITED_FOR)?;
        let Some(wanted) = vector_of(text) else { return Ok((Vec::new(), false)) };
        let connection = self.lock();
        let all = "SELECT id, vector FROM notes JOIN note_meanings ON note = id WHERE project = ?1 AND model = ?2";
        let mut statement = connection.prepare_cached(all)?;
        let mut rows = statement.query(params![id.as_str(), MiniLm.model_name()])?;
        let mut close: Vec<(i32, i64)> = Vec::new();
        while let Some(row) = rows.next()? {
            let vector = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
            close.push((product(&wanted, vector), row.get(0)?));
        }
        close.sort_by(|a, b| b.cmp(a));
        let one = format!(
            "SELECT {COLUMNS} FROM notes WHERE id = ?1 AND state <> 'retracted'
             AND (expires_at IS NULL OR expires_at > ?2)"
        );
        let mut statement = connection.prepare_cached(&one)?;
        let mut found = Vec::new();
        for (closeness, row) in close {
            if found.len() == NEAREST_MAX {
                break;
            }
            let mut notes = statement.query_map(params![row, now_ms], columns)?;
            if let Some(counts) = notes.next() {
                found.push((closeness as f32 / (STEPS * STEPS), note(counts?)?));
            }
        }
        let open: bool =
            connection.query_row(&format!("SELECT EXISTS ({MISSING})"), missing(Some(id)), |row| row.get(0))?;
        Ok((found, open))
    }

    /// Begins to work out what notes mean where that is not known, on a thread of its own: nobody waits for it, and
    /// what it does not come to is done the next time.
    pub fn work_out_soon(&self) {
        if self.at_work.0.swap(true, Ordering::AcqRel) {
            return;
        }
        let store = self.clone();
        std::thread::spawn(move || {
            while matches!(store.work_out(None, AT_ONCE), Ok(1..)) {}
            store.at_work.0.store(false, Ordering::Release);
        });
    }

    /// Works out what at most `most` notes mean, the newest first; gives how many.
    fn work_out(&self, id: Option<&ProjectId>, most: usize) -> Result<usize, StoreError> {
        let wanted: Vec<(i64, String)> = {
            let connection = self.lock();
            let all = format!("{MISSING} ORDER BY id DESC LIMIT {most}");
            let mut statement = connection.prepare_cached(&all)?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let rows = statement.query_map(missing(id), row)?;
            rows.collect::<Result<_, _>>()?
        };
        for (note, text) in &wanted {
            // A text the model cannot read means nothing to it, and is not tried for ever.
            let vector = vector_of(text).unwrap_or_default();
            self.lock().execute(
                "INSERT INTO note_meanings (note, model, vector) SELECT id, ?2, ?3 FROM notes WHERE id = ?1 AND text = ?4
                 ON CONFLICT (note) DO UPDATE SET model = excluded.model, vector = excluded.vector",
                params![note, MiniLm.model_name(), vector, text],
            )?;
        }
        Ok(wanted.len())
    }
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

fn missing(id: Option<&ProjectId>) -> [Option<String>; 2] {
    [Some(MiniLm.model_name().to_owned()), id.map(ProjectId::to_string)]
}

/// Notes whose meaning is not known to this model.
const MISSING: &str = "SELECT id, text FROM notes LEFT JOIN note_meanings ON note = id
    WHERE (model IS NULL OR model <> ?1) AND state <> 'retracted' AND (?2 IS NULL OR project = ?2)";

/// Steps from nothing to one.
const STEPS: f32 = 127.0;
/// Notes whose meaning is worked out while somebody waits for an answer: a few hundredths of a second.
const WAITED_FOR: usize = 4;
/// Notes that are taken up at once beside that.
const AT_ONCE: usize = 32;
/// Notes that are given as the closest.
const NEAREST_MAX: usize = 10;
