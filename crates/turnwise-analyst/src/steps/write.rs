//! The steps that write a result to a file. What they write to, and what they would replace, stands in their arguments,
//! so it is part of what a person approves. Next: `files`, which carries them out.

use std::collections::BTreeMap;
use std::path::Path;

use turnwise_core::{EffectClass, FactName, LookUp, RunId, Step, StepTask, Task};

use super::{APPEND, Builder, COMPUTE, FILE, INSPECT, NOW, QUERY, REPLACES, SAVE, Trouble};
use crate::files::{self, Manner, State, Write};
use turnwise_assistant::Room;

/// What an earlier version of a plan did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing.
    NotWritten,
    /// It wrote it.
    Written,
    /// It may have: it was stopped in the middle, and the file does not tell.
    Unknown,
}

/// What the step of an earlier version did, by the facts of `task` and by the file itself.
pub fn before(room: &Room, task: &Task, step: &Step) -> Before {
    let known = |name: &FactName| task.facts.iter().find(|fact| fact.name() == name).cloned();
    if step.produces.iter().any(|name| known(name).is_some()) {
        return Before::Written;
    }
    let inputs: Option<Vec<_>> = step.needs.iter().map(known).collect();
    let Some(inputs) = inputs.filter(|_| step.tool.as_str() == APPEND) else { return Before::NotWritten };
    // Only looked at, so it does not matter which run and attempt it is said to be.
    let (run, behind) = (RunId::new(0), Vec::new());
    let asked =
        StepTask { run, step: step.id, attempt: 1, work: step.clone(), inputs, behind, concludes: None, by: None };
    match files::look_up(room, &asked) {
        LookUp::Happened { .. } => Before::Written,
        LookUp::DidNotHappen => Before::NotWritten,
        LookUp::CannotTell { .. } => Before::Unknown,
    }
}

/// What a tool may do to the world; of one that is not known, the worst.
pub fn effect_of(tool: &str) -> EffectClass {
    match tool {
        QUERY | COMPUTE | INSPECT => EffectClass::Pure,
        SAVE => EffectClass::Idempotent,
        _ => EffectClass::OnceOnly,
    }
}

impl Builder<'_> {
    /// How the file stands now, and whether it is there.
    fn now(&self, write: &Write) -> Result<(State, bool), Trouble> {
        let Some(room) = self.room else { return Ok((State::empty(), false)) };
        let path = room.place(&write.path).map_err(Trouble::Impossible)?;
        files::check(&path, &write.path).map_err(Trouble::Impossible)?;
        let state = State::of(&path).map_err(|error| Trouble::Impossible(files::unreadable(&write.path, &error)))?;
        Ok((state, path.exists()))
    }

    /// Adds the steps that write `rows` to a file; each file after the one before.
    pub fn write(&mut self, write: &Write, rows: &FactName) -> Result<FactName, Trouble> {
        let (state, is_there) = self.now(write)?;
        let stem = Path::new(&write.path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let before = self.steps.iter().rev().find(|step| files::is_effect(step.tool.as_str())).map(|step| step.id);
        let file = (FILE.to_owned(), write.path.clone());
        let produced = match write.manner {
            Manner::Append => {
                let arguments = BTreeMap::from([file.clone(), (NOW.to_owned(), state.in_words())]);
                let description = format!("Look at the end of “{}”", write.path);
                let end = self.step(&description, &format!("end of {stem}"), INSPECT, arguments, Vec::new());
                let made = if is_there { "" } else { ", which is made for it" };
                let description = format!("Append the rows to “{}”{made}", write.path);
                let needs = vec![rows.clone(), end];
                self.step(&description, &format!("appended to {stem}"), APPEND, BTreeMap::from([file]), needs)
            }
            Manner::Save => {
                let replaces = if is_there { state.in_words() } else { files::NOTHING.to_owned() };
                let warning =
                    if is_there { format!(" (REPLACES the file there, {})", state.length()) } else { String::new() };
                let description = format!("Save the rows as “{}”{warning}", write.path);
                let arguments = BTreeMap::from([file, (REPLACES.to_owned(), replaces)]);
                self.step(&description, &format!("saved as {stem}"), SAVE, arguments, vec![rows.clone()])
            }
        };
        if let (Some(before), Some(last)) = (before, self.steps.last_mut()) {
            last.after.push(before);
        }
        Ok(produced)
    }
}
