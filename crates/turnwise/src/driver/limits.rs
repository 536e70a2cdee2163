//! Every limit of the driver, with what it buys. A wait or retry without a limit here is a defect. Next: `perform`,
//! `pulse`.

/// How often a turn is decided again because another process was faster. Each time one of them gets through, so this
/// many in a row means something is wrong.
pub const CONFLICT_RETRIES_MAX: usize = 16;

/// Milliseconds work stays with its driver without a renewal: how long work rests after a crash before another process
/// takes it up, and how long a process may stall before it loses its work.
pub const LEASE_MS: i64 = 6_000;

/// Milliseconds between two renewals: two may fail before the lease is gone.
pub const HEARTBEAT_MS: u64 = 2_000;

/// Milliseconds between two looks for turns of other processes: soon enough to feel live, one indexed read each.
pub const POLL_MS: u64 = 250;

/// Milliseconds before work is tried again that could not be taken up: what hindered it may have passed, and nothing
/// runs in circles over data that is gone.
pub const LEFT_AGAIN_MS: i64 = 600_000;

/// How often work is taken up of which nobody looks on. Work that never ended in so many processes may be what ended
/// them, and would end the next one; from then on it waits for a person.
pub const UNATTENDED_CLAIMS_MAX: u64 = 8;

/// Events of a followed conversation kept in memory for those who follow it: enough for a turn or a few, so that
/// hearing what was just said needs no look into the store.
pub const TAIL_EVENTS_MAX: usize = 16;

/// Milliseconds that cancelled work gets for tidying up before its future is dropped.
pub const CANCEL_GRACE_MS: u64 = 2_000;

/// Seconds a model may take to say which reading is meant; the person is asked meanwhile anyway.
pub const HEARING_SECONDS_MAX: u32 = 30;

/// Bytes of what a model is writing that are shown: a screen or two.
pub const WRITING_BYTES_MAX: usize = 8 * 1024;

/// Milliseconds `shutdown` waits for work to end; longer than the grace of the work itself.
pub const SHUTDOWN_MS: u64 = 5_000;

/// Seconds a draft or an answer may take before the person is told that it did not come.
pub const DRAFT_SECONDS_MAX: u32 = 120;

/// Milliseconds before a report that could not be stored is tried again; doubled each time.
pub const REPORT_RETRY_MS: u64 = 200;

/// Most milliseconds between two such attempts. They end only with success or shutdown: giving up would lose work that
/// is already done.
pub const REPORT_RETRY_MS_MAX: u64 = 5_000;
