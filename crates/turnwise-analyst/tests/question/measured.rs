//! How much a real model helps: questions over data that the grammar refuses or asks about, read by the model of
//! `TURNWISE_TEST_MODEL`. `TURNWISE_MEASURE` names the folder with `NAME.sql` and `NAME.jsonl` of each set; without
//! both it says that it was skipped. The score is printed; it is a measurement, and its only demand is that it was
//! made.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use turnwise_analyst::Analyst;
use turnwise_analyst::question::ModelReader;
use turnwise_assistant::{Models, Room};
use turnwise_core::{DraftOutcome, Table};
use turnwise_model::{Guarded, Guards, Keys, ModelName, Recorded, Sees, open};

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

fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn judged(case: &Case, table: &Result<Table, String>, oracle: &Connection) -> bool {
    let mut right = case.sql.iter().chain(&case.alt).map(|sql| run::rows(oracle, sql));
    table.as_ref().is_ok_and(|table| right.any(|rows| compare::holds(table, &rows, case.ordered)))
}

fn reader(name: String) -> ModelReader {
    let model = open(&ModelName::new(name), &Keys::from_environment()).unwrap();
    let guards = Guards { time_max: Duration::from_secs(600), ..Guards::default() };
    let model = Arc::new(Guarded::new(model, guards));
    // What is measured can be measured again without the model.
    let kept = std::env::var("TURNWISE_MEASURE_RECORDINGS").ok();
    let any = match kept {
        Some(folder) => Guarded::new(Arc::new(Recorded::by_environment(folder, Some(model))), Guards::default()),
        None => Guarded::clone(&model),
    };
    let sees = if std::env::var_os("TURNWISE_MEASURE_SAMPLES").is_some() { Sees::Samples } else { Sees::Names };
    ModelReader::of(Models { any: Some(any), sees, ..Models::default() }).unwrap().unwrap()
}

#[tokio::test]
async fn a_model_answers_more_of_what_the_grammar_refuses() {
    let (Ok(name), Ok(folder)) = (std::env::var("TURNWISE_TEST_MODEL"), std::env::var("TURNWISE_MEASURE")) else {
        tell("SKIPPED: no model was measured; TURNWISE_TEST_MODEL and TURNWISE_MEASURE say which and on what\n");
        return;
    };
    let reader = reader(name);
    let every: usize = std::env::var("TURNWISE_MEASURE_EVERY").map_or(1, |every| every.parse().unwrap());
    let (mut alone, mut both) = (Score::default(), Score::default());
    let mut number = 0;
    for script in scripts(Path::new(&folder)) {
        let data = tempfile::tempdir().unwrap();
        let database = data.path().join("data.sqlite");
        let oracle = Connection::open(&database).unwrap();
        oracle.execute_batch(&std::fs::read_to_string(&script).unwrap()).unwrap();
        let analyst = Analyst::open(&[database]).unwrap();
        let cases = std::fs::read_to_string(script.with_extension("jsonl")).unwrap();
        for case in cases.lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
            if case.sql.is_none() {
                continue;
            }
            let task = run::task(&case.question);
            let outcome = analyst.draft(&task);
            if let DraftOutcome::Ready { plan, .. } = outcome {
                let verdict = judged(&case, &run::run(&analyst, plan), &oracle);
                alone.note(Some(verdict));
                both.note(Some(verdict));
                continue;
            }
            number += 1;
            if number % every != 0 {
                continue;
            }
            let begun = Instant::now();
            let outcome = analyst.draft_by(&reader, &Room::Anywhere, &task, outcome, &CancellationToken::new()).await;
            let (verdict, told) = match outcome {
                DraftOutcome::Ready { plan, .. } => {
                    let taken: Vec<String> =
                        plan.assumptions.iter().filter(|said| said.contains("is taken as")).cloned().collect();
                    (Some(judged(&case, &run::run(&analyst, plan), &oracle)), taken.join(" "))
                }
                DraftOutcome::Impossible { explanation, .. } => (None, explanation),
                DraftOutcome::Unclear { clarification } => (None, clarification.question),
                DraftOutcome::Several { parts } => (None, parts.join("; ")),
                DraftOutcome::Answered { answer } => (None, answer.text),
            };
            alone.note(None);
            both.note(verdict);
            let verdict = match verdict {
                Some(true) => "RIGHT",
                Some(false) => "WRONG",
                None => "asked",
            };
            tell(&format!("{verdict} in {:.0?}: {}\n    {told}\n", begun.elapsed(), case.question));
        }
    }
    for (name, score) in [("the grammar alone", &alone), ("with the model", &both)] {
        tell(&format!("{name}: {} right, {} asked or refused, {} wrong\n", score.right, score.asked, score.wrong));
    }
    assert!(number > 0, "nothing was asked of the model");
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut scripts: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "sql"))
        .filter(|file| file.with_extension("jsonl").exists())
        .collect();
    scripts.sort();
    scripts
}
