//! Sections: what the configuration says to one assistant. It is read where it is used, into the type it is used as,
//! and straight from the file, so that whatever is wrong with it is told with its line and the nearest thing that is
//! right. Next: `kind`, which hands it over.

use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::{Failure, FailureKind, nearest_of};

/// What a file says to one assistant; nothing where none does.
#[derive(Clone, Debug, Default)]
pub struct Section(Option<Arc<Said>>);

#[derive(Debug)]
struct Said {
    file: PathBuf,
    text: String,
    assistant: String,
}

/// What came of looking at one thing that a section names.
#[derive(Debug)]
pub struct Finding {
    /// What was looked at, in a word or two.
    pub what: String,
    /// What is there, or what is wrong with it.
    pub told: Result<String, Failure>,
}

/// Looking at all that a section names.
pub struct Looking(Pin<Box<dyn Future<Output = Vec<Finding>> + Send>>);

impl Looking {
    /// Looks as `looking` does.
    #[must_use]
    pub fn by(looking: impl Future<Output = Vec<Finding>> + Send + 'static) -> Self {
        Self(Box::pin(looking))
    }

    /// Of an assistant whose section names nothing that could be looked at.
    #[must_use]
    pub fn at_nothing(_: Section, _: PathBuf) -> Self {
        Self::by(std::future::ready(Vec::new()))
    }

    /// What comes of it.
    pub async fn findings(self) -> Vec<Finding> {
        self.0.await
    }
}

impl Section {
    /// What the file with this text says to `assistant`.
    #[must_use]
    pub fn of(file: &Path, text: &str, assistant: &str) -> Self {
        let (file, text, assistant) = (file.to_owned(), text.to_owned(), assistant.to_owned());
        Self(Some(Arc::new(Said { file, text, assistant })))
    }

    /// All of it.
    ///
    /// # Errors
    /// When something in it means nothing, or is no value for its key.
    pub fn read<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        let Some(said) = &self.0 else { return Ok(T::default()) };
        let path = ["assistants", &said.assistant];
        let read = serde_saphyr::with_deserializer_from_str(&said.text, |file| {
            At { path: &path, of: PhantomData::<T> }.deserialize(file)
        });
        read.map(Option::unwrap_or_default).map_err(|error| misread(&said.file, &error))
    }

    /// Of an assistant to which nothing can be said.
    ///
    /// # Errors
    /// When something is.
    pub fn is_nothing(&self) -> Result<(), Failure> {
        self.read::<Nothing>().map(|Nothing {}| ())
    }

    /// That something of it cannot be used, `told` without a full stop.
    #[must_use]
    pub fn wrong(&self, told: &str) -> Failure {
        let place = self.0.as_ref().map(|said| format!("{}: assistants: {}: ", said.file.display(), said.assistant));
        Failure::new(FailureKind::Usage, format!("{}{told}", place.unwrap_or_default()))
    }
}

/// What is wrong with a file of the configuration.
#[must_use]
pub fn misread(file: &Path, error: &serde_saphyr::Error) -> Failure {
    let error = error.without_snippet();
    let serde_saphyr::Error::SerdeUnknownField { field, expected, location } = error else {
        return Failure::new(FailureKind::Usage, format!("{}: {error}", file.display()))
            .hint("turnwise config shows what holds");
    };
    let told = format!("{}, line {}: there is no setting `{field}`", file.display(), location.line());
    let failure = Failure::new(FailureKind::Usage, told).hint(match expected.is_empty() {
        true => "nothing can be set here".to_owned(),
        false => format!("there are {}", expected.join(", ")),
    });
    match nearest_of(field, expected.iter().copied()) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure,
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The value below these keys, if there is one; everything else is passed by.
struct At<'a, T> {
    path: &'a [&'a str],
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for At<'_, T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        match self.path {
            [] => Option::<T>::deserialize(deserializer),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for At<'_, T> {
    type Value = Option<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("settings by their names")
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            match self.path.split_first() {
                Some((first, path)) if key == *first => {
                    found = map.next_value_seed(At { path, of: PhantomData })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Options {
        folder: Option<String>,
        seconds: Option<u32>,
    }

    fn read(text: &str) -> Result<Options, Failure> {
        Section::of(Path::new("a.yaml"), text, "copilot").read()
    }

    #[test]
    fn a_section_is_read_from_its_file_and_what_is_wrong_is_told_with_its_line() {
        let both = "port: 1\nassistants:\n  coder: {worker: {}}\n  copilot:\n    folder: here\n    seconds: 7\n";
        assert_eq!(read(both).unwrap(), Options { folder: Some("here".to_owned()), seconds: Some(7) });
        for nothing in ["", "port: 1\n", "assistants:\n", "assistants: {coder: {}}\n", "assistants: {copilot: }\n"] {
            assert_eq!(read(nothing).unwrap(), Options::default(), "{nothing}");
        }
        let wrong = read("assistants:\n  copilot:\n    foldr: here\n").unwrap_err();
        assert_eq!(wrong.message(), "a.yaml, line 3: there is no setting `foldr`");
        assert_eq!(wrong.hints(), ["there are folder, seconds", "did you mean `folder`?"]);
        let wrong = read("assistants: {copilot: {seconds: soon}}").unwrap_err();
        assert!(wrong.message().contains("line 1"), "{}", wrong.message());
        let told = Section::of(Path::new("a.yaml"), both, "coder").is_nothing().unwrap_err();
        assert_eq!(told.message(), "a.yaml, line 3: there is no setting `worker`");
        assert_eq!(told.hints(), ["nothing can be set here"]);
    }
}
