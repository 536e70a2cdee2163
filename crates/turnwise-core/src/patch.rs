//! Patches: changes of a plan's structure without planning anew, such as "drop step 2" or "approve steps 1 and 2 only".
//! A patched plan is checked like any other, shown with its difference and approved as a new version. Nothing in here
//! knows what steps do, so every assistant's plans can be patched. Next: `wish`, which finds patches in words, and
//! `decide::patching`.

mod carry;
mod effect_phrases;
mod frames;
pub mod further;
mod lead;
mod order;
mod phrases;
mod refer;
mod retain;
pub mod reworded;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_on_words;
mod tokens;
mod waits;
mod wish;

use serde::{Deserialize, Serialize};

use crate::{FactName, PlanDraft, Presentation, StepId, limits, text};

pub use carry::{Carried, Reshaped, carry};
pub use wish::Wish;

/// A change of a plan's structure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Patch {
    /// Without these steps.
    Drop(Vec<StepId>),
    /// These steps and no others.
    Keep(Vec<StepId>),
    /// The first only after the second.
    Order {
        /// Waits.
        later: StepId,
        /// For this one.
        earlier: StepId,
    },
    /// The two in each other's place, so that what came later comes first.
    Swap(StepId, StepId),
    /// Before every other step.
    First(StepId),
    /// After every other step.
    Last(StepId),
    /// One step after the other.
    OneAtATime,
    /// Under this title.
    Rename(String),
    /// A step under a name of the person's.
    RenameStep {
        /// The step.
        step: StepId,
        /// Shown before what it does, never instead: another person may have to approve it.
        name: String,
    },
    /// With its result as rows instead of drawn.
    NoChart,
}

/// Why a patch does not fit a plan; told to the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// A step that the plan does not have.
    #[error("The plan has no {0}; it has {1}.")]
    NoSuchStep(StepId, String),
    /// Nothing would be left.
    #[error("That would leave no step. Say n to reject the plan, or \"cancel\".")]
    NothingLeft,
    /// A kept step needs what a dropped one produces.
    #[error("{needs} Say {instead}, or what to use instead.", needs = sentences(.needs))]
    StillNeeded {
        /// Which step needs what of which.
        needs: Vec<Need>,
        /// What could be said instead.
        instead: String,
    },
    /// The order wanted goes against what steps need of each other.
    #[error("{later} cannot wait for {earlier}: {earlier} already waits for {later}{}.", why(.needs))]
    Circle {
        /// Was to wait.
        later: StepId,
        /// For this one.
        earlier: StepId,
        /// What is handed on, where one needs the other's fact directly.
        needs: Option<FactName>,
    },
    /// A step was to stand before or after itself.
    #[error("{0} cannot come before or after itself: name two steps.")]
    Itself(StepId),
    /// A step that builds on others was to be the first.
    #[error("{0} cannot be first: it builds on {1}.")]
    NotFirst(StepId, String),
    /// A step that others build on was to be the last.
    #[error("{0} cannot be last: {1} it first.")]
    NotLast(StepId, String),
    /// It already is like that.
    #[error("{0}")]
    NoChange(String),
    /// Several changes that each number the steps anew.
    #[error("Each of these changes numbers the steps anew: say one, and the other when you see what came of it.")]
    Apart,
    /// More changes than are kept track of.
    #[error("This plan has been changed too often. State the whole task anew.")]
    TooMany,
    /// Words that fit several steps.
    #[error("“{0}” could be {1}: say which by number.")]
    Ambiguous(String, String),
}

/// One step's need of what another produces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    /// The step that stays.
    pub step: StepId,
    /// What it needs.
    pub fact: FactName,
    /// The step that would go.
    pub producer: StepId,
}

fn sentences(needs: &[Need]) -> String {
    let told = |need: &Need| {
        let Need { step, fact, producer } = need;
        format!("Step {} needs `{fact}`, which {producer} produces.", step.number())
    };
    needs.iter().map(told).collect::<Vec<_>>().join(" ")
}

