//! Every limit of the stores, with what it buys. A page or batch without a limit here is a defect. Next: `sqlite`.

/// Least events between two snapshots of a conversation. Loading folds at most this many events (about a millisecond),
/// and a snapshot, which holds all facts with their rows, is not written again at each turn. A conversation with more
/// steps and facts than this waits for as many events as it has of those.
pub const SNAPSHOT_EVENTS: u64 = 256;

/// Turns that share one SQLite transaction when several wait: one flush to disk for all of them, while a single turn
/// never waits for more than this many others.
pub const GROUP_COMMIT_MAX: usize = 64;

/// Milliseconds SQLite waits for another process that is writing; longer than any transaction of ours.
pub const BUSY_MS: u64 = 5_000;

/// Events read at once; a log of any length is read in pages of this size.
pub const EVENTS_PAGE: usize = 1_024;

/// Conversations listed at once; a list of any length is read in pages of this size.
pub const LISTED_MAX: usize = 200;

/// Ids read at once when all of them are gone through.
pub const IDS_PAGE: usize = 1_024;

/// Pieces of abandoned work read at once; after a crash of a busy server there are more than one page.
pub const ABANDONED_PAGE: usize = 256;

/// Bytes of a title kept for listing.
pub const TITLE_CHARACTERS: usize = 80;

/// How often processes that begin take up one delivery. What ends a process must not end every one after it.
pub const TAKEN_UP_MAX: u32 = 5;

/// Requests that may wait for the writer or reader thread; more callers wait for a place.
pub const QUEUE_MAX: usize = 1_024;
