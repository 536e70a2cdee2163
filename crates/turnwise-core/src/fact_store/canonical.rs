//! What counts as the same statement: the same words about the same thing, whatever their case, punctuation, articles
//! and spacing. Word order stays, because it carries meaning. Next: `stored`.

use crate::{Fact, FactValue, text};

/// The canonical form of a statement; equal forms are one fact (TK-19).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CanonicalId(String);

impl CanonicalId {
    /// The canonical form of a statement; values have none, because their name says what they are.
    #[must_use]
    pub fn of(fact: &Fact) -> Option<Self> {
        if !fact.is_statement() {
            return None;
        }
        let FactValue::Text(said) = &fact.body.value else { return None };
        let about = fact.body.standing.about.as_deref().unwrap_or_default();
        Some(Self(format!("{}: {}: {}", fact.kind().word(), plain(about), plain(said))))
    }

    /// The form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn plain(said: &str) -> String {
    let mut words = text::words(said);
    words.retain(|word| !ARTICLES.contains(&word.as_str()));
    words.join(" ")
}

const ARTICLES: [&str; 3] = ["the", "a", "an"];
