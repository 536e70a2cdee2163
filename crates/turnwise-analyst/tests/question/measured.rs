//! How much a real model helps: questions over data, answered by the grammar alone, by the model's own SQL as it
//! wrote it, and by both as the program does it. `TURNWISE_MEASURE` names the folder with `NAME.sql` or `NAME.db` and
//! `NAME.jsonl` of each set, without which it says that it was skipped, and `TURNWISE_TEST_MODEL` the model, without
//! which the program alone is measured, and what it says of each question shown. With
//! `TURNWISE_MEASURE_EVERY` and `TURNWISE_MEASURE_FROM` every so many questions from that one on are asked, with
//! `TURNWISE_MEASURE_SAMPLES` the model sees sample values, and with `TURNWISE_MEASURE_RECORDINGS` what it said is
//! kept (`UPDATE=1`) or used again. The score is printed; it is a measurement, and its only demand is that it was
//! made.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rusqlite::Connection;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use turnwise_analyst::Analyst;
use turnwise_analyst::question::{ModelReader, written};
use turnwise_assistant::{Models, Room};
use turnwise_core::{Cell, Choice, ClarifiedAnswer, DraftOutcome, Table, Task};
use turnwise_model::{Answer, Guarded, Guards, Keys, Model, ModelError, ModelName, Recorded, Request, Sees, open};

use crate::{compare, run};

#[derive(Deserialize)]
struct Case {
    question: String,
    sql: Option<String>,
    #[serde(default)]
    alt: Vec<String>,
    #[serde(default)]
    ordered: bool,
}

#[derive(Default)]
struct Score {
    right: usize,
    asked: usize,
    wrong: usize,
    /// Of those asked or refused, how many offer what is right by one choice.
    offered: usize,
}

impl Score {
    fn note(&mut self, verdict: Option<bool>) {
        match verdict {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.asked += 1,
        }
    }
}

/// A model that keeps what it said first.
struct Heard {
    model: Arc<dyn Model>,
    first: Mutex<Option<String>>,
}

#[async_trait]
impl Model for Heard {
    fn name(&self) -> &ModelName {
        self.model.name()
    }

    async fn stream(
        &self,
        request: &Request,
        part: &mut (dyn for<'a> FnMut(&'a str) + Send),
        cancelled: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        let answer = self.model.stream(request, part, cancelled).await?;
        self.first.lock().unwrap().get_or_insert_with(|| answer.text.clone());
        Ok(answer)
    }
}

fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn judged(case: &Case, table: &Result<Table, String>, oracle: &Connection) -> bool {
    let mut right = case.sql.iter().chain(&case.alt).map(|sql| run::rows(oracle, sql));
    table.as_ref().is_ok_and(|table| right.any(|rows| compare::holds(table, &rows, case.ordered)))
}

/// What the model's own SQL comes to.
fn told(oracle: &Connection, sql: &str) -> Result<Table, String> {
    if sql.trim().is_empty() {
        return Err("it said nothing".to_owned());
    }
    let statement = oracle.prepare(sql).map_err(|error| error.to_string())?;
    if !statement.readonly() {
        return Err("it changes the data".to_owned());
    }
    let columns = statement.column_names().map(str::to_owned).collect();
    drop(statement);
    let rows: Vec<Vec<Cell>> = run::rows(oracle, sql);
    Ok(Table { columns, total_rows: rows.len() as u64, rows })
}

fn reader(name: String) -> (ModelReader, Arc<Heard>) {
    let model = open(&ModelName::new(name), &Keys::from_environment()).unwrap();
    let guards = Guards { time_max: Duration::from_secs(600), ..Guards::default() };
    let model: Arc<dyn Model> = match std::env::var("TURNWISE_MEASURE_RECORDINGS").ok() {
        Some(folder) => Arc::new(Recorded::by_environment(folder, Some(model))),
        None => model,
    };
    let heard = Arc::new(Heard { model, first: Mutex::new(None) });
    let any = Some(Guarded::new(heard.clone(), guards));
    let sees = if std::env::var_os("TURNWISE_MEASURE_SAMPLES").is_some() { Sees::Samples } else { Sees::Names };
    (ModelReader::of(Models { any, sees, ..Models::default() }).unwrap().unwrap(), heard)
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |number| number.parse().unwrap())
}

#[tokio::test]
async fn a_model_answers_more_of_what_the_grammar_refuses() {
    let Ok(folder) = std::env::var("TURNWISE_MEASURE") else {
        tell(
            "SKIPPED: nothing was measured; TURNWISE_MEASURE says on what, and TURNWISE_TEST_MODEL with which model\n",
        );
        return;
    };
    let model = std::env::var("TURNWISE_TEST_MODEL").ok().map(reader);
    let (every, from) = (number("TURNWISE_MEASURE_EVERY", 1), number("TURNWISE_MEASURE_FROM", 0));
    let mut scores: [Score; 3] = Default::default();
    let mut seen = 0;
    for script in scripts(Path::new(&folder)) {
        let data = tempfile::tempdir().unwrap();
        let database = data.path().join("data.sqlite");
        if script.extension().is_some_and(|end| end == "db") {
            std::fs::copy(&script, &database).unwrap();
        }
        let oracle = Connection::open(&database).unwrap();
        if script.extension().is_some_and(|end| end == "sql") {
            oracle.execute_batch("PRAGMA synchronous = OFF").unwrap();
            oracle.execute_batch(&std::fs::read_to_string(&script).unwrap()).unwrap();
        }
        let analyst = Analyst::open(&[database]).unwrap();
        let cases = std::fs::read_to_string(script.with_extension("jsonl")).unwrap();
        for case in cases.lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
            seen += 1;
            if case.sql.is_none() || seen % every != from {
                continue;
            }
            match &model {
                Some((reader, heard)) => measured(&case, &analyst, &oracle, reader, heard, &mut scores).await,
                None => alone(&case, &analyst, &oracle, &mut scores),
            }
        }
    }
    let shown = if model.is_some() { 3 } else { 1 };
    if model.is_none() {
        tell(&format!("of those asked or refused {} offer what is right by one choice\n", scores[0].offered));
    }
    for (name, score) in ["the program alone", "the model's SQL as it is", "both"].iter().zip(&scores).take(shown) {
        tell(&format!("{name}: {} right, {} asked or refused, {} wrong\n", score.right, score.asked, score.wrong));
    }
    assert!(scores[0].right + scores[0].asked + scores[0].wrong > 0, "nothing was asked");
}

