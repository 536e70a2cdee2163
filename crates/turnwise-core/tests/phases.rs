//! Every pair of phase and trigger: the legal ones lead where spec 1 says, all others are errors that name both ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use turnwise_core::Phase::{AwaitingApproval, Executing, Failed, Idle, Planning};
use turnwise_core::{IllegalTransition, Phase, Trigger, transition};

const PHASES: [Phase; 5] = [Idle, Planning, AwaitingApproval, Executing, Failed];

const TRIGGERS: [Trigger; 16] = [
    Trigger::PlanNew,
    Trigger::PlanContinue,
    Trigger::Query,
    Trigger::PlanReady,
    Trigger::PlanAbandoned,
    Trigger::Approve,
    Trigger::Reject,
    Trigger::Suggest,
    Trigger::Complete,
    Trigger::Fail,
    Trigger::Retry,
    Trigger::Replan,
    Trigger::Abandon,
    Trigger::Cancel,
    Trigger::Redo,
    Trigger::Expire,
];

/// The legal transitions, written out once more by hand.
const LEGAL: [(Phase, Trigger, Phase); 31] = [
    (AwaitingApproval, Trigger::Expire, Idle),
    (Idle, Trigger::PlanNew, Planning),
    (Planning, Trigger::PlanNew, Planning),
    (AwaitingApproval, Trigger::PlanNew, Planning),
    (Failed, Trigger::PlanNew, Planning),
    (Idle, Trigger::PlanContinue, Planning),
    (Planning, Trigger::PlanContinue, Planning),
    (AwaitingApproval, Trigger::PlanContinue, Planning),
    (Executing, Trigger::PlanContinue, Planning),
    (Failed, Trigger::PlanContinue, Planning),
    (Idle, Trigger::Query, Idle),
    (Planning, Trigger::Query, Planning),
    (AwaitingApproval, Trigger::Query, AwaitingApproval),
    (Executing, Trigger::Query, Executing),
    (Failed, Trigger::Query, Failed),
    (Planning, Trigger::PlanReady, AwaitingApproval),
    (Planning, Trigger::PlanAbandoned, Idle),
    (AwaitingApproval, Trigger::Approve, Executing),
    (AwaitingApproval, Trigger::Reject, Planning),
    (AwaitingApproval, Trigger::Suggest, Planning),
    (Executing, Trigger::Complete, Idle),
    (Executing, Trigger::Fail, Failed),
    (Failed, Trigger::Retry, Executing),
    (Failed, Trigger::Replan, Planning),
    (Executing, Trigger::Replan, Planning),
    (Failed, Trigger::Abandon, Idle),
    (Planning, Trigger::Cancel, Idle),
    (AwaitingApproval, Trigger::Cancel, Idle),
    (Executing, Trigger::Cancel, Idle),
    (Failed, Trigger::Cancel, Idle),
    (Idle, Trigger::Redo, Executing),
];

#[test]
fn every_pair_is_legal_exactly_when_listed() {
    for from in PHASES {
        for trigger in TRIGGERS {
            let listed = LEGAL.iter().find(|(phase, by, _)| *phase == from && *by == trigger).map(|(_, _, to)| *to);
            match (transition(from, trigger), listed) {
                (Ok(to), Some(expected)) => assert_eq!(to, expected, "{from} by {trigger}"),
                (Err(error), None) => assert_eq!(error, IllegalTransition { from, trigger }),
                (outcome, listed) => panic!("{from} by {trigger}: {outcome:?}, but the list says {listed:?}"),
            }
        }
    }
}

#[test]
fn an_illegal_transition_names_both_ends() {
    let error = transition(Idle, Trigger::Approve).unwrap_err();
    assert_eq!(error.to_string(), "`approve` is not possible while idle: nothing is planned or running");
}

#[test]
fn only_a_waiting_plan_can_be_executed_and_only_a_failed_run_retried() {
    for phase in PHASES {
        assert_eq!(phase.can_execute(), phase == AwaitingApproval);
        assert_eq!(phase.can_retry(), phase == Failed);
    }
}