fn why(needs: &Option<FactName>) -> String {
    needs.as_ref().map_or_else(String::new, |fact| format!(", which finds the `{fact}` it needs"))
}

impl Patch {
    /// The plan with this patch: steps numbered anew where they go or change places, everything else as it was.
    ///
    /// # Errors
    /// [`PatchError`], for the person.
    pub fn apply(&self, draft: &PlanDraft) -> Result<PlanDraft, PatchError> {
        for step in self.steps() {
            if step.number() == 0 || step.number() as usize > draft.steps.len() {
                return Err(PatchError::NoSuchStep(step, text::count(draft.steps.len(), "step")));
            }
        }
        let mut patched = draft.clone();
        match self {
            Self::Drop(dropped) => retain::retain(&mut patched, &|step| !dropped.contains(&step), retain::Said::Drop)?,
            Self::Keep(kept) => retain::retain(&mut patched, &|step| kept.contains(&step), retain::Said::Keep)?,
            Self::Order { later, earlier } => order::wait(&mut patched, *later, *earlier)?,
            Self::Swap(one, other) => order::swap(&mut patched, *one, *other)?,
            Self::First(step) => order::first(&mut patched, *step)?,
            Self::Last(step) => order::last(&mut patched, *step)?,
            Self::OneAtATime => order::chain(&mut patched),
            Self::Rename(title) => patched.title.clone_from(title),
            Self::RenameStep { step, name } => {
                for step in patched.steps.iter_mut().filter(|one| one.id == *step) {
                    step.description = named(&step.description, name);
                }
            }
            Self::NoChart => as_rows(&mut patched),
        }
        Ok(patched)
    }

    /// The plan with all of `patches`, in order. Steps are numbered anew by dropping, so what drops comes last.
    ///
    /// # Errors
    /// That of the first patch that does not fit, and [`PatchError::NoChange`] when all of them change nothing.
    pub fn apply_all(patches: &[Self], draft: &PlanDraft) -> Result<PlanDraft, PatchError> {
        let (mut patched, mut reshaped) = (draft.clone(), draft.endings.reshaped.clone());
        for patch in patches {
            let next = patch.apply(&patched)?;
            reshaped.note(patch, &patched);
            patched = next;
        }
        if patched == *draft {
            return Err(PatchError::NoChange(unchanged(patches, draft)));
        }
        if reshaped.len() > limits::PATCHES_MAX {
            return Err(PatchError::TooMany);
        }
        patched.endings.reshaped = reshaped;
        Ok(patched)
    }

    /// Puts what stands for the steps, in order, as this patch puts the steps.
    fn renumber<T>(&self, steps: &mut Vec<T>) {
        let index = |step: StepId| (step.number() as usize).wrapping_sub(1);
        let mut at = 0..;
        match self {
            Self::Drop(gone) => steps.retain(|_| at.next().is_some_and(|at| !gone.iter().any(|id| index(*id) == at))),
            Self::Keep(kept) => steps.retain(|_| at.next().is_some_and(|at| kept.iter().any(|id| index(*id) == at))),
            Self::Swap(one, other) if index(*one).max(index(*other)) < steps.len() => {
                steps.swap(index(*one), index(*other));
            }
            Self::Swap(..)
            | Self::Order { .. }
            | Self::First(_)
            | Self::Last(_)
            | Self::OneAtATime
            | Self::Rename(_)
            | Self::RenameStep { .. }
            | Self::NoChart => {}
        }
    }

