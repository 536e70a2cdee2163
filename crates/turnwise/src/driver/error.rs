//! What can go wrong with a turn. Each kind says who has to act, because that decides what a surface tells. Next:
//! `turnwise_assistant::Failure`, which is what a surface shows.

use turnwise_assistant::{Failure, FailureKind};
use turnwise_core::{AssistantName, ConversationId, IllegalEvent, limits};

use crate::store::StoreError;

/// What went wrong with a turn. Whatever it is, nothing of the turn was stored.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Other processes were faster too many times in a row.
    #[error("other windows keep writing to conversation {conversation}; gave up after {attempts} attempts")]
    Contended {
        /// The conversation.
        conversation: ConversationId,
        /// How often it was tried.
        attempts: usize,
    },
    /// The conversation belongs to another assistant.
    #[error("conversation {conversation} is with the assistant `{with}`, not with `{asked}`")]
    OtherAssistant {
        /// The conversation.
        conversation: ConversationId,
        /// The assistant it is with.
        with: AssistantName,
        /// The assistant it was to be opened with.
        asked: AssistantName,
    },
    /// A surface tried to bring in a report; only the driver's own work reports.
    #[error("reports come from the driver's own work, never from a surface")]
    ReportFromSurface,
    /// At the point to fork from, work was under way that the fork would do again.
    #[error("at that point work was under way, which a fork would do a second time")]
    ForkAtWork,
    /// Longer than anybody can mean with one message.
    #[error("that message is {} kB long; at most {} kB are read", bytes.div_ceil(1024), limits::MESSAGE_BYTES_MAX / 1024)]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// The key was used before, for an input that said something else.
    #[error("this key was used before for something else")]
    KeyReused,
    /// The work whose outcome was to be reported belongs to another process by now, whose report counts.
    #[error("another process has taken this work over")]
    TakenOver,
    /// The conversation was deleted.
    #[error("the conversation was deleted")]
    Gone,
    /// The driver was shut down.
    #[error("the driver has been shut down")]
    ShutDown,
    /// What was decided does not fit the state: a defect of the core.
    #[error("a decision does not fit the conversation: {0}")]
    Illegal(#[from] IllegalEvent),
    /// A decision reference that was not issued for what it names.
    #[error("this reference was changed on its way, or was not issued here; nothing was decided")]
    Forged,
    /// Reading or deciding the input panicked.
    #[error("deciding the input failed inside Turnwise: {0}")]
    Panicked(String),
}

impl DriverError {
    /// What to do about a message that is too long.
    pub const SHORTER: &str = "say it shorter, or in several messages";

    /// Refuses words that are too long, before anything is made of them.
    ///
    /// # Errors
    /// [`DriverError::TooLong`].
    pub fn check_length(words: &str) -> Result<(), Self> {
        let bytes = words.len();
        if bytes > limits::MESSAGE_BYTES_MAX { Err(Self::TooLong { bytes }) } else { Ok(()) }
    }

    /// Whether trying the same again later may help.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Store(StoreError::Damaged { .. } | StoreError::Encoding(_) | StoreError::Closed) => false,
            Self::Store(_) | Self::Contended { .. } => true,
            Self::OtherAssistant { .. }
            | Self::ReportFromSurface
            | Self::ForkAtWork
            | Self::TooLong { .. }
            | Self::KeyReused
            | Self::TakenOver
            | Self::Gone
            | Self::ShutDown
            | Self::Illegal(_)
            | Self::Forged
            | Self::Panicked(_) => false,
        }
    }
}

impl From<DriverError> for Failure {
    fn from(error: DriverError) -> Self {
        match error {
            DriverError::Store(error) => error.into(),
            DriverError::OtherAssistant { .. } => Self::new(FailureKind::Usage, error.to_string())
                .hint("name that assistant, or start a new conversation")
                .caused_by(error),
            DriverError::Forged => Self::new(FailureKind::Usage, error.to_string())
                .hint("turnwise pending lists what waits, with the references to it")
                .caused_by(error),
            DriverError::Contended { .. } => Self::new(FailureKind::Peer, error.to_string())
                .hint("say it again; if it keeps happening, leave the conversation in the other window")
                .caused_by(error),
            DriverError::ForkAtWork => Self::new(FailureKind::Usage, error.to_string())
                .hint("fork from before it began, or once it is over")
                .caused_by(error),
            DriverError::TooLong { .. } => {
                Self::new(FailureKind::Usage, error.to_string()).hint(DriverError::SHORTER).caused_by(error)
            }
            DriverError::Gone => {
                Self::new(FailureKind::Usage, error.to_string()).hint("start a new conversation").caused_by(error)
            }
            DriverError::KeyReused => Self::new(FailureKind::Usage, error.to_string())
                .hint("use a new key for each input; the same key only to send the same input again")
                .caused_by(error),
            DriverError::ReportFromSurface
            | DriverError::TakenOver
            | DriverError::ShutDown
            | DriverError::Illegal(_)
            | DriverError::Panicked(_) => Self::new(FailureKind::Defect, error.to_string())
                .hint("nothing was changed; please report this with the steps that led to it")
                .caused_by(error),
        }
    }
}
