//! Changes of single steps, and further questions in one plan: "only Germany in step 1", "split step 1 by month", "also
//! show the number of orders by month". A step is a part of a question, so what is said of a step is put into its
//! question, and where that reaches other steps too, the plan says so. Next: `refine` for changes of a question.

use std::collections::BTreeSet;

use turnwise_core::patch::{Wish, further};
use turnwise_core::{DraftOutcome, EffectClass, Plan, Presentation, Step, StepId, Task, text};

use super::catalogue::Catalogue;
use super::draft;
use super::form::{Analysis, Filter, QueryForm};
use super::lexicon::lexicon;
use super::read::{self, Read, VALUES_JOINED};
use super::refine;
use super::{files, steps};

/// Most questions beside the first: more than these are better asked one after the other.
const BESIDE_MAX: usize = 4;
/// Words between a step and what it is split by.
const SPLIT_WORDS: [&str; 14] = [
    "into one step per",
    "into one per",
    "into a step per",
    "into steps by",
    "into steps per",
    "for each",
    "for every",
    "per",
    "by",
    "into",
    "in",
    "to",
    "along",
    "one per",
];

/// Changes `form` and the questions beside it.
pub fn each(form: &mut QueryForm, mut change: impl FnMut(&mut QueryForm)) {
    let mut beside = std::mem::take(&mut form.beside);
    change(form);
    beside.iter_mut().for_each(&mut change);
    form.beside = beside;
}

/// What a person left out of the plan that is being changed stays out, as far as the question can tell.
pub fn forget_left_out(form: &mut QueryForm, task: &Task) {
    let Some(plan) = &task.previous else { return };
    let draft = plan.draft();
    let is_drawn = form.drawn || form.look.is_some_and(Presentation::is_chart);
    if is_drawn && draft.presentation == Presentation::Table && draft.endings.results.is_empty() {
        (form.drawn, form.look) = (false, Some(Presentation::Table));
    }
    if draft.endings.left_out.is_empty() {
        return;
    }
    let is_written = |path: &str| {
        let writes = |step: &&Step| files::is_effect(step.tool.as_str());
        plan.steps().iter().filter(writes).any(|step| step.arguments.get(steps::FILE).is_some_and(|file| file == path))
    };
    form.writes.retain(|write| is_written(&write.path));
    let is_answered = |other: &QueryForm| {
        let written = serde_json::to_string(other).unwrap_or_default();
        draft.endings.results.iter().any(|named| named.form == written)
    };
    form.beside.retain(is_answered);
}

/// `form` with a change that speaks of steps, or that asks another question; none when it does neither.
///
/// # Errors
/// Why it cannot be had, and what could be said instead.
pub fn changed(
    catalogue: &Catalogue,
    form: &QueryForm,
    change: &str,
    task: &Task,
) -> Result<Option<QueryForm>, String> {
    // What was talked over before there was any plan names its further questions itself.
    if let Some(question) = further::question_of(change) {
        return added(catalogue, form, question).map(Some);
    }
    let wish = task.previous.as_ref().and_then(|plan| Some((plan, Wish::read(change, plan.draft())?.ok()?)));
    match wish {
        Some((plan, Wish::Constrain { steps, words })) => constrained(catalogue, form, plan, &steps, &words).map(Some),
        Some((plan, Wish::Split { step, words })) => split(catalogue, form, plan, step, &words).map(Some),
        Some((_, Wish::Add { words })) => added(catalogue, form, &words).map(Some),
        Some((_, Wish::Structure(_))) => Ok(None),
        None => also_asked(catalogue, form, change),
    }
}

fn constrained(
    catalogue: &Catalogue,
    form: &QueryForm,
    plan: &Plan,
    said_of: &[StepId],
    words: &str,
) -> Result<QueryForm, String> {
    let part = part_of_all(plan, said_of)?;
    if let Some(changed) = side_limited(catalogue, question(form, part), plan, part, said_of, words) {
        return Ok(with_question(form, part, changed));
    }
    let changed = refine::change(catalogue, question(form, part), &format!("only {words}"))?;
    Ok(with_question(form, part, noting(changed, plan, part, said_of, words)))
}

