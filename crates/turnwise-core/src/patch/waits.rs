//! Orders between steps in the words of waiting, and between steps called by what they do: "make the comparison wait
//! until both are in", "do 2024 before 2023". A step called so need not be called a step, because the sentence can be
//! about nothing else. Next: `order`, which changes the plan.

use super::frames::{Found, Sentence};
use super::lead::{after, before, is};
use super::phrases::{AFTER, BEFORE, MOVE_VERBS};
use super::tokens::Token;
use super::{Patch, PatchError, Wish};
use crate::{StepId, text};

impl Sentence<'_> {
    /// "Step 3 should wait for step 1", "hold the comparison until both are in".
    pub(super) fn waiting(self) -> Found {
        let (later, earlier) = match after(self.words, &["hold", "delay", "postpone", "hold back", "hold off"]) {
            Some(words) => parted(words, &UNTIL)?,
            None => {
                let (left, right) = parted(self.words, &WAIT)?;
                (after(left, &MAKING).unwrap_or(left), after(right, &UNTIL).unwrap_or(right))
            }
        };
        let later = self.called(before(later, &MODAL).unwrap_or(later));
        let earlier = before(earlier, &BEING_DONE).unwrap_or(earlier);
        if is(earlier, &EVERYTHING) {
            return match later.as_slice() {
                [only] => Some(Ok(Wish::Structure(vec![Patch::Last(*only)]))),
                several => ambiguous(several),
            };
        }
        let first = if is(earlier, &BOTH) { self.the_two_before(&later) } else { self.called(earlier) };
        each_after(later, first, self)
    }

    /// "Do 2024 before 2023": both by what the steps do, each without what the other says too.
    pub(super) fn ordered_by_words(self) -> Found {
        let words = after(self.words, &MOVE_VERBS)?;
        match parted(words, BEFORE) {
            Some((earlier, later)) => each_after(self.called(later), self.called(earlier), self),
            None => {
                let (later, earlier) = parted(words, AFTER)?;
                each_after(self.called(later), self.called(earlier), self)
            }
        }
    }

    /// The steps `words` name by number, or may name by what they do.
    fn called(self, words: &[Token]) -> Vec<StepId> {
        match self.plain(words) {
            Some(Ok(steps)) => steps,
            Some(Err(_)) | None => match self.any(words) {
                Some(Ok(found)) => found.steps,
                Some(Err(_)) | None => self.spoken_of(words),
            },
        }
    }

    /// What is made of others speaks of them, too: only those are meant that rest on no other.
    fn spoken_of(self, words: &[Token]) -> Vec<StepId> {
        let all = self.steps.spoken_of(words);
        let rests = |step: StepId| {
            let before = super::order::before(&self.steps.draft.steps, step);
            all.iter().any(|other| before.contains(other))
        };
        all.iter().copied().filter(|step| !rests(*step)).collect()
    }

    /// The two steps that `later` builds on; else the only two others.
    fn the_two_before(self, later: &[StepId]) -> Vec<StepId> {
        let [later] = later else { return Vec::new() };
        let all = &self.steps.draft.steps;
        let needed = all.iter().find(|step| step.id == *later).map(|step| step.after.clone()).unwrap_or_default();
        let others: Vec<StepId> = all.iter().map(|step| step.id).filter(|id| id != later).collect();
        if needed.len() == 2 { needed } else { others }
    }
}

/// `later` after each of `earlier`; what both sides may mean is neither's own.
fn each_after(later: Vec<StepId>, earlier: Vec<StepId>, of: Sentence<'_>) -> Found {
    let (mut own, mut others) = (later.clone(), earlier.clone());
    if own.len() > 1 {
        own.retain(|step| !earlier.contains(step));
    }
    if others.len() > 1 {
        others.retain(|step| !later.contains(step));
    }
    match (own.as_slice(), others.as_slice()) {
        ([], _) | (_, []) => None,
        ([later], several) if several.len() <= of.steps.draft.steps.len() => {
            let order = |earlier: &StepId| Patch::Order { later: *later, earlier: *earlier };
            Some(Ok(Wish::Structure(several.iter().map(order).collect())))
        }
        (several, _) => ambiguous(several),
    }
}

fn ambiguous(steps: &[StepId]) -> Found {
    if steps.is_empty() {
        return None;
    }
    let listed: Vec<String> = steps.iter().map(ToString::to_string).collect();
    let or = text::listed(&listed).replace(" and ", " or ");
    Some(Err(PatchError::Ambiguous("the one that waits".to_owned(), or)))
}

/// What stands before and behind the first of `phrases`; something has to on either side.
fn parted<'a>(words: &'a [Token], phrases: &[&str]) -> Option<(&'a [Token], &'a [Token])> {
    let at = (1..words.len()).find(|at| after(&words[*at..], phrases).is_some())?;
    Some((&words[..at], after(&words[at..], phrases)?))
}

const WAIT: [&str; 8] = ["wait", "waits", "be held", "be delayed", "hold off", "hold on", "not start", "not run"];
const MAKING: [&str; 7] = ["make", "let", "have", "get", "do", "keep", "ask"];
const MODAL: [&str; 14] = [
    "should",
    "must",
    "has to",
    "needs to",
    "to",
    "will",
    "can",
    "ought to",
    "shall",
    "does",
    "should only",
    "may only",
    "can only",
    "is to",
];
const UNTIL: [&str; 8] = ["for", "until", "till", "on", "before", "until after", "until all of", "for all of"];
const BEING_DONE: [&str; 24] = [
    "is in",
    "are in",
    "are both in",
    "is done",
    "are done",
    "are both done",
    "is there",
    "are there",
    "is finished",
    "are finished",
    "is complete",
    "are complete",
    "is ready",
    "are ready",
    "has finished",
    "have finished",
    "has run",
    "have run",
    "finishes",
    "finish",
    "is through",
    "are through",
    "is over",
    "completes",
];
const EVERYTHING: [&str; 12] = [
    "everything",
    "everything else",
    "all",
    "all of it",
    "all of them",
    "all others",
    "all the others",
    "the others",
    "the rest",
    "all the rest",
    "the other steps",
    "every other step",
];
const BOTH: [&str; 8] =
    ["both", "both of them", "they", "the two", "both steps", "both years", "the other two", "they both"];
