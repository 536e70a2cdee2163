//! Every limit of the server, with what it buys. A request, stream or wait without a limit here is a defect. Next:
//! `guard`.

/// Bytes of a request's body; more than any message may have.
pub const BODY_BYTES_MAX: usize = 1 << 20;

/// Requests a person may send at once before they are slowed down.
pub const REQUESTS_BURST: f64 = 400.0;

/// Requests a person may send a second in the long run: far more than a page sends, far less than would hurt.
pub const REQUESTS_PER_SECOND: f64 = 200.0;

/// Requests handled at the same time; more are sent away for a moment instead of piling up in memory.
pub const CONCURRENT_MAX: usize = 1_024;

/// Event streams open at the same time.
pub const STREAMS_MAX: usize = 20_000;

/// Seconds between two signs of life on an idle stream, so that proxies keep it open.
pub const KEEP_ALIVE_SECONDS: u32 = 15;

/// Seconds a long poll may wait.
pub const POLL_SECONDS_MAX: u64 = 55;

/// Events in one answer to a poll; the rest comes with the next.
pub const POLL_EVENTS_MAX: usize = 1_000;

/// Characters of an idempotency key.
pub const KEY_CHARACTERS_MAX: usize = 200;

/// Seconds the head of a request may take to arrive.
pub const HEAD_SECONDS_MAX: u64 = 10;

/// Seconds the body of a request may take to arrive, and the request to be handled.
pub const REQUEST_SECONDS_MAX: u64 = 30;

/// Seconds open requests get to end at shutdown.
pub const DRAIN_SECONDS_MAX: u64 = 10;
