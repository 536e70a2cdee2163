//! A plan as its golden line shows it: the form by names instead of positions and without what is as ever, and the SQL
//! of its steps in their order. Next: `lines`.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

/// Parts of a form that say where it was read and not what it means.
const ABOUT_THE_READING: [&str; 4] = ["catalogue", "applied", "answers", "meanings"];

/// A few letters that stand for a long text.
pub fn mark(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// The changes a form had.
pub fn applied(form: &str) -> Vec<String> {
    let form: Value = serde_json::from_str(form).unwrap_or_default();
    let texts = form["applied"].as_array().into_iter().flatten();
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// What was answered about a form's words.
pub fn answers(form: &str) -> Vec<Value> {
    let form: Value = serde_json::from_str(form).unwrap_or_default();
    form["answers"].as_object().into_iter().flatten().map(|(topic, answer)| json!([topic, answer])).collect()
}

/// The form and the SQL of a plan, and what it takes for granted.
pub fn plan(plan: &Value) -> Value {
    let form: Value = serde_json::from_str(plan["form"].as_str().unwrap_or_default()).unwrap_or_default();
    let tables = tables(form["catalogue"].as_str().unwrap_or_default());
    let steps = plan["steps"].as_array().into_iter().flatten();
    let sql: Vec<Value> = steps.map(step).collect();
    json!({ "form": named(&form, &tables), "sql": sql, "assumes": plan["assumptions"] })
}

/// The query of a step with its values; of a step that queries nothing, its tool.
fn step(step: &Value) -> Value {
    let arguments = &step["arguments"];
    let Some(sql) = arguments["sql"].as_str() else { return step["tool"].clone() };
    let sql = sql.replace('\n', " ");
    match arguments["parameters"].as_str().filter(|values| *values != "[]") {
        Some(values) => json!(format!("{sql} -- {values}")),
        None => json!(sql),
    }
}

/// Each table with its columns.
fn tables(catalogue: &str) -> Vec<(String, Vec<String>)> {
    let table = |text: &str| {
        let (name, columns) = text.trim_end_matches(')').split_once('(')?;
        Some((name.to_owned(), columns.split(',').map(str::to_owned).collect()))
    };
    catalogue.split(';').filter_map(table).collect()
}

/// `value` without what is as ever, with names where positions stand.
fn named(value: &Value, tables: &[(String, Vec<String>)]) -> Value {
    match value {
        Value::Object(parts) => {
            if let Some(name) = thing(parts, tables) {
                return name;
            }
            let kept = parts.iter().filter(|(name, _)| !ABOUT_THE_READING.contains(&name.as_str()));
            let kept = kept.map(|(name, part)| (name.clone(), named(part, tables))).filter(|(_, part)| !is_usual(part));
            Value::Object(kept.collect())
        }
        Value::Array(all) => Value::Array(all.iter().map(|one| named(one, tables)).collect()),
        other => other.clone(),
    }
}

/// A candidate, a column or a table, by its name.
fn thing(parts: &Map<String, Value>, tables: &[(String, Vec<String>)]) -> Option<Value> {
    let name = |table: usize| tables.get(table).map_or_else(|| format!("table {table}"), |table| table.0.clone());
    if let (2, Some(what), Some(score)) = (parts.len(), parts.get("thing"), parts.get("score")) {
        let what = named(what, tables);
        return Some(json!(format!("{} {score}", what.as_str().map_or_else(|| what.to_string(), str::to_owned))));
    }
    if let (2, Some(table), Some(column)) = (parts.len(), index(parts, "table"), index(parts, "column")) {
        let column =
            tables.get(table).and_then(|table| table.1.get(column)).cloned().unwrap_or_else(|| format!("#{column}"));
        return Some(json!(format!("{}.{column}", name(table))));
    }
    match (parts.len(), parts.get("column"), index(parts, "table")) {
        (1, Some(column @ Value::Object(_)), _) => Some(named(column, tables)),
        (1, _, Some(table)) => Some(json!(name(table))),
        _ => None,
    }
}

fn index(parts: &Map<String, Value>, name: &str) -> Option<usize> {
    usize::try_from(parts.get(name)?.as_u64()?).ok()
}

fn is_usual(part: &Value) -> bool {
    match part {
        Value::Null | Value::Bool(false) => true,
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        Value::String(text) => matches!(text.as_str(), "" | "plain" | "nothing" | "unsaid"),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// The drafts of plans inside an event.
pub fn plans_in(event: &Value) -> Vec<&Value> {
    let is_plan = event.get("form").is_some() && event.get("steps").is_some() && event.get("problem").is_some();
    if is_plan {
        return vec![event];
    }
    match event {
        Value::Object(parts) => parts.values().flat_map(plans_in).collect(),
        Value::Array(all) => all.iter().flat_map(plans_in).collect(),
        _ => Vec::new(),
    }
}
