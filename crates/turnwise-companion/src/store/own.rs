//! A person's own model with its key (CP-16). The key is read where a model is asked, and nowhere else. Next: `turn`.

use rusqlite::{OptionalExtension as _, params};
use turnwise_assistant::projects::OwnModel;
use turnwise_core::PersonId;
use turnwise_model::Key;

use super::{Store, StoreError};

impl Store {
    /// The model of the person's own; none where they have none.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn own_model(&self, person: &PersonId) -> Result<Option<OwnModel>, StoreError> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached("SELECT name, key FROM own_models WHERE person = ?1")?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let found = statement.query_row([person.as_str()], row).optional()?;
        Ok(found.and_then(|(name, key)| Some(OwnModel { name, key: Key::given(&key)? })))
    }

    /// Keeps the model of the person's own, or forgets it.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn set_own_model(&self, person: &PersonId, own: Option<&OwnModel>) -> Result<(), StoreError> {
        let connection = self.lock();
        match own {
            Some(own) => connection.execute(
                "INSERT INTO own_models (person, name, key) VALUES (?1, ?2, ?3)
                 ON CONFLICT (person) DO UPDATE SET name = excluded.name, key = excluded.key",
                params![person.as_str(), own.name, own.key.kept()],
            )?,
            None => connection.execute("DELETE FROM own_models WHERE person = ?1", [person.as_str()])?,
        };
        Ok(())
    }
}
