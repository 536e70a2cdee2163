//! What a person wishes of the plan that waits, in their words: a structure of it, or something only its assistant can
//! plan. Nothing in here is ever a yes: whatever is understood makes a plan that is asked about again. Next: `frames`.

use super::frames::{Found, Sentence};
use super::lead::{self, Led};
use super::refer::Steps;
use super::tokens::{PART, Token, tokens};
use super::{Patch, PatchError};
use crate::{PlanDraft, StepId, limits};

/// What words ask of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Another structure.
    Structure(Vec<Patch>),
    /// A step in several; only the assistant knows what its parts are.
    Split {
        /// The step.
        step: StepId,
        /// Into what, in the person's words; may be empty.
        words: String,
    },
    /// Less in some steps: a condition that only the assistant can put into what they do.
    Constrain {
        /// The steps.
        steps: Vec<StepId>,
        /// The condition, in the person's words.
        words: String,
    },
    /// Another step.
    Add {
        /// What it is to do, in the person's words.
        words: String,
    },
}

impl Wish {
    /// What `text` asks of a plan; `None` when it speaks of anything else, which is then the assistant's business.
    ///
    /// # Errors
    /// When it speaks of the plan's steps and leaves open which.
    #[must_use]
    pub fn read(text: &str, draft: &PlanDraft) -> Option<Result<Self, PatchError>> {
        if text.len() > limits::PATCH_BYTES_MAX {
            return None;
        }
        let tokens = tokens(text);
        let Led { words, is_request } = lead::led(&tokens);
        // A question is not a change, unless it is a request in the form of one.
        if text.contains(['?', '？']) && !is_request {
            return None;
        }
        let sentence = Sentence { text, words, steps: Steps { draft } };
        whole(sentence).or_else(|| clauses(sentence))
    }
}

/// A sentence as one change; "just drop step 4" is one as much as "just step 1".
fn whole(sentence: Sentence<'_>) -> Found {
    sentence.read().or_else(|| sentence.without_lead(&["just", "also", "simply", "only"])?.read())
}

/// "drop step 4 and run them one at a time": several changes, each of the plan as it was shown.
fn clauses(sentence: Sentence<'_>) -> Found {
    let words = sentence.words;
    for at in (1..words.len().saturating_sub(1)).filter(|at| is_joint(&words[*at])) {
        let Some(Ok(Wish::Structure(first))) = whole(Sentence { words: &words[..at], ..sentence }) else { continue };
        let Led { words: rest, .. } = lead::led(&words[at + 1..]);
        let rest = Sentence { words: rest, ..sentence };
        if let Some(Ok(Wish::Structure(more))) = whole(rest).or_else(|| clauses(rest)) {
            return Some(joined(first.into_iter().chain(more).collect()).map(Wish::Structure));
        }
    }
    None
}

fn is_joint(word: &Token) -> bool {
    word.text == PART || matches!(word.text.as_str(), "and" | "then" | "but")
}

/// Patches of one plan, in an order in which numbers stay what they were when they were said.
fn joined(patches: Vec<Patch>) -> Result<Vec<Patch>, PatchError> {
    let (mut renumbering, mut kept): (Vec<Patch>, Vec<Patch>) = patches.into_iter().partition(Patch::renumbers);
    let dropped = |patch: &Patch| if let Patch::Drop(steps) = patch { Some(steps.clone()) } else { None };
    let all: Option<Vec<Vec<StepId>>> = renumbering.iter().map(dropped).collect();
    if let Some(all) = all.filter(|all| all.len() > 1) {
        renumbering = vec![Patch::Drop(all.concat())];
    }
    if renumbering.len() > 1 {
        return Err(PatchError::Apart);
    }
    kept.append(&mut renumbering);
    Ok(kept)
}
