//! dev
use crate::{compare, run};
use async_trait::async_trait;
use rusqlite::Connection;
use std::collections::HashMap;
use std::io::Write as _;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use turnwise_analyst::Analyst;
use turnwise_analyst::question::ModelReader;
use turnwise_assistant::{Models, Room};
use turnwise_core::DraftOutcome;
use turnwise_model::*;

struct Replay {
    name: ModelName,
    text: String,
}
#[async_trait]
impl Model for Replay {
    fn name(&self) -> &ModelName {
        &self.name
    }
    async fn stream(
        &self,
        request: &Request,
        _: &mut (dyn for<'a> FnMut(&'a str) + Send),
        _: &CancellationToken,
    ) -> Result<Answer, ModelError> {
        Ok(Answer {
            model: self.name.clone(),
            text: self.text.clone(),
            finish: Finish::Complete,
            usage: Usage::estimate(request.bytes(), 1),
            attempts: 1,
        })
    }
}

#[tokio::test]
async fn replay() {
    let Ok(file) = std::env::var("TURNWISE_REPLAY") else { return };
    let mut by: HashMap<String, Vec<(String, String)>> = HashMap::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        by.entry(v["db"].as_str().unwrap().to_owned())
            .or_default()
            .push((v["q"].as_str().unwrap().to_owned(), v["text"].as_str().unwrap().to_owned()));
    }
    let mut out = std::io::stderr();
    let mut dbs: Vec<_> = by.into_iter().collect();
    dbs.sort();
    for (db, questions) in dbs {
        let script = format!("/work/sealed/{db}.sql");
        let data = tempfile::tempdir().unwrap();
        let database = data.path().join("data.sqlite");
        let oracle = Connection::open(&database).unwrap();
        oracle.execute_batch("PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;").unwrap();
        oracle.execute_batch(&std::fs::read_to_string(&script).unwrap()).unwrap();
        let analyst = Analyst::open(&[database]).unwrap();
        let cases: HashMap<String, serde_json::Value> = std::fs::read_to_string(format!("/work/sealed/{db}.jsonl"))
            .unwrap()
            .lines()
            .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap())
            .map(|v| (v["question"].as_str().unwrap().to_owned(), v))
            .collect();
        for (q, text) in questions {
            let case = &cases[&q];
            let mut sqls = vec![case["sql"].as_str().unwrap().to_owned()];
            for a in case["alt"].as_array().into_iter().flatten() {
                sqls.push(a.as_str().unwrap().to_owned());
            }
            let ordered = case["ordered"].as_bool().unwrap_or(false);
            let judge = |plan| {
                let table = run::run(&analyst, plan);
                let right = table.as_ref().is_ok_and(|t| {
                    sqls.iter().any(|s| compare::holds(t, &run::rows(&oracle, s), ordered))
                });
                let told = match &table {
                    Ok(t) => format!("{} rows {:?}", t.rows.len(), t.rows.first()),
                    Err(e) => e.clone(),
                };
                (if right { "RIGHT" } else { "WRONG" }, told)
            };
            let task = run::task(&q);
            let outcome = analyst.draft(&task);
            let grammar = match &outcome {
                DraftOutcome::Ready { plan, .. } => judge(plan.clone()).0,
                _ => "asked",
            };
            let any = Some(Guarded::new(
                Arc::new(Replay { name: ModelName::new("replay"), text: text.clone() }),
                Guards::default(),
            ));
            let reader = ModelReader::of(Models { any, sees: Sees::Names, ..Models::default() }).unwrap().unwrap();
            let empty = DraftOutcome::Impossible { explanation: String::new(), suggestions: vec![] };
            let outcome =
                analyst.draft_by(&reader, &Room::Anywhere, &task, empty, &CancellationToken::new()).await;
            let (verdict, told) = match outcome {
                DraftOutcome::Ready { plan, .. } => {
                    let notes = plan.assumptions.join(" ");
                    let sql: Vec<String> = plan.steps.iter().filter_map(|s| s.arguments.get("sql").cloned()).collect();
                    let (v, t) = judge(plan);
                    (v, format!("{t}\n    NOTES {notes}\n    OURS {}", sql.join(" ;; ").replace('\n', " ")))
                }
                DraftOutcome::Impossible { explanation, .. } => ("asked", explanation),
                DraftOutcome::Unclear { clarification } => ("asked", clarification.question),
                _ => ("asked", String::new()),
            };
            let _ = writeln!(
                out,
                "@{grammar} @{verdict} | {db} | {q}\n    SQL  {}\n    WANT {}\n    GOT  {}",
                text.replace('\n', " "),
                sqls[0],
                told
            );
        }
    }
}
