//! Amendments made to the steps of a plan. A step is held by a number of its own while others come, go and change
//! places, so that “the result of step 2” stays the result it was. Next: `planned`, which makes the plan of them.

use std::collections::BTreeSet;

use turnwise_core::patch::Patch;
use turnwise_core::{Plan, StepId, text};

use super::rewrite::rewritten;
use super::{Amendment, Named, Place};
use crate::orders::orders_behind;
use crate::planned::{self, Part, Wanted};
use crate::tool::Toolbox;

/// The steps of a plan while it is amended.
#[derive(Clone, Debug)]
pub(crate) struct Amended {
    /// In their order; what they use and wait for is named by key.
    items: Vec<Item>,
    next: usize,
    /// Whether each waits for the one before it.
    is_chain: bool,
    /// The steps as they were shown: that is what a number means, whatever was changed since.
    shown: Vec<usize>,
    /// The title, where it is another.
    pub(crate) title: Option<String>,
    /// Steps that are done: they stay what and where they are.
    done: BTreeSet<usize>,
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    key: usize,
    wanted: Wanted,
    /// The step of the plan that it still is.
    was: Option<usize>,
}

/// The steps of `plan`, of which those at `done` are done.
pub(crate) async fn of_plan(toolbox: &Toolbox, plan: &Plan, done: BTreeSet<usize>) -> Amended {
    let wanted = planned::wanted_of(toolbox, plan).await;
    let is_chain = wanted.iter().enumerate().skip(1).all(|(at, one)| one.after.contains(&(at - 1)));
    let items: Vec<Item> =
        wanted.into_iter().enumerate().map(|(key, wanted)| Item { key, wanted, was: Some(key) }).collect();
    let shown = (0..items.len()).collect();
    Amended { next: items.len(), items, is_chain, shown, title: None, done }
}

/// Makes `amendment`, which was said in `words`.
///
/// # Errors
/// Why it cannot be made, a sentence.
pub(crate) fn apply(amended: &mut Amended, amendment: &Amendment, words: &str) -> Result<(), String> {
    let before = amended.clone();
    match amendment {
        Amendment::Shape(patches) => {
            patches.iter().try_for_each(|patch| amended.shape(patch, words))?;
        }
        Amendment::Rewrite { step, words } => {
            let key = amended.key(*step)?;
            amended.rewrite(key, words)?;
        }
        Amendment::Replace { step, from, to } => amended.replace(*step, from, to)?,
        Amendment::Insert { place, words } => amended.insert(*place, words)?,
        Amendment::Instead(words) => amended.instead(words)?,
    }
    amended.check(&before)
}

impl Amended {
    /// Puts further steps behind all others; none where the words order none.
    pub(crate) fn add(&mut self, words: &str) -> Option<()> {
        let all = crate::talk::wanted_behind(words, self.items.len())?;
        self.put(self.items.len(), all);
        Some(())
    }

