//! Every limit of telemetry, with what it buys. A queue, pause or batch without a limit here is a defect, because an
//! endpoint that is away must cost nothing but spans. Next: `export`.

/// Spans that wait to be sent; what comes on top is dropped and counted. A few megabytes at most.
pub const QUEUE_MAX: usize = 4_096;

/// Spans in one request.
pub const BATCH_MAX: usize = 512;

/// Milliseconds a span waits for others to be sent along with.
pub const BATCH_MS: u64 = 2_000;

/// Milliseconds a request may take, unless the environment says otherwise.
pub const REQUEST_MS: u64 = 10_000;

/// How often a batch is sent before it is given up.
pub const ATTEMPTS_MAX: u32 = 3;

/// Milliseconds before the second attempt; doubled each time.
pub const PAUSE_MS: u64 = 1_000;

/// Milliseconds the end of the program waits for what is still to be sent.
pub const FLUSH_MS: u64 = 2_000;

/// Bytes of an answer that are read: it only says how many spans were refused.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Bytes of a text in a span, where texts are recorded at all.
pub const TEXT_BYTES_MAX: usize = 16 << 10;
