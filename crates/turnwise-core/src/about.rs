//! Questions about a plan that waits, runs or failed, answered from it: what it changes, what step 2 is for, what
//! happens after a no, why it failed.
//! What only the assistant can tell (its queries, its tables, what they cost) is named as such and asked of it.
//! Nothing in here decides anything: a question is never consent. Next: `decide::about`.

mod progress;
mod told;
mod topic;

pub(crate) use progress::told_of_run;
pub(crate) use told::told;
pub(crate) use topic::{Topic, topic, topic_of_run};
