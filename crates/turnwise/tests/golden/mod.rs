//! Golden forms: what every question and follow-up of the suites is read as and the SQL that comes of it, one JSON line
//! each, so that a change of the grammar is a readable difference. The suites' own ways to ask pass by here: a reading
//! that differs from its line fails the test that asked, and `UPDATE=1` writes it down. Next: `forms/README.md`.

#![allow(dead_code, reason = "each suite uses a part of it")]

mod canonical;
mod lines;

use rusqlite::Connection;
use serde_json::{Value, json};
use turnwise_analyst::Analyst;
use turnwise_core::{DraftOutcome, PlanDraft, Task};

use lines::Line;

/// A question drafted in this process.
#[track_caller]
pub fn drafted(suite: &str, analyst: &Analyst, task: &Task, outcome: &DraftOutcome) {
    let overview = analyst.overview();
    let tables = overview.tables.iter().map(|table| format!("{}({})", table.name, table.columns.join(",")));
    let data = canonical::mark(&tables.collect::<Vec<_>>().join(";"));
    let answers: Vec<Value> = task.answers.iter().map(|answer| json!([answer.topic, answer.answer])).collect();
    let asked = json!({ "question": task.problem, "changes": changes(task), "answers": answers });
    let came = match outcome {
        DraftOutcome::Ready { plan, .. } => plan_of(plan),
        DraftOutcome::Unclear { clarification } => {
            let choices: Vec<&str> = clarification.choices.iter().map(|choice| choice.label.as_str()).collect();
            json!({ "asked": clarification.question, "choices": choices })
        }
        DraftOutcome::Several { parts } => json!({ "requests": parts }),
        DraftOutcome::Answered { answer } => json!({ "answered": answer.text }),
        DraftOutcome::Impossible { explanation, .. } => json!({ "refused": explanation }),
    };
    lines::check(suite, &Line { data, asked, came });
}

/// Every change of the task: those its plan has had, and those that are asked for.
fn changes(task: &Task) -> Vec<String> {
    let form = task.previous.as_ref().map(|plan| plan.draft().form.as_str()).unwrap_or_default();
    let before = canonical::applied(form);
    before.into_iter().chain(task.changes.iter().cloned()).collect()
}

fn plan_of(plan: &PlanDraft) -> Value {
    canonical::plan(&serde_json::to_value(plan).expect("a plan is written as JSON"))
}

/// What `turnwise ask --json` told of a question about the tables of `schema`.
#[track_caller]
pub fn told(suite: &str, schema: &str, question: &str, told: &Value) {
    let pending = &told["pending"]["kind"]["clarification"];
    let came = match (&told["plan"], pending) {
        (plan @ Value::Object(_), _) => canonical::plan(plan),
        (_, asked @ Value::Object(_)) => {
            let choices = asked["choices"].as_array().into_iter().flatten().map(|choice| choice["label"].clone());
            json!({ "asked": asked["question"], "choices": choices.collect::<Vec<_>>() })
        }
        _ => json!({ "refused": told["answer"] }),
    };
    let asked = json!({ "question": question, "changes": [], "answers": [] });
    lines::check(suite, &Line { data: canonical::mark(schema), asked, came });
}

/// Every plan that a conversation kept in `database` came to while `said` was said: what words mean depends on the
/// talk.
#[track_caller]
pub fn talked(suite: &str, schema: &str, said: &[&str], database: &std::path::Path) {
    let store = Connection::open(database).unwrap_or_else(|error| panic!("{}: {error}", database.display()));
    let mut events = store.prepare("SELECT body FROM events ORDER BY position").expect("a conversation was kept");
    let bodies: Vec<String> = events.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let bodies: Vec<Value> = bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
    for (at, plan) in bodies.iter().flat_map(canonical::plans_in).enumerate() {
        let form = plan["form"].as_str().unwrap_or_default();
        let (changes, answers) = (canonical::applied(form), canonical::answers(form));
        let asked = json!({
            "question": plan["problem"], "changes": changes, "answers": answers, "talk": said, "plan": at + 1,
        });
        lines::check(suite, &Line { data: canonical::mark(schema), asked, came: canonical::plan(plan) });
    }
}
