//! The conversations that are open in this process, each at most once. A conversation is loaded outside the lock over
//! all of them: one that loads slowly, or a store that hangs over it, keeps nobody from another one. Next: `cell`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use turnwise_core::ConversationId;

use super::DriverError;
use super::cell::Cell;

/// The open conversations by their ids.
#[derive(Default)]
pub(super) struct Cells {
    places: Mutex<HashMap<ConversationId, Arc<Place>>>,
}

/// Where one conversation is, or is being loaded.
#[derive(Default)]
struct Place {
    /// Held by whoever loads it, so that it is loaded once.
    loading: tokio::sync::Mutex<()>,
    /// Apart from the lock above: who looks for what is open does not wait for what is being loaded.
    cell: Mutex<Weak<Cell>>,
}

impl Cells {
    /// The conversation `id`: the one that is open, or the one that `load` gives.
    ///
    /// # Errors
    /// Whatever `load` says.
    pub(super) async fn open<F>(&self, id: &ConversationId, load: impl Fn() -> F) -> Result<Arc<Cell>, DriverError>
    where
        F: Future<Output = Result<Arc<Cell>, DriverError>>,
    {
        loop {
            let place = Arc::clone(self.places().entry(id.clone()).or_default());
            let _loading = place.loading.lock().await;
            if let Some(cell) = place.cell() {
                return Ok(cell);
            }
            let cell = load().await?;
            // It may have been taken out while it was loaded, because it was deleted: then it is looked for once more.
            let places = self.places();
            if places.get(id).is_some_and(|current| Arc::ptr_eq(current, &place)) {
                *place.cell.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&cell);
                return Ok(cell);
            }
        }
    }

    /// The conversation `id`, if it is open.
    pub(super) fn get(&self, id: &ConversationId) -> Option<Arc<Cell>> {
        self.places().get(id).and_then(|place| place.cell())
    }

    /// Takes the conversation `id` out: whoever opens it next loads it anew.
    pub(super) fn remove(&self, id: &ConversationId) -> Option<Arc<Cell>> {
        self.places().remove(id).and_then(|place| place.cell())
    }

    /// The conversations open now; forgets those that were closed.
    pub(super) fn live(&self) -> Vec<Arc<Cell>> {
        let mut places = self.places();
        let mut live = Vec::with_capacity(places.len());
        places.retain(|_, place| {
            let cell = place.cell();
            // Somebody else who holds the place is about to load into it.
            let is_wanted = cell.is_some() || Arc::strong_count(place) > 1;
            live.extend(cell);
            is_wanted
        });
        live
    }

    /// A panic while this lock was held can only come from a failed allocation; the map is whole at every point.
    fn places(&self) -> MutexGuard<'_, HashMap<ConversationId, Arc<Place>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    fn cell(&self) -> Option<Arc<Cell>> {
        self.cell.lock().unwrap_or_else(PoisonError::into_inner).upgrade()
    }
}
