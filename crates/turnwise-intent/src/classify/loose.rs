//! A value of a context before it is known what it should be: surfaces say "there is a plan" as `true`, as its name or
//! as an object. Parsed once, here; nothing behind `context` sees it. Next: `context`.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Any value of a data format.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Loose {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Loose>),
    Object(BTreeMap<String, Loose>),
}

impl Loose {
    /// Whether there is something: `true`, a name, a full list.
    pub(super) fn is_there(&self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Flag(flag) => *flag,
            Self::Number(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty() && text != "none",
            Self::List(list) => !list.is_empty(),
            Self::Object(object) => !object.is_empty(),
        }
    }

    /// The names it holds: a name, a list of names, or what an object is called by.
    pub(super) fn names(&self) -> Vec<String> {
        const CALLED: &[&str] = &["path", "file", "files", "name", "title", "id"];
        match self {
            Self::Nothing | Self::Flag(_) => Vec::new(),
            Self::Number(number) => vec![number.to_string()],
            Self::Text(text) if text.is_empty() => Vec::new(),
            Self::Text(text) => vec![text.clone()],
            Self::List(list) => list.iter().flat_map(Self::names).collect(),
            Self::Object(object) => CALLED.iter().filter_map(|key| object.get(*key)).flat_map(Self::names).collect(),
        }
    }

    /// What it says about a state: its own words, or those under `status` or `state`.
    pub(super) fn state(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Object(object) => object.get("status").or_else(|| object.get("state")).and_then(Self::state),
            Self::Nothing | Self::Flag(_) | Self::Number(_) | Self::List(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor)
    }
}

struct LooseVisitor;

impl<'de> Visitor<'de> for LooseVisitor {
    type Value = Loose;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Loose, E> {
        Ok(Loose::Nothing)
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Loose, E> {
        Ok(Loose::Flag(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Loose, E> {
        Ok(Loose::Number(number as f64))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Loose, E> {
        Ok(Loose::Number(number as f64))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Loose, E> {
        Ok(Loose::Number(number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Loose, E> {
        Ok(Loose::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Loose, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Loose::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Loose, A::Error> {
        let mut object = BTreeMap::new();
        while let Some((key, value)) = entries.next_entry()? {
            object.insert(key, value);
        }
        Ok(Loose::Object(object))
    }
}
