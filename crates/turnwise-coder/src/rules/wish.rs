//! Wishes: what one order wants, as closed values, and how far it goes where it names no file. Next: `order`, which
//! reads them from words, and `make`, which edits.

use crate::edit::Edit;

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
    Edits {
        /// In order.
        edits: Vec<Edit>,
        /// What they do, in a few words.
        says: String,
        /// Whose they are.
        by: String,
    },
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
            | Self::Edits { .. }
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
            | Self::Edits { .. }
            | Self::Run { .. }
            | Self::NotUnderstood { .. }
            | Self::Undo => false,
        }
    }
}
