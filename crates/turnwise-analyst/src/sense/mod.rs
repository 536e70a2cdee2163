//! What a message means by the weight of its words: each is given something of the data it stands for, by its name or
//! by its meaning, and something to do there, by where it stands. Each way to do so costs the more the less usual it
//! is. Where the grammar misses a word, the cheapest reading that leaves none out is taken where it is cheap and the
//! next is far, and where several are near they are asked about. Where the grammar has a plan, it is held against what
//! this finds: where a reading as good is seen to give other rows, both are offered and neither by itself. Nothing is
//! passed over: a word without a part costs, and the plan names it. Next: `pieces` for the message, `ground` for what
//! words stand for, `uses` for what they do, `search`, `build`, `results` for what plans give.

mod build;
mod costs;
#[cfg(test)]
mod fit;
mod ground;
mod held;
mod implied;
mod likely;
mod pieces;
mod plain;
mod ranked;
mod results;
mod roles;
mod search;
mod sure;
mod units;
mod uses;

use std::collections::BTreeSet;

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, DraftOutcome, PlanDraft, PlanKind, Task};

use super::asked::{self, NEITHER, NOT_IT, unknown};
use super::catalogue::Catalogue;
use super::chosen;
use super::clauses;
use super::coverage;
use super::definitions::Definitions;
use super::draft::{GATHERING, Surroundings};
use super::linking::Vectors;
use super::question::{self, Times};
use super::steps::CHANGED;
use build::Reading;
use held::Held;
use pieces::Message;
use results::Looks;

/// The topic of the question which reading is meant.
const TOPIC: &str = "reading";
/// The topic of the question whether what is offered in place of a refusal is meant.
const INSTEAD: &str = "instead";
/// Ways looked at, and readings that are planned.
const WAYS_MAX: usize = 60;
const PLANNED_MAX: usize = 12;
/// How likely a reading must be that is taken without a plan of the grammar.
const TAKEN_MIN: f64 = 0.8;
/// How likely the first of those must be that are asked about, and how likely the others.
const ASKED_MIN: f64 = 0.3;
const OFFERED_MIN: f64 = 0.08;
/// How likely one must be that is offered in place of a refusal: of 1,092 questions over 46 databases, 467 had such
/// ones, and 264 of these the right one among them.
const INSTEAD_MIN: f64 = 0.1;
/// How near what a word is linked to must be in a reading that is taken.
const NEAR_MIN: f64 = 0.7;
/// Readings asked about, and things that could be asked instead of what is refused.
const CHOICES_MAX: usize = 3;
const SUGGESTED_MAX: usize = 5;
/// How all that is offered is turned down.
const NOT_THEM: &str = "None of these";
/// Pieces of a message that is read so; longer ones are several questions.
const PIECES_MAX: usize = 12;

/// A reading with its plan.
struct Planned {
    reading: Reading,
    plan: PlanDraft,
    /// How likely it is that this is meant, and all others that give the same.
    share: f64,
    /// What became of the words that stand for nothing, and whether it leaves one out.
    of_open: String,
    leaves_words: bool,
}

impl Planned {
    /// How it is told, and how where another is told the same.
    fn labels(&self) -> [String; 2] {
        [described(&self.plan), self.reading.told()].map(|told| told + &self.of_open)
    }

    /// Says what became of each of the words `open`, which stand for nothing: what it is taken for, or that the plan
    /// leaves it out.
    fn name_open(&mut self, open: &[String]) {
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for word in open {
            let quoted = format!("“{word}”");
            let notes = || self.plan.assumptions.iter().filter(|note| note.contains(&quoted));
            match notes().find(|note| note.starts_with(&quoted)) {
                Some(note) => taken.push(note.trim_end_matches('.').to_owned()),
                None => {
                    if notes().next().is_none() {
                        let unused = coverage::not_used(std::slice::from_ref(word));
                        self.plan.assumptions.extend(unused);
                    }
                    left.push(quoted);
                }
            }
        }
        self.leaves_words = !left.is_empty();
        if self.leaves_words {
            taken.push(format!("leaving out {}", left.join(", ")));
        }
        self.of_open = if taken.is_empty() { String::new() } else { format!(" ({})", taken.join("; ")) };
    }

    /// Puts it to what is offered.
    fn offer_to(self, offers: &mut Vec<Offer>) {
        let [told, other] = self.labels();
        let told = if offers.iter().any(|offer| offer.told == told) { other } else { told };
        offers.push(Offer { told, outcome: ready(self.plan) });
    }

