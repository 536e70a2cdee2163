//! The pure turn controller of Turnwise.
//!
//! Everything a conversation *is* and everything that may happen to it, without async, I/O, clock or randomness: time
//! and ids come in as values. A turn is `decide(&Conversation, &Input) -> events + effects`, state is the fold of
//! `apply` over events. Start reading at `phase` and `decide`.

mod about;
mod apply;
mod beside;
mod brake;
mod card;
mod chunked;
mod conversation;
pub mod decide;
mod doubt;
mod draft;
mod effect;
mod envelope;
mod event;
mod fact;
mod fact_store;
mod flow;
mod heard;
mod hearing;
mod ids;
mod input;
pub mod later;
pub mod lean;
pub mod limits;
mod members;
mod mode;
mod model_call;
pub mod numerals;
mod origin;
pub mod patch;
mod pending;
mod permit;
mod phase;
mod plan;
pub mod provenance;
mod reading;
mod receipt;
mod reuse;
mod run;
mod run_event;
pub mod selected;
pub mod status;
mod surroundings;
mod table;
pub mod text;
mod waiting;

pub use apply::IllegalEvent;
pub use card::{Card, EditedPart, PlanCard, PlanChange, StepLine, plan_changes};
pub use conversation::Conversation;
pub use decide::{ApprovalMode, Command, Decision, Policy, Talk, decide};
pub use draft::{
    Answer, AnswerOutcome, Choice, Clarification, ClarifiedAnswer, Conclusion, DraftOutcome, Existing, Ground, Keeping,
    LookUp, Question, StepOutcome, StepTask, Task, Taught, Upstream,
};
pub use effect::Effect;
pub use envelope::Envelope;
pub use event::{AsideEvent, Event, KnowledgeEvent, PartRequest, PlanningEvent};
pub use fact::{Fact, FactKind, FactValue, NewFact, Scope, SourceKind, SourceStamp, Standing, WrittenFile};
pub use fact_store::{CanonicalId, FactStore, Inserted, Superseded, facts_max};
pub use flow::{Flow, FlowKey, FlowSettings, Preset, Routing};
pub use heard::{Heard, Utterance};
pub use hearing::{HeardAs, Hearing};
pub use ids::{
    AssistantName, ConversationId, FactId, FactName, InputKey, MessageId, PendingId, PersonId, PlanId, RequestId,
    RunId, Sequence, StepId, SurfaceName, SurfaceSession, Timestamp, ToolName,
};
pub use input::{Input, InputBody, Report};
pub use mode::Mode;
pub use model_call::{Exchange, ModelCall, ModelUse, ModelsUsed, Sent, Tokens};
pub use origin::{Decider, Origin, PlanVersion, Seen, Surface};
pub use pending::{DecisionRef, Pending, PendingKind, Resolution, Resolved, Verdict};
pub use permit::{NoPermit, Permit};
pub use phase::{IllegalTransition, Phase, Trigger, transition};
pub use plan::{EffectClass, Endings, NamedResult, Plan, PlanDraft, PlanError, Presentation, Step};
pub use reading::{
    Act, Asked, Bearing, Confidence, Control, MessageReading, ModeWish, Neighbour, PlanAspect, PlanKind, PointEdit,
    PointSort, QueryKind, ReadContext, Reader, Reading, Reply, Stakes, Tier,
};
pub use receipt::{Outcome, Receipt};
pub use run::{IllegalStep, Run, RunStatus, StepState};
pub use run_event::RunEvent;
pub use status::StatusLine;
pub use surroundings::{SelectedLines, Surroundings};
pub use table::{Cell, Table};
pub use waiting::{Queue, QueuedRequest, QueuedTask};
