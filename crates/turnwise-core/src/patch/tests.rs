//! Patches applied to plans: what they leave, what they refuse, and what the result then is.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;

use super::{Patch, PatchError};
use crate::{EffectClass, FactName, Plan, PlanDraft, PlanId, Presentation, Step, StepId, ToolName};

pub(super) fn ids(numbers: &[u32]) -> Vec<StepId> {
    numbers.iter().map(|number| StepId::new(*number)).collect()
}

fn id(number: u32) -> StepId {
    StepId::new(number)
}

pub(super) fn step(number: u32, description: &str, needs: &[&str], produces: &str, after: &[u32]) -> Step {
    Step {
        needs: needs.iter().map(|name| FactName::new(*name)).collect(),
        produces: vec![FactName::new(produces)],
        after: ids(after),
        ..Step::new(StepId::new(number), description, ToolName::new("query"))
    }
}

pub(super) fn draft(steps: Vec<Step>, result: &str) -> PlanDraft {
    PlanDraft { title: "t".into(), form: "form".into(), ..PlanDraft::new("p", steps, FactName::new(result)) }
}

/// 1 and 2 are independent; 3 needs 1.
fn plan() -> PlanDraft {
    draft(vec![step(1, "a", &[], "a", &[]), step(2, "b", &[], "b", &[]), step(3, "c", &["a"], "c", &[1])], "c")
}

/// 1 and 2 are compared by 3, and 4 saves that.
pub(super) fn saved() -> PlanDraft {
    let save = Step {
        tool: ToolName::new("save_file"),
        effect: EffectClass::Idempotent,
        ..step(4, "Save the rows as “out.csv”", &["both"], "saved", &[3])
    };
    let steps = vec![
        step(1, "Revenue 2009", &[], "old", &[]),
        step(2, "Revenue 2010", &[], "new", &[]),
        step(3, "Compare 2009 with 2010", &["old", "new"], "both", &[1, 2]),
        save,
    ];
    draft(steps, "saved")
}

fn shown(draft: &PlanDraft) -> Vec<(u32, &str, Vec<u32>)> {
    let numbers = |ids: &[StepId]| ids.iter().map(|id| id.number()).collect();
    draft.steps.iter().map(|step| (step.id.number(), step.description.as_str(), numbers(&step.after))).collect()
}

fn named(draft: &PlanDraft) -> Vec<&str> {
    draft.endings.results.iter().map(|named| named.fact.as_str()).collect()
}

/// What waited for a step that goes waits for what that waited for: the order is the same as before.
#[test]
fn what_is_left_keeps_its_order() {
    let steps = vec![step(1, "a", &[], "a", &[]), step(2, "b", &[], "b", &[1]), step(3, "c", &[], "c", &[2])];
    let mut draft = draft(steps, "c");
    super::retain::retain(&mut draft, &|id| id.number() != 2, super::retain::Said::Drop).unwrap();
    assert_eq!(shown(&draft), [(1, "a", vec![]), (2, "c", vec![1])]);
}

#[test]
fn a_dropped_step_is_gone_and_the_rest_is_numbered_anew() {
    let patched = Patch::Drop(ids(&[2])).apply(&plan()).unwrap();
    assert_eq!(shown(&patched), [(1, "a", vec![]), (2, "c", vec![1])]);
    assert_eq!((patched.result.as_str(), named(&patched).is_empty()), ("c", true));
    assert_eq!(patched.endings.left_out, ["b"]);
}

#[test]
fn what_is_still_needed_cannot_be_dropped_and_the_way_out_works() {
    let error = Patch::Drop(ids(&[1])).apply(&plan()).unwrap_err().to_string();
    assert_eq!(error, "Step 3 needs `a`, which step 1 produces. Say “drop steps 1 and 3”, or what to use instead.");
    assert!(Patch::Drop(ids(&[1, 3])).apply(&plan()).is_ok());
    let error = Patch::Keep(ids(&[3])).apply(&plan()).unwrap_err().to_string();
    assert!(error.contains("Say “approve steps 1 and 3 only”"), "{error}");
    let whole = Patch::Keep(ids(&[4])).apply(&saved()).unwrap_err().to_string();
    assert!(whole.contains("y to approve the whole plan"), "{whole}");
    assert_eq!(Patch::Drop(ids(&[1, 2, 3])).apply(&plan()), Err(PatchError::NothingLeft));
    let all = Patch::apply_all(&[Patch::Keep(ids(&[1, 2, 3]))], &plan()).unwrap_err().to_string();
    assert_eq!(all, "These are all the steps of the plan: say y to approve it whole.");
    assert!(matches!(Patch::Keep(ids(&[7])).apply(&plan()), Err(PatchError::NoSuchStep(..))));
}

