//! A word nobody knows: what it is linked to with enough certainty is taken and said on the plan; else there is a
//! question back, “What does “parcel” mean here?”, with the likeliest things of this data, each of them offered only if
//! the whole question can be planned with it. Where nothing helps, the refusal stays. Next: `term` for the words,
//! `linking` for what they may mean, `definitions::answered` for the answer.

mod term;

use std::cell::Cell;

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, DraftOutcome, PlanDraft, Task};

use super::catalogue::Catalogue;
use super::definitions::{self, Definitions};
use super::files;
use super::form::QueryForm;
use super::linking::{self, Linked, Vectors};
use super::overview;
use super::phrased;
use super::read;
use super::steps;

pub use term::{Place, Term, find, is_article, is_be, is_grammar, is_telling, nameless};

/// Words asked about, one after the other: with more than these unknown, the question is another one.
const TERMS_MAX: usize = 3;
/// Proposals offered.
const OFFERED_MAX: usize = 4;
/// What turns down all that is offered, and how that is told of one.
pub const NEITHER: &str = "none of these";
pub const NOT_IT: &str = "No, something else";
/// How likely a meaning must be to be taken unasked: of these, on fields that nothing was fitted
/// on, one in twelve is wrong before the plan is tried.
pub const TAKEN_MIN: f64 = 0.85;
/// How likely a meaning must be to be offered: less likely ones are seldom what is meant.
pub const OFFERED_MIN: f64 = 0.05;
/// How near the name of what is offered must be by itself, of rows and of anything else: of a word that is none, the
/// likeliest of all there is would be offered otherwise.
const NEAR_ROWS_MIN: f32 = 0.42;
const NEAR_MIN: f32 = 0.37;
/// How likely a meaning must be to be offered however far its name is by itself.
const LIKELY_MIN: f64 = 0.35;
/// How likely it may be that none is meant, where a word is still asked about.
const NONE_MAX: f64 = 0.9;
/// Plans tried for one question: each costs what planning costs, and a person waits.
const TRIALS_MAX: usize = 40;

/// Other questions that may come before the plan.
const FURTHER_MAX: usize = 1;

/// What a question back is made from.
pub struct Asking<'a> {
    /// What the data has.
    pub catalogue: &'a Catalogue,
    /// What is near in meaning to what.
    pub vectors: &'a Vectors,
    /// What comes of planning a task.
    pub plan: &'a dyn Fn(&Task) -> DraftOutcome,
}

/// A word with what it may mean.
struct Open {
    term: Term,
    proposals: Vec<Linked>,
}

