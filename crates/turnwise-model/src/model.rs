//! The trait that every model is behind. It is small, so that a recording, a script and a provider are the same to
//! whoever asks, and each layer around a model is a model again. Next: `guarded` for what stands around a model,
//! `provider` for real ones.

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::{Answer, ModelError, ModelName, Price, Request};

/// Somebody who answers requests: a provider's model, a recording, a script, or one of these with limits around it.
#[async_trait]
pub trait Model: Send + Sync + 'static {
    /// What it is called in logs and on cards.
    fn name(&self) -> &ModelName;

    /// What its tokens cost, where somebody said so.
    fn price(&self) -> Option<Price> {
        None
    }

    /// Whether what it is sent is to be kept with what was asked of it.
    fn is_kept(&self) -> bool {
        false
    }

    /// Answers `request`. Each part of the text goes to `part` as it comes, in order; together they are the text of the
    /// answer. What was given out before an error stays given out, so a listener that cannot take words back shows them
    /// as unfinished. When `cancelled` fires, the call ends with [`ModelError::Cancelled`] at the next await.
    ///
    /// # Errors
    /// See [`ModelError`], which says who can do something about it.
    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError>;

    /// Answers `request` as a whole.
    ///
    /// # Errors
    /// As for [`Model::stream`].
    async fn complete(&self, request: &Request, cancelled: &CancellationToken) -> Result<Answer, ModelError> {
        self.stream(request, &mut |_| {}, cancelled).await
    }
}
