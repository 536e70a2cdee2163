//! A word that names nothing in the data: a model says what it may mean there, in words of the data. Each of its
//! proposals is offered only if the whole question can be planned with it, and it is a choice of a question like any
//! other: nothing is held unless the person takes it. Next: `asked` for what is offered without a model.

use serde::Serialize;
use serde_json::Value;
use turnwise_model::{Problem, TaskFiles};

/// The form of the answer.
pub const SCHEMA: &str = include_str!("task/schema.json");

/// The task as it is built in.
pub const FILES: TaskFiles = TaskFiles {
    name: "meaning",
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: None,
    schema: Some(SCHEMA),
};

/// Letters of one proposal.
const LETTERS_MAX: usize = 100;

/// What the templates are filled with.
#[derive(Serialize)]
pub struct Values<'a> {
    pub card: &'a str,
    pub message: &'a str,
    pub word: &'a str,
}

/// The proposals of an answer: short phrases of plain words.
///
/// # Errors
/// When there is none.
pub fn proposals(answer: &Value) -> Result<Vec<String>, Vec<Problem>> {
    let said = answer.get("meanings").and_then(Value::as_array);
    let mut found: Vec<String> = Vec::new();
    for phrase in said.into_iter().flatten().filter_map(Value::as_str) {
        let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_plain = phrase.chars().count() <= LETTERS_MAX && !phrase.chars().any(char::is_control);
        if !phrase.is_empty() && is_plain && !found.contains(&phrase) {
            found.push(phrase);
        }
    }
    if found.is_empty() { Err(vec![Problem::new("/meanings", "there is no short phrase")]) } else { Ok(found) }
}
