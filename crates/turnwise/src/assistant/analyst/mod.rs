//! The analyst: questions over data files and databases, without a language model.
//!
//! `source` loads data and runs read-only queries over it.

pub mod source;
