//! Every limit of this crate, with what it buys: a model at the other end of a network may be slow, endless or wrong,
//! and must cost no more than somebody decided. They stand here so that a reader sees them all at once. Next:
//! `guarded`, which keeps most of them.

use std::time::Duration;

/// The longest answer that is read. A server that never ends its answer must not fill the memory.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// How deep a schema may be followed into itself by `$ref`. A schema may describe a tree; a value ends, but a schema
/// that refers to itself without taking a step into the value would not.
pub const SCHEMA_REFS_MAX: usize = 16;

/// How many problems of one answer are told. A model mends the first few; a longer list only pushes the task out of
/// sight.
pub const PROBLEMS_MAX: usize = 8;

/// How long one call may take where the task says nothing, all attempts and waits together.
pub const CALL_TIME_MAX: Duration = Duration::from_secs(60);

/// The longest a task may say that its call takes, where whoever runs the model sets nothing shorter: writing code
/// takes a small model on a small machine minutes, and more than this nobody waits for.
pub const TASK_TIME_MAX: Duration = Duration::from_secs(600);

/// How many calls of one model run side by side where nothing is set. Providers count requests; a local server works on
/// a few at a time and answers all later when it is given more.
pub const CONCURRENT_MAX: usize = 4;

/// How many attempts a call makes where nothing is set. With the pauses below they span about four seconds: a short
/// overload passes, a person does not wait for a long one.
pub const ATTEMPTS_MAX: u32 = 4;

/// The pause after the first attempt.
pub const PAUSE_FIRST: Duration = Duration::from_millis(500);

/// The longest pause of our choice.
pub const PAUSE_MAX: Duration = Duration::from_secs(8);

/// The longest message a template may make. More than this fits into few models, and costs in all.
pub const MESSAGE_BYTES_MAX: usize = 256 * 1024;

/// How often an answer is sent back at most. What two rounds do not mend, a third does not either.
pub const REPAIRS_MAX: u32 = 2;
