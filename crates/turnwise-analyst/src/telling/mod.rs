//! A finished result told by a model in two sentences. What it says is held against the result: each of its numbers
//! must stand there, and beside the name whose row it is of; else the sentence that is made from the rows alone is
//! used, and the answer says so. Only where the operator lets a model see rows. Next: `checked` for what is held
//! against what.

mod checked;

use serde::Serialize;
use serde_json::Value;
use turnwise_core::{Answer, Cell, Conclusion, FactValue, NewFact, Table};
use turnwise_model::{Problem, TaskFiles};

use super::wording;
use checked::Told;

/// The task as it is built in.
pub const FILES: TaskFiles = TaskFiles {
    name: "answer",
    task: include_str!("task/task.yaml"),
    system: include_str!("task/system.jinja"),
    user: include_str!("task/user.jinja"),
    repair: None,
    schema: None,
};

/// Rows a model is shown: what two sentences can tell of.
const ROWS_MAX: usize = 20;

/// A result that is to be told.
#[derive(Clone, Debug)]
pub struct Finished {
    question: String,
    table: Table,
    /// The sentence that is made from the rows alone.
    plain: String,
    /// What the answer says besides: what was left out, what changed since.
    notes: String,
}

/// What the templates are filled with.
#[derive(Serialize)]
struct Values<'a> {
    question: &'a str,
    columns: &'a [String],
    rows: Vec<Vec<Value>>,
    total: u64,
    plain: &'a str,
}

impl Finished {
    /// The result of a step that concludes; none where there are no rows to tell of.
    pub fn of(conclusion: &Conclusion, fact: &NewFact, answer: &Answer) -> Option<Self> {
        let FactValue::Table(table) = &fact.value else { return None };
        if table.rows.is_empty() {
            return None;
        }
        // What stands behind the sentence is kept as it is, whoever words the rest.
        let worded = wording::answer(conclusion, fact).text;
        let (plain, notes) = match answer.text.strip_prefix(&worded) {
            Some(notes) => (worded, notes.trim().to_owned()),
            None => (answer.text.clone(), String::new()),
        };
        Some(Self { question: conclusion.problem.clone(), table: table.clone(), plain, notes })
    }

    /// What the templates are filled with.
    pub fn values(&self) -> impl Serialize {
        let cell = |cell: &Cell| match cell {
            Cell::Null => Value::Null,
            Cell::Integer(number) => Value::from(*number),
            Cell::Real(_) | Cell::Text(_) => Value::from(cell.to_string()),
        };
        let rows = self.table.rows.iter().take(ROWS_MAX).map(|row| row.iter().map(cell).collect()).collect();
        let Self { question, plain, .. } = self;
        Values { question, columns: &self.table.columns, rows, total: self.table.total_rows, plain }
    }

    /// The sentences of a model, if they hold against the result.
    ///
    /// # Errors
    /// All that is wrong with them.
    pub fn checked(&self, said: &Value) -> Result<String, Vec<Problem>> {
        let text = said.as_str().unwrap_or_default().trim().to_owned();
        let told = Told { text: &text, question: &self.question, plain: &self.plain, table: &self.table };
        let problems: Vec<Problem> = told.problems().iter().map(|problem| Problem::new("", problem)).collect();
        if problems.is_empty() { Ok(text) } else { Err(problems) }
    }

    /// The answer in the words of `model`, with all that it says besides.
    pub fn in_words_of(&self, model: &str, said: &str, answer: Answer) -> Answer {
        let text = [said, &self.notes, &format!("(In the words of {model}; every number stands in the result.)")];
        let text: Vec<&str> = text.into_iter().filter(|part| !part.is_empty()).collect();
        Answer { text: text.join(" "), ..answer }
    }

    /// The answer as it is, with a note why a model's words are not used.
    pub fn noted(&self, model: &str, why: &str, answer: Answer) -> Answer {
        let text = format!("{} (The model {model} {why}, so this is the plain sentence.)", answer.text);
        Answer { text, ..answer }
    }
}
