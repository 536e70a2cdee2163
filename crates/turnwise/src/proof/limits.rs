//! Every limit of proofs, with what it buys: a file that is read whole, a page that people can read and a check that
//! tells what matters need an end. Next: `document`.

/// Largest file that is checked, in bytes: a proof of ten thousand facts with a thousand rows each stays below.
pub const FILE_BYTES_MAX: u64 = 512 * 1024 * 1024;

/// Facts drawn as a graph; of more the page has the list alone, because a drawing nobody can read proves nothing.
pub const NODES_DRAWN_MAX: usize = 300;

/// Rows shown beneath a fact in a page; all that were kept are in the proof inside.
pub const ROWS_SHOWN_MAX: usize = 100;

/// Differences told per fact; the rest is counted.
pub const DIFFERENCES_MAX: usize = 5;

/// Relative difference of numbers that another version of an engine may have by adding up in another order.
pub const ROUNDING: f64 = 1e-12;
