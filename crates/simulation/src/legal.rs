//! Which states of a conversation may exist: phase, open questions and run have to agree. The same is asked of
//! `decide` alone, with random inputs, by the tests of the core. Next: `watch`.

use turnwise_core::{Conversation, Effect, PendingKind, Phase, RunStatus};

/// What is wrong with a state between two turns.
///
/// # Errors
/// One sentence on the first thing that does not agree.
pub fn check(conversation: &Conversation) -> Result<(), String> {
    let phase = conversation.phase();
    let open = |wanted: fn(&PendingKind) -> bool| conversation.pending().iter().filter(|it| wanted(&it.kind)).count();
    let approvals = open(|kind| matches!(kind, PendingKind::Approval { .. }));
    let failures = open(|kind| matches!(kind, PendingKind::Failure { .. }));
    let awaited = open(|kind| matches!(kind, PendingKind::Clarification { .. } | PendingKind::Redirection)) > 0;
    let drafting = conversation.outstanding().iter().any(|effect| matches!(effect, Effect::DraftPlan { .. }));
    let active = conversation.run().is_some_and(|run| run.status() == RunStatus::Active);
    expect(approvals == usize::from(phase == Phase::AwaitingApproval), "one approval while awaiting one, else none")?;
    expect(failures == usize::from(phase == Phase::Failed), "one way on from a failure, else none")?;
    expect(active == (phase == Phase::Executing), "a run is active exactly while executing")?;
    let plans = phase == Phase::Planning;
    // A change of a run is planned beside it, while it runs, waits or has failed.
    let beside = matches!(phase, Phase::Executing | Phase::Failed);
    expect(!plans || drafting || awaited, "planning waits for a draft or for the person")?;
    expect(plans || beside || !(drafting || awaited), "nothing is drafted or asked for no plan")?;
    expect(!(drafting && awaited), "planning waits for one of both")?;
    let Some(run) = conversation.run().filter(|_| phase == Phase::Executing) else { return Ok(()) };
    let paused = PendingKind::Paused { run: run.id() };
    let waits = conversation.pending().iter().any(|it| it.kind == paused);
    let goes_on = run.running() > 0 || waits || drafting || awaited;
    expect(goes_on, "an executing conversation has something under way or waits for the person")?;
    expect(waits == run.is_waiting(), "a run that waits is asked about, and no other")
}

fn expect(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("it does not hold that {rule}")) }
}