    /// Whether it leaves out no word, and takes none for what it is hardly like.
    fn rests_on_all(&self) -> bool {
        self.reading.sureness.left_out.is_empty() && self.reading.sureness.near >= NEAR_MIN
    }
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
    /// What is likely is offered, and why it is not simply done is said.
    Instead,
}

/// What is there beside the data when a message is weighed.
pub struct Beside<'a> {
    pub around: &'a Surroundings<'a>,
    /// What the grammar makes of another task.
    pub again: &'a dyn Fn(&Task) -> DraftOutcome,
}

/// What becomes of `task`, of which the grammar made `outcome`.
pub fn weighed(
    catalogue: &Catalogue,
    vectors: &Vectors,
    task: &Task,
    beside: &Beside<'_>,
    outcome: DraftOutcome,
) -> DraftOutcome {
    let around = beside.around;
    if !is_read(catalogue, task) {
        return outcome;
    }
    match &outcome {
        DraftOutcome::Ready { .. } | DraftOutcome::Impossible { .. } => {}
        // What may mean several things of this data is for the person to say, and how a number is gathered is too.
        DraftOutcome::Unclear { clarification }
            if asked::offered(clarification) < 2 && !clarification.topic.starts_with(GATHERING) => {}
        _ => return outcome,
    }
    let message = message(catalogue, task);
    if message.beyond && matches!(outcome, DraftOutcome::Ready { .. }) {
        return outcome;
    }
    // Why nearness in meaning cannot be told is said where a word is asked about.
    let Ok(mut planned) = planned(catalogue, vectors, &message, task, around) else { return outcome };
    let open = match &outcome {
        DraftOutcome::Ready { .. } => Vec::new(),
        _ => unknown(catalogue, task),
    };
    planned.iter_mut().for_each(|one| one.name_open(&open));
    let answer = task.answers.iter().rev().find(|answer| is_of_reading(answer)).map(|answer| answer.answer.as_str());
    if let Some(chosen) = answer.and_then(|answer| labelled(&planned, &outcome, answer)) {
        return chosen;
    }
    let looks = Looks::new(around);
    let planned = likely::pooled(&looks, &message, planned);
    let decision = match &outcome {
        DraftOutcome::Ready { plan, .. } => {
            let held = Held { catalogue, looks: &looks, message: &message, text: &task.problem, planned: &planned };
            if held.is_doubted(plan) { Decision::Ask } else { Decision::Leave }
        }
        // What was understood and cannot be done stays refused.
        DraftOutcome::Impossible { .. } if !is_weighed(&open, &message) => Decision::Leave,
        _ => read(&planned, &outcome),
    };
    let asked = match decision {
        Decision::Leave if answer.is_none() => return refused(beside, &looks, task, &planned, outcome),
        Decision::Take if answer.is_none() => {
            return planned.into_iter().find(is_offered).map_or(outcome, |one| ready(one.plan));
        }
        Decision::Instead => Asked { why: Some(why(&outcome)), offers: instead_of(planned) },
        Decision::Leave | Decision::Take | Decision::Ask => Asked { why: None, offers: offers(planned, outcome) },
    };
    match answer {
        Some(answer) => asked.chosen(answer),
        None => DraftOutcome::Unclear { clarification: asked.question() },
    }
}

/// Whether a reading can be offered without a plan of the grammar: it leaves out nothing that was asked for, and takes
/// no word for what it is hardly like.
fn is_offered(one: &Planned) -> bool {
    one.reading.sureness.is_like() && one.reading.leaves_enough()
}

/// The outcome; where it is a refusal, with what could be asked instead.
fn refused(
    beside: &Beside<'_>,
    looks: &Looks<'_>,
    task: &Task,
    planned: &[Planned],
    outcome: DraftOutcome,
) -> DraftOutcome {
    match outcome {
        DraftOutcome::Impossible { explanation, suggestions } => {
            let suggestions = instead(beside, looks, task, planned, &suggestions);
            DraftOutcome::Impossible { explanation, suggestions }
        }
        other => other,
    }
}

