//! Any patch of any plan gives a plan that holds together, or a refusal that says why; and so does whatever words are
//! read as patches.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use turnwise_core::patch::{Patch, Wish};
use turnwise_core::{EffectClass, FactName, Plan, PlanDraft, PlanId, Presentation, Step, StepId, ToolName};

fn fact(number: u32) -> FactName {
    FactName::new(format!("f{number}"))
}

/// A plan in which each step may wait for some of those before it, and need what some of those find.
fn drafts() -> impl Strategy<Value = PlanDraft> {
    let step = (any::<u16>(), any::<u16>(), 0..3_u8);
    (prop::collection::vec(step, 1..9), any::<bool>()).prop_map(|(parts, drawn)| {
        let steps: Vec<Step> = (1_u32..)
            .zip(&parts)
            .map(|(number, (waits, needs, effect))| {
                let chosen = |bits: u16| (1..number).filter(move |before| bits >> before & 1 == 1);
                Step {
                    id: StepId::new(number),
                    description: format!("Do {number}"),
                    tool: ToolName::new("tool"),
                    arguments: BTreeMap::from([("of".to_owned(), number.to_string())]),
                    needs: chosen(waits & needs).map(fact).collect(),
                    produces: vec![fact(number)],
                    after: chosen(*waits).map(StepId::new).collect(),
                    effect: [EffectClass::Pure, EffectClass::Idempotent, EffectClass::OnceOnly][*effect as usize],
                    retries: 0,
                    timeout_seconds: 60,
                }
            })
            .collect();
        let result = fact(u32::try_from(steps.len()).unwrap());
        PlanDraft {
            title: "t".into(),
            presentation: if drawn { Presentation::Bars } else { Presentation::Table },
            form: "form".into(),
            ..PlanDraft::new("p", steps, result)
        }
    })
}

fn patches() -> impl Strategy<Value = Vec<Patch>> {
    let id = (0_u32..11).prop_map(StepId::new);
    let ids = prop::collection::vec(id.clone(), 0..5);
    let patch = prop_oneof![
        ids.clone().prop_map(Patch::Drop),
        ids.prop_map(Patch::Keep),
        (id.clone(), id.clone()).prop_map(|(later, earlier)| Patch::Order { later, earlier }),
        (id.clone(), id.clone()).prop_map(|(one, other)| Patch::Swap(one, other)),
        id.clone().prop_map(Patch::First),
        id.clone().prop_map(Patch::Last),
        Just(Patch::OneAtATime),
        Just(Patch::Rename("Other".into())),
        id.prop_map(|step| Patch::RenameStep { step, name: "Mine".into() }),
        Just(Patch::NoChart),
    ];
    prop::collection::vec(patch, 1..5)
}

/// What must hold of a patched plan: it passes the check, and no step does or finds what none did before.
fn holds(before: &PlanDraft, patched: &PlanDraft) {
    let checked = Plan::check(PlanId::new(1), 2, patched.clone(), &BTreeSet::new());
    assert!(checked.is_ok(), "{checked:?}\nof {patched:?}");
    for step in &patched.steps {
        let was = before.steps.iter().find(|old| old.produces == step.produces).unwrap();
        assert_eq!(
            (&was.tool, &was.arguments, &was.needs, was.effect),
            (&step.tool, &step.arguments, &step.needs, step.effect)
        );
        let distinct: BTreeSet<&StepId> = step.after.iter().collect();
        assert_eq!(distinct.len(), step.after.len(), "a step is waited for twice: {step:?}");
    }
    let shown = patched.steps.iter().filter(|step| patched.concludes(step)).count();
    assert!(shown >= 1, "nothing would be shown: {patched:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_patch_of_any_plan_gives_a_plan_that_holds_or_a_reason(draft in drafts(), patches in patches()) {
        prop_assert!(Plan::check(PlanId::new(1), 1, draft.clone(), &BTreeSet::new()).is_ok());
        match Patch::apply_all(&patches, &draft) {
            Ok(patched) => holds(&draft, &patched),
            Err(error) => prop_assert!(error.to_string().ends_with(['.', '"']), "{error}"),
        }
    }

    #[test]
    fn words_read_as_a_structure_give_a_plan_that_holds_or_a_reason(
        draft in drafts(),
        words in "((drop|skip|only|approve|swap|run|all but|do|put|and|first|last|one at a time|before|after) ?){1,3} (the )?(step|steps|first|last|setp) ?([0-9]|two|-){0,3}( and [0-9]| before step [0-9]| first)?",
    ) {
        if let Some(Ok(Wish::Structure(patches))) = Wish::read(&words, &draft)
            && let Ok(patched) = Patch::apply_all(&patches, &draft)
        {
            holds(&draft, &patched);
        }
    }

    #[test]
    fn the_reading_of_any_text_ends(draft in drafts(), words in "\\PC{0,200}") {
        let _ = Wish::read(&words, &draft);
    }
}
