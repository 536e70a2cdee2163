//! Patches: words that change the structure of a plan without planning anew, such as "drop step 2" or "approve steps 1
//! and 2 only". A patched plan is checked like any other, shown with its difference and approved as a new version.
//! Next: `decide::patching`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{FactName, PlanDraft, Presentation, Step, StepId, text};

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
    /// One step after the other.
    OneAtATime,
    /// Under this title.
    Rename(String),
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
    #[error("Step {step} needs `{1}`, which {2} produces. Drop both, or say what to use instead.", step = .0.number())]
    StillNeeded(StepId, FactName, StepId),
}

impl Patch {
    /// The patch `words` ask for; `None` when they speak of anything else, which is then the assistant's business.
    #[must_use]
    pub fn parse(words: &str) -> Option<Self> {
        let words = text::words(words);
        let said: Vec<&str> = words.iter().map(String::as_str).filter(|word| !FILLERS.contains(word)).collect();
        match said.as_slice() {
            ["one", "at", "a" | "time", ..] | ["sequentially"] | ["run", "sequentially"] => Some(Self::OneAtATime),
            ["one", "after", "other" | "another"] => Some(Self::OneAtATime),
            ["drop" | "skip" | "remove" | "delete" | "without" | "omit", "step" | "steps", numbers @ ..] => {
                numbered(numbers).map(Self::Drop)
            }
            ["leave", "out", "step" | "steps", numbers @ ..] => numbered(numbers).map(Self::Drop),
            ["move" | "run" | "do" | "put", "step", later, "after", "step", earlier]
            | ["move" | "run" | "do" | "put", "step", earlier, "before", "step", later] => {
                Some(Self::Order { later: number(later)?, earlier: number(earlier)? })
            }
            _ => kept(&said),
        }
    }

    /// The plan with this patch: steps numbered anew, everything else as it was.
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
            Self::Drop(dropped) => retain(&mut patched, &|step| !dropped.contains(&step.id))?,
            Self::Keep(kept) => retain(&mut patched, &|step| kept.contains(&step.id))?,
            Self::Order { later, earlier } => {
                for step in patched.steps.iter_mut().filter(|step| step.id == *later) {
                    step.after.push(*earlier);
                }
            }
            Self::Rename(title) => patched.title.clone_from(title),
            Self::OneAtATime => {
                for at in 1..patched.steps.len() {
                    let before = patched.steps[at - 1].id;
                    if !patched.steps[at].after.contains(&before) {
                        patched.steps[at].after.push(before);
                    }
                }
            }
        }
        Ok(patched)
    }

    /// The plan with all of `patches`, in order. Steps are numbered anew by dropping, so what drops comes last.
    ///
    /// # Errors
    /// That of the first patch that does not fit.
    pub fn apply_all(patches: &[Self], draft: &PlanDraft) -> Result<PlanDraft, PatchError> {
        patches.iter().try_fold(draft.clone(), |draft, patch| patch.apply(&draft))
    }

    /// The patch as a person would have said it.
    #[must_use]
    pub fn in_words(&self) -> String {
        let numbers = |steps: &[StepId]| {
            let numbers: Vec<String> = steps.iter().map(|step| step.number().to_string()).collect();
            format!("{} {}", if steps.len() == 1 { "step" } else { "steps" }, numbers.join(", "))
        };
        match self {
            Self::Drop(steps) => format!("drop {}", numbers(steps)),
            Self::Keep(steps) => format!("only {}", numbers(steps)),
            Self::Order { later, earlier } => format!("{later} after {earlier}"),
            Self::OneAtATime => "one at a time".to_owned(),
            Self::Rename(title) => format!("call it “{title}”"),
        }
    }

    fn steps(&self) -> Vec<StepId> {
        match self {
            Self::Drop(steps) | Self::Keep(steps) => steps.clone(),
            Self::Order { later, earlier } => vec![*later, *earlier],
            Self::OneAtATime | Self::Rename(_) => Vec::new(),
        }
    }
}

/// "approve steps 1 and 2 only", "only step 1", "just run steps 1, 2".
fn kept(said: &[&str]) -> Option<Patch> {
    let limits = said.iter().any(|word| matches!(*word, "only" | "just"));
    let rest: Vec<&str> = said.iter().copied().filter(|word| !matches!(*word, "only" | "just")).collect();
    match rest.as_slice() {
        ["approve" | "run" | "do" | "execute" | "keep", "step" | "steps", numbers @ ..] if limits => {
            numbered(numbers).map(Patch::Keep)
        }
        ["step" | "steps", numbers @ ..] if limits => numbered(numbers).map(Patch::Keep),
        _ => None,
    }
}

