//! Outlets: where a conversation is held, as far as an assistant may know it, and how something is said to everybody
//! there. An assistant knows no surface; the surface that holds a conversation stands behind this trait. Next:
//! `Settings::outlets`.

use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use turnwise_core::{ConversationId, PersonId};

/// What stands around a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// The channel it is held in, by a name that no other has.
    pub channel: String,
    /// The same, as people call it.
    pub told: String,
    /// An address by which others find the conversation.
    pub link: Option<String>,
}

/// What people say in the thread that a conversation is held in, whether to the assistant or among themselves. It is
/// looked at when something rests on it, and never kept: what is not said to an assistant orders and answers nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    /// What was said, oldest first, as it reads now.
    pub said: Vec<Remark>,
    /// How many messages of the thread were not read, because there are too many or there was no time.
    pub unread: usize,
}

/// By which a message of a thread is known again, also when it is edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RemarkId(String);

impl RemarkId {
    /// As the surface calls it.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }
}

/// Something that was said in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Which message it is.
    pub id: RemarkId,
    /// Who said it.
    pub by: PersonId,
    /// What it says now.
    pub text: String,
    /// When it was said, in milliseconds since 1970.
    pub at_ms: u64,
    /// Whether it was said to the assistant, so that the conversation has it as well.
    pub is_to_us: bool,
}

/// Why something could not be said to a channel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutletError {
    /// It was not said, and trying again may help.
    #[error("{0}")]
    Busy(String),
    /// Nobody knows whether it was said.
    #[error("{0}")]
    Lost(String),
    /// It was not said, and will not be.
    #[error("{0}")]
    Refused(String),
}

/// The surface that holds conversations.
#[async_trait]
pub trait Outlet: Send + Sync + 'static {
    /// What stands around a conversation; none where it is held elsewhere.
    async fn around(&self, conversation: &ConversationId) -> Option<Around>;

    /// Says `text` to the channel of a conversation; gives where people find it. `operation` is the same for every
    /// attempt, so that it can be found again.
    async fn publish(&self, conversation: &ConversationId, text: &str, operation: &str) -> Result<String, OutletError>;

    /// Where what `operation` said is found, if it was said.
    async fn published(&self, conversation: &ConversationId, operation: &str) -> Result<Option<String>, OutletError>;

    /// What people said in the thread of a conversation; none where all that is said there is said to the assistant.
    async fn talk(&self, conversation: &ConversationId) -> Result<Option<Talk>, OutletError>;
}

/// The outlet of the process, which is set up after assistants are opened; none where no surface is one.
#[derive(Clone, Default)]
pub struct Outlets(Arc<OnceLock<Arc<dyn Outlet>>>);

impl Outlets {
    /// From here on conversations are held there; the first one set stays.
    pub fn set(&self, outlet: Arc<dyn Outlet>) {
        // A process has one such surface: a second one is a defect of whoever starts it, and changes nothing.
        let _ = self.0.set(outlet);
    }

    /// The outlet that holds `conversation`, with what stands around it.
    pub async fn of(&self, conversation: &ConversationId) -> Option<(Arc<dyn Outlet>, Around)> {
        let outlet = Arc::clone(self.0.get()?);
        let around = outlet.around(conversation).await?;
        Some((outlet, around))
    }

    /// What people said in the thread of a conversation; none where no surface holds it in one.
    ///
    /// # Errors
    /// When it cannot be read, with what people are told.
    pub async fn talk(&self, conversation: &ConversationId) -> Result<Option<Talk>, OutletError> {
        match self.0.get() {
            Some(outlet) => outlet.talk(conversation).await,
            None => Ok(None),
        }
    }
}

impl fmt::Debug for Outlets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Outlets").field(&self.0.get().is_some()).finish()
    }
}
