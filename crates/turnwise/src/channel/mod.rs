//! Channels: each turns what people do into inputs and draws cards, and knows nothing of the others. Next: `draw` for how
//! cards look, `terminal` for the interactive surface, `line` for pipes.

pub mod draw;
