//! The choices of a question back, tried before they are offered: each is planned as if it had been chosen, and one
//! that gives no plan, or a plan in which it is not what the open word stands for, is no choice. A single one that is
//! left is taken, and said on the plan; where none is, the question is refused by its name. Next: `chosen`, which takes
//! answers.

use std::collections::BTreeSet;

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, DraftOutcome, PlanDraft, Task};

use super::catalogue::Catalogue;
use super::clauses;
use super::draft::{GATHERING, NAME_OF, RANKING};
use super::form::{Aggregate, Dimension, Filter, QueryForm, RankBy, Thing};
use super::read;

/// Questions taken for a person one after the other: each has one choice only.
const TAKEN_MAX: usize = 3;

/// What choices are tried with.
pub struct Offering<'a> {
    /// The catalogue that a form was made with.
    pub catalogue: &'a dyn Fn(&QueryForm) -> &'a Catalogue,
    /// What comes of planning a task.
    pub plan: &'a dyn Fn(&Task) -> DraftOutcome,
}

impl Offering<'_> {
    /// `outcome` of `task`, with a question only where there is something to choose.
    pub fn checked(&self, task: &Task, outcome: DraftOutcome) -> DraftOutcome {
        self.checked_within(task, outcome, TAKEN_MAX)
    }

    fn checked_within(&self, task: &Task, outcome: DraftOutcome, left: usize) -> DraftOutcome {
        let DraftOutcome::Unclear { clarification } = outcome else { return outcome };
        let answered = task.answers.iter().any(|answer| answer.topic == clarification.topic);
        if clarification.choices.is_empty() && clarification.topic == RANKING {
            return none(&clarification, None);
        }
        if clarification.choices.is_empty() || left == 0 {
            return DraftOutcome::Unclear { clarification };
        }
        let mut seen = BTreeSet::new();
        let mut why = None;
        let mut kept: Vec<(Choice, Task, DraftOutcome)> = Vec::new();
        for choice in &clarification.choices {
            let chosen = chosen(task, &clarification.topic, &choice.value);
            let mut outcome = (self.plan)(&chosen);
            // What would then have to be ranked by a word of the person leads nowhere.
            if matches!(&outcome, DraftOutcome::Unclear { clarification } if clarification.topic == RANKING) {
                outcome = self.checked_within(&chosen, outcome, left - 1);
            }
            let helps = match &outcome {
                DraftOutcome::Ready { plan, .. } => {
                    self.uses(&clarification.topic, choice, plan) && seen.insert(does(plan))
                }
                DraftOutcome::Unclear { clarification: further } => further.topic != clarification.topic,
                DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => true,
                DraftOutcome::Impossible { explanation, .. } => {
                    why.get_or_insert_with(|| explanation.clone());
                    false
                }
            };
            if helps {
                kept.push((choice.clone(), chosen, outcome));
            }
        }
        if kept.len() == 1
            && let Some((choice, task, outcome)) = kept.pop()
        {
            return match only(&clarification, &choice) {
                Some(explanation) => DraftOutcome::Impossible { explanation, suggestions: Vec::new() },
                None if answered => {
                    DraftOutcome::Unclear { clarification: Clarification { choices: vec![choice], ..clarification } }
                }
                None => said(&clarification, &choice, self.checked_within(&task, outcome, left - 1)),
            };
        }
        if kept.is_empty() {
            return none(&clarification, why);
        }
        let choices = kept.into_iter().map(|(choice, ..)| choice).collect();
        DraftOutcome::Unclear { clarification: Clarification { choices, ..clarification } }
    }

    /// Whether what was chosen is what the open words stand for in the plan.
    fn uses(&self, topic: &str, choice: &Choice, plan: &PlanDraft) -> bool {
        let Ok(form) = serde_json::from_str::<QueryForm>(&plan.form) else { return false };
        let form_of_all = || std::iter::once(&form).chain(&form.beside);
        let value = choice.value.as_str();
        if topic == RANKING {
            return form_of_all().any(|form| ranks_by((self.catalogue)(form), form, value));
        }
        if topic.starts_with(GATHERING) {
            return form_of_all().any(|form| gathers(form, value));
        }
        if topic.starts_with(NAME_OF) {
            return serde_json::to_string(value).is_ok_and(|value| plan.form.contains(&value));
        }
        if topic.starts_with(read::SINCE) || topic.starts_with(read::DEED) {
            let set = |filter: &Filter| matches!(filter, Filter::Never { .. } | Filter::Lacks { .. });
            return form_of_all().any(|form| form.filters.iter().any(set));
        }
        // "orders.shipped_on" and "terminals by origin_terminal_id" name a column, which the query has to read.
        let column = value.rsplit(['.', ' ']).next().unwrap_or(value);
        let names = value.contains('.') || column.contains('_');
        !names || reads(plan, column)
    }
}

