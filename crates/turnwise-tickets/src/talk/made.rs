//! What exists already of a plan that came to an end half-way: a changed version of it neither creates such a ticket
//! again nor tells of it as if the change had reached it. Next: `steps` for the facts by which they are known.

use turnwise_core::{FactName, FactValue, Step, Task};

use super::plan::Halt;
use super::sheet::Sheet;
use super::steps;
use crate::draft::Draft;

/// The tickets that earlier versions of a plan created, in that order: the fact of each, and its key and title.
pub(super) struct Made(Vec<(FactName, String)>);

impl Made {
    /// Those of the plan that `task` changes.
    pub(super) fn of(task: &Task) -> Self {
        let Some(plan) = &task.previous else { return Self(Vec::new()) };
        let mut mine: Vec<_> =
            task.facts.iter().filter(|fact| fact.plan == plan.id() && steps::is_of_ticket(fact.name())).collect();
        mine.sort_by_key(|fact| fact.recorded);
        let told = mine.into_iter().filter_map(|fact| match &fact.body.value {
            FactValue::Text(text) => Some((fact.name().clone(), text.clone())),
            FactValue::Table(_) => None,
        });
        Self(told.collect())
    }

    /// Whether the item that leaves `fact` exists.
    pub(super) fn has(&self, fact: &FactName) -> bool {
        self.told(fact).is_some()
    }

    /// The ticket that left `fact`.
    fn told(&self, fact: &FactName) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == fact).map(|(_, told)| told.as_str())
    }

    /// A change of what exists would be told and not done.
    ///
    /// # Errors
    /// With the ticket that it is about.
    pub(super) fn stay_as_they_are(&self, before: &Sheet, after: &[Draft]) -> Result<(), Halt> {
        if before.items.len() != after.len() {
            return Ok(());
        }
        let facts = steps::facts_of(before);
        let mut changed = before.items.iter().zip(after).zip(&facts).filter(|((was, is), _)| was != is);
        match changed.find_map(|(_, fact)| self.told(fact)) {
            Some(told) => {
                Err(Halt::Cannot(format!("{told} exists already, so it can only be changed in the tracker.")))
            }
            None => Ok(()),
        }
    }

    /// Puts what exists before what does not, because the last item that is created tells of all of them.
    ///
    /// # Errors
    /// Where nothing is left to create.
    pub(super) fn first(&self, sheet: &mut Sheet) -> Result<(), Halt> {
        let facts = steps::facts_of(sheet);
        let is_made: Vec<bool> = facts.iter().map(|fact| self.has(fact)).collect();
        if !is_made.is_empty() && is_made.iter().all(|is_made| *is_made) {
            let told: Vec<&str> = self.0.iter().map(|(_, told)| told.as_str()).collect();
            return Err(Halt::Done(format!("Nothing is left to create. These exist:\n{}", told.join("\n"))));
        }
        let has_epic = sheet.has_epic();
        let mut items: Vec<(bool, Draft)> = is_made.into_iter().zip(std::mem::take(&mut sheet.items)).collect();
        let from = usize::from(has_epic);
        items[from..].sort_by_key(|(is_made, _)| !is_made);
        sheet.items = items.into_iter().map(|(_, item)| item).collect();
        Ok(())
    }

    /// What exists and is in none of `steps`, as people are told it.
    pub(super) fn left(&self, steps: &[Step]) -> Vec<String> {
        let is_there = |fact: &FactName| steps.iter().any(|step| step.produces.contains(fact));
        let left = self.0.iter().filter(|(fact, _)| !is_there(fact));
        left.map(|(_, told)| format!("{told} exists already and stays as it is.")).collect()
    }
}
