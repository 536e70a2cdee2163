//! No part of a message may be left out without a word. A message of several clauses is planned once more without each
//! of them: where that makes the same plan, the clause left no trace, and the person is asked about it instead of
//! getting half an answer that looks whole. Next: `cut` for what a clause is.

use turnwise_core::{Choice, Clarification, PlanDraft, Task};

use super::super::catalogue::Catalogue;
use super::super::form::QueryForm;
use super::super::read::{self, Spotted};
use super::super::{draft, steps};
use super::covered::is_covered;
use super::cut::{Clause, Mark, clauses, without};
use crate::lexicon::Role;

/// How the topic of the question about a clause begins; its words follow.
pub const CLAUSE: &str = "clause: ";

/// What to ask where a clause of `text` left no trace in the plan of `form`.
pub fn lost(catalogue: &Catalogue, text: &str, form: &QueryForm, task: &Task) -> Option<Clarification> {
    let parts = clauses(text);
    if parts.len() < 2 {
        return None;
    }
    let own = does(catalogue, form, task)?;
    let is_lost = |at: &usize| {
        let (part, rest) = (&parts[*at], without(text, &parts, *at));
        // What opens a message is its question: that the same words come again does not answer it.
        let other_rows =
            || *at == 0 && planned(catalogue, part.text, task).is_some_and(|alone| rows(&alone) != rows(&own));
        let silent =
            !says_something(catalogue, part) || (is_covered(catalogue, part.text, &rest, form) && !other_rows());
        // A question of its own asks for something to be shown; that it changes which rows are meant is not enough.
        let same = |other: Vec<String>| other == own || (asks(part) && shown(&other) == shown(&own));
        !silent && planned(catalogue, &rest, task).is_some_and(same)
    };
    (0..parts.len()).find(is_lost).map(|at| question(text, &parts, at))
}

/// Whether `part` made a difference between two forms that a person would see.
pub fn adds(catalogue: &Catalogue, part: &Clause<'_>, before: &QueryForm, after: &QueryForm, task: &Task) -> bool {
    let (Some(before), Some(after)) = (does(catalogue, before, task), does(catalogue, after, task)) else {
        return false;
    };
    if asks(part) { shown(&before) != shown(&after) } else { before != after }
}

/// "Where was it shown", "who is their manager": a question behind another one.
fn asks(clause: &Clause<'_>) -> bool {
    const VERBS: [&str; 12] = ["is", "was", "are", "were", "do", "does", "did", "has", "have", "had", "can", "will"];
    let words = turnwise_core::text::words(clause.text);
    let said = |at: usize| words.get(at).map_or("", String::as_str);
    let opens = matches!(said(0), "who" | "when" | "where" | "why" | "what") && VERBS.contains(&said(1));
    clause.before != Mark::Start && (opens || matches!(said(0), "their" | "its" | "his" | "her"))
}

/// Which rows the steps of a plan are of.
fn rows(does: &[String]) -> Vec<&str> {
    let queries = does.iter().filter_map(|step| step.split_once(" FROM "));
    let before = |rows: &'_ str, end: &str| rows.find(end).unwrap_or(rows.len());
    queries.map(|(_, rows)| &rows[..before(rows, " GROUP BY ").min(before(rows, " ORDER BY "))]).collect()
}

/// What the steps of a plan show, whatever rows it is of.
fn shown(does: &[String]) -> Vec<&str> {
    let queries = does.iter().filter(|step| step.starts_with(steps::QUERY));
    queries.map(|step| step.split(" FROM ").next().unwrap_or(step)).collect()
}

fn question(text: &str, parts: &[Clause<'_>], at: usize) -> Clarification {
    which(parts[at].text, &without(text, parts, at))
}

/// The question whether `said` is wanted, or `rest`.
pub fn which(said: &str, rest: &str) -> Clarification {
    let choice = |value: String, label: String| Choice::new(value, label);
    let choices =
        vec![choice(rest.to_owned(), format!("{rest} (without that)")), choice(said.to_owned(), said.to_owned())];
    Clarification {
        topic: format!("{CLAUSE}{said}"),
        question: format!(
            "“{said}” could not be put together with the rest, and leaving it out would answer only half of what was asked. \
             Which part is wanted? One after the other works as well."
        ),
        choices,
        assumption: None,
        of: 0,
    }
}

/// What the steps of a plan do, without how they are called.
fn does(catalogue: &Catalogue, form: &QueryForm, task: &Task) -> Option<Vec<String>> {
    steps::plan(catalogue, form, task, &|_| String::new()).ok().as_ref().map(done_by)
}

/// What the steps of a plan do, and how the result is looked at, without how the steps are called.
pub fn done_by(plan: &PlanDraft) -> Vec<String> {
    let wanted = |name: &String| matches!(name.as_str(), "sql" | "parameters" | "calculation" | steps::FILE);
    let step = |step: &turnwise_core::Step| {
        let said = step.arguments.iter().filter(|(name, _)| wanted(name)).map(|(_, value)| value.as_str());
        format!("{} {}", step.tool.as_str(), said.collect::<Vec<_>>().join(" "))
    };
    let mut steps: Vec<String> = plan.steps.iter().map(step).collect();
    steps.push(format!("{:?}", plan.presentation));
    steps
}

fn planned(catalogue: &Catalogue, text: &str, task: &Task) -> Option<Vec<String>> {
    let mut read = read::question(catalogue, text);
    draft::check(catalogue, &read).ok()?;
    read::listed_by_flag(catalogue, &mut read);
    does(catalogue, &read.form, task)
}

/// Whether a clause has a word that could change an answer.
fn says_something(catalogue: &Catalogue, clause: &Clause<'_>) -> bool {
    let silent = |span: &Spotted| {
        matches!(span.role(), Some(Role::Ignore | Role::Command | Role::And))
            && span.values.is_empty()
            && !span.is_name()
    };
    !read::spot(catalogue, clause.text).spans.iter().all(silent)
}