/// Whether a form ranks, or gathers, what `said` names; that it only groups by it is another question.
pub fn ranks_by(catalogue: &Catalogue, form: &QueryForm, said: &str) -> bool {
    let wanted = read::read(catalogue, said).form.measures.into_iter().next();
    let counted = wanted.as_ref().filter(|measure| measure.aggregate == Aggregate::Count).map(|measure| &measure.of);
    let named = read::named(catalogue, said);
    let Some(wanted) = counted.or(named.as_ref()) else { return false };
    let things: Vec<Thing> = wanted.candidates.iter().map(|one| one.thing).collect();
    let same = |of: &super::form::Mention| of.candidates.iter().any(|one| things.contains(&one.thing));
    let gathered = form
        .measures
        .first()
        .is_some_and(|measure| same(&measure.of) && (counted.is_none() || measure.aggregate == Aggregate::Count));
    let groups = form.dimensions.iter().any(|dimension| match dimension {
        Dimension::Thing(of) => counted.is_none() && same(of),
        Dimension::Time(_) => false,
    });
    match form.ranking.as_ref().map(|ranking| &ranking.by) {
        Some(RankBy::Property(of)) => same(of),
        Some(RankBy::Measure) => gathered && !groups,
        None => false,
    }
}

fn gathers(form: &QueryForm, how: &str) -> bool {
    let aggregate = match how {
        "total" => Aggregate::Sum,
        "average" => Aggregate::Average,
        "highest" => Aggregate::Maximum,
        "lowest" => Aggregate::Minimum,
        "median" => Aggregate::Median,
        _ => return true,
    };
    let ranked = matches!(aggregate, Aggregate::Maximum | Aggregate::Minimum) && form.ranking.is_some();
    ranked || form.measures.iter().any(|measure| measure.aggregate == aggregate)
}

fn reads(plan: &PlanDraft, column: &str) -> bool {
    let quoted = |sql: &String| ['"', '`'].iter().any(|mark| sql.contains(&format!("{mark}{column}{mark}")));
    plan.steps.iter().any(|step| step.arguments.get("sql").is_some_and(quoted))
}

/// What the steps of a plan do, without how they are called.
fn does(plan: &PlanDraft) -> Vec<String> {
    let wanted = ["sql", "parameters", "calculation"];
    let steps = plan.steps.iter().map(|step| {
        let said = wanted.iter().filter_map(|name| step.arguments.get(*name)).map(String::as_str);
        format!("{} {}", step.tool.as_str(), said.collect::<Vec<_>>().join(" "))
    });
    steps.collect()
}

fn chosen(task: &Task, topic: &str, value: &str) -> Task {
    let answer = ClarifiedAnswer { topic: topic.to_owned(), answer: value.to_owned(), said_in: None, assumed: false };
    let answers = task.answers.iter().filter(|answer| answer.topic != topic).cloned().chain([answer]).collect();
    Task { answers, ..task.clone() }
}

/// Why the only choice that is left is not taken for the person.
fn only(clarification: &Clarification, choice: &Choice) -> Option<String> {
    let (topic, question, label) = (&clarification.topic, &clarification.question, &choice.label);
    // The other half of what was asked cannot be had: to leave it out is for the person to say.
    if topic.starts_with(clauses::CLAUSE) {
        return Some(format!(
            "Not all of that can be put together. Ask for one thing after the other; “{label}” can be had by itself."
        ));
    }
    // What something is the best by is for the person to say, also where one thing here could be meant by it.
    if topic == RANKING {
        return Some(format!("{question} Say “by {label}” if that is meant, or the number to go by."));
    }
    // A name that is guessed, of what never happened to it, is true of everybody: it has to be said whole.
    topic.starts_with(NAME_OF).then(|| format!("{question} Say “{label}” if it is."))
}

/// The only one there is, said on the plan.
fn said(clarification: &Clarification, choice: &Choice, outcome: DraftOutcome) -> DraftOutcome {
    let DraftOutcome::Ready { mut plan, learned } = outcome else { return outcome };
    let label = &choice.label;
    let topic = clarification.topic.as_str();
    let words = topic.rsplit(": ").next().unwrap_or(topic);
    plan.assumptions.push(format!("“{words}” is read as “{label}”: nothing else here gives an answer."));
    DraftOutcome::Ready { plan, learned }
}

/// None of the choices gives a plan.
fn none(clarification: &Clarification, why: Option<String>) -> DraftOutcome {
    let labels: Vec<String> = clarification.choices.iter().map(|choice| format!("“{}”", choice.label)).collect();
    // That the same question was put again says nothing new.
    let why = why.filter(|why| !why.contains(&clarification.question));
    let why = why.map(|why| format!(" {why}")).unwrap_or_default();
    if labels.is_empty() {
        let explanation =
            format!("{} Nothing here that could tell was found: say the number to go by.", clarification.question);
        return DraftOutcome::Impossible { explanation, suggestions: Vec::new() };
    }
    let explanation = format!(
        "{} None of what this data has for it gives an answer to this question ({}).{why} Say the question with what is \
         meant in it.",
        clarification.question,
        labels.join(", ")
    );
    DraftOutcome::Impossible { explanation, suggestions: Vec::new() }
}
