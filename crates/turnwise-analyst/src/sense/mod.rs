//! What a message means by the weight of its words: each is given something of the data it stands for, by its name or
//! by its meaning, and something to do there, by where it stands. Each way to do so costs the more the less usual it
//! is. Where the grammar misses a word, the cheapest reading that leaves none out is taken where it is cheap and the
//! next is far, and where several are near they are asked about. Where the grammar has a plan, it is held against what
//! this finds: where a reading as good is seen to give other rows, both are offered and neither by itself. Nothing is
//! passed over: a word without a part costs, and the plan names it. Next: `pieces` for the message, `ground` for what
//! words stand for, `uses` for what they do, `search`, `build`, `results` for what plans give.

mod build;
mod ground;
mod pieces;
mod ranked;
mod results;
mod roles;
mod search;
mod sure;
mod units;
mod uses;

use std::collections::BTreeSet;

use turnwise_core::{Choice, Clarification, DraftOutcome, PlanDraft, PlanKind, Task};

use super::asked;
use super::catalogue::Catalogue;
use super::chosen;
use super::clauses;
use super::coverage;
use super::definitions::Definitions;
use super::draft::{GATHERING, Surroundings};
use super::form::QueryForm;
use super::linking::Vectors;
use super::question::{self, Question, Times};
use super::steps::CHANGED;
use build::Reading;
use pieces::{Message, Place};

/// The topic of the question which reading is meant.
const TOPIC: &str = "reading";
/// Ways looked at, and readings that are planned.
const WAYS_MAX: usize = 60;
const PLANNED_MAX: usize = 12;
/// What a reading may cost that is taken, and how far the next must be.
const TAKEN_MAX: f64 = 2.05;
const APART_MIN: f64 = 0.45;
/// What a reading may cost that is held against the grammar's plan, and against one that has groups that nothing
/// asks for.
const HELD_MAX: f64 = 1.0;
const UNASKED_MAX: f64 = 2.5;
/// How far a reading must be from the cheapest, not to be as good.
const HELD_APART_MIN: f64 = 0.6;
/// What a reading may cost that is looked at at all.
const COST_MAX: f64 = 6.0;
/// What a reading may cost that is asked about, and how far from the cheapest.
const ASKED_MAX: f64 = 2.6;
const NEAR_MAX: f64 = 2.5;
/// How near what a word is linked to must be.
const NEAR_MIN: f64 = 0.7;
/// Readings asked about.
const CHOICES_MAX: usize = 3;
/// Pieces of a message that is read so; longer ones are several questions.
const PIECES_MAX: usize = 12;

/// A reading with its plan.
struct Planned {
    reading: Reading,
    plan: PlanDraft,
}

/// Something that is offered.
struct Offer {
    /// How it is told.
    told: String,
    /// What becomes of it.
    outcome: DraftOutcome,
}

/// What is done with the readings of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// The grammar's outcome stands.
    Leave,
    /// The first reading is taken.
    Take,
    /// What is offered is asked about.
    Ask,
}

/// What becomes of `task`, of which the grammar made `outcome`.
pub fn weighed(
    catalogue: &Catalogue,
    vectors: &Vectors,
    task: &Task,
    around: &Surroundings<'_>,
    outcome: DraftOutcome,
) -> DraftOutcome {
    if !is_read(catalogue, task) {
        return outcome;
    }
    let message = message(catalogue, task);
    let most = match &outcome {
        DraftOutcome::Ready { .. } => UNASKED_MAX + HELD_APART_MIN,
        DraftOutcome::Impossible { .. } if is_weighed(catalogue, task, &message) => COST_MAX,
        // What may mean several things of this data is for the person to say, but for how a number is gathered.
        DraftOutcome::Unclear { clarification }
            if clarification.choices.len() < 2 || clarification.topic.starts_with(GATHERING) =>
        {
            COST_MAX
        }
        _ => return outcome,
    };
    // Why nearness in meaning cannot be told is said where a word is asked about.
    let Ok(mut planned) = planned(catalogue, vectors, &message, task, around, most) else { return outcome };
    if !matches!(outcome, DraftOutcome::Ready { .. }) {
        // What leaves a word out is none of the readings, whatever else it has.
        planned.retain(|one| one.reading.near >= NEAR_MIN);
    }
    // What was answered is what was offered, however long a look at the data takes this time.
    if let Some(answer) = task.answers.iter().rev().find(|answer| answer.topic == TOPIC) {
        return chosen(offers(planned, outcome), &answer.answer);
    }
    let decision = match &outcome {
        DraftOutcome::Ready { plan, .. } => held(catalogue, around, &message, &planned, plan),
        other => read(&planned, other),
    };
    match (decision, planned) {
        (Decision::Leave, _) => outcome,
        (Decision::Take, planned) => planned.into_iter().next().map_or(outcome, |one| ready(one.plan)),
        (Decision::Ask, planned) => DraftOutcome::Unclear { clarification: question(&offers(planned, outcome)) },
    }
}

