//! The sheet: what would be created, as it is carried from one version of a preview to the next. It is the plan's own
//! form, so that an edit starts from what was shown. Next: `plan`.

use serde::{Deserialize, Serialize};
use turnwise_core::{ClarifiedAnswer, Plan, Task};

use crate::draft::{Draft, TicketKind};
use crate::tracker::TicketKey;

/// What would be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sheet {
    pub purpose: Purpose,
    /// The epic first, where there is one.
    pub items: Vec<Draft>,
    /// How much of it is created at once.
    pub batches: Batches,
    /// Answers that are in it already.
    #[serde(default)]
    pub answered: usize,
    /// Items that somebody confirmed; 0 where nobody was asked.
    #[serde(default)]
    pub confirmed: usize,
    /// The epic that exists and that the items go to.
    #[serde(default)]
    pub below: Option<TicketKey>,
    /// The ticket that the new one is linked to.
    #[serde(default)]
    pub link: Option<TicketKey>,
    /// What was left out, as people are told it.
    #[serde(default)]
    pub left_out: Vec<String>,
    /// The titles that were looked for in the tracker.
    #[serde(default)]
    pub looked: Vec<String>,
}

/// What is done with the items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    /// They are created.
    Create,
    /// What was said is added to a ticket that exists.
    Inform(TicketKey),
    /// This conversation is noted at a ticket that exists.
    Link(TicketKey),
}

/// How much is created at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Batches {
    /// All of it.
    One,
    /// So much that each stays within the limit.
    Several,
}

impl Sheet {
    pub(super) fn new(items: Vec<Draft>) -> Self {
        Self {
            purpose: Purpose::Create,
            items,
            batches: Batches::One,
            answered: 0,
            confirmed: 0,
            below: None,
            link: None,
            left_out: Vec::new(),
            looked: Vec::new(),
        }
    }

    /// The one behind `plan`, if it is one of ours.
    pub(super) fn of_plan(plan: &Plan) -> Option<Self> {
        serde_json::from_str(&plan.draft().form).ok()
    }

    /// As a plan carries it.
    pub(super) fn form(&self) -> String {
        // Texts, numbers and lists of them: there is nothing in them that could not be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The answers of `task` that are not in it yet.
    pub(super) fn new_answers<'a>(&self, task: &'a Task) -> &'a [ClarifiedAnswer] {
        task.answers.get(self.answered..).unwrap_or_default()
    }

    /// Whether it has an epic with parts.
    pub(super) fn has_epic(&self) -> bool {
        self.items.len() > 1 && self.items.first().is_some_and(|first| first.kind == TicketKind::Epic)
    }

    /// Whether the item that stands there goes below an epic.
    pub(super) fn is_below(&self, at: usize) -> bool {
        self.below.is_some() || (self.has_epic() && at > 0)
    }

    /// Characters of all its texts.
    pub(super) fn characters(&self) -> usize {
        self.items.iter().map(characters).sum()
    }
}

/// Characters of one item.
pub(super) fn characters(draft: &Draft) -> usize {
    draft.shown().chars().count()
}
