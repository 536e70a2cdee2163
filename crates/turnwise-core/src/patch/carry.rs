//! What a person changed of a plan's structure outlives the plan: when it is drafted anew, the same changes are made to
//! the new draft where its steps still are what they were said of, and what cannot be is told. Without this a word like
//! "only North" would silently bring a dropped step back. Next: `decide::report`, which takes drafts in.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::refer;
use super::{Patch, numbered};
use crate::{EffectClass, FactName, PlanDraft, Step, StepId, ToolName, limits, text};

/// What a person changed of a plan's structure since it was drafted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reshaped {
    /// The steps as they were drafted; empty when nothing was changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    drafted: Vec<Outline>,
    /// What was changed, in order; numbers are those the steps had at the time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    patches: Vec<Patch>,
}

/// As much of a step as tells it from others in another draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Outline {
    description: String,
    tool: ToolName,
    produces: Vec<FactName>,
    /// Whether it changes something.
    acts: bool,
}

/// A plan drafted anew, with the changes of structure that still hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The plan.
    pub draft: PlanDraft,
    /// Changes that could not be made again, each with its reason.
    pub lost: Vec<String>,
}

impl Reshaped {
    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }

    /// How many changes there were.
    pub(super) fn len(&self) -> usize {
        self.patches.len()
    }

    /// Notes that `patch` was made to `before`.
    pub(super) fn note(&mut self, patch: &Patch, before: &PlanDraft) {
        if self.patches.is_empty() {
            self.drafted = before.steps.iter().map(Outline::of).collect();
        }
        // What was kept of this plan says nothing about steps that a later one has besides.
        self.patches.push(match patch {
            Patch::Keep(kept) => {
                let ids = before.steps.iter().map(|step| step.id);
                Patch::Drop(ids.filter(|id| !kept.contains(id)).collect())
            }
            other => other.clone(),
        });
    }
}

impl Outline {
    fn of(step: &Step) -> Self {
        let Step { description, tool, produces, effect, .. } = step;
        let (description, acts) = (super::unnamed(description).to_owned(), *effect != EffectClass::Pure);
        Self { description, tool: tool.clone(), produces: produces.clone(), acts }
    }
}

/// `draft`, which takes the place of `before` because of `changes`, with what was changed of `before` by hand.
#[must_use]
pub fn carry(before: &PlanDraft, draft: PlanDraft, changes: &[String]) -> Carried {
    let reshaped = &before.endings.reshaped;
    let mut carrying = Carrying {
        outlines: &reshaped.drafted,
        counterparts: counterparts(&reshaped.drafted, &draft.steps),
        old: (0..reshaped.drafted.len()).collect(),
        new: (0..draft.steps.len()).collect(),
        said: changes,
        noted: Reshaped::default(),
        carried: Carried { draft, lost: Vec::new() },
    };
    for patch in &reshaped.patches {
        carrying.make(patch);
        patch.renumber(&mut carrying.old);
    }
    carrying.carried.draft.endings.reshaped = carrying.noted;
    carrying.carried
}

struct Carrying<'a> {
    outlines: &'a [Outline],
    /// For each outline, which of the new draft's steps it is.
    counterparts: Vec<Option<usize>>,
    /// The old steps in the order they have after the patches so far, by their place in `outlines`.
    old: Vec<usize>,
    /// The same of the new draft's steps.
    new: Vec<usize>,
    said: &'a [String],
    noted: Reshaped,
    carried: Carried,
}

