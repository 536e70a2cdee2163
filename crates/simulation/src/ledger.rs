//! The ledger: what really happened in the world outside, written by the tools at the moment it happens, with the
//! checks that belong to that moment. Whatever the store, the driver or a process believe, this is the truth. Next:
//! `tools`.

use turnwise_core::{EffectClass, Permit, RunId, StepId, StepTask};

use crate::watch::{STOP_ELSEWHERE_MS, Seen, Watch};
use crate::{Violation, describe};

/// Something that was done in the world.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    run: RunId,
    step: StepId,
    attempt: u32,
    /// The run whose retries this belongs to: one approval, however often it was tried again.
    root: RunId,
    kind: DeedKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeedKind {
    /// A tool began.
    Began,
    /// The tool had its effect.
    Effect,
}

impl Watch {
    /// A tool of `process` begins, or has its effect, right now.
    pub(crate) async fn deed(&self, process: usize, task: &StepTask, permit: &Permit, kind: DeedKind) {
        self.look().await;
        self.note(|| format!("    * {}", describe::deed(process, task, kind)));
        let now = self.now_ms();
        let violation = self.seen().enter(process, task, permit, kind, now);
        if let Some(violation) = violation {
            self.broken(violation);
        }
    }

    /// Whether an attempt had its effect.
    pub(crate) fn had_effect(&self, task: &StepTask) -> bool {
        let is_it = |deed: &Deed| (deed.run, deed.step, deed.attempt) == (task.run, task.step, task.attempt);
        self.seen().ledger.iter().any(|deed| deed.kind == DeedKind::Effect && is_it(deed))
    }
}

impl Seen {
    fn enter(
        &mut self,
        process: usize,
        task: &StepTask,
        permit: &Permit,
        kind: DeedKind,
        now: u64,
    ) -> Option<Violation> {
        let (run, step, attempt) = (task.run, task.step, task.attempt);
        let root = self.runs.get(&run).map_or(run, |seen| seen.root);
        self.ledger.push(Deed { run, step, attempt, root, kind });
        self.unstored(task)
            .or_else(|| self.unapproved(task, permit))
            .or_else(|| self.after_stop(process, task, now))
            .or_else(|| self.twice(task, root, kind))
    }

    fn unstored(&self, task: &StepTask) -> Option<Violation> {
        let (run, step, attempt) = (task.run, task.step, task.attempt);
        let is_stored = self.started.contains(&(run, step, attempt));
        (!is_stored).then_some(Violation::BegunBeforeStored { run, step, attempt })
    }

    /// The permit names the approval, the approval names the plan, and the plan says what is done, word by word.
    fn unapproved(&self, task: &StepTask, permit: &Permit) -> Option<Violation> {
        let approved = self.runs.get(&task.run).filter(|seen| seen.approved == permit.approved());
        let is_as_planned = approved.and_then(|seen| seen.plan.step(task.step)) == Some(&task.work);
        (!is_as_planned).then_some(Violation::OtherThanApproved { run: task.run, step: task.step })
    }

    fn after_stop(&self, process: usize, task: &StepTask, now: u64) -> Option<Violation> {
        let (run, step) = (task.run, task.step);
        let late = |stop: &crate::watch::Acknowledged| now.saturating_sub(stop.at_ms);
        let stops = self.stops.iter().filter(|stop| stop.run == run);
        let broken =
            stops.filter(|stop| stop.process == process || late(stop) > STOP_ELSEWHERE_MS).max_by_key(|s| late(s))?;
        let how = if broken.process == process { "by the same process" } else { "by another process" };
        Some(Violation::AfterStop { run, step, late_ms: late(broken), how })
    }

    fn twice(&self, task: &StepTask, root: RunId, kind: DeedKind) -> Option<Violation> {
        if task.work.effect != EffectClass::OnceOnly || kind != DeedKind::Effect {
            return None;
        }
        let step = task.step;
        let is_same = |deed: &&Deed| deed.root == root && deed.step == step && deed.kind == DeedKind::Effect;
        let times = self.ledger.iter().filter(is_same).count();
        let allowed = 1 + self.denials.get(&(root, step)).copied().unwrap_or(0);
        (times > allowed).then_some(Violation::Twice { run: task.run, step, times })
    }
}
