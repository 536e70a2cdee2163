//! How far a "not" reaches: over a list of values, over a verb to the time or the value it is said with, and no
//! further. A "not" that is lost or goes too far turns an answer into its opposite. Next: `place`.

use super::super::form::Mention;
use super::super::lexicon::Role;
use super::dated::is_time;
use super::slots::Walker;
use super::spot::Spotted;

impl Walker<'_> {
    /// Whether another value of the same list follows: "Sweden, Norway and Finland", and not "Brazil and bought Blues".
    pub fn next_joins(&self) -> bool {
        let joins = |span: &&Spotted| matches!(span.role(), Some(Role::And | Role::Or));
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::And | Role::Or | Role::Ignore | Role::In));
        let own = self.spans.get(self.at).is_some_and(|own| own.pause);
        let listed = own || self.spans.get(self.at + 1).as_ref().is_some_and(joins);
        let next = self.spans.iter().skip(self.at + 1).find(|span| !small(span));
        listed && next.is_some_and(|next| !next.values.is_empty() && next.signal.is_none() && !next.verb)
    }

    /// Whether a time follows right behind.
    pub fn is_time_ahead(&self) -> bool {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::In | Role::Ignore));
        let next = self.spans.iter().skip(self.at + 1).find(|span| !small(span));
        next.is_some_and(|next| next.period.is_some())
    }

    /// "Not rated G": the verb only says of what the value is, which rows must not have.
    pub fn only_says_of(&self, span: &Spotted, mention: &Mention) -> bool {
        let small = |span: &&Spotted| matches!(span.role(), Some(Role::In | Role::Ignore));
        let next = self.spans.iter().skip(self.at + 1).find(|span| !small(span));
        let value = next.is_some_and(|next| !next.values.is_empty() && next.signal.is_none() && !next.is_name());
        let verb = span.verb || span.text.to_lowercase().ends_with("ed");
        let denied = self.negated && !self.lacking && self.never.is_none();
        denied && verb && value && mention.table().is_none() && !is_time(self.catalogue, mention)
    }
}
