//! Kept: what a plan was made with beside its task, so that a further change comes to it and takes nothing back: the
//! changes that were said, and what was left out of the diff or written otherwise. It goes along with the plan. Next:
//! `draft`.

use serde::{Deserialize, Serialize};
use turnwise_core::{PlanDraft, SelectedLines, Task};

use crate::edit::{Choice, Draft, EditError, Upheld};

/// What comes of a task so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// Changes in the person's words, oldest first.
    pub changes: Vec<String>,
    /// Lines that were left out or written otherwise.
    pub choices: Vec<Choice>,
    /// What the plan says of all of its diff, and of these choices: with other choices it is said anew.
    pub of_diff: Vec<String>,
    /// What was selected where the task means that: whatever is selected later, this is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectedLines>,
}

impl Kept {
    /// What the plan before it was made with, if it is one for `problem`.
    pub(super) fn of_task(task: &Task, problem: &str) -> Self {
        let before = task.previous.as_ref().map(|plan| plan.draft()).filter(|draft| draft.problem == problem);
        before.map(Self::of).unwrap_or_default()
    }

    /// What a plan was made with.
    pub(super) fn of(draft: &PlanDraft) -> Self {
        // Older plans kept the changes alone.
        let changes = || serde_json::from_str(&draft.form).map(|changes| Self { changes, ..Self::default() });
        serde_json::from_str(&draft.form).or_else(|_| changes()).unwrap_or_default()
    }

    pub(super) fn written(&self) -> String {
        // Texts, numbers and lists of them: there is nothing in them that could not be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Makes the choices in a further diff. What they came to is in the notes.
    pub(super) fn keep(&self, draft: &mut Draft<'_>) -> Result<Vec<String>, EditError> {
        let made = |choice: &Choice| choice.keep(draft).map(|made| (made, choice.place()));
        Ok(notes(&self.choices.iter().map(made).collect::<Result<Vec<_>, _>>()?))
    }

    /// What the choices are, where all of them were just made.
    pub(super) fn told(&self) -> Vec<String> {
        notes(&self.choices.iter().map(|choice| (choice.made(), choice.place())).collect::<Vec<_>>())
    }
}

fn notes(places: &[(Upheld, String)]) -> Vec<String> {
    let of = |wanted: Upheld| {
        let of = places.iter().filter(|(made, _)| *made == wanted).map(|(_, place)| place.clone());
        Some(of.collect::<Vec<_>>()).filter(|of| !of.is_empty())
    };
    let told = TOLD.iter().filter_map(|(made, told)| Some((told, of(*made)?)));
    told.map(|(told, of)| format!("{told}: {}", crate::rules::some(&of))).collect()
}

/// What is said of choices.
const TOLD: [(Upheld, &str); 3] = [
    (Upheld::LeftOut, "Left out, as you said"),
    (Upheld::Written, "Written as you said"),
    (Upheld::Lost, "What you left out or wrote yourself no longer fits and is as the order makes it"),
];
