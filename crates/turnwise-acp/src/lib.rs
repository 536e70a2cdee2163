//! The Agent Client Protocol, by which editors and coding agents speak with each other: JSON-RPC over a pipe, a message
//! a line, from either side. The types of what is said are those of the protocol's own crate ([`schema`]); what carries
//! them is here, because the protocol's runtime would bring an executor of its own for two hundred lines.
//!
//! Turnwise is an agent to editors and an editor to agents, so both sides are the same [`Peer`]. Next: `peer`.

mod line;
mod peer;

/// The messages of the protocol's first version, which is the one that is spoken.
pub use agent_client_protocol_schema::v1 as schema;
pub use agent_client_protocol_schema::{IntoOption, ProtocolVersion};
pub use peer::{Asked, Incoming, Peer, PeerError};

/// Bytes of one message: an editor may send files along, and nothing that is longer was meant.
pub const MESSAGE_BYTES_MAX: usize = 32 * 1024 * 1024;