/// What could be asked instead: the likeliest readings in words that are read as just that, then what there is.
fn instead(beside: &Beside<'_>, looks: &Looks<'_>, task: &Task, planned: &[Planned], others: &[String]) -> Vec<String> {
    let mut suggested: Vec<String> = Vec::new();
    let likely = planned.iter().filter(|one| one.share >= OFFERED_MIN && one.reading.sureness.is_like());
    for one in likely.take(CHOICES_MAX) {
        let is_read = |text: &String| {
            let task = Task { problem: text.clone(), answers: Vec::new(), ..task.clone() };
            match (beside.again)(&task) {
                DraftOutcome::Ready { plan, .. } => {
                    clauses::done_by(&plan) == clauses::done_by(&one.plan)
                        || looks.are_alike(&plan, &one.plan).unwrap_or(false)
                }
                _ => false,
            }
        };
        let own = [begun_small(&described(&one.plan)), one.reading.plainly()];
        suggested.extend(own.into_iter().find(is_read));
    }
    suggested.extend(others.iter().cloned());
    let mut known = BTreeSet::new();
    suggested.retain(|text| known.insert(text.clone()));
    suggested.truncate(SUGGESTED_MAX);
    suggested
}

/// A text that begins with a small letter, as questions are typed.
fn begun_small(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Whether what was refused was refused for words that name nothing, all of which are weighed here: anything else was
/// understood, and stays refused.
fn is_weighed(open: &[String], message: &Message) -> bool {
    let weighs = |word: &str| message.pieces.iter().any(|piece| piece.span.text.contains(word));
    !open.is_empty() && open.iter().all(|term| term.split_whitespace().all(weighs))
}

/// What is offered: the grammar's plan, where there is one, and what else is likely; without one the readings that are
/// likeliest.
fn offers(planned: Vec<Planned>, outcome: DraftOutcome) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    let mut own = None;
    if let DraftOutcome::Ready { plan, .. } = &outcome {
        own = Some(clauses::done_by(plan));
        offers.push(Offer { told: described(plan), outcome });
    }
    let is_other = |one: &Planned| match &own {
        Some(own) => *own != clauses::done_by(&one.plan) && one.share >= OFFERED_MIN,
        None => one.share >= OFFERED_MIN && is_offered(one),
    };
    for one in planned.into_iter().filter(is_other) {
        if offers.len() < CHOICES_MAX {
            one.offer_to(&mut offers);
        }
    }
    offers
}

/// What is offered in place of a refusal: what is likely, whatever it leaves out.
fn instead_of(planned: Vec<Planned>) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    for one in planned.into_iter().filter(is_instead).take(CHOICES_MAX) {
        one.offer_to(&mut offers);
    }
    offers
}

/// Whether a reading is offered in place of a refusal: it takes no word for what it is nothing like, and does not list
/// all rows where a word is left out that would say which.
fn is_instead(one: &Planned) -> bool {
    let question = &one.reading.question;
    let says_which = !question.filters.is_empty() || !question.related.is_empty() || !question.rank.is_empty();
    let lists_all = question.measures.is_empty() && !says_which && one.reading.periods.is_empty();
    one.share >= INSTEAD_MIN && one.reading.sureness.is_possible() && !(lists_all && one.leaves_words)
}

/// Why nothing is planned without asking, where the grammar has no plan.
fn why(outcome: &DraftOutcome) -> String {
    match outcome {
        DraftOutcome::Impossible { explanation, .. } => explanation.clone(),
        DraftOutcome::Unclear { clarification } => clarification.question.clone(),
        DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => String::new(),
    }
}

/// What is asked about.
struct Asked {
    /// Why it is, where the grammar has no plan.
    why: Option<String>,
    offers: Vec<Offer>,
}

impl Asked {
    /// The question which of what is offered is meant; of a single one, whether it is. Whatever is said in place of an
    /// answer is taken for what it is.
    fn question(&self) -> Clarification {
        let (asks, not) = match (self.offers.as_slice(), &self.why) {
            ([_], None) => ("I am not sure that this is what you mean. Is it?".to_owned(), NOT_IT),
            ([_], Some(why)) => (format!("{why} Is this meant?"), NOT_IT),
            (_, None) => ("This can be read in more than one way. Which is meant?".to_owned(), NOT_THEM),
            (_, Some(why)) => (format!("{why} Is one of these meant?"), NOT_THEM),
        };
        let told = |offer: &Offer| match self.offers.as_slice() {
            [_] => format!("Yes: {}", offer.told),
            _ => offer.told.clone(),
        };
        let mut choices: Vec<Choice> =
            self.offers.iter().map(|offer| Choice::new(offer.told.clone(), told(offer))).collect();
        choices.push(Choice::new(NEITHER.to_owned(), not.to_owned()));
        let topic = if self.why.is_some() { INSTEAD } else { TOPIC };
        Clarification { topic: topic.to_owned(), question: asks, choices, assumption: None, of: 0 }
    }

