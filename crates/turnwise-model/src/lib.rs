//! Language models behind one trait. What is asked is a [`Request`], what comes back an [`Answer`], part by part where
//! somebody listens; who answers is a [`Model`]. Around any model stands [`Guarded`], which waits, repeats, limits and
//! counts. [`Recorded`] and [`Scripted`] are models without a network, for tests and for demonstrations.
//!
//! What a model says is input like any other: [`Schema`] checks its form, and whoever asked checks its meaning. Nothing
//! here reads a conversation or acts. Next: `model`, then `task` for how a request is made from a template.

mod answer;
mod ask;
mod budget;
mod digest;
mod error;
mod guarded;
mod key;
pub mod limits;
mod model;
mod name;
mod provider;
mod recorded;
mod request;
mod schema;
mod scripted;
mod sees;
mod task;
mod watch;

pub use answer::{Answer, Finish, Usage};
pub use ask::{Asked, Call, Unanswered, ask};
pub use budget::{Budget, Price, Spent};
pub use digest::RequestDigest;
pub use error::{Blame, ModelError, Retry};
pub use guarded::{Guarded, Guards};
pub use key::{Key, Keys};
pub use model::Model;
pub use name::{ModelName, Place};
pub use provider::{open, open_with};
pub use recorded::Recorded;
pub use request::{Message, Request, Role, TaskName, TaskVersion};
pub use schema::{Problem, Schema, SchemaError};
pub use scripted::{Scripted, Turn};
pub use sees::Sees;
pub use task::{Task, TaskBudget, TaskError, TaskFiles};
pub use watch::{By, Live, Stage, Watch, Watching, watched};
