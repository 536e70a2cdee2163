//! Idempotency keys: the same request sent again gets the first reply again. Whether a key was used before, and for
//! what, is known by the store, so it holds over restarts and replicas; here is only what is under way in this process.
//! Next: `routes`.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::HeaderMap;
use turnwise_core::{ConversationId, InputKey, PersonId};

use super::limits;
use super::problem::Problem;

/// The keys of requests that are being handled.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    keys: Mutex<BTreeSet<String>>,
}

/// A key whose request is being handled; gives the key back when dropped.
pub(super) struct Claimed {
    under_way: Arc<UnderWay>,
    name: String,
    key: InputKey,
}

impl UnderWay {
    /// The key of a request, unless a request with the same one is under way.
    pub(super) fn claim(
        self: &Arc<Self>,
        headers: &HeaderMap,
        person: &PersonId,
        conversation: &ConversationId,
    ) -> Result<Claimed, Problem> {
        let key = key(headers)?;
        // Keys are each person's own: nobody can learn or replay another's reply by guessing one.
        let key = InputKey::new(format!("{person}:{key}"));
        let name = format!("{conversation}:{key}");
        if !self.keys.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone()) {
            return Err(Problem::conflict(
                "idempotency_key_in_use",
                "a request with this Idempotency-Key is being handled",
                "wait for it and send it again; the reply will be the same",
            ));
        }
        Ok(Claimed { under_way: Arc::clone(self), name, key })
    }
}

impl Claimed {
    pub(super) fn key(&self) -> InputKey {
        self.key.clone()
    }
}

impl Drop for Claimed {
    fn drop(&mut self) {
        self.under_way.keys.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// The key a request brings.
pub(super) fn key(headers: &HeaderMap) -> Result<String, Problem> {
    let Some(value) = headers.get(HEADER) else {
        return Err(Problem::new(
            axum::http::StatusCode::BAD_REQUEST,
            "idempotency_key_missing",
            "this request needs an Idempotency-Key header",
            "send a new random key with each new input, and the same one when sending it again",
        ));
    };
    let fits = |text: &&str| {
        let length = 1..=limits::KEY_CHARACTERS_MAX;
        length.contains(&text.len()) && text.bytes().all(|letter| letter.is_ascii_graphic())
    };
    let text = value.to_str().ok().map(str::trim).filter(fits);
    text.map(str::to_owned).ok_or_else(|| {
        Problem::new(
            axum::http::StatusCode::BAD_REQUEST,
            "idempotency_key_invalid",
            "the Idempotency-Key is empty, too long, or holds more than letters, digits and signs of ASCII",
            "a UUID makes a good key",
        )
    })
}

/// The header (draft-ietf-httpapi-idempotency-key-header).
pub(super) const HEADER: &str = "idempotency-key";