/// A time said of one side of a comparison of times: that side alone is shorter.
fn side_limited(
    catalogue: &Catalogue,
    form: &QueryForm,
    plan: &Plan,
    part: usize,
    said_of: &[StepId],
    words: &str,
) -> Option<QueryForm> {
    let sides: Vec<StepId> = queries(plan).into_iter().filter(|step| part_of(plan, *step) == part).collect();
    let read = read::read(catalogue, words);
    let says_time_only = QueryForm { periods: Vec::new(), ..read.form.clone() };
    let is_only_time = draft::is_empty(&says_time_only) && says_time_only.filters.is_empty() && read.unknown.is_empty();
    let [period] = read.form.periods.as_slice() else { return None };
    if form.analysis != Analysis::Compare || sides.len() != form.periods.len() || !is_only_time {
        return None;
    }
    let mut limited = form.clone();
    for step in said_of {
        let side = sides.iter().position(|side| side == step)?;
        let own = limited.periods[side].year();
        limited.periods[side] = own.map_or(period.clone(), |year| period.clone().in_year(year));
    }
    Some(limited)
}

fn split(catalogue: &Catalogue, form: &QueryForm, plan: &Plan, step: StepId, words: &str) -> Result<QueryForm, String> {
    let queries = queries(plan);
    let as_in = queries.first().map_or(1, |id| id.number());
    let Some(work) = plan.step(step) else { return Err(format!("The plan has no {step}.")) };
    if !queries.contains(&step) {
        let does = if work.effect == EffectClass::Pure { "works on what other steps find" } else { "writes a file" };
        let listed: Vec<String> = queries.iter().map(StepId::to_string).collect();
        return Err(format!(
            "{} {does}, so there is nothing in it to split. What asks the data can be split: {}, as in “split step \
             {as_in} by month”.",
            text::capital(&step.to_string()),
            text::listed(&listed)
        ));
    }
    let by = SPLIT_WORDS.iter().find_map(|lead| words.strip_prefix(&format!("{lead} "))).unwrap_or(words).trim();
    let hint = || {
        format!(
            "{} can be split by a group or a time, as in “split step {} by month”, or into some that are named, as in \
             “split step {} into 2023 and 2024”.",
            text::capital(&step.to_string()),
            step.number(),
            step.number()
        )
    };
    if by.is_empty() {
        return Err(hint());
    }
    let part = part_of(plan, step);
    let own = question(form, part);
    let grouped = read::read(catalogue, &format!("by {by}"));
    if !grouped.form.dimensions.is_empty() && grouped.unknown.is_empty() {
        let changed = refine::change(catalogue, own, &format!("by {by}"))?;
        return Ok(with_question(form, part, noting(changed, plan, part, &[step], &format!("by {by}"))));
    }
    if own.analysis == Analysis::Compare {
        return Err(format!("{step} is one side of a comparison and cannot be several. {}", hint()));
    }
    if !names_several(&read::read(catalogue, by)) {
        return Err(hint());
    }
    let changed = refine::change(catalogue, own, &format!("compare {by}"))?;
    Ok(with_question(form, part, changed))
}

/// Several times or values: a step for each.
fn names_several(read: &Read) -> bool {
    let joined = |filter: &Filter| match filter {
        Filter::Value { words, negated: false, .. } => words.contains(VALUES_JOINED),
        _ => false,
    };
    read.unknown.is_empty() && (read.form.periods.len() > 1 || read.form.filters.iter().any(joined))
}

fn added(catalogue: &Catalogue, form: &QueryForm, words: &str) -> Result<QueryForm, String> {
    let words = as_order(words);
    let read = read::read(catalogue, &words);
    // What names nothing to be measured or listed changes what is there: "that draws a chart".
    if draft::is_empty(&read.form) && read.unknown.is_empty() {
        return refine::change(catalogue, form, &words);
    }
    beside(catalogue, form, read)
}

/// "counts customers" as one would order it: "count customers".
fn as_order(words: &str) -> String {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let verb = match first {
        "lists" | "counts" | "shows" | "sums" | "gives" | "finds" | "computes" | "calculates" | "compares"
        | "ranks" | "averages" | "draws" | "adds" | "gets" | "plots" => &first[..first.len() - 1],
        other => other,
    };
    format!("{verb} {rest}").trim().to_owned()
}

