//! What the analyst costs: `cargo bench -p turnwise --bench analysis [-- FOLDER]`. From a question to its plan over
//! catalogues of 10, 100 and 1 000 tables, beside preparing the plan's statement in SQLite; and, where a folder with
//! the flights tables is named, opening them and grouped questions over them, beside the same statements in DuckDB's
//! Python package over the same files in the same run. With `--features duckdb` and `-- large`: grouped questions
//! over a Parquet file of 50 million rows.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a benchmark measures time"
)]

#[cfg(feature = "duckdb")]
mod large;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use turnwise_analyst::Analyst;
use turnwise_analyst::source::QueryLimits;
use turnwise_core::{DraftOutcome, Mode, Plan, PlanDraft, PlanId, PlanKind, Task};

/// Questions planned for each size of catalogue.
const PLANNED: usize = 200;
/// How often each statement runs; the best counts, since what disturbs only adds.
const ROUNDS: usize = 7;
/// Grouped questions over the flights.
const GROUPED: [&str; 6] = [
    "number of flights by carrier",
    "average departure delay by origin",
    "number of flights by month",
    "total distance by carrier",
    "median arrival delay by month",
    "top 10 destinations by number of flights",
];

fn main() {
    #[cfg(feature = "duckdb")]
    if std::env::args().any(|argument| argument == "large") {
        large::measure(std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(50_000_000));
        return;
    }
    println!("question to plan, {PLANNED} questions");
    for tables in [10, 100, 1_000] {
        planning(tables);
    }
    match std::env::args().skip(1).find(|argument| !argument.starts_with("--")) {
        Some(folder) => flights(Path::new(&folder)),
        None => println!("name a folder with the flights tables to have questions over them measured"),
    }
}

fn task(problem: &str) -> Task {
    Task {
        problem: problem.to_owned(),
        kind: PlanKind::Plain,
        mode: Mode::Exploratory,
        changes: Vec::new(),
        answers: Vec::new(),
        previous: None,
        failure: None,
        facts: Vec::new(),
        heard: turnwise_core::Heard::default(),
    }
}

/// The plan's first statement.
fn drafted(analyst: &Analyst, problem: &str) -> (PlanDraft, String) {
    match analyst.draft(&task(problem)) {
        DraftOutcome::Ready { plan, .. } => {
            let sql = plan.steps.iter().find_map(|step| step.arguments.get("sql")).expect("a query").clone();
            (plan, sql)
        }
        other => panic!("“{problem}” has no plan: {other:?}"),
    }
}

/// Tables with a key, a name, amounts, a date and references to the table before.
fn catalogue(path: &Path, tables: usize) {
    let database = rusqlite::Connection::open(path).unwrap();
    let mut made = String::from("BEGIN;");
    for table in 0..tables {
        let own = noun(table);
        let before = noun(table.saturating_sub(1));
        write!(
            made,
            "CREATE TABLE {own} (id INTEGER PRIMARY KEY, name TEXT, {before}_id INTEGER REFERENCES {before}(id), \
             region TEXT, amount REAL, quantity INTEGER, created_on TEXT, note TEXT);\
             INSERT INTO {own} VALUES (1, 'First {table}', 1, 'North', 12.5, 3, '2025-01-31', 'a'), \
             (2, 'Second {table}', 1, 'South', 7.25, 2, '2025-02-28', 'b');"
        )
        .unwrap();
    }
    made.push_str("COMMIT;");
    database.execute_batch(&made).unwrap();
}

/// A word of its own for each table, in letters alone.
fn noun(table: usize) -> String {
    const STARTS: [&str; 10] = ["bal", "cor", "din", "fel", "gam", "hob", "jul", "kem", "lor", "mav"];
    let digit = |at: u32| STARTS[table / 10_usize.pow(at) % 10];
    format!("{}{}{}ink", digit(2), digit(1), digit(0))
}

/// Microseconds below which `share` of the times lie.
fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
    let at = ((times.len() - 1) as f64 * share) as usize;
    times[at].as_secs_f64() * 1e6
}

