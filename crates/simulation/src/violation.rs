//! What must never happen, each as a value that says where it did, so that a test can tell which rule a planted bug
//! breaks. Next: `watch`, which finds them.

use turnwise_core::{MessageId, RunId, Sequence, StepId};

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// An event of the log does not fit what came before it.
    #[error("event {at} does not fit the log before it: {reason}")]
    Unreplayable {
        /// The event.
        at: Sequence,
        /// Why.
        reason: String,
    },
    /// The state after a turn is one that must not exist.
    #[error("illegal state after event {at}: {reason}")]
    IllegalState {
        /// The last event of the turn.
        at: Sequence,
        /// What is wrong with it.
        reason: String,
    },
    /// A message has no receipt, two, or one of another message.
    #[error("{message} does not end in exactly one receipt, at event {at}")]
    Receipt {
        /// The message.
        message: MessageId,
        /// Where that is seen.
        at: Sequence,
    },
    /// A run was approved by something that is no yes.
    #[error("{run} was approved at event {at} by “{by}”, which is no yes")]
    NotAYes {
        /// The run.
        run: RunId,
        /// The approval.
        at: Sequence,
        /// The words before it.
        by: String,
    },
    /// A click on one plan approved another.
    #[error("{run} runs another plan than the one that was on the card when its button was pressed")]
    OtherPlanThanShown {
        /// The run.
        run: RunId,
    },
    /// A step started in the log in a run that is not there or was stopped.
    #[error("{step} of {run} started at event {at}, but the run was not approved or was stopped before")]
    StartWithoutRun {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The event.
        at: Sequence,
    },
    /// A step began before the log said so.
    #[error("attempt {attempt} at {step} of {run} began, but the log does not hold that it started")]
    BegunBeforeStored {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
    },
    /// What was done is not what was approved.
    #[error("{step} of {run} was done otherwise than its approved plan says")]
    OtherThanApproved {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
    },
    /// A step began, or had its effect, after a stop was acknowledged.
    #[error("{step} of {run} went on {late_ms} ms after its stop was acknowledged ({how})")]
    AfterStop {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// How much later.
        late_ms: u64,
        /// By the same process, or by another one past the time that takes to notice.
        how: &'static str,
    },
    /// A once-only step had its effect again, and nobody said that it had not.
    #[error("{step} had its effect {times} times, the last in {run}, and nobody had said that it did not happen")]
    Twice {
        /// The run it happened in last.
        run: RunId,
        /// The step.
        step: StepId,
        /// How often.
        times: usize,
    },
    /// A turn was acknowledged that is not in the log as told.
    #[error("“{words}” was acknowledged as events {first} to {last}, which is not what the log holds")]
    Lost {
        /// The words.
        words: String,
        /// The first event of the turn, as told.
        first: Sequence,
        /// The last event of the turn, as told.
        last: Sequence,
    },
    /// The process that acknowledged a turn does not know it.
    #[error("a turn up to {last} was acknowledged by a process that knows events up to {known} only")]
    Unseen {
        /// The last event of the turn.
        last: Sequence,
        /// The last event known there.
        known: Sequence,
    },
    /// The same input got two results.
    #[error("a second delivery of “{words}” got another result: events from {second} instead of from {first}")]
    OtherResult {
        /// The words.
        words: String,
        /// The first event of the first result.
        first: Sequence,
        /// The first event of the second result.
        second: Sequence,
    },
    /// As many messages in the log as there were inputs: no more, no fewer.
    #[error("{said} different inputs were acknowledged, and the log holds {logged} messages")]
    Count {
        /// Different inputs acknowledged.
        said: usize,
        /// Messages in the log.
        logged: usize,
    },
    /// Deciding broke down, or said that it did not fit.
    #[error("“{words}” could not be decided: {error}")]
    Undecided {
        /// The words.
        words: String,
        /// What the driver said.
        error: String,
    },
    /// Everybody waits, and nothing happens.
    #[error("nothing goes on: {0}")]
    Stuck(String),
    /// A process sees another state than the log says.
    #[error("process {process} sees another conversation than the log says, at event {at}")]
    Diverged {
        /// The process.
        process: usize,
        /// The last event it knows.
        at: Sequence,
    },
}
