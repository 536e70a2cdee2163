//! Changes of a proposal that add up.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::sync::Arc;

use turnwise_core::{Heard, Mode, Plan, PlanId, PlanKind};

use super::*;

const CARTS: &str =
    "struct Cart;\n\nimpl Cart {\n    fn total(&self) {}\n}\n\nfn a(b: B, c: C) {\n    b.total();\n    c.total();\n}\n";
const ORDER: &str = "rename Cart::total to sum";

/// What a change makes of the plan before it.
fn changed(workspace: &Workspace, previous: Option<Arc<Plan>>, changes: &[&str]) -> DraftOutcome {
    of_order(workspace, ORDER, previous, changes)
}

fn of_order(workspace: &Workspace, order: &str, previous: Option<Arc<Plan>>, changes: &[&str]) -> DraftOutcome {
    let task = Task {
        problem: order.to_owned(),
        kind: PlanKind::Plain,
        mode: Mode::Exploratory,
        changes: changes.iter().map(|change| (*change).to_owned()).collect(),
        answers: Vec::new(),
        previous,
        failure: None,
        facts: Vec::new(),
        heard: Heard::default(),
    };
    let ordered = ordered(workspace, &task, &mut Settled::default(), (order, orders(order).unwrap(), Shape::Quick));
    ordered.unwrap()
}

fn planned(outcome: DraftOutcome) -> Arc<Plan> {
    let DraftOutcome::Ready { plan, .. } = outcome else { panic!("{outcome:?}") };
    Arc::new(Plan::check(PlanId::new(1), 1, plan, &BTreeSet::new()).unwrap())
}

fn diff(plan: &Plan) -> String {
    plan.steps().iter().filter_map(|step| step.arguments.get(super::super::steps::DIFF).cloned()).collect()
}

#[test]
fn each_change_comes_to_those_before_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rs"), CARTS).unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let first = planned(changed(&workspace, None, &[]));
    assert!(!diff(&first).contains("+    b."), "{}", diff(&first));
    let second = planned(changed(&workspace, Some(first), &["also a.rs:8"]));
    let third = planned(changed(&workspace, Some(second), &["also a.rs:9"]));
    let both = diff(&third);
    assert!(both.contains("+    b.sum();") && both.contains("+    c.sum();"), "{both}");
    let fourth = diff(&planned(changed(&workspace, Some(Arc::clone(&third)), &["call it whole"])));
    assert!(fourth.contains("+    b.whole();") && fourth.contains("+    c.whole();"), "{fourth}");
    // A place at which the name does not stand is no change.
    for nowhere in ["also a.rs:999", "also a.rs:1", "also b.rs:8"] {
        let refused = changed(&workspace, Some(Arc::clone(&third)), &[nowhere]);
        let DraftOutcome::Impossible { explanation, .. } = refused else { panic!("{refused:?}") };
        assert!(explanation.contains("“total” does not stand as a name in"), "{explanation}");
    }
}

#[test]
fn a_place_is_taken_in_where_it_is_said_so() {
    let taken = |change: &str| also(change).unwrap_or_default();
    assert_eq!(taken("also a.rs:8"), ["a.rs:8"]);
    assert_eq!(taken("Take in `src/a.rs:8` and b.rs:9, too."), ["src/a.rs:8", "b.rs:9"]);
    for limits in ["in a.rs:8", "please rename in a.rs:8", "only a.rs:8", "also a.rs", "also"] {
        assert_eq!(also(limits), None, "{limits}");
    }
}

#[test]
fn an_edit_goes_before_the_commands_of_a_plan_and_nothing_is_ordered_twice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.rs"), CARTS).unwrap();
    let workspace = Workspace::open(folder.path()).unwrap();
    let order = "rename Cart::total to sum and then run `git status`";
    let titles = |plan: &Plan| plan.steps().iter().map(|step| step.description.clone()).collect::<Vec<_>>().join("; ");
    let first = planned(of_order(&workspace, order, None, &[]));
    let both = planned(of_order(&workspace, order, Some(Arc::clone(&first)), &["also rename Cart to Basket"]));
    let told = titles(&both);
    assert!(
        told.contains("Rename total to sum, then Rename Cart to Basket") && told.ends_with("Run `git status`"),
        "{told}"
    );
    let again = planned(of_order(&workspace, order, Some(first), &["rename Cart::total to sum"]));
    assert!(titles(&again).contains("Rename total to sum (a.rs"), "{}", titles(&again));
    let refused = of_order(&workspace, order, Some(again), &["run `git log` and rename Cart to Basket"]);
    assert!(matches!(refused, DraftOutcome::Impossible { .. }), "{refused:?}");
}
