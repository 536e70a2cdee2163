//! A question becomes a plan by the same way as the grammar's form: dates are settled, joins found and SQL written by
//! us. Then the plan is held against the question and the message: a column that was named and is not read, or a word
//! that nobody accounts for, and there is no plan. The plan says what was taken, part by part with its words, and who
//! read it. Next: `bind`, `cover`.

use turnwise_core::{PlanDraft, Task};

use super::super::catalogue::{Catalogue, Made};
use super::super::coverage;
use super::super::dating;
use super::super::definitions::Definitions;
use super::super::draft::Surroundings;
use super::super::files;
use super::super::form::{ColumnId, Dimension, QueryForm};
use super::super::period::{Grain, Period};
use super::super::resolve::Trouble;
use super::super::steps::{self, CHANGED};
use super::bind::bind;
use super::filters::names;
use super::names::Named;
use super::{Is, Problem, Question, Test, Words, cover};

/// A question with its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// What it was understood as.
    pub form: QueryForm,
    /// The plan.
    pub plan: PlanDraft,
}

/// Plans `question`, which `reader` read out of the message of `task`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn plan(
    catalogue: &Catalogue,
    question: &Question,
    task: &Task,
    around: &Surroundings<'_>,
    reader: &str,
) -> Result<Bound, Vec<Problem>> {
    let said = task.problem.split(CHANGED).next().unwrap_or_default();
    let asked = files::asked(said);
    let message = asked.rest.as_str();
    if coverage::asks_several(catalogue, message) {
        return Err(vec![Problem::Several]);
    }
    let mut problems = cover::invented(question, message);
    let bound = bind(catalogue, question);
    let form = match bound {
        Ok(form) if problems.is_empty() => form,
        Ok(_) => return Err(problems),
        Err(own) => {
            problems.extend(own);
            return Err(problems);
        }
    };
    planned(catalogue, question, form, task, around, format!("Read by the model {reader}: check it before approving."))
}

/// What of a message is said of times and no part of its question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// The times that rows are of.
    pub periods: Vec<Period>,
    /// The lengths of time that they are grouped by.
    pub grains: Vec<Grain>,
    /// The date that they are of, where it was said.
    pub date: Option<ColumnId>,
}

/// Plans `question`, which was put together from what the words of the message of `task` may mean.
///
/// # Errors
/// Everything that is wrong with it.
pub fn plan_sensed(
    catalogue: &Catalogue,
    question: &Question,
    times: &Times,
    task: &Task,
    around: &Surroundings<'_>,
) -> Result<Bound, Vec<Problem>> {
    let said = task.problem.split(CHANGED).next().unwrap_or_default();
    if coverage::asks_several(catalogue, &files::asked(said).rest) {
        return Err(vec![Problem::Several]);
    }
    let mut form = bind(catalogue, question)?;
    form.periods.extend(times.periods.iter().cloned());
    form.dimensions.extend(times.grains.iter().map(|grain| Dimension::Time(*grain)));
    if let Some(date) = times.date {
        form.context.push(names(catalogue).mention(Named::Column(date)));
    }
    let bound = planned(catalogue, question, form, task, around, SENSED.to_owned())?;
    let message = files::asked(said).rest;
    match coverage::answers_otherwise(catalogue, &bound.form, &bound.plan, &message) {
        Some(why) => Err(vec![Problem::NotPlanned(why)]),
        None => Ok(bound),
    }
}

/// What is said of a plan that rests on what words are near to in meaning.
const SENSED: &str = "Read by what its words are near to in meaning: check it before approving.";

/// The plan of a form that somebody read out of a message, held against the message.
fn planned(
    catalogue: &Catalogue,
    question: &Question,
    mut form: QueryForm,
    task: &Task,
    around: &Surroundings<'_>,
    by: String,
) -> Result<Bound, Vec<Problem>> {
    let said = task.problem.split(CHANGED).next().unwrap_or_default();
    let asked = files::asked(said);
    let message = asked.rest.as_str();
    super::super::draft::add_writes(&mut form, &asked, around.place)
        .map_err(|explanation| vec![Problem::NotPlanned(explanation)])?;
    form.notes.push(by);
    form.notes.extend(taken(catalogue, question));
    let definitions = Definitions::of_task(catalogue, task);
    form.meanings = definitions.mark(&[said]);
    dating::settle(catalogue, &mut form, message, definitions.dates(), around.look);
    let mut plan = steps::plan_in(Some(around.place.room), catalogue, &form, task, around.fingerprint)
        .map_err(|trouble| vec![not_planned(trouble)])?;
    let unread = unread(catalogue, question, &plan);
    if !unread.is_empty() {
        return Err(unread);
    }
    if let Some(why) = coverage::says_nothing(catalogue, &form, around.look) {
        return Err(vec![Problem::NotPlanned(why)]);
    }
    let unused = cover::left_out(catalogue, question, message, &form, &plan)?;
    plan.assumptions.extend(coverage::not_used(&unused));
    Ok(Bound { form, plan })
}