impl Carrying<'_> {
    fn make(&mut self, patch: &Patch) {
        let made = match patch {
            Patch::Drop(steps) => return self.leave_out(steps),
            Patch::NoChart if self.says(&super::effect_phrases::DRAWINGS) => return,
            Patch::Keep(_) | Patch::OneAtATime | Patch::Rename(_) | Patch::NoChart => Ok(patch.clone()),
            Patch::Order { later, earlier } => {
                self.now(*later).and_then(|later| Ok(Patch::Order { later, earlier: self.now(*earlier)? }))
            }
            Patch::Swap(one, other) => self.now(*one).and_then(|one| Ok(Patch::Swap(one, self.now(*other)?))),
            Patch::First(step) => self.now(*step).map(Patch::First),
            Patch::Last(step) => self.now(*step).map(Patch::Last),
            Patch::RenameStep { step, name } => {
                self.now(*step).map(|step| Patch::RenameStep { step, name: name.clone() })
            }
        };
        match made {
            Ok(made) => self.apply(patch, &made),
            Err(gone) => self.lose(patch, &format!("{gone} is not in it any more")),
        }
    }

    fn apply(&mut self, said: &Patch, made: &Patch) {
        match made.apply(&self.carried.draft) {
            Ok(draft) => {
                self.noted.note(made, &self.carried.draft);
                made.renumber(&mut self.new);
                self.carried.draft = draft;
            }
            Err(error) => self.lose(said, error.to_string().trim_end_matches('.')),
        }
    }

    fn lose(&mut self, patch: &Patch, why: &str) {
        self.carried.lost.push(format!("{} ({why})", patch.in_words()));
    }

    /// What was dropped stays out; what is not there anyway is told at the end all the same.
    fn leave_out(&mut self, steps: &[StepId]) {
        let mut drop = Vec::new();
        let places: Vec<usize> = steps.iter().filter_map(|id| self.place(*id)).collect();
        for place in places {
            let outline = &self.outlines[place];
            match self.counterparts[place].and_then(|at| self.number(at)) {
                Some(step) if !self.is_asked_again(step) => drop.push(step),
                Some(_) => {}
                None => self.carried.draft.endings.left_out.push(outline.description.clone()),
            }
        }
        if drop.is_empty() {
            return;
        }
        self.apply(&Patch::Drop(steps.to_vec()), &Patch::Drop(drop));
    }

    /// Whether the words of the change speak of a step that was left out: then it is wanted again.
    fn is_asked_again(&self, id: StepId) -> bool {
        let Some(step) = self.carried.draft.steps.iter().find(|step| step.id == id) else { return false };
        let speaks = |word: &String| refer::is_word_of(step, word, false);
        let spoken = self.said.iter().any(|said| text::words(said).iter().any(speaks));
        spoken && (step.effect != EffectClass::Pure || self.says(&super::effect_phrases::AGAIN))
    }

    fn says(&self, phrases: &[&str]) -> bool {
        self.said.iter().any(|said| {
            let padded = format!(" {} ", text::words(said).join(" "));
            phrases.iter().any(|phrase| padded.contains(&format!(" {phrase} ")))
        })
    }

    /// Where the step with this number of the old plan stands in `outlines`.
    fn place(&self, id: StepId) -> Option<usize> {
        self.old.get((id.number() as usize).checked_sub(1)?).copied()
    }

    /// The number that a step of the new draft has by now.
    fn number(&self, at: usize) -> Option<StepId> {
        let index = self.new.iter().position(|place| *place == at)?;
        u32::try_from(index + 1).ok().map(StepId::new)
    }

    /// The number now of the step that was `id`; otherwise what it was.
    fn now(&self, id: StepId) -> Result<StepId, String> {
        let place = self.place(id).ok_or_else(|| numbered(&[id]))?;
        let found = self.counterparts[place].and_then(|at| self.number(at));
        found.ok_or_else(|| format!("“{}”", self.outlines[place].description))
    }
}

/// Which new step each old one is: the one that finds the same, or is called the same, or, of those done with the same
/// tool, the one whose words are most alike. A step with an effect is the same only under the same words.
fn counterparts(old: &[Outline], new: &[Step]) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; old.len()];
    let mut free: BTreeSet<usize> = (0..new.len()).collect();
    let by_fact: BTreeMap<&FactName, usize> =
        (0..).zip(new).filter_map(|(at, step)| Some((step.produces.first()?, at))).collect();
    let by_words: BTreeMap<(&ToolName, &str), usize> =
        (0..).zip(new).map(|(at, step)| ((&step.tool, step.description.as_str()), at)).collect();
    for (at, outline) in old.iter().enumerate() {
        let same = outline.produces.first().and_then(|fact| by_fact.get(fact));
        let same = same.filter(|step| new[**step].tool == outline.tool);
        let same = same.or_else(|| by_words.get(&(&outline.tool, outline.description.as_str())));
        found[at] = same.copied().filter(|step| free.remove(step));
    }
    let open: Vec<usize> = (0..old.len()).filter(|at| found[*at].is_none() && !old[*at].acts).collect();
    if open.len().saturating_mul(free.len()) > limits::CARRY_COMPARISONS_MAX {
        return found;
    }
    let pairs = open.iter().flat_map(|one| free.iter().map(move |other| (*one, *other)));
    let alike =
        pairs.filter(|(one, other)| old[*one].tool == new[*other].tool && new[*other].effect == EffectClass::Pure);
    let mut alike: Vec<(usize, usize, usize, usize)> = alike
        .map(|(one, other)| (likeness(&old[one].description, &new[other].description), one.abs_diff(other), one, other))
        .filter(|(likeness, ..)| *likeness >= LIKENESS_MIN)
        .collect();
    // The most alike first; of those as much alike, what stands in the same place.
    alike.sort_by_key(|(likeness, apart, one, other)| (std::cmp::Reverse(*likeness), *apart, *one, *other));
    for (_, _, one, other) in alike {
        if found[one].is_none() && free.remove(&other) {
            found[one] = Some(other);
        }
    }
    found
}

/// How many of a hundred words two descriptions share.
fn likeness(one: &str, other: &str) -> usize {
    let (one, other) = (text::words(one), text::words(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    shared * 100 / one.len().max(other.len()).max(1)
}

/// Steps that share fewer of a hundred words are different ones.
const LIKENESS_MIN: usize = 40;