/// "also show the number of orders by month": another number, looked at by something else, is another question.
fn also_asked(catalogue: &Catalogue, form: &QueryForm, change: &str) -> Result<Option<QueryForm>, String> {
    let read = read::read(catalogue, change);
    let is_word = |words: &str| lexicon().signal(&words.to_lowercase()).is_some();
    let has_number = read.form.measures.iter().any(|measure| !is_word(&measure.of.words));
    let by_other = !read.form.dimensions.is_empty() && read.form.dimensions != form.dimensions;
    let is_other = has_number && by_other && !form.measures.is_empty();
    if !read.manner.also || read.manner.instead || !is_other {
        return Ok(None);
    }
    beside(catalogue, form, read).map(Some)
}

fn beside(catalogue: &Catalogue, form: &QueryForm, read: Read) -> Result<QueryForm, String> {
    draft::check(catalogue, &read).map_err(|outcome| match *outcome {
        DraftOutcome::Impossible { explanation, .. } => explanation,
        DraftOutcome::Unclear { clarification } => {
            format!("{} Say it with the words of the step.", clarification.question)
        }
        DraftOutcome::Ready { .. } | DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => String::new(),
    })?;
    if form.beside.len() >= BESIDE_MAX {
        return Err("The plan answers several questions already; ask this one when it is done.".to_owned());
    }
    let asked = |other: &QueryForm| other.measures == read.form.measures && other.dimensions == read.form.dimensions;
    if std::iter::once(form).chain(&form.beside).any(|other| asked(other) && other.filters == read.form.filters) {
        return Err("The plan answers that already.".to_owned());
    }
    let mut form = form.clone();
    form.beside.push(read.form);
    Ok(form)
}

/// The question with this number: 0 for the first, then those beside it.
fn question(form: &QueryForm, part: usize) -> &QueryForm {
    part.checked_sub(1).and_then(|at| form.beside.get(at)).unwrap_or(form)
}

fn with_question(form: &QueryForm, part: usize, question: QueryForm) -> QueryForm {
    let Some(at) = part.checked_sub(1).filter(|at| *at < form.beside.len()) else { return question };
    let mut form = form.clone();
    form.beside[at] = question;
    form
}

/// Says where a change reaches beyond the steps it was said of.
fn noting(mut changed: QueryForm, plan: &Plan, part: usize, said_of: &[StepId], words: &str) -> QueryForm {
    let others = queries(plan).into_iter().any(|step| part_of(plan, step) == part && !said_of.contains(&step));
    if others {
        let listed: Vec<String> = said_of.iter().map(StepId::to_string).collect();
        changed.notes.push(format!(
            "“{words}” was said of {} and holds for the whole question {} part of.",
            text::listed(&listed),
            if said_of.len() == 1 { "it is" } else { "they are" }
        ));
    }
    changed
}

fn queries(plan: &Plan) -> Vec<StepId> {
    plan.steps().iter().filter(|step| step.tool.as_str() == steps::QUERY).map(|step| step.id).collect()
}

fn part_of_all(plan: &Plan, steps: &[StepId]) -> Result<usize, String> {
    let parts: BTreeSet<usize> = steps.iter().map(|step| part_of(plan, *step)).collect();
    match parts.len() {
        0 | 1 => Ok(parts.first().copied().unwrap_or_default()),
        _ => Err("These steps answer different questions: say it of the steps of one.".to_owned()),
    }
}

/// Which of the plan's questions a step is part of.
fn part_of(plan: &Plan, step: StepId) -> usize {
    let results = &plan.draft().endings.results;
    let has = |named: &turnwise_core::NamedResult| {
        plan.draft().producer(&named.fact).is_some_and(|producer| leads_to(plan, producer.id).contains(&step))
    };
    results.iter().position(has).unwrap_or_default()
}

/// `step` and all it waits for.
fn leads_to(plan: &Plan, step: StepId) -> BTreeSet<StepId> {
    let (mut found, mut open) = (BTreeSet::from([step]), vec![step]);
    while let Some(step) = open.pop().and_then(|id| plan.step(id)) {
        open.extend(step.after.iter().copied().filter(|id| found.insert(*id)));
    }
    found
}
