//! Who takes part in a conversation: whoever joined or spoke and did not leave. Who left is remembered, because what
//! they approved stays approved. Next: `apply`, which notes it.

use std::collections::BTreeSet;

use crate::{Conversation, PersonId, limits};

impl Conversation {
    /// Who takes part: whoever joined or spoke.
    #[must_use]
    pub fn members(&self) -> &BTreeSet<PersonId> {
        &self.members
    }

    /// Whether `person` takes part or did: what they approved, they approved, though they left since.
    #[must_use]
    pub fn took_part(&self, person: &PersonId) -> bool {
        self.members.contains(person) || self.gone.contains(person)
    }

    pub(crate) fn admit(&mut self, person: &PersonId) {
        if self.members.len() < limits::MEMBERS_MAX && !self.members.contains(person) {
            self.gone.remove(person);
            self.members.insert(person.clone());
        }
    }

    pub(crate) fn let_go(&mut self, person: &PersonId) {
        if self.members.remove(person) && self.gone.len() < limits::MEMBERS_MAX {
            self.gone.insert(person.clone());
        }
    }
}
