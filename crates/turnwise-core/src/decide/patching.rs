//! A patch of the plan that waits, or of one whose run waits or failed: applied, checked, and put before the person
//! as the next version. Next: `report`, which offers drafts the same way.

use std::sync::Arc;

use super::turn::Turn;
use super::{act, report, say};
use crate::patch::{Patch, PatchError, Wish};
use crate::{
    EffectClass, Event, Outcome, Pending, Phase, Plan, PlanDraft, PlanningEvent, Reply, Resolution, RunEvent, Step,
    StepId, StepState, Trigger, text,
};

/// What the words wish of the plan that waits; `None` when they speak of something else.
pub(super) fn wished(turn: &Turn<'_>, words: &str) -> Option<Result<Wish, PatchError>> {
    let draft = turn.state().plan()?.draft();
    let pointed = pointing_at_failed(turn, words);
    let words = pointed.as_deref().unwrap_or(words);
    let wish = Wish::read(words, draft);
    if wish.is_some() {
        return wish;
    }
    // What leads to a change, in whatever words, is the reply grammar's to know: "looks right to me, leave the file
    // out".
    Wish::read(&change_in(turn, words)?, draft)
}

/// The change that words lead to, where they are more than that.
fn change_in(turn: &Turn<'_>, words: &str) -> Option<String> {
    match turn.reader.reply(words, &turn.read_context(&[])) {
        Reply::Change { change } if change != words => Some(change),
        _ => None,
    }
}

/// "Without that step", "skip the broken one": once a step has failed, that is the one.
fn pointing_at_failed(turn: &Turn<'_>, words: &str) -> Option<String> {
    let failed = turn.state().run().filter(|_| turn.state().phase() == Phase::Failed)?.failed_step()?;
    let lower = words.to_lowercase();
    let pointer = POINTERS.iter().find(|pointer| lower.contains(*pointer))?;
    Some(lower.replacen(pointer, &failed.to_string(), 1))
}

/// What stands for the step that failed.
const POINTERS: [&str; 10] = [
    "that step",
    "this step",
    "the broken step",
    "the broken one",
    "the failed step",
    "the failed one",
    "the failing step",
    "the failing one",
    "the bad step",
    "the bad one",
];

/// Changes the plan that waits, if the words ask for that; false when they ask for something else. What only the
/// assistant can plan goes to it, in the person's own words.
pub(super) fn patch(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    let Some(wish) = wished(turn, words) else { return false };
    if !super::answer::is_entitled(turn, question) {
        return true;
    }
    let change = change_in(turn, words);
    let named = change.as_deref().unwrap_or(words);
    match wish {
        // Who changes single steps says what of it can be done; what orders something is no change.
        Ok(Wish::Structure(_)) | Err(_) if is_owned(turn) && turn.reader.rewords_steps() => {
            if turn.reader.bearing(words, &turn.read_context(grounding)).asks {
                return false;
            }
            act::refine(turn, words, grounding);
        }
        Ok(Wish::Structure(_)) | Err(_) if is_owned(turn) => return false,
        // What was said before the run had the steps it has now is not about them.
        Ok(Wish::Structure(_)) if super::seen::refuse_overtaken(turn) => {}
        Ok(Wish::Structure(patches)) if names_the_work(turn, &patches, words, grounding) => {
            act::refine(turn, words, grounding);
        }
        // “Yes, but call it foo”: what leads to the change is no part of it.
        Ok(Wish::Structure(patches)) if names_the_work(turn, &patches, named, grounding) => {
            act::refine(turn, named, grounding);
        }
        Ok(Wish::Structure(patches)) => propose(turn, question, &patches, words.to_owned()),
        Ok(Wish::Split { .. } | Wish::Constrain { .. } | Wish::Add { .. }) => act::refine(turn, words, grounding),
        Err(error) => refuse(turn, Some(question), &error.to_string()),
    }
    true
}