fn numbered(words: &[&str]) -> Option<Vec<StepId>> {
    let numbers: Option<Vec<StepId>> =
        words.iter().filter(|word| !matches!(**word, "and" | "step")).map(|word| number(word)).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

fn number(word: &str) -> Option<StepId> {
    word.parse().ok().map(StepId::new)
}

/// Keeps the steps `keep` says, numbers them anew, and makes sure that nothing kept needs what is gone.
fn retain(draft: &mut PlanDraft, keep: &dyn Fn(&Step) -> bool) -> Result<(), PatchError> {
    let (kept, gone): (Vec<Step>, Vec<Step>) =
        std::mem::take(&mut draft.steps).into_iter().partition(|step| keep(step));
    if kept.is_empty() {
        return Err(PatchError::NothingLeft);
    }
    for step in &kept {
        for name in &step.needs {
            if let Some(producer) = gone.iter().find(|other| other.produces.contains(name)) {
                return Err(PatchError::StillNeeded(step.id, name.clone(), producer.id));
            }
        }
    }
    let renumbered =
        |old: StepId| kept.iter().position(|step| step.id == old).and_then(|at| u32::try_from(at + 1).ok());
    let steps: Vec<Step> = kept
        .iter()
        .filter_map(|step| {
            let id = StepId::new(renumbered(step.id)?);
            let after = step.after.iter().filter_map(|old| renumbered(*old)).map(StepId::new).collect();
            Some(Step { id, after, ..step.clone() })
        })
        .collect();
    draft.steps = steps;
    settle_result(draft);
    Ok(())
}

/// Without the step that concluded, the last step that nothing else needs is what the plan comes to, shown as it is.
fn settle_result(draft: &mut PlanDraft) {
    if draft.steps.iter().any(|step| step.produces.contains(&draft.result)) {
        return;
    }
    let needed: BTreeSet<&FactName> = draft.steps.iter().flat_map(|step| &step.needs).collect();
    let open = draft.steps.iter().rev().flat_map(|step| &step.produces).find(|name| !needed.contains(name)).cloned();
    if let Some(result) = open {
        draft.result = result;
        draft.presentation = Presentation::Table;
        draft.form.clear();
    }
}

/// Words that change nothing about what is asked.
const FILLERS: [&str; 7] = ["please", "the", "but", "yes", "ok", "okay", "wait"];

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::{EffectClass, PlanKind, ToolName};

    fn ids(numbers: &[u32]) -> Vec<StepId> {
        numbers.iter().map(|number| StepId::new(*number)).collect()
    }

    /// 1 and 2 are independent; 3 needs 1.
    fn plan() -> PlanDraft {
        let step = |number: u32, needs: &[&str], produces: &str, after: &[u32]| Step {
            id: StepId::new(number),
            description: produces.to_owned(),
            tool: ToolName::new("query"),
            arguments: std::collections::BTreeMap::new(),
            needs: needs.iter().map(|name| FactName::new(*name)).collect(),
            produces: vec![FactName::new(produces)],
            after: ids(after),
            effect: EffectClass::Pure,
            retries: 0,
            timeout_seconds: 60,
        };
        PlanDraft {
            title: "t".into(),
            problem: "p".into(),
            kind: PlanKind::Plain,
            steps: vec![step(1, &[], "a", &[]), step(2, &[], "b", &[]), step(3, &["a"], "c", &[1])],
            assumptions: Vec::new(),
            result: FactName::new("c"),
            presentation: Presentation::Value,
            form: "form".into(),
        }
    }

    #[test]
    fn words_become_patches() {
        assert_eq!(Patch::parse("drop step 2"), Some(Patch::Drop(ids(&[2]))));
        assert_eq!(Patch::parse("yes, but skip steps 2 and 3"), Some(Patch::Drop(ids(&[2, 3]))));
        assert_eq!(Patch::parse("approve steps 1 and 2 only"), Some(Patch::Keep(ids(&[1, 2]))));
        assert_eq!(Patch::parse("only run step 1"), Some(Patch::Keep(ids(&[1]))));
        let order = Patch::Order { later: StepId::new(1), earlier: StepId::new(2) };
        assert_eq!(Patch::parse("move step 2 before step 1"), Some(order.clone()));
        assert_eq!(Patch::parse("run step 1 after step 2"), Some(order));
        assert_eq!(Patch::parse("one at a time please"), Some(Patch::OneAtATime));
    }

    #[test]
    fn words_about_other_things_are_no_patches() {
        for words in
            ["only Q4", "drop the discount", "approve", "skip step two hundred of them", "step 2 looks odd", "1"]
        {
            assert_eq!(Patch::parse(words), None, "{words}");
        }
    }

    #[test]
    fn a_dropped_step_is_gone_and_the_rest_is_numbered_anew() {
        let patched = Patch::Drop(ids(&[2])).apply(&plan()).unwrap();
        let shown: Vec<_> = patched.steps.iter().map(|step| (step.id.number(), step.description.as_str())).collect();
        assert_eq!(shown, [(1, "a"), (2, "c")]);
        assert_eq!(patched.steps[1].after, ids(&[1]));
        assert_eq!(patched.result, FactName::new("c"));
    }

    #[test]
    fn what_is_still_needed_cannot_be_dropped() {
        let error = Patch::Drop(ids(&[1])).apply(&plan()).unwrap_err();
        assert_eq!(error, PatchError::StillNeeded(StepId::new(3), FactName::new("a"), StepId::new(1)));
        assert_eq!(Patch::Drop(ids(&[1, 2, 3])).apply(&plan()), Err(PatchError::NothingLeft));
        assert!(matches!(Patch::Keep(ids(&[7])).apply(&plan()), Err(PatchError::NoSuchStep(..))));
    }

    #[test]
    fn a_subset_without_the_conclusion_comes_to_its_last_open_fact() {
        let patched = Patch::Keep(ids(&[1, 2])).apply(&plan()).unwrap();
        assert_eq!(patched.result, FactName::new("b"));
        assert_eq!((patched.presentation, patched.form.as_str()), (Presentation::Table, ""));
    }

    #[test]
    fn an_order_that_closes_a_circle_is_found_by_the_check() {
        let patched = Patch::Order { later: StepId::new(1), earlier: StepId::new(3) }.apply(&plan()).unwrap();
        let checked = crate::Plan::check(crate::PlanId::new(1), 2, patched, &BTreeSet::new());
        assert!(matches!(checked, Err(crate::PlanError::Cycle(_))));
    }
}
