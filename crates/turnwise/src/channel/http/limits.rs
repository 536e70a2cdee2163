//! Every limit of the server, with what it buys. A request, stream or wait without a limit here is a defect. Next:
//! `guard`.

/// Bytes of a request's body; more than any message may have.
pub const BODY_BYTES_MAX: usize = 1 << 20;

/// Bytes of the input of an AG-UI run: it brings the whole talk and the state along each time, rows included.
pub const RUN_INPUT_BYTES_MAX: usize = 8 << 20;

/// Characters of the id of a thread, a run or a message in AG-UI; a UUID has 36.
pub const RUN_ID_CHARACTERS_MAX: usize = 200;

/// Things said that are restated at once to an AG-UI client that comes back; older ones are left out.
pub const RESTATED_MAX: usize = 200;

/// Bytes of a file that is brought at once: as long as an artefact can be, and an archive of several.
pub const UPLOAD_BYTES_MAX: usize = 32 << 20;

/// Seconds a file may take to arrive.
pub const UPLOAD_SECONDS_MAX: u64 = 50;

/// Requests a person may send a second in the long run, unless it is set: far more than a page sends, far less than
/// would hurt.
pub const REQUESTS_PER_SECOND: u32 = 200;

/// Seconds' worth of requests a person may send at once before they are slowed down.
pub const REQUESTS_BURST_SECONDS: f64 = 2.0;

/// Requests without a valid token at once, of all strangers together: guessing tokens is slow.
pub const STRANGERS_BURST: f64 = 20.0;

/// Requests without a valid token a second, of all strangers together.
pub const STRANGERS_PER_SECOND: f64 = 5.0;

/// Seconds a session of the page lasts: a week of work, so that a browser that was left behind does not let in for
/// long.
pub const SESSION_SECONDS_MAX: u64 = 7 * 24 * 60 * 60;

/// Sessions of one token at once: a person's machines and windows.
pub const SESSIONS_MAX: usize = 32;

/// Connections open at the same time: a stream each, and room for requests. More wait to be accepted.
pub const CONNECTIONS_MAX: usize = STREAMS_MAX + 2 * CONCURRENT_MAX;

/// Open files that are kept for the store, the data and results; connections get the others.
pub const HANDLES_KEPT: u64 = 256;

/// Bytes of a request's head.
pub const HEAD_BYTES_MAX: usize = 64 << 10;

/// Bytes of a file that is sent as an artefact; a larger one is fetched from where it is.
pub const ARTEFACT_BYTES_MAX: u64 = 64 << 20;

/// Requests handled at the same time; more are sent away for a moment instead of piling up in memory.
pub const CONCURRENT_MAX: usize = 1_024;

/// Event streams open at the same time.
pub const STREAMS_MAX: usize = 20_000;

/// Frames of events that are kept for those who follow the same: enough for what many hear at the same moment.
pub const FRAMES_KEPT: usize = 128;

/// Bytes of a frame that is kept; a longer one is written for each who follows.
pub const FRAME_BYTES_KEPT: usize = 256 << 10;

/// Events in one frame: a history is sent in parts.
pub const FRAME_EVENTS_MAX: usize = 256;

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

/// Seconds the body of a request may take to arrive.
pub const BODY_SECONDS_MAX: u64 = 10;

/// Seconds a request may take in all, a poll's waiting included.
pub const REQUEST_SECONDS_MAX: u64 = POLL_SECONDS_MAX + 10;

/// Seconds open requests get to end at shutdown.
pub const DRAIN_SECONDS_MAX: u64 = 10;

/// Characters that are looked for: a sentence.
pub const SEARCH_CHARACTERS_MAX: usize = 200;

/// Milliseconds a search may go through logs before it answers with what it has.
pub const SEARCH_MILLISECONDS_MAX: u64 = 1_500;

/// Places a search names: as many as anybody looks through.
pub const SEARCH_HITS_MAX: usize = 40;

/// Places of one conversation that a search names, so that others show beside it.
pub const SEARCH_HITS_EACH: usize = 4;

/// Characters shown before what was found.
pub const SEARCH_BEFORE: usize = 40;

/// Characters shown behind it.
pub const SEARCH_AFTER: usize = 80;

/// Things said that one reply has; the rest follows as events.
pub const SAID_MAX: usize = 50;

/// Bytes of a reply below which compressing it costs more than it saves.
pub const COMPRESSED_FROM: u64 = 1 << 10;

/// Bytes of a reply that is compressed in memory; a longer one is sent as it is.
pub const COMPRESSED_MAX: u64 = 16 << 20;

/// Files that are brought together.
pub const UPLOAD_FILES_MAX: usize = 8;