fn planning(tables: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.db");
    catalogue(&path, tables);
    let began = Instant::now();
    let analyst = Analyst::open(std::slice::from_ref(&path)).unwrap();
    let opened = began.elapsed();
    let database = rusqlite::Connection::open(&path).unwrap();
    let (mut planned, mut prepared) = (Vec::new(), Vec::new());
    for number in 0..PLANNED {
        let noun = noun(number * 7 % tables);
        let problem = match number % 3 {
            0 => format!("total amount by region in {noun}"),
            1 => format!("number of {noun} by month"),
            _ => format!("average quantity of {noun} in North"),
        };
        let began = Instant::now();
        let (plan, sql) = drafted(&analyst, &problem);
        Plan::check(PlanId::new(1), 1, plan, &std::collections::BTreeSet::new()).unwrap();
        planned.push(began.elapsed());
        let began = Instant::now();
        let statement = database.prepare(&sql.replace("\"many\".", ""));
        prepared.push(began.elapsed());
        assert!(statement.is_ok(), "{sql}: {statement:?}");
    }
    let (p50, p99) = (percentile(&mut planned, 0.50), percentile(&mut planned, 0.99));
    let (plain50, plain99) = (percentile(&mut prepared, 0.50), percentile(&mut prepared, 0.99));
    println!(
        "  {tables:>5} tables: p50 {p50:.0} µs ({:.1} × preparing its statement), p99 {p99:.0} µs ({:.1} ×); opened in {:.2} s",
        p50 / plain50,
        p99 / plain99,
        opened.as_secs_f64()
    );
}

fn flights(folder: &Path) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    files.sort();
    let began = Instant::now();
    let analyst = Analyst::open(&files).unwrap();
    println!("opening {} files of {}: {:.2} s", files.len(), folder.display(), began.elapsed().as_secs_f64());
    let mut asked = Vec::new();
    for question in GROUPED {
        let (plan, sql) = drafted(&analyst, question);
        let parameters = plan.steps[0].arguments.get("parameters").cloned().unwrap_or_default();
        assert_eq!(parameters, "[]", "the statement stands by itself");
        let limits = QueryLimits { rows_max: 10_000, timeout: Duration::from_secs(60) };
        let mut rows = 0;
        let best = (0..ROUNDS)
            .map(|_| {
                let began = Instant::now();
                rows = analyst.workbench().query(&sql, &[], limits, || false).unwrap().total_rows;
                began.elapsed()
            })
            .min()
            .unwrap();
        asked.push((question, sql, best, rows));
    }
    let statements: Vec<&str> = asked.iter().map(|(_, sql, _, _)| sql.as_str()).collect();
    let beside = duckdb(&files, &statements);
    for (at, (question, _, best, rows)) in asked.iter().enumerate() {
        let ours = best.as_secs_f64() * 1e3;
        let ratio = match beside.as_ref().and_then(|beside| beside.get(at)) {
            Some(Some(theirs)) => format!("{:.1} × DuckDB's {theirs:.1} ms", ours / theirs),
            Some(None) => "a statement in SQLite's own words, which DuckDB does not take".to_owned(),
            None => "DuckDB's Python package is not installed here".to_owned(),
        };
        println!("  {question}: {ours:.1} ms, {rows} rows, {ratio}");
    }
}

/// Milliseconds of each statement in DuckDB over the same files, loaded, on one thread; nothing where it is not
/// installed, and none for a statement that it does not take.
fn duckdb(files: &[PathBuf], statements: &[&str]) -> Option<Vec<Option<f64>>> {
    let script = format!(
        "import duckdb, time, json, os\n\
         d = duckdb.connect()\n\
         d.execute('SET threads TO 1')\n\
         for f in {files}:\n\
         \x20   name = os.path.splitext(os.path.basename(f))[0]\n\
         \x20   d.execute('CREATE TABLE \"%s\" AS SELECT * FROM read_csv(?, nullstr=?)' % name, [f, 'NA'])\n\
         out = []\n\
         for sql in json.loads({statements}):\n\
         \x20   best = 1e9\n\
         \x20   try:\n\
         \x20       for _ in range({ROUNDS}):\n\
         \x20           t = time.perf_counter(); d.execute(sql).fetchall(); best = min(best, time.perf_counter() - t)\n\
         \x20       out.append(best * 1e3)\n\
         \x20   except duckdb.Error:\n\
         \x20       out.append(None)\n\
         print(json.dumps(out))\n",
        files = serde_json::to_string(files).unwrap(),
        statements = serde_json::to_string(&serde_json::to_string(statements).unwrap()).unwrap(),
    );
    let ran = Command::new("python3").arg("-c").arg(script).output().ok()?;
    if !ran.status.success() {
        let told = String::from_utf8_lossy(&ran.stderr);
        let error = told.lines().find(|line| line.contains("Error")).or(told.lines().last());
        println!("  DuckDB: {}", error.unwrap_or_default());
        return None;
    }
    serde_json::from_slice(&ran.stdout).ok()
}