    /// The patch as a person would have said it.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Drop(steps) => format!("drop {}", numbered(steps)),
            Self::Keep(steps) => format!("only {}", numbered(steps)),
            Self::Order { later, earlier } => format!("{later} after {earlier}"),
            Self::Swap(one, other) => format!("swap {}", numbered(&[*one, *other])),
            Self::First(step) => format!("{step} first"),
            Self::Last(step) => format!("{step} last"),
            Self::OneAtATime => "one at a time".to_owned(),
            Self::Rename(title) => format!("call it “{title}”"),
            Self::RenameStep { step, name } => format!("call {step} “{name}”"),
            Self::NoChart => "without the chart".to_owned(),
        }
    }

    /// Whether `step` is not in the plan afterwards.
    pub(crate) fn leaves_out(&self, step: StepId) -> bool {
        match self {
            Self::Drop(gone) => gone.contains(&step),
            Self::Keep(kept) => !kept.contains(&step),
            Self::Order { .. }
            | Self::Swap(..)
            | Self::First(_)
            | Self::Last(_)
            | Self::OneAtATime
            | Self::Rename(_)
            | Self::RenameStep { .. }
            | Self::NoChart => false,
        }
    }

    /// Whether steps have other numbers afterwards.
    fn renumbers(&self) -> bool {
        matches!(self, Self::Drop(_) | Self::Keep(_) | Self::Swap(..))
    }

    fn steps(&self) -> Vec<StepId> {
        match self {
            Self::Drop(steps) | Self::Keep(steps) => steps.clone(),
            Self::Order { later, earlier } => vec![*later, *earlier],
            Self::Swap(one, other) => vec![*one, *other],
            Self::First(step) | Self::Last(step) | Self::RenameStep { step, .. } => vec![*step],
            Self::OneAtATime | Self::Rename(_) | Self::NoChart => Vec::new(),
        }
    }
}

/// The steps that `said` names plainly, wherever in it.
pub(crate) fn mentioned(said: &str, draft: &PlanDraft) -> Vec<StepId> {
    let tokens = tokens::tokens(text::within(said, limits::PATCH_BYTES_MAX));
    refer::Steps { draft }.mentioned(&tokens)
}

/// `step 2`, `steps 1 and 2`: as they would be typed.
pub(crate) fn numbered(steps: &[StepId]) -> String {
    let numbers: Vec<String> = steps.iter().map(|step| step.number().to_string()).collect();
    format!("{} {}", if steps.len() == 1 { "step" } else { "steps" }, text::listed(&numbers))
}

/// A description under a name; what the step does stays readable behind it, and an earlier name is replaced.
fn named(description: &str, name: &str) -> String {
    format!("“{name}{NAME_ENDS}{}", unnamed(description))
}

/// What a step does, without the name a person gave it.
fn unnamed(description: &str) -> &str {
    let does = description.strip_prefix('“').and_then(|rest| rest.split_once(NAME_ENDS)).map(|(_, does)| does);
    does.unwrap_or(description)
}

fn as_rows(draft: &mut PlanDraft) {
    let looks = draft.endings.results.iter_mut().map(|named| &mut named.presentation);
    for look in looks.chain([&mut draft.presentation]).filter(|look| look.is_chart()) {
        *look = Presentation::Table;
    }
}

fn unchanged(patches: &[Patch], draft: &PlanDraft) -> String {
    match patches {
        [Patch::Keep(_)] => "These are all the steps of the plan: say y to approve it whole.".to_owned(),
        [Patch::NoChart] => {
            format!("The plan has no chart: its result is shown {}.", draft.presentation.in_words())
        }
        [Patch::OneAtATime] => "The steps already run one at a time.".to_owned(),
        [Patch::Order { later, earlier }] => format!("{later} already runs after {earlier}."),
        [Patch::Order { later, .. }, ..] if orders_of(*later, patches).len() == patches.len() => {
            format!("{later} already runs after {}.", numbered(&orders_of(*later, patches)))
        }
        _ => "That changes nothing: the plan already is like that.".to_owned(),
    }
}

/// What `later` is to wait for.
fn orders_of(later: StepId, patches: &[Patch]) -> Vec<StepId> {
    let waits_for = |patch: &Patch| match patch {
        Patch::Order { later: waits, earlier } if *waits == later => Some(*earlier),
        _ => None,
    };
    patches.iter().filter_map(waits_for).collect()
}

/// Between a person's name for a step and what it does.
const NAME_ENDS: &str = "”: ";
