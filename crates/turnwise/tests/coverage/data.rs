//! The data sets of the suites, and what comes of planning over them. Next: `suites`.

use std::path::Path;

use rusqlite::Connection;
use serde::Deserialize;
use turnwise_analyst::Analyst;
use turnwise_core::{DraftOutcome, Mode, PlanDraft, PlanKind, Task};

/// The sets whose data is made by a script.
pub const SETS: [&str; 9] =
    ["library", "billing", "hospital", "lending", "energy", "practice", "sensors", "league", "orchestra"];

#[derive(Deserialize)]
struct Case {
    question: String,
}

/// The questions of a set with an analyst over its data.
pub struct Set {
    pub name: &'static str,
    pub questions: Vec<String>,
    pub analyst: Analyst,
    _folder: tempfile::TempDir,
}

/// Makes the data of a set.
pub fn set(name: &'static str) -> Set {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blind/questions/fresh");
    let database = folder.path().join("data.sqlite");
    let script = std::fs::read_to_string(from.join(format!("{name}.sql"))).unwrap();
    Connection::open(&database).unwrap().execute_batch(&script).unwrap();
    let questions = questions(&from.join(format!("{name}.jsonl")));
    Set { name, questions, analyst: Analyst::open(&[database]).unwrap(), _folder: folder }
}

/// The sample shop with its questions.
pub fn shop() -> Set {
    let folder = tempfile::tempdir().unwrap();
    let paths = turnwise::sample::generate(folder.path(), turnwise::sample::SEED).unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blind/questions");
    let questions = questions(&from.join("fresh/shop.jsonl"));
    Set { name: "shop", questions, analyst: Analyst::open(&paths).unwrap(), _folder: folder }
}

fn questions(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str::<Case>(line).unwrap().question).collect()
}

/// Plans a question.
pub fn draft(analyst: &Analyst, question: &str) -> DraftOutcome {
    analyst.draft(&Task {
        problem: question.to_owned(),
        kind: PlanKind::Plain,
        mode: Mode::Exploratory,
        changes: Vec::new(),
        answers: Vec::new(),
        previous: None,
        failure: None,
        facts: Vec::new(),
        heard: turnwise_core::Heard::default(),
    })
}

/// What a plan does, without what is said of it.
pub fn does(plan: &PlanDraft) -> Vec<String> {
    let told = |name: &str| matches!(name, "sql" | "parameters" | "calculation");
    let step = |step: &turnwise_core::Step| {
        let own = step.arguments.iter().filter(|(name, _)| told(name)).map(|(_, value)| value.as_str());
        own.collect::<Vec<_>>().join(" ")
    };
    plan.steps.iter().map(step).collect()
}

/// The notes on words that are not used.
pub fn unused(plan: &PlanDraft) -> Vec<&String> {
    plan.assumptions.iter().filter(|said| said.starts_with("Not used: ")).collect()
}
