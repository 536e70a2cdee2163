//! What goes because of a limit or because its time is over, and says so: lowest confidence first, then the longest
//! unused (TK-19). Pinned facts stay, and so do those of the plan at hand. Next: `fact_store`.

use std::collections::BTreeSet;

use super::learn::named;
use super::turn::Turn;
use crate::{Event, Fact, FactKind, FactName, FactValue, Outcome, PlanId, Scope, facts_max, text};

/// Drops what does not hold any more.
pub(super) fn ended(turn: &mut Turn<'_>) {
    let over: Vec<FactName> = turn.state().facts().ended(turn.now).cloned().collect();
    if !over.is_empty() {
        let reason =
            format!("The time of {} is over, so it was dropped: {}.", text::count(over.len(), "fact"), named(&over));
        drop_facts(turn, over, reason);
    }
}

/// Drops what is over a limit.
pub(super) fn over_limits(turn: &mut Turn<'_>) {
    for (scope, _) in Scope::ALL {
        let surplus = turn.state().facts().count(scope).saturating_sub(facts_max(scope));
        if surplus > 0 {
            let names = turn.state().facts().least(scope, surplus, &stays(turn));
            make_way(turn, scope, names);
        }
    }
}

/// Makes room for one more fact; false, and it is said, when everything held is pinned or in use.
pub(super) fn make_room(turn: &mut Turn<'_>, fact: &Fact) -> bool {
    let scope = fact.scope();
    let surplus = (turn.state().facts().count(scope) + 1).saturating_sub(facts_max(scope));
    if surplus == 0 {
        return true;
    }
    let names = turn.state().facts().least(scope, surplus, &stays(turn));
    if names.len() < surplus {
        let why = format!(
            "That was not kept: all {} facts of this {} are pinned or belong to the plan at hand. \
             /facts unpin NAME or /facts forget NAME makes room.",
            turn.state().facts().count(scope),
            scope.word()
        );
        turn.say(why.clone(), None);
        turn.note(Outcome::Refused, why);
        return false;
    }
    make_way(turn, scope, names);
    true
}

/// The facts of the plan at hand stay, since its later versions reuse them, and so does what has to hold: it is lifted
/// by a person's word alone, and by no number of others said after it.
fn stays(turn: &Turn<'_>) -> impl Fn(&Fact) -> bool + use<> {
    let plan = turn.state().plan().map(|plan| plan.id());
    let has_to_hold = |fact: &&std::sync::Arc<Fact>| match &fact.body.value {
        FactValue::Text(said) => fact.kind() == FactKind::Constraint && !turn.reader.constraints(said).is_empty(),
        FactValue::Table(_) => false,
    };
    let held: BTreeSet<FactName> =
        turn.state().facts().values().filter(has_to_hold).map(|fact| fact.name().clone()).collect();
    move |fact: &Fact| held.contains(fact.name()) || plan.is_some_and(|plan: PlanId| fact.plan == plan)
}

fn make_way(turn: &mut Turn<'_>, scope: Scope, names: Vec<FactName>) {
    if names.is_empty() {
        return;
    }
    let reason = format!(
        "{} dropped for room: {}. A {} keeps {}; the least sure go first, then the longest unused. Ask again to find \
         them anew, or /facts pin what must stay.",
        text::count(names.len(), "fact"),
        named(&names),
        scope.word(),
        facts_max(scope)
    );
    drop_facts(turn, names, reason);
}

fn drop_facts(turn: &mut Turn<'_>, names: Vec<FactName>, reason: String) {
    turn.emit(Event::FactsEvicted { names, reason: reason.clone() });
    turn.say(reason, None);
}