/// Whether the steps are the assistant's to change, so that the words are read like all others.
fn is_owned(turn: &Turn<'_>) -> bool {
    turn.state().phase() == Phase::AwaitingApproval && turn.reader.owns_steps()
}

/// Whether what sounds like another title of the plan is, to the assistant, another name of what it works on: a plan
/// with a new title that does the same as before would be taken for what was asked.
fn names_the_work(turn: &Turn<'_>, patches: &[Patch], words: &str, grounding: &[String]) -> bool {
    matches!(patches, [Patch::Rename(_)]) && turn.reader.bearing(words, &turn.read_context(grounding)).names
}

/// The same while steps run and nothing is asked: what runs is stopped, and what is done is kept. False when the words
/// ask for no other structure.
pub(super) fn patch_running(turn: &mut Turn<'_>, words: &str) -> bool {
    if turn.state().active_run().is_none() {
        return false;
    }
    match wished(turn, words) {
        Some(Ok(Wish::Structure(_))) if super::seen::refuse_overtaken(turn) => {}
        Some(Ok(Wish::Structure(patches))) => change(turn, None, &patches, words.to_owned()),
        Some(Err(error)) => refuse(turn, None, &error.to_string()),
        Some(Ok(Wish::Split { .. } | Wish::Constrain { .. } | Wish::Add { .. })) | None => return false,
    }
    true
}

/// Words about steps that say no change anybody could make of them stop nothing.
pub(super) fn leaves_running(turn: &mut Turn<'_>, words: &str) -> bool {
    let runs = turn.state().active_run().is_some_and(|run| !run.is_waiting());
    let speaks_of_steps = text::words(words).iter().any(|word| matches!(word.as_str(), "step" | "steps"));
    let is_known = || turn.reader.rewords_steps() || wished(turn, words).is_some();
    if !runs || !speaks_of_steps || is_known() {
        return false;
    }
    turn.refuse(
        "I cannot make that of the steps, so the run goes on as it is. “skip step 2”, “step 1 after step 2” or “only \
         steps 1 and 2” can be done; “pause” waits at the next step boundary.",
    );
    true
}

/// Puts the plan that waits, with `patches`, before the person as its next version; `said` says it in words.
pub(super) fn propose(turn: &mut Turn<'_>, question: &Pending, patches: &[Patch], said: String) {
    change(turn, Some(question), patches, said);
}

/// The same when the run is over: nothing of it changes any more, and the change is offered as a plan of its own. False
/// when the words speak of no steps.
pub(super) fn patch_ended(turn: &mut Turn<'_>, words: &str) -> bool {
    let has_ended = turn.state().phase() == Phase::Idle && turn.state().run().is_some();
    let speaks_of_steps = || text::words(words).iter().any(|word| matches!(word.as_str(), "step" | "steps"));
    if !has_ended || !speaks_of_steps() {
        return false;
    }
    let (Some(plan), Some(wish)) = (turn.state().plan().cloned(), wished(turn, words)) else { return false };
    let patched = match wish {
        Ok(Wish::Structure(patches)) => patched(turn, &plan, &patches),
        Ok(Wish::Split { .. } | Wish::Constrain { .. } | Wish::Add { .. }) => return false,
        Err(error) => Err(error.to_string()),
    };
    match patched {
        Ok(version) => {
            turn.say(format!("{OVER} so nothing of it changes any more. Run again with that, it would be:"), None);
            offer(turn, &plan, version, words.to_owned());
        }
        Err(why) => {
            let why = text::capital(why.split(" Say n ").next().unwrap_or(&why));
            refuse(turn, None, &format!("{OVER} and cannot be run again like that. {why} {ANEW}"));
        }
    }
    true
}

/// What is said before anything about steps once nothing runs.
const OVER: &str = "The run is over,";
/// What can be done then.
const ANEW: &str = "Say what should be different and it is planned anew; /redo runs it again as it was.";

