//! A list whose copies share what was not changed: small values in chunks, and chunks in groups, of which a change
//! copies one each. A turn looks ahead on a copy of the run; of thousands of steps it changes a few. Next: `run`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A list of `T`, of a length that stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<T>", into = "Vec<T>")]
#[serde(bound(serialize = "T: Copy + Serialize", deserialize = "T: Copy + Deserialize<'de>"))]
pub(crate) struct Chunked<T: Copy> {
    groups: Vec<Arc<Vec<Arc<Vec<T>>>>>,
}

impl<T: Copy> Chunked<T> {
    pub(crate) fn get(&self, at: usize) -> Option<T> {
        self.groups.get(at / GROUP)?.get(at % GROUP / CHUNK)?.get(at % CHUNK).copied()
    }

    /// Does nothing where there is no such place.
    pub(crate) fn set(&mut self, at: usize, value: T) {
        if self.get(at).is_none() {
            return;
        }
        let group = Arc::make_mut(&mut self.groups[at / GROUP]);
        Arc::make_mut(&mut group[at % GROUP / CHUNK])[at % CHUNK] = value;
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.groups.iter().flat_map(|group| group.iter()).flat_map(|chunk| chunk.iter().copied())
    }
}

impl<T: Copy> From<Vec<T>> for Chunked<T> {
    fn from(values: Vec<T>) -> Self {
        let chunks = |group: &[T]| group.chunks(CHUNK).map(|chunk| Arc::new(chunk.to_vec())).collect();
        Self { groups: values.chunks(GROUP).map(|group| Arc::new(chunks(group))).collect() }
    }
}

impl<T: Copy> From<Chunked<T>> for Vec<T> {
    fn from(values: Chunked<T>) -> Self {
        values.iter().collect()
    }
}

/// Values in a chunk: about the third root of the most steps a plan has, so that on no level many are touched.
const CHUNK: usize = 32;
/// Values in a group.
const GROUP: usize = 32 * CHUNK;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_list() {
        let mut list = Chunked::from((0..5_000_u32).collect::<Vec<_>>());
        let before = list.clone();
        list.set(1_300, 7);
        list.set(50_000, 7);
        assert_eq!((list.get(1_299), list.get(1_300), list.get(5_000)), (Some(1_299), Some(7), None));
        assert_eq!(before.get(1_300), Some(1_300));
        let chunks = |list: &Chunked<u32>| list.groups.iter().flat_map(|group| group.to_vec()).collect::<Vec<_>>();
        let (old, new) = (chunks(&before), chunks(&list));
        assert_eq!(old.iter().zip(&new).filter(|(old, new)| Arc::ptr_eq(old, new)).count(), old.len() - 1);
        assert_eq!(Vec::from(list).len(), 5_000);
    }
}