/// Whether what was refused was refused for words that name nothing, all of which are weighed here: anything else was
/// understood, and stays refused.
fn is_weighed(catalogue: &Catalogue, task: &Task, message: &Message) -> bool {
    let weighs = |word: &str| message.pieces.iter().any(|piece| piece.span.text.contains(word));
    let unknown = asked::unknown(catalogue, task);
    !unknown.is_empty() && unknown.iter().all(|term| term.split_whitespace().all(weighs))
}

/// What is offered: the grammar's plan, where there is one, and the first reading; else the readings that are near.
fn offers(planned: Vec<Planned>, outcome: DraftOutcome) -> Vec<Offer> {
    let Some(best) = planned.first().map(|one| one.reading.cost) else { return Vec::new() };
    let mut offers: Vec<Offer> = Vec::new();
    let mut readings = CHOICES_MAX;
    if let DraftOutcome::Ready { plan, .. } = &outcome {
        offers.push(Offer { told: described(plan), outcome });
        readings = 1;
    }
    for one in planned.into_iter().filter(|one| one.reading.cost - best <= NEAR_MAX).take(readings) {
        let told = described(&one.plan);
        let told = if offers.iter().any(|other| other.told == told) { one.reading.told() } else { told };
        offers.push(Offer { told, outcome: ready(one.plan) });
    }
    offers
}

/// The question which of them is meant.
fn question(offers: &[Offer]) -> Clarification {
    let choices = offers.iter().map(|offer| Choice::new(offer.told.clone(), offer.told.clone())).collect();
    let question = "This can be read in more than one way. Which is meant?".to_owned();
    Clarification { topic: TOPIC.to_owned(), question, choices, assumption: None, of: 0 }
}

/// What was chosen; the question once more where it is none of them.
fn chosen(offers: Vec<Offer>, answer: &str) -> DraftOutcome {
    let clarification = question(&offers);
    let meant = chosen::meant(&clarification.choices, answer).map(|choice| choice.value.clone());
    let found = meant.and_then(|meant| offers.into_iter().find(|offer| offer.told == meant));
    found.map_or_else(|| chosen::again(clarification, answer), |offer| offer.outcome)
}

fn ready(plan: PlanDraft) -> DraftOutcome {
    DraftOutcome::Ready { plan, learned: Vec::new() }
}

/// The message of a task, taken apart; what is said of files stands beside the question.
fn message(catalogue: &Catalogue, task: &Task) -> Message {
    let said = task.problem.split(CHANGED).next().unwrap_or_default();
    pieces::message(catalogue, &super::files::asked(said).rest)
}

/// Whether a task is read so: a new question, of which nothing was defined or answered but this.
fn is_read(catalogue: &Catalogue, task: &Task) -> bool {
    let message = task.problem.split(CHANGED).next().unwrap_or_default();
    task.previous.is_none()
        && task.changes.is_empty()
        && task.kind == PlanKind::Plain
        && task.answers.iter().all(|answer| answer.topic == TOPIC)
        && Definitions::of_task(catalogue, task).mark(&[message]).is_empty()
}