impl Asking<'_> {
    /// The task with the first word that nobody knows and that is linked with enough certainty, as if it had been
    /// answered so.
    ///
    /// # Errors
    /// Why words cannot be linked.
    pub fn linked(&self, task: &Task) -> Result<Option<Task>, String> {
        let texts = texts(self.catalogue, task);
        let mut terms = self.terms(task);
        if terms.is_empty() {
            // Where a reason is known why it cannot be told, another word for the same would only pass it by.
            let is_open = |text: &&String| read::question(self.catalogue, text).doubt.is_none();
            terms = texts.iter().filter(is_open).flat_map(|text| nameless(self.catalogue, text)).collect();
        }
        if terms.len() > TERMS_MAX {
            return Ok(None);
        }
        for term in terms {
            let links = linking::link(self.catalogue, self.vectors, &texts, &term)?;
            // Rows are what a question is about: which of them are meant is never taken unasked.
            let is_taken = |best: &&Linked| best.probability >= TAKEN_MIN && !best.is_rows;
            if let Some(best) = links.likely.first().filter(is_taken) {
                let topic = definitions::linked(&term.words);
                let answer = ClarifiedAnswer { topic, answer: best.means.clone(), said_in: None, assumed: false };
                return Ok(Some(with_answer(task, answer)));
            }
        }
        Ok(None)
    }

    /// The question back that may help with `task`, which cannot be planned.
    ///
    /// # Errors
    /// Why the proposals cannot be made.
    pub fn question(&self, task: &Task) -> Result<Option<DraftOutcome>, String> {
        if let Some((term, why)) = definitions::misunderstood(self.catalogue, task) {
            let asked = definitions::topic(&term);
            let answers = task.answers.iter().filter(|answer| answer.topic != asked).cloned().collect();
            let before = self.unknown(&Task { answers, ..task.clone() })?;
            let said = format!("{}. ", why.explanation);
            return Ok(Some(before.unwrap_or_else(|| unclear(&term, "", Vec::new()))).map(|found| with(&said, found)));
        }
        self.unknown(task)
    }

    fn unknown(&self, task: &Task) -> Result<Option<DraftOutcome>, String> {
        let terms = self.terms(task);
        if terms.is_empty() || terms.len() > TERMS_MAX {
            return Ok(None);
        }
        let texts = texts(self.catalogue, task);
        let mut open = Vec::new();
        for term in terms {
            let links = linking::link(self.catalogue, self.vectors, &texts, &term)?;
            let offered =
                |one: &Linked| one.probability >= LIKELY_MIN || (one.probability >= OFFERED_MIN && is_near(one));
            let proposals: Vec<Linked> = links.likely.into_iter().filter(offered).collect();
            if proposals.is_empty() || links.none > NONE_MAX {
                return Ok(None);
            }
            open.push(Open { term, proposals });
        }
        let Some((first, rest)) = open.split_first() else { return Ok(None) };
        let trials = Cell::new(TRIALS_MAX);
        let mut offered: Vec<&Linked> = Vec::new();
        for proposal in &first.proposals {
            let goes_on = || self.goes_on(&answered(task, &first.term, proposal), rest, &trials);
            if offered.len() < OFFERED_MAX && goes_on() && self.tests_enough(task, first, rest, proposal) {
                offered.push(proposal);
            }
        }
        let term = &first.term.words;
        Ok(match offered.as_slice() {
            [] => None,
            // One thing is no choice: it is named, and the person says what is meant.
            [one] if one.is_rows && !is_near(one) => None,
            [one] => Some(perhaps(term, one.choice())),
            several => Some(unclear(term, "", several.iter().map(|one| one.choice()).collect())),
        })
    }

    /// Whether a word that says which rows are meant makes a test of the plan: a column that is merely shown would
    /// answer another question.
    fn tests_enough(&self, task: &Task, first: &Open, rest: &[Open], proposal: &Linked) -> bool {
        if !narrows(&first.term) || proposal.is_rows || !rest.is_empty() {
            return true;
        }
        match (self.plan)(&answered(task, &first.term, proposal)) {
            DraftOutcome::Ready { plan, .. } => is_tested(&plan.form),
            DraftOutcome::Several { .. }
            | DraftOutcome::Answered { .. }
            | DraftOutcome::Unclear { .. }
            | DraftOutcome::Impossible { .. } => true,
        }
    }

    /// Whether the task can be planned once the words that are still open are answered in some way.
    fn goes_on(&self, task: &Task, open: &[Open], trials: &Cell<usize>) -> bool {
        let Some((first, rest)) = open.split_first() else {
            return self.plans(task, FURTHER_MAX, trials);
        };
        first
            .proposals
            .iter()
            .take(OFFERED_MAX)
            .any(|one| self.goes_on(&answered(task, &first.term, one), rest, trials))
    }

    /// Whether there is a plan, perhaps once something else that has to be asked is answered: tried with the first
    /// choice there is.
    fn plans(&self, task: &Task, further: usize, trials: &Cell<usize>) -> bool {
        let left = trials.get();
        trials.set(left.saturating_sub(1));
        if left == 0 {
            return false;
        }
        match (self.plan)(task) {
            DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => true,
            DraftOutcome::Unclear { clarification } if further > 0 => {
                let Some(choice) = clarification.choices.into_iter().next() else { return false };
                let answer =
                    ClarifiedAnswer { topic: clarification.topic, answer: choice.value, said_in: None, assumed: false };
                self.plans(&with_answer(task, answer), further - 1, trials)
            }
            DraftOutcome::Unclear { .. } | DraftOutcome::Impossible { .. } => false,
        }
    }

    /// The words of the task that stand for nothing.
    fn terms(&self, task: &Task) -> Vec<Term> {
        terms(self.catalogue, task)
    }

    /// What could be asked instead of `task`.
    pub fn suggestions(&self, task: &Task) -> Vec<String> {
        overview::near(self.catalogue, &texts(self.catalogue, task))
    }
}

/// The words of a task that stand for nothing.
fn terms(catalogue: &Catalogue, task: &Task) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for (at, text) in texts(catalogue, task).iter().enumerate() {
        let read = match at {
            0 => read::question(catalogue, text),
            _ => read::read(catalogue, &phrased::plain(text)),
        };
        for found in find(catalogue, text, &read.unknown) {
            if !terms.iter().any(|known| known.words == found.words) {
                terms.push(found);
            }
        }
    }
    terms
}

/// The words of a task that can be asked about, as they were typed.
pub fn unknown(catalogue: &Catalogue, task: &Task) -> Vec<String> {
    terms(catalogue, task).into_iter().map(|term| term.words).collect()
}

/// The task as if the person had said that `word` means `meaning`.
pub fn taken(task: &Task, word: &str, meaning: &str) -> Task {
    let topic = definitions::topic(word);
    with_answer(task, ClarifiedAnswer { topic, answer: meaning.to_owned(), said_in: None, assumed: false })
}

