//! The simulation as a test: thousands of histories hold every invariant, and each bug planted on purpose breaks one,
//! so that holding means something. Next: `simulate --seed N --verbose` for one history in words.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use simulation::{Planted, Transcript, Violation, play};

/// Histories played for every change.
const SEEDS: u64 = 3_000;

/// Within so many histories each planted bug must show itself.
const SEEDS_TO_FIND_A_BUG: u64 = 400;

#[test]
fn thousands_of_histories_hold_every_invariant() {
    let next = AtomicU64::new(0);
    let worker = || -> Option<u64> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= SEEDS {
                return None;
            }
            if play(seed, None, Transcript::None).violation.is_some() {
                return Some(seed);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let failed = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().filter_map(|worker| worker.join().unwrap()).min()
    });
    if let Some(seed) = failed {
        let outcome = play(seed, None, Transcript::Kept);
        panic!("seed {seed}: {}\n{}", outcome.violation.unwrap(), outcome.transcript.join("\n"));
    }
}

#[test]
fn the_same_seed_is_the_same_history() {
    for seed in 0..40 {
        let (one, other) = (play(seed, None, Transcript::Kept), play(seed, None, Transcript::Kept));
        assert_eq!(one, other, "seed {seed}");
        assert!(!one.transcript.is_empty());
    }
}

#[test]
fn without_a_transcript_the_history_is_the_same() {
    for seed in 0..40 {
        let (kept, bare) = (play(seed, None, Transcript::Kept), play(seed, None, Transcript::None));
        assert_eq!((kept.tally, kept.violation), (bare.tally, bare.violation), "seed {seed}");
    }
}

#[test]
fn turns_stored_without_a_version_check_are_found() {
    let found = found(Planted::SkipVersionCheck);
    assert!(
        found.iter().any(|it| matches!(it, Violation::Unreplayable { .. } | Violation::Receipt { .. })),
        "{found:?}"
    );
}

#[test]
fn steps_performed_before_their_turn_is_stored_are_found() {
    let found = found(Planted::PerformBeforeCommit);
    assert!(found.iter().any(|it| matches!(it, Violation::BegunBeforeStored { .. })), "{found:?}");
}

#[test]
fn claims_without_a_fence_are_found() {
    let found = found(Planted::DropFence);
    assert!(found.iter().any(|it| matches!(it, Violation::Twice { .. })), "{found:?}");
}

#[test]
fn old_clicks_that_count_for_the_current_card_are_found() {
    let found = found(Planted::AcceptOldUiVersion);
    assert!(found.iter().any(|it| matches!(it, Violation::OtherPlanThanShown { .. })), "{found:?}");
}

#[test]
fn inputs_that_are_taken_in_twice_are_found() {
    let found = found(Planted::ForgetDedupe);
    assert!(found.iter().any(|it| matches!(it, Violation::OtherResult { .. })), "{found:?}");
}

#[test]
fn a_delivery_that_comes_again_under_another_key_is_found() {
    let found = found(Planted::ForgetDeliveryKey);
    assert!(found.iter().any(|it| matches!(it, Violation::OtherResult { .. } | Violation::Count { .. })), "{found:?}");
}

/// What the simulation finds of a bug.
fn found(bug: Planted) -> Vec<Violation> {
    (0..SEEDS_TO_FIND_A_BUG).filter_map(|seed| play(seed, Some(bug), Transcript::None).violation).collect()
}
