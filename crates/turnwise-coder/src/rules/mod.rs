//! Rules: plain orders whose edits need no model. What is wanted is read from the words, what it comes to is worked
//! out on the files, and an order that is none of these is not guessed at: it is refused by name. Next: `order` for
//! the words, `make` for the edits.

mod blocked;
mod command;
mod comment;
mod create;
mod format;
mod import;
mod make;
mod order;
mod places;
mod rename;
mod replace;
mod said;
mod wish;

use turnwise_assistant::place::{FilePath, PlaceError};

use crate::edit::EditError;
use crate::workspace::WorkspaceError;

pub use command::{
    Judged, Judgement, command_of, is_command, is_command_where_expected, judge, judge_known, of_project,
};
pub(crate) use make::some;
pub use make::{Made, make, not_understood};
pub(crate) use order::COUNTS;
pub use order::orders;
pub use places::{Places, places_of};
pub use rename::{Apart, Which, apart};
pub use wish::{Kind, Meant, Wish, WrittenEdits};

/// What keeps an order from becoming an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Several files have that name.
    WhichFile {
        /// The name.
        name: String,
        /// The files.
        files: Vec<FilePath>,
    },
    /// Several things have that name.
    WhichName {
        /// The name.
        name: String,
        /// What stands for each, and what each is.
        choices: Vec<(String, String)>,
    },
    /// No file is named, and one has to be.
    Where,
    /// A wrong word is named, and no right one.
    RightWord {
        /// The wrong word.
        wrong: String,
    },
    /// It cannot be done, said for people.
    Cannot(String),
}

impl Trouble {
    /// It cannot be done, for this reason.
    pub(crate) fn because(reason: impl Into<String>) -> Self {
        Self::Cannot(reason.into())
    }
}

impl From<PlaceError> for Trouble {
    fn from(error: PlaceError) -> Self {
        WorkspaceError::from(error).into()
    }
}

impl From<WorkspaceError> for Trouble {
    fn from(error: WorkspaceError) -> Self {
        Self::Cannot(sentence(&error.to_string()))
    }
}

impl From<EditError> for Trouble {
    fn from(error: EditError) -> Self {
        Self::Cannot(sentence(&error.to_string()))
    }
}

/// A reason as a sentence.
pub(crate) fn sentence(reason: &str) -> String {
    let said = turnwise_core::text::capital(reason.trim());
    if said.ends_with(['.', '!', '?']) { said } else { format!("{said}.") }
}

#[cfg(test)]
mod tests;
