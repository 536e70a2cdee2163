//! Code: what the grammar of a language tells of a file. Which names are defined where, and which places are that name
//! and not a word in a comment or a text. Next: `language`, `definition`, `identifier`, `scope`.

mod definition;
mod identifier;
mod language;
mod scope;

pub use definition::{Definition, definitions};
pub use identifier::{Place, identifiers, line_at};
pub use language::{Language, is_code, is_keyword, is_name};
pub use scope::{ALL_OF_IT, Called, Occurrence, Owner, Part, Role, Source, Space, Types};
