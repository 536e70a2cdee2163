//! What the plan itself says to a question about it. What it does not say is said to be unknown, and nothing is
//! guessed. Next: `decide::about`.

use super::Topic;
use crate::{EffectClass, Plan, PlanDraft, Step, StepId, limits, patch, text};

/// The answer to `topic`, from `plan` alone; `None` for what the conversation or the assistant knows.
pub(crate) fn told(plan: &Plan, topic: &Topic) -> Option<String> {
    Some(match topic {
        Topic::Effects => waiting(plan, effects(plan)),
        Topic::Undo => undo(plan),
        Topic::IfNo => "Nothing is executed. You are asked what should be different; “cancel” then drops the plan. \
                        Saying nothing is no answer: the plan waits as long as it takes."
            .to_owned(),
        Topic::IfFails => if_fails(plan),
        Topic::Assumptions => assumptions(plan),
        Topic::Whole => waiting(plan, format!("{} {}", whole(plan), effects(plan))),
        Topic::Step(step) => about_step(plan, *step)?,
        Topic::Why(step) => why(plan, *step)?,
        Topic::Order => order(plan),
        Topic::Result => result(plan.draft()),
        Topic::Mention(words) => mention(plan, words),
        Topic::Who | Topic::Ways | Topic::Changes | Topic::Queue | Topic::Progress | Topic::Ask(..) => return None,
    })
}

pub(super) fn named(step: &Step) -> String {
    format!("step {} (“{}”)", step.id.number(), step.description)
}

pub(super) fn changing(plan: &Plan) -> Vec<&Step> {
    plan.steps().iter().filter(|step| step.effect != EffectClass::Pure).collect()
}

/// Of a plan that waits, nothing of this has happened yet.
fn waiting(plan: &Plan, told: String) -> String {
    if changing(plan).is_empty() { told } else { format!("{told} Nothing is done before you approve.") }
}

pub(super) fn effects(plan: &Plan) -> String {
    let changing = changing(plan);
    let others = plan.steps().len() - changing.len();
    if changing.is_empty() {
        let all = match others {
            1 => "its step only reads".to_owned(),
            2 => "both steps only read".to_owned(),
            _ => format!("all {others} steps only read"),
        };
        return format!("It changes nothing and writes no file: {all}.");
    }
    let told: Vec<String> = changing.iter().map(|step| effect(step)).collect();
    let rest = match others {
        0 => String::new(),
        1 => " The other step only reads.".to_owned(),
        _ => format!(" The other {others} steps only read."),
    };
    format!("{}{rest}", told.join(" "))
}

/// What a step changes: its description, and of its arguments what that leaves open.
fn effect(step: &Step) -> String {
    // What goes over lines or is written for programs is no part of a sentence: the card shows it.
    let is_plain = |value: &str| !value.contains('\n') && !value.starts_with(['{', '[']);
    let is_open = |value: &str| !value.is_empty() && !step.description.contains(value);
    let open = step.arguments.iter().filter(|(_, value)| is_plain(value) && is_open(value));
    let open: Vec<String> =
        open.map(|(name, value)| format!("{name}: {}", text::clip(value, limits::QUOTE_WIDTH))).collect();
    let open = if open.is_empty() { String::new() } else { format!(" ({})", open.join(", ")) };
    let twice = if step.effect == EffectClass::OnceOnly { " It is never done twice." } else { "" };
    format!("Step {} changes something: {}{open}.{twice}", step.id.number(), step.description)
}

fn undo(plan: &Plan) -> String {
    let changing = changing(plan);
    if changing.is_empty() {
        return "There is nothing to undo: no step changes anything, and nothing runs before you approve.".to_owned();
    }
    let ids: Vec<StepId> = changing.iter().map(|step| step.id).collect();
    let steps: Vec<String> = changing.iter().map(|step| named(step)).collect();
    format!(
        "Not from here: what {} does stays, there is no undo for it. Until you approve, nothing is done; “drop {}” \
         leaves it out.",
        text::listed(&steps),
        patch::numbered(&ids)
    )
}

fn if_fails(plan: &Plan) -> String {
    let retried: Vec<StepId> = plan.steps().iter().filter(|step| step.retries > 0).map(|step| step.id).collect();
    let most = plan.steps().iter().map(|step| step.retries).max().unwrap_or_default();
    let again = match retried.as_slice() {
        [] => "No step is tried again by itself.".to_owned(),
        _ => format!(
            "{} {} tried again by {}, up to {}, when trouble may pass.",
            text::capital(&patch::numbered(&retried)),
            if retried.len() == 1 { "is" } else { "are" },
            if retried.len() == 1 { "itself" } else { "themselves" },
            text::count(most as usize, "time")
        ),
    };
    format!(
        "{again} A step that fails for good stops those that need it; what is done is kept, and you choose: retry, \
         replan or abandon."
    )
}

fn assumptions(plan: &Plan) -> String {
    match plan.draft().assumptions.as_slice() {
        [] => "The plan states no assumptions.".to_owned(),
        stated => format!("The plan takes for granted: {}", stated.join(" ")),
    }
}

