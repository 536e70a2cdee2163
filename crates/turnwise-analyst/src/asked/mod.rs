//! A question back about a word nobody knows: “What does “parcel” mean here?”, with the likeliest things of this data.
//! A proposal is offered only if the whole question can be planned with it, which is tried; none is ever taken unasked.
//! Where nothing helps, the refusal stays, with questions about what was understood. Next: `term` for the words,
//! `propose` for what they may mean, `definitions::answered` for the answer.

mod possible;
mod propose;
mod similar;
mod term;

use std::cell::Cell;

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, DraftOutcome, PlanDraft, Task};

use super::catalogue::Catalogue;
use super::definitions::{self, Definitions, MEANING_OF};
use super::files;
use super::form::QueryForm;
use super::overview;
use super::phrased;
use super::read;
use super::steps;
use propose::Proposal;
use term::{Place, Term};

pub use similar::Similar;
pub use term::{is_grammar, is_telling};

/// Words asked about, one after the other: with more than these unknown, the question is another one.
const TERMS_MAX: usize = 3;
/// Proposals offered.
const OFFERED_MAX: usize = 4;
/// Plans tried for one question: each costs what planning costs, and a person waits.
const TRIALS_MAX: usize = 40;

/// Other questions that may come before the plan.
const FURTHER_MAX: usize = 1;

/// What a question back is made from.
pub struct Asking<'a> {
    /// What the data has.
    pub catalogue: &'a Catalogue,
    /// What is like what.
    pub similar: &'a Similar,
    /// What comes of planning a task.
    pub plan: &'a dyn Fn(&Task) -> DraftOutcome,
}

/// A word with what it may mean.
struct Open {
    term: Term,
    proposals: Vec<Proposal>,
}

impl Asking<'_> {
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
            let proposals = propose::for_term(self.catalogue, self.similar, &texts, &term)?;
            if proposals.is_empty() {
                return Ok(None);
            }
            open.push(Open { term, proposals });
        }
        let Some((first, rest)) = open.split_first() else { return Ok(None) };
        let trials = Cell::new(TRIALS_MAX);
        let mut offered: Vec<&Proposal> = Vec::new();
        for proposal in &first.proposals {
            let goes_on = || self.goes_on(&answered(task, &first.term, proposal), rest, &trials);
            if offered.len() < OFFERED_MAX && goes_on() && self.tests_enough(task, first, rest, proposal) {
                offered.push(proposal);
            }
        }
        let choices: Vec<Choice> = offered.into_iter().map(Proposal::choice).collect();
        Ok(match choices.as_slice() {
            [] => None,
            // A single guess is no menu, and is never taken unasked: what is meant is asked for in words.
            [only] => Some(guessed(&first.term.words, &only.label)),
            _ => Some(unclear(&first.term.words, "", choices)),
        })
    }

    /// Whether a word that says which rows are meant makes a test of the plan: a column that is merely shown would
    /// answer another question.
    fn tests_enough(&self, task: &Task, first: &Open, rest: &[Open], proposal: &Proposal) -> bool {
        if !narrows(&first.term) || proposal.is_rows || !rest.is_empty() {
            return true;
        }
        match (self.plan)(&answered(task, &first.term, proposal)) {
            DraftOutcome::Ready { plan, .. } => is_tested(&plan.form),
            DraftOutcome::Several { .. } | DraftOutcome::Unclear { .. } | DraftOutcome::Impossible { .. } => true,
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
            DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } => true,
            DraftOutcome::Unclear { clarification } if further > 0 => {
                let Some(choice) = clarification.choices.into_iter().next() else { return false };
                let answer = ClarifiedAnswer { topic: clarification.topic, answer: choice.value, said_in: None };
                self.plans(&with_answer(task, answer), further - 1, trials)
            }
            DraftOutcome::Unclear { .. } | DraftOutcome::Impossible { .. } => false,
        }
    }

    /// The words of the task that stand for nothing.
    fn terms(&self, task: &Task) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        for (at, text) in texts(self.catalogue, task).iter().enumerate() {
            let read = match at {
                0 => read::question(self.catalogue, text),
                _ => read::read(self.catalogue, &phrased::plain(text)),
            };
            for found in term::find(self.catalogue, text, &read.unknown) {
                if !terms.iter().any(|known| known.words == found.words) {
                    terms.push(found);
                }
            }
        }
        terms
    }

    /// What could be asked instead of `task`.
    pub fn suggestions(&self, task: &Task) -> Vec<String> {
        overview::near(self.catalogue, &texts(self.catalogue, task))
    }
}

/// The question once more, where what was answered of a word that says which rows are meant left no test in the plan.
pub fn untested(catalogue: &Catalogue, task: &Task, plan: &PlanDraft) -> Option<DraftOutcome> {
    if is_tested(&plan.form) {
        return None;
    }
    task.answers.iter().find_map(|answer| {
        let said = answer.topic.strip_prefix(MEANING_OF)?;
        let is_rows = read::named(catalogue, &answer.answer).is_some_and(|named| named.table().is_some());
        let found = term::find(catalogue, &task.problem, &[said.to_owned()]);
        let term = found.into_iter().find(|term| term.words == said && narrows(term)).filter(|_| !is_rows)?;
        let before = format!("“{}” says nothing of which rows are meant, so no test would be left. ", answer.answer);
        Some(unclear(&term.words, &before, Vec::new()))
    })
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
fn answered(task: &Task, term: &Term, proposal: &Proposal) -> Task {
    let topic = definitions::topic(&term.words);
    with_answer(task, ClarifiedAnswer { topic, answer: proposal.means.clone(), said_in: None })
}

fn with_answer(task: &Task, answer: ClarifiedAnswer) -> Task {
    let answers = task.answers.iter().cloned().chain([answer]).collect();
    Task { answers, ..task.clone() }
}

fn unclear(term: &str, before: &str, choices: Vec<Choice>) -> DraftOutcome {
    let own = if choices.is_empty() { "" } else { " If it is none of these, say it in your own words." };
    let question = format!("{before}What does “{term}” mean here?{own}");
    DraftOutcome::Unclear { clarification: Clarification { topic: definitions::topic(term), question, choices } }
}

/// Asked in words, with the one thing that the term may stand for.
fn guessed(term: &str, label: &str) -> DraftOutcome {
    let question = format!("What does “{term}” mean here? Perhaps {label}: say it in your own words.");
    let (topic, choices) = (definitions::topic(term), Vec::new());
    DraftOutcome::Unclear { clarification: Clarification { topic, question, choices } }
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
        other @ (DraftOutcome::Ready { .. } | DraftOutcome::Several { .. }) => other,
    }
}
