//! Settings by a name that a person chose among many: in their order, each with the place where it stands, so that a
//! name nobody knows is told with its line. Next: `config`.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_saphyr::Spanned;

/// Something for each of several names.
#[derive(Clone, Debug, PartialEq)]
pub struct ByName<T>(pub Vec<(Spanned<String>, T)>);

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> ByName<T> {
    /// What there is for `name`.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0.iter().find(|(known, _)| known.value == name).map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Names(PhantomData))
    }
}

struct Names<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Names<T> {
    type Value = ByName<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("settings by their names")
    }

    fn visit_unit<E>(self) -> Result<ByName<T>, E> {
        Ok(ByName::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(entry) = map.next_entry()? {
            all.push(entry);
        }
        Ok(ByName(all))
    }
}