pub(super) fn whole(plan: &Plan) -> String {
    let shown = plan.steps().iter().take(STEPS_TOLD_MAX).map(|step| {
        let after: Vec<String> = step.after.iter().map(|id| id.number().to_string()).collect();
        let after = if after.is_empty() { String::new() } else { format!(" (after {})", after.join(", ")) };
        format!("{}. {}{after}", step.id.number(), step.description)
    });
    let shown: Vec<String> = shown.collect();
    let more = plan.steps().len().saturating_sub(shown.len());
    let more = if more > 0 { format!("; and {more} more, which /plan shows") } else { String::new() };
    format!("{}: {}{more}.", text::count(plan.steps().len(), "step"), shown.join("; "))
}

pub(super) fn about_step(plan: &Plan, id: StepId) -> Option<String> {
    let Some(step) = plan.step(id) else { return Some(no_such(plan, id)) };
    let does = if step.effect == EffectClass::Pure { "It only reads." } else { "It changes something." };
    let waits = match step.after.as_slice() {
        [] => "It waits for no other step.".to_owned(),
        after => format!("It waits for {}.", patch::numbered(after)),
    };
    let time = format!("It may take up to {} seconds.", step.timeout_seconds);
    Some(format!(
        "Step {} ({}): {}. {does} {waits} {time} {}",
        id.number(),
        step.tool,
        step.description,
        used(plan, step)
    ))
}

pub(super) fn why(plan: &Plan, id: StepId) -> Option<String> {
    let Some(step) = plan.step(id) else { return Some(no_such(plan, id)) };
    let needs: Vec<String> = step
        .needs
        .iter()
        .filter_map(|fact| plan.draft().producer(fact))
        .map(|from| format!("step {}", from.id.number()))
        .collect();
    let needs = match needs.as_slice() {
        [] => "It needs no other step.".to_owned(),
        needs => format!("It needs what {} {}.", text::listed(needs), if needs.len() == 1 { "finds" } else { "find" }),
    };
    Some(format!("{}: {} {needs}", text::capital(&named(step)), used(plan, step)))
}

/// What a step is used for.
fn used(plan: &Plan, step: &Step) -> String {
    let needing = plan.steps().iter().filter(|other| other.needs.iter().any(|fact| step.produces.contains(fact)));
    let needing: Vec<String> = needing.take(STEPS_TOLD_MAX).map(named).collect();
    let found: Vec<String> = step.produces.iter().map(|fact| format!("`{fact}`")).collect();
    let found = text::listed(&found);
    match (needing.as_slice(), plan.draft().concludes(step)) {
        ([], true) => "What it finds is what you are shown as the result.".to_owned(),
        ([], false) => "No other step needs it, and it is not the result.".to_owned(),
        (needing, _) => {
            let verb = if needing.len() == 1 { "needs" } else { "need" };
            format!("It finds {found}, which {} {verb}.", text::listed(needing))
        }
    }
}

fn order(plan: &Plan) -> String {
    let at_once: Vec<StepId> = plan.steps().iter().filter(|step| step.after.is_empty()).map(|step| step.id).collect();
    let start = match at_once.as_slice() {
        [only] => format!("{} starts first.", text::capital(&only.to_string())),
        several => format!(
            "{} run in parallel from the start, at most {} at the same time.",
            text::capital(&patch::numbered(several)),
            limits::STEPS_PARALLEL_MAX
        ),
    };
    let later = plan.steps().iter().filter(|step| !step.after.is_empty()).take(STEPS_TOLD_MAX).map(|step| {
        format!(" {} follows after {}.", text::capital(&step.id.to_string()), patch::numbered(&step.after))
    });
    format!("{start}{}", later.collect::<String>())
}

fn result(draft: &PlanDraft) -> String {
    let of = |fact: &crate::FactName, looked: crate::Presentation| {
        let step = draft.producer(fact).map(named).unwrap_or_default();
        format!("what {step} finds, shown {}", looked.in_words())
    };
    let all: Vec<String> = match draft.endings.results.as_slice() {
        [] => vec![of(&draft.result, draft.presentation)],
        several => several.iter().map(|named| of(&named.fact, named.presentation)).collect(),
    };
    format!("You get {}.", text::listed(&all))
}

/// Where the plan speaks of `words`: in its steps, what they are given, or its assumptions.
fn mention(plan: &Plan, words: &str) -> String {
    let wanted: Vec<String> = words.split(' ').map(stem).collect();
    let speaks = |text: &str| {
        let said: Vec<String> = text::words(text).iter().map(|word| stem(word)).collect();
        wanted.iter().all(|word| said.contains(word))
    };
    let in_step = |step: &&Step| speaks(&step.description) || step.arguments.values().any(|value| speaks(value));
    let steps: Vec<String> = plan.steps().iter().filter(in_step).take(STEPS_TOLD_MAX).map(named).collect();
    let assumed: Vec<&String> = plan.draft().assumptions.iter().filter(|stated| speaks(stated)).collect();
    if steps.is_empty() && assumed.is_empty() {
        return format!("The plan says nothing of “{words}”: no step, condition or assumption names it.");
    }
    let steps = if steps.is_empty() { String::new() } else { format!("It is named in {}. ", text::listed(&steps)) };
    let assumed: Vec<String> = assumed.into_iter().map(|stated| format!("Taken for granted: {stated}")).collect();
    format!("{steps}{}", assumed.join(" ")).trim().to_owned()
}

fn stem(word: &str) -> String {
    word.to_lowercase().trim_end_matches('s').to_owned()
}

fn no_such(plan: &Plan, id: StepId) -> String {
    format!("The plan has no {id}; it has {}.", text::count(plan.steps().len(), "step"))
}

/// Steps told one by one; more are left to the card.
const STEPS_TOLD_MAX: usize = 12;