    /// What was chosen in other words, of what is offered; else the question once more.
    fn chosen(self, answer: &str) -> DraftOutcome {
        let clarification = self.question();
        let meant = chosen::meant(&clarification.choices, answer).map(|choice| choice.value.clone());
        let found = meant.and_then(|meant| self.offers.into_iter().find(|offer| offer.told == meant));
        found.map_or_else(|| chosen::again(clarification, answer), |offer| offer.outcome)
    }
}

/// What was chosen by its label, however long a look at the data takes this time: the grammar's plan, or any reading by
/// either of its labels.
fn labelled(planned: &[Planned], outcome: &DraftOutcome, answer: &str) -> Option<DraftOutcome> {
    if matches!(outcome, DraftOutcome::Ready { plan, .. } if described(plan) == answer) {
        return Some(outcome.clone());
    }
    let one = planned.iter().find(|one| one.labels().iter().any(|label| label == answer))?;
    Some(ready(one.plan.clone()))
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
        && task.answers.iter().all(is_of_reading)
        && Definitions::of_task(catalogue, task).mark(&[message]).is_empty()
}

/// Whether a question offers something in place of a refusal.
pub fn is_in_place_of_refusal(asked: &Clarification) -> bool {
    asked.topic == INSTEAD
}

/// Whether an answer says which reading is meant.
fn is_of_reading(answer: &ClarifiedAnswer) -> bool {
    [TOPIC, INSTEAD].contains(&answer.topic.as_str())
}

/// What a plan does, for people.
fn described(plan: &PlanDraft) -> String {
    plan.steps.iter().map(|step| step.description.as_str()).collect::<Vec<_>>().join(", ")
}

/// What is done with the readings where words name nothing: one that rests on every word is taken where it is likely
/// enough, several that can be told apart are asked about, and what else is likely is offered.
fn read(planned: &[Planned], outcome: &DraftOutcome) -> Decision {
    let offered = || planned.iter().filter(|one| is_offered(one));
    let best = offered().next();
    if best.is_some_and(|best| best.share >= TAKEN_MIN && best.rests_on_all()) {
        return Decision::Take;
    }
    let several = offered().filter(|one| one.share >= OFFERED_MIN).count() > 1;
    match outcome {
        DraftOutcome::Impossible { .. } if several && best.is_some_and(|best| best.share >= ASKED_MIN) => Decision::Ask,
        DraftOutcome::Impossible { .. } if planned.iter().any(is_instead) => Decision::Instead,
        // The question that the grammar has is nearer to what it asks about.
        _ => Decision::Leave,
    }
}

/// The readings that can be planned, the cheapest first; of those that do the same, the first.
fn planned(
    catalogue: &Catalogue,
    vectors: &Vectors,
    message: &Message,
    task: &Task,
    around: &Surroundings<'_>,
) -> Result<Vec<Planned>, String> {
    let spoken = message.pieces.iter().filter(|piece| piece.silent.is_none()).count();
    if spoken == 0 || spoken > PIECES_MAX {
        return Ok(Vec::new());
    }
    let grounds = ground::all(catalogue, vectors, &message.pieces)?;
    let mut readings: Vec<Reading> = Vec::new();
    for way in search::ways(catalogue, message, &grounds).iter().take(WAYS_MAX) {
        let reading = build::reading(catalogue, message, way);
        readings.extend(reading.filter(|one| !readings.iter().any(|other| one.is_same(other))));
    }
    readings.sort_by(|one, other| one.costs.total().total_cmp(&other.costs.total()));
    let mut done = BTreeSet::new();
    let mut planned = Vec::new();
    for reading in readings.into_iter().take(PLANNED_MAX) {
        let times = Times { periods: reading.periods.clone(), grains: reading.grains.clone(), date: reading.date };
        // What cannot be planned so is none of the readings; the grammar says why of its own.
        let Ok(bound) = question::plan_sensed(catalogue, &reading.question, &times, task, around) else { continue };
        if done.insert(clauses::done_by(&bound.plan)) {
            planned.push(Planned {
                reading,
                plan: bound.plan,
                share: 0.0,
                of_open: String::new(),
                leaves_words: false,
            });
        }
    }
    Ok(planned)
}
