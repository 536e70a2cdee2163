//! Questions about a plan that only its maker can answer: which queries it runs, which tables and columns they read,
//! and what is known of how long that takes. All of it is read from the plan and the catalogue; what was not measured
//! is said not to have been. Next: `steps`, which puts into plans what is read here.

use std::collections::BTreeSet;

use turnwise_core::{Answer, AnswerOutcome, Plan, PlanAspect, Presentation, Question, Step, StepId, text};

use super::catalogue::{Catalogue, TableEntry};
use super::steps;

/// Answers what `aspect` asks of the plan of `question`.
pub fn answer(catalogue: &Catalogue, question: &Question, aspect: PlanAspect, step: Option<StepId>) -> AnswerOutcome {
    let Some(plan) = &question.plan else {
        return AnswerOutcome::Unknown { explanation: "There is no plan yet that could be asked about.".to_owned() };
    };
    if let Some(missing) = step.filter(|step| plan.step(*step).is_none()) {
        let has = text::count(plan.steps().len(), "step");
        return AnswerOutcome::Unknown { explanation: format!("The plan has no {missing}; it has {has}.") };
    }
    let asked: Vec<&Step> = plan.steps().iter().filter(|one| step.is_none_or(|id| one.id == id)).collect();
    let told = match aspect {
        PlanAspect::Query => queries(&asked),
        PlanAspect::Tables => tables(catalogue, &asked),
        PlanAspect::Columns => columns(catalogue, &asked),
        PlanAspect::Cost => cost(catalogue, plan, &asked),
    };
    AnswerOutcome::Known { answer: Answer { text: told, table: None, presentation: Presentation::Value } }
}

fn is_query(step: &&&Step) -> bool {
    step.tool.as_str() == steps::QUERY
}

fn named(step: &Step) -> String {
    format!("{} (“{}”)", step.id, step.description)
}

fn queries(asked: &[&Step]) -> String {
    let of = |step: &&Step| {
        let text = steps::step_text(&step.tool, &step.arguments, &step.needs);
        format!("{}:\n{text}", text::capital(&named(step)))
    };
    let told: Vec<String> = asked.iter().filter(is_query).map(of).collect();
    match told.as_slice() {
        [] => no_query(asked),
        _ => told.join("\n"),
    }
}

/// What is done by steps that ask the data nothing.
fn no_query(asked: &[&Step]) -> String {
    let of = |step: &&Step| {
        let text = steps::step_text(&step.tool, &step.arguments, &step.needs);
        format!("{} runs no query. What it does: {text}.", text::capital(&named(step)))
    };
    asked.iter().map(of).collect::<Vec<_>>().join("\n")
}

fn names(step: &Step) -> Vec<String> {
    let listed = step.arguments.get("tables").map_or("[]", String::as_str);
    serde_json::from_str(listed).unwrap_or_default()
}

/// The tables that steps read, as the catalogue has them.
fn read_by<'a>(catalogue: &'a Catalogue, asked: &[&Step]) -> Vec<&'a TableEntry> {
    let named: BTreeSet<String> = asked.iter().filter(is_query).flat_map(|step| names(step)).collect();
    catalogue.tables().map(|(_, table)| table).filter(|table| named.contains(&table.name)).collect()
}

fn tables(catalogue: &Catalogue, asked: &[&Step]) -> String {
    let found = read_by(catalogue, asked);
    if found.is_empty() {
        return reads_none(asked);
    }
    let listed: Vec<String> =
        found.iter().map(|table| format!("{} ({} rows)", table.name, spaced(table.rows))).collect();
    let steps: Vec<u32> = asked.iter().filter(is_query).map(|step| step.id.number()).collect();
    format!("Read {} {}. Nothing else of the data is read.", by(&steps), text::listed(&listed))
}

/// "by step 1:", "by steps 1 and 2:".
fn by(steps: &[u32]) -> String {
    let listed: Vec<String> = steps.iter().map(u32::to_string).collect();
    format!("by {} {}:", if steps.len() == 1 { "step" } else { "steps" }, text::listed(&listed))
}

fn reads_none(asked: &[&Step]) -> String {
    let steps: Vec<String> = asked.iter().map(|step| named(step)).collect();
    format!("{}: no table is read, only what earlier steps found.", text::capital(&text::listed(&steps)))
}

fn columns(catalogue: &Catalogue, asked: &[&Step]) -> String {
    let found = read_by(catalogue, asked);
    if found.is_empty() {
        return reads_none(asked);
    }
    let sql: String = asked.iter().filter_map(|step| step.arguments.get("sql")).map(String::as_str).collect();
    let of = |table: &&TableEntry| {
        let quoted = |name: &str| table.dialect.quoted(name);
        // A query names its columns behind their table, where it has more than one.
        let behind = |name: &str| sql.contains(&format!("{}.{}", quoted(&table.name), quoted(name)));
        let in_front = table.columns.iter().any(|column| behind(&column.name));
        let is_named = |name: &str| if in_front { behind(name) } else { sql.contains(&quoted(name)) };
        let columns = table.columns.iter().map(|column| column.name.clone()).filter(|name| is_named(name));
        let columns: Vec<String> = columns.collect();
        match columns.is_empty() {
            true => format!("{}: only its rows are counted", table.name),
            false => format!("{}: {}", table.name, columns.join(", ")),
        }
    };
    format!("The queries name these columns. {}.", found.iter().map(of).collect::<Vec<_>>().join("; "))
}

fn cost(catalogue: &Catalogue, plan: &Plan, asked: &[&Step]) -> String {
    let found = read_by(catalogue, asked);
    let time = asked.iter().map(|step| step.timeout_seconds).max().unwrap_or_default();
    let bound = format!("A step that takes longer than {time} seconds is given up.");
    if found.is_empty() {
        return format!("Not measured: no table is read, only what earlier steps found. {bound}");
    }
    let listed: Vec<String> = found.iter().map(|table| format!("{} {}", table.name, spaced(table.rows))).collect();
    let rows: u64 = found.iter().map(|table| table.rows).sum();
    let each = if found.len() == 1 { String::new() } else { format!(" ({})", listed.join(", ")) };
    let tables =
        if found.len() == 1 { format!("the table it reads, {},", found[0].name) } else { "the tables it reads".into() };
    let verb = if found.len() == 1 { "has" } else { "have" };
    let count = plan.steps().iter().filter(|step| step.tool.as_str() == steps::QUERY).count();
    let queries = if count == 1 { "1 query".to_owned() } else { format!("{count} queries") };
    format!("Not measured: {tables} {verb} {} rows{each}, and the plan has {queries}. {bound}", spaced(rows))
}

/// `336776` as `336 776`.
fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let mut spaced = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            spaced.push(' ');
        }
        spaced.push(digit);
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::spaced;

    #[test]
    fn long_numbers_are_spaced_by_three() {
        assert_eq!([0, 999, 1_000, 336_776, 1_000_000].map(spaced), ["0", "999", "1 000", "336 776", "1 000 000"]);
    }
}
