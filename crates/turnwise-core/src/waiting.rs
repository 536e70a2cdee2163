//! What waits behind the work at hand: a task, the further requests of a message, commands. Apart from the conversation
//! that holds it, because surfaces look at it alone. Next: `decide::queue`.

use serde::{Deserialize, Serialize};

use crate::{Control, MessageId, PlanKind};

/// What waits until the task at hand is over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queue {
    /// The further requests of a message that asked for several, in order: one is taken up when the one before has
    /// ended. At most `limits::QUEUED_REQUESTS_MAX`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<QueuedRequest>,
    /// The task, at most one: the latest wins.
    pub task: Option<QueuedTask>,
    /// Commands, in order.
    pub controls: Vec<(MessageId, Control)>,
}

/// A task that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedTask {
    /// The message it came in.
    pub message: MessageId,
    /// The task in the person's words.
    pub problem: String,
    /// How the plan should be shaped.
    pub kind: PlanKind,
}

/// A request that waits for the ones before it in its message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedRequest {
    /// The message it came in.
    pub message: MessageId,
    /// Which of the message it is, from 2: the first never waits.
    pub number: u32,
    /// The request in the person's words.
    pub problem: String,
    /// How the plan should be shaped.
    pub kind: PlanKind,
}

impl QueuedRequest {
    /// What it is called where the queue is spoken of: `m3.2` is the second request of message 3.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.message, self.number)
    }
}

impl Queue {
    /// How many things wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.len() + self.controls.len() + usize::from(self.task.is_some())
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
