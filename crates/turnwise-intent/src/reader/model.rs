//! The reader's embedding model, and what belongs to one model and to no other: heads, temperatures, thresholds.
//! Whoever changes the model loses what was fitted with the last one, and can ask what that was. Next: `fitted`.

use std::sync::{Arc, OnceLock};

use super::IntentReader;
use crate::asset::AssetError;
use crate::embed::{Embedder, MiniLm};
use crate::fitted::{Fitted, content_key};
use crate::profile::Calibration;

impl IntentReader {
    /// Uses a fit kept from earlier ([`Fitted::to_bytes`]), so that nothing has to be fitted.
    ///
    /// # Errors
    /// [`AssetError`] when the bytes do not belong to this profile, model and version.
    pub fn with_fitted(self, bytes: &[u8]) -> Result<Self, AssetError> {
        let fitted = Fitted::from_bytes(bytes, &content_key(&self.profile, self.embedder.model_name()))?;
        Ok(Self { fitted: Arc::new(OnceLock::from(Ok(fitted))), asset: None, ..self })
    }

    /// Uses another embedding model; the profile is fitted for it when first needed.
    #[must_use]
    pub fn with_embedder(self, embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, fitted: Arc::new(OnceLock::new()), asset: None, ..self }.with_own_calibration()
    }

    /// Uses what the profile has fitted only if it was fitted with the model in use: temperatures and thresholds of
    /// other scores would be made up.
    pub(super) fn with_own_calibration(mut self) -> Self {
        let profile = Arc::make_mut(&mut self.profile);
        let written = profile.fitted.take().or(self.set_aside.take());
        let is_own =
            |one: &Calibration| one.embedder.as_deref().unwrap_or(MiniLm.model_name()) == self.embedder.model_name();
        match written {
            Some(one) if is_own(&one) => profile.fitted = Some(one),
            other => self.set_aside = other,
        }
        self
    }

    /// The embedding model in use.
    #[must_use]
    pub fn embedder(&self) -> &Arc<dyn Embedder> {
        &self.embedder
    }

    /// Whether the model in use is the one compiled in.
    #[must_use]
    pub fn is_compiled_in(&self) -> bool {
        self.embedder.model_name() == MiniLm.model_name()
    }

    /// Whether its heads are there already, compiled in or given; else they are fitted when first needed.
    #[must_use]
    pub fn has_fit(&self) -> bool {
        self.asset.is_some() || self.fitted.get().is_some()
    }

    /// What the profile has fitted with another embedding model, and what is therefore not used.
    #[must_use]
    pub fn set_aside(&self) -> Option<&Calibration> {
        self.set_aside.as_ref()
    }
}
