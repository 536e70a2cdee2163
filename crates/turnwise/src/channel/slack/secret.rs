//! Secrets of the surface: read once, used where they are needed, and never printed, because whoever has one can speak
//! for the whole workspace. Next: `signature`, `post`.

use std::fmt;

/// A secret, which prints as `Secret(…)`.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The secret in `text`, without the line that ends it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As it is sent or computed with.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}
