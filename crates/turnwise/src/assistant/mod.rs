//! The assistants: each a profile (data) plus the Rust that answers, plans and runs steps for it.
//! Next: `analyst`.

pub mod analyst;
