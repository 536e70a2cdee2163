//! What a phrase says by its words alone, and phrases that rewriting puts in its place: shared by all that rewrite what
//! was said. Next: `spot`.

use super::super::lexicon::{Role, Signal};
use super::spot::Spotted;

/// Whether a phrase is one of `words`; names in quotes are none. Apostrophes do not matter.
pub fn is(span: &Spotted, words: &[&str]) -> bool {
    !span.quoted && words.contains(&span.text.to_lowercase().replace(['\'', '’'], "").as_str())
}

/// Whether a phrase begins a bound: "over", "at least", "between", "longer than".
pub fn bounds(span: &Spotted) -> bool {
    let role = matches!(
        span.role(),
        Some(Role::Over | Role::Under | Role::AtLeast | Role::AtMost | Role::Between | Role::Exactly)
    );
    role || matches!(span.signal, Some(Signal::Comparative(..)))
}

/// A phrase that stands for `role`, put where the words meant it.
pub fn signal(role: Role, text: &str) -> Spotted {
    Spotted { text: text.to_owned(), signal: Some(Signal::Role(role)), ..Spotted::default() }
}
