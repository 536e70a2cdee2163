//! The pure turn controller of Turnwise.
//!
//! Everything a conversation *is* and everything that may happen to it, without async, I/O, clock or randomness: time
//! and ids come in as values. A turn is `decide(&Conversation, &Input) -> events + effects`, state is the fold of
//! `apply` over events. Start reading at `phase` and `decide`.

mod draft;
mod fact;
mod ids;
pub mod limits;
mod mode;
mod phase;
mod plan;
mod reading;
mod table;
pub mod text;

pub use draft::{
    Answer, AnswerOutcome, Choice, Clarification, ClarifiedAnswer, Conclusion, DraftOutcome, Question, StepOutcome,
    StepTask, Task,
};
pub use fact::{Fact, FactValue, NewFact, SourceKind, SourceStamp};
pub use ids::{
    AssistantName, ConversationId, FactId, FactName, InputKey, MessageId, PendingId, PersonId, PlanId, RequestId,
    RunId, Sequence, StepId, Timestamp, ToolName,
};
pub use mode::Mode;
pub use phase::{IllegalTransition, Phase, Trigger, transition};
pub use plan::{EffectClass, Plan, PlanDraft, PlanError, Presentation, Step};
pub use reading::{
    Act, Confidence, Control, MessageReading, Neighbour, PlanKind, QueryKind, ReadContext, Reader, Reading, Reply, Tier,
};
pub use table::{Cell, Table};