/// Whether a reading as good as the grammar's plan is seen to give something else.
fn held(
    catalogue: &Catalogue,
    around: &Surroundings<'_>,
    message: &Message,
    planned: &[Planned],
    plan: &PlanDraft,
) -> Decision {
    let Ok(form) = serde_json::from_str::<QueryForm>(&plan.form) else { return Decision::Leave };
    let unasked = has_unasked(&form, message);
    let most = if unasked { UNASKED_MAX } else { HELD_MAX };
    let Some(best) = planned.first().filter(|best| best.reading.cost <= most) else { return Decision::Leave };
    // What only the grammar can say is not held against anything, unless nothing asked for it.
    let own = Question::of(catalogue, &form).ok();
    // What leaves out a word, or reads no more than the grammar's plan does, cannot show what that left out.
    let leaves_out = best.plan.assumptions.iter().any(|assumption| coverage::is_note(assumption));
    if leaves_out || !(unasked || (own.is_some() && question::adds(&best.reading.question, plan))) {
        return Decision::Leave;
    }
    let mut near = planned.iter().take_while(|one| one.reading.cost - best.reading.cost < HELD_APART_MIN);
    // They differ where they are seen to give different things.
    let is_same = |other: &Planned| {
        clauses::done_by(plan) == clauses::done_by(&other.plan)
            || own.as_ref().is_some_and(|own| own.asks_same(&other.reading.question))
            || results::are_alike(around, plan, &other.plan).unwrap_or(true)
    };
    if near.any(is_same) { Decision::Leave } else { Decision::Ask }
}

/// Whether a form has groups beside its numbers that no word of the message asks for.
fn has_unasked(form: &QueryForm, message: &Message) -> bool {
    let by = |place: Place| matches!(place, Place::Grouped | Place::Sought | Place::Ranked);
    let said = message.pieces.iter().filter(|piece| by(piece.place)).count() + message.grains.len();
    let said = said + usize::from(message.who || message.compared || message.ranked.is_some());
    !form.measures.is_empty() && form.dimensions.len() > said
}

/// What a plan does, for people.
fn described(plan: &PlanDraft) -> String {
    plan.steps.iter().map(|step| step.description.as_str()).collect::<Vec<_>>().join(", ")
}

/// What is done with the readings where the grammar has no plan.
fn read(planned: &[Planned], outcome: &DraftOutcome) -> Decision {
    let Some(best) = planned.first().map(|one| &one.reading) else { return Decision::Leave };
    let next = planned.get(1).map_or(f64::INFINITY, |next| next.reading.cost - best.cost);
    if best.cost <= TAKEN_MAX && next >= APART_MIN && !best.guessed {
        return Decision::Take;
    }
    // The question that the grammar has is about one word, and nearer to it.
    let is_asked = matches!(outcome, DraftOutcome::Unclear { .. });
    if is_asked || best.cost > ASKED_MAX || next > NEAR_MAX { Decision::Leave } else { Decision::Ask }
}

/// The readings that can be planned and cost no more than `most`, the cheapest first; of those that do the same, the
/// first.
fn planned(
    catalogue: &Catalogue,
    vectors: &Vectors,
    message: &Message,
    task: &Task,
    around: &Surroundings<'_>,
    most: f64,
) -> Result<Vec<Planned>, String> {
    if message.beyond || message.pieces.is_empty() || message.pieces.len() > PIECES_MAX {
        return Ok(Vec::new());
    }
    let grounds = ground::all(catalogue, vectors, &message.pieces)?;
    let mut readings: Vec<Reading> = Vec::new();
    for way in search::ways(catalogue, message, &grounds).iter().take(WAYS_MAX) {
        let reading = build::reading(catalogue, message, way);
        readings.extend(reading.filter(|one| !readings.iter().any(|other| one.is_same(other))));
    }
    readings.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let mut done = BTreeSet::new();
    let mut planned = Vec::new();
    for reading in readings.into_iter().take_while(|one| one.cost <= most).take(PLANNED_MAX) {
        let times = Times { periods: reading.periods.clone(), grains: reading.grains.clone(), date: reading.date };
        // What cannot be planned so is none of the readings; the grammar says why of its own.
        let Ok(bound) = question::plan_sensed(catalogue, &reading.question, &times, task, around) else { continue };
        if done.insert(clauses::done_by(&bound.plan)) {
            planned.push(Planned { reading, plan: bound.plan });
        }
    }
    Ok(planned)
}