/// What the program makes of a question without a model.
fn alone(case: &Case, analyst: &Analyst, oracle: &Connection, scores: &mut [Score; 3]) {
    let (verdict, said) = match analyst.draft(&run::task(&case.question)) {
        DraftOutcome::Ready { plan, .. } => {
            let sql: Vec<String> = plan.steps.iter().filter_map(|step| step.arguments.get("sql").cloned()).collect();
            let said = format!("{}\n    {}", plan.assumptions.join(" "), sql.join("; ").replace('\n', " "));
            let table = run::run(analyst, plan);
            let verdict = judged(case, &table, oracle);
            let rows = table.map(|table| (table.rows.len(), table.rows.into_iter().next()));
            (Some(verdict), if verdict { said } else { format!("{said}\n    {rows:?}") })
        }
        DraftOutcome::Unclear { clarification } => {
            let answered = |choice: &Choice| {
                let mut task = run::task(&case.question);
                let (topic, answer) = (clarification.topic.clone(), choice.value.clone());
                task.answers.push(ClarifiedAnswer { topic, answer, said_in: None, assumed: false });
                task
            };
            let is_right = |choice: &Choice| is_planned_right(case, analyst, oracle, &answered(choice));
            scores[0].offered += usize::from(clarification.choices.iter().any(is_right));
            let choices: Vec<&str> = clarification.choices.iter().map(|choice| choice.label.as_str()).collect();
            (None, format!("ASKED {} {choices:?}", clarification.question))
        }
        DraftOutcome::Impossible { explanation, suggestions } => {
            let is_right = |text: &String| is_planned_right(case, analyst, oracle, &run::task(text));
            scores[0].offered += usize::from(suggestions.iter().any(is_right));
            (None, format!("REFUSED {explanation} {suggestions:?}"))
        }
        DraftOutcome::Several { .. } => (None, "SEVERAL".to_owned()),
        DraftOutcome::Answered { answer, .. } => (None, format!("ANSWERED {answer:?}")),
    };
    scores[0].note(verdict);
    tell(&format!("{} {}\n    {said}\n", word(verdict), case.question));
}

/// Whether a task is planned as it is, and rightly.
fn is_planned_right(case: &Case, analyst: &Analyst, oracle: &Connection, task: &Task) -> bool {
    match analyst.draft(task) {
        DraftOutcome::Ready { plan, .. } => judged(case, &run::run(analyst, plan), oracle),
        _ => false,
    }
}

fn word(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "right",
        Some(false) => "WRONG",
        None => "asked",
    }
}

async fn measured(
    case: &Case,
    analyst: &Analyst,
    oracle: &Connection,
    reader: &ModelReader,
    heard: &Heard,
    scores: &mut [Score; 3],
) {
    let task = run::task(&case.question);
    let verdict = |plan| Some(judged(case, &run::run(analyst, plan), oracle));
    let outcome = analyst.draft(&task);
    let (grammar, refused) = match outcome {
        DraftOutcome::Ready { plan, .. } => {
            (verdict(plan), DraftOutcome::Impossible { explanation: String::new(), suggestions: Vec::new() })
        }
        other => (None, other),
    };
    *heard.first.lock().unwrap() = None;
    let begun = Instant::now();
    let outcome = analyst.draft_by(reader, &Room::Anywhere, &task, refused, &CancellationToken::new()).await;
    let took = begun.elapsed();
    let (model, why) = match outcome {
        DraftOutcome::Ready { plan, .. } => (verdict(plan.clone()), plan.assumptions.join(" ")),
        DraftOutcome::Impossible { explanation, .. } => (None, explanation),
        DraftOutcome::Unclear { clarification } => (None, clarification.question),
        DraftOutcome::Several { .. } | DraftOutcome::Answered { .. } => (None, String::new()),
    };
    let said = heard.first.lock().unwrap().clone().unwrap_or_default();
    let direct = told(oracle, written(&said));
    let direct = direct.is_ok().then(|| judged(case, &direct, oracle));
    let both = grammar.or(model);
    for (score, verdict) in scores.iter_mut().zip([grammar, direct, both]) {
        score.note(verdict);
    }
    let verdicts = [grammar, direct, model].map(word).join(" ");
    tell(&format!("{verdicts} in {took:.0?}: {}\n    {}\n    {why}\n", case.question, said.replace('\n', " ")));
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut scripts: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "sql" || end == "db"))
        .filter(|file| file.with_extension("jsonl").exists())
        .collect();
    scripts.sort();
    scripts
}