/// The question what `word` means, with what `by` takes it for.
pub fn proposed(word: &str, meanings: &[String], by: &str) -> DraftOutcome {
    let choice = |meaning: &String| Choice::new(meaning.clone(), meaning.clone());
    let before = format!("Nothing here is called “{word}”, and the model {by} takes a guess. ");
    unclear(word, &before, meanings.iter().map(choice).collect())
}

/// The question once more, where what was answered of a word that says which rows are meant left no test in the plan.
pub fn untested(catalogue: &Catalogue, task: &Task, plan: &PlanDraft) -> Option<DraftOutcome> {
    if is_tested(&plan.form) {
        return None;
    }
    task.answers.iter().find_map(|answer| {
        let said = definitions::meant_of(&answer.topic)?;
        let is_rows = read::named(catalogue, &answer.answer).is_some_and(|named| named.table().is_some());
        let found = find(catalogue, &task.problem, &[said.to_owned()]);
        let term = found.into_iter().find(|term| term.words == said && narrows(term)).filter(|_| !is_rows)?;
        let before = format!("“{}” says nothing of which rows are meant, so no test would be left. ", answer.answer);
        Some(unclear(&term.words, &before, Vec::new()))
    })
}

/// Whether a question is about what the last answer of a task says.
pub fn is_of_last(clarification: &Clarification, task: &Task) -> bool {
    let last = task.answers.last().and_then(|answer| definitions::meant_of(&answer.topic));
    last.is_some() && definitions::meant_of(&clarification.topic) == last
}

/// Whether a word says which rows are meant.
fn narrows(term: &Term) -> bool {
    matches!(term.place, Place::Said | Place::Condition) || term.tested
}

/// Whether a form tests its rows or its groups.
fn is_tested(form: &str) -> bool {
    let Ok(form) = serde_json::from_str::<QueryForm>(form) else { return true };
    let held = form.measures.iter().any(|measure| !measure.holds.is_empty());
    held || !form.filters.is_empty() || !form.conditions.is_empty() || !form.periods.is_empty()
}

/// The texts of a task as they are read: the question, then its changes.
fn texts(catalogue: &Catalogue, task: &Task) -> Vec<String> {
    let definitions = Definitions::of_task(catalogue, task);
    let first = task.problem.split(steps::CHANGED).next().unwrap_or_default();
    let said = std::iter::once(first).chain(task.changes.iter().map(String::as_str));
    said.map(|text| definitions.reword(&files::asked(text).rest)).collect()
}

/// The task as if the person had chosen `proposal`.
fn answered(task: &Task, term: &Term, proposal: &Linked) -> Task {
    let topic = definitions::topic(&term.words);
    with_answer(task, ClarifiedAnswer { topic, answer: proposal.means.clone(), said_in: None, assumed: false })
}

fn with_answer(task: &Task, answer: ClarifiedAnswer) -> Task {
    let answers = task.answers.iter().cloned().chain([answer]).collect();
    Task { answers, ..task.clone() }
}

/// Whether the name of what is offered is near the word by itself.
fn is_near(one: &Linked) -> bool {
    one.nearness >= if one.is_rows { NEAR_ROWS_MIN } else { NEAR_MIN }
}

/// The question with the one thing that may be meant.
fn perhaps(term: &str, thing: Choice) -> DraftOutcome {
    let question = format!("What does “{term}” mean here? Perhaps {}: say it in your own words.", thing.label);
    let yes = Choice::new(thing.value, format!("Yes: {}", thing.label));
    let choices = vec![yes, Choice::new(NEITHER.to_owned(), NOT_IT.to_owned())];
    let clarification = Clarification { topic: definitions::topic(term), question, choices, assumption: None, of: 0 };
    DraftOutcome::Unclear { clarification }
}

/// How many things are offered.
pub fn offered(clarification: &Clarification) -> usize {
    clarification.choices.iter().filter(|choice| choice.value != NEITHER).count()
}

fn unclear(term: &str, before: &str, choices: Vec<Choice>) -> DraftOutcome {
    let own = if choices.is_empty() { "" } else { " If it is none of these, say it in your own words." };
    let question = format!("{before}What does “{term}” mean here?{own}");
    DraftOutcome::Unclear {
        clarification: Clarification { topic: definitions::topic(term), question, choices, assumption: None, of: 0 },
    }
}

/// The question with what is said before it.
fn with(said: &str, outcome: DraftOutcome) -> DraftOutcome {
    match outcome {
        DraftOutcome::Unclear { clarification } => {
            let question = format!("{said}{}", clarification.question);
            DraftOutcome::Unclear { clarification: Clarification { question, ..clarification } }
        }
        DraftOutcome::Impossible { explanation, suggestions } => {
            DraftOutcome::Impossible { explanation: format!("{said}{explanation}"), suggestions }
        }
        other @ (DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. }) => other,
    }
}
