//! Wishes: what one order wants, as closed values, and how far it goes where it names no file. Next: `order`, which
//! reads them from words, and `make`, which edits.

use serde::{Deserialize, Serialize};

use crate::edit::Edit;

/// Edits that somebody else wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenEdits {
    /// In order.
    pub edits: Vec<Edit>,
    /// What they do, in a few words.
    pub says: String,
    /// Whose they are.
    pub by: String,
}

/// What one order wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A name becomes another, wherever it stands as a name.
    Rename {
        /// The name.
        from: String,
        /// The new one.
        to: String,
        /// Files named; everywhere when none is.
        within: Vec<String>,
        /// Files that are left out.
        without: Vec<String>,
        /// Which of several things of that name.
        meant: Meant,
    },
    /// A text becomes another.
    Replace {
        /// The text.
        from: String,
        /// The new one.
        to: String,
        /// Files named; everywhere when none is.
        within: Vec<String>,
        /// Files that are left out.
        without: Vec<String>,
    },
    /// A word is wrong, and the right one is not said.
    Misspelt {
        /// The word.
        wrong: String,
        /// Files named.
        within: Vec<String>,
    },
    /// Something is to be imported.
    Import {
        /// What, or the whole line.
        what: String,
        /// From where, where that is said apart.
        from: Option<String>,
        /// Files named.
        within: Vec<String>,
    },
    /// A comment above something.
    Comment {
        /// What it says.
        text: String,
        /// Above the definition of this name.
        name: Option<String>,
        /// Above this line.
        line: Option<usize>,
        /// Files named.
        within: Vec<String>,
    },
    /// A new file.
    Create {
        /// Its path.
        path: String,
        /// All of it.
        text: String,
    },
    /// Files as the project's formatter writes them.
    Format {
        /// Files named; all when none is.
        within: Vec<String>,
        /// Files that are left out.
        without: Vec<String>,
    },
    /// Edits that somebody else wrote.
    Edits(WrittenEdits),
    /// A command.
    Run {
        /// In the person's words.
        words: String,
    },
    /// The last change is taken back.
    Undo,
    /// An order of which a part is not understood: without it, more would be done than was said.
    NotUnderstood {
        /// That part.
        words: String,
    },
}

/// Which of several things of one name is meant, as far as it was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meant {
    /// What kind of thing.
    pub kind: Option<Kind>,
    /// The function, type or module it is in.
    pub within: Option<String>,
    /// What was answered when it was asked.
    pub place: Option<String>,
    /// All of them.
    pub all: bool,
    /// Places that are taken in although they may be something else: `a.rs:3`.
    pub also: Vec<String>,
    /// All of those places.
    pub takes_all: bool,
}

/// What kind of thing a name is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A variable or a parameter.
    Variable,
    /// A function, of its own or of a type.
    Function,
    /// A function of a type.
    Method,
    /// A field.
    Field,
    /// A type.
    Type,
    /// A constant, or one of an enumeration.
    Constant,
    /// A module.
    Module,
}

impl Kind {
    /// Whether a thing of this kind can hold others.
    #[must_use]
    pub fn holds_names(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Type | Self::Module)
    }
}

impl Meant {
    /// Whether a place is taken in.
    pub(super) fn takes(&self, place: &str) -> bool {
        self.also.iter().any(|also| is_place(place, also))
    }
}

/// Whether a place is what was said: `src/a.rs:3` is `a.rs:3`.
pub(super) fn is_place(place: &str, said: &str) -> bool {
    place.strip_suffix(said).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

impl Wish {
    /// Whether it goes into whatever file it is found in.
    #[must_use]
    pub fn goes_everywhere(&self) -> bool {
        match self {
            Self::Rename { within, .. }
            | Self::Replace { within, .. }
            | Self::Misspelt { within, .. }
            | Self::Format { within, .. } => within.is_empty(),
            Self::Import { .. }
            | Self::Comment { .. }
            | Self::Create { .. }
            | Self::Edits(_)
            | Self::Run { .. }
            | Self::NotUnderstood { .. }
            | Self::Undo => false,
        }
    }

    /// Whether it goes into one file and does not say into which.
    #[must_use]
    pub fn lacks_its_file(&self) -> bool {
        match self {
            Self::Import { within, .. } | Self::Comment { within, name: None, .. } => within.is_empty(),
            Self::Rename { .. }
            | Self::Replace { .. }
            | Self::Misspelt { .. }
            | Self::Comment { .. }
            | Self::Create { .. }
            | Self::Format { .. }
            | Self::Edits(_)
            | Self::Run { .. }
            | Self::NotUnderstood { .. }
            | Self::Undo => false,
        }
    }
}