fn change(turn: &mut Turn<'_>, question: Option<&Pending>, patches: &[Patch], change: String) {
    let Some(plan) = turn.state().plan().cloned() else { return };
    // Who changes single steps says, of a run, what of it can be changed still.
    if turn.reader.rewords_steps() && super::tried::keeps_run(turn) {
        act::refine(turn, &change, &[]);
        return;
    }
    if turn.state().phase() != Phase::AwaitingApproval && is_too_late(turn, question, patches) {
        return;
    }
    if lets_finish(turn) {
        return;
    }
    match patched(turn, &plan, patches) {
        Ok(version) => offer(turn, &plan, version, change),
        Err(why) => refuse(turn, question, &why),
    }
}

fn patched(turn: &Turn<'_>, plan: &Plan, patches: &[Patch]) -> Result<Plan, String> {
    let draft = Patch::apply_all(patches, plan.draft()).map_err(|error| error.to_string())?;
    check(turn, plan, draft)
}

/// Puts `version` before the person in the place of `plan`.
fn offer(turn: &mut Turn<'_>, plan: &Plan, version: Plan, change: String) {
    super::tried::drop_it(turn, "the plan was changed otherwise meanwhile");
    let trigger = act::back_to_planning(turn.state().phase());
    act::stop_run(turn, Trigger::PlanContinue);
    turn.close_all(Resolution::Changed);
    let request = turn.next_request();
    let (change, answer, message) = (Some(change), None, turn.message());
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message }));
    report::offer(turn, request, Arc::new(version), Some(plan));
    turn.note(Outcome::Merged, "The plan was changed; the new version waits for your decision.");
}

/// What must not run twice is not broken off for a change of what comes after it: the run waits behind it.
fn lets_finish(turn: &mut Turn<'_>) -> bool {
    let Some(run) = turn.state().active_run() else { return false };
    let Some(step) = super::tried::once_under_way(run) else { return false };
    let has_more = run.states().any(|(_, state)| state == StepState::Waiting);
    let run = run.id();
    let then = if has_more { "then the run waits. Say the change again when it does" } else { "it is the last one" };
    if has_more {
        turn.emit(Event::Run(RunEvent::Paced { run, steps: Some(0), by_hand: false }));
    }
    let step = text::capital(&step.to_string());
    let said =
        format!("{step} is under way and must not run twice, so it is let finish; {then}. “stop” breaks it off.");
    turn.say(said.clone(), None);
    turn.note(Outcome::Refused, said);
    true
}

/// A step that had its effect cannot be left out any more, and the run goes on as it is.
fn is_too_late(turn: &mut Turn<'_>, question: Option<&Pending>, patches: &[Patch]) -> bool {
    let Some(run) = turn.state().run() else { return false };
    let leaves_out = |step: StepId| patches.iter().any(|patch| patch.leaves_out(step));
    let is_done =
        |step: &Step| step.effect != EffectClass::Pure && run.state(step.id).is_some_and(StepState::is_finished);
    let done = run.plan().steps().iter().find(|step| leaves_out(step.id) && is_done(step)).map(|step| step.id);
    let Some(step) = done else { return false };
    refuse(turn, question, &format!("{step} is done already and stays done: there is no undo for it."));
    true
}

fn refuse(turn: &mut Turn<'_>, question: Option<&Pending>, why: &str) {
    // What could be said to a plan that waits is no way on from a run.
    let waits = turn.state().phase() == Phase::AwaitingApproval;
    let why = text::capital(if waits { why } else { why.split(" Say n ").next().unwrap_or(why) });
    match question {
        Some(question) => say::remind(turn, question, &why),
        None => turn.say(why.clone(), None),
    }
    turn.note(Outcome::Refused, why);
}

fn check(turn: &Turn<'_>, plan: &Plan, draft: PlanDraft) -> Result<Plan, String> {
    let known = report::known_facts(turn);
    Plan::check(plan.id(), plan.version() + 1, draft, &known).map_err(|error| format!("That cannot be: {error}."))
}
