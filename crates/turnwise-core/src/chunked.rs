//! A list whose copies share what was not changed: small values in chunks, of which a change copies one. A turn looks
//! ahead on a copy of the run; of thousands of steps it changes a few. Next: `run`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A list of `T`, of a length that stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(serialize = "T: Copy + Serialize", deserialize = "T: Copy + Deserialize<'de>"))]
pub(crate) struct Chunked<T: Copy> {
    chunks: Vec<Arc<Vec<T>>>,
}

impl<T: Copy> Chunked<T> {
    pub(crate) fn get(&self, at: usize) -> Option<T> {
        self.chunks.get(at / CHUNK)?.get(at % CHUNK).copied()
    }

    /// Does nothing where there is no such place.
    pub(crate) fn set(&mut self, at: usize, value: T) {
        if let Some(place) = self.chunks.get_mut(at / CHUNK).and_then(|chunk| Arc::make_mut(chunk).get_mut(at % CHUNK))
        {
            *place = value;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter().copied())
    }
}

impl<T: Copy> From<Vec<T>> for Chunked<T> {
    fn from(values: Vec<T>) -> Self {
        Self { chunks: values.chunks(CHUNK).map(|chunk| Arc::new(chunk.to_vec())).collect() }
    }
}

impl<T: Copy> From<Chunked<T>> for Vec<T> {
    fn from(values: Chunked<T>) -> Self {
        values.iter().collect()
    }
}

/// About the square root of the most steps a plan has.
const CHUNK: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list() {
        let mut list = Chunked::from((0..1_000_u32).collect::<Vec<_>>());
        let before = list.clone();
        list.set(300, 7);
        list.set(5_000, 7);
        assert_eq!((list.get(299), list.get(300), list.get(1_000)), (Some(299), Some(7), None));
        assert_eq!(before.get(300), Some(300));
        let shared = before.chunks.iter().zip(&list.chunks).filter(|(old, new)| Arc::ptr_eq(old, new)).count();
        assert_eq!(shared, before.chunks.len() - 1);
        assert_eq!(Vec::from(list).len(), 1_000);
    }
}
