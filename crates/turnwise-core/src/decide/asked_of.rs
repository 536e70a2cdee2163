//! Of whom a question is asked. Where several talk in one conversation, a question about a task is put to whoever wants
//! the task done: what others say into it is heard and is no answer. Who means to answer for them does so through the
//! control of the question, and is asked from then on. Next: `message`.

use super::answer;
use super::turn::Turn;
use crate::{Conversation, Outcome, Pending, PendingKind, PersonId, Policy};

impl Conversation {
    /// Those who are asked `question` in words; nobody where it is everybody's, or no longer known whose it is.
    pub(crate) fn asked_of(&self, question: &Pending, policy: &Policy) -> Vec<PersonId> {
        let is_put_to_one = policy.asks_whoever_ordered && matches!(question.kind, PendingKind::Clarification { .. });
        let Some(task) = self.task.as_ref().filter(|_| is_put_to_one) else { return Vec::new() };
        let ordered = self.recent.person(task.begun_in);
        let mut asked: Vec<PersonId> = ordered.into_iter().chain(&task.asker).cloned().collect();
        asked.dedup();
        // Who left answers nothing any more, and nobody need wait for them.
        asked.retain(|person| self.members().contains(person));
        asked
    }
}

/// Takes the choice of whoever is asked.
pub(super) fn choose(turn: &mut Turn<'_>, question: &Pending, number: usize) {
    if !another(turn, question) {
        answer::choose(turn, question, number);
    }
}

/// Takes the words of whoever is asked.
pub(super) fn say(turn: &mut Turn<'_>, question: &Pending, words: &str) {
    if !another(turn, question) {
        answer::say(turn, question, words);
    }
}

/// Whether `question` is asked of somebody else than who speaks; they are told so, and it stays open.
pub(super) fn another(turn: &mut Turn<'_>, question: &Pending) -> bool {
    let asked = turn.state().asked_of(question, turn.policy);
    if turn.is_by_control() || asked.is_empty() || asked.contains(&turn.person()) {
        return false;
    }
    let names: Vec<&str> = asked.iter().map(PersonId::as_str).collect();
    turn.say(
        format!(
            "That is asked of {}, so what you say is noted and not taken as the answer. To answer for them, use the \
             question’s own buttons.",
            names.join(" and ")
        ),
        None,
    );
    turn.note(Outcome::Refused, "Not taken as the answer: the question is asked of somebody else.");
    true
}
