//! What a model was told of a project, kept until something of the project changes (CP-11): each change counts its
//! revision up, and what is kept is good for one revision. Next: `turn`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rusqlite::params;
use turnwise_core::PersonId;
use turnwise_model::Sees;

use super::project::{Project, ProjectId, of_person};
use super::{Store, StoreError};

/// What is kept, by project, its name as the person sees it, and how much a model may see.
#[derive(Debug, Default)]
pub(super) struct Contexts(Mutex<BTreeMap<(ProjectId, String, &'static str), Kept>>);

#[derive(Clone, Debug)]
struct Kept {
    revision: i64,
    expires_ms: Option<i64>,
    told: String,
}

impl Store {
    /// What is kept for a project as it is now.
    #[must_use]
    pub fn context(&self, project: &Project, sees: Sees, now_ms: i64) -> Option<String> {
        let contexts = self.contexts.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = contexts.get(&(project.id.clone(), project.name.clone(), sees.told()))?;
        let holds = kept.revision == project.revision && kept.expires_ms.is_none_or(|end| end > now_ms);
        holds.then(|| kept.told.clone())
    }

    /// Keeps what is told of a project as it is now, until `expires_ms` where a note ends then.
    pub fn keep_context(&self, project: &Project, sees: Sees, expires_ms: Option<i64>, told: &str) {
        let mut contexts = self.contexts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if contexts.len() >= KEPT_MAX {
            contexts.clear();
        }
        let key = (project.id.clone(), project.name.clone(), sees.told());
        contexts.insert(key, Kept { revision: project.revision, expires_ms, told: told.to_owned() });
    }

    /// When the next note of a project is over; none where all last.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn next_end(&self, person: &PersonId, id: &ProjectId, now_ms: i64) -> Result<Option<i64>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let next = "SELECT min(expires_at) FROM notes
                    WHERE project = ?1 AND expires_at > ?2 AND state IN ('held', 'committed')";
        Ok(connection.prepare_cached(next)?.query_row(params![id.as_str(), now_ms], |row| row.get(0))?)
    }
}

/// Projects whose context is kept; where there are more, all are made anew.
const KEPT_MAX: usize = 256;