/// Plans `question` as it is, without a message that it could be held against.
///
/// # Errors
/// Everything that is wrong with it.
pub fn plan_bound(
    catalogue: &Catalogue,
    question: &Question,
    task: &Task,
    around: &Surroundings<'_>,
) -> Result<PlanDraft, Vec<Problem>> {
    let mut form = bind(catalogue, question)?;
    dating::settle(catalogue, &mut form, "", &[], around.look);
    steps::plan_in(Some(around.place.room), catalogue, &form, task, around.fingerprint)
        .map_err(|trouble| vec![not_planned(trouble)])
}

fn not_planned(trouble: Trouble) -> Problem {
    match trouble {
        Trouble::Impossible(explanation) => Problem::NotPlanned(explanation),
        Trouble::Unclear(clarification) => Problem::NotPlanned(clarification.question),
    }
}

/// What each part was taken to mean, with the words it rests on.
fn taken(catalogue: &Catalogue, question: &Question) -> Vec<String> {
    let label = |name: &super::Name| match names(catalogue).find(name) {
        Ok(Named::Column(column)) => catalogue.column_label(column),
        Ok(Named::Table(table)) => catalogue.table(table).name.clone(),
        Err(_) => name.0.clone(),
    };
    let mut taken = Vec::new();
    let mut take = |Words(words): &Words, meaning: String| {
        if !words.trim().is_empty() {
            taken.push(format!("“{}” is taken as {meaning}.", words.trim()));
        }
    };
    let test = |test: &Test| {
        let values: Vec<String> = test.values.iter().map(|value| format!("“{}”", value.0)).collect();
        let is = told(&test.is);
        format!("{} {is} {}", label(&test.column), values.join(" or ")).trim_end().to_owned()
    };
    for number in &question.measures {
        take(&number.as_said, format!("the {} of {}", told(&number.how), label(&number.of)));
        number.only.iter().for_each(|own| take(&own.as_said, test(own)));
    }
    for group in &question.groups {
        take(&group.as_said, format!("one group for each {} of {}", told(&group.each), label(&group.by)));
    }
    for listed in &question.list {
        take(&listed.as_said, label(&listed.of));
    }
    question.filters.iter().for_each(|own| take(&own.as_said, test(own)));
    for having in &question.having {
        let (how, of, is) = (told(&having.how), label(&having.of), told(&having.is));
        take(&having.as_said, format!("groups whose {how} of {of} is {is} {}", having.value.0));
    }
    for related in &question.related {
        let (has, table) = (if related.has { "with" } else { "without" }, label(&related.table));
        let tests: Vec<String> = related.filters.iter().map(test).collect();
        let tests = if tests.is_empty() { String::new() } else { format!(" where {}", tests.join(" and ")) };
        take(&related.as_said, format!("those {has} a row of {table}{tests}"));
    }
    for rank in &question.rank {
        let by = if rank.by.0.trim() == "measure" { "the number".to_owned() } else { label(&rank.by) };
        take(&rank.as_said, format!("{} first by {by}", told(&rank.order)));
    }
    taken
}

/// A word of the schema for people.
pub fn told<T: serde::Serialize>(word: &T) -> String {
    let written = serde_json::to_value(word).ok();
    written.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default().replace('_', " ")
}

/// Columns that were named and that no query reads: something else would be answered.
fn unread(catalogue: &Catalogue, question: &Question, plan: &PlanDraft) -> Vec<Problem> {
    let names = names(catalogue);
    let tests = question.filters.iter().chain(question.measures.iter().flat_map(|number| &number.only));
    let tests = tests.chain(question.related.iter().flat_map(|related| &related.filters));
    // A value is looked for where it is, and the plan says where that was.
    let tests = tests.filter(|test| !matches!(test.is, Is::Equal | Is::NotEqual)).map(|test| &test.column);
    let numbers = question.measures.iter().map(|number| &number.of);
    let groups = question.groups.iter().map(|group| &group.by);
    let listed = question.list.iter().map(|listed| &listed.of);
    let all = tests.chain(numbers).chain(groups).chain(listed);
    let columns = all.filter_map(|name| match names.find(name) {
        Ok(Named::Column(column)) => Some(column),
        Ok(Named::Table(_)) | Err(_) => None,
    });
    let columns = columns.flat_map(|column| match Made::of(column.column) {
        Some(made) => vec![made.first, made.second],
        None => vec![column],
    });
    let is_read = |column: &ColumnId| {
        let entry = catalogue.column(*column);
        // A key or a reference is read as the row that it stands for.
        let stands = entry.part != super::super::catalogue::ColumnPart::Attribute;
        let quoted = |sql: &String| ['"', '`'].iter().any(|mark| sql.contains(&format!("{mark}{}{mark}", entry.name)));
        stands || plan.steps.iter().any(|step| step.arguments.get("sql").is_some_and(quoted))
    };
    let lost = columns.filter(|column| !is_read(column)).map(|column| catalogue.column_label(column));
    lost.map(|column| Problem::NotPlanned(format!("`{column}` would not be read"))).collect()
}
