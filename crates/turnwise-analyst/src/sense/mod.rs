//! What a message means by the weight of its words: each is given something of the data it stands for, by its name or
//! by its meaning, and something to do there, by where it stands. Each way to do so costs the more the less usual it
//! is. Where the grammar has no plan, the cheapest reading that can be planned is taken where it is cheap and the next
//! is far, and where several are near they are asked about. Where the grammar has one, it is held against what this
//! finds: a plan that gives another result than a reading as good is not offered by itself, both are. Nothing is passed
//! over: a word without a part costs, and the plan names it. Next: `pieces` for the message, `ground` for what words
//! stand for, `uses` for what they do, `search`, `build`, `results` for what plans give.

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

/// What becomes of `task`, of which the grammar made `outcome`.
pub fn weighed(
    catalogue: &Catalogue,
    vectors: &Vectors,
    task: &Task,
    around: &Surroundings<'_>,
    outcome: DraftOutcome,
) -> DraftOutcome {
    // What was refused for another reason than a word that names nothing was understood, and stays refused.
    let refused = matches!(outcome, DraftOutcome::Impossible { .. }) && asked::unknown(catalogue, task).is_empty();
    // What may mean several things of this data is for the person to say, but for how a number is gathered.
    let asked = matches!(&outcome, DraftOutcome::Unclear { clarification }
        if clarification.choices.len() > 1 && !clarification.topic.starts_with(GATHERING));
    if refused || asked || !is_read(catalogue, task) {
        return outcome;
    }
    // Why nearness in meaning cannot be told is said where a word is asked about.
    let message = message(catalogue, task);
    // A word that the grammar misses and this passes over as a small one would be left out.
    let weighs = |word: &str| message.pieces.iter().any(|piece| piece.span.text.contains(word));
    let is_open = matches!(outcome, DraftOutcome::Impossible { .. });
    let unknown = || asked::unknown(catalogue, task);
    if is_open && unknown().iter().any(|term| !term.split_whitespace().all(weighs)) {
        return outcome;
    }
    let Ok(planned) = planned(catalogue, vectors, &message, task, around) else { return outcome };
    let offers = match outcome {
        DraftOutcome::Ready { .. } => match held(catalogue, around, &message, &planned, outcome) {
            Ok(outcome) => return outcome,
            Err(offers) => offers,
        },
        DraftOutcome::Unclear { .. } | DraftOutcome::Impossible { .. } => match read(planned, outcome) {
            Ok(outcome) => return outcome,
            Err(offers) => offers,
        },
        DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => return outcome,
    };
    let choices = offers.iter().map(|offer| Choice::new(offer.told.clone(), offer.told.clone())).collect();
    let question = "This can be read in more than one way. Which is meant?".to_owned();
    let clarification = Clarification { topic: TOPIC.to_owned(), question, choices, assumption: None, of: 0 };
    let Some(answer) = task.answers.iter().rev().find(|answer| answer.topic == TOPIC) else {
        return DraftOutcome::Unclear { clarification };
    };
    let meant = chosen::meant(&clarification.choices, &answer.answer).map(|choice| choice.value.clone());
    let found = meant.and_then(|meant| offers.into_iter().find(|offer| offer.told == meant));
    found.map_or_else(|| chosen::again(clarification, &answer.answer), |offer| offer.outcome)
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

/// The plan of the grammar, or both it and a reading as good that gives something else.
fn held(
    catalogue: &Catalogue,
    around: &Surroundings<'_>,
    message: &Message,
    planned: &[Planned],
    outcome: DraftOutcome,
) -> Result<DraftOutcome, Vec<Offer>> {
    let DraftOutcome::Ready { plan, .. } = &outcome else { return Ok(outcome) };
    let Ok(form) = serde_json::from_str::<QueryForm>(&plan.form) else { return Ok(outcome) };
    let most = if has_unasked(&form, message) { UNASKED_MAX } else { HELD_MAX };
    let Some(best) = planned.first().filter(|best| best.reading.cost <= most) else { return Ok(outcome) };
    let unasked = has_unasked(&form, message);
    // What only the grammar can say is not held against anything, unless nothing asked for it.
    let own = Question::of(catalogue, &form).ok();
    if own.is_none() && !unasked {
        return Ok(outcome);
    }
    // What leaves out a word, or reads no more than the grammar's plan does, cannot show what that left out.
    if best.plan.assumptions.iter().any(|assumption| coverage::is_note(assumption)) {
        return Ok(outcome);
    }
    if !unasked && !question::adds(&best.reading.question, plan) {
        return Ok(outcome);
    }
    let near = planned.iter().take_while(|one| one.reading.cost - best.reading.cost < HELD_APART_MIN);
    // They differ where they are seen to give different things.
    let is_same = |other: &Planned| {
        clauses::done_by(plan) == clauses::done_by(&other.plan)
            || own.as_ref().is_some_and(|own| own.asks_same(&other.reading.question))
            || results::are_alike(around, plan, &other.plan).unwrap_or(true)
    };
    if near.into_iter().any(is_same) {
        return Ok(outcome);
    }
    let told = described(plan);
    let ready = |plan: &PlanDraft| DraftOutcome::Ready { plan: plan.clone(), learned: Vec::new() };
    let other = described(&best.plan);
    let other = if other == told { best.reading.told() } else { other };
    let second = Offer { told: other, outcome: ready(&best.plan) };
    Err(vec![Offer { told, outcome }, second])
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

/// What is read where the grammar has no plan: the one reading, or those that are near; its own outcome where there is
/// none.
fn read(planned: Vec<Planned>, outcome: DraftOutcome) -> Result<DraftOutcome, Vec<Offer>> {
    // What leaves a word out is none of the readings, whatever else it has.
    let planned: Vec<Planned> = planned.into_iter().filter(|one| one.reading.near >= NEAR_MIN).collect();
    let Some(best) = planned.first().map(|one| one.reading.cost) else { return Ok(outcome) };
    let sure = planned.first().is_some_and(|one| !one.reading.guessed);
    let apart = planned.get(1).is_none_or(|next| next.reading.cost - best >= APART_MIN);
    let ready = |one: Planned| DraftOutcome::Ready { plan: one.plan, learned: Vec::new() };
    if best <= TAKEN_MAX && apart && sure {
        return Ok(planned.into_iter().next().map_or(outcome, ready));
    }
    // The question that the grammar has is about one word, and nearer to it.
    let is_asked = matches!(outcome, DraftOutcome::Unclear { .. });
    let near = planned.into_iter().filter(|one| one.reading.cost - best <= NEAR_MAX).take(CHOICES_MAX);
    let mut offers: Vec<Offer> = Vec::new();
    for one in near {
        let told = described(&one.plan);
        let told = if offers.iter().any(|other| other.told == told) { one.reading.told() } else { told };
        offers.push(Offer { told, outcome: ready(one) });
    }
    if is_asked || best > ASKED_MAX || offers.len() < 2 { Ok(outcome) } else { Err(offers) }
}

/// The readings that can be planned, the cheapest first; of those that do the same, the first.
fn planned(
    catalogue: &Catalogue,
    vectors: &Vectors,
    message: &Message,
    task: &Task,
    around: &Surroundings<'_>,
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
    for reading in readings.into_iter().take(PLANNED_MAX) {
        let times = Times { periods: reading.periods.clone(), grains: reading.grains.clone(), date: reading.date };
        // What cannot be planned so is none of the readings; the grammar says why of its own.
        let Ok(bound) = question::plan_sensed(catalogue, &reading.question, &times, task, around) else { continue };
        if done.insert(clauses::done_by(&bound.plan)) {
            planned.push(Planned { reading, plan: bound.plan });
        }
    }
    Ok(planned)
}