    /// The steps as they are to be planned.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let part = |(at, item): (usize, &Item)| {
            let mut wanted = item.wanted.clone();
            let place = |key: usize| self.place(key).unwrap_or(at);
            wanted.after = match self.is_chain {
                true => at.checked_sub(1).into_iter().collect(),
                false => wanted.after.iter().map(|key| place(*key)).filter(|before| *before < at).collect(),
            };
            wanted.uses_mut().for_each(|key| *key = place(*key));
            Part { wanted, was: item.was }
        };
        self.items.iter().enumerate().map(part).collect()
    }

    fn place(&self, key: usize) -> Option<usize> {
        self.items.iter().position(|item| item.key == key)
    }

    /// How a step is called where it stands now.
    fn told(&self, key: usize) -> String {
        format!("step {}", self.place(key).map_or(0, |at| at + 1))
    }

    fn key(&self, step: Named) -> Result<usize, String> {
        let count = self.items.len();
        let at = match step {
            Named::Number(number) => return self.numbered(number),
            Named::Last => count.checked_sub(1),
            Named::Tool(tool) => {
                let fits: Vec<usize> = (0..count).filter(|at| self.items[*at].wanted.tool == tool).collect();
                match fits.as_slice() {
                    [only] => Some(*only),
                    [] => return Err(format!("No step of the plan is a “{tool}”; name it by its number.")),
                    _ => return Err(format!("Several steps of the plan are a “{tool}”; name one by its number.")),
                }
            }
        };
        let found = at.and_then(|at| self.items.get(at)).map(|item| item.key);
        found.ok_or_else(|| self.no_such_step())
    }

    /// The step that was shown with a number; behind those the steps that were added since.
    fn numbered(&self, number: usize) -> Result<usize, String> {
        let at = number.checked_sub(1).ok_or_else(|| self.no_such_step())?;
        match self.shown.get(at) {
            Some(key) if self.place(*key).is_none() => Err(format!("Step {number} is dropped already.")),
            Some(key) => Ok(*key),
            None => self.items.get(at).map(|item| item.key).ok_or_else(|| self.no_such_step()),
        }
    }

    fn no_such_step(&self) -> String {
        format!("The plan has no such step; it has {}.", text::count(self.items.len(), "step"))
    }

    /// Whether a step of the plan is done.
    pub(crate) fn is_done(&self, step: usize) -> bool {
        self.done.contains(&step)
    }

    fn free(&self, key: usize) -> Result<(), String> {
        match self.done.contains(&key) {
            true => Err(format!("{} is done already and stays as it was.", text::capital(&self.told(key)))),
            false => Ok(()),
        }
    }

    /// Steps that are done stand before all others.
    fn begin(&self) -> usize {
        self.items.iter().take_while(|item| self.done.contains(&item.key)).count()
    }

    fn rewrite(&mut self, key: usize, words: &str) -> Result<(), String> {
        self.free(key)?;
        let at = self.place(key).unwrap_or_default();
        let old = self.by_place(self.items[at].wanted.clone());
        let Some(mut all) = rewritten(&old, at, words) else {
            return Err(format!(
                "“{}” is nothing that step {} could be. Say what it should do as an order: “change step {} to run \
                 `ls`”, “step {} should write to out.txt”.",
                text::clip(words, super::QUOTED),
                at + 1,
                at + 1,
                at + 1
            ));
        };
        let first = self.by_key(all.remove(0));
        let after = self.items[at].wanted.after.clone();
        self.items[at] = Item { key, wanted: Wanted { after, ..first }, was: None };
        self.put(at + 1, all);
        Ok(())
    }

    /// Puts steps at a place; what they use is named by places of now.
    fn put(&mut self, at: usize, all: Vec<Wanted>) {
        let mut before = at.checked_sub(1).map(|before| self.items[before].key);
        for (nth, wanted) in all.into_iter().enumerate() {
            let key = self.next;
            self.next += 1;
            let mut wanted = self.by_key(wanted);
            wanted.after = before.into_iter().collect();
            self.items.insert(at + nth, Item { key, wanted, was: None });
            before = Some(key);
        }
        // What stood there waits for what was put before it.
        let behind = self.items.iter().skip(at).position(|item| item.was.is_some()).map(|nth| at + nth);
        if let (Some(behind), Some(before)) = (behind, before) {
            self.items[behind].wanted.after.push(before);
        }
    }

    /// With what it uses named by key instead of by place.
    fn by_key(&self, mut wanted: Wanted) -> Wanted {
        wanted.uses_mut().for_each(|at| *at = self.items.get(*at).map_or(self.next, |item| item.key));
        wanted
    }

    fn by_place(&self, mut wanted: Wanted) -> Wanted {
        wanted.uses_mut().for_each(|key| *key = self.place(*key).unwrap_or(*key));
        wanted
    }

    fn replace(&mut self, step: Option<Named>, from: &str, to: &str) -> Result<(), String> {
        let only = step.map(|step| self.key(step)).transpose()?;
        let mut found = 0;
        for item in &mut self.items {
            if only.is_some_and(|only| only != item.key) || self.done.contains(&item.key) {
                continue;
            }
            if super::put(&mut item.wanted, from, to) {
                (item.was, item.wanted.says, found) = (None, None, found + 1);
            }
        }
        match found {
            0 => Err(format!("“{}” stands in no step that could be changed.", text::clip(from, super::QUOTED))),
            _ => Ok(()),
        }
    }

    fn insert(&mut self, place: Place, words: &str) -> Result<(), String> {
        let at = match place {
            Place::First => self.begin(),
            Place::Before(step) => {
                let key = self.key(step)?;
                self.free(key)?;
                self.place(key).unwrap_or_default()
            }
            Place::Behind(step) => self.place(self.key(step)?).unwrap_or_default() + 1,
        };
        if at < self.begin() {
            return Err(format!("Step {} is done already, so nothing can come before it.", at + 1));
        }
        let Some(all) = orders_behind(words, at) else {
            return Err(format!("“{}” is no step I know.", text::clip(words, super::QUOTED)));
        };
        self.put(at, all);
        Ok(())
    }

    /// The one step that words fit which name none: of the same tool, or the only one.
    fn instead(&mut self, words: &str) -> Result<(), String> {
        let tool = orders_behind(words, self.items.len()).and_then(|all| all.first().map(|one| one.tool.clone()));
        let fits = |item: &&Item| {
            let at = self.place(item.key).unwrap_or_default();
            let new = rewritten(&self.by_place(item.wanted.clone()), at, words);
            let is_alike = tool.as_ref().is_none_or(|tool| *tool == item.wanted.tool) || self.items.len() == 1;
            is_alike && !self.done.contains(&item.key) && new.is_some()
        };
        let keys: Vec<usize> = self.items.iter().filter(fits).map(|item| item.key).collect();
        match keys.as_slice() {
            [only] => self.rewrite(*only, words),
            [] => Err(format!(
                "“{}” fits no step that could be changed. Name the step: “change step 1 to run `ls`”.",
                text::clip(words, super::QUOTED)
            )),
            several => {
                let told: Vec<String> = several.iter().map(|key| self.told(*key)).collect();
                Err(format!("That could be meant for {}. Say which: “{} should …”.", text::listed(&told), told[0]))
            }
        }
    }

    fn shape(&mut self, patch: &Patch, words: &str) -> Result<(), String> {
        let before = self.clone();
        let key = |step: StepId| before.numbered(step.number() as usize);
        match patch {
            Patch::Drop(steps) => {
                let gone = steps.iter().map(|step| key(*step)).collect::<Result<Vec<_>, _>>()?;
                self.drop(&gone)
            }
            Patch::Keep(steps) => {
                let kept = steps.iter().map(|step| key(*step)).collect::<Result<Vec<_>, _>>()?;
                let gone: Vec<usize> =
                    self.items.iter().map(|item| item.key).filter(|key| !kept.contains(key)).collect();
                self.drop(&gone)
            }
            Patch::Order { later, earlier } => self.order(key(*later)?, key(*earlier)?, words),
            Patch::Swap(one, other) => {
                let (one, other) = (key(*one)?, key(*other)?);
                self.free(one)?;
                self.free(other)?;
                if let (Some(one), Some(other)) = (self.place(one), self.place(other)) {
                    self.items.swap(one, other);
                }
                self.is_chain = true;
                Ok(())
            }
            Patch::First(step) => self.shift(key(*step)?, |amended| amended.begin()),
            Patch::Last(step) => self.shift(key(*step)?, |amended| amended.items.len()),
            Patch::OneAtATime => {
                self.is_chain = true;
                Ok(())
            }
            Patch::Rename(title) => {
                self.title = Some(title.clone());
                Ok(())
            }
            Patch::RenameStep { step, name } => {
                let at = self.place(key(*step)?).unwrap_or_default();
                self.items[at].wanted.says = Some(format!("“{name}”"));
                Ok(())
            }
            Patch::NoChart => Err("There is no chart in this plan.".to_owned()),
        }
    }

    fn drop(&mut self, gone: &[usize]) -> Result<(), String> {
        gone.iter().try_for_each(|key| self.free(*key))?;
        if gone.len() == self.items.len() {
            return Err("That would leave no step. Say n to reject the plan, or “cancel”.".to_owned());
        }
        gone.iter().for_each(|key| self.pass_on(*key));
        let uses = |item: &Item, key: usize| item.wanted.uses().any(|used| used == key);
        for item in self.items.iter().filter(|item| !gone.contains(&item.key)) {
            if let Some(key) = gone.iter().find(|key| uses(item, **key)) {
                let (user, used) = (self.told(item.key), self.told(*key));
                return Err(format!(
                    "{} uses the result of {used}. Drop both, or say first what {user} should do instead.",
                    text::capital(&user)
                ));
            }
        }
        for key in gone {
            let after = self.items.iter().find(|item| item.key == *key).map(|item| item.wanted.after.clone());
            for item in self.items.iter_mut().filter(|item| item.wanted.after.contains(key)) {
                item.wanted.after.retain(|one| one != key);
                item.wanted.after.extend(after.iter().flatten());
            }
        }
        self.items.retain(|item| !gone.contains(&item.key));
        Ok(())
    }

    /// What made something of one result gives way: who used what it made uses that result itself.
    fn pass_on(&mut self, key: usize) {
        let Some(item) = self.items.iter().find(|item| item.key == key) else { return };
        let used: Vec<usize> = item.wanted.uses().collect();
        let [only] = used.as_slice() else { return };
        let only = *only;
        for item in self.items.iter_mut().filter(|item| item.wanted.uses().any(|used| used == key)) {
            item.wanted.uses_mut().filter(|used| **used == key).for_each(|used| *used = only);
            (item.was, item.wanted.says) = (None, None);
        }
    }

    /// One behind the other. Which of them moves is the one that was named first.
    fn order(&mut self, later: usize, earlier: usize, words: &str) -> Result<(), String> {
        let (Some(to), Some(from)) = (self.place(later), self.place(earlier)) else { return Ok(()) };
        if from < to {
            let (later, earlier) = (self.told(later), self.told(earlier));
            return match self.is_chain {
                true => Err(format!("{} already runs after {earlier}.", text::capital(&later))),
                false => {
                    let earlier = self.items[from].key;
                    self.items[to].wanted.after.push(earlier);
                    Ok(())
                }
            };
        }
        let lower = words.to_ascii_lowercase();
        let moves_earlier = ["before", "ahead of", "in front of", "prior to"].iter().any(|word| lower.contains(word));
        match moves_earlier {
            true => self.shift(earlier, |amended| amended.place(later).unwrap_or(0)),
            false => self.shift(later, |amended| amended.place(earlier).map_or(0, |at| at + 1)),
        }
    }

    fn shift(&mut self, key: usize, to: impl Fn(&Self) -> usize) -> Result<(), String> {
        self.free(key)?;
        let Some(at) = self.place(key) else { return Ok(()) };
        let item = self.items.remove(at);
        let to = to(self);
        if to < self.begin() {
            return Err(format!("Step {} is done already, so nothing can come before it.", to + 1));
        }
        self.items.insert(to, item);
        // A place among others is a place in time.
        self.is_chain = true;
        Ok(())
    }

    /// Whether the steps make a plan that differs from what they were.
    fn check(&self, before: &Self) -> Result<(), String> {
        for (at, item) in self.items.iter().enumerate() {
            if let Some(key) = item.wanted.uses().find(|key| self.place(*key).is_none_or(|from| from >= at)) {
                let (user, used) = (before.told(item.key), before.told(key));
                return Err(format!("{} uses the result of {used}, so it stays behind it.", text::capital(&user)));
            }
        }
        let is_same = self.parts() == before.parts() && self.title == before.title;
        match is_same {
            true => Err("That changes nothing: the plan already is like that.".to_owned()),
            false => Ok(()),
        }
    }
}