#[test]
fn a_subset_without_the_conclusion_comes_to_what_its_steps_find_by_their_names() {
    let patched = Patch::Keep(ids(&[1, 2])).apply(&plan()).unwrap();
    assert_eq!((patched.result.as_str(), named(&patched)), ("b", vec!["a", "b"]));
    assert!(patched.endings.results.iter().all(|named| named.form.is_empty() && named.title.is_none()));
    // What a later change starts from is still there.
    assert_eq!((patched.presentation, patched.form.as_str()), (Presentation::Table, "form"));
    assert_eq!(patched.endings.left_out, ["c"]);
}

#[test]
fn without_the_step_that_saves_the_saved_rows_are_the_answer_as_before() {
    let patched = Patch::Drop(ids(&[4])).apply(&saved()).unwrap();
    assert_eq!((patched.result.as_str(), patched.presentation), ("both", Presentation::Value));
    assert!(named(&patched).is_empty() && patched.form == "form");
}

#[test]
fn a_look_that_only_served_a_step_that_went_is_no_result() {
    let mut append = saved();
    append.steps[3].needs.push(FactName::new("end"));
    append.steps[3].after.push(id(5));
    append.steps.push(step(5, "Look at the end", &[], "end", &[]));
    let patched = Patch::Drop(ids(&[4])).apply(&append).unwrap();
    assert_eq!((patched.result.as_str(), named(&patched).len()), ("both", 0));
}

#[test]
fn an_order_is_noted_once_and_never_in_a_circle() {
    let order = |later, earlier| Patch::Order { later: id(later), earlier: id(earlier) };
    let once = Patch::apply_all(&[order(2, 1), order(2, 1)], &plan()).unwrap();
    assert_eq!(once.steps[1].after, ids(&[1]));
    let already = Patch::apply_all(&[order(3, 1)], &plan()).unwrap_err();
    assert_eq!(already.to_string(), "step 3 already runs after step 1.");
    let circle = order(1, 3).apply(&plan()).unwrap_err().to_string();
    assert!(circle.starts_with("step 1 cannot wait for step 3: step 3 already waits for step 1"), "{circle}");
    assert_eq!(order(2, 2).apply(&plan()), Err(PatchError::Itself(id(2))));
    assert!(Patch::apply_all(&[order(1, 2), order(2, 1)], &plan()).is_err());
}

#[test]
fn swapped_steps_stand_in_each_others_place_and_the_second_waits() {
    let patched = Patch::Swap(id(1), id(2)).apply(&saved()).unwrap();
    let expected = [
        (1, "Revenue 2010", vec![]),
        (2, "Revenue 2009", vec![1]),
        (3, "Compare 2009 with 2010", vec![2, 1]),
        (4, "Save the rows as “out.csv”", vec![3]),
    ];
    assert_eq!(shown(&patched), expected);
    assert!(matches!(Patch::Swap(id(3), id(1)).apply(&saved()), Err(PatchError::Circle { .. })));
}

#[test]
fn first_and_last_hold_for_every_other_step() {
    let patched = Patch::First(id(2)).apply(&saved()).unwrap();
    assert_eq!(patched.steps[0].after, ids(&[2]));
    assert_eq!(
        Patch::First(id(3)).apply(&saved()).unwrap_err().to_string(),
        "step 3 cannot be first: it builds on step 1 and step 2."
    );
    let last = Patch::Last(id(2)).apply(&plan()).unwrap();
    assert_eq!(last.steps[1].after, ids(&[3]));
    assert!(matches!(Patch::Last(id(1)).apply(&plan()), Err(PatchError::NotLast(..))));
}

#[test]
fn one_at_a_time_keeps_every_order_there_is() {
    let ordered = Patch::Order { later: id(1), earlier: id(2) }.apply(&plan()).unwrap();
    let chained = Patch::OneAtATime.apply(&ordered).unwrap();
    let checked = Plan::check(PlanId::new(1), 2, chained.clone(), &BTreeSet::new());
    assert!(checked.is_ok(), "{checked:?}");
    assert_eq!(shown(&chained)[1], (2, "b", vec![]));
    let again = Patch::apply_all(&[Patch::OneAtATime], &chained).unwrap_err();
    assert_eq!(again.to_string(), "The steps already run one at a time.");
}

#[test]
fn a_name_stands_before_what_the_step_does_and_replaces_an_earlier_one() {
    let name =
        |draft: &PlanDraft, name: &str| Patch::RenameStep { step: id(1), name: name.into() }.apply(draft).unwrap();
    let once = name(&saved(), "Old year");
    assert_eq!(once.steps[0].description, "“Old year”: Revenue 2009");
    assert_eq!(name(&once, "Before").steps[0].description, "“Before”: Revenue 2009");
}

#[test]
fn a_chart_can_go_and_one_that_is_not_there_is_said_not_to_be() {
    let drawn = PlanDraft { presentation: Presentation::Bars, ..plan() };
    assert_eq!(Patch::apply_all(&[Patch::NoChart], &drawn).unwrap().presentation, Presentation::Table);
    let none = Patch::apply_all(&[Patch::NoChart], &plan()).unwrap_err();
    assert_eq!(none.to_string(), "The plan has no chart: its result is shown in words.");
}
